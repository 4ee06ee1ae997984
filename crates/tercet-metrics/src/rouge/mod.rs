//! ROUGE: n-grams, subsequences and pairs of words that hypothesis and reference share (Lin, 2004; Lin & Och, 2004).
//!
//! ```text
//! R = shared units / units of the reference        P = shared units / units of the hypothesis
//! F = P·R / ((1−α)·P + α·R)
//! ```
//!
//! | `type` | units |
//! |---|---|
//! | `1` … `9` | n-grams, each as often as both lines have it |
//! | `l` | words; the shared ones are the longest common subsequence |
//! | `lsum` | the same of texts whose sentences line feeds separate: subsequences with all sentences of the hypothesis |
//! | `w` | the same with runs of k words counted as k^`weight`; R and P are the roots f⁻¹ of the shares (eq. 14, 15) |
//! | `s` | pairs of words in their order, with at most `skip` words between them |
//! | `su` | these pairs and all words |
//!
//! # Choices
//! - From 0 to 1, as in the tools. A corpus scores the mean of its segments, as there.
//! - A line is one sentence, except for `lsum`. There, of several longest common subsequences the one is taken that
//!   rouge-score finds, and a word counts no more often than both texts have it, as in ROUGE-1.5.5.
//! - Words are ROUGE's: ASCII letters and digits, in lower case. `tok` and `lowercase` choose others: for languages
//!   with
//!   other letters take `tok=13a`, or give the language.
//! - `alpha=0.5` is F1, `alpha=0` recall, `alpha=1` precision. The paper's β is √((1−α)/α).
//! - `stem=yes` is the tool's `-m`: words of more than three letters become the base form that WordNet's lists of
//!   exceptions give or else their Porter stem with the tool's changes. The tool has the lists of WordNet 2.0; we have
//!   those of 3.0 without some 900 rare forms whose base is not in the dictionary (`aboideaux`), and the tool's choice
//!   between several bases only where it concerns common words. `stem=nltk` are NLTK's Porter stems, which rouge-score
//!   and `evaluate` take. Words with other letters than ASCII are not stemmed.
//! - Of several references the one with the best score counts, the first of equals, as in rouge-score and in the paper;
//!   `references=average` adds up the units of all, which is the default of the tool.
//! - `version=1.5.5` has the digits of the tool ROUGE-1.5.5, which differ from the paper: P, R and F are rounded to
//!   five decimals, F being computed from rounded P and R; the last word is not among the words of `su`; for `w`, runs
//!   are those of matched words in the reference alone, and R is divided by (|r|^weight)^weight, so that a line against
//!   itself scores less than 1.
//! - Nothing against anything is 0.
//! - Long lines: `l` is exact up to a product of lengths of 2³⁴, 131,072 × 131,072 words, `w` up to 2²⁴. Longer lines
//!   are cut into equally many pieces, which are compared one by one. `s` and `su` look at no more than 2²² pairs of a
//!   line, all pairs of 2,896 words; beyond, at as many words between them as that allows. [`Metric::is_unfinished`]
//!   tells which segments these are. `lsum` compares texts with a product of lengths of up to 2²⁴ whole, all of 4,096
//!   words.
//!
//! # Agreement
//! With `version=1.5.5` equal to ROUGE-1.5.5 in all digits for types 1 to 4, `l`, `w`, `s` and `su`, and with
//! `stem=yes` to its `-m` except for the rare forms above; types 1 to 9, `l` and `lsum` without stems or with
//! `stem=nltk` are equal to rouge-score 0.1.2 with NLTK 3.10.4.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let rouge = Registry::lexical().build("rouge-s")?;
//! // The pairs of the paper's example: police–killed, police–gunman, killed–gunman and three with "the".
//! let references = ["police killed the gunman"];
//! let tallies = rouge.tally(&[Segment::new("police kill the gunman", &references)])?;
//! assert_eq!(rouge.score(&tallies[0]), 0.5);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod measure;
mod skip_bigrams;
mod summaries;
mod units;
mod weighted_subsequence;
mod words;

