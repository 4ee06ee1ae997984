//! The loop learns, stops, resumes and refuses.

mod resuming;

use super::*;
use crate::Matrix;
use crate::layers::Gate;
use crate::networks::{
    Architecture, EncodedExamples, EncodedPairNetwork, EncodedPairShape, Encoding, Example, FineTuning,
    PairExamples, PairNetwork, PairShape, WordLists, both_orders,
};
use crate::optimizer::Method;
use crate::random::Random;
use std::path::PathBuf;
use std::sync::Arc;

/// a and b are +1 and −1 in some order; the better one has the sign of c: no weighted sum of the three can say which.
fn exclusive_or() -> PairExamples {
    let vectors = Matrix::from_rows(&[[1.0], [-1.0]]).unwrap();
    let one = |a: u32, c: u32| Example {
        a,
        b: 1 - a,
        c,
        skip_a: 0,
        skip_b: 0,
        target: f32::from(u8::from(a == c)),
    };
    let examples = (0..40).map(|i| one(i % 2, i / 2 % 2)).collect();
    PairExamples { vectors, skips: Matrix::default(), examples }
}

fn network(architecture: Architecture) -> PairNetwork {
    PairNetwork::new(PairShape { architecture, vector: 1, skip: 0, hidden: 4 }, 1).unwrap()
}

fn settings(cost: Cost, epochs: usize) -> TrainingSettings {
    let optimizer = OptimizerSettings { learning_rate: 0.1, ..OptimizerSettings::default() };
    TrainingSettings { cost, optimizer, batch_size: 7, epochs, seed: 5, ..TrainingSettings::default() }
}

/// The share of examples whose order is right, both orders asked.
fn accuracy<N: Network>(network: &N, set: &N::Examples) -> f64 {
    let outputs = both_orders(network, set).unwrap();
    let right = N::comparisons(set).iter().zip(&outputs).filter(|(e, [x, y])| (x > y) == (e.target > 0.5));
    right.count() as f64 / outputs.len() as f64
}

#[test]
fn hidden_groups_learn_what_a_single_layer_cannot() {
    let set = exclusive_or();
    let mut results = Vec::new();
    for architecture in Architecture::ALL {
        let mut network = network(architecture);
        let outcome =
            train(&mut network, &set, &settings(Cost::Logistic, 150), &mut Unobserved, None).unwrap();
        assert_eq!((outcome.best_epoch, outcome.ending), (150, Ending::Epochs));
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
            train(&mut network, &set, &settings, &mut Unobserved, None).unwrap();
            let after = accuracy(&network, &set);
            assert!(after > 0.88 && after > before + 0.2, "{cost:?} {}: {before} {after}", method.name());
        }
    }
}

/// Gives these values, and keeps what it is told.
#[derive(Default)]
struct Script {
    values: Vec<f64>,
    seen: Vec<(usize, Phase, usize)>,
    states: Vec<TrainingState>,
    stop_after: Option<usize>,
    kept: Vec<Vec<f32>>,
}

impl Observer<PairNetwork> for Script {
    fn development(&mut self, network: &PairNetwork) -> Result<Option<f64>, Cause> {
        self.kept.push(network.parameters().tensors()[0].values.clone());
        Ok(self.values.get(self.kept.len() - 1).copied())
    }

