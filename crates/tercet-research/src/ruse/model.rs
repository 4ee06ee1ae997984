//! The model file of a regression over features.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `ruse` or `blend`:
//!
//! | entry | |
//! |---|---|
//! | `features` | JSON: every metric with its full signature |
//! | `columns` | JSON: names of their columns as they were trained |
//! | `encoders` | JSON: pairs of an encoder's specification and its kind |
//! | `scaling.…` | tensors: shifts and factors of the features |
//! | `regressor.…` | the regression |
//! | `slope` | of the logistic curve over the difference of two scores |
//! | `about.…` | notes: recipe, training data, chosen settings, agreement in cross-validation |
//!
//! A model needs the resources it was trained with: it is an error if a metric's resources or an encoder's files are others.
//! Files are looked for where they were, then beside the model, then in a folder that the caller names.

use super::data::FeatureTable;
use super::training::FittedRegression;
use crate::context::Context;
use crate::encode::{self, SentenceEncoder};
use crate::error::{Error, Result};
use crate::learned::{self, Feature, JudgedTexts, MeasuredFeature};
use crate::metrics::{Registry, Segment};
use crate::progress::Progress;
use crate::spec::{OptionInfo, Spec};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_base::files;
use tercet_learn::feature_scaling::FeatureScaling;
use tercet_learn::regression::Regressor;
use tercet_math::Matrix;
use tercet_model::model_file::ModelFile;

/// A regression with the metrics and encoders of its features.
pub struct RegressionModel {
    kind: &'static str,
    regressor: Regressor,
    scaling: FeatureScaling,
    columns: Vec<String>,
    pub(super) features: Vec<MeasuredFeature>,
    pub(super) encoders: Vec<Arc<dyn SentenceEncoder>>,
    /// The encoders as written, with the paths of their files.
    encoder_texts: Vec<String>,
    pub(super) slope: f64,
    notes: Vec<(String, String)>,
    hash: String,
}

impl RegressionModel {
    pub(super) fn new(
        kind: &'static str,
        fitted: FittedRegression,
        features: &[Feature],
        encoder_texts: Vec<String>,
        encoders: Vec<Arc<dyn SentenceEncoder>>,
        registry: &Registry,
    ) -> Result<Self> {
        let features =
            features.iter().map(|feature| MeasuredFeature::new(feature, registry)).collect::<Result<_>>()?;
        let FittedRegression { regressor, scaling, columns, slope, notes } = fitted;
        let notes = notes.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        let hash = String::new();
        Ok(RegressionModel {
            kind,
            regressor,
            scaling,
            columns,
            features,
            encoders,
            encoder_texts,
            slope,
            notes,
            hash,
        })
    }

    /// Sets a note, which is stored in the model file.
    pub fn set_note(&mut self, key: &str, value: impl ToString) {
        self.notes.retain(|(known, _)| known != key);
        self.notes.push((key.to_owned(), value.to_string()));
    }

    /// The notes of the model: training data, chosen settings, agreement in cross-validation, recipe.
    pub fn notes(&self) -> &[(String, String)] {
        &self.notes
    }

    /// The first eight hexadecimal digits of the SHA-256 of the model file; empty before it is written.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The regression.
    pub fn regressor(&self) -> &Regressor {
        &self.regressor
    }

    /// Writes the model file atomically.
    pub fn write(&mut self, path: &Path) -> Result<()> {
        let mut file = ModelFile::new(self.kind);
        file.set_version();
        let features: Vec<String> = self.features.iter().map(MeasuredFeature::signature).collect();
        let kinds = self.encoders.iter().map(|encoder| encoder.kind().to_string());
        let encoders: Vec<(&String, String)> = self.encoder_texts.iter().zip(kinds).collect();
        file.set("features", &json(&features)?);
        file.set("columns", &json(&self.columns)?);
        file.set("encoders", &json(&encoders)?);
        file.set("slope", &self.slope.to_string());
        self.scaling.store("scaling.", &mut file);
        self.regressor.store("regressor.", &mut file);
        file.add_notes(&self.notes);
        let bytes = file.to_bytes()?;
        self.hash = files::short_hash(&bytes);
        Ok(files::write(path, &bytes)?)
    }

    /// Reads a model file of a kind, and the files it needs; `folder` is a further place to look for those.
    pub(crate) fn open(
        kind: &'static str,
        path: &Path,
        folder: Option<&Path>,
        registry: &Registry,
    ) -> Result<Self> {
        let file = ModelFile::read(path, kind)?;
        file.check_version()?;
        file.check_finite()?;
        let unusable =
            |error: Error| Error::Unusable(format!("{}: {error}{}", path.display(), hint(&error, kind)));
        let folders: Vec<&Path> = path.parent().into_iter().chain(folder).collect();
        let written: Vec<String> = from_json(&file, "features")?;
        let features: Vec<MeasuredFeature> = written
            .iter()
            .map(|text| feature(text, &folders, registry))
            .collect::<Result<_>>()
            .map_err(unusable)?;
        let texts: Vec<(String, String)> = from_json(&file, "encoders")?;
        let encoders: Vec<Arc<dyn SentenceEncoder>> = texts
            .iter()
            .map(|(text, trained)| encoder(text, trained, &folders, registry.context()))
            .collect::<Result<_>>()
            .map_err(unusable)?;
        let model = RegressionModel {
            kind,
            regressor: Regressor::stored("regressor.", &file)?,
            scaling: FeatureScaling::stored("scaling.", &file)?,
            columns: from_json(&file, "columns")?,
            features,
            encoders,
            encoder_texts: texts.into_iter().map(|(text, _)| text).collect(),
            slope: file.number("slope")?,
            notes: file.notes(),
            hash: file.hash().to_owned(),
        };
        model.check().map_err(|reason| file.bad(reason))?;
        Ok(model)
    }

