//! Products of dense matrices: the one place that calls the kernel.

/// Rows, inner, columns; α; A and its strides; B and its strides; β; C and its strides.
type Kernel<T> = unsafe fn(
    usize,
    usize,
    usize,
    T,
    *const T,
    isize,
    isize,
    *const T,
    isize,
    isize,
    T,
    *mut T,
    isize,
    isize,
);

/// A number that the kernel multiplies.
pub(crate) trait Element: Copy + Default {
    /// C ← α·A·B + β·C, for matrices given by pointer and strides.
    const KERNEL: Kernel<Self>;
    /// 1.
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
#[allow(unsafe_code)]
pub(crate) fn product<T: Element>(a: &[T], b: &[T], inner: usize, columns: usize) -> Vec<T> {
    assert!(inner > 0, "matrices of no width");
    let rows = a.len() / inner;
    assert_eq!((a.len(), b.len()), (rows * inner, inner * columns), "shapes of the factors");
    let mut c = vec![T::default(); rows * columns];
    let (inner_stride, column_stride) = (inner as isize, columns as isize);
    // SAFETY: the kernel reads rows × inner of `a` and inner × columns of `b`, and writes rows × columns of `c`, all
    // row-major without gaps; the assertion and the allocation above say that the slices have these sizes, and `c`
    // is borrowed by nobody else.
    unsafe {
        T::KERNEL(
            rows,
            inner,
            columns,
            T::ONE,
            a.as_ptr(),
            inner_stride,
            1,
            b.as_ptr(),
            column_stride,
            1,
            T::default(),
            c.as_mut_ptr(),
            column_stride,
            1,
        );
    }
    c
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_meet_columns() {
        let (a, b) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1.0, 0.0, 0.0, 1.0, 2.0, 2.0]);
        assert_eq!(product(&a, &b, 3, 2), [7.0, 8.0, 16.0, 17.0]);
        assert_eq!(product(&[0.5f64, 2.0], &[8.0, 3.0], 2, 1), [10.0]);
    }

    #[test]
    fn a_product_of_no_rows_is_empty() {
        assert!(product::<f32>(&[], &[1.0, 2.0], 2, 1).is_empty());
    }
}
