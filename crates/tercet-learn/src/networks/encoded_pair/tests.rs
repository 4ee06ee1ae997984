//! Finite differences through the whole network, for every encoder and every way of fine-tuning.

use super::*;
use crate::activation::Activation;
use crate::gradient_check::{check_parameters, wave};
use crate::layers::Gate;
use crate::networks::{logits, pair::PairExamples};

pub const ENCODINGS: [Encoding; 6] = [
    Encoding::Average,
    Encoding::Convolution { filters: 3, length: 2, pooling: None, activation: Activation::Tanh },
    Encoding::Convolution { filters: 2, length: 3, pooling: None, activation: Activation::Relu },
    Encoding::Convolution { filters: 2, length: 3, pooling: Some(2), activation: Activation::Tanh },
    Encoding::Lstm { units: 2, gate: Gate::Logistic },
    Encoding::BidirectionalLstm { units: 2, gate: Gate::Hard },
];

pub fn shape(encoding: Encoding, fine_tuning: FineTuning) -> EncodedPairShape {
    EncodedPairShape {
        architecture: Architecture::Groups,
        hidden: 2,
        skip: 1,
        fixed: 2,
        encoding,
        fine_tuning,
        embedding_dropout: 0.0,
        hidden_dropout: 0.0,
    }
}

pub fn embedding() -> Arc<Matrix> {
    Arc::new(Matrix::new(7, 3, wave(21, 0.8)).unwrap())
}

/// Items occur in several examples, one is empty, one repeats a word.
pub fn examples() -> EncodedExamples {
    let lists = Lists::from_lists(&[vec![0, 1, 2], vec![], vec![3, 3], vec![6], vec![2, 5, 4, 1]]);
    let one = |a, b, c, skip_a, skip_b| Example { a, b, c, skip_a, skip_b, target: 1.0 };
    EncodedExamples {
        lists,
        fixed: Matrix::new(5, 2, wave(10, 0.1)).unwrap(),
        skips: Matrix::new(3, 1, wave(3, 0.2)).unwrap(),
        examples: vec![one(0, 2, 4, 0, 1), one(4, 1, 0, 2, 0), one(2, 0, 4, 1, 1), one(3, 3, 3, 2, 2)],
    }
}

fn cases() -> Vec<Case> {
    [(0, false), (1, true), (2, false), (3, false), (0, true)]
        .map(|(example, swapped)| Case { example, swapped })
        .to_vec()
}

fn check(shape: EncodedPairShape) {
    let mut network = EncodedPairNetwork::new(shape, embedding(), 9).unwrap();
    let (set, cases, weights) = (examples(), cases(), wave(5, 0.6));
    let run = |network: &EncodedPairNetwork, space: &mut EncodedPairWorkspace| {
        let mut logits = Vec::new();
        let mut dropout = Random::stream(2, "dropout", 0);
        network.forward(&set, &cases, Some(&mut dropout), space, &mut logits);
        logits.iter().zip(&weights).map(|(x, w)| f64::from(x * w)).sum::<f64>()
    };
    let (mut space, mut gradients) = (EncodedPairWorkspace::default(), Gradients::zeros(network.parameters()));
    run(&network, &mut space);
    network.backward(&set, &cases, &weights, &mut space, &mut gradients);
    let copy = network.clone();
    check_parameters(network.parameters_mut(), &gradients, 2e-3, |parameters| {
        let mut moved = copy.clone();
        *moved.parameters_mut() = parameters.clone();
        run(&moved, &mut EncodedPairWorkspace::default())
    });
}

#[test]
fn gradients_agree_with_differences_for_every_encoder_and_fine_tuning() {
    for encoding in ENCODINGS {
        for fine_tuning in [FineTuning::None, FineTuning::Moderate, FineTuning::Full] {
            check(shape(encoding, fine_tuning));
        }
    }
}

#[test]
fn gradients_agree_with_differences_under_dropout_and_without_fixed_or_skip_features() {
    for encoding in ENCODINGS {
        let shape = shape(encoding, FineTuning::Full);
        check(EncodedPairShape { embedding_dropout: 0.4, hidden_dropout: 0.3, ..shape });
        check(EncodedPairShape { fixed: 0, skip: 0, ..shape });
        check(EncodedPairShape { architecture: Architecture::Full, ..shape });
    }
}

#[test]
fn averages_give_what_the_pair_network_gives_on_ready_vectors() {
    let set = examples();
    let network = EncodedPairNetwork::new(shape(Encoding::Average, FineTuning::None), embedding(), 4).unwrap();
    let words = embedding();
    let mut rows = Vec::new();
    for item in 0..set.lists.len() {
        let list = set.lists.list(item);
        let mean = |k: usize| list.iter().map(|&w| words.row(w as usize)[k]).sum::<f32>() / list.len().max(1) as f32;
        rows.push([&[mean(0), mean(1), mean(2)], set.fixed.row(item)].concat());
    }
    let pair = network.head();
    let ready = PairExamples {
        vectors: Matrix::from_rows(&rows).unwrap(),
        skips: set.skips.clone(),
        examples: set.examples.clone(),
    };
    let (encoded, ready) = (logits(&network, &set).unwrap(), logits(&pair, &ready).unwrap());
    encoded.iter().zip(&ready).for_each(|(x, y)| assert!((x - y).abs() < 1e-6, "{x} {y}"));
}

