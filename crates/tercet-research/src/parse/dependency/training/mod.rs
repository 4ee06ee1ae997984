//! Trains a parser by a [`DependencyRecipe`]: reads treebanks and texts, trains, evaluates.
//!
//! With `[teacher]`, a bigger network is trained on the treebanks first. It labels texts, and the model learns from
//! both: distillation (Hinton et al., 2015) with hard labels, as in self-training and tri-training for parsers
//! (McClosky et al., 2006, N06-1020; Weiss et al., 2015, P15-1032). This makes a small network accurate and robust on
//! machine translation: the texts are outputs of systems and their references.
//!
//! # Files beside the model
//! | file | |
//! |---|---|
//! | `MODEL.checkpoint` | during training: the saved state; replaced atomically |
//! | `MODEL.teacher.safetensors` | the teacher; it is retrained when its data or settings change |
//! | `MODEL.labelled.conllu.gz` | during training: the texts as labelled by the teacher, and the teacher's hash |
//!
//! A resumed run uses these files only if they were made with its own data and settings, by the same version of tercet,
//! so that it ends with the same bytes as an uninterrupted run. Incomplete files of a killed run (`MODEL….partial`) are
//! removed when the next run starts.

mod batches;
mod material;
mod recipe;
mod texts;
mod treebanks;

pub use recipe::{DependencyData, DependencyNetwork, DependencyRecipe, DependencyTraining, NetworkPlan, Texts};
pub use texts::TextEntry;
pub use treebanks::TreebankEntry;

use super::model::pack;
use super::parser::DependencyParser;
use crate::error::Result;
use crate::parse::conllu::Conllu;
use crate::parse::dependency::parser::OtherColumns;
use crate::parse::dependency::vocabulary::{CHARACTERS, Numbering, SHAPES};
use crate::parse::evaluation::{DependencyScores, evaluate_words};
use batches::{Batches, DrawnBatch, Examples, FormTable};
use material::{Material, label, read_labelled};
use std::fs;
use tercet_base::progress::Progress;
use tercet_learn::Cause;
use tercet_learn::networks::{
    Analysis, BiaffineNetwork, BiaffineShape, EncoderShape, ListBatch, ListBatches, ListObjective, ListSettings,
};
use tercet_learn::optimizer::Schedule;
use tercet_learn::training::{Checkpoints, Evaluation, Identity, Run, Stopping, TrainingFiles};
use tercet_model::model_file::ModelFile;

/// The teacher, beside the model.
const TEACHER_FILE: &str = "teacher.safetensors";

/// Texts as the teacher labelled them, beside the model.
const LABELLED_FILE: &str = "labelled.conllu.gz";

/// Phases of a training.
const TEACHER: &str = "teacher";
const MODEL: &str = "model";

/// Trains a parser, writes its model file and reads it back.
pub fn train(recipe: &DependencyRecipe, files: &TrainingFiles, progress: Progress<'_>) -> Result<DependencyParser> {
    recipe.check()?;
    let checkpoints = files.begin(recipe.training.checkpoint, &[TEACHER, MODEL])?;
    let material = Material::read(recipe, progress)?;
    let mut training = Training { material, files, checkpoints, progress };
    let mut notes = training.material.sources.clone();
    let mut labelled = None;
    if let Some(plan) = recipe.teacher_plan() {
        let teacher = training.teacher(&plan)?;
        let figures = teacher.record().notes.iter().filter(|(key, _)| key.starts_with("development_"));
        notes.extend(figures.map(|(key, value)| (format!("teacher_{key}"), value.clone())));
        labelled = Some(training.labelled(&teacher.without_normalisation())?);
    }
    notes.push(("recipe".to_owned(), recipe.origin.text.clone()));
    let teacher = recipe.teacher_plan().as_ref().map(settings_of);
    let settings = format!("{}\nteacher: {teacher:?}", settings_of(&recipe.plan()));
    training.fit(&recipe.plan(), MODEL, settings, labelled.as_ref(), notes)?.write(&files.model)?;
    files.end();
    let _ = fs::remove_file(files.beside(LABELLED_FILE)); // only a resumed run needs it
    DependencyParser::read(&files.model)
}

