//! Systems × metrics → scores, intervals, paired comparisons.
//!
//! [`tally`] runs every metric over every system and segment in one pass: the references of a segment are analysed once
//! for all systems, a translation that several systems share is judged once, and the work is spread over the threads of
//! the current rayon pool without changing a digit. Everything after that only adds tallies up.

mod checks;
mod corpus;
mod evaluate;
mod evaluation;
mod given;
pub mod significance;

pub use crate::statistics::significance::bootstrap::Interval;
pub use checks::{Warning, check};
pub use corpus::{Corpus, ReferenceCount, System};
pub use evaluate::{Paired, Pairs, Request, Test, evaluate, evaluate_scores};
pub use evaluation::{Cell, Column, Comparison, Evaluation};
pub use given::GivenScores;

use crate::error::Result;
use crate::metrics::{Metric, Segment, Tally};
use rayon::prelude::*;

/// Segments judged in one go; enough to amortise a metric's buffers, few enough to keep threads evenly busy.
const BATCH: usize = 64;

/// The tallies of one metric: `tallies[system][segment]`.
pub type SystemTallies = Vec<Vec<Tally>>;

/// Tallies of every metric, system and segment: `[metric][system][segment]`. `progress` hears of segments as they are
/// done, each once for all metrics and systems.
pub fn tally(
    corpus: &Corpus<'_>,
    metrics: &mut [Box<dyn Metric>],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<SystemTallies>> {
    let references: Vec<&[&str]> = corpus.references().iter().map(Vec::as_slice).collect();
    for metric in metrics.iter_mut() {
        metric.prepare(&references)?;
    }
    let starts: Vec<usize> = (0..corpus.len()).step_by(BATCH).collect();
    let metrics = &*metrics;
    let batches: Vec<Vec<Vec<Tally>>> = starts
        .par_iter()
        .map(|&start| {
            let end = corpus.len().min(start + BATCH);
            let tallies = Batch::new(corpus, start, end).tally(metrics)?;
            progress(end - start);
            Ok(tallies)
        })
        .collect::<Result<_>>()?;
    Ok(by_system(batches, metrics.len(), corpus.systems().len()))
}

/// The score of every segment by one metric.
pub fn segment_scores(metric: &dyn Metric, tallies: &[Tally]) -> Vec<f64> {
    tallies.iter().map(|tally| metric.segment_score(tally)).collect()
}

/// Some segments of all systems, each distinct translation of a segment once.
struct Batch<'a> {
    segments: Vec<Segment<'a>>,
    /// For each segment and system, in that order, which of `segments` holds its translation.
    judged_as: Vec<usize>,
}

impl<'a> Batch<'a> {
    fn new(corpus: &'a Corpus<'_>, start: usize, end: usize) -> Self {
        let mut batch = Batch { segments: Vec::new(), judged_as: Vec::new() };
        for i in start..end {
            let first = batch.segments.len();
            for system in corpus.systems() {
                let hypothesis = system.hypotheses[i];
                let seen = batch.segments[first..].iter().position(|known| known.hypothesis == hypothesis);
                batch.judged_as.push(first + seen.unwrap_or(batch.segments.len() - first));
                if seen.is_none() {
                    batch.segments.push(Segment {
                        hypothesis,
                        references: &corpus.references()[i],
                        source: corpus.sources().map(|sources| sources[i]),
                    });
                }
            }
        }
        batch
    }

    /// For each metric the tallies of all segments and systems, in that order.
    fn tally(&self, metrics: &[Box<dyn Metric>]) -> Result<Vec<Vec<Tally>>> {
        metrics
            .iter()
            .map(|metric| {
                let tallies = metric.tally(&self.segments)?;
                Ok(self.judged_as.iter().map(|&judged| tallies[judged].clone()).collect())
            })
            .collect()
    }
}

fn by_system(batches: Vec<Vec<Vec<Tally>>>, metrics: usize, systems: usize) -> Vec<SystemTallies> {
    let mut sorted: Vec<SystemTallies> = (0..metrics).map(|_| vec![Vec::new(); systems]).collect();
    for batch in batches {
        for (of_metric, tallies) in sorted.iter_mut().zip(batch) {
            for (i, tally) in tallies.into_iter().enumerate() {
                of_metric[i % systems].push(tally);
            }
        }
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::build;

    const METRICS: [&str; 6] = ["bleu", "chrf", "ter", "nist", "sentbleu", "character"];

    fn lines() -> Vec<String> {
        let line =
            |i: usize| format!("word {} and {} then {} of {}", i % 7, i % 11, i % 3, "abcdefg".repeat(i % 5));
        (0..500).map(line).collect()
    }

    /// Tallies of systems that give each segment the line so many further on, every second time.
    fn run(threads: usize, texts: &[String], shifts: &[usize]) -> Vec<SystemTallies> {
        let references = texts.iter().map(|text| vec![text.as_str()]).collect();
        let outputs = |shift: usize| (0..500).map(|i| texts[(i + shift * (i % 2)) % 500].as_str()).collect();
        let system = |&shift: &usize| System { name: shift.to_string(), hypotheses: outputs(shift) };
        let corpus = Corpus::new(shifts.iter().map(system).collect(), references).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut metrics: Vec<_> = METRICS.iter().map(|name| build(name).unwrap()).collect();
        pool.install(|| tally(&corpus, &mut metrics, &|_| {}).unwrap())
    }

    #[test]
    fn digits_do_not_depend_on_threads_or_company() {
        let texts = lines();
        let together = run(1, &texts, &[1, 2]);
        assert_eq!(together, run(3, &texts, &[1, 2]));
        let alone = run(2, &texts, &[2]);
        for (together, alone) in together.iter().zip(&alone) {
            assert_eq!(together[1], alone[0]);
        }
    }

    #[test]
    fn totals_do_not_depend_on_the_order_of_segments() {
        let tallies = run(1, &lines(), &[3]);
        for (name, systems) in METRICS.iter().zip(&tallies) {
            let backwards: Vec<Tally> = systems[0].iter().rev().cloned().collect();
            assert_eq!(Tally::sum(&systems[0]), Tally::sum(&backwards), "{name}");
        }
    }
}
