//! Training to scoring on made-up judgements: good translations repeat the reference, bad ones lose words.

use super::*;
use crate::learned::*;
use crate::metrics::{Preference, Segment};

use crate::progress::Progress as Reports;
use std::fs;
use tempfile::TempDir;
use tercet_base::progress::Progress;
use tercet_learn::networks::{Architecture, Encoding, FineTuning, PairSettings};
use tercet_learn::training::Checkpoints;

const WORDS: [&str; 12] = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "home", "and", "slept", "well"];

/// Sentences of eight words; the better of two translations has more of them.
fn judged(segments: usize, shift: usize) -> JudgedTexts {
    let mut judged = JudgedTexts { set: "made-up".to_owned(), pair: "xx-en".to_owned(), ..JudgedTexts::default() };
    for number in 0..segments {
        let word = |place: usize| WORDS[(number * 5 + place * place + shift + place) % WORDS.len()];
        let reference: Vec<&str> = (0..8).map(word).collect();
        let lost = |count: usize| reference[..8 - count].join(" ");
        let (some, more) = (number % 3, 2 + number % 3);
        let (a, b) = if number % 2 == 0 { (lost(some), lost(more)) } else { (lost(more), lost(some)) };
        judged.add_pair(&a, &b, &reference.join(" "));
        judged.pairs[number].a_is_better = number % 2 == 0;
    }
    judged
}

fn vectors() -> crate::vectors::WordVectors {
    let line =
        |(number, word): (usize, &&str)| format!("{word} {} {}\n", number as f64 / 10.0, 1.0 - number as f64 / 7.0);
    let text: String = WORDS.iter().enumerate().map(line).collect();
    crate::vectors::WordVectors::from_bytes(Path::new("v"), text.as_bytes(), None).unwrap()
}

fn features(judged: &JudgedTexts) -> Vec<FeatureColumn> {
    let mut columns = measure(&Feature::score("chrf"), judged, &crate::registry(), Reports::none()).unwrap();
    columns.extend(measure(&Feature::components("bleu"), judged, &crate::registry(), Reports::none()).unwrap());
    columns
}

fn plan(epochs: usize) -> Plan {
    Plan { training: PairSettings { epochs, seed: 3, ..PairSettings::default() }, ..Plan::default() }
}

fn all<'a>(judged: &'a JudgedTexts, inputs: &'a Inputs) -> LearningSet<'a> {
    LearningSet { judged, inputs, chosen: judged.sample(None, 0) }
}

fn tau(fitted: &Fitted, judged: &JudgedTexts, inputs: &Inputs) -> f64 {
    let logits = fitted.judge(judged, inputs).unwrap();
    let right = logits.iter().zip(&judged.pairs).filter(|(logits, pair)| (logits.logit() > 0.0) == pair.a_is_better);
    2.0 * right.count() as f64 / judged.pairs.len() as f64 - 1.0
}

#[test]
fn a_network_learns_which_is_better_and_scores_single_translations_accordingly() {
    let (seen, new) = (judged(60, 0), judged(40, 1));
    let [inputs, new_inputs] = [&seen, &new].map(|judged| Inputs { features: features(judged), ..Inputs::default() });
    let fitted =
        fit(&plan(30), &[all(&seen, &inputs)], &[all(&new, &new_inputs)], &mut Checkpoints::none(), Progress::none())
            .unwrap();
    assert_eq!(tau(&fitted, &new, &new_inputs), 1.0);
    for empty in [EmptyTranslation::Zeros, EmptyTranslation::Averages] {
        let scores = fitted.scores(&new, &new_inputs, empty).unwrap();
        let agree = |pair: &&JudgedPair| (scores[pair.a as usize] > scores[pair.b as usize]) == pair.a_is_better;
        assert_eq!(new.pairs.iter().filter(agree).count(), new.pairs.len(), "{empty:?}");
    }
    assert!(fitted.asymmetry() > 0.0 && fitted.asymmetry() < 0.2, "{}", fitted.asymmetry());
}

