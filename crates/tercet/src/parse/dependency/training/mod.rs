//! From a [`Recipe`] to a parser: reads treebanks and texts, trains, says how it went.
//!
//! With `[teacher]`, a bigger network is trained on the treebanks first. It labels texts, and the model learns from both:
//! distillation (Hinton et al., 2015), by hard labels as in self-training and tri-training for parsers (McClosky et al.,
//! 2006, N06-1020; Weiss et al., 2015, P15-1032). That is where a small network gets its accuracy from, and its experience
//! with machine translation: the texts are outputs of systems and their references.
//!
//! # Files beside the model
//! | file | |
//! |---|---|
//! | `MODEL.checkpoint` | while training: where it stands, whole at any moment |
//! | `MODEL.teacher.safetensors` | the teacher; a run with the same data and settings does not train it again |
//! | `MODEL.labelled.conllu.gz` | while training: the texts as the teacher labelled them, and which teacher that was |
//!
//! A run that goes on takes from these only what was made with its own data and settings, by the same version of tercet, so
//! that it ends with the bytes it would have ended with. Files that a killed run left half written (`MODEL….partial`) are
//! removed when the next run begins.
//!
//! What a recipe names is read here, by the readers of `corpora`, since nobody else needs it.

mod batches;
mod fit;
mod labelling;
mod lessons;
mod material;
mod recipe;
mod state;
#[cfg(test)]
pub(super) mod tests;
mod texts;
mod treebanks;
mod watch;

pub use recipe::{Data, KEYS, Learning, NetworkSizes, Plan, Recipe, Texts};
pub use texts::TextEntry;
pub use treebanks::TreebankEntry;
pub use watch::{Progress, Stage, Unwatched, Watch};

pub use crate::parse::recipe_tables::VocabularySize;
pub use crate::recipe::{Origin, Place};

use super::model::pack;
use super::parser::DependencyParser;
use crate::error::Result;
use crate::parse::evaluation::DependencyScores;
use fit::{Curriculum, Keeping, fit, score};
use labelling::{label, read_labelled};
use lessons::Lessons;
use material::Material;
use state::Run;
use std::fs;
use std::path::PathBuf;
use tercet_learn::files;
use tercet_learn::model_file::ModelFile;

/// Where the files of a training are.
#[derive(Clone, Debug)]
pub struct Places {
    /// The model.
    pub model: PathBuf,
    /// Go on from the checkpoint.
    pub resume: bool,
}

impl Places {
    /// Where the training stands.
    pub fn checkpoint(&self) -> PathBuf {
        self.beside("checkpoint")
    }

    /// The teacher.
    pub fn teacher(&self) -> PathBuf {
        self.beside("teacher.safetensors")
    }

    /// Texts as the teacher labelled them.
    pub fn labelled(&self) -> PathBuf {
        self.beside("labelled.conllu.gz")
    }

    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.model.as_os_str().to_owned();
        name.push(format!(".{ending}"));
        PathBuf::from(name)
    }
}

/// Makes a parser as a recipe says, writes its file and reads it back.
pub fn train(recipe: &Recipe, places: &Places, watch: &mut dyn Watch) -> Result<DependencyParser> {
    recipe.check()?;
    files::remove_partial(&places.model);
    let mut training = Training { material: Material::read(recipe, watch)?, places, watch };
    let mut about = training.material.sources.clone();
    let mut labelled = None;
    if let Some(plan) = recipe.teacher_plan() {
        let teacher = training.teacher(&plan)?;
        let figures = teacher.about.iter().filter(|(key, _)| key.starts_with("development_"));
        about.extend(figures.map(|(key, value)| (format!("teacher_{key}"), value.clone())));
        labelled = Some(training.labelled(&teacher.reading_as_written())?);
    }
    about.push(("recipe".to_owned(), recipe.origin.text.clone()));
    let teacher = recipe.teacher_plan().as_ref().map(settings_of);
    let settings = format!("{}\nteacher: {teacher:?}", settings_of(&recipe.plan()));
    let run = Run { phase: MODEL, settings, data: training.material.hash.clone() };
    let file = training.fit(&recipe.plan(), &run, labelled.as_ref(), about)?;
    file.write(&places.model)?;
    for made in [places.checkpoint(), places.labelled()] {
        let _ = fs::remove_file(made); // the model is there: nothing is left to go on with
    }
    DependencyParser::read(&places.model)
}

