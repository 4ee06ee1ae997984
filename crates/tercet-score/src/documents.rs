//! Scores of documents: each from the sum of the tallies of its segments, as that of a system is from all of them.
//!
//! Segments of one document are alike: a system that gets its first one wrong often gets the others wrong too.
//! Resamples that draw segments one by one take them as independent: intervals are too narrow and p-values too small.
//! [`ResampleBy::Document`] draws (or exchanges) whole documents: sums of documents take the place of segments.

use super::SystemTallies;
use super::corpus::Corpus;
use super::evaluate::Scored;
use super::evaluation::Evaluation;
use crate::error::{Error, Result};
use crate::metrics::Tally;
use foldhash::HashMap;
use serde::{Deserialize, Serialize};

tercet_base::choices! {
    /// Which scores of systems are wanted.
    pub enum ScoreLevels: "level" = System {
        /// Those of whole systems.
        System = "system" | "sys",
        /// Those of documents.
        Document = "document" | "doc",
        /// Those of segments.
        Segment = "segment" | "seg",
        /// Those of whole systems and of segments.
        Both = "both",
    }
}

impl ScoreLevels {
    /// Whether scores of whole systems are among them.
    pub fn has_systems(self) -> bool {
        matches!(self, ScoreLevels::System | ScoreLevels::Both)
    }

    /// Whether scores of documents are among them.
    pub fn has_documents(self) -> bool {
        self == ScoreLevels::Document
    }

    /// Whether scores of segments are among them.
    pub fn has_segments(self) -> bool {
        matches!(self, ScoreLevels::Segment | ScoreLevels::Both)
    }
}

tercet_base::choices! {
    /// What resamples draw, and trials exchange, as a whole.
    pub enum ResampleBy: "unit of resampling" = Segment {
        /// Single segments.
        Segment = "segment" | "seg",
        /// All segments of a document together.
        Document = "document" | "doc",
    }
}

/// A document of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its name.
    pub name: String,
    /// How many segments it has.
    pub segments: usize,
}

/// The segments of each document. Those of one document need not follow each other.
pub(super) struct Documents {
    /// The names, in the order of their first segments.
    names: Vec<String>,
    /// The segments of each.
    segments: Vec<Vec<usize>>,
}

impl Documents {
    /// Returns an error if nothing says which document a segment belongs to.
    pub(super) fn from_corpus(corpus: &Corpus<'_>) -> Result<Self> {
        let of_segments = corpus.documents().ok_or(Error::NoDocuments)?;
        let mut places: HashMap<&str, usize> = HashMap::default();
        let mut documents = Documents { names: Vec::new(), segments: Vec::new() };
        for (segment, &name) in of_segments.iter().enumerate() {
            if name.trim().is_empty() {
                return Err(Error::UnnamedDocument { segment: segment + 1 });
            }
            let place = *places.entry(name).or_insert_with(|| {
                documents.names.push(name.to_owned());
                documents.segments.push(Vec::new());
                documents.names.len() - 1
            });
            documents.segments[place].push(segment);
        }
        Ok(documents)
    }

    /// The sum of some numbers of segments for each document.
    pub(super) fn totals(&self, numbers: &[f64]) -> Vec<f64> {
        let total = |segments: &Vec<usize>| segments.iter().map(|&segment| numbers[segment]).sum();
        self.segments.iter().map(total).collect()
    }

    /// The sums of the tallies of each system.
    pub(super) fn sums_of_systems(&self, tallies: &SystemTallies) -> SystemTallies {
        tallies.iter().map(|tallies| self.sums(tallies)).collect()
    }

    /// The sum of the tallies of each document.
    pub(super) fn sums(&self, tallies: &[Tally]) -> Vec<Tally> {
        let sum = |segments: &Vec<usize>| Tally::sum(segments.iter().map(|&segment| &tallies[segment]));
        self.segments.iter().map(sum).collect()
    }

