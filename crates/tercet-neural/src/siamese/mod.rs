//! Siamese: how good a translation is, by an encoder that learned from human judgements.
//!
//! Hypothesis, reference and source go through the same transformer, each by itself. A small network compares the
//! vectors of two sentences, how well their tokens match, and their strings (`head.rs`, `strings.rs`). It was trained
//! on human judgements of WMT; see `training/siamese`. `tercet-research` fine-tunes a model on further judgements.
//!
//! # Ways
//! A model for English knows references only. One of many languages takes what it is given: references, the source, or
//! both. Signatures have `refs=0` without references, and `src=yes` where the source counted. The language chooses the
//! model: that of `lang` (`-l` of the command), else the one in which references certainly are; English is the default.
//!
//! # As a metric
//! The score of a segment is in points from 0 to 100: the median of the outputs of WMT's systems that the model was
//! calibrated on has 50, and 20 points are their standard deviation. `scale=percentile` says instead how many per cent
//! of these outputs are worse, and `scale=raw` is the number that the network gives, about 0 for an average output and
//! 1 for one that is better by a standard deviation of human scores; the components have both. Between 10 and 90,
//! points are in proportion to the network's number, because percentiles agree less with people: they differ most among
//! average outputs and least among the best and worst. The score of a system is the mean of its segments. With several
//! references the best one counts.
//!
//! The preference is P(a better than b) = σ((raw(a) − raw(b)) / T); T was fitted to rankings that the model has not
//! learned from.
//!
//! # Choices
//! - If only one of hypothesis and reference has words, the score is the lowest of the calibration; if neither has, the
//!   highest.
//! - A line that is longer than the window of 256 tokens is encoded in up to eight parts (`lines.rs`); the end of a
//!   still longer one is left out, and a warning says so. A hypothesis that is longer than the window and has more than
//!   twice as many tokens as the reference has the lowest score: repeated words find their partners again and again.
//! - Words without a good partner on the other side are found by the same matching of tokens (`explain.rs`).
//! - Lines are encoded in groups of about a hundred, each distinct line of a group once, so n systems cost n + 1
//!   encodings per segment. n candidates with each other as references cost n.

pub mod calibration;
mod differences;
mod embedded;
mod explain;
pub mod head;
mod import;
pub mod lines;
pub mod model;
mod pieces;
pub mod strings;
pub mod tensors;
#[cfg(test)]
mod tests;

pub use embedded::Embedded;
pub use import::import;
pub use model::SiameseModel;
pub use tensors::WeightFormat;

use crate::encode::without_mark;
use crate::error::{Error, Result};
use crate::metrics::{
    Component, CrossScores, Explain, LanguageRules, MarkWords, Metric, MetricInfo, OptionInfo, Options, Paper,
    Preference, Scale, Segment, Spec, Tally, TranslationPair, Values,
};
use crate::text::{LANGUAGES, Language, TextLanguage};
use crate::warning::{EnglishPart, LanguageProblem, Warning};
use calibration::Calibration;
use foldhash::{HashMap, HashSet};
use head::Way;
use lines::LineVectors;
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use strings::LineStrings;
use tercet_base::stop;
use tercet_model::model_file::ModelFile;

/// The entry in a [`Registry`](crate::metrics::Registry).
pub static INFO: MetricInfo = MetricInfo {
    name: "siamese",
    summary: "how good people would find a translation, by an encoder that learned from their judgements",
    citation: "training/siamese",
    papers: &[PAPER],
    agrees_with: "no public tool",
    scale: Scale::Hundred,
    people_agree: include_str!("people_agree.tsv"),
    options: &[
        OptionInfo::file("model", "a trained model, instead of the embedded one"),
        OptionInfo {
            key: "size",
            values: Values::Choice(&["auto", "fast"]),
            default: "auto",
            help: "which embedded model: fast is a smaller one, for many lines",
        },
        OptionInfo {
            key: "way",
            values: Values::Choice(&["auto", "reference", "source", "both"]),
            default: "auto",
            help: "what a translation is compared with; auto: what there is and the model can use",
        },
        OptionInfo {
            key: "lang",
            values: Values::Text,
            default: "auto",
            help: "target language, which chooses the embedded model; auto: that of the references",
        },
        OptionInfo {
            key: "scale",
            values: Values::Choice(&["points", "percentile", "raw"]),
            default: "points",
            help: "50 is an average output and 20 a standard deviation; per cent of outputs that are worse; the \
                   network's number",
        },
    ],
    aliases: &[("siamese-fast", "siamese:size=fast")],
    without_references: Some(("way", "source")),
    language: LanguageRules {
        option: |language| {
            let known = LANGUAGES.iter().find(|(code, _)| *code == language.code());
            known.map(|(code, _)| ("lang", *code))
        },
        problem: language_problem,
        ..LanguageRules::NONE
    },
    needs: if cfg!(feature = "siamese") { None } else { Some("model") },
    preference: Some(|options, _| Ok(Arc::new(Siamese::from_options(options)?))),
    ..MetricInfo::new(|options, _| Ok(Arc::new(Siamese::from_options(options)?)))
};

