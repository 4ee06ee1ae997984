use super::*;
use crate::context::Context;

use std::path::PathBuf;

/// A small model with random weights.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tercet-transformer/tests/small/bert")
}

fn metric(options: &str) -> Arc<dyn Metric> {
    crate::registry().build(&format!("bertscore:model={}{options}", folder().display())).unwrap()
}

const REFERENCE: [&str; 1] = ["The cat sat on the mat."];

#[test]
fn scores_are_those_of_pytorch() {
    // With the layers of small/expected.json as tensors, for hypothesis "cat" and reference "The cat sat on the mat.":
    // cosine = normalize(h) @ normalize(r).T; P = cosine.max(1).values.mean(); R = cosine.max(0).values.mean()
    // [CLS] and [SEP] are in no mean, but they are partners unless special=no.
    let expected: Vec<serde_json::Value> =
        serde_json::from_slice(&std::fs::read(folder().join("expected.json")).unwrap()).unwrap();
    let tokens = |line: usize, layer: usize| -> Vec<Vec<f64>> {
        let numbers = expected[line]["layers"][layer].as_array().unwrap();
        let numbers: Vec<f64> = numbers.iter().map(|number| number.as_f64().unwrap()).collect();
        let rows: Vec<Vec<f64>> = numbers.chunks(16).map(<[f64]>::to_vec).collect();
        rows
    };
    let cosine = |one: &[f64], other: &[f64]| {
        let dot = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>();
        dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
    };
    for (layer, special) in [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true)] {
        let (hypothesis, reference) = (tokens(3, layer), tokens(0, layer));
        let mean_of_best = |rows: &[Vec<f64>], others: &[Vec<f64>]| {
            let (rows, inner) = (&rows[1..rows.len() - 1], &others[1..others.len() - 1]);
            let others = if special { others } else { inner };
            let best = |row: &Vec<f64>| others.iter().map(|other| cosine(row, other)).fold(-1.0, f64::max);
            rows.iter().map(best).sum::<f64>() / rows.len() as f64
        };
        let special = if special { "yes" } else { "no" };
        for (score, expected) in
            [("precision", mean_of_best(&hypothesis, &reference)), ("recall", mean_of_best(&reference, &hypothesis))]
        {
            let found = metric(&format!(",layer={layer},score={score},special={special}"))
                .segment_scores(&[Segment::new("cat", &REFERENCE)])
                .unwrap()[0];
            assert!((found - expected).abs() < 1e-5, "{score} of layer {layer}, {special}: {found} is not {expected}");
        }
    }
}

#[test]
fn a_copy_of_the_reference_scores_one_and_an_empty_line_zero() {
    let metric = metric("");
    let scores = metric
        .segment_scores(&[
            Segment::new(REFERENCE[0], &REFERENCE),
            Segment::new("", &REFERENCE),
            Segment::new("cat", &[""]),
        ])
        .unwrap();
    assert!((scores[0] - 1.0).abs() < 1e-6);
    assert_eq!(scores[1..], [0.0, 0.0]);
}

#[test]
fn of_several_references_the_best_one_counts() {
    let metric = metric("");
    let score = |references: &[&str]| metric.segment_scores(&[Segment::new("a dog ran", references)]).unwrap()[0];
    let single = [score(&["it ran"]), score(&["the mat!"])];
    assert_eq!(score(&["it ran", "the mat!"]), single[0].max(single[1]));
}

#[test]
fn rare_words_of_the_references_count_more_with_idf() {
    // The embedding of a word depends on its place too. Of three references, "the" is in three, "cat" in two, "dog" in
    // one: weights log(4/4), log(4/3), log(4/2).
    let references = [["the cat"], ["the cat"], ["the dog"]];
    let segments: Vec<Segment<'_>> = references.iter().map(|own| Segment::new("a cat", own)).collect();
    let plain = metric(",score=recall,layer=0").segment_scores(&segments).unwrap();
    let weighted = metric(",score=recall,layer=0,idf=yes").segment_scores(&segments).unwrap();
    assert!((weighted[0] - 1.0).abs() < 1e-6, "only `cat` counts, and it is there: {weighted:?}");
    assert!(plain[0] < 0.99 && weighted[2] < 0.99);
}

#[test]
fn components_are_the_scores_of_all_layers() {
    let metric = metric(",layer=1");
    let tallies = metric.tally(&[Segment::new("a cat sat", &REFERENCE)]).unwrap();
    let components = metric.components(&tallies[0]);
    let names: Vec<&str> = components.iter().map(|component| component.name.as_str()).collect();
    assert_eq!((names.len(), names[0], names[8]), (9, "layer_0_precision", "layer_2_f1"));
    assert_eq!(components[5].value, metric.segment_score(&tallies[0]));
}

