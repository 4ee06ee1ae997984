//! METEOR: words aligned by form, stem, sense and paraphrase; precision, recall and word order (Denkowski & Lavie,
//! 2014).
//!
//! ```text
//! P = Σᵢ wᵢ·(δ·mᵢ(content of hypothesis) + (1−δ)·mᵢ(function words)) / (δ·|content| + (1−δ)·|function words|)
//! R likewise on the side of the reference; wᵢ the weight of module i, mᵢ the words it matched
//! Fmean = P·R / (α·P + (1−α)·R)
//! Pen   = γ·(ch/m)^β          ch chunks: runs of matches in the same order on both sides; m mean of matched words
//! Score = (1 − Pen)·Fmean                                                                       (sec. 2)
//! ```
//!
//! The scale is METEOR's own: 0 to 1.
//!
//! # Options
//! - METEOR's search for the best alignment is a beam search with details that no paper describes: see `search.rs`.
//!   Words are the same when Java's hash of them is. `beam` is METEOR's `-x`.
//! - `modules=auto` are METEOR's for the language, as far as their resources are available: stems and English
//!   synonyms are inside the binary, paraphrases need METEOR's table (`paraphrase=FILE`). The signature lists what was
//!   used. Weights go by position, as in METEOR: of `exact+stem+paraphrase` the last has the weight of the third.
//!   `meteor-ex`, `meteor-st`, `meteor-sy` and `meteor-pa` are Asiya's names of four choices, which it computes with
//!   `norm=no` on tokenized text.
//! - `norm=auto` normalises the languages METEOR can (en, cz, fr, es, de, ru). METEOR itself does so only with `-norm`,
//!   which it recommends; its bare default is `norm=no`, for text that is tokenized already. `lower=auto` lowercases
//!   unless `norm=no` was asked for; to lowercase only, as `-lower` does, write `norm=no,lower=yes`.
//! - METEOR uses its English list of function words for every language; so do we. `function_words=FILE` is its `-s`.
//! - Of several references the best segment score counts, the first of equals; a corpus is scored from summed
//!   statistics, in which segments matched completely in one piece have no chunks.
//! - A division by zero scores 0: nothing matched, or an empty side.
//! - `task=` outside English: `rank` for the languages above, `li`, `tune`, `universal`. For the rest METEOR's
//!   parameters are zeros and all scores 0; here they are an error.
//! - Paths in `data=`, `paraphrase=` and `function_words=` must not contain a comma or a bar, which end an option. The
//!   signature has them as given, and after its options the hashes of what was read.
//! - Readers take trailing white space off every line, as sacreBLEU does, before any metric sees it; the jar keeps a
//!   no-break space or U+2028 at the end of a line as a part of its last word.
//! - Long lines: positions with the same word share their list of matches, and a step of the search keeps only the best
//!   `beam` paths, so that memory is proportional to the length of the lines: a second for 10,000 repetitions of one
//!   word, where METEOR runs out of memory. Identical lines need no search. Beyond that, after a million paraphrase
//!   matches or eight million of words in one pair of lines the rest is ignored, and after some 2²⁸ steps of the search
//!   only its best path goes on: the alignment may then be worse than METEOR's, and [`Metric::is_unfinished`] says so.
//!
//! # Agreement
//! With METEOR's own resources (`data=`) equal to METEOR 1.5: statistics, alignments, precision and recall exactly,
//! penalty and score to 1e-12 (the last bit of a power depends on the version of Java).
//!
//! With the built-in resources the alignments are the same, except for differences between METEOR's files and ours:
//! - function words: our list is our own and lacks `$ could last over`, which METEOR counts as function words, and has
//!   `according do my now only them –`, which it does not. Of 40,170 segments of real translations 9,049 have such a
//!   word in a match and score slightly differently; METEOR's list, `function_words=FILE`, makes them equal;
//! - abbreviations: 3 of the 40,170 segments have one that only METEOR's list knows, or only ours;
//! - synonyms: METEOR joins 837 pairs of words by accident, sets of two parts of speech that begin at the same byte of
//!   two files of WordNet; none of them occurs in those segments.
//!
//! Without METEOR's table, Arabic has no stemmer here, so that `modules=auto` is `exact` for it.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let meteor = Registry::lexical().build("meteor")?;
//! let references = ["The cat sat on the mat."];
//! let tallies = meteor.tally(&[Segment::new("The cat sat on the mat.", &references)])?;
//! assert_eq!(meteor.score(&tallies[0]), 1.0);
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod aligner;
mod alignment;
mod greedy;
mod language;
mod language_resources;
mod marks;
mod matches;
mod parameters;
mod resolved_options;
mod runs;
mod search;
mod statistics;
mod taken_words;
mod word_index;
mod words;

