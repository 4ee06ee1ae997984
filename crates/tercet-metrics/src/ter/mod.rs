//! TER: the edits that turn a hypothesis into a reference, per word of the reference (Snover et al., AMTA 2006).
//!
//! ```text
//! TER = 100 · (insertions + deletions + substitutions + shifts) / mean length of the references
//! ```
//!
//! A shift moves a block of words and costs one edit, regardless of its length and distance. Finding the fewest edits
//! is NP-hard; like tercom, the tool of the paper, we are greedy: as long as a shift reduces the edit distance, make
//! the one that reduces it most.
//!
//! # Choices
//! - Only blocks of up to `shift_size` words are tried that also occur in the reference, at most `shift_distance` words
//!   away, with errors at both positions. Of equally good shifts the longest is made, then the one that starts first,
//!   then the one that goes to the earliest place.
//! - After 1,000 tried shifts the search ends, and the last one found is not made: sacreBLEU's limit. It bounds the
//!   time that a line of thousands of words may take.
//! - Edit distances look only `beam` words to either side of the diagonal, see `band.rs`.
//! - Of several references the one with the fewest edits counts, the first of equals; the length is the mean of all.
//! - Kinds of edits have tercom's names: an insertion is a word of the hypothesis that the reference lacks, a deletion
//!   a word that the hypothesis lacks. Several optimal alignments may differ in them; the total is what tools agree on.
//! - Without any reference words the score is 100 if there are edits and 0 if not. More than 100 is common: the
//!   hypothesis may be longer than the reference.
//! - A line is lower-cased and split at white space and nothing else, as in tercom; `normalized` splits off
//!   punctuation. See the tokenizer [`tercom`](crate::text::TercomOptions).
//!
//! # Agreement
//! Equal to sacreBLEU 2.6.0 (counts exactly, scores to 1e-9), its single-precision bootstrap included, and in one thing
//! that looks like an oversight: with `normalized` it tokenizes references twice and hypotheses once, so that the end
//! of `at Tom's.` has three words in a hypothesis and four in a reference.
//!
//! tercom 0.10 gives the same for nearly every segment. It differs where it
//! - keeps a possessive before a stop in one word in references too;
//! - counts an empty first word, left by punctuation that `no_punct` removed;
//! - treats a no-break space as a letter and, if `normalized`, drops `<skipped>` and splits off runs of kana;
//! - measures how far a shift goes to the hypothesis word aligned with its target, not to the target;
//! - prunes cells that are 20 edits worse than the best of their column, and has no limit on shifts tried.
//!
//! # Speed
//! References of up to 128 words take the fast way: all cells of a column at once (`bits.rs`), a shifted hypothesis
//! only from its first moved word on, and shifts that cannot be the best are skipped. Longer ones are computed cell by
//! cell within the beam (`band.rs`): at most 1,000 times `2 · beam` cells per word of the hypothesis.
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

use super::language::no_spaces;
use super::{
    Component, Direction, FittedSlope, LanguageRules, MarkWords, Metric, MetricInfo, Paper, Resampled, Sacrebleu,
    Segment, Spec, Tally, Values,
};
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::tally::counts;
use crate::text::{TercomOptions, Tokenizer};
use counts::Counter;
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "ter",
    summary: "edits, shifts of blocks among them, per word of the reference",
    citation: "Snover et al., AMTA 2006",
    papers: &[PAPER],
    agrees_with: "sacreBLEU 2.6.0",
    direction: Direction::LowerIsBetter,
    options: TerOptions::TABLE,
    language: LanguageRules {
        problem: |signature, language, unsegmented| {
            // TER splits Chinese characters and kana only.
            let can_split = matches!(language.code(), "zh" | "ja");
            let splits = can_split && signature.is_yes("normalized") && signature.is_yes("asian_support");
            (unsegmented && !splits).then(|| no_spaces(can_split.then_some("normalized=yes,asian_support=yes")))
        },
        ..LanguageRules::NONE
    },
    slope: Some(FittedSlope { slope: 0.03349, log_likelihood: -0.6407, accuracy: 0.6314 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, _| Ok(Arc::new(Ter::new(options.typed())?)))
};

const PAPER: Paper = Paper { short: "Snover et al., 2006", bibtex: include_str!("snover-2006-ter.bib") };

options! {
    /// Options of [`Ter`].
    pub struct TerOptions {
        normalized: bool = "no", "unescape SGML and split off punctuation";
        no_punct: bool = "no", "remove punctuation";
        asian_support: bool = "no", "let the other two handle Chinese and Japanese";
        case_sensitive: bool = "no", "keep case";
        beam: usize [Values::Integer(1, 1_000)] = "25",
            "how far from the diagonal edit distances look, in words";
        shift_distance: usize [Values::Integer(0, 1_000_000)] = "50",
            "how far apart a block and the words it equals may stand";
        shift_size: usize [Values::Integer(0, 1_000_000)] = "10",
            "longest block that is shifted; 0 for no shifts";
    }
}

counts! {
    /// Edits, the mean length of the references, edits by kind.
    struct TerCounts { edits, ref_len, insertions, deletions, substitutions, shifts, shifted_words }
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

/// TER.
pub struct Ter {
    options: TerOptions,
    counter: Counter,
}

impl Ter {
    /// TER with these options. Returns an error if a value is not accepted.
    pub fn new(options: TerOptions) -> Result<Self> {
        let options = INFO.check(&options)?;
        let TerOptions { normalized, no_punct, asian_support, case_sensitive, .. } = options;
        let TerOptions { beam, shift_distance, shift_size, .. } = options;
        let counter = Counter {
            tokenizer: Tokenizer::Tercom(TercomOptions { normalized, no_punct, asian_support, case_sensitive }),
            limits: Limits { beam, shift_distance, shift_size, candidates: 1000 },
        };
        Ok(Ter { options, counter })
    }
}

impl Metric for Ter {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        self.options.spec(INFO.name)
    }

    fn title(&self) -> String {
        "TER".to_owned()
    }

    /// Edits, mean reference length, then edits by kind: see [`Metric::components`] for their order.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Ok(self.counter.tally(batch))
    }

    fn score(&self, total: &Tally) -> f64 {
        let TerCounts { edits, ref_len, .. } = TerCounts::read(total);
        if ref_len > 0.0 { 100.0 * (edits / ref_len) } else { score_without_reference(edits > 0.0) }
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        TerCounts::components(total)
    }

    fn marker(&self) -> Option<&dyn MarkWords> {
        Some(self)
    }

    fn sacrebleu(&self) -> Option<&dyn Sacrebleu> {
        Some(self)
    }
}

impl Sacrebleu for Ter {
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
