//! Small models with random weights: what PyTorch says of them (`small/make.py`), and what is refused.

use std::fs;
use std::path::{Path, PathBuf};
use tercet_transformer::{Encoder, Precision};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/small").join(name)
}

fn expected(name: &str) -> Vec<serde_json::Value> {
    serde_json::from_slice(&fs::read(folder(name).join("expected.json")).unwrap()).unwrap()
}

fn numbers(value: &serde_json::Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
}

fn assert_close(found: &[f32], expected: &[f32], tolerance: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance, "{what}: {found} is not {expected}");
    }
}

#[test]
fn every_layer_and_the_mean_are_those_of_pytorch() {
    for name in ["bert", "mpnet"] {
        let encoder = Encoder::read(&folder(name), Precision::Single).unwrap();
        for expected in expected(name) {
            let line = expected["line"].as_str().unwrap();
            let ids: Vec<u32> = numbers(&expected["ids"]).iter().map(|id| *id as u32).collect();
            assert_eq!(encoder.tokenize(line).ids, ids, "{line}");
            let encoded = &encoder.encode(&[line], &[0, 1, 2])[0];
            for (layer, (found, expected)) in
                encoded.layers.iter().zip(expected["layers"].as_array().unwrap()).enumerate()
            {
                assert_close(found, &numbers(expected), 1e-5, &format!("{name}, layer {layer} of `{line}`"));
            }
            assert_close(&encoded.sentence, &numbers(&expected["mean"]), 1e-5, line);
        }
    }
}

#[test]
fn weights_of_8_bits_are_close() {
    for name in ["bert", "mpnet"] {
        let encoder = Encoder::read(&folder(name), Precision::Int8).unwrap();
        for expected in expected(name) {
            let line = expected["line"].as_str().unwrap();
            let (found, expected) = (encoder.encode(&[line], &[]).remove(0).sentence, numbers(&expected["mean"]));
            let dot = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(a, b)| a * b).sum::<f32>();
            let cosine = dot(&found, &expected) / (dot(&found, &found) * dot(&expected, &expected)).sqrt();
            assert!(cosine > 0.999, "{name}: {cosine} of `{line}`");
        }
    }
}

/// A copy of a small model with one file changed.
fn changed(file: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(folder("bert")).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
        fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
    }
    let path = copy.path().join(file);
    fs::write(&path, change(fs::read(&path).unwrap_or_default())).unwrap();
    copy
}

#[test]
fn a_token_whose_number_is_beyond_the_table_is_refused() {
    let other = changed("tokenizer.json", |_| {
        let vocabulary = serde_json::json!({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "cat": 4_000_000});
        serde_json::json!({
            "model": {"type": "WordPiece", "vocab": vocabulary},
            "normalizer": {"type": "BertNormalizer"},
            "pre_tokenizer": {"type": "BertPreTokenizer"},
            "post_processor": {"cls": ["[CLS]", 1], "sep": ["[SEP]", 2]},
        })
        .to_string()
        .into_bytes()
    });
    let error = Encoder::read(other.path(), Precision::Single).unwrap_err().to_string();
    assert!(error.contains("`cat` has the number 4000000"), "{error}");
}

#[test]
fn a_sentence_has_the_same_digits_in_any_batch_and_on_any_number_of_threads() {
    for precision in [Precision::Single, Precision::Int8] {
        let encoder = Encoder::read(&folder("mpnet"), precision).unwrap();
        let lines: Vec<String> = (0..200).map(|n| format!("the cat {}", "sat on a mat ".repeat(n % 4))).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let together = encoder.encode(&lines, &[1]);
        for (line, encoded) in lines.iter().zip(&together) {
            assert_eq!(encoder.encode(&[line], &[1])[0], *encoded);
        }
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one.install(|| encoder.encode(&lines, &[1])), together);
    }
}

#[test]
fn rows_of_a_layer_are_the_same_without_the_layers_after_it() {
    for (name, precision) in [("bert", Precision::Single), ("mpnet", Precision::Int8)] {
        let encoder = Encoder::read(&folder(name), precision).unwrap();
        let lines = ["the cat sat on a mat", "", "a mat", "the cat"];
        let tokens: Vec<Vec<u32>> = lines.iter().map(|line| encoder.tokenize(line).ids).collect();
        let tokens: Vec<&[u32]> = tokens.iter().map(Vec::as_slice).collect();
        for layer in 0..=2 {
            let whole = encoder.encode(&lines, &[layer]);
            let expected: Vec<f32> = whole.into_iter().flat_map(|encoded| encoded.layers.concat()).collect();
            assert_eq!(encoder.token_rows(&tokens, layer), expected, "{name}, layer {layer}");
        }
    }
}

