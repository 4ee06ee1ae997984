//! The model file: the grammar, both networks, the names of their inputs and outputs, and notes on the training.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `constituency parser`:
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `words` | normal forms in the order of their numbers, one per line |
//! | `symbols` | of the grammar, one per line: `tag`, `phrase` or `rest` (a partial phrase), a space, the name |
//! | `pairs` | binary rules: parent, left and right by number, count |
//! | `chains` | chains from the top by number, then the count |
//! | `tags` | tags by number, and their counts |
//! | `kinds` | of nodes, one per line: the categories of the children |
//! | `search.…` | weight of the grammar, margin of labels, beam, candidates |
//! | `spans.…`, `tree.…` | sizes and tensors of the two networks, big tensors as 8-bit integers with a scale per row |
//! | `about.…` | notes: data, seed, scores, recipe; `about.written`, if the treebank has capitals or escapes |
//!
//! The grammar is stored as counts; probabilities are computed when the file is read.

use super::chart::Search;
use super::grammar::{Counts, Grammar, Kinds, Symbol, SymbolKind, Symbols};
use super::parser::{ConstituencyParser, SYNTAX_DIMENSION};
use crate::error::{Error, Result};
use crate::parse::dependency::vocabulary::{CHARACTERS, SHAPES, Vocabulary};
use crate::parse::input_normalisation::InputNormalisation;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tercet_learn::networks::{RecursiveNetwork, SpanNetwork};
use tercet_model::model_file::{Bytes, ModelFile};
use tercet_model_parsers::CONSTITUENCY_EN;

const KIND: &str = "constituency parser";
// Prefixes of the networks' entries.
const SPANS: &str = "spans.";
const TREE: &str = "tree.";
/// The largest number of candidates that is accepted.
const MAX_CANDIDATES: usize = 10_000;

static ENGLISH: LazyLock<Arc<ConstituencyParser>> = LazyLock::new(|| {
    let path = Path::new("constituency-en.safetensors");
    Arc::new(ConstituencyParser::from_bytes(path, CONSTITUENCY_EN).expect("its file is whole, as a test says"))
});

impl ConstituencyParser {
    /// The embedded English parser; it is read at the first call.
    pub fn english() -> &'static Arc<ConstituencyParser> {
        &ENGLISH
    }

    /// Reads a model file.
    pub fn read(path: &Path) -> Result<Self> {
        ConstituencyParser::from_file(&ModelFile::read(path, KIND)?)
    }

    /// Reads the bytes of a model file. `path` is only used in error messages.
    pub fn from_bytes(path: &Path, bytes: impl Bytes) -> Result<Self> {
        ConstituencyParser::from_file(&ModelFile::from_bytes(path, bytes, KIND)?)
    }

    pub(super) fn to_file(&self) -> ModelFile {
        let mut file = ModelFile::new(KIND);
        file.set_version();
        file.set("words", &self.words.words().join("\n"));
        store_grammar(&self.grammar, &mut file);
        let kinds = self.kinds.pairs().iter().map(|(left, right)| format!("{left} {right}"));
        file.set("kinds", &kinds.collect::<Vec<_>>().join("\n"));
        file.set("search.grammar_weight", &self.search.grammar_weight.to_string());
        file.set("search.label_margin", &self.search.label_margin.to_string());
        file.set("search.beam", &self.search.beam.to_string());
        file.set("search.candidates", &self.candidates.to_string());
        self.network.store(SPANS, &mut file);
        self.recursive.store(TREE, &mut file);
        file.add_notes(&self.record.notes);
        file
    }

    pub(super) fn from_file(file: &ModelFile) -> Result<Self> {
        file.check_version()?;
        let words = Vocabulary::from_words(file.get("words")?.lines().map(str::to_owned).collect());
        let words = words.map_err(|error| file.bad(format!("its entry `words`: {error} (take another copy)")))?;
        let grammar = stored_grammar(file)?;
        let kinds = file.get("kinds")?.lines().map(|line| {
            let (left, right) = line.split_once(' ').ok_or_else(|| bad(file, "kinds", line))?;
            Ok((left.to_owned(), right.to_owned()))
        });
        let kinds = Kinds::new(kinds.collect::<Result<Vec<_>>>()?, &grammar.symbols);
        let search = Search {
            grammar_weight: finite(file, "search.grammar_weight")?,
            label_margin: finite(file, "search.label_margin")?,
            beam: finite(file, "search.beam")?,
        };
        let candidates = file.number::<usize>("search.candidates")?.clamp(1, MAX_CANDIDATES);
        let record = file.record();
        let normalisation = InputNormalisation::from_notes(&record.notes);
        let network = SpanNetwork::stored(SPANS, file)?;
        let recursive = RecursiveNetwork::stored(TREE, file)?;
        let made =
            ConstituencyParser { grammar, words, network, kinds, recursive, search, normalisation, candidates, record };
        made.check_sizes(file)?;
        Ok(made)
    }

    /// Returns an error if the sizes of networks and names differ.
    fn check_sizes(&self, file: &ModelFile) -> Result<()> {
        let (spans, tree) = (self.network.shape(), self.recursive.shape());
        for (what, expected, found) in [
            ("words", self.words.len(), spans.encoder.words),
            ("tags", self.grammar.tags.len(), spans.encoder.tags),
            ("labels", self.grammar.labels.len(), spans.labels),
            ("shapes", SHAPES, spans.encoder.shapes),
            ("characters", CHARACTERS, spans.encoder.characters),
            ("numbers per word", spans.encoder.width, tree.inputs),
            ("numbers per node", SYNTAX_DIMENSION, tree.width),
            ("kinds of nodes", self.kinds.len(), tree.kinds),
        ] {
            if expected != found {
                let reason = format!("its network is for {found} {what}, but there are {expected}");
                return Err(file.bad(reason).into());
            }
        }
        Ok(())
    }
}

