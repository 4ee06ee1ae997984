mod pytorch;

use super::*;
use crate::gradient_check::check_parameters;
use crate::optimizer::{EpochDecay, Method, OptimizerSettings};
use crate::parameters::Gradients;
use crate::progress::Progress;
use crate::training::tests::stop_after;
use crate::training::{Checkpoints, Ending, Objective, Outcome};
use training::RelationObjective;

const WORDS: usize = 9;

fn vectors(seed: u64) -> Arc<Matrix> {
    let random = &mut Random::stream(seed, "vectors", 0);
    Arc::new(Matrix::new(WORDS, 3, (0..WORDS * 3).map(|_| random.uniform(-1.0, 1.0)).collect()).unwrap())
}

/// Random lists, some empty. The class says whether the second list starts with the first word of the first (0), with
/// the word after that (1), or with another (2).
fn examples(count: usize, seed: u64) -> RelationExamples {
    let random = &mut Random::stream(seed, "test", 0);
    let mut set = RelationExamples::default();
    for _ in 0..count {
        let first: Vec<u32> = (0..random.below(5)).map(|_| random.below(WORDS as u64) as u32).collect();
        let class = random.below(3) as u32;
        let start = (first.first().copied().unwrap_or(0) + class) % WORDS as u32;
        set.lists.push(first);
        set.lists.push([start, random.below(WORDS as u64) as u32]);
        let number = set.lists.len() as u32;
        set.pairs.push(RelatedPair { first: number - 2, second: number - 1, class });
    }
    set
}

const SHAPE: RelationShape = RelationShape { units: 4, hidden: 5, layers: 1, activation: Activation::Tanh, classes: 3 };

fn network(shape: RelationShape) -> RelationNetwork {
    RelationNetwork::new(shape, vectors(9), 5).unwrap()
}

fn settings(epochs: usize) -> RelationSettings {
    let optimizer =
        OptimizerSettings { method: Method::ADAM, learning_rate: 0.02, ..RelationSettings::default().optimizer };
    let epoch_decay = EpochDecay { divisor: 1.5, ..RelationSettings::default().epoch_decay };
    RelationSettings { optimizer, epoch_decay, batch_size: 7, epochs, seed: 3, ..RelationSettings::default() }
}

fn train(
    network: &mut RelationNetwork,
    sets: [&RelationExamples; 2],
    settings: &RelationSettings,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<Outcome> {
    let [examples, development] = sets;
    RelationTraining { network, examples, settings, development: Some(development) }.run(checkpoints, progress)
}

#[test]
fn gradients_agree_with_differences() {
    let one = |layers, activation| RelationShape { layers, activation, ..SHAPE };
    for shape in [SHAPE, one(2, Activation::Identity), one(0, Activation::Tanh), one(2, Activation::Sigmoid)] {
        let (set, settings) = (examples(11, 4), RelationSettings { batch_size: 100, ..settings(1) });
        let loss = |network: &mut RelationNetwork, gradients: &mut Gradients| {
            let training = RelationTraining { network, examples: &set, settings: &settings, development: None };
            let mut objective = RelationObjective::new(training);
            assert_eq!(objective.start_round(1).unwrap(), 1);
            objective.loss(0, 0, gradients).unwrap().mean()
        };
        let mut network = network(shape);
        let mut gradients = Gradients::zeros(network.parameters());
        loss(&mut network, &mut gradients);
        check_parameters(&mut network.parameters().clone(), &gradients, 2e-3, |parameters| {
            let mut moved = RelationNetwork { parameters: parameters.clone(), ..network.clone() };
            loss(&mut moved, &mut Gradients::zeros(parameters))
        });
    }
}

#[test]
fn the_network_learns_relations_and_threads_change_no_bit() {
    let (set, development) = (examples(400, 1), examples(120, 2));
    let shape = RelationShape { units: 8, hidden: 16, ..SHAPE };
    let trained = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut network = network(shape);
        let run = || {
            let no_checkpoints = &mut Checkpoints::none();
            train(&mut network, [&set, &development], &settings(25), no_checkpoints, Progress::none())
        };
        let outcome = pool.install(run).unwrap();
        (network, outcome)
    };
    let (network, outcome) = trained(1);
    let accuracy = network.accuracy(&development).unwrap();
    assert!(accuracy > 0.9, "{accuracy}");
    assert_eq!(outcome.best_value, Some(accuracy));
    let (other, _) = trained(3);
    assert!(network.parameters() == other.parameters());
}

