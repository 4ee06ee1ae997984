//! Tiles in single precision.

use super::{PANEL, columns};
use tercet_math::Instructions;

/// Rows of a tile: with AVX-512, a register of sums each.
pub(super) const TILE: usize = 12;
/// Rows whose sums fit into the registers of AVX2.
pub(super) const HALF_TILE: usize = 6;

type Tile = [[f32; PANEL]; TILE];

/// Weights in panels: for each input, the weights of the panel's outputs; missing outputs have zeros.
#[derive(Debug)]
pub(super) struct SinglePanels {
    inputs: usize,
    values: Vec<f32>,
}

impl SinglePanels {
    pub fn new(weights: &[f32], inputs: usize) -> Self {
        let mut values = vec![0.0; (weights.len() / inputs).div_ceil(PANEL) * PANEL * inputs];
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let start = output / PANEL * PANEL * inputs + output % PANEL;
            values[start..].iter_mut().step_by(PANEL).zip(row).for_each(|(value, weight)| *value = *weight);
        }
        SinglePanels { inputs, values }
    }

    /// The outputs of rows: x·Wᵀ + b.
    pub fn apply(&self, rows: &[f32], bias: &[f32], outputs: &mut [f32]) {
        let (instructions, mut tile) = (Instructions::best(), [[0.0; PANEL]; TILE]);
        for (number, panel) in self.values.chunks_exact(PANEL * self.inputs).enumerate() {
            let columns = columns(number, bias.len());
            let bias_of_panel = &bias[columns.clone()];
            let tiles = rows.chunks(TILE * self.inputs).zip(outputs.chunks_mut(TILE * bias.len()));
            for (rows, outputs) in tiles {
                products(instructions, rows, panel, &mut tile);
                for (row, sums) in outputs.chunks_exact_mut(bias.len()).zip(&tile) {
                    let row = row[columns.clone()].iter_mut();
                    row.zip(sums).zip(bias_of_panel).for_each(|((output, sum), bias)| *output = sum + bias);
                }
            }
        }
    }
}

/// The products of up to [`TILE`] rows with a panel. Rows that are not there repeat the first one.
#[allow(unsafe_code)]
fn products(instructions: Instructions, rows: &[f32], panel: &[f32], tile: &mut Tile) {
    let inputs = panel.len() / PANEL;
    let starts = row_starts(rows.len(), inputs);
    match instructions {
        Instructions::Portable => portable(rows, starts, panel, tile),
        // SAFETY: the processor has the instructions; each start is followed by `inputs` numbers of `rows`, because
        // `row_starts` counts whole rows only, and the panel has `inputs` times `PANEL` numbers.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe {
            for (starts, tile) in halves(rows.len() / inputs, &starts, tile) {
                avx2::tile(rows, *starts, panel, inputs, tile);
            }
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as for the other instructions.
        Instructions::Avx512 => unsafe { avx512::tile(rows, starts, panel, inputs, tile) },
        #[cfg(not(target_arch = "x86_64"))]
        _ => portable(rows, starts, panel, tile),
    }
}

/// The same sums without fused multiply-add.
fn portable(rows: &[f32], starts: [usize; TILE], panel: &[f32], tile: &mut Tile) {
    for (sums, start) in tile.iter_mut().zip(starts) {
        let mut row_sums = [0.0; PANEL];
        for (value, weights) in rows[start..].iter().zip(panel.chunks_exact(PANEL)) {
            row_sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
        }
        *sums = row_sums;
    }
}

/// Where the rows of a tile start in a slice of whole rows; rows that are not there repeat the first one.
pub(super) fn row_starts(length: usize, inputs: usize) -> [usize; TILE] {
    let rows = length / inputs;
    assert!(rows > 0, "a tile has at least one row");
    std::array::from_fn(|row| if row < rows { row * inputs } else { 0 })
}

