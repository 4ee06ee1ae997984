//! Finds the tree for scores of arcs: every word's best head if they form a tree, else the best tree.
//!
//! The best tree is the maximum spanning arborescence (Chu & Liu, 1965; Edmonds, 1967) of the candidate arcs, found
//! with Tarjan's (1977) mergeable heaps: O(n·k log n) steps and O(n·k) memory for n words with k candidates. McDonald
//! et al. (2005, H05-1066) introduced it to parsing.
//!
//! # Choices
//! **One root.** UD has exactly one root word, the arborescence may have several. The score of all arcs from the root
//! is lowered by more than trees can differ, so the result has as few of them as possible, and is the best of those
//! trees: exact, unlike a second search afterwards (Zmigrod et al., 2020, 2020.emnlp-main.390, discuss the difference).
//!
//! **A tree always exists.** With the candidates alone, some words may be unreachable. So the root and both neighbours
//! are candidates of each word too, scored below its worst candidate by more than trees of candidates can differ: such
//! an arc is used only if every tree with one root needs it.
//!
//! **Ties** are won by the first candidate in the list.
//!
//! # Agreement
//! The tests compare it with an enumeration of all trees of up to five words.

use tercet_learn::networks::TreeError;

/// Candidate heads: ids (0 for the root, else the word's index plus 1) with scores, of which only differences between
/// the candidates of one word count. Ids that do not exist, the word itself and scores that are NaN or infinite are
/// ignored.
pub trait Arcs {
    /// The candidates of a word and their scores.
    fn candidates(&self, word: usize) -> (&[u32], &[f32]);
}

/// Keeps heads if they form a tree with one root, else replaces them with the best such tree.
pub fn make_tree(arcs: &impl Arcs, heads: &mut [u32]) {
    if mistake(heads).is_some() {
        Search::new(arcs, heads.len()).run(heads);
    }
}

fn mistake(heads: &[u32]) -> Option<TreeError> {
    TreeError::find(heads.len(), |word| heads[word] as usize)
}

/// No arc, no component.
const NONE: u32 = u32::MAX;

/// An arc, and its place in the heap of arcs into a component.
#[derive(Clone, Copy)]
struct Arc {
    head: u32,
    word: u32,
    weight: f64,
    /// What is still to be subtracted from the weights below it in the heap.
    pending: f64,
    left: u32,
    right: u32,
}

/// Whether the walk against the arcs has reached a component.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Unseen,
    OnPath,
    /// Its path to the root is known.
    Settled,
}

/// Components are numbered: the root, the words from 1, then cycles in the order in which they were contracted.
struct Search {
    words: usize,
    arcs: Vec<Arc>,
    /// The best arc of the heap of arcs into each component.
    heaps: Vec<u32>,
    /// The arc that was taken into each component.
    taken: Vec<u32>,
    /// The cycle a component went into.
    parents: Vec<u32>,
    /// As `parents`, with path compression.
    shortcuts: Vec<u32>,
}

impl Search {
    fn new(arcs: &impl Arcs, words: usize) -> Self {
        let mut search = Search {
            words,
            arcs: Vec::with_capacity((0..words).map(|word| arcs.candidates(word).0.len() + 3).sum()),
            heaps: vec![NONE; words + 1],
            taken: vec![NONE; words + 1],
            parents: vec![NONE; words + 1],
            shortcuts: (0..=words as u32).collect(),
        };
        for word in 0..words {
            search.add_candidates(word, arcs.candidates(word));
        }
        search.add_last_resorts();
        search.penalise_root_arcs();
        for arc in 0..search.arcs.len() as u32 {
            let word = search.arcs[arc as usize].word as usize;
            search.heaps[word] = search.merged(search.heaps[word], arc);
        }
        search
    }

    fn add_candidates(&mut self, word: usize, (heads, scores): (&[u32], &[f32])) {
        for (&head, &score) in heads.iter().zip(scores) {
            let head = head as usize;
            if head <= self.words && head != word + 1 && score.is_finite() {
                self.add(head, word, score.into());
            }
        }
    }

