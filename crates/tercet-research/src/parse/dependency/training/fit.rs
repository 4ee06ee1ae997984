//! Training of one network; each step of the loop takes one batch.

use super::batches::{Batches, DrawnBatch};
use super::examples::{Examples, FormTable};
use super::recipe::{DependencyTraining, NetworkPlan};
use crate::error::Result;
use crate::parse::conllu::Conllu;
use crate::parse::dependency::parser::{DependencyParser, OtherColumns};
use crate::parse::dependency::vocabulary::Numbering;
use crate::parse::dependency::word_form::{CHARACTERS, SHAPES};
use crate::parse::evaluation::{DependencyScores, evaluate_words};
use tercet_base::progress::Progress;
use tercet_learn::Cause;
use tercet_learn::networks::{
    Analysis, BiaffineNetwork, BiaffineShape, EncoderShape, ListBatch, ListBatches, ListObjective, ListSettings,
};
use tercet_learn::optimizer::Schedule;
use tercet_learn::training::{Checkpoints, Evaluation, Identity, Run, Stopping, train};

/// The training data of a network.
pub struct TrainingData<'a> {
    /// Names of words, tags and relations.
    pub numbering: &'a Numbering,
    /// Forms of all sentences.
    pub forms: &'a FormTable,
    /// Sentences of treebanks.
    pub gold: &'a Examples,
    /// Sentences that the teacher has labelled.
    pub labelled: Option<&'a Examples>,
    /// The development set.
    pub development: &'a [Conllu],
}

/// Trains a network, the teacher's or the model's.
pub fn fit(
    data: &TrainingData<'_>,
    plan: &NetworkPlan,
    phase: &str,
    identity: Identity,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<BiaffineNetwork> {
    let learning = &plan.training;
    let mut network = BiaffineNetwork::new(shape(plan, data.numbering), learning.dropout, learning.seed)?;
    let settings = settings(learning);
    let batches = Batches::new(data.forms, data.gold, data.labelled, learning);
    let steps = Steps { data, evaluate: learning.evaluate, batches, batch: DrawnBatch::default() };
    let mut objective = ListObjective::new(&mut network, steps, settings, identity)?;
    let run = Run {
        phase,
        name: &format!("training the {phase}"),
        rounds: "steps",
        items: "words",
        steps: settings.steps,
        stopping: Stopping::after(learning.steps),
        checkpoints,
        progress,
    };
    train(&mut objective, run, None)?;
    Ok(network)
}

/// A batch for every step, and an evaluation every `evaluate` steps.
struct Steps<'a> {
    data: &'a TrainingData<'a>,
    /// Steps between two evaluations; 0 for none.
    evaluate: usize,
    batches: Batches<'a>,
    batch: DrawnBatch,
}

impl ListBatches<BiaffineNetwork> for Steps<'_> {
    fn start_round(&mut self, step: usize) -> usize {
        self.batches.skip_to(step as u64 - 1);
        1
    }

    fn next_batch(&mut self) -> ListBatch<'_, Analysis> {
        self.batches.draw(&mut self.batch);
        self.batch.view(self.data.forms)
    }

    fn evaluate(&mut self, network: &BiaffineNetwork, step: usize) -> Result<Evaluation, Cause> {
        let due = self.evaluate > 0 && step.is_multiple_of(self.evaluate);
        if !due || self.data.development.is_empty() {
            return Ok(Evaluation::default());
        }
        let parser = DependencyParser::new(self.data.numbering.clone(), network);
        let las = 100.0 * score(&parser, self.data.development)?.las.f1();
        Ok(Evaluation { value: Some(las), text: format!("dev LAS {las:.2}") })
    }
}

fn shape(plan: &NetworkPlan, numbering: &Numbering) -> BiaffineShape {
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

fn settings(learning: &DependencyTraining) -> ListSettings {
    let mut settings = ListSettings { seed: learning.seed, ..ListSettings::default() };
    let steps = &mut settings.steps;
    steps.schedule = Some(Schedule { warm_up: learning.warm_up as u64, steps: learning.steps as u64 });
    steps.clip = learning.clip;
    steps.optimizer.learning_rate = learning.learning_rate;
    steps.optimizer.weight_decay = learning.weight_decay;
    settings
}

/// Scores on treebanks with gold words.
pub fn score(parser: &DependencyParser, treebanks: &[Conllu]) -> Result<DependencyScores> {
    let gold = Conllu::new(treebanks.iter().flat_map(|file| file.sentences().to_vec()).collect());
    let mut system = gold.clone();
    parser.annotate(system.sentences_mut(), OtherColumns::Kept)?;
    evaluate_words(&gold, &system)
}
