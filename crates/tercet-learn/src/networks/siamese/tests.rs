use super::training::SiameseObjective;
use super::*;
use crate::Matrix;
use crate::gradient_check::{check_parameters, wave};
use crate::progress::Progress;
use crate::training::{Checkpoints, Objective};
use std::borrow::Cow;
use tercet_transformer::{Config, Family, Pooling, names};

mod pytorch;

const WIDTH: usize = 4;

/// Token numbers of lines; the first and the last are special tokens.
const TOKENS: [&[u32]; 4] = [&[0, 3, 4, 5, 1], &[0, 3, 5, 6, 2, 1], &[0, 6, 1], &[0, 4, 2, 3, 1]];

/// The names that tensors have in the tables of numbers below.
fn short_name(name: &str) -> String {
    let parts = [
        ("encoder.layer.", ""),
        ("attention.self.", ""),
        ("attention.output.dense", "attended"),
        ("attention.output.LayerNorm", "after_attention"),
        ("intermediate.dense", "up"),
        ("output.dense", "down"),
        ("output.LayerNorm", "after_all"),
        ("embeddings.LayerNorm", "norm"),
        (names::TOKENS, "tokens"),
        (names::POSITIONS, "positions"),
        ("head.sentence", "head.vectors"),
    ];
    parts.iter().fold(name.to_owned(), |name, (long, short)| name.replace(long, short))
}

/// Which of two layers are learned.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Learned {
    Head,
    Last,
    All,
}

fn shape(learned: Learned) -> SiameseShape {
    let encoder = Config {
        family: Family::Bert,
        layers: 2,
        width: WIDTH,
        heads: 2,
        inner: 6,
        vocabulary: 7,
        positions: 7,
        window: 7,
        epsilon: 1e-3,
        pooling: Pooling::Mean,
        unit_length: false,
        padding: 0,
    };
    let layers = match learned {
        Learned::Head => None,
        Learned::Last => Some(1),
        Learned::All => Some(2),
    };
    let learned = |layers| LearnedLayers { layers, projected: 3, middle: 1, bias: None, rate: 0.1 };
    SiameseShape { encoder, hidden: 3, blocks: vec![HeadBlock::default()], way: None, learned: layers.map(learned) }
}

/// In the numbers below, the first token is at position 1.
fn first_place(name: &str) -> usize {
    if name == "positions" { WIDTH } else { 0 }
}

/// A tensor is a wave whose phase is the length of its name.
fn tensor(name: &str, count: usize) -> Vec<f32> {
    if name == names::TYPES {
        return wave(count, 0.8);
    }
    let name = &short_name(name)[..];
    let is_gain = (name.contains("norm") || name.contains("after")) && name.ends_with("weight");
    let (offset, scale) = match name {
        _ if is_gain => (1.0, 0.3),
        "head.vectors.weight" | "head.matching.weight" => (0.0, 0.15),
        _ => (0.0, 0.6),
    };
    let first = first_place(name);
    wave(first + count, name.len() as f64)[first..].iter().map(|x| offset + scale * x).collect()
}

fn network(learned: Learned) -> SiameseNetwork {
    SiameseNetwork::new(&shape(learned), |name, [rows, columns]| Ok(tensor(name, rows * columns))).unwrap()
}

struct Rows;

impl FrozenLayers for Rows {
    fn rows(&self, lines: &[u32]) -> Vec<Cow<'_, [f32]>> {
        let rows = |line: &u32| wave(TOKENS[*line as usize].len() * WIDTH, f64::from(*line) + 0.3).into();
        lines.iter().map(rows).collect()
    }
}

fn lines(learned: Learned) -> Lines<'static> {
    match learned {
        Learned::Head => Lines::Vectors(Matrix::new(4, WIDTH, wave(4 * WIDTH, 0.3)).unwrap()),
        Learned::Last => Lines::Rows(&Rows),
        Learned::All => Lines::Tokens(TOKENS.iter().map(|tokens| tokens.to_vec()).collect()),
    }
}

