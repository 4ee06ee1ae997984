//! Arithmetic of tercet: matrices and their products in both precisions ([`matrix`]), functions of numbers and of rows
//! that the compiler vectorises ([`functions`], [`rows`]), the choice of vector instructions ([`Instructions`],
//! [`widest!`]) and streams of random numbers ([`random`]).
//!
//! ```
//! let product = tercet_math::matrix_product(&[1.0f32, 2.0], &[3.0, 4.0], 2, 1);
//! assert_eq!(product, [11.0]);
//! ```

mod error;
pub mod functions;
mod instructions;
pub mod matrix;
pub mod random;
pub mod rows;

pub use error::{Error, Result};
pub use instructions::Instructions;
pub use matrix::{Element, Matrix, matrix_product};