#[test]
fn encoders_learn_with_the_network_beside_fixed_vectors() {
    let (seen, vectors) = (judged(40, 0), vectors());
    let vocabulary = Vocabulary::pretrained(seen.texts(), &vectors).unwrap();
    let average = crate::encode::AverageEncoder::new(std::sync::Arc::new(vectors));
    let block = encode(&average, &seen, Progress::none()).unwrap();
    for encoding in ["average", "convolution 3 2 tanh", "lstm 3 hard", "bilstm 3 logistic"] {
        let words = WordPlan {
            encoding: encoding.parse::<Encoding>().unwrap(),
            fine_tuning: FineTuning::Full,
            embedding_dropout: 0.1,
            hidden_dropout: 0.0,
            matrix: vocabulary.matrix(),
        };
        let inputs = Inputs { words: Some(vocabulary.lists(&seen)), blocks: vec![block.clone()], ..Inputs::default() };
        let plan = Plan { words: Some(words), hidden: 3, ..plan(40) };
        let fitted = fit(&plan, &[all(&seen, &inputs)], &[], &mut Checkpoints::none(), Progress::none()).unwrap();
        let outcome = fitted.outcome().unwrap();
        let (first, last) = (outcome.history[0].loss, outcome.history.last().unwrap().loss);
        assert!(last < first, "{encoding}: {first} {last}");
        assert_eq!(fitted.scores(&seen, &inputs, EmptyTranslation::Averages).unwrap().len(), seen.translations.len());
    }
}

/// A model on disk, trained on chrF, components of BLEU, averages of words and a learned encoder.
fn model(folder: &TempDir, learned: bool) -> PathBuf {
    let file = folder.path().join("v.txt");
    let text: String = WORDS.iter().enumerate().map(|(i, word)| format!("{word} {i} {}\n", i * i % 7)).collect();
    fs::write(&file, text).unwrap();
    let seen = judged(60, 0);
    let encoder_text = format!("average:file={}", file.display());
    let encoder = crate::encode::build(&encoder_text, crate::registry().context()).unwrap();
    let vocabulary = learned.then(|| Vocabulary::random(seen.texts(), 3, 1).unwrap());
    let inputs = Inputs {
        features: features(&seen),
        blocks: vec![encode(encoder.as_ref(), &seen, Progress::none()).unwrap()],
        words: vocabulary.as_ref().map(|vocabulary| vocabulary.lists(&seen)),
    };
    let words = vocabulary.as_ref().map(|vocabulary| WordPlan {
        encoding: "bilstm 2 hard".parse().unwrap(),
        fine_tuning: FineTuning::Moderate,
        embedding_dropout: 0.0,
        hidden_dropout: 0.0,
        matrix: vocabulary.matrix(),
    });
    let fitted =
        fit(&Plan { words, ..plan(10) }, &[all(&seen, &inputs)], &[], &mut Checkpoints::none(), Progress::none())
            .unwrap();
    let features = [Feature::score("chrf"), Feature::components("bleu")];
    let mut model =
        PairwiseModel::new(fitted, &features, vec![encoder_text], vec![encoder], vocabulary, &crate::registry())
            .unwrap();
    model.set_note("seed", 3);
    let path = folder.path().join("model.safetensors");
    model.write(&path).unwrap();
    path
}

#[test]
fn a_model_read_from_its_file_gives_the_same_scores() {
    for learned in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = model(&folder, learned);
        let spec = format!("pairwise:model={},empty=zeros", path.display());
        let metric = crate::registry().build(&spec).unwrap();
        let again = crate::registry().build(&metric.signature().to_string()).unwrap();
        let references = ["the cat sat on a mat and slept", "the cat slept well"];
        let segments = [Segment::new("the cat sat", &references), Segment::new("a dog ran home", &references[1..])];
        let both = metric.tally(&segments).unwrap();
        assert_eq!(both, again.tally(&segments).unwrap());
        // Scores do not depend on other segments or their order; several references are averaged.
        assert_eq!(both[1..], metric.tally(&segments[1..]).unwrap());
        let single = |reference: usize| {
            let tally = metric.tally(&[Segment::new("the cat sat", &references[reference..=reference])]).unwrap();
            metric.segment_score(&tally[0])
        };
        assert_eq!(both[0][0], (single(0) + single(1)) / 2.0);
        let opened = open(&path, &crate::registry()).unwrap();
        assert_eq!(opened.record().notes, [("seed".to_owned(), "3".to_owned())]);
    }
}

