//! `tercet train`: from data to a model, one file per kind of model.
//!
//! While training goes on, `MODEL.checkpoint` lies beside the model, whole at any moment; it goes when the model is there.

mod constituency;
mod pairwise;
mod parser;
mod teller;

use crate::args::{TrainArgs, TrainedModel};
use crate::output::Misuse;
use std::path::{Path, PathBuf};

/// Trains what is asked for.
pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    match &args.model {
        TrainedModel::Pairwise(args) => pairwise::run(args),
        TrainedModel::Parser(args) => parser::run(args),
    }
}

/// Where a training keeps how far it is.
fn checkpoint_of(place: &Path) -> PathBuf {
    let mut name = place.as_os_str().to_owned();
    name.push(".checkpoint");
    PathBuf::from(name)
}

/// What a training reads and leaves behind.
struct Outcome<'a> {
    recipe: &'a Path,
    model: &'a Path,
    checkpoint: &'a Path,
    /// Go on from the checkpoint.
    resume: bool,
    /// A model that is there may go.
    force: bool,
}

impl Outcome<'_> {
    /// What would fail after hours of work, or be lost by it, fails now.
    fn check(&self) -> Result<(), Misuse> {
        self.check_model()?;
        let (found, checkpoint) = (self.checkpoint.is_file(), self.checkpoint.display());
        match (self.resume, found) {
            (true, false) => {
                let reason = "training ended, or was stopped before the first one: train without --resume";
                Err(Misuse(format!("--resume: there is no checkpoint {checkpoint}: {reason}")))
            }
            (false, true) => {
                let reason = "of a training that was interrupted: go on with --resume, or remove it";
                Err(Misuse(format!("there is a checkpoint {checkpoint} {reason}")))
            }
            // Whoever goes on has said before that the model may go.
            (false, false) if self.model.exists() && !self.force => {
                let model = self.model.display();
                Err(Misuse(format!("there is already a file {model}: name another with -o, or give --force")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses places that no model can be written to.
    fn check_model(&self) -> Result<(), Misuse> {
        let model = self.model.display();
        let refuse = |why: &str| Err(Misuse(format!("the model cannot be written to {model}: {why}")));
        let parent = self.model.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        let recipe = self.recipe.canonicalize();
        if self.model.is_dir() {
            refuse("that is a folder")
        } else if self.model.exists() && !self.model.is_file() {
            refuse("that is a device or a pipe, not a file")
        } else if self.model.canonicalize().is_ok_and(|model| recipe.is_ok_and(|recipe| model == recipe)) {
            refuse("that is the recipe")
        } else if let Some(folder) = parent {
            refuse(&format!("there is no folder {}", folder.display()))
        } else {
            Ok(())
        }
    }
}

/// What there is to know of a model, the recipe aside.
fn summary_lines(
    place: &Path,
    hash: &str,
    about: &[(String, String)],
    further: &[(String, String)],
) -> String {
    let mut lines = vec![("model".to_owned(), format!("{} ({hash})", place.display()))];
    let about = about.iter().filter(|(key, _)| key != "recipe");
    lines.extend(about.map(|(key, value)| (key.replace('_', " "), value.clone())));
    lines.extend_from_slice(further);
    let width = lines.iter().map(|(key, _)| key.len()).max().unwrap_or_default().max(16);
    lines.into_iter().map(|(key, value)| format!("{key:<width$} {value}\n")).collect()
}
