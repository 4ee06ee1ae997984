//! Properties of the readers of trees and of their evaluation: any bytes are read, or are an error that names the file;
//! what was read can be written and read back; and a file agrees with itself completely.

use std::path::Path;
use tercet::parse::bracketed::{Normalisation, read_parses, read_trees};
use tercet::parse::conllu::{Conllu, ConlluColumn, Id};
use tercet::parse::evaluation::{BracketRules, Outcome, evaluate_brackets, evaluate_text};
use tercet::parse::{DependencyTree, Tree, draw};

const FILE: &str = "trees.txt";

/// CoNLL-U: is written byte for byte as it was read; after setting columns, only these have changed.
pub fn conllu(bytes: &[u8]) {
    let mut file = match Conllu::from_bytes(Path::new(FILE), bytes) {
        Ok(file) => file,
        Err(error) => return assert!(error.to_string().starts_with(FILE), "{error}"),
    };
    assert!(file.to_string().as_bytes() == bytes, "a file does not come back");
    for index in 0..file.sentences().len() {
        let sentence = &file.sentences()[index];
        assert!(!sentence.is_empty());
        let covered: Vec<usize> = sentence.tokens().flat_map(|(_, words)| words).collect();
        assert_eq!(covered, (0..sentence.len()).collect::<Vec<_>>(), "every word is in one token");
        for (number, word) in sentence.words().enumerate() {
            assert_eq!(word.id(), Id::Word(number + 1));
            assert!(word.head().is_none_or(|head| head <= sentence.len()));
        }
        let line = sentence.surface();
        assert!(sentence.tokens().all(|(token, _)| line.contains(token.form())));
        match file.tree(index) {
            Ok(tree) => {
                let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
                let drawing = draw(&tree, &words, &vec!["X"; words.len()]);
                assert_eq!(drawing.matches('\n').count(), words.len());
            }
            Err(error) => assert!(error.to_string().starts_with(FILE), "{error}"),
        }
    }
    columns_are_set(&mut file);
}

/// Every word gets a tag, and the first word as its head.
fn columns_are_set(file: &mut Conllu) {
    let before = file.clone();
    for sentence in file.sentences_mut() {
        let heads = (0..sentence.len()).map(|word| usize::from(word > 0)).collect();
        let tree = DependencyTree::new(heads, vec!["x:y".to_owned(); sentence.len()]).expect("a star is a tree");
        sentence.set_tree(&tree).expect("as many words");
        (0..sentence.len()).for_each(|word| sentence.set_xpos(word, "T").expect("a tag"));
    }
    let again = Conllu::from_text(Path::new(FILE), &file.to_string()).expect("what is written can be read");
    assert_eq!(again.sentences().len(), before.sentences().len());
    for (new, old) in again.sentences().iter().zip(before.sentences()) {
        assert_eq!((new.len(), new.rows().len(), new.surface()), (old.len(), old.rows().len(), old.surface()));
        assert!(new.comments().eq(old.comments()));
        for (index, (word, old)) in new.words().zip(old.words()).enumerate() {
            assert_eq!((word.xpos(), word.head(), word.deprel()), ("T", Some(usize::from(index > 0)), "x:y"));
            for column in [ConlluColumn::Lemma, ConlluColumn::Upos, ConlluColumn::Feats, ConlluColumn::Misc] {
                assert_eq!(word.column(column), old.column(column));
            }
        }
    }
}

/// The measures of CoNLL 2018: each is stricter than the previous one; exchanging the files keeps the matches; a file
/// agrees with itself completely.
pub fn aligned(gold: &[u8], system: &[u8]) {
    let read = |bytes| Conllu::from_bytes(Path::new(FILE), bytes).ok();
    let (Some(gold), Some(system)) = (read(gold), read(system)) else { return };
    for file in [&gold, &system] {
        if let Ok(scores) = evaluate_text(file, file) {
            let (all, right) = (scores.words.gold, scores.las_full.correct);
            assert_eq!((right, scores.tokens.correct), (all, scores.tokens.gold));
        }
    }
    let Ok(scores) = evaluate_text(&gold, &system) else { return };
    assert!(scores.las_full.correct <= scores.las.correct && scores.las.correct <= scores.uas.correct);
    assert!(scores.uas.correct <= scores.words.correct && scores.upos.correct <= scores.words.correct);
    assert!(scores.words.correct <= scores.words.gold.min(scores.words.system));
    let turned = evaluate_text(&system, &gold).expect("the same files");
    assert_eq!((turned.tokens.correct, turned.sentences.correct), (scores.tokens.correct, scores.sentences.correct));
}

