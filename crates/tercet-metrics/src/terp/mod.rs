//! TERp: TER with stems, synonyms, paraphrases and tuned costs (Snover et al., Machine Translation 23, 2009).
//!
//! ```text
//! TERp = 100 · (cost of all edits) / mean length of the references
//! ```
//!
//! Edits are those of TER (insertion, deletion, substitution, shift of a block), and words with the same stem,
//! synonyms, and phrases of a table of paraphrases may stand for each other at costs of their own. The cost of a pair
//! of phrases depends on its probability p and on the edits E between the two phrases: `a + b·log₁₀(p)·E + c·p·E +
//! d·E`, at least 0.
//!
//! # Choices
//! - `costs` are `terpa` and `terph`, tuned to judgements of adequacy and to HTER; `ter`, plain TER with TERp's
//!   normaliser; `unit`, what the tool does without a parameter file: as `ter`, on words between spaces in lower case;
//!   or a parameter file of the tool. The other options take the values of that set unless they are given.
//! - Synonyms are those of WordNet 3.0, which is inside the binary, by the rules of the Java library that the tool
//!   uses: see
//!   [`Senses`](crate::resources::Senses). Stems are Porter's of 1980. Both are for English.
//! - The stop list of the tool's `terpa` (words that are not shifted alone) and its paraphrases are files that users
//!   have: `stop=FILE`, `phrases=FILE`. The latter may be TERp's own text or METEOR's table (`paraphrase-en.gz`).
//!   Without them, scores are those of the tool without them.
//! - The search is the tool's, with its beam, its order of trying shifts and its rule for ties: see `table.rs`,
//!   `shifts.rs`, `search.rs`. The papers do not describe them.
//! - Of several references the one with the fewest edits counts, the first of equals; the length is the mean of all.
//! - Without any reference words the score is 100 if there are edits and 0 if not. `cap` cuts scores at 100, those of
//!   segments and of corpora alike.
//! - `numbers=any` compares as in the tool, which then finds no word in the stop list and no phrase in the table.
//! - A phrase whose cost would be negative costs 0; one whose cost is no number is not used.
//! - Costs by classes of words, the tool's optimiser and n-best lists are left out.
//!
//! # Names of Asiya
//! Asiya's TERbase is `terbase`, its TER `asiya-ter`, its TERp `asiya-terp:phrases=FILE`, its TERp-A
//! `terp-a:phrases=FILE`. It runs none of them with a stop list, and it tokenizes before.
//!
//! # Agreement
//! Equal to TERp at commit e45c428: edits, alignments, shifts, best references, lengths and phrases of 1,579 segments
//! in 12 variants of settings and of 166 in 18 more; costs to 1e-12. Where shifts are free (a parameter file may say
//! so), the tool does not end; here 10,000 shifts are made.
//!
//! # Speed
//! Lines are limited as those of TER: after 2²⁸ cells of edit tables no further shifts are tried, and columns of lines
//! of over two thousand words are cut around their cheapest cell. [`Metric::is_unfinished`] says so.
//!
//! # Example
//! ```
//! use tercet_metrics::{Registry, Segment};
//!
//! let terp = Registry::lexical().build("terp:costs=terpa")?;
//! let references = ["the automobiles were bought yesterday"];
//! let tallies = terp.tally(&[Segment::new("yesterday the cars were purchased", &references)])?;
//! assert_eq!(format!("{:.2}", terp.score(&tallies[0])), "11.24"); // one shift
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod alignment;
mod counter;
mod pair;
mod parameter_file;
mod phrases;
mod resources;
mod search;
mod settings;
mod shifts;
mod table;
mod words;

pub use alignment::{AlignedPhrase, MovedBlock, TerpAlignment};
pub use pair::Edit;

use super::language::no_spaces;
use super::{
    Component, Direction, FittedSlope, LanguageRules, Metric, MetricInfo, Options, Paper, Segment, Spec, Tally, Values,
};
use crate::context::Context;
use crate::error::Result;
use crate::resources::{read_text, text_hash};
use crate::spec::TypedOptions;
use crate::warning::{EnglishPart, LanguageProblem, Warning};
use counter::{Counter, TerpCounts};
use resources::Resources;
use settings::{Constraint, PRESETS, Settings};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_base::options;

/// The largest cost of an edit.
const MAX_COST: f64 = 1e6;

/// The largest beam and shift distance.
const MAX_LIMIT: usize = 1_000_000;

