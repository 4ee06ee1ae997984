//! The network of tags and spans learns from all trees.

use super::lessons::{Batch, Lessons};
use super::recipe::Recipe;
use super::{Observer, Progress};
use crate::error::Result;
use crate::parse::constituency::grammar::Grammar;
use crate::parse::dependency::vocabulary::Vocabulary;
use crate::parse::dependency::word_form::{CHARACTERS, SHAPES};
use tercet_learn::networks::{EncoderShape, ListBatch, ListSettings, ListTrainer, SpanNetwork, SpanShape};
use tercet_learn::optimizer::{OptimizerSettings, Schedule};
use tercet_learn::random::Random;

/// Trains the network.
pub(super) fn fit_network(
    recipe: &Recipe,
    grammar: &Grammar,
    words: &Vocabulary,
    lessons: &Lessons,
    observer: Observer<'_>,
) -> Result<SpanNetwork> {
    let learning = &recipe.training;
    let shape = shape(recipe, grammar, words);
    let mut network = SpanNetwork::new(shape, recipe.network.dropout, learning.seed)?;
    let epochs: Vec<Vec<Vec<u32>>> = (0..learning.epochs as u64)
        .map(|epoch| lessons.epoch(learning.batch, learning.seed, epoch))
        .collect();
    let steps: u64 = epochs.iter().map(|batches| batches.len() as u64).sum();
    let mut trainer = ListTrainer::new(&network, span_settings(recipe, steps))?;
    let mut batch = Batch::default();
    for (epoch, batches) in epochs.iter().enumerate() {
        let random = &mut Random::stream(learning.seed, "disturbance", epoch as u64);
        for chosen in batches {
            lessons.fill(chosen, random, &mut batch);
            let Batch { lists, words, targets } = &batch;
            let batch = ListBatch { forms: &lessons.table.forms, lists, words, targets };
            let losses = trainer.step(&mut network, &batch)?;
            let loss = (losses.labels + losses.tags) / losses.items as f64;
            observer(&Progress::Step { step: trainer.optimizer().steps(), steps, loss });
        }
    }
    Ok(network)
}

fn shape(recipe: &Recipe, grammar: &Grammar, words: &Vocabulary) -> SpanShape {
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

/// How a recipe says that it learns, in so many steps.
fn span_settings(recipe: &Recipe, steps: u64) -> ListSettings {
    let learning = &recipe.training;
    ListSettings {
        optimizer: OptimizerSettings {
            learning_rate: learning.learning_rate,
            weight_decay: learning.weight_decay,
            ..ListSettings::default().optimizer
        },
        schedule: Schedule { warm_up: learning.warm_up.min(steps), steps },
        clip: learning.clip,
        tag_weight: learning.tag_weight,
        seed: learning.seed,
    }
}
