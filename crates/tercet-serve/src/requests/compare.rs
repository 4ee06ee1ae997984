//! `/v1/compare`: what `tercet compare` computes. `systems` are A and B.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::limits::EXPLAINED_BYTES;
use crate::request::{Endpoint, check_conditions, check_resamples, find_metrics, score_bytes};
use crate::state::Server;
use crate::texts::Texts;
use tercet::corpora::rows::Need;
use tercet::report::{ComparisonContents, DECIMALS, Terminal, write_comparison};
use tercet::scoring::{CompareJob, ResampleBy};

impl Endpoint for CompareJob {
    const TEXTS: &'static [(&'static str, bool)] =
        &[("references", false), ("systems", true), ("sources", false), ("documents", false), ("align", false)];
    const ROWS: Option<Need> = Some(Need::Preferred);

    fn check(&mut self, texts: &Texts, server: &Server) -> Result<(), ErrorResponse> {
        texts.check_references()?;
        texts.check_segments()?;
        find_metrics(self.metric.as_mut_slice(), server)?;
        check_resamples(self.resamples)?;
        check_conditions(&self.fail_if)?;
        texts.check_documents(self.resample_by == ResampleBy::Document)?;
        self.validate(&server.registry)?;
        Ok(CompareJob::check_systems(texts.systems.len())?)
    }

    fn bytes(&self, texts: &Texts) -> usize {
        let explained = if self.explain { texts.bytes().saturating_mul(EXPLAINED_BYTES) } else { 0 };
        score_bytes(texts, 1, false).saturating_add(explained)
    }

    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer> {
        let aligned = texts.aligned()?;
        let corpus = texts.corpus_of(aligned.as_ref())?;
        let mut compared = self.run(&corpus, &context.server.registry, context.progress)?.result.comparison;
        context.server.files.without_folder(&mut compared.signature);
        let shown = ComparisonContents { top: 0, decimals: DECIMALS, terminal: Terminal::default() };
        Ok(Answer::new(write_comparison(&compared, &corpus, context.format(), shown)))
    }
}