/// The entry in a [`Registry`](super::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "terp",
    aliases: &[
        ("terp-a", "terp:costs=terpa"),
        ("terp-h", "terp:costs=terph"),
        ("terbase", "terp:costs=ter"),
        ("asiya-ter", "terp:costs=unit"),
        ("asiya-terp", "terp:costs=unit"),
    ],
    summary: "TER with stems, synonyms, paraphrases and tuned costs",
    citation: "Snover et al., Machine Translation 2009",
    papers: &[PAPER],
    agrees_with: "TERp (e45c428)",
    direction: Direction::LowerIsBetter,
    options: TerpOptions::TABLE,
    language: LanguageRules {
        problem: |signature, language, unsegmented| {
            let knows_english = signature.is_yes("stems") || signature.is_yes("synonyms");
            match unsegmented {
                true => Some(no_spaces(None)),
                false if language.code() != "en" && knows_english => {
                    Some(LanguageProblem::EnglishOnly { because: EnglishPart::StemsAndSynonyms })
                }
                false => None,
            }
        },
        ..LanguageRules::NONE
    },
    slope: Some(FittedSlope { slope: 0.04970, log_likelihood: -0.6167, accuracy: 0.6573 }),
    people_agree: include_str!("people_agree.tsv"),
    ..MetricInfo::new(|options, registry| Ok(Arc::new(Terp::from_options(options, registry.context())?)))
};

const PAPER: Paper = Paper { short: "Snover et al., 2009", bibtex: include_str!("snover-2009-terp.bib") };

options! {
    /// Options of [`Terp`].
    pub struct TerpOptions {
        costs: String [Values::ChoiceOrFile(PRESETS)] = "terpa", "a tuned set, or a parameter file of TERp";
        phrases: Option<PathBuf> = "auto",
            "table of paraphrases, TERp's text or METEOR's table; auto: none (Asiya's TERp has one, its TER has none)";
        stop: Option<PathBuf> = "auto",
            "list of words that are not shifted alone; auto: that of the parameter file, or none";
        stems: Option<bool> = "auto", "words with the same stem have their own cost";
        synonyms: Option<bool> = "auto", "synonyms have their own cost";
        norm: Option<bool> = "auto", "unescape SGML and split off punctuation";
        new_norm: Option<bool> = "auto", "drop lone hyphens and split off plural possessives";
        case_sensitive: Option<bool> = "auto", "keep case";
        no_punct: Option<bool> = "auto", "remove punctuation";
        numbers: Option<String> [Values::Choice(NUMBERS)] = "auto",
            "leave numbers as they are, write them as digits, or take all for equal";
        equivalents: Option<PathBuf> = "auto",
            "phrases to replace before comparing; auto: those of the parameter file, or none";
        shifts: Option<String> [Values::Choice(Constraint::NAMES)] = "auto", "which blocks may be shifted";
        shift_distance: Option<usize> [Values::Integer(0, MAX_LIMIT)] = "auto", "how far, in words";
        beam: Option<usize> [Values::Integer(0, MAX_LIMIT)] = "auto",
            "how much worse than the best an edit path may be";
        cap: Option<bool> = "auto", "scores are at most 100";
        mean_length: Option<bool> = "auto", "divide by the mean length of all references, not the best one's";
    }
}

/// What is done to numbers.
const NUMBERS: &[&str] = &["keep", "digits", "any"];

/// TERp with its alignments, in addition to scores.
pub struct Terp {
    options: Options,
    counter: Counter,
    /// The hash of the parameter file, if there is one.
    costs_hash: Option<String>,
}

impl Terp {
    /// TERp with options written `key=value,key=value`.
    pub fn parse(options: &str) -> Result<Self> {
        let spec = Spec::parse("metric", &format!("terp:{options}"))?;
        Terp::from_options(INFO.declared().read(&spec)?, &Context::default())
    }

    /// TERp with these options. Returns an error if a value is not accepted, or a file is missing.
    pub fn new(options: &TerpOptions) -> Result<Self> {
        Terp::from_options(options.checked(INFO.declared())?, &Context::default())
    }

    fn from_options(mut options: Options, context: &Context) -> Result<Self> {
        let (mut settings, costs_hash) = read_settings(&options)?;
        resolve(&mut options, &mut settings)?;
        let resources = Resources::load(&settings, &options, context)?;
        Ok(Terp { options, counter: Counter::new(settings, resources), costs_hash })
    }

