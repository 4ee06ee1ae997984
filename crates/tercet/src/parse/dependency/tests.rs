//! A parser as its users see it, on a toy language.

use super::training::tests::{RECIPE, toy_treebank};
use super::training::{Places, Recipe, Unwatched, train};
use super::{DependencyParser, OtherColumns};
use crate::parse::conllu::Conllu;
use std::path::Path;
use std::sync::LazyLock;

/// A parser of the toy language, and the bytes of its file.
static TOY: LazyLock<(DependencyParser, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("train.conllu"), toy_treebank(80, 0)).unwrap();
    std::fs::write(folder.path().join("dev.conllu"), toy_treebank(20, 3)).unwrap();
    let recipe = Recipe::parse(RECIPE, folder.path()).unwrap();
    let places = Places { model: folder.path().join("model"), resume: false };
    let parser = train(&recipe, &places, &mut Unwatched).unwrap();
    (parser, std::fs::read(&places.model).unwrap())
});

fn words(text: &str) -> Vec<&str> {
    text.split(' ').collect()
}

#[test]
fn a_sentence_gets_its_tags_heads_and_relations() {
    let parse = TOY.0.parse_one(&words("the old dog liked a house ."));
    assert_eq!(parse.upos, ["DET", "ADJ", "NOUN", "VERB", "DET", "NOUN", "PUNCT"]);
    assert_eq!(parse.xpos, ["DT", "JJ", "NN", "VBD", "DT", "NN", "."]);
    assert_eq!(parse.heads, [3, 3, 4, 0, 6, 4, 4]);
    assert_eq!(parse.labels, ["det", "amod", "nsubj", "root", "det", "obj", "punct"]);
    assert_eq!(parse.tree().root(), Some(3));
}

/// Any words, any number of them.
fn odd_sentences() -> Vec<Vec<String>> {
    let one = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let mut odd = vec![
        Vec::new(),
        one(""),
        one("word"),
        one("的 的 、 \u{10ffff} é\u{301} \u{0} \u{feff} ﷽"),
        one(&"x".repeat(100_000)),
        one(". . . . . ( ( ) ] \" ` ' ' --- ..........."),
        Vec::new(),
    ];
    let salad = ["the", "dog", "NATO", "ran", "3,4", "", "of", "saw", "🙂", "."];
    for length in [2, 31, 32, 33, 64, 500, 5000] {
        odd.push((0..length).map(|word| salad[(word * word + length) % 10].to_owned()).collect());
    }
    odd
}

#[test]
fn odd_sentences_get_trees_and_only_the_word_on_the_root_is_root() {
    let sentences = odd_sentences();
    for (parse, sentence) in TOY.0.parse(&sentences).iter().zip(&sentences) {
        let tree = parse.tree();
        assert_eq!(
            (tree.len(), parse.upos.len(), parse.xpos.len()),
            (sentence.len(), sentence.len(), sentence.len())
        );
        for word in 0..tree.len() {
            assert_eq!(tree.label(word) == "root", tree.head(word) == 0);
        }
    }
}

#[test]
fn a_sentence_is_parsed_the_same_in_any_company_and_on_any_number_of_threads() {
    let mut sentences = odd_sentences();
    let file = Conllu::from_text(Path::new("x"), &toy_treebank(300, 5)).unwrap();
    sentences.extend(
        file.sentences()
            .iter()
            .map(|sentence| sentence.words().map(|word| word.form().to_owned()).collect::<Vec<_>>()),
    );
    let alone: Vec<_> = sentences.iter().map(|sentence| TOY.0.parse_one(sentence)).collect();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| TOY.0.parse(&sentences)) == alone);
    }
    let mut turned = sentences.clone();
    turned.reverse();
    let fresh = DependencyParser::from_bytes(Path::new("m"), &TOY.1).unwrap();
    let mut back = fresh.parse(&turned);
    back.reverse();
    assert!(back == alone);
}

#[test]
fn annotating_keeps_what_is_not_the_parsers() {
    let text = "# sent_id = 1\n# text = The dog's ran\n1\tthe\tLEMMA\tX\tX\tA=B\t2\tdep\t2:dep\tX=Y\n\
                2-3\tdog's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n2\tdog\t_\t_\t_\t_\t0\troot\t_\t_\n\
                3\tsaw\t_\t_\t_\t_\t_\t_\t_\t_\n3.1\tit\t_\tPRON\t_\t_\t_\t_\t2:obj\t_\n4\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\
                5\tcat\t_\t_\t_\t_\t_\t_\t_\t_\n\n";
    let annotated = |others| {
        let mut file = Conllu::from_text(Path::new("x"), text).unwrap();
        TOY.0.annotate(file.sentences_mut(), others).unwrap();
        file.to_string()
    };
    let cleared = annotated(OtherColumns::Cleared);
    let lines: Vec<&str> = cleared.lines().collect();
    assert_eq!(lines[2], "1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\tX=Y");
    assert_eq!(lines[3], "2-3\tdog's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No");
    assert_eq!(lines[5], "3\tsaw\t_\tVERB\tVBD\t_\t0\troot\t_\t_");
    assert_eq!(lines[6], "3.1\tit\t_\tPRON\t_\t_\t_\t_\t2:obj\t_");
    assert!(cleared.starts_with("# sent_id = 1\n# text = The dog's ran\n"));
    let kept = annotated(OtherColumns::Kept);
    assert_eq!(kept.lines().nth(2), Some("1\tthe\tLEMMA\tDET\tDT\tA=B\t2\tdet\t_\tX=Y"));
}

#[test]
fn foreign_and_damaged_files_are_refused_with_their_name() {
    let refused =
        |bytes: &[u8]| DependencyParser::from_bytes(Path::new("m.bin"), bytes).unwrap_err().to_string();
    assert!(
        refused(b"no model").starts_with("m.bin: not a whole safetensors file"),
        "{}",
        refused(b"no model")
    );
    let bytes = &TOY.1;
    assert!(refused(&bytes[..bytes.len() - 9]).starts_with("m.bin: "));
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(refused(&flipped).contains("its checksum differs"));
    let mut other = tercet_learn::checkpoint::TensorFile::new("pairwise");
    other.set("version", "1");
    let scratch = tempfile::NamedTempFile::new().unwrap();
    other.write(scratch.path()).unwrap();
    let error = DependencyParser::read(scratch.path()).unwrap_err().to_string();
    assert!(error.contains("it holds a pairwise, expected a dependency parser"), "{error}");
    let mut later = tercet_learn::checkpoint::TensorFile::new("dependency parser");
    later.set("version", "2");
    later.write(scratch.path()).unwrap();
    let error = DependencyParser::read(scratch.path()).unwrap_err().to_string();
    assert!(error.contains("its entries are of version 2, expected 1: a newer tercet reads it"), "{error}");
    let error = DependencyParser::read(Path::new("nowhere")).unwrap_err().to_string();
    assert_eq!(error, "cannot read nowhere");
}
