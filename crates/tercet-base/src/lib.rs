//! What every crate of tercet needs and no language is part of: whole files and their hashes ([`files`]), progress of long work
//! ([`progress`]), enums whose values have names ([`choice`]), fields of protobuf messages ([`protobuf`]).

pub mod choice;
pub mod files;
pub mod progress;
pub mod protobuf;

#[doc(hidden)]
pub use serde;
