//! `tercet correlate`: agreement of metrics with human judgements, by the protocol of any year.

use super::default_metrics::named_metrics;
use super::judgements::sources;
use super::metric_warnings::MetricWarnings;
use super::signature::warn_of_differences;
use crate::args::{CorrelateArgs, CorrelateGrouping, Interval, Level, MetricTest};
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::registry;
use crate::work::{self, some_seed};
use std::path::PathBuf;
use tercet::corpora::{self, JudgementSource, Judgements, MetricRun, MetricScores};
use tercet::meta_evaluation::systems::Method;
use tercet::meta_evaluation::{
    AgreementReport, Coefficient, CorrelateRequest, CorrelateResult, IntervalKind, PostEdits, StatisticName,
    SystemScores, Test, correlate, pooled_accuracy,
};
use tercet::metrics::{NamedMetric, Spec};
use tercet::progress::Progress;
use tercet::report;
use tercet::report::html::{PageContents, write_page};
use tercet::statistics::Grouping;
use tercet::text::Language;
use tercet::warning::Warning;

/// Reads, scores, correlates, reports.
pub fn run(args: &CorrelateArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let (judgements, files) = judgements_and_scores(args)?;
    habits::metrics::check_files(&judgements, |misplaced| {
        let names = args.metric.iter().map(String::as_str);
        habits::metrics::give_each(&names.chain(misplaced.iter().copied()).collect::<Vec<_>>())
    })?;
    check_targets(args, &judgements, &files)?;
    // Metrics are built before files are read, so that an unknown one is an error at once.
    let request = request(args)?;
    let sources = sources(&judgements, &args.pair)?;
    let mut scores = Vec::new();
    for file in &files {
        scores.extend(corpora::read_metric_scores(file)?);
    }
    check_directions(&request, &scores)?;
    let mut report = AgreementReport {
        interval: request.interval,
        test: request.test,
        alpha: request.alpha,
        show_p_values: args.p_values,
        draws: request.draws,
        seed: request.seed,
        ..AgreementReport::default()
    };
    with_progress(args.work.quiet, |progress| {
        fill(args, &request, &sources, &scores, &mut report, progress)
    })?;
    warn_of_other_signatures(args, &report);
    if report.agreements.is_empty() {
        return Err(nothing_found(args, &sources).into());
    }
    if args.sort {
        report.sort_by_value();
    }
    // The table first: it is not lost if there is nothing to draw.
    let target = &args.target;
    let text = if target.is_page() {
        let contents =
            PageContents { command: "correlate", agreement: Some(&report), ..PageContents::default() };
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

/// The judgements and the files of scores. In `--scores FILE FOLDER` the folder is the judgements, although it comes where
/// a further file of scores could be.
fn judgements_and_scores(args: &CorrelateArgs) -> Result<(Vec<PathBuf>, Vec<PathBuf>), Misuse> {
    if !args.judgements.is_empty() {
        return Ok((args.judgements.clone(), args.scores.clone()));
    }
    let (mut judgements, mut scores): (Vec<PathBuf>, Vec<PathBuf>) =
        args.scores.iter().cloned().partition(|path| path.is_dir());
    if judgements.is_empty() && scores.len() > 1 {
        let is_judgements =
            |path: &PathBuf| corpora::find_judgements(path).is_ok_and(|found| !found.is_empty());
        judgements.extend(scores.pop_if(|last| is_judgements(last)));
    }
    match judgements.is_empty() {
        true => Err(Misuse(
            "name a folder or file of human judgements, as in: tercet correlate JUDGEMENTS -m bleu"
                .to_owned(),
        )),
        false => Ok((judgements, scores)),
    }
}

/// Warns if a metric was given by a signature whose scores cannot be those computed here; once for all language pairs.
fn warn_of_other_signatures(args: &CorrelateArgs, report: &AgreementReport) {
    for metric in args.metric.iter().filter(|_| !args.work.quiet) {
        if let Some(found) = report.agreements.iter().find(|agreement| agreement.metric == *metric) {
            warn_of_differences(metric, &found.signature);
        }
    }
}

/// Adds the results of every set and language pair.
fn fill(
    args: &CorrelateArgs,
    request: &CorrelateRequest,
    sources: &[JudgementSource],
    scores: &[MetricRun],
    report: &mut AgreementReport,
    progress: Progress<'_>,
) -> anyhow::Result<()> {
    let mut systems: Vec<SystemScores> = Vec::new();
    let mut warnings = MetricWarnings::default();
    for source in sources {
        let judgements = source.read()?;
        let Some(finding) = find(args, request, &judgements, scores, &mut warnings, progress)? else {
            continue;
        };
        report.agreements.extend(finding.agreements);
        report.points.extend(finding.points);
        systems.extend(finding.systems);
    }
    add_pooled(report, &systems, request, progress)
}

/// Returns an error if the table or the plot could not be written, or would overwrite each other or an input.
fn check_targets(args: &CorrelateArgs, judgements: &[PathBuf], scores: &[PathBuf]) -> anyhow::Result<()> {
    let read = || judgements.iter().chain(scores).map(PathBuf::as_path);
    let table = args.target.output.as_deref();
    args.target.check_ending()?;
    output::check(table, read())?;
    let Some(plot) = &args.plot else { return Ok(()) };
    if plot.extension().is_none_or(|extension| extension != "svg") {
        let message = format!("--plot writes SVG: call the file something.svg, not {}", plot.display());
        return Err(Misuse(message).into());
    }
    if table.is_some_and(|table| output::is_same_file(table, plot)) {
        let message = format!("--plot and --output are both {}: give each its own file", plot.display());
        return Err(Misuse(message).into());
    }
    output::check(Some(plot), read())
}

fn request(args: &CorrelateArgs) -> anyhow::Result<CorrelateRequest> {
    let mut statistics = Vec::new();
    for name in &args.statistic {
        statistics.push(with_threshold(StatisticName::parse(name)?, args.threshold));
    }
    for year in &args.tau {
        statistics.push(StatisticName::tau_of(year)?);
    }
    let is_darr = |name: &StatisticName| matches!(name, StatisticName::Coefficient(Coefficient::Darr { .. }));
    if args.threshold.is_some() && !statistics.iter().any(is_darr) {
        return Err(Misuse("--threshold is for --statistic darr".to_owned()).into());
    }
    if !(0.0..=1.0).contains(&args.alpha) {
        let expected = "expected a probability from 0 to 1";
        return Err(Misuse(format!("--alpha: {expected}, found {}", args.alpha)).into());
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
    Ok(CorrelateRequest {
        metrics: habits::metrics::build(&args.metric, None, args.work.quiet)?,
        lower_is_better: args.lower_is_better.clone(),
        stored: args.stored || (args.metric.is_empty() && args.scores.is_empty()),
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
        alpha: args.alpha,
        draws: args.resamples as usize,
        seed: some_seed(&args.seed)?,
    })
}

/// Returns an error if --lower-is-better names a metric without scores.
fn check_directions(request: &CorrelateRequest, scores: &[MetricRun]) -> Result<(), Misuse> {
    let known: Vec<&str> = scores.iter().map(|run| run.scores.metric.as_str()).collect();
    let unknown = request.lower_is_better.iter().find(|name| !known.contains(&name.as_str()));
    // Metric scores of the sets have not been read yet.
    match unknown.filter(|_| !request.stored) {
        Some(name) => {
            let known = known.join(", ");
            Err(Misuse(format!("--lower-is-better: no file has scores by {name} (there are: {known})")))
        }
        None => Ok(()),
    }
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

/// The results of one language pair; nothing, with a warning, if there is nothing to score.
fn find(
    args: &CorrelateArgs,
    request: &CorrelateRequest,
    judgements: &Judgements,
    scores: &[MetricRun],
    warnings: &mut MetricWarnings,
    progress: Progress<'_>,
) -> anyhow::Result<Option<CorrelateResult>> {
    let mut request = request.clone();
    let of_pair = |run: &&MetricRun| run.pair.is_empty() || run.pair == judgements.pair;
    let files: Vec<MetricScores> = scores.iter().filter(of_pair).map(|run| run.scores.clone()).collect();
    let stored = request.stored && !judgements.metric_scores.is_empty();
    let language = Language::target(&judgements.pair).ok();
    if request.metrics.is_empty() && scores.is_empty() && !stored {
        request.metrics = named_metrics(&[], language.as_ref(), true)?;
    } else if let Some(language) = &language {
        request.metrics = for_target(&request.metrics, language)?;
    }
    let texts = judgements.texts.as_ref().is_some_and(|texts| !texts.references.is_empty());
    let nothing = match (files.is_empty() && !stored, request.metrics.is_empty()) {
        (true, true) => Some("none of the files has scores of this language pair"),
        (true, false) if !texts => {
            Some("it comes without texts to compute metrics on (give scores with --scores)")
        }
        _ => None,
    };
    if let Some(why) = nothing {
        warn(args, format_args!("{} {} is left out: {why}", judgements.set, judgements.pair));
        return Ok(None);
    }
    if !texts {
        request.metrics.clear();
    }
    if !args.work.quiet {
        warn_of_metrics(judgements, &request, language.as_ref(), warnings);
    }
    let finding = correlate(judgements, &files, &request, registry(), progress)?;
    warn_of_what_is_left_out(args, judgements, &finding);
    warn_of_post_edits(args, judgements, &finding);
    Ok(Some(finding))
}

/// The metrics for the target language of a set. One with a paraphrase table stays as it is, since the table is of one language.
fn for_target(metrics: &[NamedMetric], language: &Language) -> tercet::Result<Vec<NamedMetric>> {
    let of_set = |named: &NamedMetric| {
        let given = registry().for_language(&named.name, language)?;
        let same = given.to_string() == named.name || given.option("paraphrase").is_some();
        if same { Ok(named.clone()) } else { registry().named(&named.name, Some(language)) }
    };
    metrics.iter().map(of_set).collect()
}

/// Warns of metrics that do not fit the target language, and of what they lack.
fn warn_of_metrics(
    judgements: &Judgements,
    request: &CorrelateRequest,
    language: Option<&Language>,
    warnings: &mut MetricWarnings,
) {
    let texts = judgements.texts.as_ref().and_then(|texts| texts.references.first());
    let lines = texts.map_or(&[][..], |reference| &reference.lines);
    let references: Vec<Vec<&str>> =
        lines.iter().map(|line| line.iter().map(String::as_str).collect()).collect();
    let signatures: Vec<Spec> = request.metrics.iter().map(|named| named.metric.signature()).collect();
    let own = request.metrics.iter().flat_map(|named| named.metric.warnings());
    warnings.of_language(&references, &signatures, own, language);
    warnings.print(request.metrics.iter().filter_map(|named| learned_from(named, judgements)));
}

/// Says so if a metric has learned from the judgements that it is compared with.
fn learned_from(named: &NamedMetric, judgements: &Judgements) -> Option<Warning> {
    let judged = format!("{} {}", judgements.set, judgements.pair);
    // Noted as `da-wmt16 cs-en (560)`, without a language pair as `scores (40)`.
    let judged = judged.trim_end();
    let is_it = |one: &str| one.strip_prefix(judged).is_some_and(|rest| rest.starts_with(' '));
    named
        .metric
        .learned_from()?
        .split(", ")
        .any(is_it)
        .then(|| Warning::LearnedFrom { metric: named.name.clone(), judgements: judged.to_owned() })
}

/// Warns of everything that is left out.
fn warn_of_what_is_left_out(args: &CorrelateArgs, judgements: &Judgements, finding: &CorrelateResult) {
    let (set, pair) = (&judgements.set, &judgements.pair);
    for metric in &finding.unmatched {
        let first = judgements.systems.first().map_or("", String::as_str);
        let why = format!("its file has scores for none of the systems of {set} {pair} ({first}, …)");
        warn(args, format_args!("{metric} is left out: {why}"));
    }
    let (missing, all) = finding.left_out;
    if missing > 0 {
        let why = "they have no text, or no score by one of the metrics";
        warn(args, format_args!("{set} {pair}: {missing} of {all} judged outputs are left out: {why}"));
    }
    if !finding.systems_left_out.is_empty() {
        let systems = finding.systems_left_out.join(", ");
        let why = "they have no human score, or no score by one of the metrics";
        warn(args, format_args!("{set} {pair}: systems left out, since {why}: {systems}"));
    }
}

/// Warns if the references were made from the outputs.
fn warn_of_post_edits(args: &CorrelateArgs, judgements: &Judgements, finding: &CorrelateResult) {
    let (set, pair) = (&judgements.set, &judgements.pair);
    let meaning = "metrics agree with people more than with independent references";
    match finding.post_edits {
        Some(PostEdits::Stated) => {
            let what = "the references are post-edits of the judged outputs";
            warn(args, format_args!("{set} {pair}: {what}: {meaning}"));
        }
        Some(PostEdits::Likely { same, outputs }) => {
            let what = format!("{same} of {outputs} outputs of four words or more equal their reference");
            let meaning = format!("if the references are post-edits of them, {meaning}");
            warn(args, format_args!("{set} {pair}: {what}: {meaning}"));
        }
        None => {}
    }
}

fn warn(args: &CorrelateArgs, message: std::fmt::Arguments<'_>) {
    if !args.work.quiet {
        output::warn(message);
    }
}

/// Accuracy over all language pairs of each set that has several.
fn add_pooled(
    report: &mut AgreementReport,
    systems: &[SystemScores],
    request: &CorrelateRequest,
    progress: Progress<'_>,
) -> anyhow::Result<()> {
    let asked = report.agreements.iter().any(|agreement| agreement.statistic.name == StatisticName::Accuracy);
    let mut sets: Vec<&str> = Vec::new();
    for scores in systems {
        if !sets.contains(&scores.set.as_str()) {
            sets.push(&scores.set);
        }
    }
    for set in sets.into_iter().filter(|_| asked) {
        let parts: Vec<SystemScores> = systems.iter().filter(|scores| scores.set == set).cloned().collect();
        report.agreements.extend(pooled_accuracy(&parts, request, progress)?);
    }
    Ok(())
}

fn nothing_found(args: &CorrelateArgs, sources: &[JudgementSource]) -> Misuse {
    let asked: Vec<&str> = args.statistic.iter().chain(&args.tau).map(String::as_str).collect();
    let sets: Vec<String> = sources.iter().map(|source| format!("{} {}", source.set, source.pair)).collect();
    let sets = sets.join(", ");
    Misuse(match asked.is_empty() {
        true => format!("there is nothing to correlate in {sets} at this level: see the warnings"),
        false => format!(
            "{} cannot be computed from {sets} at this level: rankings have tau, scores have coefficients (see the warnings, \
             and `tercet correlate --help`)",
            asked.join(", ")
        ),
    })
}