/// What is to be said about the embedded models and a language; of a file nothing is known by its name.
fn language_problem(signature: &Spec, language: &Language, _: bool) -> Option<LanguageProblem> {
    if language.code() == "en" || signature.option("model").is_some() {
        return None;
    }
    match Embedded::Multilingual.model().filter(|_| signature.option("size") != Some("fast")) {
        None => Some(LanguageProblem::EnglishOnly { because: EnglishPart::Judgements }),
        Some(model) => untested(model, language),
    }
}

/// The problem that a model was not tested for a language, if it is known for which it was.
fn untested(model: &SiameseModel, language: &Language) -> Option<LanguageProblem> {
    let tested = model.languages();
    let is_untested = !tested.is_empty() && !tested.contains(language);
    is_untested.then(|| LanguageProblem::Untested { tested: tested.iter().map(Language::name).collect() })
}

const PAPER: Paper = Paper {
    short: "tercet",
    bibtex: concat!(
        "@software{tercet,\n  title   = {tercet: a toolkit for judging machine translation},\n",
        "  author  = {{the tercet authors}},\n  version = {",
        env!("CARGO_PKG_VERSION"),
        "},\n}"
    ),
};

/// Lines that show the language.
const DETECTED_LINES: usize = 1_000;

/// Lines that are encoded together: the vectors of their tokens are held at once, about 100 KB each.
const LINES: usize = 96;

/// Bytes of text that count as a line more.
const LINE_BYTES: usize = 512;

/// Bytes of the references of a segment that are compared together.
const PART_BYTES: usize = 1 << 16;

/// A model as a metric and as a preference.
#[derive(Clone)]
pub struct Siamese {
    options: Options,
    model: Arc<SiameseModel>,
    /// The target language, if it is known.
    language: Option<Language>,
    /// Translations that were compared, or their references, whose end was left out.
    cut: Arc<AtomicUsize>,
}

/// The score of a segment.
#[derive(Clone, Copy, Debug)]
struct Scored {
    raw: f64,
    cut: bool,
    /// The best reference, if there are any.
    reference: Option<usize>,
    way: Way,
}

impl Siamese {
    fn from_options(options: Options) -> Result<Self> {
        let language = match options.text("lang") {
            "auto" => None,
            code => Some(Language::target(code)?),
        };
        let model = match options.file("model") {
            Some(path) => Arc::new(SiameseModel::open(path)?),
            None => embedded(&options, language.as_ref())?,
        };
        if matches!(options.text("way"), "source" | "both") && !model.reads_source() {
            return Err(Error::NeedsReferences { metric: options.spec().to_string(), is_model: true });
        }
        Siamese { model, options, language: None, cut: Arc::default() }.with_language(language)
    }

    /// The metric for a target language. Fails if the model has never seen its script.
    fn with_language(self, language: Option<Language>) -> Result<Self> {
        if let Some(unknown) = language.as_ref().filter(|language| !self.model.knows_script_of(language)) {
            let (title, language) = (self.title(), unknown.name());
            let what = format!("{title}: its encoder has never seen the script of {language} (use chrf)");
            return Err(Error::BadRequest(what));
        }
        Ok(Siamese { language, ..self })
    }

    /// The model.
    pub fn model(&self) -> &SiameseModel {
        &self.model
    }

    /// The metric for references that are certainly in another language than English, if that changes anything.
    fn for_references(&self, references: &[&[&str]]) -> Result<Option<Siamese>> {
        let is_open = self.options.text("lang") == "auto" && self.options.text("size") != "fast";
        let is_file = self.options.file("model").is_some();
        let has_use = if is_file { self.model.head.has_flags() } else { Embedded::Multilingual.is_there() };
        let Some(language) = (is_open && has_use).then(|| language_of(references)).flatten() else { return Ok(None) };
        if language.code() == "en" {
            return Ok(None);
        }
        let mut options = self.options.clone();
        options.set("lang", language.code())?;
        let model = if is_file { Arc::clone(&self.model) } else { embedded(&options, Some(&language))? };
        let metric = Siamese { options, model, language: None, cut: Arc::clone(&self.cut) };
        metric.with_language(Some(language)).map(Some)
    }

