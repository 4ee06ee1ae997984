//! `matrix.bin`: the costs of two words that follow each other, and what a space before a word costs.
//!
//! ```text
//! 2         contexts of first words
//! 2         contexts of second words
//! 2 each    costs, all of a second word together
//! ```
//!
//! MeCab for Korean adds costs to parts of speech that follow a space, such as particles: `left-space-penalty-factor`
//! in `dicrc`, a list of parts of speech and their costs.

use super::bytes::u16_at;
use super::dictionary::Token;

pub(super) struct Connections<'a> {
    costs: &'a [[u8; 2]],
    first: usize,
    after_space: Vec<(u16, i64)>,
}

impl<'a> Connections<'a> {
    /// Reads a file and the text of `dicrc`; the error says what is wrong with the file. `contexts` are the numbers
    /// that the dictionary has.
    pub fn new(file: &'a [u8], dicrc: &str, contexts: [u32; 2]) -> Result<Self, &'static str> {
        let (sizes, costs) = file.split_at_checked(4).ok_or("it is too short")?;
        let [first, second] = [u16_at(sizes, 0), u16_at(sizes, 2)];
        let (costs, rest) = costs.as_chunks();
        if costs.len() != usize::from(first) * usize::from(second) || !rest.is_empty() {
            return Err("its size is wrong");
        }
        if contexts != [u32::from(first), u32::from(second)] || costs.is_empty() {
            return Err("it does not belong to the dictionary");
        }
        Ok(Connections { costs, first: first.into(), after_space: after_space(dicrc) })
    }

    /// The costs of a second word with this left context after each right context of a first one.
    pub fn row(&self, left: u16) -> &'a [[u8; 2]] {
        &self.costs[usize::from(left) * self.first..][..self.first]
    }

    /// What a space before a word costs.
    pub fn space(&self, token: Token) -> i64 {
        let of_token = self.after_space.iter().find(|(part, _)| *part == token.part_of_speech);
        of_token.map_or(0, |(_, cost)| *cost)
    }
}

/// The value of a key in `dicrc`: lines `key = value`.
fn setting<'a>(dicrc: &'a str, key: &str) -> Option<&'a str> {
    let values = dicrc.lines().filter_map(|line| line.split_once('='));
    values.filter(|(name, _)| name.trim() == key).map(|(_, value)| value.trim()).next()
}

fn after_space(dicrc: &str) -> Vec<(u16, i64)> {
    let written: Vec<&str> = setting(dicrc, "left-space-penalty-factor").unwrap_or_default().split(',').collect();
    let number = |text: &str| text.trim().parse::<i32>().ok();
    let pairs = written.as_chunks().0.iter();
    pairs.filter_map(|[part, cost]| Some((u16::try_from(number(part)?).ok()?, number(cost)?.into()))).collect()
}
