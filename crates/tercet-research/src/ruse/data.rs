//! Judgements and features of a recipe as one table of numbers.

use super::recipe::RegressionEntry;
use crate::corpora::Judgements;
use crate::encode::SentenceEncoder;
use crate::error::{Error, Result};
use crate::learned::{self, Feature, FeatureColumn, JudgedTexts, Scope, comparison_features, read_sets};
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::warning::Warning;
use std::path::Path;
use std::sync::Arc;
use tercet_learn::linear::ranking_svm::RankedRows;
use tercet_math::Matrix;

/// The features of the translations of a set.
#[derive(Clone, Debug, Default)]
pub struct FeatureTable {
    /// Names of the features that are scores or components of metrics.
    pub columns: Vec<String>,
    /// The number of features of each block: 1 of each metric, then four times the dimension of each encoder.
    pub blocks: Vec<usize>,
    /// One row for each translation.
    pub rows: Vec<Vec<f64>>,
}

impl FeatureTable {
    /// The table of columns and sentence vectors.
    pub fn new(columns: Vec<FeatureColumn>, vectors: &[learned::Block], judged: &JudgedTexts) -> Result<Self> {
        let width = |block: &learned::Block| 4 * block.translations.columns();
        let blocks = columns.iter().map(|_| 1).chain(vectors.iter().map(width)).collect();
        let row = |(place, segment): (usize, usize)| {
            let mut row: Vec<f64> = columns.iter().map(|column| column.values[place]).collect();
            for block in vectors {
                let compared = comparison_features(block.translations.row(place), block.references.row(segment));
                row.extend(compared.into_iter().map(f64::from));
            }
            row
        };
        let translations = judged.translations.iter().enumerate();
        let rows = translations.map(|(place, translation)| row((place, translation.segment as usize))).collect();
        let table = FeatureTable { columns: columns.into_iter().map(|column| column.name).collect(), blocks, rows };
        table.check(judged)?;
        Ok(table)
    }

    /// Computes all features of a set.
    pub fn compute(
        features: &[Feature],
        encoders: &[Arc<dyn SentenceEncoder>],
        judged: &JudgedTexts,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let (translations, name) = (judged.translations.len(), judged.name());
        let progress = progress.about(&name);
        let mut columns = Vec::new();
        for feature in features {
            progress.stage(&feature.to_string(), translations, "translations")?;
            columns.extend(learned::measure(feature, judged, registry, progress)?);
        }
        let mut blocks = Vec::new();
        for encoder in encoders {
            let sentences = translations + judged.references.len();
            progress.stage(encoder.signature().name(), sentences, "sentences")?;
            blocks.push(learned::encode(encoder.as_ref(), judged, progress)?);
        }
        FeatureTable::new(columns, &blocks, judged)
    }

    /// Returns an error that names the first feature that is NaN or infinite.
    fn check(&self, judged: &JudgedTexts) -> Result<()> {
        for (place, row) in self.rows.iter().enumerate() {
            if let Some(column) = row.iter().position(|value| !value.is_finite()) {
                let feature = self.columns.get(column).map_or("a number of a sentence vector", String::as_str);
                let (value, name) = (row[column], judged.name());
                return Err(Error::Unusable(format!(
                    "{name}: the feature {feature} of translation {} is {value}, expected a finite number",
                    place + 1
                )));
            }
        }
        Ok(())
    }
}

/// Rows of features to learn from.
#[derive(Clone, Debug, Default)]
pub(super) struct Examples {
    pub table: FeatureTable,
    /// A row with its score.
    pub scored: Vec<(u32, f64)>,
    /// Rows of which one is better.
    pub pairs: Vec<RankedRows>,
    /// The sets with the number of their examples: `da-wmt16 cs-en (560)`.
    pub names: Vec<String>,
}

