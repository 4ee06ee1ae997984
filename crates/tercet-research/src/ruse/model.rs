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
//! A model needs the resources it was trained with: it is an error if a metric's resources or an encoder's files are
//! others. Files are looked for where they were, then beside the model, then in a folder that the caller names.

use super::data::FeatureTable;
use super::training::FittedRegression;
use crate::context::Context;
use crate::encode::{self, SentenceEncoder};
use crate::error::{Error, Result};
use crate::learned::{
    Block, Comparison, Feature, FeatureColumn, FeatureModel, JudgedTexts, MeasuredFeature, ModelInputs, StoredInputs,
    from_json,
};
use crate::metrics::Registry;
use crate::spec::{OptionInfo, Spec};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_learn::feature_scaling::FeatureScaling;
use tercet_learn::regression::Regressor;
use tercet_math::Matrix;
use tercet_model::model_file::{ModelFile, ModelRecord};

/// A regression with the metrics and encoders of its features.
pub struct RegressionModel {
    kind: String,
    regressor: Regressor,
    scaling: FeatureScaling,
    columns: Vec<String>,
    inputs: ModelInputs,
    slope: f64,
    pub(super) record: ModelRecord,
}

impl RegressionModel {
    pub(super) fn new(kind: &str, fitted: FittedRegression, inputs: ModelInputs) -> Self {
        let FittedRegression { regressor, scaling, columns, slope, notes } = fitted;
        let mut record = ModelRecord::default();
        record.set_notes(notes);
        RegressionModel { kind: kind.to_owned(), regressor, scaling, columns, inputs, slope, record }
    }

    /// The hash of the model file, and its notes: training data, chosen settings, agreement in cross-validation,
    /// recipe.
    pub fn record(&self) -> &ModelRecord {
        &self.record
    }

    /// The regression.
    pub fn regressor(&self) -> &Regressor {
        &self.regressor
    }

    /// Writes the model file atomically.
    pub fn write(&mut self, path: &Path) -> Result<()> {
        let mut file = ModelFile::new(&self.kind);
        file.set_version();
        self.inputs.store(&self.columns, &mut file)?;
        file.set("slope", &self.slope.to_string());
        self.scaling.store("scaling.", &mut file);
        self.regressor.store("regressor.", &mut file);
        Ok(file.write_with(&mut self.record, path)?)
    }

    /// Reads a model file of a kind, and the files it needs; `folder` is a further place to look for those.
    pub(crate) fn open(kind: &str, path: &Path, folder: Option<&Path>, registry: &Registry) -> Result<Self> {
        let file = ModelFile::read(path, kind)?;
        file.check_version()?;
        file.check_finite()?;
        let unusable = |error: Error| Error::bad_file(path, format!("{error}{}", hint(&error, kind)));
        let folders: Vec<&Path> = path.parent().into_iter().chain(folder).collect();
        let measured = |text: &str| feature(text, &folders, registry);
        let encoded = |text: &str, trained: &str| encoder(text, trained, &folders, registry.context());
        let inputs = ModelInputs::open(StoredInputs::read(&file)?, measured, encoded).map_err(unusable)?;
        let model = RegressionModel {
            kind: kind.to_owned(),
            regressor: Regressor::stored("regressor.", &file)?,
            scaling: FeatureScaling::stored("scaling.", &file)?,
            columns: from_json(&file, "columns")?,
            inputs,
            slope: file.number("slope")?,
            record: file.record(),
        };
        model.check().map_err(|reason| file.bad(reason))?;
        Ok(model)
    }

    /// Returns an error if the parts of a file do not fit each other.
    fn check(&self) -> Result<(), String> {
        self.inputs.check_columns(&self.columns, "regression")?;
        let vectors: usize = self.inputs.encoders.iter().map(|encoder| 4 * encoder.dimension()).sum();
        let expected = self.columns.len() + vectors;
        match [self.scaling.features(), self.regressor.features()].into_iter().find(|count| *count != expected) {
            Some(count) => Err(format!("it has {expected} features, but its regression takes {count}")),
            None if !self.slope.is_finite() => Err("its slope is not a number".to_owned()),
            None => Ok(()),
        }
    }
}

impl FeatureModel for RegressionModel {
    fn record(&self) -> &ModelRecord {
        &self.record
    }

    fn inputs(&self) -> &ModelInputs {
        &self.inputs
    }

    fn scores(&self, judged: &JudgedTexts, columns: Vec<FeatureColumn>, blocks: Vec<Block>) -> Result<Vec<f64>> {
        let table = FeatureTable::new(columns, &blocks, judged)?;
        let mut rows = Matrix::from_rows(&table.rows)?;
        self.scaling.apply(&mut rows)?;
        Ok(self.regressor.predict(&rows)?)
    }

    fn comparison(&self) -> Comparison<'_> {
        Comparison::OfScores(self.slope)
    }
}

/// What to do about a missing file.
fn hint(error: &Error, kind: &str) -> String {
    match error {
        Error::Read { .. } => format!(": if it has moved, name its folder with {kind}:model=…,files=FOLDER"),
        _ => String::new(),
    }
}

fn feature(text: &str, folders: &[&Path], registry: &Registry) -> Result<MeasuredFeature> {
    let feature: Feature = text.parse()?;
    let spec = Spec::parse("metric", feature.metric())?;
    let moved = with_found_files(spec, registry.find(feature.metric())?.options, folders)?;
    MeasuredFeature::new(&feature.with_metric(moved.to_string()), registry)
}

/// Builds an encoder and checks that it gives the vectors of training.
fn encoder(text: &str, trained: &str, folders: &[&Path], context: &Context) -> Result<Arc<dyn SentenceEncoder>> {
    let spec = with_found_files(Spec::parse("encoder", text)?, encode::find(text, context)?.options, folders)?;
    let built = encode::build_spec(&spec, context)?;
    let found = built.kind().to_string();
    match found == trained {
        true => Ok(built),
        false => Err(Error::Unusable(format!("it was trained with the encoder {trained}, but {spec} is {found}"))),
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
    paths.try_fold(spec, |spec, (key, path)| Ok(spec.with_option(&key, found(Path::new(&path), folders)?.display())))
}

/// Where a file is: at its path, or else in one of the folders.
fn found(path: &Path, folders: &[&Path]) -> Result<PathBuf> {
    let relative = Some(path).filter(|path| path.is_relative());
    let names: Vec<&Path> = relative.into_iter().chain(path.file_name().map(Path::new)).collect();
    let places = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
    let place = std::iter::once(path.to_owned()).chain(places).find(|place| place.exists());
    place.ok_or_else(|| Error::Read { path: path.to_owned(), source: std::io::ErrorKind::NotFound.into() })
}