/// Bracketed trees: the same when written on one line or on several; normalising twice changes nothing.
pub fn bracketed(bytes: &[u8]) {
    let parses = match read_parses(Path::new(FILE), bytes) {
        Ok(parses) => parses,
        Err(error) => {
            assert!(error.to_string().starts_with(FILE), "{error}");
            return assert!(read_trees(Path::new(FILE), bytes).is_err());
        }
    };
    let trees: Vec<Tree> = parses.iter().flatten().cloned().collect();
    assert_eq!(read_trees(Path::new(FILE), bytes).ok().is_some(), trees.len() == parses.len());
    let again = |text: &str| read_trees(Path::new(FILE), text).expect("what is written can be read");
    for tree in &trees {
        assert_eq!(again(&tree.to_string()), std::slice::from_ref(tree));
        if tree.nodes().len() < 1000 {
            assert_eq!(again(&tree.indented()), std::slice::from_ref(tree));
        }
        is_whole(tree);
        if let Some(plain) = Normalisation::default().apply(tree) {
            is_whole(&plain);
            let twice = Normalisation::default().apply(&again(&plain.to_string())[0]).expect("words stay");
            assert!(twice.phrases().eq(plain.phrases()) && twice.len() == plain.len());
        }
    }
}

/// The spans of children cover that of their parent, from left to right.
fn is_whole(tree: &Tree) {
    assert_eq!((tree.root().span(), tree.leaves().count()), (0..tree.len(), tree.len()));
    for (index, node) in tree.nodes().iter().enumerate() {
        let mut at = node.span().start;
        for child in tree.children(index) {
            assert_eq!(tree.nodes()[child].span().start, at);
            at = tree.nodes()[child].span().end;
        }
        assert_eq!(at, if node.word().is_some() { node.span().start } else { node.span().end });
        assert!(!node.span().is_empty());
    }
}

/// EVALB's measures: exchanging the files keeps the matches; trees agree with themselves completely.
pub fn compared(gold: &[u8], system: &[u8]) {
    let read = |bytes: &[u8]| read_parses(Path::new(FILE), bytes).ok();
    let (Some(gold), Some(system)) = (read(gold), read(system)) else { return };
    for (one, other) in gold.iter().flatten().zip(system.iter().flatten()) {
        for rules in [BracketRules::default(), BracketRules { labelled: false, ..BracketRules::collins() }] {
            let score = |a: &Tree, b: &Tree| {
                evaluate_brackets(std::slice::from_ref(a), &[Some(b.clone())], &rules).expect("one tree each").sentences
                    [0]
            };
            let own = score(one, one);
            assert!(own.outcome == Outcome::Skipped || own.is_complete() && own.correct_tags == own.words);
            let (there, back) = (score(one, other), score(other, one));
            assert_eq!(there.brackets.correct, back.brackets.correct);
            assert!(there.brackets.correct <= there.brackets.gold.min(there.brackets.system));
        }
    }
}

/// Heads: a tree in which every word is reached from the root, or an error.
pub fn heads(heads: &[usize]) {
    let labels = vec!["x".to_owned(); heads.len()];
    let Ok(tree) = DependencyTree::new(heads.to_vec(), labels) else {
        let reached = |mut word: usize| {
            (0..=heads.len()).any(|_| match heads[word] {
                0 => true,
                head if head > heads.len() => false,
                head => {
                    word = head - 1;
                    false
                }
            })
        };
        let one_root = heads.iter().filter(|head| **head == 0).count() == 1;
        return assert!(!one_root || !(0..heads.len()).all(reached), "{heads:?} is a tree");
    };
    let mut order = tree.top_down();
    order.sort_unstable();
    assert_eq!(order, (0..heads.len()).collect::<Vec<_>>());
    assert!((0..heads.len()).all(|word| tree.children(word).iter().all(|&child| heads[child] == word + 1)));
    assert_eq!(draw(&tree, &vec!["w"; heads.len()], &vec!["X"; heads.len()]).lines().count(), heads.len());
}

/// Any words have a tree, which does not depend on the other sentences.
#[cfg(feature = "learned")]
pub fn parsed(sentences: &[Vec<String>]) {
    let parser = tercet::parse::dependency::DependencyParser::english();
    let together = parser.parse(sentences);
    assert_eq!(together.len(), sentences.len());
    for (parse, words) in together.iter().zip(sentences) {
        assert_eq!((parse.tree().len(), parse.upos.len()), (words.len(), words.len()));
        assert!(*parse == parser.parse_one(words), "{words:?} is parsed in another way alone");
        let roots = parse.labels.iter().zip(&parse.heads).all(|(label, head)| (*label == "root") == (*head == 0));
        assert!(roots, "{words:?}: {parse:?}");
    }
}
