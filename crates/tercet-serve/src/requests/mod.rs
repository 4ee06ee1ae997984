//! What requests ask for: one file per endpoint.

mod check;
mod compare;
#[cfg(feature = "learned")]
mod parse;
mod rank;
mod report;
mod score;
mod tokenize;

pub use report::ReportJob;
