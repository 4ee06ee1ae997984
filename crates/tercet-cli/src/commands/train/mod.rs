//! `tercet train`: from data to a model, one file per kind of model.
//!
//! While training goes on, `MODEL.checkpoint` lies beside the model, whole at any moment; it goes when the model is there.

mod constituency;
mod pairwise;
mod parser;
mod teller;

use crate::args::TrainArgs;
use crate::output::{self, Misuse};
use crate::work::start_threads;
use std::path::{Path, PathBuf};
use tercet::train::{self, AnyRecipe, KINDS, Kind};

/// What the former spelling `tercet train parser` trains.
const PARSERS: (&str, [&str; 2]) = ("parser", ["dependency", "constituency"]);

/// Trains what the recipe says.
pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    if let Some(kind) = args.keys.as_deref().and_then(Kind::named) {
        return output::print(kind.keys);
    }
    start_threads(args.work.threads)?;
    let (path, kinds) = recipe_of(&args.recipe)?;
    let mut recipe = train::read(path, args.data.as_deref(), kinds.as_deref())?;
    apply_flags(args, &mut recipe)?;
    let model = args.output.clone().unwrap_or_else(|| recipe.model_file());
    let (resume, force, quiet) = (args.resume, args.force, args.work.quiet);
    let outcome =
        Outcome { recipe: path, model: &model, checkpoint: &checkpoint_of(&model), resume, force, quiet };
    outcome.check()?;
    match &recipe {
        AnyRecipe::Pairwise(recipe) => pairwise::run(recipe, &outcome),
        AnyRecipe::Dependency(recipe) => parser::run(recipe, &outcome),
        AnyRecipe::Constituency(recipe) => constituency::run(recipe, &outcome),
    }
}

/// The recipe and the kinds it may be of, all of them if there is no list. The former spellings name what is trained before it.
fn recipe_of(words: &[PathBuf]) -> Result<(&Path, Option<Vec<&str>>), Misuse> {
    let kinds_of = |word: &Path| match word.to_str() {
        Some(word) if word == PARSERS.0 => Some(PARSERS.1.to_vec()),
        word => KINDS.iter().find(|kind| Some(kind.name) == word).map(|kind| vec![kind.name]),
    };
    match words {
        [word] if kinds_of(word).is_some() && !word.exists() => {
            let word = word.display();
            Err(Misuse(format!("`{word}` is a kind, not a recipe: name the file of the recipe")))
        }
        [kind, recipe] => match kinds_of(kind) {
            Some(kinds) => Ok((recipe, Some(kinds))),
            None => {
                Err(Misuse(format!("expected one recipe, found {} and {}", kind.display(), recipe.display())))
            }
        },
        words => Ok((words.first().map_or(Path::new(""), PathBuf::as_path), None)),
    }
}

/// Settings that are given as flags take the place of the recipe's.
fn apply_flags(args: &TrainArgs, recipe: &mut AnyRecipe) -> Result<(), Misuse> {
    if let Some(seed) = args.seed {
        recipe.set_seed(seed);
    }
    if let Some(epochs) = args.epochs {
        recipe.set_epochs(epochs as usize).map_err(|error| Misuse(format!("--epochs {epochs}: {error}")))?;
    }
    if let Some(steps) = args.steps {
        recipe.set_steps(steps as usize).map_err(|error| Misuse(format!("--steps {steps}: {error}")))?;
    }
    if args.resume && matches!(recipe, AnyRecipe::Constituency(_)) {
        let why = "its training takes minutes and keeps no checkpoint";
        return Err(Misuse(format!("--resume is not for a constituency parser: {why}")));
    }
    Ok(())
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
    /// No progress, no warnings.
    quiet: bool,
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
