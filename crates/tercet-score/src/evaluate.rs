//! Evaluates a corpus, or the segment scores of another tool.

use super::checks::target;
use super::corpus::Corpus;
use super::documents::{Documents, ResampleBy};
use super::evaluation::{Cell, Column, Evaluation, PairedResult};
use super::external_scores::{ExternalScores, direction_of_tool};
use super::gate::GateRequest;
use super::jobs::RESAMPLES;
use super::ranking::win_probabilities;
use super::significance::{self, Bootstrap, EqualTrials, MetricTallies, Resampling};
use super::{SystemTallies, tally};
use crate::corpora::ScoreColumn;
use crate::error::{Error, Result};
use crate::metrics::{Direction, Metric, NamedMetric, Preference, Registry, SharedMetric, Spec, Tally, Target};
use crate::progress::Progress;
use crate::statistics::significance::holm;
use crate::text::Language;
use foldhash::{HashMap, HashSet};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The maximum number of systems of which all pairs are tested.
const MAX_PAIRED: usize = 1000;

/// The same without being asked to, for a page.
const MAX_PAIRED_ON_PAGES: usize = 100;

/// What to compute.
#[derive(Clone, Debug, Default)]
pub struct EvaluateRequest {
    /// Scores of single segments.
    pub segments: bool,
    /// Scores of documents.
    pub documents: bool,
    /// The components of scores.
    pub components: bool,
    /// Bootstrap intervals.
    pub confidence: Option<Resampling>,
    /// Paired tests.
    pub paired: Option<Paired>,
    /// What intervals and tests, those of the gate too, draw as a whole.
    pub resample_by: ResampleBy,
    /// The mean probability that people prefer a system to another one, for metrics whose scores say it.
    pub wins: bool,
    /// Conditions that the scores must meet.
    pub gate: Option<GateRequest>,
    /// The target language, by which people agree with a metric more or less; found in the references if it is not
    /// given.
    pub language: Option<Language>,
}

/// A paired test between systems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Paired {
    /// Which test.
    pub test: Test,
    /// Its size and seed.
    #[serde(flatten)]
    pub resampling: Resampling,
    /// Which systems are compared.
    #[serde(rename = "baseline")]
    pub pairs: Pairs,
    /// Whether to adjust p-values by Holm's method, metric by metric.
    pub holm: bool,
}

tercet_base::choices! {
    /// A paired test.
    pub enum Test: "paired test" {
        /// Paired bootstrap resampling (Koehn, 2004).
        Bootstrap = "bs" | "bootstrap",
        /// Paired approximate randomisation (Riezler & Maxwell, 2005).
        Randomisation = "ar" | "randomisation",
    }
}

/// Which systems are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Option<String>", into = "Option<String>")]
pub enum Pairs {
    /// This baseline with every other system.
    Against(String),
    /// Every pair of systems.
    All,
}

/// Scores a corpus by metrics, with intervals and paired tests as requested.
pub fn evaluate(
    corpus: &Corpus<'_>,
    metrics: &[NamedMetric],
    request: &EvaluateRequest,
    progress: Progress<'_>,
) -> Result<Evaluation> {
    let (systems, shared) = request.checked(corpus, metrics)?;
    let documents = request.documents_of(corpus)?;
    let (prepared, tallies) = tally(corpus, &shared, progress)?;
    let qualifiers = corpus.qualifiers();
    let scored = scored(metrics, &prepared, &qualifiers, tallies);
    let texts = (corpus.len(), request.target(corpus));
    let mut evaluation = request.assemble(systems, texts, &scored, documents.as_ref(), progress)?;
    if let Some(documents) = documents.filter(|_| request.documents) {
        documents.add_scores(&mut evaluation, &scored, request.components);
    }
    evaluation.alignment = corpus.alignment().unwrap_or_default().to_vec();
    Ok(evaluation)
}

