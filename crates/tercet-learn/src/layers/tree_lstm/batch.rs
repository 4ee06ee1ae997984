//! The trees of a batch, their nodes sorted by height.
//!
//! All nodes of equal height are computed together: their children are lower, so they are known. Node and row are the
//! same here: rows are sorted by height and, at equal height, by tree and word, so rows of a level are contiguous and
//! leaves come first.

/// Trees that are encoded together.
#[derive(Clone, Debug, Default)]
pub struct TreeBatch {
    /// The head of every word as a number in the batch; `u32::MAX` for roots.
    heads: Vec<u32>,
    heights: Vec<u32>,
    /// The end of every tree among the words.
    ends: Vec<usize>,
    /// The row of every word.
    rows: Vec<u32>,
    /// The word of every row.
    words: Vec<u32>,
    /// The first row of every level, and the number of rows.
    levels: Vec<usize>,
    /// Rows of the children of all rows, in the order of words.
    children: Vec<u32>,
    /// Row r has the children `child_starts[r]..child_starts[r + 1]`.
    child_starts: Vec<usize>,
    /// The row of the root of every tree; `None` for trees without words.
    roots: Vec<Option<u32>>,
}

/// No head.
const ROOT: u32 = u32::MAX;

impl TreeBatch {
    pub fn clear(&mut self) {
        self.heads.clear();
        self.heights.clear();
        self.ends.clear();
    }

    /// Adds a tree: heads (0: root, k: the k-th word), and the heights of its words.
    pub fn push_tree(&mut self, heads: &[u32], heights: &[u32]) {
        let start = self.heads.len() as u32;
        let absolute = |head: &u32| if *head == 0 { ROOT } else { start + head - 1 };
        self.heads.extend(heads.iter().map(absolute));
        self.heights.extend_from_slice(heights);
        self.ends.push(self.heads.len());
    }

    /// Adds a chain: every word is the head of the one before, so that the last is the root.
    pub fn push_chain(&mut self, words: usize) {
        let start = self.heads.len() as u32;
        let length = words as u32;
        self.heads.extend((1..=length).map(|next| if next == length { ROOT } else { start + next }));
        self.heights.extend(0..length);
        self.ends.push(self.heads.len());
    }

    /// Sorts the words of all trees; to be called when all are added.
    pub fn arrange(&mut self) {
        self.sort_by_height();
        self.link_children();
        self.roots.clear();
        let mut start = 0;
        for &end in &self.ends {
            let root = (start..end).find(|word| self.heads[*word] == ROOT);
            self.roots.push(root.map(|root| self.rows[root]));
            start = end;
        }
    }

    /// A counting sort, which keeps the order of words within a level.
    fn sort_by_height(&mut self) {
        let levels = self.heights.iter().max().map_or(0, |height| *height as usize + 1);
        self.levels.clear();
        self.levels.resize(levels + 1, 0);
        self.heights.iter().for_each(|height| self.levels[*height as usize + 1] += 1);
        (0..levels).for_each(|level| self.levels[level + 1] += self.levels[level]);
        let mut next = self.levels.clone();
        self.words.resize(self.heads.len(), 0);
        self.rows.clear();
        for (word, &height) in self.heights.iter().enumerate() {
            let row = &mut next[height as usize];
            self.rows.push(*row as u32);
            self.words[*row] = word as u32;
            *row += 1;
        }
    }

    fn link_children(&mut self) {
        let row_of_head = |word: usize| self.rows.get(self.heads[word] as usize).map(|row| *row as usize);
        self.child_starts.clear();
        self.child_starts.resize(self.heads.len() + 1, 0);
        for word in 0..self.heads.len() {
            row_of_head(word).into_iter().for_each(|head| self.child_starts[head + 1] += 1);
        }
        (0..self.heads.len()).for_each(|row| self.child_starts[row + 1] += self.child_starts[row]);
        let mut next = self.child_starts.clone();
        self.children.resize(self.child_starts[self.heads.len()], 0);
        for word in 0..self.heads.len() {
            if let Some(head) = row_of_head(word) {
                self.children[next[head]] = self.rows[word];
                next[head] += 1;
            }
        }
    }

    /// Number of words of all trees.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// The word of every row, counted through all trees.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The first row of every level, and the number of rows.
    pub fn levels(&self) -> &[usize] {
        &self.levels
    }

    /// Number of leaves, which are the first rows.
    pub fn leaves(&self) -> usize {
        self.levels.get(1).copied().unwrap_or(0)
    }

    /// The rows of the children of a row, all of them lower.
    #[inline]
    pub fn children(&self, row: usize) -> &[u32] {
        &self.children[self.child_starts[row]..self.child_starts[row + 1]]
    }

    /// The row of the root of every tree; `None` for trees without words.
    pub fn roots(&self) -> &[Option<u32>] {
        &self.roots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_by_height_and_know_their_children() {
        let mut batch = TreeBatch::default();
        batch.push_tree(&[3, 1, 0, 3], &[1, 0, 2, 0]);
        batch.push_tree(&[], &[]);
        batch.push_chain(3);
        batch.arrange();
        assert_eq!(batch.words(), [1, 3, 4, 0, 5, 2, 6]);
        assert_eq!(batch.levels(), [0, 3, 5, 7]);
        assert_eq!(batch.leaves(), 3);
        let children: Vec<&[u32]> = (0..7).map(|row| batch.children(row)).collect();
        assert_eq!(children, [&[][..], &[], &[], &[0], &[2], &[3, 1], &[4]]);
        assert_eq!(batch.roots(), [Some(5), None, Some(6)]);
        batch.clear();
        batch.push_chain(1);
        batch.arrange();
        assert_eq!((batch.words(), batch.levels(), batch.roots()), (&[0][..], &[0, 1][..], &[Some(0)][..]));
        batch.clear();
        batch.arrange();
        assert_eq!((batch.len(), batch.leaves()), (0, 0));
    }
}
