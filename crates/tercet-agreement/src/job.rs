//! `correlate` as a use case: which judgements, metrics, scores and statistics, and everything that follows from them.

use super::agreement::{Agreement, AgreementCeiling, AgreementReport};
use super::correlate::{CorrelateResult, SystemScores, correlate};
use super::given_scores::{GivenScores, ScoreTable};
use super::overall::TaskAttribute;
use super::pooled::pooled_accuracy;
use super::post_edits::PostEdits;
use super::raters::{ceiling_of_identical, standardised};
use super::statistic_name::{Average, IntervalKind, Missing, StatisticName, Test};
use super::systems::Method;
use crate::corpora::{JudgementFields, JudgementSource, Judgements, Level, Levels, MetricScores, select_rows};
use crate::error::{Error, Result};
use crate::metrics::{NamedMetric, Registry};
use crate::progress::Progress;
use crate::scoring::{DEFAULT_METRICS, check_language, signature_differences};
use crate::statistics::Grouping;
use crate::text::Language;
use crate::warning::{Done, NotCorrelated, Warning};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The maximum number of draws.
pub const MAX_DRAWS: usize = 10_000_000;

tercet_base::defaults! {
    /// How well metrics agree with human judgements. The default: the usual statistics at both levels, with 1000
    /// bootstrap draws and tests between metrics.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct CorrelateJob {
        /// Folders or files of human judgements.
        pub judgements: Vec<PathBuf> = Vec::new(),
        /// The fields of the judgements, if they are rows with other than the usual names.
        pub fields: JudgementFields = JudgementFields::default(),
        /// Only these language pairs; if empty, all.
        pub pairs: Vec<String> = Vec::new(),
        /// Metrics to compute on the texts. If there are none, and no scores, the scores that come with the set, or
        /// else BLEU, chrF and TER.
        pub metrics: Vec<String> = Vec::new(),
        /// Files of scores by other metrics.
        pub scores: Vec<PathBuf> = Vec::new(),
        /// Names of metrics in files of scores whose lower scores are better; tercet's own metrics need not be listed.
        pub lower_is_better: Vec<String> = Vec::new(),
        /// Whether to include the metric scores that come with the set.
        pub stored: bool = false,
        /// The levels.
        pub level: Levels = Levels::Both,
        /// The statistics; if empty, the usual ones for the set.
        pub statistics: Vec<StatisticName> = Vec::new(),
        /// The minimum difference of raw scores that counts as a ranking, for DARR.
        pub threshold: Option<f64> = None,
        /// Differences of a metric's scores up to this count as ties, for tau-23 and acc-23; calibrated if it is not
        /// given.
        pub epsilon: Option<f64> = None,
        /// How scores are grouped. Default: as usual for the statistic.
        pub grouping: Option<Grouping> = None,
        /// How the values of groups are averaged.
        pub average: Average = Average::Macro,
        /// What becomes of judged outputs without a score by one of the metrics.
        pub missing: Missing = Missing::LeaveOut,
        /// Which human scores. Default: the standard ones (mqm before esa before raw scores and z), or the set's first.
        /// `NAME-z` are those of NAME standardised by rater, where raters are known.
        pub human: Option<String> = None,
        /// How systems are scored from relative rankings.
        pub method: Method = Method::ExpectedWins,
        /// Which references; if empty, refA, ref or the first by name.
        pub references: Vec<String> = Vec::new(),
        /// Whether human translations are included as systems.
        pub include_human: bool = false,
        /// The method of the intervals.
        pub interval: IntervalKind = IntervalKind::Bootstrap,
        /// The test between metrics.
        pub test: Test = Test::Auto,
        /// The significance level of clusters.
        pub alpha: f64 = 0.05,
        /// The number of draws for intervals and tests.
        #[serde(alias = "samples")]
        pub resamples: usize = crate::scoring::RESAMPLES,
        /// Their seed.
        pub seed: u64 = crate::scoring::SEED,
        /// The average rank and value of each metric over all tables, if requested: the attributes by which their
        /// weights
        /// are shared, the first one first; none if all weigh the same.
        pub overall: Option<Vec<TaskAttribute>> = None,
        /// Whether the metrics with the best agreement come first.
        pub sort: bool = false,
        /// Whether text, Markdown and LaTeX show tables of p-values; the other formats always have them.
        pub p_values: bool = false,
    }
}

