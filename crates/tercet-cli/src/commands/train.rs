//! `tercet train`: trains a model of any kind from a recipe.
//!
//! During training there is a file `MODEL.checkpoint`, written atomically; it is removed when the model has been
//! written.

use crate::args::TrainArgs;
use crate::habits::flags::quoted;
use crate::output::{self, Misuse};
use crate::progress::with_checkpoints;
use crate::work;
use std::path::{Path, PathBuf};
use tercet::metrics::Registry;
use tercet::text::visible;
use tercet::train::{KINDS, Kind, TrainJob, TrainedModel};

/// The kinds of the former spelling `tercet train parser`.
const PARSERS: (&str, [&str; 2]) = ("parser", ["dependency", "constituency"]);

/// Trains the model of a recipe; `words` are the arguments of the command, to say how to go on.
pub fn run(args: &TrainArgs, words: &[String], registry: &Registry) -> anyhow::Result<()> {
    if let Some(kind) = args.keys.as_deref().and_then(Kind::named) {
        let head = "# All keys, with examples. Remove the tables and keys that you do not need; only the data is \
            required.\n";
        return output::print(&format!("{head}{}", kind.keys));
    }
    work::start(&args.work)?;
    let (recipe, kinds) = recipe_of(&args.recipe)?;
    let job = TrainJob {
        recipe: recipe.to_owned(),
        kinds: kinds.into_iter().map(str::to_owned).collect(),
        data: args.data.clone(),
        output: args.output.clone(),
        seed: args.seed,
        epochs: args.epochs.map(|epochs| epochs as usize),
        steps: args.steps.map(|steps| steps as usize),
        resume: args.resume,
        force: args.force,
    };
    let training = job.open()?;
    let trained = with_checkpoints(args.work.quiet, registry, |progress| training.run(registry, progress));
    if let Err(tercet::Error::Stopped(_)) = &trained
        && training.checkpoint().is_file()
    {
        output::note(format_args!("go on with: {}", resuming_command(words)));
    }
    output::print(&summary(&trained?.result))
}

/// The command line that resumes this training: the same flags, `--resume` in place of `--force`.
fn resuming_command(words: &[String]) -> String {
    let given = words.iter().filter(|word| *word != "--force" && *word != "--resume");
    let words: Vec<String> = given.map(|word| quoted(word)).collect();
    format!("tercet {} --resume", words.join(" "))
}

/// The recipe and the kinds that are accepted; if empty, all. In the former spellings a kind comes before the recipe.
fn recipe_of(words: &[PathBuf]) -> Result<(&Path, Vec<&str>), Misuse> {
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
            Some(kinds) => Ok((recipe, kinds)),
            None => Err(Misuse(format!("expected one recipe, found {} and {}", kind.display(), recipe.display()))),
        },
        words => Ok((words.first().map_or(Path::new(""), PathBuf::as_path), Vec::new())),
    }
}

/// The notes of a model, without the recipe.
fn summary(trained: &TrainedModel) -> String {
    let mut lines = vec![("model".to_owned(), format!("{} ({})", trained.model.display(), trained.hash))];
    let notes = trained.notes.iter().filter(|(key, _)| key != "recipe");
    lines.extend(notes.map(|(key, value)| (key.replace('_', " "), value.clone())));
    let width = lines.iter().map(|(key, _)| key.len()).max().unwrap_or_default().max(16);
    lines.into_iter().map(|(key, value)| format!("{key:<width$} {}\n", visible(&value))).collect()
}
