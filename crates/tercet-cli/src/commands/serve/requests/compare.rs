//! `/v1/compare`: what `tercet compare` computes.

use super::resampling::{self, default_seed, resampling, seed};
use super::texts::{References, SystemLines, Texts};
use super::{FoundMetric, found_metric, language};
use crate::commands::compare::{Choices, DECIMALS};
use crate::commands::default_metrics::ShownWarnings;
use crate::commands::explain;
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::SCORE_BYTES;
use crate::commands::serve::state::Server;
use serde::Deserialize;
use tercet::report::{ComparisonContents, Format, Terminal, write_comparison};
use tercet::scoring::{self, CompareRequest, too_few};
use tercet::text::Language;

/// The body of a request: `systems` are A and B.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    references: Vec<References>,
    systems: Vec<SystemLines>,
    sources: Option<Vec<String>>,
    metric: Option<String>,
    language: Option<String>,
    #[serde(default)]
    fast: bool,
    #[serde(default)]
    explain: bool,
    resamples: Option<usize>,
    #[serde(default = "default_seed", deserialize_with = "seed")]
    seed: Option<u64>,
    #[serde(skip)]
    found: Option<FoundMetric>,
}

impl Work for Compare {
    fn check(&mut self, server: &Server) -> Result<(), ErrorResponse> {
        self.texts().check()?;
        self.texts().check_segments()?;
        resampling::check(self.resamples)?;
        if self.systems.len() != 2 {
            let found = self.systems.len();
            return Err(ErrorResponse::unusable(format!("expected two systems to compare, found {found}")));
        }
        language(self.language.as_deref())?;
        self.found = self.metric.as_deref().map(|metric| found_metric(metric, server)).transpose()?;
        Ok(())
    }

    fn bytes(&self) -> usize {
        self.texts().translations() * SCORE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let language = self.language.as_deref().map(Language::target).transpose()?;
        let choices = Choices {
            metric: self.found.as_ref().map(|found| found.spec.as_str()),
            language: language.as_ref(),
            fast: self.fast,
            explain: self.explain,
            warnings: ShownWarnings::None,
            decimals: DECIMALS,
        };
        let corpus = self.texts().corpus()?;
        let chosen = choices.given()?.map_or_else(|| choices.default(&corpus), Ok)?;
        if self.explain && chosen.preference.explainer().is_none() {
            return Err(explain::refusal(&[chosen.preference.title()]).into());
        }
        let mut warnings = scoring::check(&corpus);
        warnings.extend(chosen.preference.warnings());
        warnings.extend(too_few::comparison(corpus.len()));
        let request = CompareRequest {
            interval: resampling(self.resamples, 1000, self.seed),
            test: resampling(self.resamples, 10_000, self.seed),
        };
        let all = |_: &_| (0..corpus.len()).collect();
        let compared = chosen.compare(&corpus, &choices, &request, None, all, asked.progress)?;
        let format = if asked.lines { Format::Jsonl } else { Format::Json };
        let shown = ComparisonContents { top: 0, decimals: DECIMALS, terminal: Terminal::default() };
        Ok(Answer { text: write_comparison(&compared, &corpus, format, shown), warnings })
    }
}

impl Compare {
    fn texts(&self) -> Texts<'_> {
        Texts { systems: &self.systems, references: &self.references, sources: self.sources.as_deref() }
    }
}