#[test]
fn preferences_are_antisymmetric_and_equal_translations_get_one_half() {
    let folder = tempfile::tempdir().unwrap();
    let pairwise = open(&model(&folder, true), &crate::registry()).unwrap();
    let references = ["the cat sat on a mat", "the cat slept"];
    let (good, bad) = ("the cat sat on a mat", "dog");
    let prefer = |a: &str, b: &str| pairwise.prefer(&references, a, b).unwrap();
    assert!(prefer(good, bad) > 0.5);
    assert_eq!(prefer(good, bad) + prefer(bad, good), 1.0);
    assert_eq!(prefer(bad, bad), 0.5);
}

#[test]
fn a_model_needs_the_resources_it_was_trained_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = model(&folder, false);
    let moved = folder.path().join("moved.txt");
    fs::rename(folder.path().join("v.txt"), &moved).unwrap();
    let refused = |spec: String| crate::registry().build(&spec).err().map(|error| error.to_string()).unwrap();
    let lost = refused(format!("pairwise:model={}", path.display()));
    assert!(lost.contains("v.txt") && lost.contains("vectors=FILE"), "{lost}");
    assert!(crate::registry().build(&format!("pairwise:model={},vectors={}", path.display(), moved.display())).is_ok());
    fs::write(folder.path().join("v.txt"), "cat 1 2\n").unwrap();
    let other = refused(format!("pairwise:model={}", path.display()));
    assert!(other.contains("it was trained with average:vectors="), "{other}");
    let useless = refused(format!("pairwise:model={},sentences=x", path.display()));
    assert!(useless.contains("it uses no sentences"), "{useless}");
    fs::write(&moved, "cat 1 2 3\n").unwrap();
    let wider = refused(format!("pairwise:model={},vectors={}", path.display(), moved.display()));
    assert!(wider.contains("dim=3"), "{wider}");
    assert!(refused("pairwise".to_owned()).contains("it needs model=FILE"));
    fs::write(&path, b"not a model").unwrap();
    assert!(refused(format!("pairwise:model={}", path.display())).contains("model.safetensors"));
}

#[test]
fn an_absolute_score_is_the_margin_over_an_empty_translation_in_both_orders() {
    let seen = judged(30, 0);
    let vectors = vectors();
    let average = crate::encode::AverageEncoder::new(std::sync::Arc::new(vectors));
    let inputs = Inputs {
        features: features(&seen),
        blocks: vec![encode(&average, &seen, Progress::none()).unwrap()],
        ..Inputs::default()
    };
    let fitted = fit(&plan(5), &[all(&seen, &inputs)], &[], &mut Checkpoints::none(), Progress::none()).unwrap();
    // In the middle of every range a translation is zero: the empty one, written out.
    let mut with_empty = inputs.clone();
    let middle = |values: &[f64]| {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        (low + values.iter().copied().fold(f64::NEG_INFINITY, f64::max)) / 2.0
    };
    with_empty.features.iter_mut().for_each(|column| {
        let empty = middle(&column.values);
        column.values.push(empty);
    });
    let block = &mut with_empty.blocks[0];
    let columns: Vec<Vec<f64>> = (0..2)
        .map(|dimension| (0..60).map(|row| f64::from(block.translations.row(row)[dimension])).collect())
        .collect();
    let empty: Vec<f32> = columns.iter().map(|values| middle(values) as f32).collect();
    block.translations = tercet_math::Matrix::new(61, 2, [block.translations.values(), &empty].concat()).unwrap();
    let mut pairs = seen.clone();
    pairs.translations.push(Translation { segment: 0, text: String::new() });
    pairs.pairs = (0..2).map(|a| JudgedPair { a, b: 60, a_is_better: true }).collect();
    let scores = fitted.scores(&seen, &inputs, EmptyTranslation::Zeros).unwrap();
    let p = |logit: f32| 1.0 / (1.0 + (-f64::from(logit)).exp());
    for (logits, score) in fitted.judge(&pairs, &with_empty).unwrap().iter().zip(&scores) {
        let expected = p(logits.forward) - p(logits.backward);
        assert!((expected - score).abs() < 1e-6, "{expected} {score}");
    }
    // The averages are those of normalised training translations, each as often as it is in a pair.
    let (ranges, averages) = (&fitted.scaling.translations, &fitted.averages);
    let mean = |dimension: usize| {
        columns[dimension].iter().map(|v| f64::from(ranges.apply(dimension, *v))).sum::<f64>() / 60.0
    };
    assert!(
        (mean(0) - f64::from(averages.vector[0])).abs() < 1e-6
            && (mean(1) - f64::from(averages.vector[1])).abs() < 1e-6
    );
}

