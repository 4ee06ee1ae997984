//! Small recurrent encoders with random weights: what PyTorch and numpy say of them (`recurrent/make.py`).

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tercet_transformer::{InferSent, SkipThought};

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recurrent").join(name)
}

fn rows(value: &Value) -> Vec<Vec<f32>> {
    let row = |row: &Value| row.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect();
    value.as_array().unwrap().iter().map(row).collect()
}

fn check(name: &str, encode: impl Fn(&[Vec<&[f32]>]) -> Vec<Vec<f32>>) {
    let expected: Value = serde_json::from_slice(&fs::read(path("expected.json")).unwrap()).unwrap();
    let sentences: Vec<Vec<Vec<f32>>> = expected["sentences"].as_array().unwrap().iter().map(rows).collect();
    let sentences: Vec<Vec<&[f32]>> = sentences.iter().map(|words| words.iter().map(Vec::as_slice).collect()).collect();
    let together = encode(&sentences);
    for (found, expected) in together.iter().zip(rows(&expected[name])) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{name}: {found} is not {expected}");
        }
    }
    for (sentence, expected) in sentences.iter().zip(&together) {
        assert_eq!(encode(std::slice::from_ref(sentence))[0], *expected, "{name}: other digits in another batch");
    }
    assert!(encode(&[Vec::new()])[0].iter().all(|number| *number == 0.0));
}

#[test]
fn infersent_is_that_of_pytorch() {
    let encoder = InferSent::read(&path("infersent.safetensors")).unwrap();
    assert_eq!((encoder.word_dimension(), encoder.dimension()), (5, 8));
    check("infersent", |sentences| encoder.encode(sentences));
}

#[test]
fn skip_thought_is_that_of_numpy() {
    for (name, dimension) in [("uni", 4), ("bi", 8)] {
        let encoder = SkipThought::read(&path(&format!("{name}_skip.safetensors"))).unwrap();
        assert_eq!((encoder.word_dimension(), encoder.dimension()), (5, dimension));
        check(name, |sentences| encoder.encode(sentences));
    }
}

#[test]
fn files_of_other_encoders_are_refused() {
    let error = InferSent::read(&path("uni_skip.safetensors")).unwrap_err().to_string();
    assert!(error.ends_with("uni_skip.safetensors: no tensor `enc_lstm.weight_ih_l0`"), "{error}");
    let error = SkipThought::read(&path("infersent.safetensors")).unwrap_err().to_string();
    assert!(error.ends_with("infersent.safetensors: no tensor `encoder_W`"), "{error}");
    assert!(SkipThought::read(Path::new("nowhere")).unwrap_err().to_string().contains("cannot read nowhere"));
}
