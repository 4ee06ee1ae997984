//! The parser, which runs on all threads.
//!
//! Every word is scored against every other, so time grows with the square of a sentence's length. A sentence of more
//! than [`MAX_PIECE_WORDS`] words is therefore parsed in pieces (`parse::pieces`), whose trees are joined: the root
//! word of every further piece is attached to the root word of the first as `parataxis`, UD's relation for sentences
//! side by side.
//!
//! # Cache
//! What the network computes from a form alone is cached, since most words of a text repeat. The cache is emptied when
//! it has too many forms; forms of more than [`MAX_CACHED_BYTES`] bytes are not cached, so that the number of forms
//! bounds the memory. Results do not depend on the cache.

use super::tree_search::{Arcs, make_tree};
use super::vocabulary::{Inventory, Numbering, Vocabulary};
use crate::error::Result;
use crate::parse::conllu::{ConlluColumn, Row, Sentence};
use crate::parse::input_normalisation::InputNormalisation;
use crate::parse::{DependencyTree, pieces};
use foldhash::HashMap;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};
use tercet_base::stop;
use tercet_learn::networks::{
    Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineNetwork, BiaffineReady, Candidates, Forms, Lists, ReadyForms,
};
use tercet_model::model_file::ModelRecord;

/// Words in a batch, approximately: large enough for fast matrix products, small enough to share the work among
/// threads.
const BATCH: usize = 2048;

/// Words of the longest piece.
pub(super) const MAX_PIECE_WORDS: usize = 1000;

/// Bytes of a thread's cache of forms, approximately.
const CACHE_BYTES: usize = 32 << 20;

/// The relation of the root word, and of no other.
const ROOT: &str = "root";

/// The relation of further pieces to the first: the first of these that the model knows, else its most frequent one.
const BETWEEN_PIECES: [&str; 2] = ["parataxis", "dep"];

/// The value of an empty column.
const NOTHING: &str = "_";

/// A parser with its weights; see the [module](super).
pub struct DependencyParser {
    numbering: Numbering,
    network: BiaffineReady,
    settings: AnalysisSettings,
    /// None in training.
    pub(super) normalisation: InputNormalisation,
    /// The relation of further pieces to the first.
    between_pieces: usize,
    /// How many forms a thread caches.
    pub(super) cached_forms: usize,
    pub(super) record: ModelRecord,
    /// Workspaces that no thread uses at the moment.
    pub(super) idle: Mutex<Vec<ParserWorkspace>>,
}

/// The analysis of one sentence; every list has one entry per word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parse<'p> {
    /// Universal parts of speech.
    pub upos: Vec<&'p str>,
    /// Parts of speech of the treebank.
    pub xpos: Vec<&'p str>,
    /// Ids of heads: 0 for the root, else the head's index plus 1. They form a tree with one root.
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

    /// The tags and the tree of a sentence.
    pub(super) fn from_sentence(sentence: &Sentence) -> Parse<'_> {
        Parse {
            upos: sentence.words().map(Row::upos).collect(),
            xpos: sentence.words().map(Row::xpos).collect(),
            heads: sentence.words().map(|word| word.head().unwrap_or_default()).collect(),
            labels: sentence.words().map(Row::deprel).collect(),
        }
    }

    /// Writes tags and tree to a sentence of these words.
    pub(super) fn write_to(&self, sentence: &mut Sentence) -> Result<()> {
        sentence.set_tree(&self.tree())?;
        for word in 0..sentence.len() {
            sentence.set_upos(word, self.upos[word])?;
            sentence.set_xpos(word, self.xpos[word])?;
        }
        Ok(())
    }
}

