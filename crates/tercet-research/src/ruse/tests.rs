//! Training to scoring on made-up sentences: the more words of the reference a translation has, the higher its score.

use super::*;
use crate::blend;
use crate::metrics::{Metric, Segment, TranslationPair};
use crate::progress::Progress;
use crate::train::ModelRecord;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tercet_learn::training::TrainingFiles;
use tercet_math::random::Random;

const WORDS: [&str; 8] = ["red", "blue", "tall", "small", "old", "new", "good", "bad"];

/// Scored texts: of the five words of a reference, a translation has some, and other words in place of the rest.
fn write_set(folder: &Path, name: &str, count: usize) {
    let mut random = Random::stream(7, name, 0);
    let mut table = "score\treference\ttranslation\n".to_owned();
    for _ in 0..count {
        let mut draw = |below: u64| random.below(below) as usize;
        let reference: Vec<&str> = (0..5).map(|_| WORDS[draw(8)]).collect();
        let kept = draw(6);
        let translation: Vec<&str> =
            reference.iter().enumerate().map(|(at, word)| if at < kept { word } else { WORDS[draw(8)] }).collect();
        let same = reference.iter().zip(&translation).filter(|(one, other)| one == other).count();
        let score = same as f64 / 5.0 + 0.1 * draw(3) as f64;
        table.push_str(&format!("{score}\t{}\t{}\n", reference.join(" "), translation.join(" ")));
    }
    fs::write(folder.join(name), table).unwrap();
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write_set(folder.path(), "train.tsv", 150);
    let mut random = Random::stream(3, "vectors", 0);
    let mut vectors = String::new();
    for word in WORDS {
        let numbers: Vec<String> = (0..4).map(|_| random.uniform(-1.0, 1.0).to_string()).collect();
        vectors.push_str(&format!("{word} {}\n", numbers.join(" ")));
    }
    fs::write(folder.path().join("vectors.txt"), vectors).unwrap();
    folder
}

