//! Trains a parser by a [`ConstituencyRecipe`].
//!
//! 1. `recipe` reads trees, from which the grammar is estimated.
//! 2. `spans` trains the network of tags and spans.
//! 3. `ranking` parses the same sentences with dropout, and trains the recursive network to choose from the best trees.
//! 4. [`figures`] evaluates the stored parser on the development set, with and without its parts.
//!
//! During training, `MODEL.checkpoint` is the saved state; it is replaced atomically.

mod ranking;
pub(super) mod recipe;
mod spans;

pub use recipe::{
    ConstituencyData, ConstituencyRecipe, GrammarMemory, RecursiveTraining, SearchSettings, SpanNetworkSizes,
    SpanTraining, TreebankEntry,
};
pub(super) use spans::MAX_EXAMPLE_WORDS;

use super::chart::Search;
use super::derivation::{Derivation, Memory};
use super::grammar::{Counts, Grammar, Kinds, Symbols};
use super::parser::{ConstituencyParser, SYNTAX_DIMENSION};
use crate::error::{Error, Result};
use crate::parse::Tree;
use crate::parse::constituency::chart::{Chart, Evidence};
use crate::parse::constituency::grammar::SymbolKind;
use crate::parse::constituency::k_best::KBest;
use crate::parse::constituency::lexicon::Lexicon;
use crate::parse::constituency::parser::MAX_PIECE_WORDS;
use crate::parse::dependency::training::setting_lines;
use crate::parse::dependency::vocabulary::{Counts as WordCounts, Vocabulary, normal_form};
use crate::parse::evaluation::{BracketRules, BracketTotals, evaluate_brackets};
use crate::parse::input_normalisation::InputNormalisation;
use ranking::train_recursive;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use spans::{Examples, new_network, train_spans};
use tercet_base::files::hexadecimal;
use tercet_base::progress::Progress;
use tercet_learn::networks::{ListNetwork, RecursiveNetwork, RecursiveShape, SpanNetwork};
use tercet_learn::training::{Checkpoints, Identity, TrainingFiles};
use tercet_model::model_file::ModelRecord;

/// Trains a parser, writes its model file and reads it back.
pub fn train(recipe: &ConstituencyRecipe, files: &TrainingFiles, progress: Progress<'_>) -> Result<ConstituencyParser> {
    recipe.check()?;
    let mut checkpoints = files.begin(recipe.training.checkpoint, &[spans::PHASE, ranking::PHASE])?;
    let mut notes = Vec::new();
    let mut read = |key: &str, entries: &[TreebankEntry]| -> Result<Vec<Tree>> {
        let (mut trees, mut names) = (Vec::new(), Vec::new());
        for entry in entries {
            progress.uncounted(&format!("reading {}", entry.name()))?;
            let read = entry.read(&recipe.origin.folder)?;
            let (count, files, ending) = (read.trees.len(), read.files, if read.files == 1 { "" } else { "s" });
            progress.status(&format!("found {count} trees in {files} file{ending}"), true)?;
            names.push(format!("{}, {count} trees", entry.name()));
            trees.extend(read.trees);
        }
        notes.push((key.to_owned(), names.join("; ")));
        Ok(trees)
    };
    let trees = read("train", &recipe.data.train)?;
    let development = read("development", &recipe.data.development)?;
    let parser = train_on(recipe, &trees, &development, notes, &mut checkpoints, progress)?;
    parser.to_file().write(&files.model)?;
    files.end();
    ConstituencyParser::read(&files.model)
}

