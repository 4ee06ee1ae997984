//! WordNet 3.0 as packed inside the binary.

use super::synonyms::Synonyms;
use super::table::Table;
use std::collections::BTreeMap;

/// The dictionary, unpacked.
pub(super) fn unpack() -> Synonyms {
    Synonyms::new(Table::default(), &BTreeMap::new(), "00000000".to_owned())
}
