//! Parses sentences on all threads.
//!
//! The time of a chart grows with the third power of the words, so a sentence of more than [`MAX_PIECE_WORDS`] words is
//! parsed in pieces (`parse::pieces`). A piece without a derivation (because of gaps in the grammar, or of pruning)
//! is covered by as few derived phrases as possible, and of those by the best. All are joined under `ROOT`.

use super::chart::{Chart, Evidence, NONE, Search, cell};
use super::derivation::Derivation;
use super::grammar::{ANY, Grammar, Kinds, Symbol, SymbolKind};
use super::k_best::KBest;
use crate::parse::bracketed::ROOT;
use crate::parse::dependency::vocabulary::Vocabulary;
use crate::parse::input_normalisation::InputNormalisation;
use crate::parse::{Tree, TreeBuilder, pieces};
use foldhash::HashMap;
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::Range;
use tercet_base::stop;
use tercet_learn::networks::{
    CompositionNode, CompositionWorkspace, Forms, Lists, RecursiveNetwork, SpanEvidence, SpanNetwork, SpanWorkspace,
};
use tercet_math::random::Random;
use tercet_model::model_file::ModelRecord;

/// The length of a node's vector.
pub const SYNTAX_DIMENSION: usize = 25;

/// Sentences in a batch of one thread.
const TOGETHER: usize = 16;

/// Words that the network reads at once: pieces are added until there are this many words. It bounds a thread's memory,
/// 14 KB per word with the embedded model.
const WORDS_TOGETHER: usize = 800;

/// The tree and the vector of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrases {
    /// The tree, with the root `ROOT`; `None` for a sentence without words.
    pub tree: Option<Tree>,
    /// The vector of the root: SYNTAX25. Zero for a sentence without words.
    pub vector: [f32; SYNTAX_DIMENSION],
}

/// A constituency parser.
///
/// ```
/// use tercet_research::parse::constituency::ConstituencyParser;
///
/// let parser = ConstituencyParser::english();
/// let parses = parser.parse(&[["The", "cat", "sat", "on", "the", "mat", "."]]);
/// assert_eq!(
///     parses[0].tree.as_ref().unwrap().to_string(),
///     "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))"
/// );
/// assert!(parses[0].vector.iter().any(|number| *number != 0.0));
/// ```
#[derive(Clone, Debug)]
pub struct ConstituencyParser {
    pub(super) grammar: Grammar,
    pub(super) words: Vocabulary,
    pub(super) network: SpanNetwork,
    pub(super) kinds: Kinds,
    pub(super) recursive: RecursiveNetwork,
    pub(super) search: Search,
    /// None in training.
    pub(super) normalisation: InputNormalisation,
    /// How many trees the recursive network chooses from.
    pub(super) candidates: usize,
    pub(super) record: ModelRecord,
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct Workspace {
    table: FormTable,
    lists: Lists,
    space: SpanWorkspace,
    chart: Chart,
    composition: CompositionWorkspace,
    tags: Vec<f32>,
}

/// A derivation of some words of a sentence.
struct Part {
    derivation: Derivation,
    /// The index of the derivation's first word in the sentence.
    first: usize,
    vector: Vec<f32>,
}

impl ConstituencyParser {
    /// The tree and the vector of each sentence; runs on the threads of the current rayon pool. The result for a
    /// sentence does not depend on the other sentences.
    pub fn parse<S, W>(&self, sentences: &[S]) -> Vec<Phrases>
    where
        S: AsRef<[W]> + Sync,
        W: AsRef<str> + Sync,
    {
        let batches = sentences.par_chunks(TOGETHER);
        let here = stop::here();
        batches
            .map_init(Workspace::default, |workspace, batch| here.enter(|| self.parse_batch(batch, workspace)))
            .flatten_iter()
            .collect()
    }

    /// The hash of the model file, and its notes: training data, seed, scores, recipe.
    pub fn record(&self) -> &ModelRecord {
        &self.record
    }

