//! A probabilistic context-free grammar, estimated from a treebank.
//!
//! ```text
//! P(A → α) = c(A → α) / c(A)
//! ```
//!
//! Rules have one or two symbols on their right side. Unary rules are stored as whole chains, as they occur (`S` over
//! `VP`, `NP` over a tag): a phrase is derived through exactly one chain, whose last symbol has two children or is a
//! tag. So there are no cycles, and the chain's categories are the label of the span, `S+VP`, which the network scores
//! (Stern, Andreas & Klein 2017, P17-1076). `ROOT` is in no label, since every sentence has it.
//!
//! # Symbols
//! Tags, phrases and the partial phrases of binarisation.
//!
//! A phrase is written `NP`, with parent annotation `NP^VP`; `@NP|DT` is the rest of an NP after a DT. The category of
//! the first two is `NP`, which trees show, and `@NP` of the last; the recursive network distinguishes categories.
//!
//! # Kinds
//! Nodes of a kind have their own weights in the recursive network.
//! A pair of categories that is frequent enough in the treebank is a kind, as is the category of an only child; all
//! others share kind 0. A partial phrase, `@NP`, has a category of its own.

use super::derivation::{Derivation, From};
use crate::parse::bracketed::ROOT;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use tercet_learn::networks::CompositionNode;

/// Symbols of the longest chain. Longer ones, which are annotation errors, are shortened before their last symbol.
const MAX_CHAIN_LENGTH: usize = 6;

/// The label of a span that is not a phrase.
pub(super) const NO_PHRASE: u16 = 0;

/// The counts from which a grammar is estimated.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counts {
    /// Binary rules: parent, left, right.
    pub pairs: BTreeMap<(Symbol, Symbol, Symbol), u32>,
    /// Unary chains from the top; a chain of one symbol is a phrase with two children.
    pub chains: BTreeMap<Vec<Symbol>, u32>,
    /// Tags of words.
    pub tags: BTreeMap<Symbol, u32>,
}

impl Counts {
    /// Counts the rules of a derivation.
    pub fn add(&mut self, derivation: &Derivation, symbols: &Symbols) {
        let mut under_one = vec![false; derivation.steps.len()];
        for step in &derivation.steps {
            match step.from {
                From::Two(left, right) => {
                    let symbol = |step: u32| derivation.steps[step as usize].symbol;
                    *self.pairs.entry((step.symbol, symbol(left), symbol(right))).or_default() += 1;
                }
                From::One(child) => under_one[child as usize] = true,
                From::Word(_) => *self.tags.entry(step.symbol).or_default() += 1,
            }
        }
        for (at, step) in derivation.steps.iter().enumerate() {
            if !under_one[at] && symbols.kind(step.symbol) == SymbolKind::Phrase {
                *self.chains.entry(chain_from(derivation, at)).or_default() += 1;
            }
        }
    }
}

/// The unary chain from a step down: at most [`MAX_CHAIN_LENGTH`] symbols, the top and the bottom included.
fn chain_from(derivation: &Derivation, top: usize) -> Vec<Symbol> {
    let (mut chain, mut at) = (vec![derivation.steps[top].symbol], top);
    while let From::One(child) = derivation.steps[at].from {
        at = child as usize;
        chain.truncate(MAX_CHAIN_LENGTH - 1);
        chain.push(derivation.steps[at].symbol);
    }
    chain
}

/// A binary rule, in a list by one of its symbols.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    /// The parent, or the left symbol where rules are listed by parent.
    pub other: Symbol,
    /// The right symbol.
    pub right: Symbol,
    /// log P.
    pub score: f32,
}

/// A unary chain over one span.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chain {
    /// From the top; the last has two children or is a tag.
    pub symbols: Vec<Symbol>,
    /// The label of the span.
    pub label: u16,
    /// Sum of log P of its rules.
    pub score: f32,
}

impl Chain {
    pub fn top(&self) -> Symbol {
        self.symbols[0]
    }

    pub fn bottom(&self) -> Symbol {
        self.symbols[self.symbols.len() - 1]
    }
}