/// Scores a corpus as [`evaluate`] does. If the preference is that of one of the metrics, and tallies say which of two
/// translations it prefers, also the probability that the first of two systems is better, for each segment:
/// [`compare_by`](super::compare_by) then scores nothing again.
pub fn evaluate_preferring(
    corpus: &Corpus<'_>,
    metrics: &[NamedMetric],
    preference: Option<&dyn Preference>,
    request: &EvaluateRequest,
    progress: Progress<'_>,
) -> Result<(Evaluation, Option<Vec<f64>>)> {
    let (systems, shared) = request.checked(corpus, metrics)?;
    let documents = request.documents_of(corpus)?;
    let (prepared, tallies) = tally(corpus, &shared, progress)?;
    let probabilities = preference.and_then(|preference| probabilities(preference, metrics, &tallies));
    let qualifiers = corpus.qualifiers();
    let scored = scored(metrics, &prepared, &qualifiers, tallies);
    let texts = (corpus.len(), request.target(corpus));
    let mut evaluation = request.assemble(systems, texts, &scored, documents.as_ref(), progress)?;
    evaluation.alignment = corpus.alignment().unwrap_or_default().to_vec();
    Ok((evaluation, probabilities))
}

fn scored<'a>(
    metrics: &[NamedMetric],
    prepared: &'a [SharedMetric],
    qualifiers: &'a [(&'static str, String)],
    tallies: Vec<SystemTallies>,
) -> Vec<Scored<'a>> {
    let of_metric = |((named, metric), tallies): ((&NamedMetric, &'a SharedMetric), SystemTallies)| Scored {
        name: named.name.clone(),
        metric: metric.as_ref(),
        qualifiers,
        totals: totals(&tallies),
        tallies,
    };
    metrics.iter().zip(prepared).zip(tallies).map(of_metric).collect()
}

/// The name and the title of each metric.
pub(super) fn names_of(metrics: &[NamedMetric]) -> Vec<(&str, String)> {
    metrics.iter().map(|named| (named.name.as_str(), named.metric.title())).collect()
}

fn probabilities(preference: &dyn Preference, metrics: &[NamedMetric], tallies: &[SystemTallies]) -> Option<Vec<f64>> {
    let signature = preference.signature();
    let metric = metrics.iter().position(|named| named.metric.signature() == signature)?;
    let [a, b] = tallies[metric].as_slice() else { return None };
    a.iter().zip(b).map(|(a, b)| preference.prefer_tallies(a, b)).collect()
}

/// Returns an error if a metric is asked for twice.
pub(super) fn check_distinct(metrics: &[NamedMetric]) -> Result<()> {
    let asked: Vec<Spec> = metrics.iter().map(|named| named.metric.signature()).collect();
    match asked.iter().enumerate().find(|(i, signature)| asked[..*i].contains(signature)) {
        Some((i, _)) => Err(Error::SameMetric { metric: metrics[i].name.clone() }),
        None => Ok(()),
    }
}

