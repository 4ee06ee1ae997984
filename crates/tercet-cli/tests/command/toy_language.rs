//! A toy language of a few words that determine tags and trees: treebanks, recipes of small parsers, and trained
//! parsers.

use crate::test_dir::TestDir;
use std::ops::Range;
use std::sync::LazyLock;
use tercet::parse::{constituency, dependency};
use tercet::progress::Progress;
use tercet::train::TrainingFiles;

/// Sentences such as `the dog saw a cat.`, as CoNLL-U; the numbers decide their words.
pub fn treebank(sentences: Range<usize>) -> String {
    let nouns = ["dog", "cat", "house", "ideas"];
    let verbs = ["saw", "liked", "is"];
    let mut text = String::new();
    for i in sentences {
        let words = [
            (["the", "a"][i % 2], "DET", "DT", 2, "det", "_"),
            (nouns[i % 4], "NOUN", "NN", 3, "nsubj", "_"),
            (verbs[i / 2 % 3], "VERB", "VBD", 0, "root", "_"),
            (["a", "the"][i / 3 % 2], "DET", "DT", 5, "det", "_"),
            (nouns[i / 4 % 4], "NOUN", "NN", 3, "obj", "SpaceAfter=No"),
            (".", "PUNCT", ".", 3, "punct", "_"),
        ];
        let line = words.map(|(form, ..)| form).join(" ").replace(" .", ".");
        text += &format!("# sent_id = s{i}\n# text = {line}\n");
        for (id, (form, upos, xpos, head, relation, misc)) in (1..).zip(words) {
            text += &format!("{id}\t{form}\t{form}\t{upos}\t{xpos}\tA=b\t{head}\t{relation}\t_\t{misc}\n");
        }
        text.push('\n');
    }
    text
}

/// A sentence such as `the old dog saw a cat .`, as a tree.
pub fn tree(number: usize) -> String {
    let nouns = ["dog", "cat", "house", "idea"];
    let (first, second) = (nouns[number % 4], nouns[number / 4 % 4]);
    let adjective = if number.is_multiple_of(3) { "(JJ old) " } else { "" };
    format!("(ROOT (S (NP (DT the) {adjective}(NN {first})) (VP (VBD saw) (NP (DT a) (NN {second}))) (. .)))\n")
}

/// Trees of this many sentences.
pub fn trees(sentences: usize) -> String {
    (0..sentences).map(tree).collect()
}

/// A recipe of a dependency parser that learns the language in a second.
pub const DEPENDENCY: &str = "\
kind = \"dependency\"
[data]
train = [\"train.conllu\"]
development = [\"dev.conllu\"]
[vocabulary]
words = 100
[network]
width = 16
units = 8
layers = 2
tag_layer = 1
arc = 8
label = 8
character_width = 4
filters = 8
[training]
steps = 120
batch = 120
learning_rate = 0.02
warm_up = 10
evaluate = 60
checkpoint = 0
[model]
file = \"toy.safetensors\"
";

/// A recipe of a constituency parser.
pub const CONSTITUENCY: &str = "\
kind = \"constituency\"
[data]
train = [\"trees\"]
[network]
width = 16
layers = 1
tag_layer = 1
hidden = 16
character_width = 4
filters = 8
dropout = 0.1
[training]
epochs = 20
batch = 100
learning_rate = 0.01
warm_up = 5
[model]
file = \"phrases.safetensors\"
";

fn files(dir: &TestDir) -> TrainingFiles {
    TrainingFiles { model: dir.path("m"), resume: false }
}

/// The file of a trained dependency parser.
pub static DEPENDENCY_MODEL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    use dependency::{DependencyRecipe, train};
    let dir = TestDir::with(&[("train.conllu", &treebank(0..60)), ("dev.conllu", &treebank(60..70))]);
    let recipe = DependencyRecipe::parse(DEPENDENCY, &dir.path("")).unwrap();
    train(&recipe, &files(&dir), Progress::none()).unwrap();
    dir.read("m")
});

/// The file of a trained constituency parser.
pub static CONSTITUENCY_MODEL: LazyLock<Vec<u8>> = LazyLock::new(|| {
    use constituency::{ConstituencyRecipe, train};
    let dir = TestDir::with(&[("trees/a.ptb", &trees(40))]);
    let recipe = ConstituencyRecipe::parse(CONSTITUENCY, &dir.path("")).unwrap();
    train(&recipe, &files(&dir), Progress::none()).unwrap();
    dir.read("m")
});
