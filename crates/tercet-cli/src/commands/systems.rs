//! `tercet systems`: ranks systems by human judgements.

use crate::args::SystemsArgs;
use crate::output;
use crate::progress::with_progress;
use crate::work::{self, some_seed};
use std::path::PathBuf;
use tercet::meta_evaluation::systems::SystemsJob;
use tercet::metrics::Registry;
use tercet::report;

/// Reads, ranks, reports.
pub fn run(args: &SystemsArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    args.target.check_ending_without_page()?;
    output::check(args.target.output.as_deref(), args.paths.iter().map(PathBuf::as_path))?;
    let job = SystemsJob {
        judgements: args.paths.clone(),
        pairs: args.pair.clone(),
        methods: args.method.clone(),
        runs: args.runs,
        seed: some_seed(args.seed),
        resample: args.resample,
        shared_outputs: args.shared_outputs,
        scores: args.scores.clone(),
        test: args.test,
    };
    let rankings = with_progress(args.work.quiet, registry, |progress| job.run(progress))?.result;
    let (format, width) = (args.target.format(), usize::from(args.width));
    let text = report::write_systems(&rankings, format, width, args.target.terminal());
    output::write(&text, args.target.output.as_deref())
}
