//! `tercet campaign`: what people should judge, as a file for the tool in which they do.

use super::input::{Files, Input};
use crate::args::{CampaignArgs, DocumentArgs};
use crate::habits;
use crate::output;
use crate::progress::with_progress;
use crate::work::{self, some_seed};
use std::path::Path;
use tercet::meta_evaluation::campaign::CampaignJob;
use tercet::metrics::Registry;

/// Reads, chooses, writes.
pub fn run(args: &CampaignArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let files = Files::new(&args.hypotheses, &args.texts, args.source.as_deref(), &args.work, &args.input);
    let documents = DocumentArgs { document_ids: args.document_ids.clone(), ..DocumentArgs::default() };
    let files = Files { documents: Some(&documents), ..files };
    output::check(args.output.as_deref(), files.all().chain(args.spans.as_deref()))?;
    let job = job(args);
    job.validate()?;
    habits::metrics::check_files(&args.hypotheses, &args.metric, registry)?;
    let input = Input::read(&files)?;
    let corpus = input.corpus()?;
    let done = with_progress(args.work.quiet, registry, |progress| job.run(&corpus, registry, progress))?;
    output::write(&done.result.text, args.output.as_deref().map(Path::new))
}

fn job(args: &CampaignArgs) -> CampaignJob {
    let usual = CampaignJob::default();
    CampaignJob {
        metrics: if args.metric.is_empty() { usual.metrics } else { args.metric.clone() },
        segments: args.segments,
        choose: args.choose,
        tool: args.tool,
        protocol: args.protocol,
        contrastive: args.contrastive,
        raters: args.raters,
        name: args.title.clone(),
        pair: args.pair.clone(),
        spans: args.spans.clone(),
        seed: some_seed(args.seed),
    }
}
