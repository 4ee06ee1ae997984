//! Loss functions, one file each: values in double precision, with their gradients.

mod cross_entropy;
mod kendall;
mod kl_divergence;
mod logistic;
mod squared_error;

pub(crate) use cross_entropy::{cross_entropy, largest, softmax};
pub use kendall::Kendall;
pub use kl_divergence::kl_divergence;
pub(crate) use logistic::logistic;
pub use squared_error::squared_error;
