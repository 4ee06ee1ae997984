//! Suspicious lines of texts.

use crate::checks::{Found, Kinds, Settings, TextId, Texts, find};
use crate::corpus::{Corpus, System};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::text::{Language, shortened, visible};
use crate::warning::Done;
use serde::{Deserialize, Serialize};
use tercet_base::{CheckKind, Reason, Severity, TextRole};

tercet_base::defaults! {
    /// Suspicious lines of outputs, references and sources.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct CheckJob {
        /// The target language; found in the text, as far as needed, if it is not given.
        pub language: Option<Language> = None,
        /// What is looked for; everything if nothing is named.
        pub kinds: Vec<CheckKind> = Vec::new(),
        /// What is not looked for.
        pub ignore: Vec<CheckKind> = Vec::new(),
        /// Only what is in this share of a text's lines or more, from 0 to 1.
        pub min_share: f64 = 0.0,
        /// Outputs may be so many times as long as their reference, or as short.
        pub max_length_ratio: f64 = MAX_LENGTH_RATIO,
        /// Whether warnings are errors: the check fails because of either.
        pub strict: bool = false,
        /// Whether to count suspicious lines only, and not to list them.
        pub summary: bool = false,
    }
}

/// Outputs are usually not so many times as long as their reference, or as short.
const MAX_LENGTH_RATIO: f64 = 3.0;

/// The texts that are checked: outputs, and what they are compared with, as far as there is any.
#[derive(Clone, Debug)]
pub struct CheckTexts<'a> {
    corpus: Corpus<'a>,
    has_references: bool,
}

impl<'a> CheckTexts<'a> {
    /// Systems with the references of each segment and its source, if these are known. All of them have as many lines.
    pub fn new(
        systems: Vec<System<'a>>,
        references: Option<Vec<Vec<&'a str>>>,
        sources: Option<Vec<&'a str>>,
    ) -> Result<Self> {
        // A corpus needs references: the lengths of texts without them are held against the first system.
        let has_references = references.is_some();
        let lines = || systems.first().map_or(0, |system| system.hypotheses.len());
        let references = references.unwrap_or_else(|| vec![vec![""]; lines()]);
        let corpus = Corpus::new(systems, references)?;
        let corpus = match sources {
            Some(sources) => corpus.with_sources(sources)?,
            None => corpus,
        };
        Ok(CheckTexts { corpus, has_references })
    }

    fn view(&self) -> Texts<'_, 'a> {
        let texts = Texts::from(&self.corpus);
        Texts { references: if self.has_references { texts.references } else { &[] }, ..texts }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// The number of segments.
    pub segments: usize,
    /// The names of the systems.
    pub systems: Vec<String>,
    /// How many lines of each text are suspicious, by kinds.
    pub summary: Vec<KindCount>,
    /// The suspicious lines; empty if only the summary is asked for.
    pub findings: Vec<Finding>,
    /// With `strict`: whether there are errors or warnings.
    pub failed: bool,
}

/// How many lines of a text are suspicious for one reason.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KindCount {
    /// How bad it is.
    pub severity: Severity,
    /// What was found.
    pub kind: CheckKind,
    /// Whose text it is.
    pub role: TextRole,
    /// The name of the system; `reference` (with a number if there are several), `source`.
    pub text: String,
    /// The number of such lines.
    pub lines: usize,
    /// Their share of all lines.
    pub share: f64,
    /// The first of them, from 1.
    pub first: usize,
}

/// A suspicious line, or several in a row.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What was found.
    pub kind: CheckKind,
    /// Whose text it is.
    pub role: TextRole,
    /// The name of the system; `reference` (with a number if there are several), `source`.
    pub text: String,
    /// The line, from 1.
    pub line: usize,
    /// The last line that it is about.
    pub last: usize,
    /// The line that it fits better than its own, or whose output it repeats.
    pub fits: Option<usize>,
    /// Why it is suspicious.
    pub reason: String,
    /// The line, shortened.
    pub example: String,
}

