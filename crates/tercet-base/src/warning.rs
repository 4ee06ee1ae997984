//! What readers of a result should know: one enum, its prose in one place.
//!
//! Work reports a warning through [`Progress::warn`] as soon as it finds it, and [`Done`] has all of them beside the
//! result. A message says what and where; how a caller's users can change it (a flag, an argument) is added by that
//! caller, who knows the kind.

use crate::check_kind::{CheckKind, Detail, Reason};
use crate::progress::{Event, Progress};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

/// A result, and what its readers should know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Done<T> {
    /// The result.
    pub result: T,
    /// The warnings, each once, in the order in which they were found.
    pub warnings: Vec<Warning>,
}

impl<T> Done<T> {
    /// Does work, and keeps the warnings that it reports; `progress` gets each of them once, and all other events.
    pub fn collect<E>(progress: Progress<'_>, work: impl FnOnce(Progress<'_>) -> Result<T, E>) -> Result<Self, E> {
        let reported = Reported::default();
        let callback = |event: &Event<'_>| reported.pass(event, progress);
        let result = work(progress.with_callback(&callback))?;
        Ok(reported.with(result))
    }

    /// The same warnings with what becomes of the result.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Done<U> {
        Done { result: change(self.result), warnings: self.warnings }
    }
}

/// The warnings that work has reported, each once.
#[derive(Debug, Default)]
pub struct Reported(Mutex<Vec<Warning>>);

impl Reported {
    /// Passes an event on, a warning only the first time.
    pub fn pass(&self, event: &Event<'_>, progress: Progress<'_>) -> ControlFlow<()> {
        if let Event::Warning(warning) = event {
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if known.contains(*warning) {
                return ControlFlow::Continue(());
            }
            known.push((*warning).clone());
        }
        progress.forward(event)
    }

    /// A result with these warnings.
    pub fn with<T>(self, result: T) -> Done<T> {
        Done { result, warnings: self.0.into_inner().unwrap_or_else(PoisonError::into_inner) }
    }
}

/// A language in a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanguageName {
    /// Its code: `zh`.
    pub code: String,
    /// Its English name, or the code if there is none.
    pub name: String,
}

/// A metric's number of differing segments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferingSegments {
    /// The metric, as tables call it.
    pub metric: String,
    /// The number of segments whose scores differ.
    pub segments: usize,
}

/// The agreement of a model with a development set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    /// How it is measured.
    pub measure: String,
    /// That of the start, with four decimals.
    pub before: String,
    /// That of the trained model.
    pub after: String,
}

/// What too few segments make unreliable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreliable {
    /// Intervals.
    Intervals,
    /// P-values.
    Tests,
}

/// Why a metric that would be computed by default is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkippedBecause {
    /// The texts are too short to tell their language.
    UnknownLanguage,
}

/// Why a metric's scores are not correlated with judgements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotCorrelated {
    /// Its file has scores of other systems.
    OtherSystems {
        /// The set.
        set: String,
        /// The first system of the set.
        system: String,
        /// The first system of the file, if it names any.
        found: Option<String>,
    },
    /// Its table has scores of other systems, language pairs or sets.
    OtherTable {
        /// The first system of the table.
        system: Option<String>,
    },
}

/// Why the systems of a set cannot be ranked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotRanked {
    /// There is only one system.
    OneSystem,
    /// No two systems were compared.
    NoComparisons,
    /// Segments have no scores.
    NoScores,
    /// There are more systems than can be compared with each other.
    TooManySystems {
        /// How many there are.
        systems: usize,
        /// The most that can be compared.
        limit: usize,
    },
}

impl Display for NotRanked {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotRanked::OneSystem => "has only one system: there is nothing to rank",
            NotRanked::NoComparisons => {
                "has no comparisons of systems: give relative rankings, or rank by the method average"
            }
            NotRanked::NoScores => {
                "has no scores of segments to average: rank by comparisons, for example by the method trueskill"
            }
            NotRanked::TooManySystems { systems, limit } => {
                return write!(
                    f,
                    "has {systems} systems, and at most {limit} can be compared (are its columns in order?)"
                );
            }
        })
    }
}

/// A threshold that was found by few comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThinThreshold {
    /// How often the translations were ranked.
    pub n: usize,
    /// The number of comparisons.
    pub comparisons: usize,
}

