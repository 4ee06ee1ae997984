//! numpy's random numbers, draw for draw.

use crate::inputs::{files, json, name};
use libtest_mimic::Trial;
use serde_json::{Value, json};
use std::path::Path;
use tercet::statistics::random::{CoinTosses, Generator, LegacyGenerator};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |path: std::path::PathBuf| {
        Trial::test(name(&path), move || {
            check(&path);
            Ok(())
        })
    };
    files(shared, "numpy_rng", ".json").into_iter().map(trial).collect()
}

/// Every draw starts from a fresh generator; the file's name has the seed.
fn check(path: &Path) {
    let golden = &json(path)["outputs"];
    let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
    let seed: u32 = stem.strip_prefix("seed").unwrap().parse().unwrap();
    let generator = || Generator::new(Some(u64::from(seed)));
    let legacy = || LegacyGenerator::new(seed);

    let choice = many(3 * 3004, generator(), |g| g.below(3004));
    assert_eq!(json!(choice[..3004]), golden["choice_first_row"]);
    assert_eq!(json!(choice.iter().sum::<u64>()), golden["choice_sum"]);

    let mut tosses = CoinTosses::default();
    let bits = many(2 * 3004, generator(), |g| u8::from(tosses.toss(g)));
    assert_eq!(json!(bits[..200]), golden["bool_row0_first200"]);
    let heads: u64 = bits.iter().copied().map(u64::from).sum();
    assert_eq!(json!(heads), golden["bool_count"]);

    numbers(&many(20, generator(), Generator::random), &golden["random20"]);
    let single = many(20, generator(), |g| f64::from(g.random_f32()));
    numbers(&single, &golden["random20_f32"]);

    numbers(&many(20, legacy(), LegacyGenerator::random), &golden["legacy_random20"]);
    let events = many(50, legacy(), |g| u8::from(g.binomial(0.5)));
    assert_eq!(json!(events), golden["legacy_binomial50"]);
    assert_eq!(json!(legacy().permutation(50)), golden["legacy_permutation50"]);
}

fn many<G, T>(count: usize, mut generator: G, mut draw: impl FnMut(&mut G) -> T) -> Vec<T> {
    (0..count).map(|_| draw(&mut generator)).collect()
}

fn numbers(ours: &[f64], theirs: &Value) {
    let theirs: Vec<f64> = theirs.as_array().unwrap().iter().map(|n| n.as_f64().unwrap()).collect();
    assert_eq!(ours, theirs);
}
