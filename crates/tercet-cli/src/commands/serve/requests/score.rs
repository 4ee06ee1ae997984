//! `/v1/score`: what `tercet score` computes.

use super::resampling::{self, Correction, TestName, default_seed, resampling, seed};
use super::texts::{References, SystemLines, Texts};
use super::{FoundMetric, build, found_metrics, language, number_of_metrics};
use crate::commands::default_metrics::{ShownWarnings, learned_metric_in_time, named_metrics};
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::SCORE_BYTES;
use crate::commands::serve::state::Server;
use crate::registry;
use serde::Deserialize;
use tercet::metrics::NamedMetric;
use tercet::report::{self, Contents, Format};
use tercet::scoring::too_few;
use tercet::scoring::{self, Corpus, EvaluateRequest, Paired, Pairs};
use tercet::text::Language;

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    references: Vec<References>,
    systems: Vec<SystemLines>,
    sources: Option<Vec<String>>,
    #[serde(default)]
    metrics: Vec<String>,
    language: Option<String>,
    #[serde(default)]
    fast: bool,
    #[serde(default)]
    level: Level,
    #[serde(default)]
    components: bool,
    #[serde(default)]
    confidence: bool,
    paired: Option<TestName>,
    baseline: Option<String>,
    #[serde(default)]
    all_pairs: bool,
    correction: Option<Correction>,
    resamples: Option<usize>,
    #[serde(default = "default_seed", deserialize_with = "seed")]
    seed: Option<u64>,
    /// The metrics with their files.
    #[serde(skip)]
    found: Vec<FoundMetric>,
}

#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Level {
    #[default]
    System,
    Segment,
    Both,
}

impl Work for Score {
    fn check(&mut self, server: &Server) -> Result<(), ErrorResponse> {
        self.texts().check()?;
        self.texts().check_segments()?;
        resampling::check(self.resamples)?;
        if self.paired.is_none() && (self.baseline.is_some() || self.all_pairs || self.correction.is_some()) {
            let message =
                "baseline, all_pairs and correction are for a test: add \"paired\": \"bs\" or \"ar\"";
            return Err(ErrorResponse::unusable(message));
        }
        language(self.language.as_deref())?;
        self.found = found_metrics(&self.metrics, server)?;
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.texts().translations() * number_of_metrics(&self.found) * SCORE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let language = self.language.as_deref().map(Language::target).transpose()?;
        let corpus = self.texts().corpus()?;
        let metrics = metrics(&self.found, self.fast, &corpus, language.as_ref())?;
        let request = self.request();
        let mut warnings = scoring::remarks(&corpus, &metrics, language.as_ref());
        warnings.extend(too_few::segments(corpus.len(), corpus.systems().len(), &request));
        warnings.extend(too_few::resamples(corpus.systems().len(), &request));
        let evaluation = scoring::evaluate(&corpus, &metrics, &request, asked.progress)?;
        let contents = Contents {
            systems: self.level != Level::Segment,
            segments: self.level != Level::System,
            components: self.components,
            ..Contents::default()
        };
        let format = if asked.lines { Format::Jsonl } else { Format::Json };
        Ok(Answer { text: report::write(&evaluation, format, contents), warnings })
    }
}

impl Score {
    fn texts(&self) -> Texts<'_> {
        Texts { systems: &self.systems, references: &self.references, sources: self.sources.as_deref() }
    }

    fn request(&self) -> EvaluateRequest {
        let paired = self.paired.map(|test| {
            let (test, samples) = test.test();
            let first = || self.systems.first().map(|system| system.name.clone()).unwrap_or_default();
            Paired {
                test,
                resampling: resampling(self.resamples, samples, self.seed),
                pairs: match &self.baseline {
                    _ if self.all_pairs => Pairs::All,
                    baseline => Pairs::Against(baseline.clone().unwrap_or_else(first)),
                },
                holm: self.correction.is_some(),
            }
        });
        EvaluateRequest {
            segments: self.level != Level::System,
            components: self.components,
            confidence: self.confidence.then(|| resampling(self.resamples, 1000, self.seed)),
            paired,
            wins: false,
        }
    }
}

/// The metrics that are asked for, or those that `tercet score` computes by default.
pub fn metrics(
    found: &[FoundMetric],
    fast: bool,
    corpus: &Corpus<'_>,
    language: Option<&Language>,
) -> anyhow::Result<Vec<NamedMetric>> {
    if !found.is_empty() {
        return Ok(build(found, language)?);
    }
    let mut metrics = named_metrics(&[], language, true)?;
    if !fast {
        let learned = learned_metric_in_time(
            corpus.references(),
            corpus.distinct_line_count(),
            language,
            &[],
            ShownWarnings::None,
        );
        metrics.extend(learned.map(|name| registry().named(name, language)).transpose()?);
    }
    Ok(metrics)
}
