//! Tiles in single precision.

use super::{PANEL, TILE, Tile};

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

    pub fn each(&self) -> impl Iterator<Item = &[f32]> {
        self.values.chunks_exact(PANEL * self.inputs)
    }
}

/// The products of up to [`TILE`] rows with a panel. Rows that are not there repeat the first one.
#[allow(unsafe_code)]
pub(super) fn tile(rows: &[f32], panel: &[f32], tile: &mut Tile<f32>) {
    let inputs = panel.len() / PANEL;
    let starts = super::row_starts(rows.len(), inputs);
    match crate::instructions::Instructions::best() {
        // SAFETY: the processor has AVX2 and FMA; each start is followed by `inputs` numbers of `rows`, because
        // `row_starts` counts whole rows only, and the panel has `inputs` times `PANEL` numbers.
        #[cfg(target_arch = "x86_64")]
        crate::instructions::Instructions::Avx2 => unsafe { avx2::tile(rows, starts, panel, inputs, tile) },
        _ => portable(rows, starts, panel, tile),
    }
}

/// The same sums without fused multiply-add.
pub(super) fn portable(rows: &[f32], starts: [usize; TILE], panel: &[f32], tile: &mut Tile<f32>) {
    for (sums, start) in tile.iter_mut().zip(starts) {
        let mut row_sums = [0.0; PANEL];
        for (value, weights) in rows[start..].iter().zip(panel.chunks_exact(PANEL)) {
            row_sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
        }
        *sums = row_sums;
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::{PANEL, TILE, Tile};
    use std::arch::x86_64::*;

    /// # Safety
    /// Each start must be followed by `inputs` numbers of `rows`, and the panel must have `inputs` × `PANEL` numbers.
    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn tile(
        rows: &[f32],
        starts: [usize; TILE],
        panel: &[f32],
        inputs: usize,
        tile: &mut Tile<f32>,
    ) {
        let pointers = starts.map(|start| unsafe { rows.as_ptr().add(start) });
        let panel = panel.as_ptr();
        let mut sums = [[_mm256_setzero_ps(); 2]; TILE];
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
