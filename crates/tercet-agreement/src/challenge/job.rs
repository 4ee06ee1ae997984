//! A challenge set as a use case.

use super::aces::{ACES_CATEGORIES, aces_category};
use crate::corpora::{ChallengeFields, ChallengeItem, read_challenge};
use crate::error::{Error, Result};
use crate::job::for_target;
use crate::metrics::{Metric, NamedMetric, Registry};
use crate::progress::Progress;
use crate::scoring::{DEFAULT_METRICS, Outputs, check_language, tally_outputs};
use crate::statistics::wilson_interval;
use crate::text::Language;
use crate::warning::Done;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

tercet_base::defaults! {
    /// Do metrics tell a good translation from a damaged one? The default: BLEU, chrF and TER on all pairs.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct ChallengeJob {
        /// Files or folders of pairs.
        pub items: Vec<PathBuf> = Vec::new(),
        /// The fields of the files, if they have other than the usual names.
        pub fields: ChallengeFields = ChallengeFields::default(),
        /// Only these language pairs; if empty, all.
        pub pairs: Vec<String> = Vec::new(),
        /// The metrics; if there are none, BLEU, chrF and TER.
        pub metrics: Vec<String> = Vec::new(),
    }
}

/// How many pairs each metric gets right.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ChallengeReport {
    /// The job.
    pub job: ChallengeJob,
    /// The metrics.
    pub metrics: Vec<ChallengeMetric>,
    /// The groups of pairs: all, by severity, category, kind, and both.
    pub groups: Vec<ChallengeGroup>,
    /// The results: `results[group][metric]`.
    pub results: Vec<Vec<ChallengeResult>>,
}

/// A metric.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChallengeMetric {
    /// The metric as requested.
    pub metric: String,
    /// What reports call it.
    pub title: String,
    /// The signature of its scores.
    pub signature: String,
    /// ACES's weighted score, if there are items of all its categories.
    pub aces_score: Option<f64>,
}

tercet_base::choices! {
    /// What the pairs of a group have in common.
    pub enum GroupedBy: "grouping" {
        /// Nothing.
        All = "all",
        /// The severity.
        Severity = "severity",
        /// The category of ACES.
        Category = "category",
        /// The kind of damage.
        Kind = "kind",
        /// The kind and the severity.
        KindAndSeverity = "kind and severity",
    }
}

/// Some pairs of the set.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChallengeGroup {
    /// What they have in common.
    pub by: GroupedBy,
    /// The kind, or the category.
    pub kind: Option<String>,
    /// The severity.
    pub severity: Option<String>,
    /// How many there are.
    pub n: usize,
}

/// How many pairs of a group a metric gets right.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChallengeResult {
    /// Pairs whose good translation has the better score.
    pub right: usize,
    /// Pairs with equal scores.
    pub ties: usize,
    /// Pairs whose damaged translation has the better score.
    pub wrong: usize,
    /// The share of pairs that are right.
    pub accuracy: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// ACES's τ.
    pub tau: f64,
}

/// Which translation of a pair has the better score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Right,
    Tie,
    Wrong,
}

impl ChallengeResult {
    fn of(outcomes: impl Iterator<Item = Outcome>) -> ChallengeResult {
        let (mut right, mut ties, mut wrong) = (0, 0, 0);
        for outcome in outcomes {
            match outcome {
                Outcome::Right => right += 1,
                Outcome::Tie => ties += 1,
                Outcome::Wrong => wrong += 1,
            }
        }
        let n = right + ties + wrong;
        let (low, high) = wilson_interval(right, n);
        let share = |part: usize| part as f64 / n.max(1) as f64;
        ChallengeResult {
            right,
            ties,
            wrong,
            accuracy: share(right),
            low,
            high,
            tau: (right as f64 - (ties + wrong) as f64) / n.max(1) as f64,
        }
    }
}

impl ChallengeJob {
    /// Reads the pairs and scores both translations of each.
    pub fn run(&self, registry: &Registry, progress: Progress<'_>) -> Result<Done<ChallengeReport>> {
        let named = |name: &String| registry.named(name, None);
        let metrics = match self.metrics.is_empty() {
            true => self.default_metrics(registry)?,
            false => self.metrics.iter().map(named).collect::<Result<_>>()?,
        };
        self.run_with(&metrics, registry, progress)
    }

    /// The metrics where none are named.
    pub fn default_metrics(&self, registry: &Registry) -> Result<Vec<NamedMetric>> {
        DEFAULT_METRICS.iter().map(|name| registry.named(name, None)).collect()
    }