    /// The score of the network on the scale that was asked for.
    fn on_scale(&self, scored: &Scored) -> f64 {
        let calibration = self.model.calibration(scored.way);
        match self.options.text("scale") {
            "percentile" => calibration.percentile(scored.raw),
            "raw" => scored.raw,
            _ => calibration.points(scored.raw),
        }
    }

    /// What the score of the tally of one segment means.
    fn calibration_of(&self, tally: &Tally) -> Option<&Calibration> {
        let way = Way::ALL.get(*tally.get(5)? as usize)?;
        Some(self.model.calibration(*way))
    }

    /// The source of a segment, if the model can use it.
    fn source<'s>(&self, segment: &Segment<'s>) -> Option<&'s str> {
        segment.source.filter(|_| self.reads_source())
    }

    /// The references of a segment, if they are wanted.
    fn references<'s>(&self, segment: &Segment<'s>) -> &'s [&'s str] {
        if self.options.text("way") == "source" { &[] } else { segment.references }
    }

    /// The scores of segments; those with the same references should be adjacent. Fails if sources are asked for that
    /// are not there.
    fn scored(&self, segments: &[Segment<'_>]) -> Result<Vec<Scored>> {
        let way = self.options.text("way");
        if matches!(way, "source" | "both") && segments.iter().any(|segment| segment.source.is_none()) {
            return Err(Error::Needs { what: format!("siamese:way={way}"), needs: "the source of each segment" });
        }
        let parts: Vec<Segment<'_>> = segments.iter().flat_map(in_parts).collect();
        let scored = self.in_groups(&parts, |part, vectors| self.best(part, |line| &vectors[without_mark(line)]));
        let mut scored = scored.into_iter();
        let whole = |segment: &Segment<'_>| -> Result<Scored> {
            let mut before = 0;
            let mut best: Option<Scored> = None;
            for part in in_parts(segment) {
                let found = scored.next().expect("every part was scored")?;
                let cut = found.cut || best.as_ref().is_some_and(|best| best.cut);
                if best.as_ref().is_none_or(|best| found.raw > best.raw) {
                    best = Some(Scored { reference: found.reference.map(|place| before + place), ..found });
                }
                best.iter_mut().for_each(|best| best.cut = cut);
                before += part.references.len();
            }
            Ok(best.expect("a segment has a part"))
        };
        segments.iter().map(whole).collect()
    }

    /// Calls `result` for each segment; lines are encoded in groups.
    fn in_groups<R>(
        &self,
        segments: &[Segment<'_>],
        result: impl Fn(&Segment<'_>, &HashMap<&str, LineVectors>) -> R,
    ) -> Vec<R> {
        let mut results = Vec::with_capacity(segments.len());
        let mut rest = segments;
        while !rest.is_empty() {
            let (group, after) = rest.split_at(group_length(rest));
            let lines = group.iter().flat_map(|segment| {
                self.references(segment).iter().copied().chain([segment.hypothesis]).chain(self.source(segment))
            });
            let vectors = self.distinct_vectors(lines);
            results.extend(group.iter().map(|segment| result(segment, &vectors)));
            rest = after;
        }
        results
    }

    /// The vectors of lines, each of them encoded once.
    fn distinct_vectors<'l>(&self, lines: impl Iterator<Item = &'l str>) -> HashMap<&'l str, LineVectors> {
        let mut known = HashSet::default();
        let distinct: Vec<&str> = lines.map(without_mark).filter(|line| known.insert(*line)).collect();
        distinct.iter().copied().zip(self.model.vectors(&distinct, self.language.as_ref())).collect()
    }

    /// The score with the best reference, with the source, or with both.
    fn best<'v>(&self, segment: &Segment<'_>, of: impl Fn(&str) -> &'v LineVectors) -> Result<Scored> {
        let hypothesis = of(segment.hypothesis);
        let (references, source) = (self.references(segment), self.source(segment).map(&of));
        let way = Way::of(!references.is_empty(), source.is_some()).unwrap_or(Way::Reference);
        let [lowest, highest] = self.model.calibration(way).ends();
        let score = |reference: Option<&LineVectors>| {
            let mut others = reference.into_iter().chain(source);
            match hypothesis.is_empty() {
                true if others.clone().all(LineVectors::is_empty) => highest,
                true => lowest,
                false if others.any(|other| other.is_empty() || hypothesis.is_far_longer_than(other)) => lowest,
                false => self.model.head.score(hypothesis, reference, source),
            }
        };
        let cut = hypothesis.cut || source.is_some_and(|source| source.cut);
        let mut best = Scored { raw: f64::NEG_INFINITY, cut, reference: None, way };
        if way == Way::Source {
            best.raw = score(None);
        }
        for (place, reference) in references.iter().enumerate() {
            let reference = of(reference);
            let raw = score(Some(reference));
            if raw > best.raw || best.raw.is_nan() || best.reference.is_none() {
                (best.raw, best.reference) = (raw, Some(place));
            }
            best.cut |= reference.cut;
        }
        match best.raw {
            f64::NEG_INFINITY if best.reference.is_none() => Ok(Scored { raw: lowest, ..best }),
            raw if raw.is_finite() => Ok(best),
            found => {
                let hint = Some("its model overflows on this text".to_owned());
                Err(Error::NotFinite { what: self.title(), found, hint })
            }
        }
    }
}

