//! Properties that hold for any metric; golden tests check equality with sacreBLEU.

use super::*;
use crate::metrics::{MetricInfo, Registry, Resampled, Sacrebleu, Segment, Spec};
use crate::progress::Progress;
use crate::statistics::significance::bootstrap::Replicates;
use proptest::prelude::*;
use std::sync::Arc;

/// A mean of per-segment scores: tallies of (score, 1).
struct Mean {
    single: bool,
}

impl Metric for Mean {
    fn info(&self) -> &MetricInfo {
        static INFO: MetricInfo =
            MetricInfo { name: "mean", ..MetricInfo::new(|_, _| Ok(Arc::new(Mean { single: false }))) };
        &INFO
    }

    fn signature(&self) -> Spec {
        Registry::lexical().build("bleu").unwrap().signature()
    }

    fn tally(&self, _batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Ok(Vec::new())
    }

    fn score(&self, total: &Tally) -> f64 {
        total[0] / total[1]
    }

    fn sacrebleu(&self) -> Option<&dyn Sacrebleu> {
        Some(self)
    }
}

impl Sacrebleu for Mean {
    fn score_single(&self, sums: &[f32]) -> Option<Resampled> {
        self.single.then(|| Resampled::Single(sums[0] / sums[1]))
    }
}

fn tallies(scores: &[f64]) -> Vec<Tally> {
    scores.iter().map(|&score| Tally::new(vec![score, 1.0])).collect()
}

fn seeded(samples: usize) -> Resampling {
    Resampling { samples, seed: Some(12345) }
}

fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work)
}

#[test]
fn sums_beyond_single_precision_are_added_one_by_one() {
    let scores: Vec<f64> = (0..50).map(|i| 1_000_000.0 + f64::from(i * i)).collect();
    let tallies = tallies(&scores);
    let measured = [MetricTallies { metric: &Mean { single: true }, systems: vec![&tallies] }];
    let ours = bootstrap(&measured, &seeded(20), Progress::none()).unwrap();
    let draws = crate::statistics::significance::bootstrap::Resamples::new(
        crate::statistics::random::Generator::new(Some(12345)),
        20,
        50,
        20,
    );
    let mean = |resample: &[u32]| {
        let sum = resample.iter().fold(0f32, |sum, &segment| sum + scores[segment as usize] as f32);
        sum / 50.0
    };
    let expected = draws.flat_map(|block| block.resamples().map(mean).collect::<Vec<f32>>());
    assert_eq!(ours[0].replicates[0], Replicates::Single(expected.collect()));
}

#[test]
fn a_plain_mean_is_resampled_in_double_precision() {
    let tallies = tallies(&[0.1, 0.25, 0.7, -0.4]);
    let measured = [MetricTallies { metric: &Mean { single: false }, systems: vec![&tallies] }];
    let result = &bootstrap(&measured, &seeded(200), Progress::none()).unwrap()[0];
    assert!(matches!(result.replicates[0], Replicates::Double(_)));
    assert!((result.interval(0).mean - result.scores[0]).abs() < 0.1);
}

#[test]
fn resamples_of_one_segment_are_all_equal() {
    let (a, b) = (tallies(&[3.0]), tallies(&[5.0]));
    let measured = [MetricTallies { metric: &Mean { single: false }, systems: vec![&a, &b] }];
    let comparison = bootstrap(&measured, &seeded(9), Progress::none()).unwrap()[0].compare(0, 1);
    assert_eq!((comparison.difference, comparison.p_value), (2.0, 0.1));
    let randomised =
        |equal| approximate_randomisation(&measured, &[(0, 1), (1, 0)], &seeded(9), equal, Progress::none()).unwrap();
    let found = &randomised(EqualTrials::LeftOut)[0];
    assert_eq!((found[0].p_value, found[1].difference), (0.1, -2.0));
    assert_eq!(randomised(EqualTrials::Counted)[0][0].p_value, 1.0);
}

#[test]
fn what_cannot_be_resampled_is_refused() {
    let (a, b) = (tallies(&[1.0, 2.0]), tallies(&[1.0]));
    let metric = Mean { single: false };
    let message = |systems: Vec<&[Tally]>, samples| {
        let measured = [MetricTallies { metric: &metric, systems }];
        bootstrap(&measured, &seeded(samples), Progress::none()).unwrap_err().to_string()
    };
    assert_eq!(
        message(vec![&a, &b], 10),
        "systems with 2 and 1 segments cannot be compared (give the same segments for each)"
    );
    assert_eq!(message(vec![&a], 0), "0 resamples say nothing (ask for at least 1, better 1000)");
    assert_eq!(message(vec![&[]], 10), "nothing to resample: there are no segments");
    assert_eq!(message(vec![], 10), "nothing to resample: every metric needs at least one system");
}

/// A system with NaN had small p-values: no resample is greater than NaN.
#[test]
fn a_tally_with_a_number_that_is_none_is_refused() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let (good, bad) = (tallies(&[1.0, 2.0, 3.0]), tallies(&[number, 2.0, 3.0]));
        let measured = [MetricTallies { metric: &Mean { single: false }, systems: vec![&good, &bad] }];
        let bootstrapped = bootstrap(&measured, &seeded(99), Progress::none());
        let trials = EqualTrials::Counted;
        let randomised = approximate_randomisation(&measured, &[(0, 1)], &seeded(99), trials, Progress::none());
        for error in [bootstrapped.unwrap_err(), randomised.unwrap_err()] {
            assert!(matches!(error, Error::NotFinite { .. }), "{error}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn threads_and_order_of_systems_change_no_digit(
        scores in prop::collection::vec((0f64..100.0, 0f64..100.0), 1..40),
        single: bool,
        whole: bool,
        samples in 1usize..400,
    ) {
        let round = |score: f64| if whole { score.round() } else { score };
        let a = tallies(&scores.iter().map(|pair| round(pair.0)).collect::<Vec<_>>());
        let b = tallies(&scores.iter().map(|pair| round(pair.1)).collect::<Vec<_>>());
        let metric = Mean { single };
        let run = |systems: [&[Tally]; 2]| {
            let measured = [MetricTallies { metric: &metric, systems: systems.to_vec() }];
            let (trials, equal) = (seeded(samples), EqualTrials::Counted);
            let randomised = approximate_randomisation(&measured, &[(0, 1)], &trials, equal, Progress::none()).unwrap();
            (bootstrap(&measured, &seeded(samples), Progress::none()).unwrap().remove(0), randomised[0][0])
        };
        let (one, randomised) = with_threads(1, || run([&a, &b]));
        prop_assert_eq!(&(one.clone(), randomised), &with_threads(3, || run([&a, &b])));
        let (swapped, _) = run([&b, &a]);
        prop_assert_eq!(&one.replicates[0], &swapped.replicates[1]);
        let p = one.compare(0, 1).p_value;
        prop_assert_eq!(p, swapped.compare(0, 1).p_value);
        prop_assert!(0.0 < p && p <= 1.0 && 0.0 < randomised.p_value && randomised.p_value <= 1.0);
    }
}