/// The grammar, indexed for the chart.
#[derive(Clone, Debug)]
pub(super) struct Grammar {
    pub symbols: Symbols,
    /// Binary rules by left symbol: parents and right symbols.
    pub by_left: Vec<Vec<Pair>>,
    /// Binary rules by parent: left and right symbols.
    pub by_parent: Vec<Vec<Pair>>,
    pub chains: Vec<Chain>,
    /// The indices of the chains of each top symbol.
    pub by_top: Vec<Vec<u32>>,
    /// The labels of spans; the first is [`NO_PHRASE`].
    pub labels: Vec<String>,
    pub phrases: Vec<Symbol>,
    /// Symbols that are the left child in some binary rule.
    pub lefts: Vec<Symbol>,
    /// Tags with their log relative frequency.
    pub tags: Vec<(Symbol, f32)>,
    /// The symbol of whole sentences.
    pub root: Symbol,
    /// The counts it was estimated from.
    pub counts: Counts,
}

impl Grammar {
    /// The grammar of these counts; `None` if there is no root.
    pub fn new(symbols: Symbols, counts: Counts) -> Option<Self> {
        let root = symbols.get(SymbolKind::Phrase, ROOT)?;
        let (pair_scores, ones) = rule_scores(&counts, symbols.len());
        let mut by_left = vec![Vec::new(); symbols.len()];
        let mut by_parent = vec![Vec::new(); symbols.len()];
        for (&(parent, left, right), &score) in counts.pairs.keys().zip(&pair_scores) {
            by_left[usize::from(left)].push(Pair { other: parent, right, score });
            by_parent[usize::from(parent)].push(Pair { other: left, right, score });
        }
        by_left.iter_mut().for_each(|pairs| pairs.sort_by_key(|pair| (pair.right, pair.other)));
        let mut labels = Labels::default();
        let chain = |symbols_of: &Vec<Symbol>| {
            let steps = symbols_of.windows(2).map(|two| ones[&(two[0], two[1])]);
            Chain { score: steps.sum(), label: labels.add(symbols_of, &symbols), symbols: symbols_of.clone() }
        };
        let chains: Vec<Chain> = counts.chains.keys().map(chain).collect();
        let mut by_top = vec![Vec::new(); symbols.len()];
        for (number, chain) in chains.iter().enumerate() {
            by_top[usize::from(chain.top())].push(number as u32);
        }
        let words: u64 = counts.tags.values().map(|count| u64::from(*count)).sum();
        let share = |count: u32| (f64::from(count) / words as f64).ln() as f32;
        let tags = counts.tags.iter().map(|(&tag, &count)| (tag, share(count))).collect();
        let phrases = symbols.all().filter(|&symbol| symbols.kind(symbol) == SymbolKind::Phrase).collect();
        let lefts = symbols.all().filter(|&symbol| !by_left[usize::from(symbol)].is_empty()).collect();
        let labels = labels.names;
        Some(Grammar { by_left, by_parent, chains, by_top, labels, phrases, lefts, tags, root, symbols, counts })
    }

    /// The labelled spans of a derivation, as (first word, word after the last, label). The derivation must be one of
    /// those that the grammar was estimated from.
    pub fn labels_of(&self, derivation: &Derivation) -> Vec<(u32, u32, u16)> {
        let known: FxHashMap<&[Symbol], u16> =
            self.chains.iter().map(|chain| (chain.symbols.as_slice(), chain.label)).collect();
        let spans = spans_of(derivation);
        let mut under_one = vec![false; derivation.steps.len()];
        for step in &derivation.steps {
            if let From::One(child) = step.from {
                under_one[child as usize] = true;
            }
        }
        let tops = (0..derivation.steps.len())
            .filter(|&at| !under_one[at] && self.symbols.kind(derivation.steps[at].symbol) == SymbolKind::Phrase);
        tops.map(|at| {
            let (start, end) = spans[at];
            (start, end, known[chain_from(derivation, at).as_slice()])
        })
        .collect()
    }
}

/// The span of each step: first word, word after the last.
pub(super) fn spans_of(derivation: &Derivation) -> Vec<(u32, u32)> {
    let mut spans: Vec<(u32, u32)> = Vec::with_capacity(derivation.steps.len());
    for step in &derivation.steps {
        spans.push(match step.from {
            From::Word(place) => (place, place + 1),
            From::One(child) => spans[child as usize],
            From::Two(left, right) => (spans[left as usize].0, spans[right as usize].1),
        });
    }
    spans
}

