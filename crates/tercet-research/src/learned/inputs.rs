//! The inputs of a network for a set, before normalisation: features, sentence vectors, word lists.
//!
//! # Normalisation
//! To [−1, 1] by minimum and maximum (Guzmán et al., 2017, sec. 4.4 and 5.6):
//!
//! ```text
//! x′ = 2 (x − low) / (high − low) − 1
//! ```
//!
//! `low` and `high` are the minimum and maximum of each feature and dimension on the training data, separately for
//! translations and references.
//!
//! Values outside of the training range are not clipped, which would make ties. A feature without variation is 0.

use super::features::{Feature, FeatureColumn, MeasuredFeature};
use super::judged::JudgedTexts;
use super::vocabulary::Words;
use crate::encode::SentenceEncoder;
use crate::error::{Error, Result};
use crate::metrics::Registry;
use crate::progress::Progress;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use tercet_math::Matrix;
use tercet_model::model_file::{ModelFile, Values};

/// The inputs of a network for one set. Sets that are used together must have the same features and blocks in the
/// same order.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// ψ: features of the translations.
    pub features: Vec<FeatureColumn>,
    /// x: sentence vectors of translations and references; those of all blocks are concatenated.
    pub blocks: Vec<Block>,
    /// Word lists, for an encoder that is trained with the network.
    pub words: Option<Words>,
}

/// The sentence vectors of one encoder for a set.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The encoder's kind.
    pub name: String,
    /// One row per translation.
    pub translations: Matrix,
    /// One row per segment.
    pub references: Matrix,
}

/// The vectors of all translations and references of a set. `progress` advances by sentences.
pub fn encode(encoder: &dyn SentenceEncoder, judged: &JudgedTexts, progress: Progress<'_>) -> Result<Block> {
    let translations: Vec<&str> = judged.translations.iter().map(|translation| translation.text.as_str()).collect();
    let references: Vec<&str> = judged.references.iter().map(String::as_str).collect();
    if let Some(long) = encoder.long_lines(&[translations.as_slice(), &references].concat()) {
        progress.warn(&long.warning(judged.name()))?;
    }
    Ok(Block {
        name: encoder.kind().to_string(),
        translations: vectors(encoder, judged, &translations, progress)?,
        references: vectors(encoder, judged, &references, progress)?,
    })
}

/// Sentences that are encoded at a time.
const BATCH: usize = 1024;

/// The vectors as rows of a matrix, which has the encoder's dimension even without lines.
fn vectors(
    encoder: &dyn SentenceEncoder,
    judged: &JudgedTexts,
    lines: &[&str],
    progress: Progress<'_>,
) -> Result<Matrix> {
    let mut values = Vec::with_capacity(lines.len() * encoder.dimension());
    for batch in lines.chunks(BATCH) {
        encoder
            .encode(batch)
            .map_err(|error| of_set(judged, error))?
            .into_iter()
            .for_each(|vector| values.extend(vector));
        progress.advance(batch.len())?;
    }
    Ok(Matrix::new(lines.len(), encoder.dimension(), values)?)
}

/// Adds the set to an error about a line of it; texts that are scored have no set.
fn of_set(judged: &JudgedTexts, error: Error) -> Error {
    match error {
        Error::Unusable(what) if !judged.set.is_empty() => Error::Unusable(format!("{}: {what}", judged.name())),
        other => other,
    }
}

impl Inputs {
    /// The number of features.
    pub fn skip(&self) -> usize {
        self.features.len()
    }

    /// The total width of all blocks.
    pub fn width(&self) -> usize {
        self.blocks.iter().map(|block| block.translations.columns()).sum()
    }

    /// Returns an error if the inputs do not belong to this set.
    pub(crate) fn check(&self, judged: &JudgedTexts) -> Result<()> {
        let (name, translations) = (judged.name(), judged.translations.len());
        let differ = |what: &str, found: usize, expected: usize| {
            (found != expected)
                .then(|| Error::Unusable(format!("{name}: {what} has {found} rows, expected {expected}")))
        };
        let columns = self.features.iter().map(|column| (column.name.as_str(), column.values.len(), translations));
        let blocks = self.blocks.iter().flat_map(|block| {
            let name = block.name.as_str();
            [(name, block.translations.rows(), translations), (name, block.references.rows(), judged.references.len())]
        });
        match columns.chain(blocks).find_map(|(what, found, expected)| differ(what, found, expected)) {
            Some(error) => Err(error),
            None => super::inputs::check_finite(&self.features, &name),
        }
    }

    /// Returns an error if features or blocks differ from these.
    pub(crate) fn check_like(&self, features: &[String], blocks: &[String]) -> Result<()> {
        let own_features: Vec<&str> = self.features.iter().map(|column| column.name.as_str()).collect();
        let own_blocks: Vec<&str> = self.blocks.iter().map(|block| block.name.as_str()).collect();
        for (what, own, expected) in [("features", own_features, features), ("sentence vectors", own_blocks, blocks)] {
            if own != *expected {
                let (own, expected) = (listed(&own), listed(expected));
                return Err(Error::Unusable(format!(
                    "the network was trained with the {what} {expected}, here are {own}"
                )));
            }
        }
        Ok(())
    }
}