use super::language::characters;
use super::{
    Component, FittedSlope, LanguageRules, Metric, MetricInfo, Paper, Scale, Segment, Spec, Tally, Values,
    by_references,
};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::{Language, Tokenizer};
use crate::warning::LanguageProblem;
use measure::{Measure, Measured};
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::{choices, options};
use units::{Reference, UnitKind, Units};
use words::WordReader;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "rouge",
    aliases: &[
        ("rouge-1", "rouge:type=1"),
        ("rouge-2", "rouge:type=2"),
        ("rouge-3", "rouge:type=3"),
        ("rouge-4", "rouge:type=4"),
        ("rouge-l", "rouge:type=l"),
        ("rouge-w", "rouge:type=w"),
        ("rouge-s", "rouge:type=s"),
        ("rouge-s*", "rouge:type=s"),
        ("rouge-su", "rouge:type=su"),
        ("rouge-su*", "rouge:type=su"),
        ("rouge1", "rouge:type=1"),
        ("rouge2", "rouge:type=2"),
        ("rougel", "rouge:type=l"),
        ("rouge-lsum", "rouge:type=lsum"),
        ("rougelsum", "rouge:type=lsum"),
    ],
    summary: "shared n-grams, longest common subsequence or pairs of words, with F",
    citation: "Lin, ACL 2004 workshop; Lin & Och, ACL 2004",
    papers: &[PAPER],
    agrees_with: "ROUGE-1.5.5, rouge-score 0.1.2",
    scale: Scale::One,
    options: RougeOptions::TABLE,
    language: LanguageRules {
        option: |language| (language.code() != "en").then(|| ("tok", tokenizer_for(language).name())),
        problem: |signature, language, unsegmented| {
            if signature.option("tok") == Some(Tokenizer::Rouge.name()) && language.code() != "en" {
                let tokenizer = tokenizer_for(language).name().to_owned();
                return Some(LanguageProblem::AsciiWords { tokenizer });
            }
            (LanguageRules::WORDS.problem)(signature, language, unsegmented)
        },
        ..LanguageRules::NONE
    },
    slope: Some(FittedSlope { slope: 6.37851, log_likelihood: -0.6167, accuracy: 0.6518 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Rouge::in_context(options.typed(), registry.context())?)))
};

const PAPER: Paper = Paper { short: "Lin, 2004", bibtex: include_str!("lin-2004-rouge.bib") };

/// The tokenizer for languages other than English.
fn tokenizer_for(language: &Language) -> Tokenizer {
    if language.is_unsegmented() { characters(language) } else { Tokenizer::V13a }
}

choices! {
    /// Which of several references counts.
    pub enum References: "references" {
        /// The one with the highest F.
        Best = "best",
        /// All of them.
        Average = "average",
    }
}

choices! {
    /// Whose digits.
    pub enum Version: "version" {
        /// The definitions of the paper.
        Paper = "paper",
        /// The digits of the tool.
        Tool = "1.5.5",
    }
}

choices! {
    /// What words are compared as.
    pub enum Stems: "stem" {
        /// Themselves.
        None = "no",
        /// The stems of the tool.
        Tool = "yes",
        /// The stems of NLTK.
        Nltk = "nltk",
    }
}

options! {
    /// Options of [`Rouge`].
    pub struct RougeOptions {
        kind as "type": String
            [Values::Choice(&["1", "2", "3", "4", "5", "6", "7", "8", "9", "l", "lsum", "w", "s", "su"])] = "l",
            "n-grams of this length, subsequence (l, lsum, w) or pairs (s, su)";
        skip: Option<usize> [Values::Integer(0, 1_000_000)] = "any", "most words between the two of a pair";
        weight: f64 [Values::Number(1.0)] = "1.2", "exponent of the lengths of runs, at most 10";
        alpha: f64 = "0.5", "share of precision: 0 is recall, 1 precision";
        stem: Stems = "no", "compare English stems: of the tool (yes) or of NLTK";
        references: References = "best", "which of several references counts";
        version: Version = "paper", "definitions of the paper or digits of the tool";
        tok: String = "rouge", "tokenizer";
        tok_model: Option<PathBuf> = "auto",
            "dictionary (a folder) of ja-mecab and ko-mecab, model of spm, flores101 and flores200";
        lowercase: bool = "yes", "ignore case";
    }
}

