//! The model file: the network, how its inputs are computed and normalised, and notes on its training.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `pairwise`:
//!
//! | entry | |
//! |---|---|
//! | `network` | `ready` or `encoded`; sizes and tensors after `network.` |
//! | `features` | JSON: every feature with the metric's full signature |
//! | `columns`, `blocks` | JSON: names of features and of sentence vectors as they were trained |
//! | `encoders` | JSON: pairs of an encoder's specification and its kind |
//! | `vocabulary`, `origin` | words of a trained encoder, one per line, and the source of their initial vectors |
//! | `range.…`, `average.…` | tensors: ranges of the training data, the empty translation |
//! | `about.…` | notes: recipe, training data, seed, scores |
//!
//! A model needs the resources it was trained with: it is an error if a metric's resources or the vectors have other
//! hashes or dimensions. Files may have moved: see [`MovedFiles`].

use super::fit::{Averages, Fitted, TrainedNetwork};
use super::tables::Scaling;
use crate::context::Context;
use crate::encode::{self, SentenceEncoder};
use crate::error::{Error, Result};
use crate::learned::{Feature, MeasuredFeature, MinMax, ModelInputs, StoredInputs, Vocabulary, from_json, set_json};
use crate::metrics::Registry;
use crate::spec::Spec;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_learn::networks::{EncodedPairNetwork, PairNetwork};
use tercet_math::Matrix;
use tercet_model::model_file::{ModelFile, ModelRecord, Values};

const KIND: &str = "pairwise";

/// New paths of files that a model uses. Default: the paths at training.
#[derive(Clone, Debug, Default)]
pub struct MovedFiles {
    /// Word vectors.
    pub vectors: Option<PathBuf>,
    /// Precomputed sentence vectors.
    pub sentences: Option<PathBuf>,
    /// The constituency parser of syntax vectors.
    pub parser: Option<PathBuf>,
    /// METEOR's paraphrase table.
    pub paraphrase: Option<PathBuf>,
}

/// A trained network with the metrics and encoders of its inputs.
pub struct PairwiseModel {
    pub(super) fitted: Fitted,
    pub(super) inputs: ModelInputs,
    pub(super) vocabulary: Option<Vocabulary>,
    pub(super) record: ModelRecord,
}

impl PairwiseModel {
    /// A model of a network that was trained on these features, encoders and words.
    pub fn new(
        fitted: Fitted,
        features: &[Feature],
        encoder_texts: Vec<String>,
        encoders: Vec<Arc<dyn SentenceEncoder>>,
        vocabulary: Option<Vocabulary>,
        registry: &Registry,
    ) -> Result<Self> {
        let inputs = ModelInputs::new(features, encoder_texts, encoders, registry)?;
        Ok(PairwiseModel { fitted, inputs, vocabulary, record: ModelRecord::default() })
    }

    /// The hash of the model file, and its notes: training data, seed, scores, recipe.
    pub fn record(&self) -> &ModelRecord {
        &self.record
    }

    /// Sets a note, which is stored in the model file.
    pub fn set_note(&mut self, key: &str, value: impl ToString) {
        self.record.set_note(key, value);
    }

    /// The trained network.
    pub fn fitted(&self) -> &Fitted {
        &self.fitted
    }

    /// Writes the model file atomically.
    pub fn write(&mut self, path: &Path) -> Result<()> {
        let mut file = ModelFile::new(KIND);
        let fitted = &self.fitted;
        match &fitted.network {
            TrainedNetwork::Ready(network) => {
                file.set("network", "ready");
                network.store("network.", &mut file);
            }
            TrainedNetwork::Encoded(network) => {
                file.set("network", "encoded");
                network.store("network.", &mut file);
            }
        }
        self.inputs.store(&fitted.features, &mut file)?;
        set_json(&mut file, "blocks", &fitted.blocks)?;
        if let Some(vocabulary) = &self.vocabulary {
            file.set("vocabulary", &vocabulary.words().join("\n"));
            file.set("origin", vocabulary.origin());
        }
        fitted.scaling.store(&mut file);
        for (name, values) in [("vector", &fitted.averages.vector), ("features", &fitted.averages.features)] {
            file.add(&format!("average.{name}"), vec![values.len()], Values::F32(values.clone()));
        }
        file.set("asymmetry", &fitted.asymmetry().to_string());
        Ok(file.write_with(&mut self.record, path)?)
    }