    /// The alignment of a hypothesis with the best of its references.
    pub fn align(&self, hypothesis: &str, references: &[&str]) -> TerpAlignment {
        self.counter.align(hypothesis, references)
    }
}

/// The settings of the set or the file that `costs` names, and the hash of the file.
fn read_settings(options: &Options) -> Result<(Settings, Option<String>)> {
    let name = options.text("costs");
    if let Some(settings) = Settings::preset(name) {
        return Ok((settings, None));
    }
    let path = Path::new(name);
    if !path.exists() {
        let expected = format!("{}, or the name of a file that exists", PRESETS.join(", "));
        return Err(options.bad_value("costs", name, &expected));
    }
    let text = read_text(path)?;
    let mut settings = Settings::default();
    parameter_file::apply(&text, path, &mut settings)?;
    Ok((settings, Some(text_hash(text.as_bytes()))))
}

/// Lets options that are given change the settings, and the others take their values.
fn resolve(options: &mut Options, settings: &mut Settings) -> Result<()> {
    let flags = [
        ("stems", &mut settings.stems),
        ("synonyms", &mut settings.synonyms),
        ("norm", &mut settings.norm.normalize),
        ("new_norm", &mut settings.norm.new_norm),
        ("case_sensitive", &mut settings.norm.case_sensitive),
        ("no_punct", &mut settings.norm.no_punct),
        ("cap", &mut settings.cap),
        ("mean_length", &mut settings.mean_length),
    ];
    for (key, setting) in flags {
        match options.text(key) {
            "auto" => options.set(key, if *setting { "yes" } else { "no" })?,
            given => *setting = given == "yes",
        }
    }
    for (key, setting) in [("beam", &mut settings.beam), ("shift_distance", &mut settings.shift_distance)] {
        match options.text(key) {
            "auto" => options.set(key, &setting.to_string())?,
            _ => *setting = options.integer(key),
        }
    }
    for (key, setting) in [("stop", &settings.stop), ("equivalents", &settings.equivalents)] {
        if let Some(path) = setting.as_deref().filter(|_| options.text(key) == "auto") {
            options.set(key, crate::spec::file_value(path)?)?;
        }
    }
    match Constraint::from_name(options.text("shifts")) {
        None => options.set("shifts", settings.constraint.name())?,
        Some(constraint) => settings.constraint = constraint,
    }
    resolve_numbers(options, settings)
}

fn resolve_numbers(options: &mut Options, settings: &mut Settings) -> Result<()> {
    let digits = &mut settings.norm.normalize_numbers;
    match options.text("numbers") {
        "auto" if settings.any_number => options.set("numbers", "any"),
        "auto" => options.set("numbers", if *digits { "digits" } else { "keep" }),
        given => {
            (*digits, settings.any_number) = (given == "digits", given == "any");
            Ok(())
        }
    }
}

impl Terp {
    /// Whether words match only if they are the same.
    fn is_plain(&self) -> bool {
        let options = &self.options;
        !options.flag("stems") && !options.flag("synonyms") && options.file("phrases").is_none()
    }
}

impl Metric for Terp {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        let signature = self.counter.resources.sign(self.options.spec());
        match &self.costs_hash {
            Some(hash) => signature.with("parameters", hash),
            None => signature,
        }
    }

    fn title(&self) -> String {
        match self.options.text("costs") {
            "terpa" => "TERp-A",
            "terph" => "TERp-H",
            "ter" if self.is_plain() => "TERbase",
            _ => "TERp",
        }
        .to_owned()
    }

    fn warnings(&self) -> Vec<Warning> {
        let costs = self.options.text("costs");
        let lacks_phrases = matches!(costs, "terpa" | "terph") && self.options.file("phrases").is_none();
        let warning = Warning::NoParaphrases { metric: "terp".to_owned(), language: None };
        lacks_phrases.then_some(warning).into_iter().collect()
    }

    /// Cost of the edits, reference length, then edits by kind (see [`Metric::components`]), and whether a limit was
    /// reached.
    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        Ok(self.counter.tally(batch))
    }

    fn score(&self, total: &Tally) -> f64 {
        let TerpCounts { edits, ref_len, .. } = TerpCounts::read(total);
        let is_capped = self.counter.settings.cap && edits > ref_len;
        match ref_len > 0.0 && !is_capped {
            true => 100.0 * (edits / ref_len),
            false if edits > 0.0 => 100.0,
            false => 0.0,
        }
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        TerpCounts::read(tally).limited > 0.0
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        TerpCounts::components(total)
    }
}

#[cfg(test)]
mod tests;
