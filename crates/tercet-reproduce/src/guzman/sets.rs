//! The sets of judgements: test on WMT12, learn from WMT13, stop by WMT14.
//!
//! The authors learned from WMT11, which cannot be had, and stopped by WMT13. Language pairs are called as the article
//! calls them: `cz` is cs-en.

use crate::fingerprint::fingerprint;
use sha2::{Digest, Sha256};
use std::path::Path;
use tercet::corpora::{JudgementSource, Judgements, find_judgements};
use tercet::files::hexadecimal;
use tercet::learned::{JudgedTexts, Scope};
use tercet::{Error, Result};

tercet::choices! {
    /// A set of relative rankings, by the name of its folder.
    pub(super) enum SetName: "set of judgements" {
        Wmt12 = "wmt12-rr",
        Wmt13 = "wmt13-rr",
        Wmt14 = "wmt14-rr",
        Wmt15 = "wmt15-rr",
        Wmt16 = "wmt16-rr",
    }
}

impl SetName {
    /// The languages that must be there, as the article calls them; of WMT15 and WMT16 all that are.
    pub(super) fn languages(self) -> &'static [&'static str] {
        match self {
            SetName::Wmt12 | SetName::Wmt13 => &["cz", "de", "es", "fr"],
            SetName::Wmt14 => &["cz", "de", "fr", "hi", "ru"],
            SetName::Wmt15 | SetName::Wmt16 => &[],
        }
    }

    /// Where the set's language pairs are, in the order of the article's columns.
    pub(super) fn sources(self, data: &Path) -> Result<Vec<JudgementSource>> {
        let path = data.join(self.name());
        let mut found = find_judgements(&path)?;
        if self.languages().is_empty() {
            return Ok(found);
        }
        let mut chosen = Vec::new();
        for language in self.languages() {
            let place = found.iter().position(|source| language_of(&source.pair) == *language);
            let Some(place) = place else {
                let found: Vec<&str> = found.iter().map(|source| source.pair.as_str()).collect();
                return Err(Error::Unusable(format!(
                    "{} has no judgements for {language} into English (found: {})",
                    path.display(),
                    found.join(", ")
                )));
            };
            chosen.push(found.remove(place));
        }
        Ok(chosen)
    }
}

/// What the article calls the source language of a pair.
fn language_of(pair: &str) -> &str {
    match pair.split_once('-').map_or(pair, |(from, _)| from) {
        "cs" => "cz",
        other => other,
    }
}

/// One language pair.
pub(super) struct Part {
    /// As the article calls it.
    pub(super) language: String,
    /// Its pairs.
    pub(super) judged: JudgedTexts,
    /// The hash of the texts that networks see.
    pub(super) texts: String,
    /// The hash of those texts and of strict judgements.
    pub(super) digest: String,
    /// The hash of all that its files hold, judged or not.
    pub(super) whole: String,
}

/// A set as networks see it.
pub(super) struct JudgedSet {
    pub(super) name: SetName,
    pub(super) scope: Scope,
    pub(super) parts: Vec<Part>,
    /// The first reference of the first language pair, all of it.
    pub(super) reference: Vec<String>,
}

impl JudgedSet {
    pub(super) fn read(data: &Path, name: SetName, scope: Scope) -> Result<Self> {
        let (mut parts, mut reference) = (Vec::new(), Vec::new());
        for source in name.sources(data)? {
            let judgements = source.read()?;
            let judged = JudgedTexts::with_pairs(&judgements, scope)?;
            if judged.pairs.is_empty() {
                let what = format!("{} {}", source.set, source.pair);
                return Err(Error::Unusable(format!("{what}: no strict judgement of two outputs with texts")));
            }
            if reference.is_empty() {
                reference = reference_lines(&judgements);
            }
            let (texts, digest) = hashes(&judged);
            let (language, whole) = (language_of(&source.pair).to_owned(), fingerprint(&judgements));
            parts.push(Part { language, judged, texts, digest, whole });
        }
        Ok(JudgedSet { name, scope, parts, reference })
    }

    /// The share of pairs whose two outputs are the same text.
    pub(super) fn identical(&self) -> (usize, usize) {
        let pairs = || self.parts.iter().flat_map(|part| &part.judged.pairs);
        (pairs().filter(|pair| pair.a == pair.b).count(), pairs().count())
    }
}

fn reference_lines(judgements: &Judgements) -> Vec<String> {
    let first = judgements.texts.as_ref().and_then(|texts| texts.references.first());
    first.map_or(Vec::new(), |reference| reference.lines.iter().flatten().cloned().collect())
}

/// The hash of the texts, and of texts and judgements.
fn hashes(judged: &JudgedTexts) -> (String, String) {
    let texts = format!("{:?} {:?}", judged.references, judged.translations);
    let hash = |text: &str| hexadecimal(&Sha256::digest(text)[..8]);
    (hash(&texts), hash(&format!("{texts} {:?} {:?}", judged.pairs, judged.outputs)))
}