/// log P of all binary rules, in their order, and of all unary rules.
fn rule_scores(counts: &Counts, symbols: usize) -> (Vec<f32>, FxHashMap<(Symbol, Symbol), f32>) {
    let mut totals = vec![0_u64; symbols];
    let mut ones: BTreeMap<(Symbol, Symbol), u64> = BTreeMap::new();
    for (chain, &count) in &counts.chains {
        let count = u64::from(count);
        for two in chain.windows(2) {
            *ones.entry((two[0], two[1])).or_default() += count;
            totals[usize::from(two[0])] += count;
        }
    }
    counts.pairs.iter().for_each(|((parent, ..), count)| totals[usize::from(*parent)] += u64::from(*count));
    let score = |parent: Symbol, count: u64| (count as f64 / totals[usize::from(parent)].max(1) as f64).ln() as f32;
    let pairs = counts.pairs.iter().map(|((parent, ..), count)| score(*parent, u64::from(*count))).collect();
    (pairs, ones.into_iter().map(|((parent, child), count)| ((parent, child), score(parent, count))).collect())
}

tercet_base::defaults! {
    /// Labels of spans, in order of first occurrence.
    struct Labels {
        names: Vec<String> = vec![String::new()],
    }
}

impl Labels {
    /// The label of a chain: the categories of its phrases, without `ROOT`.
    fn add(&mut self, chain: &[Symbol], symbols: &Symbols) -> u16 {
        let phrases = chain.iter().filter(|&&symbol| symbols.kind(symbol) == SymbolKind::Phrase);
        let categories: Vec<&str> =
            phrases.map(|&symbol| symbols.category(symbol)).filter(|&category| category != ROOT).collect();
        let name = categories.join("+");
        let known = self.names.iter().position(|known| *known == name);
        known.unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        }) as u16
    }
}

/// The number of a symbol.
pub(super) type Symbol = u16;

/// The largest number of symbols of a grammar; far more than any treebank needs, and within [`Symbol`].
pub(super) const MAX_SYMBOLS: usize = 60_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolKind {
    /// The tag of a word.
    Tag,
    /// A phrase of the tree.
    Phrase,
    /// A partial phrase: from some child to the last.
    Rest,
}

/// All symbols, numbered from 0 in order of first occurrence.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Symbols {
    names: Vec<String>,
    kinds: Vec<SymbolKind>,
    numbers: FxHashMap<(u8, String), Symbol>,
}

impl Symbols {
    /// The number of a symbol, which is added if it is new; `None` if there are too many.
    pub fn add(&mut self, kind: SymbolKind, name: &str) -> Option<Symbol> {
        if let Some(known) = self.get(kind, name) {
            return Some(known);
        }
        let number = Symbol::try_from(self.names.len()).ok().filter(|&n| usize::from(n) < MAX_SYMBOLS)?;
        self.numbers.insert((kind as u8, name.to_owned()), number);
        self.names.push(name.to_owned());
        self.kinds.push(kind);
        Some(number)
    }

    /// The number of a known symbol.
    pub fn get(&self, kind: SymbolKind, name: &str) -> Option<Symbol> {
        self.numbers.get(&(kind as u8, name.to_owned())).copied()
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The name, with annotations.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[usize::from(symbol)]
    }

    pub fn kind(&self, symbol: Symbol) -> SymbolKind {
        self.kinds[usize::from(symbol)]
    }

    /// The name without annotations.
    pub fn category(&self, symbol: Symbol) -> &str {
        category(self.name(symbol), self.kind(symbol))
    }

    /// All numbers, in order.
    pub fn all(&self) -> impl Iterator<Item = Symbol> + use<> {
        0..self.names.len() as Symbol
    }
}

/// A name up to its first annotation. Tags have none.
fn category(name: &str, kind: SymbolKind) -> &str {
    let end = match kind {
        SymbolKind::Tag => None,
        SymbolKind::Phrase => name.find('^'),
        SymbolKind::Rest => name.find(['^', '|']),
    };
    &name[..end.unwrap_or(name.len())]
}

/// The kind of rare nodes, and of nodes that join parts without a grammar rule.
pub(super) const ANY: u32 = 0;

/// Categories of the children; the second is empty for an only child.
type Categories = (String, String);

#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    pairs: Vec<Categories>,
    /// The category of each symbol, by number.
    categories: Vec<u16>,
    numbers: FxHashMap<(u16, u16), u32>,
}

/// No second child.
const NOTHING: u16 = u16::MAX;

