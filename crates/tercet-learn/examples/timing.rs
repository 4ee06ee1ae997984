//! CPU seconds of training and scoring: the sizes of Guzmán et al. (2017), on random numbers.
//!
//!     cargo run --release -p tercet-learn --example timing
//!
//! - `pair epoch`: 40,000 pairs, a, b and c of 75 dimensions, 4 skip features each, H = 4, batches of 30, AdaGrad.
//! - `pair scoring`: the same network, pairs per second from ready features.
//! - `bi-LSTM epoch`: 40,000 pairs of lists of about 25 words, D = 50, 50 units per direction, fine-tuned, batches
//!   of 30, AdaGrad. Give a smaller number of pairs as the argument to be done sooner; seconds are scaled up.
#![allow(clippy::print_stdout)]

#[cfg(unix)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lstm_pairs = std::env::args().nth(1).map_or(Ok(40_000), |text| text.parse())?;
    timing::pair()?;
    timing::bidirectional(lstm_pairs)?;
    Ok(())
}

#[cfg(not(unix))]
fn main() {
    println!("CPU seconds are read with getrusage, which this system does not have");
}

#[cfg(unix)]
mod timing {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    use std::hint::black_box;
    use std::sync::Arc;
    use tercet_learn::layers::Gate;
    use tercet_learn::networks::{
        Architecture, EncodedExamples, EncodedPairNetwork, EncodedPairShape, Encoding, Example, FineTuning,
        PairExamples, PairNetwork, PairShape, WordLists, logits,
    };
    use tercet_learn::random::Random;
    use tercet_learn::training::{TrainingSettings, Unobserved, train};
    use tercet_learn::{Matrix, Result};

    const PAIRS: u32 = 40_000;
    const WORDS: usize = 10_000;

    fn cpu_seconds<T>(work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
        let now = || {
            getrusage(UsageWho::RUSAGE_SELF)
                .map_or(0.0, |usage| usage.user_time().num_microseconds() as f64 / 1e6)
        };
        let before = now();
        let result = work()?;
        Ok((result, now() - before))
    }

    fn random_matrix(rows: usize, columns: usize, random: &mut Random) -> Result<Matrix> {
        Matrix::new(rows, columns, (0..rows * columns).map(|_| random.uniform(-1.0, 1.0)).collect())
    }

    /// Every pair has items of its own.
    fn examples(pairs: u32, random: &mut Random) -> Vec<Example> {
        let one = |i: u32| Example {
            a: 3 * i,
            b: 3 * i + 1,
            c: 3 * i + 2,
            skip_a: 2 * i,
            skip_b: 2 * i + 1,
            target: f32::from(random.bernoulli(0.5)),
        };
        (0..pairs).map(one).collect()
    }

    fn settings(epochs: usize) -> TrainingSettings {
        TrainingSettings { epochs, symmetric: false, seed: 1, ..TrainingSettings::default() }
    }

    pub fn pair() -> Result<()> {
        let mut random = Random::stream(1, "timing", 0);
        let vectors = random_matrix(3 * PAIRS as usize, 75, &mut random)?;
        let skips = random_matrix(2 * PAIRS as usize, 4, &mut random)?;
        let set = PairExamples { vectors, skips, examples: examples(PAIRS, &mut random) };
        let shape = PairShape { architecture: Architecture::Groups, vector: 75, skip: 4, hidden: 4 };
        let mut network = PairNetwork::new(shape, 1)?;
        let (_, seconds) = cpu_seconds(|| train(&mut network, &set, &settings(10), &mut Unobserved, None))?;
        println!("pair epoch: {:.4} CPU s", seconds / 10.0);
        let (_, seconds) = cpu_seconds(|| {
            for _ in 0..20 {
                black_box(logits(&network, &set)?);
            }
            Ok(())
        })?;
        println!("pair scoring: {:.2} million pairs per CPU s", 20.0 * f64::from(PAIRS) / seconds / 1e6);
        Ok(())
    }

    pub fn bidirectional(pairs: u32) -> Result<()> {
        let mut random = Random::stream(1, "timing", 1);
        let mut lists = WordLists::default();
        for _ in 0..3 * pairs {
            let length = 15 + random.below(21);
            lists.push((0..length).map(|_| random.below(WORDS as u64) as u32).collect::<Vec<_>>());
        }
        let skips = random_matrix(2 * pairs as usize, 4, &mut random)?;
        let examples = examples(pairs, &mut random);
        let set = EncodedExamples { lists, fixed: Matrix::default(), skips, examples };
        let shape = EncodedPairShape {
            architecture: Architecture::Groups,
            hidden: 4,
            skip: 4,
            fixed: 0,
            encoding: Encoding::BidirectionalLstm { units: 50, gate: Gate::Hard },
            fine_tuning: FineTuning::Full,
            embedding_dropout: 0.0,
            hidden_dropout: 0.0,
        };
        let embedding = Arc::new(random_matrix(WORDS, 50, &mut random)?);
        let mut network = EncodedPairNetwork::new(shape, embedding, 1)?;
        let (_, seconds) = cpu_seconds(|| train(&mut network, &set, &settings(1), &mut Unobserved, None))?;
        println!("bi-LSTM epoch: {:.2} CPU s", seconds * f64::from(PAIRS) / f64::from(pairs));
        Ok(())
    }
}