#[test]
fn translations_and_references_are_normalised_each_by_their_own_range() {
    let seen = judged(2, 0);
    let matrix = |rows: usize, values: Vec<f32>| tercet_math::Matrix::new(rows, 1, values).unwrap();
    let block = Block {
        name: "x".to_owned(),
        translations: matrix(4, vec![0.0, 1.0, 2.0, 4.0]),
        references: matrix(2, vec![10.0, 30.0]),
    };
    let inputs = Inputs { blocks: vec![block], ..Inputs::default() };
    let sets = [all(&seen, &inputs)];
    let scaling = tables::Scaling::fit(&sets);
    let (vectors, _) = tables::Tables::from_sets(&sets, &scaling).matrices(&scaling).unwrap();
    assert_eq!(vectors.values(), [-1.0, -0.5, 0.0, 1.0, -1.0, 1.0]);
}

#[test]
fn language_pairs_with_only_ties_are_ignored() {
    let seen = judged(10, 0);
    let inputs = Inputs { features: features(&seen), ..Inputs::default() };
    let (none, nothing) = (JudgedTexts::default(), Inputs::default());
    let sets = [all(&none, &nothing), all(&seen, &inputs)];
    assert!(fit(&plan(2), &sets, &sets, &mut Checkpoints::none(), Progress::none()).is_ok());
}

#[test]
fn sentence_vectors_of_new_texts_come_from_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old.tsv"), folder.path().join("new.tsv"));
    let seen = judged(10, 0);
    let rows: String = seen.texts().map(|text| format!("{text}\t{} 1\n", text.len())).collect();
    fs::write(&old, rows).unwrap();
    let text = format!("precomputed:file={}", old.display());
    let encoder = crate::encode::build(&text, crate::registry().context()).unwrap();
    let inputs =
        Inputs { blocks: vec![encode(encoder.as_ref(), &seen, Progress::none()).unwrap()], ..Inputs::default() };
    let fitted = fit(&plan(2), &[all(&seen, &inputs)], &[], &mut Checkpoints::none(), Progress::none()).unwrap();
    let path = folder.path().join("model");
    PairwiseModel::new(fitted, &[], vec![text], vec![encoder], None, &crate::registry()).unwrap().write(&path).unwrap();
    fs::write(&new, "a new line\t7 1\nits reference\t9 1\n").unwrap();
    let metric =
        crate::registry().build(&format!("pairwise:model={},sentences={}", path.display(), new.display())).unwrap();
    assert!(metric.tally(&[Segment::new("a new line", &["its reference"])]).is_ok());
    fs::write(&new, "a new line\t7 1 3\n").unwrap();
    let wider = crate::registry().build(&format!("pairwise:model={},sentences={}", path.display(), new.display()));
    assert!(wider.err().unwrap().to_string().contains("trained with precomputed:dim=2"));
}

