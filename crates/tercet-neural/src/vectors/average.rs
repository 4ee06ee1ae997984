//! The average of the vectors of some words: the sentence vectors of Guzmán et al. (2015; 2017).
//!
//! ```text
//! v(s) = 1/n · Σ v(w)
//! ```
//!
//! The sum is over the known words w of s. The papers do not define n; there is a choice:
//!
//! - [`UnknownWords::LeftOut`] (default): the number of known words. An unknown word changes nothing.
//! - [`UnknownWords::Zeros`]: the number of all words, so that an unknown one moves the average towards zero.
//!
//! A line without known words has the zero vector, as an empty translation in the papers. The average comes with the
//! number of known words, for reports.
//!
//! # Choices
//! - [`LookupCase::ThenLower`] (default) looks a word up as it is written, then in lower case: GloVe's 6B has lower
//!   case only, word2vec's News and GloVe's 840B have both.
//! - Sums are in double precision, in the order of the words, and rounded once at the end.

use super::word_vectors::WordVectors;

/// How a word without a vector counts in an average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownWords {
    /// It does not count.
    #[default]
    LeftOut,
    /// It counts as a vector of zeros.
    Zeros,
}

/// Whether the case of a word matters when it is looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookupCase {
    /// As it is written.
    AsWritten,
    /// As it is written, then in lower case.
    #[default]
    ThenLower,
}

/// Options of an average.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AveragePolicy {
    /// Default: unknown words do not count.
    pub unknown: UnknownWords,
    /// Default: as written, then in lower case.
    pub case: LookupCase,
}

/// How many words had a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Number of words with a vector.
    pub known: usize,
    /// Number of all words.
    pub all: usize,
}

impl Coverage {
    /// The share of words with a vector; 1 if there are no words.
    pub fn share(self) -> f64 {
        if self.all == 0 { 1.0 } else { self.known as f64 / self.all as f64 }
    }
}

tercet_base::add_fields!(Coverage { known, all });

/// The average of the vectors of some words.
#[derive(Clone, Debug, PartialEq)]
pub struct Average {
    /// Has the dimension of the word vectors.
    pub vector: Vec<f32>,
    /// How many of the words had a vector.
    pub coverage: Coverage,
}

/// The vector of a word.
pub fn lookup<'a>(vectors: &'a WordVectors, word: &str, case: LookupCase) -> Option<&'a [f32]> {
    match case {
        LookupCase::AsWritten => vectors.get(word),
        LookupCase::ThenLower => {
            let lowered = || word.chars().any(char::is_uppercase).then(|| word.to_lowercase());
            vectors.get(word).or_else(|| vectors.get(&lowered()?))
        }
    }
}

/// Averages the vectors of some words.
pub fn average<'a>(vectors: &WordVectors, words: impl IntoIterator<Item = &'a str>, policy: AveragePolicy) -> Average {
    let mut sum = vec![0.0; vectors.dimension()];
    let mut coverage = Coverage::default();
    for word in words {
        coverage.all += 1;
        let Some(vector) = lookup(vectors, word, policy.case) else { continue };
        coverage.known += 1;
        for (sum, &number) in sum.iter_mut().zip(vector) {
            *sum += f64::from(number);
        }
    }
    let count = match policy.unknown {
        UnknownWords::LeftOut => coverage.known,
        UnknownWords::Zeros => coverage.all,
    };
    let divisor = count.max(1) as f64;
    Average { vector: sum.iter().map(|sum| (sum / divisor) as f32).collect(), coverage }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn vectors() -> WordVectors {
        let text = "the 1 2\ncat 3 -4\nThe 7 7\n";
        WordVectors::from_bytes(Path::new("v"), text.as_bytes(), None).unwrap()
    }

    fn averaged(line: &str, unknown: UnknownWords, case: LookupCase) -> (Vec<f32>, usize, usize) {
        let made =
            average(&vectors(), line.split(' ').filter(|word| !word.is_empty()), AveragePolicy { unknown, case });
        (made.vector, made.coverage.known, made.coverage.all)
    }

    #[test]
    fn unknown_words_are_left_out_or_are_zeros() {
        assert_eq!(averaged("the cat sat down", UnknownWords::LeftOut, LookupCase::AsWritten), (vec![2.0, -1.0], 2, 4));
        assert_eq!(averaged("the cat sat down", UnknownWords::Zeros, LookupCase::AsWritten), (vec![1.0, -0.5], 2, 4));
    }

    #[test]
    fn lines_without_a_known_word_are_zero() {
        for unknown in [UnknownWords::LeftOut, UnknownWords::Zeros] {
            assert_eq!(averaged("", unknown, LookupCase::ThenLower), (vec![0.0, 0.0], 0, 0));
            assert_eq!(averaged("a b", unknown, LookupCase::ThenLower), (vec![0.0, 0.0], 0, 2));
        }
    }

    #[test]
    fn words_are_looked_up_as_written_and_then_in_lower_case() {
        let default = AveragePolicy::default();
        assert_eq!(averaged("The", default.unknown, default.case), (vec![7.0, 7.0], 1, 1));
        assert_eq!(averaged("THE Cat", default.unknown, default.case), (vec![2.0, -1.0], 2, 2));
        assert_eq!(averaged("THE Cat", default.unknown, LookupCase::AsWritten), (vec![0.0, 0.0], 0, 2));
    }

    #[test]
    fn the_share_of_nothing_is_whole() {
        assert_eq!(Coverage { known: 3, all: 4 }.share(), 0.75);
        assert_eq!(Coverage::default().share(), 1.0);
    }
}
