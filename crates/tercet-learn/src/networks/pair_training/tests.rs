//! Training of pair networks: learning, stopping, resuming, errors.

mod resuming;

use super::*;
use crate::Matrix;
use crate::layers::Gate;
use crate::networks::{
    Architecture, EncodedExamples, EncodedPairNetwork, EncodedPairShape, Encoding, Example, FineTuning, Lists,
    PairExamples, PairNetwork, PairShape, both_orders,
};
use crate::optimizer::{Method, Optimizer};
use crate::parameters::Gradients;
use crate::progress::Event;
use crate::random::Random;
use crate::training::tests::stop_after;
use crate::training::{Ending, Objective};
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// a and b are +1 and −1 in some order; the better one has the sign of c, which no weighted sum of the three can
/// express.
fn exclusive_or() -> PairExamples {
    let vectors = Matrix::from_rows(&[[1.0], [-1.0]]).unwrap();
    let one = |a: u32, c: u32| Example { a, b: 1 - a, c, skip_a: 0, skip_b: 0, target: f32::from(u8::from(a == c)) };
    let examples = (0..40).map(|i| one(i % 2, i / 2 % 2)).collect();
    PairExamples { vectors, skips: Matrix::default(), examples }
}

fn network(architecture: Architecture) -> PairNetwork {
    PairNetwork::new(PairShape { architecture, vector: 1, skip: 0, hidden: 4 }, 1).unwrap()
}

fn settings(cost: Cost, epochs: usize) -> PairSettings {
    let optimizer = OptimizerSettings { learning_rate: 0.1, ..OptimizerSettings::default() };
    PairSettings { cost, optimizer, batch_size: 7, epochs, seed: 5, ..PairSettings::default() }
}

/// Trains without a development set.
fn train<N: Network>(network: &mut N, set: &N::Examples, settings: &PairSettings) -> Result<Outcome> {
    PairTraining::new(network, set, settings).run(&mut Checkpoints::none(), Progress::none())
}