fn bad(file: &ModelFile, entry: &str, line: &str) -> Error {
    let reason = format!("its entry `{entry}` has a line `{line}` that cannot be read: take another copy");
    file.bad(reason).into()
}

fn finite(file: &ModelFile, key: &str) -> Result<f32> {
    let value: f32 = file.number(key)?;
    if value.is_finite() { Ok(value) } else { Err(bad(file, key, &value.to_string())) }
}

const KINDS: [(&str, SymbolKind); 3] =
    [("tag", SymbolKind::Tag), ("phrase", SymbolKind::Phrase), ("rest", SymbolKind::Rest)];

fn store_grammar(grammar: &Grammar, file: &mut ModelFile) {
    let Grammar { symbols, counts, .. } = grammar;
    let [mut names, mut pairs, mut chains, mut tags] = [const { String::new() }; 4];
    for symbol in symbols.all() {
        let kind = KINDS.iter().find(|(_, kind)| *kind == symbols.kind(symbol)).map_or("", |(name, _)| name);
        let _ = writeln!(names, "{kind} {}", symbols.name(symbol));
    }
    for ((parent, left, right), count) in &counts.pairs {
        let _ = writeln!(pairs, "{parent} {left} {right} {count}");
    }
    for (chain, count) in &counts.chains {
        let _ = writeln!(chains, "{} {count}", chain.iter().map(|s| s.to_string()).collect::<Vec<_>>().join(" "));
    }
    for (tag, count) in &counts.tags {
        let _ = writeln!(tags, "{tag} {count}");
    }
    for (key, text) in [("symbols", names), ("pairs", pairs), ("chains", chains), ("tags", tags)] {
        file.set(key, text.trim_end());
    }
}

fn stored_grammar(file: &ModelFile) -> Result<Grammar> {
    let mut symbols = Symbols::default();
    for (number, line) in file.get("symbols")?.lines().enumerate() {
        let added = line.split_once(' ').and_then(|(kind, name)| {
            let kind = KINDS.iter().find(|(known, _)| *known == kind)?.1;
            symbols.add(kind, name).filter(|added| usize::from(*added) == number)
        });
        added.ok_or_else(|| bad(file, "symbols", line))?;
    }
    let mut counts = Counts::default();
    rows(file, "pairs", &symbols, |row, count| {
        let &[parent, left, right] = row else { return false };
        symbols.kind(parent) != SymbolKind::Tag && counts.pairs.insert((parent, left, right), count).is_none()
    })?;
    rows(file, "chains", &symbols, |row, count| {
        let phrases = row.len().saturating_sub(1).max(1).min(row.len());
        let fits = row[..phrases].iter().all(|s| symbols.kind(*s) == SymbolKind::Phrase)
            && row.last().is_some_and(|s| symbols.kind(*s) != SymbolKind::Rest);
        fits && counts.chains.insert(row.to_vec(), count).is_none()
    })?;
    rows(file, "tags", &symbols, |row, count| {
        let &[tag] = row else { return false };
        symbols.kind(tag) == SymbolKind::Tag && counts.tags.insert(tag, count).is_none()
    })?;
    if counts.tags.is_empty() {
        return Err(bad(file, "tags", ""));
    }
    Grammar::new(symbols, counts).ok_or_else(|| bad(file, "symbols", "(none is ROOT)"))
}

/// Calls `take` for each line of an entry: numbers of symbols, and a count above 0.
fn rows(file: &ModelFile, entry: &str, symbols: &Symbols, mut take: impl FnMut(&[Symbol], u32) -> bool) -> Result<()> {
    for line in file.get(entry)?.lines() {
        let numbers: Option<Vec<u32>> = line.split(' ').map(|number| number.parse().ok()).collect();
        let numbers = numbers.unwrap_or_default();
        let row: Option<Vec<Symbol>> = numbers[..numbers.len().saturating_sub(1)]
            .iter()
            .map(|&number| Symbol::try_from(number).ok().filter(|number| usize::from(*number) < symbols.len()))
            .collect();
        let count = numbers.last().copied().filter(|&count| (1..=1 << 24).contains(&count));
        let taken = row.zip(count).is_some_and(|(row, count)| !row.is_empty() && take(&row, count));
        if !taken {
            return Err(bad(file, entry, line));
        }
    }
    Ok(())
}
