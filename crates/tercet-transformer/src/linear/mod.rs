//! Products with weights: x·Wᵀ + b for many rows x.
//!
//! Weights are kept in panels of [`PANEL`] outputs: for each input, the weights of all outputs of the panel side by side. A
//! kernel computes a tile of [`TILE`] rows and one panel, with all its sums in registers. Every sum runs over the
//! inputs in order, so an output does not depend on the rows around it.

mod int8;
mod single;

pub(crate) use int8::{QuantisedRows, rounded, scale_of};

use crate::Precision;
use crate::weights::Rows;
use int8::Int8Panels;
use single::SinglePanels;

/// Outputs of a panel.
const PANEL: usize = 16;
/// Rows of a tile.
const TILE: usize = 6;
/// Rows that go through all panels together: their inputs and outputs stay in the second-level cache.
pub(crate) const ROWS: usize = 48;

/// The outputs of a tile, row by row.
type Tile<T> = [[T; PANEL]; TILE];

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

    /// The same; weights that are stored as 8-bit integers stay so.
    pub fn from_rows(rows: Rows, bias: Vec<f32>, precision: Precision) -> Self {
        match rows {
            Rows::Single(weights) => Linear::new(&weights, bias, precision),
            Rows::Int8 { values, scales } => {
                let (outputs, inputs) = (bias.len(), values.len() / bias.len());
                let panels = Panels::Int8(Int8Panels::stored(&values, scales, inputs));
                Linear { inputs, outputs, bias, panels }
            }
        }
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
    pub fn apply(&self, rows: &[f32], outputs: &mut [f32], scratch: &mut QuantisedRows) {
        let blocks = rows.chunks(ROWS * self.inputs).zip(outputs.chunks_mut(ROWS * self.outputs));
        for (rows, outputs) in blocks {
            match &self.panels {
                Panels::Single(panels) => self.single(panels, rows, outputs),
                Panels::Int8(panels) => {
                    scratch.quantise(rows, panels.factors());
                    self.int8(panels, scratch, outputs);
                }
            }
        }
    }

    fn single(&self, panels: &SinglePanels, rows: &[f32], outputs: &mut [f32]) {
        let mut tile = [[0.0; PANEL]; TILE];
        for (number, panel) in panels.each().enumerate() {
            let columns = self.columns(number);
            let bias = &self.bias[columns.clone()];
            let tiles = rows.chunks(TILE * self.inputs).zip(outputs.chunks_mut(TILE * self.outputs));
            for (rows, outputs) in tiles {
                single::tile(rows, panel, &mut tile);
                for (row, sums) in outputs.chunks_exact_mut(self.outputs).zip(&tile) {
                    let row = row[columns.clone()].iter_mut();
                    row.zip(sums).zip(bias).for_each(|((output, sum), bias)| *output = sum + bias);
                }
            }
        }
    }

    fn int8(&self, panels: &Int8Panels, rows: &QuantisedRows, outputs: &mut [f32]) {
        let mut tile = [[0; PANEL]; TILE];
        for (number, panel) in panels.each().enumerate() {
            let columns = self.columns(number);
            let (bias, scales) = (&self.bias[columns.clone()], &panels.scales()[columns.clone()]);
            for (rows, outputs) in rows.tiles().zip(outputs.chunks_mut(TILE * self.outputs)) {
                int8::tile(rows.values, panel, &mut tile);
                for ((row, sums), scale) in outputs.chunks_exact_mut(self.outputs).zip(&tile).zip(rows.scales)
                {
                    let row = row[columns.clone()].iter_mut();
                    for (((output, sum), bias), of_column) in row.zip(sums).zip(bias).zip(scales) {
                        *output = *sum as f32 * (scale * of_column) + bias;
                    }
                }
            }
        }
    }

    /// The outputs of a panel; the last one may have fewer.
    fn columns(&self, panel: usize) -> std::ops::Range<usize> {
        panel * PANEL..self.outputs.min((panel + 1) * PANEL)
    }
}

#[cfg(test)]
mod tests;

/// Where the rows of a tile start in a slice of whole rows; rows that are not there repeat the first one.
fn row_starts(length: usize, inputs: usize) -> [usize; TILE] {
    let rows = length / inputs;
    assert!(rows > 0, "a tile has at least one row");
    std::array::from_fn(|row| if row < rows { row * inputs } else { 0 })
}
