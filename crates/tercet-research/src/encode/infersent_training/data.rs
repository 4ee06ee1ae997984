//! The pairs that a recipe names, and their words as numbers.

use super::recipe::InferSentRecipe;
use crate::corpora::formats::parse_nli;
use crate::corpora::{NliLabel, NliPairs, find_files, read_lines};
use crate::encode::recurrent::{ENDS, Words, with_ends};
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::text::Scratch;
use crate::vectors::{Coverage, WordVectors};
use foldhash::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_base::files::is_same_file;
use tercet_learn::networks::{RelatedPair, RelationExamples};
use tercet_math::Matrix;

/// The pairs of some files.
#[derive(Debug, Default)]
pub(super) struct PairData {
    files: Vec<PathBuf>,
    sets: Vec<NliPairs>,
}

impl PairData {
    /// Reads the files that match these patterns of a recipe.
    pub fn read(recipe: &InferSentRecipe, patterns: &[PathBuf], progress: Progress<'_>) -> Result<Self> {
        let mut data = PairData::default();
        for pattern in patterns {
            data.files.extend(find_files(&recipe.origin.path(pattern))?);
        }
        for path in &data.files {
            progress.uncounted(&format!("reading {}", name(path)))?;
            let set = parse_nli(&read_lines(path)?)?;
            if set.pairs.is_empty() {
                let what = "no pair has a label: expected some with entailment, neutral or contradiction";
                return Err(Error::bad_file(path, what));
            }
            data.sets.push(set);
        }
        Ok(data)
    }

    /// Whether there are no files.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Returns an error if all pairs have the same label.
    pub fn check_labels(&self) -> Result<()> {
        let mut labels = self.sets.iter().flat_map(|set| &set.pairs).map(|pair| pair.label);
        let first = labels.next();
        match first.filter(|first| labels.all(|label| label == *first)) {
            None => Ok(()),
            Some(label) => Err(Error::Unusable(format!(
                "{}: all pairs have the label {}: expected pairs with other labels too",
                self.names(),
                label.name()
            ))),
        }
    }

    /// Returns an error if a file is also among those of the training data.
    pub fn check_apart_from(&self, training: &PairData, what: &str) -> Result<()> {
        let is_there = |path: &&PathBuf| training.files.iter().any(|other| is_same_file(path, other));
        match self.files.iter().find(is_there) {
            None => Ok(()),
            Some(path) => Err(Error::BadRequest(format!("{} is in both training and {what} data", path.display()))),
        }
    }

    /// The files with their numbers of pairs, for the notes.
    pub fn names(&self) -> String {
        let one = |(path, set): (&PathBuf, &NliPairs)| match set.without_label {
            0 => format!("{} ({})", name(path), set.pairs.len()),
            without => format!("{} ({}, and {without} without a label)", name(path), set.pairs.len()),
        };
        self.files.iter().zip(&self.sets).map(one).collect::<Vec<_>>().join(", ")
    }
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The words of texts that have a vector, numbered in the order of their first occurrence.
pub(super) struct KnownWords<'v> {
    words: Words,
    vectors: &'v WordVectors,
    /// `None` for words without a vector.
    numbers: HashMap<String, Option<u32>>,
    rows: Vec<f32>,
    /// Of all words that were looked up, without the ends of sentences.
    pub coverage: Coverage,
}

impl<'v> KnownWords<'v> {
    pub fn new(words: Words, vectors: &'v WordVectors) -> Self {
        let (numbers, rows, coverage) = (HashMap::default(), Vec::new(), Coverage::default());
        KnownWords { words, vectors, numbers, rows, coverage }
    }

    /// The pairs with the numbers of their words; every distinct sentence is one list.
    pub fn examples(&mut self, data: &PairData) -> RelationExamples {
        let mut examples = RelationExamples::default();
        let mut places: HashMap<&str, u32> = HashMap::default();
        let (mut scratch, mut tokens) = (Scratch::default(), String::new());
        let words = self.words;
        for pair in data.sets.iter().flat_map(|set| &set.pairs) {
            let [first, second] = pair.sentences.each_ref().map(|sentence| {
                *places.entry(sentence).or_insert_with(|| {
                    let split = words.split(sentence, &mut scratch, &mut tokens);
                    examples.lists.push(with_ends(split).filter_map(|word| self.number(word)));
                    examples.lists.len() as u32 - 1
                })
            });
            examples.pairs.push(RelatedPair { first, second, class: class(pair.label) });
        }
        examples
    }

    /// The number of a word, if it has a vector.
    fn number(&mut self, word: &str) -> Option<u32> {
        let number = match self.numbers.get(word) {
            Some(number) => *number,
            None => {
                let vector = self.words.look_up(self.vectors, word);
                let number = (self.rows.len() / self.vectors.dimension()) as u32;
                self.rows.extend_from_slice(vector.unwrap_or_default());
                let number = vector.map(|_| number);
                self.numbers.insert(word.to_owned(), number);
                number
            }
        };
        if !ENDS.contains(&word) {
            self.coverage.known += usize::from(number.is_some());
            self.coverage.all += 1;
        }
        number
    }

    /// The vectors of all words; an error if there are none.
    pub fn matrix(self) -> Result<Arc<Matrix>> {
        if self.coverage.known == 0 {
            let what = "no word of the texts has a vector (`case` and `tokenizer` decide how words are looked up)";
            return Err(Error::Unusable(what.to_owned()));
        }
        let dimension = self.vectors.dimension();
        Ok(Arc::new(Matrix::new(self.rows.len() / dimension, dimension, self.rows)?))
    }
}

/// The number of a label, by its place among all labels.
fn class(label: NliLabel) -> u32 {
    label as u32
}
