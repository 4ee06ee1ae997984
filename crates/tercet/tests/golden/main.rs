//! Equality with the output of the tools that papers cite.
//!
//! A small set is in the repository, in `tests/golden_small`. The large one is outside of it, in `golden/` of the
//! folder that `TERCET_SHARED` names (default: `shared` next to the checkout). Each file is one test, named after it.
//! Without the folder one test, ignored, says so. One file here per tool.

mod agreement;
mod blend;
mod character;
#[cfg(feature = "learned")]
mod constituency;
mod inputs;
mod jiwer;
mod judgements;
mod meteor;
mod mme_permutation;
mod moses;
mod mqm;
mod mteval;
mod nltk;
mod numpy;
mod official;
#[cfg(feature = "learned")]
mod parsers;
mod sacrebleu;
mod scipy_mme;
mod significance;
mod small;
mod stemmer;
mod tercom;
mod terp;
#[cfg(feature = "learned")]
mod treebanks;
mod trueskill;
#[cfg(feature = "learned")]
mod ud_english;
#[cfg(feature = "learned")]
mod vectors;
mod wordnet;

use libtest_mimic::{Arguments, Trial};
use std::path::{Path, PathBuf};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = match shared() {
        Some(shared) => trials(&shared),
        None => {
            vec![Trial::test("large set: skipped, TERCET_SHARED not found", || Ok(())).with_ignored_flag(true)]
        }
    };
    trials.extend(small::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

fn trials(shared: &Path) -> Vec<Trial> {
    let tools = [
        sacrebleu::trials,
        blend::trials,
        tercom::trials,
        terp::trials,
        mteval::trials,
        moses::trials,
        mqm::trials,
        meteor::trials,
        nltk::trials,
        jiwer::trials,
        character::trials,
        #[cfg(feature = "learned")]
        constituency::trials,
        numpy::trials,
        significance::trials,
        judgements::trials,
        agreement::trials,
        mme_permutation::trials,
        scipy_mme::trials,
        wordnet::trials,
        stemmer::trials,
        #[cfg(feature = "learned")]
        treebanks::trials,
        trueskill::trials,
        #[cfg(feature = "learned")]
        ud_english::trials,
        #[cfg(feature = "learned")]
        vectors::trials,
        #[cfg(feature = "learned")]
        parsers::trials,
    ];
    tools.iter().flat_map(|trials| trials(shared)).collect()
}

/// The folder with `golden/`, if it is there.
fn shared() -> Option<PathBuf> {
    let beside_the_checkout = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("TERCET_SHARED").map_or_else(beside_the_checkout, PathBuf::from);
    shared.join("golden").is_dir().then_some(shared)
}
