//! `tercet rank`: systems, or the candidates of segments, from the best to the worst.

mod candidates;

use super::alignment;
use super::gate::{self, Gate};
use super::input::{Files, Input, references_among_systems};
use super::page;
use crate::args::RankArgs;
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work;
use candidates::CandidateRanking;
use tercet::metrics::Registry;
use tercet::progress::Progress;
use tercet::report::html::ScoredTexts;
use tercet::report::{Format, write_ranking};
use tercet::scoring::{MetricRequest, RankJob, ResampleBy, Scored};
use tercet::warning::Done;

/// Reads, ranks, reports.
pub fn run(args: &RankArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let target = &args.report.target;
    target.check_ending()?;
    output::check(target.output.as_deref(), files(args).all().chain(args.candidates.nbest.as_deref()))?;
    gate::check(&args.gate, target.output.as_deref(), files(args).all())?;
    let is_of_candidates = args.candidates.nbest.is_some() || args.candidates.mbr;
    alignment::check(&args.documents, target.output.as_deref(), files(args).all())?;
    if is_of_candidates && args.documents.are_given() {
        return Err(Misuse("candidates have no documents: leave out the flags about these".to_owned()).into());
    }
    let needs_documents = args.significance.resample_by == ResampleBy::Document || target.is_page();
    alignment::check_used(&args.documents, needs_documents)?;
    // Before files are read, so that an unknown metric is an error at once.
    let job = job(args)?;
    habits::metrics::check(&job.metrics, registry)?;
    job.validate(is_of_candidates, registry)?;
    let quiet = args.work.quiet;
    let build = |progress: Progress<'_>| Done::collect(progress, |progress| job.build(registry, progress));
    let Done { result: metrics, warnings: of_metrics } = with_progress(quiet, registry, build)?;
    habits::metrics::check_files(&args.hypotheses, &args.metric, registry)?;
    page::check_groupings(&args.report, false)?;
    if is_of_candidates {
        target.check_ending_without_page()?;
        return CandidateRanking { args, job: &job, metrics, registry }.run();
    }
    let can_use_source = MetricRequest::can_use_source(&job.metrics, registry);
    let input = Input::read_with_source(&files(args), Input::open(&files(args))?, can_use_source)?;
    alignment::write(&input, &args.documents)?;
    let corpus = input.corpus()?;
    let of_files = if job.checks { references_among_systems(&files(args)) } else { Vec::new() };
    output::warn_of_all(&of_files, quiet);
    let done = with_progress(quiet, registry, |progress| job.run_with(metrics, &corpus, registry, progress))?;
    let warnings = [of_metrics, input.warnings().to_vec(), of_files, done.warnings].concat();
    let Scored { mut evaluation, metrics, .. } = done.result;
    job.judge_warnings(&mut evaluation, &warnings);
    let decimals = args.report.width.map(usize::from);
    let write = |format| write_ranking(&evaluation, &warnings, format, decimals, target.terminal());
    if target.is_page() {
        let scored = ScoredTexts::new("rank", &evaluation, &corpus, &metrics);
        page::write(ScoredTexts { warnings: &warnings, ..scored }, &args.report, &input, registry, quiet)?;
    } else {
        output::write(&write(target.format()), target.output.as_deref())?;
    }
    gate::finish(evaluation.gate.as_ref(), &args.gate, quiet, || write(Format::Markdown))
}

/// What the flags ask for.
fn job(args: &RankArgs) -> anyhow::Result<RankJob> {
    let significance = &args.significance;
    let Gate { fail_if, no_worse_than, margin, strict } = gate::read(&args.gate)?;
    Ok(RankJob {
        metrics: args.metric.iter().map(|name| name.as_str().into()).collect(),
        language: args.texts.lang.clone(),
        fast: args.fast,
        top: args.candidates.top.map(|top| top as usize),
        paired: significance.paired,
        correction: significance.correction,
        resamples: significance.resamples.map(|resamples| resamples as usize),
        seed: significance.seed.unwrap_or_default(),
        resample_by: significance.resample_by,
        fail_if,
        no_worse_than,
        margin,
        strict,
        checks: !args.input.no_checks,
        page: args.report.target.is_page(),
    })
}

fn files(args: &RankArgs) -> Files<'_> {
    let files = Files::new(&args.hypotheses, &args.texts, args.source.as_deref(), &args.work, &args.input);
    let documents = Some(&args.documents);
    Files {
        documents,
        without_references: Some("--mbr and --nbest choose among candidates without references"),
        ..files
    }
}
