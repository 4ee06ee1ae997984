//! All cases: for every command and every reader, small valid files that were written for this purpose.

mod judgements;
mod learned;
mod stopped;
mod texts;
mod treebanks;

pub use learned::VECTORS;
pub use texts::{GOOD, REFERENCE};
pub use treebanks::{CONLLU, TREES};

use super::case::Case;
use super::prepare::Prepared;

/// All cases; those that need models and caches take them from what was prepared.
pub fn all(prepared: &Prepared) -> Vec<Case> {
    let mut cases = texts::cases();
    cases.extend(judgements::cases());
    cases.extend(treebanks::cases(prepared));
    cases.extend(learned::cases(prepared));
    cases.extend(stopped::cases());
    cases
}
