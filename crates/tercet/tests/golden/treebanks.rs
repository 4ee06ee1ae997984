//! Reads and writes whole treebanks: UD English EWT and GUM.

use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tercet::corpora::{read_bytes, read_tar};
use tercet::parse::Tree;
use tercet::parse::bracketed::{Normalisation, read_trees};
use tercet::parse::conllu::Conllu;
use tercet::parse::evaluation::{BracketRules, evaluate_brackets, evaluate_words};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let (ewt, gum) = (shared.join("data/ud-ewt"), shared.join("data/gum"));
    let mut trials = Vec::new();
    if ewt.is_dir() {
        for (name, sentences) in [("train.conllu.gz", 12_544), ("dev.conllu", 2001), ("test.conllu", 2077)] {
            let path = ewt.join(format!("en_ewt-ud-{name}"));
            trials.push(Trial::test(format!("ud-ewt/{name}"), move || {
                let file = whole(&path, &read_bytes(&path).unwrap());
                assert_eq!(file.sentences().len(), sentences);
                Ok(())
            }));
        }
    }
    if gum.is_dir() {
        let folder = gum.clone();
        trials.push(Trial::test("gum/const", move || {
            constituents(&folder);
            Ok(())
        }));
        trials.push(Trial::test("gum/dep", move || {
            dependencies(&gum);
            Ok(())
        }));
    }
    trials
}

/// Checks that a file is written back byte for byte, tokens match the text, all sentences are trees, and scoring the
/// file against itself is perfect.
fn whole(path: &Path, bytes: &[u8]) -> Conllu {
    let file = Conllu::from_bytes(path, bytes).unwrap();
    assert!(file.to_string().as_bytes() == bytes, "{} does not come back", path.display());
    for (index, sentence) in file.sentences().iter().enumerate() {
        // One sentence of EWT has a no-break space between words.
        let text = sentence.text().unwrap().replace('\u{a0}', " ");
        assert_eq!(sentence.surface(), text, "{:?}", sentence.sent_id());
        assert_eq!(file.tree(index).unwrap().len(), sentence.len());
    }
    let scores = evaluate_words(&file, &file).unwrap();
    assert_eq!((scores.las_full.f1(), scores.tokens.f1(), scores.sentences.f1()), (1.0, 1.0, 1.0));
    assert_eq!(scores.words.gold, file.sentences().iter().map(|sentence| sentence.len()).sum::<usize>());
    file
}

/// The files of GUM's archive of dependency trees, by document.
pub fn dependency_files(gum: &Path) -> BTreeMap<String, Conllu> {
    let path = gum.join("dep-conllu.tar.gz");
    let files = read_tar(&path, &read_bytes(&path).unwrap()).unwrap();
    let named = files.into_iter().filter_map(|file| {
        let name = Path::new(&file.name).file_stem()?.to_str()?.to_owned();
        file.name.ends_with(".conllu").then(|| (name, whole(Path::new(&file.name), &file.bytes)))
    });
    named.collect()
}

fn dependencies(gum: &Path) {
    let files = dependency_files(gum);
    let sentences: usize = files.values().map(|file| file.sentences().len()).sum();
    assert_eq!((files.len(), sentences), (237, 13_263));
}

/// All trees are read, written and read again, and their words are those of the dependency trees.
fn constituents(gum: &Path) {
    let dependencies = dependency_files(gum);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(gum.join("const")).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut count = 0;
    for path in paths {
        let trees = read_trees(&path, std::fs::read(&path).unwrap()).unwrap();
        let written: Vec<String> = trees.iter().map(Tree::to_string).collect();
        assert_eq!(read_trees(&path, written.concat()).unwrap(), trees);
        let spread: Vec<String> = trees.iter().map(Tree::indented).collect();
        assert_eq!(read_trees(&path, spread.join("\n")).unwrap(), trees);
        let plain: Vec<Tree> = trees.iter().map(|tree| Normalisation::default().apply(tree).unwrap()).collect();
        let sentences = dependencies[path.file_stem().unwrap().to_str().unwrap()].sentences();
        assert_eq!(plain.len(), sentences.len());
        for (tree, sentence) in plain.iter().zip(sentences) {
            let words: Vec<&str> = sentence.words().map(|word| word.form()).collect();
            assert_eq!(tree.words().collect::<Vec<_>>(), words, "{}", path.display());
        }
        agree_with_themselves(&trees, plain);
        count += trees.len();
    }
    assert_eq!(count, 13_263);
}

fn agree_with_themselves(trees: &[Tree], plain: Vec<Tree>) {
    let plain: Vec<Option<Tree>> = plain.into_iter().map(Some).collect();
    let scores = evaluate_brackets(trees, &plain, &BracketRules::default()).unwrap();
    assert_eq!(scores.all.errors, 0);
    assert_eq!(scores.all.complete, scores.all.valid());
    assert_eq!((scores.all.brackets.f1(), scores.all.tagging_accuracy(), scores.all.crossing), (1.0, 1.0, 0));
}