    /// The normalisation of input words, for signatures: `plain` (capitals and escapes are normalised), `lower` (only
    /// capitals), `unescaped` (only escapes) or `written` (nothing).
    pub fn input_normalisation(&self) -> &'static str {
        self.normalisation.name()
    }

    /// The same parser without normalisation of its input.
    pub(super) fn without_normalisation(mut self) -> Self {
        self.normalisation = InputNormalisation::NONE;
        self
    }

    /// The name in signatures: `constituency:sha256=…`.
    pub fn signature(&self) -> String {
        format!("constituency:sha256={}", self.record.hash)
    }

    fn parse_batch<S, W>(&self, sentences: &[S], workspace: &mut Workspace) -> Vec<Phrases>
    where
        S: AsRef<[W]>,
        W: AsRef<str>,
    {
        let read: Vec<Vec<Cow<'_, str>>> =
            sentences.iter().map(|sentence| self.normalisation.apply(sentence.as_ref())).collect();
        let texts: Vec<Vec<&str>> = read.iter().map(|words| words.iter().map(AsRef::as_ref).collect()).collect();
        let cut: Vec<(usize, Range<usize>)> = texts
            .iter()
            .enumerate()
            .flat_map(|(number, words)| pieces(words, MAX_PIECE_WORDS).map(move |piece| (number, piece)))
            .collect();
        let mut parts: Vec<Vec<Part>> = texts.iter().map(|_| Vec::new()).collect();
        for group in groups(&cut) {
            let words = group.iter().map(|(number, range)| &texts[*number][range.clone()]);
            self.evidence(words, None, workspace, |workspace, piece, spans| {
                stop::look();
                let (number, range) = &group[piece];
                parts[*number].extend(self.parts(spans, range.start, workspace));
            });
        }
        let whole = |(sentence, parts): (&S, Vec<Part>)| self.put_together(sentence.as_ref(), parts, workspace);
        sentences.iter().zip(parts).map(whole).collect()
    }

