//! Runs that are killed or interrupted: they last long enough to be stopped in the middle, and write a file.

use super::super::case::Case;
use super::super::prepare::{DEPENDENCY, PAIRWISE, judgements};
use super::learned::VECTORS;
use super::texts::{BAD, GOOD, REFERENCE, SOURCE};
use super::treebanks::CONLLU;

pub fn cases() -> Vec<Case> {
    let long = |text: &str| text.repeat(120);
    let train = judgements()
        .iter()
        .fold(Case::new("train", "stopped").stopped(), |case, (name, text)| case.fixed(name, text));
    vec![
        Case::new("score", "stopped")
            .stopped()
            .weight(4)
            .fixed("ref", long(REFERENCE))
            .fixed("a", long(GOOD))
            .fixed("b", long(BAD))
            .lines(&[
                "score -r ref a b --paired ar -n 2000 -o out",
                "score -r ref a b -m meteor -o out -f json",
                "score -r ref a b -m ter --submission out --lang-pair de-en --test-set x",
            ]),
        Case::new("compare", "stopped")
            .stopped()
            .weight(2)
            .fixed("ref", long(REFERENCE))
            .fixed("a", long(GOOD))
            .fixed("b", long(BAD))
            .lines(&["compare -r ref a b -o out"]),
        Case::new("correlate", "stopped")
            .stopped()
            .weight(2)
            .fixed("set/DAseg.x.source.de-en", long(SOURCE))
            .fixed("set/DAseg.x.reference.de-en", long(REFERENCE))
            .fixed("set/DAseg.x.mt-system.de-en", long(GOOD))
            .fixed("set/DAseg.x.human.de-en", "0.5\n0.25\n-1\n0.75\n".repeat(120))
            .lines(&[
                "correlate set -m chrf -m ter -o out -n 200",
                "correlate set -m chrf -m bleu --plot out.svg -n 200",
            ]),
        Case::new("parse", "stopped")
            .stopped()
            .weight(2)
            .fixed("text", long(REFERENCE))
            .lines(&["parse text -o out"]),
        train
            .weight(2)
            .fixed("recipe.toml", PAIRWISE.replace("epochs = 4", "epochs = 60"))
            .fixed("vectors.txt", VECTORS)
            .lines(&["train recipe.toml -q -o out"]),
        Case::new("train", "parser stopped")
            .stopped()
            .weight(1)
            .fixed("words.toml", DEPENDENCY.replace("steps = 2", "steps = 60"))
            .fixed("words.conllu", CONLLU)
            .lines(&["train words.toml -q -o out"]),
    ]
}
