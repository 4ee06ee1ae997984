//! The words of encoders that are trained with the network: rows of the matrix E (Guzmán et al., 2017, sec. 5.6).
//!
//! E has the words of some texts: with pre-trained vectors those that have one, else all of them, with random vectors.
//! A word that is not in E is left out of a sentence, as it is left out of averages.
//!
//! # Choices
//! - Words are lowercased Moses tokens without escapes, as in [`AverageEncoder`](crate::encode::AverageEncoder).
//! - Random vectors are uniform in [−0.05, 0.05]; the article does not specify the distribution.

use super::judged::JudgedTexts;
use crate::error::{Error, Result};
use crate::text::{MosesLanguage, MosesOptions, Scratch, Tokenizer};
use crate::vectors::{LookupCase, WordVectors, lookup};
use foldhash::{HashMap, HashSet};
use std::sync::Arc;
use tercet_learn::networks::Lists;
use tercet_math::Matrix;
use tercet_math::random::Random;

/// Random values are between −`BOUND` and `BOUND`.
const BOUND: f32 = 0.05;

/// The word of a row for all words that have no other.
const UNKNOWN: &str = "<unk>";

/// Words and their initial vectors.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    words: Vec<String>,
    numbers: HashMap<String, u32>,
    matrix: Arc<Matrix>,
    origin: String,
}

/// The word lists of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// One list per translation.
    pub translations: Lists,
    /// One list per segment.
    pub references: Lists,
}

impl Vocabulary {
    /// The words of these texts that have a vector.
    pub fn pretrained<'a>(texts: impl Iterator<Item = &'a str>, vectors: &WordVectors) -> Result<Self> {
        let known = |word: &str| lookup(vectors, word, LookupCase::ThenLower);
        let words = distinct(texts, &|word| known(word).is_some());
        if words.is_empty() {
            return Err(Error::Unusable("no word of the texts has a vector".to_owned()));
        }
        let values: Vec<f32> = words.iter().flat_map(|word| known(word).unwrap_or_default()).copied().collect();
        let matrix = Matrix::new(words.len(), vectors.dimension(), values)?;
        Ok(Self::from_parts(words, matrix, format!("vectors {}", vectors.hash())))
    }

    /// The distinct words of `words` that have a vector, then up to `further` other words of the file in its order
    /// (files of GloVe begin with the most frequent). The first row, zeros, is for all other words. Words are in lower
    /// case.
    pub(crate) fn with_unknown<'a>(
        words: impl Iterator<Item = &'a str>,
        further: usize,
        vectors: &WordVectors,
    ) -> Result<Self> {
        let mut seen: HashSet<&str> = HashSet::from_iter([UNKNOWN]);
        let mut known: Vec<&str> = words.filter(|word| seen.insert(word)).collect();
        known.retain(|word| vectors.get(word).is_some());
        if known.is_empty() {
            return Err(Error::Unusable("no word of the texts has a vector".to_owned()));
        }
        let is_lower = |word: &&str| !word.contains(|c: char| c.is_uppercase() || c == '\n');
        known.extend(vectors.words().filter(is_lower).filter(|word| seen.insert(word)).take(further));
        let rows = known.iter().flat_map(|word| vectors.get(word).unwrap_or_default());
        let values = std::iter::repeat_n(&0.0, vectors.dimension()).chain(rows).copied().collect();
        let matrix = Matrix::new(known.len() + 1, vectors.dimension(), values)?;
        let words = std::iter::once(UNKNOWN).chain(known).map(str::to_owned).collect();
        Ok(Self::from_parts(words, matrix, format!("vectors {}", vectors.hash())))
    }

    /// The row of a word.
    pub(crate) fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// All words of these texts, with random vectors.
    pub fn random<'a>(texts: impl Iterator<Item = &'a str>, dimension: usize, seed: u64) -> Result<Self> {
        let words = distinct(texts, &|_| true);
        if words.is_empty() {
            return Err(Error::Unusable("the texts have no words".to_owned()));
        }
        let mut random = Random::stream(seed, "embedding", 0);
        let values = (0..words.len() * dimension).map(|_| random.uniform(-BOUND, BOUND)).collect();
        let matrix = Matrix::new(words.len(), dimension, values)?;
        Ok(Self::from_parts(words, matrix, format!("random {dimension}")))
    }

    /// Words with the rows of a matrix.
    pub(crate) fn from_parts(words: Vec<String>, matrix: Matrix, origin: String) -> Self {
        let numbers = words.iter().enumerate().map(|(number, word)| (word.clone(), number as u32)).collect();
        Vocabulary { words, numbers, matrix: Arc::new(matrix), origin }
    }

    /// The words, in the order of the rows.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// E⁰: the initial vectors, one row per word.
    pub fn matrix(&self) -> Arc<Matrix> {
        Arc::clone(&self.matrix)
    }

    /// Where the vectors come from: `vectors HASH` or `random D`.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The word lists of a set.
    pub fn lists(&self, judged: &JudgedTexts) -> Words {
        Words {
            translations: self.lists_of(judged.translations.iter().map(|translation| translation.text.as_str())),
            references: self.lists_of(judged.references.iter().map(String::as_str)),
        }
    }

    /// The word lists of lines.
    pub(super) fn lists_of<'a>(&self, lines: impl Iterator<Item = &'a str>) -> Lists {
        let mut lists = Lists::default();
        let mut cutter = WordSplitter::new();
        for line in lines {
            lists.push(cutter.words(line).filter_map(|word| self.numbers.get(word).copied()));
        }
        lists
    }
}

