//! The k best derivations of a filled chart, found lazily (Huang & Chiang 2005, W05-1506, algorithm 3).
//!
//! Every symbol of a span stores its best derivations in order, as many as were requested so far. A candidate is a rule
//! with a rank for each child; when it is taken, its neighbours (the next rank of one child) become candidates. So each
//! further derivation costs little.
//!
//! Derivations of equal score are in the order in which they were found, which is that of the grammar: the same on
//! every machine.

use super::chart::{Chart, Evidence, NONE, Search, cell, label_score};
use super::derivation::{Derivation, From};
use super::grammar::{Grammar, Symbol, SymbolKind};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A symbol of a span, without or with its chain (outer).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    start: u16,
    end: u16,
    symbol: Symbol,
    is_outer: bool,
}

/// How a symbol of a span is derived.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Rule {
    /// It is the tag of a word.
    Word,
    /// By a chain, given by its index.
    Chain(u32),
    /// By a binary rule.
    Pair { split: u16, left: Symbol, right: Symbol },
}

/// A rule with its own score and a rank for each child.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    score: f32,
    rule: Rule,
    rule_score: f32,
    ranks: [u16; 2],
    /// Order of discovery, for ties.
    found: u32,
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then(other.found.cmp(&self.found))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[derive(Clone, Debug, Default)]
struct Ranked {
    done: Vec<Candidate>,
    candidates: BinaryHeap<Candidate>,
    /// The number of derivations whose neighbours were added.
    expanded: usize,
    found: u32,
}

/// The k best derivations of one sentence.
pub(super) struct KBest<'a> {
    chart: &'a Chart,
    grammar: &'a Grammar,
    evidence: Evidence<'a>,
    search: &'a Search,
    k: usize,
    places: FxHashMap<Place, Ranked>,
}

impl<'a> KBest<'a> {
    /// The chart must be filled with the same grammar, evidence and search.
    pub fn new(chart: &'a Chart, grammar: &'a Grammar, evidence: Evidence<'a>, search: &'a Search, k: usize) -> Self {
        KBest { chart, grammar, evidence, search, k: k.min(usize::from(u16::MAX)), places: FxHashMap::default() }
    }

    /// The best derivations of a symbol over a span, with their scores, best first.
    pub fn derivations(&mut self, start: usize, end: usize, symbol: Symbol) -> Vec<(Derivation, f32)> {
        let place = self.part(start as u16, end as u16, symbol);
        let mut found = Vec::new();
        while found.len() < self.k {
            let Some(score) = self.score(place, found.len()) else { break };
            let mut derivation = Derivation::default();
            self.write(place, found.len(), &mut derivation);
            found.push((derivation, score));
        }
        found
    }

    /// The score of the derivation of this rank, computed on demand.
    fn score(&mut self, place: Place, rank: usize) -> Option<f32> {
        if !self.places.contains_key(&place) {
            let ranked = self.begin(place);
            self.places.insert(place, ranked);
        }
        loop {
            let ranked = self.places.get_mut(&place).expect("it was just begun");
            if let Some(known) = ranked.done.get(rank) {
                return Some(known.score);
            }
            if ranked.expanded < ranked.done.len() {
                let last = ranked.done[ranked.expanded];
                ranked.expanded += 1;
                self.add_neighbours(place, last);
                continue;
            }
            let next = ranked.candidates.pop()?;
            ranked.done.push(next);
        }
    }

