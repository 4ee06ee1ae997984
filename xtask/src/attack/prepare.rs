//! Files that only the command itself can make: models, a checkpoint, caches. They are made once, before the attack.

use super::case::files;
use super::files::write_file;
use super::process::{Limits, Run};
use anyhow::{Result, ensure};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// What they are made from.
const SEEDS: [&str; 10] = [
    "wmt13-rr",
    "vectors.txt",
    "pairwise.toml = recipes/pairwise.toml",
    "large.toml = recipes/large.toml",
    "long.toml = recipes/long.toml",
    "words.toml = recipes/words.toml",
    "phrases.toml = recipes/phrases.toml",
    "words.conllu = repeat 2 words.conllu",
    "trees/a.ptb = trees-labelled.ptb",
    "ref",
];

/// Makes `RECIPE.model` of four recipes, the cache of large vectors, and `long.checkpoint`, in an empty folder.
pub fn prepare(binary: &Path, folder: &Path) -> Result<()> {
    for (name, bytes) in SEEDS.iter().map(|entry| files(entry, folder)).collect::<Result<Vec<_>>>()?.concat() {
        write_file(folder, &name, &bytes)?;
    }
    write_file(folder, "large.txt", large_vectors(&std::fs::read_to_string(folder.join("vectors.txt"))?).as_bytes())?;
    for recipe in ["pairwise.toml", "large.toml", "words.toml", "phrases.toml"] {
        let words = ["train", recipe, "-q", "-o", &format!("{recipe}.model")].map(str::to_owned);
        let outcome = Run { binary, folder, words: &words, stdin: None }.wait(&Limits::seconds(120.0))?;
        let message = String::from_utf8_lossy(&outcome.stderr);
        ensure!(outcome.code == Some(0), "cannot train {recipe}: {message}");
    }
    checkpoint(binary, folder)
}

/// Starts a training that has no end, and kills it when it has written a checkpoint.
fn checkpoint(binary: &Path, folder: &Path) -> Result<()> {
    let words = ["train", "long.toml", "-q", "-o", "long"].map(str::to_owned);
    let mut child = Run { binary, folder, words: &words, stdin: None }.start()?;
    let file = folder.join("long.checkpoint");
    for _ in 0..60_000 {
        if file.is_file() || child.try_wait()?.is_some() {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait()?;
    ensure!(file.is_file(), "the training wrote no checkpoint");
    Ok(())
}

/// More than four megabytes of vectors, in the format of GloVe: large enough to be cached.
fn large_vectors(small: &str) -> String {
    let mut text = small.replace('\n', " 4 5 6 7 8 9 10 11 12 13\n");
    for number in 0.. {
        if text.len() > 4_300_000 {
            break;
        }
        let _ = writeln!(text, "word{number} {number} 0.25 1 2 3 4 5 6 7 8 9 10 -0.5");
    }
    text
}