impl Kinds {
    /// The kinds that occur at least `least` times.
    pub fn from_derivations(derivations: &[Derivation], symbols: &Symbols, least: usize) -> Self {
        let mut counts: BTreeMap<Categories, usize> = BTreeMap::new();
        for derivation in derivations {
            let category = |step: u32| symbols.category(derivation.steps[step as usize].symbol).to_owned();
            for step in &derivation.steps {
                let pair = match step.from {
                    From::Word(_) => continue,
                    From::One(child) => (category(child), String::new()),
                    From::Two(left, right) => (category(left), category(right)),
                };
                *counts.entry(pair).or_default() += 1;
            }
        }
        let often = counts.into_iter().filter(|(_, count)| *count >= least);
        Kinds::new(often.map(|(pair, _)| pair).collect(), symbols)
    }

    /// The kinds of a model, in order of their numbers from 1.
    pub fn new(pairs: Vec<Categories>, symbols: &Symbols) -> Self {
        let mut names: FxHashMap<&str, u16> = FxHashMap::default();
        let mut categories = Vec::with_capacity(symbols.len());
        for symbol in symbols.all() {
            let next = names.len() as u16;
            categories.push(*names.entry(symbols.category(symbol)).or_insert(next));
        }
        let number = |name: &str| if name.is_empty() { Some(NOTHING) } else { names.get(name).copied() };
        let numbered = pairs.iter().zip(1..);
        let numbers =
            numbered.filter_map(|((left, right), kind)| Some(((number(left)?, number(right)?), kind))).collect();
        Kinds { pairs, categories, numbers }
    }

    /// The categories of kinds, in order of their numbers from 1.
    pub fn pairs(&self) -> &[Categories] {
        &self.pairs
    }

    /// The number of kinds, kind 0 included.
    pub fn len(&self) -> usize {
        self.pairs.len() + 1
    }

    fn kind(&self, left: Symbol, right: Option<Symbol>) -> u32 {
        let category = |symbol: Symbol| self.categories[usize::from(symbol)];
        self.numbers.get(&(category(left), right.map_or(NOTHING, category))).copied().unwrap_or(ANY)
    }

