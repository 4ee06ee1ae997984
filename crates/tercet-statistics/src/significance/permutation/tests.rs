use super::coins::Tosses;
use super::scores::standardised;
use super::*;
use crate::progress::{Event, Progress};
use crate::random::LegacyGenerator;
use crate::{TieVariant, calibrate_ties};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

fn perm_both_scores(
    gold: Gold,
    first: &[f64],
    second: &[f64],
    coefficient: impl Fn(&[f64], &[f64]) -> f64,
    draws: Draws,
) -> Difference {
    super::perm_both_scores(gold, first, second, coefficient, draws, Progress::none()).unwrap()
}

fn perm_both_calibrated(gold: Gold, first: &[f64], second: &[f64], variant: TieVariant, draws: Draws) -> Difference {
    super::perm_both_calibrated(gold, first, second, variant, draws, Progress::none()).unwrap()
}

fn perm_both_pairs(
    gold: Gold,
    metrics: [&[f64]; 2],
    variant: TieVariant,
    thresholds: [Option<f64>; 2],
    draws: Draws,
) -> Difference {
    super::perm_both_pairs(gold, metrics, variant, thresholds, draws, Progress::none()).unwrap()
}

const GOLD: [Option<f64>; 20] = {
    const fn s(score: f64) -> Option<f64> {
        Some(score)
    }
    [
        s(5.0),
        s(5.0),
        s(1.0),
        None,
        s(4.0),
        s(5.0),
        s(2.0),
        s(3.0),
        s(5.0),
        s(4.0),
        s(1.0),
        s(3.0),
        s(2.0),
        None,
        s(2.0),
        s(3.0),
        s(1.0),
        s(4.0),
        s(1.0),
        s(5.0),
    ]
};
const SECOND: [f64; 20] =
    [0.9, 0.7, 0.2, 0.4, 0.5, 0.8, 0.4, 0.3, 0.8, 0.8, 0.1, 0.6, 0.3, 0.2, 0.5, 0.5, 0.4, 0.6, 0.3, 0.7];
const FIRST: [f64; 20] =
    [0.5, 0.1, 0.2, 0.9, 0.9, 0.3, 0.6, 0.2, 0.7, 0.1, 0.3, 0.3, 0.6, 0.5, 0.1, 0.4, 0.2, 0.9, 0.8, 0.1];

fn gold(grouping: Grouping) -> Gold<'static> {
    Gold { grouping, systems: 5, scores: &GOLD }
}

fn draws(count: usize) -> Draws {
    Draws { count, coins: Coins::Legacy(7), early_stop: None }
}

/// p, Δ and (second, first) of the first two draws.
type Expected = (Grouping, f64, f64, [[f64; 2]; 2]);

fn check(found: &Difference, &(grouping, p_value, delta, replicates): &Expected) {
    assert_eq!(found.p_value, p_value, "{grouping:?}");
    assert!((found.delta - delta).abs() < 1e-12, "{grouping:?}: {} for {delta}", found.delta);
    for (found, [second, first]) in found.replicates.iter().zip(replicates) {
        assert!((found.second - second).abs() < 1e-12, "{grouping:?}: {found:?}");
        assert!((found.first - first).abs() < 1e-12, "{grouping:?}: {found:?}");
    }
}

// What mt-metrics-eval 68a481a gives on the matrix above, with numpy 2.4.6 and scipy 1.17.1: np.random.seed(7), then
// PermutationSigDiff(first, second, KendallWithTiesOpt, average_by, 100, variant='acc23', sample_rate=1.0). Of its
// draws by system, 3 in 100 equal Δ but for the last bits; it counts one of them (and two of three below), we all.
#[test]
fn calibrated_scores_are_mt_metrics_evals() {
    for expected in CALIBRATED {
        let found = perm_both_calibrated(gold(expected.0), &FIRST, &SECOND, TieVariant::Acc23, draws(100));
        check(&found, expected);
    }
}

const CALIBRATED: &[Expected] = &[
    (
        Grouping::None,
        0.0,
        0.33986928104575165,
        [[0.6013071895424836, 0.5228758169934641], [0.5098039215686274, 0.5686274509803921]],
    ),
    (Grouping::System, 0.03, 0.3000000000000001, [[0.6333333333333334, 0.5333333333333333], [0.4666666666666668, 0.6]]),
    (
        Grouping::Item,
        0.05,
        0.21666666666666695,
        [[0.45833333333333326, 0.6333333333333333], [0.4416666666666666, 0.5333333333333332]],
    ),
];

// The same with PairwisePermutationSigDiff(first, second, '23', average_by, 100).
#[test]
fn pairs_are_mt_metrics_evals() {
    for expected in PAIRS {
        let found = perm_both_pairs(gold(expected.0), [&FIRST, &SECOND], TieVariant::Tau23, [None, None], draws(100));
        check(&found, expected);
    }
}