    /// Adds arcs from the root and from the neighbours to every word, worse than its worst candidate by more than two
    /// trees of candidates can differ: the widest range of a word's scores times the number of words.
    fn add_last_resorts(&mut self) {
        let mut ranges = vec![(f64::INFINITY, f64::NEG_INFINITY); self.words];
        for arc in &self.arcs {
            let (worst, best) = &mut ranges[arc.word as usize - 1];
            (*worst, *best) = (worst.min(arc.weight), best.max(arc.weight));
        }
        let widest = ranges.iter().map(|(worst, best)| best - worst).fold(0.0, f64::max);
        let below = (widest + 1.0) * (self.words as f64 + 1.0);
        for (word, (worst, _)) in ranges.into_iter().enumerate() {
            let weight = if worst.is_finite() { worst - below } else { 0.0 };
            self.add(0, word, weight);
            if word > 0 {
                self.add(word, word, weight);
            }
            if word + 1 < self.words {
                self.add(word + 2, word, weight);
            }
        }
    }

    fn add(&mut self, head: usize, word: usize, weight: f64) {
        let arc = Arc { head: head as u32, word: word as u32 + 1, weight, pending: 0.0, left: NONE, right: NONE };
        self.arcs.push(arc);
    }

    /// Lowers the arcs from the root by more than any two trees without them can differ.
    fn penalise_root_arcs(&mut self) {
        let weights = self.arcs.iter().map(|arc| arc.weight);
        let highest = weights.clone().fold(f64::NEG_INFINITY, f64::max);
        let lowest = weights.fold(f64::INFINITY, f64::min);
        let penalty = (highest - lowest + 1.0) * (self.words as f64 + 1.0);
        for arc in self.arcs.iter_mut().filter(|arc| arc.head == 0) {
            arc.weight -= penalty;
        }
    }

    fn run(mut self, heads: &mut [u32]) {
        let mut walk = Vec::new();
        let mut places = vec![Place::Unseen; self.words + 1];
        places[0] = Place::Settled;
        for start in 1..=self.words as u32 {
            let mut at = self.component(start);
            while places[at as usize] != Place::Settled {
                if places[at as usize] == Place::OnPath {
                    at = self.contract(&mut walk, at);
                    places.push(Place::OnPath);
                }
                places[at as usize] = Place::OnPath;
                walk.push(at);
                let arc = self.take(at);
                self.taken[at as usize] = arc;
                at = self.component(self.arcs[arc as usize].head);
            }
            walk.drain(..).for_each(|settled| places[settled as usize] = Place::Settled);
        }
        self.expand(heads);
    }

    /// The component that contains a node at this point.
    fn component(&mut self, node: u32) -> u32 {
        let mut top = node;
        while self.shortcuts[top as usize] != top {
            top = self.shortcuts[top as usize];
        }
        let mut below = node;
        while self.shortcuts[below as usize] != top {
            below = std::mem::replace(&mut self.shortcuts[below as usize], top);
        }
        top
    }

    /// Takes the best arc into a component from outside.
    fn take(&mut self, component: u32) -> u32 {
        loop {
            let best = self.heaps[component as usize];
            self.settle(best);
            let Arc { head, left, right, .. } = self.arcs[best as usize];
            self.heaps[component as usize] = self.merged(left, right);
            if self.component(head) != component {
                return best;
            }
        }
    }

    /// Contracts the cycle at the end of the walk, which closes at `first`, to one component. An arc into it from
    /// outside replaces the arc within.
    fn contract(&mut self, walk: &mut Vec<u32>, first: u32) -> u32 {
        let cycle = self.parents.len() as u32;
        let mut heap = NONE;
        while let Some(member) = walk.pop() {
            let within = self.arcs[self.taken[member as usize] as usize].weight;
            let outer = self.heaps[member as usize];
            if outer != NONE {
                self.arcs[outer as usize].weight -= within;
                self.arcs[outer as usize].pending -= within;
            }
            heap = self.merged(heap, outer);
            self.parents[member as usize] = cycle;
            self.shortcuts[member as usize] = cycle;
            if member == first {
                break;
            }
        }
        self.heaps.push(heap);
        self.taken.push(NONE);
        self.parents.push(NONE);
        self.shortcuts.push(cycle);
        cycle
    }