/// Evaluates systems by segment scores of another tool. Metrics whose names are `lower_is_better`, and tercet's own
/// error rates, are better with lower scores.
pub fn evaluate_scores(
    columns: &[ScoreColumn],
    lower_is_better: &dyn Fn(&str) -> bool,
    request: &EvaluateRequest,
    registry: &Registry,
    progress: Progress<'_>,
) -> Result<Evaluation> {
    let name = |column: &ScoreColumn| column.metric.clone().unwrap_or_else(|| "score".to_owned());
    let (mut systems, mut names) = (Vec::new(), Vec::new());
    let (mut known_systems, mut known_names) = (HashSet::default(), HashSet::default());
    let mut places: HashMap<(String, &str), Vec<&ScoreColumn>> = HashMap::default();
    for column in columns {
        if known_systems.insert(&column.system) {
            systems.push(column.system.clone());
        }
        if known_names.insert(name(column)) {
            names.push(name(column));
        }
        places.entry((name(column), &column.system)).or_default().push(column);
    }
    let is_lower = |metric: &String| columns.iter().any(|column| column.lower_is_better && name(column) == *metric);
    let external = |name: &String| {
        let direction = match registry.direction(name) {
            _ if lower_is_better(name) || is_lower(name) => Direction::LowerIsBetter,
            known => known.or_else(|| direction_of_tool(name)).unwrap_or(Direction::HigherIsBetter),
        };
        ExternalScores::new(name, direction, registry.find(name).ok())
    };
    let given: Vec<ExternalScores> = names.iter().map(external).collect();
    let titles: Vec<(&str, String)> = names.iter().map(|name| (name.as_str(), name.clone())).collect();
    request.check(&systems, &titles)?;
    let find = |metric: &str, system: &str| -> Result<Vec<Tally>> {
        let found = places.get(&(metric.to_owned(), system)).map_or(&[][..], Vec::as_slice);
        match (found.first(), found.get(1)) {
            (Some(column), None) if column.scores.len() == columns[0].scores.len() => {
                Ok(ExternalScores::tallies(&column.scores))
            }
            (Some(column), None) => Err(Error::ScoreCount {
                system: system.to_owned(),
                metric: metric.to_owned(),
                found: column.scores.len(),
                other: columns[0].system.clone(),
                expected: columns[0].scores.len(),
            }),
            (Some(_), Some(_)) => Err(Error::ScoresTwice { system: system.to_owned(), metric: metric.to_owned() }),
            (None, _) => Err(Error::NoScores { system: system.to_owned(), metric: metric.to_owned() }),
        }
    };
    let mut scored = Vec::new();
    for (name, metric) in names.iter().zip(&given) {
        let tallies: SystemTallies = systems.iter().map(|system| find(name, system)).collect::<Result<_>>()?;
        scored.push(Scored { name: name.clone(), metric, qualifiers: &[], totals: totals(&tallies), tallies });
    }
    let segments = columns.first().map_or(0, |column| column.scores.len());
    request.assemble(systems, (segments, request.language.as_ref().into()), &scored, None, progress)
}

/// Returns an error for a score that is no number.
fn check_finite(columns: &[Column], systems: &[String]) -> Result<()> {
    for column in columns {
        for (cell, system) in column.cells.iter().zip(systems) {
            let mut scores = std::iter::once(&cell.score).chain(&cell.segments);
            if let Some(&found) = scores.find(|score| !score.is_finite()) {
                let what = format!("the scores of {system} by {}", column.title);
                return Err(Error::NotFinite { what, found, hint: None });
            }
        }
    }
    Ok(())
}

/// The sum of each system's tallies.
pub(super) fn totals(tallies: &SystemTallies) -> Vec<Tally> {
    tallies.iter().map(Tally::sum).collect()
}

/// One metric with its tallies of all systems.
pub(super) struct Scored<'a> {
    pub(super) name: String,
    pub(super) metric: &'a dyn Metric,
    /// What its signature says of the texts.
    pub(super) qualifiers: &'a [(&'static str, String)],
    /// The sum of the tallies of each system.
    pub(super) totals: Vec<Tally>,
    /// The tallies of segments; empty if nothing is requested that needs them.
    pub(super) tallies: SystemTallies,
}

impl Scored<'_> {
    fn measured(&self) -> MetricTallies<'_> {
        self.measured_by(&self.tallies)
    }

    fn measured_by<'t>(&'t self, tallies: &'t SystemTallies) -> MetricTallies<'t> {
        MetricTallies { metric: self.metric, systems: tallies.iter().map(Vec::as_slice).collect() }
    }
}

impl From<Option<String>> for Pairs {
    fn from(baseline: Option<String>) -> Self {
        baseline.map_or(Pairs::All, Pairs::Against)
    }
}

impl From<Pairs> for Option<String> {
    fn from(pairs: Pairs) -> Self {
        match pairs {
            Pairs::Against(baseline) => Some(baseline),
            Pairs::All => None,
        }
    }
}