pub use alignment::{AlignedPhrase, Alignment};
pub use parameters::{Module, Parameters};
pub use statistics::{Evaluation, JavaDouble, LENGTH, MatchedWords, Statistics};

use super::{
    Component, FittedSlope, MarkWords, Metric, MetricInfo, Options, Paper, Scale, Segment, Spec, Tally, Values,
};
use crate::context::Context;
use crate::error::Result;
use crate::spec::TypedOptions;
use crate::warning::Warning;
use aligner::Aligner;
use language_resources::LanguageResources;
use parameters::Language;
use resolved_options::ResolvedOptions;
use std::path::PathBuf;
use std::sync::Arc;
use tercet_base::options;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "meteor",
    aliases: &[
        ("meteor-ex", "meteor:modules=exact"),
        ("meteor-st", "meteor:modules=exact+stem"),
        ("meteor-sy", "meteor:modules=exact+stem+synonym"),
        ("meteor-pa", "meteor:modules=exact+stem+paraphrase"),
    ],
    summary: "words aligned by form, stem, sense and paraphrase; precision, recall and order",
    citation: "Denkowski & Lavie, WMT 2014",
    papers: &[PAPER],
    agrees_with: "METEOR 1.5",
    scale: Scale::One,
    options: MeteorOptions::TABLE,
    language: language::RULES,
    slope: Some(FittedSlope { slope: 11.14058, log_likelihood: -0.6086, accuracy: 0.6649 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Meteor::from_options(options, registry.context())?)))
};

const PAPER: Paper = Paper { short: "Denkowski and Lavie, 2014", bibtex: include_str!("denkowski-2014-meteor.bib") };

options! {
    /// Options of [`Meteor`].
    pub struct MeteorOptions {
        lang: String [Values::Choice(parameters::LANGUAGE_NAMES)] = "en",
            "language, by METEOR's code or name";
        task: Option<String> [Values::Choice(parameters::TASKS)] = "auto",
            "what the parameters were tuned to";
        modules: Option<String> = "auto", "exact, stem, synonym, paraphrase, with + between them";
        norm: Option<bool> = "auto", "tokenize and lowercase as METEOR's -norm";
        lower: Option<bool> = "auto", "lowercase";
        no_punct: bool = "no", "remove punctuation while normalising";
        beam: usize [Values::Integer(1, 10_000)] = "40", "paths the search for an alignment keeps";
        data: Option<PathBuf> = "auto", "METEOR's folder of resources, in place of what is built in";
        paraphrase: Option<PathBuf> = "auto", "METEOR's paraphrase table";
        function_words: Option<PathBuf> = "auto", "list of function words, one per line";
        alpha: Option<f64> = "auto", "weight of recall, in place of the task's";
        beta: Option<f64> = "auto", "exponent of fragmentation";
        gamma: Option<f64> = "auto", "largest penalty";
        delta: Option<f64> = "auto", "weight of content words";
        weights: Option<String> = "auto", "weights of the modules, with : between them";
    }
}

/// METEOR with its alignments and statistics, in addition to scores.
pub struct Meteor {
    options: Options,
    aligner: Aligner,
    /// Whether paraphrases are among METEOR's modules for the language and only their table is missing.
    lacks_paraphrases: bool,
}

impl Meteor {
    /// METEOR with options written `key=value,key=value`.
    pub fn parse(options: &str) -> Result<Self> {
        Meteor::parse_in_context(options, &Context::default())
    }

