//! `tercet raters`: how far raters agree.

use super::correlate::judgement_fields;
use crate::args::RatersArgs;
use crate::output;
use crate::progress::with_progress;
use crate::work::{self, some_seed};
use std::path::PathBuf;
use tercet::meta_evaluation::raters::RatersJob;
use tercet::metrics::Registry;
use tercet::report;

/// Reads, measures, reports.
pub fn run(args: &RatersArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    args.target.check_ending_without_page()?;
    let read = || args.judgements.iter().chain(&args.scores).map(PathBuf::as_path);
    output::check(args.target.output.as_deref(), read())?;
    let job = RatersJob {
        judgements: args.judgements.clone(),
        scores: args.scores.clone(),
        fields: judgement_fields(&args.field),
        pairs: args.pair.clone(),
        resamples: args.resamples,
        seed: some_seed(args.seed),
    };
    let reports = with_progress(args.work.quiet, registry, |progress| job.run(progress))?.result;
    let text = report::write_raters(&reports, args.target.format(), args.target.terminal());
    output::write(&text, args.target.output.as_deref())
}
