//! A parser as its users see it, on a toy language.

use super::model::pack;
use super::parser::{MAX_CACHED_BYTES, MAX_PIECE_WORDS};
use super::training::tests::{RECIPE, short_recipe, toy_treebank};
use super::training::{DependencyRecipe, train};
use super::vocabulary::{CHARACTERS, Inventory, Numbering, SHAPES, Vocabulary};
use super::{DependencyParser, OtherColumns};
use crate::parse::conllu::Conllu;
use std::path::Path;
use std::sync::LazyLock;
use tercet_base::progress::Progress;
use tercet_learn::networks::{BiaffineNetwork, BiaffineShape, EncoderShape};
use tercet_learn::training::TrainingFiles;
use tercet_model::model_file::ModelFile;

/// A parser of the toy language, and the bytes of its file.
static TOY: LazyLock<(DependencyParser, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("train.conllu"), toy_treebank(80, 0)).unwrap();
    std::fs::write(folder.path().join("dev.conllu"), toy_treebank(20, 3)).unwrap();
    let recipe = DependencyRecipe::parse(RECIPE, folder.path()).unwrap();
    let places = TrainingFiles { model: folder.path().join("model"), resume: false };
    let parser = train(&recipe, &places, Progress::none()).unwrap();
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
fn odd_sentences_get_trees_and_only_the_root_word_has_the_relation_root() {
    let sentences = odd_sentences();
    for (parse, sentence) in TOY.0.parse(&sentences).iter().zip(&sentences) {
        let tree = parse.tree();
        assert_eq!((tree.len(), parse.upos.len(), parse.xpos.len()), (sentence.len(), sentence.len(), sentence.len()));
        for word in 0..tree.len() {
            assert_eq!(tree.label(word) == "root", tree.head(word) == 0);
        }
    }
}

