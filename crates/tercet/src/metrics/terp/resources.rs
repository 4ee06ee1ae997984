//! What TERp reads besides texts: the stop list, equivalent phrases, the phrase table, WordNet.

use super::settings::Settings;
use crate::error::{Error, Result};
use crate::metrics::{Options, Spec};
use crate::resources::{PhraseTable, Senses, read_text, text_hash};
use foldhash::HashSet;
use std::path::Path;
use std::sync::Arc;

/// Resources and the hashes of their files.
#[derive(Default)]
pub(super) struct Resources {
    pub(super) senses: Option<&'static Senses>,
    pub(super) stop: HashSet<String>,
    stop_hash: Option<String>,
    pub(super) equivalents: Equivalents,
    equivalents_hash: Option<String>,
    pub(super) phrases: Option<Arc<PhraseTable>>,
}

impl Resources {
    pub(super) fn load(settings: &Settings, options: &Options) -> Result<Self> {
        let mut resources =
            Resources { senses: settings.synonyms.then(Senses::embedded), ..Resources::default() };
        if let Some(path) = options.file("equivalents") {
            let text = read_text(path)?;
            resources.equivalents = Equivalents::parse(&text, path)?;
            resources.equivalents_hash = Some(text_hash(text.as_bytes()));
        }
        if let Some(path) = options.file("stop") {
            let text = read_text(path)?;
            let words = |line: &str| resources.equivalents.apply(settings.norm.words(line));
            let words: Vec<String> = text.split(['\n', '\r']).map(words).collect();
            resources.stop =
                words.iter().flat_map(|line| line.split_terminator(' ')).map(str::to_owned).collect();
            resources.stop_hash = Some(text_hash(text.as_bytes()));
        }
        if let Some(path) = options.file("phrases") {
            resources.phrases = Some(Arc::new(PhraseTable::open(path)?));
        }
        if settings.any_number {
            // The tool's numbers have no hash, so that it finds no word in a list or a table.
            resources.stop.clear();
            resources.phrases = None;
        }
        Ok(resources)
    }

    /// Adds the hashes of the resources to a signature.
    pub(super) fn sign(&self, signature: Spec) -> Spec {
        let hashes = [
            ("stop_words", self.stop_hash.as_deref()),
            ("equivalent_words", self.equivalents_hash.as_deref()),
            ("paraphrases", self.phrases.as_ref().map(|table| table.hash())),
        ];
        let signature = match self.senses {
            Some(senses) => signature.with("senses", format!("wn30-{}", senses.hash())),
            None => signature,
        };
        hashes.into_iter().fold(signature, |signature, (key, hash)| match hash {
            Some(hash) => signature.with(key, hash),
            None => signature,
        })
    }
}

/// Phrases that are replaced by an equivalent one: TERp's normalization file, a line `<p>this</p> <p>for that</p> …` each.
#[derive(Default)]
pub(super) struct Equivalents {
    /// The words of the phrase that is kept, then those of each phrase it replaces.
    sets: Vec<Vec<Vec<String>>>,
}

impl Equivalents {
    fn parse(text: &str, path: &Path) -> Result<Self> {
        let mut sets = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            let inside = line.strip_prefix("<p>").and_then(|rest| rest.strip_suffix("</p>"));
            let inside = inside.ok_or_else(|| {
                let what = format!("expected `<p>kept</p> <p>replaced</p> …`, found `{line}`");
                Error::BadLine { path: path.to_owned(), line: number, what }
            })?;
            let phrases: Vec<Vec<String>> = inside
                .split("</p>")
                .map(|phrase| phrase.trim_start().trim_start_matches("<p>"))
                .map(|phrase| phrase.split_ascii_whitespace().map(str::to_owned).collect())
                .filter(|phrase: &Vec<String>| !phrase.is_empty())
                .collect();
            if phrases.len() > 1 {
                sets.push(phrases);
            }
        }
        Ok(Equivalents { sets })
    }

    /// Replaces phrases in words, each of which is followed by a space.
    pub(super) fn apply(&self, words: String) -> String {
        if self.sets.is_empty() {
            return words;
        }
        let mut words: Vec<&str> = words.split_terminator(' ').collect();
        let mut tried: Vec<bool> = vec![false; self.sets.len()];
        self.mark(&words, None, &mut tried);
        for (set, _) in self.sets.iter().zip(tried).filter(|(_, tried)| *tried) {
            for replaced in &set[1..] {
                replace(&mut words, replaced, &set[0]);
            }
        }
        words.iter().flat_map(|word| [word, " "]).collect()
    }

    /// Marks the sets after one that have any of these words, and those that the phrases kept by them lead to.
    fn mark(&self, words: &[&str], after: Option<usize>, tried: &mut [bool]) {
        for number in after.map_or(0, |after| after + 1)..self.sets.len() {
            let set = &self.sets[number];
            let has = |word: &str| set[1..].iter().any(|phrase| phrase.iter().any(|other| other == word));
            if !tried[number] && words.iter().any(|word| has(word)) {
                tried[number] = true;
                let kept: Vec<&str> = set[0].iter().map(String::as_str).collect();
                self.mark(&kept, Some(number), tried);
            }
        }
    }
}

/// Replaces every occurrence of a phrase, from left to right.
fn replace<'w>(words: &mut Vec<&'w str>, phrase: &[String], by: &'w [String]) {
    let mut at = 0;
    while at + phrase.len() <= words.len() {
        if words[at..at + phrase.len()].iter().zip(phrase).all(|(word, other)| word == other) {
            words.splice(at..at + phrase.len(), by.iter().map(String::as_str));
            at += by.len();
        } else {
            at += 1;
        }
    }
}
