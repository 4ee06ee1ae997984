//! `cargo xtask wordnet`: packs WordNet 3.0 into the dictionary inside the binary.
//!
//! On Debian: `apt-get install wordnet-base && cargo xtask wordnet /usr/share/wordnet`.

mod database;
mod pack;

use crate::step::root;
use anyhow::{Context, Result, ensure};
use database::Database;
use std::fs;
use std::path::PathBuf;

const FILE: &str = "crates/tercet/src/resources/wordnet30.bin";

#[derive(clap::Args)]
pub struct WordnetArgs {
    /// Folder with WordNet's index.noun, index.verb, index.adj, index.adv and the .exc files
    folder: PathBuf,
    /// Write nothing; fail if the file in the repository is not generated from these files
    #[arg(long)]
    check: bool,
}

pub fn run(args: &WordnetArgs) -> Result<()> {
    let database = Database::read(&args.folder)?;
    let packed = pack::pack(&database)?;
    let path = root().join(FILE);
    if args.check {
        let committed = fs::read(&path).with_context(|| format!("cannot read {FILE}"))?;
        ensure!(
            committed == packed,
            "{FILE} differs from the one generated from these files (run without --check)"
        );
    } else {
        fs::write(&path, &packed).with_context(|| format!("cannot write {FILE}"))?;
    }
    let Database { words, sets, exceptions } = &database;
    println!(
        "{} words, {} sets of two or more, {} exceptions: {} bytes",
        words.len(),
        sets.len(),
        exceptions.len(),
        packed.len()
    );
    Ok(())
}
