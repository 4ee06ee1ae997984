//! `tercet correlate`: metrics × human judgements, any era's protocol.

use super::judgements::sources;
use crate::args::{CorrelateArgs, CorrelateGrouping, Interval, Level, MetricTest};
use crate::output::{self, Misuse};
use crate::work::{progress_bar, start_threads};
use tercet::corpora::{self, JudgementSource, Judgements, MetricRun, MetricScores};
use tercet::meta_evaluation::systems::Method;
use tercet::meta_evaluation::{
    Coefficient, Finding, IntervalKind, Report, Request, StatisticName, SystemScores, Test, correlate,
    pooled_accuracy,
};
use tercet::report;
use tercet::statistics::Grouping;

const DEFAULT_METRICS: [&str; 3] = ["bleu", "chrf", "ter"];

/// Reads, scores, correlates, reports.
pub fn run(args: &CorrelateArgs) -> anyhow::Result<()> {
    start_threads(args.threads)?;
    let request = request(args)?;
    // A metric nobody has is found out before any file is read.
    let _held =
        request.metrics.iter().map(|name| tercet::metrics::build(name)).collect::<Result<Vec<_>, _>>()?;
    let sources = sources(&args.judgements, &args.pair)?;
    let mut scores = Vec::new();
    for file in &args.scores {
        scores.extend(corpora::read_metric_scores(file)?);
    }
    let mut report = Report {
        interval: request.interval,
        test: request.test,
        draws: request.draws,
        seed: request.seed,
        ..Report::default()
    };
    let mut systems: Vec<SystemScores> = Vec::new();
    for source in &sources {
        let judgements = source.read()?;
        let Some(finding) = find(args, &request, &judgements, &scores)? else { continue };
        report.agreements.extend(finding.agreements);
        report.points.extend(finding.points);
        systems.extend(finding.systems);
    }
    add_pooled(&mut report, &systems, &request)?;
    if report.agreements.is_empty() {
        return Err(nothing_found(args, &sources).into());
    }
    if let Some(path) = &args.plot {
        output::write(&report::plot(&report.points), Some(path))?;
    }
    output::write(&report::write_agreement(&report, args.format.into()), args.output.as_deref())
}

fn request(args: &CorrelateArgs) -> anyhow::Result<Request> {
    let mut statistics = Vec::new();
    for name in &args.statistic {
        statistics.push(with_threshold(StatisticName::parse(name)?, args.threshold));
    }
    for year in &args.tau {
        statistics.push(StatisticName::tau_of(year)?);
    }
    let mut distinct: Vec<StatisticName> = Vec::new();
    for statistic in statistics {
        if !distinct.contains(&statistic) {
            distinct.push(statistic);
        }
    }
    let grouping = args.grouping.map(|grouping| match grouping {
        CorrelateGrouping::None => Grouping::None,
        CorrelateGrouping::Item => Grouping::Item,
        CorrelateGrouping::System => Grouping::System,
    });
    Ok(Request {
        metrics: args.metric.clone(),
        lower_is_better: args.lower_is_better.clone(),
        levels: levels(args.level),
        statistics: distinct,
        grouping,
        human: args.human.clone(),
        method: Method::from_name(&args.method)?,
        references: args.reference.clone(),
        include_human: args.include_human,
        interval: match args.interval {
            Interval::Bootstrap => IntervalKind::Bootstrap,
            Interval::Fisher => IntervalKind::Fisher,
            Interval::Student => IntervalKind::Student,
            Interval::None => IntervalKind::None,
        },
        test: match args.test {
            MetricTest::Auto => Some(Test::Default),
            MetricTest::Scores => Some(Test::Scores),
            MetricTest::Pairs => Some(Test::Pairs),
            MetricTest::Williams => Some(Test::Williams),
            MetricTest::None => None,
        },
        draws: args.resamples as usize,
        seed: args.seed,
    })
}