#[test]
fn a_parse_depends_neither_on_other_sentences_nor_on_the_number_of_threads() {
    let mut sentences = odd_sentences();
    let file = Conllu::from_text(Path::new("x"), &toy_treebank(300, 5)).unwrap();
    sentences.extend(
        file.sentences().iter().map(|sentence| sentence.words().map(|word| word.form().to_owned()).collect::<Vec<_>>()),
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
fn further_pieces_of_a_long_sentence_are_attached_to_the_root_word_of_the_first() {
    let sentence: Vec<&str> = words("the old dog liked a house .").repeat(MAX_PIECE_WORDS / 7 * 2 + 50);
    // The last full stop of a piece is the last word of a sentence within it.
    let ends = [MAX_PIECE_WORDS / 7 * 7, MAX_PIECE_WORDS / 7 * 14, sentence.len()];
    let parse = TOY.0.parse_one(&sentence);
    assert_eq!(parse.tree().len(), sentence.len());
    let mut start = 0;
    for end in ends {
        let piece = TOY.0.parse_one(&sentence[start..end]);
        let root = TOY.0.parse_one(&sentence[..ends[0]]).tree().root().unwrap() + 1;
        assert!(parse.upos[start..end] == piece.upos && parse.xpos[start..end] == piece.xpos);
        for (word, (&head, &label)) in piece.heads.iter().zip(&piece.labels).enumerate() {
            let found = (parse.heads[start + word], parse.labels[start + word]);
            match head {
                // The toy language has no parataxis; `det` is its most frequent relation.
                0 if start > 0 => assert_eq!(found, (root, "det")),
                0 => assert_eq!(found, (0, "root")),
                _ => assert_eq!(found, (start + head, label)),
            }
        }
        start = end;
    }
    assert!(TOY.0.parse(&[sentence]) == [parse]);
}

#[test]
fn forms_removed_from_the_cache_are_computed_again() {
    let sentences = odd_sentences();
    let expected = TOY.0.parse(&sentences);
    let mut small_cache = DependencyParser::from_bytes(Path::new("m"), &TOY.1).unwrap();
    small_cache.cached_forms = 3;
    let singly = |parser: &DependencyParser| {
        for (sentence, expected) in sentences.iter().zip(&expected) {
            assert!(parser.parse_one(sentence) == *expected);
        }
    };
    singly(&small_cache);
    singly(&small_cache);
    // At most the forms of one sentence beside the three.
    assert!(small_cache.idle.lock().unwrap().iter().all(|workspace| workspace.numbers.len() <= 3 + 10));
}

#[test]
fn very_long_forms_are_not_cached() {
    let parser = DependencyParser::from_bytes(Path::new("m"), &TOY.1).unwrap();
    let long = |number: usize| format!("{number}{}", "x".repeat(MAX_CACHED_BYTES));
    let sentences: Vec<Vec<String>> =
        (0..50).map(|number| vec![long(number), "dog".to_owned(), long(number)]).collect();
    let parsed = parser.parse(&sentences);
    let kept: Vec<String> =
        parser.idle.lock().unwrap().iter().flat_map(|workspace| workspace.numbers.keys().cloned()).collect();
    assert!(!kept.is_empty() && kept.iter().all(|form| form == "dog"), "{kept:?}");
    assert!(sentences.iter().zip(&parsed).all(|(words, parse)| TOY.0.parse_one(words) == *parse));
}

#[test]
fn a_treebank_of_single_words_makes_a_parser_of_one_relation() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = (0..9).map(|word| format!("1\tw{word}\t_\tX\t_\t_\t0\troot\t_\t_\n\n")).collect();
    std::fs::write(folder.path().join("train.conllu"), &text).unwrap();
    std::fs::write(folder.path().join("dev.conllu"), &text).unwrap();
    let recipe = DependencyRecipe::parse(&short_recipe(3), folder.path()).unwrap();
    let places = TrainingFiles { model: folder.path().join("model"), resume: false };
    let parser = train(&recipe, &places, Progress::none()).unwrap();
    let parse = parser.parse_one(&["w1", "w2", "w3"]);
    assert_eq!((parse.tree().len(), parse.labels), (3, vec!["root"; 3]));
    assert_eq!(parser.parse_one(&vec!["w1"; MAX_PIECE_WORDS + 1]).tree().len(), MAX_PIECE_WORDS + 1);
}

#[test]
fn a_model_without_fine_tags_leaves_their_column_empty() {
    let inventory = |names: &[&str]| Inventory::from_names(names.iter().map(|name| (*name).to_owned()).collect());
    let numbering = Numbering {
        words: Vocabulary::from_words(vec!["dog".to_owned()]).unwrap(),
        upos: inventory(&["NOUN", "VERB"]).unwrap(),
        xpos: Inventory::default(),
        relations: inventory(&["root", "dep", "parataxis"]).unwrap(),
    };
    let encoder = EncoderShape {
        words: 2,
        shapes: SHAPES,
        characters: CHARACTERS,
        width: 8,
        units: 4,
        tags: 2,
        ..EncoderShape::default()
    };
    let shape = BiaffineShape { encoder, fine_tags: 0, labels: 3, ..BiaffineShape::default() };
    let file = pack(&BiaffineNetwork::new(shape, 0.0, 1).unwrap(), &numbering, &[]);
    let parser = DependencyParser::from_bytes(Path::new("m"), file.to_bytes().unwrap()).unwrap();
    let parse = parser.parse_one(&["dog", "cat"]);
    assert_eq!((parse.upos.len(), parse.xpos), (2, vec!["_"; 2]));
    let mut conllu = Conllu::from_text(Path::new("x"), &toy_treebank(2, 0)).unwrap();
    parser.annotate(conllu.sentences_mut(), OtherColumns::Kept).unwrap();
    assert_eq!(conllu.sentences()[0].word(0).xpos(), "_");
    let long = parser.parse_one(&vec!["dog"; MAX_PIECE_WORDS + 1]);
    let root = long.tree().root().unwrap() + 1;
    assert_eq!((long.heads[MAX_PIECE_WORDS], long.labels[MAX_PIECE_WORDS]), (root, "parataxis"));
}

#[test]
fn annotating_keeps_columns_that_are_not_predicted() {
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
        |bytes: &[u8]| DependencyParser::from_bytes(Path::new("m.bin"), bytes.to_vec()).unwrap_err().to_string();
    assert!(refused(b"no model").starts_with("m.bin: not a whole safetensors file"), "{}", refused(b"no model"));
    let bytes = &TOY.1;
    assert!(refused(&bytes[..bytes.len() - 9]).starts_with("m.bin: "));
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert!(refused(&flipped).contains("its checksum differs"));
    let mut other = ModelFile::new("pairwise");
    other.set("version", "1");
    let scratch = tempfile::NamedTempFile::new().unwrap();
    other.write(scratch.path()).unwrap();
    let error = DependencyParser::read(scratch.path()).unwrap_err().to_string();
    assert!(error.contains("it holds a pairwise network, not a dependency parser"), "{error}");
    let mut later = ModelFile::new("dependency parser");
    later.set("version", "2");
    later.write(scratch.path()).unwrap();
    let error = DependencyParser::read(scratch.path()).unwrap_err().to_string();
    assert!(error.contains("its entries are of version 2, expected 1: a newer tercet reads it"), "{error}");
    for (entry, value, reason) in [
        ("network.arc", "x", "its entry `network.arc` is `x`, which is not a valid number"),
        ("upos", "A\nA", "its entry `upos`: `A` occurs twice: names must be distinct (take another copy)"),
        ("xpos", "", "its network is for 5 fine parts of speech, but there are 0"),
    ] {
        let mut file = ModelFile::from_bytes(Path::new("m.bin"), &TOY.1, "dependency parser").unwrap();
        file.set(entry, value);
        assert_eq!(refused(&file.to_bytes().unwrap()), format!("m.bin: {reason}"));
    }
    let error = DependencyParser::read(Path::new("nowhere")).unwrap_err().to_string();
    assert_eq!(error, "cannot read nowhere");
    let error = DependencyParser::read(Path::new(".")).unwrap_err().to_string();
    assert_eq!(error, ".: it is a folder, expected a file of weights (name one)");
}
