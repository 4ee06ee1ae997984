//! METEOR's beam search for the best alignment, with exactly its results.
//!
//! The reference is read from left to right. At each word a path takes one of the matches that start there, or none;
//! the best `beam` paths go on, ordered by (1) more matched words, hypothesis and reference added up, a match that is
//! not exact counting half; (2) fewer chunks; (3) smaller distance; and then by order of creation: parents by rank,
//! their children in the order of the list, the child without a match last.
//!
//! Three details are unexpected, but alignments differ without them:
//! - METEOR adds the halves to integers, so they are cut off each time: one word matched by its stem counts nothing,
//!   two words of a paraphrase one, three words one.
//! - The distance |reference − hypothesis| of a match tried goes to the parent, not to the child: a child carries the
//!   distances of its earlier siblings, and the path without a match those of all.
//! - Unambiguous matches ([`Matches::definite`]) are set before the search and add their own distance.
//!
//! Lists of hundreds of matches, as a line that repeats a word has, are read 64 at a time (`runs.rs`), with the same
//! result. After [`Search::MAX_STEPS`] steps and as many more as words of both lines times [`Search::STEPS_PER_WORD`],
//! only the best path goes on, with the best match of each place (`greedy.rs`): the alignment may then be worse than
//! METEOR's, and [`Search::is_complete`] says so.
//!
//! Since words of definite matches are in no other match, and a path never goes back in the reference, only words of
//! the hypothesis can be taken twice. A path remembers those that some undecided match covers.

use super::greedy::Cursors;
use super::matches::{Match, Matches};
use super::parameters::Module;
use super::runs::Run;
use super::taken_words::TakenWords;
use tercet_base::stop;

/// No open chunk, no match, or no parent.
pub(super) const NONE: u32 = u32::MAX;

/// Chunks, and from bit 32 on minus the matched words: smaller is better.
pub(super) type Rank = i64;
const WORD: Rank = 1 << 32;

/// A partial alignment.
#[derive(Clone, Debug)]
pub(super) struct Path<U> {
    pub(super) rank: Rank,
    distance: i64,
    /// The first word of the hypothesis after the last match, while its chunk is open.
    pub(super) chunk_end: u32,
    /// The first word of the reference that is not decided.
    pub(super) next: u32,
    /// The index of the last match taken.
    last: u32,
    pub(super) taken_words: U,
}

impl<U> Path<U> {
    fn key(&self) -> (Rank, i64) {
        (self.rank, self.distance)
    }

    /// The rank after a match.
    pub(super) fn rank_with(&self, found: &Match, rules: &Rules<'_>) -> Rank {
        let breaks = self.chunk_end != NONE && self.chunk_end != found.hypothesis;
        self.rank + Rank::from(breaks) - WORD * rules.gain(found)
    }

    fn close_chunk(&mut self) {
        if self.chunk_end != NONE {
            self.rank += 1;
            self.chunk_end = NONE;
        }
    }

    /// Leaves a word of the reference without a match, unless one already covers it.
    pub(super) fn skip(&mut self, place: usize) {
        if self.next as usize <= place {
            self.close_chunk();
            self.next = place as u32 + 1;
        }
    }

    fn take_definite(&mut self, place: usize, found: &Match, rules: &Rules<'_>) {
        self.rank = self.rank_with(found, rules);
        self.chunk_end = found.hypothesis + found.hypothesis_len;
        self.next = place as u32 + found.reference_len;
        self.distance += distance(place, found);
    }
}

/// A possible extension of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) rank: Rank,
    pub(super) distance: i64,
    pub(super) parent: u32,
    /// The match taken.
    pub(super) taken: u32,
}

impl Step {
    fn key(&self) -> (Rank, i64) {
        (self.rank, self.distance)
    }
}

/// A match taken, and the one before it on the path.
#[derive(Clone, Copy, Debug)]
struct Taken {
    before: u32,
    place: u32,
    index: u32,
}

