//! `tercet rank`: systems, or the candidates of segments, from the best to the worst.

mod candidates;

use super::default_metrics::{ShownWarnings, learned_metric_in_time};
use super::input::{Files, Input, warn_of_references_among_systems};
use super::page;
use super::signature::warn_of_differences;
use crate::args::{Correction, PairedTest, RankArgs};
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::registry;
use crate::work;
use tercet::metrics::{NamedMetric, Spec};
use tercet::report::html::ScoredTexts;
use tercet::report::write_ranking;
use tercet::scoring::significance::Resampling;
use tercet::scoring::too_few;
use tercet::scoring::{self, Corpus, EvaluateRequest, Evaluation, Paired, Pairs, Test};

/// The metric, if none is given and the learned one does not suit the language.
pub const DEFAULT_METRIC: &str = "chrf";

/// Reads, ranks, reports.
pub fn run(args: &RankArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    args.report.target.check_ending()?;
    output::check(
        args.report.target.output.as_deref(),
        files(args).all().chain(args.candidates.nbest.as_deref()),
    )?;
    // Before files are read, so that an unknown metric is an error at once.
    check_slopes(&args.metric)?;
    let metrics = habits::metrics::build(&args.metric, args.texts.lang.as_ref(), args.work.quiet)?;
    let names: Vec<&str> = args.metric.iter().map(String::as_str).collect();
    habits::metrics::check_files(&args.hypotheses, |misplaced| {
        habits::metrics::give_each(&[&names[..], misplaced].concat())
    })?;
    page::check_groupings(&args.report, false)?;
    if args.candidates.nbest.is_some() || args.candidates.mbr {
        args.report.target.check_ending_without_page()?;
        return candidates::run(args, metrics);
    }
    if args.texts.reference.is_empty() && args.input.columns.is_none() {
        let hint = "--mbr and --nbest choose among candidates without references";
        return Err(Misuse(format!("no reference given: name one with -r REF ({hint})")).into());
    }
    let input = Input::read(&files(args))?;
    let corpus = input.corpus()?;
    if corpus.systems().len() < 2 {
        let hint = "tercet score scores one; --nbest ranks the candidates of a list";
        return Err(Misuse(format!("expected at least two systems to rank, found 1 ({hint})")).into());
    }
    let metrics = or_default(metrics, corpus.references(), corpus.distinct_line_count(), args)?;
    let request = EvaluateRequest { segments: args.report.target.is_page(), ..request(args)? };
    check(&corpus, &metrics, &request, args);
    let evaluation =
        with_progress(args.work.quiet, |progress| scoring::evaluate(&corpus, &metrics, &request, progress))?;
    if !args.report.target.is_page() {
        return report(&evaluation, args);
    }
    warn_of_other_signatures(&evaluation, args);
    let scored = ScoredTexts {
        language: args.texts.lang.as_ref(),
        checks: !args.input.no_checks,
        ..ScoredTexts::new("rank", &evaluation, &corpus, &metrics)
    };
    page::write(scored, &args.report, &input, args.work.quiet)
}

/// Returns an error if a metric has a slope of its own: probabilities are computed with the fitted one.
pub fn check_slopes(names: &[String]) -> Result<(), Misuse> {
    let has_slope =
        |name: &&String| Spec::parse("metric", name).is_ok_and(|spec| spec.qualifier("slope").is_some());
    match names.iter().find(has_slope) {
        Some(name) => {
            Err(Misuse(format!("{name}: a slope of your own is for tercet compare, rank takes none")))
        }
        None => Ok(()),
    }
}

fn warn_of_other_signatures(evaluation: &Evaluation, args: &RankArgs) {
    if !args.work.quiet {
        evaluation.columns.iter().for_each(|column| warn_of_differences(&column.metric, &column.signature));
    }
}

fn report(evaluation: &Evaluation, args: &RankArgs) -> anyhow::Result<()> {
    warn_of_other_signatures(evaluation, args);
    let (target, decimals) = (&args.report.target, args.report.width.map(usize::from));
    let text = write_ranking(evaluation, target.format(), decimals, target.terminal());
    output::write(&text, target.output.as_deref())
}

/// The metrics, or the default one for the language of these lines, of which there are so many in all.
fn or_default(
    metrics: Vec<NamedMetric>,
    lines: &[Vec<&str>],
    count: usize,
    args: &RankArgs,
) -> anyhow::Result<Vec<NamedMetric>> {
    if !metrics.is_empty() {
        return Ok(metrics);
    }
    let language = args.texts.lang.as_ref();
    let warnings = ShownWarnings::of_flags(args.work.quiet, args.input.no_checks);
    let learned = || learned_metric_in_time(lines, count, language, &[], warnings);
    let learned = if args.fast { None } else { learned() };
    let name = learned.unwrap_or(DEFAULT_METRIC);
    Ok(vec![registry().named(name, language)?])
}

/// Prints warnings about the texts.
fn check(corpus: &Corpus<'_>, metrics: &[NamedMetric], request: &EvaluateRequest, args: &RankArgs) {
    if args.work.quiet {
        return;
    }
    if !args.input.no_checks {
        warn_of_references_among_systems(&files(args));
        scoring::check(corpus).iter().for_each(output::warn_of);
        check_metrics(corpus.references(), metrics, args);
    }
    too_few::segments(corpus.len(), corpus.systems().len(), request).iter().for_each(output::warn_of);
    too_few::resamples(corpus.systems().len(), request).iter().for_each(output::warn_of);
}

/// Prints warnings about metrics for the language of these lines.
fn check_metrics(lines: &[Vec<&str>], metrics: &[NamedMetric], args: &RankArgs) {
    scoring::check_metrics_for(lines, metrics, args.texts.lang.as_ref()).iter().for_each(output::warn_of);
}

fn request(args: &RankArgs) -> anyhow::Result<EvaluateRequest> {
    let significance = &args.significance;
    let seed = significance.seed.as_deref().map_or(Ok(Some(12345)), work::seed)?;
    let resampling = |default: usize| Resampling {
        samples: significance.resamples.map_or(default, |samples| samples as usize),
        seed,
    };
    let (test, trials) = match significance.paired {
        None | Some(PairedTest::Bs) => (Test::Bootstrap, 1000),
        Some(PairedTest::Ar) => (Test::Randomisation, 10_000),
    };
    let holm = significance.correction == Some(Correction::Holm);
    let paired = Paired { test, resampling: resampling(trials), pairs: Pairs::All, holm };
    Ok(EvaluateRequest {
        confidence: Some(resampling(1000)),
        paired: Some(paired),
        wins: true,
        ..EvaluateRequest::default()
    })
}

fn files(args: &RankArgs) -> Files<'_> {
    Files {
        hypotheses: &args.hypotheses,
        names: &args.texts.name,
        reference: &args.texts.reference,
        source: args.source.as_deref(),
        quiet: args.work.quiet,
        layout: &args.input,
    }
}
