//! `tercet check`: every suspicious line, with the reason.

use super::input::{Files, Input};
use crate::args::CheckArgs;
use crate::output::{self, GateFailed, Misuse};
use crate::progress::with_progress;
use crate::work;
use tercet::metrics::Registry;
use tercet::report::write_check;
use tercet::scoring::{CheckJob, Checked, Severity};

/// Reads, checks, reports.
pub fn run(args: &CheckArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    if args.input.no_checks {
        return Err(Misuse("--no-checks leaves nothing to do (--ignore KIND leaves out a kind)".to_owned()).into());
    }
    let target = &args.target;
    target.check_ending_without_page()?;
    let files = Files::new(&args.hypotheses, &args.texts, args.source.as_deref(), &args.work, &args.input);
    output::check(target.output.as_deref(), files.all())?;
    let job = job(args);
    job.validate()?;
    let input = Input::read_with_any_references(&files)?;
    let texts = input.check_texts()?;
    let checked = with_progress(args.work.quiet, registry, |progress| job.run(&texts, progress))?.result;
    output::write(&write_check(&checked, target.format(), job.summary, target.terminal()), target.output.as_deref())?;
    if checked.failed { Err(GateFailed(why(&checked)).into()) } else { Ok(()) }
}

/// What the flags ask for.
fn job(args: &CheckArgs) -> CheckJob {
    let default = CheckJob::default();
    CheckJob {
        language: args.texts.lang.clone(),
        kinds: args.kinds.clone(),
        ignore: args.ignore.clone(),
        min_share: args.min_share.unwrap_or(default.min_share),
        max_length_ratio: args.max_length_ratio.unwrap_or(default.max_length_ratio),
        strict: args.strict,
        summary: args.summary,
    }
}

/// The kinds of errors and warnings.
fn why(checked: &Checked) -> String {
    let bad = checked.summary.iter().filter(|one| one.severity != Severity::Note);
    let kinds = bad.map(|one| format!("{} in {} ({} lines)", one.kind, one.text, one.lines));
    format!("check failed: {}", kinds.collect::<Vec<_>>().join(", "))
}
