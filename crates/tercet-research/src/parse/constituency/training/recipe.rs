//! The recipe of a constituency parser, a TOML file. Everything but the data has a default.
//!
//! `keys.toml` lists all keys; it is part of the documentation of [`Recipe`] and of the command's help.
//!
//! # Treebanks
//! Files of bracketed trees, or folders with a file per document.
//!
//! ```toml
//! "wsj.mrg"
//! { folder = "gum/const", split = "gum/splits.md", part = "train", without = ["essay", "fiction"] }
//! ```
//!
//! In a folder, files that end in `.ptb` or `.mrg` are read in the order of their names; a single file may have any
//! name and may be compressed. `without` leaves out documents by the parts of their names between `_`: `essay` is part
//! of `GUM_essay_evolved`. `split` is a file that lists the documents of each part, and `part` the part to read (see
//! `recipe_tables`). Trees are normalised: no functions, no empty elements, one `ROOT`.

use crate::corpora::read_bytes;
use crate::error::{Error, Result};
use crate::metrics::Registry;
use crate::parse::Tree;
use crate::parse::bracketed::{Normalisation, read_trees};
use crate::parse::recipe_tables::{DocumentSplit, VocabularySize, check_tag_layer, entry_name, has_part};
use crate::progress::Progress;
use crate::recipe::{
    MAX_NUMBER, MAX_WIDTH, ModelOutput, ModelRecord, Recipe, SettingError, range, settings, usual_methods,
};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use tercet_learn::networks::{MAX_LAYERS, MAX_WINDOW};
use tercet_learn::training::TrainingFiles;

