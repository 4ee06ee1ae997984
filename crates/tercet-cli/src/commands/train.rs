//! `tercet train`: from data to a model.
//!
//! While training goes on, `MODEL.checkpoint` lies beside the model, whole at any moment; it goes when the model is there.

use crate::args::TrainArgs;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work::start_threads;
use std::path::{Path, PathBuf};
use tercet::ErrorKind;
use tercet::metrics::pairwise;
use tercet::parse::{constituency, dependency};
use tercet::progress::Progress;
use tercet::train::{self, AnyRecipe, KINDS, Kind, TrainingFiles};

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
    let files = TrainingFiles { model, resume: args.resume };
    Outcome { recipe: path, files: &files, force: args.force }.check()?;
    if let Some(what) = without_development(&recipe).filter(|_| !args.work.quiet) {
        output::warn(what);
    }
    let facts = with_progress(args.work.quiet, |progress| train(&recipe, &files, progress));
    if facts.as_ref().is_err_and(|error| error.kind() == ErrorKind::Stopped) && files.checkpoint().is_file() {
        output::note(format!("{} is kept: go on with --resume", files.checkpoint().display()));
    }
    output::print(&summary(&files.model, &facts?))
}

/// A warning for a recipe without development data.
fn without_development(recipe: &AnyRecipe) -> Option<&'static str> {
    let parser = "no [data] development: nobody will know how good the parser is";
    let pairwise = "no [data] development: the last epoch will be kept, whatever it is worth";
    let (is_missing, warning) = match recipe {
        AnyRecipe::Pairwise(recipe) => (recipe.data.development.is_empty(), pairwise),
        AnyRecipe::Dependency(recipe) => (recipe.data.development.is_empty(), parser),
        AnyRecipe::Constituency(recipe) => (recipe.data.development.is_empty(), parser),
    };
    is_missing.then_some(warning)
}

/// Trains a model and writes it; returns its hash and what there is to know of it.
fn train(recipe: &AnyRecipe, files: &TrainingFiles, progress: Progress<'_>) -> tercet::Result<Facts> {
    Ok(match recipe {
        AnyRecipe::Pairwise(recipe) => {
            let model = pairwise::train(recipe, files, progress)?;
            let asymmetry = ("asymmetry".to_owned(), format!("{:.4}", model.fitted().asymmetry()));
            (model.hash().to_owned(), [model.about(), &[asymmetry]].concat())
        }
        AnyRecipe::Dependency(recipe) => {
            let parser = dependency::training::train(recipe, files, progress)?;
            (parser.hash().to_owned(), parser.about().to_vec())
        }
        AnyRecipe::Constituency(recipe) => {
            let parser = constituency::training::train(recipe, files, progress)?;
            (parser.hash().to_owned(), parser.about().to_vec())
        }
    })
}

/// The hash of a model and its notes.
type Facts = (String, Vec<(String, String)>);

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
    Ok(())
}

/// What a training reads and leaves behind.
struct Outcome<'a> {
    recipe: &'a Path,
    files: &'a TrainingFiles,
    /// A model that is there may go.
    force: bool,
}

impl Outcome<'_> {
    /// What would fail after hours of work, or be lost by it, fails now.
    fn check(&self) -> Result<(), Misuse> {
        self.check_model()?;
        let checkpoint = self.files.checkpoint();
        let (found, checkpoint) = (checkpoint.is_file(), checkpoint.display());
        match (self.files.resume, found) {
            (true, false) => {
                let reason = "training ended, or was stopped before the first one: train without --resume";
                Err(Misuse(format!("--resume: there is no checkpoint {checkpoint}: {reason}")))
            }
            (false, true) => {
                let reason = "of a training that was interrupted: go on with --resume, or remove it";
                Err(Misuse(format!("there is a checkpoint {checkpoint} {reason}")))
            }
            // Whoever goes on has said before that the model may go.
            (false, false) if self.files.model.exists() && !self.force => {
                let model = self.files.model.display();
                Err(Misuse(format!("there is already a file {model}: name another with -o, or give --force")))
            }
            _ => Ok(()),
        }
    }

    /// Refuses places that no model can be written to.
    fn check_model(&self) -> Result<(), Misuse> {
        let model = &self.files.model;
        let refuse =
            |why: &str| Err(Misuse(format!("the model cannot be written to {}: {why}", model.display())));
        let parent = model.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        let recipe = self.recipe.canonicalize();
        if model.is_dir() {
            refuse("that is a folder")
        } else if model.exists() && !model.is_file() {
            refuse("that is a device or a pipe, not a file")
        } else if model.canonicalize().is_ok_and(|model| recipe.is_ok_and(|recipe| model == recipe)) {
            refuse("that is the recipe")
        } else if let Some(folder) = parent {
            refuse(&format!("there is no folder {}", folder.display()))
        } else {
            Ok(())
        }
    }
}

/// What there is to know of a model, the recipe aside.
fn summary(place: &Path, (hash, about): &Facts) -> String {
    let mut lines = vec![("model".to_owned(), format!("{} ({hash})", place.display()))];
    let about = about.iter().filter(|(key, _)| key != "recipe");
    lines.extend(about.map(|(key, value)| (key.replace('_', " "), value.clone())));
    let width = lines.iter().map(|(key, _)| key.len()).max().unwrap_or_default().max(16);
    lines.into_iter().map(|(key, value)| format!("{key:<width$} {value}\n")).collect()
}
