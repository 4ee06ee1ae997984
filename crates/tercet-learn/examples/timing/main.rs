//! CPU seconds of training and scoring: the sizes of Guzmán et al. (2017), on random numbers.
//!
//!     cargo run --release -p tercet-learn --example timing -- make pairs FILE 40000
//!     cargo run --release -p tercet-learn --example timing -- epoch FILE 10
//!
//! | arguments | what is done |
//! |---|---|
//! | `make pairs FILE N` | writes N pairs of vectors: a, b and c of 75 dimensions, and a network with H = 4 |
//! | `make lists FILE N` | writes N pairs of lists of 15 to 35 words, D = 50, and a learned LSTM of 2 × 50 |
//! | `epoch FILE TIMES` | an epoch in batches of 30 with AdaGrad, then TIMES more, which are measured |
//! | `score FILE TIMES` | the logits of all pairs, then TIMES more, which are measured |
//!
//! The last two print JSON: `cpu_s` and `wall_s` per repetition, and `values` to compare with another program.
//! `cargo xtask bench pairwise` runs them beside PyTorch; both read the same file, described in `problem.rs`. One
//! thread.
#![allow(clippy::print_stdout)]

mod clock;
mod problem;

use clock::Seconds;
use problem::Problem;
use serde_json::json;
use std::error::Error;
use std::hint::black_box;
use tercet_base::progress::Progress;
use tercet_learn::networks::{Network, PairTraining, logits};
use tercet_learn::training::Checkpoints;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", "pairs", file, count] => problem::make_pairs(file.as_ref(), count.parse()?)?,
        ["make", "lists", file, count] => problem::make_lists(file.as_ref(), count.parse()?)?,
        ["epoch", file, times] => epoch(&problem::read(file.as_ref())?, times.parse()?)?,
        ["score", file, times] => score(&problem::read(file.as_ref())?, times.parse()?)?,
        _ => println!("usage: timing make pairs|lists FILE N | epoch FILE TIMES | score FILE TIMES"),
    }
    Ok(())
}

/// Number of logits that are printed.
const SHOWN: usize = 10;

fn epoch(problem: &Problem, times: usize) -> Result<(), Box<dyn Error>> {
    match problem {
        Problem::Pairs(network, set) => epochs(problem, network.clone(), set, times),
        Problem::Lists(network, set) => epochs(problem, network.as_ref().clone(), set, times),
    }
}

fn score(problem: &Problem, times: usize) -> Result<(), Box<dyn Error>> {
    match problem {
        Problem::Pairs(network, set) => scores(network, set, times),
        Problem::Lists(network, set) => scores(network.as_ref(), set, times),
    }
}

/// The values are the mean loss of the first epoch and logits after it.
fn epochs<N: Network>(
    problem: &Problem,
    mut network: N,
    set: &N::Examples,
    times: usize,
) -> Result<(), Box<dyn Error>> {
    let train = |network: &mut N, epochs: usize| {
        let settings = problem.settings(epochs);
        PairTraining::new(network, set, &settings).run(&mut Checkpoints::none(), Progress::none())
    };
    let first = train(&mut network, 1)?;
    let mut values = vec![first.history[0].loss];
    values.extend(logits(&network, set)?.into_iter().take(SHOWN).map(f64::from));
    say(times, &values, || train(&mut network, times).map(drop))
}

/// The values are logits.
fn scores<N: Network>(network: &N, set: &N::Examples, times: usize) -> Result<(), Box<dyn Error>> {
    let values: Vec<f64> = logits(network, set)?.into_iter().take(SHOWN).map(f64::from).collect();
    say(times, &values, || {
        for _ in 0..times {
            black_box(logits(network, set)?);
        }
        Ok(())
    })
}

fn say(times: usize, values: &[f64], work: impl FnOnce() -> tercet_learn::Result<()>) -> Result<(), Box<dyn Error>> {
    let Seconds { cpu, wall } = clock::measured(work)?;
    let of_one = |seconds: f64| seconds / times as f64;
    println!("{}", json!({"cpu_s": of_one(cpu), "wall_s": of_one(wall), "values": values}));
    Ok(())
}
