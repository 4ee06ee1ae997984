//! `tercet spans`: whether metrics mark what people mark.

use super::correlate::judgement_fields;
use crate::args::SpansArgs;
use crate::habits;
use crate::output;
use crate::progress::with_progress;
use crate::work::{self, some_seed};
use std::path::PathBuf;
use tercet::meta_evaluation::spans::SpansJob;
use tercet::metrics::Registry;
use tercet::report;
use tercet::report::html::{PageContents, write_page};

/// Reads, marks, compares, reports.
pub fn run(args: &SpansArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    habits::metrics::check_files(&args.judgements, &args.metric, registry)?;
    args.target.check_ending()?;
    let read = || args.judgements.iter().chain(&args.spans).map(PathBuf::as_path);
    output::check(args.target.output.as_deref(), read())?;
    let job = SpansJob {
        judgements: args.judgements.clone(),
        fields: judgement_fields(&args.field),
        pairs: args.pair.clone(),
        metrics: args.metric.clone(),
        spans: args.spans.clone(),
        human: args.human.clone(),
        references: args.reference.clone(),
        include_human: args.include_human,
        severity: args.severity,
        top: args.top,
        resamples: args.resamples,
        seed: some_seed(args.seed),
    };
    job.validate()?;
    let metrics = habits::metrics::build(&args.metric, None, args.work.quiet, registry)?;
    let report = with_progress(args.work.quiet, registry, |progress| match metrics.is_empty() {
        true => job.run(registry, progress),
        false => job.run_with(&metrics, registry, progress),
    })?
    .result;
    let target = &args.target;
    let text = match target.is_page() {
        true => write_page(&PageContents {
            command: "spans",
            spans: Some(&report),
            registry: Some(registry),
            ..PageContents::default()
        }),
        false => report::write_spans(&report, target.format(), target.terminal()),
    };
    output::write(&text, target.output.as_deref())
}
