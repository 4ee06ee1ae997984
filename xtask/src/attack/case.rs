//! The cases in `xtask/attack/cases.json`: for every command and every reader, small valid files that were written for
//! this purpose (`xtask/attack/seeds/`), and command lines that read them.

use super::compression::{gzip, zstd};
use super::files::all_files;
use crate::step::root;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    /// Command lines that several cases have.
    lines: BTreeMap<String, Vec<String>>,
    cases: Vec<Description>,
}

/// A case as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    command: String,
    /// What the files are.
    reader: String,
    /// How many of the inputs it gets, relative to the others.
    weight: usize,
    /// How many times longer it may take than others, for parsers: half a millisecond a word, so 100 s for a megabyte
    /// of normal text and 500 s for one of words of one letter, on a machine that does nothing else.
    slowness: Option<f64>,
    /// Whether its inputs are runs that are stopped by a signal, instead of mutated files.
    #[serde(default)]
    stopped: bool,
    /// Files that are mutated; see [`files`].
    #[serde(default)]
    files: Vec<String>,
    /// Files that are left as they are.
    #[serde(default)]
    fixed: Vec<String>,
    /// Names of lists of command lines.
    #[serde(default)]
    uses: Vec<String>,
    /// Command lines without the program. Words are separated by white space; `<FILE` is standard input.
    #[serde(default)]
    lines: Vec<String>,
}

/// A valid file.
#[derive(Clone)]
pub struct SeedFile {
    pub name: String,
    pub bytes: Arc<[u8]>,
    /// Whether it is mutated.
    pub attacked: bool,
}

/// Valid files and commands that read them.
pub struct Case {
    pub command: String,
    reader: String,
    pub files: Vec<SeedFile>,
    pub lines: Vec<String>,
    pub weight: usize,
    pub slowness: f64,
    pub stopped: bool,
}

/// All cases; those that need models and caches take them from the folder of prepared files.
pub fn all(prepared: &Path) -> Result<Vec<Case>> {
    let Cases { lines, cases } = serde_json::from_slice(&fs::read(root().join("xtask/attack/cases.json"))?)?;
    let case = |described: Description| -> Result<Case> {
        let mut case = Case {
            files: Vec::new(),
            lines: Vec::new(),
            weight: described.weight,
            slowness: described.slowness.unwrap_or(1.0),
            stopped: described.stopped,
            command: described.command,
            reader: described.reader,
        };
        for (entries, attacked) in [(&described.files, true), (&described.fixed, false)] {
            for entry in entries {
                let files = files(entry, prepared)?.into_iter();
                case.files.extend(files.map(|(name, bytes)| SeedFile { name, bytes: bytes.into(), attacked }));
            }
        }
        for name in &described.uses {
            case.lines.extend_from_slice(lines.get(name).with_context(|| format!("no lines are called {name}"))?);
        }
        case.lines.extend(described.lines);
        Ok(case)
    };
    cases.into_iter().map(case).collect()
}

/// The files of an entry: `NAME = SEED`, `NAME = gzip SEED` (or zstd, tar, `repeat TIMES`), or a name that is the
/// seed's too. A seed is a file or a folder.
pub fn files(entry: &str, prepared: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let (name, seed) = entry.split_once(" = ").unwrap_or((entry, entry));
    let words: Vec<&str> = seed.split(' ').collect();
    let seed = words[words.len() - 1];
    let path = match seed.split_once('/') {
        Some(("prepared", file)) => prepared.join(file),
        Some(("examples", _)) => root().join(seed),
        _ => root().join("xtask/attack/seeds").join(seed),
    };
    if path.is_dir() {
        let read = |file: String| Ok((format!("{name}/{file}"), fs::read(path.join(file))?));
        return all_files(&path).into_iter().map(read).collect();
    }
    let bytes = fs::read(&path).with_context(|| format!("no seed {}", path.display()))?;
    let bytes = match words[..words.len() - 1] {
        [] => bytes,
        ["gzip"] => gzip(&bytes),
        ["zstd"] => zstd(&bytes),
        ["tar"] => tar(seed.rsplit('/').next().unwrap_or(seed), &bytes)?,
        ["repeat", times] => bytes.repeat(times.parse()?),
        _ => bail!("cannot make `{entry}`"),
    };
    Ok(vec![(name.to_owned(), bytes)])
}

/// A tar archive of one file.
fn tar(name: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut header = tar::Header::new_ustar();
    header.set_size(bytes.len() as u64);
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_data(&mut header, name, bytes)?;
    Ok(archive.into_inner()?)
}

impl Case {
    /// Whether its files take long to write and read.
    pub fn is_large(&self) -> bool {
        self.files.iter().any(|file| file.bytes.len() > 1 << 20)
    }

    /// `COMMAND: READER`.
    pub fn name(&self) -> String {
        format!("{}: {}", self.command, self.reader)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_cases_have_files_and_command_lines() {
        let prepared = std::env::temp_dir().join(format!("tercet-attack-test-{}", std::process::id()));
        fs::create_dir_all(prepared.join("cache")).unwrap();
        let made = ["pairwise.toml.model", "large.toml.model", "words.toml.model", "phrases.toml.model"];
        for name in made.iter().chain(&["long.checkpoint", "large.txt", "cache/x"]) {
            fs::write(prepared.join(name), name).unwrap();
        }
        let cases = all(&prepared).unwrap();
        fs::remove_dir_all(&prepared).unwrap();
        assert!(cases.iter().all(|case| !case.lines.is_empty() && case.weight > 0));
        let case = |name: &str| cases.iter().find(|case| case.name() == name).unwrap();
        let names = |name: &str| case(name).files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
        assert_eq!(names("correlate, systems: MQM errors"), ["set/mqm_news_deen.tsv", "set/mqm_ted_deen.tsv.gz"]);
        assert_eq!(names("score: caches of vectors"), ["cache/x", "large.txt", "ref", "a", "model"]);
        assert!(case("score: stopped").stopped && case("score: stopped").files[0].bytes.len() == 120 * 126);
    }
}