/// Trains with a development score; resumes if the checkpoints have one loaded.
fn train_scored<N: Network>(
    network: &mut N,
    set: &N::Examples,
    settings: &PairSettings,
    score: &dyn Fn(&N) -> Result<f64, Cause>,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<Outcome> {
    let development = Some(Development { id: None, name: "score", score });
    PairTraining { development, ..PairTraining::new(network, set, settings) }.run(checkpoints, progress)
}

/// The share of examples that are decided correctly in both orders.
fn accuracy<N: Network>(network: &N, set: &N::Examples) -> f64 {
    let outputs = both_orders(network, set).unwrap();
    let right = N::comparisons(set).iter().zip(&outputs).filter(|(e, [x, y])| (x > y) == (e.target > 0.5));
    right.count() as f64 / outputs.len() as f64
}

#[test]
fn hidden_groups_learn_what_a_single_layer_cannot() {
    let set = exclusive_or();
    let mut results = Vec::new();
    for architecture in Architecture::VALUES {
        let mut network = network(architecture);
        let outcome = train(&mut network, &set, &settings(Cost::Logistic, 150)).unwrap();
        assert_eq!((outcome.best_round, outcome.ending), (150, Ending::Rounds));
        results.push((accuracy(&network, &set), outcome.history[149].loss));
    }
    let [(single, single_loss), (groups, groups_loss), (full, full_loss)] = results[..] else { panic!() };
    assert!(single < 0.8 && single_loss > 0.5, "{results:?}");
    assert!(groups == 1.0 && groups_loss < 0.1 && full == 1.0 && full_loss < 0.1, "{results:?}");
}

#[test]
fn every_cost_and_optimizer_learns_a_weighted_sum() {
    let random = &mut Random::stream(1, "test", 0);
    let skips = Matrix::new(200, 2, (0..400).map(|_| random.uniform(-1.0, 1.0)).collect()).unwrap();
    let quality = |row: u32| skips.row(row as usize)[0] - 2.0 * skips.row(row as usize)[1];
    let one = |i: u32| {
        let target = f32::from(quality(2 * i) > quality(2 * i + 1));
        Example { a: 0, b: 0, c: 0, skip_a: 2 * i, skip_b: 2 * i + 1, target }
    };
    let examples = (0..100).map(one).collect();
    let set = PairExamples { vectors: Matrix::default(), skips: skips.clone(), examples };
    let shape = PairShape { architecture: Architecture::Single, vector: 0, skip: 2, hidden: 0 };
    let kendall = Kendall { gamma: 10.0, beta: Some(100.0), tie_weight: 1.0 };
    for cost in [Cost::Logistic, Cost::Kendall(kendall), Cost::LogisticThenKendall(kendall)] {
        for method in [Method::Sgd, Method::ADAGRAD, Method::ADAM] {
            let mut settings = settings(cost, 60);
            settings.optimizer.method = method;
            let mut network = PairNetwork::new(shape, 2).unwrap();
            let before = accuracy(&network, &set);
            train(&mut network, &set, &settings).unwrap();
            let after = accuracy(&network, &set);
            assert!(after > 0.88 && after > before + 0.2, "{cost:?} {}: {before} {after}", method.name());
        }
    }
}

/// Gives these development values, and keeps the first tensor of every epoch.
#[derive(Default)]
struct Script {
    values: Vec<f64>,
    kept: RefCell<Vec<Vec<f32>>>,
}

impl Script {
    fn score(&self, network: &PairNetwork) -> Result<f64, Cause> {
        self.kept.borrow_mut().push(network.parameters().tensors()[0].values.clone());
        Ok(self.values[self.kept.borrow().len() - 1])
    }
}

#[test]
fn the_highest_value_wins_and_of_equal_ones_the_latest() {
    let script = Script { values: vec![0.1, 0.5, 0.3, 0.5, 0.2], ..Script::default() };
    let mut network = network(Architecture::Groups);
    let outcome = train_scored(
        &mut network,
        &exclusive_or(),
        &settings(Cost::Logistic, 5),
        &|network| script.score(network),
        &mut Checkpoints::none(),
        Progress::none(),
    );
    let outcome = outcome.unwrap();
    assert_eq!((outcome.best_round, outcome.best_value, outcome.rounds), (4, Some(0.5), 5));
    let kept = script.kept.borrow();
    assert_eq!(network.parameters().tensors()[0].values, kept[3]);
    assert_ne!(kept[3], kept[4]);
    let values: Vec<f64> = outcome.history.iter().filter_map(|round| round.development).collect();
    assert_eq!(values, script.values);
}

#[test]
fn patience_ends_a_phase_and_kendall_starts_from_the_best_logistic_epoch() {
    let cost = Cost::LogisticThenKendall(Kendall::default());
    let settings = PairSettings { patience: Some(2), ..settings(cost, 100) };
    let values = vec![0.1, 0.4, 0.3, 0.2, 0.1, 0.4, 0.0, 0.1];
    let script = Script { values, ..Script::default() };
    let (set, mut network) = (exclusive_or(), network(Architecture::Groups));
    let score = |network: &PairNetwork| script.score(network);
    let (none, progress) = (&mut Checkpoints::none(), Progress::none());
    let outcome = train_scored(&mut network, &set, &settings, &score, none, progress).unwrap();
    assert_eq!((outcome.rounds, outcome.best_round, outcome.ending), (8, 6, Ending::Patience));
    let kept = script.kept.borrow();
    // The fifth epoch is the first of the Kendall phase, from the parameters of the second.
    let mut other = self::network(Architecture::Groups);
    train(&mut other, &set, &PairSettings { cost: Cost::Logistic, ..self::settings(cost, 2) }).unwrap();
    assert_eq!(other.parameters().tensors()[0].values, kept[1]);
    let mut optimizer = Optimizer::new(settings.optimizer, other.parameters()).unwrap();
    let mut gradients = Gradients::zeros(other.parameters());
    let mut objective = PairObjective::new(PairTraining::new(&mut other, &set, &settings));
    objective.kendall = Some(Kendall::default());
    for batch in 0..objective.start_round(5).unwrap() {
        gradients.clear();
        objective.loss(batch, 0, &mut gradients).unwrap();
        optimizer.step(objective.parameters_mut(), &gradients);
    }
    assert_eq!(other.parameters().tensors()[0].values, kept[4]);
}

#[test]
fn every_phase_is_a_stage_that_counts_on() {
    let stages = Mutex::new(Vec::new());
    let tell = |event: &Event<'_>| {
        if let Event::Stage { name, total, unit } = event {
            stages.lock().unwrap().push(format!("{name}: {total:?} {unit}"));
        }
        ControlFlow::Continue(())
    };
    for cost in [Cost::Logistic, Cost::LogisticThenKendall(Kendall::default())] {
        let (settings, set) = (settings(cost, 4), exclusive_or());
        let mut network = network(Architecture::Groups);
        let training = PairTraining::new(&mut network, &set, &settings);
        training.run(&mut Checkpoints::none(), Progress::new(&tell)).unwrap();
    }
    let expected = [
        "training: Some(4) epochs",
        "training, logistic loss: Some(4) epochs",
        "training, kendall loss: Some(8) epochs",
    ];
    assert_eq!(stages.into_inner().unwrap(), expected);
}

