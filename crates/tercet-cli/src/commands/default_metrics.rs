//! The metrics, if none are given.

use crate::{habits, output};
use tercet::metrics::NamedMetric;
use tercet::scoring::{DEFAULT_METRICS, MOST_LINES, default_learned_metric};
use tercet::text::Language;

/// The metrics of these names, or the default ones, for a language.
pub(super) fn named_metrics(
    names: &[String],
    language: Option<&Language>,
    quiet: bool,
) -> anyhow::Result<Vec<NamedMetric>> {
    match names {
        [] => {
            let metrics = DEFAULT_METRICS.iter().map(|name| NamedMetric::build_for(name, language));
            Ok(metrics.collect::<Result<_, _>>()?)
        }
        names => habits::metrics::build(names, language, quiet),
    }
}

/// The learned metric, if it suits these lines and reading so many in all will not take minutes; a note says so if it is left out for
/// its time.
pub(super) fn learned_metric_in_time(
    lines: &[Vec<&str>],
    count: usize,
    language: Option<&Language>,
    quiet: bool,
) -> Option<&'static str> {
    let metric = default_learned_metric(lines, language)?;
    if count <= MOST_LINES {
        return Some(metric);
    }
    if !quiet {
        output::note(format_args!(
            "{metric} is left out: {count} lines would take minutes. -m {metric} computes it, --fast omits this note"
        ));
    }
    None
}