    /// The nodes of a derivation, for the recursive network.
    pub fn nodes(&self, derivation: &Derivation, words: usize) -> Vec<CompositionNode> {
        let (mut nodes, mut place) = (Vec::new(), Vec::with_capacity(derivation.steps.len()));
        let symbol = |step: u32| derivation.steps[step as usize].symbol;
        for step in &derivation.steps {
            let (left, right) = match step.from {
                From::Word(word) => {
                    place.push(word);
                    continue;
                }
                From::One(child) => (child, None),
                From::Two(left, right) => (left, Some(right)),
            };
            place.push((words + nodes.len()) as u32);
            nodes.push(CompositionNode {
                kind: self.kind(symbol(left), right.map(symbol)),
                left: place[left as usize],
                right: right.map(|right| place[right as usize]),
            });
        }
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::bracketed::read_trees;
    use crate::parse::constituency::derivation::Memory;
    use std::path::Path;

    fn grammar(text: &str) -> (Grammar, Vec<Derivation>) {
        let (mut symbols, mut counts) = (Symbols::default(), Counts::default());
        let memory = Memory { siblings: 1, parents: false };
        let trees = read_trees(Path::new("t"), text).unwrap();
        let derivations: Vec<Derivation> =
            trees.iter().map(|tree| Derivation::of_tree(tree, memory, &mut symbols).unwrap()).collect();
        derivations.iter().for_each(|derivation| counts.add(derivation, &symbols));
        (Grammar::new(symbols, counts).unwrap(), derivations)
    }

    #[test]
    fn probabilities_are_relative_frequencies_and_chains_are_whole() {
        let (grammar, derivations) =
            grammar("(ROOT (S (NP (N a)) (VP (V b)))) (ROOT (S (NP (D a) (N c)) (VP (V b)))) (ROOT (S (VP (V b))))");
        let number = |kind, name| grammar.symbols.get(kind, name).unwrap();
        let (s, np, vp) =
            (number(SymbolKind::Phrase, "S"), number(SymbolKind::Phrase, "NP"), number(SymbolKind::Phrase, "VP"));
        let [pair] = grammar.by_parent[usize::from(s)][..] else { panic!("one rule") };
        assert_eq!((pair.other, pair.right), (np, vp));
        assert!((pair.score - (2.0f32 / 3.0).ln()).abs() < 1e-6, "{pair:?}");
        assert_eq!(grammar.by_parent[usize::from(np)].len(), 1);
        let mut labels = grammar.labels.clone();
        labels.sort();
        assert_eq!(labels, ["", "NP", "S", "S+VP", "VP"]);
        let chain = grammar.chains.iter().find(|chain| chain.symbols.len() == 4).unwrap();
        assert!((chain.score - (1.0f32 / 3.0).ln()).abs() < 1e-6, "{chain:?}");
        let spans = grammar.labels_of(&derivations[1]);
        let named = |(from, to, label): &(u32, u32, u16)| (*from, *to, grammar.labels[usize::from(*label)].as_str());
        let mut spans: Vec<_> = spans.iter().map(named).collect();
        spans.sort();
        assert_eq!(spans, [(0, 2, "NP"), (0, 3, "S"), (2, 3, "VP")]);
    }

    #[test]
    fn a_chain_that_is_too_long_is_shortened() {
        let (grammar, derivations) = grammar("(ROOT (A (B (C (D (E (F (G (N a))))))))) (ROOT (B (N a) (N b)))");
        let spans = grammar.labels_of(&derivations[0]);
        let [(0, 1, label)] = spans[..] else { panic!("one span: {spans:?}") };
        assert_eq!(grammar.labels[usize::from(label)], "A+B+C+D");
        let chain = grammar.chains.iter().find(|chain| chain.label == label).unwrap();
        assert_eq!(chain.symbols.len(), MAX_CHAIN_LENGTH);
        assert_eq!(grammar.symbols.name(chain.bottom()), "N");
    }

    #[test]
    fn counts_may_be_as_large_as_a_file_has_them() {
        let (mut symbols, mut counts) = (Symbols::default(), Counts::default());
        let root = symbols.add(SymbolKind::Phrase, ROOT).unwrap();
        for tag in 0..600 {
            let tag = symbols.add(SymbolKind::Tag, &tag.to_string()).unwrap();
            counts.tags.insert(tag, 1 << 24);
            counts.chains.insert(vec![root, tag], 1 << 24);
            counts.pairs.insert((root, tag, tag), 1 << 24);
        }
        let grammar = Grammar::new(symbols, counts).unwrap();
        let near = |score: f32, share: f32| (score - share.ln()).abs() < 1e-6;
        assert!(grammar.tags.iter().all(|(_, score)| near(*score, 1.0 / 600.0)));
        assert!(grammar.chains.iter().all(|chain| near(chain.score, 1.0 / 1200.0)));
        assert!(grammar.by_parent[usize::from(root)].iter().all(|pair| near(pair.score, 1.0 / 1200.0)));
    }

    #[test]
    fn symbols_are_numbered_once_and_know_their_category() {
        let mut symbols = Symbols::default();
        let names = [
            (SymbolKind::Tag, "^"),
            (SymbolKind::Phrase, "NP^VP"),
            (SymbolKind::Rest, "@NP^VP|DT"),
            (SymbolKind::Phrase, "NP^VP"),
        ];
        let numbers: Vec<Symbol> = names.iter().map(|(kind, name)| symbols.add(*kind, name).unwrap()).collect();
        assert_eq!(numbers, [0, 1, 2, 1]);
        assert_eq!(symbols.all().map(|s| symbols.category(s).to_owned()).collect::<Vec<_>>(), ["^", "NP", "@NP"]);
        assert_eq!(
            (symbols.len(), symbols.kind(2), symbols.get(SymbolKind::Tag, "NP^VP")),
            (3, SymbolKind::Rest, None)
        );
    }

    #[test]
    fn frequent_pairs_are_kinds_and_words_are_leaves() {
        let text = "(ROOT (S (NP (D a) (N b)) (VP (V c)))) (ROOT (NP (D a) (N b)))";
        let mut symbols = Symbols::default();
        let memory = Memory { siblings: 1, parents: true };
        let derivations: Vec<Derivation> = read_trees(Path::new("t"), text)
            .unwrap()
            .iter()
            .map(|tree| Derivation::of_tree(tree, memory, &mut symbols).unwrap())
            .collect();
        let kinds = Kinds::from_derivations(&derivations, &symbols, 2);
        assert_eq!(kinds.pairs(), [("D".to_owned(), "N".to_owned())]);
        let all = Kinds::from_derivations(&derivations, &symbols, 1);
        assert_eq!(all.len(), 6);
        let nodes = kinds.nodes(&derivations[0], 3);
        assert_eq!(nodes.iter().map(|node| node.kind).collect::<Vec<_>>(), [0, 1, 0, 0]);
        let root = nodes[nodes.len() - 1];
        assert_eq!((root.left, root.right), (5, None));
    }
}
