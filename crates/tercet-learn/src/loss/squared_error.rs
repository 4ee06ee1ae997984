//! Squared error: J = (x − y)² / 2, dJ/dx = x − y.

/// The loss of one example, and its derivative by the output.
#[inline]
pub fn squared_error(output: f32, target: f32) -> (f64, f32) {
    let difference = f64::from(output) - f64::from(target);
    (difference * difference / 2.0, difference as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::derivative;

    #[test]
    fn value_and_derivative_agree() {
        assert_eq!(squared_error(3.0, 1.0), (2.0, 2.0));
        let slope = derivative(-0.4, |x| squared_error(x as f32, 0.7).0);
        assert!((slope - f64::from(squared_error(-0.4, 0.7).1)).abs() < 1e-4);
    }
}
