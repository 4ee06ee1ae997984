//! Models as values and as files: named tensors ([`parameters`]) and the one kind of file that holds them
//! ([`model_file`]), with a kind, a version, notes and a checksum.
//!
//! ```
//! use tercet_model::parameters::{Parameters, Role};
//!
//! let mut parameters = Parameters::default();
//! parameters.add("weight", Role::Weight, [1, 2], vec![0.5, -0.5]);
//! assert_eq!(parameters.by_name("weight").unwrap().values, [0.5, -0.5]);
//! ```

mod error;
pub mod model_file;
pub mod parameters;

pub use error::{Error, Result};

pub(crate) use tercet_base::files;
pub(crate) use tercet_math::matrix;
