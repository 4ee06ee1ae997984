//! Text in EUC-JP, for dictionaries that are in it.
//!
//! `jis_x_0208.bin` has the character of every cell of JIS X 0208 in 16 bits, 0 for empty cells, row by row: what
//! Python's codec `euc_jp` decodes. Of JIS X 0212, which dictionaries do not use, nothing is here.

static CELLS: &[u8] = include_bytes!("jis_x_0208.bin");

/// Cells of a row.
const ROW: usize = 94;

/// Stands for characters that EUC-JP does not have; no word contains it.
const OTHER: u8 = 0xff;

/// Characters with their bytes, sorted.
pub(super) struct EucJp(Vec<(u16, [u8; 2])>);

/// A line in EUC-JP.
pub(super) struct Encoded {
    pub bytes: Vec<u8>,
    /// The place in the line for every byte and for the end.
    pub origins: Vec<usize>,
}

impl EucJp {
    pub fn new() -> Self {
        let cells = CELLS.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).enumerate();
        let code = |cell: usize| [0xa1 + (cell / ROW) as u8, 0xa1 + (cell % ROW) as u8];
        let full = cells.filter(|(_, character)| *character != 0).map(|(cell, character)| (character, code(cell)));
        let half = (0xff61..=0xff9f).map(|character: u16| (character, [0x8e, 0xa1 + (character - 0xff61) as u8]));
        let mut codes: Vec<_> = full.chain(half).collect();
        codes.sort_unstable();
        EucJp(codes)
    }

    /// Encodes a line.
    pub fn encode(&self, line: &str) -> Encoded {
        let mut encoded = Encoded { bytes: Vec::with_capacity(line.len()), origins: Vec::with_capacity(line.len()) };
        for (origin, character) in line.char_indices() {
            match self.code(character) {
                Some(code) => encoded.bytes.extend(code),
                None if character.is_ascii() => encoded.bytes.push(character as u8),
                None => encoded.bytes.push(OTHER),
            }
            encoded.origins.resize(encoded.bytes.len(), origin);
        }
        encoded.origins.push(line.len());
        encoded
    }

    /// The number of bytes of a character.
    pub fn length(&self, character: char) -> usize {
        self.code(character).map_or(1, |code| code.len())
    }

    fn code(&self, character: char) -> Option<[u8; 2]> {
        let wanted = u16::try_from(u32::from(character)).ok().filter(|_| !character.is_ascii())?;
        self.0.binary_search_by_key(&wanted, |(known, _)| *known).ok().map(|at| self.0[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_the_bytes_of_euc_jp() {
        let encoded = EucJp::new().encode("aあ漢ｱ😀。");
        assert_eq!(encoded.bytes, [b'a', 0xa4, 0xa2, 0xb4, 0xc1, 0x8e, 0xb1, 0xff, 0xa1, 0xa3]);
        assert_eq!(encoded.origins, [0, 1, 1, 4, 4, 7, 7, 10, 14, 14, 17]);
    }
}
