//! Products of 7-bit weights with 8-bit activations: half the instructions of `int8`, for models that were measured
//! with them.
//!
//! Weights of an output have one scale and are from −63 to 63; activations of a token have one scale and are from 1 to
//! 255, 128 being zero. Inputs whose weights are large would make the steps of all others coarse, so some of their size
//! is moved into the activations, as in `int8` ([`factors`]). Sums of products are whole numbers without rounding, so
//! every processor gives the same digits: [`vnni`] is for processors that add up products of bytes in 32 bits,
//! [`short_sums`] for all others.

mod short_sums;
#[cfg(target_arch = "x86_64")]
mod vnni;

use super::int8::factors;
use rayon::prelude::*;
use tercet_math::rows::largest_absolute;
use tercet_math::{Instructions, widest};

/// Rows have a whole number of groups of inputs.
const GROUP: usize = 8;
/// The largest absolute value of a weight.
const MAX_WEIGHT: f32 = 63.0;
/// The largest absolute value of an activation.
const MAX_ACTIVATION: f32 = 127.0;
/// The byte that stands for zero.
const ZERO: i32 = 128;
/// Most inputs whose sums always fit into 32 bits.
pub(super) const MAX_INPUTS: usize = i32::MAX as usize / (2 * u8::MAX as usize * MAX_WEIGHT as usize);

/// The weights, their scales and the factors of activations.
#[derive(Debug)]
pub(super) struct SevenBitPanels {
    panels: Panels,
    scales: Vec<f32>,
    factors: Vec<f32>,
}

/// Weights of a few outputs together, in the order in which a kernel reads them.
#[derive(Debug)]
enum Panels {
    ShortSums(Vec<short_sums::Panel>, Instructions),
    #[cfg(target_arch = "x86_64")]
    Vnni(Vec<vnni::Panel>),
}

/// Rows of numbers as bytes, [`ZERO`] being zero, and by what the bytes of each are multiplied.
#[derive(Debug, Default)]
pub(super) struct RoundedRows {
    bytes: Vec<u8>,
    scales: Vec<f32>,
    row: Vec<f32>,
}

/// What sums are multiplied by, and what is added to them: one of each per output.
#[derive(Clone, Copy)]
struct Columns<'a> {
    scales: &'a [f32],
    bias: &'a [f32],
}

impl SevenBitPanels {
    pub fn new(weights: &[f32], inputs: usize) -> Self {
        SevenBitPanels::with(weights, inputs, Instructions::best())
    }

    /// For these instructions, which the processor must have.
    fn with(weights: &[f32], inputs: usize, instructions: Instructions) -> Self {
        assert!(inputs <= MAX_INPUTS, "sums of {inputs} products may not fit into 32 bits");
        let factors = factors(weights, inputs);
        let (panels, scales) = match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                let (panels, scales) = panels(weights, &factors, vnni::PANEL, vnni::Panel::new);
                (Panels::Vnni(panels), scales)
            }
            _ => {
                let (panels, scales) = panels(weights, &factors, short_sums::PANEL, short_sums::Panel::new);
                (Panels::ShortSums(panels, instructions), scales)
            }
        };
        SevenBitPanels { panels, scales, factors }
    }

    /// The outputs of rows: x·Wᵀ + b.
    pub fn apply(&self, rows: &[f32], bias: &[f32], outputs: &mut [f32], rounded: &mut RoundedRows) {
        rounded.round(rows, &self.factors, MAX_ACTIVATION);
        let columns = Columns { scales: &self.scales, bias };
        match &self.panels {
            Panels::ShortSums(panels, instructions) => {
                short_sums::apply(panels, *instructions, rounded, columns, outputs);
            }
            #[cfg(target_arch = "x86_64")]
            Panels::Vnni(panels) => vnni::apply(panels, rounded, columns, outputs),
        }
    }
}

