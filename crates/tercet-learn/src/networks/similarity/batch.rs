//! The order of an epoch, and the trees and comparisons of a batch.
//!
//! Each distinct tree of a batch is encoded once, and each distinct pair of trees is compared once.

use super::{BatchBy, SimilarityExamples};
use crate::random::Random;
use std::ops::Range;

/// The examples of an epoch in their order, cut into batches.
#[derive(Debug, Default)]
pub struct Epoch {
    /// Numbers of examples; ranked pairs follow the scored ones.
    order: Vec<u32>,
    /// The end of every batch in `order`.
    ends: Vec<usize>,
}

impl Epoch {
    pub fn new(examples: &SimilarityExamples, batch_by: BatchBy, batch_size: usize, random: &mut Random) -> Self {
        let mut groups: Vec<Vec<u32>> = match batch_by {
            BatchBy::Pair => (0..examples.count() as u32).map(|example| vec![example]).collect(),
            BatchBy::Reference => by_reference(examples),
        };
        random.shuffle(&mut groups);
        let mut epoch = Epoch::default();
        for batch in groups.chunks(batch_size) {
            batch.iter().for_each(|group| epoch.order.extend_from_slice(group));
            epoch.ends.push(epoch.order.len());
        }
        epoch
    }

    /// Number of batches.
    pub fn batches(&self) -> usize {
        self.ends.len()
    }

    /// The examples of a batch.
    pub fn batch(&self, batch: usize) -> &[u32] {
        let start = if batch == 0 { 0 } else { self.ends[batch - 1] };
        &self.order[start..self.ends[batch]]
    }
}

/// The examples of every reference, in the order of references.
fn by_reference(examples: &SimilarityExamples) -> Vec<Vec<u32>> {
    let mut groups = vec![Vec::new(); examples.trees.len()];
    let scored = examples.scored.iter().map(|pair| pair.reference);
    let ranked = examples.ranked.iter().map(|pair| pair.reference);
    scored.chain(ranked).zip(0..).for_each(|(reference, example)| groups[reference as usize].push(example));
    groups.retain(|group| !group.is_empty());
    groups
}

/// The trees and comparisons of a batch.
#[derive(Debug, Default)]
pub struct Batch {
    /// The distinct trees, in the order of their first example.
    pub trees: Vec<u32>,
    /// The place of every tree of the data in `trees`; `u32::MAX` for those that are not there.
    place: Vec<u32>,
    /// Distinct pairs of places, sorted.
    pub pairs: Vec<[u32; 2]>,
    /// The pairs of every example as numbers in `pairs`; a scored example has the same one twice.
    pub compared: Vec<[usize; 2]>,
}

impl Batch {
    /// Fills the batch with these examples.
    pub fn fill(&mut self, examples: &SimilarityExamples, numbers: &[u32]) {
        self.place.resize(examples.trees.len(), u32::MAX);
        self.trees.drain(..).for_each(|tree| self.place[tree as usize] = u32::MAX);
        let of_example = |number: &u32| match examples.scored.get(*number as usize) {
            Some(pair) => [[pair.reference, pair.translation]; 2],
            None => {
                let pair = examples.ranked[*number as usize - examples.scored.len()];
                [[pair.reference, pair.better], [pair.reference, pair.worse]]
            }
        };
        let both: Vec<[[u32; 2]; 2]> =
            numbers.iter().map(|number| of_example(number).map(|pair| pair.map(|n| self.place(n)))).collect();
        self.pairs.clear();
        self.pairs.extend(both.iter().flatten());
        self.pairs.sort_unstable();
        self.pairs.dedup();
        let number = |pair| self.pairs.binary_search(&pair).expect("every pair is among the distinct ones");
        self.compared.clear();
        self.compared.extend(both.into_iter().map(|both| both.map(number)));
    }

    /// The place of a tree, which is added if it is new.
    fn place(&mut self, tree: u32) -> u32 {
        let place = &mut self.place[tree as usize];
        if *place == u32::MAX {
            *place = self.trees.len() as u32;
            self.trees.push(tree);
        }
        *place
    }

    /// The trees of one of `shards` parts.
    pub fn share(&self, shard: usize, shards: usize) -> Range<usize> {
        let count = self.trees.len();
        count * shard / shards..count * (shard + 1) / shards
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::similarity::{RankedPair, ScoredPair};

    /// Two references, 0 and 3, with items 1, 2 and 4, 5.
    fn examples() -> SimilarityExamples {
        let mut examples = SimilarityExamples::default();
        for word in 0..6 {
            examples.trees.push_list(&[word]);
        }
        let ranked = [(0, 1, 2), (3, 4, 5), (0, 2, 1), (0, 1, 2)];
        examples.ranked = ranked.map(|(reference, better, worse)| RankedPair { reference, better, worse }).to_vec();
        examples.scored = vec![ScoredPair { reference: 3, translation: 5, score: 2.0 }];
        examples
    }

    #[test]
    fn batches_of_standards_have_all_their_examples() {
        let epoch = |by, size, seed| Epoch::new(&examples(), by, size, &mut Random::stream(seed, "test", 0));
        let of_standards: Vec<Vec<u32>> = {
            let epoch = epoch(BatchBy::Reference, 1, 1);
            let mut all: Vec<Vec<u32>> = (0..epoch.batches()).map(|b| epoch.batch(b).to_vec()).collect();
            all.sort();
            all
        };
        assert_eq!(of_standards, [vec![0, 2], vec![1, 3, 4]]);
        assert_eq!(epoch(BatchBy::Reference, 64, 1).batches(), 1);
        let pairs = epoch(BatchBy::Pair, 2, 1);
        assert_eq!((pairs.batches(), pairs.batch(2).len()), (3, 1));
        let mut all: Vec<u32> = (0..3).flat_map(|batch| pairs.batch(batch)).copied().collect();
        all.sort_unstable();
        assert_eq!(all, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn trees_are_encoded_and_pairs_compared_once() {
        let mut batch = Batch::default();
        for _ in 0..2 {
            batch.fill(&examples(), &[1, 3, 4, 0]);
            assert_eq!(batch.trees, [0, 1, 2, 3, 5]);
            assert_eq!(batch.pairs, [[0, 1], [0, 2], [3, 4]]);
            assert_eq!(batch.compared, [[0, 1], [1, 0], [0, 1], [2, 2]]);
        }
        batch.fill(&examples(), &[2]);
        assert_eq!((&batch.trees[..], batch.pairs.len()), (&[3, 4, 5][..], 2));
    }
}
