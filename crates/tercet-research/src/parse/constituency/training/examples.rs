//! The training data in numbers (words, tags and labels of spans), and its batches, with random changes to words.
//!
//! Each epoch takes all sentences in a new random order, in batches of about the same number of words. So that the
//! network learns to handle unknown words, a word is treated as unknown with probability 0.25 / (0.25 + its count) +
//! 0.02 (Kiperwasser & Goldberg 2016); a tenth of the sentences is lowercased.
//!
//! Memory grows with the square of the length, so sentences of more than [`MAX_EXAMPLE_WORDS`] words are left out.
//! GUM's longest has 110.

use crate::parse::Tree;
use crate::parse::constituency::chart::cell;
use crate::parse::constituency::derivation::Derivation;
use crate::parse::constituency::forms::FormTable;
use crate::parse::constituency::grammar::Grammar;
use crate::parse::constituency::symbols::Kind;
use crate::parse::dependency::vocabulary::{UNKNOWN, Vocabulary, chance_unknown};
use rustc_hash::FxHashMap;
use tercet_learn::networks::{Lists, SpanTargets};
use tercet_math::random::Random;

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
            let tag = |label: &str| grammar.symbols.get(Kind::Tag, label).map_or(0, |tag| tags[&tag]);
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
