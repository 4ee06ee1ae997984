//! A set of pieces as a trie of bytes. The children of a node are neighbours, sorted by their bytes.

/// No child.
const NONE: u32 = u32::MAX;

/// The root.
pub(super) const ROOT: u32 = 0;

/// Pieces with their numbers.
pub(super) struct Trie {
    /// The first child of every node; the last one is before the first child of the next node.
    first: Vec<u32>,
    /// The byte that leads to every node.
    bytes: Vec<u8>,
    /// The piece that ends at every node.
    pieces: Vec<Option<u32>>,
    /// The children of the root by their bytes.
    of_root: [u32; 256],
}

impl Trie {
    /// A trie of these pieces, which must be sorted and distinct.
    pub fn new(pieces: &[(&[u8], u32)]) -> Self {
        let mut trie = Trie { first: Vec::new(), bytes: vec![0], pieces: vec![None], of_root: [NONE; 256] };
        // The pieces below every node and the number of bytes that lead to it, in the order of nodes.
        let mut below = vec![(pieces, 0)];
        let mut node = 0;
        while let Some(&(mut pieces, depth)) = below.get(node) {
            trie.first.push(below.len() as u32);
            while let Some((piece, number)) = pieces.first() {
                let Some(&byte) = piece.get(depth) else {
                    trie.pieces[node] = Some(*number);
                    pieces = &pieces[1..];
                    continue;
                };
                let count = pieces.partition_point(|(piece, _)| piece[depth] == byte);
                below.push((&pieces[..count], depth + 1));
                trie.bytes.push(byte);
                trie.pieces.push(None);
                pieces = &pieces[count..];
            }
            node += 1;
        }
        trie.first.push(below.len() as u32);
        for child in trie.first[0]..trie.first[1] {
            trie.of_root[usize::from(trie.bytes[child as usize])] = child;
        }
        trie
    }

    /// The node that a byte leads to.
    pub fn step(&self, node: u32, byte: u8) -> Option<u32> {
        if node == ROOT {
            return Some(self.of_root[usize::from(byte)]).filter(|child| *child != NONE);
        }
        let (start, end) = (self.first[node as usize], self.first[node as usize + 1]);
        let children = &self.bytes[start as usize..end as usize];
        let at = if children.len() > 8 {
            children.binary_search(&byte).ok()
        } else {
            children.iter().position(|child| *child == byte)
        };
        at.map(|at| start + at as u32)
    }

    /// The piece that ends at a node.
    pub fn piece(&self, node: u32) -> Option<u32> {
        self.pieces[node as usize]
    }

    /// The length of the longest piece that a text begins with.
    pub fn longest(&self, text: &[u8]) -> Option<usize> {
        let (mut node, mut longest) = (ROOT, None);
        for (before, byte) in text.iter().enumerate() {
            let Some(next) = self.step(node, *byte) else { break };
            node = next;
            if self.piece(node).is_some() {
                longest = Some(before + 1);
            }
        }
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_found_by_their_bytes() {
        let mut pieces: Vec<Vec<u8>> = (0..200_u8).map(|byte| vec![byte, 7]).collect();
        pieces.extend([b"a".to_vec(), b"abc".to_vec(), b"abd".to_vec()]);
        let mut numbered: Vec<(&[u8], u32)> = pieces.iter().map(Vec::as_slice).zip(0..).collect();
        numbered.sort_unstable();
        let trie = Trie::new(&numbered);
        let get = |text: &[u8]| {
            let node = text.iter().try_fold(ROOT, |node, byte| trie.step(node, *byte))?;
            trie.piece(node)
        };
        for (piece, number) in numbered {
            assert_eq!(get(piece), Some(number));
        }
        assert_eq!([get(b""), get(b"ab"), get(b"abce"), get(&[201])], [None; 4]);
        assert_eq!([trie.longest(b"abcd"), trie.longest(b"abx"), trie.longest(b"~")], [Some(3), Some(1), None]);
    }
}
