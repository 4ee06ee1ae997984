//! The same tests for all formats, and the cache folder.

use super::*;
use crate::cache::Cache;
use crate::error::{Error, Result};
use proptest::prelude::*;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// A file with these words and vectors, as the format's own tool writes it.
fn written(format: Format, rows: &[(&str, Vec<f32>)]) -> Vec<u8> {
    let dimension = rows.first().map_or(0, |(_, vector)| vector.len());
    let mut bytes = Vec::new();
    if matches!(format, Format::Word2VecText | Format::Word2VecBinary) {
        writeln!(bytes, "{} {dimension}", rows.len()).unwrap();
    }
    for (word, vector) in rows {
        let texts: Vec<String> = vector.iter().map(f32::to_string).collect();
        match format {
            Format::Glove => writeln!(bytes, "{word} {}", texts.join(" ")).unwrap(),
            Format::Composes => writeln!(bytes, "{word}\t{}", texts.join("\t")).unwrap(),
            Format::Word2VecText => writeln!(bytes, "{word} {} ", texts.join(" ")).unwrap(),
            Format::Word2VecBinary => {
                write!(bytes, "{word} ").unwrap();
                bytes.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
                bytes.push(b'\n');
            }
        }
    }
    bytes
}

fn small() -> Vec<(&'static str, Vec<f32>)> {
    vec![
        ("the", vec![0.418, 0.24968, -0.41242]),
        ("café", vec![1e-7, -3.5, 2.0]),
        ("2012", vec![0.1, 0.2, 0.3]),
        ("</s>", vec![0.0, -0.0, 4.0]),
    ]
}

fn read(bytes: &[u8]) -> Result<WordVectors> {
    WordVectors::from_bytes(Path::new("v"), bytes, None)
}

