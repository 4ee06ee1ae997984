//! Row-major matrices and their product. Only this file calls the kernel of `matrixmultiply`.
//!
//! `matrixmultiply` uses the widest instructions of the machine: results are the same on any number of threads and from
//! run to run, but not between machines with and without fused multiply-add.

use crate::error::{Error, Result};

/// Numbers that are checked together, without early exit, so that the check is vectorised.
const BLOCK: usize = 256;

/// A row-major matrix, in single precision unless said otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix<T = f32> {
    rows: usize,
    columns: usize,
    values: Vec<T>,
}

impl<T: Element> Matrix<T> {
    /// A matrix from its values, row by row.
    pub fn new(rows: usize, columns: usize, values: Vec<T>) -> Result<Self> {
        if rows.checked_mul(columns) != Some(values.len()) {
            let expected = format!("{} values ({rows} × {columns})", rows as u128 * columns as u128);
            return Err(Error::shape("matrix", expected, values.len()));
        }
        Ok(Matrix { rows, columns, values })
    }

    /// A matrix of zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Matrix { rows, columns, values: vec![T::default(); rows * columns] }
    }

    /// A matrix from rows of equal length; without rows it has no columns.
    pub fn from_rows<R: AsRef<[T]>>(rows: &[R]) -> Result<Self> {
        let columns = rows.first().map_or(0, |row| row.as_ref().len());
        let mut values = Vec::with_capacity(rows.len() * columns);
        for (number, row) in rows.iter().enumerate() {
            if row.as_ref().len() != columns {
                let what = format!("matrix, row {number}");
                return Err(Error::shape(what, format!("{columns} values"), row.as_ref().len()));
            }
            values.extend_from_slice(row.as_ref());
        }
        Ok(Matrix { rows: rows.len(), columns, values })
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// One row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// One row, mutable.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.values[row * self.columns..(row + 1) * self.columns]
    }

    /// All values, row by row.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// All values, mutable.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// Returns an error that names the first value that is NaN or infinite; `what` is the name of the table.
    pub fn check_finite(&self, what: &str) -> Result<()> {
        let is_finite = |value: T| value.into().is_finite();
        let block = |values: &[T]| values.iter().fold(true, |finite, value| finite & is_finite(*value));
        let bad = self.values.chunks(BLOCK).position(|values| !block(values)).map(|bad| bad * BLOCK);
        let first = |start: usize| self.values[start..].iter().position(|value| !is_finite(*value));
        match bad.and_then(|start| Some(start + first(start)?)) {
            None => Ok(()),
            Some(at) => Err(Error::NotFinite {
                what: what.to_owned(),
                row: at / self.columns,
                column: at % self.columns,
                value: self.values[at].into(),
            }),
        }
    }
}

/// Rows, inner, columns; α; A and its strides; B and its strides; β; C and its strides.
#[rustfmt::skip]
type Kernel<T> = unsafe fn(
    usize, usize, usize, T, *const T, isize, isize, *const T, isize, isize, T, *mut T, isize, isize,
);

/// An element type of matrix products: `f32` or `f64`.
pub trait Element: Copy + Default + Into<f64> {
    /// C ← α·A·B + β·C, for matrices given by pointer and strides.
    const KERNEL: Kernel<Self>;
    /// The number 1.
    const ONE: Self;
}

impl Element for f32 {
    const KERNEL: Kernel<f32> = matrixmultiply::sgemm;
    const ONE: f32 = 1.0;
}

impl Element for f64 {
    const KERNEL: Kernel<f64> = matrixmultiply::dgemm;
    const ONE: f64 = 1.0;
}

/// A·B for row-major `a` (rows × inner) and `b` (inner × columns): rows × columns, row-major.
///
/// # Panics
/// If a slice does not have the size its shape says.
pub fn matrix_product<T: Element>(a: &[T], b: &[T], inner: usize, columns: usize) -> Vec<T> {
    assert!(inner > 0, "the inner size must not be 0");
    let rows = a.len() / inner;
    let sizes = (Some(a.len()), Some(b.len()));
    assert_eq!(sizes, (rows.checked_mul(inner), inner.checked_mul(columns)), "sizes of the factors do not match");
    let mut c = vec![T::default(); rows * columns];
    multiply(View::new(a, rows, inner), View::new(b, inner, columns), T::default(), &mut c, columns);
    c
}