    /// Returns an error if the parts of a file do not fit each other.
    fn check(&self) -> Result<(), String> {
        let mut trained = self.columns.iter();
        for feature in &self.features {
            for name in feature.column_names().map_err(|error| error.to_string())? {
                let column = trained.next();
                if column.is_none_or(|column| feature.without_files(column) != name) {
                    let column = column.map_or("nothing", String::as_str);
                    return Err(format!(
                        "its regression was trained with {column} where its features give {name}"
                    ));
                }
            }
        }
        if let Some(left) = trained.next() {
            return Err(format!("its regression was trained with {left}, which none of its features gives"));
        }
        let vectors: usize = self.encoders.iter().map(|encoder| 4 * encoder.dimension()).sum();
        let expected = self.columns.len() + vectors;
        match [self.scaling.features(), self.regressor.features()]
            .into_iter()
            .find(|count| *count != expected)
        {
            Some(count) => Err(format!("it has {expected} features, but its regression takes {count}")),
            None if !self.slope.is_finite() => Err("its slope is not a number".to_owned()),
            None => Ok(()),
        }
    }

    /// The score of each translation; `features` are those of the model, prepared for all references.
    pub(super) fn scores(&self, features: &[MeasuredFeature], judged: &JudgedTexts) -> Result<Vec<f64>> {
        let references: Vec<[&str; 1]> = judged.references.iter().map(|line| [line.as_str()]).collect();
        let segments: Vec<Segment<'_>> = judged
            .translations
            .iter()
            .map(|translation| Segment::new(&translation.text, &references[translation.segment as usize]))
            .collect();
        let mut columns = Vec::new();
        for feature in features {
            columns.extend(feature.columns(&segments)?);
        }
        let encoded =
            |encoder: &Arc<dyn SentenceEncoder>| learned::encode(encoder.as_ref(), judged, Progress::none());
        let blocks = self.encoders.iter().map(encoded).collect::<Result<Vec<_>>>()?;
        let table = FeatureTable::new(columns, &blocks, judged)?;
        let mut rows = Matrix::from_rows(&table.rows)?;
        self.scaling.apply(&mut rows)?;
        Ok(self.regressor.predict(&rows)?)
    }
}

/// What to do about a missing file.
fn hint(error: &Error, kind: &str) -> String {
    match error {
        Error::Read { .. } => format!(": if it has moved, name its folder with {kind}:model=…,files=FOLDER"),
        _ => String::new(),
    }
}

fn json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|error| Error::Unusable(format!("the model cannot be written: {error}")))
}

fn from_json<T: serde::de::DeserializeOwned>(file: &ModelFile, key: &str) -> Result<T> {
    let bad = |error| Error::Unusable(format!("the model's entry `{key}` cannot be read: {error}"));
    serde_json::from_str(file.get(key)?).map_err(bad)
}

fn feature(text: &str, folders: &[&Path], registry: &Registry) -> Result<MeasuredFeature> {
    let feature: Feature = text.parse()?;
    let spec = Spec::parse("metric", feature.metric())?;
    let moved = with_found_files(spec, registry.find(feature.metric())?.options, folders)?;
    MeasuredFeature::new(&feature.with_metric(moved.to_string()), registry)
}

/// Builds an encoder and checks that it gives the vectors of training.
fn encoder(
    text: &str,
    trained: &str,
    folders: &[&Path],
    context: &Context,
) -> Result<Arc<dyn SentenceEncoder>> {
    let spec =
        with_found_files(Spec::parse("encoder", text)?, encode::find(text, context)?.options, folders)?;
    let built = encode::build_spec(&spec, context)?;
    let found = built.kind().to_string();
    match found == trained {
        true => Ok(built),
        false => {
            Err(Error::Unusable(format!("it was trained with the encoder {trained}, but {spec} is {found}")))
        }
    }
}

/// The specification with the paths at which its files are found.
fn with_found_files(spec: Spec, options: &[OptionInfo], folders: &[&Path]) -> Result<Spec> {
    let is_file = |(key, value): &(String, String)| {
        let is_named = |option: &OptionInfo| option.values.is_file(value) && value != option.default;
        options.iter().any(|option| option.key == key && is_named(option))
    };
    let written: Vec<(String, String)> = spec.options().to_vec();
    let mut paths = written.into_iter().filter(is_file);
    paths.try_fold(spec, |spec, (key, path)| {
        Ok(spec.with_option(&key, found(Path::new(&path), folders)?.display()))
    })
}

/// Where a file is: at its path, or else in one of the folders.
fn found(path: &Path, folders: &[&Path]) -> Result<PathBuf> {
    let relative = Some(path).filter(|path| path.is_relative());
    let names: Vec<&Path> = relative.into_iter().chain(path.file_name().map(Path::new)).collect();
    let places = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
    let place = std::iter::once(path.to_owned()).chain(places).find(|place| place.exists());
    place.ok_or_else(|| Error::Read { path: path.to_owned(), source: std::io::ErrorKind::NotFound.into() })
}