/// Why the scores of a metric say little about text in a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
#[non_exhaustive]
pub enum LanguageProblem {
    /// The language has no spaces between words, and the metric looks for them.
    NoSpaces {
        /// The options that help, if there are any.
        options: Option<String>,
    },
    /// Published scores of the language are computed with another tokenizer.
    UsualTokenizer {
        /// The tokenizer in use.
        used: String,
        /// The one of published scores.
        usual: String,
        /// Where to get its dictionary.
        dictionary: String,
        /// The one that is chosen if the language is given.
        chosen: String,
    },
    /// METEOR's tokenizer of another language sets every character apart.
    CharactersByMeteor {
        /// METEOR's language in use.
        used: String,
    },
    /// METEOR for another language.
    MeteorLanguage {
        /// METEOR's language in use, or `None` if it is set to languages that it does not know.
        used: Option<String>,
        /// The value of `lang` for the language.
        lang: String,
    },
    /// METEOR has nothing for the language.
    UnknownToMeteor,
    /// METEOR cannot tokenize the language.
    UntokenizedByMeteor,
    /// The tokenizer of the metric keeps ASCII letters only.
    AsciiWords {
        /// The tokenizer for the language.
        tokenizer: String,
    },
    /// The metric is for English.
    EnglishOnly {
        /// Which part of it is.
        because: EnglishPart,
    },
    /// A model was not tested for the language.
    Untested {
        /// The names of those for which it was.
        tested: Vec<String>,
    },
}

/// The part of a metric that is for English only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EnglishPart {
    /// Its words and its parser.
    WordsAndParser,
    /// Its stems and synonyms, which it can do without.
    StemsAndSynonyms,
    /// The judgements that it learned from.
    Judgements,
}

