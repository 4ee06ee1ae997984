//! Scores of a parser, with and without its parts.

use crate::error::Result;
use crate::parse::Tree;
use crate::parse::constituency::chart::{Chart, Evidence, Search};
use crate::parse::constituency::grammar::Grammar;
use crate::parse::constituency::k_best::KBest;
use crate::parse::constituency::lexicon::Lexicon;
use crate::parse::constituency::parser::ConstituencyParser;
use crate::parse::constituency::pieces::MAX_PIECE_WORDS;
use crate::parse::constituency::symbols::Kind;
use crate::parse::evaluation::{BracketRules, BracketTotals, evaluate_brackets};
use rayon::prelude::*;

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
pub(super) fn figures(parser: &ConstituencyParser, trees: &[Tree], gold: &[Tree]) -> Result<Vec<(String, String)>> {
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
    let tag = |label: &str| grammar.symbols.get(Kind::Tag, label);
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