    /// Adds the score of each document to the cells of an evaluation, and with `components` its parts.
    pub(super) fn add_scores(&self, evaluation: &mut Evaluation, scored: &[Scored<'_>], components: bool) {
        let document =
            |(name, segments): (&String, &Vec<usize>)| Document { name: name.clone(), segments: segments.len() };
        evaluation.documents = self.names.iter().zip(&self.segments).map(document).collect();
        for (column, scored) in evaluation.columns.iter_mut().zip(scored) {
            for (cell, tallies) in column.cells.iter_mut().zip(&scored.tallies) {
                let sums = self.sums(tallies);
                cell.documents = sums.iter().map(|sum| scored.metric.score(sum)).collect();
                if components {
                    cell.document_components = sums.iter().map(|sum| scored.metric.components(sum)).collect();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Corpus, ScoreJob, ScoreLevels, System, registry};
    use tercet_base::error::Error;
    use tercet_base::progress::Progress;

    const LINES: [&str; 4] = ["the cat sat on a mat", "it rained", "a bird sang in the tree", "two dogs ran"];
    const REFERENCES: [&str; 4] =
        ["the cat sat on the mat", "it was raining", "a bird was singing in the tree", "two dogs were running"];

    fn corpus(segments: &[usize]) -> Corpus<'static> {
        let system = System { name: "a".to_owned(), hypotheses: segments.iter().map(|&i| LINES[i]).collect() };
        Corpus::new(vec![system], segments.iter().map(|&i| vec![REFERENCES[i]]).collect()).unwrap()
    }

    fn job(level: ScoreLevels) -> ScoreJob {
        ScoreJob { metrics: vec!["bleu".into(), "ter".into()], level, components: true, ..ScoreJob::default() }
    }

    fn scores(corpus: &Corpus<'_>, level: ScoreLevels) -> crate::Evaluation {
        job(level).run(corpus, &registry(), Progress::none()).unwrap().result.evaluation
    }

    #[test]
    fn a_document_is_scored_as_a_text_of_its_segments_alone() {
        let whole = corpus(&[0, 1, 2, 3]).with_documents(vec!["x", "y", "x", "x"]).unwrap();
        let found = scores(&whole, ScoreLevels::Document);
        let documents: Vec<_> = found.documents.iter().map(|one| (one.name.as_str(), one.segments)).collect();
        assert_eq!(documents, [("x", 3), ("y", 1)]);
        for (place, segments) in [&[0, 2, 3][..], &[1]].into_iter().enumerate() {
            let alone = scores(&corpus(segments), ScoreLevels::System);
            for (column, alone) in found.columns.iter().zip(&alone.columns) {
                assert_eq!(column.cells[0].documents[place].to_bits(), alone.cells[0].score.to_bits());
                assert_eq!(column.cells[0].document_components[place], alone.cells[0].components);
            }
        }
        let without = scores(&whole, ScoreLevels::System);
        assert!(without.documents.is_empty() && without.columns[0].cells[0].documents.is_empty());
        assert_eq!(without.columns[0].cells[0].score.to_bits(), found.columns[0].cells[0].score.to_bits());
    }

    #[test]
    fn every_segment_needs_the_name_of_its_document() {
        let run = |corpus: &Corpus<'_>| {
            job(ScoreLevels::Document).run(corpus, &registry(), Progress::none()).map(|_| ()).unwrap_err()
        };
        assert!(matches!(run(&corpus(&[0, 1])), Error::NoDocuments));
        let unnamed = corpus(&[0, 1]).with_documents(vec!["x", " "]).unwrap();
        assert!(matches!(run(&unnamed), Error::UnnamedDocument { segment: 2 }));
        let wrong = corpus(&[0, 1]).with_documents(vec!["x"]).unwrap_err();
        assert!(matches!(wrong, Error::DocumentCount { found: 1, segments: 2 }));
    }
}