/// The search, and what it reuses from sentence to sentence.
#[derive(Default)]
pub(super) struct Search {
    steps: Vec<Step>,
    /// Matches, or blocks of them, that may still be tried.
    steps_left: u64,
    cursors: Cursors,
    trail: Vec<Taken>,
    definite: Vec<u32>,
    /// By word of the hypothesis: its number among the undecided ones if there are at most 64, else among all.
    numbers: Vec<u32>,
    short: Paths<u64>,
    long: Paths<Vec<u64>>,
}

#[derive(Default)]
struct Paths<U> {
    now: Vec<Path<U>>,
    then: Vec<Path<U>>,
}

impl<U> Paths<U> {
    /// Best first; equals stay in their order.
    fn sort(&mut self) {
        self.now.sort_by_key(Path::key);
    }
}

/// Parameters of the search.
pub(super) struct Rules<'a> {
    pub(super) modules: &'a [Module],
    pub(super) beam: usize,
    /// The limit of steps, in place of the usual one.
    pub(super) most_steps: Option<u64>,
}

impl Rules<'_> {
    /// Matched words, of both sides, that a match adds, as METEOR's integers count them.
    fn gain(&self, found: &Match) -> Rank {
        let (hypothesis, reference) = (Rank::from(found.hypothesis_len), Rank::from(found.reference_len));
        match self.modules[usize::from(found.stage)] {
            Module::Exact => hypothesis + reference,
            _ => hypothesis / 2 + reference / 2,
        }
    }
}

impl Search {
    /// Steps of any pair of lines: half a second.
    const MAX_STEPS: u64 = 1 << 28;
    /// Further steps for each word of both lines: some microseconds.
    const STEPS_PER_WORD: u64 = 1 << 12;

    /// Whether the last search ended before the limit of steps.
    pub(super) fn is_complete(&self) -> bool {
        self.steps_left > 0
    }

    /// The best alignment: for each word of the reference where a match starts, that place and the match.
    pub(super) fn best(&mut self, matches: &Matches, rules: &Rules<'_>, best: &mut Vec<(u32, Match)>) {
        best.clear();
        let words = matches.len() + matches.hypothesis_coverage().len();
        self.steps_left = rules.most_steps.unwrap_or(Self::MAX_STEPS + Self::STEPS_PER_WORD * words as u64);
        let undecided = self.decide(matches, best);
        if undecided <= 64 {
            let mut paths = std::mem::take(&mut self.short);
            self.resolve(matches, rules, &mut paths, best);
            self.short = paths;
        } else {
            let mut paths = std::mem::take(&mut self.long);
            self.resolve(matches, rules, &mut paths, best);
            self.long = paths;
        }
        best.sort_unstable_by_key(|(place, _)| *place);
    }

    /// Sets unambiguous matches and numbers the other words of the hypothesis; returns how many these are.
    fn decide(&mut self, matches: &Matches, best: &mut Vec<(u32, Match)>) -> u32 {
        self.numbers.clear();
        self.numbers.extend(matches.hypothesis_coverage().iter().map(|&coverage| u32::from(coverage > 0)));
        self.definite.clear();
        for place in 0..matches.len() {
            let definite = matches.definite(place);
            self.definite.push(definite.unwrap_or(NONE));
            if let Some(index) = definite {
                let found = *matches.get(index);
                best.push((place as u32, found));
                self.numbers[found.hypothesis_range()].fill(0);
            }
        }
        let mut undecided = 0;
        for number in &mut self.numbers {
            let counts = *number;
            *number = undecided;
            undecided += counts;
        }
        if undecided > 64 {
            self.numbers.iter_mut().zip(0..).for_each(|(number, word)| *number = word);
        }
        undecided
    }