settings! {
    /// The recipe of a constituency parser.
    pub struct ConstituencyRecipe {
        /// Treebanks to learn from.
        data: ConstituencyData;
        /// Words that get a vector.
        vocabulary: VocabularySize = VocabularySize::default();
        /// The context in the symbols of the grammar.
        grammar: GrammarMemory = GrammarMemory::default();
        /// The network of tags and spans.
        network: SpanNetworkSizes = SpanNetworkSizes::default();
        /// The training of that network.
        training: SpanTraining = SpanTraining::default();
        /// The recursive network and its training.
        recursive: RecursiveTraining = RecursiveTraining::default();
        /// The search for trees.
        search: SearchSettings = SearchSettings::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "constituency", "a constituency parser, from bracketed trees"

    /// `[data]`: the treebanks.
    pub struct ConstituencyData {
        /// Treebanks to learn from.
        train: Vec<TreebankEntry>;
        /// The development set: scored after training.
        development: Vec<TreebankEntry> = Vec::new();
    }

    /// `[grammar]`: the context in the symbols of the grammar.
    pub struct GrammarMemory {
        /// How many children before a partial phrase are part of its symbol (horizontal Markovization).
        siblings: usize = 1, range(0.0, 3.0);
        /// Whether the symbol of a phrase has the category of its parent.
        parents: bool = false;
    }

    /// `[network]`: the network of tags and spans.
    pub struct SpanNetworkSizes {
        /// The width of a word vector and of the recurrent layers.
        width: usize = 128, range(1.0, MAX_WIDTH);
        /// Recurrent layers.
        layers: usize = 3, range(1.0, MAX_LAYERS as f64);
        /// The layer after which tags are predicted, from 1.
        tag_layer: usize = 2, range(1.0, MAX_WIDTH);
        /// The width of the hidden layer that predicts labels of spans.
        hidden: usize = 128, range(1.0, MAX_WIDTH);
        /// The width of a character vector.
        character_width: usize = 24, range(1.0, MAX_WIDTH);
        /// The number of convolution filters over characters.
        filters: usize = 128, range(1.0, MAX_WIDTH);
        /// The number of characters a filter covers.
        window: usize = 3, range(1.0, MAX_WINDOW as f64);
        /// Probability that a unit is dropped in training.
        dropout: f32 = 0.3, range(0.0, 0.99);
    }

    /// `[training]`: the training of the network of tags and spans.
    pub struct SpanTraining {
        /// Epochs.
        epochs: usize = 30, range(1.0, 10_000.0);
        /// Words of a batch, approximately.
        batch: usize = 1500, range(1.0, 1e6);
        /// The highest learning rate.
        learning_rate: f32 = 2.5e-3, range(f64::MIN_POSITIVE, 1.0);
        /// Steps until the highest learning rate is reached, at most all steps.
        warm_up: u64 = 200;
        /// Weight decay, decoupled from the gradient.
        weight_decay: f32 = 0.01, range(0.0, 1.0);
        /// Gradients are scaled down to this norm; 0 for no limit.
        clip: f32 = 2.0, range(0.0, MAX_NUMBER);
        /// The weight of the loss of tags; the loss of labels has weight 1.
        tag_weight: f32 = 1.0, range(0.0, MAX_NUMBER);
        /// The seed of initial weights and batches.
        seed: u64 = 1;
        /// Seconds between checkpoints.
        checkpoint: f64 = 30.0, range(0.0, MAX_NUMBER);
    }

    /// `[recursive]`: the recursive network and its training.
    pub struct RecursiveTraining {
        /// How often a pair of categories must occur to have its own weights.
        least: usize = 20;
        /// The number of best trees of each sentence to learn from.
        candidates: usize = 12, range(1.0, 1_000.0);
        /// Epochs.
        epochs: usize = 6, range(0.0, 10_000.0);
        /// Sentences of a batch.
        batch: usize = 20, range(1.0, 1e6);
        /// The learning rate of AdaGrad.
        learning_rate: f32 = 0.02, range(f64::MIN_POSITIVE, MAX_NUMBER);
        /// The weight of the L2 penalty.
        weight_decay: f32 = 1e-4, range(0.0, MAX_NUMBER);
        /// κ: by how much a tree should score lower for each wrong bracket.
        margin: f32 = 0.1, range(0.0, MAX_NUMBER);
    }

    /// `[search]`: weights and pruning of the search.
    pub struct SearchSettings {
        /// The weight of the grammar; the network has weight 1.
        grammar_weight: f32 = 0.4, range(0.0, 1e6);
        /// A label whose log probability (in nats) is this much below that of no phrase is dropped.
        label_margin: f32 = 6.0, range(0.0, 1e6);
        /// A symbol that scores this much less than the best of its span is dropped.
        beam: f32 = 12.0, range(0.0, 1e6);
        /// The number of best trees that the recursive network chooses from.
        candidates: usize = 16, range(1.0, 1_000.0);
    }
}

impl Recipe for ConstituencyRecipe {
    usual_methods!(epochs in training);

    fn train(&self, files: &TrainingFiles, _: &Registry, progress: Progress<'_>) -> Result<ModelRecord> {
        Ok(super::train(self, files, progress)?.record().clone())
    }

    fn check_together(&self) -> Result<(), SettingError> {
        let what = "is empty: there is nothing to learn from";
        SettingError::when(self.data.train.is_empty(), "[data] train", what)?;
        check_tag_layer(self.network.tag_layer, self.network.layers, "network")
    }
}

/// Extensions of files of trees.
const ENDINGS: [&str; 2] = ["ptb", "mrg"];

settings! {
    /// A treebank in a recipe: a path, or a table that selects documents of a folder.
    pub struct TreebankEntry or folder {
        /// The folder or file.
        folder | file: PathBuf;
        /// The file that lists the documents of each part, as GUM's `splits.md`.
        split: Option<PathBuf> = None;
        /// The part to read, a heading of `split`.
        part: Option<String> = None;
        /// Leave out documents with one of these between `_` in their names.
        without: Vec<String> = Vec::new();
    }
}

/// The contents of a treebank.
#[derive(Debug)]
pub struct Treebank {
    /// The normalised trees.
    pub trees: Vec<Tree>,
    /// The number of files they are from.
    pub files: usize,
}

impl TreebankEntry {
    /// The name in the notes of the model.
    pub(super) fn name(&self) -> String {
        entry_name(&self.folder.to_string_lossy(), self.part.as_deref(), &[("without", &self.without)])
    }

    /// Reads the treebank; relative paths are in `beside`.
    pub fn read(&self, beside: &Path) -> Result<Treebank> {
        let place = beside.join(&self.folder);
        let files = if place.is_dir() {
            self.documents(&place, beside)?
        } else if self.chooses() && place.exists() {
            let what = "is not a folder: split, part and without select documents of a folder";
            return Err(Error::BadRequest(format!("{} {what}", place.display())));
        } else {
            vec![place.clone()]
        };
        let mut trees = Vec::new();
        for path in &files {
            let read = read_trees(path, read_bytes(path)?)?;
            trees.extend(read.iter().filter_map(|tree| Normalisation::default().apply(tree)));
        }
        if trees.is_empty() {
            let found = if place.is_dir() { format!(" in {}", counted(files.len())) } else { String::new() };
            return Err(Error::bad_file(place, format!("there is no tree{found}")));
        }
        Ok(Treebank { trees, files: files.len() })
    }

    fn chooses(&self) -> bool {
        self.split.is_some() || self.part.is_some() || !self.without.is_empty()
    }

    /// The selected files of a folder; an error if there are none.
    fn documents(&self, folder: &Path, beside: &Path) -> Result<Vec<PathBuf>> {
        let split = DocumentSplit::named(beside, self.split.as_deref(), self.part.as_deref(), folder)?;
        let all = files_of(folder)?;
        let unusable = |what: String| Err(Error::bad_file(folder, what));
        let is_of_trees = |path: &&PathBuf| ENDINGS.contains(&text_of(path.extension()));
        let of_trees: Vec<&PathBuf> = all.iter().filter(is_of_trees).collect();
        if of_trees.is_empty() {
            let endings = ENDINGS.join(" or .");
            return unusable(format!(
                "expected files of trees, which end in .{endings}, found none of them among {}",
                counted(all.len())
            ));
        }
        let mut chosen = Vec::new();
        for path in &of_trees {
            let document = text_of(path.file_stem());
            if !has_part(document, &self.without) && split.as_ref().map_or(Ok(true), |split| split.has(document))? {
                chosen.push((*path).clone());
            }
        }
        if chosen.is_empty() {
            return unusable(format!(
                "{} of trees, none of which split, part and without leave",
                counted(of_trees.len())
            ));
        }
        Ok(chosen)
    }
}

fn text_of(name: Option<&OsStr>) -> &str {
    name.and_then(OsStr::to_str).unwrap_or_default()
}

fn counted(files: usize) -> String {
    format!("{files} file{}", if files == 1 { "" } else { "s" })
}

/// The files of a folder, sorted by name.
fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let unreadable = |source| Error::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("trees/T_b.mrg", "((S (A a)))"),
            ("trees/T_a.ptb", "(S (B b))\n(S (B c) (-NONE- *))"),
            ("trees/notes.txt", "((("),
            ("empty/T_a.ptb", "(S (-NONE- *))"),
            ("other/readme", ""),
            ("other/x.txt", ""),
            ("split.md", "## train\n * T_a\n * T_b\n## dev\n * T_c\n"),
        ] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn entry(path: &str) -> TreebankEntry {
        PathBuf::from(path).into()
    }

    #[test]
    fn folders_and_files_are_read() {
        let folder = folder();
        let words = |entry: &TreebankEntry| {
            let read = entry.read(folder.path()).unwrap();
            let words: Vec<&str> = read.trees.iter().flat_map(|tree| tree.words()).collect();
            (words.join(" "), read.files)
        };
        assert_eq!(words(&entry("trees")), ("b c a".to_owned(), 2));
        assert_eq!(words(&entry("trees/T_b.mrg")), ("a".to_owned(), 1));
        let without = TreebankEntry { without: vec!["b".to_owned()], ..entry("trees") };
        assert_eq!(words(&without), ("b c".to_owned(), 1));
        assert_eq!(without.name(), "trees without b");
    }

    #[test]
    fn errors_name_what_was_found_instead_of_trees() {
        let folder = folder();
        let refused = |entry: &TreebankEntry| entry.read(folder.path()).unwrap_err().to_string();
        let split = |part: &str| TreebankEntry {
            split: Some("split.md".into()),
            part: Some(part.to_owned()),
            ..entry("trees")
        };
        for (entry, message) in [
            (entry("empty"), "empty: there is no tree in 1 file"),
            (entry("empty/T_a.ptb"), "T_a.ptb: there is no tree"),
            (
                entry("other"),
                "other: expected files of trees, which end in .ptb or .mrg, found none of them among 2 files",
            ),
            (split("dev"), "trees: 2 files of trees, none of which split, part and without leave"),
            (
                TreebankEntry { without: vec!["x".to_owned()], ..entry("trees/T_a.ptb") },
                "T_a.ptb is not a folder: split, part and without select documents of a folder",
            ),
        ] {
            let error = refused(&entry);
            assert!(error.ends_with(message), "{error}");
        }
        assert!(refused(&entry("trees/notes.txt")).contains("notes.txt:1: "));
        let chosen = TreebankEntry { without: vec!["x".to_owned()], ..entry("nowhere") };
        for missing in [entry("nowhere"), chosen] {
            let error = missing.read(folder.path()).unwrap_err();
            assert!(matches!(&error, Error::Read { path, .. } if path.ends_with("nowhere")), "{error:?}");
        }
    }
}
