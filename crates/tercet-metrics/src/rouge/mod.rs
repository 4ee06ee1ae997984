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
//! | `w` | the same with runs of k words counted as k^`weight`; R and P are the roots f⁻¹ of the shares (eq. 14, 15) |
//! | `s` | pairs of words in their order, with at most `skip` words between them |
//! | `su` | these pairs and all words |
//!
//! # Choices
//! - From 0 to 1, as in the tools. A corpus scores the mean of its segments, as there.
//! - A line is one sentence. Words are ROUGE's: ASCII letters and digits, in lower case. `tok` and `lowercase` choose others: for
//!   languages with other letters take `tok=13a`, or give the language.
//! - `alpha=0.5` is F1, `alpha=0` recall, `alpha=1` precision. The paper's β is √((1−α)/α).
//! - `stem=yes` is the tool's `-m`: words of more than three letters become the base form that WordNet's lists of exceptions give
//!   or else their Porter stem with the tool's changes. The tool has the lists of WordNet 2.0; we have those of 3.0 without some 900
//!   rare forms whose base is not in the dictionary (`aboideaux`), and the tool's choice between several bases only where it concerns
//!   common words. Words with other letters than ASCII are not stemmed.
//! - Of several references the one with the best score counts, the first of equals, as in rouge-score and in the paper;
//!   `references=average` adds up the units of all, which is the default of the tool.
//! - `version=1.5.5` has the digits of the tool ROUGE-1.5.5, which differ from the paper: P, R and F are rounded to five decimals,
//!   F being computed from rounded P and R; the last word is not among the words of `su`; for `w`, runs are those of matched words in
//!   the reference alone, and R is divided by (|r|^weight)^weight, so that a line against itself scores less than 1.
//! - Nothing against anything is 0.
//! - Long lines: `l` is exact up to a product of lengths of 2³⁴, 131,072 × 131,072 words, `w` up to 2²⁴. Longer lines are cut into
//!   equally many pieces, which are compared one by one. `s` and `su` look at no more than 2²² pairs of a line, all pairs of 2,896 words;
//!   beyond, at as many words between them as that allows. [`Metric::is_unfinished`] tells which segments these are.
//!
//! # Agreement
//! With `version=1.5.5` equal to ROUGE-1.5.5 in all digits for types 1 to 4, `l`, `w`, `s` and `su`, and with `stem=yes` to its `-m`
//! except for the rare forms above; types 1, 2 and `l` without stems are equal to rouge-score 0.1.2 (its stemmer is NLTK's, which
//! differs).
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
mod units;
mod weighted_subsequence;
mod words;

use super::error_rate::LOWERCASE;
use super::tokenizer_option::{TOK, TOK_MODEL};
use super::{
    Component, Metric, MetricInfo, OptionInfo, Options, Scale, Segment, Spec, Tally, Values, by_references,
};
use crate::error::Result;
use measure::{Measure, Measured};
use std::sync::Arc;
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
    ],
    summary: "shared n-grams, longest common subsequence or pairs of words, with F",
    citation: "Lin, ACL 2004 workshop; Lin & Och, ACL 2004",
    agrees_with: "ROUGE-1.5.5, rouge-score 0.1.2",
    scale: Scale::One,
    options: &[
        OptionInfo {
            key: "type",
            values: Values::Choice(&["1", "2", "3", "4", "5", "6", "7", "8", "9", "l", "w", "s", "su"]),
            default: "l",
            help: "n-grams of this length, subsequence (l, w) or pairs (s, su)",
        },
        OptionInfo {
            key: "skip",
            values: Values::Integer(0, 1_000_000),
            default: "any",
            help: "most words between the two of a pair",
        },
        OptionInfo {
            key: "weight",
            values: Values::Number(1.0),
            default: "1.2",
            help: "exponent of the lengths of runs, at most 10",
        },
        OptionInfo {
            key: "alpha",
            values: Values::Number(0.0),
            default: "0.5",
            help: "share of precision: 0 is recall, 1 precision",
        },
        OptionInfo { key: "stem", values: Values::Flag, default: "no", help: "compare English stems" },
        OptionInfo {
            key: "references",
            values: Values::Choice(&["best", "average"]),
            default: "best",
            help: "which of several references counts",
        },
        OptionInfo {
            key: "version",
            values: Values::Choice(&["paper", "1.5.5"]),
            default: "paper",
            help: "definitions of the paper or digits of the tool",
        },
        OptionInfo { default: "rouge", ..TOK },
        TOK_MODEL,
        OptionInfo { default: "yes", ..LOWERCASE },
    ],
    ..MetricInfo::new(|options, _| Ok(Arc::new(Rouge::new(options)?)))
};