impl EvaluateRequest {
    /// What a page shows, and whatever was asked for: scores of segments, intervals, and a test of all pairs of
    /// systems.
    pub fn for_page(self, seed: Option<u64>, systems: usize) -> Self {
        let resampling = Resampling { samples: RESAMPLES, seed };
        let paired = self.paired.or((2..=MAX_PAIRED_ON_PAGES).contains(&systems).then(|| Paired {
            test: Test::Bootstrap,
            resampling: self.confidence.unwrap_or(resampling),
            pairs: Pairs::All,
            holm: false,
        }));
        // A paired bootstrap and the intervals share their resamples.
        let shared = paired.as_ref().filter(|paired| paired.test == Test::Bootstrap);
        let confidence = self.confidence.or(shared.map(|paired| paired.resampling)).unwrap_or(resampling);
        EvaluateRequest { segments: true, confidence: Some(confidence), paired, wins: true, ..self }
    }

    /// The names of the systems and the metrics. Returns an error for a request that cannot be met.
    fn checked(&self, corpus: &Corpus<'_>, metrics: &[NamedMetric]) -> Result<(Vec<String>, Vec<SharedMetric>)> {
        check_distinct(metrics)?;
        corpus.check_references_for(metrics)?;
        let systems: Vec<String> = corpus.systems().iter().map(|system| system.name.clone()).collect();
        self.check(&systems, &names_of(metrics))?;
        Ok((systems, metrics.iter().map(|named| Arc::clone(&named.metric)).collect()))
    }

    /// What the systems of a corpus translate into.
    pub(super) fn target(&self, corpus: &Corpus<'_>) -> Target {
        target(corpus.references(), self.language.as_ref())
    }

    /// The documents of a corpus, if something is requested that needs them.
    fn documents_of(&self, corpus: &Corpus<'_>) -> Result<Option<Documents>> {
        let needs_them = self.documents || self.resample_by == ResampleBy::Document;
        needs_them.then(|| Documents::from_corpus(corpus)).transpose()
    }

    /// Whether something is requested that needs the tallies of all segments.
    pub fn needs_tallies(&self) -> bool {
        self.confidence.is_some() || self.paired.is_some() || self.gate.as_ref().is_some_and(GateRequest::has_test)
    }

    /// Fails if the baseline is not among the systems or there is only one system, or if the gate cannot be checked.
    /// `metrics` have their name and title.
    pub(super) fn check(&self, systems: &[String], metrics: &[(&str, String)]) -> Result<()> {
        if let Some(gate) = &self.gate {
            gate.check(systems, metrics)?;
        }
        let Some(paired) = &self.paired else { return Ok(()) };
        if paired.test == Test::Bootstrap && self.confidence.is_some_and(|other| other != paired.resampling) {
            let what = "intervals and a paired bootstrap share their resamples: ask for the same size and seed";
            return Err(Error::BadRequest(what.to_owned()));
        }
        if systems.len() < 2 {
            return Err(Error::NothingToPair { named: false });
        }
        if paired.pairs == Pairs::All && systems.len() > MAX_PAIRED {
            return Err(Error::TooManyPairs { systems: systems.len(), limit: MAX_PAIRED });
        }
        match &paired.pairs {
            Pairs::Against(baseline) if !systems.contains(baseline) => {
                Err(Error::UnknownBaseline { baseline: baseline.clone(), systems: systems.to_vec() })
            }
            _ => Ok(()),
        }
    }