fn refused(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

fn same(vectors: &WordVectors, rows: &[(&str, Vec<f32>)]) {
    assert_eq!(vectors.words().collect::<Vec<_>>(), rows.iter().map(|(word, _)| *word).collect::<Vec<_>>());
    for (word, vector) in rows {
        assert_eq!(vectors.get(word), Some(vector.as_slice()), "{word}");
    }
    assert_eq!(vectors.get("nobody"), None);
}

#[test]
fn every_format_gives_the_vectors_it_was_written_with() {
    for format in Format::ALL {
        let vectors = read(&written(format, &small())).unwrap();
        assert_eq!((vectors.format(), vectors.dimension(), vectors.len()), (format, 3, 4));
        assert!(!vectors.is_compact());
        same(&vectors, &small());
    }
}

#[test]
fn packed_files_are_unpacked_member_by_member() {
    for format in Format::ALL {
        let whole = written(format, &small());
        let mut packed = Vec::new();
        for part in [&whole[..20], &whole[20..]] {
            let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
            encoder.write_all(part).unwrap();
            encoder.finish().unwrap();
        }
        same(&read(&packed).unwrap(), &small());
        assert!(matches!(read(&packed[..packed.len() - 9]), Err(Error::Read { .. })));
    }
}

#[test]
fn a_binary_file_without_newlines_is_read_too() {
    let bytes = written(Format::Word2VecBinary, &small());
    let rows = small().iter().fold(b"4 3\n".to_vec(), |mut bytes, (word, vector)| {
        write!(bytes, "{word} ").unwrap();
        bytes.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    });
    assert_eq!(bytes.len(), rows.len() + 4);
    same(&read(&rows).unwrap(), &small());
}

#[test]
fn the_first_vector_of_a_word_wins_and_the_others_are_counted() {
    for format in Format::ALL {
        let rows = [("a", vec![1.0, 0.5]), ("b", vec![2.0, 0.5]), ("a", vec![3.0, 0.5])];
        let vectors = read(&written(format, &rows)).unwrap();
        assert_eq!((vectors.len(), vectors.duplicates()), (2, 1));
        assert_eq!(vectors.get("a"), Some([1.0, 0.5].as_slice()));
    }
}

#[test]
fn malformed_texts_are_refused_with_their_line() {
    let length = "(is the file cut off, or its first line wrong?)";
    let says = |found| format!("expected a word and 2 numbers, as the first line says, found {found} {length}");
    for (text, message) in [
        ("a 1 2\nb 1\n", format!("v:2: {}", says(1))),
        ("a 1 2\n\nb 1 2\n", format!("v:2: {}", says(0))),
        ("a 1 2\nb 1 2 3\n", format!("v:2: {}", says(3))),
        ("a\t1\t2\nb\t1\n", format!("v:2: {}", says(1))),
        ("2 2\na 1 2\nb 1\n", format!("v:3: {}", says(1))),
        ("2 2\na 1 2 3\nb 1 2 3\n", format!("v:2: {}", says(3))),
        ("a 1 2\nb 1 nan\n", "v:2: the vector of `b`: number 2 is `nan`: every number must be finite".to_owned()),
        ("a\t1\t-inf\n", "v:1: the vector of `a`: number 2 is `-inf`: every number must be finite".to_owned()),
        ("1 2\na 1 1e40\n", "v:2: the vector of `a`: number 2 is `1e40`: every number must be finite".to_owned()),
        ("a 1 2\nb x 2\n", "v:2: the vector of `b`: number 1 is `x`, which is not a number".to_owned()),
        (
            "3 2\na 1 2\nb 1 2\n",
            "v:1: the header announces 3 words, but 2 follow (is the file cut off, or two files joined?)".to_owned(),
        ),
        (
            "1 2\na 1 2\nb 1 2\n",
            "v:1: the header announces 1 words, but 2 follow (is the file cut off, or two files joined?)".to_owned(),
        ),
        ("0 2\n", "v:1: the header announces no words".to_owned()),
        ("2 0\na 1\n", "v:1: the header announces vectors of 0 numbers, expected 1 to 1048576".to_owned()),
        ("2 9999999\na 1\n", "v:1: the header announces vectors of 9999999 numbers, expected 1 to 1048576".to_owned()),
        (
            "hello\n",
            "v:1: expected a word and its numbers, with blanks between them, or a header `count dimension`".to_owned(),
        ),
        ("", "v: no word vectors in it: the file is empty".to_owned()),
    ] {
        assert_eq!(refused(text.as_bytes()), message, "{text}");
    }
}

#[test]
fn a_line_of_millions_of_numbers_is_refused() {
    let what = "v:1: a vector of 1048577 numbers, expected at most 1048576";
    for separator in [" ", "\t"] {
        let line = format!("the{}\n", format!("{separator}1").repeat((1 << 20) + 1));
        assert_eq!(refused(line.as_bytes()), what);
    }
}

#[test]
fn the_error_for_a_byte_that_is_not_utf8_has_line_and_offset() {
    for format in [Format::Glove, Format::Composes, Format::Word2VecText] {
        let mut bytes = written(format, &small());
        let at = bytes.iter().position(|&byte| byte == 0xc3).unwrap();
        bytes[at] = b'\xff';
        let Err(Error::NotUtf8 { line, offset, column, .. }) = read(&bytes) else { panic!("not refused") };
        let header = usize::from(format == Format::Word2VecText);
        assert_eq!((line, offset, column), (2 + header, at, 4));
    }
}

#[test]
fn malformed_binary_files_are_refused_with_their_byte() {
    let whole = written(Format::Word2VecBinary, &small());
    let why = " (is the file cut off, or the dimension in its first line wrong?)";
    let mut nan = whole.clone();
    nan[8..12].copy_from_slice(&f32::NAN.to_le_bytes());
    let mut latin = whole.clone();
    let at = latin.iter().position(|&byte| byte == 0xc3).unwrap();
    latin[at] = b'\xff';
    let nothing = [b"1 2\n ".as_slice(), &[0; 8]].concat();
    let long = [b"1 2\n".as_slice(), &[1; 1 << 17]].concat();
    for (bytes, message) in [
        (&whole[..30], "v: before byte 30: the file ends within word 2 of the 4 that the header announces"),
        (&whole[..22], "v: before byte 22: the file ends within word 2 of the 4 that the header announces"),
        (&nan, "v: before byte 20: the vector of `the`: number 1 is `NaN`: every number must be finite"),
        (&latin, "v: before byte 39: the word `caf\u{fffd}\u{fffd}` is not valid UTF-8"),
        (&nothing, "v: before byte 13: expected a word before its vector, found none"),
        (&long, "v: before byte 65540: no blank in 65536 bytes where a word should be"),
        (
            &[whole.as_slice(), b"x"].concat(),
            "v: before byte 77: more bytes after the 4 words that the header announces",
        ),
    ] {
        assert_eq!(refused(bytes), format!("{message}{why}"));
    }
    let glued = WordVectors::from_bytes(Path::new("v"), b"no header\n", Some(Format::Word2VecBinary));
    assert_eq!(glued.unwrap_err().to_string(), "v:1: expected word2vec's header, `count dimension`, found `no header`");
}

#[test]
fn the_error_is_about_the_first_of_many_bad_lines() {
    let mut text: String = (0..200_000).map(|row| format!("w{row} 0.25 0.5\n")).collect();
    assert_eq!(read(text.as_bytes()).unwrap().len(), 200_000);
    text.push_str("bad 1\nworse\n");
    assert!(refused(text.as_bytes()).starts_with("v:200001: "));
    assert_eq!(read(text.replace("bad 1\nworse\n", "").as_bytes()).unwrap().get("w199999").unwrap(), [0.25, 0.5]);
}

#[test]
fn only_wanted_words_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    for format in Format::ALL {
        let path = folder.path().join("vectors");
        fs::write(&path, written(format, &small())).unwrap();
        let vectors = WordVectors::read_for(&path, &Cache::default(), |word| word == "2012").unwrap();
        same(&vectors, &small()[2..3]);
        assert_eq!((vectors.dimension(), vectors.hash().len()), (3, 8));
        let none = WordVectors::read_for(&path, &Cache::default(), |_| false).unwrap();
        assert!(none.is_empty());
        assert_eq!(none.dimension(), 3);
    }
    assert!(matches!(WordVectors::read_for(folder.path(), &Cache::default(), |_| true), Err(Error::Read { .. })));
    let small_file = folder.path().join("vectors");
    same(&WordVectors::open_for(&small_file, &Cache::default(), |word| word == "the").unwrap(), &small()[..1]);
    assert!(matches!(WordVectors::open(&folder.path().join("none"), &Cache::default()), Err(Error::Read { .. })));
}

