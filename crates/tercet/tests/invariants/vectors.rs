//! Properties of the readers of word vectors and sentence vectors: any bytes are read, or are an error that names the
//! file; every word occurs once, with a vector of finite numbers and the right dimension.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use tercet::cache::Cache;
use tercet::encode::{PrecomputedVectors, SentenceEncoder};
use tercet::vectors::{AveragePolicy, Format, WordVectors, average};

const FILE: &str = "vectors.bin";

/// Any bytes as a file of this format, or of the recognised one.
pub fn word_vectors(bytes: &[u8], format: Option<Format>) {
    match WordVectors::from_bytes(Path::new(FILE), bytes, format) {
        Ok(vectors) => {
            are_whole(&vectors);
            assert!(!vectors.is_empty());
            assert!(format.is_none_or(|format| format == vectors.format()));
            are_read_again(&vectors);
        }
        Err(error) => assert!(error.to_string().contains(FILE), "{error}"),
    }
}

fn are_whole(vectors: &WordVectors) {
    let words: BTreeSet<&str> = vectors.words().collect();
    assert_eq!(words.len(), vectors.len());
    assert!(vectors.dimension() > 0);
    for word in words {
        assert!(!word.is_empty());
        let vector = vectors.get(word).expect("a word that is listed has a vector");
        assert_eq!(vector.len(), vectors.dimension());
        assert!(vector.iter().all(|number| number.is_finite()));
        let alone = average(vectors, [word], AveragePolicy::default());
        assert_eq!((alone.vector.as_slice(), alone.coverage.known), (vector, 1));
    }
}

/// Written with tabs and read back, the words have the same vectors.
fn are_read_again(vectors: &WordVectors) {
    let words: Vec<&str> = vectors.words().filter(|word| !word.contains(['\t', '\n'])).collect();
    let mut text = String::new();
    for word in &words {
        text.push_str(word);
        for number in vectors.get(word).unwrap() {
            write!(text, "\t{number:e}").unwrap();
        }
        text.push('\n');
    }
    if words.is_empty() {
        return;
    }
    let again = WordVectors::from_bytes(Path::new(FILE), text.as_bytes(), Some(Format::Composes)).unwrap();
    assert_eq!(again.words().collect::<Vec<_>>(), words);
    for word in words {
        assert_eq!(again.get(word), vectors.get(word));
    }
}

/// A compact form has the same vectors as its source.
pub fn compact_form(folder: &Path, bytes: &[u8]) {
    let path = folder.join(FILE);
    std::fs::write(&path, bytes).expect("a scratch file can be written");
    let direct = WordVectors::from_bytes(&path, bytes, None);
    match (direct, WordVectors::open(&path, &Cache::in_folder(&folder.join("cache")))) {
        (Ok(direct), Ok(mapped)) => {
            assert!(mapped.is_compact());
            assert_eq!(mapped.words().collect::<Vec<_>>(), direct.words().collect::<Vec<_>>());
            assert!(direct.words().all(|word| direct.get(word) == mapped.get(word)));
            assert_eq!(
                (mapped.hash(), mapped.format(), mapped.duplicates(), mapped.dimension()),
                (direct.hash(), direct.format(), direct.duplicates(), direct.dimension())
            );
        }
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
        (one, other) => panic!("{one:?}, but {other:?}"),
    }
}

/// A file of sentence vectors.
pub fn precomputed(bytes: &[u8]) {
    match PrecomputedVectors::from_bytes(Path::new(FILE), bytes) {
        Ok(vectors) => {
            assert!(!vectors.is_empty() && vectors.dimension() > 0);
            if let Ok(encoded) = vectors.encode(&["a", "", "b"]) {
                assert!(encoded.iter().all(|vector| vector.len() == vectors.dimension()));
                assert!(encoded.iter().flatten().all(|number| number.is_finite()));
            }
        }
        Err(error) => assert!(error.to_string().contains(FILE), "{error}"),
    }
}
