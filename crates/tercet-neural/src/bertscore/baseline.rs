//! Scores of unrelated lines, by which BERTScore is rescaled: the tables `rescale_baseline/LANGUAGE/MODEL.tsv` of the
//! package.

use super::Scores;
use crate::error::{Error, Result};
use std::path::Path;
use tercet_base::files;

/// A table of such scores.
#[derive(Debug)]
pub(super) struct Baseline {
    layers: Vec<Unrelated>,
    hash: String,
}

/// The scores of unrelated lines in one layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unrelated(Scores);

impl Unrelated {
    /// 0 for the score of unrelated lines, 1 for that of equal ones.
    pub(super) fn rescale(self, scores: Scores) -> Scores {
        let rescale = |score: f64, base: f64| (score - base) / (1.0 - base);
        Scores {
            precision: rescale(scores.precision, self.0.precision),
            recall: rescale(scores.recall, self.0.recall),
            f1: rescale(scores.f1, self.0.f1),
        }
    }
}

impl Baseline {
    /// Reads a table for an encoder of so many layers.
    pub(super) fn read(path: &Path, layers: usize) -> Result<Self> {
        let bytes = std::fs::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        let text = String::from_utf8_lossy(&bytes);
        let rows: Option<Vec<Unrelated>> =
            text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(row).collect();
        let wrong = |why: String| Err(Error::Unusable(format!("{}: {why}", path.display())));
        match rows {
            None => wrong("a line is not a layer, precision, recall and F1 below 1, separated by commas".to_owned()),
            Some(rows) if rows.len() != layers + 1 => {
                let (found, wanted) = (rows.len(), layers + 1);
                wrong(format!("it has {found} layers, but the encoder has {wanted} with its embeddings"))
            }
            Some(layers) => Ok(Baseline { layers, hash: files::short_hash(&bytes) }),
        }
    }

    pub(super) fn layers(&self) -> &[Unrelated] {
        &self.layers
    }

    pub(super) fn hash(&self) -> &str {
        &self.hash
    }
}

fn row(line: &str) -> Option<Unrelated> {
    let numbers: Vec<f64> = line.split(',').map(|number| number.trim().parse().ok()).collect::<Option<_>>()?;
    match numbers[..] {
        [_, precision, recall, f1] if [precision, recall, f1].iter().all(|number| *number < 1.0) => {
            Some(Unrelated(Scores { precision, recall, f1 }))
        }
        _ => None,
    }
}
