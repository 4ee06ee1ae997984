//! GloVe's vectors (6B, 50 numbers a word), the 10,495 words of them that the shared data has.

use crate::inputs::lines;
use libtest_mimic::Trial;
use std::path::Path;
use std::sync::Arc;
use tercet::cache::Cache;
use tercet::encode::{AverageEncoder, SentenceEncoder};
use tercet::vectors::{Coverage, Format, WordVectors};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let glove = shared.join("data/glove50-subset/glove.6B.50d.union.txt");
    let reference = shared.join("data/wmt12-rr/references/newstest2012-ref.en");
    let mut trials = Vec::new();
    if glove.is_file() {
        let glove = glove.clone();
        trials.push(Trial::test("glove50-subset/rows", move || {
            rows(&glove);
            Ok(())
        }));
    }
    if glove.is_file() && reference.is_file() {
        trials.push(Trial::test("glove50-subset/newstest2012", move || {
            newstest2012(&glove, &reference);
            Ok(())
        }));
    }
    trials
}

/// Every row equals what the standard library parses, however the file is opened.
fn rows(glove: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let read = WordVectors::from_bytes(glove, &std::fs::read(glove).unwrap(), None).unwrap();
    let mapped = WordVectors::open(glove, &Cache::in_folder(folder.path())).unwrap();
    assert!(mapped.is_compact());
    for vectors in [&read, &mapped, &WordVectors::open(glove, &Cache::in_folder(folder.path())).unwrap()] {
        assert_eq!((vectors.len(), vectors.dimension(), vectors.duplicates()), (10_495, 50, 0));
        assert_eq!(vectors.format(), Format::Glove);
        for (line, word) in lines(glove).iter().zip(vectors.words()) {
            let (first, numbers) = line.split_once(' ').unwrap();
            let numbers: Vec<f32> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
            assert_eq!((first, vectors.get(word).unwrap()), (word, numbers.as_slice()));
        }
    }
}

/// How many tokens have a vector, and the average of the first line by numpy.
///
/// Python counts the same among our tokens, and with tokenizer.perl (mosesdecoder 34452895, -no-escape) 65,207 of
/// 72,974, since `Pfc.` is an abbreviation there. The 89.3% that the data's index states are those of a text that was
/// lower-cased before it was tokenized, so that stops are kept with the words before them: there tokenizer.perl gives
/// 65,074 of 72,904.
fn newstest2012(glove: &Path, reference: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let vectors = Arc::new(WordVectors::open(glove, &Cache::in_folder(folder.path())).unwrap());
    let encoder = AverageEncoder::new(vectors);
    let text = lines(reference);
    let lower: Vec<String> = text.iter().map(|line| line.to_lowercase()).collect();
    let (text, lower): (Vec<&str>, Vec<&str>) =
        text.iter().zip(&lower).map(|(line, lower)| (line.as_str(), lower.as_str())).unzip();
    assert_eq!(text.len(), 3003);
    let percent = |coverage: Coverage| format!("{:.2}", coverage.share() * 100.0);
    let coverage = encoder.coverage(&text).unwrap();
    assert_eq!(coverage, Coverage { known: 65_208, all: 72_975 });
    assert_eq!(percent(coverage), "89.36");
    let coverage = encoder.coverage(&lower).unwrap();
    assert_eq!(coverage, Coverage { known: 65_074, all: 72_904 });
    assert_eq!(percent(coverage), "89.26");
    // numpy.mean([glove[w] for w in tokens[0].split() if w in glove], axis=0).astype(numpy.float32)[:3]
    let encoded = encoder.encode(&text).unwrap();
    assert_eq!(&encoded[0][..3], [0.02155333, -0.27125818, 0.17451191]);
    assert_eq!(&encoded[1][..3], [0.11136355, 0.046833333, -0.12812169]);
    assert_eq!(encoder.encode(&text[1..2]).unwrap()[0], encoded[1]);
}
