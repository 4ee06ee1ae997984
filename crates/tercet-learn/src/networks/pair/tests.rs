//! Finite differences for every architecture, and the formula written out.

use super::*;
use crate::gradient_check::{check_inputs, check_parameters, wave};
use crate::networks::{both_orders, logits, probabilities};

fn examples(vector: usize, skip: usize, count: u32) -> PairExamples {
    let random = &mut Random::stream(5, "test", 0);
    let mut table = |rows: usize, columns: usize| {
        Matrix::new(rows, columns, (0..rows * columns).map(|_| random.uniform(-1.0, 1.0)).collect()).unwrap()
    };
    let (vectors, skips) = (table(6, vector), table(5, skip));
    let one = |i: u32| Example {
        a: i % 6,
        b: (i + 2) % 6,
        c: (2 * i + 1) % 6,
        skip_a: i % 5,
        skip_b: (i + 3) % 5,
        target: 1.0,
    };
    PairExamples { vectors, skips, examples: (0..count).map(one).collect() }
}

fn cases(count: u32) -> Vec<Case> {
    (0..count).map(|example| Case { example, swapped: example % 2 == 1 }).collect()
}

const SHAPES: [(usize, usize, usize, u32); 6] =
    [(3, 2, 2, 4), (1, 1, 1, 1), (9, 0, 4, 3), (8, 4, 5, 7), (0, 3, 2, 2), (17, 1, 3, 5)];

#[test]
fn gradients_agree_with_differences_for_every_architecture_and_shape() {
    for architecture in Architecture::VALUES {
        for (vector, skip, hidden, count) in SHAPES {
            let shape = PairShape { architecture, vector, skip, hidden };
            let mut network = PairNetwork::new(shape, 3).unwrap();
            let (set, cases, weights) = (examples(vector, skip, count), cases(count), wave(count as usize, 0.4));
            let loss = |network: &PairNetwork| {
                let mut logits = Vec::new();
                network.forward(&set, &cases, None, &mut PairWorkspace::default(), &mut logits);
                logits.iter().zip(&weights).map(|(x, w)| f64::from(x * w)).sum::<f64>()
            };
            let (mut space, mut gradients) = (PairWorkspace::default(), Gradients::zeros(network.parameters()));
            network.forward(&set, &cases, None, &mut space, &mut Vec::new());
            network.backward(&set, &cases, &weights, &mut space, &mut gradients);
            let copy = network.clone();
            check_parameters(network.parameters_mut(), &gradients, 5e-3, |parameters| {
                let mut moved = copy.clone();
                *moved.parameters_mut() = parameters.clone();
                loss(&moved)
            });
        }
    }
}

#[test]
fn gradients_of_the_inputs_agree_with_differences() {
    for architecture in Architecture::VALUES {
        for (vector, skip, hidden, count) in SHAPES {
            let network = PairNetwork::new(PairShape { architecture, vector, skip, hidden }, 3).unwrap();
            let weights = wave(count as usize, 0.4);
            let rows = count as usize;
            let x = wave(3 * vector * rows, 0.2);
            let fill = |x: &[f32], space: &mut PairWorkspace| {
                space.begin(&network.core, rows);
                for (at, x) in x.chunks_exact(vector.max(1)).enumerate() {
                    space.input(at % 3, at / 3).copy_from_slice(x);
                }
                let mut logits = Vec::new();
                network.core.forward(&network.parameters, space, &mut logits);
                logits.iter().zip(&weights).map(|(x, w)| f64::from(x * w)).sum::<f64>()
            };
            let mut space = PairWorkspace::default();
            fill(&x, &mut space);
            let mut gradients = Gradients::zeros(&network.parameters);
            network.core.backward(&network.parameters, &mut space, &weights, &mut gradients, true);
            let slots = (0..3 * rows).flat_map(|at| space.input_gradient(at % 3, at / 3).to_vec());
            let dx: Vec<f32> = slots.collect();
            check_inputs(&x, &dx, 5e-3, |x| fill(x, &mut PairWorkspace::default()));
        }
    }
}

#[test]
fn the_groups_are_the_formula_of_the_paper() {
    let shape = PairShape { architecture: Architecture::Groups, vector: 2, skip: 1, hidden: 1 };
    let mut network = PairNetwork::new(shape, 0).unwrap();
    for (number, tensor) in network.parameters_mut().tensors_mut().iter_mut().enumerate() {
        tensor.values = wave(tensor.values.len(), number as f64);
    }
    let set = examples(2, 1, 3);
    let value = |name: &str, at: usize| f64::from(network.parameters().by_name(name).unwrap().values[at]);
    let node = |name: &str, x: &[f32], y: &[f32]| {
        let inputs = x.iter().chain(y).enumerate();
        let sum: f64 = inputs.map(|(i, x)| value(&format!("hidden.{name}.weight"), i) * f64::from(*x)).sum();
        (sum + value(&format!("hidden.{name}.bias"), 0)).tanh()
    };
    let outputs = both_orders(&network, &set).unwrap();
    for (e, [forward, swapped]) in set.examples.iter().zip(outputs) {
        let row = |item: u32| set.vectors.row(item as usize);
        let skip = |item: u32| f64::from(set.skips.row(item as usize)[0]);
        let expected = |a: u32, b: u32, skip_a: u32, skip_b: u32| {
            let (a, b, c) = (row(a), row(b), row(e.c));
            let inputs = [node("ab", a, b), node("ac", a, c), node("bc", b, c), skip(skip_a), skip(skip_b)];
            let sum: f64 = inputs.iter().enumerate().map(|(i, x)| value("output.weight", i) * x).sum();
            sum + value("output.bias", 0)
        };
        assert!((f64::from(forward) - expected(e.a, e.b, e.skip_a, e.skip_b)).abs() < 1e-6);
        assert!((f64::from(swapped) - expected(e.b, e.a, e.skip_b, e.skip_a)).abs() < 1e-6);
    }
}

