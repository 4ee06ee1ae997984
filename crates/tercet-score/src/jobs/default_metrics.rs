//! The learned metric, where no metric is named.

use crate::error::Result;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::text::Language;
use crate::warning::{SkippedBecause, Warning};
use crate::{MAX_LINES, default_learned_metric, metric_of_unclear_language};

/// The lines that decide about the learned metric.
pub(super) struct Lines<'a> {
    /// Those that show the language.
    pub references: &'a [Vec<&'a str>],
    /// How many it would read.
    pub count: &'a dyn Fn() -> usize,
    /// The language, if it is given.
    pub language: Option<&'a Language>,
    /// Whether to warn that the language is not clear.
    pub checks: bool,
}

impl Lines<'_> {
    /// The learned metric, if it suits these lines and reading them will not take minutes. A warning says why it is
    /// left out; `others` are the metrics that are computed without it.
    pub fn learned_metric(
        &self,
        others: &[&str],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Option<&'static str>> {
        let skip = |metric: &str, because: SkippedBecause| {
            let others = others.iter().map(|name| (*name).to_owned()).collect();
            progress.warn(&Warning::MetricSkipped { metric: metric.to_owned(), because, others })
        };
        let Some(metric) = default_learned_metric(self.references, self.language, registry) else {
            let unclear = metric_of_unclear_language(self.references, self.language, registry);
            if let Some(metric) = unclear.filter(|_| self.checks) {
                skip(metric, SkippedBecause::UnknownLanguage)?;
            }
            return Ok(None);
        };
        let lines = (self.count)();
        if lines > MAX_LINES {
            skip(metric, SkippedBecause::Lines { lines, limit: MAX_LINES })?;
            return Ok(None);
        }
        Ok(Some(metric))
    }
}