const PAIRS: &[Expected] = &[
    (
        Grouping::None,
        0.0,
        0.6797385620915033,
        [[0.16339869281045752, 0.1111111111111111], [0.16339869281045752, 0.1111111111111111]],
    ),
    (
        Grouping::System,
        0.03,
        0.6000000000000001,
        [[0.2666666666666667, -0.06666666666666667], [-0.06666666666666668, 0.26666666666666666]],
    ),
    (Grouping::Item, 0.02, 0.43333333333333335, [[-0.1333333333333333, 0.13333333333333333], [0.25, -0.25]]),
];

fn mean_product(gold: &[f64], metric: &[f64]) -> f64 {
    gold.iter().zip(metric).map(|(a, b)| a * b).sum::<f64>() / gold.len() as f64
}

// The same with PermutationSigDiff(first, second, lambda x, y: (np.mean(np.asarray(x) * np.asarray(y)), 0), average_by,
// 100).
#[test]
fn scores_are_mt_metrics_evals_for_any_coefficient() {
    for expected in SCORES {
        let found = perm_both_scores(gold(expected.0), &FIRST, &SECOND, mean_product, draws(100));
        check(&found, expected);
    }
}

const SCORES: &[Expected] = &[
    (
        Grouping::System,
        0.15,
        1.4100020962530588,
        [[0.03307670495074384, 1.263300293616075], [0.7824668947185772, 0.5139101038482417]],
    ),
    (
        Grouping::Item,
        0.12,
        1.5775892200214945,
        [[0.3608714335479876, 0.9407711206640696], [1.2388104988888033, 0.06283205532325387]],
    ),
];

// The same by item, with PermutationSigDiffParams(block_size=20, early_min=.3, early_max=.5).
#[test]
fn a_clear_p_value_stops_the_draws() {
    let stop = Some(EarlyStop { block: 20, below: 0.3, above: 0.5 });
    let draws = Draws { early_stop: stop, ..draws(100) };
    let found = perm_both_scores(gold(Grouping::Item), &FIRST, &SECOND, mean_product, draws);
    assert_eq!((found.p_value, found.replicates.len()), (0.1, 20));
    let calibrated = perm_both_calibrated(gold(Grouping::Item), &FIRST, &SECOND, TieVariant::Acc23, draws);
    assert_eq!(calibrated.replicates.len(), 20);
}

#[test]
fn undefined_groups_are_left_out() {
    let undefined_below_two = |gold: &[f64], metric: &[f64]| {
        if gold.iter().sum::<f64>() < 13.0 { f64::NAN } else { mean_product(gold, metric) }
    };
    let never = |_: &[f64], _: &[f64]| f64::NAN;
    let by_item = gold(Grouping::Item);
    let found = perm_both_scores(by_item, &FIRST, &SECOND, undefined_below_two, draws(10));
    assert!(found.delta != 0.0 && found.replicates.iter().all(|replicate| replicate.first.is_finite()));
    let nothing = perm_both_scores(by_item, &FIRST, &SECOND, never, draws(10));
    assert_eq!((nothing.delta, nothing.p_value), (0.0, 1.0));
}

#[test]
fn without_a_pair_there_is_no_difference() {
    let gold = Gold { grouping: Grouping::Item, systems: 1, scores: &GOLD };
    let calibrated = perm_both_calibrated(gold, &FIRST, &SECOND, TieVariant::Acc23, draws(3));
    assert_eq!((calibrated.delta, calibrated.p_value), (0.0, 1.0));
    let pairs = perm_both_pairs(gold, [&FIRST, &SECOND], TieVariant::Tau23, [None, None], draws(3));
    assert_eq!((pairs.delta, pairs.p_value), (0.0, 1.0));
}

#[test]
fn given_thresholds_are_used() {
    let pairs = |thresholds| {
        perm_both_pairs(gold(Grouping::Item), [&FIRST, &SECOND], TieVariant::Acc23, thresholds, draws(1)).delta
    };
    assert_ne!(pairs([Some(10.0), Some(10.0)]), pairs([None, None]));
    assert_eq!(pairs([Some(10.0), Some(10.0)]), 0.0);
}

#[test]
fn a_constant_metric_is_standardised_to_nothing() {
    assert_eq!(standardised(&[0.1; 3]), [0.0; 3]);
    assert_eq!(standardised(&[1.0, f64::INFINITY]), [0.0; 2]);
    assert_eq!(standardised(&[1.0, 3.0]), [-1.0, 1.0]);
}

#[test]
fn places_without_a_score_do_not_count() {
    let turned = standardised(&[1.0, f64::NAN, 3.0]);
    assert!(turned[1].is_nan());
    assert_eq!((turned[0], turned[2]), (-1.0, 1.0));
}