/// Something that readers of a result should know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Warning {
    /// Empty hypotheses whose reference is not empty.
    EmptyHypotheses {
        /// The system.
        system: String,
        /// The number of such lines.
        count: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// Empty references.
    EmptyReferences {
        /// How many segments have one.
        count: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// The last lines of a system are empty: it probably stopped early.
    Truncated {
        /// The system.
        system: String,
        /// The last segment with a translation, from 1; 0 if there is none.
        last: usize,
        /// The number of segments.
        segments: usize,
    },
    /// Many lines end in a space and a full stop: they are probably tokenized.
    Tokenized {
        /// Where: a system, or the references.
        place: String,
        /// The number of such lines.
        count: usize,
    },
    /// A system's output equals the reference in every line.
    SameAsReference {
        /// The system.
        system: String,
    },
    /// Many hypotheses are copies of the source.
    Untranslated {
        /// The system.
        system: String,
        /// The number of such lines.
        count: usize,
        /// The number of segments.
        segments: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// Lines are more similar to the references of neighbouring segments than to their own.
    Misaligned {
        /// The system.
        system: String,
        /// The offset, in lines, of the references that are most similar.
        shift: isize,
    },
    /// Lines are more similar to the references of segments anywhere in the text than to their own.
    Shuffled {
        /// The system.
        system: String,
        /// Such a line, from 1.
        line: usize,
        /// The segment whose reference it fits, from 1.
        fits: usize,
    },
    /// A part of a system's lines is more similar to the references of segments before or after their own.
    MisalignedLines {
        /// The system.
        system: String,
        /// The first line of the part, from 1.
        first: usize,
        /// The last one.
        last: usize,
        /// The offset, in lines, of the references that are most similar.
        shift: isize,
        /// The line that looks inserted, from 1.
        inserted: Option<usize>,
        /// The segment whose translation looks dropped, from 1.
        missing: Option<usize>,
    },
    /// A system has the same output for all segments.
    IdenticalOutputs {
        /// The system.
        system: String,
        /// The number of segments.
        segments: usize,
    },
    /// Lines that do not look like translations.
    SuspiciousLines {
        /// Where: a system, or the references.
        place: String,
        /// What is suspicious.
        check: CheckKind,
        /// The number of such lines.
        count: usize,
        /// The number of segments.
        segments: usize,
        /// The first of them, from 1.
        first: usize,
    },
    /// Hypotheses that are in another language or script than their references.
    OtherLanguage {
        /// The system.
        system: String,
        /// The share of its lines, in per cent, estimated from some of them.
        percent: usize,
        /// The language or script of these lines.
        language: String,
        /// The language or script of their references.
        reference: String,
    },
    /// Single hypotheses that are in another language or script than their references.
    LinesInOtherLanguage {
        /// The system.
        system: String,
        /// The number of such lines.
        count: usize,
        /// The number of segments.
        segments: usize,
        /// The first of them, from 1.
        first: usize,
        /// The language or script of the first.
        language: String,
    },
    /// A character inside a line that other tools treat as a line end.
    LineSeparators {
        /// Where: a system, or the references.
        place: String,
        /// How many lines have one.
        count: usize,
        /// The first of them, from 1.
        first: usize,
        /// The character.
        character: char,
    },
    /// A byte order mark at the start.
    ByteOrderMark {
        /// Where: a system, or the references.
        place: String,
    },
    /// A file that is scored as a system is called a reference.
    SystemCalledReference {
        /// The file.
        file: String,
    },
    /// A name that is that of a file and that of a field of rows.
    FileNotField {
        /// The name.
        name: String,
        /// The file with the rows.
        file: String,
    },
    /// References that are not in the target language.
    NotTheTarget {
        /// The target language.
        target: LanguageName,
        /// The language or script of the references.
        found: String,
    },
    /// A language code that is not among the common ones.
    UnknownLanguageCode {
        /// The code.
        code: String,
        /// The common code closest to it, if one is close.
        nearest: Option<String>,
    },
    /// A metric that does not fit the language of the references.
    MetricLanguage {
        /// The metric.
        metric: String,
        /// The language.
        language: LanguageName,
        /// Why it does not fit.
        #[serde(flatten)]
        problem: LanguageProblem,
        /// Whether the language was found in the text, and not given by the caller.
        detected: bool,
        /// Whether the metric would fit if the language were given.
        solved_by_language: bool,
    },
    /// METEOR for a language that is written in another script than the references.
    MeteorScript {
        /// METEOR's language.
        used: String,
        /// The script of the references.
        script: String,
    },
    /// A metric without the table of paraphrases that published scores were computed with.
    NoParaphrases {
        /// The metric.
        metric: String,
        /// Its language, if it has one.
        language: Option<String>,
    },
    /// A metric that learned from the judgements that it is compared with.
    LearnedFrom {
        /// The metric.
        metric: String,
        /// The set and the language pair.
        judgements: String,
    },
    /// Scores of segments that are so long that a metric's search was cut short.
    SearchCutShort {
        /// The metric.
        metric: String,
        /// How many there are.
        segments: usize,
    },
    /// Segments that are longer than the window of a metric's encoder, which left out their end.
    LongSegments {
        /// The metric.
        metric: String,
        /// How many there are.
        segments: usize,
        /// The number of tokens that fit into the window.
        window: usize,
    },
    /// Lines of training data that are longer than the window of an encoder, which left out their end.
    LongLines {
        /// The set, and the metric; empty if all data are meant.
        place: String,
        /// How many there are.
        lines: usize,
        /// The number of tokens that fit into the window.
        window: usize,
    },
    /// A learned metric that is computed by default takes minutes.
    TakesMinutes {
        /// The metric.
        metric: String,
        /// The lines that it reads.
        lines: usize,
        /// How many minutes, about.
        minutes: usize,
    },
    /// A learned metric that would be computed by default is left out.
    MetricSkipped {
        /// The metric.
        metric: String,
        /// Why.
        because: SkippedBecause,
        /// The metrics that are computed without it.
        others: Vec<String>,
    },
    /// The signature that a metric was given by says otherwise than that of the scores computed here.
    OtherSignature {
        /// The metric.
        metric: String,
        /// What differs: `refs`, `tercet`.
        key: String,
        /// What the signature says.
        given: String,
        /// What it is here.
        here: String,
    },
    /// A signature of another version of sacreBLEU.
    SacrebleuVersion {
        /// The metric as it was given.
        metric: String,
        /// The version in the signature.
        given: String,
        /// The version that is computed here.
        here: String,
    },
    /// Parts of a signature of sacreBLEU that are about a run, and are not used.
    SacrebleuRun {
        /// The metric as it was given.
        metric: String,
        /// The keys of these parts.
        keys: Vec<String>,
    },
    /// Too few segments for intervals or tests.
    FewSegments {
        /// How many there are.
        segments: usize,
        /// What is unreliable.
        unreliable: Unreliable,
    },
    /// Too few documents for intervals and tests that draw whole ones.
    FewDocuments {
        /// How many there are.
        documents: usize,
    },
    /// References without a translation, or sentences that fit no reference, in an output that was aligned.
    NotAligned {
        /// The system.
        system: String,
        /// The number of segments without a translation.
        untranslated: usize,
        /// The number of sentences that fit no reference.
        added: usize,
        /// The first segment that is about, from 1.
        first: usize,
        /// The number of segments.
        segments: usize,
    },
    /// A training after which a model agrees no better with its development set than before.
    NothingGained {
        /// The agreement with the development set, by each measure.
        agreement: Vec<Gain>,
    },
    /// So few resamples that no adjusted p-value can be below 0.05.
    FewResamples {
        /// How many there are.
        resamples: usize,
        /// The number of tests for which p-values are adjusted.
        pairs: usize,
        /// How many are needed.
        needed: usize,
    },
    /// Two systems whose scores differ in few segments: tests rest on these alone.
    FewDifferences {
        /// The two systems.
        systems: [String; 2],
        /// The number of segments.
        segments: usize,
        /// The metrics by which so few differ.
        differing: Vec<DifferingSegments>,
    },
    /// Systems that have different numbers of rows.
    DifferentRows {
        /// The system with the fewest.
        fewest: String,
        /// How many it has.
        few: u64,
        /// The system with the most.
        most: String,
        /// How many it has.
        many: u64,
    },
    /// Segments with one candidate, which is chosen without a utility.
    SingleCandidates {
        /// How many there are.
        count: usize,
        /// The number of segments.
        segments: usize,
    },
    /// A set of judgements for which there is nothing to correlate.
    SetSkipped {
        /// The set and the language pair.
        set: String,
        /// Whether it lacks texts; if not, scores.
        lacks_texts: bool,
    },
    /// A metric whose scores are not of the judged systems.
    NotCorrelated {
        /// The metric.
        metric: String,
        /// Why.
        because: NotCorrelated,
    },
    /// Judged outputs that have no text, or no score by one of the metrics.
    OutputsLeftOut {
        /// The set and the language pair.
        set: String,
        /// How many there are.
        outputs: usize,
        /// The number of judged outputs.
        judged: usize,
    },
    /// Scores that a metric lacks count as 0.
    MissingScoresAreZero {
        /// The set and the language pair.
        set: String,
        /// The metric.
        metric: String,
        /// The number of missing scores: of judged outputs, or of systems for a metric that scores only these.
        scores: usize,
    },
    /// Errors that people marked without a place in the output, which are not compared with spans of metrics.
    ErrorsWithoutPlace {
        /// The set and the language pair.
        set: String,
        /// How many there are.
        errors: usize,
    },
    /// Systems that have no human score, or no score by one of the metrics.
    SystemsLeftOut {
        /// The set and the language pair.
        set: String,
        /// The systems.
        systems: Vec<String>,
    },
    /// Metrics are compared with judgements of outputs of which the references are post-edits.
    JudgedPostEdits {
        /// The set and the language pair.
        set: String,
    },
    /// References that are probably post-edits of the judged outputs.
    LikelyPostEdits {
        /// The set and the language pair.
        set: String,
        /// The number of outputs of four words or more that equal their reference.
        same: usize,
        /// The number of outputs of four words or more.
        outputs: usize,
    },
    /// Sets that say which of two translations is better, where ranks are needed.
    OnlyPairs {
        /// The sets with their language pairs.
        sets: Vec<String>,
    },
    /// No translation was ranked so often with ranks that agree.
    NoScoresDerived {
        /// What was derived: `l`, `lnf`, `xl`.
        set: String,
        /// The number of times.
        times: usize,
    },
    /// Thresholds that were found by few comparisons.
    ThinThresholds {
        /// The thresholds.
        thresholds: Vec<ThinThreshold>,
        /// The number of comparisons that are enough.
        needed: usize,
    },
    /// Training ended before its criterion was met.
    NotConverged {
        /// What was trained: `the ranking SVM`.
        what: String,
    },
    /// References that are post-edits of the judged outputs.
    PostEdits {
        /// The set.
        set: String,
    },
    /// A metric for English would be trained on other references.
    NotEnglish {
        /// The set.
        set: String,
        /// The language or script of its references.
        found: String,
    },
    /// A feature that has the same value in all examples.
    ConstantFeature {
        /// The feature.
        feature: String,
        /// The value.
        value: String,
    },
    /// Most words of the training data have no vector.
    FewVectors {
        /// How many have one.
        known: usize,
        /// The number of words.
        all: usize,
    },
    /// There are too few references to hold some out of the training.
    NothingHeldOut,
    /// A recipe that does not say what it trains.
    NoKind {
        /// The kind that it is read as.
        read_as: String,
    },
    /// A recipe without a development set.
    NoDevelopment,
    /// A file of the cache that was changed or cut off, so that it was computed again.
    DamagedCacheFile {
        /// The file.
        file: String,
    },
    /// A set of judgements whose systems cannot be ranked.
    NotRanked {
        /// The set and the language pair.
        set: String,
        /// Why.
        because: NotRanked,
    },
    /// A report that is too large to be kept among the past runs.
    ReportNotKept {
        /// The most megabytes of a report that is kept.
        megabytes: usize,
    },
}

impl Warning {
    /// Whether METEOR is set to another language than that of the text, or takes its words apart or together.
    pub fn is_of_meteor_for_another_language(&self) -> bool {
        use LanguageProblem::{CharactersByMeteor, MeteorLanguage, NoSpaces};
        match self {
            Warning::MeteorScript { .. } => true,
            Warning::MetricLanguage { metric, problem, .. } => {
                let is_meteor = metric == "meteor";
                is_meteor && matches!(problem, NoSpaces { .. } | CharactersByMeteor { .. } | MeteorLanguage { .. })
            }
            _ => false,
        }
    }

    /// Whether the metric would fit if the caller said which language the text is in, and what that language is, if it
    /// is known.
    pub fn is_solved_by_language(&self) -> Option<Option<&LanguageName>> {
        match self {
            Warning::MetricLanguage { language, detected: true, solved_by_language: true, .. } => Some(Some(language)),
            Warning::MeteorScript { .. } => Some(None),
            _ => None,
        }
    }
}

impl Display for Warning {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Warning::EmptyHypotheses { system, count, first } => {
                let lines = counted(*count, "empty line");
                write!(f, "{system}: {lines}, the first is line {first}; scored as it stands")
            }
            Warning::EmptyReferences { count, first } => {
                let segments = counted(*count, "segment");
                let what = "with an empty one, the first is line";
                write!(f, "the references: {segments} {what} {first}; scored as it stands")
            }
            Warning::Truncated { system, last, segments } => {
                write!(f, "{system}: nothing after line {last} of {segments}: did the system stop early?")
            }
            Warning::Tokenized { place, count } => write!(
                f,
                "{place}: {count} lines end in a full stop set apart: the text looks tokenized; scores of tokenized \
                 text cannot be compared with published ones, so detokenize it"
            ),
            Warning::SameAsReference { system } => {
                write!(f, "{system}: every line equals a reference: is it the right file?")
            }
            Warning::Untranslated { system, count, segments, first } => {
                let lines = lines_with_first(*count, *segments, *first, ["is a copy", "are copies"]);
                write!(f, "{system}: {lines} of the source")
            }
            Warning::LinesInOtherLanguage { system, count, segments, first, language } => {
                // Not every language shows in a single line.
                let at_least = if *count > 1 { "at least " } else { "" };
                let lines = lines_with_first(*count, *segments, *first, ["is in", "are in"]);
                let than = "another language than the reference";
                write!(f, "{system}: {at_least}{lines} {than} ({language}): not translated?")
            }
            Warning::Misaligned { system, shift } => {
                let side = if *shift > 0 { "further on" } else { "before" };
                let lines = counted(shift.unsigned_abs(), "line");
                write!(
                    f,
                    "{system}: lines fit the references {lines} {side} better than their own: is one missing or \
                     doubled?"
                )
            }
            Warning::MisalignedLines { system, first, last, shift, inserted, missing } => {
                let detail = Detail::Shift { shift: *shift, inserted: *inserted, missing: *missing };
                let reason =
                    Reason { kind: CheckKind::Misaligned, detail: &detail, lines: (*first, *last), fits: None };
                write!(f, "{system}: {reason}")
            }
            Warning::IdenticalOutputs { system, segments } => {
                write!(f, "{system}: all {segments} lines are the same: is it the right file?")
            }
            Warning::SuspiciousLines { place, check, count, segments, first } => {
                write!(f, "{place}: {}", lines_with_first(*count, *segments, *first, check.of_lines()))
            }
            Warning::Shuffled { system, line, fits } => write!(
                f,
                "{system}: lines fit the references of other segments better than their own (line {line} fits that of \
                 line {fits}): are they in another order?"
            ),
            Warning::OtherLanguage { system, percent, language, reference } => {
                let lines = match *percent > 95 {
                    true => "the text is".to_owned(),
                    false => format!("about {percent}% of the lines are"),
                };
                write!(f, "{system}: {lines} in {language}, the reference in {reference}: is it the right file?")
            }
            Warning::LineSeparators { place, count, first, character } => {
                let lines = counted(*count, "line");
                let name = match character {
                    '\r' => "\\r".to_owned(),
                    other => format!("U+{:04X}", u32::from(*other)),
                };
                write!(
                    f,
                    "{place}: {lines} with a line separator inside, the first is line {first} ({name}); tercet ends \
                     lines at \\n only, other tools may split here"
                )
            }
            Warning::ByteOrderMark { place } => write!(
                f,
                "{place}: starts with a byte order mark, which is scored as a part of the first word; remove it"
            ),
            Warning::SystemCalledReference { file } => {
                write!(f, "{file} is scored as a system, but is called a reference")
            }
            Warning::FileNotField { name, file } => {
                write!(f, "{name} is a file and a field of {file}: the file is read, not the field")
            }
            Warning::NotTheTarget { target, found } => {
                write!(f, "the target language is {}, but the references are in {found}", target.name)
            }
            Warning::UnknownLanguageCode { code, nearest } => {
                let meant = nearest.as_ref().map(|other| format!(": did you mean {other}?"));
                write!(f, "`{code}` is not among the language codes known here{}", meant.unwrap_or_default())
            }
            Warning::MetricLanguage { metric, language, problem, .. } => {
                write!(f, "{metric}: ")?;
                problem.write(f, metric, &language.name)
            }
            Warning::MeteorScript { used, script } => write!(
                f,
                "meteor: the references are in {script}, and METEOR is set to {used} (choose the language with \
                 meteor:lang=…)"
            ),
            Warning::NoParaphrases { metric, language } if metric == "meteor" => {
                let example = match language.as_deref() {
                    Some("en") => ": 0.2797, not 0.2991, on its own example",
                    _ => "",
                };
                write!(
                    f,
                    "meteor: no paraphrase table, so scores differ from those of METEOR's jar{example} (give its table \
                     with meteor:paraphrase=FILE, or choose modules without paraphrase)"
                )
            }
            Warning::NoParaphrases { metric, .. } => write!(
                f,
                "{metric}: no table of paraphrases, with which published scores were computed (give TERp's table, or \
                 METEOR's, with {metric}:phrases=FILE)"
            ),
            Warning::LearnedFrom { metric, judgements } => {
                write!(f, "{metric} was trained on {judgements}; its agreement with these judgements is inflated")
            }
            Warning::SearchCutShort { metric, segments } => {
                let (are, their) = match segments {
                    1 => ("segment is", "its score"),
                    _ => ("segments are", "their scores"),
                };
                write!(
                    f,
                    "{metric}: {segments} {are} so long that the search was cut short; {their} may be worse than by \
                     the definition"
                )
            }
            Warning::LongSegments { metric, segments, window } => {
                let are = if *segments == 1 { "segment is" } else { "segments are" };
                write!(f, "{metric}: {segments} {are} {}", longer_than(*window))
            }
            Warning::LongLines { place, lines, window } => {
                let colon = if place.is_empty() { "" } else { ": " };
                let are = if *lines == 1 { "line is" } else { "lines are" };
                write!(f, "{place}{colon}{lines} {are} {}", longer_than(*window))
            }
            Warning::TakesMinutes { metric, lines, minutes } => {
                let s = if *minutes == 1 { "" } else { "s" };
                write!(f, "{metric} reads {lines} different lines, which takes about {minutes} minute{s}")
            }
            Warning::MetricSkipped { metric, because: SkippedBecause::UnknownLanguage, .. } => {
                write!(f, "{metric} was skipped: the texts are too short to tell their language")
            }
            Warning::OtherSignature { metric, key, given, here } => match key.as_str() {
                "refs" => write!(
                    f,
                    "{metric}: the signature is of scores with refs={given}, but here it is refs={here}: they cannot \
                     be compared"
                ),
                "tercet" => {
                    write!(f, "{metric}: the signature is of tercet {given}, but this is {here}: scores may differ")
                }
                key => write!(
                    f,
                    "{metric}: the signature has {key}={given}, but here it is {here}: intervals and p-values differ"
                ),
            },
            Warning::SacrebleuVersion { metric, given, here } => {
                write!(f, "{metric}: the signature is of sacreBLEU {given}; tercet computes what sacreBLEU {here} does")
            }
            Warning::SacrebleuRun { metric, keys } => {
                write!(f, "{metric}: {} belong to the run, not to the metric, and are not used", keys.join(", "))
            }
            Warning::FewSegments { segments, unreliable } => {
                let problem = match unreliable {
                    Unreliable::Intervals => "too few for reliable intervals",
                    Unreliable::Tests => "with so few, p-values of resampling tests are too small",
                };
                write!(f, "only {}: {problem}", counted(*segments, "segment"))
            }
            Warning::FewDocuments { documents } => write!(
                f,
                "only {}: with so few, intervals of drawn documents are too narrow and p-values too small",
                counted(*documents, "document")
            ),
            Warning::NotAligned { system, untranslated, added, first, segments } => {
                let missing = (*untranslated > 0).then(|| {
                    let verb = if *untranslated == 1 { "has" } else { "have" };
                    format!("{untranslated} of {segments} segments {verb} no translation")
                });
                let more = (*added > 0).then(|| {
                    let (verb, was) = if *added == 1 { ("fits", "was") } else { ("fit", "were") };
                    format!("{} {verb} no reference and {was} added to a segment", counted(*added, "sentence"))
                });
                let found: Vec<String> = missing.into_iter().chain(more).collect();
                write!(f, "{system}: {}; the first: segment {first}", found.join(", "))
            }
            Warning::NothingGained { agreement } => {
                let of = |gain: &Gain| format!("{} {}, before {}", gain.measure, gain.after, gain.before);
                let found: Vec<String> = agreement.iter().map(of).collect();
                write!(
                    f,
                    "training gained nothing on the development set ({}): use the start, or train on more judgements",
                    found.join("; ")
                )
            }
            Warning::FewResamples { resamples, pairs, needed } => {
                let least = (*pairs as f64 / (*resamples as f64 + 1.0)).min(1.0);
                let word = if *pairs == 1 { "pair" } else { "pairs" };
                write!(
                    f,
                    "no difference can be significant: the least p-value of {resamples} resamples, adjusted for \
                     {pairs} {word} of systems, is {least:.3}, not below 0.05; ask for {needed} resamples or more"
                )
            }
            Warning::FewDifferences { systems: [a, b], segments, differing } => {
                let by = |one: &DifferingSegments| format!("{} by {}", one.segments, one.metric);
                let by: Vec<String> = differing.iter().map(by).collect();
                let by = by.join(", ");
                write!(f, "{a} and {b} differ in few of the {segments} segments ({by}): p-values rest on these alone")
            }
            Warning::DifferentRows { fewest, few, most, many } => write!(
                f,
                "the systems have different numbers of rows, from {few} ({fewest}) to {many} ({most}): their scores \
                 can only be compared if they translate the same segments"
            ),
            Warning::SingleCandidates { count, segments } => {
                write!(f, "{count} of {segments} segments have one candidate, which is chosen without a utility")
            }
            Warning::SetSkipped { set, lacks_texts: true } => {
                write!(f, "{set} was skipped: it has no texts to compute metrics on, and there are no scores of it")
            }
            Warning::SetSkipped { set, lacks_texts: false } => {
                write!(f, "{set} was skipped: none of the files has scores of this language pair")
            }
            Warning::NotCorrelated { metric, because: NotCorrelated::OtherSystems { set, system, found } } => {
                let what = format!("scores for none of the systems of {set} ({system}, …)");
                match found {
                    Some(found) => write!(f, "{metric} was skipped: its file has scores of {found}, …, and {what}"),
                    None => write!(f, "{metric} was skipped: its file has {what}"),
                }
            }
            Warning::NotCorrelated { metric, because: NotCorrelated::OtherTable { system } } => {
                let first = system.as_ref().map(|system| format!(" (its first is of {system:?})"));
                let what = "its table has no score of these systems, pairs and sets";
                write!(f, "{metric} was skipped: {what}{}", first.unwrap_or_default())
            }
            Warning::OutputsLeftOut { set, outputs, judged } => write!(
                f,
                "{set}: {outputs} of {judged} judged outputs are left out: they have no text, or no score by one of \
                 the metrics"
            ),
            Warning::MissingScoresAreZero { set, metric, scores } => {
                let what = if *scores == 1 { "score that is missing counts" } else { "scores that are missing count" };
                write!(f, "{set}: {scores} {what} as 0 for {metric}")
            }
            Warning::ErrorsWithoutPlace { set, errors } => {
                write!(f, "{set}: errors without a place in the output, such as omissions, are not compared: {errors}")
            }
            Warning::SystemsLeftOut { set, systems } => write!(
                f,
                "{set}: systems left out, since they have no human score, or no score by one of the metrics: {}",
                systems.join(", ")
            ),
            Warning::JudgedPostEdits { set } => write!(
                f,
                "{set}: the references are post-edits of the judged outputs: metrics agree with people more than with \
                 independent references"
            ),
            Warning::LikelyPostEdits { set, same, outputs } => write!(
                f,
                "{set}: {same} of {outputs} outputs of four words or more equal their reference: if the references are \
                 post-edits of them, metrics agree with people more than with independent references"
            ),
            Warning::OnlyPairs { sets } => {
                write!(f, "no ranks from 1 to 5 in {}, only which of two translations is better", sets.join(", "))
            }
            Warning::NoScoresDerived { times, .. } => {
                write!(f, "no score: no translation was ranked {times} times or more often with ranks that agree")
            }
            Warning::ThinThresholds { thresholds, needed } => {
                let each: Vec<String> =
                    thresholds.iter().map(|one| format!("n = {} ({})", one.n, one.comparisons)).collect();
                write!(
                    f,
                    "thresholds that were found by fewer than {needed} comparisons, and may throw much away: {}",
                    each.join(", ")
                )
            }
            Warning::NotConverged { what } => {
                write!(f, "{what} has not converged: scale the features, or set a lower C")
            }
            Warning::PostEdits { set } => write!(
                f,
                "{set}: the references are post-edits of the judged outputs: what is learned holds less with \
                 independent references"
            ),
            Warning::NotEnglish { set, found } => {
                write!(f, "{set}: the references are not English, but {found}: the models of siamese know English only")
            }
            Warning::ConstantFeature { feature, value } => {
                write!(f, "the feature {feature} is {value} in all examples: it says nothing")
            }
            Warning::FewVectors { known, all } => {
                write!(f, "only {known} of {all} words of the data have a vector; the others are left out")
            }
            Warning::NothingHeldOut => f.write_str(
                "too few references to hold some out: the last epoch is kept, and it is not known how good it is",
            ),
            Warning::NoKind { read_as } => write!(f, "the recipe has no `kind`: it is read as kind = \"{read_as}\""),
            Warning::NoDevelopment => {
                f.write_str("no [data] development: the last state is kept, and it is not known how good it is")
            }
            Warning::DamagedCacheFile { file } => {
                write!(f, "{file}: its checksum is missing or wrong, so it was not used: computed again")
            }
            Warning::NotRanked { set, because } => write!(f, "{set} {because}"),
            Warning::ReportNotKept { megabytes } => {
                write!(f, "this report is not among the past runs: it has more than {megabytes} MB")
            }
        }
    }
}