const RUSE: &str = "kind = \"ruse\"
data.train = [\"train.tsv\"]
inputs.encoders = [\"average:file=vectors.txt\"]
regression.folds = 5
regression.c = [0.1, 1.0]
regression.epsilon = [0.1]
regression.gamma = [0.1, 1.0]
";

const BLEND: &str = "kind = \"blend\"
data.train = [\"train.tsv\"]
inputs.metrics = [\"chrf\", \"wer\", \"nist\"]
inputs.components = [\"bleu\"]
";

/// Trains a recipe of either kind; the model is beside its data.
fn trained(folder: &TempDir, recipe: &str) -> Result<ModelRecord> {
    let path = folder.path().join("recipe.toml");
    fs::write(&path, recipe).unwrap();
    let recipe = crate::train::read(&path, None, None)?;
    let model = recipe.model_file();
    recipe.train(&TrainingFiles { model, resume: false }, &crate::registry(), Progress::none())
}

fn note(trained: &ModelRecord, key: &str) -> String {
    trained.notes.iter().find(|(known, _)| known == key).map(|(_, value)| value.clone()).unwrap()
}

fn metric(folder: &TempDir, kind: &str) -> Arc<dyn Metric> {
    crate::registry()
        .build(&format!("{kind}:model={}", folder.path().join(format!("{kind}.safetensors")).display()))
        .unwrap()
}

fn scores(metric: &dyn Metric, segments: &[(&str, &[&str])]) -> Vec<f64> {
    let batch: Vec<Segment<'_>> =
        segments.iter().map(|(hypothesis, references)| Segment::new(hypothesis, references)).collect();
    metric.segment_scores(&batch).unwrap()
}

#[test]
fn sentence_vectors_tell_good_from_bad() {
    let folder = folder();
    let trained = trained(&folder, RUSE).unwrap();
    let agreement: f64 = note(&trained, "cross_validation_pearson").parse().unwrap();
    assert!(agreement > 0.5, "{agreement}");
    assert!(note(&trained, "chosen").starts_with("svr, c "), "{}", note(&trained, "chosen"));
    assert_eq!(note(&trained, "trained_on"), "train (150)");
    let ruse = metric(&folder, "ruse");
    let found = scores(
        ruse.as_ref(),
        &[
            ("red tall old new good", &["red tall old new good"]),
            ("blue small bad bad blue", &["red tall old new good"]),
            ("", &["red tall old new good"]),
            ("unknown words", &[""]),
            ("red tall old new good", &["red tall old new good", "blue small bad bad blue"]),
        ],
    );
    assert!(found[0] > found[1] + 0.2, "{found:?}");
    assert!(found.iter().all(|score| score.is_finite()));
    let second = scores(ruse.as_ref(), &[("red tall old new good", &["blue small bad bad blue"])]);
    assert_eq!(found[4], (found[0] + second[0]) / 2.0);
    assert_eq!((ruse.title(), ruse.signature().name()), ("RUSE".to_owned(), "ruse"));
}

#[test]
fn scores_of_metrics_are_combined_by_every_method() {
    let folder = folder();
    for method in ["svr", "ridge", "mlp"] {
        let trained = trained(&folder, &format!("{BLEND}regression.method = \"{method}\"\n")).unwrap();
        let agreement: f64 = note(&trained, "cross_validation_pearson").parse().unwrap();
        assert!(agreement > 0.7, "{method}: {agreement}");
        assert!(note(&trained, "chosen").starts_with(method));
        let blend = metric(&folder, "blend");
        let found = scores(
            blend.as_ref(),
            &[("red tall old new good", &["red tall old new good"]), ("bad", &["red tall old new good"])],
        );
        assert!(found[0] > found[1], "{method}: {found:?}");
    }
}

#[test]
fn a_ranking_svm_learns_from_rankings() {
    let folder = folder();
    let rankings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rankings");
    let recipe = format!(
        "kind = \"blend\"\ndata.train = [{:?}]\ninputs.metrics = [\"chrf\", \"wer\"]\n\
         regression.method = \"ranking-svm\"\nregression.folds = 3\n",
        rankings.display().to_string()
    );
    let trained_on = trained(&folder, &recipe).unwrap();
    assert!(note(&trained_on, "chosen").starts_with("ranking-svm, c "));
    let blend = metric(&folder, "blend");
    let found = scores(blend.as_ref(), &[("a small cat", &["a small cat"]), ("tree", &["a small cat"])]);
    assert!(found[0] > found[1], "{found:?}");
    let scores_wanted = recipe.replace("method = \"ranking-svm\"", "method = \"ridge\"");
    let error = trained(&folder, &scores_wanted).unwrap_err().to_string();
    let expected = "no scores of segments, only rankings (from which [regression] method = \"ranking-svm\" learns)";
    assert!(error.ends_with(expected), "{error}");
    let pairs_wanted = format!("{BLEND}regression.method = \"ranking-svm\"\n");
    let error = trained(&folder, &pairs_wanted).unwrap_err().to_string();
    assert!(error.contains("no judgements of which of two translations is better"), "{error}");
}

#[test]
fn batches_and_threads_change_no_bit() {
    let folder = folder();
    trained(&folder, RUSE).unwrap();
    let ruse = metric(&folder, "ruse");
    let references = ["red tall old new good"];
    let texts = ["red tall", "good", "new good old bad", "", "blue blue"];
    let all: Vec<(&str, &[&str])> = texts.iter().map(|text| (*text, &references[..])).collect();
    let together = scores(ruse.as_ref(), &all);
    for (one, expected) in all.iter().zip(&together) {
        assert_eq!(scores(ruse.as_ref(), &[*one])[0].to_bits(), expected.to_bits());
    }
    let bytes = fs::read(folder.path().join("ruse.safetensors")).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.install(|| trained(&folder, RUSE)).unwrap();
    assert_eq!(fs::read(folder.path().join("ruse.safetensors")).unwrap(), bytes);
}

#[test]
fn the_preference_is_antisymmetric() {
    let folder = folder();
    trained(&folder, BLEND).unwrap();
    let spec = format!("blend:model={}", folder.path().join("blend.safetensors").display());
    let blend = crate::registry().preference(&spec, None).unwrap();
    let references = ["red tall old new good"];
    let blend = blend.prepare(&[&references]).unwrap().unwrap();
    let pair = |a, b| TranslationPair { a, b, references: &references, source: None };
    let p = blend.prefer_all(&[pair(references[0], "bad"), pair("bad", references[0]), pair("x", "x")]).unwrap();
    assert!(p[0] > 0.6, "{p:?}");
    assert_eq!((p[0] + p[1], p[2]), (1.0, 0.5));
}

#[test]
fn files_that_moved_are_found_and_others_are_refused() {
    let folder = folder();
    trained(&folder, RUSE).unwrap();
    let expected = scores(metric(&folder, "ruse").as_ref(), &[("red tall", &["red"])]);
    let elsewhere = tempfile::tempdir().unwrap();
    let moved = elsewhere.path().join("vectors.txt");
    fs::rename(folder.path().join("vectors.txt"), &moved).unwrap();
    let spec = format!("ruse:model={}", folder.path().join("ruse.safetensors").display());
    let error = crate::registry().build(&spec).err().unwrap().to_string();
    assert!(error.contains("if it has moved, name its folder with ruse:model=…,files=FOLDER"), "{error}");
    assert!(error.contains("vectors.txt"), "{error}");
    let with_folder = crate::registry().build(&format!("{spec},files={}", elsewhere.path().display())).unwrap();
    assert_eq!(scores(with_folder.as_ref(), &[("red tall", &["red"])]), expected);
    fs::write(folder.path().join("vectors.txt"), "red 1 2 3 4\n").unwrap();
    let error = crate::registry().build(&spec).err().unwrap().to_string();
    assert!(error.contains("it was trained with the encoder average:"), "{error}");
    let error = crate::registry().build(&spec.replacen("ruse", "blend", 1)).err().unwrap().to_string();
    assert!(error.contains("ruse"), "{error}");
    assert!(crate::registry().build("ruse").err().unwrap().to_string().contains("it needs model=FILE"));
}

#[test]
fn an_encoder_with_its_default_file_is_found_again() {
    let folder = folder();
    let recipe = RUSE.replace("[\"average:file=vectors.txt\"]", "[\"syntax:file=auto\"]");
    trained(&folder, &recipe).unwrap();
    let spec = format!("ruse:model={}", folder.path().join("ruse.safetensors").display());
    assert_eq!(crate::registry().build(&spec).err().map(|error| error.to_string()), None);
}

#[test]
fn bad_recipes_are_named() {
    let folder = folder();
    let refused = |recipe: &str| trained(&folder, recipe).unwrap_err().to_string();
    let without = RUSE.replace("inputs.encoders = [\"average:file=vectors.txt\"]\n", "");
    assert!(refused(&without).contains("[inputs] has no features"), "{}", refused(&without));
    assert!(refused(&RUSE.replace("[\"train.tsv\"]", "[]")).contains("[data] train is empty"));
    let unused = format!("{RUSE}regression.penalty = [1.0]\n");
    assert!(refused(&unused).contains("[regression] penalty has no effect with method = \"svr\""));
    let negative = RUSE.replace("c = [0.1, 1.0]", "c = [0.1, -1.0]");
    assert!(refused(&negative).contains("[regression] c cannot have -1: expected numbers above 0"));
    let none = RUSE.replace("gamma = [0.1, 1.0]", "gamma = []");
    assert!(refused(&none).contains("[regression] gamma is empty"));
    let folds = RUSE.replace("folds = 5", "folds = 200");
    assert!(
        refused(&folds).contains(
            "[regression] folds cannot be 200: there are 150 examples (write folds = 150 or less, or give more data)"
        ),
        "{}",
        refused(&folds)
    );
    let pairs = RUSE.replace("[\"train.tsv\"]", "[{ file = \"train.tsv\", pairs = [\"de-en\"] }]");
    let expected = "train.tsv: it does not say its language pair: leave out `pairs`";
    assert!(refused(&pairs).ends_with(expected), "{}", refused(&pairs));
    let twice = RUSE.replace("[\"train.tsv\"]", "[\"train.tsv\", \"train.tsv\"]");
    let expected =
        "train is given twice (a set is known by the name of its folder or file: if they are two, rename one)";
    assert_eq!(refused(&twice), expected);
    let linear = format!("{RUSE}regression.kernel = \"linear\"\n");
    assert!(refused(&linear).contains("[regression] gamma has no effect with kernel = \"linear\""));
    for (table, expected) in [
        ("", "there are no judgements to learn from: few (0)"),
        ("1\tred\tblue\n", "[regression] folds cannot be 5: there is 1 example (give more data)"),
        (&"1\tred\tblue\n1\tred\told\n".repeat(3), "all scores are 1: there is nothing to learn"),
    ] {
        fs::write(folder.path().join("few.tsv"), format!("score\treference\ttranslation\n{table}")).unwrap();
        assert_eq!(refused(&RUSE.replace("train.tsv", "few.tsv")), expected);
    }
    let ranked = format!("{RUSE}regression.method = \"ranking-svm\"\n");
    let ranked = ranked.replace("regression.epsilon = [0.1]\nregression.gamma = [0.1, 1.0]\n", "");
    assert!(refused(&ranked).starts_with("train: no judgements of which of two"), "{}", refused(&ranked));
    let scaling = format!("{RUSE}regression.scaling = \"blocks\"\n");
    assert!(refused(&scaling).contains("scaling cannot be \"blocks\""), "{}", refused(&scaling));
}

#[test]
fn the_lists_of_keys_are_recipes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recipe.toml");
    for (kind, keys) in [("ruse", include_str!("keys.toml")), ("blend", include_str!("../blend/keys.toml"))] {
        fs::write(&path, keys).unwrap();
        assert_eq!(crate::train::read(&path, None, None).unwrap().kind(), kind);
    }
    let keys = blend::BlendRecipe::parse(include_str!("../blend/keys.toml"), folder.path()).unwrap();
    assert_eq!(keys.inputs.metrics, blend::DEFAULT_METRICS);
    for metric in blend::DEFAULT_METRICS {
        crate::registry().build(metric).unwrap();
    }
}

#[test]
fn a_constant_feature_does_no_harm() {
    let folder = folder();
    // The length of every reference is 5.
    let recipe = BLEND.replace("[\"bleu\"]", "[\"wer\"]");
    for scaling in ["none", "range", "standard", "block"] {
        let trained = trained(&folder, &format!("{recipe}regression.scaling = \"{scaling}\"\n")).unwrap();
        assert!(note(&trained, "cross_validation_pearson").parse::<f64>().unwrap() > 0.5, "{scaling}");
    }
}

#[test]
fn a_training_cannot_be_resumed() {
    let folder = folder();
    let recipe = RuseRecipe::parse(RUSE, folder.path()).unwrap();
    let files = TrainingFiles { model: folder.path().join("m"), resume: true };
    let error = train(&recipe, &files, &crate::registry(), Progress::none()).err().unwrap().to_string();
    assert!(error.contains("nothing to resume"), "{error}");
}