/// As many heads as a sign test would have, exactly: of n pairs on which one metric alone is right.
fn sign_test(n: u32, at_least: u32) -> f64 {
    let mut term = 0.5f64.powi(n as i32);
    let mut tail = 0.0;
    for heads in 0..=n {
        tail += if heads >= at_least { term } else { 0.0 };
        term *= f64::from(n - heads) / f64::from(heads + 1);
    }
    tail
}

#[test]
fn both_kinds_of_coins_estimate_the_same_p_value() {
    // One group of two pairs' worth: the second metric alone is right on 12 pairs, the first alone on 8.
    let scores: Vec<Option<f64>> = (0..40).map(|i| Some(f64::from(u8::from(i >= 20)))).collect();
    let metric = |right: std::ops::Range<usize>| -> Vec<f64> {
        (0..40).map(|i| f64::from(u8::from((i >= 20) == right.contains(&(i % 20))))).collect()
    };
    let (first, second) = (metric(0..8), metric(8..20));
    let gold = Gold { grouping: Grouping::Item, systems: 2, scores: &scores };
    let exact = sign_test(20, 12);
    for coins in [Coins::Generator(1), Coins::Legacy(1)] {
        let draws = Draws { count: 20_000, coins, early_stop: None };
        let found = perm_both_pairs(gold, [&first, &second], TieVariant::Acc23, [None, None], draws);
        let error = (exact * (1.0 - exact) / 20_000.0).sqrt();
        assert!((found.p_value - exact).abs() < 4.0 * error, "{coins:?}: {} for {exact}", found.p_value);
    }
}

#[test]
fn own_coins_estimate_the_p_values_of_numpys() {
    for grouping in [Grouping::System, Grouping::Item] {
        let p_value = |coins| {
            let draws = Draws { count: 4000, coins, early_stop: None };
            let scores = perm_both_calibrated(gold(grouping), &FIRST, &SECOND, TieVariant::Acc23, draws);
            let pairs = perm_both_pairs(gold(grouping), [&FIRST, &SECOND], TieVariant::Acc23, [None, None], draws);
            [scores.p_value, pairs.p_value]
        };
        for (own, numpys) in p_value(Coins::default()).into_iter().zip(p_value(Coins::Legacy(1))) {
            // Six deviations of the difference of two shares of 4,000.
            assert!((own - numpys).abs() < 6.0 * (2.0 * 0.05 / 4000.0f64).sqrt(), "{own} for {numpys}");
        }
    }
}

#[test]
fn p_values_depend_neither_on_threads_nor_on_other_metrics() {
    let metrics: [&[f64]; 3] = [&SECOND, &FIRST, &[0.0; 20]];
    let draws = Draws { count: 100, ..Draws::default() };
    for test in [
        PermutationTest::Calibrated(TieVariant::Acc23),
        PermutationTest::Pairs(TieVariant::Acc23),
        PermutationTest::Scores(&mean_product),
    ] {
        let on = |threads: usize, metrics: &[&[f64]]| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| compare_all(gold(Grouping::Item), metrics, test, draws, Progress::none()).unwrap())
        };
        let (all, two) = (on(1, &metrics), on(2, &metrics[..2]));
        assert_eq!(all, on(3, &metrics));
        assert_eq!(all[0][1], two[0][1]);
    }
}

