//! The search compared with all derivations, and a parser from training to output.

use super::chart::{Chart, Evidence, Search, cell, cells, label_score};
use super::derivation::{Derivation, Memory};
use super::grammar::{Counts, Grammar, Symbol, SymbolKind, Symbols};
use super::k_best::KBest;
use super::training::{ConstituencyRecipe, MAX_EXAMPLE_WORDS, train_on};
use super::{ConstituencyParser, Phrases};
use crate::error::Error;
use crate::parse::Tree;
use crate::parse::bracketed::read_trees;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tercet_base::progress::{Event, Progress};
use tercet_learn::training::Checkpoints;
use tercet_math::random::Random;

/// A parser from trees, without checkpoints.
fn trained(
    recipe: &ConstituencyRecipe,
    trees: &[Tree],
    development: &[Tree],
    progress: Progress<'_>,
) -> ConstituencyParser {
    train_on(recipe, trees, development, Vec::new(), &mut Checkpoints::none(), progress).unwrap()
}

const WIDE: Search = Search { grammar_weight: 0.7, label_margin: 1e6, beam: 1e6 };

fn read(text: &str) -> Vec<Tree> {
    read_trees(Path::new("trees"), text).unwrap()
}

fn grammar(text: &str) -> Grammar {
    let (mut symbols, mut counts) = (Symbols::default(), Counts::default());
    let memory = Memory { siblings: 1, parents: false };
    for tree in read(text) {
        counts.add(&Derivation::of_tree(&tree, memory, &mut symbols).unwrap(), &symbols);
    }
    Grammar::new(symbols, counts).unwrap()
}

/// Every word may be anything, phrases nest in themselves, and there are chains and phrases of three.
fn ambiguous() -> Grammar {
    grammar(
        "(ROOT (A (A (a x)) (B (b x)))) (ROOT (A (B (b x)) (a x) (A (B (b x))))) (ROOT (B (a x) (A (a x) (b x)))) \
         (ROOT (A (a x) (a x))) (ROOT (a x) (B (b x) (B (a x) (b x))))",
    )
}

/// The scores of all derivations of a symbol over a span.
fn all(grammar: &Grammar, evidence: Evidence<'_>, start: usize, end: usize, symbol: Symbol) -> Vec<f32> {
    let span = cell(start, end);
    let labels = evidence.labels.map(|labels| &labels[span * grammar.labels.len()..]);
    let mut scores = Vec::new();
    if grammar.symbols.kind(symbol) != SymbolKind::Phrase {
        return inner(grammar, evidence, start, end, symbol);
    }
    for chain in grammar.chains.iter().filter(|chain| chain.top() == symbol) {
        let above = WIDE.grammar_weight * chain.score + label_score(labels, chain.label, 1e6).unwrap();
        let below = inner(grammar, evidence, start, end, chain.bottom());
        scores.extend(below.iter().map(|score| score + above));
    }
    scores
}

fn inner(grammar: &Grammar, evidence: Evidence<'_>, start: usize, end: usize, symbol: Symbol) -> Vec<f32> {
    if let Some(tag) = grammar.tags.iter().position(|(tag, _)| *tag == symbol) {
        let score = evidence.tags[start * grammar.tags.len() + tag];
        return if end == start + 1 { vec![score] } else { Vec::new() };
    }
    let mut scores = Vec::new();
    for split in start + 1..end {
        for pair in &grammar.by_parent[usize::from(symbol)] {
            let right = all(grammar, evidence, split, end, pair.right);
            for left in all(grammar, evidence, start, split, pair.other) {
                scores.extend(right.iter().map(|right| left + WIDE.grammar_weight * pair.score + right));
            }
        }
    }
    scores
}

