//! Refusals of language models, and their remarks about a translation.
//!
//! An output that says "translation", in whatever language, where neither reference nor source does, is about the
//! translation: a refusal if something is negated, else a remark. What does not say so is found by the phrases of
//! `refusals.txt` and `comments.txt`. A line of these files is a phrase in lower case; with `…` between them its parts
//! may have some words in between.

use super::findings::Sink;
use super::texts::Segment;
use aho_corasick::{AhoCorasick, Match};
use foldhash::HashMap;
use std::sync::LazyLock;
use tercet_base::CheckKind::{self, Comment, Refusal};

/// How words for "translate" and "translation" start, in lower case.
const TRANSLATION: [&str; 19] = [
    "translat",
    "übersetz",
    "tradu",
    "tradott",
    "vertal",
    "vertaal",
    "przetłumacz",
    "překlad",
    "переклад",
    "översätt",
    "oversæt",
    "çeviri",
    "ترجم",
    "अनुवाद",
    "翻译",
    "翻譯",
    "译文",
    "翻訳",
    "번역",
];

/// Words that mean this and something else: a text with one of them may be about translations.
const PERHAPS_TRANSLATION: [&str; 42] = [
    "перев",
    "прев",
    "tłumacz",
    "přelož",
    "preklad",
    "prevod",
    "prijevod",
    "çevir",
    "tercüme",
    "tolk",
    "tõlk",
    "tõlg",
    "tulko",
    "käänt",
    "käänn",
    "fordít",
    "umsetz",
    "umgesetzt",
    "dịch",
    "terjemah",
    "tafsir",
    "guqul",
    "μεταφρ",
    "תרג",
    "ژباړ",
    "భాషాంత",
    "అనువాద",
    "અનુવાદ",
    "অনুবাদ",
    "ਅਨੁਵਾਦ",
    "ಅನುವಾದ",
    "மொழிபெயர்",
    "വിവർത്ത",
    "പരിഭാഷ",
    "भाषांतर",
    "පරිවර්ත",
    "แปล",
    "បកប្រែ",
    "译",
    "轉化",
    "转化",
    "訳",
];

/// Negations and words of refusal, in lower case.
const NEGATIONS: [&str; 41] = [
    " not ",
    "n't ",
    "n’t ",
    "cannot",
    "unable",
    "declin",
    "refus",
    "no ",
    "against",
    "break my",
    "nothing",
    "empty",
    "nicht",
    "kein",
    " ne ",
    " pas ",
    "préfère",
    "impossib",
    "imposib",
    "não",
    "non ",
    "niet ",
    "geen ",
    "weiger",
    " не ",
    "нельзя",
    "nie ",
    "nemoh",
    "inte ",
    "不",
    "无",
    "無",
    "没",
    "ません",
    "ない",
    "かね",
    "없",
    "불가",
    "لا ",
    "नहीं",
    "sorry",
];

static SAYS_TRANSLATION: LazyLock<AhoCorasick> = LazyLock::new(|| finder(TRANSLATION.into_iter().flat_map(spellings)));

/// The most bytes between two parts of a phrase.
const GAP: usize = 80;

/// A phrase: the numbers of its parts.
struct Phrase {
    kind: CheckKind,
    parts: Vec<usize>,
}

/// All phrases, and what finds their parts.
struct Phrases {
    finder: AhoCorasick,
    /// The part that each of the finder's patterns is a spelling of.
    part_of: Vec<usize>,
    phrases: Vec<Phrase>,
}

static PHRASES: LazyLock<Phrases> = LazyLock::new(|| {
    let refusals = include_str!("refusals.txt").lines().map(|line| (Refusal, line));
    Phrases::new(refusals.chain(include_str!("comments.txt").lines().map(|line| (Comment, line))))
});

impl Phrases {
    fn new<'p>(lines: impl Iterator<Item = (CheckKind, &'p str)>) -> Self {
        let mut numbers: HashMap<&str, usize> = HashMap::default();
        let mut number = |part: &'p str| {
            let next = numbers.len();
            *numbers.entry(part).or_insert(next)
        };
        let phrases =
            lines.map(|(kind, line)| Phrase { kind, parts: line.split(" … ").map(&mut number).collect() }).collect();
        let spellings: Vec<(String, usize)> =
            numbers.iter().flat_map(|(part, number)| spellings(part).into_iter().map(|text| (text, *number))).collect();
        let texts = spellings.iter().map(|(text, _)| text);
        Phrases { finder: finder(texts), part_of: spellings.iter().map(|(_, number)| *number).collect(), phrases }
    }

    /// The first phrase of this kind in a line, as it is written there.
    fn find<'l>(&self, line: &'l str, kind: CheckKind) -> Option<&'l str> {
        let found: Vec<Match> = self.finder.find_overlapping_iter(line).collect();
        let is_part = |one: &&Match, part: usize| self.part_of[one.pattern().as_usize()] == part;
        let end_of = |start: &Match, rest: &[usize]| {
            rest.iter().try_fold(start.end(), |end, part| {
                let next = found.iter().filter(|one| is_part(one, *part) && one.start() >= end);
                next.map(|one| (one.start(), one.end())).min().filter(|(from, _)| from - end <= GAP).map(|(_, to)| to)
            })
        };
        let range = |phrase: &Phrase| {
            let (first, rest) = phrase.parts.split_first()?;
            let mut starts = found.iter().filter(|one| is_part(one, *first));
            starts.find_map(|start| Some(start.start()..end_of(start, rest)?))
        };
        if found.is_empty() {
            return None;
        }
        self.phrases.iter().filter(|phrase| phrase.kind == kind).find_map(range).map(|range| &line[range])
    }
}