#[test]
fn an_item_is_encoded_once_however_often_it_occurs() {
    let (set, mut space) = (examples(), EncodedPairWorkspace::default());
    space.gather(&set, &cases());
    assert_eq!(space.items, [0, 2, 4, 1, 3]);
    assert_eq!(space.starts, [0, 3, 5, 9, 9, 10]);
    space.gather(&set, &cases()[3..4]);
    assert_eq!((&space.items[..], &space.starts[..]), (&[3][..], &[0, 1][..]));
}

#[test]
fn dropout_is_for_training_only() {
    let shape = EncodedPairShape { hidden_dropout: 0.5, ..shape(Encoding::Average, FineTuning::None) };
    let network = EncodedPairNetwork::new(shape, embedding(), 4).unwrap();
    let plain = EncodedPairNetwork::new(EncodedPairShape { hidden_dropout: 0.0, ..shape }, embedding(), 4).unwrap();
    assert_eq!(logits(&network, &examples()).unwrap(), logits(&plain, &examples()).unwrap());
    let (mut one, mut other) = (Vec::new(), Vec::new());
    for (seed, logits) in [(1, &mut one), (2, &mut other)] {
        let mut dropout = Random::stream(seed, "dropout", 0);
        network.forward(&examples(), &cases(), Some(&mut dropout), &mut Default::default(), logits);
    }
    assert_ne!(one, other);
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let network = EncodedPairNetwork::new(shape(Encoding::Average, FineTuning::None), embedding(), 4).unwrap();
    let refused = |change: &dyn Fn(&mut EncodedExamples)| {
        let mut set = examples();
        change(&mut set);
        network.check(&set).unwrap_err().to_string()
    };
    assert_eq!(refused(&|set| set.lists.push([7])), "fixed vectors: expected 6 rows, one per list, found 5");
    assert_eq!(refused(&|set| set.fixed = Matrix::zeros(5, 3)), "fixed vectors: expected 2 columns, found 3");
    let error = refused(&|set| set.lists = Lists::from_lists(&[[0], [1], [7], [2], [3]]));
    assert_eq!(error, "word list 2: expected words below 7, found word 7");
    let error = refused(&|set| set.examples[3].b = 5);
    assert_eq!(error, "example 3 (counted from 0): b is row 5 of a table of 5");
    let none = Encoding::Lstm { units: 0, gate: Gate::Hard };
    let error = EncodedPairNetwork::new(shape(none, FineTuning::None), embedding(), 0).unwrap_err();
    assert_eq!(error.to_string(), "setting `units` cannot be 0: expected at least 1");
    let bad = Arc::new(Matrix::new(1, 1, vec![f32::NAN]).unwrap());
    assert!(EncodedPairNetwork::new(shape(Encoding::Average, FineTuning::None), bad, 0).is_err());
}

#[test]
fn numbers_to_learn_are_counted_without_making_them() {
    for encoding in ENCODINGS {
        for architecture in Architecture::VALUES {
            let shape = EncodedPairShape { architecture, ..shape(encoding, FineTuning::None) };
            let network = EncodedPairNetwork::new(shape, embedding(), 1).unwrap();
            assert_eq!(shape.parameters(3), network.parameters().count() as u64, "{shape:?}");
            assert_eq!(encoding.width(3), network.encoder.width());
        }
    }
}

#[test]
fn shapes_above_the_limits_are_refused() {
    let refused = |encoding: Encoding, fixed: usize| {
        let shape = EncodedPairShape { fixed, ..shape(encoding, FineTuning::None) };
        EncodedPairNetwork::new(shape, embedding(), 0).unwrap_err().to_string()
    };
    let gate = Gate::Hard;
    for huge in [10usize.pow(18), usize::MAX] {
        let expected = |name: &str| format!("setting `{name}` cannot be {huge}: expected at most ");
        let convolution = |filters: usize, length: usize, pooling: Option<usize>| Encoding::Convolution {
            filters,
            length,
            pooling,
            activation: Activation::Tanh,
        };
        for (encoding, fixed, name) in [
            (Encoding::Average, huge, "fixed"),
            (Encoding::Lstm { units: huge, gate }, 0, "units"),
            (Encoding::BidirectionalLstm { units: huge, gate }, 0, "units"),
            (convolution(huge, 2, None), 0, "filters"),
            (convolution(2, huge, None), 0, "length"),
            (convolution(2, 2, Some(huge)), 0, "pooling"),
        ] {
            let error = refused(encoding, fixed);
            assert!(error.starts_with(&expected(name)), "{error}");
        }
        let wide = Arc::new(Matrix::new(0, huge, vec![]).unwrap());
        let error = EncodedPairNetwork::new(shape(Encoding::Average, FineTuning::None), wide, 0).unwrap_err();
        assert!(error.to_string().starts_with(&expected("dimensions")), "{error}");
    }
    let error = refused(Encoding::Lstm { units: 100_000, gate }, 0);
    assert!(error.starts_with("setting `sizes` cannot be 400"), "{error}");
}