fn listed<S: AsRef<str>>(names: &[S]) -> String {
    if names.is_empty() {
        return "(none)".to_owned();
    }
    names.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(" + ")
}

/// t, r, t ⊙ r and |t − r|, one after the other.
///
/// # Panics
/// If the two vectors differ in length.
pub fn comparison_features(t: &[f32], r: &[f32]) -> Vec<f32> {
    assert_eq!(t.len(), r.len(), "vectors of one encoder");
    let both = || t.iter().zip(r);
    let products = both().map(|(t, r)| t * r);
    let differences = both().map(|(t, r)| (t - r).abs());
    t.iter().chain(r).copied().chain(products).chain(differences).collect()
}

/// The range of each feature or dimension.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MinMax {
    ranges: Vec<[f64; 2]>,
}

impl MinMax {
    fn sized(columns: usize) -> Self {
        MinMax { ranges: vec![[f64::INFINITY, f64::NEG_INFINITY]; columns] }
    }

    /// How many features or dimensions.
    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    fn see(&mut self, column: usize, value: f64) {
        let [low, high] = &mut self.ranges[column];
        (*low, *high) = (low.min(value), high.max(value));
    }

    /// The ranges of features over these rows.
    pub fn of_columns<'a>(sets: impl Iterator<Item = (&'a [FeatureColumn], &'a [bool])>) -> Self {
        let mut all = MinMax::default();
        for (columns, used) in sets {
            if all.ranges.is_empty() {
                all = MinMax::sized(columns.len());
            }
            for (number, column) in columns.iter().enumerate() {
                let rows = column.values.iter().zip(used).filter(|(_, used)| **used);
                rows.for_each(|(value, _)| all.see(number, *value));
            }
        }
        all
    }

    /// The ranges of dimensions over these rows of matrices, which are concatenated.
    pub fn of_matrices<'a>(sets: impl Iterator<Item = (Vec<&'a Matrix>, &'a [bool])>) -> Self {
        let mut all = MinMax::default();
        for (matrices, used) in sets {
            if all.ranges.is_empty() {
                all = MinMax::sized(matrices.iter().map(|matrix| matrix.columns()).sum());
            }
            for row in (0..used.len()).filter(|row| used[*row]) {
                let values = matrices.iter().flat_map(|matrix| matrix.row(row));
                values.enumerate().for_each(|(column, value)| all.see(column, f64::from(*value)));
            }
        }
        all
    }

    /// A value of a feature or dimension, normalised.
    pub fn apply(&self, column: usize, value: f64) -> f32 {
        let [low, high] = self.ranges[column];
        if high > low { (2.0 * (value - low) / (high - low) - 1.0) as f32 } else { 0.0 }
    }

    /// Adds the ranges to a model file.
    pub fn store(&self, name: &str, file: &mut ModelFile) {
        file.add(name, vec![self.ranges.len(), 2], Values::F64(self.ranges.concat()));
    }

    /// The ranges in a model file.
    pub fn stored(name: &str, file: &ModelFile) -> Result<Self> {
        let shape = &file.tensor(name)?.shape;
        let ranges: Vec<[f64; 2]> = file.f64(name)?.as_chunks().0.to_vec();
        if *shape != [ranges.len(), 2] || ranges.iter().any(|[low, high]| low > high) {
            return Err(Error::Unusable(format!("its tensor `{name}` holds no ranges: its shape is {shape:?}")));
        }
        Ok(MinMax { ranges })
    }
}

/// Returns an error that names the first value that is NaN or infinite.
pub(super) fn check_finite(columns: &[FeatureColumn], set: &str) -> Result<()> {
    for column in columns {
        if let Some(row) = column.values.iter().position(|value| !value.is_finite()) {
            let (name, value) = (&column.name, column.values[row]);
            let what =
                format!("{set}: the feature {name} of translation {} is {value}, expected a finite number", row + 1);
            return Err(Error::Unusable(what));
        }
    }
    Ok(())
}

/// The features and encoders of a model.
pub(crate) struct ModelInputs {
    pub features: Vec<MeasuredFeature>,
    pub encoders: Vec<Arc<dyn SentenceEncoder>>,
    /// The encoders as written, with the paths of their files.
    texts: Vec<String>,
}

/// The features and encoders that a file names.
pub(crate) struct StoredInputs {
    /// Features with their full signatures.
    pub features: Vec<String>,
    /// Encoders as written, and what they were in training.
    pub encoders: Vec<(String, String)>,
}