/// A matrix in a slice: element (i, j) is at `i · row_stride + j · column_stride`.
#[derive(Clone, Copy, Debug)]
pub struct View<'a, T = f32> {
    values: &'a [T],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a, T> View<'a, T> {
    /// Row-major without gaps.
    pub fn new(values: &'a [T], rows: usize, columns: usize) -> Self {
        View::strided(values, rows, columns, columns)
    }

    /// Row-major with `row_stride` values from row to row.
    pub fn strided(values: &'a [T], rows: usize, columns: usize, row_stride: usize) -> Self {
        View { values, rows, columns, row_stride, column_stride: 1 }
    }

    /// Rows and columns exchanged.
    pub fn transposed(self) -> Self {
        View {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }

    /// Some rows of it.
    pub fn rows(self, first: usize, rows: usize) -> Self {
        View { values: &self.values[first * self.row_stride..], rows, ..self }
    }

    /// Whether every element lies in the slice.
    fn fits(&self) -> bool {
        self.rows == 0
            || self.columns == 0
            || (self.rows - 1) * self.row_stride + (self.columns - 1) * self.column_stride < self.values.len()
    }
}

/// C ← A·B + keep·C, where `c` is row-major with `c_stride` values from row to row.
///
/// # Panics
/// If shapes do not fit, or a slice is shorter than its shape says.
#[allow(unsafe_code)]
pub fn multiply<T: Element>(a: View<'_, T>, b: View<'_, T>, keep: T, c: &mut [T], c_stride: usize) {
    let (rows, inner, columns) = (a.rows, a.columns, b.columns);
    assert_eq!(inner, b.rows, "inner sizes of the factors differ");
    assert!(a.fits() && b.fits(), "a factor is shorter than its shape");
    if rows == 0 || columns == 0 {
        return;
    }
    assert!(columns <= c_stride && (rows - 1) * c_stride + columns <= c.len(), "the output is shorter than its shape");
    // SAFETY: the kernel reads the elements of `a` (rows × inner) and `b` (inner × columns) at the strides of their
    // views and writes rows × columns of `c` at `c_stride`; the assertions above ensure that the last element of each
    // lies in its slice, and that rows of `c` do not overlap. `c` is borrowed mutably.
    unsafe {
        T::KERNEL(
            rows,
            inner,
            columns,
            T::ONE,
            a.values.as_ptr(),
            a.row_stride as isize,
            a.column_stride as isize,
            b.values.as_ptr(),
            b.row_stride as isize,
            b.column_stride as isize,
            keep,
            c.as_mut_ptr(),
            c_stride as isize,
            1,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_meet_columns_at_any_stride() {
        let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 1.0, 2.0, 2.0]);
        let mut c = [1.0; 4];
        multiply(View::new(&a, 2, 3), View::new(&b, 3, 2), 0.0, &mut c, 2);
        assert_eq!(c, [7.0, 8.0, 16.0, 17.0]);
        multiply(View::new(&a, 2, 3), View::new(&b, 3, 2), 1.0, &mut c, 2);
        assert_eq!(c, [14.0, 16.0, 32.0, 34.0]);
        let mut wide = [9.0; 6];
        multiply(View::new(&a, 3, 2).transposed(), View::strided(&a, 3, 1, 2), 0.0, &mut wide, 3);
        assert_eq!(wide, [35.0, 9.0, 9.0, 44.0, 9.0, 9.0]);
    }

    #[test]
    fn products_in_both_precisions() {
        let (a, b) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 1.0, 2.0, 2.0]);
        assert_eq!(matrix_product(&a, &b, 3, 2), [7.0, 8.0, 16.0, 17.0]);
        assert_eq!(matrix_product(&[0.5f64, 2.0], &[8.0, 3.0], 2, 1), [10.0]);
        assert!(matrix_product::<f32>(&[], &[1.0, 2.0], 2, 1).is_empty());
    }

    #[test]
    #[should_panic(expected = "the output is shorter than its shape")]
    fn a_product_that_does_not_fit_is_refused() {
        multiply(View::new(&[1.0, 1.0], 2, 1), View::new(&[1.0], 1, 1), 0.0, &mut [0.0], 1);
    }

    #[test]
    fn bad_shapes_and_bad_numbers_are_named() {
        let error = Matrix::new(2, 2, vec![0.0; 3]).unwrap_err().to_string();
        assert_eq!(error, "matrix: expected 4 values (2 × 2), found 3");
        let error = Matrix::<f32>::new(1 << 32, 1 << 32, vec![]).unwrap_err().to_string();
        assert!(error.starts_with("matrix: expected 18446744073709551616 values"), "{error}");
        let error = Matrix::from_rows(&[vec![0.0, 1.0], vec![2.0]]).unwrap_err().to_string();
        assert_eq!(error, "matrix, row 1: expected 2 values, found 1");
        let matrix = Matrix::from_rows(&[[0.0, 1.0], [f32::NAN, 2.0]]).unwrap();
        let error = matrix.check_finite("skip features").unwrap_err().to_string();
        assert_eq!(error, "skip features, row 1, column 0: NaN is not a finite number (counted from 0)");
    }
}