impl LanguageProblem {
    fn write(&self, f: &mut Formatter<'_>, metric: &str, language: &str) -> fmt::Result {
        match self {
            LanguageProblem::NoSpaces { options } => {
                write!(f, "{language} has no spaces between words, so a whole sentence counts as one word")?;
                match options {
                    Some(options) => write!(f, " (use {metric}:{options})"),
                    None => f.write_str(" (split the text into words, or use cer or chrf)"),
                }
            }
            LanguageProblem::UsualTokenizer { used, usual, dictionary, .. } => write!(
                f,
                "tok={used} for {language}: scores cannot be compared with published ones, which use {usual} (its \
                 dictionary: {dictionary})"
            ),
            LanguageProblem::MeteorLanguage { used, lang } => {
                match used {
                    Some(used) => write!(f, "the text is {language}, not {used}"),
                    None => write!(f, "the text is {language}, which METEOR knows"),
                }?;
                write!(f, " (use meteor:lang={lang})")
            }
            LanguageProblem::CharactersByMeteor { used } => write!(
                f,
                "METEOR does not know {language}, and its tokenizer for {used} counts every character as a word (split \
                 the text into words and use meteor:lang=other, or use cer or chrf)"
            ),
            LanguageProblem::UnknownToMeteor => write!(
                f,
                "METEOR does not know {language}: only equal words match, and punctuation is not split from words \
                 (tokenize the text before)"
            ),
            LanguageProblem::UntokenizedByMeteor => write!(
                f,
                "METEOR has no tokenizer for {language}: punctuation is not split from words (tokenize the text before)"
            ),
            LanguageProblem::AsciiWords { tokenizer } => write!(
                f,
                "tok=rouge keeps only letters from a to z and digits, and the text is {language} (use \
                 {metric}:tok={tokenizer})"
            ),
            LanguageProblem::Untested { tested } => {
                let tested = tested.join(", ");
                write!(f, "nobody has tested it for {language}: compare systems with chrf too (tested: {tested})")
            }
            LanguageProblem::EnglishOnly { because } => {
                write!(f, "the text is {language}, and {metric} is for English: ")?;
                match because {
                    EnglishPart::WordsAndParser => f.write_str("its words and its parser are"),
                    EnglishPart::StemsAndSynonyms => {
                        write!(f, "its stems and synonyms are (use {metric}:stems=no,synonyms=no)")
                    }
                    EnglishPart::Judgements => f.write_str("it has learned no other language"),
                }
            }
        }
    }
}

