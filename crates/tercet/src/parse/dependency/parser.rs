//! The parser: words in, trees out, on all threads.
//!
//! Every word is scored against every other, so time grows with the square of a sentence's length. A sentence of more than
//! [`LONGEST`] words is therefore parsed in pieces (`sentence_pieces`), whose trees become one: what hangs on the root in
//! a further piece hangs on the first piece's root word instead, as `parataxis`, which is what UD calls sentences put
//! side by side.

use super::vocabulary::{Inventory, Numbering};
use super::workspace::{LONGEST_KEPT, ParserWorkspace};
use crate::error::Result;
use crate::parse::DependencyTree;
use crate::parse::conllu::{Column, Sentence};
use crate::parse::input_normalisation::InputNormalisation;
use crate::parse::sentence_pieces::pieces;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use tercet_learn::networks::biaffine::{Analysis, AnalysisSettings};
use tercet_learn::networks::{BiaffineNetwork, BiaffineReady};

/// Words in a batch, about: enough for the matrix products, few enough to share among threads.
const BATCH: usize = 2048;

/// Words of the longest piece.
pub(super) const LONGEST: usize = 1000;

/// Bytes of forms that a thread keeps, about.
const KEPT: usize = 32 << 20;

/// The relation of the word on the root, and of no other.
const ROOT: &str = "root";

/// The relations of further pieces to the first: the first of these that the model knows, else its most frequent one.
const BETWEEN_PIECES: [&str; 2] = ["parataxis", "dep"];

/// What stands in a column of which nothing is known.
const NOTHING: &str = "_";

/// A parser with its weights; see the [module](super).
pub struct DependencyParser {
    numbering: Numbering,
    network: BiaffineReady,
    settings: AnalysisSettings,
    /// How words are read; as they are written until a model file says otherwise, and in training.
    pub(super) normalisation: InputNormalisation,
    /// The relation of further pieces to the first.
    between_pieces: usize,
    /// How many forms a thread keeps.
    pub(super) kept_forms: usize,
    pub(super) notes: Vec<(String, String)>,
    pub(super) hash: String,
    /// Workers that are not at work.
    pub(super) idle: Mutex<Vec<ParserWorkspace>>,
}

/// What was found of one sentence, word by word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse<'p> {
    /// Universal parts of speech.
    pub upos: Vec<&'p str>,
    /// Parts of speech of the treebank.
    pub xpos: Vec<&'p str>,
    /// Ids of heads: 0 for the root, else the head's index plus 1. They are a tree with one root.
    pub heads: Vec<usize>,
    /// Relations to the heads.
    pub labels: Vec<&'p str>,
}

impl Parse<'_> {
    /// Heads and relations as a tree.
    pub fn tree(&self) -> DependencyTree {
        let labels = self.labels.iter().map(|label| (*label).to_owned()).collect();
        DependencyTree::new(self.heads.clone(), labels).expect("the parser makes trees")
    }
}

/// What becomes of columns that the parser does not predict, lemmas and features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OtherColumns {
    /// They become `_`: they belonged to other tags.
    #[default]
    Cleared,
    /// They stay.
    Kept,
}

impl DependencyParser {
    pub(super) fn new(numbering: Numbering, network: &BiaffineNetwork) -> Self {
        let root_label = root_label(&numbering.relations);
        let shape = network.shape().encoder;
        DependencyParser {
            between_pieces: between_pieces(&numbering.relations),
            numbering,
            network: BiaffineReady::new(network),
            // A vector and what the first layer makes of it, in single precision; and the form itself.
            kept_forms: KEPT / (4 * (shape.width + 6 * shape.units) + LONGEST_KEPT),
            settings: AnalysisSettings { root_label, ..AnalysisSettings::default() },
            normalisation: InputNormalisation::NONE,
            notes: Vec::new(),
            hash: String::new(),
            idle: Mutex::default(),
        }
    }

    /// Parses sentences of words. A sentence is parsed the same whatever its company and the number of threads.
    pub fn parse<S, W>(&self, sentences: &[S]) -> Vec<Parse<'_>>
    where
        S: AsRef<[W]> + Sync,
        W: AsRef<str> + Sync,
    {
        let read: Vec<Vec<Cow<'_, str>>> =
            sentences.iter().map(|sentence| self.normalisation.apply(sentence.as_ref())).collect();
        let pieces: Vec<&[Cow<'_, str>]> = read.iter().flat_map(|words| cut(words)).collect();
        let batches = batches(&pieces).into_par_iter();
        let parsed: Vec<Parse<'_>> = batches.flat_map_iter(|batch| self.parse_batch(batch)).collect();
        if parsed.len() == sentences.len() {
            return parsed;
        }
        let mut parsed = parsed.into_iter();
        let whole = |sentence: &S| self.put_together(parsed.by_ref(), sentence.as_ref().len());
        sentences.iter().map(whole).collect()
    }

    /// Parses one sentence.
    pub fn parse_one<W: AsRef<str> + Sync>(&self, words: &[W]) -> Parse<'_> {
        let read = self.normalisation.apply(words);
        self.put_together(cut(&read).flat_map(|piece| self.parse_batch(&[piece])), words.len())
    }

