//! Recurrent sentence encoders: InferSent (Conneau et al., EMNLP 2017) and Skip-Thought (Kiros et al., NeurIPS 2015),
//! with the published weights, which `scripts/convert_infersent.py` and `scripts/convert_skip_thought.py` convert;
//! InferSent also with weights that `infersent_training` trained.
//!
//! # Choices
//! - Both tools split words as NLTK does; here it is Moses' tokenizer without escapes, or another one (`tok`). Case is
//!   kept.
//! - Weights that were trained here know their tokenizer, their case and the hash of their word vectors; other vectors
//!   are refused.
//! - InferSent puts `<s>` and `</s>` around a sentence and leaves out what has no vector; a sentence without any known
//!   word is `</s>`, or zero if that has no vector either.
//! - Skip-Thought gives a word without a vector that of `UNK`, and scales the vectors of `uni` and of `bi` to length 1
//!   before they are joined.

use super::infersent_training::TrainedWords;
use super::{SentenceEncoder, without_mark};
use crate::cache::Cache;
use crate::error::{Error, Result};
use crate::spec::Spec;
use crate::text::{MosesLanguage, MosesOptions, Scratch, Tokenizer};
use crate::vectors::{LookupCase, WordVectors, lookup};
use foldhash::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use tercet_base::files::{self, hexadecimal};
use tercet_transformer::{InferSent, SkipThought};

tercet_base::choices! {
    /// How the words of a line are looked up.
    pub enum WordCase: "case" = Mixed {
        /// In lower case.
        Lower = "lower",
        /// As written, then in lower case.
        ThenLower = "then-lower",
        /// Only as written.
        Mixed = "mixed",
    }
}

/// Words of lines, as they are looked up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) tokenizer: Tokenizer,
    pub(super) case: WordCase,
}

impl Default for Words {
    fn default() -> Self {
        let options = MosesOptions { language: MosesLanguage::English, escape: false };
        Words { tokenizer: Tokenizer::Moses(options), case: WordCase::default() }
    }
}

impl Words {
    /// Splits a line; the words are in `tokens`.
    pub(super) fn split<'t>(
        &self,
        line: &str,
        scratch: &mut Scratch,
        tokens: &'t mut String,
    ) -> impl Iterator<Item = &'t str> {
        self.tokenizer.tokenize_segment(without_mark(line), self.case == WordCase::Lower, scratch, tokens);
        self.tokenizer.tokens(tokens)
    }

    /// The vector of a word.
    pub(super) fn look_up<'v>(&self, vectors: &'v WordVectors, word: &str) -> Option<&'v [f32]> {
        let case = match self.case {
            WordCase::ThenLower => LookupCase::ThenLower,
            WordCase::Lower | WordCase::Mixed => LookupCase::AsWritten,
        };
        lookup(vectors, word, case)
    }

    /// Calls `find` with the words of each distinct line, and gives every line what was encoded for it.
    fn encode<'v>(
        &self,
        lines: &[&str],
        find: impl Fn(&mut dyn Iterator<Item = &str>) -> Vec<&'v [f32]>,
        encode: impl Fn(&[Vec<&'v [f32]>]) -> Vec<Vec<f32>>,
    ) -> Vec<Vec<f32>> {
        let (mut places, mut sentences) = (HashMap::default(), Vec::new());
        let (mut scratch, mut tokens) = (Scratch::default(), String::new());
        let mut place = |line: &&str| {
            *places.entry(without_mark(line).to_owned()).or_insert_with(|| {
                sentences.push(find(&mut self.split(line, &mut scratch, &mut tokens)));
                sentences.len() - 1
            })
        };
        let place: Vec<usize> = lines.iter().map(&mut place).collect();
        let encoded = encode(&sentences);
        place.into_iter().map(|place| encoded[place].clone()).collect()
    }
}

/// Whether a file starts as those that PyTorch writes: a ZIP archive, or in older versions a pickle.
fn is_of_pytorch(path: &Path) -> bool {
    let mut start = [0; 2];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && (&start == b"PK" || (start[0] == 0x80 && start[1] < 6))
}

/// The first eight hexadecimal digits of the SHA-256 of a file, as `tercet train` prints them.
fn hash(path: &Path) -> Result<String> {
    let (hash, _) = files::sha256(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    Ok(hexadecimal(&hash[..4]))
}

/// Refuses word vectors of another size than the weights were trained with.
fn check_words(path: &Path, vectors: &WordVectors, expected: usize) -> Result<()> {
    if vectors.dimension() == expected {
        return Ok(());
    }
    let found = vectors.dimension();
    Err(Error::bad_file(
        path,
        format!("vectors of {found} numbers, the encoder was trained with {expected}: they do not belong together"),
    ))
}

/// The words of a sentence as InferSent reads them.
pub(super) fn with_ends<'w>(words: impl Iterator<Item = &'w str>) -> impl Iterator<Item = &'w str> {
    ENDS.into_iter().take(1).chain(words).chain(ENDS.into_iter().skip(1))
}

