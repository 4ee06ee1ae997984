//! Refusals of language models, and their remarks about a translation: phrases of `refusals.txt` and `comments.txt`.

use super::findings::Sink;
use super::texts::Segment;
use aho_corasick::AhoCorasick;
use std::sync::LazyLock;
use tercet_base::CheckKind::{Comment, Refusal};

/// Parts of words of which each phrase below has one. The first letters are left out: they may be capitals.
const ANCHORS: [&str; 32] = [
    "ranslat",
    "anguage model",
    "n't ",
    "n’t ",
    "annot ",
    "nable to",
    "n AI ",
    "n AI,",
    "lease provide",
    "I hope ",
    "et me know",
    "bersetz",
    "nfrage",
    "prachmodell",
    "KI",
    "radu",
    "odèle de",
    "odelo de",
    "odello linguistico",
    "ertal",
    "aalmodel",
    "еревод",
    "еревес",
    "языков",
    "翻",
    "译",
    "モデル",
    "a o texto",
    "e el texto",
    "语言模型",
    "ote: ",
    "he user wants",
];

/// Parts of sentences, in lower case.
type Phrases = LazyLock<Vec<&'static str>>;

/// What refusals say.
static REFUSALS: Phrases = LazyLock::new(|| phrases(include_str!("refusals.txt")));

/// What remarks about a translation say.
static COMMENTS: Phrases = LazyLock::new(|| phrases(include_str!("comments.txt")));

/// One on each line of a file.
fn phrases(file: &'static str) -> Vec<&'static str> {
    file.lines().collect()
}

/// Checks an output.
pub(super) fn check(line: &str, segment: &Segment<'_, '_>, sink: &mut Sink<'_>) {
    if !(sink.wants(Refusal) || sink.wants(Comment)) || !has_anchor(line) {
        return;
    }
    let plain = simplified(line);
    for (kind, phrases) in [(Refusal, &REFUSALS), (Comment, &COMMENTS)] {
        let said = |text: &str| phrases.iter().find(|phrase| text.contains(**phrase)).copied();
        if let Some(phrase) = said(&plain)
            && segment.lacks(|other| said(&simplified(other)).is_some())
        {
            return sink.part(kind, phrase);
        }
    }
}

fn has_anchor(line: &str) -> bool {
    static FINDER: LazyLock<AhoCorasick> =
        LazyLock::new(|| AhoCorasick::new(ANCHORS).expect("the anchors are short enough for an automaton"));
    FINDER.is_match(line)
}

/// In lower case with straight apostrophes.
fn simplified(line: &str) -> String {
    line.to_lowercase().replace('’', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_phrase_has_an_anchor() {
        for phrase in REFUSALS.iter().chain(COMMENTS.iter()) {
            let mut letters = phrase.chars();
            let capital: String =
                letters.next().into_iter().flat_map(char::to_uppercase).chain(letters.clone()).collect();
            let written = phrase.replace(" ai ", " AI ").replace(" ki", " KI").replace("i hope", "I hope");
            assert!([phrase, capital.as_str(), written.as_str()].iter().any(|text| has_anchor(text)), "{phrase}");
        }
    }
}