#[test]
fn one_file_of_sentence_vectors_cannot_replace_two() {
    let folder = tempfile::tempdir().unwrap();
    let seen = judged(10, 0);
    let (mut texts, mut encoders, mut inputs) = (Vec::new(), Vec::new(), Inputs::default());
    for (name, second) in [("a.tsv", 1), ("b.tsv", 2)] {
        let path = folder.path().join(name);
        let rows: String = seen.texts().map(|text| format!("{text}\t{} {second}\n", text.len())).collect();
        fs::write(&path, rows).unwrap();
        let text = format!("precomputed:file={}", path.display());
        let encoder = crate::encode::build(&text, crate::registry().context()).unwrap();
        inputs.blocks.push(encode(encoder.as_ref(), &seen, Progress::none()).unwrap());
        texts.push(text);
        encoders.push(encoder);
    }
    let fitted = fit(&plan(2), &[all(&seen, &inputs)], &[], &mut Checkpoints::none(), Progress::none()).unwrap();
    let path = folder.path().join("model");
    PairwiseModel::new(fitted, &[], texts, encoders, None, &crate::registry()).unwrap().write(&path).unwrap();
    assert!(crate::registry().build(&format!("pairwise:model={}", path.display())).is_ok());
    let both = crate::registry()
        .build(&format!("pairwise:model={},sentences=a.tsv", path.display()))
        .err()
        .unwrap()
        .to_string();
    assert!(both.contains("it uses 2 files of precomputed vectors"), "{both}");
}

#[test]
fn syntax_vectors_come_from_the_parser_the_model_was_trained_with() {
    let folder = tempfile::tempdir().unwrap();
    let parser = folder.path().join("parser");
    fs::write(&parser, tercet_model_parsers::CONSTITUENCY_EN).unwrap();
    let seen = judged(10, 0);
    let text = format!("syntax:file={}", parser.display());
    let encoder = crate::encode::build(&text, crate::registry().context()).unwrap();
    let inputs =
        Inputs { blocks: vec![encode(encoder.as_ref(), &seen, Progress::none()).unwrap()], ..Inputs::default() };
    let fitted = fit(&plan(2), &[all(&seen, &inputs)], &[], &mut Checkpoints::none(), Progress::none()).unwrap();
    let path = folder.path().join("model");
    PairwiseModel::new(fitted, &[], vec![text], vec![encoder], None, &crate::registry()).unwrap().write(&path).unwrap();
    let moved = folder.path().join("moved");
    fs::rename(&parser, &moved).unwrap();
    let gone = crate::registry().build(&format!("pairwise:model={}", path.display())).err().unwrap().to_string();
    assert!(gone.contains("give its path with pairwise:model=…,parser=FILE"), "{gone}");
    let metric =
        crate::registry().build(&format!("pairwise:model={},parser={}", path.display(), moved.display())).unwrap();
    assert!(metric.tally(&[Segment::new("the cat sat", &["a cat sat down"])]).is_ok());
    let unused = crate::registry().build(&format!("pairwise:model={},vectors={}", path.display(), moved.display()));
    assert!(unused.err().unwrap().to_string().contains("it uses no vectors"));
}

