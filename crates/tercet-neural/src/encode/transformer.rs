//! Sentence vectors of a BERT-family encoder, by default the mean of its token vectors (Reimers & Gurevych, 2019).
//!
//! The model is a folder as model hubs have it; `tercet-transformer` reads and computes it. MiniLM-L6, gte-small and
//! all-mpnet-base are such folders.
//!
//! # Choices
//! - Vectors are those of sentence-transformers: pooling and scaling to length 1 are as the folder says, the mean
//!   without scaling if it says nothing; `unit` overrides the scaling.
//! - A sentence longer than the window (what the folder says, else the rows of its table of positions) is encoded
//!   without its end; [`SentenceEncoder::long_lines`] counts such lines.
//! - A model that is opened twice is kept in memory once, and so are the vectors of sentences it has encoded
//!   (up to [`MAX_CACHED`] of them), so that several metrics with the same model encode each sentence once.

use super::token_matches::KeptMatches;
use super::{LongLines, SentenceEncoder, without_mark};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::spec::Spec;
use foldhash::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tercet_base::files;
pub use tercet_transformer::Precision;
use tercet_transformer::{Encoded, Encoder};

/// Sentence vectors that a model keeps: 77 MB of MiniLM's.
const MAX_CACHED: usize = 50_000;

/// A model in memory, shared by all encoders and metrics that use it.
pub struct TransformerModel {
    encoder: Encoder,
    precision: Precision,
    unit: bool,
    hash: String,
    sentences: Mutex<HashMap<Box<str>, Arc<[f32]>>>,
    pub(super) matches: Mutex<KeptMatches>,
}

/// Models that are in use, by folder and precision.
#[derive(Default)]
struct OpenModels(Mutex<Vec<(PathBuf, Precision, Weak<TransformerModel>)>>);

impl OpenModels {
    fn lock(&self) -> MutexGuard<'_, Vec<(PathBuf, Precision, Weak<TransformerModel>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TransformerModel {
    /// Opens the model of a folder, or returns the one that is open in this context already.
    pub fn open(folder: &Path, precision: Precision, context: &Context) -> Result<Arc<Self>> {
        let key = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let models = context.shared::<OpenModels>();
        let mut open = models.lock();
        open.retain(|(_, _, model)| model.strong_count() > 0);
        let is_same = |known: &&(PathBuf, Precision, Weak<Self>)| (&known.0, known.1) == (&key, precision);
        if let Some(model) = open.iter().find(is_same).and_then(|(_, _, model)| model.upgrade()) {
            return Ok(model);
        }
        let encoder = Encoder::read(folder, precision)?;
        let unit = encoder.config().unit_length;
        let encoder = encoder.with_unit_length(false);
        let (sentences, matches) = (Mutex::default(), Mutex::default());
        let model = Arc::new(TransformerModel { encoder, precision, unit, hash: hash(folder)?, sentences, matches });
        open.push((key, precision, Arc::downgrade(&model)));
        Ok(model)
    }

    /// The encoder.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The hash of all files that decide the vectors.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// `single` or `int8`, as options say it.
    pub fn precision_name(&self) -> &'static str {
        match self.precision {
            Precision::Single => "single",
            Precision::Int8 => "int8",
        }
    }

    /// Drops the vectors and matches that open models keep: for work on one set of texts after another, where those of
    /// the last one would leave no room for the next.
    pub fn forget_all(context: &Context) {
        let models = context.shared::<OpenModels>();
        let open = models.lock();
        for model in open.iter().filter_map(|(_, _, model)| model.upgrade()) {
            model.sentences.lock().unwrap_or_else(PoisonError::into_inner).clear();
            model.matches.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }

    /// The vectors of sentences, pooled but not scaled. Each distinct sentence is encoded once.
    pub fn sentence_vectors(&self, lines: &[&str]) -> Vec<Arc<[f32]>> {
        let missing = self.missing(lines);
        let vectors = self.encoder.encode(&missing, &[]).into_iter().map(|encoded| encoded.sentence.into());
        let new: HashMap<&str, Arc<[f32]>> = missing.iter().copied().zip(vectors).collect();
        let mut kept = self.sentences.lock().unwrap_or_else(PoisonError::into_inner);
        let found = |line: &&str| match kept.get(without_mark(line)) {
            Some(vector) => vector.clone(),
            None => new[without_mark(line)].clone(),
        };
        let all = lines.iter().map(found).collect();
        let room = MAX_CACHED.saturating_sub(kept.len());
        kept.extend(missing.iter().take(room).map(|line| (Box::from(*line), new[line].clone())));
        all
    }

    /// Keeps the vectors of lines that were encoded for their tokens.
    pub(super) fn keep_sentences(&self, lines: &[&str], encoded: &[Encoded]) {
        let mut kept = self.sentences.lock().unwrap_or_else(PoisonError::into_inner);
        let room = MAX_CACHED.saturating_sub(kept.len());
        let vectors = encoded.iter().map(|encoded| Arc::from(encoded.sentence.as_slice()));
        kept.extend(lines.iter().map(|line| Box::from(*line)).zip(vectors).take(room));
    }

    /// The distinct lines whose vectors are not kept, in order.
    fn missing<'a>(&self, lines: &[&'a str]) -> Vec<&'a str> {
        let kept = self.sentences.lock().unwrap_or_else(PoisonError::into_inner);
        let mut seen = HashSet::default();
        let lines = lines.iter().map(|line| without_mark(line));
        lines.filter(|line| !kept.contains_key(*line) && seen.insert(*line)).collect()
    }
}

