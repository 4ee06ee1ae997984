//! One pass over the rows: while a batch is scored, the one before is written and the next one read.

use super::roles::Roles;
use super::systems::Systems;
use super::target::TableTarget;
use crate::args::ScoreArgs;
use anyhow::bail;
use tercet::progress::Progress;
use tercet::scoring::{Corpus, ScoreJob, StreamScorer, SystemTallies};
use tercet_columns::{Batch, TableReader};

/// What the pass needs to know.
pub struct Pass<'a> {
    pub args: &'a ScoreArgs,
    pub scorer: &'a StreamScorer,
    pub roles: &'a Roles,
    pub job: &'a ScoreJob,
    pub progress: Progress<'a>,
}

/// A batch and its scores: `[column][row]`.
type ScoredBatch = (Batch, Vec<Vec<f64>>);

impl Pass<'_> {
    /// Reads, scores and writes all rows.
    pub fn run(
        &self,
        mut reader: TableReader,
        mut systems: Systems,
        mut target: Option<TableTarget>,
    ) -> anyhow::Result<(Systems, Option<TableTarget>)> {
        match reader.rows().and_then(|rows| usize::try_from(rows).ok()) {
            Some(rows) => self.progress.stage("scoring", rows, "rows")?,
            None => self.progress.counting("scoring", "rows")?,
        }
        let Some(mut batch) = reader.next_batch()? else {
            bail!("{}: there is no row to score", self.args.hypotheses[0].display());
        };
        self.check(&batch)?;
        let is_written = target.is_some();
        let mut scored: Option<ScoredBatch> = None;
        loop {
            let (done, next) = rayon::join(
                || self.score(&batch, &mut systems, is_written),
                || -> anyhow::Result<Option<Batch>> {
                    if let (Some(target), Some((rows, scores))) = (&mut target, scored.take()) {
                        target.write(&rows, scores)?;
                    }
                    Ok(reader.next_batch()?)
                },
            );
            let (scores, next) = (done?, next?);
            scored = Some((batch, scores));
            match next {
                Some(next) => batch = next,
                None => break,
            }
        }
        if let (Some(target), Some((rows, scores))) = (&mut target, scored) {
            target.write(&rows, scores)?;
        }
        Ok((systems, target))
    }

    /// Adds a batch to the sums, and returns the scores of its rows if they are written.
    fn score(&self, batch: &Batch, systems: &mut Systems, is_written: bool) -> anyhow::Result<Vec<Vec<f64>>> {
        let corpus = self.roles.corpus(batch)?;
        let tallies = self.scorer.tally(&corpus, self.progress)?;
        systems.add(self.scorer, &corpus, &tallies, self.roles.systems(batch)?.as_deref())?;
        Ok(if is_written { self.scores(&corpus, &tallies) } else { Vec::new() })
    }

    /// The scores of rows in the order of the new columns.
    fn scores(&self, corpus: &Corpus<'_>, tallies: &[SystemTallies]) -> Vec<Vec<f64>> {
        let columns = 0..corpus.systems().len();
        let scores = |column: usize| {
            tallies.iter().enumerate().map(move |(metric, of)| self.scorer.segment_scores(metric, &of[column]))
        };
        columns.flat_map(scores).collect()
    }

    /// Looks for suspicious input in the first rows.
    fn check(&self, batch: &Batch) -> anyhow::Result<()> {
        Ok(self.job.check_texts(&self.roles.corpus(batch)?, self.scorer.metrics(), self.progress)?)
    }
}
