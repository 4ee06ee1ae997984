//! `tercet challenge`: how often metrics tell a good translation from a damaged one.

use crate::args::ChallengeArgs;
use crate::habits;
use crate::output;
use crate::progress::with_progress;
use crate::work;
use std::path::PathBuf;
use tercet::corpora::ChallengeFields;
use tercet::meta_evaluation::challenge::ChallengeJob;
use tercet::metrics::Registry;
use tercet::report;
use tercet::report::html::{PageContents, write_page};

/// Reads, scores, counts, reports.
pub fn run(args: &ChallengeArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    habits::metrics::check_files(&args.items, &args.metric, registry)?;
    args.target.check_ending()?;
    output::check(args.target.output.as_deref(), args.items.iter().map(PathBuf::as_path))?;
    let mut fields = ChallengeFields::default();
    for (name, field) in &args.field {
        fields.set(name, field.clone());
    }
    let job =
        ChallengeJob { items: args.items.clone(), fields, pairs: args.pair.clone(), metrics: args.metric.clone() };
    let metrics = habits::metrics::build(&args.metric, None, args.work.quiet, registry)?;
    let report = with_progress(args.work.quiet, registry, |progress| match metrics.is_empty() {
        true => job.run(registry, progress),
        false => job.run_with(&metrics, registry, progress),
    })?
    .result;
    let target = &args.target;
    let text = match target.is_page() {
        true => write_page(&PageContents {
            command: "challenge",
            challenge: Some(&report),
            registry: Some(registry),
            ..PageContents::default()
        }),
        false => report::write_challenge(&report, target.format(), target.terminal()),
    };
    output::write(&text, target.output.as_deref())
}