/// What InferSent puts around a sentence.
pub(super) const ENDS: [&str; 2] = ["<s>", "</s>"];

/// InferSent with word vectors.
#[derive(Debug)]
pub struct InferSentEncoder {
    network: InferSent,
    hash: String,
    vectors: WordVectors,
    words: Words,
}

impl InferSentEncoder {
    /// Opens weights and the word vectors that they were trained with.
    pub fn open(weights: &Path, vectors: &Path, cache: &Cache) -> Result<Self> {
        if is_of_pytorch(weights) {
            let what = "a file of PyTorch: convert it with scripts/convert_infersent.py";
            return Err(Error::bad_file(weights, what));
        }
        let network = InferSent::read(weights)?;
        let words = WordVectors::open(vectors, cache)?;
        check_words(vectors, &words, network.word_dimension())?;
        let split = match TrainedWords::read(weights)? {
            None => Words::default(),
            Some(trained) => {
                trained.check_vectors(vectors, &words)?;
                trained.words
            }
        };
        Ok(InferSentEncoder { network, hash: hash(weights)?, vectors: words, words: split })
    }

    /// Sets the tokenizer.
    pub fn with_tokenizer(mut self, tokenizer: Tokenizer) -> Self {
        self.words.tokenizer = tokenizer;
        self
    }

    /// Sets how words are looked up.
    pub fn with_case(mut self, case: WordCase) -> Self {
        self.words.case = case;
        self
    }
}

impl SentenceEncoder for InferSentEncoder {
    fn signature(&self) -> Spec {
        let spec = Spec::new("infersent").with_option("model", &self.hash);
        let spec = spec.with_option("vectors", self.vectors.hash()).with_option("dim", self.dimension());
        spec.with_option("tok", self.words.tokenizer.name()).with_option("case", self.words.case.name())
    }

    fn dimension(&self) -> usize {
        self.network.dimension()
    }

    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>> {
        let find = |words: &mut dyn Iterator<Item = &str>| {
            with_ends(words).filter_map(|word| self.words.look_up(&self.vectors, word)).collect()
        };
        Ok(self.words.encode(lines, find, |sentences| self.network.encode(sentences)))
    }
}

/// Skip-Thought with word vectors: `uni`, `bi`, or both joined.
#[derive(Debug)]
pub struct SkipThoughtEncoder {
    parts: Vec<Part>,
    words: Words,
}

#[derive(Debug)]
struct Part {
    network: SkipThought,
    hash: String,
    vectors: WordVectors,
}

impl SkipThoughtEncoder {
    /// Opens a folder of converted files: `uni_skip.safetensors` with `uni_words.bin`, `bi_skip.safetensors` with
    /// `bi_words.bin`, as many of the two as `kinds` names.
    pub fn open(folder: &Path, kinds: &[&str], cache: &Cache) -> Result<Self> {
        let part = |kind: &&str| {
            let (weights, words) =
                (folder.join(format!("{kind}_skip.safetensors")), folder.join(format!("{kind}_words.bin")));
            if !weights.exists() && folder.join(format!("{kind}_skip.npz")).exists() {
                let what = "its files are as published: convert them with scripts/convert_skip_thought.py";
                return Err(Error::bad_file(folder, what));
            }
            let network = SkipThought::read(&weights)?;
            let vectors = WordVectors::open(&words, cache)?;
            check_words(&words, &vectors, network.word_dimension())?;
            Ok(Part { network, hash: hash(&weights)?, vectors })
        };
        let parts = kinds.iter().map(part).collect::<Result<_>>()?;
        Ok(SkipThoughtEncoder { parts, words: Words::default() })
    }

    /// Sets the tokenizer.
    pub fn with_tokenizer(mut self, tokenizer: Tokenizer) -> Self {
        self.words.tokenizer = tokenizer;
        self
    }
}

impl SentenceEncoder for SkipThoughtEncoder {
    fn signature(&self) -> Spec {
        let joined = |of: fn(&Part) -> &str| self.parts.iter().map(of).collect::<Vec<_>>().join("+");
        let spec = Spec::new("skip-thought").with_option("model", joined(|part| &part.hash));
        let spec = spec.with_option("vectors", joined(|part| part.vectors.hash()));
        spec.with_option("dim", self.dimension()).with_option("tok", self.words.tokenizer.name())
    }

    fn dimension(&self) -> usize {
        self.parts.iter().map(|part| part.network.dimension()).sum()
    }

