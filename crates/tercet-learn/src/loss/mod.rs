//! What is to be made small: one file per loss, values in double precision, gradients beside them.

pub mod cross_entropy;
pub mod kendall;
pub mod kl_divergence;
pub mod logistic;
pub mod squared_error;

pub use kendall::Kendall;
pub use kl_divergence::kl_divergence;
pub use logistic::logistic;
pub use squared_error::squared_error;
