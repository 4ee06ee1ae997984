//! TER: the edits that turn a hypothesis into a reference, per word of the reference (Snover et al., AMTA 2006).
//!
//! ```text
//! TER = 100 · (insertions + deletions + substitutions + shifts) / mean length of the references
//! ```
//!
//! A shift moves a block of words and costs one edit, regardless of its length and distance. Finding the fewest edits is
//! NP-hard; like tercom, the tool of the paper, we are greedy: as long as a shift reduces the edit distance, make the one
//! that reduces it most.
//!
//! # Choices
//! - Only blocks of up to `shift_size` words are tried that also occur in the reference, at most `shift_distance` words
//!   away, with errors at both positions. Of equally good shifts the longest is made, then the one that starts first,
//!   then the one that goes to the earliest place.
//! - After 1,000 tried shifts the search ends, and the last one found is not made: sacreBLEU's limit. It bounds the time
//!   that a line of thousands of words may take.
//! - Edit distances look only `beam` words to either side of the diagonal, see `band.rs`.
//! - Of several references the one with the fewest edits counts, the first of equals; the length is the mean of all.
//! - Kinds of edits have tercom's names: an insertion is a word of the hypothesis that the reference lacks, a deletion a
//!   word that the hypothesis lacks. Several optimal alignments may differ in them; the total is what tools agree on.
//! - Without any reference words the score is 100 if there are edits and 0 if not. More than 100 is common: the
//!   hypothesis may be longer than the reference.
//! - A line is lower-cased and split at white space and nothing else, as in tercom; `normalized` splits off
//!   punctuation. See the tokenizer [`tercom`](crate::text::TercomOptions).
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0 (counts exactly, scores to 1e-9), its single-precision bootstrap included, and in one thing
//! that looks like an oversight: with `normalized` it tokenizes references twice and hypotheses once, so that the end of
//! `at Tom's.` has three words in a hypothesis and four in a reference.
//!
//! tercom 0.10 gives the same for nearly every segment. It differs where it
//! - keeps a possessive before a stop in one word in references too;
//! - counts an empty first word, left by punctuation that `no_punct` removed;
//! - treats a no-break space as a letter and, if `normalized`, drops `<skipped>` and splits off runs of kana;
//! - measures how far a shift goes to the hypothesis word aligned with its target, not to the target;
//! - prunes cells that are 20 edits worse than the best of their column, and has no limit on shifts tried.
//!
//! # Speed
//! References of up to 128 words take the fast way: all cells of a column at once (`bits.rs`), a shifted hypothesis only
//! from its first moved word on, and shifts that cannot be the best are skipped. Longer ones are computed cell by cell
//! within the beam (`band.rs`): at most 1,000 times `2 · beam` cells per word of the hypothesis.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let ter = Registry::lexical().build("ter")?;
//! let references = ["saudi arabia denied this week information published in the american new york times"];
//! let tallies = ter.tally(&[Segment::new(
//!     "this week the saudis denied information published in the new york times",
//!     &references,
//! )])?;
//! assert_eq!(format!("{:.4}", ter.score(&tallies[0])), "30.7692"); // the example of the paper: 4 edits, 13 words
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod alignment;
mod band;
mod bits;
mod counts;
mod distances;
mod marks;
mod reference;
mod search;
mod shift;

use super::{
    Component, Direction, MarkWords, Metric, MetricInfo, OptionInfo, Options, Resampled, Segment, Spec,
    Tally, Values,
};
use crate::error::Result;
use crate::text::{TercomOptions, Tokenizer};
use counts::Counter;
use std::sync::Arc;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "ter",
    summary: "edits, shifts of blocks among them, per word of the reference",
    citation: "Snover et al., AMTA 2006",
    agrees_with: "sacreBLEU 2.6.0",
    direction: Direction::LowerIsBetter,
    options: &[
        flag("normalized", "unescape SGML and split off punctuation"),
        flag("no_punct", "remove punctuation"),
        flag("asian_support", "let the other two handle Chinese and Japanese"),
        flag("case_sensitive", "keep case"),
        OptionInfo {
            key: "beam",
            values: Values::Integer(1, 1_000),
            default: "25",
            help: "how far from the diagonal edit distances look, in words",
        },
        OptionInfo {
            key: "shift_distance",
            values: Values::Integer(0, 1_000_000),
            default: "50",
            help: "how far apart a block and the words it equals may stand",
        },
        OptionInfo {
            key: "shift_size",
            values: Values::Integer(0, 1_000_000),
            default: "10",
            help: "longest block that is shifted; 0 for no shifts",
        },
    ],
    ..MetricInfo::new(|options, _| Ok(Arc::new(Ter::new(options))))
};

const fn flag(key: &'static str, help: &'static str) -> OptionInfo {
    OptionInfo { key, values: Values::Flag, default: "no", help }
}

/// Limits of the search.
#[derive(Clone, Copy, Debug)]
struct Limits {
    beam: usize,
    shift_distance: usize,
    shift_size: usize,
    /// Shifts tried in one segment.
    candidates: usize,
}

struct Ter {
    options: Options,
    counter: Counter,
}

impl Ter {
    fn new(options: Options) -> Self {
        Ter {
            counter: Counter {
                tokenizer: Tokenizer::Tercom(TercomOptions {
                    normalized: options.flag("normalized"),
                    no_punct: options.flag("no_punct"),
                    asian_support: options.flag("asian_support"),
                    case_sensitive: options.flag("case_sensitive"),
                }),
                limits: Limits {
                    beam: options.integer("beam"),
                    shift_distance: options.integer("shift_distance"),
                    shift_size: options.integer("shift_size"),
                    candidates: 1000,
                },
            },
            options,
        }
    }
}

impl Metric for Ter {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.options.spec()
    }

    fn title(&self) -> String {
        "TER".to_owned()
    }

    /// Edits, mean reference length, then edits by kind: see [`Metric::components`] for their order.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Ok(self.counter.tally(batch))
    }

    fn score(&self, total: &Tally) -> f64 {
        let [edits, length, ..] = total[..] else { return 0.0 };
        if length > 0.0 { 100.0 * (edits / length) } else { score_without_reference(edits > 0.0) }
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let names =
            ["edits", "ref_len", "insertions", "deletions", "substitutions", "shifts", "shifted_words"];
        let named = names.into_iter().zip(total.iter());
        named.map(|(name, value)| Component::new(name, *value)).collect()
    }

    fn marker(&self) -> Option<&dyn MarkWords> {
        Some(self)
    }

    fn score_single(&self, sums: &[f32]) -> Option<Resampled> {
        let [edits, length, ..] = *sums else { return Some(Resampled::Double(0.0)) };
        Some(if length > 0.0 {
            Resampled::Single(100.0 * (edits / length))
        } else {
            Resampled::Double(score_without_reference(edits > 0.0))
        })
    }
}

fn score_without_reference(any_edits: bool) -> f64 {
    if any_edits { 100.0 } else { 0.0 }
}

#[cfg(test)]
mod tests;