fn with_threshold(statistic: StatisticName, threshold: Option<f64>) -> StatisticName {
    match (statistic, threshold) {
        (StatisticName::Coefficient(Coefficient::Darr { .. }), Some(threshold)) => {
            StatisticName::Coefficient(Coefficient::Darr { threshold })
        }
        (other, _) => other,
    }
}

fn levels(level: Level) -> Vec<corpora::Level> {
    match level {
        Level::System => vec![corpora::Level::System],
        Level::Segment => vec![corpora::Level::Segment],
        Level::Both => vec![corpora::Level::Segment, corpora::Level::System],
    }
}

/// What can be found out about one language pair; nothing, with a warning, if there is nothing to score.
fn find(
    args: &CorrelateArgs,
    request: &Request,
    judgements: &Judgements,
    scores: &[MetricRun],
) -> anyhow::Result<Option<Finding>> {
    let mut request = request.clone();
    let of_pair = |run: &&MetricRun| run.pair.is_empty() || run.pair == judgements.pair;
    let mut files: Vec<MetricScores> = scores.iter().filter(of_pair).map(|run| run.scores.clone()).collect();
    let named = !request.metrics.is_empty() || !scores.is_empty();
    if args.stored || !named {
        files.extend(judgements.metric_scores.iter().cloned());
    }
    if !named && files.is_empty() {
        request.metrics = DEFAULT_METRICS.map(str::to_owned).to_vec();
    }
    let texts = judgements.texts.as_ref().is_some_and(|texts| !texts.references.is_empty());
    if !texts && files.is_empty() {
        output::warn(format_args!(
            "{} {} comes without texts and is left out: metrics cannot be computed (give their scores with --scores)",
            judgements.set, judgements.pair
        ));
        return Ok(None);
    }
    let bar = progress_bar(judgements.segments.len(), "segments", args.quiet);
    bar.set_message(format!("{} {} ", judgements.set, judgements.pair));
    let finding = correlate(judgements, &files, &request, &|segments| bar.inc(segments as u64));
    bar.finish_and_clear();
    let finding = finding?;
    for metric in finding.unmatched.iter().filter(|_| !args.quiet) {
        output::warn(format_args!(
            "{metric} is left out: its file has scores for none of the systems of {} {} ({}, …)",
            judgements.set,
            judgements.pair,
            judgements.systems.first().map_or("", String::as_str)
        ));
    }
    let (missing, all) = finding.left_out;
    if missing > 0 && !args.quiet {
        output::warn(format_args!(
            "{} {}: {missing} of {all} judged outputs are left out: they have no text, or no score by one of the metrics",
            judgements.set, judgements.pair
        ));
    }
    Ok(Some(finding))
}

/// Accuracy over all language pairs of each set that has several.
fn add_pooled(report: &mut Report, systems: &[SystemScores], request: &Request) -> anyhow::Result<()> {
    let asked = report.agreements.iter().any(|agreement| agreement.statistic.name == StatisticName::Accuracy);
    let mut sets: Vec<&str> = systems.iter().map(|scores| scores.set.as_str()).collect();
    sets.dedup();
    for set in sets.into_iter().filter(|_| asked) {
        let parts: Vec<SystemScores> = systems.iter().filter(|scores| scores.set == set).cloned().collect();
        report.agreements.extend(pooled_accuracy(&parts, request)?);
    }
    Ok(())
}

fn nothing_found(args: &CorrelateArgs, sources: &[JudgementSource]) -> Misuse {
    let asked: Vec<&str> = args.statistic.iter().chain(&args.tau).map(String::as_str).collect();
    let sets: Vec<String> = sources.iter().map(|source| format!("{} {}", source.set, source.pair)).collect();
    Misuse(format!(
        "{} cannot be had of {} at this level: rankings have tau, scores have coefficients (see `tercet correlate --help`)",
        if asked.is_empty() { "nothing".to_owned() } else { asked.join(", ") },
        sets.join(", ")
    ))
}
