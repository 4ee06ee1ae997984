//! Files that only the command itself can make: models, a checkpoint, caches. They are made once, before the attack.

use super::cases::{CONLLU, GOOD, REFERENCE, TREES, VECTORS};
use super::files::{all_files, write_file};
use super::process::{Limits, Run};
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

/// What was made.
pub struct Prepared {
    pub pairwise: Vec<u8>,
    pub dependency: Vec<u8>,
    pub constituency: Vec<u8>,
    /// A checkpoint of the pairwise recipe.
    pub checkpoint: Vec<u8>,
    /// Vectors that are large enough to be cached, a model that uses them, and the files in the cache folder.
    pub large_vectors: Vec<u8>,
    pub large_pairwise: Vec<u8>,
    pub caches: Vec<(String, Vec<u8>)>,
}

pub const PAIRWISE: &str = "\
kind = \"pairwise\"
[data]
train = [\"wmt13-rr\"]
per_pair = 30
[inputs]
metrics = [\"chrf\"]
components = [\"bleu\"]
encoders = [\"average:file=vectors.txt\"]
[network]
hidden = 2
[training]
epochs = 4
checkpoint = 0
";

pub const DEPENDENCY: &str = "\
kind = \"dependency\"
data.train = [\"words.conllu\"]
[network]
width = 8
units = 3
layers = 2
tag_layer = 1
arc = 3
label = 3
character_width = 2
filters = 4
[training]
steps = 2
batch = 20
checkpoint = 0
";

pub const CONSTITUENCY: &str = "\
kind = \"constituency\"
data.train = [\"trees\"]
vocabulary.least = 1
[network]
width = 8
layers = 2
tag_layer = 1
hidden = 4
character_width = 2
filters = 4
[training]
epochs = 2
[recursive]
epochs = 1
least = 1
";

const WORDS: [&str; 10] = ["the", "cat", "sat", "on", "a", "mat", "and", "slept", "well", "today"];

/// Relative rankings of two systems, of which one loses more words.
pub fn judgements() -> Vec<(String, String)> {
    let mut files = [String::new(), String::new(), String::new()];
    let mut pairs = "seg_id\tbetter\tworse\n".to_owned();
    for number in 0..12 {
        let words: Vec<&str> = (0..7).map(|at| WORDS[(number * 3 + at * at) % 10]).collect();
        for (file, length) in files.iter_mut().zip([7, 6 - number % 2, 3 - number % 2]) {
            file.push_str(&(words[..length].join(" ") + "\n"));
        }
        pairs.push_str(&format!("{}\tx\ty\n", number + 1));
    }
    let [reference, x, y] = files;
    vec![
        ("wmt13-rr/references/newstest2013-ref.en".to_owned(), reference),
        ("wmt13-rr/system-outputs/cs-en/x".to_owned(), x),
        ("wmt13-rr/system-outputs/cs-en/y".to_owned(), y),
        ("wmt13-rr/pairs.cs-en.tsv".to_owned(), pairs),
    ]
}

/// A vector for each line of the judgements.
pub fn sentence_vectors() -> String {
    let mut rows = String::new();
    for (_, text) in judgements().iter().filter(|(name, _)| !name.ends_with(".tsv")) {
        for line in text.lines() {
            let _ = writeln!(rows, "{line}\t{} 0.5 -1", line.len());
        }
    }
    rows
}

/// Makes the files in this empty folder.
pub fn prepare(binary: &Path, folder: &Path) -> Result<Prepared> {
    let large_vectors = large_vectors();
    for (name, text) in judgements() {
        write_file(folder, &name, text.as_bytes())?;
    }
    for (name, text) in [
        ("pairwise.toml", PAIRWISE.to_owned()),
        ("large.toml", PAIRWISE.replace("vectors.txt", "large.txt")),
        ("long.toml", PAIRWISE.replace("epochs = 4", "epochs = 1000000")),
        ("words.toml", DEPENDENCY.to_owned()),
        ("phrases.toml", CONSTITUENCY.to_owned()),
        ("words.conllu", CONLLU.repeat(2)),
        ("trees/a.ptb", TREES.replace("((S (NP (NN rain)) (VP (VBD fell))))\n", "")),
        ("vectors.txt", VECTORS.to_owned()),
        ("large.txt", large_vectors.clone()),
        ("ref", REFERENCE.to_owned()),
        ("a", GOOD.to_owned()),
    ] {
        write_file(folder, name, text.as_bytes())?;
    }
    let train = |recipe: &str| made(binary, folder, recipe);
    let (pairwise, large_pairwise) = (train("pairwise.toml")?, train("large.toml")?);
    let caches = all_files(&folder.join("cache"))
        .into_iter()
        .map(|name| Ok((format!("cache/{name}"), std::fs::read(folder.join("cache").join(&name))?)))
        .collect::<Result<_>>()?;
    Ok(Prepared {
        pairwise,
        large_pairwise,
        caches,
        dependency: train("words.toml")?,
        constituency: train("phrases.toml")?,
        checkpoint: checkpoint(binary, folder)?,
        large_vectors: large_vectors.into_bytes(),
    })
}

/// Trains a recipe and returns the model.
fn made(binary: &Path, folder: &Path, recipe: &str) -> Result<Vec<u8>> {
    let output = format!("{recipe}.model");
    let words = ["train", recipe, "-q", "-o", &output].map(str::to_owned);
    let outcome = Run { binary, folder, words: &words, stdin: None }.wait(&Limits::seconds(120.0))?;
    if outcome.code != Some(0) {
        bail!("cannot train {recipe}: {}", String::from_utf8_lossy(&outcome.stderr));
    }
    std::fs::read(folder.join(&output)).with_context(|| format!("cannot read {output}"))
}

/// Starts a training that has no end, and kills it when it has written a checkpoint.
fn checkpoint(binary: &Path, folder: &Path) -> Result<Vec<u8>> {
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
    std::fs::read(&file).context("the training wrote no checkpoint")
}

/// More than four megabytes of vectors, in the format of GloVe.
fn large_vectors() -> String {
    let mut text = VECTORS.replace('\n', " 4 5 6 7 8 9 10 11 12 13\n");
    for number in 0.. {
        if text.len() > 4_300_000 {
            break;
        }
        let _ = writeln!(text, "word{number} {number} 0.25 1 2 3 4 5 6 7 8 9 10 -0.5");
    }
    text
}
