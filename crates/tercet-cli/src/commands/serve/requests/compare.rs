//! `/v1/compare`: what `tercet compare` computes.

use super::texts::{References, SystemLines, Texts};
use super::{check_job, find_metrics};
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::SCORE_BYTES;
use crate::commands::serve::state::Server;
use crate::registry;
use serde::Deserialize;
use tercet::report::{ComparisonContents, DECIMALS, Terminal, write_comparison};
use tercet::scoring::CompareJob;

/// The body of a request: `systems` are A and B.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compare {
    references: Vec<References>,
    systems: Vec<SystemLines>,
    sources: Option<Vec<String>>,
    #[serde(flatten)]
    job: CompareJob,
}

impl Work for Compare {
    fn check(&mut self, server: &Server) -> Result<(), ErrorResponse> {
        self.texts().check()?;
        self.texts().check_segments()?;
        find_metrics(self.job.metric.as_mut_slice(), server)?;
        check_job(self.job.resamples, self.job.validate(registry()))?;
        check_job(None, CompareJob::check_systems(self.systems.len()))
    }

    fn bytes(&self) -> usize {
        self.texts().translations() * SCORE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let corpus = self.texts().corpus()?;
        let compared = self.job.run(&corpus, registry(), asked.progress)?.result.comparison;
        let shown = ComparisonContents { top: 0, decimals: DECIMALS, terminal: Terminal::default() };
        Ok(Answer::new(write_comparison(&compared, &corpus, asked.format(), shown)))
    }
}

impl Compare {
    fn texts(&self) -> Texts<'_> {
        Texts { systems: &self.systems, references: &self.references, sources: self.sources.as_deref() }
    }
}