    pub(super) fn assemble(
        &self,
        systems: Vec<String>,
        (segments, target): (usize, Target),
        scored: &[Scored<'_>],
        documents: Option<&Documents>,
        progress: Progress<'_>,
    ) -> Result<Evaluation> {
        let mut columns: Vec<Column> = scored.iter().map(|scored| self.column(scored)).collect();
        check_finite(&columns, &systems)?;
        let segmentwise: Vec<MetricTallies<'_>> = scored.iter().map(Scored::measured).collect();
        // The units that are drawn: segments, or the sums of documents.
        let sums: Vec<SystemTallies> = match (self.resample_by, documents) {
            (ResampleBy::Segment, _) => Vec::new(),
            (ResampleBy::Document, None) => return Err(Error::NoDocuments),
            (ResampleBy::Document, Some(documents)) => {
                scored.iter().map(|scored| documents.sums_of_systems(&scored.tallies)).collect()
            }
        };
        let measured: Vec<MetricTallies<'_>> = match sums.is_empty() {
            true => segmentwise.clone(),
            false => scored.iter().zip(&sums).map(|(scored, sums)| scored.measured_by(sums)).collect(),
        };
        let bootstrapped = self.bootstrap(&measured, progress)?;
        for (column, replicates) in columns.iter_mut().zip(&bootstrapped) {
            for (system, cell) in column.cells.iter_mut().enumerate().filter(|_| self.confidence.is_some()) {
                cell.interval = Some(replicates.interval(system));
            }
        }
        let comparisons = match &self.paired {
            Some(paired) => paired.compare(&systems, [&segmentwise, &measured], &bootstrapped, progress)?,
            None => Vec::new(),
        };
        let (documents, alignment) = (Vec::new(), Vec::new());
        let (test, resample_by) = (self.paired.clone(), self.resample_by);
        let mut evaluation =
            Evaluation { systems, segments, documents, columns, comparisons, test, resample_by, alignment, gate: None };
        if let Some(gate) = &self.gate {
            let shared = self.bootstrap_size().map(|size| (size, bootstrapped.as_slice()));
            evaluation.gate = Some(gate.apply(&evaluation, &measured, shared, progress)?);
        }
        evaluation.add_people_agree(scored.iter().map(|scored| scored.metric.people_agree(target)));
        Ok(evaluation)
    }

    /// The resamples that intervals, or a paired bootstrap, need: drawn once for both.
    fn bootstrap(&self, measured: &[MetricTallies<'_>], progress: Progress<'_>) -> Result<Vec<Bootstrap>> {
        match self.bootstrap_size() {
            Some(resampling) => significance::bootstrap(measured, &resampling, progress),
            None => Ok(Vec::new()),
        }
    }

    fn bootstrap_size(&self) -> Option<Resampling> {
        let paired = self.paired.as_ref().filter(|paired| paired.test == Test::Bootstrap);
        paired.map(|paired| paired.resampling).or(self.confidence)
    }

    fn column(&self, scored: &Scored<'_>) -> Column {
        let metric = scored.metric;
        let wins = if self.wins { win_probabilities(metric, &scored.tallies) } else { None };
        let cell = |(system, total): (usize, &Tally)| {
            let tallies = if self.segments { scored.tallies[system].as_slice() } else { &[] };
            Cell {
                score: metric.score(total),
                interval: None,
                wins: wins.as_ref().map(|wins| wins[system]),
                people_agree: None,
                components: if self.components { metric.components(total) } else { Vec::new() },
                segments: tallies.iter().map(|tally| metric.segment_score(tally)).collect(),
                segment_components: if self.components {
                    tallies.iter().map(|tally| metric.components(tally)).collect()
                } else {
                    Vec::new()
                },
                documents: Vec::new(),
                document_components: Vec::new(),
            }
        };
        Column {
            metric: scored.name.clone(),
            title: metric.title(),
            signature: self.signature(scored).signed(),
            direction: metric.direction(),
            scale: metric.info().scale,
            cells: scored.totals.iter().enumerate().map(cell).collect(),
        }
    }

    fn signature(&self, scored: &Scored<'_>) -> Spec {
        let mut signature = scored.metric.signature();
        for (key, value) in scored.qualifiers {
            signature = signature.with(key, value);
        }
        if scored.totals.iter().any(|total| scored.metric.used_source(total)) {
            signature = signature.with("src", "yes");
        }
        let tests = [self.confidence.map(|r| ("bs", r)), self.paired.as_ref().map(|p| (p.test.name(), p.resampling))];
        let mut seed = None;
        for (key, resampling) in tests.into_iter().flatten() {
            if signature.qualifier(key).is_none() {
                signature = signature.with(key, resampling.samples);
            }
            seed = Some(resampling.seed.map_or("none".to_owned(), |seed| seed.to_string()));
        }
        if seed.is_some() && self.resample_by == ResampleBy::Document {
            signature = signature.with("draws", "documents");
        }
        match seed {
            Some(seed) => signature.with("seed", seed),
            None => signature,
        }
    }
}

impl Paired {
    /// The test, its size, and what is compared.
    pub(super) fn describe(&self, by: ResampleBy) -> String {
        let against = match &self.pairs {
            Pairs::Against(baseline) => format!("against {baseline}"),
            Pairs::All => "all pairs".to_owned(),
        };
        format!("{}, {against}; * p < 0.05", self.describe_resampling(by))
    }

