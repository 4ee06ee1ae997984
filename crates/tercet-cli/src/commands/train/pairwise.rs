//! `tercet train pairwise`: from judgements to a model.

use super::{check_places, checkpoint_of, saying, summary_lines};
use crate::args::TrainPairwiseArgs;
use crate::output;
use crate::work::{progress_bar, start_threads};
use indicatif::ProgressBar;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tercet::metrics::pairwise::{PairwiseModel, Progress, Recipe, Stage, TrainingState, Watch, train};

/// Trains a pairwise network.
pub fn run(args: &TrainPairwiseArgs) -> anyhow::Result<()> {
    start_threads(args.work.threads)?;
    let mut recipe = Recipe::read(&args.recipe)?;
    recipe.training.seed = args.seed.unwrap_or(recipe.training.seed);
    recipe.training.epochs = args.epochs.map_or(recipe.training.epochs, |epochs| epochs as usize);
    let place = args.output.clone().unwrap_or_else(|| recipe.beside(&recipe.model.file));
    let checkpoint = checkpoint_of(&place);
    check_places(&args.recipe, args.resume, &place, &checkpoint)?;
    if recipe.data.development.is_empty() && !args.work.quiet {
        output::warn("no [data] development: the last epoch will be kept, whatever it is worth");
    }
    let bars = Bars {
        quiet: args.work.quiet,
        current: Mutex::new(ProgressBar::hidden()),
        epochs: recipe.training.epochs,
    };
    let pause = Duration::from_secs_f64(recipe.training.checkpoint);
    let mut watch = Keeper { bars: &bars, checkpoint: &checkpoint, pause, kept: Instant::now() };
    let resume = args.resume.then_some(checkpoint.as_path());
    let model = train(&recipe, &|stage| bars.stage(&stage), &mut watch, resume);
    bars.clear();
    let mut model = model?;
    model.write(&place)?;
    let _ = fs::remove_file(&checkpoint); // the model is there: nothing is left to go on with
    output::print(&summary(&model, &place))
}

/// One bar for each stage, on a terminal.
struct Bars {
    quiet: bool,
    current: Mutex<ProgressBar>,
    epochs: usize,
}

impl Bars {
    fn with<T>(&self, act: impl FnOnce(&mut ProgressBar) -> T) -> T {
        act(&mut self.current.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn start(&self, bar: ProgressBar) {
        self.with(|current| {
            current.finish_and_clear();
            *current = bar;
        });
    }

    fn clear(&self) {
        self.with(|current| current.finish_and_clear());
    }

    fn stage(&self, stage: &Stage) {
        match stage {
            Stage::Reading(path) => self.say(format!("reading {}", path.display())),
            Stage::Encoding(encoder) => self.say(format!("encoding with {encoder}")),
            Stage::Measured(count) => self.with(|current| current.inc(*count as u64)),
            Stage::Measuring { feature, set, translations } => {
                let bar = progress_bar(*translations, "translations", self.quiet);
                bar.set_message(format!("{feature} of {set} "));
                self.start(bar);
            }
            Stage::Training { .. } => {
                let bar = progress_bar(self.epochs, "epochs", self.quiet);
                self.start(bar);
            }
        }
    }

    /// A line without a count.
    fn say(&self, message: String) {
        self.start(saying(message, self.quiet));
    }
}

/// Shows epochs and keeps checkpoints.
struct Keeper<'a> {
    bars: &'a Bars,
    checkpoint: &'a Path,
    pause: Duration,
    kept: Instant,
}

impl Watch for Keeper<'_> {
    fn progress(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        let tau = progress.development.map_or(String::new(), |tau| {
            let best = progress.best.value.unwrap_or(tau);
            format!("dev τ {tau:.4}, best {best:.4} in epoch {}  ", progress.best.epoch)
        });
        self.bars.with(|bar| {
            bar.set_message(format!("loss {:.4}  {tau}", progress.loss));
            bar.set_position(progress.epoch as u64);
        });
        ControlFlow::Continue(())
    }

    fn checkpoint(&mut self, state: &TrainingState) -> tercet::Result<()> {
        if self.kept.elapsed() >= self.pause {
            state.save(self.checkpoint)?;
            self.kept = Instant::now();
        }
        Ok(())
    }
}

/// What there is to know of the model.
fn summary(model: &PairwiseModel, place: &Path) -> String {
    let asymmetry = ("asymmetry".to_owned(), format!("{:.4}", model.fitted().asymmetry()));
    summary_lines(place, model.hash(), model.about(), &[asymmetry])
}
