use super::*;

/// Numbers between −1 and 1 that look random.
pub(super) fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn outputs(linear: &Linear, rows: &[f32]) -> Vec<f32> {
    let mut outputs = vec![0.0; rows.len() / linear.inputs * linear.outputs];
    linear.apply(rows, &mut outputs, &mut WholeNumbers::default());
    outputs
}

#[test]
fn products_are_those_of_double_precision_at_any_shape() {
    for (rows, inputs, columns) in [(1, 1, 1), (7, 5, 17), (49, 96, 48), (100, 33, 31)] {
        let (x, weights, bias) = (numbers(rows * inputs, 1), numbers(columns * inputs, 2), numbers(columns, 3));
        let expected: Vec<f64> = (0..rows * columns)
            .map(|at| {
                let (row, column) = (&x[at / columns * inputs..][..inputs], at % columns);
                let products = row.iter().zip(&weights[column * inputs..]);
                products.map(|(x, w)| f64::from(*x) * f64::from(*w)).sum::<f64>() + f64::from(bias[column])
            })
            .collect();
        for (precision, tolerance) in [(Precision::Single, 1e-5), (Precision::Int8, 0.01 * (inputs as f64).sqrt())] {
            let linear = Linear::new(&weights, bias.clone(), precision);
            let found = outputs(&linear, &x);
            for (found, expected) in found.iter().zip(&expected) {
                assert!((f64::from(*found) - expected).abs() < tolerance, "{precision:?}: {found} {expected}");
            }
        }
    }
}

#[test]
fn a_row_has_the_same_digits_in_any_batch() {
    let (x, weights) = (numbers(100 * 40, 4), numbers(24 * 40, 5));
    for precision in [Precision::Single, Precision::Int8] {
        let linear = Linear::new(&weights, vec![0.0; 24], precision);
        let together = outputs(&linear, &x);
        for (row, expected) in x.chunks(40).zip(together.chunks(24)) {
            assert_eq!(outputs(&linear, row), expected);
        }
    }
}

#[test]
fn the_largest_sums_do_not_overflow() {
    for inputs in [2, 384, 1536, 3072, 8192] {
        let linear = Linear::new(&vec![-1.0; inputs], vec![0.0], Precision::Int8);
        let found = outputs(&linear, &vec![1.0; inputs])[0];
        assert!((found / inputs as f32 + 1.0).abs() < 1e-5, "{inputs}: {found}");
    }
}

#[test]
fn stored_integers_of_any_number_of_inputs_are_used() {
    for inputs in [MAX_INPUTS, MAX_INPUTS + 1, 100_000] {
        let linear = Linear::of_stored_integers(&vec![-1.0; inputs], vec![0.0]);
        let found = outputs(&linear, &vec![1.0; inputs])[0];
        assert!((found / inputs as f32 + 1.0).abs() < 1e-3, "{inputs}: {found}");
    }
}

#[test]
fn weights_that_are_stored_as_integers_are_close_and_have_the_same_digits_in_any_batch() {
    let (inputs, outputs_of) = (96, 24);
    let single: Vec<f32> =
        numbers(outputs_of * inputs, 8).iter().map(|number| (number * 127.0).trunc() * 0.01).collect();
    let x = numbers(50 * inputs, 9);
    let expected = outputs(&Linear::new(&single, vec![0.0; outputs_of], Precision::Single), &x);
    let linear = Linear::of_stored_integers(&single, vec![0.0; outputs_of]);
    let found = outputs(&linear, &x);
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() < 0.02 * (inputs as f32).sqrt(), "{found} {expected}");
    }
    for (row, expected) in x.chunks(inputs).zip(found.chunks(outputs_of)) {
        assert_eq!(outputs(&linear, row), expected);
    }
}