fn file(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("state.safetensors")
}

#[test]
fn a_resumed_run_gives_the_bits_of_one_that_was_not_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder);
    let set = exclusive_or();
    let kendall = Kendall::default();
    for cost in [Cost::Logistic, Cost::Kendall(kendall), Cost::LogisticThenKendall(kendall)] {
        for method in [Method::Sgd, Method::ADAGRAD, Method::ADAM] {
            let mut settings = settings(cost, 4);
            settings.optimizer.method = method;
            let values: Vec<f64> = [3, 1, 4, 1, 5, 9, 2, 6].map(f64::from).to_vec();
            let run = |done: usize, checkpoints: &mut Checkpoints, progress: Progress<'_>| {
                let script = Script { values: values[done..].to_vec(), ..Script::default() };
                let mut network = self::network(Architecture::Groups);
                let score = |network: &PairNetwork| script.score(network);
                let outcome = train_scored(&mut network, &set, &settings, &score, checkpoints, progress);
                (outcome, network, script.kept.take())
            };
            let (expected, network, kept) = run(0, &mut Checkpoints::none(), Progress::none());
            let expected = expected.unwrap();
            for done in 1..expected.rounds {
                let stop = stop_after(done);
                let stopped = run(0, &mut Checkpoints::to(&path, 1e9), Progress::new(&stop)).0;
                assert!(matches!(stopped, Err(Error::Stopped(_))));
                let mut saved = Checkpoints::resume(&path, 1e9).unwrap();
                let (outcome, resumed, rest) = run(done, &mut saved, Progress::none());
                assert_eq!(resumed.parameters(), network.parameters(), "{cost:?} {method:?} {done}");
                let outcome = outcome.unwrap();
                assert_eq!((outcome.best_round, outcome.history), (expected.best_round, expected.history.clone()));
                assert_eq!(rest, kept[done..]);
            }
        }
    }
}

#[test]
fn dropout_and_embeddings_resume_too() {
    let random = &mut Random::stream(1, "test", 0);
    let lists: Vec<Vec<u32>> = (0..9).map(|n| (0..n % 5).map(|_| random.below(6) as u32).collect()).collect();
    let example = |i: u32| Example { a: i, b: (i + 1) % 9, c: (i + 2) % 9, skip_a: 0, skip_b: 0, target: 1.0 };
    let examples = (0..9).map(example).collect();
    let set = EncodedExamples { lists: Lists::from_lists(&lists), examples, ..EncodedExamples::default() };
    let shape = EncodedPairShape {
        architecture: Architecture::Groups,
        hidden: 2,
        skip: 0,
        fixed: 0,
        encoding: Encoding::BidirectionalLstm { units: 3, gate: Gate::Hard },
        fine_tuning: FineTuning::Moderate,
        embedding_dropout: 0.3,
        hidden_dropout: 0.3,
    };
    let words = Matrix::new(6, 2, (0..12).map(|_| random.uniform(-1.0, 1.0)).collect()).unwrap();
    let fresh = || EncodedPairNetwork::new(shape, Arc::new(words.clone()), 3).unwrap();
    let settings = settings(Cost::Logistic, 6);
    let (mut whole, mut first, mut second) = (fresh(), fresh(), fresh());
    train(&mut whole, &set, &settings).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (path, stop) = (file(&folder), stop_after(2));
    let stopped =
        PairTraining::new(&mut first, &set, &settings).run(&mut Checkpoints::to(&path, 1e9), Progress::new(&stop));
    assert!(matches!(stopped, Err(Error::Stopped(_))));
    let mut saved = Checkpoints::resume(&path, 1e9).unwrap();
    let outcome = PairTraining::new(&mut second, &set, &settings).run(&mut saved, Progress::none()).unwrap();
    assert_eq!(outcome.rounds, 6);
    assert_eq!(second.parameters(), whole.parameters());
    assert_ne!(second.embedding(), words.values(), "the matrix was not fine-tuned");
}

