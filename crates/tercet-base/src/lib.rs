//! What every crate of tercet needs and no language is part of: whole files and their hashes ([`files`]), progress of long work
//! ([`progress`]), fields of protobuf messages ([`protobuf`]).

pub mod files;
pub mod progress;
pub mod protobuf;
