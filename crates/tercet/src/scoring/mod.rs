//! Systems × metrics → scores, intervals, paired comparisons.
//!
//! [`tally`] runs every metric over every system and segment in one pass: the references of a segment are analysed once
//! for all systems, a translation that several systems share is judged once, and the work is spread over the threads of
//! the current rayon pool without changing a digit. Everything after that only adds tallies up. [`duel`] holds two systems
//! against each other by a [`Preference`](crate::metrics::Preference).

mod checks;
mod corpus;
mod duel;
mod evaluate;
mod evaluation;
mod given;
mod outputs;
pub mod significance;

pub use crate::statistics::significance::bootstrap::Interval;
pub use checks::{Warning, check};
pub use corpus::{Corpus, ReferenceCount, System};
pub use duel::{Duel, DuelRequest, Side, duel};
pub use evaluate::{Paired, Pairs, Request, Test, evaluate, evaluate_scores};
pub use evaluation::{Cell, Column, Comparison, Evaluation};
pub use given::GivenScores;
pub use outputs::{OutputTallies, Outputs, tally_outputs};

use crate::error::Result;
use crate::metrics::{Metric, Tally};

/// The tallies of one metric: `tallies[system][segment]`.
pub type SystemTallies = Vec<Vec<Tally>>;

/// Tallies of every metric, system and segment: `[metric][system][segment]`. `progress` hears of segments as they are
/// done, each once for all metrics and systems.
pub fn tally(
    corpus: &Corpus<'_>,
    metrics: &mut [Box<dyn Metric>],
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<SystemTallies>> {
    let outputs = Outputs {
        references: corpus.references(),
        sources: corpus.sources(),
        systems: corpus.systems().len(),
        output: &|system, segment| Some(corpus.systems()[system].hypotheses[segment]),
    };
    let tallies = tally_outputs(&outputs, metrics, progress)?;
    let complete = |tallies: Vec<Option<Tally>>| -> Vec<Tally> {
        tallies.into_iter().map(|tally| tally.expect("a corpus is complete")).collect()
    };
    Ok(tallies.into_iter().map(|systems| systems.into_iter().map(complete).collect()).collect())
}

/// The score of every segment by one metric.
pub fn segment_scores(metric: &dyn Metric, tallies: &[Tally]) -> Vec<f64> {
    tallies.iter().map(|tally| metric.segment_score(tally)).collect()
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
