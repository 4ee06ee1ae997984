//! Training to encoding on made-up pairs: the second sentence has the adjective of the first (entailment), its opposite
//! (contradiction), or another one (neutral).

use super::*;
use crate::cache::Cache;
use crate::encode::{InferSentEncoder, SentenceEncoder, WordCase, build};
use crate::error::Result;
use crate::progress::{Event, Progress};
use crate::recipe::ModelRecord;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use tempfile::TempDir;
use tercet_learn::training::TrainingFiles;
use tercet_math::random::Random;
use tercet_model::model_file::ModelFile;

const OPPOSITES: [[&str; 2]; 4] = [["big", "small"], ["old", "new"], ["Hot", "cold"], ["good", "bad"]];

/// A table of SICK's columns.
fn table(seed: u64, count: usize) -> String {
    let mut random = Random::stream(seed, "pairs", 0);
    let mut rows = "pair_ID\tsentence_A\tsentence_B\tentailment_judgment\n".to_owned();
    for number in 0..count {
        let (pair, side) = (random.below(4) as usize, random.below(2) as usize);
        let (label, other) = match random.below(3) {
            0 => ("ENTAILMENT", OPPOSITES[pair][side]),
            1 => ("CONTRADICTION", OPPOSITES[pair][1 - side]),
            _ => ("NEUTRAL", OPPOSITES[(pair + 1) % 4][side]),
        };
        rows.push_str(&format!("{number}\tthe cat is {}\tthe dog is {other}\t{label}\n", OPPOSITES[pair][side]));
    }
    rows
}

const RECIPE: &str = "kind = \"infersent\"
data.train = [\"train.tsv\"]
data.development = [\"dev.tsv\"]
data.test = [\"test.jsonl\"]
words.file = \"vectors.txt\"
words.case = \"then-lower\"
network.units = 6
network.hidden = 12
training.optimizer = \"adam\"
training.learning_rate = 0.02
training.rate_divisor = 1.2
training.batch = 16
training.epochs = 30
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("train.tsv", &table(1, 240));
    write("dev.tsv", &table(2, 60));
    let line = |first: &str, second: &str, label: &str| {
        format!("{{\"gold_label\":\"{label}\",\"sentence1\":\"{first}\",\"sentence2\":\"{second}\"}}\n")
    };
    let test = [line("the cat is old", "the dog is new", "contradiction"), line("a", "b", "-")].concat();
    write("test.jsonl", &test);
    let mut random = Random::stream(3, "vectors", 0);
    let mut vectors = String::new();
    for word in OPPOSITES.concat().into_iter().chain(["the", "cat", "dog", "<s>"]) {
        let numbers: Vec<String> = (0..4).map(|_| random.uniform(-1.0, 1.0).to_string()).collect();
        vectors.push_str(&format!("{} {}\n", word.to_lowercase(), numbers.join(" ")));
    }
    write("vectors.txt", &vectors);
    folder
}

fn trained(folder: &TempDir, recipe: &str, model: &str) -> Result<ModelRecord> {
    let recipe = InferSentRecipe::parse(recipe, folder.path())?;
    let files = TrainingFiles { model: folder.path().join(model), resume: false };
    train(&recipe, &files, Progress::none())
}

fn note<'a>(trained: &'a ModelRecord, key: &str) -> &'a str {
    &trained.notes.iter().find(|(known, _)| known == key).unwrap_or_else(|| panic!("{key}: {trained:?}")).1
}

#[test]
fn a_recipe_becomes_an_encoder() {
    let folder = folder();
    let model = trained(&folder, RECIPE, "m.safetensors").unwrap();
    let accuracy: f64 = note(&model, "development_accuracy").parse().unwrap();
    assert!(accuracy > 0.9, "{accuracy}");
    assert_eq!(note(&model, "trained_on"), "train.tsv (240)");
    assert_eq!(note(&model, "test"), "test.jsonl (1, and 1 without a label)");
    assert_eq!(note(&model, "test_accuracy"), "1.0000");
    let [path, vectors] = ["m.safetensors", "vectors.txt"].map(|name| folder.path().join(name));
    assert_eq!(ModelFile::read(&path, "infersent").unwrap().notes().len(), model.notes.len());
    let encoder = InferSentEncoder::open(&path, &vectors, &Cache::default()).unwrap();
    let signature = encoder.signature().to_string();
    assert!(note(&model, "vectors").starts_with(encoder.signature().option("vectors").unwrap()));
    assert!(signature.ends_with(",dim=12,tok=moses+noescape,case=then-lower"), "{signature}");
    let lines = ["The cat is HOT", "the cat is hot", "the cat is cold", ""];
    let encoded = encoder.encode(&lines).unwrap();
    assert!(encoded[0] == encoded[1] && encoded[1] != encoded[2]);
    // Only `<s>` is left of an empty line.
    assert!(encoded[3].iter().any(|number| *number != 0.0));
    let mixed = encoder.with_case(WordCase::Mixed).encode(&lines).unwrap();
    assert!(mixed[0] != mixed[1] && mixed[1] == encoded[1]);
    let spec = format!("infersent:model={},vectors={},case=mixed", path.display(), vectors.display());
    assert_eq!(build(&spec, crate::registry().context()).unwrap().encode(&lines).unwrap(), mixed);
}