struct Rouge {
    words: WordReader,
    kind: UnitKind,
    measure: Measure,
    options: Options,
}

impl Rouge {
    fn new(mut options: Options) -> Result<Self> {
        let number = |key: &str, most: f64| -> Result<f64> {
            let value = options.number(key).expect("has a default");
            let expected = || options.bad_value(key, options.text(key), &format!("at most {most}"));
            if value <= most { Ok(value) } else { Err(expected()) }
        };
        let (alpha, weight) = (number("alpha", 1.0)?, number("weight", 10.0)?);
        let tool = options.text("version") == "1.5.5";
        let kind = UnitKind::new(options.text("type"), options.number("skip"), weight, tool);
        let measure = Measure {
            alpha,
            rounds: tool,
            root: if matches!(kind, UnitKind::Weighted { .. }) { weight } else { 1.0 },
        };
        Ok(Rouge { words: WordReader::new(&mut options)?, kind, measure, options })
    }

    /// The measures of a hypothesis, and whether a limit was reached.
    fn compare(&self, hypothesis: &str, references: &mut [Reference]) -> (Measured, bool) {
        let hypothesis = self.words.read(hypothesis);
        let compared = references.iter_mut().map(|reference| reference.compare(&hypothesis, self.kind));
        if self.options.text("references") == "average" {
            let units = compared.fold(Units::default(), Units::plus);
            return (self.measure.of(&units), units.unfinished);
        }
        let mut best: Option<(Measured, bool)> = None;
        for units in compared {
            let measured = self.measure.of(&units);
            if best.is_none_or(|(best, _)| measured.f > best.f) {
                best = Some((measured, units.unfinished));
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
        self.words.sign(self.options.spec())
    }

    fn title(&self) -> String {
        let (kind, skip, weight) =
            (self.options.text("type"), self.options.text("skip"), self.options.text("weight"));
        match kind {
            "w" => format!("ROUGE-W-{weight}"),
            "s" | "su" if skip == "any" => format!("ROUGE-{}*", kind.to_uppercase()),
            "s" | "su" => format!("ROUGE-{}{skip}", kind.to_uppercase()),
            _ => format!("ROUGE-{}", kind.to_uppercase()),
        }
    }

    /// F, 1, precision, recall, whether a limit was reached.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let mut tallies = Vec::with_capacity(batch.len());
        for segments in by_references(batch) {
            let references = segments[0].references.iter();
            let mut references: Vec<Reference> =
                references.map(|line| Reference::new(&self.words.read(line), self.kind)).collect();
            for segment in segments {
                let (measured, unfinished) = self.compare(segment.hypothesis, &mut references);
                let Measured { f, precision, recall } = measured;
                tallies.push(Tally::new(vec![f, 1.0, precision, recall, f64::from(u8::from(unfinished))]));
            }
        }
        Ok(tallies)
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(4).is_some_and(|unfinished| *unfinished > 0.0)
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let mean = |i: usize| match total.get(1) {
            Some(count) if *count > 0.0 => total[i] / count,
            _ => 0.0,
        };
        vec![Component::new("precision", mean(2)), Component::new("recall", mean(3))]
    }
}

#[cfg(test)]
mod tests;