fn groups() -> Vec<SiameseGroup> {
    let item = |list: usize| {
        let matching = std::array::from_fn(|at| ((at + list) as f32 * 0.7).sin());
        GroupItem { list, compared: vec![Compared { matching, strings: Vec::new() }] }
    };
    let ranked = |better, worse, weight| RankedItems { better, worse, weight };
    vec![
        SiameseGroup {
            lines: vec![0, 1, 2],
            items: vec![item(1), item(2), item(0)],
            ranked: vec![ranked(0, 1, 1.0), ranked(2, 0, 0.25)],
            scored: vec![ScoredItem { item: 1, target: -0.7, weight: 0.5 }],
        },
        SiameseGroup {
            lines: vec![3, 0, 1],
            items: vec![item(1), item(2)],
            ranked: vec![ranked(1, 0, 1.0)],
            scored: vec![ScoredItem { item: 0, target: 1.2, weight: 1.0 }],
        },
    ]
}

fn settings() -> SiameseSettings {
    SiameseSettings { batch_size: 2, epochs: 4, temperature: 0.5, ..SiameseSettings::default() }
}

/// Mean loss and gradients of both groups.
fn loss_of(network: &mut SiameseNetwork, lines: &Lines<'_>) -> (f64, Gradients) {
    let (groups, settings) = (groups(), settings());
    let mut gradients = Gradients::zeros(network.parameters());
    let training =
        SiameseTraining { network, lines, groups: &groups, development: &[], settings: &settings, start: "" };
    let mut objective = SiameseObjective::new(training);
    assert_eq!(objective.start_round(1).unwrap(), 1);
    let loss = objective.loss(0, 0, &mut gradients).unwrap();
    let weight: f32 = groups.iter().map(SiameseGroup::weight).sum();
    (loss.sum / f64::from(weight), gradients)
}

#[test]
fn gradients_agree_with_differences_for_every_part_that_is_learned() {
    for learned in [Learned::Head, Learned::Last, Learned::All] {
        let (mut network, lines) = (network(learned), lines(learned));
        let (_, gradients) = loss_of(&mut network, &lines);
        let mut parameters = network.parameters.clone();
        let template = network.clone();
        check_parameters(&mut parameters, &gradients, 5e-4, |parameters| {
            let mut moved = template.clone();
            moved.parameters.assign(parameters).unwrap();
            loss_of(&mut moved, &lines).0
        });
    }
}

/// The gradients of a network for groups agree with differences.
fn check_gradients(network: &mut SiameseNetwork, groups: &[SiameseGroup], learned: Learned) {
    let loss = |network: &mut SiameseNetwork| {
        let (lines, settings) = (lines(learned), settings());
        let mut gradients = Gradients::zeros(network.parameters());
        let lines = &lines;
        let training = SiameseTraining { network, lines, groups, development: &[], settings: &settings, start: "" };
        let mut objective = SiameseObjective::new(training);
        objective.start_round(1).unwrap();
        let loss = objective.loss(0, 0, &mut gradients).unwrap();
        (loss.sum / f64::from(groups.iter().map(SiameseGroup::weight).sum::<f32>()), gradients)
    };
    let (_, gradients) = loss(network);
    let mut parameters = network.parameters.clone();
    let template = network.clone();
    check_parameters(&mut parameters, &gradients, 5e-4, |parameters| {
        let mut moved = template.clone();
        moved.parameters.assign(parameters).unwrap();
        loss(&mut moved).0
    });
}

#[test]
fn two_lines_to_compare_with_are_learned_from_at_once() {
    let source = |name: &str, [rows, columns]: [usize; 2]| Ok(tensor(name, rows * columns));
    for learned in [Learned::Head, Learned::Last, Learned::All] {
        let blocks = vec![HeadBlock::default(), HeadBlock { prefix: "head.source", strings: 2 }];
        let shape = SiameseShape { blocks, way: Some(2), ..shape(learned) };
        let mut network = SiameseNetwork::new(&shape, source).unwrap();
        let mut groups = groups();
        for (number, item) in groups.iter_mut().flat_map(|group| &mut group.items).enumerate() {
            let matching = item.compared[0].matching.map(|feature| 0.5 - feature);
            let strings = vec![number as f32 * 0.3, 1.0 - number as f32 * 0.2];
            item.compared.push(Compared { matching, strings });
        }
        check_gradients(&mut network, &groups, learned);
        let with_both = network.scores(&groups, &lines(learned));
        groups.iter_mut().for_each(|group| group.lines.swap(0, 1));
        assert_ne!(network.scores(&groups, &lines(learned)), with_both);
    }
}