    /// Reads a model file and the files it needs.
    pub fn open(path: &Path, files: &MovedFiles, registry: &Registry) -> Result<Self> {
        let file = ModelFile::read(path, KIND)?;
        let unusable = |reason: String| Error::bad_file(path, reason);
        file.check_finite()?;
        let (network, vocabulary) = network(&file).map_err(|error| unusable(error.to_string()))?;
        let stored = StoredInputs::read(&file)?;
        check_used(files, &stored).map_err(unusable)?;
        let measured = |text: &str| {
            feature(text, files, path, registry).map_err(|error| {
                let hint = hint(&error);
                unusable(format!("its features cannot be measured here: {error}{hint}"))
            })
        };
        let encoded = |text: &str, kind: &str| {
            encoder((text, kind), files, path, registry.context()).map_err(|error| unusable(error.to_string()))
        };
        let inputs = ModelInputs::open(stored, measured, encoded)?;
        let fitted = fitted(&file, network)?;
        inputs.check_columns(&fitted.features, "network").map_err(unusable)?;
        check_sizes(&fitted, &inputs.encoders).map_err(unusable)?;
        Ok(PairwiseModel { fitted, inputs, vocabulary, record: file.record() })
    }
}

/// What to do about a missing file.
fn hint(error: &Error) -> &'static str {
    let gone = matches!(error, Error::Read { .. });
    if gone { ": if METEOR's table has moved, give its path with pairwise:model=…,paraphrase=FILE" } else { "" }
}

/// Returns an error for files that the model does not use, or of which it uses several.
fn check_used(files: &MovedFiles, stored: &StoredInputs) -> Result<(), String> {
    let is_of = |text: &str, name: &str| text.split(':').next() == Some(name);
    let count = |name: &str| stored.encoders.iter().filter(|(text, _)| is_of(text, name)).count();
    let encoder = |name: &str| count(name) > 0;
    if files.sentences.is_some() && count("precomputed") > 1 {
        let files = count("precomputed");
        return Err(format!(
            "it uses {files} files of precomputed vectors, and sentences=FILE would replace each of them: \
             put the new rows into those files"
        ));
    }
    let paraphrases = stored.features.iter().any(|feature| feature.contains("paraphrase="));
    let unused = [
        ("vectors", files.vectors.is_some() && !encoder("average")),
        ("sentences", files.sentences.is_some() && !encoder("precomputed")),
        ("parser", files.parser.is_some() && !encoder("syntax")),
        ("paraphrase", files.paraphrase.is_some() && !paraphrases),
    ];
    match unused.into_iter().find(|(_, unused)| *unused) {
        None => Ok(()),
        Some((key, _)) => Err(format!("it uses no {key}, so {key}=FILE has no effect")),
    }
}

/// The network and the words of its encoder.
fn network(file: &ModelFile) -> Result<(TrainedNetwork, Option<Vocabulary>)> {
    match file.get("network")? {
        "ready" => Ok((TrainedNetwork::Ready(PairNetwork::stored("network.", file)?), None)),
        "encoded" => {
            let network = EncodedPairNetwork::stored("network.", file)?;
            let words: Vec<String> = file.get("vocabulary")?.split('\n').map(str::to_owned).collect();
            let (rows, columns) = network.embedding_shape();
            if words.len() != rows {
                return Err(Error::Unusable(format!("it has {} words but {rows} vectors", words.len())));
            }
            let matrix = Matrix::new(rows, columns, network.embedding().to_vec())?;
            let vocabulary = Vocabulary::from_parts(words, matrix, file.get("origin")?.to_owned());
            Ok((TrainedNetwork::Encoded(Box::new(network)), Some(vocabulary)))
        }
        other => Err(Error::Unusable(format!("its network is of the kind `{other}`, expected ready or encoded"))),
    }
}

