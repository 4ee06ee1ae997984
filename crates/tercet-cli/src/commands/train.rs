//! `tercet train`: trains a model of any kind from a recipe.
//!
//! During training there is a file `MODEL.checkpoint`, written atomically; it is removed when the model has been written.

use crate::args::TrainArgs;
use crate::output::{self, Misuse};
use crate::progress::with_checkpoints;
use crate::registry;
use crate::work;
use std::path::{Path, PathBuf};
use tercet::files::{WholeFile, is_same_file};
use tercet::text::visible;
use tercet::train::{self, AnyRecipe, KINDS, Kind, Trained, TrainingFiles};

/// The kinds of the former spelling `tercet train parser`.
const PARSERS: (&str, [&str; 2]) = ("parser", ["dependency", "constituency"]);

/// Trains the model of a recipe.
pub fn run(args: &TrainArgs) -> anyhow::Result<()> {
    if let Some(kind) = args.keys.as_deref().and_then(Kind::named) {
        let head = "# All keys, with examples. Remove the tables and keys that you do not need; only the data is required.\n";
        return output::print(&format!("{head}{}", kind.keys));
    }
    work::start(&args.work)?;
    let (path, kinds) = recipe_of(&args.recipe)?;
    let mut recipe = train::read(path, args.data.as_deref(), kinds.as_deref())?;
    apply_flags(args, &mut recipe)?;
    let model = args.output.clone().unwrap_or_else(|| recipe.model_file());
    let files = TrainingFiles { model, resume: args.resume };
    check(path, &files, args.force)?;
    if let Some(read) = recipe.reads(&files.model) {
        let (model, read) = (files.model.display(), read.display());
        return Err(Misuse(format!("the model cannot be written to {model}: the recipe reads {read}")).into());
    }
    if !args.work.quiet {
        recipe.warnings(registry()).iter().for_each(output::warn_of);
    }
    let trained = with_checkpoints(args.work.quiet, |progress| recipe.train(&files, registry(), progress));
    if let Err(tercet::Error::Stopped(_)) = &trained
        && files.checkpoint().is_file()
    {
        output::note(format_args!("go on with: {}", resuming_command()));
    }
    output::print(&summary(&files.model, &trained?))
}

/// The command line that resumes this training: the same flags, `--resume` in place of `--force`.
fn resuming_command() -> String {
    let given = std::env::args().skip(1).filter(|word| word != "--force" && word != "--resume");
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
        if word.chars().all(plain) && !word.is_empty() {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words: Vec<String> = given.map(quoted).collect();
    format!("tercet {} --resume", words.join(" "))
}

/// The recipe and the kinds that are accepted (`None`: all). In the former spellings a kind comes before the recipe.
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

/// Flags override the settings of the recipe.
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

/// Returns an error, before hours of work, if the model could not be written or a file would be lost.
fn check(recipe: &Path, files: &TrainingFiles, force: bool) -> Result<(), Misuse> {
    check_model(recipe, &files.model)?;
    let (checkpoint, model) = (files.checkpoint(), &files.model);
    if checkpoint.exists() && !checkpoint.is_file() {
        let checkpoint = checkpoint.display();
        return Err(Misuse(format!("checkpoints cannot be written to {checkpoint}: that is not a file")));
    }
    match (files.resume, checkpoint.is_file()) {
        (true, false) => {
            let reason = "training ended, or was stopped before the first one: train without --resume";
            Err(Misuse(format!("--resume: there is no checkpoint {}: {reason}", checkpoint.display())))
        }
        (false, true) => {
            let reason = "of a training that was interrupted: go on with --resume, or remove it";
            Err(Misuse(format!("there is a checkpoint {} {reason}", checkpoint.display())))
        }
        // A resumed training was allowed to overwrite the model when it started.
        (false, false) if model.exists() && !force => {
            let model = model.display();
            Err(Misuse(format!("there is already a file {model}: name another with -o, or give --force")))
        }
        _ => Ok(()),
    }
}

/// Returns an error if the model cannot be written to this path.
fn check_model(recipe: &Path, model: &Path) -> Result<(), Misuse> {
    let refuse =
        |why: &str| Err(Misuse(format!("the model cannot be written to {}: {why}", model.display())));
    let parent = model.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    if model.is_dir() {
        refuse("that is a folder")
    } else if model.exists() && !model.is_file() {
        refuse("that is a device or a pipe, not a file")
    } else if is_same_file(model, recipe) {
        refuse("that is the recipe")
    } else if let Some(folder) = parent {
        refuse(&format!("there is no folder {}", folder.display()))
    } else {
        let created = WholeFile::create(model).map(drop);
        created.or_else(|error| refuse(&error.to_string()))
    }
}

/// The notes of a model, without the recipe.
fn summary(model: &Path, trained: &Trained) -> String {
    let mut lines = vec![("model".to_owned(), format!("{} ({})", model.display(), trained.hash))];
    let notes = trained.notes.iter().filter(|(key, _)| key != "recipe");
    lines.extend(notes.map(|(key, value)| (key.replace('_', " "), value.clone())));
    let width = lines.iter().map(|(key, _)| key.len()).max().unwrap_or_default().max(16);
    lines.into_iter().map(|(key, value)| format!("{key:<width$} {}\n", visible(&value))).collect()
}
