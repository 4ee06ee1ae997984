//! Double arrays of Darts: a set of byte strings as a trie in one array of pairs (Aoe, 1989).
//!
//! A unit is `base`, a signed number, and `check`. From the state with base b, the byte c leads to unit b + c + 1 if
//! the check of that unit is b; a string ends at a state if unit b has the check b and a negative base, which holds its
//! value.

/// Bytes of a unit.
const UNIT: usize = 8;

/// A double array inside a file.
#[derive(Clone, Copy)]
pub(super) struct DoubleArray<'a>(&'a [[u8; UNIT]]);

impl<'a> DoubleArray<'a> {
    /// The array in these bytes; `None` if their number is not a whole number of units.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        let (units, rest) = bytes.as_chunks();
        rest.is_empty().then_some(DoubleArray(units))
    }

    /// All values.
    pub fn values(self) -> impl Iterator<Item = u32> {
        self.0.iter().filter_map(|unit| value(base(unit)))
    }

    /// Calls `found` with the length and the value of every string that the text begins with, the shortest first.
    pub fn prefixes(self, text: &[u8], mut found: impl FnMut(usize, u32)) {
        let Some(mut state) = self.0.first().map(base) else { return };
        for (length, byte) in text.iter().enumerate() {
            if let Some(value) = self.value_at(state) {
                found(length, value);
            }
            let Some(next) = self.step(state, *byte) else { return };
            state = next;
        }
        if let Some(value) = self.value_at(state) {
            found(text.len(), value);
        }
    }

    /// The value of a string.
    pub fn get(self, text: &[u8]) -> Option<u32> {
        let start = base(self.0.first()?);
        self.value_at(text.iter().try_fold(start, |state, byte| self.step(state, *byte))?)
    }

    fn step(self, state: u32, byte: u8) -> Option<u32> {
        let unit = self.0.get(state.wrapping_add(u32::from(byte)).wrapping_add(1) as usize)?;
        (check(unit) == state).then(|| base(unit))
    }

    fn value_at(self, state: u32) -> Option<u32> {
        let unit = self.0.get(state as usize).filter(|unit| check(unit) == state)?;
        value(base(unit))
    }
}

fn base([a, b, c, d, ..]: &[u8; UNIT]) -> u32 {
    u32::from_le_bytes([*a, *b, *c, *d])
}

fn check([.., a, b, c, d]: &[u8; UNIT]) -> u32 {
    u32::from_le_bytes([*a, *b, *c, *d])
}

/// The value in a base, if it is negative.
fn value(base: u32) -> Option<u32> {
    (base >> 31 == 1).then_some(!base)
}
