//! `/v1/score`: what `tercet score` computes.

use super::texts::{References, SystemLines, Texts};
use super::{check_job, find_metrics, number_of_metrics};
use crate::commands::serve::error_response::ErrorResponse;
use crate::commands::serve::handler::{Answer, RequestContext, Work};
use crate::commands::serve::limits::SCORE_BYTES;
use crate::commands::serve::state::Server;
use crate::registry;
use serde::Deserialize;
use tercet::corpora::Levels;
use tercet::report::{self, Contents};
use tercet::scoring::ScoreJob;

/// The body of a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Score {
    references: Vec<References>,
    systems: Vec<SystemLines>,
    sources: Option<Vec<String>>,
    #[serde(flatten)]
    job: ScoreJob,
}

impl Work for Score {
    fn check(&mut self, server: &Server) -> Result<(), ErrorResponse> {
        self.texts().check()?;
        self.texts().check_segments()?;
        find_metrics(&mut self.job.metrics, server)?;
        check_job(self.job.resamples, self.job.validate(registry()))
    }

    fn bytes(&self) -> usize {
        self.texts().translations() * number_of_metrics(&self.job.metrics) * SCORE_BYTES
    }

    fn run(&self, asked: &RequestContext<'_>) -> anyhow::Result<Answer> {
        let corpus = self.texts().corpus()?;
        let scored = self.job.run(&corpus, registry(), asked.progress)?.result;
        let contents = Contents {
            systems: self.job.level != Levels::Segment,
            segments: self.job.level != Levels::System,
            components: self.job.components,
            ..Contents::default()
        };
        let (evaluation, format) = (&scored.evaluation, asked.format());
        Ok(Answer::new(match &scored.explained {
            Some(explained) => report::write_explanations(evaluation, &corpus, explained, format, contents),
            None => report::write(evaluation, format, contents),
        }))
    }
}

impl Score {
    fn texts(&self) -> Texts<'_> {
        Texts { systems: &self.systems, references: &self.references, sources: self.sources.as_deref() }
    }
}