#[test]
fn logits_do_not_depend_on_the_batch_or_on_what_the_memory_was_used_for() {
    let network = PairNetwork::new(PairShape { hidden: 3, ..SHAPE }, 1).unwrap();
    let other = PairNetwork::new(PairShape { architecture: Architecture::Full, hidden: 5, ..SHAPE }, 1).unwrap();
    let set = examples(5, 2, 300);
    let together = logits(&network, &set).unwrap();
    let (mut space, mut one) = (PairWorkspace::default(), Vec::new());
    for example in 0..300 {
        let case = [Case { example, swapped: false }];
        other.forward(&set, &case, None, &mut space, &mut one);
        network.forward(&set, &case, None, &mut space, &mut one);
        assert_eq!(one, [together[example as usize]]);
    }
}

const SHAPE: PairShape = PairShape { architecture: Architecture::Groups, vector: 5, skip: 2, hidden: 4 };

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let network = PairNetwork::new(SHAPE, 0).unwrap();
    let refused = |change: &dyn Fn(&mut PairExamples)| {
        let mut set = examples(5, 2, 3);
        change(&mut set);
        network.check(&set).unwrap_err().to_string()
    };
    assert_eq!(refused(&|set| set.vectors = Matrix::zeros(6, 4)), "vectors: expected 5 columns, found 4");
    assert_eq!(refused(&|set| set.skips = Matrix::zeros(6, 3)), "skip features: expected 2 columns, found 3");
    let error = refused(&|set| set.vectors.row_mut(4)[2] = f32::INFINITY);
    assert_eq!(error, "vectors, row 4, column 2: inf is not a finite number (counted from 0)");
    let error = refused(&|set| set.examples[1].c = 6);
    assert_eq!(error, "example 1 (counted from 0): c is row 6 of a table of 6");
    let error = refused(&|set| set.examples[2].target = 1.5);
    assert_eq!(error, "example 2 (counted from 0): target 1.5 is not between 0 and 1");
    assert!(PairNetwork::new(PairShape { hidden: 0, ..SHAPE }, 0).is_err());
    assert!(PairNetwork::new(PairShape { vector: 0, skip: 0, ..SHAPE }, 0).is_err());
    assert!("flat".parse::<Architecture>().is_err());
    for architecture in Architecture::VALUES {
        assert_eq!(architecture.name().parse::<Architecture>().unwrap(), architecture);
    }
}

#[test]
fn numbers_to_learn_are_counted_without_making_them() {
    for architecture in Architecture::VALUES {
        for (vector, skip, hidden, _) in SHAPES {
            let shape = PairShape { architecture, vector, skip, hidden };
            let network = PairNetwork::new(shape, 0).unwrap();
            assert_eq!(shape.parameters(), network.parameters().count() as u64, "{shape:?}");
        }
    }
}

#[test]
fn shapes_above_the_limits_are_refused() {
    let refused = |shape: PairShape| PairNetwork::new(shape, 0).unwrap_err().to_string();
    for architecture in Architecture::VALUES {
        let shape = PairShape { architecture, ..SHAPE };
        for huge in [MAX_SIZE + 1, 10usize.pow(13), 1 << 62, usize::MAX] {
            let expected = |name: &str| format!("setting `{name}` cannot be {huge}: expected at most 1000000");
            assert_eq!(refused(PairShape { vector: huge, ..shape }), expected("vector"));
            assert_eq!(refused(PairShape { skip: huge, ..shape }), expected("skip"));
            assert_eq!(refused(PairShape { hidden: huge, ..shape }), expected("hidden"));
        }
    }
    let error = refused(PairShape { vector: MAX_SIZE, skip: MAX_SIZE, hidden: MAX_SIZE, ..SHAPE });
    assert!(error.starts_with("setting `sizes` cannot be 6000008000001: expected at most 2147483648"), "{error}");
}

#[test]
fn logits_that_are_no_numbers_are_no_decisions() {
    let set = examples(5, 2, 300);
    let mut network = PairNetwork::new(SHAPE, 1).unwrap();
    let outputs = both_orders(&network, &set).unwrap();
    assert_eq!(logits(&network, &set).unwrap(), outputs.iter().map(|both| both[0]).collect::<Vec<_>>());
    // One item with skip features that overflow: examples 4, 9, 14 … have it as a, 1, 6, 11 … as b.
    let mut large = set.clone();
    large.skips.row_mut(4).fill(f32::MAX);
    for example in &mut large.examples[..200] {
        (example.skip_a, example.skip_b) = (0, 0);
    }
    let output = network.parameters().tensors().iter().position(|tensor| tensor.name == "output.weight").unwrap();
    network.parameters_mut().tensors_mut()[output].values.fill(2.0);
    let error = logits(&network, &large).unwrap_err();
    let text = "example 201 (counted from 0), a before b: the network gives inf, from which nothing can be decided";
    assert!(error.to_string().starts_with(text), "{error}");
    assert!(both_orders(&network, &large).is_err());
    // Infinity minus infinity.
    let values = &mut network.parameters_mut().tensors_mut()[output].values;
    values.iter_mut().enumerate().for_each(|(at, value)| *value = if at % 2 == 0 { 2.0 } else { -2.0 });
    let error = probabilities(&network, &large).unwrap_err().to_string();
    assert!(error.starts_with("example 201 (counted from 0), a before b: the network gives NaN"), "{error}");
}
