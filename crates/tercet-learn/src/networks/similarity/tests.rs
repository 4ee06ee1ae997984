mod pytorch;
mod resuming;

use super::training::SimilarityObjective;
use super::*;
use crate::gradient_check::check_parameters;
use crate::layers::FineTuning;
use crate::model_file::ModelFile;
use crate::parameters::Gradients;
use crate::progress::Progress;
use crate::training::{Checkpoints, Objective, Outcome};

const WORDS: usize = 9;

/// Random heads, the root anywhere.
fn random_heads(words: usize, random: &mut Random) -> Vec<u32> {
    let mut order: Vec<usize> = (0..words).collect();
    random.shuffle(&mut order);
    let mut heads = vec![0; words];
    (1..words).for_each(|at| heads[order[at]] = order[random.below(at as u64) as usize] as u32 + 1);
    heads
}

/// Random trees, the first without words.
fn trees(count: usize, random: &mut Random) -> Trees {
    let mut trees = Trees::default();
    for number in 0..count {
        let length = number * 5 % 8;
        let words: Vec<u32> = (0..length).map(|_| random.below(WORDS as u64) as u32).collect();
        trees.push_tree(&words, &random_heads(length, random)).unwrap();
    }
    trees
}

/// Random examples of both kinds.
fn examples(scored: usize, ranked: usize, seed: u64) -> SimilarityExamples {
    let random = &mut Random::stream(seed, "test", 0);
    let trees = trees(14, random);
    let one = |random: &mut Random| random.below(14) as u32;
    SimilarityExamples {
        trees,
        scored: (0..scored)
            .map(|_| ScoredPair { reference: one(random), translation: one(random), score: random.uniform(1.0, 5.0) })
            .collect(),
        ranked: (0..ranked)
            .map(|_| RankedPair { reference: one(random), better: one(random), worse: one(random) })
            .collect(),
    }
}

fn vectors() -> Arc<Matrix> {
    let random = &mut Random::stream(9, "test", 0);
    Arc::new(Matrix::new(WORDS, 3, (0..WORDS * 3).map(|_| random.uniform(-1.0, 1.0)).collect()).unwrap())
}

fn shapes() -> impl Iterator<Item = SimilarityShape> {
    let gates = TreeEncoding::VALUES.into_iter().flat_map(|encoding| [(encoding, true), (encoding, false)]);
    gates.map(|(encoding, output_gate)| SimilarityShape {
        encoding,
        memory: 4,
        hidden: 3,
        classes: 5,
        output_gate,
        fine_tuning: FineTuning::None,
    })
}

fn network(shape: SimilarityShape) -> SimilarityNetwork {
    SimilarityNetwork::new(shape, vectors(), 5).unwrap()
}

/// All pairs of these trees.
fn all_pairs(trees: &Trees) -> Vec<[u32; 2]> {
    let count = trees.len() as u32;
    (0..count).flat_map(|a| (0..count).map(move |b| [a, b])).collect()
}

fn settings(epochs: usize) -> SimilaritySettings {
    SimilaritySettings { epochs, batch_size: 7, ranking_scale: 2.0, ranking_weight: 0.5, seed: 3, ..Default::default() }
}

fn train(network: &mut SimilarityNetwork, set: &SimilarityExamples, settings: &SimilaritySettings) -> Result<Outcome> {
    SimilarityTraining::new(network, set, settings).run(&mut Checkpoints::none(), Progress::none())
}

#[test]
fn gradients_of_both_losses_agree_with_differences() {
    for shape in shapes() {
        for (scored, ranked) in [(6, 0), (0, 5), (4, 3)] {
            let set = examples(scored, ranked, (scored + ranked) as u64);
            let settings = SimilaritySettings { batch_size: 100, ..settings(1) };
            let mut network = network(SimilarityShape { fine_tuning: FineTuning::Full, ..shape });
            let loss = |network: &mut SimilarityNetwork, gradients: &mut Gradients| {
                let mut objective = SimilarityObjective::new(SimilarityTraining::new(network, &set, &settings));
                assert_eq!(objective.start_round(1).unwrap(), 1);
                objective.loss(0, 0, gradients).unwrap().mean()
            };
            let mut gradients = Gradients::zeros(network.parameters());
            loss(&mut network, &mut gradients);
            check_parameters(&mut network.parameters().clone(), &gradients, 5e-3, |parameters| {
                let mut moved = SimilarityNetwork { parameters: parameters.clone(), ..network.clone() };
                loss(&mut moved, &mut Gradients::zeros(parameters))
            });
        }
    }
}

