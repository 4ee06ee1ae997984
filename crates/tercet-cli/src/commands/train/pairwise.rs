//! Training of kind `pairwise`: from judgements to a model.

use super::teller::Teller;
use super::{Outcome, summary_lines};
use crate::output;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tercet::metrics::pairwise::{PairwiseModel, Progress, Recipe, Stage, TrainingState, Watch, train};

/// Trains a pairwise network.
pub fn run(recipe: &Recipe, outcome: &Outcome<'_>) -> anyhow::Result<()> {
    let (place, checkpoint) = (outcome.model, outcome.checkpoint);
    let teller = Shared(Mutex::new(Teller::new(outcome.quiet)));
    if recipe.data.development.is_empty() {
        let what = "no [data] development: the last epoch will be kept, whatever it is worth";
        teller.with(|teller| teller.warn(what));
    }
    let pause = Duration::from_secs_f64(recipe.training.checkpoint);
    let mut watch = Keeper { teller: &teller, checkpoint, pause, kept: Instant::now() };
    let resume = outcome.resume.then_some(checkpoint);
    let epochs = recipe.training.all_epochs()?;
    let model =
        train(recipe, &|stage| teller.with(|teller| tell(&stage, epochs, teller)), &mut watch, resume);
    teller.with(Teller::end);
    let mut model = model?;
    model.write(place)?;
    let _ = fs::remove_file(checkpoint); // the model is there: nothing is left to go on with
    output::print(&summary(&model, place))
}

/// A teller that stages and epochs both speak to.
struct Shared(Mutex<Teller>);

impl Shared {
    fn with<T>(&self, act: impl FnOnce(&mut Teller) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

fn tell(stage: &Stage, epochs: usize, teller: &mut Teller) {
    match stage {
        Stage::Reading(path) => teller.say(&format!("reading {}", path.display())),
        Stage::Encoding(encoder) => teller.say(&format!("encoding with {encoder}")),
        Stage::Measured(count) => teller.add(*count as u64),
        Stage::Measuring { feature, set, translations } => {
            teller.count(&format!("{feature} of {set}"), *translations, "translations");
        }
        Stage::Training { .. } => teller.count("training", epochs, "epochs"),
    }
}

/// Shows epochs and keeps checkpoints.
struct Keeper<'a> {
    teller: &'a Shared,
    checkpoint: &'a Path,
    pause: Duration,
    kept: Instant,
}

impl Watch for Keeper<'_> {
    fn progress(&mut self, progress: &Progress<'_>) -> ControlFlow<()> {
        let tau = progress.development.map_or(String::new(), |tau| {
            let best = progress.best.value.unwrap_or(tau);
            format!("  dev τ {tau:.4}, best {best:.4} in epoch {}", progress.best.epoch)
        });
        let message = format!("loss {:.4}{tau}", progress.loss);
        self.teller.with(|teller| teller.reach(progress.epoch as u64, &message, false));
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
