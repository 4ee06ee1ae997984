//! Training to scoring on made-up sentences. Reference and translation have the same words, up to the first; how
//! similar they are depends on their trees alone.

use super::*;

use crate::progress::Progress;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use tercet_learn::training::TrainingFiles;
use tercet_math::random::Random;
use tercet_model::model_file::{ModelFile, Numbers};

const WORDS: [&str; 8] = ["red", "blue", "tall", "small", "old", "new", "good", "bad"];

/// Scored texts: 5 if translation and reference have the same root, else 1. Trees are flat: all words depend on the
/// root.
fn write_set(folder: &Path, name: &str, count: usize, trees: &mut String) {
    let mut random = Random::stream(7, name, 0);
    let mut draw = |below: usize| random.uniform(0.0, below as f32) as usize % below;
    let mut table = "score\treference\ttranslation\n".to_owned();
    for _ in 0..count {
        let words: Vec<&str> = (0..4).map(|_| WORDS[draw(WORDS.len())]).collect();
        let (root, other) = (draw(4), draw(4));
        let [reference, translation] = ["x", "y"].map(|first| format!("{first} {}", words.join(" ")));
        // A text has one tree.
        if trees.contains(&format!("# text = {reference}\n")) {
            continue;
        }
        let score = if root == other { 5 } else { 1 };
        table.push_str(&format!("{score}\t{reference}\t{translation}\n"));
        for (text, root) in [(reference, root), (translation, other)] {
            trees.push_str(&format!("# text = {text}\n"));
            for (at, word) in text.split(' ').enumerate() {
                let head = if at == root + 1 { 0 } else { root + 2 };
                trees.push_str(&format!("{}\t{word}\t_\t_\t_\t_\t{head}\tdep\t_\t_\n", at + 1));
            }
            trees.push('\n');
        }
    }
    fs::write(folder.join(name), table).unwrap();
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut trees = String::new();
    write_set(folder.path(), "train.tsv", 160, &mut trees);
    write_set(folder.path(), "held-out.tsv", 80, &mut trees);
    fs::write(folder.path().join("trees.conllu"), trees).unwrap();
    let mut random = Random::stream(3, "vectors", 0);
    let mut vectors = String::new();
    for word in WORDS.iter().chain(&["x", "y", "the", "cat", "sat"]) {
        let numbers: Vec<String> = (0..4).map(|_| random.uniform(-1.0, 1.0).to_string()).collect();
        vectors.push_str(&format!("{word} {}\n", numbers.join(" ")));
    }
    fs::write(folder.path().join("vectors.txt"), vectors).unwrap();
    folder
}