/// The embedded model that options and a language choose. Where that for other languages is missing, it is the English
/// one: warnings say what it is for.
fn embedded(options: &Options, language: Option<&Language>) -> Result<Arc<SiameseModel>> {
    let is_other = language.is_some_and(|language| language.code() != "en");
    let wanted = match options.text("size") {
        "fast" => Embedded::Fast,
        _ if matches!(options.text("way"), "source" | "both") => Embedded::Multilingual,
        _ if is_other && Embedded::Multilingual.is_there() => Embedded::Multilingual,
        _ => Embedded::English,
    };
    wanted.model().cloned().ok_or_else(|| {
        let purpose = wanted.purpose();
        let reason =
            format!("it needs model=FILE, a trained model: this program was built without the one for {purpose}");
        Error::BadSpec { what: "metric", text: INFO.name.to_owned(), reason }
    })
}

/// The file of the embedded model for English.
pub fn embedded_file() -> Result<ModelFile> {
    if Embedded::English.is_there() {
        return Embedded::English.file();
    }
    let what = "start is missing: name a model, for this program was built without one";
    Err(Error::BadRequest(what.to_owned()))
}

/// The language in which references certainly are.
fn language_of(references: &[&[&str]]) -> Option<Language> {
    let step = references.len().div_ceil(DETECTED_LINES).max(1);
    let lines = references.iter().step_by(step).filter_map(|references| references.first().copied());
    TextLanguage::detect(lines)?.language
}

/// A segment, or several whose references are parts of its own where all together are long: the vectors of a line take
/// a thousand times its bytes.
fn in_parts<'s>(segment: &Segment<'s>) -> impl Iterator<Item = Segment<'s>> {
    let bytes: usize = segment.references.iter().map(|line| line.len()).sum();
    let parts = (bytes / PART_BYTES + 1).min(segment.references.len()).max(1);
    let size = segment.references.len().div_ceil(parts).max(1);
    let count = segment.references.len().div_ceil(size).max(1);
    let segment = *segment;
    (0..count).map(move |part| {
        let references = &segment.references[part * size..segment.references.len().min((part + 1) * size)];
        Segment { references, ..segment }
    })
}

