//! What runs have in common: sets and encoders, each read once, and the keys by which runs are known.

use super::experiment::{Experiment, HIDDEN, Task, TestSetup, Vectors};
use super::sets::{JudgedSet, Part, SetName};
use crate::finished::{FinishedRuns, Key};
use crate::plan::PlannedRuns;
use crate::{ReproduceJob, VectorFile};
use foldhash::HashSet;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use tercet::cache::Cache;
use tercet::encode::{AverageEncoder, PrecomputedVectors, SentenceEncoder, SyntaxEncoder};
use tercet::learned::{Feature, Scope};
use tercet::metrics::Registry;
use tercet::progress::Progress;
use tercet::vectors::WordVectors;
use tercet::{Error, Result};

/// Counted up when figures of finished runs would come out otherwise.
const FORMAT: u32 = 2;

/// Settings, and what has been read so far.
pub(super) struct ExperimentCache<'a> {
    pub(super) settings: &'a ReproduceJob,
    pub(super) registry: &'a Registry,
    pub(super) progress: Progress<'a>,
    /// What has been run, by this command and earlier ones.
    pub(super) finished: FinishedRuns<'a>,
    sets: Vec<JudgedSet>,
    files: BTreeMap<VectorFile, Arc<WordVectors>>,
    encoders: BTreeMap<Vectors, Arc<dyn SentenceEncoder>>,
    signatures: BTreeMap<String, String>,
    /// What makes SYNTAX25, unless rows go without.
    syntax: Option<Arc<dyn SentenceEncoder>>,
}

impl<'a> ExperimentCache<'a> {
    pub(super) fn new(settings: &'a ReproduceJob, registry: &'a Registry, progress: Progress<'a>) -> Result<Self> {
        let syntax: Option<Arc<dyn SentenceEncoder>> = match &settings.syntax {
            _ if settings.no_syntax => None,
            Some(path) => Some(Arc::new(PrecomputedVectors::read(path)?)),
            None => Some(Arc::new(SyntaxEncoder::default())),
        };
        Ok(ExperimentCache {
            settings,
            registry,
            progress,
            finished: FinishedRuns::new(settings.cache(), settings.fresh, progress),
            sets: Vec::new(),
            files: BTreeMap::new(),
            encoders: BTreeMap::new(),
            signatures: BTreeMap::new(),
            syntax,
        })
    }

    /// Reads what these tasks need and has not been read.
    pub(super) fn fetch(&mut self, wanted: &[PlannedRuns<Task>]) -> Result<()> {
        self.progress.uncounted("reading")?;
        for (set, scope) in wanted.iter().flat_map(|one| one.task.sets()) {
            self.read_set(set, scope)?;
        }
        for one in wanted {
            match &one.task {
                Task::Metric { metric, .. } => self.sign(metric)?,
                Task::Learned(experiment) => self.fetch_inputs(experiment)?,
                Task::Cosine { vectors, .. } => self.fetch_vectors(*vectors)?,
            }
        }
        Ok(())
    }

    fn fetch_inputs(&mut self, experiment: &Experiment) -> Result<()> {
        for feature in &experiment.features {
            self.sign(feature.metric())?;
        }
        if experiment.words.is_some_and(|words| words.pretrained) {
            self.open(VectorFile::WikiGw50)?;
        }
        experiment.vectors.iter().chain(&experiment.cosines).try_for_each(|vectors| self.fetch_vectors(*vectors))
    }

    fn fetch_vectors(&mut self, vectors: Vectors) -> Result<()> {
        if self.encoders.contains_key(&vectors) {
            return Ok(());
        }
        let encoder: Arc<dyn SentenceEncoder> = match vectors {
            Vectors::Syntax => return Ok(()),
            Vectors::Averages { file, percent } => Arc::new(self.averages(file, percent)?),
            Vectors::Encoder(place) => {
                tercet::encode::build(&self.settings.encoders[place].1, self.registry.context())?
            }
        };
        self.encoders.insert(vectors, encoder);
        Ok(())
    }

