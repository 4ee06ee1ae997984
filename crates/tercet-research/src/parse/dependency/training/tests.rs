//! Training as a whole, on a treebank of a toy language.

use super::*;
use crate::error::Error;
use crate::parse::conllu::Conllu;
use crate::parse::dependency::OtherColumns;
use crate::parse::evaluation::evaluate_words;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tercet_base::progress::Event;

/// Sentences such as `the small dog saw a cat .`: a determiner and perhaps an adjective on each noun, a verb between.
pub(in crate::parse::dependency) fn toy_treebank(sentences: usize, shift: usize) -> String {
    const NOUNS: [&str; 6] = ["dog", "cat", "house", "Mary", "1984", "ideas"];
    const VERBS: [&str; 4] = ["saw", "liked", "is", "ran"];
    let mut text = String::new();
    for number in 0..sentences {
        let draw = |salt: usize, many: usize| (number * 7 + number / 3 * salt + salt * 5 + shift) % many;
        let mut rows: Vec<(String, &str, &str, usize, &str)> = Vec::new();
        let phrase = |rows: &mut Vec<(String, &str, &str, usize, &str)>, salt: usize, relation| {
            let adjective = draw(salt, 3) == 0;
            let noun = rows.len() + 2 + usize::from(adjective);
            rows.push((["the", "a"][draw(salt + 1, 2)].to_owned(), "DET", "DT", noun, "det"));
            if adjective {
                rows.push((["small", "old"][draw(salt + 2, 2)].to_owned(), "ADJ", "JJ", noun, "amod"));
            }
            rows.push((NOUNS[draw(salt + 3, 6)].to_owned(), "NOUN", "NN", 0, relation));
        };
        phrase(&mut rows, 1, "nsubj");
        rows.push((VERBS[draw(2, 4)].to_owned(), "VERB", "VBD", 0, "root"));
        let verb = rows.len();
        phrase(&mut rows, 4, "obj");
        rows.push((".".to_owned(), "PUNCT", ".", verb, "punct"));
        for (place, (form, upos, xpos, head, relation)) in rows.iter().enumerate() {
            let head = if *upos == "NOUN" { verb } else { *head };
            let id = place + 1;
            text.push_str(&format!("{id}\t{form}\t{form}\t{upos}\t{xpos}\t_\t{head}\t{relation}\t_\t_\n"));
        }
        text.push('\n');
    }
    text
}

