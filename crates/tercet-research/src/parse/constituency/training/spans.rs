//! Training of the network of tags and spans, on all trees.

use super::examples::{Batch, Examples};
use super::recipe::ConstituencyRecipe;
use crate::error::Result;
use crate::parse::constituency::grammar::Grammar;
use crate::parse::dependency::vocabulary::Vocabulary;
use crate::parse::dependency::word_form::{CHARACTERS, SHAPES};
use tercet_base::progress::Progress;
use tercet_learn::networks::{
    EncoderShape, ListBatch, ListBatches, ListObjective, ListSettings, SpanNetwork, SpanShape, SpanTargets,
};
use tercet_learn::optimizer::{OptimizerSettings, Schedule};
use tercet_learn::training::{Checkpoints, Identity, Run, StepSettings, Stopping, train};
use tercet_math::random::Random;

/// The name of this phase in checkpoints.
pub(super) const PHASE: &str = "spans";

/// A network before training.
pub(super) fn new_network(recipe: &ConstituencyRecipe, grammar: &Grammar, words: &Vocabulary) -> Result<SpanNetwork> {
    Ok(SpanNetwork::new(shape(recipe, grammar, words), recipe.network.dropout, recipe.training.seed)?)
}

/// Trains the network.
pub(super) fn train_spans(
    network: &mut SpanNetwork,
    recipe: &ConstituencyRecipe,
    examples: &Examples,
    identity: &Identity,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<()> {
    let learning = &recipe.training;
    let epochs: Vec<Vec<Vec<u32>>> =
        (0..learning.epochs as u64).map(|epoch| examples.epoch(learning.batch, learning.seed, epoch)).collect();
    let settings = span_settings(recipe, epochs.iter().map(|batches| batches.len() as u64).sum());
    let random = Random::stream(learning.seed, "disturbance", 0);
    let batches = Epochs { examples, epochs, seed: learning.seed, epoch: 0, next: 0, random, batch: Batch::default() };
    let mut objective = ListObjective::new(network, batches, settings, identity.clone())?;
    let run = Run {
        phase: PHASE,
        name: "training the network of spans",
        rounds: "epochs",
        items: "words",
        steps: settings.steps,
        stopping: Stopping::after(learning.epochs),
        checkpoints,
        progress,
    };
    train(&mut objective, run, None)?;
    Ok(())
}

/// The batches of every epoch.
struct Epochs<'a> {
    examples: &'a Examples,
    epochs: Vec<Vec<Vec<u32>>>,
    seed: u64,
    /// The current epoch, from 0.
    epoch: usize,
    /// The next batch of the epoch.
    next: usize,
    random: Random,
    batch: Batch,
}

impl ListBatches<SpanNetwork> for Epochs<'_> {
    fn start_round(&mut self, epoch: usize) -> usize {
        (self.epoch, self.next) = (epoch - 1, 0);
        self.random = Random::stream(self.seed, "disturbance", self.epoch as u64);
        self.epochs[self.epoch].len()
    }

    fn next_batch(&mut self) -> ListBatch<'_, SpanTargets> {
        let chosen = &self.epochs[self.epoch][self.next];
        self.next += 1;
        self.examples.fill(chosen, &mut self.random, &mut self.batch);
        let Batch { lists, words, targets } = &self.batch;
        ListBatch { forms: &self.examples.table.forms, lists, words, targets }
    }
}

fn shape(recipe: &ConstituencyRecipe, grammar: &Grammar, words: &Vocabulary) -> SpanShape {
    let sizes = &recipe.network;
    let encoder = EncoderShape {
        words: words.len(),
        shapes: SHAPES,
        characters: CHARACTERS,
        character_width: sizes.character_width,
        filters: sizes.filters,
        window: sizes.window,
        width: sizes.width,
        units: sizes.width.div_ceil(2),
        layers: sizes.layers,
        tag_layer: sizes.tag_layer,
        tags: grammar.tags.len(),
    };
    SpanShape { encoder, hidden: sizes.hidden, labels: grammar.labels.len() }
}

/// The settings of the training loop.
fn span_settings(recipe: &ConstituencyRecipe, steps: u64) -> ListSettings {
    let learning = &recipe.training;
    let optimizer = OptimizerSettings {
        learning_rate: learning.learning_rate,
        weight_decay: learning.weight_decay,
        ..ListSettings::default().steps.optimizer
    };
    let schedule = Some(Schedule { warm_up: learning.warm_up.min(steps), steps });
    let steps = StepSettings { schedule, clip: learning.clip, ..StepSettings::plain(optimizer) };
    ListSettings { steps, tag_weight: learning.tag_weight, seed: learning.seed }
}
