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

const FOLDER: &str = "crates/tercet-metrics/src/resources";

#[derive(clap::Args)]
pub struct WordnetArgs {
    /// Folder with WordNet's index.noun, index.verb, index.adj, index.adv, data.adj and the .exc files
    folder: PathBuf,
    /// Write nothing; fail if the files in the repository are not generated from these files
    #[arg(long)]
    check: bool,
}

pub fn run(args: &WordnetArgs) -> Result<()> {
    let database = Database::read(&args.folder)?;
    let packed = [("wordnet30.bin", pack::pack(&database)?), ("wordnet30_types.bin", pack::pack_types(&database)?)];
    for (name, bytes) in &packed {
        write(name, bytes, args.check)?;
    }
    let Database { words, sets, exceptions, .. } = &database;
    println!(
        "{} words, {} sets of two or more, {} exceptions: {} bytes",
        words.len(),
        sets.len(),
        exceptions.len(),
        packed.iter().map(|(_, bytes)| bytes.len()).sum::<usize>()
    );
    Ok(())
}

/// Writes a file of the library, or checks the one that is there.
fn write(name: &str, packed: &[u8], check: bool) -> Result<()> {
    let path = root().join(FOLDER).join(name);
    if !check {
        return fs::write(&path, packed).with_context(|| format!("cannot write {name}"));
    }
    let committed = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
    ensure!(committed == packed, "{name} differs from the one generated from these files (run without --check)");
    Ok(())
}
