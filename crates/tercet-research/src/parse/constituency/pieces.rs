//! Splits long sentences into pieces, and covers pieces that the grammar cannot derive.
//!
//! The time of a chart grows with the third power of the words, so a sentence of more than [`MAX_PIECE_WORDS`] words is
//! parsed in pieces (`sentence_pieces`). A piece without a derivation (because of gaps in the grammar, or of pruning)
//! is covered by as few derived phrases as possible, and of those by the best. All are joined under `ROOT`.

use super::chart::{Chart, NONE, cell};
use super::grammar::Grammar;
use super::symbols::{Kind, Symbol};
use crate::parse::sentence_pieces;
use std::ops::Range;

/// Words of the longest piece.
pub(super) const MAX_PIECE_WORDS: usize = 100;

/// The cost of each phrase in a cover: more than any difference of scores.
const FURTHER: f64 = 1e6;

/// The pieces of a sentence.
pub(super) fn pieces(words: &[&str]) -> Vec<Range<usize>> {
    sentence_pieces::pieces(words, MAX_PIECE_WORDS).collect()
}

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
    let whole = |symbol: &Symbol| grammar.symbols.kind(*symbol) != Kind::Rest && *symbol != grammar.root;
    let scored = grammar.symbols.all().filter(whole).map(|symbol| (symbol, row[usize::from(symbol)]));
    scored.filter(|(_, score)| *score > NONE).reduce(|a, b| if b.1 > a.1 { b } else { a })
}