#[test]
fn features_of_strings_and_the_bias_of_a_way_are_learned() {
    let blocks = vec![HeadBlock { prefix: "head.source", strings: 2 }];
    let shape = SiameseShape { blocks, way: Some(1), ..shape(Learned::Head) };
    let source = |name: &str, [rows, columns]: [usize; 2]| Ok(tensor(name, rows * columns));
    let mut network = SiameseNetwork::new(&shape, source).unwrap();
    let names: Vec<&str> = network.parameters.tensors().iter().map(|tensor| tensor.name.as_str()).collect();
    assert!(names.contains(&"head.source.strings.weight") && names.contains(&"head.way.bias"), "{names:?}");
    let mut groups = groups();
    for (number, item) in groups.iter_mut().flat_map(|group| &mut group.items).enumerate() {
        item.compared[0].strings = vec![number as f32 * 0.3, 1.0 - number as f32 * 0.2];
    }
    check_gradients(&mut network, &groups, Learned::Head);
    let bias = network.parameters.tensors().iter().position(|tensor| tensor.name == "head.way.bias").unwrap();
    assert_eq!(network.parameters.tensors()[bias].shape, [3, 3]);
    // Without them, the groups do not fit the network.
    groups[0].items[0].compared[0].strings.clear();
    let (lines, settings) = (lines(Learned::Head), settings());
    let training = SiameseTraining {
        network: &mut network,
        lines: &lines,
        groups: &groups,
        development: &[],
        settings: &settings,
        start: "",
    };
    assert!(training.run(&mut Checkpoints::none(), Progress::none()).is_err());
}

#[test]
fn training_lowers_the_loss_and_threads_change_nothing() {
    for learned in [Learned::Head, Learned::Last, Learned::All] {
        let lines = lines(learned);
        let train = |threads: usize| {
            let mut network = network(learned);
            let (groups, mut settings) = (groups(), settings());
            settings.optimizer.learning_rate = 0.02;
            settings.epochs = 20;
            let training = SiameseTraining {
                network: &mut network,
                lines: &lines,
                groups: &groups,
                development: &groups,
                settings: &settings,
                start: "",
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut checkpoints = Checkpoints::none();
            let outcome = pool.install(|| training.run(&mut checkpoints, Progress::none())).unwrap();
            (network, outcome)
        };
        let ((trained, outcome), (again, _)) = (train(1), train(3));
        assert_eq!(trained.parameters, again.parameters);
        let (before, after) = (loss_of(&mut network(learned), &lines).0, loss_of(&mut trained.clone(), &lines).0);
        assert!(after < 0.8 * before, "{learned:?}: {before} to {after}");
        let weight: f32 = groups().iter().map(SiameseGroup::weight).sum();
        let examples: usize = groups().iter().map(SiameseGroup::examples).sum();
        let mean = after * f64::from(weight) / examples as f64;
        assert!((outcome.best_value.unwrap() + mean).abs() < 1e-5);
    }
}

#[test]
fn groups_that_refer_to_nothing_are_refused() {
    let run_with = |groups: &[SiameseGroup], development: &[SiameseGroup], settings: &SiameseSettings| {
        let (mut network, lines) = (network(Learned::Head), lines(Learned::Head));
        let training =
            SiameseTraining { network: &mut network, lines: &lines, groups, development, settings, start: "" };
        training.run(&mut Checkpoints::none(), Progress::none()).unwrap_err().to_string()
    };
    let run = |groups: &[SiameseGroup], settings: &SiameseSettings| run_with(groups, &[], settings);
    let mut bad = groups();
    bad[1].ranked[0].better = 7;
    let refusal = "it has an index or a number that cannot be";
    assert!(run(&bad, &settings()).contains(refusal));
    assert!(run_with(&groups(), &bad, &settings()).contains(refusal));
    for weight in [f32::NAN, f32::INFINITY, -1.0] {
        let mut bad = groups();
        bad[0].scored[0].weight = weight;
        assert!(run(&bad, &settings()).contains(refusal), "{weight}");
    }
    assert!(run(&[], &settings()).contains("the training set"));
    let cold = SiameseSettings { temperature: 0.0, ..settings() };
    assert!(run(&groups(), &cold).contains("`temperature` cannot be 0"));
}
