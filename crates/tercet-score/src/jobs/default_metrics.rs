//! The learned metric, where no metric is named.

use crate::default_metrics::fast_metric;
use crate::error::Result;
use crate::metrics::Registry;
use crate::progress::Progress;
use crate::text::Language;
use crate::warning::{SkippedBecause, Warning};
use crate::{default_learned_metric, metric_of_unclear_language};

/// The lines that decide about the learned metric.
pub(super) struct Lines<'a> {
    /// Those that show the language.
    pub references: &'a [Vec<&'a str>],
    /// How many it would read.
    pub count: &'a dyn Fn() -> usize,
    /// The language, if it is given.
    pub language: Option<&'a Language>,
    /// Whether the smaller model is wanted.
    pub fast: bool,
    /// Whether to warn that the language is not clear.
    pub checks: bool,
}

/// Lines that a thread reads in a minute on an ordinary processor.
const LINES_PER_MINUTE: usize = 12_000;

impl Lines<'_> {
    /// The learned metric, if it suits these lines. A warning says why it is left out, or that it takes minutes;
    /// `others` are the metrics that are computed without it.
    pub fn learned_metric(
        &self,
        others: &[&str],
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Option<&'static str>> {
        self.learned_metric_on(rayon::current_num_threads(), others, registry, progress)
    }

    fn learned_metric_on(
        &self,
        threads: usize,
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
            if let Some(metric) = unclear.filter(|_| self.checks && !self.fast) {
                skip(metric, SkippedBecause::UnknownLanguage)?;
            }
            return Ok(None);
        };
        if self.fast {
            return Ok(fast_metric(registry));
        }
        let lines = (self.count)();
        let minutes = lines / (LINES_PER_MINUTE * threads);
        if minutes > 0 {
            progress.warn(&Warning::TakesMinutes { metric: metric.to_owned(), lines, minutes })?;
        }
        Ok(Some(metric))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::MetricInfo;
    use crate::progress::Event;
    use std::ops::ControlFlow;
    use std::sync::Mutex;

    /// In the place of the learned metric, which is not part of this crate.
    static SIAMESE: MetricInfo = MetricInfo {
        name: "siamese",
        aliases: &[("siamese-fast", "siamese")],
        ..MetricInfo::new(|_, registry| registry.build("chrf"))
    };

    /// The metric for so many lines, and what is said of it.
    fn learned(registry: &Registry, count: usize, fast: bool) -> (Option<&'static str>, Vec<Warning>) {
        let english = vec![vec!["This is a text about the birds that were counted from a boat."]; 20];
        let said = Mutex::new(Vec::new());
        let callback = |event: &Event<'_>| {
            if let Event::Warning(warning) = event {
                said.lock().unwrap().push((*warning).clone());
            }
            ControlFlow::Continue(())
        };
        let lines = Lines { references: &english, count: &|| count, language: None, fast, checks: true };
        let progress = Progress::none().with_callback(&callback);
        let found = lines.learned_metric_on(2, &[], registry, progress).unwrap();
        (found, said.into_inner().unwrap())
    }

    #[test]
    fn many_lines_are_read_and_how_long_it_takes_is_said() {
        let registry = Registry::lexical().with(&[&SIAMESE]);
        let minutes = Warning::TakesMinutes { metric: "siamese".to_owned(), lines: 1_000_000, minutes: 41 };
        assert_eq!(learned(&registry, 1_000_000, false), (Some("siamese"), vec![minutes]));
        assert_eq!(learned(&registry, 20_001, false), (Some("siamese"), vec![]));
    }

    #[test]
    fn fast_takes_the_smaller_model_where_there_is_one() {
        let registry = Registry::lexical().with(&[&SIAMESE]);
        assert_eq!(learned(&registry, 1_000_000, true), (Some("siamese-fast"), vec![]));
        assert_eq!(learned(&Registry::lexical(), 10, true), (None, vec![]));
    }
}
