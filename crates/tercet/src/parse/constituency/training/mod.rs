//! From a [`Recipe`] to a parser: reads treebanks, counts, trains, says how it went.
//!
//! 1. `treebank` reads trees, and the grammar is counted off them.
//! 2. `network` trains the network of tags and spans on `lessons`.
//! 3. `ranking` lets the parser make mistakes on the same sentences, and trains the recursive network to choose among the best trees.
//! 4. `figures` scores the parser as it will be stored on the development data, and without its parts.
//!
//! There is no checkpoint to go on from: it takes minutes.

mod figures;
mod lessons;
mod network;
mod ranking;
mod recipe;
mod treebank;

pub use figures::score;
pub use lessons::LONGEST_LESSON;
pub use recipe::{
    Data, GrammarMemory, KEYS, Learning, NetworkSizes, Recipe, RecursiveLearning, SearchSettings,
};
pub use treebank::{Treebank, TreebankEntry};

pub use crate::parse::recipe_tables::VocabularySize;
pub use crate::recipe::{Origin, Place};

use super::chart::Search;
use super::derivation::{Derivation, Memory};
use super::grammar::{Counts, Grammar};
use super::kinds::Kinds;
use super::parser::{ConstituencyParser, SYNTAX_DIMENSION};
use super::symbols::Symbols;
use crate::error::{Error, Result};
use crate::parse::Tree;
use crate::parse::dependency::vocabulary::{Counts as WordCounts, Vocabulary};
use crate::parse::dependency::word_form::normal_form;
use crate::parse::reading::Reading;
use lessons::Lessons;
use network::fit_network;
use ranking::fit_recursive;
use std::path::Path;
use tercet_learn::networks::{RecursiveNetwork, RecursiveShape};

/// What a training does.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// Reads a treebank.
    Reading(String),
    /// Has read it.
    Read {
        /// So many trees.
        trees: usize,
        /// From so many files.
        files: usize,
    },
    /// Leaves trees out of the lessons of the network of spans, because they are longer than [`LONGEST_LESSON`]; the grammar has
    /// them.
    TooLong {
        /// How many.
        trees: usize,
    },
    /// Took a step of the network of spans.
    Step {
        /// Its number, from 1.
        step: u64,
        /// Steps in all.
        steps: u64,
        /// The loss per word before it.
        loss: f64,
    },
    /// Parses sentences for the recursive network to choose among their trees.
    Candidates {
        /// How many.
        sentences: usize,
    },
    /// The recursive network has seen all of them once more.
    Ranking {
        /// How often, from 1.
        epoch: usize,
        /// The loss per sentence.
        loss: f64,
    },
    /// Scores the finished parser.
    Scoring,
}

/// Who follows a training.
pub type Observer<'a> = &'a mut dyn FnMut(&Progress);

/// Makes a parser as a recipe says, writes its file and reads it back.
pub fn train(recipe: &Recipe, model: &Path, observer: Observer<'_>) -> Result<ConstituencyParser> {
    recipe.check()?;
    let mut about = Vec::new();
    let mut read = |key: &str, entries: &[TreebankEntry]| -> Result<Vec<Tree>> {
        let (mut trees, mut names) = (Vec::new(), Vec::new());
        for entry in entries {
            observer(&Progress::Reading(entry.name()));
            let read = entry.read(&recipe.origin.folder)?;
            observer(&Progress::Read { trees: read.trees.len(), files: read.files });
            names.push(format!("{}, {} trees", entry.name(), read.trees.len()));
            trees.extend(read.trees);
        }
        about.push((key.to_owned(), names.join("; ")));
        Ok(trees)
    };
    let trees = read("train", &recipe.data.train)?;
    let development = read("development", &recipe.data.development)?;
    let parser = train_on(recipe, &trees, &development, about, observer)?;
    parser.to_file().write(model)?;
    ConstituencyParser::read(model)
}

/// The same from trees in memory, which must be normalised; nothing is written.
pub fn train_on(
    recipe: &Recipe,
    trees: &[Tree],
    development: &[Tree],
    mut about: Vec<(String, String)>,
    observer: Observer<'_>,
) -> Result<ConstituencyParser> {
    let (grammar, derivations) = grammar_of(recipe, trees)?;
    let words = vocabulary(recipe, trees);
    let lessons = Lessons::new(trees, &derivations, &grammar, &words);
    if lessons.too_long > 0 {
        observer(&Progress::TooLong { trees: lessons.too_long });
    }
    let network = fit_network(recipe, &grammar, &words, &lessons, observer)?;
    drop(lessons);
    let kinds = Kinds::of(&derivations, &grammar.symbols, recipe.recursive.least);
    let shape = RecursiveShape { inputs: recipe.network.width, width: SYNTAX_DIMENSION, kinds: kinds.len() };
    let recursive = RecursiveNetwork::new(shape, recipe.training.seed)?;
    let search = &recipe.search;
    let (candidates, hash) = (search.candidates, String::new());
    let search = Search {
        grammar_weight: search.grammar_weight,
        label_margin: search.label_margin,
        beam: search.beam,
    };
    for (key, value) in [
        ("seed", recipe.training.seed.to_string()),
        ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
        ("recipe", recipe.origin.text.clone()),
    ] {
        about.push((key.to_owned(), value));
    }
    about.extend(Reading::note(trees.iter().map(|tree| tree.words().collect::<Vec<_>>())));
    let reading = Reading::AS_WRITTEN;
    let mut parser = ConstituencyParser {
        grammar,
        words,
        network,
        kinds,
        recursive,
        search,
        reading,
        candidates,
        about,
        hash,
    };
    fit_recursive(&mut parser, recipe, trees, &derivations, observer)?;
    if !development.is_empty() {
        observer(&Progress::Scoring);
        // Of the weights as they are stored.
        let stored = ConstituencyParser::from_file(&parser.to_file())?.reading_as_written();
        parser.about.extend(figures::figures(&stored, trees, development)?);
    }
    Ok(parser)
}

fn grammar_of(recipe: &Recipe, trees: &[Tree]) -> Result<(Grammar, Vec<Derivation>)> {
    let memory = Memory { siblings: recipe.grammar.siblings, parents: recipe.grammar.parents };
    let (mut symbols, mut counts) = (Symbols::default(), Counts::default());
    let derivations: Option<Vec<Derivation>> =
        trees.iter().map(|tree| Derivation::of_tree(tree, memory, &mut symbols)).collect();
    let too_many = || Error::Unusable("the grammar has too many symbols: let them remember less".to_owned());
    let derivations = derivations.ok_or_else(too_many)?;
    derivations.iter().for_each(|derivation| counts.add(derivation, &symbols));
    let grammar = Grammar::new(symbols, counts);
    let no_root = || Error::Unusable("no tree to learn from has a root: normalise them first".to_owned());
    Ok((grammar.ok_or_else(no_root)?, derivations))
}

fn vocabulary(recipe: &Recipe, trees: &[Tree]) -> Vocabulary {
    let mut counts = WordCounts::new();
    for word in trees.iter().flat_map(|tree| tree.words()) {
        *counts.entry(normal_form(word)).or_default() += 1;
    }
    Vocabulary::of(&counts, recipe.vocabulary.least, recipe.vocabulary.words)
}
