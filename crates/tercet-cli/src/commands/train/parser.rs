//! Training of kind `dependency`: from treebanks to a parser.

use super::teller::Teller;
use super::{Outcome, summary_lines};
use crate::output;
use std::time::{Duration, Instant};
use tercet::parse::dependency::training::{Places, Progress, Recipe, Stage, Watch, train};

/// Losses are shown as a mean that forgets: this share of it is the newest.
const NEWEST: f64 = 0.02;

/// Trains a dependency parser.
pub fn run(recipe: &Recipe, outcome: &Outcome<'_>) -> anyhow::Result<()> {
    let places = Places { model: outcome.model.to_owned(), resume: outcome.resume };
    let mut teller = Teller::new(outcome.quiet);
    if recipe.data.development.is_empty() {
        teller.warn("no [data] development: nobody will know how good the parser is");
    }
    let mut watcher = Watcher::new(teller, Duration::from_secs_f64(recipe.training.checkpoint));
    let parser = train(recipe, &places, &mut watcher);
    watcher.teller.end();
    let parser = parser?;
    output::print(&summary_lines(&places.model, parser.hash(), parser.about(), &[]))
}

/// Tells of stages and steps; and the clock of checkpoints.
struct Watcher {
    teller: Teller,
    pause: Duration,
    kept: Instant,
    began: Instant,
    words: usize,
    loss: Option<f64>,
    /// The last scores.
    scores: String,
}

impl Watcher {
    fn new(teller: Teller, pause: Duration) -> Self {
        let now = Instant::now();
        Watcher { teller, pause, kept: now, began: now, words: 0, loss: None, scores: String::new() }
    }

    /// Training begins, of a network that nothing is known of.
    fn start_training(&mut self, teacher: bool, steps: usize) {
        let line = if teacher { "training the teacher" } else { "training the model" };
        self.teller.count(line, steps, "steps");
        (self.began, self.words, self.loss) = (Instant::now(), 0, None);
        self.scores.clear();
    }
}

impl Watch for Watcher {
    fn stage(&mut self, stage: &Stage) {
        match stage {
            Stage::Reading(name) => self.teller.say(&format!("reading {name}")),
            Stage::Scoring => self.teller.say("scoring"),
            Stage::KnownTeacher(path) => self.teller.say(&format!("the teacher is {}", path.display())),
            Stage::Labelling(sentences) => self.teller.count("labelling", *sentences, "sentences"),
            Stage::Labelled(sentences) => self.teller.add(*sentences as u64),
            Stage::Training { teacher, steps } => self.start_training(*teacher, *steps),
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.words += progress.words;
        let loss = self.loss.map_or(progress.loss, |loss| loss + NEWEST * (progress.loss - loss));
        self.loss = Some(loss);
        let speed = self.words as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        if let Some(scores) = progress.development {
            self.scores = format!("  dev LAS {:.2}", 100.0 * scores.las.f1());
        }
        let message = format!("loss {loss:.3}  {speed:.0} words/s{}", self.scores);
        self.teller.reach(progress.step, &message, progress.development.is_some());
    }

    fn keeps_now(&mut self) -> bool {
        let due = self.kept.elapsed() >= self.pause;
        if due {
            self.kept = Instant::now();
        }
        due
    }
}