impl CheckJob {
    /// Returns an error for settings that cannot be met.
    pub fn validate(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.min_share) {
            return Err(Error::out_of_range("min_share", "a share of lines, from 0 to 1", self.min_share));
        }
        if !(self.max_length_ratio > 1.0 && self.max_length_ratio.is_finite()) {
            return Err(Error::out_of_range("max_length_ratio", "a number above 1", self.max_length_ratio));
        }
        match self.ignore.iter().find(|kind| self.kinds.contains(kind)) {
            Some(kind) => Err(Error::BadRequest(format!("{kind} is among the kinds, and ignored: leave one out"))),
            None => Ok(()),
        }
    }

    /// Checks texts.
    pub fn run(&self, texts: &CheckTexts<'_>, progress: Progress<'_>) -> Result<Done<Checked>> {
        self.validate()?;
        Done::collect(progress, |progress| {
            progress.check()?;
            let view = texts.view();
            let settings = Settings {
                kinds: self.wanted(),
                language: self.language.as_ref(),
                max_length_ratio: self.max_length_ratio,
                screens: false,
                lists_lines: true,
            };
            let checked = self.sum_up(&view, find(&view, &settings));
            progress.check()?;
            Ok(checked)
        })
    }

    fn wanted(&self) -> Kinds {
        let named = if self.kinds.is_empty() { Kinds::all() } else { self.kinds.iter().copied().collect() };
        named.without(&self.ignore)
    }

    fn sum_up(&self, texts: &Texts<'_, '_>, mut found: Vec<Found>) -> Checked {
        let mut summary: Vec<(TextId, KindCount)> = Vec::new();
        for one in &found {
            match summary.iter_mut().rfind(|(text, count)| *text == one.text && count.kind == one.kind) {
                Some((_, count)) => count.lines += one.lines(),
                None => summary.push((one.text, first_of_kind(texts, one))),
            }
        }
        summary.iter_mut().for_each(|(_, count)| count.share = count.lines as f64 / texts.segments as f64);
        summary.retain(|(_, count)| count.share >= self.min_share);
        if self.min_share > 0.0 {
            found.retain(|one| summary.iter().any(|(text, count)| *text == one.text && count.kind == one.kind));
        }
        summary.sort_by_key(|(text, count)| (count.severity, count.kind, *text));
        let is_bad = |(_, count): &(TextId, KindCount)| count.severity != Severity::Note;
        Checked {
            segments: texts.segments,
            systems: texts.systems.iter().map(|system| system.name.clone()).collect(),
            failed: self.strict && summary.iter().any(is_bad),
            summary: summary.into_iter().map(|(_, count)| count).collect(),
            findings: match self.summary {
                true => Vec::new(),
                false => found.iter().map(|one| finding(texts, one)).collect(),
            },
        }
    }
}

fn first_of_kind(texts: &Texts<'_, '_>, one: &Found) -> KindCount {
    let (role, text) = named(texts, one.text);
    let severity = one.kind.severity();
    KindCount { severity, kind: one.kind, role, text, lines: one.lines(), share: 0.0, first: one.line }
}

fn finding(texts: &Texts<'_, '_>, one: &Found) -> Finding {
    const CHARACTERS: usize = 120;
    let (role, text) = named(texts, one.text);
    let reason = Reason { kind: one.kind, detail: &one.detail, lines: (one.line, one.last), fits: one.fits };
    Finding {
        severity: one.kind.severity(),
        kind: one.kind,
        role,
        text,
        line: one.line,
        last: one.last,
        fits: one.fits,
        reason: visible(&reason.to_string()).into_owned(),
        example: visible(&shortened(line_of(texts, one), CHARACTERS)).into_owned(),
    }
}

/// The name of a text, and whose it is.
fn named(texts: &Texts<'_, '_>, text: TextId) -> (TextRole, String) {
    match text {
        TextId::System(number) => (TextRole::System, texts.systems[number].name.clone()),
        TextId::Reference(_) if texts.reference_count() == 1 => (TextRole::Reference, "reference".to_owned()),
        TextId::Reference(number) => (TextRole::Reference, format!("reference {}", number + 1)),
        TextId::Source => (TextRole::Source, "source".to_owned()),
    }
}

fn line_of<'a>(texts: &Texts<'_, 'a>, one: &Found) -> &'a str {
    let segment = one.line - 1;
    match one.text {
        TextId::System(number) => texts.systems[number].hypotheses[segment],
        TextId::Reference(number) => texts.references_of(segment).get(number).copied().unwrap_or_default(),
        TextId::Source => texts.source(segment).unwrap_or_default(),
    }
}