    fn progress(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        self.seen.push((progress.epoch, progress.phase, progress.best.epoch));
        if self.stop_after == Some(progress.epoch) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn checkpoint(&mut self, state: &TrainingState) -> Result<(), Cause> {
        self.states.push(state.clone());
        Ok(())
    }
}

#[test]
fn the_highest_value_wins_and_of_equal_ones_the_latest() {
    let values = vec![0.1, 0.5, 0.3, 0.5, 0.2];
    let mut script = Script { values, ..Script::default() };
    let mut network = network(Architecture::Groups);
    let outcome =
        train(&mut network, &exclusive_or(), &settings(Cost::Logistic, 5), &mut script, None).unwrap();
    assert_eq!((outcome.best_epoch, outcome.best_value, outcome.epochs), (4, Some(0.5), 5));
    assert_eq!(network.parameters().tensors()[0].values, script.kept[3]);
    assert_ne!(script.kept[3], script.kept[4]);
    assert_eq!(script.seen.iter().map(|seen| seen.2).collect::<Vec<_>>(), [1, 2, 2, 4, 4]);
}

#[test]
fn patience_ends_a_phase_and_kendall_starts_from_the_best_logistic_epoch() {
    let cost = Cost::LogisticThenKendall(Kendall::default());
    let settings = TrainingSettings { patience: Some(2), ..settings(cost, 100) };
    let values = vec![0.1, 0.4, 0.3, 0.2, 0.1, 0.4, 0.0, 0.1];
    let mut script = Script { values, ..Script::default() };
    let mut network = network(Architecture::Groups);
    let outcome = train(&mut network, &exclusive_or(), &settings, &mut script, None).unwrap();
    let phases: Vec<Phase> = script.seen.iter().map(|seen| seen.1).collect();
    assert_eq!(phases[..4], [Phase::Logistic; 4]);
    assert_eq!(phases[4..], [Phase::Kendall; 4]);
    assert_eq!((outcome.best_epoch, outcome.ending), (6, Ending::Patience));
    // Stopped before the switch, the network has the best logistic epoch; the fifth epoch continues from there.
    let mut again = Script { values: vec![0.1, 0.4, 0.3, 0.2], stop_after: Some(4), ..Script::default() };
    let mut other = self::network(Architecture::Groups);
    train(&mut other, &exclusive_or(), &settings, &mut again, None).unwrap();
    assert_eq!(other.parameters().tensors()[0].values, script.kept[1]);
    let mut optimizer = Optimizer::new(settings.optimizer, other.parameters()).unwrap();
    let kendall = Some(Kendall::default());
    let mut epoch = Epoch::new(&other);
    epoch.run(&mut other, &exclusive_or(), &settings, kendall, 5, &mut optimizer).unwrap();
    assert_eq!(other.parameters().tensors()[0].values, script.kept[4]);
}

fn file(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("state.safetensors")
}

#[test]
fn a_resumed_run_gives_the_bits_of_one_that_was_not_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let set = exclusive_or();
    let kendall = Kendall::default();
    for cost in [Cost::Logistic, Cost::Kendall(kendall), Cost::LogisticThenKendall(kendall)] {
        for method in [Method::Sgd, Method::ADAGRAD, Method::ADAM] {
            let mut settings = TrainingSettings { checkpoint_every: 1, ..settings(cost, 4) };
            settings.optimizer.method = method;
            let values: Vec<f64> = [3, 1, 4, 1, 5, 9, 2, 6].map(f64::from).to_vec();
            let mut whole = Script { values: values.clone(), ..Script::default() };
            let mut network = self::network(Architecture::Groups);
            let expected = train(&mut network, &set, &settings, &mut whole, None).unwrap();
            for state in &whole.states {
                state.save(&file(&folder)).unwrap();
                let mut resumed = self::network(Architecture::Groups);
                let state = TrainingState::load(&file(&folder), resumed.parameters()).unwrap();
                let done = state.epoch();
                let mut rest = Script { values: values[done..].to_vec(), ..Script::default() };
                let outcome = train(&mut resumed, &set, &settings, &mut rest, Some(state)).unwrap();
                assert_eq!(resumed.parameters(), network.parameters(), "{cost:?} {method:?} {done}");
                assert_eq!(
                    (outcome.best_epoch, outcome.history),
                    (expected.best_epoch, expected.history.clone())
                );
                assert_eq!(rest.kept, whole.kept[done..]);
            }
        }
    }
}

