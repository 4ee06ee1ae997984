//! `tercet derive-scores`: scores of translations from rankings.

use crate::args::DeriveScoresArgs;
use crate::output;
use crate::progress::with_progress;
use crate::work;
use std::path::{Path, PathBuf};
use tercet::learned::{DerivationSettings, DeriveScoresJob, write_derived_scores};
use tercet::metrics::Registry;
use tercet::report::Format;

/// Reads, derives, writes.
pub fn run(args: &DeriveScoresArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    args.target.check_ending_without_page()?;
    let output = args.target.output.as_deref();
    output::check(output, args.paths.iter().chain(&args.add).map(PathBuf::as_path))?;
    let job = DeriveScoresJob {
        judgements: args.paths.clone(),
        pairs: args.pair.clone(),
        add: args.add.clone(),
        settings: DerivationSettings {
            set: args.set,
            variance: args.variance,
            equal_scores: args.equal_scores,
            scope: args.scope,
            equal_outputs: args.equal_outputs,
            pairs: args.from_pairs.unwrap_or_default(),
            minimum_tau: args.minimum_tau,
            step: args.step,
            thresholds: args.threshold.clone(),
        },
    };
    let scores = with_progress(args.work.quiet, registry, |progress| job.run(progress))?.result;
    let format = args.target.format();
    output::write(&write_derived_scores(&scores, format), output)?;
    let is_table = matches!(format, Format::Text | Format::Markdown | Format::Latex);
    if is_table || output.is_none_or(|path| path == Path::new("-")) {
        return Ok(());
    }
    output::print(&write_derived_scores(&scores, Format::Text))
}