#[test]
fn a_seed_decides_everything() {
    let set = exclusive_or();
    let run = |seed: u64, symmetric: bool| {
        let mut network = self::network(Architecture::Groups);
        let settings = PairSettings { seed, symmetric, ..settings(Cost::Logistic, 3) };
        let outcome = train(&mut network, &set, &settings).unwrap();
        (network.parameters().clone(), outcome.history)
    };
    assert_eq!(run(1, true), run(1, true));
    assert_ne!(run(1, true), run(2, true));
    assert_ne!(run(1, true), run(1, false));
}

#[test]
fn what_cannot_be_trained_on_is_refused() {
    let mut network = network(Architecture::Groups);
    let mut message =
        |set: &PairExamples, settings: PairSettings| train(&mut network, set, &settings).unwrap_err().to_string();
    let good = settings(Cost::Logistic, 3);
    let empty = PairExamples { examples: vec![], ..exclusive_or() };
    assert_eq!(message(&empty, good), "the training set is empty: there is nothing to learn from");
    let mut infinite = exclusive_or();
    infinite.vectors.row_mut(1)[0] = f32::NEG_INFINITY;
    assert_eq!(message(&infinite, good), "vectors, row 1, column 0: -inf is not a finite number (counted from 0)");
    for (settings, name) in [
        (PairSettings { batch_size: 0, ..good }, "batch_size"),
        (PairSettings { epochs: 0, ..good }, "epochs"),
        (PairSettings { patience: Some(0), ..good }, "patience"),
        (PairSettings { cost: Cost::Kendall(Kendall { gamma: -1.0, ..Kendall::default() }), ..good }, "gamma"),
        (PairSettings { cost: Cost::Kendall(Kendall { beta: Some(-1.0), ..Kendall::default() }), ..good }, "beta"),
    ] {
        let error = message(&exclusive_or(), settings);
        assert!(error.starts_with(&format!("setting `{name}` cannot be")), "{error}");
    }
}

#[test]
fn divergence_names_the_epoch_and_the_example() {
    let mut settings = settings(Cost::Logistic, 50);
    settings.optimizer = OptimizerSettings { method: Method::Sgd, learning_rate: 1e38, ..settings.optimizer };
    let mut network = network(Architecture::Groups);
    let error = train(&mut network, &exclusive_or(), &settings).unwrap_err();
    assert!(matches!(error, Error::Diverged { epoch: 1, example, .. } if example < 40), "{error}");
    assert!(error.to_string().contains("lower the learning rate"), "{error}");
}

/// The checkpoint of a run with a development score that was stopped after its first epoch.
fn stopped_after_one(folder: &tempfile::TempDir, set: &PairExamples) -> PathBuf {
    let (path, stop) = (file(folder), stop_after(1));
    let stopped = train_scored(
        &mut network(Architecture::Groups),
        set,
        &settings(Cost::Logistic, 3),
        &|_| Ok(1.0),
        &mut Checkpoints::to(&path, 1e9),
        Progress::new(&stop),
    );
    assert!(matches!(stopped, Err(Error::Stopped(_))));
    path
}