#[test]
fn other_vectors_and_damaged_models_are_refused() {
    let folder = folder();
    trained(&folder, &RECIPE.replace("epochs = 30", "epochs = 1"), "m.safetensors").unwrap();
    let path = folder.path().join("m.safetensors");
    let other = folder.path().join("other.txt");
    fs::write(&other, "the 1 2 3 4\ncat 1 2 3 5\n").unwrap();
    let error = InferSentEncoder::open(&path, &other, &Cache::default()).unwrap_err().to_string();
    assert!(error.contains("other.txt: word vectors ") && error.ends_with("they do not belong together"), "{error}");
    let mut bytes = fs::read(&path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).unwrap();
    let error =
        InferSentEncoder::open(&path, &folder.path().join("vectors.txt"), &Cache::default()).unwrap_err().to_string();
    assert!(error.contains("its checksum differs"), "{error}");
}

#[test]
fn threads_do_not_change_a_byte_and_a_stopped_training_resumes() {
    let folder = folder();
    let recipe = RECIPE.replace("epochs = 30", "epochs = 4");
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| trained(&folder, &recipe, &format!("{threads}.safetensors"))).unwrap();
    }
    assert!(bytes("1.safetensors") == bytes("3.safetensors"));
    let parsed = InferSentRecipe::parse(&recipe, folder.path()).unwrap();
    let mut files = TrainingFiles { model: folder.path().join("stopped.safetensors"), resume: false };
    let stop = |event: &Event<'_>| match event {
        Event::Status { text, .. } if text.contains("dev accuracy") => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert!(train(&parsed, &files, Progress::new(&stop)).unwrap_err().to_string().contains("stopped"));
    assert!(files.checkpoint().is_file() && !files.model.is_file());
    files.resume = true;
    train(&parsed, &files, Progress::none()).unwrap();
    assert!(bytes("stopped.safetensors") == bytes("1.safetensors"));
    assert!(!files.checkpoint().exists());
}

#[test]
fn data_and_settings_that_do_not_fit_are_refused() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("empty.tsv", "");
    write("none.tsv", "gold_label\tsentence1\tsentence2\n-\ta\tb\n");
    write("one.tsv", "gold_label\tsentence1\tsentence2\nneutral\ta\tb\nneutral\tc\td\n");
    write("other.txt", "xyz 1 2\n<s> 0 1\n");
    let refused = |from: &str, to: &str| {
        assert!(RECIPE.contains(from));
        let error = trained(&folder, &RECIPE.replacen(from, to, 1), "m").unwrap_err().to_string();
        assert!(!folder.path().join("m").exists());
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    for (from, to, expected) in [
        ("train.tsv", "lost.tsv", "lost.tsv"),
        ("train.tsv", "lost*.tsv", "there is no file lost*.tsv"),
        ("train.tsv", "empty.tsv", "empty.tsv is empty: expected JSON lines"),
        ("train.tsv", "none.tsv", "none.tsv: no pair has a label: expected some with entailment"),
        ("train.tsv", "one.tsv", "one.tsv (2): all pairs have the label neutral: expected"),
        ("dev.tsv", "train.tsv", "train.tsv is in both training and development data"),
        ("test.jsonl", "train.tsv", "train.tsv is in both training and test data"),
        ("vectors.txt", "other.txt", "other.txt: no word of the texts has a vector"),
        ("[\"train.tsv\"]", "[]", "recipe:2: [data] train is empty: name files of pairs"),
        ("then-lower", "upper", "case cannot be \"upper\": expected lower, then-lower or mixed"),
        ("words.case = \"then-lower\"", "words.tokenizer = \"mosse\"", "tokenizer cannot be used: "),
        ("training.learning_rate = 0.02", "training.lowest_rate = 0.5", "lowest_rate is above the learning rate"),
        ("network.units = 6", "network.units = 0", "units cannot be 0: expected 1 at least"),
        ("\"adam\"", "\"adamax\"", "optimizer cannot be \"adamax\": expected sgd, adagrad or adam"),
    ] {
        let error = refused(from, to);
        assert!(error.contains(expected), "{expected}: {error}");
    }
}

#[test]
fn few_known_words_are_warned_about() {
    let folder = folder();
    fs::write(folder.path().join("vectors.txt"), "the 1 2\n").unwrap();
    let recipe = InferSentRecipe::parse(&RECIPE.replace("epochs = 30", "epochs = 1"), folder.path()).unwrap();
    let files = TrainingFiles { model: Path::new(folder.path()).join("m"), resume: false };
    let warnings = std::sync::Mutex::new(Vec::new());
    let hear = |event: &Event<'_>| {
        if let Event::Warning(warning) = event {
            warnings.lock().unwrap().push((*warning).clone());
        }
        ControlFlow::Continue(())
    };
    train(&recipe, &files, Progress::new(&hear)).unwrap();
    let warnings = warnings.into_inner().unwrap();
    assert!(matches!(warnings[..], [crate::warning::Warning::FewVectors { .. }]), "{warnings:?}");
}

#[test]
fn learning_rates_depend_on_the_optimizer_and_defaults_are_the_articles() {
    let rate = |line: &str| {
        let recipe = format!("kind = \"infersent\"\ndata.train = [\"x\"]\nwords.file = \"v\"\n{line}\n");
        InferSentRecipe::parse(&recipe, Path::new("")).unwrap().training.settings().optimizer.learning_rate
    };
    assert_eq!(rate(""), 0.1);
    assert_eq!(rate("training.optimizer = \"adam\""), 0.001);
    assert_eq!(rate("training.optimizer = \"adam\"\ntraining.learning_rate = 0.5"), 0.5);
    let recipe = InferSentRecipe::default();
    assert_eq!((recipe.network.units, recipe.network.hidden, recipe.training.batch), (2048, 512, 64));
}
