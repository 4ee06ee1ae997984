//! Runs what has not been run, and keeps what has.

use super::agreement::{PairScores, figures};
use super::human::{DRAWS, Human};
use super::models::{Model, SICK};
use super::parsed::ParsedPair;
use super::tables::Task;
use super::test_sets::{self, TestPair, TestSet};
use super::trainings::{Run, run_models};
use crate::ReproduceJob;
use crate::fingerprint::fingerprint;
use crate::finished::{Figures, FinishedRuns, Key};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use tercet::Result;
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
    pub(super) fn run(&mut self, wanted: &[Experiment]) -> Result<()> {
        for (task, test) in wanted {
            self.read(task, *test)?;
        }
        let runs = self.missing(wanted);
        self.prepare(&runs)?;
        let count = |(task, _): &Experiment| self.seeds(task).count();
        let all: usize = wanted.iter().map(count).sum();
        self.progress.stage("running experiments", all, "runs")?;
        self.progress.advance(all - runs.len())?;
        let (metrics, models): (Vec<Run<'_>>, _) = runs.into_iter().partition(|(seed, _)| *seed == 0);
        self.run_metrics(&metrics)?;
        run_models(self, models)
    }

    /// The seeds of a task: 0 if nothing is learned.
    fn seeds(&self, task: &Task) -> std::ops::RangeInclusive<u64> {
        if task.models().is_empty() { 0..=0 } else { 1..=self.settings.seeds() }
    }

    /// What has not been run, by seed.
    fn missing<'w>(&self, wanted: &'w [Experiment]) -> Vec<Run<'w>> {
        let mut runs = Vec::new();
        for seed in 0..=self.settings.seeds() {
            let of_seed = wanted.iter().filter(|(task, _)| self.seeds(task).contains(&seed));
            let missing = of_seed.filter(|(task, test)| self.finished.find(&self.key(task, *test), seed).is_none());
            runs.extend(missing.map(|one| (seed, one)));
        }
        runs
    }

    /// Reads and computes what runs have in common.
    fn prepare(&mut self, runs: &[Run<'_>]) -> Result<()> {
        for test in TestSet::ALL {
            let (data, progress) = (&self.settings.data, self.progress);
            let mut of_test = runs.iter().map(|(_, one)| one).filter(|one| one.1 == test).peekable();
            if of_test.peek().is_none() {
                continue;
            }
            progress.uncounted(&format!("people's scores of the systems of {}", test.title()))?;
            let pairs = &self.tests[&test];
            let people = pairs.iter().map(|pair| Human::new(data, test, pair, progress)).collect::<Result<_>>()?;
            self.people.insert(test, people);
            if of_test.any(|one| !one.0.models().is_empty()) {
                let parsed = pairs.iter().map(|pair| ParsedPair::new(pair, progress)).collect::<Result<_>>()?;
                self.parsed.insert(test, parsed);
            }
        }
        Ok(())
    }

    fn run_metrics(&self, runs: &[Run<'_>]) -> Result<()> {
        for (_, (task, test)) in runs {
            if let Task::Metric(metric) = task {
                self.progress.status(&format!("{metric}, {}", test.title()), false)?;
                let figures = self.metric(metric, *test)?;
                self.finished.keep(&self.key(task, *test), 0, &figures);
                self.progress.advance(1)?;
            }
        }
        Ok(())
    }

    /// The figures of a task by seed, as far as it has been run.
    pub(super) fn figures(&self, task: &Task, test: TestSet) -> Vec<Figures> {
        let key = self.key(task, test);
        self.seeds(task).filter_map(|seed| self.finished.find(&key, seed)).collect()
    }

    /// Keeps the figures of a run that is finished.
    pub(super) fn keep(&self, (seed, (task, test)): Run<'_>, scores: &[&SegmentScores]) {
        self.finished.keep(&self.key(task, *test), seed, &self.of_scores(*test, scores));
    }

    /// Trains a model. Its file and checkpoint are in the cache while they are needed, so that a training that was stopped goes on.
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

    fn of_scores(&self, test: TestSet, scores: &[&SegmentScores]) -> Figures {
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
            self.hash_once(vectors, |path| Ok(json!(WordVectors::open(path)?.hash())))?;
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
    fn key(&self, task: &Task, test: TestSet) -> Key {
        let pairs = self.tests.get(&test).into_iter().flatten();
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
