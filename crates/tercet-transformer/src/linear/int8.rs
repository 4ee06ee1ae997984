//! Tiles with 8-bit weights and activations of up to 15 bits.
//!
//! Weights of an output have one scale, activations of a token have one scale. Inputs whose weights are large would
//! make the steps of all others coarse; so the weights of an input are divided by the square root of the largest of
//! them, and its activations, which have bits to spare, are multiplied by it (after SmoothQuant: Xiao et al., 2023). The sums of products are whole numbers that
//! fit into 32 bits, because activations are rounded to fewer bits the more inputs there are ([`limit`]); so every
//! processor gives the same digits.

use super::{PANEL, TILE, Tile};
use crate::instructions::widest;

/// The largest absolute value of a weight.
const LARGEST: f32 = 127.0;

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
        let factors = factors(weights, inputs);
        let mut values = Vec::with_capacity(weights.len());
        let mut scales = Vec::with_capacity(weights.len() / inputs);
        for row in weights.chunks_exact(inputs) {
            let row: Vec<f32> = row.iter().zip(&factors).map(|(weight, factor)| weight / factor).collect();
            let scale = scale_of(&row);
            scales.push(scale);
            values.extend(row.iter().map(|weight| rounded(*weight, scale)));
        }
        Int8Panels { factors, ..Int8Panels::stored(&values, scales, inputs) }
    }

    /// From integers row by row, each row with its scale.
    pub fn stored(rows: &[i8], scales: Vec<f32>, inputs: usize) -> Self {
        let pairs = inputs.div_ceil(2);
        let mut values = vec![0; scales.len().div_ceil(PANEL) * PANEL * pairs * 2];
        for (output, row) in rows.chunks_exact(inputs).enumerate() {
            let start = output / PANEL * PANEL * pairs * 2 + output % PANEL * 2;
            for (pair, two) in row.chunks(2).enumerate() {
                values[start + pair * PANEL * 2..][..two.len()].copy_from_slice(two);
            }
        }
        Int8Panels { pairs, values, scales, factors: vec![1.0; inputs] }
    }

    pub fn each(&self) -> impl Iterator<Item = &[i8]> {
        self.values.chunks_exact(PANEL * self.pairs * 2)
    }

    pub fn scales(&self) -> &[f32] {
        &self.scales
    }

    /// By what the activation of each input is multiplied.
    pub fn factors(&self) -> &[f32] {
        &self.factors
    }
}

/// The square root of each input's largest weight; 1 where all are 0.
fn factors(weights: &[f32], inputs: usize) -> Vec<f32> {
    let mut largest = vec![0.0f32; inputs];
    for row in weights.chunks_exact(inputs) {
        largest.iter_mut().zip(row).for_each(|(largest, weight)| *largest = largest.max(weight.abs()));
    }
    largest.iter().map(|largest| if *largest > 0.0 { largest.sqrt() } else { 1.0 }).collect()
}

/// The scale of a row of weights, by which its largest becomes 127.
pub(crate) fn scale_of(row: &[f32]) -> f32 {
    row.iter().fold(0.0f32, |largest, weight| largest.max(weight.abs())) / LARGEST
}

/// A weight as a whole multiple of a scale.
pub(crate) fn rounded(weight: f32, scale: f32) -> i8 {
    if scale == 0.0 { 0 } else { (weight / scale).round().clamp(-LARGEST, LARGEST) as i8 }
}

/// The largest absolute value of an activation, by which no sum exceeds 32 bits.
fn limit(inputs: usize) -> f32 {
    (i32::MAX as usize / (inputs * LARGEST as usize)).clamp(1, i16::MAX as usize) as f32
}

/// Rows of activations as whole numbers, padded to an even number of inputs.
#[derive(Debug, Default)]
pub(crate) struct QuantisedRows {
    inputs: usize,
    values: Vec<i16>,
    scales: Vec<f32>,
    row: Vec<f32>,
}

/// Up to [`TILE`] rows.
pub(super) struct TileRows<'a> {
    pub values: &'a [i16],
    pub scales: &'a [f32],
}

impl QuantisedRows {
    /// Rounds rows whose inputs are multiplied by these factors first.
    pub fn quantise(&mut self, rows: &[f32], factors: &[f32]) {
        let inputs = factors.len();
        self.inputs = inputs.next_multiple_of(2);
        self.row.resize(inputs, 0.0);
        self.values.resize(rows.len() / inputs * self.inputs, 0);
        self.scales.resize(rows.len() / inputs, 0.0);
        quantise_rows(rows, factors, limit(inputs), &mut self.row, &mut self.values, &mut self.scales);
    }

    pub(super) fn tiles(&self) -> impl Iterator<Item = TileRows<'_>> {
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
            let largest = largest(scaled);
            *scale = largest / limit;
            let factor = if largest > 0.0 { limit / largest } else { 0.0 };
            for (value, number) in values.iter_mut().zip(scaled.iter()) {
                *value = (number * factor + ROUND).to_bits() as i16;
            }
            values[inputs..].fill(0);
        }
    }
}

/// The largest absolute value.
#[inline(always)]
fn largest(row: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 16];
    let chunks = row.chunks_exact(16);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, number)| *lane = lane.max(number.abs()));
    }
    rest.iter().chain(&lanes).fold(0.0f32, |largest, number| largest.max(number.abs()))
}

/// The products of up to [`TILE`] rows with a panel. Rows that are not there repeat the first one.
#[allow(unsafe_code)]
pub(super) fn tile(rows: &[i16], panel: &[i8], tile: &mut Tile<i32>) {
    let inputs = panel.len() / PANEL;
    let starts = super::row_starts(rows.len(), inputs);
    match crate::instructions::Instructions::best() {
        // SAFETY: the processor has AVX2; each start is followed by `inputs` numbers of `rows`, because `row_starts`
        // counts whole rows only; the panel has `inputs` times `PANEL` numbers, and `inputs` is even.
        #[cfg(target_arch = "x86_64")]
        crate::instructions::Instructions::Avx2 => unsafe { avx2::tile(rows, starts, panel, inputs, tile) },
        _ => portable(rows, starts, panel, tile),
    }
}

/// The same sums without vector instructions of our own.
pub(super) fn portable(rows: &[i16], starts: [usize; TILE], panel: &[i8], tile: &mut Tile<i32>) {
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
    use super::{PANEL, TILE, Tile};
    use std::arch::x86_64::*;

    /// # Safety
    /// Each start must be followed by `inputs` numbers of `rows`, and the panel must have `inputs` × `PANEL` numbers;
    /// `inputs` must be even.
    #[target_feature(enable = "avx2")]
    pub unsafe fn tile(
        rows: &[i16],
        starts: [usize; TILE],
        panel: &[i8],
        inputs: usize,
        tile: &mut Tile<i32>,
    ) {
        let pointers = starts.map(|start| unsafe { rows.as_ptr().add(start) });
        let panel = panel.as_ptr();
        let mut sums = [[_mm256_setzero_si256(); 2]; TILE];
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
