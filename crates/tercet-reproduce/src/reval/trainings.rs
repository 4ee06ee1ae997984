//! Trains the models that are missing, as many side by side as there are threads, each of them once.

use super::experiments::{Experiments, Run, SegmentScores};
use super::models::Model;
use super::test_sets::TestSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use tercet::{Error, Result};

/// A model to be trained with a seed.
type Training<'w> = (u64, &'w Model);

/// What has been scored, and what waits for scores.
struct State<'w> {
    scores: Vec<(Training<'w>, TestSet, SegmentScores)>,
    waiting: Vec<Run<'w>>,
    error: Option<Error>,
}

/// Trains every model once, and keeps the figures of a run as soon as all of its models are trained.
pub(super) fn run_models(experiments: &Experiments<'_>, runs: Vec<Run<'_>>) -> Result<()> {
    let trainings = trainings(&runs);
    let state = Mutex::new(State { scores: Vec::new(), waiting: runs, error: None });
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(training) = trainings.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = train_and_score(experiments, training, &state) {
                lock(&state).error.get_or_insert(error);
                next.store(trainings.len(), Ordering::Relaxed);
            }
        }
    };
    let threads = rayon::current_num_threads();
    let side_by_side = threads.min(trainings.len());
    thread::scope(|scope| {
        for number in 0..side_by_side {
            let own = threads / side_by_side + usize::from(number < threads % side_by_side);
            let pool = rayon::ThreadPoolBuilder::new().num_threads(own).build();
            let pool = pool.map_err(|error| Error::Unusable(format!("cannot start {threads} threads: {error}")))?;
            thread::Builder::new()
                .spawn_scoped(scope, {
                    let work = &work;
                    move || pool.install(work)
                })
                .map_err(|error| Error::Unusable(format!("cannot start {threads} threads: {error}")))?;
        }
        Ok::<_, Error>(())
    })?;
    lock(&state).error.take().map_or(Ok(()), Err)
}

impl<'w> Run<'w> {
    /// The models that it needs.
    fn models(&self) -> &'w [Model] {
        self.wanted.task.0.models()
    }
}

fn lock<'m, 'w>(state: &'m Mutex<State<'w>>) -> MutexGuard<'m, State<'w>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All trainings that runs need, in the order of the runs.
fn trainings<'w>(runs: &[Run<'w>]) -> Vec<Training<'w>> {
    let mut trainings = Vec::new();
    for run in runs {
        for model in run.models() {
            if !trainings.contains(&(run.seed, model)) {
                trainings.push((run.seed, model));
            }
        }
    }
    trainings
}

fn train_and_score<'w>(experiments: &Experiments<'_>, training: &Training<'w>, state: &Mutex<State<'w>>) -> Result<()> {
    let (seed, model) = *training;
    experiments.progress.status(&format!("training, seed {seed}"), false)?;
    let trained = experiments.train(model, seed)?;
    let needs = |run: &&Run<'w>| run.seed == seed && run.models().contains(model);
    let mut tests: Vec<TestSet> = lock(state).waiting.iter().filter(needs).map(|run| run.wanted.task.1).collect();
    tests.sort();
    tests.dedup();
    for test in tests {
        let scores = experiments.scores(&trained, test)?;
        lock(state).scores.push((*training, test, scores));
    }
    for (run, scores) in lock(state).take_complete() {
        experiments.keep(&run, &scores.iter().collect::<Vec<_>>());
        experiments.progress.advance(1)?;
    }
    Ok(())
}

impl<'w> State<'w> {
    /// The runs whose models are all trained, with their scores. Scores that no other run waits for are forgotten.
    fn take_complete(&mut self) -> Vec<(Run<'w>, Vec<SegmentScores>)> {
        let mut complete = Vec::new();
        for run in std::mem::take(&mut self.waiting) {
            let test = run.wanted.task.1;
            let find = |model: &'w Model| {
                let known = self.scores.iter().find(|one| one.0 == (run.seed, model) && one.1 == test);
                known.map(|one| one.2.clone())
            };
            match run.models().iter().map(find).collect() {
                Some(scores) => complete.push((run, scores)),
                None => self.waiting.push(run),
            }
        }
        let waiting = &self.waiting;
        self.scores.retain(|((seed, model), test, _)| {
            waiting.iter().any(|run| run.seed == *seed && run.wanted.task.1 == *test && run.models().contains(model))
        });
        complete
    }
}
