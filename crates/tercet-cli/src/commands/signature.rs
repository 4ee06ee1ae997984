//! Warns if a metric was given by a signature whose scores cannot be those computed here.

use crate::output;
use tercet::spec::{Difference, Spec};

/// `given` is the metric as it was asked for, `here` the signature of its scores.
pub fn warn_of_differences(given: &str, here: &str) {
    let (Ok(given), Ok(here)) = (Spec::parse("metric", given), Spec::parse("metric", here)) else { return };
    for difference in given.differences(&here) {
        output::warn(format_args!("{}: {}", given.name(), describe(&difference)));
    }
}

fn describe(Difference { key, given, here }: &Difference) -> String {
    match *key {
        "refs" => format!(
            "the signature is of scores with refs={given}, but here it is refs={here}: they cannot be compared"
        ),
        "tercet" => format!("the signature is of tercet {given}, but this is {here}: scores may differ"),
        key => {
            format!("the signature has {key}={given}, but here it is {here}: intervals and p-values differ")
        }
    }
}
