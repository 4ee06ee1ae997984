//! Do metrics mark what people mark? The spans of metrics against the errors that people marked, as in WMT's tasks of
//! error detection.
//!
//! - **Characters**: precision, recall and F1 of marked characters, counts of all outputs added up. **With
//!   severities**, a character that both mark with different ones counts half; critical is major. (WMT23 and later.)
//! - **The mean F1 of outputs**, 1 where neither side marks anything, as WMT23's script has it.
//! - **Matched spans**: each span has at most one partner on the other side, and its credit is the share of it that is
//!   in its partner; with severities half of that if they differ.
//!
//! A character that several spans of one side have is counted once, with its highest severity. Each rater of an output
//! is compared by themselves. Errors without a place in the output (omissions, errors in the source) and neutral ones
//! are not compared, and counted. A metric of tercet marks words of the output by a kind of mark that says
//! [they are wrong](crate::metrics::MarkKind::is_error); marks with only white space between them are one span.
//! Intervals are bootstraps over segments.
//!
//! Beside the metrics stand what marking every character or none gives, and another rater, where there is one.

mod counts;
mod examples;
mod job;
mod sources;

pub use examples::{MarkedPiece, SpanExample, SpansOfMetric};
pub use job::{PrecisionRecall, SpanAgreement, SpanMarker, SpansJob, SpansReport};

#[cfg(test)]
mod tests;
