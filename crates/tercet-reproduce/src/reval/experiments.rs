//! Runs what has not been run, and keeps what has.

use super::agreement::{PairScores, figures};
use super::human::{DRAWS, Human};
use super::models::{Model, SICK};
use super::parsed::ParsedPair;
use super::tables::Task;
use super::test_sets::{self, TestPair, TestSet};
use super::trainings::run_models;
use crate::ReproduceJob;
use crate::fingerprint::fingerprint;
use crate::finished::{Figures, FinishedRuns, Key};
use crate::plan::{self, PlannedRuns, Task as _, begin, left};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use tercet::Result;
use tercet::cache::Cache;
use tercet::corpora::find_judgements;
use tercet::meta_evaluation::{JudgedSet, ScoreOptions, score_texts};
use tercet::metrics::Registry;
use tercet::metrics::reval::{RevalModel, train};
use tercet::parse::dependency::DependencyParser;
use tercet::progress::Progress;
use tercet::vectors::WordVectors;
use tercet_learn::training::TrainingFiles;

/// Counted up when figures of finished runs would come out otherwise.
const FORMAT: u32 = 1;

/// The version of the program and of its parser.
fn program() -> Value {
    json!([env!("CARGO_PKG_VERSION"), DependencyParser::english().record().hash])
}

/// Settings, and what has been read so far.
pub(super) struct Experiments<'a> {
    pub(super) settings: &'a ReproduceJob,
    pub(super) registry: &'a Registry,
    pub(super) progress: Progress<'a>,
    pub(super) finished: FinishedRuns<'a>,
    tests: BTreeMap<TestSet, Vec<TestPair>>,
    people: BTreeMap<TestSet, Vec<Human>>,
    parsed: BTreeMap<TestSet, Vec<ParsedPair>>,
    /// Hashes of training sets and of files of vectors.
    hashes: BTreeMap<PathBuf, Value>,
}

/// A task and the set it is tested on.
pub(super) type Experiment = (Task, TestSet);

/// A run that is left.
pub(super) type Run<'w> = plan::Run<'w, Experiment>;

impl plan::Task for Experiment {
    fn is_learned(&self) -> bool {
        !self.0.models().is_empty()
    }
}

/// Scores of the outputs of each language pair of a test set.
pub(super) type SegmentScores = Vec<Vec<f64>>;

impl<'a> Experiments<'a> {
    pub(super) fn new(settings: &'a ReproduceJob, registry: &'a Registry, progress: Progress<'a>) -> Self {
        Experiments {
            settings,
            registry,
            progress,
            finished: FinishedRuns::new(settings.cache(), settings.fresh, progress),
            tests: BTreeMap::new(),
            people: BTreeMap::new(),
            parsed: BTreeMap::new(),
            hashes: BTreeMap::new(),
        }
    }

