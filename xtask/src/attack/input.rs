//! One input: the files and the command line of a case, with changes.

use super::arguments::{self, Flags};
use super::case::Case;
use super::compression::{bomb, gzip, zstd};
use super::extreme;
use super::files::Content;
use super::mutation::mutate;
use crate::random::Random;
use crate::step::fresh;
use anyhow::Result;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// Files and a command line.
pub struct Input<'a> {
    pub case: &'a Case,
    pub files: Vec<(String, Content)>,
    pub words: Vec<String>,
    pub stdin: Option<String>,
    /// What was changed, and how.
    pub changes: Vec<String>,
    /// Size of the files, unpacked.
    bytes: u64,
    /// Whether the command line or a recipe may ask for work without end.
    pub may_take_long: bool,
}

impl<'a> Input<'a> {
    /// One of the case's command lines, without changes.
    pub fn valid(case: &'a Case, line: &str) -> Self {
        let (stdin, words): (Vec<&str>, Vec<&str>) = line.split_whitespace().partition(|word| word.starts_with('<'));
        let files = case.files.iter().map(|file| (file.name.clone(), Content::Bytes(file.bytes.to_vec()))).collect();
        Input {
            case,
            files,
            words: words.into_iter().map(str::to_owned).collect(),
            stdin: stdin.first().map(|word| word[1..].to_owned()),
            changes: Vec::new(),
            bytes: 0,
            may_take_long: case.command == "train",
        }
    }

    /// The case with random changes; if they must be quick, without large files.
    pub fn changed(case: &'a Case, flags: &Flags, quick: bool, random: &mut Random) -> Self {
        let mut input = Self::valid(case, random.choose::<String>(&case.lines));
        let attacked: Vec<usize> = (0..case.files.len()).filter(|&file| case.files[file].attacked).collect();
        if attacked.is_empty() || random.one_in(12) {
            input.changes.push(arguments::change(&mut input.words, flags, random));
            input.may_take_long = true;
        } else if !quick && random.one_in(30) {
            let line = extreme::long_line(random);
            for file in attacked {
                input.files[file].1 = Content::Bytes(with_line(&case.files[file].bytes, &line, random));
            }
            input.changes.push("all files: long line".to_owned());
        } else {
            let file = *random.choose(&attacked);
            let (content, unpacked) = input.change_file(file, quick, random);
            input.bytes += unpacked;
            input.files[file].1 = content;
        }
        input.bytes += input.files.iter().map(|(_, content)| content.len()).sum::<u64>();
        input
    }

    /// New content of a file, and what it unpacks to beyond its size.
    fn change_file(&mut self, file: usize, quick: bool, random: &mut Random) -> (Content, u64) {
        let seed = &self.case.files[file];
        let mut bytes = seed.bytes.to_vec();
        let mut note = |what: &str| self.changes.push(format!("{}: {what}", seed.name));
        match random.below(100) {
            0..5 => {
                let (content, what) = Content::unusual(random, &bytes);
                note(what);
                return (content, 0);
            }
            5 if !quick => {
                let (packed, unpacked) = bomb(random);
                note(&format!("unpacks to {} MB", unpacked >> 20));
                return (Content::Bytes(packed), unpacked.min(MAX_COUNTED_BYTES));
            }
            6..12 => {
                bytes = if random.one_in(2) { gzip(&bytes) } else { zstd(&bytes) };
                note("compressed");
            }
            _ => {}
        }
        for _ in 0..1 + random.below(3) {
            note(mutate(&mut bytes, quick, random));
        }
        (Content::Bytes(bytes), 0)
    }

    /// The time it may take: ten seconds for each megabyte, and ten in any case.
    pub fn limit(&self) -> Duration {
        let seconds = if self.may_take_long { 4.0 } else { (self.bytes as f64 / 1e5 * self.case.slowness).max(10.0) };
        Duration::from_secs_f64(seconds)
    }

    /// Puts the files into the folder, which is made anew; returns the processes that write into FIFOs.
    pub fn place(&self, folder: &Path) -> Result<Vec<Child>> {
        fresh(folder)?;
        let mut writers = Vec::new();
        for (name, content) in &self.files {
            writers.extend(content.place(folder, name)?);
        }
        Ok(writers)
    }

    /// The command line, for a shell.
    pub fn shown(&self) -> String {
        let quoted = self.words.iter().map(|word| {
            if word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./:=,".contains(letter))
                && !word.is_empty()
            {
                word.clone()
            } else {
                format!("$'{}'", word.escape_default())
            }
        });
        let mut line = format!("tercet {}", quoted.collect::<Vec<_>>().join(" "));
        if let Some(stdin) = &self.stdin {
            line.push_str(&format!(" < {stdin}"));
        }
        line
    }
}

/// The lines with a further one in place of the last; a few of its words are left out, so that files differ.
fn with_line(bytes: &[u8], line: &str, random: &mut Random) -> Vec<u8> {
    let end = bytes[..bytes.len().saturating_sub(1)].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let cut = boundary(line, random.below(line.len()));
    let further = boundary(line, cut + 20);
    [&bytes[..end], &line.as_bytes()[..cut], &line.as_bytes()[further..], b"\n"].concat()
}

/// The last place in the text where a character begins, up to this one.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A file that unpacks to more than this has no more time than one that unpacks to this many bytes.
const MAX_COUNTED_BYTES: u64 = 6 << 20;
