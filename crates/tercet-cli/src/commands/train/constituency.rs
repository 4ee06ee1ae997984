//! `tercet train parser` with a recipe of the kind `constituency`.

use super::{check_places, checkpoint_of, saying, summary_lines};
use crate::args::TrainParserArgs;
use crate::output::{self, Misuse};
use crate::work::progress_bar;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use tercet::parse::constituency::training::{LONGEST_LESSON, Progress, Recipe, train};

/// Trains the parser.
pub fn run(args: &TrainParserArgs) -> anyhow::Result<()> {
    for (flag, given, why) in [
        ("--resume", args.resume, "its training takes minutes and keeps no checkpoint"),
        ("--steps", args.steps.is_some(), "its recipe counts in epochs: set [training] epochs"),
    ] {
        if given {
            return Err(Misuse(format!("{flag} is not for a constituency parser: {why}")).into());
        }
    }
    let mut recipe = Recipe::read(&args.recipe, args.data.as_deref())?;
    recipe.training.seed = args.seed.unwrap_or(recipe.training.seed);
    let beside = args.recipe.parent().unwrap_or(Path::new("")).join(&recipe.model.file);
    let model = args.output.clone().unwrap_or(beside);
    check_places(&args.recipe, false, &model, &checkpoint_of(&model))?;
    if recipe.data.development.is_empty() && !args.work.quiet {
        output::warn("no [data] development: nobody will know how good the parser is");
    }
    let mut bars = Bars { quiet: args.work.quiet, current: ProgressBar::hidden(), is_training: false };
    let parser = train(&recipe, &model, &mut |progress| bars.show(progress));
    bars.current.finish_and_clear();
    let parser = parser?;
    output::print(&summary_lines(&model, parser.hash(), parser.about(), &[]))
}

/// One bar or line for each stage, on a terminal.
struct Bars {
    quiet: bool,
    current: ProgressBar,
    is_training: bool,
}

impl Bars {
    fn show(&mut self, progress: &Progress) {
        match progress {
            Progress::Reading(name) => self.say(format!("reading {name}")),
            Progress::TooLong { trees } if !self.quiet => {
                self.start(ProgressBar::hidden());
                output::warn(format!(
                    "{trees} trees of more than {LONGEST_LESSON} words are only counted in the grammar"
                ));
            }
            Progress::TooLong { .. } => {}
            Progress::Step { step, steps, loss } => {
                if !self.is_training {
                    self.is_training = true;
                    let bar = progress_bar(*steps as usize, "steps", self.quiet);
                    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} steps {eta}  {msg}");
                    bar.set_style(style.expect("a fixed template"));
                    self.start(bar);
                }
                self.current.set_message(format!("loss {loss:.3}"));
                self.current.set_position(*step);
            }
            Progress::Candidates { sentences } => {
                self.say(format!("parsing {sentences} sentences for the recursive network"));
            }
            Progress::Ranking { epoch, loss } => {
                self.say(format!("recursive network, epoch {epoch}  loss {loss:.3}"));
            }
            Progress::Scoring => self.say("scoring".to_owned()),
        }
    }

    fn say(&mut self, line: String) {
        let bar = saying(line, self.quiet);
        self.start(bar);
    }

    fn start(&mut self, bar: ProgressBar) {
        self.current.finish_and_clear();
        self.current = bar;
    }
}