#[test]
fn states_of_other_runs_and_development_scores_that_are_no_numbers_are_refused() {
    let (set, folder) = (exclusive_or(), tempfile::tempdir().unwrap());
    let path = stopped_after_one(&folder, &set);
    let good = settings(Cost::Logistic, 3);
    let refused = |architecture: Architecture, settings: PairSettings, checkpoints: &mut Checkpoints| {
        let score = |_: &PairNetwork| Ok(f64::NAN);
        let (network, progress) = (&mut network(architecture), Progress::none());
        train_scored(network, &set, &settings, &score, checkpoints, progress).unwrap_err().to_string()
    };
    let saved = || Checkpoints::resume(&path, 1e9).unwrap();
    let other = PairSettings { seed: 6, ..good };
    let error = refused(Architecture::Groups, other, &mut saved());
    assert_eq!(error, "the saved state does not fit: it is of a run with seed 5; this one has seed 6");
    let error = refused(Architecture::Full, good, &mut saved());
    assert!(error.starts_with("the saved state does not fit: its network has ready vectors of 1"), "{error}");
    assert!(error.contains("architecture groups, hidden 4; this one has"), "{error}");
    let error = refused(Architecture::Groups, good, &mut Checkpoints::none());
    assert_eq!(error, "the development score failed after epoch 1");
}

#[test]
fn states_of_runs_on_other_data_of_the_same_size_are_refused() {
    let (set, folder) = (exclusive_or(), tempfile::tempdir().unwrap());
    let path = stopped_after_one(&folder, &set);
    let resume = |set: &PairExamples| {
        let mut saved = Checkpoints::resume(&path, 1e9).unwrap();
        let (network, settings) = (&mut network(Architecture::Groups), settings(Cost::Logistic, 3));
        let outcome = train_scored(network, set, &settings, &|_| Ok(1.0), &mut saved, Progress::none());
        stopped_after_one(&folder, &exclusive_or());
        outcome
    };
    let refused = |change: &dyn Fn(&mut PairExamples)| {
        let mut other = set.clone();
        change(&mut other);
        resume(&other).unwrap_err().to_string()
    };
    let message = "the saved state does not fit: it is of a run on other data";
    assert!(refused(&|set| set.examples[3].target = 0.25).starts_with(message));
    assert!(refused(&|set| set.examples.swap(0, 1)).starts_with(message));
    assert!(refused(&|set| set.vectors.row_mut(0)[0] = 0.5).starts_with(message));
    // Data that the network does not use may differ.
    let with_skips = PairExamples { skips: Matrix::zeros(2, 2), ..set.clone() };
    assert!(resume(&with_skips).is_ok());
}

#[test]
fn lists_and_what_is_fixed_of_a_network_count_as_data() {
    let lists = |words: &[&[u32]]| EncodedExamples {
        lists: Lists::from_lists(words),
        fixed: Matrix::zeros(words.len(), 1),
        examples: vec![Example { a: 0, b: 1, c: 0, skip_a: 0, skip_b: 0, target: 1.0 }],
        ..EncodedExamples::default()
    };
    let network = |fine_tuning: FineTuning, words: [f32; 2]| {
        let shape = EncodedPairShape {
            architecture: Architecture::Groups,
            hidden: 1,
            skip: 0,
            fixed: 1,
            encoding: Encoding::Average,
            fine_tuning,
            embedding_dropout: 0.0,
            hidden_dropout: 0.0,
        };
        EncodedPairNetwork::new(shape, Arc::new(Matrix::new(2, 1, words.to_vec()).unwrap()), 1).unwrap()
    };
    for fine_tuning in FineTuning::VALUES {
        let hash = |words: &[&[u32]]| network(fine_tuning, [1.0, 2.0]).data_hash(&lists(words));
        assert_eq!(hash(&[&[0, 1], &[1]]), hash(&[&[0, 1], &[1]]));
        assert_ne!(hash(&[&[0, 1], &[1]]), hash(&[&[0], &[1, 1]]));
        let mut other = lists(&[&[0, 1], &[1]]);
        other.fixed.row_mut(1)[0] = 1.0;
        assert_ne!(hash(&[&[0, 1], &[1]]), network(fine_tuning, [1.0, 2.0]).data_hash(&other));
        let mut moved = network(fine_tuning, [1.0, 3.0]);
        let learned = fine_tuning == FineTuning::Full;
        assert_eq!(moved.data_hash(&lists(&[&[0, 1], &[1]])) == hash(&[&[0, 1], &[1]]), learned);
        // Learned parameters do not count: they are in the checkpoint.
        let before = moved.data_hash(&other);
        moved.parameters_mut().tensors_mut()[0].values[0] = 7.0;
        assert_eq!(moved.data_hash(&other), before);
    }
}
