//! Training of the network of tags and spans, on all trees.
//!
//! The training data in numbers (words, tags and labels of spans), and its batches, with random changes to words.
//!
//! Each epoch takes all sentences in a new random order, in batches of about the same number of words. So that the
//! network learns to handle unknown words, a word is treated as unknown with probability 0.25 / (0.25 + its count) +
//! 0.02 (Kiperwasser & Goldberg 2016); a tenth of the sentences is lowercased.
//!
//! Memory grows with the square of the length, so sentences of more than [`MAX_EXAMPLE_WORDS`] words are left out.
//! GUM's longest has 110.

use super::recipe::ConstituencyRecipe;
use crate::error::Result;
use crate::parse::Tree;
use crate::parse::constituency::chart::cell;
use crate::parse::constituency::derivation::Derivation;
use crate::parse::constituency::grammar::{Grammar, SymbolKind};
use crate::parse::constituency::parser::FormTable;
use crate::parse::dependency::vocabulary::{CHARACTERS, SHAPES, UNKNOWN, Vocabulary, chance_unknown};
use rustc_hash::FxHashMap;
use tercet_base::progress::Progress;
use tercet_learn::networks::{
    EncoderShape, ListBatch, ListBatches, ListObjective, ListSettings, Lists, SpanNetwork, SpanShape, SpanTargets,
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

/// Words of the longest sentence that the network of spans learns from.
pub const MAX_EXAMPLE_WORDS: usize = 200;

/// A word with this count would be treated as unknown half of the time.
const HALF_UNKNOWN: f32 = 0.25;
/// Probability that a sentence is lowercased.
const LOWER_CASE: f32 = 0.1;

/// One sentence.
struct Example {
    forms: Vec<u32>,
    lower: Vec<u32>,
    tags: Vec<u16>,
    spans: Vec<(u32, u16)>,
}

pub(super) struct Examples {
    /// The words of all sentences.
    pub table: FormTable,
    examples: Vec<Example>,
    /// How often the normal form of each form occurs.
    counts: Vec<u64>,
    /// The number of trees that are left out because they are too long.
    pub too_long: usize,
}

/// The batch of one step.
#[derive(Default)]
pub(super) struct Batch {
    /// Forms of the words.
    pub lists: Lists,
    /// Word numbers, some replaced by that of unknown words.
    pub words: Vec<u32>,
    /// Gold tags and labels.
    pub targets: SpanTargets,
}

impl Examples {
    pub fn new(trees: &[Tree], derivations: &[Derivation], grammar: &Grammar, words: &Vocabulary) -> Self {
        let tags: FxHashMap<u16, u16> = grammar.tags.iter().zip(0..).map(|((tag, _), number)| (*tag, number)).collect();
        let (mut table, mut known) = (FormTable::default(), vec![0_u64; words.len()]);
        let mut examples = Vec::with_capacity(trees.len());
        let short = trees.iter().zip(derivations).filter(|(tree, _)| tree.len() <= MAX_EXAMPLE_WORDS);
        for (tree, derivation) in short {
            let forms: Vec<u32> = tree.words().map(|word| table.number(words, word)).collect();
            let lower = tree.words().map(|word| table.number(words, &word.to_lowercase())).collect();
            forms.iter().for_each(|form| known[table.forms.word(*form) as usize] += 1);
            let tag = |label: &str| grammar.symbols.get(SymbolKind::Tag, label).map_or(0, |tag| tags[&tag]);
            let spans = grammar.labels_of(derivation).into_iter();
            let spans = spans.map(|(start, end, label)| (cell(start as usize, end as usize) as u32, label));
            let tags = tree.leaves().map(|(label, _)| tag(label)).collect();
            examples.push(Example { forms, lower, tags, spans: spans.collect() });
        }
        let counts = (0..table.forms.len()).map(|form| known[table.forms.word(form as u32) as usize]).collect();
        let too_long = trees.len() - examples.len();
        Examples { table, examples, counts, too_long }
    }

    /// The batches of an epoch, as indices of sentences.
    pub fn epoch(&self, words: usize, seed: u64, epoch: u64) -> Vec<Vec<u32>> {
        let mut order: Vec<u32> = (0..self.examples.len() as u32).collect();
        Random::stream(seed, "order", epoch).shuffle(&mut order);
        let (mut batches, mut size) = (vec![Vec::new()], 0);
        for example in order {
            if size >= words {
                batches.push(Vec::new());
                size = 0;
            }
            size += self.examples[example as usize].forms.len();
            batches.last_mut().expect("there is one").push(example);
        }
        batches
    }

    /// Fills a batch with the chosen sentences.
    pub fn fill(&self, chosen: &[u32], random: &mut Random, batch: &mut Batch) {
        *batch = Batch::default();
        for (list, &example) in chosen.iter().enumerate() {
            let example = &self.examples[example as usize];
            let forms = if random.bernoulli(LOWER_CASE) { &example.lower } else { &example.forms };
            batch.lists.push(forms.iter().copied());
            for &form in forms {
                let (word, count) = (self.table.forms.word(form), self.counts[form as usize]);
                let is_unknown = random.bernoulli(chance_unknown(word, count, HALF_UNKNOWN));
                batch.words.push(if is_unknown { UNKNOWN } else { word });
            }
            batch.targets.tags.extend_from_slice(&example.tags);
            batch.targets.labels.extend(example.spans.iter().map(|&(span, label)| (list as u32, span, label)));
        }
    }
}
