//! Shared by the tests of networks over lists.

use super::{ListBatch, ListNetwork, ListObjective, ListSettings};
use crate::error::Result;
use crate::progress::Progress;
use crate::training::{Checkpoints, Identity, Run, Stopping, train};

/// Trains on the same batch for this many steps; returns the loss per item before each step.
pub fn learn<N: ListNetwork>(
    network: &mut N,
    batch: ListBatch<'_, N::Targets>,
    settings: ListSettings,
    steps: usize,
) -> Result<Vec<f64>> {
    let mut objective = ListObjective::new(network, batch, settings, Identity::default())?;
    let run = Run {
        phase: "test",
        name: "training",
        rounds: "steps",
        items: "items",
        steps: settings.steps,
        stopping: Stopping::after(steps),
        checkpoints: &mut Checkpoints::none(),
        progress: Progress::none(),
    };
    Ok(train(&mut objective, run, None)?.history.iter().map(|round| round.loss).collect())
}
