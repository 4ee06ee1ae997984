//! Tiles with 8-bit weights and activations of up to 15 bits.
//!
//! Weights of an output have one scale, activations of a token have one scale. Inputs whose weights are large would
//! make the steps of all others coarse; so the weights of an input are divided by the square root of the largest of
//! them, and its activations, which have bits to spare, are multiplied by it (after SmoothQuant: Xiao et al., 2023).
//! The sums of products are whole numbers that fit into 32 bits, because activations are rounded to fewer bits the more
//! inputs there are ([`limit`]); so every processor gives the same digits.

use super::single::{TILE, halves, row_starts};
use super::{PANEL, columns};
use tercet_math::rows::largest_absolute;
use tercet_math::{Instructions, widest};

/// The products of a tile, row by row.
type Tile = [[i32; PANEL]; TILE];

/// The largest absolute value of a weight.
const MAX_WEIGHT: f32 = 127.0;

/// Weights in panels: for each pair of inputs, the two weights of each of the panel's outputs.
#[derive(Debug)]
pub(super) struct Int8Panels {
    pairs: usize,
    values: Vec<i8>,
    scales: Vec<f32>,
    factors: Vec<f32>,
}

impl Int8Panels {
    pub fn new(weights: &[f32], inputs: usize) -> Self {
        let pairs = inputs.div_ceil(2);
        let factors = factors(weights, inputs);
        let mut values = vec![0; (weights.len() / inputs).div_ceil(PANEL) * PANEL * pairs * 2];
        let mut scales = Vec::with_capacity(weights.len() / inputs);
        for (output, row) in weights.chunks_exact(inputs).enumerate() {
            let row: Vec<f32> = row.iter().zip(&factors).map(|(weight, factor)| weight / factor).collect();
            let scale = scale_of(&row);
            scales.push(scale);
            let start = output / PANEL * PANEL * pairs * 2 + output % PANEL * 2;
            for (input, weight) in row.iter().enumerate() {
                values[start + input / 2 * PANEL * 2 + input % 2] = rounded(*weight, scale);
            }
        }
        Int8Panels { pairs, values, scales, factors }
    }

    /// The outputs of rows: x·Wᵀ + b.
    pub fn apply(&self, rows: &[f32], bias: &[f32], outputs: &mut [f32], quantised: &mut QuantisedRows) {
        quantised.quantise(rows, &self.factors);
        let (instructions, mut tile) = (Instructions::best(), [[0; PANEL]; TILE]);
        for (number, panel) in self.values.chunks_exact(PANEL * self.pairs * 2).enumerate() {
            let columns = columns(number, bias.len());
            let (bias_of_panel, scales) = (&bias[columns.clone()], &self.scales[columns.clone()]);
            for (rows, outputs) in quantised.tiles().zip(outputs.chunks_mut(TILE * bias.len())) {
                products(instructions, rows.values, panel, &mut tile);
                for ((row, sums), scale) in outputs.chunks_exact_mut(bias.len()).zip(&tile).zip(rows.scales) {
                    let row = row[columns.clone()].iter_mut();
                    for (((output, sum), bias), of_column) in row.zip(sums).zip(bias_of_panel).zip(scales) {
                        *output = *sum as f32 * (scale * of_column) + bias;
                    }
                }
            }
        }
    }
}

/// By what the activation of each input is multiplied, and its weights are divided: the square root of its largest
/// weight; 1 where all are 0.
pub(super) fn factors(weights: &[f32], inputs: usize) -> Vec<f32> {
    let mut largest = vec![0.0f32; inputs];
    for row in weights.chunks_exact(inputs) {
        largest.iter_mut().zip(row).for_each(|(largest, weight)| *largest = largest.max(weight.abs()));
    }
    largest.iter().map(|largest| if *largest > 0.0 { largest.sqrt() } else { 1.0 }).collect()
}

/// The scale of a row of weights, by which its largest becomes 127.
pub(crate) fn scale_of(row: &[f32]) -> f32 {
    row.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs())) / MAX_WEIGHT
}