const RECIPE: &str = "kind = \"reval\"
data.scored = [\"train.tsv\"]
data.development = [\"held-out.tsv\"]
words.file = \"vectors.txt\"
trees.files = [\"trees.conllu\"]
network.memory = 8
network.hidden = 6
training.epochs = 40
training.batch = 8
";

fn trained(folder: &TempDir, recipe: &str) -> Result<RevalModel> {
    let recipe = RevalRecipe::parse(recipe, folder.path())?;
    let files = TrainingFiles { model: folder.path().join("reval.safetensors"), resume: false };
    train(&recipe, &files, Progress::none())
}

fn note(model: &RevalModel, key: &str) -> f64 {
    let (_, value) = model.record().notes.iter().find(|(known, _)| known == key).unwrap();
    value.split(' ').next().unwrap().parse().unwrap()
}

/// A small model that reads the trees of the embedded parser.
fn parsing_model(folder: &TempDir, more: &str) -> PathBuf {
    let recipe = RECIPE.replace("trees.files = [\"trees.conllu\"]\n", "").replace("epochs = 40", "epochs = 2");
    trained(folder, &format!("{recipe}{more}")).unwrap();
    folder.path().join("reval.safetensors")
}

fn scores(metric: &dyn Metric, segments: &[(&str, &[&str])]) -> Vec<f64> {
    let batch: Vec<Segment<'_>> =
        segments.iter().map(|(hypothesis, references)| Segment::new(hypothesis, references)).collect();
    metric.segment_scores(&batch).unwrap()
}

#[test]
fn a_tree_lstm_learns_what_only_trees_tell() {
    let folder = folder();
    let by_trees = note(&trained(&folder, RECIPE).unwrap(), "development_pearson");
    let words_only = RECIPE.replace("trees.files = [\"trees.conllu\"]", "network.encoding = \"lstm\"");
    let by_words = note(&trained(&folder, &words_only).unwrap(), "development_pearson");
    assert!(by_trees > 0.75, "{by_trees}");
    assert!(by_words < 0.4, "{by_words}");
}

#[test]
fn a_model_scores_from_0_to_1_whatever_the_text() {
    let folder = folder();
    let path = parsing_model(&folder, "");
    let metric = Reval::open(&path).unwrap();
    let long = "The cat sat on the mat , and then it slept . ".repeat(420);
    let texts = ["", " ", "the", "Кошка сидит", "猫坐在垫子上。", "\u{feff}", "&quot; @-@ \u{301}", &long];
    for text in texts {
        for reference in ["", "The cat sat.", text] {
            let [score] = scores(&metric, &[(text, &[reference])])[..] else { panic!("one segment") };
            assert!((0.0..=1.0).contains(&score), "{text:?} {reference:?}: {score}");
        }
    }
    let similarity = metric.components(&Tally::new(vec![1.0, 2.0]))[0].clone();
    assert_eq!((similarity.name.as_str(), similarity.value), ("similarity", 3.0));
}

#[test]
fn scores_do_not_depend_on_the_batch_and_the_best_reference_counts() {
    let folder = folder();
    let metric = Reval::open(&parsing_model(&folder, "")).unwrap();
    let references: [&[&str]; 3] =
        [&["the red cat sat"], &["an old , small cat"], &["the red cat sat", "an old , small cat"]];
    let segments: Vec<(&str, &[&str])> = ["the tall cat", "a cat", "old and new"]
        .iter()
        .flat_map(|text| references.map(|references| (*text, references)))
        .collect();
    let together = scores(&metric, &segments);
    for (segment, score) in segments.iter().zip(&together) {
        assert_eq!(scores(&metric, &[*segment]), [*score], "{segment:?}");
    }
    for three in together.chunks(3) {
        assert_eq!(three[2], three[0].max(three[1]));
    }
}

#[test]
fn character_references_are_the_characters() {
    let folder = folder();
    let metric = Reval::open(&parsing_model(&folder, "")).unwrap();
    let plain: &[&str] = &["the cat's \"red\" & blue"];
    let found =
        scores(&metric, &[("the cat &quot;sat&quot; &#38; red", &["the cat&#39;s &quot;red&quot; &amp; blue"])]);
    assert_eq!(found, scores(&metric, &[("the cat \"sat\" & red", plain)]));
    assert_ne!(found, scores(&metric, &[("the cat red", plain)]));
}

#[test]
fn references_are_learned_as_their_own_best_translations() {
    let folder = folder();
    let recipe = format!("{RECIPE}data.identical = true\n");
    let similar = |model: &RevalModel| model.similarities(&[("x red blue tall", "x red blue tall")]).unwrap()[0];
    let given = |recipe: &str| {
        let recipe = recipe.replace("trees.files = [\"trees.conllu\"]\n", "network.encoding = \"lstm\"\n");
        similar(&trained(&folder, &recipe).unwrap())
    };
    assert!(given(&recipe) > 4.0, "{}", given(&recipe));
    assert!(given(RECIPE) < given(&recipe));
}

#[test]
fn a_preference_follows_the_scores() {
    let folder = folder();
    let path = parsing_model(&folder, "");
    let spec = format!("reval:model={}", path.display());
    let without = crate::registry().preference(&spec, None).unwrap().prefer(&["a"], "b", "c").unwrap_err().to_string();
    assert!(without.contains("the model has no slope"), "{without}");
    let several = "score\treference\ttranslation\n5\tred cat sat\tred cat\n3\tred cat sat\tcat\n1\tred cat sat\told\n";
    fs::write(folder.path().join("train.tsv"), several).unwrap();
    let path = parsing_model(&folder, "");
    let spec = format!("reval:model={}", path.display());
    let (metric, preference) =
        (crate::registry().build(&spec).unwrap(), crate::registry().preference(&spec, None).unwrap());
    let reference = ["the red cat sat"];
    let [a, b] = ["the red cat", "an old and bad cat"];
    let [of_a, of_b] = [a, b].map(|text| scores(metric.as_ref(), &[(text, &reference)])[0]);
    let p = preference.prefer(&reference, a, b).unwrap();
    assert_eq!(p + preference.prefer(&reference, b, a).unwrap(), 1.0);
    assert_eq!(preference.prefer(&reference, a, a).unwrap(), 0.5);
    let slope = Reval::open(&path).unwrap().model().slope.unwrap();
    assert!(slope >= 0.0);
    assert_eq!(p > 0.5, of_a > of_b && slope > 0.0);
}

#[test]
fn word_vectors_may_be_stored_as_8_bit_integers() {
    let folder = folder();
    let metric = Reval::open(&parsing_model(&folder, "words.further = 2\n")).unwrap();
    let segment: (&str, &[&str]) = ("the red cat", &["the tall cat sat"]);
    let exact = scores(&metric, &[segment])[0];
    assert_eq!(metric.model().words(), WORDS.len() + 2 + 2);
    let path = parsing_model(&folder, "words.further = 2\nmodel.precision = \"8-bit\"\n");
    let file = ModelFile::read(&path, "reval").unwrap();
    assert!(matches!(file.tensor("network.vectors").unwrap().values, Numbers::I8(_)));
    let metric = Reval::open(&path).unwrap();
    let near = scores(&metric, &[segment])[0];
    assert!((near - exact).abs() < 0.01 && near != exact, "{near} {exact}");
}

#[test]
fn a_mix_scores_long_sentences_with_its_second_network() {
    let folder = folder();
    let short_reference: (&str, &[&str]) = ("the small old red cat sat", &["the cat sat"]);
    let long_reference: (&str, &[&str]) = ("the cat sat", &["the small old red cat sat"]);
    let segments = [short_reference, long_reference, ("the cat", &["the cat"])];
    let of = |more: &str| scores(&Reval::open(&parsing_model(&folder, more)).unwrap(), &segments);
    let [first, second] = ["", "network.memory = 5\n"].map(|more| {
        let recipe = format!("{RECIPE}{more}").replacen(
            "network.memory = 8\n",
            if more.is_empty() { "network.memory = 8\n" } else { "" },
            1,
        );
        let recipe = recipe.replace("trees.files = [\"trees.conllu\"]\n", "").replace("epochs = 40", "epochs = 2");
        trained(&folder, &recipe).unwrap();
        scores(&Reval::open(&folder.path().join("reval.safetensors")).unwrap(), &segments)
    });
    assert_ne!(first, second);
    let by_reference = of("mix.words = 4\nmix.network.memory = 5\n");
    assert_eq!(by_reference, [first[0], second[1], first[2]]);
    let file = ModelFile::read(&folder.path().join("reval.safetensors"), "reval").unwrap();
    assert!(file.has("network.vectors") && !file.has("longer.vectors"));
    let by_translation = of("mix.words = 4\nmix.length = \"translation\"\nmix.network.memory = 5\n");
    assert_eq!(by_translation, [second[0], first[1], first[2]]);
}

#[test]
fn given_trees_are_used_and_asked_for() {
    let folder = folder();
    trained(&folder, RECIPE).unwrap();
    let model = folder.path().join("reval.safetensors");
    let spec = format!("reval:model={}", model.display());
    let refused = |spec: &str| crate::registry().build(spec).err().unwrap().to_string();
    assert!(refused(&spec).contains("give those of the texts with trees=FILE"), "{}", refused(&spec));
    let trees = folder.path().join("trees.conllu");
    let spec = format!("{spec},trees={}", trees.display());
    let metric = crate::registry().build(&spec).unwrap();
    let lines = fs::read_to_string(folder.path().join("held-out.tsv")).unwrap();
    let row: Vec<&str> = lines.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!(scores(metric.as_ref(), &[(row[2], &[row[1]])]).len(), 1);
    let printed = metric.signature().to_string();
    assert_eq!(crate::registry().build(&printed).unwrap().signature().to_string(), printed);
    let unknown = metric.segment_scores(&[Segment::new("not there", &[row[1]])]).unwrap_err().to_string();
    assert!(unknown.contains("trees.conllu has no tree for the line `not there`"), "{unknown}");
    let both = refused(&format!("{spec},parser={}", model.display()));
    assert!(both.contains("give trees=FILE or parser=FILE"), "{both}");
}

#[test]
fn a_model_that_does_not_fit_is_refused() {
    let folder = folder();
    let path = parsing_model(&folder, "");
    let spoiled = |change: &dyn Fn(&mut ModelFile)| {
        let mut file = ModelFile::read(&path, "reval").unwrap();
        change(&mut file);
        let other = folder.path().join("other.safetensors");
        file.write(&other).unwrap();
        Reval::open(&other).err().unwrap().to_string()
    };
    for (key, value, reason) in [
        ("trees", "0123abcd", "trained with the parser 0123abcd, which is not the one inside this version"),
        ("trees", "none", "its networks do not fit its trees (`none`)"),
        ("tokenizer", "13a", "its words are those of the tokenizer `13a`, expected ud-en"),
        ("words", "a\nb", "it has 2 words but"),
        ("version", "2", "a newer tercet reads it"),
        ("slope", "steep", "`slope` is `steep`"),
        ("slope", "NaN", "its slope is not a number"),
        ("network.memory", "9", "other sizes"),
        ("mix.words", "20", "mix.length"),
    ] {
        let found = spoiled(&|file| file.set(key, value));
        assert!(found.contains(reason), "{key}: {found}");
    }
    let refused = Reval::open(&folder.path().join("vectors.txt")).err().unwrap().to_string();
    assert!(refused.contains("vectors.txt"), "{refused}");
}

#[test]
fn texts_in_other_languages_than_english_are_warned_about() {
    let problem = |code: &str| {
        let language = crate::text::Language::target(code).unwrap();
        INFO.language_warning(&Spec::new("reval"), &language, false, false).map(|warning| warning.to_string())
    };
    assert_eq!(problem("en"), None);
    let expected = "reval: the text is German, and reval is for English: its words and its parser are";
    assert_eq!(problem("de").as_deref(), Some(expected));
}