/// Phases of a training.
const TEACHER: &str = "teacher";
const MODEL: &str = "model";

/// A training at work.
struct Training<'a> {
    material: Material,
    places: &'a Places,
    watch: &'a mut dyn Watch,
}

impl Training<'_> {
    /// Trains the teacher, or takes it from its file if it is of the same data and settings.
    fn teacher(&mut self, plan: &Plan) -> Result<DependencyParser> {
        let run = Run { phase: TEACHER, settings: settings_of(plan), data: self.material.hash.clone() };
        let fingerprint = ("fingerprint".to_owned(), run.fingerprint());
        let path = self.places.teacher();
        if path.is_file() {
            let known = DependencyParser::read(&path)?;
            if known.about.contains(&fingerprint) {
                self.watch.stage(&Stage::KnownTeacher(path));
                return Ok(known);
            }
        }
        let mut about = self.material.sources.clone();
        about.push(fingerprint);
        self.fit(plan, &run, None, about)?.write(&path)?;
        DependencyParser::read(&path)
    }

    /// What the teacher says of the texts; what it said before, if this run goes on and it was this teacher.
    fn labelled(&mut self, teacher: &DependencyParser) -> Result<Lessons> {
        let path = self.places.labelled();
        if self.places.resume
            && path.is_file()
            && let Some(lessons) = read_labelled(&self.material, teacher, &path)?
        {
            return Ok(lessons);
        }
        label(&self.material, teacher, &path, self.watch)
    }

    /// Trains a network and packs it with its figures.
    fn fit(
        &mut self,
        plan: &Plan,
        run: &Run,
        labelled: Option<&Lessons>,
        mut about: Vec<(String, String)>,
    ) -> Result<ModelFile> {
        let Material { numbering, forms, gold, development, .. } = &self.material;
        let curriculum = Curriculum { numbering, forms, gold, labelled, development };
        self.watch.stage(&Stage::Training { teacher: run.phase == TEACHER, steps: plan.training.steps });
        let keeping = Keeping { path: &self.places.checkpoint(), resume: self.places.resume };
        let network = fit(&curriculum, plan, run, keeping, self.watch)?;
        self.watch.stage(&Stage::Scoring);
        for (key, value) in [
            ("seed", plan.training.seed.to_string()),
            ("steps", plan.training.steps.to_string()),
            ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
        ] {
            about.push((key.to_owned(), value));
        }
        if !development.is_empty() {
            // Of the weights as they are stored.
            let parser = DependencyParser::from_file(&pack(&network, numbering, &[]))?.reading_as_written();
            about.extend(figures(&score(&parser, development)?));
        }
        Ok(pack(&network, numbering, &about))
    }
}

/// In percent, as papers print them.
fn figures(scores: &DependencyScores) -> [(String, String); 4] {
    let figures = [("upos", scores.upos), ("xpos", scores.xpos), ("uas", scores.uas), ("las", scores.las)];
    figures.map(|(name, matches)| (format!("development_{name}"), format!("{:.2}", 100.0 * matches.f1())))
}

/// All that decides digits beside the data, one a line: the version of the program, sizes and settings.
fn settings_of(plan: &Plan) -> String {
    let learning = Learning { checkpoint: 0.0, evaluate: 0, ..plan.training.clone() };
    let version = env!("CARGO_PKG_VERSION");
    let text = format!("tercet {version}, seed {}, {:?}, {learning:?}", learning.seed, plan.network);
    text.replace(", ", "\n").replace(" { ", "\n").replace(" }", "").replace(':', "")
}