fn longer_than(window: usize) -> String {
    format!("longer than the encoder's window of {window} tokens; the end was left out")
}

/// `1 line`, `2 lines`.
fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// `line 3 of 9 is`, `2 of 9 lines (the first is line 3) are`.
fn lines_with_first(count: usize, segments: usize, first: usize, [is, are]: [&str; 2]) -> String {
    match count {
        1 => format!("line {first} of {segments} {is}"),
        _ => format!("{count} of {segments} lines (the first is line {first}) {are}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stopped;

    #[test]
    fn a_warning_is_kept_and_passed_on_once() {
        let heard = Mutex::new(Vec::new());
        let callback = |event: &Event<'_>| {
            if let Event::Warning(warning) = event {
                heard.lock().unwrap().push((*warning).clone());
            }
            ControlFlow::Continue(())
        };
        let work = |progress: Progress<'_>| {
            progress.warn(&Warning::NothingHeldOut)?;
            progress.quiet().warn(&Warning::NothingHeldOut)?;
            progress.warn(&Warning::NoDevelopment)?;
            Ok::<_, Stopped>(1)
        };
        let done = Done::collect(Progress::new(&callback), work).unwrap();
        assert_eq!(done, Done { result: 1, warnings: heard.into_inner().unwrap() });
        assert_eq!(done.warnings, [Warning::NothingHeldOut, Warning::NoDevelopment]);
    }

    #[test]
    fn warnings_are_read_as_they_are_written() {
        let warning = Warning::MetricLanguage {
            metric: "bleu".to_owned(),
            language: LanguageName { code: "zh".to_owned(), name: "Chinese".to_owned() },
            problem: LanguageProblem::NoSpaces { options: Some("tok=zh".to_owned()) },
            detected: true,
            solved_by_language: true,
        };
        let json = serde_json::to_string(&warning).unwrap();
        let expected = concat!(
            r#"{"kind":"metric_language","metric":"bleu","language":{"code":"zh","name":"Chinese"},"#,
            r#""problem":"no_spaces","options":"tok=zh","detected":true,"solved_by_language":true}"#
        );
        assert_eq!(json, expected);
        assert_eq!(serde_json::from_str::<Warning>(&json).unwrap(), warning);
    }
}