impl Examples {
    /// Adds the judgements of a set, whose translations have the features of `table`.
    pub fn add(&mut self, judged: &JudgedTexts, table: FeatureTable) -> Result<()> {
        let start = self.table.rows.len() as u32;
        let count = judged.scores.len() + judged.pairs.len();
        let name = format!("{} ({count})", judged.name());
        if self.names.contains(&name) {
            return Err(Error::SetTwice { set: judged.name() });
        }
        self.names.push(name);
        self.scored.extend(judged.scores.iter().map(|one| (start + one.translation, one.score)));
        self.pairs.extend(judged.pairs.iter().map(|pair| {
            let (better, worse) = if pair.a_is_better { (pair.a, pair.b) } else { (pair.b, pair.a) };
            RankedRows { better: start + better, worse: start + worse }
        }));
        if self.table.rows.is_empty() {
            self.table = table;
        } else {
            self.table.rows.extend(table.rows);
        }
        Ok(())
    }

    /// Returns an error if there are fewer examples than folds, or all scores are the same.
    pub fn check(&self, folds: usize) -> Result<()> {
        let count = self.scored.len() + self.pairs.len();
        if count == 0 {
            let names = self.names.join(", ");
            return Err(Error::Unusable(format!("there are no judgements to learn from: {names}")));
        }
        if count < folds {
            let examples = if count == 1 { "is 1 example" } else { &format!("are {count} examples") };
            let hint = match count {
                1 => "give more data".to_owned(),
                count => format!("write folds = {count} or less, or give more data"),
            };
            let what = format!("[regression] folds cannot be {folds}: there {examples} ({hint})");
            return Err(Error::BadRequest(what));
        }
        match self.scored.first() {
            Some((_, first)) if self.scored.iter().all(|(_, score)| score == first) => {
                Err(Error::Unusable(format!("all scores are {first}: there is nothing to learn")))
            }
            _ => Ok(()),
        }
    }

    /// Warns of metrics that have the same value everywhere; if all features have, there is nothing to learn from.
    pub fn check_constant(&self, progress: Progress<'_>) -> Result<()> {
        let rows = &self.table.rows;
        let Some(first) = rows.first().filter(|_| rows.len() > 1) else { return Ok(()) };
        if rows.iter().all(|row| row == first) {
            let what = "every feature has the same value in all examples: there is nothing to learn from";
            return Err(Error::Unusable(what.to_owned()));
        }
        let is_constant = |column: &usize| rows.iter().all(|row| row[*column] == first[*column]);
        for column in (0..self.table.columns.len()).filter(is_constant) {
            let (feature, value) = (self.table.columns[column].clone(), first[column].to_string());
            progress.warn(&Warning::ConstantFeature { feature, value })?;
        }
        Ok(())
    }

    /// The rows of scores in their order, and the scores.
    pub fn scored_rows(&self) -> Result<(Matrix<f64>, Vec<f64>)> {
        let rows: Vec<&[f64]> = self.scored.iter().map(|(row, _)| &self.table.rows[*row as usize][..]).collect();
        Ok((Matrix::from_rows(&rows)?, self.scored.iter().map(|(_, score)| *score).collect()))
    }
}

/// The error of a set without scores; one with rankings can be learned from by another method.
fn with_method(error: Error, set: &Judgements) -> Error {
    match JudgedTexts::with_pairs(set, Scope::Judged) {
        Ok(_) => {
            Error::Unusable(format!("{error}, only rankings (from which [regression] method = \"ranking-svm\" learns)"))
        }
        Err(_) => error,
    }
}

/// The judged sets of an entry: with scores, or with pairs.
pub(super) fn read(
    entry: &RegressionEntry,
    folder: &Path,
    pairs_wanted: bool,
    progress: Progress<'_>,
) -> Result<Vec<JudgedTexts>> {
    let judged = |set: Judgements| match pairs_wanted {
        true => JudgedTexts::with_pairs(&set, Scope::Judged),
        false => JudgedTexts::with_scores(&set, None).map_err(|error| with_method(error, &set)),
    };
    read_sets(&folder.join(&entry.file), &entry.pairs, progress)?.into_iter().map(judged).collect()
}