    fn resolve<U: TakenWords>(
        &mut self,
        matches: &Matches,
        rules: &Rules<'_>,
        paths: &mut Paths<U>,
        best: &mut Vec<(u32, Match)>,
    ) {
        self.trail.clear();
        self.cursors.clear();
        paths.now.clear();
        let nothing = Path { rank: 0, distance: 0, chunk_end: NONE, next: 0, last: NONE, taken_words: U::default() };
        paths.now.push(nothing);
        for place in 0..matches.len() {
            stop::steps(8 * paths.now.len());
            let definite = self.definite[place];
            if definite != NONE {
                let found = matches.get(definite);
                paths.now.iter_mut().for_each(|path| path.take_definite(place, found, rules));
                paths.sort();
            } else if matches.count_at(place) == 0 {
                paths.now.iter_mut().for_each(|path| path.skip(place));
                paths.sort();
            } else if self.steps_left > 0 {
                self.try_all(place, matches, rules, paths);
            } else {
                self.try_best(place, matches, rules, paths);
            }
        }
        for path in &mut paths.now {
            path.close_chunk();
        }
        // The first of the best: `min_by_key` keeps the earlier of equals.
        let mut last = paths.now.iter().min_by_key(|path| path.key()).map_or(NONE, |path| path.last);
        while last != NONE {
            let taken = self.trail[last as usize];
            best.push((taken.place, *matches.get(taken.index)));
            last = taken.before;
        }
    }

    /// Every path with every match that starts here, and with none.
    fn try_all<U: TakenWords>(&mut self, place: usize, matches: &Matches, rules: &Rules<'_>, paths: &mut Paths<U>) {
        let mut steps = BestSteps::new(std::mem::take(&mut self.steps), rules.beam);
        for (parent, path) in paths.now.iter_mut().enumerate() {
            steps.parent = parent as u32;
            if path.next as usize > place {
                steps.consider(path.rank, path.distance, NONE); // inside of a match
                continue;
            }
            let mut tried = path.taken_words.blocks();
            match matches.runs_at(place) {
                None => {
                    tried += matches.count_at(place);
                    self.try_each(place, matches.at(place), matches, rules, path, &mut steps);
                }
                Some([before, after]) => {
                    tried += try_runs(place, before, matches, rules, path, &mut steps);
                    tried += matches.phrases_at(place).len();
                    self.try_each(place, matches.phrases_at(place), matches, rules, path, &mut steps);
                    tried += try_runs(place, after, matches, rules, path, &mut steps);
                }
            }
            stop::steps(tried);
            self.steps_left = self.steps_left.saturating_sub(tried as u64);
            path.skip(place);
            steps.consider(path.rank, path.distance, NONE);
        }
        self.steps = steps.finish();
        self.make_all(place, matches, paths);
    }

    /// A path with each of these matches.
    fn try_each<U: TakenWords>(
        &self,
        place: usize,
        indices: impl Iterator<Item = u32>,
        matches: &Matches,
        rules: &Rules<'_>,
        path: &mut Path<U>,
        steps: &mut BestSteps,
    ) {
        for index in indices {
            let found = matches.get(index);
            if path.taken_words.overlaps(self.numbers[found.hypothesis as usize], found.hypothesis_len) {
                continue;
            }
            steps.consider(path.rank_with(found, rules), path.distance, index);
            path.distance += distance(place, found);
        }
    }

    /// After the limit of steps: the best path with the best match that starts here.
    fn try_best<U: TakenWords>(&mut self, place: usize, matches: &Matches, rules: &Rules<'_>, paths: &mut Paths<U>) {
        paths.now.truncate(1);
        let path = &mut paths.now[0];
        if path.next as usize > place {
            return;
        }
        stop::steps(matches.count_at(place));
        let taken = self.cursors.best_match(place, matches, rules, path, &self.numbers);
        let Some(taken) = taken else { return path.skip(place) };
        let rank = path.rank_with(matches.get(taken), rules);
        self.steps.clear();
        self.steps.push(Step { rank, distance: path.distance, parent: 0, taken });
        self.make_all(place, matches, paths);
    }