    /// The rules of a place, each with its best children; at most the k best.
    fn begin(&self, place: Place) -> Ranked {
        let mut rules: Vec<Candidate> = Vec::new();
        let mut add = |rule, rule_score, score: f32| {
            if score > NONE {
                let found = rules.len() as u32;
                rules.push(Candidate { score, rule, rule_score, ranks: [0, 0], found });
            }
        };
        let span = cell(place.start.into(), place.end.into());
        if place.is_outer {
            let size = self.grammar.labels.len();
            let labels = self.evidence.labels.map(|labels| &labels[span * size..(span + 1) * size]);
            for &number in &self.grammar.by_top[usize::from(place.symbol)] {
                let chain = &self.grammar.chains[number as usize];
                if let Some(label) = label_score(labels, chain.label, self.search.label_margin) {
                    let score = self.search.grammar_weight * chain.score + label;
                    add(Rule::Chain(number), score, self.chart.inner(span, chain.bottom()) + score);
                }
            }
        } else if self.grammar.symbols.kind(place.symbol) == SymbolKind::Tag {
            let score = self.chart.inner(span, place.symbol);
            add(Rule::Word, score, score);
        } else {
            for split in place.start + 1..place.end {
                let cells = (cell(place.start.into(), split.into()), cell(split.into(), place.end.into()));
                for pair in &self.grammar.by_parent[usize::from(place.symbol)] {
                    let rule_score = self.search.grammar_weight * pair.score;
                    let left = self.chart.outer(cells.0, pair.other);
                    let score = left + rule_score + self.chart.outer(cells.1, pair.right);
                    add(Rule::Pair { split, left: pair.other, right: pair.right }, rule_score, score);
                }
            }
        }
        if rules.len() > self.k {
            rules.select_nth_unstable_by(self.k - 1, |a, b| b.cmp(a));
            rules.truncate(self.k);
        }
        let found = u32::MAX / 2;
        Ranked { candidates: rules.into(), found, ..Ranked::default() }
    }

    /// Adds the candidates with the next rank of one child.
    fn add_neighbours(&mut self, place: Place, taken: Candidate) {
        let parts = self.parts(place, taken.rule);
        for side in 0..parts.iter().flatten().count() {
            // Each pair of ranks is reached once: the second rank always advances, the first only while the second is
            // 0.
            if side == 0 && taken.ranks[1] > 0 {
                continue;
            }
            let mut ranks = taken.ranks;
            ranks[side] += 1;
            let sums = [0, 1].map(|side| match parts[side] {
                Some(part) => self.score(part, ranks[side].into()),
                None => Some(0.0),
            });
            if let [Some(first), Some(second)] = sums {
                let ranked = self.places.get_mut(&place).expect("it was begun");
                ranked.found += 1;
                let score = first + taken.rule_score + second;
                ranked.candidates.push(Candidate { score, ranks, found: ranked.found, ..taken });
            }
        }
    }

    /// The children of a rule.
    fn parts(&self, place: Place, rule: Rule) -> [Option<Place>; 2] {
        match rule {
            Rule::Word => [None, None],
            Rule::Chain(number) => {
                let symbol = self.grammar.chains[number as usize].bottom();
                [Some(Place { symbol, is_outer: false, ..place }), None]
            }
            Rule::Pair { split, left, right } => {
                [Some(self.part(place.start, split, left)), Some(self.part(split, place.end, right))]
            }
        }
    }

    /// Only phrases have chains above them.
    fn part(&self, start: u16, end: u16, symbol: Symbol) -> Place {
        Place { start, end, symbol, is_outer: self.grammar.symbols.kind(symbol) == SymbolKind::Phrase }
    }

    /// Writes the steps of a derivation whose score was computed; returns the number of the last.
    fn write(&mut self, place: Place, rank: usize, derivation: &mut Derivation) -> u32 {
        self.score(place, rank);
        let taken = self.places[&place].done[rank];
        let parts = self.parts(place, taken.rule);
        match (taken.rule, parts) {
            (Rule::Chain(number), [Some(bottom), _]) => {
                let grammar = self.grammar;
                let mut step = self.write(bottom, taken.ranks[0].into(), derivation);
                let above = &grammar.chains[number as usize].symbols;
                for &symbol in above[..above.len() - 1].iter().rev() {
                    step = derivation.push(symbol, From::One(step));
                }
                step
            }
            (Rule::Pair { .. }, [Some(left), Some(right)]) => {
                let left = self.write(left, taken.ranks[0].into(), derivation);
                let right = self.write(right, taken.ranks[1].into(), derivation);
                derivation.push(place.symbol, From::Two(left, right))
            }
            _ => derivation.push(place.symbol, From::Word(place.start.into())),
        }
    }
}