    fn read_set(&mut self, name: SetName, scope: Scope) -> Result<()> {
        if self.sets.iter().all(|set| (set.name, set.scope) != (name, scope)) {
            self.progress.status(name.name(), false)?;
            self.sets.push(JudgedSet::read(&self.settings.data, name, scope)?);
        }
        Ok(())
    }

    /// Notes the signature of a metric.
    fn sign(&mut self, metric: &str) -> Result<()> {
        if !self.signatures.contains_key(metric) {
            let signature = self.registry.build(metric)?.signature().signed();
            self.signatures.insert(metric.to_owned(), signature);
        }
        Ok(())
    }

    fn open(&mut self, file: VectorFile) -> Result<Arc<WordVectors>> {
        if let Some(known) = self.files.get(&file) {
            return Ok(Arc::clone(known));
        }
        let path = self.settings.vectors(file).ok_or_else(|| Error::BadRequest(needs_vectors(file)))?;
        self.progress.status(&file.title(), false)?;
        let opened = Arc::new(WordVectors::open(&path, &self.registry.context().shared::<Cache>())?);
        self.files.insert(file, Arc::clone(&opened));
        Ok(opened)
    }

    fn averages(&mut self, file: VectorFile, percent: u8) -> Result<AverageEncoder> {
        let whole = AverageEncoder::new(self.open(file)?);
        if percent == 100 {
            return Ok(whole);
        }
        self.read_set(SetName::Wmt13, Scope::Judged)?;
        let kept = most_frequent(&whole, self.set(SetName::Wmt13, Scope::Judged), percent);
        let path = self.settings.vectors(file).ok_or_else(|| Error::BadRequest(needs_vectors(file)))?;
        let cache = self.registry.context().shared::<Cache>();
        Ok(AverageEncoder::new(Arc::new(WordVectors::read_for(&path, &cache, |word| kept.contains(word))?)))
    }

    /// A set, if it has been read.
    pub(super) fn known_set(&self, name: SetName, scope: Scope) -> Option<&JudgedSet> {
        self.sets.iter().find(|set| (set.name, set.scope) == (name, scope))
    }

    /// A set that has been read.
    pub(super) fn set(&self, name: SetName, scope: Scope) -> &JudgedSet {
        self.known_set(name, scope).expect("sets are read before runs begin")
    }

    /// The vectors of words of a file that has been opened.
    pub(super) fn file(&self, file: VectorFile) -> &WordVectors {
        self.files.get(&file).expect("files are opened before runs begin")
    }

    /// What makes these vectors.
    pub(super) fn encoder(&self, vectors: Vectors) -> &dyn SentenceEncoder {
        let made = match vectors {
            Vectors::Syntax => self.syntax.as_deref(),
            Vectors::Averages { .. } | Vectors::Encoder(_) => self.encoders.get(&vectors).map(AsRef::as_ref),
        };
        made.expect("encoders are made before runs begin")
    }

    /// All that decides a feature's digits but the texts.
    pub(super) fn signature(&self, feature: &Feature) -> String {
        let metric = self.signatures.get(feature.metric()).map_or("", String::as_str);
        if *feature == Feature::score(feature.metric()) { metric.to_owned() } else { format!("components({metric})") }
    }

    /// All that decides a task's digits but the seed. A network that judges pairs sees nothing but the pairs of its
    /// sets; metrics, and scores of systems, all that is in the test set.
    pub(super) fn key(&self, task: &Task) -> Key {
        Key(match task {
            Task::Metric { metric, test } => json!({
                "format": FORMAT,
                "program": env!("CARGO_PKG_VERSION"),
                "metric": self.signatures.get(metric),
                "test": self.described(test.set, test.scope()),
                "whole test": self.whole(*test),
            }),
            Task::Cosine { vectors, test } => json!({
                "format": FORMAT,
                "program": env!("CARGO_PKG_VERSION"),
                "cosine": self.encoder(*vectors).signature().to_string(),
                "test": self.described(test.set, test.scope()),
            }),
            Task::Learned(experiment) => {
                let mut described = self.described_experiment(experiment);
                if experiment.test.absolute {
                    described["whole test"] = self.whole(experiment.test);
                }
                described
            }
        })
    }

