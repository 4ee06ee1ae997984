//! What every crate of tercet needs and what knows nothing of translation: errors, progress, warnings, whole files,
//! unpacking, the cache folder, and the text form of everything that is chosen by name.
//!
//! ```
//! use tercet_base::spec::Spec;
//!
//! let spec = Spec::parse("metric", "bleu:tok=zh,smooth=floor")?;
//! assert_eq!((spec.name(), spec.option("tok")), ("bleu", Some("zh")));
//! # Ok::<(), tercet_base::Error>(())
//! ```

pub mod cache;
mod check_kind;
pub mod choice;
pub mod context;
mod defaults;
pub mod error;
pub mod files;
mod nearest;
mod other_encoding;
pub mod progress;
pub mod protobuf;
mod row_error;
pub mod spec;
pub mod stop;
mod sums;
pub mod threads;
pub mod unpack;
pub mod warning;

pub use check_kind::{CheckKind, Detail, Reason, Severity, TextRole};
pub use context::Context;
pub use error::{Error, ErrorKind, Result};
pub use nearest::nearest;
pub use other_encoding::{other_encoding, packed_format};
pub use row_error::{FieldProblem, FieldRole, LineContent, RowError};
#[doc(hidden)]
pub use serde;
