//! Warns if a metric was given by a signature whose scores cannot be those computed here.

use crate::output;
use tercet::spec::Spec;

/// `given` is the metric as it was asked for, `here` the signature of its scores.
pub fn warn_of_differences(given: &str, here: &str) {
    let (Ok(given), Ok(here)) = (Spec::parse("metric", given), Spec::parse("metric", here)) else { return };
    for difference in given.differences(&here) {
        output::warn(format_args!("{}: {difference}", given.name()));
    }
}