    /// Calls `see` with the network's scores of each sentence; sentences without words are skipped. With `random`,
    /// dropout is applied.
    pub(super) fn evidence<'a>(
        &self,
        sentences: impl Iterator<Item = &'a [&'a str]>,
        random: Option<&mut Random>,
        workspace: &mut Workspace,
        mut see: impl FnMut(&mut Workspace, usize, &SpanEvidence),
    ) {
        let (mut space, mut table, mut lists) = (
            std::mem::take(&mut workspace.space),
            std::mem::take(&mut workspace.table),
            std::mem::take(&mut workspace.lists),
        );
        table.clear();
        lists.clear();
        for words in sentences {
            lists.push(words.iter().map(|word| table.number(&self.words, word)));
        }
        self.network
            .evidence(&table.forms, &lists, random, &mut space, |list, spans| see(workspace, list, spans))
            .expect("words and their shapes are numbered for this network: a model of other sizes is not read");
        (workspace.space, workspace.table, workspace.lists) = (space, table, lists);
    }

    /// The k best derivations by the scores of grammar and network, best first; empty if the grammar has none. The
    /// chart stays filled.
    pub(super) fn best(&self, spans: &SpanEvidence, k: usize, workspace: &mut Workspace) -> Vec<(Derivation, f32)> {
        weigh_tags(spans, &self.grammar, self.search.grammar_weight, &mut workspace.tags);
        let evidence = Evidence { tags: &workspace.tags, labels: Some(&spans.labels) };
        workspace.chart.fill(&self.grammar, evidence, &self.search);
        let words = workspace.chart.words();
        KBest::new(&workspace.chart, &self.grammar, evidence, &self.search, k).derivations(0, words, self.grammar.root)
    }

    /// One derivation of all words, or as few as possible.
    fn parts(&self, spans: &SpanEvidence, first: usize, workspace: &mut Workspace) -> Vec<Part> {
        let candidates = self.best(spans, self.candidates, workspace);
        let leaves = self.recursive.leaves(&spans.vectors);
        let words = workspace.chart.words();
        let mut best: Option<(f32, Part)> = None;
        for (derivation, base) in candidates {
            let nodes = self.kinds.nodes(&derivation, words);
            let total = base + self.recursive.score(&leaves, &nodes, &mut workspace.composition);
            if best.as_ref().is_none_or(|(most, _)| total > *most) {
                let vector = last_vector(&workspace.composition);
                best = Some((total, Part { derivation, first, vector }));
            }
        }
        match best {
            Some((_, part)) => vec![part],
            None => self.cover(spans, first, &leaves, workspace),
        }
    }

    /// Adjacent phrases, for a sentence that the grammar cannot derive.
    fn cover(&self, spans: &SpanEvidence, first: usize, leaves: &[f32], workspace: &mut Workspace) -> Vec<Part> {
        let evidence = Evidence { tags: &workspace.tags, labels: Some(&spans.labels) };
        let mut best = KBest::new(&workspace.chart, &self.grammar, evidence, &self.search, 1);
        let mut parts = Vec::new();
        for (range, symbol) in cover(&workspace.chart, &self.grammar) {
            let Some((derivation, _)) = best.derivations(range.start, range.end, symbol).pop() else {
                continue;
            };
            let nodes = self.kinds.nodes(&derivation, workspace.chart.words());
            self.recursive.score(leaves, &nodes, &mut workspace.composition);
            let vector = match nodes.as_slice() {
                [] => leaves[range.start * SYNTAX_DIMENSION..range.end * SYNTAX_DIMENSION].to_vec(),
                _ => last_vector(&workspace.composition),
            };
            parts.push(Part { derivation, first, vector });
        }
        parts
    }

    /// Joins the parts of a sentence under one root; vectors are composed from the left with the weights of kind
    /// [`ANY`](super::grammar::ANY).
    fn put_together<W: AsRef<str>>(&self, words: &[W], parts: Vec<Part>, workspace: &mut Workspace) -> Phrases {
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let mut builder = TreeBuilder::new();
        builder.open(ROOT);
        let mut vector: Option<Vec<f32>> = None;
        for part in parts {
            part.derivation.build(&self.grammar.symbols, &words[part.first..], &mut builder);
            vector = Some(match vector {
                None => part.vector,
                Some(before) => {
                    let leaves = [before, part.vector].concat();
                    let node = CompositionNode { kind: ANY, left: 0, right: Some(1) };
                    self.recursive.score(&leaves, &[node], &mut workspace.composition);
                    last_vector(&workspace.composition)
                }
            });
        }
        builder.close();
        let mut numbers = [0.0; SYNTAX_DIMENSION];
        vector.iter().for_each(|vector| numbers.copy_from_slice(vector));
        Phrases { tree: builder.finish(), vector: numbers }
    }
}

/// Runs of pieces of about [`WORDS_TOGETHER`] words.
fn groups(pieces: &[(usize, Range<usize>)]) -> Vec<&[(usize, Range<usize>)]> {
    let (mut groups, mut first, mut words) = (Vec::new(), 0, 0);
    for (at, (_, piece)) in pieces.iter().enumerate() {
        if words >= WORDS_TOGETHER {
            groups.push(&pieces[first..at]);
            (first, words) = (at, 0);
        }
        words += piece.len();
    }
    groups.push(&pieces[first..]);
    groups
}

/// log p(tag | sentence) − w log P(tag): the network's score without the prior, which the grammar adds.
pub(super) fn weigh_tags(spans: &SpanEvidence, grammar: &Grammar, weight: f32, tags: &mut Vec<f32>) {
    tags.clear();
    for row in spans.tags.chunks_exact(grammar.tags.len()) {
        tags.extend(row.iter().zip(&grammar.tags).map(|(score, (_, prior))| score - weight * prior));
    }
}