/// The distinct words that pass `wanted`, in order of first occurrence.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut seen: HashMap<String, ()> = HashMap::default();
    let mut words = Vec::new();
    let mut cutter = WordSplitter::new();
    for text in texts {
        for word in cutter.words(text) {
            if !seen.contains_key(word) {
                seen.insert(word.to_owned(), ());
                words.extend(wanted(word).then(|| word.to_owned()));
            }
        }
    }
    words
}

/// Splits lines into words.
struct WordSplitter {
    tokenizer: Tokenizer,
    scratch: Scratch,
    tokens: String,
}

impl WordSplitter {
    fn new() -> Self {
        let tokenizer = Tokenizer::Moses(MosesOptions { language: MosesLanguage::English, escape: false });
        WordSplitter { tokenizer, scratch: Scratch::default(), tokens: String::new() }
    }

    fn words(&mut self, line: &str) -> impl Iterator<Item = &str> {
        self.tokenizer.tokenize_segment(line, true, &mut self.scratch, &mut self.tokens);
        self.tokenizer.tokens(&self.tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn pretrained_words_are_those_of_the_texts_that_have_a_vector() {
        let vectors = WordVectors::from_bytes(Path::new("v"), b"cat 1 2\ndog 3 4\n. 5 6\n", None).unwrap();
        let vocabulary = Vocabulary::pretrained(["The cat.", "A CAT"].into_iter(), &vectors).unwrap();
        assert_eq!(vocabulary.words(), ["cat", "."]);
        assert_eq!(vocabulary.matrix().values(), [1.0, 2.0, 5.0, 6.0]);
        let lists = vocabulary.lists_of(["a cat, a cat .", "dog"].into_iter());
        assert_eq!((lists.list(0), lists.list(1)), (&[0, 0, 1][..], &[][..]));
    }

    #[test]
    fn further_words_are_the_first_of_the_file_and_unknown_ones_have_a_row() {
        let file = b"the 1 2\ncat 3 4\n<unk> 9 9\nDog 5 6\nran 7 8\nhome 0 1\n";
        let vectors = WordVectors::from_bytes(Path::new("v"), file, None).unwrap();
        let words = |further| {
            let vocabulary = Vocabulary::with_unknown(["cat", "sat", "cat"].into_iter(), further, &vectors);
            vocabulary.unwrap().words().join(" ")
        };
        assert_eq!(
            [0, 1, 2, 9].map(words),
            ["<unk> cat", "<unk> cat the", "<unk> cat the ran", "<unk> cat the ran home"]
        );
        let vocabulary = Vocabulary::with_unknown(["cat"].into_iter(), 1, &vectors).unwrap();
        assert_eq!(vocabulary.matrix().values(), [0.0, 0.0, 3.0, 4.0, 1.0, 2.0]);
        assert_eq!((vocabulary.number("the"), vocabulary.number("sat")), (Some(2), None));
        assert!(Vocabulary::with_unknown(["sat"].into_iter(), 9, &vectors).is_err());
    }

    #[test]
    fn a_vocabulary_without_words_is_refused() {
        let vectors = WordVectors::from_bytes(Path::new("v"), b"dog 3 4\n", None).unwrap();
        assert!(Vocabulary::pretrained(["a cat"].into_iter(), &vectors).is_err());
        assert!(Vocabulary::random(["", " "].into_iter(), 2, 1).is_err());
    }

    #[test]
    fn random_vectors_depend_on_the_seed_and_cover_all_words() {
        let vocabulary = |seed| Vocabulary::random(["the cat the"].into_iter(), 3, seed).unwrap();
        assert_eq!(vocabulary(1).words(), ["the", "cat"]);
        assert_eq!(vocabulary(1).matrix(), vocabulary(1).matrix());
        assert!(vocabulary(1).matrix() != vocabulary(2).matrix());
        assert!(vocabulary(1).matrix().values().iter().all(|value| value.abs() <= BOUND));
    }
}
