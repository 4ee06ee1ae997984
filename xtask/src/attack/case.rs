//! A case: valid files, commands that read them, and the reader that the files are for.

use std::sync::Arc;

/// A valid file.
#[derive(Clone)]
pub struct SeedFile {
    pub name: String,
    pub bytes: Arc<[u8]>,
    /// Whether it is mutated.
    pub attacked: bool,
}

/// Valid files and commands that read them.
pub struct Case {
    pub command: &'static str,
    pub reader: &'static str,
    pub files: Vec<SeedFile>,
    /// Command lines without the program. Words are separated by white space; `<FILE` is standard input.
    pub lines: Vec<String>,
    /// How many of the inputs it gets, relative to the others.
    pub weight: usize,
    /// How many times longer it may take than others, for parsers: half a millisecond a word, so 100 s for a megabyte of
    /// normal text and 500 s for one of words of one letter, on a machine that does nothing else.
    pub slowness: f64,
    /// Whether its inputs are runs that are stopped by a signal, instead of mutated files.
    pub stopped: bool,
}

impl Case {
    pub fn new(command: &'static str, reader: &'static str) -> Self {
        Case {
            command,
            reader,
            files: Vec::new(),
            lines: Vec::new(),
            weight: 10,
            slowness: 1.0,
            stopped: false,
        }
    }

    /// A file that is mutated.
    pub fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.with(name, bytes.as_ref(), true)
    }

    /// A file that is left as it is.
    pub fn fixed(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        self.with(name, bytes.as_ref(), false)
    }

    fn with(mut self, name: &str, bytes: &[u8], attacked: bool) -> Self {
        self.files.push(SeedFile { name: name.to_owned(), bytes: bytes.into(), attacked });
        self
    }

    /// Several files that are mutated.
    pub fn files(self, files: &[(&str, &str)]) -> Self {
        files.iter().fold(self, |case, (name, text)| case.file(name, text))
    }

    /// Command lines.
    pub fn lines(mut self, lines: &[&str]) -> Self {
        self.lines.extend(lines.iter().map(|&line| line.to_owned()));
        self
    }

    pub fn weight(mut self, weight: usize) -> Self {
        self.weight = weight;
        self
    }

    pub fn slowness(mut self, slowness: f64) -> Self {
        self.slowness = slowness;
        self
    }

    pub fn stopped(mut self) -> Self {
        self.stopped = true;
        self
    }

    /// Whether its files take long to write and read.
    pub fn is_large(&self) -> bool {
        self.files.iter().any(|file| file.bytes.len() > 1 << 20)
    }

    /// `COMMAND: READER`.
    pub fn name(&self) -> String {
        format!("{}: {}", self.command, self.reader)
    }
}