/// A weight as a whole multiple of a scale.
pub(crate) fn rounded(weight: f32, scale: f32) -> i8 {
    if scale == 0.0 { 0 } else { (weight / scale).round().clamp(-MAX_WEIGHT, MAX_WEIGHT) as i8 }
}

/// The largest absolute value of an activation, by which no sum exceeds 32 bits.
fn limit(inputs: usize) -> f32 {
    (i32::MAX as usize / (inputs * MAX_WEIGHT as usize)).clamp(1, i16::MAX as usize) as f32
}

/// Rows of activations as whole numbers, padded to an even number of inputs.
#[derive(Debug, Default)]
pub(super) struct QuantisedRows {
    inputs: usize,
    values: Vec<i16>,
    scales: Vec<f32>,
    row: Vec<f32>,
}

/// Up to [`TILE`] rows.
struct TileRows<'a> {
    pub values: &'a [i16],
    pub scales: &'a [f32],
}

impl QuantisedRows {
    /// Rounds rows whose inputs are multiplied by these factors first.
    fn quantise(&mut self, rows: &[f32], factors: &[f32]) {
        let inputs = factors.len();
        self.inputs = inputs.next_multiple_of(2);
        self.row.resize(inputs, 0.0);
        self.values.resize(rows.len() / inputs * self.inputs, 0);
        self.scales.resize(rows.len() / inputs, 0.0);
        quantise_rows(rows, factors, limit(inputs), &mut self.row, &mut self.values, &mut self.scales);
    }

    fn tiles(&self) -> impl Iterator<Item = TileRows<'_>> {
        let tiles = self.values.chunks(TILE * self.inputs).zip(self.scales.chunks(TILE));
        tiles.map(|(values, scales)| TileRows { values, scales })
    }
}

widest! {
    pub(crate) fn quantise_rows(
        rows: &[f32],
        factors: &[f32],
        limit: f32,
        scaled: &mut [f32],
        values: &mut [i16],
        scales: &mut [f32],
    ) {
        // Adding 1.5·2²³ leaves the rounded number in the low bits.
        const ROUND: f32 = 12_582_912.0;
        let inputs = factors.len();
        let rows = rows.chunks_exact(inputs);
        for ((row, values), scale) in
            rows.zip(values.chunks_exact_mut(inputs.next_multiple_of(2))).zip(scales)
        {
            for ((scaled, number), factor) in scaled.iter_mut().zip(row).zip(factors) {
                *scaled = number * factor;
            }
            let largest = largest_absolute(scaled);
            *scale = largest / limit;
            let factor = if largest > 0.0 { limit / largest } else { 0.0 };
            for (value, number) in values.iter_mut().zip(scaled.iter()) {
                *value = (number * factor + ROUND).to_bits() as i16;
            }
            values[inputs..].fill(0);
        }
    }
}

