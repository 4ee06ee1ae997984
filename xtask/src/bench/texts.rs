//! The texts of benchmarks: 11 systems of WMT17 German–English and their reference, among the golden inputs.

use crate::golden::shared;
use anyhow::{Context, Result};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Texts {
    pub reference: PathBuf,
    pub systems: Vec<PathBuf>,
}

impl Texts {
    pub fn wmt17() -> Result<Self> {
        let folder = shared()?.join("golden/inputs/wmt17/de-en");
        let entries = fs::read_dir(&folder).with_context(|| format!("no texts in {}", folder.display()))?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
        let is_system =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("sys."));
        let mut systems: Vec<PathBuf> = paths.into_iter().filter(is_system).collect();
        systems.sort();
        Ok(Texts { reference: folder.join("ref"), systems })
    }

    /// More and longer segments of the same text, none twice: every line, and every line joined with its next.
    pub fn enlarged(&self, folder: &Path) -> Result<Self> {
        let enlarge = |path: &PathBuf| -> Result<PathBuf> {
            let text = fs::read_to_string(path)?;
            let lines: Vec<&str> = text.lines().collect();
            let joined = lines.windows(2).map(|pair| pair.join(" "));
            let all: Vec<String> = lines.iter().map(|line| line.to_string()).chain(joined).collect();
            let enlarged = folder.join(path.file_name().context("a file has a name")?);
            fs::write(&enlarged, all.join("\n") + "\n")?;
            Ok(enlarged)
        };
        let systems = self.systems.iter().map(enlarge).collect::<Result<_>>()?;
        Ok(Texts { reference: enlarge(&self.reference)?, systems })
    }

    /// One file each of references and hypotheses: the segments of all systems, each followed by what `mark` makes of
    /// the numbers of its system and line.
    pub fn joined(&self, folder: &Path, mark: fn(usize, usize) -> String) -> Result<(PathBuf, PathBuf)> {
        let write = |name: &str, files: Vec<&PathBuf>| -> Result<PathBuf> {
            let mut all = String::new();
            for (system, file) in files.into_iter().enumerate() {
                let text = fs::read_to_string(file)?;
                all.extend(text.lines().enumerate().map(|(line, text)| format!("{text}{}\n", mark(system, line))));
            }
            let path = folder.join(name);
            fs::write(&path, all)?;
            Ok(path)
        };
        let references = vec![&self.reference; self.systems.len()];
        Ok((write("joined.ref", references)?, write("joined.hyp", self.systems.iter().collect())?))
    }

    /// `tercet score` of the first systems.
    pub fn score(&self, tercet: &Path, systems: usize, metrics: &str, threads: usize) -> Command {
        let mut command = Command::new(tercet);
        command.args(["score", "-r"]).arg(&self.reference).args(metrics.split_whitespace());
        command.args(["--threads", &threads.to_string(), "-f", "json"]).args(&self.systems[..systems]);
        command
    }
}

/// A format of rows with named fields.
#[derive(Clone, Copy)]
pub enum RowFormat {
    JsonLines,
    Csv,
}

impl RowFormat {
    pub fn name(self) -> &'static str {
        match self {
            RowFormat::JsonLines => "JSON lines",
            RowFormat::Csv => "CSV",
        }
    }
}

/// The lines of two files as rows with the fields `mt` and `ref`.
pub fn rows(folder: &Path, format: RowFormat, reference: &Path, hypothesis: &Path) -> Result<PathBuf> {
    let [references, hypotheses] = [reference, hypothesis].map(fs::read_to_string);
    let (references, hypotheses) = (references?, hypotheses?);
    let texts = hypotheses.lines().zip(references.lines());
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let (name, rows): (_, String) = match format {
        RowFormat::JsonLines => {
            ("rows.jsonl", texts.map(|(mt, re)| format!("{}\n", json!({"mt": mt, "ref": re}))).collect())
        }
        RowFormat::Csv => {
            let records = texts.map(|(mt, re)| format!("{},{}\n", quoted(mt), quoted(re)));
            ("rows.csv", ["mt,ref\n".to_owned()].into_iter().chain(records).collect())
        }
    };
    let path = folder.join(name);
    fs::write(&path, rows)?;
    Ok(path)
}
