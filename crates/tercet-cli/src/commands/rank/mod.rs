//! `tercet rank`: systems, or the candidates of segments, from the best to the worst.

mod candidates;

use super::input::{Files, Input, warn_of_references_among_systems};
use super::page;
use crate::args::RankArgs;
use crate::habits;
use crate::output;
use crate::progress::with_progress;
use crate::work;
use candidates::CandidateRanking;
use tercet::metrics::Registry;
use tercet::report::html::ScoredTexts;
use tercet::report::write_ranking;
use tercet::scoring::{RankJob, Scored};

/// Reads, ranks, reports.
pub fn run(args: &RankArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let target = &args.report.target;
    target.check_ending()?;
    output::check(target.output.as_deref(), files(args).all().chain(args.candidates.nbest.as_deref()))?;
    let is_of_candidates = args.candidates.nbest.is_some() || args.candidates.mbr;
    // Before files are read, so that an unknown metric is an error at once.
    let job = job(args);
    habits::metrics::check(&job.metrics, registry)?;
    job.validate(is_of_candidates, registry)?;
    let quiet = args.work.quiet;
    let metrics = with_progress(quiet, registry, |progress| job.build(registry, progress))?;
    habits::metrics::check_files(&args.hypotheses, &args.metric, registry)?;
    page::check_groupings(&args.report, false)?;
    if is_of_candidates {
        target.check_ending_without_page()?;
        return CandidateRanking { args, job: &job, metrics, registry }.run();
    }
    let input = Input::read(&files(args))?;
    let corpus = input.corpus()?;
    if job.checks && !quiet {
        warn_of_references_among_systems(&files(args));
    }
    let done = with_progress(quiet, registry, |progress| job.run_with(metrics, &corpus, registry, progress))?;
    let Scored { evaluation, metrics, .. } = done.result;
    if target.is_page() {
        let scored = ScoredTexts::new("rank", &evaluation, &corpus, &metrics);
        return page::write(ScoredTexts { warnings: &done.warnings, ..scored }, &args.report, &input, registry, quiet);
    }
    let decimals = args.report.width.map(usize::from);
    let text = write_ranking(&evaluation, target.format(), decimals, target.terminal());
    output::write(&text, target.output.as_deref())
}

/// What the flags ask for.
fn job(args: &RankArgs) -> RankJob {
    let significance = &args.significance;
    RankJob {
        metrics: args.metric.iter().map(|name| name.as_str().into()).collect(),
        language: args.texts.lang.clone(),
        fast: args.fast,
        top: args.candidates.top.map(|top| top as usize),
        paired: significance.paired,
        correction: significance.correction,
        resamples: significance.resamples.map(|resamples| resamples as usize),
        seed: significance.seed.unwrap_or_default(),
        checks: !args.input.no_checks,
        page: args.report.target.is_page(),
    }
}

fn files(args: &RankArgs) -> Files<'_> {
    let files = Files::new(&args.hypotheses, &args.texts, args.source.as_deref(), &args.work, &args.input);
    Files { without_references: Some("--mbr and --nbest choose among candidates without references"), ..files }
}