impl ModelInputs {
    /// These features, and encoders with their texts.
    pub fn new(
        features: &[Feature],
        texts: Vec<String>,
        encoders: Vec<Arc<dyn SentenceEncoder>>,
        registry: &Registry,
    ) -> Result<Self> {
        let measured = |feature| MeasuredFeature::new(feature, registry);
        let features = features.iter().map(measured).collect::<Result<_>>()?;
        Ok(ModelInputs { features, encoders, texts })
    }

    /// The stored ones, as `feature` and `encoder` build them.
    pub fn open(
        stored: StoredInputs,
        feature: impl Fn(&str) -> Result<MeasuredFeature>,
        encoder: impl Fn(&str, &str) -> Result<Arc<dyn SentenceEncoder>>,
    ) -> Result<Self> {
        let features = stored.features.iter().map(|text| feature(text)).collect::<Result<_>>()?;
        let encoders = stored.encoders.iter().map(|(text, kind)| encoder(text, kind)).collect::<Result<_>>()?;
        let texts = stored.encoders.into_iter().map(|(text, _)| text).collect();
        Ok(ModelInputs { features, encoders, texts })
    }

    /// Adds them to a file, with the names of the features' columns.
    pub fn store(&self, columns: &[String], file: &mut ModelFile) -> Result<()> {
        let features: Vec<String> = self.features.iter().map(MeasuredFeature::signature).collect();
        let kinds = self.encoders.iter().map(|encoder| encoder.kind().to_string());
        let encoders: Vec<(&String, String)> = self.texts.iter().zip(kinds).collect();
        set_json(file, "features", &features)?;
        set_json(file, "columns", columns)?;
        set_json(file, "encoders", &encoders)
    }

    /// Returns an error if the columns that `model` was trained with are not those of the features.
    pub fn check_columns(&self, trained: &[String], model: &str) -> Result<(), String> {
        let mut rest = trained.iter();
        let differ = |trained: Option<&String>, found: &str| {
            let trained = trained.map_or("nothing", String::as_str);
            Err(format!("its {model} was trained with {trained} where its features give {found}"))
        };
        for feature in &self.features {
            for name in feature.column_names().map_err(|error| error.to_string())? {
                let trained = rest.next();
                if trained.is_none_or(|trained| feature.without_files(trained) != name) {
                    return differ(trained, &name);
                }
            }
        }
        rest.next().map_or(Ok(()), |left| differ(Some(left), "nothing"))
    }
}

impl StoredInputs {
    /// Those of a file.
    pub fn read(file: &ModelFile) -> Result<Self> {
        let features: Vec<String> = from_json(file, "features")?;
        let features = features.iter().map(|text| Ok(Feature::of_earlier_version(text)?.to_string()));
        Ok(StoredInputs { features: features.collect::<Result<_>>()?, encoders: from_json(file, "encoders")? })
    }
}

/// Sets an entry of a file to a value in JSON.
pub(crate) fn set_json<T: Serialize + ?Sized>(file: &mut ModelFile, key: &str, value: &T) -> Result<()> {
    let json = serde_json::to_string(value);
    let json = json.map_err(|error| Error::Unusable(format!("the model cannot be written: {error}")))?;
    file.set(key, &json);
    Ok(())
}

/// An entry of a file that is a value in JSON.
pub(crate) fn from_json<T: DeserializeOwned>(file: &ModelFile, key: &str) -> Result<T> {
    let bad = |error| Error::Unusable(format!("the model's entry `{key}` cannot be read: {error}"));
    serde_json::from_str(file.get(key)?).map_err(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_parts_follow_each_other() {
        assert_eq!(comparison_features(&[1.0, -2.0], &[3.0, 0.5]), [1.0, -2.0, 3.0, 0.5, 3.0, -1.0, 2.0, 2.5]);
        assert!(comparison_features(&[], &[]).is_empty());
    }

    #[test]
    fn the_training_range_becomes_minus_one_to_one_and_nothing_is_clipped() {
        let columns = [
            FeatureColumn { name: "a".to_owned(), values: vec![0.0, 10.0, 99.0] },
            FeatureColumn { name: "b".to_owned(), values: vec![3.0, 3.0, 4.0] },
        ];
        let scaling = MinMax::of_columns([(&columns[..], &[true, true, false][..])].into_iter());
        let applied = |column, values: [f64; 3]| values.map(|value| scaling.apply(column, value));
        assert_eq!(applied(0, [0.0, 5.0, 20.0]), [-1.0, 0.0, 3.0]);
        assert_eq!(applied(1, [3.0, 4.0, -9.0]), [0.0; 3]);
        let mut file = ModelFile::new("model");
        scaling.store("range", &mut file);
        assert_eq!(MinMax::stored("range", &file).unwrap(), scaling);
    }

    #[test]
    fn a_feature_that_is_nan_is_named() {
        let column = FeatureColumn { name: "bleu".to_owned(), values: vec![1.0, f64::NAN] };
        let error = check_finite(&[column], "wmt12-rr cs-en").unwrap_err().to_string();
        assert_eq!(error, "wmt12-rr cs-en: the feature bleu of translation 2 is NaN, expected a finite number");
    }
}