    /// The same with metrics that are built already, in place of those that the job names.
    pub fn run_with(
        &self,
        metrics: &[NamedMetric],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<ChallengeReport>> {
        self.run_on(&[], metrics, registry, progress)
    }

    /// The same with pairs in memory beside those of files.
    pub fn run_on(
        &self,
        given: &[ChallengeItem],
        metrics: &[NamedMetric],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Done<ChallengeReport>> {
        Done::collect(progress, |progress| {
            let named_before =
                |(i, named): (usize, &NamedMetric)| metrics[..i].iter().any(|other| other.name == named.name);
            if let Some((i, _)) = metrics.iter().enumerate().find(|&(i, named)| named_before((i, named))) {
                return Err(Error::SameMetric { metric: metrics[i].name.clone() });
            }
            let mut items = Vec::new();
            for path in &self.items {
                items.extend(read_challenge(path, &self.fields)?);
            }
            items.extend_from_slice(given);
            let all = items.len();
            items.retain(|item| self.pairs.is_empty() || self.pairs.contains(&item.pair));
            if items.is_empty() {
                return Err(Error::Unusable(match all {
                    0 => "there are no pairs of translations: name a file of them".to_owned(),
                    _ => format!("none of {all} pairs is of {}", self.pairs.join(", ")),
                }));
            }
            let job =
                ChallengeJob { metrics: metrics.iter().map(|named| named.name.clone()).collect(), ..self.clone() };
            measure(job, &items, metrics, registry, progress)
        })
    }
}

fn measure(
    job: ChallengeJob,
    items: &[ChallengeItem],
    metrics: &[NamedMetric],
    registry: &Registry,
    progress: Progress<'_>,
) -> Result<ChallengeReport> {
    // Language pairs one by one, since metrics may depend on the target language.
    let mut pairs: Vec<&str> = Vec::new();
    for item in items {
        if !pairs.contains(&item.pair.as_str()) {
            pairs.push(&item.pair);
        }
    }
    let mut outcomes = vec![vec![Outcome::Tie; items.len()]; metrics.len()];
    let mut described: Vec<ChallengeMetric> = Vec::new();
    for pair in &pairs {
        let of_pair: Vec<usize> = (0..items.len()).filter(|&item| items[item].pair == *pair).collect();
        let language = Language::target(pair).ok();
        let fitting = for_target(metrics, registry, language.as_ref())?;
        for (metric, found) in of_language(items, &of_pair, &fitting, language.as_ref(), progress)?.iter().enumerate() {
            of_pair.iter().zip(found).for_each(|(&item, &outcome)| outcomes[metric][item] = outcome);
        }
        if described.is_empty() {
            // With several languages, what was asked for.
            let shown = if pairs.len() == 1 { &fitting } else { metrics };
            described = shown.iter().map(describe).collect();
        }
    }
    let members = groups(items);
    let result = |members: &[usize]| -> Vec<ChallengeResult> {
        outcomes.iter().map(|of| ChallengeResult::of(members.iter().map(|&item| of[item]))).collect()
    };
    let results: Vec<Vec<ChallengeResult>> = members.iter().map(|(_, members)| result(members)).collect();
    let groups: Vec<ChallengeGroup> = members.into_iter().map(|(group, _)| group).collect();
    for (number, metric) in described.iter_mut().enumerate() {
        metric.aces_score = aces_score(&groups, &results, number);
    }
    Ok(ChallengeReport { job, metrics: described, groups, results })
}

fn describe(named: &NamedMetric) -> ChallengeMetric {
    ChallengeMetric {
        metric: named.name.clone(),
        title: named.metric.title(),
        signature: named.metric.signature().with("refs", "1").signed(),
        aces_score: None,
    }
}

/// For each metric the outcomes of these items, which have one target language.
fn of_language(
    items: &[ChallengeItem],
    chosen: &[usize],
    metrics: &[NamedMetric],
    language: Option<&Language>,
    progress: Progress<'_>,
) -> Result<Vec<Vec<Outcome>>> {
    let references: Vec<Vec<&str>> = chosen.iter().map(|&item| vec![items[item].reference.as_str()]).collect();
    let sources: Option<Vec<&str>> = chosen.iter().map(|&item| items[item].source.as_deref()).collect();
    let described: Vec<_> = metrics.iter().map(|named| (named.metric.info(), named.metric.signature())).collect();
    let own = metrics.iter().flat_map(|named| named.metric.warnings());
    for warning in check_language(&references, &described, own, language) {
        progress.warn(&warning)?;
    }
    let output = |translation: usize, place: usize| {
        let item = &items[chosen[place]];
        Some(if translation == 0 { item.good.as_str() } else { item.damaged.as_str() })
    };
    let outputs = Outputs { references: &references, sources: sources.as_deref(), systems: 2, output: &output };
    let shared: Vec<Arc<dyn Metric>> = metrics.iter().map(|named| Arc::clone(&named.metric)).collect();
    let (prepared, tallies) = tally_outputs(&outputs, &shared, progress)?;
    let of_metric = |(metric, tallies): (&Arc<dyn Metric>, &crate::scoring::OutputTallies)| {
        let score = |translation: usize, place: usize| {
            let tally = tallies[translation][place].as_ref();
            tally.map_or(f64::NAN, |tally| metric.direction().sign() * metric.segment_score(tally))
        };
        let outcome = |place: usize| {
            let (good, damaged) = (score(0, place), score(1, place));
            match good.partial_cmp(&damaged) {
                Some(std::cmp::Ordering::Greater) => Outcome::Right,
                Some(std::cmp::Ordering::Less) => Outcome::Wrong,
                _ => Outcome::Tie,
            }
        };
        (0..chosen.len()).map(outcome).collect()
    };
    Ok(prepared.iter().zip(&tallies).map(of_metric).collect())
}

/// The groups with their items. Severities are in the order of their first item from the worst, if they are those of
/// DEMETR; kinds by name.
fn groups(items: &[ChallengeItem]) -> Vec<(ChallengeGroup, Vec<usize>)> {
    let everything: Vec<usize> = (0..items.len()).collect();
    let mut found = Vec::new();
    let mut add = |by: GroupedBy, kind: Option<&str>, severity: Option<&str>, members: Vec<usize>| {
        let (kind, severity) = (kind.map(str::to_owned), severity.map(str::to_owned));
        found.push((ChallengeGroup { by, kind, severity, n: members.len() }, members));
    };
    let of = |is: &dyn Fn(&ChallengeItem) -> bool| -> Vec<usize> {
        everything.iter().copied().filter(|&item| is(&items[item])).collect()
    };
    add(GroupedBy::All, None, None, everything.clone());
    let severities = severities(items);
    for severity in &severities {
        add(GroupedBy::Severity, None, Some(severity), of(&|item| item.severity == *severity));
    }
    if items.iter().all(|item| aces_category(&item.kind).is_some()) {
        for (category, _) in ACES_CATEGORIES {
            let members = of(&|item| aces_category(&item.kind) == Some(category));
            if !members.is_empty() {
                add(GroupedBy::Category, Some(category), None, members);
            }
        }
    }
    let mut kinds: Vec<&str> = items.iter().map(|item| item.kind.as_str()).filter(|kind| !kind.is_empty()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let members = of(&|item| item.kind == kind);
        let of_kind: Vec<&&str> = severities
            .iter()
            .filter(|severity| members.iter().any(|&item| items[item].severity == **severity))
            .collect();
        let only = if let [only] = of_kind[..] { Some(*only) } else { None };
        add(GroupedBy::Kind, Some(kind), only, members);
        for severity in of_kind.iter().filter(|_| of_kind.len() > 1) {
            let members = of(&|item| item.kind == kind && item.severity == ***severity);
            add(GroupedBy::KindAndSeverity, Some(kind), Some(severity), members);
        }
    }
    found
}

/// The severities: those of DEMETR and MQM from the worst to the least, others after them by name.
fn severities(items: &[ChallengeItem]) -> Vec<&str> {
    const KNOWN: [&str; 5] = ["critical", "major", "minor", "neutral", "base"];
    let mut found: Vec<&str> =
        items.iter().map(|item| item.severity.as_str()).filter(|text| !text.is_empty()).collect();
    found.sort_unstable();
    found.dedup();
    found.sort_by_key(|severity| KNOWN.iter().position(|known| known == severity).unwrap_or(KNOWN.len()));
    found
}

/// ACES's weighted score of a metric, if all categories have items.
fn aces_score(groups: &[ChallengeGroup], results: &[Vec<ChallengeResult>], metric: usize) -> Option<f64> {
    let tau = |category: &str| {
        let place = groups
            .iter()
            .position(|group| group.by == GroupedBy::Category && group.kind.as_deref() == Some(category))?;
        Some(results[place][metric].tau)
    };
    ACES_CATEGORIES.iter().map(|(category, weight)| Some(weight * tau(category)?)).sum()
}