#[test]
fn a_long_sentence_loses_its_end_and_says_so() {
    let encoder = Encoder::read(&folder("bert"), Precision::Single).unwrap();
    let encoded = encoder.encode(&["the cat sat on the mat the cat sat on the mat the cat sat", "the cat"], &[]);
    assert_eq!((encoder.config().window, encoded[0].cut, encoded[1].cut), (16, true, false));
    let start = encoder.encode(&["the cat sat on the mat the cat sat on the mat the cat"], &[]);
    assert_eq!((&encoded[0].sentence, start[0].cut), (&start[0].sentence, false));
}

/// A copy of a small model that a test may damage.
fn copy(name: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in ["config.json", "vocab.txt", "model.safetensors"] {
        fs::copy(folder(name).join(file), copy.path().join(file)).unwrap();
    }
    copy
}

fn refused(folder: &Path) -> String {
    let error = Encoder::read(folder, Precision::Single).unwrap_err();
    error.to_string().replace(&folder.display().to_string(), "DIR")
}

#[test]
fn a_tokenizer_of_other_weights_is_refused() {
    let model = copy("bert");
    let vocabulary = fs::read_to_string(model.path().join("vocab.txt")).unwrap();
    fs::write(model.path().join("vocab.txt"), vocabulary + "more\n").unwrap();
    let expected = "DIR: the tokenizer has 21 tokens, the weights have 20: they do not belong together";
    assert_eq!(refused(model.path()), expected);
    // As many tokens, but another vocabulary.
    fs::copy(folder("mpnet").join("vocab.txt"), model.path().join("vocab.txt")).unwrap();
    let expected = "DIR: the padding token of the tokenizer is number 1, that of config.json 0: they do not belong \
        together";
    assert_eq!(refused(model.path()), expected);
}

#[test]
fn missing_files_are_named() {
    for (file, expected) in [
        ("config.json", "cannot read DIR/config.json"),
        ("vocab.txt", "DIR: no tokenizer in this folder: expected tokenizer.json or vocab.txt"),
        (
            "model.safetensors",
            "DIR: no weights in this folder: expected one of model.safetensors, onnx/model.onnx, model.onnx",
        ),
    ] {
        let model = copy("mpnet");
        fs::remove_file(model.path().join(file)).unwrap();
        assert_eq!(refused(model.path()), expected);
    }
    assert!(refused(Path::new("nowhere")).contains("not a folder"));
}

#[test]
fn truncated_and_foreign_weights_are_refused() {
    let model = copy("bert");
    let path = model.path().join("model.safetensors");
    let bytes = fs::read(&path).unwrap();
    for length in [0, 7, 100, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..length]).unwrap();
        let error = refused(model.path());
        assert!(error.starts_with("DIR/model.safetensors: not a whole safetensors file"), "{length}: {error}");
    }
    fs::copy(folder("mpnet").join("model.safetensors"), &path).unwrap();
    let error = refused(model.path());
    assert!(error.contains("has the shape [18, 16], config.json says [16, 16]"), "{error}");
    fs::remove_file(&path).unwrap();
    fs::write(model.path().join("model.onnx"), &bytes[..500]).unwrap();
    assert!(refused(model.path()).contains("not a whole ONNX file"), "{}", refused(model.path()));
}

#[test]
fn configurations_that_are_computed_otherwise_are_refused() {
    for (from, to, expected) in [
        ("\"bert\"", "\"roberta\"", "DIR/config.json: model_type is roberta: only bert and mpnet are understood"),
        ("\"gelu\"", "\"relu\"", "DIR/config.json: hidden_act is relu: only gelu is understood"),
        (
            "\"hidden_size\": 16",
            "\"hidden_size\": 17",
            "DIR/config.json: hidden_size 17 cannot be divided among 2 heads",
        ),
        ("\"hidden_size\": 16", "\"hidden_size\": 0", "DIR/config.json: `hidden_size` is not a size"),
        ("\"hidden_size\": 16", "\"hidden_size\": ", "DIR/config.json: not valid JSON"),
        (
            "\"num_hidden_layers\": 2",
            "\"num_hidden_layers\": 1",
            "DIR/model.safetensors: it has more layers than config.json says, 1",
        ),
        (
            "\"num_hidden_layers\": 2",
            "\"num_hidden_layers\": 3",
            "DIR/model.safetensors: no tensor `encoder.layer.2.attention.self.query.weight`",
        ),
    ] {
        let model = copy("bert");
        let path = model.path().join("config.json");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
        let error = refused(model.path());
        assert!(error.starts_with(expected), "{error}");
    }
}
