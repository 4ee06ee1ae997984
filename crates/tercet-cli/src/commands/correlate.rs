//! `tercet correlate`: agreement of metrics with human judgements, by the protocol of any year.

use crate::args::CorrelateArgs;
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work::{self, some_seed};
use std::path::{Path, PathBuf};
use tercet::corpora;
use tercet::meta_evaluation::CorrelateJob;
use tercet::metrics::Registry;
use tercet::report;
use tercet::report::html::{PageContents, write_page};

/// Reads, scores, correlates, reports.
pub fn run(args: &CorrelateArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let (judgements, scores) = judgements_and_scores(args)?;
    habits::metrics::check_files(&judgements, &args.metric, registry)?;
    let job = job(args, judgements, scores);
    check_targets(args, &job)?;
    job.validate()?;
    let metrics = habits::metrics::build(&args.metric, None, args.work.quiet, registry)?;
    let report =
        with_progress(args.work.quiet, registry, |progress| job.run_with(metrics, &[], registry, progress))?.result;
    // The table first: it is not lost if there is nothing to draw.
    let target = &args.target;
    let text = if target.is_page() {
        let contents = PageContents {
            command: "correlate",
            agreement: Some(&report),
            registry: Some(registry),
            ..PageContents::default()
        };
        write_page(&contents)
    } else {
        report::write_agreement(&report, target.format(), target.terminal())
    };
    output::write(&text, target.output.as_deref())?;
    match &args.plot {
        Some(_) if report.points.is_empty() => {
            let why = "rankings have no scores of segments (plot systems with --level system)";
            Err(Misuse(format!("--plot: there is nothing to draw: {why}")).into())
        }
        Some(path) => output::write(&report::plot(&report.points), Some(path)),
        None => Ok(()),
    }
}

/// The judgements and the files of scores. In `--scores FILE FOLDER` the folder is the judgements, although it comes
/// where a further file of scores could be.
fn judgements_and_scores(args: &CorrelateArgs) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Misuse> {
    if !args.judgements.is_empty() {
        return Ok((args.judgements.clone(), args.scores.clone()));
    }
    let (mut judgements, mut scores): (Vec<PathBuf>, Vec<PathBuf>) =
        args.scores.iter().cloned().partition(|path| path.is_dir());
    if judgements.is_empty() && scores.len() > 1 {
        let is_judgements = |path: &PathBuf| corpora::find_judgements(path).is_ok_and(|found| !found.is_empty());
        judgements.extend(scores.pop_if(|last| is_judgements(last)));
    }
    match judgements.is_empty() {
        true => Err(Misuse(
            "name a folder or file of human judgements, as in: tercet correlate JUDGEMENTS -m bleu".to_owned(),
        )),
        false => Ok((judgements, scores)),
    }
}

/// The fields that are named.
pub(super) fn judgement_fields(named: &[(String, String)]) -> corpora::JudgementFields {
    let mut fields = corpora::JudgementFields::default();
    for (name, field) in named {
        fields.set(name, field.clone());
    }
    fields
}

fn job(args: &CorrelateArgs, judgements: Vec<PathBuf>, scores: Vec<PathBuf>) -> CorrelateJob {
    CorrelateJob {
        judgements,
        fields: judgement_fields(&args.field),
        pairs: args.pair.clone(),
        metrics: args.metric.clone(),
        scores,
        lower_is_better: args.lower_is_better.clone(),
        stored: args.stored,
        level: args.level,
        statistics: args.statistic.iter().chain(&args.tau).copied().collect(),
        threshold: args.threshold,
        epsilon: args.epsilon,
        grouping: args.grouping,
        average: args.average,
        missing: args.missing,
        human: args.human.clone(),
        method: args.method,
        references: args.reference.clone(),
        include_human: args.include_human,
        interval: args.interval,
        test: args.test,
        alpha: args.alpha,
        resamples: args.resamples,
        seed: some_seed(args.seed),
        overall: args.overall.clone(),
        sort: args.sort,
        p_values: args.p_values,
    }
}

/// Returns an error if the table or the plot could not be written, or would overwrite each other or an input.
fn check_targets(args: &CorrelateArgs, job: &CorrelateJob) -> anyhow::Result<()> {
    let read = || job.judgements.iter().chain(&job.scores).map(PathBuf::as_path);
    let table = args.target.output.as_deref();
    args.target.check_ending()?;
    output::check(table, read())?;
    let Some(plot) = &args.plot else { return Ok(()) };
    if plot.extension().is_none_or(|extension| extension != "svg") {
        let message = format!("--plot writes SVG: call the file something.svg, not {}", plot.display());
        return Err(Misuse(message).into());
    }
    if table.is_some_and(|table: &Path| output::is_same_file(table, plot)) {
        let message = format!("--plot and --output are both {}: give each its own file", plot.display());
        return Err(Misuse(message).into());
    }
    output::check(Some(plot), read())
}
