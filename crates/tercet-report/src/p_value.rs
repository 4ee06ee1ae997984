//! P-values as text: one that is too small for its decimals is below the smallest number with them, and not 0.

/// Decimals of p-values in tables and sentences.
pub const P_DECIMALS: usize = 4;

/// `0.0123`, or `<0.0001`.
pub fn cell(p: f64, decimals: usize) -> String {
    cell_of_draws(p, decimals, usize::MAX)
}

/// The same of a test by so many draws, whose p-value is a share of them: none of 100 draws is `<0.01`.
pub fn cell_of_draws(p: f64, decimals: usize, draws: usize) -> String {
    let (shown, zero) = (format!("{p:.decimals$}"), format!("{:.decimals$}", 0.0));
    match shown == zero {
        true => format!("<{}", shortest(10f64.powi(-(decimals as i32)).max(1.0 / draws as f64), decimals)),
        false => shown,
    }
}

/// `= 0.0123`, or `< 0.0001`.
pub fn relation(p: f64, decimals: usize) -> String {
    match cell(p, decimals).strip_prefix('<') {
        Some(least) => format!("< {least}"),
        None => format!("= {p:.decimals$}"),
    }
}

/// With these decimals, without zeros at the end; rounded up, so that what is below it stays below.
fn shortest(number: f64, decimals: usize) -> String {
    let unit = 10f64.powi(decimals as i32);
    let rounded = (number * unit - 1e-9).ceil() / unit;
    format!("{rounded:.decimals$}").trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_p_values_are_not_shown_as_zero() {
        assert_eq!(cell(0.000_04, 4), "<0.0001");
        assert_eq!(cell(0.000_09, 4), "0.0001");
        assert_eq!(cell(0.012_34, 4), "0.0123");
        assert_eq!(relation(0.0, 4), "< 0.0001");
        assert_eq!(relation(1.0, 4), "= 1.0000");
    }

    #[test]
    fn no_draw_of_a_few_says_little() {
        assert_eq!(cell_of_draws(0.0, 3, 1000), "<0.001");
        assert_eq!(cell_of_draws(0.0, 3, 100), "<0.01");
        assert_eq!(cell_of_draws(0.0, 3, 30), "<0.034");
        assert_eq!(cell_of_draws(0.01, 3, 100), "0.010");
        assert_eq!(cell_of_draws(0.000_2, 3, 1_000_000), "<0.001");
    }
}