#[test]
fn dropout_and_embeddings_resume_too() {
    let random = &mut Random::stream(1, "test", 0);
    let lists: Vec<Vec<u32>> = (0..9).map(|n| (0..n % 5).map(|_| random.below(6) as u32).collect()).collect();
    let example =
        |i: u32| Example { a: i, b: (i + 1) % 9, c: (i + 2) % 9, skip_a: 0, skip_b: 0, target: 1.0 };
    let examples = (0..9).map(example).collect();
    let set =
        EncodedExamples { lists: WordLists::from_lists(&lists), examples, ..EncodedExamples::default() };
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
    struct Stop(Option<usize>, Option<TrainingState>);
    impl Observer<EncodedPairNetwork> for Stop {
        fn progress(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
            if self.0 == Some(progress.epoch) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
        fn checkpoint(&mut self, state: &TrainingState) -> Result<(), Cause> {
            self.1 = Some(state.clone());
            Ok(())
        }
    }
    let settings = settings(Cost::Logistic, 6);
    let (mut whole, mut first) = (fresh(), fresh());
    train(&mut whole, &set, &settings, &mut Unobserved, None).unwrap();
    let mut stop = Stop(Some(2), None);
    let outcome = train(&mut first, &set, &settings, &mut stop, None).unwrap();
    assert_eq!((outcome.ending, outcome.epochs), (Ending::Interrupted, 2));
    let mut second = fresh();
    train(&mut second, &set, &settings, &mut Stop(None, None), stop.1).unwrap();
    assert_eq!(second.parameters(), whole.parameters());
    assert_ne!(second.embedding(), words.values(), "the matrix was tuned");
}

#[test]
fn a_seed_decides_everything() {
    let set = exclusive_or();
    let run = |seed: u64, symmetric: bool| {
        let mut network = self::network(Architecture::Groups);
        let settings = TrainingSettings { seed, symmetric, ..settings(Cost::Logistic, 3) };
        let outcome = train(&mut network, &set, &settings, &mut Unobserved, None).unwrap();
        (network.parameters().clone(), outcome.history)
    };
    assert_eq!(run(1, true), run(1, true));
    assert_ne!(run(1, true), run(2, true));
    assert_ne!(run(1, true), run(1, false));
}

#[test]
fn what_cannot_be_trained_on_is_refused() {
    let mut network = network(Architecture::Groups);
    let mut message = |set: &PairExamples, settings: TrainingSettings| {
        train(&mut network, set, &settings, &mut Unobserved, None).unwrap_err().to_string()
    };
    let good = settings(Cost::Logistic, 3);
    let empty = PairExamples { examples: vec![], ..exclusive_or() };
    assert_eq!(message(&empty, good), "the training set is empty: there is nothing to learn from");
    let mut infinite = exclusive_or();
    infinite.vectors.row_mut(1)[0] = f32::NEG_INFINITY;
    assert_eq!(
        message(&infinite, good),
        "vectors, row 1, column 0: -inf is not a finite number (counted from 0)"
    );
    for (settings, name) in [
        (TrainingSettings { batch_size: 0, ..good }, "batch_size"),
        (TrainingSettings { epochs: 0, ..good }, "epochs"),
        (TrainingSettings { patience: Some(0), ..good }, "patience"),
        (
            TrainingSettings { cost: Cost::Kendall(Kendall { gamma: -1.0, ..Kendall::default() }), ..good },
            "gamma",
        ),
        (
            TrainingSettings {
                cost: Cost::Kendall(Kendall { beta: Some(-1.0), ..Kendall::default() }),
                ..good
            },
            "beta",
        ),
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
    let error = train(&mut network, &exclusive_or(), &settings, &mut Unobserved, None).unwrap_err();
    assert!(matches!(error, Error::Diverged { epoch: 1, example, .. } if example < 40), "{error}");
    assert!(error.to_string().contains("lower the learning rate"), "{error}");
}

#[test]
fn states_of_other_runs_and_development_scores_that_are_no_numbers_are_refused() {
    let set = exclusive_or();
    let mut script = Script { values: vec![1.0; 9], stop_after: Some(1), ..Script::default() };
    let mut network = network(Architecture::Groups);
    train(&mut network, &set, &settings(Cost::Logistic, 3), &mut script, None).unwrap();
    let state = script.states.pop().unwrap();
    let other = TrainingSettings { seed: 6, ..settings(Cost::Logistic, 3) };
    let error =
        train(&mut network, &set, &other, &mut Unobserved, Some(state.clone())).unwrap_err().to_string();
    assert_eq!(error, "the saved state does not fit: it is of a run with seed 5; this one has seed 6");
    let mut full = self::network(Architecture::Full);
    let error = train(&mut full, &set, &settings(Cost::Logistic, 3), &mut Unobserved, Some(state));
    let error = error.unwrap_err().to_string();
    assert!(error.starts_with("the saved state does not fit: its network has ready vectors of 1"), "{error}");
    assert!(error.contains("architecture groups, hidden 4; this one has"), "{error}");
    let mut nan = Development(|_: &PairNetwork| f64::NAN);
    let error = train(&mut network, &set, &settings(Cost::Logistic, 3), &mut nan, None).unwrap_err();
    assert_eq!(error.to_string(), "the development score failed after epoch 1");
}

#[test]
fn states_of_runs_on_other_data_of_the_same_size_are_refused() {
    let set = exclusive_or();
    let settings = settings(Cost::Logistic, 3);
    let mut script = Script { values: vec![1.0; 9], stop_after: Some(1), ..Script::default() };
    train(&mut network(Architecture::Groups), &set, &settings, &mut script, None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    script.states[0].save(&file(&folder)).unwrap();
    let state = TrainingState::load(&file(&folder), network(Architecture::Groups).parameters()).unwrap();
    let resume = |set: &PairExamples, state: TrainingState| {
        let mut scored = Development(|_: &PairNetwork| 1.0);
        train(&mut network(Architecture::Groups), set, &settings, &mut scored, Some(state))
    };
    let refused = |change: &dyn Fn(&mut PairExamples)| {
        let mut other = set.clone();
        change(&mut other);
        resume(&other, state.clone()).unwrap_err().to_string()
    };
    let message = "the saved state does not fit: it is of a run on other training data of the same size";
    assert!(refused(&|set| set.examples[3].target = 0.25).starts_with(message));
    assert!(refused(&|set| set.examples.swap(0, 1)).starts_with(message));
    assert!(refused(&|set| set.vectors.row_mut(0)[0] = 0.5).starts_with(message));
    // What the network does not look at may differ.
    let with_skips = PairExamples { skips: Matrix::zeros(2, 2), ..set.clone() };
    assert!(resume(&with_skips, state.clone()).is_ok());
    let former = TrainingState { data_hash: String::new(), ..state };
    let error = resume(&set, former).unwrap_err().to_string();
    assert!(error.contains("does not say which data it was trained on"), "{error}");
}

#[test]
fn lists_and_what_is_fixed_of_a_network_count_as_data() {
    let lists = |words: &[&[u32]]| EncodedExamples {
        lists: WordLists::from_lists(words),
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
    for fine_tuning in FineTuning::ALL {
        let hash = |words: &[&[u32]]| network(fine_tuning, [1.0, 2.0]).data_hash(&lists(words));
        assert_eq!(hash(&[&[0, 1], &[1]]), hash(&[&[0, 1], &[1]]));
        assert_ne!(hash(&[&[0, 1], &[1]]), hash(&[&[0], &[1, 1]]));
        let mut other = lists(&[&[0, 1], &[1]]);
        other.fixed.row_mut(1)[0] = 1.0;
        assert_ne!(hash(&[&[0, 1], &[1]]), network(fine_tuning, [1.0, 2.0]).data_hash(&other));
        let mut moved = network(fine_tuning, [1.0, 3.0]);
        let learned = fine_tuning == FineTuning::Full;
        assert_eq!(moved.data_hash(&lists(&[&[0, 1], &[1]])) == hash(&[&[0, 1], &[1]]), learned);
        // What is learned does not count: a state brings it.
        let before = moved.data_hash(&other);
        moved.parameters_mut().tensors_mut()[0].values[0] = 7.0;
        assert_eq!(moved.data_hash(&other), before);
    }
}
