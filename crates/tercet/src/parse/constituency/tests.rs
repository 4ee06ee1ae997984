use super::chart::{Chart, Evidence, Search};
use super::derivation::{Derivation, Memory};
use super::grammar::{Counts, Grammar};
use super::k_best::KBest;
use super::lexicon::Lexicon;
use super::symbols::Symbols;
use crate::parse::Tree;
use crate::parse::bracketed::{Normalisation, read_trees};
use crate::parse::evaluation::{BracketRules, evaluate_brackets};
use std::path::PathBuf;

fn part(name: &str, nc: bool) -> Vec<Tree> {
    let gum = PathBuf::from(std::env::var("TERCET_SHARED").unwrap()).join("data/gum");
    let splits = std::fs::read_to_string(gum.join("splits.md")).unwrap();
    let mut current = "";
    let mut trees = Vec::new();
    for line in splits.lines() {
        if let Some(p) = line.strip_prefix("## ") {
            current = p.trim();
        }
        if let Some(doc) = line.trim().strip_prefix("* ") {
            let genre = doc.split('_').nth(1).unwrap_or("");
            let path = gum.join("const").join(format!("{doc}.ptb"));
            if current == name && path.exists() && (nc || !["essay", "fiction", "letter", "podcast", "whow"].contains(&genre)) {
                let read = read_trees(&path, std::fs::read(&path).unwrap()).unwrap();
                trees.extend(read.iter().map(|t| Normalisation::default().apply(t).unwrap()));
            }
        }
    }
    trees
}

#[test]
#[ignore]
fn pcfg_on_gum() {
    for memory in [Memory { siblings: 1, parents: false }, Memory { siblings: 1, parents: true }, Memory { siblings: 2, parents: true }] {
        let train = part("train", false);
        let dev = part("dev", true);
        let (mut symbols, mut counts) = (Symbols::default(), Counts::default());
        let derivations: Vec<Derivation> = train.iter().map(|t| Derivation::of_tree(t, memory, &mut symbols).unwrap()).collect();
        derivations.iter().for_each(|d| counts.add(d, &symbols));
        let grammar = Grammar::new(symbols, counts).unwrap();
        let tag = |t: &str| grammar.symbols.get(super::symbols::Kind::Tag, t).unwrap();
        let lexicon = Lexicon::new(&grammar.tags, train.iter().flat_map(|t| t.leaves().map(|(t, w)| (w, tag(t)))));
        println!("{memory:?} symbols {} pairs {} chains {} labels {} tags {}", grammar.symbols.len(), grammar.counts.pairs.len(), grammar.chains.len(), grammar.labels.len(), grammar.tags.len());
        let search = Search { grammar_weight: 1.0, label_margin: 5.0, beam: 12.0 };
        let mut chart = Chart::default();
        let start = std::time::Instant::now();
        let mut system = Vec::new();
        let mut gold = Vec::new();
        let mut words_n = 0;
        let mut oracle = Vec::new();
        let mut failed = 0;
        for tree in dev.iter().step_by(4).filter(|t| t.len() <= 40) {
            let words: Vec<&str> = tree.words().collect();
            words_n += words.len();
            let mut tags = Vec::new();
            words.iter().for_each(|w| lexicon.scores(w, &mut tags));
            let evidence = Evidence { tags: &tags, labels: None };
            chart.fill(&grammar, evidence, &search);
            let found = KBest::new(&chart, &grammar, evidence, &search, 50).derivations(0, words.len(), grammar.root);
            if found.is_empty() { failed += 1; }
            gold.push(tree.clone());
            system.push(found.first().map(|f| f.0.to_tree(&grammar.symbols, &words).unwrap()));
            let rules = BracketRules { gold_tags_decide: true, ..Default::default() };
            let best = found.iter().map(|f| f.0.to_tree(&grammar.symbols, &words).unwrap()).max_by_key(|t| {
                let s = evaluate_brackets(std::slice::from_ref(tree), &[Some(t.clone())], &rules).unwrap();
                (s.all.brackets.f1() * 1e6) as u64
            });
            oracle.push(best);
        }
        let secs = start.elapsed().as_secs_f64();
        for (name, sys) in [("best", &system), ("oracle", &oracle)] {
            for gt in [false, true] {
                let rules = BracketRules { gold_tags_decide: gt, ..Default::default() };
                let s = evaluate_brackets(&gold, sys, &rules).unwrap();
                println!("  {name} gold_tags_decide {gt}: F1 {:.2} P {:.2} R {:.2} tags {:.2} errors {} skipped {}", 100.0 * s.all.brackets.f1(), 100.0*s.all.brackets.precision(), 100.0*s.all.brackets.recall(), 100.0 * s.all.tagging_accuracy(), s.all.errors, s.all.skipped);
            }
        }
        println!("  {} sentences {} words failed {} {:.1}s = {:.1}/s", gold.len(), words_n, failed, secs, gold.len() as f64 / secs);
    }
}
