//! Properties of folders with BERT encoders and of files with `siamese` models: whatever is changed in one that is
//! valid, it is read and gives numbers, or is an error that names it.

use std::fs;
use std::path::Path;
use tercet::metrics::Segment;
use tercet_model::model_file::{ModelFile, Numbers, Values};

/// The files of a small encoder.
const SMALL: [(&str, &[u8]); 3] = [
    ("config.json", include_bytes!("../../../tercet-transformer/tests/small/bert/config.json")),
    ("vocab.txt", include_bytes!("../../../tercet-transformer/tests/small/bert/vocab.txt")),
    ("model.safetensors", include_bytes!("../../../tercet-transformer/tests/small/bert/model.safetensors")),
];

/// A tokenizer as another program writes it.
const TOKENIZER: &[u8] = br###"{"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
"max_input_chars_per_word": 100, "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "the": 4, "cat": 5}},
"normalizer": {"type": "BertNormalizer", "lowercase": true}, "pre_tokenizer": {"type": "BertPreTokenizer"},
"post_processor": {"cls": ["[CLS]", 2], "sep": ["[SEP]", 3]}, "added_tokens": []}"###;

const SIAMESE: &[u8] = include_bytes!("../compatibility/siamese.safetensors");

/// A folder with an encoder of which one file is changed as the bytes say: with single bytes, numbers of its JSON, or
/// as
/// a whole.
pub fn encoder_folder(scratch: &Path, bytes: &[u8]) {
    let Some((kind, edits)) = bytes.split_first() else { return };
    let folder = scratch.join("encoder");
    fs::create_dir_all(&folder).expect("a scratch folder can be made");
    for name in ["tokenizer.json", "onnx", "model.onnx"] {
        let _ = fs::remove_file(folder.join(name));
    }
    for (name, content) in SMALL {
        fs::write(folder.join(name), content).expect("a scratch file can be written");
    }
    let place = usize::from(*kind) % 5;
    let (name, content) = match SMALL.get(place) {
        Some((name, content)) => (*name, *content),
        None if place == 3 => ("tokenizer.json", TOKENIZER),
        None => ("model.onnx", &[][..]),
    };
    if name == "model.onnx" {
        fs::remove_file(folder.join("model.safetensors")).expect("it was written above");
    }
    let header = if name == "model.safetensors" { header_of(content) } else { content.len() };
    let changed = changed(content, header, edits);
    fs::write(folder.join(name), changed).expect("a scratch file can be written");
    scores_or_error(&format!("bertscore:model={}", folder.display()));
}

/// A `siamese` model of which an entry, a shape or numbers are changed, with a checksum that is right again.
pub fn siamese_file(scratch: &Path, bytes: &[u8]) {
    let Some((kind, edits)) = bytes.split_first() else { return };
    let path = scratch.join("siamese.safetensors");
    let valid = ModelFile::from_bytes(&path, SIAMESE.to_vec(), "siamese").expect("the small model is valid");
    let mut model = ModelFile::new("siamese");
    let chosen = |place: usize| edits.first().is_some_and(|edit| usize::from(*edit) == place);
    for (place, (key, value)) in valid.entries().enumerate() {
        let is_changed = kind % 3 == 0 && chosen(place) && edits.len() > 1;
        let value = if is_changed {
            String::from_utf8_lossy(&changed(value.as_bytes(), value.len(), &edits[1..])).into_owned()
        } else {
            value.to_owned()
        };
        model.set(key, &value);
    }
    for (place, name) in valid.names().enumerate() {
        let tensor = valid.tensor(name).expect("it has the tensors that it names");
        let mut shape = tensor.shape.to_vec();
        let is_chosen = chosen(place) && edits.len() > 1;
        if kind % 3 == 1 && is_chosen {
            match edits[1] % 4 {
                0 => continue,
                1 => shape.reverse(),
                2 => shape = vec![shape.iter().product()],
                _ => shape.push(1),
            }
        }
        let values = match tensor.values {
            Numbers::F32(values) if kind % 3 == 2 && is_chosen => {
                const NUMBERS: [f32; 6] = [0.0, 3e38, -3e38, 1e-40, f32::NAN, f32::INFINITY];
                Values::F32(vec![NUMBERS[usize::from(edits[1]) % NUMBERS.len()]; values.len()])
            }
            Numbers::F32(values) => Values::F32(values.to_vec()),
            Numbers::F64(values) => Values::F64(values.to_vec()),
            Numbers::I8(values) => Values::I8(values.to_vec()),
        };
        model.add(name, shape, values);
    }
    model.write(&path).expect("a scratch file can be written");
    scores_or_error(&format!("siamese:model={}", path.display()));
}

/// A metric of a model gives finite scores or an error, and never a panic.
fn scores_or_error(spec: &str) {
    let references = ["the cat sat on the mat"];
    let segments = ["", "the cat", "zebra\u{301}!", "a mat"].map(|line| Segment::new(line, &references));
    if let Ok(scores) = tercet::registry().build(spec).and_then(|metric| metric.segment_scores(&segments)) {
        assert!(scores.iter().all(|score| score.is_finite()), "{scores:?}");
    }
}

/// The length of what comes before the tensors of a file.
fn header_of(content: &[u8]) -> usize {
    let length = content[..8].try_into().map_or(0, u64::from_le_bytes);
    8 + length as usize
}

/// The content with edits: each is three bytes, a place in the first `header` bytes and a value. Values below 128
/// replace the byte, others the number that is there, if there is one, by one of another size.
fn changed(content: &[u8], header: usize, edits: &[u8]) -> Vec<u8> {
    const NUMBERS: [&str; 8] = ["0", "1", "-1", "3", "65536", "4000000000", "1e999", "18446744073709551615"];
    if content.is_empty() || header == 0 {
        return edits.to_vec();
    }
    let (mut start, tensors) = (content[..header].to_vec(), &content[header..]);
    for edit in edits.chunks_exact(3).take(8) {
        let place = usize::from(edit[0]) << 8 | usize::from(edit[1]);
        let place = place % start.len();
        if edit[2] < 128 {
            start[place] = edit[2];
            continue;
        }
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let Some(from) = start[place..].iter().position(is_digit).map(|from| place + from) else { continue };
        let end = start[from..].iter().position(|byte| !is_digit(byte)).map_or(start.len(), |end| from + end);
        let number = NUMBERS[usize::from(edit[2]) % NUMBERS.len()];
        start.splice(from..end, number.bytes());
    }
    if !tensors.is_empty() {
        // The length of the JSON, so that what was changed in it is read.
        let length = (start.len() - 8) as u64;
        start[..8].copy_from_slice(&length.to_le_bytes());
    }
    [start, tensors.to_vec()].concat()
}