    /// Puts parts of speech, heads and relations into sentences of a CoNLL-U file. Words, multiword tokens, empty nodes,
    /// comments and the last column stay; enhanced dependencies (DEPS) become `_`, as the heads they came from are gone;
    /// `others` says what becomes of LEMMA and FEATS.
    pub fn annotate(&self, sentences: &mut [Sentence], others: OtherColumns) -> Result<()> {
        let forms: Vec<Vec<&str>> =
            sentences.iter().map(|sentence| sentence.words().map(|word| word.form()).collect()).collect();
        let parses = self.parse(&forms);
        for (sentence, parse) in sentences.iter_mut().zip(&parses) {
            sentence.set_tree(&parse.tree())?;
            for word in 0..sentence.len() {
                sentence.set_upos(word, parse.upos[word])?;
                sentence.set_xpos(word, parse.xpos[word])?;
                if others == OtherColumns::Cleared {
                    sentence.set(word, Column::Lemma, "_")?;
                    sentence.set(word, Column::Feats, "_")?;
                }
            }
        }
        Ok(())
    }

    /// What is said about where it comes from: data, seed, figures, recipe.
    pub fn notes(&self) -> &[(String, String)] {
        &self.notes
    }

    /// The first eight hexadecimal digits of the SHA-256 of its file.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// What signatures say of it: `dependency:sha256=…`.
    pub fn signature(&self) -> String {
        format!("dependency:sha256={}", self.hash)
    }

    /// The same parser, with words read as they are written.
    pub(super) fn without_normalisation(mut self) -> Self {
        self.normalisation = InputNormalisation::NONE;
        self
    }

    fn parse_batch<S, W>(&self, sentences: &[S]) -> Vec<Parse<'_>>
    where
        S: AsRef<[W]>,
        W: AsRef<str>,
    {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let mut workspace = idle().pop().unwrap_or_default();
        let analysis = workspace
            .analyse(&self.network, &self.settings, &self.numbering.words, sentences, self.kept_forms)
            .expect("all numbers are those of the model");
        let mut start = 0;
        let parses = sentences.iter().map(|sentence| {
            let words = start..start + sentence.as_ref().len();
            start = words.end;
            self.named(analysis, words)
        });
        let parses = parses.collect();
        idle().push(workspace);
        parses
    }

    /// One parse of the next pieces that have so many words.
    fn put_together<'p>(&'p self, mut pieces: impl Iterator<Item = Parse<'p>>, words: usize) -> Parse<'p> {
        let mut whole = pieces.next().unwrap_or_default();
        while whole.heads.len() < words
            && let Some(piece) = pieces.next()
        {
            self.append(&mut whole, piece);
        }
        whole
    }

    /// Adds a further piece, its root on that of the first.
    fn append<'p>(&'p self, whole: &mut Parse<'p>, piece: Parse<'p>) {
        let before = whole.heads.len();
        let root = whole.heads.iter().position(|&head| head == 0).map_or(0, |root| root + 1);
        let between = self.numbering.relations.name(self.between_pieces);
        whole.upos.extend(piece.upos);
        whole.xpos.extend(piece.xpos);
        for (head, label) in piece.heads.into_iter().zip(piece.labels) {
            let (head, label) = if head == 0 { (root, between) } else { (before + head, label) };
            whole.heads.push(head);
            whole.labels.push(label);
        }
    }

    /// Numbers of some words as names.
    fn named(&self, analysis: &Analysis, words: std::ops::Range<usize>) -> Parse<'_> {
        let Numbering { upos, xpos, relations, .. } = &self.numbering;
        let name = |number: &u16| usize::from(*number);
        // A network may have been made without fine tags.
        let fine = analysis.fine_tags.get(words.clone());
        let no_fine = || vec![NOTHING; words.len()];
        Parse {
            upos: analysis.tags[words.clone()].iter().map(|tag| upos.name(name(tag))).collect(),
            xpos: fine.map_or_else(no_fine, |tags| tags.iter().map(|tag| xpos.name(name(tag))).collect()),
            heads: analysis.heads[words.clone()].iter().map(|&head| head as usize).collect(),
            labels: analysis.labels[words].iter().map(|label| relations.name(name(label))).collect(),
        }
    }
}

/// The pieces of a sentence, nearly always one.
fn cut<W: AsRef<str>>(words: &[W]) -> impl Iterator<Item = &[W]> {
    pieces(words, LONGEST).map(|piece| &words[piece])
}

/// The number of [`ROOT`], if there is another relation for words that are not on the root.
fn root_label(relations: &Inventory) -> Option<u16> {
    let number = relations.number(ROOT).filter(|_| relations.len() > 1);
    number.map(|number| number as u16)
}

/// The number of the relation of further pieces to the first.
fn between_pieces(relations: &Inventory) -> usize {
    let known = BETWEEN_PIECES.iter().find_map(|name| relations.number(name));
    let any = || usize::from(relations.len() > 1 && relations.name(0) == ROOT);
    known.map_or_else(any, |number| number as usize)
}

/// Consecutive sentences, so many that they have [`BATCH`] words or one more. Lists are not padded, so their lengths need
/// not be alike.
fn batches<S, W>(sentences: &[S]) -> Vec<&[S]>
where
    S: AsRef<[W]>,
{
    let mut batches = Vec::new();
    let (mut start, mut words) = (0, 0);
    for (end, sentence) in sentences.iter().enumerate() {
        words += sentence.as_ref().len();
        if words >= BATCH || end + 1 == sentences.len() {
            batches.push(&sentences[start..=end]);
            (start, words) = (end + 1, 0);
        }
    }
    batches
}

impl std::fmt::Debug for DependencyParser {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("DependencyParser").field("hash", &self.hash).finish_non_exhaustive()
    }
}
