//! Runs everything that has not been run: tasks that share inputs together, their seeds side by side on all threads.

use super::ahead::measure_ahead;
use super::experiment::{Experiment, Task};
use super::experiment_cache::ExperimentCache;
use super::inputs::SharedInputs;
use super::run::{self, People};
use super::sets::SetName;
use crate::plan::{PlannedRuns, Run, begin, left};
use rayon::prelude::*;
use tercet::Result;

/// Runs what has not been run; the figures are found among those of finished runs.
pub(super) fn execute(shared: &mut ExperimentCache<'_>, wanted: &[PlannedRuns<Task>]) -> Result<()> {
    shared.fetch(wanted)?;
    let shared = &*shared;
    let runs = left(wanted, &shared.finished, |task| shared.key(task));
    begin(shared.progress, wanted, runs.len())?;
    let groups = groups(runs);
    measure_ahead(shared, groups.iter().flatten().map(|run| &run.wanted.task))?;
    groups.iter().try_for_each(|group| run_group(shared, group))
}

/// Runs in groups that share inputs.
fn groups(runs: Vec<Run<'_, Task>>) -> Vec<Vec<Run<'_, Task>>> {
    let mut groups: Vec<Vec<Run<'_, Task>>> = Vec::new();
    for run in runs {
        match groups.iter_mut().find(|group| shares(&group[0].wanted.task, &run.wanted.task)) {
            Some(group) => group.push(run),
            None => groups.push(vec![run]),
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
fn run_group(shared: &ExperimentCache<'_>, group: &[Run<'_, Task>]) -> Result<()> {
    let experiments: Vec<&Experiment> = group.iter().filter_map(|run| run.wanted.task.experiment()).collect();
    let inputs = SharedInputs::new(shared, &experiments)?;
    let mut people: Vec<(SetName, People)> = Vec::new();
    for test in group.iter().map(|run| run.wanted.task.test()).filter(|test| test.absolute) {
        if people.iter().all(|(known, _)| *known != test.set) {
            people.push((test.set, run::people(shared, test.set)?));
        }
    }
    group.par_iter().with_max_len(1).try_for_each(|run| {
        shared.progress.status(&run.wanted.name, false)?;
        let test = run.wanted.task.test();
        let people = people.iter().find(|(known, _)| test.absolute && *known == test.set).map(|(_, people)| people);
        let figures = match &run.wanted.task {
            Task::Learned(experiment) => run::learned(shared, experiment, &inputs, people, run.seed)?,
            Task::Metric { metric, .. } => run::metric(shared, metric, test, people)?,
            Task::Cosine { vectors, .. } => run::cosine(shared, *vectors, test)?,
        };
        shared.finished.keep(&run.key, run.seed, &figures);
        Ok(shared.progress.advance(1)?)
    })
}