impl CorrelateJob {
    /// Returns an error for settings that cannot be met, before anything is read.
    pub fn validate(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.alpha) {
            let expected = "a probability from 0 to 1";
            return Err(Error::out_of_range("alpha", expected, self.alpha));
        }
        if !(1..=MAX_DRAWS).contains(&self.resamples) {
            let expected = format!("a number from 1 to {MAX_DRAWS}");
            return Err(Error::out_of_range("resamples", expected, self.resamples));
        }
        if self.threshold.is_some() && !self.statistics.contains(&StatisticName::Darr) {
            return Err(Error::NoEffect { setting: "threshold", needs: "the statistic darr" });
        }
        if let Some(epsilon) = self.epsilon {
            if !(epsilon >= 0.0 && epsilon.is_finite()) {
                return Err(Error::out_of_range("epsilon", "a number from 0", epsilon));
            }
            if !self.statistics.iter().any(|name| matches!(name, StatisticName::Acc23 | StatisticName::Tau23)) {
                return Err(Error::BadRequest("epsilon is for the statistics acc-23 and tau-23".to_owned()));
            }
        }
        Ok(())
    }

    /// Measures the agreement. `tables` are scores by other metrics, as files of scores are.
    pub fn run(
        &self,
        tables: &[ScoreTable],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<AgreementReport>> {
        let metrics = self.metrics.iter().map(|name| registry.named(name, None)).collect::<Result<_>>()?;
        self.run_with(metrics, tables, registry, progress)
    }

    /// The same with metrics that are built already, in place of those that the job names.
    pub fn run_with(
        &self,
        metrics: Vec<NamedMetric>,
        tables: &[ScoreTable],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<AgreementReport>> {
        self.run_on(&[], metrics, tables, registry, progress)
    }

    /// The same with judgements in memory beside those of files.
    pub fn run_on(
        &self,
        given: &[Judgements],
        metrics: Vec<NamedMetric>,
        tables: &[ScoreTable],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<AgreementReport>> {
        self.validate()?;
        let job = CorrelateJob {
            metrics: metrics.iter().map(|named| named.name.clone()).collect(),
            stored: self.stored || (metrics.is_empty() && self.scores.is_empty() && tables.is_empty()),
            statistics: distinct(&self.statistics),
            ..self.clone()
        };
        Done::collect(progress, |progress| {
            let scores = GivenScores::read(&job.scores, tables)?;
            let mut job = job.clone();
            job.lower_is_better.extend(scores.lower_is_better().cloned());
            job.lower_is_better = distinct(&job.lower_is_better);
            Run { job: &job, given, metrics, scores, registry, left_out: Vec::new(), progress }.report()
        })
    }
}

/// Each item once, in order of appearance.
fn distinct<T: Clone + PartialEq>(items: &[T]) -> Vec<T> {
    let mut distinct: Vec<T> = Vec::new();
    for item in items {
        if !distinct.contains(item) {
            distinct.push(item.clone());
        }
    }
    distinct
}

/// The metrics for the target language of a set. One with a paraphrase table stays as it is, since the table is of one
/// language.
pub(super) fn for_target(
    metrics: &[NamedMetric],
    registry: &Registry,
    language: Option<&Language>,
) -> Result<Vec<NamedMetric>> {
    let Some(language) = language else { return Ok(metrics.to_vec()) };
    let of_set = |named: &NamedMetric| {
        let given = registry.for_language(&named.name, language)?;
        let same = given.to_string() == named.name || given.option("paraphrase").is_some();
        if same { Ok(named.clone()) } else { registry.named(&named.name, Some(language)) }
    };
    metrics.iter().map(of_set).collect()
}

/// Warns of metrics that do not fit the target language, of what they lack, and of those that learned from the
/// judgements.
pub(super) fn warn_of_metrics(
    judgements: &Judgements,
    metrics: &[NamedMetric],
    language: Option<&Language>,
    progress: Progress<'_>,
) -> Result<()> {
    let first = judgements.texts.as_ref().and_then(|texts| texts.references.first());
    let lines = first.map_or(&[][..], |reference| &reference.lines);
    let references: Vec<Vec<&str>> = lines.iter().map(|line| line.iter().map(String::as_str).collect()).collect();
    let described: Vec<_> = metrics.iter().map(|named| (named.metric.info(), named.metric.signature())).collect();
    let own = metrics.iter().flat_map(|named| named.metric.warnings());
    let learned = metrics
        .iter()
        .filter(|named| has_learned_from(named, judgements))
        .map(|named| Warning::LearnedFrom { metric: named.name.clone(), judgements: name_of(judgements) });
    let warnings = check_language(&references, &described, own, language);
    Ok(warnings.into_iter().chain(learned).try_for_each(|warning| progress.warn(&warning))?)
}

/// A job at work.
struct Run<'a> {
    job: &'a CorrelateJob,
    given: &'a [Judgements],
    metrics: Vec<NamedMetric>,
    scores: GivenScores<'a>,
    registry: &'a Registry,
    /// Why sets, metrics and outputs are left out.
    left_out: Vec<Warning>,
    progress: Progress<'a>,
}

impl Run<'_> {
    fn report(&mut self) -> Result<AgreementReport> {
        let sources = select_rows(&self.job.judgements, &self.job.pairs, &self.job.fields)?;
        // Metric scores of the sets have not been read yet.
        if !self.job.stored {
            self.scores.check_names(&self.job.lower_is_better)?;
        }
        let mut report = AgreementReport { job: self.job.clone(), ..AgreementReport::default() };
        let mut systems: Vec<SystemScores> = Vec::new();
        for source in &sources {
            self.add_pair(source.read()?, &mut report, &mut systems)?;
        }
        for given in self.given {
            self.add_pair(given.clone(), &mut report, &mut systems)?;
        }
        for table in self.scores.unused().collect::<Vec<_>>() {
            let (metric, system) = (table.metric.clone(), table.system.first().cloned());
            self.leave_out(Warning::NotCorrelated { metric, because: NotCorrelated::OtherTable { system } })?;
        }
        if report.agreements.is_empty() {
            return Err(self.nothing_found(&sources));
        }
        self.add_pooled(&mut report, &systems)?;
        self.warn_of_signatures(&report)?;
        if self.job.sort {
            report.sort_by_value();
        }
        Ok(report)
    }

    /// Adds what is found on the judgements of one language pair.
    fn add_pair(
        &mut self,
        mut judgements: Judgements,
        report: &mut AgreementReport,
        systems: &mut Vec<SystemScores>,
    ) -> Result<()> {
        self.add_standardised(&mut judgements);
        let Some(found) = self.of_pair(&judgements)? else { return Ok(()) };
        let is_pearson = |of: &Agreement| of.level == Level::Segment && of.statistic.name == StatisticName::Pearson;
        if let Some(of) = found.agreements.iter().find(|of| is_pearson(of))
            && let Some(scores) = judgements.scores.iter().find(|s| s.level == Level::Segment && s.name == of.human)
            && let Some(ceiling) = ceiling_of_identical(&judgements, scores)
        {
            let (set, pair, human) = (of.set.clone(), of.pair.clone(), of.human.clone());
            report.ceilings.push(AgreementCeiling { set, pair, human, ceiling });
        }
        report.agreements.extend(found.agreements);
        report.points.extend(found.points);
        systems.extend(found.systems);
        Ok(())
    }

    /// Adds the scores that are standardised by rater, if they are asked for: `mqm-z`.
    fn add_standardised(&self, judgements: &mut Judgements) {
        let Some(name) = self.job.human.as_deref().and_then(|name| name.strip_suffix("-z")) else { return };
        let (systems, segments) = (judgements.systems.len(), judgements.segments.len());
        let ratings = judgements.ratings.iter().find(|ratings| ratings.name == name);
        let scores = ratings.and_then(|ratings| standardised(ratings, systems, segments));
        if !judgements.scores.iter().any(|scores| Some(scores.name.as_str()) == self.job.human.as_deref()) {
            judgements.scores.extend(scores.into_iter().flatten());
        }
    }

    fn leave_out(&mut self, warning: Warning) -> Result<()> {
        self.progress.warn(&warning)?;
        self.left_out.push(warning);
        Ok(())
    }

    fn nothing_found(&self, sources: &[JudgementSource]) -> Error {
        let sets = sources.iter().map(|source| format!("{} {}", source.set, source.pair)).collect();
        let statistics = self.job.statistics.iter().map(ToString::to_string).collect();
        Error::NothingToCorrelate { sets, statistics, left_out: self.left_out.clone() }
    }

    /// The results of one language pair; nothing, with a warning, if there is nothing to score.
    fn of_pair(&mut self, judgements: &Judgements) -> Result<Option<CorrelateResult>> {
        let files = self.scores.on(judgements)?;
        let stored = self.job.stored && !judgements.metric_scores.is_empty();
        let language = Language::target(&judgements.pair).ok();
        let mut metrics = if self.metrics.is_empty() && self.scores.is_empty() && !stored {
            let build = |name: &&str| self.registry.named(name, language.as_ref());
            DEFAULT_METRICS.iter().map(build).collect::<Result<_>>()?
        } else {
            for_target(&self.metrics, self.registry, language.as_ref())?
        };
        let texts = judgements.texts.as_ref().is_some_and(|texts| !texts.references.is_empty());
        if files.is_empty() && !stored && (metrics.is_empty() || !texts) {
            let lacks_texts = !metrics.is_empty();
            self.leave_out(Warning::SetSkipped { set: name_of(judgements), lacks_texts })?;
            return Ok(None);
        }
        if !texts {
            metrics.clear();
        }
        warn_of_metrics(judgements, &metrics, language.as_ref(), self.progress)?;
        let found = correlate(judgements, &files, &metrics, self.job, self.registry, self.progress)?;
        self.warn_of_what_is_left_out(judgements, &files, &found)?;
        Ok(Some(found))
    }

    fn warn_of_what_is_left_out(
        &mut self,
        judgements: &Judgements,
        files: &[MetricScores],
        found: &CorrelateResult,
    ) -> Result<()> {
        let set = name_of(judgements);
        for metric in &found.unmatched {
            let system = judgements.systems.first().cloned().unwrap_or_default();
            let file = files.iter().find(|file| file.metric == *metric);
            let found = file.and_then(|file| file.systems.first()).filter(|name| !name.is_empty()).cloned();
            let because = NotCorrelated::OtherSystems { set: set.clone(), system, found };
            self.leave_out(Warning::NotCorrelated { metric: metric.clone(), because })?;
        }
        for (metric, scores) in &found.set_to_zero {
            let (set, metric, scores) = (set.clone(), metric.clone(), *scores);
            self.progress.warn(&Warning::MissingScoresAreZero { set, metric, scores })?;
        }
        let (outputs, judged) = found.left_out;
        if outputs > 0 {
            self.leave_out(Warning::OutputsLeftOut { set: set.clone(), outputs, judged })?;
        }
        if !found.systems_left_out.is_empty() {
            let systems = found.systems_left_out.clone();
            self.leave_out(Warning::SystemsLeftOut { set: set.clone(), systems })?;
        }
        match found.post_edits {
            Some(PostEdits::Stated) => self.progress.warn(&Warning::JudgedPostEdits { set })?,
            Some(PostEdits::Likely { same, outputs }) => {
                self.progress.warn(&Warning::LikelyPostEdits { set, same, outputs })?;
            }
            None => {}
        }
        Ok(())
    }

    /// Warns of metrics that were given by a signature whose scores cannot be those computed here; once for all
    /// language pairs.
    fn warn_of_signatures(&self, report: &AgreementReport) -> Result<()> {
        for metric in &self.job.metrics {
            let Some(found) = report.agreements.iter().find(|agreement| agreement.metric == *metric) else {
                continue;
            };
            for difference in signature_differences(metric, &found.signature) {
                self.progress.warn(&difference)?;
            }
        }
        Ok(())
    }

    /// Accuracy over all language pairs of each set that has several.
    fn add_pooled(&self, report: &mut AgreementReport, systems: &[SystemScores]) -> Result<()> {
        let is_accuracy = |name: StatisticName| name == StatisticName::Accuracy;
        if !report.agreements.iter().any(|agreement| is_accuracy(agreement.statistic.name)) {
            return Ok(());
        }
        for set in distinct(&systems.iter().map(|scores| scores.set.as_str()).collect::<Vec<_>>()) {
            let parts: Vec<SystemScores> = systems.iter().filter(|scores| scores.set == set).cloned().collect();
            report.agreements.extend(pooled_accuracy(&parts, self.job, self.progress)?);
        }
        Ok(())
    }
}

/// The set and the language pair of judgements.
fn name_of(judgements: &Judgements) -> String {
    format!("{} {}", judgements.set, judgements.pair).trim_end().to_owned()
}

/// Whether a metric has learned from the judgements that it is compared with.
fn has_learned_from(named: &NamedMetric, judgements: &Judgements) -> bool {
    let judged = name_of(judgements);
    // Noted as `da-wmt16 cs-en (560)`, without a language pair as `scores (40)`.
    let is_it = |one: &str| one.strip_prefix(&judged).is_some_and(|rest| rest.starts_with(' '));
    named.metric.learned_from().is_some_and(|learned| learned.split(", ").any(is_it))
}
