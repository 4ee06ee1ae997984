use super::*;

/// Numbers between −1 and 1 that look random.
fn numbers(count: usize, seed: u64) -> Vec<f32> {
    let mut state = seed.wrapping_mul(2).wrapping_add(1);
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0
    };
    std::iter::repeat_with(next).take(count).collect()
}

fn outputs(linear: &Linear, rows: &[f32]) -> Vec<f32> {
    let mut outputs = vec![0.0; rows.len() / linear.inputs * linear.outputs];
    linear.apply(rows, &mut outputs, &mut QuantisedRows::default());
    outputs
}

#[test]
fn products_are_those_of_double_precision_at_any_shape() {
    for (rows, inputs, columns) in [(1, 1, 1), (7, 5, 17), (49, 96, 48), (100, 33, 31)] {
        let (x, weights, bias) =
            (numbers(rows * inputs, 1), numbers(columns * inputs, 2), numbers(columns, 3));
        let expected: Vec<f64> = (0..rows * columns)
            .map(|at| {
                let (row, column) = (&x[at / columns * inputs..][..inputs], at % columns);
                let products = row.iter().zip(&weights[column * inputs..]);
                products.map(|(x, w)| f64::from(*x) * f64::from(*w)).sum::<f64>() + f64::from(bias[column])
            })
            .collect();
        for (precision, tolerance) in
            [(Precision::Single, 1e-5), (Precision::Int8, 0.01 * (inputs as f64).sqrt())]
        {
            let linear = Linear::new(&weights, bias.clone(), precision);
            let found = outputs(&linear, &x);
            for (found, expected) in found.iter().zip(&expected) {
                assert!(
                    (f64::from(*found) - expected).abs() < tolerance,
                    "{precision:?}: {found} {expected}"
                );
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
fn the_portable_integer_tile_gives_the_same_digits() {
    let mut rows = QuantisedRows::default();
    rows.quantise(&numbers(6 * 1536, 6), &[1.0; 1536]);
    let panels = Int8Panels::new(&numbers(16 * 1536, 7), 1536);
    let (mut fast, mut portable) = ([[0; PANEL]; TILE], [[1; PANEL]; TILE]);
    int8::tile(rows.tiles().next().unwrap().values, panels.each().next().unwrap(), &mut fast);
    let starts = row_starts(6 * 1536, 1536);
    int8::portable(rows.tiles().next().unwrap().values, starts, panels.each().next().unwrap(), &mut portable);
    assert_eq!(fast, portable);
}

#[test]
fn the_largest_sums_do_not_overflow() {
    for inputs in [2, 384, 1536, 3072, 8192] {
        let linear = Linear::new(&vec![-1.0; inputs], vec![0.0], Precision::Int8);
        let found = outputs(&linear, &vec![1.0; inputs])[0];
        assert!((found / inputs as f32 + 1.0).abs() < 1e-5, "{inputs}: {found}");
    }
}