    /// Test, resamples and seed.
    pub(super) fn describe_resampling(&self, by: ResampleBy) -> String {
        let (test, trials) = match self.test {
            Test::Bootstrap => ("paired bootstrap resampling", "resamples"),
            Test::Randomisation => ("paired approximate randomisation", "trials"),
        };
        let seed = self.resampling.seed.map_or("no seed".to_owned(), |seed| format!("seed {seed}"));
        let whole = if by == ResampleBy::Document { " of documents" } else { "" };
        format!("{test}{whole}, {} {trials}, {seed}", self.resampling.samples)
    }

    /// (baseline, system)
    fn pairs(&self, systems: &[String]) -> Vec<(usize, usize)> {
        match &self.pairs {
            Pairs::Against(name) => {
                let baseline = systems.iter().position(|system| system == name).expect("checked before scoring");
                (0..systems.len()).filter(|&system| system != baseline).map(|system| (baseline, system)).collect()
            }
            Pairs::All => (0..systems.len()).flat_map(|b| (0..b).map(move |a| (a, b))).collect(),
        }
    }

    fn compare(
        &self,
        systems: &[String],
        [segmentwise, measured]: [&[MetricTallies<'_>]; 2],
        bootstrapped: &[Bootstrap],
        progress: Progress<'_>,
    ) -> Result<Vec<PairedResult>> {
        let pairs = self.pairs(systems);
        let compared: Vec<Vec<significance::TestResult>> = match self.test {
            Test::Bootstrap => {
                let compare = |replicates: &Bootstrap| pairs.iter().map(|&(a, b)| replicates.compare(a, b)).collect();
                bootstrapped.iter().map(compare).collect()
            }
            Test::Randomisation => {
                let equal = EqualTrials::Counted;
                significance::approximate_randomisation(measured, &pairs, &self.resampling, equal, progress)?
            }
        };
        let mut comparisons = Vec::new();
        for (column, compared) in compared.iter().enumerate() {
            // The bootstrap test counts larger differences only and so gives equal systems the smallest p.
            let p_value =
                |(&pair, found): (&(usize, usize), &significance::TestResult)| match measured[column].differing(pair) {
                    0 => 1.0,
                    _ => found.p_value,
                };
            let p_values: Vec<f64> = pairs.iter().zip(compared).map(p_value).collect();
            let adjusted = self.holm.then(|| holm(&p_values));
            for (i, (&(baseline, system), found)) in pairs.iter().zip(compared).enumerate() {
                let adjusted = adjusted.as_ref().map(|adjusted| adjusted[i]);
                comparisons.push(PairedResult {
                    column,
                    system,
                    baseline,
                    delta: found.difference,
                    p_value: p_values[i],
                    adjusted,
                    differing_segments: segmentwise[column].differing((baseline, system)),
                    people_agree: None,
                });
            }
        }
        Ok(comparisons)
    }
}