/// Rounds weights, and makes a panel of the bytes of every `outputs` rows of them; the last one is filled up with
/// zeros.
fn panels<P: Send>(
    weights: &[f32],
    factors: &[f32],
    outputs: usize,
    panel: impl Fn(&[u8]) -> P + Sync,
) -> (Vec<P>, Vec<f32>) {
    let inputs = factors.len();
    let inverse: Vec<f32> = factors.iter().map(|factor| 1.0 / factor).collect();
    let rounded_panel = |rows: &[f32]| {
        let mut rounded = RoundedRows::default();
        rounded.round(rows, &inverse, MAX_WEIGHT);
        rounded.bytes.resize(outputs * inputs.next_multiple_of(GROUP), ZERO as u8);
        (panel(&rounded.bytes), rounded.scales)
    };
    // A block at a time, because that is enough work for a thread.
    let blocks = weights.par_chunks(256usize.next_multiple_of(outputs) * inputs);
    let made = blocks.flat_map_iter(|block| block.chunks(outputs * inputs).map(rounded_panel));
    let (panels, scales): (Vec<P>, Vec<Vec<f32>>) = made.unzip();
    (panels, scales.concat())
}

impl RoundedRows {
    /// Rounds rows whose numbers are multiplied by these factors first, so that the largest of a row becomes `most`.
    fn round(&mut self, rows: &[f32], factors: &[f32], most: f32) {
        let (inputs, padded) = (factors.len(), factors.len().next_multiple_of(GROUP));
        self.row.resize(inputs, 0.0);
        self.bytes.resize(rows.len() / inputs * padded, 0);
        self.scales.resize(rows.len() / inputs, 0.0);
        round_rows(rows, factors, most, &mut self.row, &mut self.bytes, &mut self.scales);
    }

    /// Rows a few at a time, and their scales.
    fn tiles(&self, rows: usize) -> impl Iterator<Item = (&[u8], &[f32])> {
        let bytes_of_row = self.bytes.len() / self.scales.len().max(1);
        self.bytes.chunks((rows * bytes_of_row).max(1)).zip(self.scales.chunks(rows))
    }
}

widest! {
    pub(crate) fn round_rows(
        rows: &[f32],
        factors: &[f32],
        most: f32,
        scaled: &mut [f32],
        bytes: &mut [u8],
        scales: &mut [f32],
    ) {
        // Adding 1.5·2²³ leaves the rounded number in the low bits.
        const ROUND: f32 = 12_582_912.0 + ZERO as f32;
        let inputs = factors.len();
        let bytes = bytes.chunks_exact_mut(inputs.next_multiple_of(GROUP));
        for ((row, bytes), scale) in rows.chunks_exact(inputs).zip(bytes).zip(scales) {
            for ((scaled, number), factor) in scaled.iter_mut().zip(row).zip(factors) {
                *scaled = number * factor;
            }
            let largest = largest_absolute(scaled);
            *scale = largest / most;
            let factor = most / largest;
            let factor = if factor.is_finite() { factor } else { 0.0 };
            for (byte, number) in bytes.iter_mut().zip(scaled.iter()) {
                *byte = (number * factor + ROUND).to_bits() as u8;
            }
            bytes[inputs..].fill(ZERO as u8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::numbers;
    use super::*;

    #[test]
    fn every_set_of_instructions_gives_the_same_digits_at_any_shape() {
        for (rows, inputs, count) in [(1, 1, 1), (7, 5, 17), (8, 96, 32), (33, 100, 47), (50, 384, 24)] {
            let (x, weights, bias) = (numbers(rows * inputs, 1), numbers(count * inputs, 2), numbers(count, 3));
            let outputs = |instructions| {
                let mut outputs = vec![0.0; rows * count];
                let panels = SevenBitPanels::with(&weights, inputs, instructions);
                panels.apply(&x, &bias, &mut outputs, &mut RoundedRows::default());
                outputs
            };
            let portable = outputs(Instructions::Portable);
            for instructions in Instructions::available() {
                assert_eq!(outputs(instructions), portable, "{instructions:?}: {rows} {inputs} {count}");
            }
        }
    }
}