#[test]
fn metrics_of_the_same_model_share_it() {
    let (one, other) = (folder(), folder().join("../bert"));
    let context = Context::default();
    let open = |folder: &PathBuf| TransformerModel::open(folder, Precision::Int8, &context).unwrap();
    let (one, other) = (open(&one), open(&other));
    assert!(Arc::ptr_eq(&one, &other));
    let first = one.token_matches(&[("a cat", "the cat")], Partners::All);
    let second = other.token_matches(&[("\u{feff}a cat", "the cat"), ("a cat", "the cat")], Partners::All);
    let without = one.token_matches(&[("a cat", "the cat")], Partners::Text);
    assert!(without[0].hypothesis.best != first[0].hypothesis.best);
    assert!(Arc::ptr_eq(&first[0], &second[0]) && Arc::ptr_eq(&first[0], &second[1]));
}

#[test]
fn a_long_line_is_scored_without_its_end_and_is_warned_about() {
    let metric = metric("");
    let long = "the cat sat on the mat the cat sat on the mat the cat sat";
    let tallies = metric.tally(&[Segment::new(long, &REFERENCE), Segment::new("cat", &REFERENCE)]).unwrap();
    assert_eq!([metric.is_unfinished(&tallies[0]), metric.is_unfinished(&tallies[1])], [true, false]);
    let expected = "BERTScore: 1 segment is longer than the encoder's window of 16 tokens; the end was left out";
    assert_eq!(metric.unfinished_warning(1).to_string(), expected);
}

#[test]
fn options_are_checked_and_signed() {
    let signature = metric(",idf=yes").signature().to_string();
    let expected = ",layer=2,score=f1,idf=yes,precision=single,special=yes|sha256=";
    assert!(signature.contains(expected), "{signature}");
    let refused = |text: String| crate::registry().build(&text).err().map(|error| error.to_string()).unwrap();
    let without = refused("bertscore".to_owned());
    assert!(without.starts_with("cannot read the metric `bertscore`: it needs model=FILE"), "{without}");
    assert!(refused(format!("bertscore:model={},layer=3", folder().display())).contains("a layer from 0 to 2"));
    assert!(refused("bertscore:model=nowhere".to_owned()).contains("nowhere: not a folder"));
    assert_eq!(crate::registry().find("bertscore").unwrap().needs, Some("model"));
}

/// Weights that are finite, and products of them that are not: no score comes of it.
#[test]
fn a_model_that_overflows_has_no_score() {
    let copy = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()) {
        std::fs::copy(&entry, copy.path().join(entry.file_name().unwrap())).unwrap();
    }
    let path = copy.path().join("model.safetensors");
    let mut bytes = std::fs::read(&path).unwrap();
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let names: serde_json::Value = serde_json::from_slice(&bytes[8..header]).unwrap();
    for (name, about) in names.as_object().unwrap() {
        if name.ends_with("weight") && !name.contains("LayerNorm") {
            let ends = about["data_offsets"].as_array().unwrap().iter().map(|end| end.as_u64().unwrap() as usize);
            let ends: Vec<usize> = ends.collect();
            for four in bytes[header + ends[0]..header + ends[1]].chunks_exact_mut(4) {
                four.copy_from_slice(&3e38f32.to_le_bytes());
            }
        }
    }
    std::fs::write(&path, bytes).unwrap();
    let metric = crate::registry().build(&format!("bertscore:model={}", copy.path().display())).unwrap();
    let error = metric.segment_scores(&[Segment::new("cat", &REFERENCE)]).unwrap_err();
    assert!(matches!(error, crate::error::Error::NotFinite { .. }), "{error}");
}

#[test]
fn of_several_references_each_score_is_the_best_one() {
    let (references, pair) = (["it ran", "the mat!"], "a dog ran");
    for score in ["precision", "recall", "f1"] {
        let metric = metric(&format!(",score={score}"));
        let of = |references: &[&str]| metric.segment_scores(&[Segment::new(pair, references)]).unwrap()[0];
        assert_eq!(of(&references), of(&references[..1]).max(of(&references[1..])));
    }
}

#[test]
fn a_baseline_rescales_every_layer() {
    let table = std::env::temp_dir().join(format!("tercet-baseline-{}.tsv", std::process::id()));
    std::fs::write(&table, "LAYER,P,R,F\n0,0.5,0.5,0.5\n1,0.2,0.2,0.2\n2,0.5,0.25,0.4\n").unwrap();
    let segments = [Segment::new("a cat sat", &REFERENCE)];
    let scores = |options: &str| {
        let metric = metric(&format!(",layer=2{options}"));
        (metric.components(&metric.tally(&segments).unwrap()[0]), metric.segment_scores(&segments).unwrap()[0])
    };
    let (plain, rescaled) = (scores(""), scores(&format!(",baseline={}", table.display())));
    assert!((rescaled.1 - (plain.1 - 0.4) / 0.6).abs() < 1e-12);
    assert!((rescaled.0[3].value - (plain.0[3].value - 0.2) / 0.8).abs() < 1e-12);
    assert!(metric(&format!(",baseline={}", table.display())).signature().to_string().contains("|sha256="));
    std::fs::write(&table, "LAYER,P,R,F\n0,0.5,0.5,0.5\n").unwrap();
    let spec = format!("bertscore:model={},baseline={}", folder().display(), table.display());
    let error = crate::registry().build(&spec).err().unwrap().to_string();
    assert!(error.contains("it has 1 layers, but the encoder has 3 with its embeddings"), "{error}");
    std::fs::remove_file(table).unwrap();
}