    /// Passes what is still to be subtracted from an arc on to the two below it.
    fn settle(&mut self, arc: u32) {
        let Arc { pending, left, right, .. } = self.arcs[arc as usize];
        for below in [left, right].into_iter().filter(|&below| below != NONE) {
            self.arcs[below as usize].weight += pending;
            self.arcs[below as usize].pending += pending;
        }
        self.arcs[arc as usize].pending = 0.0;
    }

    /// Merges two heaps (Sleator & Tarjan's skew heaps, 1986) without recursion.
    fn merged(&mut self, a: u32, b: u32) -> u32 {
        let (mut a, mut b, mut path) = (a, b, NONE);
        while a != NONE && b != NONE {
            // Ties: the first in the list of candidates.
            let (of_a, of_b) = (self.arcs[a as usize].weight, self.arcs[b as usize].weight);
            if of_b > of_a || (of_b == of_a && b < a) {
                std::mem::swap(&mut a, &mut b);
            }
            self.settle(a);
            let next = self.arcs[a as usize].right;
            self.arcs[a as usize].right = path;
            path = a;
            a = next;
        }
        let mut heap = if a == NONE { b } else { a };
        while path != NONE {
            let arc = &mut self.arcs[path as usize];
            let above = arc.right;
            arc.right = arc.left;
            arc.left = heap;
            heap = path;
            path = above;
        }
        heap
    }

    /// Expands cycles, the last first: the arc into a cycle ends at one of its members and replaces the arc
    /// that was taken there.
    fn expand(mut self, heads: &mut [u32]) {
        for cycle in (self.words as u32 + 1..self.parents.len() as u32).rev() {
            let arc = self.taken[cycle as usize];
            let mut member = self.arcs[arc as usize].word;
            while self.parents[member as usize] != cycle {
                member = self.parents[member as usize];
            }
            self.taken[member as usize] = arc;
        }
        for (head, &arc) in heads.iter_mut().zip(&self.taken[1..]) {
            *head = self.arcs[arc as usize].head;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tercet_math::random::Random;

    /// Candidates of each word by hand.
    #[derive(Clone, Debug, Default)]
    struct Made(Vec<(Vec<u32>, Vec<f32>)>);

    impl Arcs for Made {
        fn candidates(&self, word: usize) -> (&[u32], &[f32]) {
            (&self.0[word].0, &self.0[word].1)
        }
    }

    impl Made {
        /// Every place but the word's own, by a table of scores.
        fn all(scores: &[Vec<f32>]) -> Self {
            let one = |(word, scores): (usize, &Vec<f32>)| {
                let heads = (0..scores.len() as u32).filter(|&head| head as usize != word + 1);
                heads.map(|head| (head, scores[head as usize])).unzip()
            };
            Made(scores.iter().enumerate().map(one).collect())
        }

        /// The tree, from every word's best head.
        fn tree(&self) -> Vec<u32> {
            let best = |(heads, scores): &(Vec<u32>, Vec<f32>)| {
                let best = (0..heads.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)));
                best.map_or(0, |best| heads[best])
            };
            let mut heads: Vec<u32> = self.0.iter().map(best).collect();
            make_tree(self, &mut heads);
            check(&heads);
            heads
        }

        fn total(&self, heads: &[u32]) -> Option<f64> {
            let score = |(word, head): (usize, &u32)| {
                let (heads, scores) = self.candidates(word);
                heads.iter().position(|known| known == head).map(|at| f64::from(scores[at]))
            };
            heads.iter().enumerate().map(score).sum()
        }

        /// The best of all trees whose arcs are candidates.
        fn by_enumeration(&self) -> Option<f64> {
            let words = self.0.len();
            let trees = (0..(words + 1).pow(words as u32)).filter_map(|code| {
                let heads: Vec<u32> =
                    (0..words).map(|place| (code / (words + 1).pow(place as u32) % (words + 1)) as u32).collect();
                mistake(&heads).is_none().then(|| self.total(&heads)).flatten()
            });
            trees.max_by(f64::total_cmp)
        }
    }