counts! {
    /// F and 1, precision, recall, whether a limit was reached; and the units: shared, of the reference and of the
    /// hypothesis.
    struct RougeCounts { f, one, precision, recall, unfinished; shared, reference_units, hypothesis_units }
}

/// ROUGE.
pub struct Rouge {
    words: WordReader,
    kind: UnitKind,
    measure: Measure,
    options: RougeOptions,
}

impl Rouge {
    /// ROUGE with these options. Returns an error if a value is not accepted, or the tokenizer is not found.
    pub fn new(options: RougeOptions) -> Result<Self> {
        Self::in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn in_context(options: RougeOptions, context: &Context) -> Result<Self> {
        let checked = options.checked(INFO.declared())?;
        let options: RougeOptions = checked.typed();
        for (key, value, most) in [("alpha", options.alpha, 1.0), ("weight", options.weight, 10.0)] {
            if value > most {
                return Err(checked.bad_value(key, checked.text(key), &format!("at most {most}")));
            }
        }
        let tool = options.version == Version::Tool;
        let kind = UnitKind::new(&options.kind, options.skip, options.weight, tool);
        let measure = Measure {
            alpha: options.alpha,
            rounds: tool,
            root: if matches!(kind, UnitKind::Weighted { .. }) { options.weight } else { 1.0 },
        };
        Ok(Rouge { words: WordReader::new(&options, context)?, kind, measure, options })
    }

    /// The words of a text; for `lsum`, sentence by sentence.
    fn read<'l>(&self, text: &'l str) -> Cow<'l, str> {
        if !matches!(self.kind, UnitKind::Summary) {
            return self.words.read(text);
        }
        let sentences = text.split('\n').map(|sentence| self.words.read(sentence));
        Cow::Owned(sentences.collect::<Vec<_>>().join("\n"))
    }

    /// The measures of a hypothesis, and the units.
    fn compare(&self, hypothesis: &str, references: &mut [Reference]) -> (Measured, Units) {
        let hypothesis = self.read(hypothesis);
        let compared = references.iter_mut().map(|reference| reference.compare(&hypothesis, self.kind));
        if self.options.references == References::Average {
            let units = compared.fold(Units::default(), Units::plus);
            return (self.measure.measure(&units), units);
        }
        let mut best: Option<(Measured, Units)> = None;
        for units in compared {
            let measured = self.measure.measure(&units);
            if best.is_none_or(|(best, _)| measured.f > best.f) {
                best = Some((measured, units));
            }
        }
        best.unwrap_or_default()
    }
}

impl Metric for Rouge {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.words.sign(self.options.spec(INFO.name))
    }

    fn title(&self) -> String {
        let RougeOptions { kind, skip, weight, .. } = &self.options;
        match (kind.as_str(), skip) {
            ("w", _) => format!("ROUGE-W-{weight}"),
            ("s" | "su", None) => format!("ROUGE-{}*", kind.to_uppercase()),
            ("s" | "su", Some(skip)) => format!("ROUGE-{}{skip}", kind.to_uppercase()),
            _ => format!("ROUGE-{}", kind.to_uppercase()),
        }
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let references = segments[0].references.iter();
            let mut references: Vec<Reference> =
                references.map(|line| Reference::new(&self.read(line), self.kind)).collect();
            for segment in segments {
                let (Measured { f, precision, recall }, units) = self.compare(segment.hypothesis, &mut references);
                let counts = RougeCounts {
                    f,
                    one: 1.0,
                    precision,
                    recall,
                    unfinished: f64::from(u8::from(units.unfinished)),
                    shared: units.shared,
                    reference_units: units.reference,
                    hypothesis_units: units.hypothesis,
                };
                tallies.push(counts.tally());
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        RougeCounts::read(tally).unfinished > 0.0
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let RougeCounts { one: count, precision, recall, .. } = RougeCounts::read(total);
        let mean = |sum: f64| if count > 0.0 { sum / count } else { 0.0 };
        vec![Component::new("precision", mean(precision)), Component::new("recall", mean(recall))]
    }
}

#[cfg(test)]
mod tests;