    /// The paths that the kept steps lead to.
    fn make_all<U: TakenWords>(&mut self, place: usize, matches: &Matches, paths: &mut Paths<U>) {
        paths.then.clear();
        for i in 0..self.steps.len() {
            let step = self.steps[i];
            let path = self.make(&paths.now[step.parent as usize], step, place, matches);
            paths.then.push(path);
        }
        std::mem::swap(&mut paths.now, &mut paths.then);
    }

    /// The path that a step leads to.
    fn make<U: TakenWords>(&mut self, parent: &Path<U>, step: Step, place: usize, matches: &Matches) -> Path<U> {
        let Step { rank, distance, taken, .. } = step;
        if taken == NONE {
            return Path { rank, distance, ..parent.clone() };
        }
        let found = matches.get(taken);
        self.trail.push(Taken { before: parent.last, place: place as u32, index: taken });
        Path {
            rank,
            distance,
            chunk_end: found.hypothesis + found.hypothesis_len,
            next: place as u32 + found.reference_len,
            last: self.trail.len() as u32 - 1,
            taken_words: parent.taken_words.with(self.numbers[found.hypothesis as usize], found.hypothesis_len),
        }
    }
}

/// The best `beam` steps of those considered, in order.
struct BestSteps {
    steps: Vec<Step>,
    beam: usize,
    /// The number of steps at which all but the best are removed.
    most: usize,
    worst: (Rank, i64),
    parent: u32,
}

impl BestSteps {
    fn new(mut steps: Vec<Step>, beam: usize) -> Self {
        steps.clear();
        BestSteps { steps, beam, most: (8 * beam).max(256), worst: (Rank::MAX, i64::MAX), parent: 0 }
    }

    fn consider(&mut self, rank: Rank, distance: i64, taken: u32) {
        if (rank, distance) >= self.worst {
            return; // behind `beam` others already, and later than they
        }
        self.steps.push(Step { rank, distance, parent: self.parent, taken });
        if self.steps.len() >= self.most {
            self.keep_best();
            self.worst = self.steps[self.beam - 1].key();
        }
    }

    fn keep_best(&mut self) {
        self.steps.sort_by_key(Step::key);
        self.steps.truncate(self.beam);
    }

    fn finish(mut self) -> Vec<Step> {
        self.keep_best();
        self.steps
    }
}

/// A path with each match of long runs that can be among the best; returns how many blocks and matches were looked at.
fn try_runs<U: TakenWords>(
    place: usize,
    runs: &[Run],
    matches: &Matches,
    rules: &Rules<'_>,
    path: &mut Path<U>,
    steps: &mut BestSteps,
) -> usize {
    let mut tried = 0;
    for run in runs {
        let mut free_before = 0;
        for block in matches.runs().blocks(run) {
            let free = block.bits & !path.taken_words.block(block.number);
            tried += 1;
            // With `beam` better ones before it, a match counts only if it continues the chunk.
            let is_special = [place as u32, path.chunk_end].iter().any(|word| word / 64 == block.number);
            if free == block.bits && free_before >= rules.beam && !is_special {
                path.distance += block.distance(place);
                continue;
            }
            let mut left = free;
            while left != 0 {
                let bit = left & left.wrapping_neg();
                left ^= bit;
                let index = block.first + (block.bits & (bit - 1)).count_ones();
                let found = matches.get(index);
                if free_before < rules.beam || found.hypothesis == path.chunk_end {
                    steps.consider(path.rank_with(found, rules), path.distance, index);
                }
                path.distance += distance(place, found);
                free_before += 1;
                tried += 1;
            }
        }
    }
    tried
}

fn distance(place: usize, found: &Match) -> i64 {
    (place as i64 - i64::from(found.hypothesis)).abs()
}