/// The halves of a tile that have rows.
pub(super) fn halves<'a, T>(
    rows: usize,
    starts: &'a [usize; TILE],
    tile: &'a mut [[T; PANEL]; TILE],
) -> impl Iterator<Item = (&'a [usize; HALF_TILE], &'a mut [[T; PANEL]; HALF_TILE])> {
    let halves = starts.as_chunks().0.iter().zip(tile.as_chunks_mut().0);
    halves.take(rows.div_ceil(HALF_TILE))
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512 {
    use super::{PANEL, TILE, Tile};
    use std::arch::x86_64::*;

    /// # Safety
    /// As for `avx2::tile`.
    #[target_feature(enable = "avx512f")]
    pub unsafe fn tile(rows: &[f32], starts: [usize; TILE], panel: &[f32], inputs: usize, tile: &mut Tile) {
        // SAFETY: each start is followed by `inputs` numbers of `rows`, so it lies within them.
        let pointers = starts.map(|start| unsafe { rows.as_ptr().add(start) });
        let panel = panel.as_ptr();
        let mut sums = [_mm512_setzero_ps(); TILE];
        for input in 0..inputs {
            // SAFETY: see above; `input` < `inputs`.
            unsafe {
                let weights = _mm512_loadu_ps(panel.add(input * PANEL));
                for (sum, row) in sums.iter_mut().zip(pointers) {
                    *sum = _mm512_fmadd_ps(_mm512_set1_ps(*row.add(input)), weights, *sum);
                }
            }
        }
        for (row, sum) in tile.iter_mut().zip(sums) {
            // SAFETY: a row of a tile has 16 numbers.
            unsafe { _mm512_storeu_ps(row.as_mut_ptr(), sum) };
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::{HALF_TILE, PANEL};
    use std::arch::x86_64::*;

    /// # Safety
    /// Each start must be followed by `inputs` numbers of `rows`, and the panel must have `inputs` × `PANEL` numbers.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn tile(
        rows: &[f32],
        starts: [usize; HALF_TILE],
        panel: &[f32],
        inputs: usize,
        tile: &mut [[f32; PANEL]; HALF_TILE],
    ) {
        // SAFETY: each start is followed by `inputs` numbers of `rows`, so it lies within them.
        let pointers = starts.map(|start| unsafe { rows.as_ptr().add(start) });
        let panel = panel.as_ptr();
        let mut sums = [[_mm256_setzero_ps(); 2]; HALF_TILE];
        for input in 0..inputs {
            // SAFETY: see above; `input` < `inputs`.
            unsafe {
                let left = _mm256_loadu_ps(panel.add(input * PANEL));
                let right = _mm256_loadu_ps(panel.add(input * PANEL + 8));
                for (sums, row) in sums.iter_mut().zip(pointers) {
                    let value = _mm256_broadcast_ss(&*row.add(input));
                    sums[0] = _mm256_fmadd_ps(value, left, sums[0]);
                    sums[1] = _mm256_fmadd_ps(value, right, sums[1]);
                }
            }
        }
        for (row, sums) in tile.iter_mut().zip(sums) {
            // SAFETY: a row of a tile has 16 numbers.
            unsafe {
                _mm256_storeu_ps(row.as_mut_ptr(), sums[0]);
                _mm256_storeu_ps(row.as_mut_ptr().add(8), sums[1]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::numbers;
    use super::*;

    #[test]
    fn wide_and_narrow_registers_give_the_same_digits_for_any_number_of_rows() {
        let panels = SinglePanels::new(&numbers(PANEL * 100, 7), 100);
        for rows in 1..=TILE {
            let x = numbers(rows * 100, 6);
            let sums = |instructions| {
                let mut tile = [[0.0; PANEL]; TILE];
                products(instructions, &x, &panels.values, &mut tile);
                tile[..rows].to_vec()
            };
            // Without fused multiply-add the last digits are others.
            let fused = Instructions::available().filter(|instructions| *instructions > Instructions::Portable);
            for instructions in fused {
                assert_eq!(sums(instructions), sums(Instructions::Avx2), "{instructions:?}");
            }
            let pairs = sums(Instructions::best()).concat().into_iter().zip(sums(Instructions::Portable).concat());
            pairs.for_each(|(best, portable)| assert!((best - portable).abs() < 1e-5, "{best} {portable}"));
        }
    }
}
