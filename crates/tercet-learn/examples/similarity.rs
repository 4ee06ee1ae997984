//! CPU seconds of training and scoring of the network of ReVal: the sizes of Gupta et al. (2015) with word vectors of
//! 50 dimensions, on random trees.
//!
//!     cargo run --release -p tercet-learn --example similarity -- make FILE 14000
//!     cargo run --release -p tercet-learn --example similarity -- epoch FILE 1
//!
//! | arguments | what is done |
//! |---|---|
//! | `make FILE N` | writes N pairs of sentences of 12 to 32 words out of 10,000, random trees, a Tree-LSTM(50, 150) |
//! | `epoch FILE TIMES` | an epoch in batches of 25 with AdaGrad, then TIMES more, which are measured |
//! | `score FILE TIMES` | the scores of all pairs, then TIMES more, which are measured |
//!
//! The last two print JSON: `cpu_s` and `wall_s` per repetition, and `values` to compare with another program. `cargo
//! xtask bench reval` runs them beside PyTorch on the same file:
//!
//! | tensor | |
//! |---|---|
//! | `lengths`, `words`, `heads` | 2N numbers of words; words and heads of sentences, references before translations |
//! | `scores` | N |
//! | `order` | N: the pairs in the order of the first epoch |
//! | `network.…` | the network, as `store` writes it |
//!
//! Whole numbers are kept as `f32`, which holds these exactly. `RAYON_NUM_THREADS` sets the number of threads.
#![allow(clippy::print_stdout)]

#[path = "timing/clock.rs"]
mod clock;

use clock::Seconds;
use serde_json::json;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use tercet_base::progress::Progress;
use tercet_learn::Result;
use tercet_learn::networks::{
    ScoredPair, SimilarityExamples, SimilarityNetwork, SimilaritySettings, SimilarityShape, SimilarityTraining, Trees,
};
use tercet_learn::training::Checkpoints;
use tercet_math::Matrix;
use tercet_math::random::Random;
use tercet_model::model_file::{ModelFile, Values};

const KIND: &str = "timing";
const SEED: u64 = 1;
const WORDS: usize = 10_000;
const DIMENSIONS: usize = 50;
/// Number of scores that are printed.
const SHOWN: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", file, count] => make(file.as_ref(), count.parse()?)?,
        ["epoch", file, times] => epochs(read(file.as_ref())?, times.parse()?)?,
        ["score", file, times] => scores(read(file.as_ref())?, times.parse()?)?,
        _ => println!("usage: similarity make FILE N | epoch FILE TIMES | score FILE TIMES"),
    }
    Ok(())
}

fn make(path: &Path, pairs: usize) -> Result<()> {
    let random = &mut Random::stream(SEED, "timing", 0);
    let mut file = ModelFile::new(KIND);
    let mut add = |name: &str, values: Vec<f32>| file.add(name, vec![values.len()], Values::F32(values));
    let lengths: Vec<usize> = (0..2 * pairs).map(|_| 12 + random.below(21) as usize).collect();
    let words: usize = lengths.iter().sum();
    add("lengths", lengths.iter().map(|length| *length as f32).collect());
    add("words", (0..words).map(|_| random.below(WORDS as u64) as f32).collect());
    add("heads", lengths.iter().flat_map(|length| random_heads(*length, random)).collect());
    add("scores", (0..pairs).map(|_| random.uniform(1.0, 5.0)).collect());
    let mut order: Vec<f32> = (0..pairs).map(|pair| pair as f32).collect();
    Random::stream(SEED, "shuffle", 1).shuffle(&mut order);
    add("order", order);
    let vectors = (0..WORDS * DIMENSIONS).map(|_| random.uniform(-1.0, 1.0)).collect();
    let vectors = Matrix::new(WORDS, DIMENSIONS, vectors)?;
    SimilarityNetwork::new(SimilarityShape::default(), vectors.into(), SEED)?.store("network.", &mut file);
    Ok(file.write(path)?)
}

/// In a random order every word but the first hangs on an earlier one.
fn random_heads(words: usize, random: &mut Random) -> Vec<f32> {
    let mut order: Vec<usize> = (0..words).collect();
    random.shuffle(&mut order);
    let mut heads = vec![0.0; words];
    (1..words).for_each(|at| heads[order[at]] = order[random.below(at as u64) as usize] as f32 + 1.0);
    heads
}

fn read(path: &Path) -> Result<(SimilarityNetwork, SimilarityExamples)> {
    let file = ModelFile::read(path, KIND)?;
    let whole = |name: &str| -> Result<Vec<u32>> { Ok(file.f32(name)?.iter().map(|x| *x as u32).collect()) };
    let (words, heads, mut start) = (whole("words")?, whole("heads")?, 0);
    let mut trees = Trees::default();
    for length in whole("lengths")? {
        let range = start..start + length as usize;
        trees.push_tree(&words[range.clone()], &heads[range.clone()])?;
        start = range.end;
    }
    let pair =
        |(pair, score): (u32, &f32)| ScoredPair { reference: 2 * pair, translation: 2 * pair + 1, score: *score };
    let scored = (0..).zip(file.f32("scores")?).map(pair).collect();
    let set = SimilarityExamples { trees, scored, ranked: Vec::new() };
    Ok((SimilarityNetwork::stored("network.", &file)?, set))
}

fn all_scores(network: &SimilarityNetwork, set: &SimilarityExamples) -> Result<Vec<f64>> {
    let pairs: Vec<[u32; 2]> = set.scored.iter().map(|pair| [pair.reference, pair.translation]).collect();
    network.scores(&set.trees, &pairs)
}

/// The values are scores before the first epoch, and the mean loss of that epoch. Scores after it are not compared: the
/// first step of AdaGrad has the full learning rate even where a gradient is nothing but rounding.
fn epochs((mut network, set): (SimilarityNetwork, SimilarityExamples), times: usize) -> Result<(), Box<dyn Error>> {
    let train = |network: &mut SimilarityNetwork, epochs: usize| {
        let settings = SimilaritySettings { epochs, seed: SEED, ..SimilaritySettings::default() };
        SimilarityTraining::new(network, &set, &settings).run(&mut Checkpoints::none(), Progress::none())
    };
    let mut values: Vec<f64> = all_scores(&network, &set)?.into_iter().take(SHOWN).collect();
    values.push(train(&mut network, 1)?.history[0].loss);
    say(times, &values, || train(&mut network, times).map(drop))
}

/// The values are scores.
fn scores((network, set): (SimilarityNetwork, SimilarityExamples), times: usize) -> Result<(), Box<dyn Error>> {
    let values: Vec<f64> = all_scores(&network, &set)?.into_iter().take(SHOWN).collect();
    say(times, &values, || {
        for _ in 0..times {
            black_box(all_scores(&network, &set)?);
        }
        Ok(())
    })
}

fn say(times: usize, values: &[f64], work: impl FnOnce() -> Result<()>) -> Result<(), Box<dyn Error>> {
    let Seconds { cpu, wall } = clock::measured(work)?;
    let of_one = |seconds: f64| seconds / times as f64;
    println!("{}", json!({"cpu_s": of_one(cpu), "wall_s": of_one(wall), "values": values}));
    Ok(())
}