/// A file of vectors and a folder for its compact form, two levels down.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(format: Format) -> Self {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        place.write(&written(format, &small()));
        place
    }

    fn source(&self) -> PathBuf {
        self.folder.path().join("source")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("deep/cache")
    }

    /// Writes the source, as if a minute ago.
    fn write(&self, bytes: &[u8]) {
        fs::write(self.source(), bytes).unwrap();
        let minute_ago = SystemTime::now() - Duration::from_secs(60);
        File::options().write(true).open(self.source()).unwrap().set_modified(minute_ago).unwrap();
    }

    fn open(&self) -> WordVectors {
        WordVectors::open(&self.source(), &Cache::in_folder(&self.cache())).unwrap()
    }

    /// The files of the cache folder: compact forms, or notes.
    fn files(&self, notes: bool) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache()).into_iter().flatten().map(|entry| entry.unwrap().path());
        let is_note = |path: &PathBuf| path.extension().is_some_and(|end| end == "seen");
        let is_checked = |path: &PathBuf| path.extension().is_some_and(|end| end == "checked");
        entries.filter(|path| is_note(path) == notes && !is_checked(path)).collect()
    }
}

#[test]
fn the_compact_form_gives_the_same_vectors() {
    for format in Format::ALL {
        let place = Place::new(format);
        let first = place.open();
        let time = || fs::metadata(&place.files(false)[0]).unwrap().modified().unwrap();
        let written = time();
        let second = place.open();
        for vectors in [&first, &second] {
            assert!(vectors.is_compact());
            assert_eq!((vectors.format(), vectors.dimension(), vectors.duplicates()), (format, 3, 0));
            same(vectors, &small());
        }
        assert_eq!(first.hash(), read(&fs::read(place.source()).unwrap()).unwrap().hash());
        assert_eq!(time(), written, "it was read, not written again");
        assert_eq!((place.files(false).len(), place.files(true).len()), (1, 1));
    }
}

