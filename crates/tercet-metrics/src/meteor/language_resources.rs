//! METEOR's resources of a language, loaded once for all metrics that share a context.

use super::parameters::{Language, Module};
use crate::cache::Cache;
use crate::context::Context;
use crate::error::Result;
use crate::resources::{FunctionWords, Paraphrases, Prefixes, StemTable, Synonyms};
use crate::text::Prefix;
use crate::text::Stemmer;
use crate::text::meteor_norm::KeepsStop;
use crate::{Options, Spec};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A resource inside the binary, or one read from a file.
pub(super) enum Resource<T: 'static> {
    Embedded(&'static T),
    Read(Arc<T>),
}

impl<T> Deref for Resource<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Resource::Embedded(resource) => resource,
            Resource::Read(resource) => resource,
        }
    }
}

/// Abbreviations for the normaliser, if there are any.
pub(super) struct Abbreviations(Option<Resource<Prefixes>>);

impl KeepsStop for Abbreviations {
    fn keeps_stop(&self, word: &str) -> Option<bool> {
        self.0.as_ref()?.get(word).map(|prefix| prefix == Prefix::KeepsBeforeNumber)
    }
}

/// The source of stems.
pub(super) enum Stems {
    Rules(Stemmer),
    Table(Arc<StemTable>),
}

impl Stems {
    /// Appends the stem of a word.
    pub(super) fn stem(&self, word: &str, stem: &mut String) {
        match self {
            Stems::Rules(stemmer) => stemmer.stem(word, stem),
            Stems::Table(table) => table.stem(word, stem),
        }
    }
}

/// METEOR's table of stems for a language that has no rules (Arabic), if its folder of resources has one.
pub(super) fn stem_table(language: &Language, options: &Options) -> Option<PathBuf> {
    let table = options.file("data")?.join(format!("stem/{}.gz", language.name));
    table.is_file().then_some(table)
}

/// All data that modules and statistics use.
pub(super) struct LanguageResources {
    pub(super) modules: Vec<Module>,
    pub(super) stems: Option<Stems>,
    pub(super) synonyms: Option<Resource<Synonyms>>,
    pub(super) paraphrases: Option<Arc<Paraphrases>>,
    pub(super) function_words: Resource<FunctionWords>,
    pub(super) stops: Abbreviations,
}

impl LanguageResources {
    /// Loads what these modules need; the list of abbreviations only to normalise.
    pub(super) fn load(
        language: &Language,
        modules: Vec<Module>,
        normalize: bool,
        options: &Options,
        context: &Context,
    ) -> Result<Self> {
        let data = options.file("data");
        let wants = |module| modules.contains(&module);
        let synonyms = match data {
            _ if !wants(Module::Synonym) => None,
            Some(folder) => Some(Resource::Read(context.read_once(&folder.join("synonym"), Synonyms::read)?)),
            None => Some(Resource::Embedded(Synonyms::embedded())),
        };
        let cache = context.shared::<Cache>();
        let paraphrases = match options.file("paraphrase") {
            Some(file) if wants(Module::Paraphrase) => {
                Some(context.read_once(file, |file| Paraphrases::open(file, &cache))?)
            }
            _ => None,
        };
        let list = options.file("function_words").map(Path::to_owned);
        let function_words = match list.or(data.map(|folder| folder.join("function/english.words"))) {
            Some(file) => Resource::Read(context.read_once(&file, FunctionWords::read)?),
            None => Resource::Embedded(FunctionWords::embedded()),
        };
        let prefixes = match data {
            _ if !normalize => None,
            Some(folder) => {
                let file = folder.join(format!("nonbreaking/{}.prefixes", language.name));
                Some(Resource::Read(context.read_once(&file, Prefixes::read)?))
            }
            None => Prefixes::embedded(language.code).map(Resource::Embedded),
        };
        let stems = match (Stemmer::for_language(language.code), stem_table(language, options)) {
            _ if !wants(Module::Stem) => None,
            (Some(stemmer), _) => Some(Stems::Rules(stemmer)),
            (None, Some(file)) => Some(Stems::Table(context.read_once(&file, StemTable::read)?)),
            (None, None) => None,
        };
        Ok(LanguageResources { modules, stems, synonyms, paraphrases, function_words, stops: Abbreviations(prefixes) })
    }

    /// Adds the hashes of the resources to a signature.
    pub(super) fn sign(&self, signature: Spec, normalize: bool) -> Spec {
        let mut signature = signature.with("function_words", self.function_words.hash());
        if let Some(Stems::Table(table)) = &self.stems {
            signature = signature.with("stems", table.hash());
        }
        if let Some(synonyms) = &self.synonyms {
            let source = if matches!(synonyms, Resource::Embedded(_)) { "wn30-" } else { "" };
            signature = signature.with("synonyms", format!("{source}{}", synonyms.hash()));
        }
        if let Some(paraphrases) = &self.paraphrases {
            signature = signature.with("paraphrases", paraphrases.hash());
        }
        if normalize {
            let hash = self.stops.0.as_ref().map_or("none", |prefixes| prefixes.hash());
            signature = signature.with("prefixes", hash);
        }
        signature
    }
}
