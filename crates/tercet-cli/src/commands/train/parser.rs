//! `tercet train parser`: from treebanks to a parser.

use super::{check_places, constituency, saying, summary_lines};
use crate::args::TrainParserArgs;
use crate::output;
use crate::work::{progress_bar, start_threads};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::{Duration, Instant};
use tercet::parse::ParserKind;
use tercet::parse::dependency::training::{Places, Progress, Recipe, Stage, Watch, train};

/// Losses are shown as a mean that forgets: this share of it is the newest.
const NEWEST: f64 = 0.02;

/// Trains a parser of the kind that the recipe names.
pub fn run(args: &TrainParserArgs) -> anyhow::Result<()> {
    start_threads(args.work.threads)?;
    match ParserKind::of_recipe(&args.recipe)? {
        ParserKind::Dependency => run_dependency(args),
        ParserKind::Constituency => constituency::run(args),
    }
}

fn run_dependency(args: &TrainParserArgs) -> anyhow::Result<()> {
    let mut recipe = Recipe::read(&args.recipe, args.data.as_deref())?;
    recipe.training.seed = args.seed.unwrap_or(recipe.training.seed);
    recipe.training.steps = args.steps.map_or(recipe.training.steps, |steps| steps as usize);
    let beside = args.recipe.parent().unwrap_or(Path::new("")).join(&recipe.model.file);
    let places = Places { model: args.output.clone().unwrap_or(beside), resume: args.resume };
    check_places(&args.recipe, args.resume, &places.model, &places.checkpoint())?;
    if recipe.data.development.is_empty() && !args.work.quiet {
        output::warn("no [data] development: nobody will know how good the parser is");
    }
    let pause = Duration::from_secs_f64(recipe.training.checkpoint);
    let mut bars = Bars::new(args.work.quiet, pause);
    let parser = train(&recipe, &places, &mut bars);
    bars.current.finish_and_clear();
    let parser = parser?;
    output::print(&summary_lines(&places.model, parser.hash(), parser.about(), &[]))
}

/// One bar for each stage, on a terminal; and the clock of checkpoints.
struct Bars {
    quiet: bool,
    current: ProgressBar,
    pause: Duration,
    kept: Instant,
    began: Instant,
    words: usize,
    loss: Option<f64>,
}

impl Bars {
    fn new(quiet: bool, pause: Duration) -> Self {
        let now = Instant::now();
        let current = ProgressBar::hidden();
        Bars { quiet, current, pause, kept: now, began: now, words: 0, loss: None }
    }

    fn start(&mut self, bar: ProgressBar) {
        self.current.finish_and_clear();
        self.current = bar;
    }

    /// Training begins: a bar of steps, with what is known of them on a line of its own.
    fn start_training(&mut self, teacher: bool, steps: usize) {
        let bar = progress_bar(steps, "steps", self.quiet);
        let style = ProgressStyle::with_template("{prefix}{wide_bar} {pos}/{len} steps {eta}  {msg}");
        bar.set_style(style.expect("a fixed template"));
        bar.set_prefix(if teacher { "teacher " } else { "" });
        self.start(bar);
        (self.began, self.words, self.loss) = (Instant::now(), 0, None);
    }
}

impl Watch for Bars {
    fn stage(&mut self, stage: &Stage) {
        match stage {
            Stage::Reading(name) => self.start(saying(format!("reading {name}"), self.quiet)),
            Stage::Scoring => self.start(saying("scoring".to_owned(), self.quiet)),
            Stage::KnownTeacher(path) => {
                self.start(saying(format!("the teacher is {}", path.display()), self.quiet));
            }
            Stage::Labelling(sentences) => {
                self.start(progress_bar(*sentences, "sentences labelled", self.quiet));
            }
            Stage::Labelled(sentences) => self.current.inc(*sentences as u64),
            Stage::Training { teacher, steps } => self.start_training(*teacher, *steps),
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.words += progress.words;
        let loss = self.loss.map_or(progress.loss, |loss| loss + NEWEST * (progress.loss - loss));
        self.loss = Some(loss);
        let speed = self.words as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        let scores = progress
            .development
            .map_or(String::new(), |scores| format!("  dev LAS {:.2}", 100.0 * scores.las.f1()));
        self.current.set_message(format!("loss {loss:.3}  {speed:.0} words/s{scores}"));
        self.current.set_position(progress.step);
    }

    fn keeps_now(&mut self) -> bool {
        let due = self.kept.elapsed() >= self.pause;
        if due {
            self.kept = Instant::now();
        }
        due
    }
}