#[test]
fn progress_advances_with_every_pair_and_can_stop() {
    let metrics: [&[f64]; 3] = [&SECOND, &FIRST, &[0.0; 20]];
    let run = |callback: &(dyn Fn(&Event<'_>) -> ControlFlow<()> + Sync)| {
        let test = PermutationTest::Pairs(TieVariant::Acc23);
        compare_all(gold(Grouping::Item), &metrics, test, draws(1), Progress::new(callback))
    };
    let pairs = AtomicU64::new(0);
    run(&|event| {
        let Event::Advance(count) = *event else { panic!("{event:?}") };
        pairs.fetch_add(count, Ordering::Relaxed);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(pairs.into_inner(), 3);
    assert!(run(&|_| ControlFlow::Break(())).is_err());
}

#[test]
fn a_test_of_two_metrics_stops_between_two_draws() {
    let product = |gold: &[f64], scores: &[f64]| mean_product(gold, scores);
    for test in [
        PermutationTest::Scores(&product),
        PermutationTest::Calibrated(TieVariant::Acc23),
        PermutationTest::Pairs(TieVariant::Acc23),
    ] {
        let asked = AtomicU64::new(0);
        let callback = |_: &Event<'_>| match asked.fetch_add(1, Ordering::Relaxed) {
            6 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let metrics: [&[f64]; 2] = [&SECOND, &FIRST];
        let progress = Progress::new(&callback);
        assert!(compare_all(gold(Grouping::Item), &metrics, test, draws(1000), progress).is_err());
        assert_eq!(asked.into_inner(), 7);
    }
}

// AssignRanks of mt-metrics-eval 68a481a (data.py) on this matrix with 0.05: [1, 1, 2, 2, 3].
#[test]
fn a_cluster_ends_where_one_of_it_wins() {
    let p_values = [
        vec![0.0, 0.2, 0.3, 0.01, 0.0],
        vec![0.0, 0.0, 0.05, 0.2, 0.0],
        vec![0.0, 0.0, 0.0, 0.3, 0.04],
        vec![0.0, 0.0, 0.0, 0.0, 0.5],
        vec![0.0; 5],
    ];
    assert_eq!(assign_ranks(&p_values, 0.05), [1, 1, 2, 2, 3]);
    assert!(assign_ranks(&[], 0.05).is_empty());
}

#[test]
fn legacy_tosses_do_not_depend_on_blocks() {
    let mut generator = LegacyGenerator::new(3);
    let expected: Vec<bool> = (0..6).map(|_| generator.binomial(0.5)).collect();
    let mut tosses = Tosses::new(Coins::Legacy(3), 2);
    let (one, two) = (tosses.block(1).to_vec(), tosses.block(2).to_vec());
    let found = [one[0], one[1], two[0], two[1], two[0] >> 1, two[1] >> 1].map(|word| word & 1 == 1);
    assert_eq!(found.to_vec(), expected);
}

/// Score by score, with a fresh calibration at every draw.
fn slowly(gold: Gold, first: &[f64], second: &[f64], count: usize) -> Vec<[f64; 2]> {
    let (first, second) = (standardised(first), standardised(second));
    let value = |scores: &[f64]| {
        let found = calibrate_ties(gold.grouping, gold.systems, gold.scores, scores, TieVariant::Acc23);
        found.map_or(0.0, |found| found.value)
    };
    let mut generator = LegacyGenerator::new(7);
    (0..count)
        .map(|_| {
            let exchanged =
                first.iter().zip(&second).map(|(&a, &b)| if generator.binomial(0.5) { (a, b) } else { (b, a) });
            let (one, other): (Vec<f64>, Vec<f64>) = exchanged.unzip();
            [value(&one), value(&other)]
        })
        .collect()
}

/// Gold scores with gaps and ties, metrics with many equal differences (whole numbers) or none.
fn matrices() -> impl Strategy<Value = (usize, Vec<Option<f64>>, Vec<f64>, Vec<f64>)> {
    let place = (prop::option::weighted(0.8, 0u8..4), 0u8..9, 0u8..9, -1f64..1.0);
    (2usize..6, 1usize..16, any::<bool>()).prop_flat_map(move |(systems, items, whole)| {
        prop::collection::vec(place.clone(), systems * items).prop_map(move |places| {
            let fraction = |noise: f64| if whole { 0.0 } else { noise };
            let gold = places.iter().map(|place| place.0.map(f64::from)).collect();
            let first = places.iter().map(|place| f64::from(place.1) + fraction(place.3)).collect();
            let second = places.iter().map(|place| f64::from(place.2)).collect();
            (systems, gold, first, second)
        })
    })
}

proptest! {
    #[test]
    fn many_draws_at_once_are_single_calibrations((systems, scores, first, second) in matrices()) {
        for grouping in [Grouping::None, Grouping::System, Grouping::Item] {
            let gold = Gold { grouping, systems, scores: &scores };
            let found = perm_both_calibrated(gold, &first, &second, TieVariant::Acc23, draws(70));
            for (found, [first, second]) in found.replicates.iter().zip(slowly(gold, &first, &second, 70)) {
                prop_assert!((found.first - first).abs() < 1e-11, "{} for {}", found.first, first);
                prop_assert!((found.second - second).abs() < 1e-11, "{} for {}", found.second, second);
            }
        }
    }

    #[test]
    fn a_metric_never_beats_itself((systems, scores, metric, _) in matrices()) {
        let gold = Gold { grouping: Grouping::Item, systems, scores: &scores };
        let calibrated = perm_both_calibrated(gold, &metric, &metric, TieVariant::Acc23, draws(20));
        prop_assert_eq!((calibrated.p_value, calibrated.delta), (1.0, 0.0));
        let pairs = perm_both_pairs(gold, [&metric, &metric], TieVariant::Acc23, [None, None], draws(20));
        prop_assert_eq!((pairs.p_value, pairs.delta), (1.0, 0.0));
    }

    #[test]
    fn exchanged_metrics_have_the_opposite_difference((systems, scores, first, second) in matrices()) {
        let gold = Gold { grouping: Grouping::System, systems, scores: &scores };
        let delta = |a: &[f64], b: &[f64]| perm_both_calibrated(gold, a, b, TieVariant::Tau23, draws(0)).delta;
        prop_assert!((delta(&first, &second) + delta(&second, &first)).abs() < 1e-12);
    }
}
