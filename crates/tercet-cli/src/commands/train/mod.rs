//! `tercet train`: from data to a model, one file per kind of model.
//!
//! While training goes on, `MODEL.checkpoint` lies beside the model, whole at any moment; it goes when the model is there.

mod constituency;
mod pairwise;
mod parser;

use crate::args::{TrainArgs, TrainedModel};
use crate::output::Misuse;
use crate::work::progress_bar;
use indicatif::{ProgressBar, ProgressStyle};
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

/// What would fail after hours of work fails now.
fn check_places(recipe: &Path, resume: bool, place: &Path, checkpoint: &Path) -> anyhow::Result<()> {
    let same = |one: &Path, other: &Path| {
        one.canonicalize().is_ok_and(|one| other.canonicalize().is_ok_and(|other| one == other))
    };
    if place.is_dir() || same(place, recipe) {
        let what = if place.is_dir() { "that is a folder" } else { "that is the recipe" };
        return Err(Misuse(format!("the model cannot be written to {}: {what}", place.display())).into());
    }
    if let Some(folder) = place.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        let (place, folder) = (place.display(), folder.display());
        return Err(
            Misuse(format!("the model cannot be written to {place}: there is no folder {folder}")).into()
        );
    }
    let found = checkpoint.is_file();
    let checkpoint = checkpoint.display();
    match (resume, found) {
        (true, false) => {
            let reason = "training ended, or was stopped before the first one: train without --resume";
            Err(Misuse(format!("--resume: there is no checkpoint {checkpoint}: {reason}")).into())
        }
        (false, true) => {
            let reason = "of a training that was interrupted: go on with --resume, or remove it";
            Err(Misuse(format!("there is a checkpoint {checkpoint} {reason}")).into())
        }
        _ => Ok(()),
    }
}

/// A line without a count.
fn saying(message: String, quiet: bool) -> ProgressBar {
    let bar = progress_bar(0, "", quiet);
    bar.set_style(ProgressStyle::with_template("{msg}").expect("a fixed template"));
    bar.set_message(message);
    bar.tick();
    bar
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