#[test]
fn a_training_ends_when_the_rate_is_too_low() {
    let (set, development) = (examples(30, 1), examples(10, 2));
    let low =
        RelationSettings { epoch_decay: EpochDecay { decay: 0.5, divisor: 1.0, lowest: 0.02 / 4.5 }, ..settings(20) };
    let run = |settings: &RelationSettings| {
        let no_checkpoints = &mut Checkpoints::none();
        train(&mut network(SHAPE), [&set, &development], settings, no_checkpoints, Progress::none()).unwrap()
    };
    let outcome = run(&low);
    assert_eq!((outcome.rounds, outcome.ending), (3, Ending::LearningRate));
    assert_eq!(run(&settings(4)).ending, Ending::Rounds);
}

#[test]
fn a_resumed_training_gives_the_same_bits() {
    let (set, development) = (examples(40, 1), examples(20, 2));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.safetensors");
    let run = |network: &mut RelationNetwork, checkpoints: &mut Checkpoints, progress: Progress<'_>| {
        train(network, [&set, &development], &settings(6), checkpoints, progress)
    };
    let mut whole = network(SHAPE);
    let expected = run(&mut whole, &mut Checkpoints::none(), Progress::none()).unwrap();
    for done in 1..6 {
        let stop = stop_after(done);
        run(&mut network(SHAPE), &mut Checkpoints::to(&path, 1e9), Progress::new(&stop)).unwrap_err();
        let mut resumed = network(SHAPE);
        let saved = &mut Checkpoints::resume(&path, 1e9).unwrap();
        let outcome = run(&mut resumed, saved, Progress::none()).unwrap();
        assert_eq!((outcome.best_round, &outcome.history), (expected.best_round, &expected.history));
        assert!(resumed.parameters() == whole.parameters());
    }
    let refused = |sets: [&RelationExamples; 2], settings: &RelationSettings, network: &mut RelationNetwork| {
        let saved = &mut Checkpoints::resume(&path, 1e9).unwrap();
        train(network, sets, settings, saved, Progress::none()).unwrap_err().to_string()
    };
    let (sets, good) = ([&set, &development], settings(6));
    let error = refused(sets, &RelationSettings { seed: 4, ..good }, &mut network(SHAPE));
    assert!(error.ends_with("it is of a run with seed 3; this one has seed 4"), "{error}");
    let error = refused([&development, &development], &good, &mut network(SHAPE));
    assert!(error.contains("40 pairs; this one has 20 pairs"), "{error}");
    let error = refused([&set, &set], &good, &mut network(SHAPE));
    assert!(error.contains("another development set"), "{error}");
    let error = refused(sets, &good, &mut network(RelationShape { layers: 2, ..SHAPE }));
    assert!(error.contains("layers 1") && error.contains("layers 2"), "{error}");
    let error = refused(sets, &good, &mut RelationNetwork::new(SHAPE, vectors(8), 5).unwrap());
    assert!(error.contains("other data"), "{error}");
}

#[test]
fn examples_and_sizes_that_do_not_fit_are_refused() {
    let with = |pair: RelatedPair| {
        let mut set = examples(3, 1);
        set.pairs.push(pair);
        network(SHAPE).classify(&set).unwrap_err().to_string()
    };
    let pair = RelatedPair { first: 0, second: 1, class: 2 };
    let error = with(RelatedPair { second: 6, ..pair });
    assert!(error.contains("it has list 6 of 6"), "{error}");
    let error = with(RelatedPair { class: 3, ..pair });
    assert!(error.contains("it has class 3 of 3, counted from 0"), "{error}");
    let empty = RelationExamples::default();
    assert!(network(SHAPE).classify(&empty).unwrap_err().to_string().contains("set"));
    let refused = |shape: RelationShape| shape.check(3).unwrap_err().to_string();
    assert!(refused(RelationShape { units: 0, ..SHAPE }).contains("`units`"));
    assert!(refused(RelationShape { layers: 1000, ..SHAPE }).contains("`layers`"));
    assert!(refused(RelationShape { classes: 1, ..SHAPE }).contains("at least 2"));
    assert!(refused(RelationShape { units: 100_000, ..SHAPE }).contains("take smaller sizes"));
}
