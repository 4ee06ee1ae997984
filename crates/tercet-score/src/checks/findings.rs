//! What checks find, before it is worded.

use tercet_base::{CheckKind, Detail};

/// A text of the input, in the order in which findings are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TextId {
    Source,
    /// A reference, from 0.
    Reference(usize),
    /// A system, from 0.
    System(usize),
}

/// Something suspicious.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub text: TextId,
    pub kind: CheckKind,
    /// The line, from 1.
    pub line: usize,
    /// The last line that it is about.
    pub last: usize,
    /// The line that it fits, or is equal to.
    pub fits: Option<usize>,
    pub detail: Detail,
}

impl Found {
    /// Something about one line.
    pub fn new(text: TextId, kind: CheckKind, line: usize, detail: Detail) -> Self {
        Found { text, kind, line, last: line, fits: None, detail }
    }

    /// Something about a text of so many lines.
    pub fn of_text(text: TextId, kind: CheckKind, lines: usize, detail: Detail) -> Self {
        Found { last: lines, ..Found::new(text, kind, 1, detail) }
    }

    /// The number of lines that it is about.
    pub fn lines(&self) -> usize {
        self.last + 1 - self.line
    }
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kinds(u64);

impl Kinds {
    pub fn all() -> Self {
        CheckKind::VALUES.into_iter().collect()
    }

    pub fn has(self, kind: CheckKind) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    pub fn has_any(self, kinds: &[CheckKind]) -> bool {
        kinds.iter().any(|kind| self.has(*kind))
    }

    pub fn without(self, kinds: &[CheckKind]) -> Self {
        Kinds(self.0 & !kinds.iter().copied().collect::<Kinds>().0)
    }
}

impl FromIterator<CheckKind> for Kinds {
    fn from_iter<I: IntoIterator<Item = CheckKind>>(kinds: I) -> Self {
        Kinds(kinds.into_iter().fold(0, |set, kind| set | 1 << kind as u32))
    }
}

/// Takes what checks find in one line, if its kind is asked for.
pub(crate) struct Sink<'v> {
    pub text: TextId,
    pub line: usize,
    pub kinds: Kinds,
    pub found: &'v mut Vec<Found>,
}

impl Sink<'_> {
    pub fn wants(&self, kind: CheckKind) -> bool {
        self.kinds.has(kind)
    }

    pub fn add(&mut self, kind: CheckKind, detail: Detail) {
        if self.wants(kind) {
            self.found.push(Found::new(self.text, kind, self.line, detail));
        }
    }

    /// Adds the suspicious part of the line, its start if it is long.
    pub fn part(&mut self, kind: CheckKind, part: &str) {
        const CHARACTERS: usize = 60;
        self.add(kind, Detail::Part(crate::text::shortened(part, CHARACTERS).into_owned()));
    }
}