fn finder<T: AsRef<[u8]>>(texts: impl Iterator<Item = T>) -> AhoCorasick {
    let finder = AhoCorasick::builder().ascii_case_insensitive(true).build(texts);
    finder.expect("the words are few enough for an automaton")
}

/// Whether a text says "translate" or "translation" in any language.
pub(super) fn says_translation(text: &str) -> bool {
    SAYS_TRANSLATION.is_match(text)
}

/// Whether a text may be about translations.
pub(super) fn may_say_translation(text: &str) -> bool {
    says_translation(text) || {
        let lower = text.to_lowercase();
        PERHAPS_TRANSLATION.iter().any(|word| lower.contains(word))
    }
}

/// The sentence that says "translation".
fn sentence_about_translation(line: &str) -> Option<&str> {
    const ENDS: [char; 11] = ['.', '!', '?', '(', '[', '。', '！', '？', '（', '\n', '*'];
    let found = SAYS_TRANSLATION.find(line)?;
    let start =
        line[..found.start()].rfind(ENDS).map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
    let end = line[found.end()..].find(ENDS).map_or(line.len(), |at| found.end() + at);
    Some(line[start..end].trim())
}

/// A part with straight and typographic apostrophes, and with a capital at its start where that is not ASCII.
fn spellings(part: &str) -> Vec<String> {
    let mut letters = part.chars();
    let first = letters.next().filter(|first| !first.is_ascii());
    let capital = first.map(|first| first.to_uppercase().chain(letters).collect::<String>());
    let capital = capital.filter(|capital| capital != part);
    let written = std::iter::once(part.to_owned()).chain(capital);
    written.flat_map(|text| [text.contains('\'').then(|| text.replace('\'', "’")), Some(text)]).flatten().collect()
}

/// Checks an output.
pub(super) fn check(line: &str, segment: &Segment<'_, '_>, sink: &mut Sink<'_>) {
    if !(sink.wants(Refusal) || sink.wants(Comment)) {
        return;
    }
    if let Some(sentence) = sentence_about_translation(line)
        && segment.others().next().is_some()
        && segment.lacks(may_say_translation)
    {
        let lower = sentence.to_lowercase();
        let kind = if NEGATIONS.iter().any(|word| lower.contains(word)) { Refusal } else { Comment };
        return sink.part(kind, sentence);
    }
    if !PHRASES.finder.is_match(line) {
        return;
    }
    for kind in [Refusal, Comment] {
        if let Some(phrase) = PHRASES.find(line, kind)
            && segment.lacks(|other| PHRASES.find(other, kind).is_some())
        {
            return sink.part(kind, phrase);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(line: &str) -> Option<CheckKind> {
        [Refusal, Comment].into_iter().find(|kind| PHRASES.find(line, *kind).is_some())
    }

    #[test]
    fn phrases_are_found_whatever_is_between_their_parts() {
        for line in [
            "I’m sorry, but I can’t help you with this odd request.",
            "Damit kann ich Ihnen leider nicht helfen.",
            "JE NE PEUX PAS VOUS AIDER.",
        ] {
            assert_eq!(kind(line), Some(Refusal), "{line}");
        }
        assert_eq!(kind("Good. (Note: the tone is kept.)"), Some(Comment));
        assert_eq!(kind(&format!("Kann ich {} nicht helfen?", "wirklich ".repeat(20))), None);
    }

    #[test]
    fn sentences_that_say_translation_are_found() {
        for (line, sentence) in [
            ("The cat sat. (I translated this freely.)", Some("I translated this freely")),
            ("Übersetzt wird nicht!", Some("Übersetzt wird nicht")),
            ("猫坐下了。我翻译不了。", Some("我翻译不了")),
            ("The cat sat.", None),
        ] {
            assert_eq!(sentence_about_translation(line), sentence);
        }
        assert!(may_say_translation("Он ждал перевода."));
    }
}
