//! The loop: batches in, a network out.

use super::batches::{Batches, DrawnBatch};
use super::lessons::{FormTable, Lessons};
use super::recipe::{Learning, Plan};
use super::state::Run;
use super::watch::{Progress, Watch};
use crate::error::Result;
use crate::parse::conllu::Conllu;
use crate::parse::dependency::parser::{DependencyParser, OtherColumns};
use crate::parse::dependency::vocabulary::Numbering;
use crate::parse::dependency::word_form::{CHARACTERS, SHAPES};
use crate::parse::evaluation::{DependencyScores, evaluate_words};
use std::path::Path;
use tercet_learn::networks::lists::{EncoderShape, ListLosses, ListSettings, ListTrainer};
use tercet_learn::networks::{BiaffineNetwork, BiaffineShape};
use tercet_learn::optimizer::Schedule;

/// What there is to learn.
pub struct Curriculum<'a> {
    /// What numbers stand for.
    pub numbering: &'a Numbering,
    /// Forms of all sentences.
    pub forms: &'a FormTable,
    /// Sentences of treebanks.
    pub gold: &'a Lessons,
    /// Sentences a teacher has labelled.
    pub labelled: Option<&'a Lessons>,
    /// Sentences to score on.
    pub development: &'a [Conllu],
}

/// Where the state is kept, and whether to go on from it.
#[derive(Clone, Copy)]
pub struct Keeping<'a> {
    /// The file.
    pub path: &'a Path,
    /// Go on from it.
    pub resume: bool,
}

/// Trains a network.
pub fn fit(
    curriculum: &Curriculum<'_>,
    plan: &Plan,
    run: &Run,
    keeping: Keeping<'_>,
    watch: &mut dyn Watch,
) -> Result<BiaffineNetwork> {
    let learning = &plan.training;
    let mut network =
        BiaffineNetwork::new(shape(plan, curriculum.numbering), learning.dropout, learning.seed)?;
    let settings = settings(learning);
    let mut trainer = ListTrainer::new(&network, settings)?;
    let done = if keeping.resume { run.restore(keeping.path, &mut network, &mut trainer)? } else { 0 };
    let mut batches = Batches::new(curriculum.forms, curriculum.gold, curriculum.labelled, learning);
    batches.skip(done);
    let mut batch = DrawnBatch::default();
    for step in done + 1..=learning.steps as u64 {
        batches.draw(&mut batch);
        let losses = trainer.step(&mut network, &batch.view(curriculum.forms))?;
        let due = learning.evaluate > 0 && step.is_multiple_of(learning.evaluate as u64);
        let mut development = None;
        if due && !curriculum.development.is_empty() {
            let parser = DependencyParser::new(curriculum.numbering.clone(), &network);
            development = Some(score(&parser, curriculum.development)?);
        }
        watch.progress(&Progress {
            step,
            loss: losses.mean(settings.tag_weight),
            words: batch.words(),
            development,
        });
        if watch.keeps_now() {
            run.save(keeping.path, &network, &trainer)?;
        }
    }
    Ok(network)
}

fn shape(plan: &Plan, numbering: &Numbering) -> BiaffineShape {
    let sizes = &plan.network;
    let encoder = EncoderShape {
        words: numbering.words.len(),
        shapes: SHAPES,
        characters: CHARACTERS,
        character_width: sizes.character_width,
        filters: sizes.filters,
        window: sizes.window,
        width: sizes.width,
        units: sizes.units,
        layers: sizes.layers,
        tag_layer: sizes.tag_layer,
        tags: numbering.upos.len(),
    };
    let (fine_tags, labels) = (numbering.xpos.len(), numbering.relations.len());
    BiaffineShape { encoder, fine_tags, arc: sizes.arc, label: sizes.label, labels }
}

fn settings(learning: &Learning) -> ListSettings {
    let mut settings = ListSettings {
        schedule: Schedule { warm_up: learning.warm_up as u64, steps: learning.steps as u64 },
        clip: learning.clip,
        seed: learning.seed,
        ..ListSettings::default()
    };
    settings.optimizer.learning_rate = learning.learning_rate;
    settings.optimizer.weight_decay = learning.weight_decay;
    settings
}

/// How a parser does on treebanks with their own words.
pub fn score(parser: &DependencyParser, treebanks: &[Conllu]) -> Result<DependencyScores> {
    let gold = Conllu::new(treebanks.iter().flat_map(|file| file.sentences().to_vec()).collect());
    let mut system = gold.clone();
    parser.annotate(system.sentences_mut(), OtherColumns::Kept)?;
    evaluate_words(&gold, &system)
}