/// A small network that learns the toy language in a second or two.
pub(in crate::parse::dependency) const RECIPE: &str = "\
kind = \"dependency\"
[data]
train = [\"train.conllu\"]
development = [\"dev.conllu\"]
[vocabulary]
words = 100
[network]
width = 32
units = 16
layers = 2
tag_layer = 1
arc = 8
label = 8
character_width = 4
filters = 8
[training]
steps = 240
batch = 200
learning_rate = 0.01
warm_up = 10
evaluate = 120
";

/// The same with so few steps that there is no warm-up to choose.
pub(in crate::parse::dependency) fn short_recipe(steps: usize) -> String {
    RECIPE.replace("steps = 240", &format!("steps = {steps}")).replace("warm_up = 10\n", "")
}

const TEACHER: &str = "\
[texts]
files = [\"texts/*.txt\"]
sentences = 40
tokenizer = \"none\"
[teacher.network]
units = 20
[teacher.training]
steps = 60
";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("train.conllu"), toy_treebank(80, 0)).unwrap();
    std::fs::write(folder.path().join("dev.conllu"), toy_treebank(20, 3)).unwrap();
    std::fs::create_dir(folder.path().join("texts")).unwrap();
    let texts: String = (0..60).map(|number| format!("the cat saw a house number {number} .\n")).collect();
    std::fs::write(folder.path().join("texts/a.txt"), texts).unwrap();
    folder
}

fn recipe(folder: &Path, text: &str) -> DependencyRecipe {
    DependencyRecipe::parse(text, folder).unwrap()
}

fn files(folder: &Path, name: &str, resume: bool) -> TrainingFiles {
    TrainingFiles { model: folder.join(name), resume }
}

fn labelled(files: &TrainingFiles) -> PathBuf {
    files.beside(LABELLED_FILE)
}

/// Counts the steps of all phases, stops after `until` of them, and records the names of the stages.
struct Counter {
    until: u64,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    steps: u64,
    stages: Vec<String>,
    /// Whether the stage counts steps, and has reported how many are done.
    is_training: Option<bool>,
}

impl Counter {
    fn new(until: u64) -> Self {
        Counter { until, seen: Mutex::default() }
    }

    fn event(&self, event: &Event<'_>) -> ControlFlow<()> {
        let mut seen = self.seen.lock().unwrap();
        match event {
            Event::Stage { name, unit, .. } => {
                seen.stages.push((*name).to_owned());
                seen.is_training = (*unit == "steps").then_some(false);
            }
            Event::Advance(count) => match seen.is_training.replace(true) {
                Some(true) => seen.steps += count,
                Some(false) => {}
                None => seen.is_training = None,
            },
            _ => {}
        }
        if seen.steps < self.until { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Trains; returns whether it was stopped.
    fn train(&self, recipe: &DependencyRecipe, files: &TrainingFiles) -> bool {
        match train(recipe, files, Progress::new(&|event| self.event(event))) {
            Ok(_) => false,
            Err(Error::Stopped(_)) => true,
            Err(error) => panic!("{error}"),
        }
    }

    fn steps(&self) -> u64 {
        self.seen.lock().unwrap().steps
    }

    fn has_stage(&self, name: &str) -> bool {
        self.seen.lock().unwrap().stages.iter().any(|stage| stage == name)
    }
}

fn train_unseen(recipe: &DependencyRecipe, files: &TrainingFiles) -> Result<DependencyParser> {
    train(recipe, files, Progress::none())
}

#[test]
fn a_toy_language_is_learned_and_its_parser_is_read_back() {
    let folder = folder();
    let place = files(folder.path(), "model", false);
    let parser = train_unseen(&recipe(folder.path(), RECIPE), &place).unwrap();
    let notes = |key: &str| parser.record().notes.iter().find(|(known, _)| known == key).unwrap().1.clone();
    assert!(notes("development_las").parse::<f64>().unwrap() > 95.0, "{:?}", parser.record().notes);
    assert_eq!(notes("trained_on"), "train.conllu (80)");
    assert_eq!((notes("seed"), notes("steps")), ("1".to_owned(), "240".to_owned()));
    assert!(notes("recipe").contains("learning_rate = 0.01"));
    assert!(parser.signature().starts_with("dependency:sha256=") && parser.record().hash.len() == 8);
    assert!(!place.checkpoint().exists());
    let gold = Conllu::from_text(Path::new("dev.conllu"), &toy_treebank(20, 3)).unwrap();
    let mut ours = gold.clone();
    parser.annotate(ours.sentences_mut(), OtherColumns::default()).unwrap();
    let scores = evaluate_words(&gold, &ours).unwrap();
    assert_eq!(format!("{:.2}", 100.0 * scores.las.f1()), notes("development_las"));
}

#[test]
fn a_stopped_training_resumes_and_ends_with_the_same_bytes() {
    let folder = folder();
    let text = format!("{RECIPE}{TEACHER}").replace("steps = 240", "steps = 40");
    let text = text.as_str();
    let whole = files(folder.path(), "whole", false);
    let counter = Counter::new(u64::MAX);
    assert!(!counter.train(&recipe(folder.path(), text), &whole));
    let stages = counter.seen.into_inner().unwrap().stages;
    let (reading, teacher) = (["train.conllu", "dev.conllu", "texts"], ["the teacher", "the model"]);
    let [teacher, model] = teacher.map(|what| format!("training {what}"));
    let mut expected: Vec<String> = reading.map(|what| format!("reading {what}")).to_vec();
    expected.extend([teacher, "scoring".into(), "labelling".into(), model, "scoring".into()]);
    assert_eq!(stages, expected);
    // Within the teacher, within the model.
    for until in [30, 75] {
        let name = format!("broken-{until}");
        let first = files(folder.path(), &name, false);
        assert!(Counter::new(until).train(&recipe(folder.path(), text), &first));
        assert!(first.checkpoint().is_file() && !first.model.exists());
        assert_eq!(labelled(&first).exists(), until > 60);
        let counter = Counter::new(u64::MAX);
        let again = files(folder.path(), &name, true);
        assert!(!counter.train(&recipe(folder.path(), text), &again));
        assert_eq!(counter.steps(), 100 - until, "steps that were kept are not taken again");
        assert!(std::fs::read(&again.model).unwrap() == std::fs::read(&whole.model).unwrap());
        assert!(
            std::fs::read(again.beside(TEACHER_FILE)).unwrap() == std::fs::read(whole.beside(TEACHER_FILE)).unwrap()
        );
        assert!(!labelled(&again).exists() && !again.checkpoint().exists());
    }
}

#[test]
fn a_resumed_run_never_learns_from_the_teacher_of_another() {
    let folder = folder();
    let text = |steps: usize| {
        let teacher = TEACHER.replace("steps = 60", &format!("steps = {steps}"));
        recipe(folder.path(), &(short_recipe(20) + &teacher))
    };
    let whole = files(folder.path(), "whole", false);
    train_unseen(&text(30), &whole).unwrap();
    let break_off = |recipe: &DependencyRecipe, until: u64| {
        let first = files(folder.path(), "broken", false);
        assert!(Counter::new(until).train(recipe, &first));
    };
    // One teacher has labelled the texts; the next run has another teacher, and is stopped before it labels.
    break_off(&text(3), 8);
    let again = files(folder.path(), "broken", true);
    assert!(labelled(&again).is_file());
    std::fs::remove_file(again.checkpoint()).unwrap();
    break_off(&text(30), 5);
    let counter = Counter::new(u64::MAX);
    counter.train(&text(30), &again);
    assert!(counter.has_stage("labelling"));
    assert!(std::fs::read(&again.model).unwrap() == std::fs::read(&whole.model).unwrap());
}

#[test]
fn partial_files_of_killed_runs_are_removed() {
    let folder = folder();
    let place = files(folder.path(), "model", false);
    let left = ["model.1.partial", "model.checkpoint.22.partial", "model.labelled.conllu.gz.3.partial"];
    let of_others = ["models.1.partial", "other.1.partial", "model.partial.txt"];
    for name in left.iter().chain(&of_others) {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    let recipe = recipe(folder.path(), &short_recipe(1));
    train_unseen(&recipe, &place).unwrap();
    assert!(left.iter().all(|name| !folder.path().join(name).exists()));
    assert!(of_others.iter().all(|name| folder.path().join(name).exists()));
}

#[test]
fn another_version_of_tercet_is_another_run() {
    let plan = recipe(Path::new(""), RECIPE).plan();
    assert!(settings_of(&plan).starts_with(&format!("tercet {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_teacher_is_not_trained_twice() {
    let folder = folder();
    let text = short_recipe(5) + &TEACHER.replace("steps = 60", "steps = 4");
    let place = files(folder.path(), "model", false);
    train_unseen(&recipe(folder.path(), &text), &place).unwrap();
    let counter = Counter::new(u64::MAX);
    counter.train(&recipe(folder.path(), &text), &place);
    assert!(counter.has_stage(&format!("the teacher is {}", place.beside(TEACHER_FILE).display())));
    assert_eq!(counter.steps(), 5);
    let parser = DependencyParser::read(&place.model).unwrap();
    assert!(parser.record().notes.contains(&("labelled_texts".to_owned(), "40".to_owned())));
    // Another seed is another teacher.
    let mut other = recipe(folder.path(), &text);
    other.training.seed = 2;
    let counter = Counter::new(u64::MAX);
    counter.train(&other, &place);
    assert_eq!(counter.steps(), 9);
}

#[test]
fn the_state_of_another_run_is_refused_with_the_difference() {
    let folder = folder();
    let text = short_recipe(6);
    let first = files(folder.path(), "model", false);
    assert!(Counter::new(3).train(&recipe(folder.path(), &text), &first));
    let again = files(folder.path(), "model", true);
    let refused = |recipe: &DependencyRecipe| train_unseen(recipe, &again).unwrap_err().to_string();
    let mut other = recipe(folder.path(), &text);
    other.training.seed = 9;
    let error = refused(&other);
    assert!(error.contains("it is of a run with seed 1; this one has seed 9"), "{error}");
    let error = refused(&recipe(folder.path(), &text.replace("arc = 8", "arc = 9")));
    assert!(error.contains("it is of a run with arc 8; this one has arc 9"), "{error}");
    std::fs::write(folder.path().join("train.conllu"), toy_treebank(81, 0)).unwrap();
    let error = refused(&recipe(folder.path(), &text));
    assert!(error.contains("it is of a run on other data"), "{error}");
}