/// The state of a training.
struct Training<'a> {
    material: Material,
    files: &'a TrainingFiles,
    checkpoints: Checkpoints,
    progress: Progress<'a>,
}

impl Training<'_> {
    /// Trains the teacher, or reads it from its file if that was trained with the same data and settings.
    fn teacher(&mut self, plan: &NetworkPlan) -> Result<DependencyParser> {
        let settings = settings_of(plan);
        let fingerprint = ("fingerprint".to_owned(), format!("{settings}\ndata: {}", self.material.hash));
        let path = self.files.beside(TEACHER_FILE);
        if path.is_file() {
            let known = DependencyParser::read(&path)?;
            if known.record().notes.contains(&fingerprint) {
                self.progress.uncounted(&format!("the teacher is {}", path.display()))?;
                return Ok(known);
            }
        }
        let mut notes = self.material.sources.clone();
        notes.push(fingerprint);
        self.fit(plan, TEACHER, settings, None, notes)?.write(&path)?;
        DependencyParser::read(&path)
    }

    /// The texts as labelled by the teacher; read from the file if the run is resumed and the teacher is the same.
    fn labelled(&mut self, teacher: &DependencyParser) -> Result<Examples> {
        let path = self.files.beside(LABELLED_FILE);
        if self.files.resume
            && path.is_file()
            && let Some(examples) = read_labelled(&self.material, teacher, &path)?
        {
            return Ok(examples);
        }
        label(&self.material, teacher, &path, self.progress)
    }

    /// Trains a network and returns its model file, with scores in the notes.
    fn fit(
        &mut self,
        plan: &NetworkPlan,
        phase: &str,
        settings: String,
        labelled: Option<&Examples>,
        mut notes: Vec<(String, String)>,
    ) -> Result<ModelFile> {
        let Material { numbering, forms, gold, development, hash, .. } = &self.material;
        let data = TrainingData { numbering, forms, gold, labelled, development };
        let identity = Identity { settings, data: hash.clone(), ..Identity::default() };
        let network = fit(&data, plan, phase, identity, &mut self.checkpoints, self.progress)?;
        self.progress.uncounted("scoring")?;
        for (key, value) in [
            ("seed", plan.training.seed.to_string()),
            ("steps", plan.training.steps.to_string()),
            ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
        ] {
            notes.push((key.to_owned(), value));
        }
        if !development.is_empty() {
            // Scores of the weights as they are stored.
            let parser = DependencyParser::from_file(&pack(&network, numbering, &[]))?.without_normalisation();
            notes.extend(figures(&score(&parser, development)?));
        }
        Ok(pack(&network, numbering, &notes))
    }
}

/// Scores in percent, for the notes.
fn figures(scores: &DependencyScores) -> [(String, String); 4] {
    let figures = [("upos", scores.upos), ("xpos", scores.xpos), ("uas", scores.uas), ("las", scores.las)];
    figures.map(|(name, matches)| (format!("development_{name}"), format!("{:.2}", 100.0 * matches.f1())))
}

/// Everything besides the data that influences the result. Names are the former ones, so that teacher files of earlier
/// versions are recognised.
fn settings_of(plan: &NetworkPlan) -> String {
    let learning = DependencyTraining { checkpoint: 0.0, evaluate: 0, ..plan.training.clone() };
    let settings = format!("{:?}, {learning:?}", plan.network);
    let former = [("weight_decay", "decay"), ("DependencyNetwork", "NetworkSizes"), ("DependencyTraining", "Learning")];
    let settings = former.iter().fold(settings, |settings, (now, before)| settings.replace(now, before));
    setting_lines(learning.seed, &settings)
}

/// Version, seed and settings, one per line; `settings` is the debug format of structs, whose names are therefore part
/// of teacher files and checkpoints.
pub(in crate::parse) fn setting_lines(seed: u64, settings: &str) -> String {
    let text = format!("tercet {}, seed {seed}, {settings}", env!("CARGO_PKG_VERSION"));
    text.replace(", ", "\n").replace(" { ", "\n").replace(" }", "").replace(':', "")
}

