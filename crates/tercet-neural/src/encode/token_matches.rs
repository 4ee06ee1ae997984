//! Greedy matching of token vectors: for each token of a line, the highest cosine with any token of another line, in
//! every layer of a transformer (BERTScore: Zhang et al., ICLR 2020). Special tokens have no match; whether other
//! tokens may match them is the caller's choice.
//!
//! All layers are matched at once, since that costs a hundredth of the encoding; so metrics of several layers, and with
//! or without weights of tokens, encode each pair of lines once.

use super::transformer::TransformerModel;
use super::without_mark;
use foldhash::{HashMap, HashSet};
use rayon::prelude::*;
use std::sync::{Arc, PoisonError};
use tercet_base::stop;
use tercet_transformer::Encoded;
use tercet_transformer::matching::{best_cosines, scale_rows};

/// Pairs that a model keeps: each 1 to 3 KB.
const MAX_CACHED: usize = 40_000;
/// Lines that are encoded together: their token vectors of all layers are held at once.
const LINES: usize = 48;

/// The best matches of two lines.
#[derive(Clone, Debug, PartialEq)]
pub struct TokenMatches {
    /// The tokens of the translation, each with its best match in the reference.
    pub hypothesis: MatchedTokens,
    /// The tokens of the reference, each with its best match in the translation.
    pub reference: MatchedTokens,
    /// Whether one of the lines was longer than the window.
    pub cut: bool,
}

/// The tokens of a line and their best matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchedTokens {
    /// Numbers in the vocabulary.
    pub ids: Vec<u32>,
    /// The highest cosine of each token, by layer: 0 are the embeddings.
    pub best: Vec<Vec<f32>>,
}

/// What a token may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partners {
    /// Tokens of the text only.
    Text,
    /// The special tokens around it too.
    All,
}

/// Matches that are kept: by reference, then by translation.
type MatchesByLine = HashMap<Box<str>, HashMap<Box<str>, Arc<TokenMatches>>>;

/// Matches that are kept, with tokens of the text and with all tokens.
#[derive(Default)]
pub(super) struct KeptMatches([MatchesByLine; 2]);

impl KeptMatches {
    pub(super) fn clear(&mut self) {
        self.0.iter_mut().for_each(HashMap::clear);
    }

    pub(super) fn of(&mut self, partners: Partners) -> &mut MatchesByLine {
        &mut self.0[usize::from(partners == Partners::All)]
    }
}

/// A translation and its reference.
type Pair<'a> = (&'a str, &'a str);

impl TransformerModel {
    /// The matches of pairs of a translation and a reference. Pairs with the same reference should be adjacent.
    pub fn token_matches(&self, pairs: &[(&str, &str)], partners: Partners) -> Vec<Arc<TokenMatches>> {
        let pairs: Vec<Pair<'_>> = pairs.iter().map(|(one, other)| (without_mark(one), without_mark(other))).collect();
        let missing = self.missing_pairs(&pairs, partners);
        let mut new: HashMap<Pair<'_>, Arc<TokenMatches>> = HashMap::default();
        let mut rest = missing.as_slice();
        while !rest.is_empty() {
            let (group, after) = rest.split_at(group_length(rest));
            new.extend(group.iter().copied().zip(self.match_group(group, partners)));
            rest = after;
        }
        let mut all_kept = self.matches.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = all_kept.of(partners);
        let found = |pair: &Pair<'_>| match kept.get(pair.1).and_then(|of_reference| of_reference.get(pair.0)) {
            Some(matches) => matches.clone(),
            None => new[pair].clone(),
        };
        let all = pairs.iter().map(found).collect();
        let room = MAX_CACHED.saturating_sub(kept.values().map(HashMap::len).sum());
        for pair in missing.iter().take(room) {
            kept.entry(pair.1.into()).or_default().insert(pair.0.into(), new[pair].clone());
        }
        all
    }

    fn missing_pairs<'a>(&self, pairs: &[Pair<'a>], partners: Partners) -> Vec<Pair<'a>> {
        let mut all_kept = self.matches.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = all_kept.of(partners);
        let is_kept = |pair: &Pair<'_>| kept.get(pair.1).is_some_and(|of_reference| of_reference.contains_key(pair.0));
        let mut seen = HashSet::default();
        pairs.iter().copied().filter(|pair| !is_kept(pair) && seen.insert(*pair)).collect()
    }

    fn match_group(&self, group: &[Pair<'_>], partners: Partners) -> Vec<Arc<TokenMatches>> {
        let mut lines: Vec<&str> = group.iter().flat_map(|pair| [pair.0, pair.1]).collect();
        lines.sort_unstable();
        lines.dedup();
        let tokens: Vec<_> = lines.iter().map(|line| self.encoder().tokenize(line)).collect();
        let layers: Vec<usize> = (0..=self.encoder().config().layers).collect();
        let mut encoded = self.encoder().encode_tokens(&tokens, &layers);
        self.keep_sentences(&lines, &encoded);
        encoded.par_iter_mut().for_each(|encoded| self.scale_rows(encoded, partners));
        let place = |line: &str| lines.binary_search(&line).expect("every line was encoded");
        let each = group.par_iter().map(stop::carried(|pair: &Pair<'_>| {
            let (one, other) = (place(pair.0), place(pair.1));
            let inner = |at: usize| tokens[at].ids[1..tokens[at].ids.len() - 1].to_vec();
            let layers = encoded[one].layers.iter().zip(&encoded[other].layers);
            let best = layers.map(|(one, other)| best_cosines(one, other, self.encoder().config().width));
            let own = |mut best: Vec<f32>| {
                if partners == Partners::All {
                    best.pop();
                    best.remove(0);
                }
                best
            };
            let (best_one, best_other) = best.map(|best| (own(best.first), own(best.second))).unzip();
            Arc::new(TokenMatches {
                hypothesis: MatchedTokens { ids: inner(one), best: best_one },
                reference: MatchedTokens { ids: inner(other), best: best_other },
                cut: encoded[one].cut || encoded[other].cut,
            })
        }));
        each.collect()
    }

    /// Scales the vectors of all tokens to length 1, and drops those that are no partners.
    fn scale_rows(&self, encoded: &mut Encoded, partners: Partners) {
        let width = self.encoder().config().width;
        for layer in &mut encoded.layers {
            if partners == Partners::Text {
                layer.truncate(layer.len() - width);
                layer.drain(..width);
            }
            scale_rows(layer, width);
        }
    }
}

/// The number of pairs of the first group: whole references until there are enough lines.
fn group_length(pairs: &[Pair<'_>]) -> usize {
    let mut length = 0;
    for run in pairs.chunk_by(|one, other| one.1 == other.1) {
        length += run.len();
        if length >= LINES {
            break;
        }
    }
    length
}