    fn check(heads: &[u32]) {
        assert_eq!(mistake(heads), None, "{heads:?}");
    }

    #[test]
    fn no_tree_of_up_to_five_words_is_better() {
        let mut random = Random::stream(1, "trees", 0);
        let mut searched = 0;
        for round in 0..600 {
            let words = 1 + round % 5;
            let mut score = || if round % 3 == 0 { random.below(3) as f32 } else { random.uniform(-30.0, 30.0) };
            let scores: Vec<Vec<f32>> = (0..words).map(|_| (0..=words).map(|_| score()).collect()).collect();
            let mut arcs = Made::all(&scores);
            for (heads, scores) in arcs.0.iter_mut().filter(|_| round % 2 == 0) {
                let kept = heads.iter().zip(&*scores).filter(|_| random.bernoulli(0.7));
                (*heads, *scores) = kept.map(|(&head, &score)| (head, score)).unzip();
            }
            let found = arcs.tree();
            if let Some(best) = arcs.by_enumeration() {
                let ours = arcs.total(&found).unwrap_or(f64::NEG_INFINITY);
                assert!((ours - best).abs() < 1e-6, "{arcs:?}: {found:?} has {ours}, best {best}");
                searched += 1;
            }
        }
        assert!(searched > 400, "{searched}");
    }

    #[test]
    fn there_is_one_root_even_if_all_words_prefer_the_root() {
        let scores: Vec<Vec<f32>> = (0..4).map(|word| vec![9.0 + word as f32, 0.0, 0.0, 0.0, 0.0]).collect();
        assert_eq!(Made::all(&scores).tree()[3], 0);
    }

    #[test]
    fn nested_cycles_are_expanded() {
        // 1 and 2 want each other, so do 3 and 4, and so do the two pairs.
        let mut scores = vec![vec![-5.0; 5]; 4];
        for (word, head, score) in
            [(0, 2, 10.0), (1, 1, 10.0), (2, 4, 10.0), (3, 3, 10.0), (0, 3, 8.0), (2, 1, 8.5), (3, 0, -2.0)]
        {
            scores[word][head] = score;
        }
        assert_eq!(Made::all(&scores).tree(), [3, 1, 4, 0]);
    }

    #[test]
    fn bad_candidates_are_preferred_to_arcs_that_are_no_candidates() {
        // 2 and 3 want each other; the one way out among candidates is dear.
        let arcs = Made(vec![(vec![0], vec![0.0]), (vec![3], vec![0.0]), (vec![2, 1], vec![0.0, -1500.0])]);
        assert_eq!(arcs.tree(), [0, 3, 1]);
    }

    #[test]
    fn without_candidates_there_is_still_a_tree() {
        assert_eq!(Made::default().tree(), Vec::<u32>::new());
        for words in [1, 2, 3, 7] {
            Made(vec![Default::default(); words]).tree();
        }
        // Scores that are no numbers, heads that are not there, the word itself.
        let mut heads = [2, 1];
        make_tree(&Made(vec![(vec![2], vec![f32::NAN]), (vec![9, 2], vec![1.0, 1.0])]), &mut heads);
        check(&heads);
        let mut heads = [7];
        make_tree(&Made(vec![(vec![7], vec![1.0])]), &mut heads);
        assert_eq!(heads, [0]);
    }

    #[test]
    fn long_cycles_are_handled() {
        let words = 5000;
        let next = |word: u32| (vec![(word + 1) % words + 1], vec![5.0]);
        Made((0..words).map(next).collect()).tree();
        let mut random = Random::stream(2, "trees", 0);
        let any = |_| (0..32).map(|_| (random.below(u64::from(words) + 1) as u32, random.unit())).unzip();
        let arcs = Made((0..words).map(any).collect());
        assert!(arcs.total(&arcs.tree()).unwrap_or_default() > 0.9 * f64::from(words) * 32.0 / 33.0);
    }
}