/// The hash of the hashes of all files.
fn hash(folder: &Path) -> Result<String> {
    let mut all = Vec::new();
    for path in Encoder::files(folder)? {
        let (hash, _) = files::sha256(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        all.extend(hash);
    }
    Ok(files::short_hash(&all))
}

/// A transformer as a sentence encoder.
#[derive(Clone)]
pub struct TransformerEncoder {
    model: Arc<TransformerModel>,
    unit: bool,
}

impl TransformerEncoder {
    /// The encoder of a folder, scaling vectors to length 1 as the folder says.
    pub fn open(folder: &Path, precision: Precision, context: &Context) -> Result<Self> {
        let model = TransformerModel::open(folder, precision, context)?;
        Ok(TransformerEncoder { unit: model.unit, model })
    }

    /// Sets whether vectors are scaled to length 1.
    pub fn with_unit(mut self, unit: bool) -> Self {
        self.unit = unit;
        self
    }

    /// The model.
    pub fn model(&self) -> &Arc<TransformerModel> {
        &self.model
    }
}

impl SentenceEncoder for TransformerEncoder {
    fn signature(&self) -> Spec {
        let unit = if self.unit { "yes" } else { "no" };
        let spec = Spec::new("transformer").with_option("model", &self.model.hash);
        let spec = spec.with_option("dim", self.dimension());
        spec.with_option("precision", self.model.precision_name()).with_option("unit", unit)
    }

    fn dimension(&self) -> usize {
        self.model.encoder.config().width
    }

    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut vectors: Vec<Vec<f32>> =
            self.model.sentence_vectors(lines).iter().map(|vector| vector.to_vec()).collect();
        if self.unit {
            vectors.iter_mut().for_each(|vector| scale_to_unit(vector));
        }
        Ok(vectors)
    }

    fn window(&self) -> Option<usize> {
        Some(self.model.encoder.config().window)
    }

    fn long_lines(&self, lines: &[&str]) -> Option<LongLines> {
        let is_long = |line: &&&str| self.model.encoder.tokenize(without_mark(line)).cut;
        let count = lines.iter().filter(is_long).count();
        (count > 0).then(|| LongLines { count, window: self.model.encoder.config().window })
    }
}

fn scale_to_unit(vector: &mut [f32]) {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt().max(1e-12);
    vector.iter_mut().for_each(|number| *number /= length);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Partners;

    fn folder() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tercet-transformer/tests/small/mpnet")
    }

    #[test]
    fn vectors_are_those_of_pytorch_for_every_line() {
        let encoder = TransformerEncoder::open(&folder(), Precision::Single, &Context::default()).unwrap();
        let expected: Vec<serde_json::Value> =
            serde_json::from_slice(&std::fs::read(folder().join("expected.json")).unwrap()).unwrap();
        let lines: Vec<&str> = expected.iter().map(|line| line["line"].as_str().unwrap()).collect();
        for (vector, expected) in encoder.encode(&lines).unwrap().iter().zip(&expected) {
            for (number, expected) in vector.iter().zip(expected["mean"].as_array().unwrap()) {
                assert!((f64::from(*number) - expected.as_f64().unwrap()).abs() < 1e-5);
            }
        }
        let again = encoder.encode(&["\u{feff}cat", "cat"]).unwrap();
        assert_eq!(again[0], again[1]);
        assert_eq!(again[0], encoder.encode(&lines).unwrap()[3]);
    }

    #[test]
    fn what_was_kept_is_dropped_when_it_is_to_be_forgotten() {
        let context = Context::default();
        let model = TransformerModel::open(&folder(), Precision::Single, &context).unwrap();
        let vectors = model.sentence_vectors(&["the cat"]);
        let matches = model.token_matches(&[("the mat", "the cat sat")], Partners::All);
        let kept = || (model.sentences.lock().unwrap().len(), model.matches.lock().unwrap().of(Partners::All).len());
        assert_eq!(kept(), (3, 1));
        TransformerModel::forget_all(&context);
        assert_eq!(kept(), (0, 0));
        assert_eq!(vectors, model.sentence_vectors(&["the cat"]));
        assert_eq!(matches, model.token_matches(&[("the mat", "the cat sat")], Partners::All));
    }

    #[test]
    fn options_change_vector_and_signature() {
        let plain = TransformerEncoder::open(&folder(), Precision::Single, &Context::default()).unwrap();
        let unit = plain.clone().with_unit(true);
        let length = |encoder: &TransformerEncoder| {
            encoder.encode(&["the cat"]).unwrap()[0].iter().map(|number| number * number).sum::<f32>()
        };
        assert!((length(&unit) - 1.0).abs() < 1e-6 && (length(&plain) - 1.0).abs() > 0.1);
        let signature = unit.signature().to_string();
        assert!(signature.starts_with("transformer:model="), "{signature}");
        assert!(signature.ends_with(",dim=16,precision=single,unit=yes"), "{signature}");
        let int8 =
            TransformerEncoder::open(&folder(), Precision::Int8, &Context::default()).unwrap().signature().to_string();
        assert!(int8.ends_with(",precision=int8,unit=no"), "{int8}");
    }

    #[test]
    fn long_lines_are_counted() {
        let encoder = TransformerEncoder::open(&folder(), Precision::Single, &Context::default()).unwrap();
        let long = "the cat sat on the mat ".repeat(3);
        assert_eq!(encoder.long_lines(&["the cat"]), None);
        let found = encoder.long_lines(&["the cat", &long, &long]).unwrap();
        assert_eq!(found, LongLines { count: 2, window: 16 });
        let expected = "a: 2 lines are longer than the encoder's window of 16 tokens; the end was left out";
        assert_eq!(found.warning("a".to_owned()).to_string(), expected);
    }
}
