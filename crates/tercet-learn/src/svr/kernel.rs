//! Kernels, and their values for all pairs of rows.
//!
//! The products of all pairs of rows are one matrix product. They are computed once; every kernel with every γ is made
//! of them, for all points of a grid and all folds.

use crate::error::{Error, Result};
use crate::matrix::{Matrix, View, multiply};
use crate::progress::Progress;
use rayon::prelude::*;

/// Rows of a tile of the matrix of products.
const TILE: usize = 256;

/// How similar two rows are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kernel {
    /// x · y
    Linear,
    /// exp(−γ |x − y|²)
    Rbf {
        /// γ, above 0.
        gamma: f64,
    },
}

impl Kernel {
    /// The value for two rows with the product `xy` and the squares `xx` and `yy`.
    #[inline]
    pub(super) fn value(self, xx: f64, yy: f64, xy: f64) -> f64 {
        match self {
            Kernel::Linear => xy,
            Kernel::Rbf { gamma } => (-gamma * (xx + yy - 2.0 * xy)).exp(),
        }
    }

    /// Returns an error if γ is not a number above 0.
    pub(super) fn check(self) -> Result<()> {
        match self {
            Kernel::Rbf { gamma } => Error::check_above_zero("gamma", gamma),
            Kernel::Linear => Ok(()),
        }
    }
}

/// The scalar products of all pairs of rows of a table.
#[derive(Clone, Debug)]
pub struct Products {
    rows: usize,
    values: Vec<f64>,
}

impl Products {
    /// The products of the rows. `progress` is asked whether to go on.
    ///
    /// # Errors
    /// If a feature is NaN or infinite, or there is no row or column.
    pub fn new(features: &Matrix<f64>, progress: Progress<'_>) -> Result<Self> {
        let (rows, columns) = (features.rows(), features.columns());
        if rows == 0 || columns == 0 {
            return Err(Error::Empty { what: "the table of features".to_owned() });
        }
        features.check_finite("features")?;
        let starts: Vec<usize> = (0..rows).step_by(TILE).collect();
        let tiles: Vec<(usize, usize)> = starts
            .iter()
            .flat_map(|&top| starts.iter().filter(move |left| **left <= top).map(move |&left| (top, left)))
            .collect();
        let all = View::new(features.values(), rows, columns);
        let computed: Vec<Vec<f64>> = tiles
            .par_iter()
            .map(|&(top, left)| {
                let [height, width] = [top, left].map(|start| rows.min(start + TILE) - start);
                let mut tile = vec![0.0; height * width];
                multiply(all.rows(top, height), all.rows(left, width).transposed(), 0.0, &mut tile, width);
                progress.check()?;
                Ok(tile)
            })
            .collect::<Result<_>>()?;
        let mut values = vec![0.0; rows * rows];
        for (&(top, left), tile) in tiles.iter().zip(&computed) {
            let width = rows.min(left + TILE) - left;
            for (row, products) in tile.chunks_exact(width).enumerate() {
                for (column, &product) in products.iter().enumerate() {
                    values[(top + row) * rows + left + column] = product;
                    values[(left + column) * rows + top + row] = product;
                }
            }
        }
        Ok(Products { rows, values })
    }

    /// Number of rows of the table.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The products of one row with all rows.
    pub(crate) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.rows..(row + 1) * self.rows]
    }

    /// The values of a kernel for all pairs of rows.
    pub(super) fn kernel(&self, kernel: Kernel) -> KernelMatrix {
        let rows = self.rows;
        let width = rows.next_multiple_of(BLOCK);
        let squares: Vec<f64> = (0..rows).map(|row| self.values[row * rows + row]).collect();
        let mut values = vec![0.0; rows * width];
        values.par_chunks_mut(width).enumerate().for_each(|(row, values)| {
            let products = self.row(row).iter().zip(&squares);
            values.iter_mut().zip(products).for_each(|(value, (&product, &square))| {
                *value = kernel.value(squares[row], square, product) as f32;
            });
        });
        let mut diagonal: Vec<f64> = squares.iter().map(|&square| kernel.value(square, square, square)).collect();
        diagonal.resize(width, 1.0);
        KernelMatrix { rows, width, values, diagonal }
    }
}

/// Rows of a kernel matrix are filled up to a multiple of this number, so that loops over them need no remainder.
pub(super) const BLOCK: usize = 16;

/// The values of a kernel for all pairs of rows: in single precision, as LIBSVM keeps them, the diagonal in double
/// precision.
#[derive(Clone, Debug)]
pub(super) struct KernelMatrix {
    rows: usize,
    width: usize,
    values: Vec<f32>,
    /// The values of each row with itself, filled up.
    pub diagonal: Vec<f64>,
}

impl KernelMatrix {
    /// The values of one row with all rows, filled up with zeros.
    #[inline]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.width..(row + 1) * self.width]
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of rows, filled up.
    pub fn width(&self) -> usize {
        self.width
    }
}
