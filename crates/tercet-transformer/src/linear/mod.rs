//! Products with weights: x·Wᵀ + b for many rows x.
//!
//! Weights are kept in panels of a few outputs, side by side in the order in which a kernel reads them. A kernel
//! computes a tile of a few rows and one panel, with all its sums in registers. Every sum runs over the inputs in the
//! same order (that of integers is exact), so an output does not depend on the rows around it.

mod int8;
mod seven_bits;
mod single;

pub(crate) use int8::{rounded, scale_of};

use crate::Precision;
use int8::{Int8Panels, QuantisedRows};
use seven_bits::{MAX_INPUTS, RoundedRows, SevenBitPanels};
use single::SinglePanels;

/// Outputs of a panel.
const PANEL: usize = 16;
/// Rows that go through all panels together: their inputs and outputs stay in the second-level cache.
pub(crate) const ROWS: usize = 32;

/// A linear map of `inputs` to `outputs` numbers.
#[derive(Debug)]
pub(crate) struct Linear {
    inputs: usize,
    outputs: usize,
    bias: Vec<f32>,
    panels: Panels,
}

#[derive(Debug)]
enum Panels {
    Single(SinglePanels),
    Int8(Int8Panels),
    SevenBits(SevenBitPanels),
}

/// Space for activations as whole numbers.
#[derive(Debug, Default)]
pub(crate) struct WholeNumbers {
    quantised: QuantisedRows,
    rounded: RoundedRows,
}

impl Linear {
    /// From weights, one row of `inputs` numbers per output, and one bias per output.
    pub fn new(weights: &[f32], bias: Vec<f32>, precision: Precision) -> Self {
        let outputs = bias.len();
        let inputs = weights.len() / outputs;
        let panels = match precision {
            Precision::Single => Panels::Single(SinglePanels::new(weights, inputs)),
            Precision::Int8 => Panels::Int8(Int8Panels::new(weights, inputs)),
        };
        Linear { inputs, outputs, bias, panels }
    }

    /// From weights that are stored as 8-bit integers. They are used with 7 bits: models are stored so if they were
    /// measured with it. They keep 8 bits if there are more inputs than sums of 7-bit products can have.
    pub fn of_stored_integers(weights: &[f32], bias: Vec<f32>) -> Self {
        let (outputs, inputs) = (bias.len(), weights.len() / bias.len());
        if inputs > MAX_INPUTS {
            return Linear::new(weights, bias, Precision::Int8);
        }
        Linear { inputs, outputs, bias, panels: Panels::SevenBits(SevenBitPanels::new(weights, inputs)) }
    }

    /// Number of inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The outputs of some rows.
    pub fn apply(&self, rows: &[f32], outputs: &mut [f32], scratch: &mut WholeNumbers) {
        let blocks = rows.chunks(ROWS * self.inputs).zip(outputs.chunks_mut(ROWS * self.outputs));
        for (rows, outputs) in blocks {
            match &self.panels {
                Panels::Single(panels) => panels.apply(rows, &self.bias, outputs),
                Panels::Int8(panels) => panels.apply(rows, &self.bias, outputs, &mut scratch.quantised),
                Panels::SevenBits(panels) => panels.apply(rows, &self.bias, outputs, &mut scratch.rounded),
            }
        }
    }
}

/// The outputs of a panel; the last one may have fewer.
fn columns(panel: usize, outputs: usize) -> std::ops::Range<usize> {
    panel * PANEL..outputs.min((panel + 1) * PANEL)
}

#[cfg(test)]
mod tests;
