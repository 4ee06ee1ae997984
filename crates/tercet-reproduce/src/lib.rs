//! Published tables computed again, the paper's figures beside ours.
//!
//! A paper is a folder here and an entry of [`Paper`]; [`ReproduceJob`] says what is run. It lays down what was
//! published (typed in from the paper), what has to be run for each cell, and runs it; nothing of ours comes from
//! anywhere but a run.
//!
//! # What is kept
//! `feature_files.rs` keeps the features of metrics, `finished.rs` the figures of every run that came to its end, each
//! in a file that is there whole or not at all, with a checksum: a file that was changed since is named and computed
//! again. A run is known by all that decides its digits and by its seed, so a command that was killed goes on where it
//! stopped, and a changed setting is another run.
//!
//! # Example
//! Figures of three seeds become a cell, and tables are written with the paper's figures beside ours.
//! ```
//! use tercet_reproduce::{Cell, Reproduction, TableResult, write};
//!
//! let cell = Cell::from_figures("BLEU", "cs-en", Some(15.0), &[14.0, 15.0, 17.5], true);
//! let table = TableResult { columns: vec!["cs-en".into()], cells: vec![cell], ..TableResult::default() };
//! let reproduction = Reproduction { tables: vec![table], ..Reproduction::default() };
//! assert!(write(&reproduction, tercet::report::Format::Text)?.contains("15.50 ± 1.80"));
//! # Ok::<(), tercet::Error>(())
//! ```

mod cell;
mod encoders;
mod feature_files;
mod fingerprint;
mod finished;
mod guzman;
mod job;
mod order;
mod plan;
mod published;
mod report;
mod reval;
mod ruse;

pub use cell::{Cell, Reproduction, TableResult, Unit};
pub use job::{Paper, ReproduceJob, TrainingSize, VectorFile};
pub use order::{Reversal, reversals};
pub use report::write;