    fn encode(&self, lines: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut all = vec![Vec::with_capacity(self.dimension()); lines.len()];
        for part in &self.parts {
            let find = |words: &mut dyn Iterator<Item = &str>| {
                words.filter_map(|word| part.vectors.get(word).or_else(|| part.vectors.get("UNK"))).collect()
            };
            let vectors = self.words.encode(lines, find, |sentences| part.network.encode(sentences));
            for (line, vector) in all.iter_mut().zip(vectors) {
                let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt().max(1e-12);
                line.extend(vector.iter().map(|number| number / length));
            }
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn small(name: &str) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tercet-transformer/tests/recurrent").join(name)
    }

    /// Vectors of five numbers.
    const VECTORS: &str = "<s> 0.1 0 0 0 1\n</s> 0 0.2 0 1 0\ncat 1 0.5 -1 0 2\ndog -1 1 0 0.3 0\nUNK 1 1 1 1 1\n";

    /// A folder with weights and vectors under the names that the scripts give them.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for kind in ["uni", "bi"] {
            let weights = format!("{kind}_skip.safetensors");
            std::fs::copy(small(&weights), folder.path().join(weights)).unwrap();
            std::fs::write(folder.path().join(format!("{kind}_words.bin")), VECTORS).unwrap();
        }
        folder
    }

    #[test]
    fn infersent_leaves_out_unknown_words() {
        let folder = folder();
        let vectors = folder.path().join("uni_words.bin");
        let encoder = InferSentEncoder::open(&small("infersent.safetensors"), &vectors, &Cache::default()).unwrap();
        let encoded = encoder.encode(&["cat bird dog", "cat dog", "dog cat", "", "bird"]).unwrap();
        assert_eq!((encoded[0].len(), encoder.dimension()), (8, 8));
        assert_eq!((&encoded[0], &encoded[3]), (&encoded[1], &encoded[4]));
        assert_ne!(encoded[1], encoded[2]);
        let signature = encoder.signature().to_string();
        assert!(
            signature.starts_with("infersent:model=") && signature.ends_with(",dim=8,tok=moses+noescape,case=mixed")
        );
    }

    #[test]
    fn skip_thought_joins_both_kinds_and_knows_all_words() {
        let folder = folder();
        let open = |kinds: &[&str]| SkipThoughtEncoder::open(folder.path(), kinds, &Cache::default()).unwrap();
        let encode = |kinds: &[&str]| open(kinds).encode(&["cat bird", "cat UNK", "cat"]).unwrap();
        let (uni, bi, both) = (encode(&["uni"]), encode(&["bi"]), encode(&["uni", "bi"]));
        assert_eq!((uni[0].len(), bi[0].len(), both[0].len()), (4, 8, 12));
        assert_eq!(both[0], [uni[0].as_slice(), &bi[0]].concat());
        assert_eq!(uni[0], uni[1]);
        assert_ne!(uni[0], uni[2]);
        assert!((bi[0].iter().map(|number| number * number).sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(open(&["uni"]).encode(&[""]).unwrap()[0], [0.0; 4]);
    }

    #[test]
    fn published_files_must_be_converted() {
        let folder = folder();
        std::fs::rename(folder.path().join("bi_skip.safetensors"), folder.path().join("bi_skip.npz")).unwrap();
        let error = SkipThoughtEncoder::open(folder.path(), &["bi"], &Cache::default()).unwrap_err().to_string();
        assert!(error.ends_with("convert them with scripts/convert_skip_thought.py"), "{error}");
        let (published, words) = (folder.path().join("infersent1.pkl"), folder.path().join("uni_words.bin"));
        for start in [&b"PK\x03\x04 and more"[..], b"\x80\x02\x8a and more"] {
            std::fs::write(&published, start).unwrap();
            let error = InferSentEncoder::open(&published, &words, &Cache::default()).unwrap_err().to_string();
            assert!(error.ends_with("a file of PyTorch: convert it with scripts/convert_infersent.py"), "{error}");
        }
        std::fs::write(&published, "neither").unwrap();
        let error = InferSentEncoder::open(&published, &words, &Cache::default()).unwrap_err().to_string();
        assert!(error.contains("not a whole safetensors file"), "{error}");
    }

    #[test]
    fn vectors_of_another_size_and_missing_files_are_refused() {
        let folder = folder();
        std::fs::write(folder.path().join("uni_words.bin"), "cat 1 2 3\n").unwrap();
        let refused =
            |kinds: &[&str]| SkipThoughtEncoder::open(folder.path(), kinds, &Cache::default()).unwrap_err().to_string();
        assert!(
            refused(&["uni"])
                .ends_with("vectors of 3 numbers, the encoder was trained with 5: they do not belong together")
        );
        std::fs::remove_file(folder.path().join("bi_words.bin")).unwrap();
        assert!(refused(&["bi"]).contains("bi_words.bin"));
        let error =
            InferSentEncoder::open(Path::new("nowhere"), &small("x"), &Cache::default()).unwrap_err().to_string();
        assert!(error.contains("nowhere"), "{error}");
    }
}
