//! The metrics, if none are given.

use crate::registry;
use crate::{habits, output};
use tercet::metrics::NamedMetric;
use tercet::scoring::{DEFAULT_METRICS, MAX_LINES, default_learned_metric, metric_of_unclear_language};
use tercet::text::Language;
use tercet::warning::{SkippedBecause, Warning};

/// The metrics of these names, or the default ones, for a language.
pub(super) fn named_metrics(
    names: &[String],
    language: Option<&Language>,
    quiet: bool,
) -> anyhow::Result<Vec<NamedMetric>> {
    match names {
        [] => {
            let metrics = DEFAULT_METRICS.iter().map(|name| registry().named(name, language));
            Ok(metrics.collect::<Result<_, _>>()?)
        }
        names => habits::metrics::build(names, language, quiet),
    }
}

/// The warnings that are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ShownWarnings {
    None,
    /// All but those about suspicious texts.
    WithoutChecks,
    All,
}

impl ShownWarnings {
    /// As the flags `--quiet` and `--no-checks` say.
    pub fn of_flags(quiet: bool, no_checks: bool) -> Self {
        match (quiet, no_checks) {
            (true, _) => ShownWarnings::None,
            (false, true) => ShownWarnings::WithoutChecks,
            (false, false) => ShownWarnings::All,
        }
    }
}

/// The learned metric, if it suits these lines and reading so many in all will not take minutes. A warning says so if it is left out for
/// its time, or because the lines are too few to tell their language; `others` are the metrics that are computed without it.
pub(super) fn learned_metric_in_time(
    lines: &[Vec<&str>],
    count: usize,
    language: Option<&Language>,
    others: &[&str],
    warnings: ShownWarnings,
) -> Option<&'static str> {
    let skipped = |metric: &str, because: SkippedBecause| Warning::MetricSkipped {
        metric: metric.to_owned(),
        because,
        others: others.iter().map(|name| (*name).to_owned()).collect(),
    };
    let Some(metric) = default_learned_metric(lines, language, registry()) else {
        let unclear = metric_of_unclear_language(lines, language, registry())
            .filter(|_| warnings == ShownWarnings::All);
        let warning = unclear.map(|metric| skipped(metric, SkippedBecause::UnknownLanguage));
        warning.iter().for_each(output::warn_of);
        return None;
    };
    if count <= MAX_LINES {
        return Some(metric);
    }
    if warnings != ShownWarnings::None {
        output::warn_of(&skipped(metric, SkippedBecause::Lines { lines: count, limit: MAX_LINES }));
    }
    None
}