fn last_vector(space: &CompositionWorkspace) -> Vec<f32> {
    let vectors = space.vectors();
    vectors[vectors.len() - SYNTAX_DIMENSION..].to_vec()
}

/// Distinct words with their features.
#[derive(Clone, Debug, Default)]
pub(super) struct FormTable {
    /// The features of all words.
    pub forms: Forms,
    numbers: HashMap<String, u32>,
    characters: Vec<u8>,
}

impl FormTable {
    /// The number of a word, which is added if it is new.
    pub fn number(&mut self, words: &Vocabulary, word: &str) -> u32 {
        if let Some(&known) = self.numbers.get(word) {
            return known;
        }
        let number = words.push_form(word, &mut self.characters, &mut self.forms);
        self.numbers.insert(word.to_owned(), number);
        number
    }

    /// Removes all words, and keeps the memory.
    pub fn clear(&mut self) {
        self.forms.clear();
        self.numbers.clear();
    }
}

/// Words of the longest piece.
pub(super) const MAX_PIECE_WORDS: usize = 100;

/// The cost of each phrase in a cover: more than any difference of scores.
const FURTHER: f64 = 1e6;

/// As few adjacent phrases and tags as possible that cover all words.
pub(super) fn cover(chart: &Chart, grammar: &Grammar) -> Vec<(Range<usize>, Symbol)> {
    let words = chart.words();
    let mut best: Vec<(f64, usize, Symbol)> = vec![(0.0, 0, 0)];
    for end in 1..=words {
        let candidates = (0..end).filter_map(|start| {
            let (symbol, score) = best_symbol(chart, grammar, start, end)?;
            Some((best[start].0 + f64::from(score) - FURTHER, start, symbol))
        });
        let first_best = |a: (f64, usize, Symbol), b: (f64, usize, Symbol)| if b.0 > a.0 { b } else { a };
        let any_tag = (f64::NEG_INFINITY, end - 1, grammar.tags[0].0);
        best.push(candidates.fold(any_tag, first_best));
    }
    let (mut parts, mut end) = (Vec::new(), words);
    while end > 0 {
        let (_, start, symbol) = best[end];
        parts.push((start..end, symbol));
        end = start;
    }
    parts.reverse();
    parts
}

/// The best phrase or tag of a span; the first on ties.
fn best_symbol(chart: &Chart, grammar: &Grammar, start: usize, end: usize) -> Option<(Symbol, f32)> {
    let row = chart.outer_row(cell(start, end));
    let whole = |symbol: &Symbol| grammar.symbols.kind(*symbol) != SymbolKind::Rest && *symbol != grammar.root;
    let scored = grammar.symbols.all().filter(whole).map(|symbol| (symbol, row[usize::from(symbol)]));
    scored.filter(|(_, score)| *score > NONE).reduce(|a, b| if b.1 > a.1 { b } else { a })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sentences_are_parsed_in_groups_of_pieces() {
        let parser = ConstituencyParser::english();
        let sentence: Vec<&str> = ["The", "cat", "sleeps", ","].repeat(600);
        let mut workspace = Workspace::default();
        let together = parser.parse_batch(&[&sentence, &sentence[..40]], &mut workspace);
        // The workspace has what went through last.
        assert!(workspace.lists.items().len() < WORDS_TOGETHER + MAX_PIECE_WORDS, "{}", workspace.lists.items().len());
        assert!(together[0].tree.as_ref().unwrap().words().eq(sentence.iter().copied()));
        assert_eq!(together[1], parser.parse(&[&sentence[..40]])[0]);
        let pieces: Vec<(usize, Range<usize>)> = (0..50).map(|at| (0, at * 90..at * 90 + 90)).collect();
        let cut = groups(&pieces);
        assert!(cut.iter().all(|group| group.len() <= 9) && cut.len() == 6, "{cut:?}");
        assert_eq!(cut.concat(), pieces);
        assert_eq!(groups(&[]).concat(), []);
    }
}
