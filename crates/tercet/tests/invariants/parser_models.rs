//! Properties of model files of parsers: any bytes, and models with any of their strings replaced, are read, or are an
//! error that names the file once; and what was read can parse.
//!
//! Strings are replaced in small models with a new checksum; otherwise only the checksum would be tested.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use tercet::parse::constituency::{self, ConstituencyParser};
use tercet::parse::dependency::{self, DependencyParser};
use tercet::progress::Progress;
use tercet_learn::training::TrainingFiles;
use tercet_model::model_file::ModelFile;

const FILE: &str = "some-parser.safetensors";

const TREES: &str = "(ROOT (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT a) (NN cat))) (. .)))\n\
                     (ROOT (S (NP (NN dog)) (VP (VBD saw) (ADVP (RB there))) (. .)))\n";

const WORDS: &str = "1\tthe\t_\tDET\tDT\t_\t2\tdet\t_\t_\n2\tdog\t_\tNOUN\tNN\t_\t3\tnsubj\t_\t_\n\
                     3\tsaw\t_\tVERB\tVBD\t_\t0\troot\t_\t_\n4\tit\t_\tPRON\tPRP\t_\t3\tobj\t_\t_\n\n";

const DEPENDENCY: &str = "kind = \"dependency\"\ndata.train = [\"words.conllu\"]\n\
                          [network]\nwidth = 8\nunits = 3\nlayers = 2\ntag_layer = 1\narc = 3\nlabel = \
                          3\ncharacter_width = 2\nfilters = 4\n\
                          [training]\nsteps = 2\nbatch = 20\n";

const CONSTITUENCY: &str = "kind = \"constituency\"\ndata.train = [{ folder = \"trees\" }]\nvocabulary.least = 1\n\
                            [network]\nwidth = 8\nlayers = 2\ntag_layer = 1\nhidden = 4\ncharacter_width = 2\nfilters \
                            = 4\n\
                            [training]\nepochs = 2\n[recursive]\nepochs = 1\nleast = 1\n";

/// A small model of each kind, trained for this test.
static MODELS: LazyLock<[ModelFile; 2]> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("tercet-parser-models-{}", std::process::id()));
    fs::create_dir_all(folder.join("trees")).expect("a folder can be made");
    fs::write(folder.join("words.conllu"), WORDS).expect("a file can be written");
    fs::write(folder.join("trees/some_trees.ptb"), TREES).expect("a file can be written");
    let [words, phrases] = ["words", "phrases"].map(|name| folder.join(name));
    let recipe = dependency::DependencyRecipe::parse(DEPENDENCY, &folder).expect("a recipe");
    let files = |model: &Path| TrainingFiles { model: model.to_owned(), resume: false };
    dependency::train(&recipe, &files(&words), Progress::none()).expect("a parser");
    let recipe = constituency::ConstituencyRecipe::parse(CONSTITUENCY, &folder).expect("a recipe");
    constituency::train(&recipe, &files(&phrases), Progress::none()).expect("a parser");
    let read = |path: &Path, kind| ModelFile::read(path, kind).expect("what was written");
    let models = [read(&words, "dependency parser"), read(&phrases, "constituency parser")];
    let _ = fs::remove_dir_all(&folder); // they are in memory
    models
});

/// Any bytes as a model file.
pub fn any_bytes(bytes: &[u8]) {
    let path = Path::new(FILE);
    match DependencyParser::from_bytes(path, bytes.to_vec()) {
        Ok(parser) => parses_words(&parser),
        Err(error) => is_named_once(&error.to_string()),
    }
    match ConstituencyParser::from_bytes(path, bytes.to_vec()) {
        Ok(parser) => parses_phrases(&parser),
        Err(error) => is_named_once(&error.to_string()),
    }
}

/// A model with one of its strings changed: numbers choose which and how, `text` is a possible replacement.
pub fn changed(which: usize, how: usize, text: &str) {
    for model in MODELS.iter() {
        let mut file = model.clone();
        let entries: Vec<(String, String)> =
            file.entries().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        let (key, value) = &entries[which % entries.len()];
        file.set(key, &change(value, how, text));
        any_bytes(&file.to_bytes().expect("its tensors are whole"));
    }
}

/// The bytes of the undamaged models.
pub fn models() -> [Vec<u8>; 2] {
    MODELS.each_ref().map(|file| file.to_bytes().expect("its tensors are whole"))
}

fn change(value: &str, how: usize, text: &str) -> String {
    let mut lines: Vec<&str> = value.split('\n').collect();
    let at = how / 8 % lines.len();
    match how % 8 {
        0 => return text.to_owned(),
        1 => return "0".to_owned(),
        2 => return value.parse::<u64>().map_or(String::new(), |number| (number + 1).to_string()),
        3 => _ = lines.remove(at),
        4 => lines.insert(at, lines[at]),
        5 => lines.insert(at, text),
        6 => lines.truncate(1),
        _ => lines.reverse(),
    }
    lines.join("\n")
}

fn is_named_once(message: &str) {
    assert!(message.starts_with(FILE) && message.matches(FILE).count() == 1, "{message}");
}

const SENTENCES: [&[&str]; 4] = [&[], &["dog"], &["the", "dog", "saw", "it", "."], &["\u{fdfd}", "", "x", "x"]];

fn parses_words(parser: &DependencyParser) {
    for (parse, words) in parser.parse(&SENTENCES).iter().zip(SENTENCES) {
        assert_eq!((parse.tree().len(), parse.upos.len(), parse.xpos.len()), (words.len(), words.len(), words.len()));
    }
}

fn parses_phrases(parser: &ConstituencyParser) {
    for (parse, words) in parser.parse(&SENTENCES).iter().zip(SENTENCES) {
        assert_eq!(parse.tree.as_ref().map_or(0, |tree| tree.len()), words.len());
    }
}