#[test]
fn wanted_words_are_copied_from_the_compact_form() {
    for format in Format::ALL {
        let place = Place::new(format);
        for smallest in [0, u64::MAX] {
            let wanted = |word: &str| word == "2012" || word == "the";
            let vectors =
                cache::open_for(&place.source(), &Cache::in_folder(&place.cache()).with_min_bytes(smallest), &wanted)
                    .unwrap();
            same(&vectors, &[small()[0].clone(), small()[2].clone()]);
            assert_eq!((vectors.format(), vectors.dimension(), vectors.is_compact()), (format, 3, false));
            assert_eq!(place.files(false).len(), 1);
        }
    }
}

#[test]
fn a_compact_form_that_is_damaged_is_named_and_written_again() {
    let place = Place::new(Format::Glove);
    place.open();
    let cached = place.files(false).remove(0);
    let whole = fs::read(&cached).unwrap();
    // The zeros before the vectors are not checked.
    for at in (0..112).chain(128..whole.len()) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(&cached, &damaged).unwrap();
        let cache = Cache::in_folder(&place.cache());
        same(&WordVectors::open(&place.source(), &cache).unwrap(), &small());
        assert!(fs::read(&cached).unwrap() == whole, "byte {at}");
        // Bytes 8 to 15 are the version.
        assert!(cache.take_damaged() == [cached.clone()] || (8..16).contains(&at), "byte {at}");
    }
    for length in [0, 7, 100, 128, whole.len() - 1] {
        fs::write(&cached, &whole[..length]).unwrap();
        same(&place.open(), &small());
        assert!(fs::read(&cached).unwrap() == whole, "cut to {length}");
    }
}

#[test]
fn a_source_that_changes_has_another_form() {
    let place = Place::new(Format::Glove);
    let first = place.open();
    place.write(b"the 1 2 3\n");
    let second = place.open();
    assert_eq!(second.get("the"), Some([1.0, 2.0, 3.0].as_slice()));
    assert_ne!(first.hash(), second.hash());
    same(&first, &small());
    assert_eq!((place.files(false).len(), place.files(true).len()), (2, 1));
}

#[test]
fn the_hash_is_remembered_while_the_file_stays_as_it_is() {
    let place = Place::new(Format::Glove);
    let hash = place.open().hash().to_owned();
    let note = place.files(true).remove(0);
    let text = fs::read_to_string(&note).unwrap();
    let digits = text.lines().nth(2).unwrap();
    assert!(digits.starts_with(&hash));
    // A note with the right metadata and checksum is trusted: the file is not hashed again.
    let above: Vec<&str> = text.lines().take(4).collect();
    let other = above.join("\n").replace(digits, &"00".repeat(32)) + "\n";
    fs::write(&note, identity::with_checksum(other)).unwrap();
    assert_eq!(place.open().hash(), "00000000");
    let by_hand = text.replace(digits, &"00".repeat(32));
    for spoilt in [by_hand, text.replace("vectors 2", "vectors 3"), text.replace(digits, "é"), "".to_owned()] {
        fs::write(&note, spoilt).unwrap();
        assert_eq!(place.open().hash(), hash);
        assert_eq!(fs::read_to_string(&note).unwrap(), text);
    }
}

