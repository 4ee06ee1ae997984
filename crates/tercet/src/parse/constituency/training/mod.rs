//! training
pub(super) mod lessons;