/// What [`DependencyParser::annotate`] does with LEMMA and FEATS, which the parser does not predict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OtherColumns {
    /// They become `_`, since they may contradict the new tags.
    #[default]
    Cleared,
    /// They are not changed.
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
            // A vector and the output of the first layer for it, in single precision; and the form itself.
            cached_forms: CACHE_BYTES / (4 * (shape.width + 6 * shape.units) + MAX_CACHED_BYTES),
            settings: AnalysisSettings { root_label, ..AnalysisSettings::default() },
            normalisation: InputNormalisation::NONE,
            record: ModelRecord::default(),
            idle: Mutex::default(),
        }
    }

    /// Parses sentences of words. The result for a sentence does not depend on the other sentences or the number of
    /// threads.
    pub fn parse<S, W>(&self, sentences: &[S]) -> Vec<Parse<'_>>
    where
        S: AsRef<[W]> + Sync,
        W: AsRef<str> + Sync,
    {
        let read: Vec<Vec<Cow<'_, str>>> =
            sentences.iter().map(|sentence| self.normalisation.apply(sentence.as_ref())).collect();
        let pieces: Vec<&[Cow<'_, str>]> = read.iter().flat_map(|words| cut(words)).collect();
        let batches = batches(&pieces).into_par_iter();
        let parsed: Vec<Parse<'_>> = batches.flat_map_iter(stop::carried(|batch| self.parse_batch(batch))).collect();
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

    /// Parses sentences of a CoNLL-U file and sets UPOS, XPOS, HEAD and DEPREL. Words, multiword tokens, empty nodes,
    /// comments and MISC are kept; enhanced dependencies (DEPS) become `_`, since they no longer fit the heads.
    pub fn annotate(&self, sentences: &mut [Sentence], others: OtherColumns) -> Result<()> {
        let forms: Vec<Vec<&str>> =
            sentences.iter().map(|sentence| sentence.words().map(|word| word.form()).collect()).collect();
        let parses = self.parse(&forms);
        for (sentence, parse) in sentences.iter_mut().zip(&parses) {
            parse.write_to(sentence)?;
            for word in (0..sentence.len()).filter(|_| others == OtherColumns::Cleared) {
                sentence.set(word, ConlluColumn::Lemma, "_")?;
                sentence.set(word, ConlluColumn::Feats, "_")?;
            }
        }
        Ok(())
    }

    /// The hash of the model file, and its notes: training data, seed, scores, recipe.
    pub fn record(&self) -> &ModelRecord {
        &self.record
    }

    /// The name in signatures: `dependency:sha256=…`.
    pub fn signature(&self) -> String {
        format!("dependency:sha256={}", self.record.hash)
    }

    /// The same parser without normalisation of its input.
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
            .analyse(&self.network, &self.settings, &self.numbering.words, sentences, self.cached_forms)
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

    /// Joins the next pieces, which have `words` words together.
    fn put_together<'p>(&'p self, mut pieces: impl Iterator<Item = Parse<'p>>, words: usize) -> Parse<'p> {
        let mut whole = pieces.next().unwrap_or_default();
        while whole.heads.len() < words
            && let Some(piece) = pieces.next()
        {
            self.append(&mut whole, piece);
        }
        whole
    }

    /// Adds a further piece, its root word attached to that of the first.
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

    /// The names for the numbers of some words.
    fn named(&self, analysis: &Analysis, words: std::ops::Range<usize>) -> Parse<'_> {
        let Numbering { upos, xpos, relations, .. } = &self.numbering;
        let name = |number: &u16| usize::from(*number);
        // A network may have no fine tags.
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

/// The pieces of a sentence.
fn cut<W: AsRef<str>>(words: &[W]) -> impl Iterator<Item = &[W]> {
    pieces(words, MAX_PIECE_WORDS).map(|piece| &words[piece])
}

/// The number of [`ROOT`], if there is another relation for all other words.
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

/// Consecutive sentences with about [`BATCH`] words together. Nothing is padded, so sentences of a batch may differ in
/// length.
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
        formatter.debug_struct("DependencyParser").field("hash", &self.record.hash).finish_non_exhaustive()
    }
}

/// Bytes of the longest form that is cached.
pub const MAX_CACHED_BYTES: usize = 64;

/// Buffers and cache of one thread.
#[derive(Default)]
pub struct ParserWorkspace {
    /// The numbers of cached forms.
    pub(super) numbers: HashMap<String, u32>,
    ready: ReadyForms,
    lists: Lists,
    forms: Forms,
    characters: Vec<u8>,
    space: AnalysisWorkspace,
    analysis: Analysis,
}

impl ParserWorkspace {
    /// Analyses sentences; the result has the words of all sentences in order. Empties the cache first if it has more
    /// than `cached_forms` forms.
    pub fn analyse<S, W>(
        &mut self,
        network: &BiaffineReady,
        settings: &AnalysisSettings,
        words: &Vocabulary,
        sentences: &[S],
        cached_forms: usize,
    ) -> Result<&Analysis>
    where
        S: AsRef<[W]>,
        W: AsRef<str>,
    {
        if self.ready.len() > cached_forms {
            self.numbers.clear();
            self.ready.clear();
        }
        self.forms.clear();
        self.lists.clear();
        for sentence in sentences {
            let numbers = sentence.as_ref().iter().map(|word| {
                let (form, next) = (word.as_ref(), (self.ready.len() + self.forms.len()) as u32);
                self.numbers.get(form).copied().unwrap_or_else(|| {
                    words.push_form(form, &mut self.characters, &mut self.forms);
                    if form.len() <= MAX_CACHED_BYTES {
                        self.numbers.insert(form.to_owned(), next);
                    }
                    next
                })
            });
            self.lists.push(numbers);
        }
        network.prepare(&self.forms, &mut self.ready)?;
        let decide = |candidates: &Candidates<'_>, heads: &mut [u32]| make_tree(candidates, heads);
        network.analyse(&self.ready, &self.lists, settings, decide, &mut self.space, &mut self.analysis)?;
        Ok(&self.analysis)
    }
}

impl Arcs for Candidates<'_> {
    fn candidates(&self, word: usize) -> (&[u32], &[f32]) {
        (self.heads(word), self.scores(word))
    }
}
