//! The kernel of AVX-512 with VNNI, whose one instruction multiplies 64 bytes and adds the products up, four by four,
//! in 32 bits.
#![allow(unsafe_code)]

use super::{Columns, RoundedRows, ZERO};
use std::arch::x86_64::*;

/// Outputs of a panel: their sums fit into a register.
pub const PANEL: usize = 16;
/// Inputs whose products are added up by one instruction.
const INPUTS: usize = 4;
/// Rows of a tile: with two panels, their sums take half of the registers.
const TILE: usize = 8;

/// The weights of a few outputs, and what their sums start from: minus the products of the weights with [`ZERO`].
#[derive(Debug)]
pub struct Panel {
    weights: Vec<Register>,
    starts: [i32; PANEL],
}

/// Four weights of each output.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Register([i8; INPUTS * PANEL]);

impl Panel {
    /// From the rounded weights of [`PANEL`] outputs.
    pub fn new(bytes: &[u8]) -> Self {
        let inputs = bytes.len() / PANEL;
        let mut panel = Panel { weights: vec![Register([0; INPUTS * PANEL]); inputs / INPUTS], starts: [0; PANEL] };
        for (output, row) in bytes.chunks_exact(inputs).enumerate() {
            for (register, four) in panel.weights.iter_mut().zip(row.chunks_exact(INPUTS)) {
                for (weight, byte) in register.0[INPUTS * output..].iter_mut().zip(four) {
                    *weight = (i32::from(*byte) - ZERO) as i8;
                    panel.starts[output] -= ZERO * i32::from(*weight);
                }
            }
        }
        panel
    }
}

/// The outputs of rows. The processor must have AVX-512 with VNNI.
pub fn apply(panels: &[Panel], rows: &RoundedRows, columns: Columns<'_>, outputs: &mut [f32]) {
    let count = columns.bias.len();
    for (number, panels) in panels.chunks(2).enumerate() {
        let first = number * 2 * PANEL;
        for ((bytes, scales), outputs) in rows.tiles(TILE).zip(outputs.chunks_mut(TILE * count)) {
            let tile = Tile { bytes, scales, first, columns };
            // SAFETY: panels of this kind are only made if the processor has the instructions.
            match panels {
                [left, right] => unsafe { tile.products([left, right], outputs) },
                [single] => unsafe { tile.products([single], outputs) },
                _ => {}
            }
        }
    }
}

/// Rows with the first of the outputs that are computed, and what makes numbers of their sums.
struct Tile<'a> {
    bytes: &'a [u8],
    scales: &'a [f32],
    first: usize,
    columns: Columns<'a>,
}

impl Tile<'_> {
    /// Writes the outputs of some panels into rows of all outputs.
    ///
    /// # Safety
    /// The processor must have AVX-512 with VNNI.
    #[target_feature(enable = "avx512f,avx512vnni")]
    unsafe fn products<const PANELS: usize>(&self, panels: [&Panel; PANELS], outputs: &mut [f32]) {
        let sums = self.sums(panels);
        for (panel, of_panel) in sums.into_iter().enumerate() {
            let first = self.first + panel * PANEL;
            let present = PANEL.min(self.columns.bias.len() - first);
            let mask = ((1u32 << present) - 1) as __mmask16;
            let columns = first..first + present;
            let (factors, bias) = (&self.columns.scales[columns.clone()], &self.columns.bias[columns.clone()]);
            // SAFETY: the mask leaves out what is not there.
            let (factors, bias) =
                unsafe { (_mm512_maskz_loadu_ps(mask, factors.as_ptr()), _mm512_maskz_loadu_ps(mask, bias.as_ptr())) };
            let rows = outputs.chunks_exact_mut(self.columns.bias.len());
            for ((row, scale), sums) in rows.zip(self.scales).zip(of_panel) {
                let factors = _mm512_mul_ps(_mm512_set1_ps(*scale), factors);
                let numbers = _mm512_add_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(sums), factors), bias);
                let row = &mut row[columns.clone()];
                // SAFETY: the mask leaves out what is not there.
                unsafe { _mm512_mask_storeu_ps(row.as_mut_ptr(), mask, numbers) };
            }
        }
    }

    /// The sums of the products of each row with each panel. Rows that are not there have those of the first one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn sums<const PANELS: usize>(&self, panels: [&Panel; PANELS]) -> [[__m512i; TILE]; PANELS] {
        let registers = panels[0].weights.len();
        let inputs = registers * INPUTS;
        assert!(self.bytes.len() == self.scales.len() * inputs, "rows of all inputs");
        assert!(panels.iter().all(|panel| panel.weights.len() == registers), "panels of all inputs");
        let mut rows = [self.bytes.as_ptr(); TILE];
        for (number, row) in rows[..self.scales.len()].iter_mut().enumerate() {
            *row = self.bytes[number * inputs..].as_ptr();
        }
        // SAFETY: a panel has 16 starts, and a register of weights for every four bytes of a row.
        unsafe {
            let mut sums = panels.map(|panel| [_mm512_loadu_si512(panel.starts.as_ptr().cast()); TILE]);
            let weights = panels.map(|panel| panel.weights.as_ptr().cast::<__m512i>());
            for register in 0..registers {
                let weights = weights.map(|weights| _mm512_load_si512(weights.add(register)));
                for (number, row) in rows.iter().enumerate() {
                    let four = _mm512_set1_epi32(row.add(INPUTS * register).cast::<i32>().read_unaligned());
                    for (sums, weights) in sums.iter_mut().zip(weights) {
                        sums[number] = _mm512_dpbusd_epi32(sums[number], four, weights);
                    }
                }
            }
            sums
        }
    }
}
