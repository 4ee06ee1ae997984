//! Training of kind `constituency`: from bracketed trees to a parser.

use super::teller::Teller;
use super::{Outcome, summary_lines};
use crate::output;
use tercet::parse::constituency::training::{LONGEST_LESSON, Progress, Recipe, train};

/// Trains the parser.
pub fn run(recipe: &Recipe, outcome: &Outcome<'_>) -> anyhow::Result<()> {
    let model = outcome.model;
    let mut teller = Teller::new(outcome.quiet);
    if recipe.data.development.is_empty() {
        teller.warn("no [data] development: nobody will know how good the parser is");
    }
    let mut is_training = false;
    let parser = train(recipe, model, &mut |progress| show(progress, &mut teller, &mut is_training));
    teller.end();
    let parser = parser?;
    output::print(&summary_lines(model, parser.hash(), parser.about(), &[]))
}

fn show(progress: &Progress, teller: &mut Teller, is_training: &mut bool) {
    match progress {
        Progress::Reading(name) => teller.say(&format!("reading {name}")),
        Progress::Read { trees, files } => {
            let ending = if *files == 1 { "" } else { "s" };
            teller.say(&format!("found {trees} trees in {files} file{ending}"));
        }
        Progress::TooLong { trees } => teller.warn(&format!(
            "{trees} trees of more than {LONGEST_LESSON} words are only counted in the grammar"
        )),
        Progress::Step { step, steps, loss } => {
            if !std::mem::replace(is_training, true) {
                teller.count("training the network", *steps as usize, "steps");
            }
            teller.reach(*step, &format!("loss {loss:.3}"), false);
        }
        Progress::Candidates { sentences } => {
            teller.say(&format!("parsing {sentences} sentences for the recursive network"));
        }
        Progress::Ranking { epoch, loss } => {
            teller.say(&format!("recursive network, epoch {epoch}  loss {loss:.3}"));
        }
        Progress::Scoring => teller.say("scoring"),
    }
}