/// The training data of a network.
pub struct TrainingData<'a> {
    /// Names of words, tags and relations.
    pub numbering: &'a Numbering,
    /// Forms of all sentences.
    pub forms: &'a FormTable,
    /// Sentences of treebanks.
    pub gold: &'a Examples,
    /// Sentences that the teacher has labelled.
    pub labelled: Option<&'a Examples>,
    /// The development set.
    pub development: &'a [Conllu],
}

/// Trains a network, the teacher's or the model's.
pub fn fit(
    data: &TrainingData<'_>,
    plan: &NetworkPlan,
    phase: &str,
    identity: Identity,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<BiaffineNetwork> {
    let learning = &plan.training;
    let mut network = BiaffineNetwork::new(shape(plan, data.numbering), learning.dropout, learning.seed)?;
    let settings = settings(learning);
    let batches = Batches::new(data.forms, data.gold, data.labelled, learning);
    let steps = Steps { data, evaluate: learning.evaluate, batches, batch: DrawnBatch::default() };
    let mut objective = ListObjective::new(&mut network, steps, settings, identity)?;
    let run = Run {
        phase,
        name: &format!("training the {phase}"),
        rounds: "steps",
        items: "words",
        steps: settings.steps,
        stopping: Stopping::after(learning.steps),
        checkpoints,
        progress,
    };
    tercet_learn::training::train(&mut objective, run, None)?;
    Ok(network)
}

/// A batch for every step, and an evaluation every `evaluate` steps.
struct Steps<'a> {
    data: &'a TrainingData<'a>,
    /// Steps between two evaluations; 0 for none.
    evaluate: usize,
    batches: Batches<'a>,
    batch: DrawnBatch,
}

impl ListBatches<BiaffineNetwork> for Steps<'_> {
    fn start_round(&mut self, step: usize) -> usize {
        self.batches.skip_to(step as u64 - 1);
        1
    }

    fn next_batch(&mut self) -> ListBatch<'_, Analysis> {
        self.batches.draw(&mut self.batch);
        self.batch.view(self.data.forms)
    }

    fn evaluate(&mut self, network: &BiaffineNetwork, step: usize) -> Result<Evaluation, Cause> {
        let due = self.evaluate > 0 && step.is_multiple_of(self.evaluate);
        if !due || self.data.development.is_empty() {
            return Ok(Evaluation::default());
        }
        let parser = DependencyParser::new(self.data.numbering.clone(), network);
        let las = 100.0 * score(&parser, self.data.development)?.las.f1();
        Ok(Evaluation { value: Some(las), text: format!("dev LAS {las:.2}") })
    }
}

fn shape(plan: &NetworkPlan, numbering: &Numbering) -> BiaffineShape {
    let sizes = &plan.network;
    let encoder = EncoderShape {
        words: numbering.words.len(),
        shapes: SHAPES,
        characters: CHARACTERS,
        character_width: sizes.character_width,
        filters: sizes.filters,
        window: sizes.window,
        width: sizes.width,
        units: sizes.units,
        layers: sizes.layers,
        tag_layer: sizes.tag_layer,
        tags: numbering.upos.len(),
    };
    let (fine_tags, labels) = (numbering.xpos.len(), numbering.relations.len());
    BiaffineShape { encoder, fine_tags, arc: sizes.arc, label: sizes.label, labels }
}

fn settings(learning: &DependencyTraining) -> ListSettings {
    let mut settings = ListSettings { seed: learning.seed, ..ListSettings::default() };
    let steps = &mut settings.steps;
    steps.schedule = Some(Schedule { warm_up: learning.warm_up as u64, steps: learning.steps as u64 });
    steps.clip = learning.clip;
    steps.optimizer.learning_rate = learning.learning_rate;
    steps.optimizer.weight_decay = learning.weight_decay;
    settings
}

/// Scores on treebanks with gold words.
pub fn score(parser: &DependencyParser, treebanks: &[Conllu]) -> Result<DependencyScores> {
    let gold = Conllu::new(treebanks.iter().flat_map(|file| file.sentences().to_vec()).collect());
    let mut system = gold.clone();
    parser.annotate(system.sentences_mut(), OtherColumns::Kept)?;
    evaluate_words(&gold, &system)
}

#[cfg(test)]
pub(super) mod tests;