#[test]
fn neither_order_nor_other_trees_nor_threads_change_a_digit() {
    for shape in shapes() {
        let network = network(SimilarityShape { memory: 19, hidden: 11, ..shape });
        let all = trees(300, &mut Random::stream(2, "test", 0));
        let together = network.encode(&all).unwrap();
        let one = |number: usize| {
            let mut one = Trees::default();
            one.push_tree(all.words(number), all.heads(number)).unwrap();
            one
        };
        for number in 0..all.len() {
            assert_eq!(network.encode(&one(number)).unwrap().values(), together.row(number));
        }
        let mut reversed = Trees::default();
        for number in (0..all.len()).rev() {
            reversed.push_tree(all.words(number), all.heads(number)).unwrap();
        }
        let last = all.len() as u32 - 1;
        let pairs: Vec<[u32; 2]> = all_pairs(&trees(40, &mut Random::stream(2, "test", 0)));
        let swapped: Vec<[u32; 2]> = pairs.iter().map(|[a, b]| [last - b, last - a]).collect();
        let scores = network.scores(&all, &pairs).unwrap();
        assert_eq!(network.scores(&reversed, &swapped).unwrap(), scores);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| network.scores(&all, &pairs)).unwrap(), scores);
        }
        for (pair, score) in pairs.iter().zip(&scores).step_by(97) {
            assert_eq!(network.compare(&together, &[*pair]).unwrap(), [*score]);
            assert!((1.0..=5.0).contains(score));
        }
    }
}

#[test]
fn an_lstm_is_a_tree_lstm_on_chains_and_needs_no_heads() {
    let [lstm, tree] = TreeEncoding::VALUES.map(|encoding| SimilarityShape { encoding, ..SimilarityShape::default() });
    let (mut with_heads, mut without, mut chains) = Default::default();
    let _: (&Trees, &Trees, &Trees) = (&with_heads, &without, &chains);
    let random = &mut Random::stream(4, "test", 0);
    for length in [0, 1, 2, 9] {
        let words: Vec<u32> = (0..length).map(|_| random.below(WORDS as u64) as u32).collect();
        let chain: Vec<u32> = (1..=length).map(|at| if at == length { 0 } else { at + 1 }).collect();
        with_heads.push_tree(&words, &random_heads(words.len(), random)).unwrap();
        without.push_list(&words);
        chains.push_tree(&words, &chain).unwrap();
    }
    let expected = network(lstm).encode(&without).unwrap();
    assert_eq!(network(lstm).encode(&with_heads).unwrap(), expected);
    assert_eq!(network(tree).encode(&chains).unwrap(), expected);
    assert_ne!(network(tree).encode(&with_heads).unwrap(), expected);
    assert_eq!(expected.row(0), [0.0; 150]);
    assert!(network(tree).encode(&without).is_err());
}

#[test]
fn it_learns_scores_and_orders_the_same_on_any_number_of_threads() {
    for shape in shapes() {
        for (set, batch_by) in [(examples(30, 0, 1), BatchBy::Pair), (examples(0, 30, 2), BatchBy::Reference)] {
            let settings = SimilaritySettings { batch_by, ..settings(15) };
            let learned = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let mut network = network(SimilarityShape { memory: 8, fine_tuning: FineTuning::Full, ..shape });
                let outcome = pool.install(|| train(&mut network, &set, &settings)).unwrap();
                (network, outcome.history)
            };
            let (network, history) = learned(1);
            assert!(learned(3).0.parameters() == network.parameters(), "it depends on the number of threads");
            assert!(history.last().unwrap().loss < 0.9 * history[0].loss, "{history:?}");
        }
    }
}

#[test]
fn a_falling_rate_is_whole_in_the_first_step_only() {
    let (set, shape) = (examples(20, 20, 2), shapes().next().unwrap());
    let trained = |is_rate_falling, epochs| {
        let mut network = network(shape);
        let settings = SimilaritySettings { is_rate_falling, batch_size: 40, ..settings(epochs) };
        let outcome = train(&mut network, &set, &settings).unwrap();
        (network.parameters().clone(), outcome.history[0].loss)
    };
    assert!(trained(true, 1) == trained(false, 1), "one epoch is one step");
    assert!(trained(true, 2).0 != trained(false, 2).0);
}

#[test]
fn the_best_epoch_of_a_development_set_is_kept() {
    let (set, shape) = (examples(40, 10, 1), shapes().next().unwrap());
    for development in [examples(20, 0, 5), examples(0, 20, 5)] {
        let mut trained = network(shape);
        let (settings, none) = (settings(6), Progress::none());
        let training = SimilarityTraining {
            development: Some(&development),
            ..SimilarityTraining::new(&mut trained, &set, &settings)
        };
        let outcome = training.run(&mut Checkpoints::none(), none).unwrap();
        let best = outcome.history.iter().filter_map(|round| round.development).fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(outcome.best_value, Some(best));
        let mut again = network(shape);
        train(&mut again, &set, &SimilaritySettings { epochs: outcome.best_round, ..settings }).unwrap();
        assert_eq!(trained.parameters(), again.parameters());
    }
}

