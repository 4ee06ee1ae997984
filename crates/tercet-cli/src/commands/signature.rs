//! Warns if a metric was given by a signature whose scores cannot be those computed here.

use crate::output;
use tercet::scoring::signature_differences;

/// `given` is the metric as it was asked for, `here` the signature of its scores.
pub fn warn_of_differences(given: &str, here: &str) {
    signature_differences(given, here).iter().for_each(output::warn_of);
}
