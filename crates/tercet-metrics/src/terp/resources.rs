//! What TERp reads besides texts: the stop list, equivalent phrases, the phrase table, WordNet.

use super::settings::Settings;
use crate::cache::Cache;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::resources::{PhraseTable, Senses, read_text, text_hash};
use crate::{Options, Spec};
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
    pub(super) fn load(settings: &Settings, options: &Options, context: &Context) -> Result<Self> {
        let mut resources = Resources { senses: settings.synonyms.then(Senses::embedded), ..Resources::default() };
        if let Some(path) = options.file("equivalents") {
            let text = read_text(path)?;
            resources.equivalents = Equivalents::parse(&text, path)?;
            resources.equivalents_hash = Some(text_hash(text.as_bytes()));
        }
        if let Some(path) = options.file("stop") {
            let text = read_text(path)?;
            let words = |line: &str| resources.equivalents.apply(settings.norm.words(line));
            let words: Vec<String> = text.split(['\n', '\r']).map(words).collect();
            resources.stop = words.iter().flat_map(|line| line.split_terminator(' ')).map(str::to_owned).collect();
            resources.stop_hash = Some(text_hash(text.as_bytes()));
        }
        if let Some(path) = options.file("phrases") {
            let cache = context.shared::<Cache>();
            resources.phrases = Some(context.read_once(path, |path| PhraseTable::open(path, &cache))?);
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

/// Phrases that are replaced by an equivalent one: TERp's normalization file, a line `<p>this</p> <p>for that</p> …`
/// each.
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
        let tried = self.tried(&words);
        for (set, _) in self.sets.iter().zip(tried).filter(|(_, tried)| *tried) {
            for replaced in &set[1..] {
                replace(&mut words, replaced, &set[0]);
            }
        }
        words.iter().flat_map(|word| [word, " "]).collect()
    }

    /// Whether each set has one of these words, or of those that the sets before it may have put in their place.
    fn tried(&self, words: &[&str]) -> Vec<bool> {
        let mut met: HashSet<&str> = words.iter().copied().collect();
        let has_one = |set: &[Vec<String>], met: &HashSet<&str>| {
            set[1..].iter().flatten().any(|word| met.contains(word.as_str()))
        };
        let mut tried = Vec::with_capacity(self.sets.len());
        for set in &self.sets {
            tried.push(has_one(set, &met));
            if tried.last() == Some(&true) {
                met.extend(set[0].iter().map(String::as_str));
            }
        }
        tried
    }
}

/// Replaces every occurrence of a phrase, from left to right.
fn replace<'w>(words: &mut Vec<&'w str>, phrase: &[String], by: &'w [String]) {
    let mut replaced = Vec::with_capacity(words.len());
    let mut rest = words.as_slice();
    while let Some((first, after)) = rest.split_first() {
        let is_here = rest.len() >= phrase.len() && rest.iter().zip(phrase).all(|(word, other)| word == other);
        if is_here {
            replaced.extend(by.iter().map(String::as_str));
            rest = &rest[phrase.len()..];
        } else {
            replaced.push(*first);
            rest = after;
        }
    }
    *words = replaced;
}
