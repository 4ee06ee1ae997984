//! METEOR's beam search for the best alignment, with exactly its results.
//!
//! The reference is read from left to right. At each word a path takes one of the matches that start there, or none; the
//! best `beam` paths go on, ordered by (1) more matched words, hypothesis and reference added up, a match that is not
//! exact counting half; (2) fewer chunks; (3) smaller distance; and then by order of creation: parents by rank,
//! their children in the order of the list, the child without a match last.
//!
//! Three details are unexpected, but alignments differ without them:
//! - METEOR adds the halves to integers, so they are cut off each time: one word matched by its stem counts nothing, two
//!   words of a paraphrase one, three words one.
//! - The distance |reference − hypothesis| of a match tried goes to the parent, not to the child: a child carries the
//!   distances of its earlier siblings, and the path without a match those of all.
//! - Unambiguous matches ([`Matches::definite`]) are set before the search and add their own distance.
//!
//! Since words of definite matches are in no other match, and a path never goes back in the reference, only words of the
//! hypothesis can be taken twice. A path remembers those that some undecided match covers.

use super::matches::{Match, Matches};
use super::parameters::Module;
use super::taken_words::TakenWords;

/// No open chunk, no match, or no parent.
const NONE: u32 = u32::MAX;

/// Chunks, and from bit 32 on minus the matched words: smaller is better.
type Rank = i64;
const WORD: Rank = 1 << 32;

/// A partial alignment.
#[derive(Clone, Debug)]
struct Path<U> {
    rank: Rank,
    distance: i64,
    /// The first word of the hypothesis after the last match, while its chunk is open.
    chunk_end: u32,
    /// The first word of the reference that is not decided.
    next: u32,
    /// The index of the last match taken.
    last: u32,
    taken_words: U,
}

impl<U> Path<U> {
    fn key(&self) -> (Rank, i64) {
        (self.rank, self.distance)
    }

    fn close_chunk(&mut self) {
        if self.chunk_end != NONE {
            self.rank += 1;
            self.chunk_end = NONE;
        }
    }

    /// Leaves a word of the reference without a match, unless one already covers it.
    fn skip(&mut self, place: usize) {
        if self.next as usize <= place {
            self.close_chunk();
            self.next = place as u32 + 1;
        }
    }

    fn take_definite(&mut self, place: usize, found: &Match, rules: &Rules<'_>) {
        let breaks = self.chunk_end != NONE && self.chunk_end != found.hypothesis;
        self.rank += Rank::from(breaks) - WORD * rules.gain(found);
        self.chunk_end = found.hypothesis + found.hypothesis_len;
        self.next = place as u32 + found.reference_len;
        self.distance += distance(place, found);
    }
}

/// A possible extension of a path.
#[derive(Clone, Copy, Debug)]
struct Step {
    rank: Rank,
    distance: i64,
    parent: u32,
    /// The match taken.
    taken: u32,
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
    trail: Vec<Taken>,
    definite: Vec<u32>,
    /// By word of the hypothesis: its number among the undecided ones.
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
    /// The best alignment: for each word of the reference where a match starts, that place and the match.
    pub(super) fn best(&mut self, matches: &Matches, rules: &Rules<'_>, best: &mut Vec<(u32, Match)>) {
        best.clear();
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
        paths.now.clear();
        let nothing =
            Path { rank: 0, distance: 0, chunk_end: NONE, next: 0, last: NONE, taken_words: U::default() };
        paths.now.push(nothing);
        for place in 0..matches.len() {
            let definite = self.definite[place];
            if definite != NONE {
                let found = matches.get(definite);
                paths.now.iter_mut().for_each(|path| path.take_definite(place, found, rules));
                paths.sort();
            } else if matches.count_at(place) == 0 {
                paths.now.iter_mut().for_each(|path| path.skip(place));
                paths.sort();
            } else {
                self.try_all(place, matches, rules, paths);
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
    fn try_all<U: TakenWords>(
        &mut self,
        place: usize,
        matches: &Matches,
        rules: &Rules<'_>,
        paths: &mut Paths<U>,
    ) {
        self.steps.clear();
        let most = (8 * rules.beam).max(256);
        let mut worst = (Rank::MAX, i64::MAX);
        for (parent, path) in paths.now.iter_mut().enumerate() {
            let parent = parent as u32;
            let mut consider = |rank, distance, taken| {
                if (rank, distance) >= worst {
                    return; // behind `beam` others already, and later than they
                }
                self.steps.push(Step { rank, distance, parent, taken });
                if self.steps.len() >= most {
                    keep_best(&mut self.steps, rules.beam);
                    worst = self.steps[rules.beam - 1].key();
                }
            };
            if path.next as usize > place {
                consider(path.rank, path.distance, NONE); // inside of a match
                continue;
            }
            for index in matches.at(place) {
                let found = matches.get(index);
                if path.taken_words.overlaps(self.numbers[found.hypothesis as usize], found.hypothesis_len) {
                    continue;
                }
                let breaks = path.chunk_end != NONE && path.chunk_end != found.hypothesis;
                let rank = path.rank + Rank::from(breaks) - WORD * rules.gain(found);
                consider(rank, path.distance, index);
                path.distance += distance(place, found);
            }
            path.skip(place);
            consider(path.rank, path.distance, NONE);
        }
        keep_best(&mut self.steps, rules.beam);
        paths.then.clear();
        for i in 0..self.steps.len() {
            let step = self.steps[i];
            let path = self.make(&paths.now[step.parent as usize], step, place, matches);
            paths.then.push(path);
        }
        std::mem::swap(&mut paths.now, &mut paths.then);
    }

    /// The path that a step leads to.
    fn make<U: TakenWords>(
        &mut self,
        parent: &Path<U>,
        step: Step,
        place: usize,
        matches: &Matches,
    ) -> Path<U> {
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
            taken_words: parent
                .taken_words
                .with(self.numbers[found.hypothesis as usize], found.hypothesis_len),
        }
    }
}

fn keep_best(steps: &mut Vec<Step>, beam: usize) {
    steps.sort_by_key(Step::key);
    steps.truncate(beam);
}

fn distance(place: usize, found: &Match) -> i64 {
    (place as i64 - i64::from(found.hypothesis)).abs()
}