    /// Runs all tasks on their test sets; the figures are found by [`Experiments::figures`] afterwards.
    pub(super) fn run(&mut self, wanted: &[PlannedRuns<Experiment>]) -> Result<()> {
        for (task, test) in wanted.iter().map(|one| &one.task) {
            self.read(task, *test)?;
        }
        let mut runs = left(wanted, &self.finished, |task| self.key(task));
        runs.sort_by_key(|run| run.seed);
        self.prepare(&runs)?;
        begin(self.progress, wanted, runs.len())?;
        let (metrics, models): (Vec<Run<'_>>, _) = runs.into_iter().partition(|run| run.seed == 0);
        metrics.iter().try_for_each(|run| self.run_metric(run))?;
        run_models(self, models)
    }

    /// Reads and computes what runs have in common.
    fn prepare(&mut self, runs: &[Run<'_>]) -> Result<()> {
        for test in TestSet::ALL {
            let (data, progress) = (&self.settings.data, self.progress);
            let mut of_test = runs.iter().map(|run| &run.wanted.task).filter(|task| task.1 == test).peekable();
            if of_test.peek().is_none() {
                continue;
            }
            progress.uncounted(&format!("people's scores of the systems of {}", test.title()))?;
            let pairs = &self.tests[&test];
            let people = pairs.iter().map(|pair| Human::new(data, test, pair, progress)).collect::<Result<_>>()?;
            self.people.insert(test, people);
            if of_test.any(|task| task.is_learned()) {
                let parsed = pairs.iter().map(|pair| ParsedPair::new(pair, progress)).collect::<Result<_>>()?;
                self.parsed.insert(test, parsed);
            }
        }
        Ok(())
    }

    fn run_metric(&self, run: &Run<'_>) -> Result<()> {
        if let (Task::Metric(metric), test) = &run.wanted.task {
            self.progress.status(&format!("{metric}, {}", test.title()), false)?;
            self.finished.keep(&run.key, run.seed, &self.metric(metric, *test)?);
            self.progress.advance(1)?;
        }
        Ok(())
    }

    /// The figures of a task by seed, as far as it has been run.
    pub(super) fn figures(&self, task: &Experiment) -> Vec<Figures> {
        self.finished.figures(&self.key(task), &task.seeds(self.settings.seeds()))
    }

    /// Keeps the figures of a run that is finished.
    pub(super) fn keep(&self, run: &Run<'_>, scores: &[&SegmentScores]) {
        self.finished.keep(&run.key, run.seed, &self.figures_of_scores(run.wanted.task.1, scores));
    }

    /// Trains a model. Its file and checkpoint are in the cache while they are needed, so that a training that was
    /// stopped goes on.
    pub(super) fn train(&self, model: &Model, seed: u64) -> Result<RevalModel> {
        let folder = match &self.settings.cache {
            Some(cache) => cache.join("models"),
            None => std::env::temp_dir().join(format!("tercet-reval-{}", std::process::id())),
        };
        std::fs::create_dir_all(&folder).map_err(|source| tercet::Error::Write { path: folder.clone(), source })?;
        let key = Key(json!([FORMAT, program(), model.described(self.settings), self.training_data(model)]));
        let mut files =
            TrainingFiles { model: folder.join(format!("{}-{seed}.safetensors", key.hash())), resume: false };
        files.resume = files.checkpoint().is_file() && !self.settings.fresh;
        let trained = train(&model.recipe(self.settings, seed), &files, self.progress.quiet())?;
        let _ = std::fs::remove_file(&files.model);
        Ok(trained)
    }

    /// The scores of a model on a test set.
    pub(super) fn scores(&self, model: &RevalModel, test: TestSet) -> Result<SegmentScores> {
        self.parsed[&test].iter().map(|pair| pair.scores(model)).collect()
    }

    fn figures_of_scores(&self, test: TestSet, scores: &[&SegmentScores]) -> Figures {
        let mut all = Figures::new();
        for (number, (pair, human)) in self.tests[&test].iter().zip(&self.people[&test]).enumerate() {
            let of_models: Vec<&[f64]> = scores.iter().map(|scores| scores[number].as_slice()).collect();
            let segments = match of_models[..] {
                [short, long] => self.parsed[&test][number].mixed(short, long),
                _ => of_models[0].to_vec(),
            };
            let scores = PairScores::with_means(segments, pair.judgements.systems.len());
            all.extend(figures(test, pair, human, &scores));
        }
        all
    }

    /// A metric on all language pairs: the digits of `tercet correlate`.
    fn metric(&self, metric: &str, test: TestSet) -> Result<Figures> {
        let mut all = Figures::new();
        for (pair, human) in self.tests[&test].iter().zip(&self.people[&test]) {
            let set = JudgedSet::new(&pair.judgements, &[], false)?;
            let wanted = ScoreOptions { systems: true, resampling: None };
            let metric = self.registry.named(metric, None)?;
            let scored = score_texts(&set, &[metric], wanted, self.progress.quiet())?.remove(0);
            let scores = PairScores {
                segments: scored.segments.unwrap_or_default(),
                systems: scored.systems.unwrap_or_default(),
            };
            all.extend(figures(test, pair, human, &scores));
        }
        Ok(all)
    }

    /// Reads what the key of a task needs.
    fn read(&mut self, task: &Task, test: TestSet) -> Result<()> {
        if !self.tests.contains_key(&test) {
            self.progress.uncounted(&format!("reading {}", test.folder()))?;
            self.tests.insert(test, test_sets::read(&self.settings.data, test)?);
        }
        for model in task.models() {
            let sick = model.data.sick.then_some(SICK);
            for set in model.data.sets.iter().copied().chain(sick) {
                let path = self.settings.data.join(set);
                self.hash_once(path, |path| {
                    let sets = find_judgements(path)?;
                    let hash = |source: &tercet::corpora::JudgementSource| {
                        Ok(json!([source.pair, fingerprint(&source.read()?)]))
                    };
                    sets.iter().map(hash).collect::<Result<Value>>()
                })?;
            }
            let vectors = model.vector_file(self.settings);
            let cache = self.registry.context().shared::<Cache>();
            self.hash_once(vectors, |path| Ok(json!(WordVectors::open(path, &cache)?.hash())))?;
        }
        if let Task::Metric(metric) = task {
            let signature = PathBuf::from(metric);
            let registry = self.registry;
            self.hash_once(signature, |_| Ok(json!(registry.build(metric)?.signature().signed())))?;
        }
        Ok(())
    }

    fn hash_once(&mut self, path: PathBuf, hash: impl Fn(&Path) -> Result<Value>) -> Result<()> {
        if let Entry::Vacant(vacant) = self.hashes.entry(path) {
            let found = hash(vacant.key())?;
            vacant.insert(found);
        }
        Ok(())
    }

    /// What a model learns from, by hashes.
    fn training_data(&self, model: &Model) -> Value {
        let data = &model.data;
        let sick = data.sick.then_some(SICK);
        let sets = data.sets.iter().copied().chain(sick).map(|set| self.settings.data.join(set));
        let sets: Vec<Option<&Value>> = sets.map(|path| self.hashes.get(&path)).collect();
        let vectors = self.hashes.get(&model.vector_file(self.settings));
        json!({"sets": sets, "pairs": data.pairs, "vectors": vectors})
    }

    /// All that decides on the digits of a task but the seed.
    fn key(&self, (task, test): &Experiment) -> Key {
        let pairs = self.tests.get(test).into_iter().flatten();
        let pairs: Vec<Value> = pairs.map(|pair| json!([pair.pair, pair.fingerprint])).collect();
        let of_task = match task {
            Task::Metric(metric) => json!({"metric": self.hashes.get(Path::new(metric))}),
            Task::Model(_) | Task::Mix(_) => {
                let described = |model: &Model| json!([model.described(self.settings), self.training_data(model)]);
                json!({"models": task.models().iter().map(described).collect::<Vec<_>>()})
            }
        };
        Key(json!({
            "format": FORMAT,
            "program": program(),
            "reval": of_task,
            "test": test.name(),
            "pairs": pairs,
            "draws": DRAWS,
        }))
    }
}
