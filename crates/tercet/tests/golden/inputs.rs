//! Reads golden files and their inputs.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tercet::metrics::{Metric, Segment, Tally};

/// The inputs of a tool: one hypothesis per segment, its references.
pub struct Inputs {
    pub hypotheses: Vec<String>,
    /// `references[segment][reference]`
    pub references: Vec<Vec<String>>,
}

/// All golden files of a folder whose names end in `ending`, sorted.
pub fn files(shared: &Path, folder: &str, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(shared.join("golden").join(folder)).into_iter().flatten();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = paths.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    files.sort();
    assert!(!files.is_empty(), "golden/{folder} has no file that ends in {ending}");
    files
}

/// `folder/file`: the name of a test.
pub fn name(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name).unwrap_or_default();
    format!("{}/{}", folder.to_string_lossy(), path.file_name().unwrap_or_default().to_string_lossy())
}

pub fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The lines of a text, ended by "\n" only.
pub fn lines(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    if lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

/// The path of an input that a golden file names `inputs/public/X` or `inputs/X`.
pub fn resolve(shared: &Path, named: &str) -> PathBuf {
    shared.join("golden").join(named.replace("inputs/public/", "inputs/"))
}

impl Inputs {
    /// Inputs given as line-aligned files.
    pub fn from_files(shared: &Path, hypotheses: &str, references: &[&str], first_lines: Option<usize>) -> Self {
        let read = |name: &str| {
            let mut lines = lines(&resolve(shared, name));
            lines.truncate(first_lines.unwrap_or(usize::MAX));
            lines
        };
        let hypotheses = read(hypotheses);
        let references: Vec<Vec<String>> = references.iter().map(|name| read(name)).collect();
        let references = (0..hypotheses.len()).map(|i| references.iter().map(|r| r[i].clone()).collect()).collect();
        Inputs { hypotheses, references }
    }

    /// Inputs given as a JSON array of `{hyp, refs}`, the first `reference_count` references of each.
    pub fn from_json(shared: &Path, named: &str, reference_count: usize) -> Self {
        let records = json(&resolve(shared, named));
        let (mut hypotheses, mut references) = (Vec::new(), Vec::new());
        for record in records.as_array().unwrap() {
            hypotheses.push(record["hyp"].as_str().unwrap().to_owned());
            let refs = record["refs"].as_array().unwrap().iter();
            references.push(refs.take(reference_count).map(|r| r.as_str().unwrap().to_owned()).collect());
        }
        Inputs { hypotheses, references }
    }

    /// The `inputs` object of a golden file.
    pub fn from_golden(shared: &Path, inputs: &Value) -> Self {
        let first_lines = inputs["first_lines"].as_u64().map(|n| n as usize);
        if let Some(named) = inputs["json"].as_str() {
            let count = inputs["refs"].as_str().map_or(1, |refs| refs.matches("refs[").count());
            return Inputs::from_json(shared, named, count);
        }
        let references: Vec<&str> = match &inputs["refs"] {
            Value::Array(named) => named.iter().map(|r| r.as_str().unwrap()).collect(),
            _ => vec![inputs["ref"].as_str().unwrap()],
        };
        Inputs::from_files(shared, inputs["hyp"].as_str().unwrap(), &references, first_lines)
    }

    /// The tally of every segment, computed as one batch by the metric prepared for all references.
    pub fn tallies(&self, metric: &dyn Metric) -> Vec<Tally> {
        let references: Vec<Vec<&str>> =
            self.references.iter().map(|refs| refs.iter().map(String::as_str).collect()).collect();
        let slices: Vec<&[&str]> = references.iter().map(Vec::as_slice).collect();
        let prepared = metric.prepare(&slices).unwrap();
        let segments: Vec<Segment<'_>> =
            self.hypotheses.iter().zip(&references).map(|(hyp, refs)| Segment::new(hyp, refs)).collect();
        prepared.as_deref().unwrap_or(metric).tally(&segments).unwrap()
    }
}

/// Fails unless two numbers agree to 1e-9 of their size.
pub fn assert_close(ours: f64, theirs: f64, what: &str) {
    let tolerance = 1e-9 * theirs.abs().max(1e-9);
    assert!((ours - theirs).abs() <= tolerance, "{what}: ours {ours:?}, theirs {theirs:?}");
}
