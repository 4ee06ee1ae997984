//! Files are read back unchanged; errors name damaged and foreign files.

use super::*;
use crate::parameters::Role;
use std::fs;

fn file() -> ModelFile {
    let mut file = ModelFile::new("model");
    file.set("vector", "75");
    file.set("kind", "mine: a model may use any key");
    file.add("weights", vec![2, 3], Values::F32(vec![1.0, -2.5, f32::MIN_POSITIVE, 0.1, 3e30, -0.0]));
    file.add("history", vec![2], Values::F64(vec![0.1, f64::NAN]));
    file.add("integers", vec![1, 3], Values::I8(vec![-127, 0, 5]));
    file.add("nothing", vec![0, 4], Values::F32(vec![]));
    file
}

fn reason(path: &Path, kind: &str) -> String {
    let error = ModelFile::read(path, kind).unwrap_err().to_string();
    error.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&error).to_owned()
}

#[test]
fn files_come_back_to_the_bit_and_equal_files_are_equal_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one.safetensors"), folder.path().join("two.safetensors"));
    file().write(&one).unwrap();
    file().write(&two).unwrap();
    assert_eq!(fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let back = ModelFile::read(&one, "model").unwrap();
    assert_eq!(back.f32("weights").unwrap(), file().f32("weights").unwrap());
    assert!(back.f32("weights").unwrap()[5].is_sign_negative());
    assert!(back.f64("history").unwrap()[1].is_nan());
    assert_eq!(back.tensor("integers").unwrap(), file().tensor("integers").unwrap());
    assert_eq!(back.number::<usize>("vector").unwrap(), 75);
    assert_eq!(back.entries().collect::<Vec<_>>(), file().entries().collect::<Vec<_>>());
    assert_eq!(back.names().collect::<Vec<_>>(), ["history", "integers", "nothing", "weights"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing temporary stays");
}

#[test]
fn every_flipped_byte_and_every_cut_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    file().write(&path).unwrap();
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).unwrap();
        // Names and keys are under the checksum too; white space that pads the header is not content.
        if whole[at] != b' ' {
            assert!(ModelFile::read(&path, "model").is_err(), "byte {at}");
        }
        fs::write(&path, &whole[..at]).unwrap();
        assert!(reason(&path, "model").starts_with("not a whole safetensors file"), "cut at {at}");
    }
    let mut bytes = whole.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(reason(&path, "model"), "its checksum differs: the file is damaged, take another copy");
}

#[test]
fn foreign_files_other_kinds_and_later_versions_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    assert_eq!(ModelFile::read(&path, "model").unwrap_err().to_string(), format!("cannot read {}", path.display()));
    file().write(&path).unwrap();
    assert_eq!(reason(&path, "training state"), "it holds a model, not a checkpoint of a training");
    let none: Vec<(&str, safetensors::tensor::TensorView<'_>)> = Vec::new();
    fs::write(&path, safetensors::serialize(none, None).unwrap()).unwrap();
    assert_eq!(reason(&path, "model"), "a safetensors file, but none that tercet wrote");
    file().write(&path).unwrap();
    let text = fs::read(&path).unwrap();
    let (old, new) = (br#"\"format\":\"1\""#, br#"\"format\":\"9\""#);
    let at = text.windows(old.len()).position(|window| window == old).unwrap();
    let later = [&text[..at], new, &text[at + old.len()..]].concat();
    fs::write(&path, later).unwrap();
    assert_eq!(reason(&path, "model"), "its format 9 is later than 1: a newer tercet reads it");
}

#[test]
fn parameters_of_other_sizes_are_refused() {
    let mut parameters = Parameters::default();
    parameters.add("weights", Role::Weight, [2, 3], vec![0.0; 6]);
    let back = file().parameters("", &parameters).unwrap();
    assert_eq!(back.tensors()[0].values[1], -2.5);
    let mut other = Parameters::default();
    other.add("weights", Role::Weight, [3, 2], vec![0.0; 6]);
    let error = file().parameters("", &other).unwrap_err().to_string();
    assert!(error.contains("`weights` has the shape [2, 3], expected [3, 2]"), "{error}");
    let error = file().parameters("best.", &parameters).unwrap_err().to_string();
    assert!(error.contains("it has no tensor `best.weights`"), "{error}");
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("no/such/folder/model.safetensors");
    let error = file().write(&missing).unwrap_err().to_string();
    assert_eq!(error, format!("cannot write {}", missing.display()));
}

#[test]
fn aligned_tensors_are_views_and_others_are_copied() {
    let bytes = file().to_bytes().unwrap();
    assert_eq!(file().hash(), "");
    for shift in 0..8 {
        // Static bytes at any address.
        let all: &'static [u8] = Vec::leak([&vec![0; shift][..], &bytes].concat());
        let back = ModelFile::from_bytes(Path::new("m"), &all[shift..], "model").unwrap();
        assert_eq!(back.hash(), files::short_hash(&bytes));
        assert_eq!(back.to_bytes().unwrap(), bytes);
        let inside = |start: *const u8| all.as_ptr_range().contains(&start);
        let Numbers::I8(integers) = back.tensor("integers").unwrap().values else { panic!("integers") };
        assert!(inside(integers.as_ptr().cast()));
        let weights = back.f32("weights").unwrap();
        assert_eq!(weights, file().f32("weights").unwrap());
        let aligned = (all.as_ptr() as usize + shift).is_multiple_of(4) && cfg!(target_endian = "little");
        assert_eq!(inside(weights.as_ptr().cast()), aligned, "{shift}");
    }
}

#[test]
fn notes_are_entries_for_people() {
    let mut file = file();
    let notes: Notes = vec![("seed".to_owned(), "1".to_owned()), ("recipe".to_owned(), "x".to_owned())];
    file.add_notes(&notes);
    assert_eq!(file.get("about.seed").unwrap(), "1");
    assert_eq!(file.notes(), [notes[1].clone(), notes[0].clone()]);
    let error = file.check_finite().unwrap_err().to_string();
    assert!(error.contains("number 1 of its tensor `history` (counted from 0) is NaN"), "{error}");
}

#[test]
fn a_model_comes_back_from_its_parts() {
    let whole = file();
    let bytes = whole.to_bytes().unwrap();
    for (most, count) in [(0, 3), (10, 3), (20, 2), (1000, 1)] {
        let parts = whole.to_parts(most).unwrap();
        let name = Path::new("the embedded model");
        let back = ModelFile::from_parts(name, parts.clone(), "model").unwrap();
        assert_eq!((parts.len(), back.to_bytes().unwrap() == bytes), (count, true), "{most}");
        assert_eq!(back.hash(), files::short_hash(&bytes));
        let refused = |parts: Vec<Vec<u8>>| ModelFile::from_parts(name, parts, "model").unwrap_err().to_string();
        let less = refused(parts[1..].to_vec());
        let reason = if count == 1 { "it has no parts" } else { "give all parts of one model, in their order" };
        assert!(less.starts_with("the embedded model: ") && less.ends_with(reason), "{less}");
        let again = refused([&parts[..], &parts[..1]].concat());
        assert!(again.contains(&format!("expected its part 1/{}, found `1/{count} ", count + 1)), "{again}");
        let part = ModelFile::from_bytes(name, parts[0].clone(), "model").unwrap_err().to_string();
        assert!(part.contains(&format!("it is part 1/{count} ")), "{part}");
    }
    assert!(ModelFile::from_parts(Path::new("m"), [bytes], "model").is_err());
}