    /// The same, with what is open in a context.
    pub fn parse_in_context(options: &str, context: &Context) -> Result<Self> {
        let spec = Spec::parse("metric", &format!("meteor:{options}"))?;
        Meteor::from_options(INFO.declared().read(&spec)?, context)
    }

    /// METEOR with these options. Returns an error if values do not fit each other, or a resource is missing.
    pub fn new(options: &MeteorOptions) -> Result<Self> {
        Meteor::from_options(options.checked(INFO.declared())?, &Context::default())
    }

    fn from_options(mut options: Options, context: &Context) -> Result<Self> {
        let chooses_modules = options.text("modules") == "auto";
        let ResolvedOptions { language, modules, preparation, parameters } = ResolvedOptions::resolve(&mut options)?;
        let resources = LanguageResources::load(language, modules, preparation.normalize.is_some(), &options, context)?;
        let beam = options.integer("beam");
        let wants_paraphrases = language.default_modules(options.text("task")).contains(&Module::Paraphrase);
        let lacks_paraphrases = chooses_modules && wants_paraphrases && options.file("paraphrase").is_none();
        let aligner = Aligner { resources, preparation, parameters, beam, workspaces: Default::default() };
        Ok(Meteor { options, aligner, lacks_paraphrases })
    }

    /// METEOR's code and name of the language.
    pub fn language(&self) -> (&'static str, &'static str) {
        let language = Language::from_name(self.options.text("lang")).expect("it was found when this was built");
        (language.code, language.name)
    }

    /// The task, by its name.
    pub fn task(&self) -> &str {
        self.options.text("task")
    }

    /// The modules in use.
    pub fn modules(&self) -> &[Module] {
        &self.aligner.resources.modules
    }

    /// The parameters in use.
    pub fn parameters(&self) -> &Parameters {
        &self.aligner.parameters
    }

    /// The alignment of a hypothesis with the best of its references.
    pub fn align(&self, hypothesis: &str, references: &[&str]) -> Alignment {
        self.aligner.align(hypothesis, references)
    }

    /// The score that statistics give, with its parts.
    pub fn evaluate(&self, statistics: &Statistics) -> Evaluation {
        statistics.evaluate(&self.aligner.parameters)
    }
}

impl Metric for Meteor {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        let normalize = self.aligner.preparation.normalize.is_some();
        self.aligner.resources.sign(self.options.spec(), normalize)
    }

    fn title(&self) -> String {
        "METEOR".to_owned()
    }

    fn warnings(&self) -> Vec<Warning> {
        let language = Some(self.options.text("lang").to_owned());
        let warning = Warning::NoParaphrases { metric: "meteor".to_owned(), language };
        self.lacks_paraphrases.then_some(warning).into_iter().collect()
    }

    /// METEOR's 23 statistics of the best reference, and whether a limit was reached.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Ok(self.aligner.tally(batch))
    }

    fn score(&self, total: &Tally) -> f64 {
        self.evaluate(&Statistics::from_tally(total)).score
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        Statistics::unfinished(tally) > 0.0
    }

    fn marker(&self) -> Option<&dyn MarkWords> {
        Some(self)
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let statistics = Statistics::from_tally(total);
        let evaluation = self.evaluate(&statistics);
        let number = |value: f64| if value.is_finite() { value } else { 0.0 };
        let mut components: Vec<Component> = [
            ("precision", evaluation.precision),
            ("recall", evaluation.recall),
            ("f1", evaluation.f1),
            ("f_mean", evaluation.f_mean),
            ("fragmentation_penalty", evaluation.penalty),
            ("chunks", statistics.chunks),
            ("hyp_matches", statistics.matched[0]),
            ("ref_matches", statistics.matched[1]),
            ("hyp_len", statistics.words[0]),
            ("ref_len", statistics.words[1]),
        ]
        .map(|(name, value)| Component::new(name, number(value)))
        .into();
        for (module, matched) in self.modules().iter().zip(statistics.modules) {
            let words = matched.content[0] + matched.function[0];
            components.push(Component::new(format!("{}_matches", module.name()), words));
        }
        components
    }
}

#[cfg(test)]
mod tests;
