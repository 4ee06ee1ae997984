use super::*;
use crate::correlation::{kendall_b, spearman};
use crate::random::Generator;

/// Numbers with ties.
fn row(generator: &mut Generator, length: usize, distinct: u64) -> Vec<f64> {
    (0..length).map(|_| (generator.next_u64() % distinct) as f64 / 4.0 - 1.0).collect()
}

fn expected(coefficient: RankCoefficient, gold: &[f64], metric: &[f64]) -> f64 {
    match coefficient {
        RankCoefficient::Spearman => spearman(gold, metric).value,
        RankCoefficient::KendallB => kendall_b(gold, metric).value,
    }
}

fn same(found: f64, expected: f64) {
    assert_eq!(found.to_bits(), expected.to_bits(), "{found} is not {expected}");
}

const BOTH: [RankCoefficient; 2] = [RankCoefficient::Spearman, RankCoefficient::KendallB];

#[test]
fn exchanged_scores_have_the_digits_of_single_coefficients() {
    let mut generator = Generator::new(Some(7));
    for (length, distinct) in [(1, 3), (2, 2), (9, 3), (40, 5), (150, 1000), (700, 1 << 40)] {
        let gold = row(&mut generator, length, distinct.min(60));
        let (first, second) = (row(&mut generator, length, distinct), row(&mut generator, length, distinct));
        let words: Vec<u64> = (0..length).map(|_| generator.next_u64()).collect();
        for coefficient in BOTH {
            let exchanged = ExchangedRanks::new(coefficient, &gold, &[&words]).unwrap();
            let found = exchanged.block(&exchanged.sorted(&first, &second), 0);
            for (draw, values) in found.iter().enumerate() {
                let keeps = |place: usize| words[place] >> draw & 1 == 1;
                let pick = |own: &[f64], other: &[f64]| -> Vec<f64> {
                    (0..length).map(|place| if keeps(place) { own[place] } else { other[place] }).collect()
                };
                same(values[0], expected(coefficient, &gold, &pick(&first, &second)));
                same(values[1], expected(coefficient, &gold, &pick(&second, &first)));
            }
        }
    }
}

#[test]
fn drawn_scores_have_the_digits_of_single_coefficients() {
    let mut generator = Generator::new(Some(8));
    for (items, systems, distinct) in [(1, 1, 2), (3, 2, 2), (10, 3, 4), (60, 5, 1 << 40)] {
        let length = items * systems;
        let (gold, metric) = (row(&mut generator, length, distinct.min(30)), row(&mut generator, length, distinct));
        let of: Vec<u32> = (0..length).map(|place| (place % items) as u32).collect();
        let draws: Vec<Vec<u32>> =
            (0..40).map(|_| (0..items).map(|_| (generator.next_u64() % items as u64) as u32).collect()).collect();
        let lanes: Vec<&[u32]> = draws.iter().map(Vec::as_slice).collect();
        let weighted = WeightedRanks::new(&gold, &metric, of, items, length).unwrap();
        for coefficient in BOTH {
            let found = weighted.values(coefficient, &lanes);
            assert_eq!(found.len(), draws.len());
            for (draw, found) in draws.iter().zip(found) {
                let pick = |row: &[f64]| -> Vec<f64> {
                    let places = draw.iter().flat_map(|&item| (0..systems).map(move |s| s * items + item as usize));
                    places.map(|place| row[place]).collect()
                };
                same(found, expected(coefficient, &pick(&gold), &pick(&metric)));
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_left_to_others() {
    assert!(ExchangedRanks::new(RankCoefficient::Spearman, &[f64::NAN, 1.0], &[]).is_none());
    assert!(ExchangedRanks::new(RankCoefficient::Spearman, &vec![0.0; MAX_SCORES + 1], &[]).is_none());
    assert!(WeightedRanks::new(&[1.0], &[f64::NAN], vec![0], 1, 1).is_none());
    assert!(WeightedRanks::new(&[1.0], &[1.0], vec![0], 1, 2_000_000).is_none());
}