#[test]
fn a_model_with_nan_or_infinite_numbers_is_refused() {
    use tercet_model::model_file::{ModelFile, Values};
    let folder = tempfile::tempdir().unwrap();
    let path = model(&folder, false);
    for (tensor, shape, values) in [
        ("average.vector", vec![2], Values::F32(vec![0.0, f32::NAN])),
        ("range.translations", vec![2, 2], Values::F64(vec![0.0, 1.0, f64::INFINITY, 1.0])),
        ("range.translations", vec![4], Values::F64(vec![0.0, 1.0, 0.0, 1.0])),
        ("range.translations", vec![2, 2], Values::F64(vec![1.0, 0.0, 0.0, 1.0])),
        ("average.vector", vec![1], Values::F32(vec![0.0])),
    ] {
        let mut file = ModelFile::read(&path, "pairwise").unwrap();
        file.add(tensor, shape, values);
        let damaged = folder.path().join("damaged");
        file.write(&damaged).unwrap();
        assert!(open(&damaged, &crate::registry()).is_err(), "{tensor}");
    }
    let mut file = ModelFile::read(&path, "pairwise").unwrap();
    file.set("features", "[\"pairwise:model=x\"]");
    file.write(&path).unwrap();
    assert!(open(&path, &crate::registry()).err().unwrap().to_string().contains("cannot be a feature of another"));
}

#[test]
fn a_model_whose_columns_are_not_those_of_its_features_is_refused() {
    use tercet_model::model_file::ModelFile;
    let folder = tempfile::tempdir().unwrap();
    let path = model(&folder, false);
    let file = ModelFile::read(&path, "pairwise").unwrap();
    let columns: Vec<String> = serde_json::from_str(file.get("columns").unwrap()).unwrap();
    let refused = |columns: &[String]| {
        let mut file = ModelFile::read(&path, "pairwise").unwrap();
        file.set("columns", &serde_json::to_string(columns).unwrap());
        let changed = folder.path().join("changed");
        file.write(&changed).unwrap();
        open(&changed, &crate::registry()).err().unwrap().to_string()
    };
    let exchanged: Vec<String> = columns.iter().rev().cloned().collect();
    assert!(refused(&exchanged).contains("brevity_penalty where its features give chrf"), "{}", refused(&exchanged));
    let fewer = &columns[..columns.len() - 1];
    assert!(refused(fewer).contains("trained with nothing where"), "{}", refused(fewer));
    let more = [&columns[..], &["ter".to_owned()]].concat();
    assert!(refused(&more).contains("trained with ter where its features give nothing"), "{}", refused(&more));
}

#[test]
fn training_sets_that_cannot_be_used_are_refused() {
    let seen = judged(10, 0);
    let inputs = Inputs { features: features(&seen), ..Inputs::default() };
    let none = LearningSet { chosen: Vec::new(), ..all(&seen, &inputs) };
    let refused = |training: &[LearningSet<'_>], development: &[LearningSet<'_>]| {
        fit(&plan(2), training, development, &mut Checkpoints::none(), Progress::none()).unwrap_err().to_string()
    };
    assert!(refused(&[none], &[]).contains("nothing to learn from"));
    assert!(refused(&[], &[]).contains("nothing to learn from"));
    let one_class = LearningSet { chosen: vec![0, 2, 4], ..all(&seen, &inputs) };
    let error = refused(&[all(&seen, &inputs)], &[one_class]);
    assert!(error.contains("of all its 3 pairs the first is better (one class)"), "{error}");
    let mut broken = inputs.clone();
    broken.features[0].values[3] = f64::INFINITY;
    assert!(refused(&[all(&seen, &broken)], &[]).contains("the feature chrf"));
    let other = Inputs { features: inputs.features[1..].to_vec(), ..Inputs::default() };
    let error = refused(&[all(&seen, &inputs)], &[all(&seen, &other)]);
    assert!(error.contains("was trained with the features chrf"), "{error}");
}

#[test]
fn architectures_without_vectors_or_features_are_built_as_asked() {
    let seen = judged(20, 0);
    let inputs = Inputs { features: features(&seen), ..Inputs::default() };
    for architecture in Architecture::VALUES {
        let plan = Plan { architecture, ..plan(3) };
        assert!(
            fit(&plan, &[all(&seen, &inputs)], &[], &mut Checkpoints::none(), Progress::none()).is_ok(),
            "{architecture:?}"
        );
    }
    let nothing = Inputs::default();
    assert!(fit(&plan(1), &[all(&seen, &nothing)], &[], &mut Checkpoints::none(), Progress::none()).is_err());
}