#[test]
fn the_best_derivations_are_the_best_of_an_enumeration() {
    let grammar = ambiguous();
    let (mut random, mut chart, mut compared) = (Random::stream(7, "test", 0), Chart::default(), 0);
    for round in 0..40 {
        let words = 1 + round % 5;
        let mut draw = |count: usize| -> Vec<f32> { (0..count).map(|_| random.uniform(-3.0, 0.0)).collect() };
        let tags = draw(words * grammar.tags.len());
        let labels = draw(cells(words) * grammar.labels.len());
        let evidence = Evidence { tags: &tags, labels: (round % 3 > 0).then_some(&labels) };
        let mut expected = all(&grammar, evidence, 0, words, grammar.root);
        expected.sort_by(|a, b| b.total_cmp(a));
        chart.fill(&grammar, evidence, &WIDE);
        for k in [1, 7, 100_000] {
            let found = KBest::new(&chart, &grammar, evidence, &WIDE, k).derivations(0, words, grammar.root);
            assert_eq!(found.len(), k.min(usize::from(u16::MAX)).min(expected.len()), "{words} words");
            for ((derivation, score), expected) in found.iter().zip(&expected) {
                assert!((score - expected).abs() < 1e-3, "{score}, expected {expected}");
                assert_eq!(derivation.to_tree(&grammar.symbols, &["w"; 5][..words]).unwrap().len(), words);
                compared += 1;
            }
            let mut distinct: Vec<String> = found.iter().map(|(derivation, _)| format!("{derivation:?}")).collect();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), found.len(), "a derivation comes once");
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn labels_below_the_margin_are_dropped() {
    let grammar = grammar("(ROOT (A (a x) (B (b x) (b x)))) (ROOT (A (a x) (b x) (b x)))");
    let tags = vec![0.0; 3 * grammar.tags.len()];
    let mut labels = vec![0.0; cells(3) * grammar.labels.len()];
    let number = grammar.labels.iter().position(|label| label == "B").unwrap();
    let has_b = |labels: &[f32]| {
        let search = Search { label_margin: 5.0, ..WIDE };
        let evidence = Evidence { tags: &tags, labels: Some(labels) };
        let mut chart = Chart::default();
        chart.fill(&grammar, evidence, &search);
        let found = KBest::new(&chart, &grammar, evidence, &search, 100).derivations(0, 3, grammar.root);
        found.iter().any(|(derivation, _)| {
            derivation.to_tree(&grammar.symbols, &["x"; 3]).unwrap().phrases().any(|(label, _)| label == "B")
        })
    };
    assert!(has_b(&labels));
    labels[cell(1, 3) * grammar.labels.len() + number] = -5.1;
    assert!(!has_b(&labels));
}

/// Sentences such as `the old dog saw a cat near the house .`
fn treebank(sentences: u64) -> Vec<Tree> {
    let mut random = Random::stream(3, "treebank", sentences);
    let mut one = || {
        let mut phrase = || {
            let noun = ["dog", "cat", "house", "idea", "Tercet"][random.below(5) as usize];
            match random.below(3) {
                0 => format!("(NP (DT the) (NN {noun}))"),
                1 => format!("(NP (DT a) (JJ old) (NN {noun}))"),
                _ => "(NP (PRP she))".to_owned(),
            }
        };
        let (subject, object, near) = (phrase(), phrase(), phrase());
        let verb = ["saw", "liked", "met"][random.below(3) as usize];
        match random.below(3) {
            0 => format!("(ROOT (S {subject} (VP (VBD {verb}) {object}) (. .)))"),
            1 => format!("(ROOT (S {subject} (VP (VBD {verb}) {object} (PP (IN near) {near})) (. .)))"),
            _ => format!("(ROOT (S (VP (VB {verb}) {object}) (. .)))"),
        }
    };
    let text: Vec<String> = (0..sentences).map(|_| one()).collect();
    read(&text.concat())
}

const RECIPE: &str = "
kind = \"constituency\"
data = { train = [{ folder = \"x\" }] }
network = { width = 32, layers = 2, tag_layer = 1, hidden = 32, character_width = 4, filters = 8, dropout = 0.1 }
training = { epochs = 12, batch = 150, learning_rate = 0.01, warm_up = 5 }
recursive = { least = 5, epochs = 2, candidates = 6 }
";

fn recipe() -> ConstituencyRecipe {
    ConstituencyRecipe::parse(RECIPE, Path::new("")).unwrap()
}

fn toy() -> ConstituencyParser {
    let (train, development) = (treebank(80), treebank(30));
    trained(&recipe(), &train, &development, Progress::none())
}

fn written(parse: &Phrases) -> String {
    parse.tree.as_ref().map_or(String::new(), Tree::to_string)
}

#[test]
fn a_parser_learns_a_small_language_and_is_read_back_from_its_file() {
    let parser = toy();
    let [figures, _] = parser.evaluate(&treebank(50)).unwrap();
    assert!(figures.brackets.f1() > 0.97 && figures.tagging_accuracy() > 0.9, "{figures:?}");
    let notes: Vec<&str> = parser.record().notes.iter().map(|(key, _)| key.as_str()).collect();
    assert!(notes.contains(&"development_f1") && notes.contains(&"recipe"), "{notes:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toy.safetensors");
    parser.to_file().write(&path).unwrap();
    let back = ConstituencyParser::read(&path).unwrap();
    let mut notes = parser.record().notes.clone();
    notes.sort();
    assert_eq!((&back.record().notes, back.record().hash.len()), (&notes, 8));
    let sentence = [["she", "saw", "the", "old", "cat", "."]];
    assert_eq!(
        written(&back.parse(&sentence)[0]),
        "(ROOT (S (NP (PRP she)) (VP (VBD saw) (NP (DT the) (JJ old) (NN cat))) (. .)))"
    );
    // What was read is what will be written.
    assert!(back.to_file().names().eq(parser.to_file().names()));
    assert_eq!(ConstituencyParser::from_file(&back.to_file()).unwrap().parse(&sentence), back.parse(&sentence));
}

#[test]
fn results_depend_neither_on_other_sentences_nor_on_the_number_of_threads() {
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let parser = toy();
            let sentences: Vec<Vec<String>> =
                treebank(40).iter().map(|tree| tree.words().map(str::to_owned).collect()).collect();
            let together = parser.parse(&sentences);
            for (sentence, parse) in sentences.iter().zip(&together) {
                assert_eq!(parser.parse(std::slice::from_ref(sentence))[0], *parse);
            }
            together
        })
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn warm_up_is_at_most_all_steps() {
    let mut recipe = recipe();
    (recipe.training.epochs, recipe.recursive.epochs) = (1, 1);
    let mut learned = |warm_up: u64| {
        recipe.training.warm_up = warm_up;
        // The loop asks once when it begins, and between two steps of an epoch, whether to go on.
        let (steps, is_spans) = (AtomicU64::new(0), AtomicBool::new(false));
        let count = |event: &Event<'_>| {
            match event {
                Event::Stage { name, .. } => is_spans.store(name.ends_with("of spans"), Ordering::Relaxed),
                Event::Advance(0) if is_spans.load(Ordering::Relaxed) => _ = steps.fetch_add(1, Ordering::Relaxed),
                _ => {}
            }
            ControlFlow::Continue(())
        };
        let parser = trained(&recipe, &treebank(60), &[], Progress::new(&count));
        (parser.to_file().to_bytes().unwrap(), steps.into_inner())
    };
    let (long, steps) = learned(100);
    assert!(steps > 1 && steps < 100, "{steps} steps");
    assert!(long == learned(steps).0);
    assert!(long != learned(steps - 1).0);
}

#[test]
fn trees_too_long_to_learn_from_are_counted_and_left_out() {
    let words = |count: usize| read(&format!("(ROOT (X {}))", "(Y z) ".repeat(count)));
    let mut short = recipe();
    (short.training.epochs, short.recursive.epochs) = (1, 1);
    let message = "1 trees of more than 200 words are only counted in the grammar";
    for (longest, expected) in [(MAX_EXAMPLE_WORDS, 0), (MAX_EXAMPLE_WORDS + 1, 1)] {
        let (mut trees, left_out) = (treebank(20), AtomicU64::new(0));
        trees.extend(words(longest));
        let count = |event: &Event<'_>| {
            let is_reported = *event == Event::Status { text: message, important: true };
            left_out.fetch_add(u64::from(is_reported), Ordering::Relaxed);
            ControlFlow::Continue(())
        };
        trained(&short, &trees, &[], Progress::new(&count));
        assert_eq!(left_out.into_inner(), expected, "{longest} words");
    }
}

#[test]
fn a_stopped_training_resumes_and_ends_with_the_same_bytes() {
    let mut short = recipe();
    (short.training.epochs, short.recursive.epochs) = (3, 3);
    let trees = treebank(60);
    let whole = trained(&short, &trees, &[], Progress::none()).to_file().to_bytes().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint");
    for (stage, rounds) in [("training the network of spans", 2), ("training the recursive network", 2)] {
        let done = AtomicU64::new(u64::MAX);
        let stop = |event: &Event<'_>| {
            match event {
                Event::Stage { name, .. } if *name == stage => done.store(0, Ordering::Relaxed),
                Event::Stage { .. } => done.store(u64::MAX, Ordering::Relaxed),
                Event::Advance(count) if done.load(Ordering::Relaxed) != u64::MAX => {
                    done.fetch_add(*count, Ordering::Relaxed);
                }
                _ => {}
            }
            if done.load(Ordering::Relaxed) == rounds { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let mut checkpoints = Checkpoints::to(&path, 1e9);
        let stopped = train_on(&short, &trees, &[], Vec::new(), &mut checkpoints, Progress::new(&stop));
        assert!(matches!(stopped, Err(Error::Stopped(_))));
        let mut saved = Checkpoints::resume(&path, 1e9).unwrap();
        let parser = train_on(&short, &trees, &[], Vec::new(), &mut saved, Progress::none()).unwrap();
        assert!(parser.to_file().to_bytes().unwrap() == whole, "{stage}");
        // A run with other settings or other trees is another run. The end of the run has overwritten the state.
        let refused = |recipe: &ConstituencyRecipe, trees: &[Tree]| {
            let mut saved = Checkpoints::resume(&path, 1e9).unwrap();
            train_on(recipe, trees, &[], Vec::new(), &mut saved, Progress::none()).err().unwrap().to_string()
        };
        let mut other = short.clone();
        other.training.seed = 9;
        assert!(refused(&other, &trees).contains("a run with seed 1; this one has seed 9"));
        assert!(refused(&short, &treebank(61)).contains("it is of a run on other data"));
    }
}

#[test]
fn every_sentence_has_a_tree_and_a_vector() {
    let parser = toy();
    let strange: Vec<Vec<String>> = vec![
        vec![],
        vec![String::new()],
        "saw saw . . ( the ) near".split(' ').map(str::to_owned).collect(),
        vec!["東京".to_owned(), "\u{0}".to_owned(), "a b".to_owned(), "İ😀".to_owned()],
        (0..500).map(|word| ["the", "cat", ",", "saw"][word % 4].to_owned()).collect(),
        (0..5000).map(|word| format!("w{word}")).collect(),
    ];
    for (sentence, parse) in strange.iter().zip(parser.parse(&strange)) {
        assert_eq!(parse.tree.is_none(), sentence.is_empty());
        assert!(parse.vector.iter().all(|number| number.is_finite()));
        assert_eq!(parse.vector.iter().any(|number| *number != 0.0), !sentence.is_empty());
        if let Some(tree) = parse.tree {
            assert!(tree.words().eq(sentence.iter().map(String::as_str)));
            assert_eq!(tree.root().label(), "ROOT");
        }
    }
}

#[test]
fn files_of_others_and_damaged_ones_are_refused() {
    let file = toy().to_file();
    let refused = |change: &dyn Fn(&mut tercet_model::model_file::ModelFile)| {
        let mut file = file.clone();
        change(&mut file);
        ConstituencyParser::from_file(&file).unwrap_err().to_string()
    };
    for (entry, text, message) in [
        ("version", "9", "version 9, expected 1"),
        ("words", "a", "network is for"),
        ("words", "a\na", "occurs twice"),
        ("symbols", "phrase S", "cannot be read"),
        ("symbols", "tag a", "cannot be read"),
        ("pairs", "1 2 3", "`pairs` has a line `1 2 3`"),
        ("pairs", "1 2 9999 1", "`pairs` has a line"),
        ("pairs", "1 2 3 0", "`pairs` has a line"),
        ("chains", "x", "`chains` has a line"),
        ("tags", "", "cannot be read"),
        ("kinds", "NP", "`kinds` has a line `NP`"),
        ("kinds", "NP VP", "kinds of nodes"),
        ("search.beam", "nan", "search.beam"),
        ("spans.labels", "70000", "no network has its sizes"),
        ("tree.width", "24", "`tree.leaf"),
    ] {
        let error = refused(&|file| file.set(entry, text));
        assert!(error.contains(message), "{entry} = {text}: {error}");
    }
    let error = ConstituencyParser::from_bytes(Path::new("x.safetensors"), b"nothing").unwrap_err().to_string();
    assert!(error.contains("x.safetensors"), "{error}");
}

#[test]
fn recipes_are_checked() {
    let refused = |text: &str| ConstituencyRecipe::parse(text, Path::new("")).unwrap_err().to_string();
    let good = "kind = \"constituency\"\n[data]\ntrain = [{ folder = \"x\" }]\n";
    for (text, message) in [
        (good.replace("constituency", "dependency"), "recipe:1: kind cannot be \"dependency\": expected constituency"),
        (good.replace("{ folder = \"x\" }", ""), "recipe:3: [data] train is empty: there is nothing to learn"),
        (format!("{good}[training]\nepochs = 0"), "recipe:5: [training] epochs cannot be 0: expected 1"),
        (format!("{good}[search]\nbeam = -1.0"), "recipe:5: [search] beam cannot be -1"),
        (format!("{good}[grammar]\nsiblings = 9"), "recipe:5: [grammar] siblings cannot be 9: expected 0"),
        (format!("{good}[network]\nwidth = 0"), "recipe:5: [network] width cannot be 0"),
        (format!("{good}[network]\ntag_layer = 4"), "recipe:5: [network] tag_layer cannot be 4"),
        (
            format!("{good}[network]\nlayers = 101"),
            "recipe:5: [network] layers cannot be 101: expected 1 at least, 100",
        ),
        (
            format!("{good}[network]\nwindow = 1001"),
            "recipe:5: [network] window cannot be 1001: expected 1 at least, 1000",
        ),
        (format!("{good}[network]\ndropout = 1.2"), "recipe:5: [network] dropout cannot be 1.2"),
        (format!("{good}[training]\nlearning_rate = 0.0"), "recipe:5: [training] learning_rate cannot be 0"),
        (format!("{good}[training]\nclip = -1.0"), "recipe:5: [training] clip cannot be -1"),
        (format!("{good}[recursive]\nlearning_rate = -1.0"), "recipe:5: [recursive] learning_rate cannot be"),
        (format!("{good}[recursive]\nweight_decay = nan"), "recipe:5: [recursive] weight_decay cannot be NaN"),
        (format!("{good}[recursive]\nmargin = -0.5"), "recipe:5: [recursive] margin cannot be -0.5"),
        (format!("{good}[network]\ndepth = 9"), "recipe:5: [network] has no key `depth`"),
    ] {
        let error = refused(&text);
        assert!(error.contains(message), "{error}");
    }
    let keys = ConstituencyRecipe::parse(<ConstituencyRecipe as crate::recipe::Declared>::KEYS, Path::new("")).unwrap();
    let plain = ConstituencyRecipe::parse(good, Path::new("")).unwrap();
    let settings = |recipe: &ConstituencyRecipe| {
        let ConstituencyRecipe { vocabulary, grammar, network, training, recursive, search, .. } = recipe;
        let model = recipe.model_file();
        format!("{vocabulary:?}{grammar:?}{network:?}{training:?}{recursive:?}{search:?}{model:?}")
    };
    assert_eq!(settings(&keys), settings(&plain), "keys.toml shows the defaults");
}

#[test]
fn the_embedded_parser_is_whole_and_parses() {
    let parser = ConstituencyParser::english();
    assert!(parser.record().note("recipe").is_some());
    let sentences: Vec<Vec<&str>> =
        ["The cat sat on the mat .", "What do you want ?"].map(|line| line.split(' ').collect()).to_vec();
    let parses: Vec<String> = parser.parse(&sentences).iter().map(written).collect();
    assert_eq!(
        parses,
        [
            "(ROOT (S (NP (DT The) (NN cat)) (VP (VBD sat) (PP (IN on) (NP (DT the) (NN mat)))) (. .)))",
            "(ROOT (SBARQ (WHNP (WP What)) (SQ (VBP do) (NP (PRP you)) (VP (VB want))) (. ?)))",
        ]
    );
}
