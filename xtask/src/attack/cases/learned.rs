//! Recipes, models, checkpoints, vectors, caches: what `train` and learned metrics read.

use super::super::case::Case;
use super::super::prepare::{CONSTITUENCY, DEPENDENCY, PAIRWISE, Prepared, judgements, sentence_vectors};
use super::texts::{BAD, GOOD, REFERENCE};
use super::treebanks::{CONLLU, TREES};

pub const VECTORS: &str = "the 0.1 -0.2 1e-3\ncat 1 2 3\nsat -1 0.5 2\nmat 0 0 1\n";

pub fn cases(prepared: &Prepared) -> Vec<Case> {
    vec![
        pairwise(Case::new("train", "recipes").file("recipe.toml", PAIRWISE))
            .fixed("vectors.txt", VECTORS)
            .weight(15)
            .lines(&[
                "train recipe.toml -q --epochs 2 -o model",
                "train pairwise recipe.toml --epochs 2 --force",
            ]),
        Case::new("train", "recipes of parsers")
            .weight(10)
            .file("words.toml", DEPENDENCY)
            .file("phrases.toml", CONSTITUENCY)
            .fixed("words.conllu", CONLLU)
            .fixed("trees/a.ptb", TREES)
            .lines(&["train words.toml -q --steps 2 -o model", "train phrases.toml -q --epochs 1 -o model"]),
        Case::new("train", "treebanks")
            .weight(10)
            .fixed("words.toml", DEPENDENCY)
            .fixed("phrases.toml", CONSTITUENCY)
            .file("words.conllu", CONLLU)
            .file("trees/a.ptb", TREES)
            .lines(&["train words.toml -q --steps 2 -o model", "train phrases.toml -q --epochs 1 -o model"]),
        pairwise(Case::new("train", "word vectors").fixed("recipe.toml", PAIRWISE))
            .file("vectors.txt", VECTORS)
            .weight(20)
            .lines(&["train recipe.toml -q --epochs 1 -o model"]),
        pairwise(Case::new("train", "word2vec binary").fixed("recipe.toml", PAIRWISE))
            .file("vectors.txt", word2vec_binary())
            .weight(10)
            .lines(&["train recipe.toml -q --epochs 1 -o model"]),
        pairwise(Case::new("train", "word2vec text").fixed("recipe.toml", PAIRWISE))
            .file("vectors.txt", format!("4 3\n{VECTORS}"))
            .weight(10)
            .lines(&["train recipe.toml -q --epochs 1 -o model"]),
        pairwise(
            Case::new("train", "sentence vectors")
                .fixed("recipe.toml", PAIRWISE.replace("average:file", "precomputed:file")),
        )
        .file("vectors.txt", sentence_vectors())
        .weight(10)
        .lines(&["train recipe.toml -q --epochs 1 -o model"]),
        pairwise(
            Case::new("train", "checkpoints")
                .fixed("recipe.toml", PAIRWISE.replace("checkpoint = 0", "checkpoint = 30")),
        )
        .fixed("vectors.txt", VECTORS)
        .file("model.checkpoint", &prepared.checkpoint)
        .weight(10)
        .lines(&["train recipe.toml -q --epochs 400 -o model --resume"]),
        Case::new("score", "models")
            .weight(30)
            .file("model", &prepared.pairwise)
            .file("vectors.txt", VECTORS)
            .fixed("ref", REFERENCE)
            .fixed("a", GOOD)
            .fixed("b", BAD)
            .lines(&[
                "score -r ref a -m pairwise:model=model",
                "compare -r ref a b --model model -f json -n 20",
                "score -r ref a -m pairwise:model=model,vectors=vectors.txt -f tsv --level segment",
            ]),
        caches(prepared),
    ]
}

fn caches(prepared: &Prepared) -> Case {
    let case = Case::new("score", "caches of vectors").weight(3).fixed("large.txt", &prepared.large_vectors);
    let case = case.fixed("ref", REFERENCE).fixed("a", GOOD).fixed("model", &prepared.large_pairwise);
    let case = prepared.caches.iter().fold(case, |case, (name, bytes)| case.file(name, bytes));
    case.lines(&["score -r ref a -m pairwise:model=model"])
}

fn pairwise(case: Case) -> Case {
    judgements().iter().fold(case, |case, (name, text)| case.fixed(name, text))
}

/// The vectors in word2vec's binary format.
fn word2vec_binary() -> Vec<u8> {
    let mut bytes = b"4 3\n".to_vec();
    for line in VECTORS.lines() {
        let (word, numbers) = line.split_once(' ').expect("a word and numbers");
        bytes.extend(word.as_bytes());
        bytes.push(b' ');
        for number in numbers.split(' ') {
            bytes.extend(number.parse::<f32>().expect("a number").to_le_bytes());
        }
        bytes.push(b'\n');
    }
    bytes
}
