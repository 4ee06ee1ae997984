//! Runs everything that has not been run: tasks that share inputs together, their seeds side by side on all threads.

use super::ahead::measure_ahead;
use super::experiment::{Experiment, Task};
use super::experiment_cache::ExperimentCache;
use super::inputs::SharedInputs;
use super::run::{self, People};
use super::sets::SetName;
use crate::finished::{Figures, Key};
use rayon::prelude::*;
use tercet::Result;

/// A task, what it is called to people, and the seeds it is wanted with.
#[derive(Clone, Debug)]
pub(super) struct PlannedRuns {
    pub(super) task: Task,
    pub(super) name: String,
    pub(super) seeds: Vec<u64>,
}

/// A task and a seed.
struct Run<'w> {
    place: (usize, usize),
    wanted: &'w PlannedRuns,
    key: &'w Key,
    seed: u64,
}

/// The figures of every wanted task, by seed.
pub(super) fn execute(shared: &mut ExperimentCache<'_>, wanted: &[PlannedRuns]) -> Result<Vec<Vec<Figures>>> {
    let tasks: Vec<Task> = wanted.iter().map(|one| one.task.clone()).collect();
    shared.fetch(&tasks)?;
    let shared = &*shared;
    let keys: Vec<Key> = tasks.iter().map(|task| shared.key(task)).collect();
    let mut figures: Vec<Vec<Option<Figures>>> = wanted
        .iter()
        .zip(&keys)
        .map(|(one, key)| one.seeds.iter().map(|seed| shared.finished.find(key, *seed)).collect())
        .collect();
    let count = |missing: bool| figures.iter().flatten().filter(|found| !missing || found.is_none()).count();
    let (runs, left) = (count(false), count(true));
    shared.progress.stage("running experiments", runs, "runs")?;
    shared.progress.advance(runs - left)?;
    let groups = groups(wanted, &keys, &figures);
    measure_ahead(shared, groups.iter().flatten().map(|run| &run.wanted.task))?;
    for group in groups {
        for (place, found) in run_group(shared, &group)? {
            figures[place.0][place.1] = Some(found);
        }
    }
    Ok(figures.into_iter().map(|seeds| seeds.into_iter().flatten().collect()).collect())
}

/// What is left to run, in groups that share inputs.
fn groups<'w>(wanted: &'w [PlannedRuns], keys: &'w [Key], figures: &[Vec<Option<Figures>>]) -> Vec<Vec<Run<'w>>> {
    let mut groups: Vec<Vec<Run<'w>>> = Vec::new();
    for (number, one) in wanted.iter().enumerate() {
        let left = one.seeds.iter().enumerate().filter(|(seed, _)| figures[number][*seed].is_none());
        for (place, &seed) in left {
            let run = Run { place: (number, place), wanted: one, key: &keys[number], seed };
            match groups.iter_mut().find(|group| shares(&group[0].wanted.task, &one.task)) {
                Some(group) => group.push(run),
                None => groups.push(vec![run]),
            }
        }
    }
    groups
}

fn shares(one: &Task, other: &Task) -> bool {
    match (one, other) {
        (Task::Learned(one), Task::Learned(other)) => one.shares_inputs(other),
        (Task::Metric { .. }, Task::Metric { .. }) | (Task::Cosine { .. }, Task::Cosine { .. }) => true,
        _ => false,
    }
}

/// Everything that the runs of a group need, then all of them at once.
fn run_group(shared: &ExperimentCache<'_>, group: &[Run<'_>]) -> Result<Vec<((usize, usize), Figures)>> {
    let mut experiments: Vec<&Experiment> = Vec::new();
    let mut scored: Vec<SetName> = Vec::new();
    for run in group {
        let test = match &run.wanted.task {
            Task::Learned(experiment) => {
                experiments.push(experiment);
                experiment.test
            }
            Task::Metric { test, .. } | Task::Cosine { test, .. } => *test,
        };
        if test.absolute && !scored.contains(&test.set) {
            scored.push(test.set);
        }
    }
    let inputs = SharedInputs::new(shared, &experiments)?;
    let people: Vec<(SetName, People)> =
        scored.iter().map(|set| Ok((*set, run::people(shared, *set)?))).collect::<Result<_>>()?;
    let one = |run: &Run<'_>| {
        shared.progress.status(&run.wanted.name, false)?;
        let figures = figures_of(shared, run, &inputs, &people)?;
        shared.finished.keep(run.key, run.seed, &figures);
        shared.progress.advance(1)?;
        Ok((run.place, figures))
    };
    group.par_iter().with_max_len(1).map(one).collect()
}

fn figures_of(
    shared: &ExperimentCache<'_>,
    run: &Run<'_>,
    inputs: &SharedInputs,
    people: &[(SetName, People)],
) -> Result<Figures> {
    let people_of = |set: SetName| people.iter().find(|(known, _)| *known == set).map(|(_, people)| people);
    match &run.wanted.task {
        Task::Learned(experiment) => {
            let test = experiment.test;
            let people = people_of(test.set).filter(|_| test.absolute);
            run::learned(shared, experiment, inputs, people, run.seed)
        }
        Task::Metric { metric, test } => {
            run::metric(shared, metric, *test, people_of(test.set).filter(|_| test.absolute))
        }
        Task::Cosine { vectors, test } => run::cosine(shared, *vectors, *test),
    }
}