/// The products of up to [`TILE`] rows with a panel. Rows that are not there repeat the first one.
#[allow(unsafe_code)]
fn products(instructions: Instructions, rows: &[i16], panel: &[i8], tile: &mut Tile) {
    let inputs = panel.len() / PANEL;
    let starts = row_starts(rows.len(), inputs);
    match instructions {
        Instructions::Portable => portable(rows, starts, panel, tile),
        // SAFETY: the processor has the instructions; each start is followed by `inputs` numbers of `rows`, because
        // `row_starts` counts whole rows only; the panel has `inputs` times `PANEL` numbers, and `inputs` is even.
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

/// The same sums without vector instructions of our own.
fn portable(rows: &[i16], starts: [usize; TILE], panel: &[i8], tile: &mut Tile) {
    for (sums, start) in tile.iter_mut().zip(starts) {
        let mut row_sums = [0; PANEL];
        for (pair, weights) in rows[start..].chunks_exact(2).zip(panel.chunks_exact(2 * PANEL)) {
            for (sum, two) in row_sums.iter_mut().zip(weights.chunks_exact(2)) {
                *sum += i32::from(pair[0]) * i32::from(two[0]) + i32::from(pair[1]) * i32::from(two[1]);
            }
        }
        *sums = row_sums;
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2 {
    use super::super::single::HALF_TILE;
    use super::PANEL;
    use std::arch::x86_64::*;

    /// # Safety
    /// Each start must be followed by `inputs` numbers of `rows`, and the panel must have `inputs` × `PANEL` numbers;
    /// `inputs` must be even.
    #[target_feature(enable = "avx2")]
    pub unsafe fn tile(
        rows: &[i16],
        starts: [usize; HALF_TILE],
        panel: &[i8],
        inputs: usize,
        tile: &mut [[i32; PANEL]; HALF_TILE],
    ) {
        // SAFETY: each start is followed by `inputs` numbers of `rows`, so it lies within them.
        let pointers = starts.map(|start| unsafe { rows.as_ptr().add(start) });
        let panel = panel.as_ptr();
        let mut sums = [[_mm256_setzero_si256(); 2]; HALF_TILE];
        for pair in 0..inputs / 2 {
            // SAFETY: see above; a pair is two 16-bit numbers of a row, and 32 weights.
            unsafe {
                let weights = panel.add(pair * 2 * PANEL).cast::<__m128i>();
                let left = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights));
                let right = _mm256_cvtepi8_epi16(_mm_loadu_si128(weights.add(1)));
                for (sums, row) in sums.iter_mut().zip(pointers) {
                    let values = _mm256_set1_epi32(row.add(2 * pair).cast::<i32>().read_unaligned());
                    sums[0] = _mm256_add_epi32(sums[0], _mm256_madd_epi16(values, left));
                    sums[1] = _mm256_add_epi32(sums[1], _mm256_madd_epi16(values, right));
                }
            }
        }
        for (row, sums) in tile.iter_mut().zip(sums) {
            // SAFETY: a row of a tile has 16 numbers.
            unsafe {
                _mm256_storeu_si256(row.as_mut_ptr().cast(), sums[0]);
                _mm256_storeu_si256(row.as_mut_ptr().add(8).cast(), sums[1]);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512 {
    use super::{PANEL, TILE, Tile};
    use std::arch::x86_64::*;

    /// # Safety
    /// As for `avx2::tile`.
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
    pub unsafe fn tile(rows: &[i16], starts: [usize; TILE], panel: &[i8], inputs: usize, tile: &mut Tile) {
        // SAFETY: each start is followed by `inputs` numbers of `rows`, so it lies within them.
        let pointers = starts.map(|start| unsafe { rows.as_ptr().add(start) });
        let panel = panel.as_ptr();
        let mut sums = [_mm512_setzero_si512(); TILE];
        for pair in 0..inputs / 2 {
            // SAFETY: see above; a pair is two 16-bit numbers of a row, and 32 weights.
            unsafe {
                let weights = panel.add(pair * 2 * PANEL).cast::<__m256i>();
                let weights = _mm512_cvtepi8_epi16(_mm256_loadu_si256(weights));
                for (sum, row) in sums.iter_mut().zip(pointers) {
                    let values = _mm512_set1_epi32(row.add(2 * pair).cast::<i32>().read_unaligned());
                    *sum = _mm512_dpwssd_epi32(*sum, values, weights);
                }
            }
        }
        for (row, sum) in tile.iter_mut().zip(sums) {
            // SAFETY: a row of a tile has 16 numbers.
            unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), sum) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::numbers;
    use super::*;

    #[test]
    fn every_set_of_instructions_gives_the_same_sums() {
        let mut rows = QuantisedRows::default();
        rows.quantise(&numbers(TILE * 1536, 6), &[1.0; 1536]);
        let panels = Int8Panels::new(&numbers(16 * 1536, 7), 1536);
        let mut plain = [[1; PANEL]; TILE];
        portable(&rows.values, row_starts(TILE * 1536, 1536), &panels.values, &mut plain);
        for instructions in Instructions::available() {
            let mut tile = [[0; PANEL]; TILE];
            products(instructions, &rows.values, &panels.values, &mut tile);
            assert_eq!(tile, plain, "{instructions:?}");
        }
    }
}