#[test]
fn a_network_comes_back_from_its_file() {
    let pairs = all_pairs(&examples(0, 0, 1).trees);
    for shape in shapes() {
        for fine_tuning in FineTuning::VALUES {
            let mut network = network(SimilarityShape { fine_tuning, ..shape });
            train(&mut network, &examples(20, 0, 1), &settings(1)).unwrap();
            let mut file = ModelFile::new("test");
            network.store("reval.", &mut file);
            let back = SimilarityNetwork::stored("reval.", &file).unwrap();
            assert_eq!((back.shape(), back.parameters()), (network.shape(), network.parameters()));
            assert_eq!((back.vectors(), back.vectors_shape()), (network.vectors(), (WORDS, 3)));
            let anchor = |network: &SimilarityNetwork| network.parameters().tensors()[0].anchor.clone();
            assert_eq!(anchor(&back), anchor(&network));
            let mut small = ModelFile::new("test");
            network.store_quantised("reval.", &mut small);
            let back = SimilarityNetwork::stored("reval.", &small).unwrap();
            for (found, vector) in back.vectors().iter().zip(network.vectors()) {
                assert!((found - vector).abs() < 0.005, "{found} {vector}");
            }
            let set = examples(0, 0, 1).trees;
            let scores = |network: &SimilarityNetwork| network.scores(&set, &pairs).unwrap();
            scores(&back).iter().zip(scores(&network)).for_each(|(a, b)| assert!((a - b).abs() < 0.01));
            // Storing it once more loses nothing.
            let mut again = ModelFile::new("test");
            back.store_quantised("reval.", &mut again);
            assert_eq!(scores(&SimilarityNetwork::stored("reval.", &again).unwrap()), scores(&back));
        }
    }
}

#[test]
fn damaged_files_are_refused() {
    let mut file = ModelFile::new("test");
    network(shapes().next().unwrap()).store("", &mut file);
    let refused = |key: &str, value: &str| {
        let mut bad = file.clone();
        bad.set(key, value);
        SimilarityNetwork::stored("", &bad).unwrap_err().to_string()
    };
    assert!(refused("memory", "5").contains("it is of a network with other sizes"));
    assert!(refused("memory", "0").contains("at least 1"));
    assert!(refused("hidden", "18446744073709551615").contains("`hidden`"));
    assert!(refused("output_gate", "maybe").contains("expected true or false"));
    assert!(refused("encoding", "gru").contains("lstm or tree-lstm"));
}

#[test]
fn what_cannot_be_used_is_named() {
    let shape = shapes().next().unwrap();
    let message = |set: &SimilarityExamples, settings: SimilaritySettings| {
        train(&mut network(shape), set, &settings).unwrap_err().to_string()
    };
    let good = settings(1);
    let empty = SimilarityExamples::default();
    assert_eq!(message(&empty, good), "the training set is empty: there is nothing to learn from");
    let mut bad = examples(3, 2, 1);
    bad.scored[1].score = 5.5;
    assert_eq!(message(&bad, good), "example 1 (counted from 0): score 5.5 is not between 1 and 5");
    bad.scored[1].score = f32::NAN;
    assert!(message(&bad, good).contains("score NaN is not between"));
    let mut bad = examples(3, 2, 1);
    bad.ranked[1].worse = 14;
    assert_eq!(message(&bad, good), "example 4 (counted from 0): it has tree 14 of 14");
    for (settings, name) in [
        (SimilaritySettings { batch_size: 0, ..good }, "batch_size"),
        (SimilaritySettings { epochs: 0, ..good }, "epochs"),
        (SimilaritySettings { patience: Some(0), ..good }, "patience"),
        (SimilaritySettings { ranking_scale: 0.0, ..good }, "ranking_scale"),
        (SimilaritySettings { ranking_weight: f32::NAN, ..good }, "ranking_weight"),
    ] {
        let error = message(&examples(3, 2, 1), settings);
        assert!(error.starts_with(&format!("setting `{name}` cannot be")), "{error}");
    }
    let network = network(shape);
    let states = Matrix::zeros(2, 4);
    let error = network.compare(&states, &[[0, 1], [1, 2]]).unwrap_err().to_string();
    assert_eq!(error, "example 1 (counted from 0): [1, 2] are not both below 2");
    let error = network.compare(&Matrix::zeros(2, 3), &[]).unwrap_err().to_string();
    assert_eq!(error, "hidden states: expected 4 columns, found 3");
}