fn fitted(file: &ModelFile, network: TrainedNetwork) -> Result<Fitted> {
    let averages =
        Averages { vector: file.f32("average.vector")?.to_vec(), features: file.f32("average.features")?.to_vec() };
    let (features, blocks) = (from_json(file, "columns")?, from_json(file, "blocks")?);
    let asymmetry = file.number("asymmetry")?;
    Ok(Fitted::from_parts(network, Scaling::stored(file)?, averages, features, blocks, asymmetry))
}

/// Builds a feature and checks that its metric has the signature of training.
fn feature(text: &str, files: &MovedFiles, model: &Path, registry: &Registry) -> Result<MeasuredFeature> {
    let feature: Feature = text.parse()?;
    let metric = Spec::parse("metric", feature.metric())?;
    let Some(table) = metric.option("paraphrase") else {
        return MeasuredFeature::new(&feature, registry);
    };
    let table = files.paraphrase.clone().unwrap_or_else(|| beside(model, table));
    let moved = metric.with_option("paraphrase", table.display()).to_string();
    MeasuredFeature::new(&feature.with_metric(moved), registry)
}

/// A file of a model. Its path is kept as it was written in training; where there is no such file from the current
/// folder, it may be beside the model.
fn beside(model: &Path, written: &str) -> PathBuf {
    let (path, folder) = (PathBuf::from(written), model.parent().unwrap_or(Path::new("")));
    let places = [folder.join(&path), folder.join(path.file_name().unwrap_or_default())];
    let found = places.into_iter().find(|place| path.is_relative() && !path.exists() && place.is_file());
    found.unwrap_or(path)
}

/// Builds an encoder and checks that it gives the vectors of training.
fn encoder(
    (text, kind): (&str, &str),
    files: &MovedFiles,
    model: &Path,
    context: &Context,
) -> Result<Arc<dyn SentenceEncoder>> {
    let written = Spec::parse("encoder", text)?;
    let spec = match written.option("file").map(|file| beside(model, file)) {
        Some(file) => written.with_option("file", file.display()),
        None => written,
    };
    let (name, moved) = match spec.name() {
        "average" => ("vectors", &files.vectors),
        "syntax" => ("parser", &files.parser),
        _ => ("sentences", &files.sentences),
    };
    let moved = moved.as_ref().filter(|_| name == "parser" || spec.option("file").is_some());
    let (spec, hint) = match moved {
        Some(path) => (spec.with_option("file", path.display()), String::new()),
        None => (spec, format!(": if it has moved, give its path with pairwise:model=…,{name}=FILE")),
    };
    let built = encode::build_spec(&spec, context).map_err(|error| match error {
        Error::Read { .. } => Error::Unusable(format!("{error}{hint}")),
        other => other,
    })?;
    let found = built.kind().to_string();
    if found != kind {
        let file = spec.option("file").unwrap_or("the parser inside this version");
        return Err(Error::Unusable(format!("it was trained with {kind}, but {file} gives {found}{hint}")));
    }
    Ok(built)
}

/// Returns an error if the sizes of network, ranges and averages differ.
fn check_sizes(fitted: &Fitted, encoders: &[Arc<dyn SentenceEncoder>]) -> Result<(), String> {
    let width: usize = encoders.iter().map(|encoder| encoder.dimension()).sum();
    let Scaling { features, translations, references } = &fitted.scaling;
    let shape = fitted.head_shape();
    let fixed = match &fitted.network {
        TrainedNetwork::Ready(_) => shape.vector,
        TrainedNetwork::Encoded(network) => network.shape().fixed,
    };
    let differs = |what: &str, found: usize, expected: usize| {
        (found != expected).then(|| format!("{what}: expected {expected} numbers, found {found}"))
    };
    let of = |range: &MinMax| range.len();
    let checks = [
        differs("ranges of translations", of(translations), width),
        differs("ranges of references", of(references), width),
        differs("ranges of features", of(features), fitted.features.len()),
        differs("features of the network", shape.skip, fitted.features.len()),
        differs("dimensions of the network", fixed, width),
        differs("average vector", fitted.averages.vector.len(), shape.vector),
        differs("average features", fitted.averages.features.len(), shape.skip),
    ];
    checks.into_iter().flatten().next().map_or(Ok(()), Err)
}