    fn described_experiment(&self, experiment: &Experiment) -> Value {
        let features: Vec<String> = experiment.features.iter().map(|feature| self.signature(feature)).collect();
        let vectors = |vectors: &Vectors| {
            // The place among the encoders that are given says nothing.
            let kind = match vectors {
                Vectors::Encoder(_) => "Encoder".to_owned(),
                other => format!("{other:?}"),
            };
            json!({"vectors": kind, "signature": self.encoder(*vectors).signature().to_string()})
        };
        let words = experiment.words.map(|words| {
            let pretrained = words.pretrained.then(|| self.file(VectorFile::WikiGw50).hash().to_owned());
            json!({"choice": format!("{words:?}"), "pretrained": pretrained})
        });
        let training: Vec<Value> = experiment.train.iter().map(|set| self.described(*set, Scope::Judged)).collect();
        let mut described = json!({
            "format": FORMAT,
            "program": env!("CARGO_PKG_VERSION"),
            "features": features,
            "vectors": experiment.vectors.iter().map(vectors).collect::<Vec<Value>>(),
            "words": words,
            "architecture": experiment.architecture.name(),
            "hidden": HIDDEN,
            "training": training_key(experiment),
            "train": training,
            "size": experiment.size,
            "development": self.described(experiment.test.development(), Scope::Judged),
            "test": self.described(experiment.test.set, experiment.test.scope()),
        });
        if !experiment.cosines.is_empty() {
            described["cosines"] = experiment.cosines.iter().map(vectors).collect();
        }
        described
    }

    /// A test set by all that its files hold.
    fn whole(&self, test: TestSetup) -> Value {
        let parts = &self.set(test.set, test.scope()).parts;
        parts.iter().map(|part| json!([part.language, part.whole])).collect()
    }

    /// A set by what networks see of it.
    fn described(&self, name: SetName, scope: Scope) -> Value {
        let part = |part: &Part| json!([part.language, part.digest]);
        let parts: Vec<Value> = self.set(name, scope).parts.iter().map(part).collect();
        json!({"set": name.name(), "scope": format!("{scope:?}"), "parts": parts})
    }
}

/// What to do where a file of vectors is missing.
pub(super) fn needs_vectors(file: VectorFile) -> String {
    format!("needs the vectors {} (give the file of {})", file.title(), file.name())
}

/// So many percent of an encoder's words: those that come most often in these texts, in the order of the file where
/// they come equally often.
fn most_frequent(encoder: &AverageEncoder, set: &JudgedSet, percent: u8) -> HashSet<String> {
    let lines: Vec<&str> = set.parts.iter().flat_map(|part| part.judged.texts()).collect();
    let counts = encoder.occurrences(&lines);
    let words: Vec<&str> = encoder.vectors().words().collect();
    let mut order: Vec<usize> = (0..words.len()).collect();
    order.sort_by_key(|&word| (std::cmp::Reverse(counts[word]), word));
    let kept = (words.len() * usize::from(percent)).div_ceil(100);
    order[..kept].iter().map(|&word| words[word].to_owned()).collect()
}

/// The settings of training as the first version wrote them, so that runs which it finished are found.
pub(super) fn training_key(experiment: &Experiment) -> String {
    let settings = format!("{:?}", experiment.training(0));
    let fields = settings.trim_start_matches("PairSettings").trim_end_matches(" }");
    format!("TrainingSettings{fields}, checkpoint_every: 0 }}")
}