#[test]
fn a_file_changed_just_now_is_not_remembered() {
    let place = Place::new(Format::Glove);
    fs::write(place.source(), "a 1 2\n").unwrap();
    assert!(place.open().is_compact());
    assert!(place.files(true).is_empty());
}

/// With a map of the file the process would end here.
#[test]
fn a_compact_form_that_is_cut_short_while_it_is_open_is_an_error() {
    let place = Place::new(Format::Glove);
    let rows: String = (0..4000).map(|row| format!("w{row} {row} 0.5\n")).collect();
    fs::write(place.source(), rows).unwrap();
    let vectors = place.open();
    assert!(vectors.is_compact());
    assert_eq!(vectors.get("w0"), Some(&[0.0, 0.5][..]));
    let form = place.files(false).pop().unwrap();
    fs::OpenOptions::new().write(true).open(form).unwrap().set_len(300).unwrap();
    assert_eq!(vectors.get("w1"), Some(&[1.0, 0.5][..]), "it was read before");
    assert_eq!(vectors.check().map_err(|error| error.kind()), Ok(()));
    assert_eq!(vectors.get("w3999"), None);
    assert_eq!(vectors.check().unwrap_err().kind(), crate::error::ErrorKind::Io);
}

/// Whoever plants a link in the cache folder does not choose what is overwritten.
#[test]
#[cfg(unix)]
fn a_link_in_the_cache_is_replaced_and_not_followed() {
    let place = Place::new(Format::Glove);
    drop(place.open());
    let form = place.files(false).pop().unwrap();
    fs::remove_file(&form).unwrap();
    let other = place.folder.path().join("other");
    fs::write(&other, "somebody's").unwrap();
    std::os::unix::fs::symlink(&other, &form).unwrap();
    assert!(place.open().is_compact());
    assert_eq!(fs::read_to_string(&other).unwrap(), "somebody's");
    assert!(!fs::symlink_metadata(&form).unwrap().is_symlink());
}

#[test]
fn a_cache_that_cannot_be_written_is_not_an_error() {
    let place = Place::new(Format::Word2VecBinary);
    fs::write(place.folder.path().join("deep"), "a file where the folder should be").unwrap();
    let vectors = place.open();
    assert!(!vectors.is_compact());
    same(&vectors, &small());
}

#[test]
fn a_bad_source_leaves_nothing_behind() {
    let place = Place::new(Format::Glove);
    place.write(b"a 1 2\nb 1\n");
    let error = WordVectors::open(&place.source(), &Cache::in_folder(&place.cache())).unwrap_err();
    assert!(matches!(error, Error::BadLine { line: 2, .. }), "{error}");
    assert!(place.files(false).is_empty());
}

#[test]
fn a_short_file_is_held_in_memory() {
    let place = Place::new(Format::Glove);
    let length = fs::metadata(place.source()).unwrap().len();
    let cache = |smallest| Cache::in_folder(&place.cache()).with_min_bytes(smallest);
    let opened = |smallest| cache::open(&place.source(), &cache(smallest)).unwrap();
    assert!(!opened(length + 1).is_compact());
    assert!(place.files(false).is_empty());
    assert!(opened(length).is_compact());
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![-4.0..4.0f32, any::<f32>().prop_filter("finite", |number| number.is_finite())]
}

proptest! {
    #[test]
    fn written_vectors_are_read_back(
        format in prop::sample::select(Format::ALL.to_vec()),
        rows in prop::collection::btree_map("[a-zé.\u{a0}<]{1,5}", prop::collection::vec(number(), 2), 1..9),
    ) {
        let rows: Vec<(&str, Vec<f32>)> = rows.iter().map(|(word, vector)| (word.as_str(), vector.clone())).collect();
        let bytes = written(format, &rows);
        let read = WordVectors::from_bytes(Path::new("v"), &bytes, None).unwrap();
        prop_assert_eq!(read.format(), format);
        same(&read, &rows);
    }
}
