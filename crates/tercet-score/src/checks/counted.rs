//! What checks found, counted by text and kind; texts that are read in parts are counted part by part.
//!
//! A part is compared with itself only: the same output in two parts is not noticed, and a text that ends early has
//! empty outputs.

use super::find::{Settings, find};
use super::findings::{Found, TextId};
use super::marks;
use super::texts::Texts;
use super::warnings;
use crate::Corpus;
use crate::warning::Warning;
use tercet_base::CheckKind::{self, EmptyReference, LineSeparator, Misaligned, Truncated};
use tercet_base::Detail;

/// The findings of one kind in one text.
#[derive(Clone, Debug)]
pub(super) struct Counted {
    pub text: TextId,
    pub kind: CheckKind,
    /// The number of findings.
    pub count: usize,
    /// The number of lines that they name, where one is about a text.
    pub share: usize,
    /// The hundredths of lines that are in another language, where one is about a text.
    pub hundredths: usize,
    /// The first of them; all of them for displaced parts.
    pub found: Vec<Found>,
    /// The first character that other tools treat as a line end.
    pub separator: Option<char>,
}

/// Findings in texts that may be read in parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// The names of the systems.
    pub(super) systems: Vec<String>,
    pub(super) references: usize,
    pub(super) segments: usize,
    /// The segments with an empty reference, and the first of them.
    pub(super) empty_references: Option<(usize, usize)>,
    pub(super) all: Vec<Counted>,
}

impl Counts {
    /// Adds what is suspicious in the next part of a text.
    pub fn check_part(&mut self, part: &Corpus<'_>) {
        let (texts, settings) = (Texts::from(part), Settings::before_scoring());
        let kinds = settings.kinds.without(&[Truncated]);
        self.add(&texts, find(&texts, &Settings { kinds, ..settings }));
    }

    /// Adds what was found in the next part, sorted by texts and lines.
    pub fn add(&mut self, texts: &Texts<'_, '_>, found: Vec<Found>) {
        if self.systems.is_empty() {
            self.systems = texts.systems.iter().map(|system| system.name.clone()).collect();
        }
        self.references = self.references.max(texts.reference_count());
        let before = self.segments;
        for one in found {
            let separator = if one.kind == LineSeparator { separator(texts, &one) } else { None };
            let fits = one.fits.map(|line| line + before);
            self.add_one(Found { line: one.line + before, last: one.last + before, fits, ..one }, separator, texts);
        }
        self.segments += texts.segments;
    }

    fn add_one(&mut self, mut one: Found, separator: Option<char>, texts: &Texts<'_, '_>) {
        let before = self.segments;
        if one.kind == EmptyReference {
            let (count, first) = self.empty_references.unwrap_or((0, one.line));
            self.empty_references = Some((count + 1, first.min(one.line)));
        }
        if let Detail::Shift { inserted, missing, .. } = &mut one.detail {
            [inserted, missing].into_iter().flatten().for_each(|line| *line += before);
        }
        let (text, kind) = (one.text, one.kind);
        let place = self.all.iter().position(|counted| counted.text == text && counted.kind == kind);
        let counted = match place {
            Some(place) => &mut self.all[place],
            None => {
                let (count, share, hundredths, found) = (0, 0, 0, Vec::new());
                self.all.push(Counted { text, kind, count, share, hundredths, found, separator });
                self.all.last_mut().expect("it was added")
            }
        };
        counted.count += 1;
        if let Detail::Share { count, .. } = one.detail {
            counted.share += count;
        }
        if let Detail::Language { percent: Some(percent), .. } = one.detail {
            counted.hundredths += percent * texts.segments;
        }
        match counted.found.last_mut() {
            Some(last) if kind == Misaligned && goes_on(last, &one) => last.last = one.last,
            Some(_) if kind != Misaligned => {}
            _ => counted.found.push(one),
        }
    }

    /// One warning for each text and kind.
    pub fn warnings(&self) -> Vec<Warning> {
        warnings::warnings(self)
    }
}

/// Whether a displaced part goes on in the next part of the text, whose first lines fit references of the part before.
fn goes_on(part: &Found, next: &Found) -> bool {
    let shift = |found: &Found| match found.detail {
        Detail::Shift { shift, .. } => shift,
        _ => 0,
    };
    let gap = next.line - part.last;
    gap <= 1 + shift(part).unsigned_abs() && shift(part) == shift(next)
}

fn separator(texts: &Texts<'_, '_>, one: &Found) -> Option<char> {
    let line = match one.text {
        TextId::System(number) => texts.systems[number].hypotheses[one.line - 1],
        TextId::Reference(number) => texts.references[one.line - 1].get(number)?,
        TextId::Source => texts.source(one.line - 1)?,
    };
    marks::separator(line)
}