/// The number of segments of the first group: all with the same references, until there are enough lines, long ones
/// counting as several. More segments with the same references than that are several groups.
fn group_length(segments: &[Segment<'_>]) -> usize {
    let lines_of = |text: &&str| 1 + text.len() / LINE_BYTES;
    let mut length = 0;
    let mut lines = 0;
    for run in segments.chunk_by(|one, other| one.references == other.references) {
        let mut of_run = 0;
        for segment in run {
            length += 1;
            of_run += lines_of(&segment.hypothesis);
            if of_run >= LINES {
                return length;
            }
        }
        let source = run[0].source.as_ref().map_or(0, &lines_of);
        lines += of_run + source + run[0].references.iter().map(lines_of).sum::<usize>();
        if lines >= LINES {
            break;
        }
    }
    length
}

impl Metric for Siamese {
    fn info(&self) -> &MetricInfo {
        &INFO
    }

    fn signature(&self) -> Spec {
        let spec = self.options.spec().with("sha256", &self.model.record().hash);
        // English is the default.
        if spec.option("lang") == Some("en") { spec.without_option("lang") } else { spec }
    }

    fn title(&self) -> String {
        self.model.title().unwrap_or("Siamese").to_owned()
    }

    fn reads_source(&self) -> bool {
        self.options.text("way") != "reference" && self.model.reads_source()
    }

    fn used_source(&self, total: &Tally) -> bool {
        total.get(5).is_some_and(|ways| *ways > 0.0)
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
        Ok(self.for_references(references)?.map(|metric| Arc::new(metric) as _))
    }

    fn warnings(&self) -> Vec<Warning> {
        let of_file = self.language.as_ref().filter(|_| self.options.file("model").is_some());
        let problem = of_file.and_then(|language| Some((language, untested(&self.model, language)?)));
        let warning = problem.map(|(language, problem)| Warning::MetricLanguage {
            metric: INFO.name.to_owned(),
            language: language.into(),
            problem,
            detected: false,
            solved_by_language: false,
        });
        warning.into_iter().collect()
    }

    fn learned_from(&self) -> Option<&str> {
        self.model.record().note("trained_on")
    }

    fn explainer(&self) -> Option<&dyn Explain> {
        Some(self)
    }

    fn marker(&self) -> Option<&dyn MarkWords> {
        Some(self)
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let tally = |scored: Scored| {
            let calibration = self.model.calibration(scored.way);
            let percentile = calibration.percentile(scored.raw);
            let (cut, way) = (f64::from(u8::from(scored.cut)), f64::from(scored.way as u8));
            Tally::new(vec![self.on_scale(&scored), 1.0, scored.raw, percentile, cut, way])
        };
        Ok(self.scored(batch)?.into_iter().map(tally).collect())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }

    fn strength(&self, tally: &Tally) -> Option<f64> {
        Some(self.calibration_of(tally)?.log_odds(*tally.get(2)?))
    }

    /// n lines cost n encodings.
    fn cross_scores(&self, lines: &[&str]) -> Result<CrossScores> {
        if self.options.text("way") != "auto" && self.reads_source() {
            let what = "candidates are compared with each other, not with the source: leave out way";
            return Err(Error::BadRequest(what.to_owned()));
        }
        let vectors = self.distinct_vectors(lines.iter().copied());
        let with_reference = |reference: &&str| -> Vec<Result<Scored>> {
            let score =
                |line: &&str| self.best(&Segment::new(line, &[*reference]), |line| &vectors[without_mark(line)]);
            lines.iter().map(score).collect()
        };
        let scored: Vec<Scored> =
            lines.par_iter().flat_map_iter(stop::carried(with_reference)).collect::<Result<_>>()?;
        Ok(CrossScores {
            scores: scored.iter().map(|scored| self.on_scale(scored)).collect(),
            unfinished: scored.iter().filter(|scored| scored.cut).count(),
        })
    }

    fn components(&self, total: &Tally) -> Vec<Component> {
        let [_, count, raw, percentile, ..] = total[..] else { return Vec::new() };
        let mean = |sum: f64| sum / count.max(1.0);
        vec![Component::new("raw", mean(raw)), Component::new("percentile", mean(percentile))]
    }

    fn is_unfinished(&self, tally: &Tally) -> bool {
        tally.get(4).is_some_and(|cut| *cut > 0.0)
    }

    fn unfinished_warning(&self, count: usize) -> Warning {
        let (metric, window) = (self.title(), self.model.longest());
        Warning::LongSegments { metric, segments: count, window }
    }
}

impl Preference for Siamese {
    fn metric(&self) -> &dyn Metric {
        self
    }

    fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Preference>>> {
        Ok(self.for_references(references)?.map(|metric| Arc::new(metric) as _))
    }

    fn unfinished(&self) -> usize {
        self.cut.load(Ordering::Relaxed)
    }

    fn prefer_all(&self, pairs: &[TranslationPair<'_>]) -> Result<Vec<f64>> {
        let segments: Vec<Segment<'_>> = pairs.iter().flat_map(TranslationPair::segments).collect();
        let scored = self.scored(&segments)?;
        self.cut.fetch_add(scored.iter().filter(|scored| scored.cut).count(), Ordering::Relaxed);
        let probability = |([a, b], pair): (&[Scored; 2], &TranslationPair<'_>)| {
            let calibration = self.model.calibration(a.way);
            let strings = calibration.needs_strings().then(|| pair.both().map(LineStrings::new));
            let strings = strings.as_ref().map(|strings| strings.each_ref());
            calibration.preference([a.raw, b.raw], strings)
        };
        Ok(scored.as_chunks().0.iter().zip(pairs).map(probability).collect())
    }

    fn prefer_tallies(&self, a: &Tally, b: &Tally) -> Option<f64> {
        let calibration = self.calibration_of(a).filter(|calibration| !calibration.needs_strings())?;
        Some(calibration.preference([*a.get(2)?, *b.get(2)?], None))
    }
}
