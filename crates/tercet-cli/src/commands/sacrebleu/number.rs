//! Numbers as Python reads them: white space around them, underscores between digits.

/// Python's `int(text)`, clamped to 64 bits.
pub fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let digits = without_underscores(digits)?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude = digits.parse().unwrap_or(i64::MAX);
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// Python's `float(text)`.
pub fn real(text: &str) -> Option<f64> {
    without_underscores(text.trim())?.parse().ok()
}

fn without_underscores(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split('_').collect();
    let between_digits = parts.windows(2).all(|sides| {
        sides[0].ends_with(|c: char| c.is_ascii_digit()) && sides[1].starts_with(|c: char| c.is_ascii_digit())
    });
    between_digits.then(|| parts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_python_reads_them() {
        let integers = ["12", " -3 ", "+1_000", "1__0", "_1", "1.0", "", "-", "0x1"].map(integer);
        let expected = [Some(12), Some(-3), Some(1000), None, None, None, None, None, None];
        assert_eq!(integers, expected);
        let reals = ["1e-3", ".5", "1_0.5", "inf", "x", "1_"].map(real);
        assert_eq!(reals, [Some(0.001), Some(0.5), Some(10.5), Some(f64::INFINITY), None, None]);
    }
}
