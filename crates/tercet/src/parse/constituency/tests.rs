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

#[test]
#[ignore]
fn network_on_gum() {
    use crate::parse::dependency::vocabulary::{Counts as WordCounts, Vocabulary};
    use crate::parse::dependency::word_form::normal_form;
    use super::training::lessons::{Batch, Lessons};
    use super::forms::FormTable;
    use tercet_learn::networks::biaffine::Lists;
    use tercet_learn::networks::spans::*;
    use tercet_learn::optimizer::*;
    use tercet_learn::random::Random;
    let env = |n: &str, d: f64| std::env::var(n).ok().map_or(d, |v| v.parse::<f64>().unwrap());
    let memory = Memory { siblings: env("SIB", 1.0) as usize, parents: env("PAR", 0.0) > 0.0 };
    let train = part("train", false);
    let dev = part("dev", true);
    let (mut symbols, mut counts) = (Symbols::default(), Counts::default());
    let derivations: Vec<Derivation> = train.iter().map(|t| Derivation::of_tree(t, memory, &mut symbols).unwrap()).collect();
    derivations.iter().for_each(|d| counts.add(d, &symbols));
    let grammar = Grammar::new(symbols, counts).unwrap();
    let mut wc = WordCounts::new();
    for t in &train { for w in t.words() { *wc.entry(normal_form(w)).or_default() += 1; } }
    let words = Vocabulary::of(&wc, 2, 16000);
    let lessons = Lessons::new(&train, &derivations, &grammar, &words);
    let d = env("D", 128.0) as usize;
    let shape = SpanShape { words: words.len(), shapes: 512, characters: 192, character_width: 24, filters: 128, window: 3, width: d, units: d / 2, layers: env("L", 3.0) as usize, tag_layer: env("TL", 2.0) as usize, hidden: env("HID", 128.0) as usize, tags: grammar.tags.len(), labels: grammar.labels.len() };
    let mut network = SpanNetwork::new(shape, env("DROP", 0.3) as f32, 1).unwrap();
    let epochs = env("EPOCHS", 30.0) as u64;
    let per = env("BATCH", 1500.0) as usize;
    let steps: u64 = (0..epochs).map(|e| lessons.epoch(per, 1, e).len() as u64).sum();
    let settings = SpanSettings { optimizer: OptimizerSettings { method: Method::AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 }, learning_rate: env("LR", 2.5e-3) as f32, weight_decay: 0.01, anchor_decay: 0.0, decay_biases: false }, schedule: Schedule { warm_up: 200, steps }, clip: 2.0, tag_weight: 1.0, seed: 1 };
    let mut trainer = SpanTrainer::new(&network, settings).unwrap();
    println!("words {} params {} steps {} train words {}", words.len(), network.parameters().count(), steps, lessons.words());
    let mut batch = Batch::default();
    let start = std::time::Instant::now();
    for epoch in 0..epochs {
        let mut sum = SpanLosses::default();
        let mut random = Random::stream(1, "disturbance", epoch);
        for chosen in lessons.epoch(per, 1, epoch) {
            lessons.fill(&chosen, &mut random, &mut batch);
            sum += trainer.step(&mut network, &SpanBatch { forms: &lessons.table.forms, lists: &batch.lists, words: &batch.words, targets: &batch.targets }).unwrap();
        }
        println!("epoch {epoch} labels {:.4} tags {:.4} {:.0}s", sum.labels / sum.items as f64, sum.tags / sum.items as f64, start.elapsed().as_secs_f64());
        if (epoch + 1) % 5 != 0 && epoch + 1 != epochs { continue; }
        let weights: &[f32] = if epoch + 1 == epochs { &[0.0, 0.2, 0.4, 0.6, 1.0] } else { &[0.4] };
        for &w in weights {
            let search = Search { grammar_weight: w, label_margin: env("MARGIN", 6.0) as f32, beam: env("BEAM", 12.0) as f32 };
            let (mut gold, mut system, mut space, mut chart) = (vec![], vec![], SpanWorkspace::default(), Chart::default());
            let t = std::time::Instant::now();
            for tree in dev.iter().step_by(if epoch + 1 == epochs { 1 } else { 3 }).filter(|t| t.len() <= 100) {
                let sent: Vec<&str> = tree.words().collect();
                let mut table = FormTable::default();
                let mut lists = Lists::default();
                lists.push(sent.iter().map(|w| table.number(&words, w)));
                network.evidence(&table.forms, &lists, &mut space, |_, said| {
                    let mut tags = said.tags.clone();
                    for row in tags.chunks_exact_mut(grammar.tags.len()) { for (x, (_, p)) in row.iter_mut().zip(&grammar.tags) { *x -= w * p * 1.0; } }
                    let evidence = Evidence { tags: &tags, labels: Some(&said.labels) };
                    chart.fill(&grammar, evidence, &search);
                    let found = KBest::new(&chart, &grammar, evidence, &search, 1).derivations(0, sent.len(), grammar.root);
                    gold.push(tree.clone());
                    system.push(found.first().map(|f| f.0.to_tree(&grammar.symbols, &sent).unwrap()));
                }).unwrap();
            }
            let secs = t.elapsed().as_secs_f64();
            for gt in [false, true] {
                let rules = BracketRules { gold_tags_decide: gt, ..Default::default() };
                let s = evaluate_brackets(&gold, &system, &rules).unwrap();
                println!("  w {w} gt {gt}: F1 {:.2} P {:.2} R {:.2} tags {:.2} errors {} skipped {}  {:.0}/s", 100.0 * s.all.brackets.f1(), 100.0*s.all.brackets.precision(), 100.0*s.all.brackets.recall(), 100.0 * s.all.tagging_accuracy(), s.all.errors, s.all.skipped, gold.len() as f64 / secs);
            }
        }
    }
}