/// Trains a parser on normalised trees in memory, and writes no model file.
pub(super) fn train_on(
    recipe: &ConstituencyRecipe,
    trees: &[Tree],
    development: &[Tree],
    mut notes: Vec<(String, String)>,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<ConstituencyParser> {
    let (grammar, derivations) = grammar_of(recipe, trees)?;
    let words = vocabulary(recipe, trees);
    let identity = identity(recipe, trees);
    let mut network = new_network(recipe, &grammar, &words)?;
    if !restore_spans(&mut network, &identity, checkpoints)? {
        let examples = Examples::new(trees, &derivations, &grammar, &words);
        if examples.too_long > 0 {
            let (trees, longest) = (examples.too_long, MAX_EXAMPLE_WORDS);
            let text = format!("{trees} trees of more than {longest} words are only counted in the grammar");
            progress.status(&text, true)?;
        }
        train_spans(&mut network, recipe, &examples, &identity, checkpoints, progress)?;
    }
    let kinds = Kinds::from_derivations(&derivations, &grammar.symbols, recipe.recursive.least);
    let shape = RecursiveShape { inputs: recipe.network.width, width: SYNTAX_DIMENSION, kinds: kinds.len() };
    let recursive = RecursiveNetwork::new(shape, recipe.training.seed)?;
    let search = &recipe.search;
    let candidates = search.candidates;
    let search = Search { grammar_weight: search.grammar_weight, label_margin: search.label_margin, beam: search.beam };
    for (key, value) in [
        ("seed", recipe.training.seed.to_string()),
        ("tercet", env!("CARGO_PKG_VERSION").to_owned()),
        ("recipe", recipe.origin.text.clone()),
    ] {
        notes.push((key.to_owned(), value));
    }
    notes.extend(InputNormalisation::note(trees.iter().map(|tree| tree.words().collect::<Vec<_>>())));
    let normalisation = InputNormalisation::NONE;
    let record = ModelRecord { notes, ..ModelRecord::default() };
    let mut parser =
        ConstituencyParser { grammar, words, network, kinds, recursive, search, normalisation, candidates, record };
    train_recursive(&mut parser, recipe, trees, &derivations, identity, checkpoints, progress)?;
    if !development.is_empty() {
        progress.uncounted("scoring")?;
        // Scores of the weights as they are stored.
        let stored = ConstituencyParser::from_file(&parser.to_file())?.without_normalisation();
        parser.record.notes.extend(figures(&stored, trees, development)?);
    }
    Ok(parser)
}

/// Restores the network of spans from the checkpoint, if that is of the phase after it. Returns whether it did.
fn restore_spans(network: &mut SpanNetwork, identity: &Identity, checkpoints: &Checkpoints) -> Result<bool> {
    let saved = checkpoints.frozen(ranking::PHASE, identity, network.parameters())?;
    if let Some(saved) = &saved {
        network.parameters_mut().assign(saved)?;
    }
    Ok(saved.is_some())
}

/// Everything that influences the result.
fn identity(recipe: &ConstituencyRecipe, trees: &[Tree]) -> Identity {
    let ConstituencyRecipe { vocabulary, grammar, network, recursive, search, .. } = recipe;
    let training = SpanTraining { checkpoint: 0.0, ..recipe.training.clone() };
    let settings = setting_lines(
        training.seed,
        &format!("{vocabulary:?}, {grammar:?}, {network:?}, {training:?}, {recursive:?}, {search:?}"),
    );
    let mut hash = Sha256::new();
    trees.iter().for_each(|tree| hash.update(format!("{tree}\n")));
    Identity { settings, data: hexadecimal(&hash.finalize()), ..Identity::default() }
}

fn grammar_of(recipe: &ConstituencyRecipe, trees: &[Tree]) -> Result<(Grammar, Vec<Derivation>)> {
    let memory = Memory { siblings: recipe.grammar.siblings, parents: recipe.grammar.parents };
    let (mut symbols, mut counts) = (Symbols::default(), Counts::default());
    let derivations: Option<Vec<Derivation>> =
        trees.iter().map(|tree| Derivation::of_tree(tree, memory, &mut symbols)).collect();
    let too_many =
        || Error::Unusable("the grammar has too many symbols: lower [grammar] siblings or unset parents".to_owned());
    let derivations = derivations.ok_or_else(too_many)?;
    derivations.iter().for_each(|derivation| counts.add(derivation, &symbols));
    let grammar = Grammar::new(symbols, counts);
    let no_root = || Error::Unusable("no tree to learn from has a root: normalise them first".to_owned());
    Ok((grammar.ok_or_else(no_root)?, derivations))
}

fn vocabulary(recipe: &ConstituencyRecipe, trees: &[Tree]) -> Vocabulary {
    let mut counts = WordCounts::new();
    for word in trees.iter().flat_map(|tree| tree.words()) {
        *counts.entry(normal_form(word)).or_default() += 1;
    }
    Vocabulary::from_counts(&counts, recipe.vocabulary.least, recipe.vocabulary.words)
}

impl ConstituencyParser {
    /// EVALB's totals on the words of gold trees, with the parser's own tags: as EVALB counts, and with the words
    /// deleted that gold's tags select ([`BracketRules::gold_tags_decide`]).
    pub fn evaluate(&self, gold: &[Tree]) -> Result<[BracketTotals; 2]> {
        let sentences: Vec<Vec<&str>> = gold.iter().map(|tree| tree.words().collect()).collect();
        let parses: Vec<Option<Tree>> = self.parse(&sentences).into_iter().map(|parse| parse.tree).collect();
        both(gold, &parses)
    }
}

fn both(gold: &[Tree], parses: &[Option<Tree>]) -> Result<[BracketTotals; 2]> {
    let rules = |gold_tags_decide| BracketRules { gold_tags_decide, ..BracketRules::default() };
    Ok([evaluate_brackets(gold, parses, &rules(false))?.all, evaluate_brackets(gold, parses, &rules(true))?.all])
}

/// Notes of the model: F1 in percent of the parser, of the parser without the recursive network, and of the grammar
/// alone; and how many sentences EVALB does not count, if any, because other words are deleted by the parser's tags
/// than by gold's.
fn figures(parser: &ConstituencyParser, trees: &[Tree], gold: &[Tree]) -> Result<Vec<(String, String)>> {
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let [counted, decided] = parser.evaluate(gold)?;
    let first_only = ConstituencyParser { candidates: 1, ..parser.clone() };
    let [without, _] = first_only.evaluate(gold)?;
    let [alone, _] = both(gold, &grammar_alone(&parser.grammar, trees, gold))?;
    let mut figures = vec![
        ("development_f1", percent(counted.brackets.f1())),
        ("development_f1_gold_tags_decide", percent(decided.brackets.f1())),
        ("development_tags", percent(decided.tagging_accuracy())),
        ("development_f1_without_recursive", percent(without.brackets.f1())),
        ("development_f1_grammar_alone", percent(alone.brackets.f1())),
    ];
    if counted.errors > 0 {
        figures.push(("development_errors", format!("{} of {} sentences", counted.errors, counted.sentences)));
    }
    Ok(figures.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
}

/// Parses with the grammar and a lexicon, without a network. Sentences too long for one chart have no parse.
fn grammar_alone(grammar: &Grammar, trees: &[Tree], gold: &[Tree]) -> Vec<Option<Tree>> {
    let tag = |label: &str| grammar.symbols.get(SymbolKind::Tag, label);
    let tagged = trees.iter().flat_map(|tree| tree.leaves()).filter_map(|(label, word)| Some((word, tag(label)?)));
    let lexicon = Lexicon::new(&grammar.tags, tagged);
    let search = Search { grammar_weight: 1.0, label_margin: 0.0, beam: 12.0 };
    let parse = |chart: &mut Chart, tree: &Tree| {
        let words: Vec<&str> = tree.words().collect();
        let mut tags = Vec::new();
        words.iter().for_each(|word| lexicon.scores(word, &mut tags));
        let evidence = Evidence { tags: &tags, labels: None };
        chart.fill(grammar, evidence, &search);
        let mut best = KBest::new(chart, grammar, evidence, &search, 1);
        let (derivation, _) = best.derivations(0, words.len(), grammar.root).pop()?;
        derivation.to_tree(&grammar.symbols, &words)
    };
    gold.par_iter()
        .map_init(Chart::default, |chart, tree| if tree.len() > MAX_PIECE_WORDS { None } else { parse(chart, tree) })
        .collect()
}
