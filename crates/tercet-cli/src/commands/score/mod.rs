//! `tercet score`: every metric × every system × every segment, in one pass.

mod submission;

use super::input::{Files, Input, warn_of_references_among_systems};
use super::metric_warnings::MetricWarnings;
use super::named_metrics;
use super::signature::warn_of_differences;
use crate::args::{Correction, Level, PairedTest, ScoreArgs, SignificanceArgs};
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work;
use std::ffi::OsString;
use std::path::Path;
use tercet::corpora::read_scores;
use tercet::metrics::{Direction, Spec};
use tercet::progress::Progress;
use tercet::report::{self, Contents};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{self, Column, EvaluateRequest, Evaluation, Paired, Pairs, Test};
use tercet::text::Language;

/// With fewer segments, or fewer that differ, there is a warning about paired tests.
const FEW: usize = 30;

/// Reads, scores, reports.
pub fn run(args: &ScoreArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    args.report.target.check_ending()?;
    output::check(args.report.target.output.as_deref(), files(args).all())?;
    let mut evaluation = if args.given.scores { compare_scores(args)? } else { score_texts(args)? };
    warn_of_few_differences(&evaluation, args);
    if !args.work.quiet && !args.given.scores {
        evaluation.columns.iter().for_each(|column| warn_of_differences(&column.metric, &column.signature));
    }
    if let Some(metric) = &args.sort {
        evaluation.sort_by_metric(column_to_sort_by(&evaluation, metric)?);
    }
    submission::write(&evaluation, &args.submission)?;
    let contents = Contents {
        systems: args.level != Level::Segment,
        segments: args.level != Level::System,
        components: args.components,
        terminal: args.report.target.terminal(),
        decimals: args.report.width.map(usize::from),
    };
    let target = &args.report.target;
    output::write(&report::write(&evaluation, target.format(), contents), target.output.as_deref())
}

/// `--sort METRIC` may be written without `=`, but `--sort FILE` is `--sort` alone before a file.
pub fn with_sort_value(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_metric = |word: &OsString| {
        let known = word.to_str().is_some_and(|name| tercet::metrics::find(name).is_ok());
        known || (!word.to_string_lossy().starts_with('-') && !Path::new(word).exists())
    };
    let sort = words.iter().position(|word| word == "--sort");
    if let Some(sort) = sort.filter(|sort| words.get(sort + 1).is_some_and(is_metric)) {
        let metric = words.remove(sort + 1);
        words[sort] = [OsString::from("--sort="), metric].into_iter().collect();
    }
    words
}

/// The column of `--sort`: by the metric as it was given, its title or its name; the first if there is no name.
fn column_to_sort_by(evaluation: &Evaluation, metric: &str) -> Result<usize, Misuse> {
    let name = |text: &str| text.split([':', '|']).next().unwrap_or_default().to_lowercase();
    let same: [&dyn Fn(&Column) -> bool; 3] = [
        &|column| metric.is_empty() || column.metric == metric,
        &|column| column.title.eq_ignore_ascii_case(metric),
        &|column| name(&column.metric) == name(metric),
    ];
    let columns = &evaluation.columns;
    same.iter().find_map(|same| columns.iter().position(same)).ok_or_else(|| {
        let known: Vec<&str> = columns.iter().map(|column| column.metric.as_str()).collect();
        Misuse(format!("--sort: there are no scores by {metric} (there are: {})", known.join(", ")))
    })
}

fn score_texts(args: &ScoreArgs) -> anyhow::Result<Evaluation> {
    // Before files are read, so that an unknown metric is an error at once.
    let language = language(args)?;
    let metrics = named_metrics(&args.metric, language.as_ref(), args.work.quiet)?;
    let names: Vec<&str> = args.metric.iter().map(String::as_str).collect();
    habits::metrics::check_files(&args.hypotheses, |misplaced| {
        habits::metrics::give_each(&[&names[..], misplaced].concat())
    })?;
    let input = Input::read(&files(args))?;
    let corpus = input.corpus()?;
    if !args.input.no_checks && !args.work.quiet {
        warn_of_references_among_systems(&files(args));
        scoring::check(&corpus).iter().for_each(output::warn);
        let mut warnings = MetricWarnings::default();
        let signatures: Vec<Spec> = metrics.iter().map(|named| named.metric.signature()).collect();
        warnings.of_language(corpus.references(), &signatures, language.as_ref());
        warnings.of_metrics(metrics.iter().flat_map(|named| named.metric.warnings()));
    }
    warn_of_few(corpus.len(), corpus.systems().len(), args);
    let request = request(args, &corpus.systems()[0].name)?;
    Ok(with_progress(args.work.quiet, |progress| scoring::evaluate(&corpus, &metrics, &request, progress))?)
}

/// The target language: that of `--lang`, or of the language pair of a submission.
fn language(args: &ScoreArgs) -> anyhow::Result<Option<Language>> {
    let of_pair = args.submission.lang_pair.as_deref().and_then(|pair| Language::target(pair).ok());
    match (&args.texts.lang, of_pair) {
        (Some(given), Some(pair)) if *given != pair => {
            let (given, pair) = (given.name(), pair.name());
            Err(Misuse(format!("--lang says {given}, --lang-pair translates into {pair}")).into())
        }
        (given, pair) => Ok(given.clone().or(pair)),
    }
}

fn compare_scores(args: &ScoreArgs) -> anyhow::Result<Evaluation> {
    let mut columns = Vec::new();
    for file in &args.hypotheses {
        columns.extend(read_scores(file)?);
    }
    let direction =
        if args.given.lower_is_better { Direction::LowerIsBetter } else { Direction::HigherIsBetter };
    warn_of_few(columns[0].scores.len(), columns.len(), args);
    let request = request(args, &columns[0].system)?;
    let evaluate = |progress: Progress<'_>| scoring::evaluate_scores(&columns, direction, &request, progress);
    Ok(with_progress(args.work.quiet, evaluate)?)
}

fn request(args: &ScoreArgs, first_system: &str) -> anyhow::Result<EvaluateRequest> {
    let significance = &args.significance;
    let resampling = |default: usize| -> anyhow::Result<Resampling> {
        let samples = significance.resamples.map_or(default, |samples| samples as usize);
        Ok(Resampling { samples, seed: seed(significance)? })
    };
    let paired = match significance.paired {
        None => None,
        Some(test) => Some(Paired {
            test: if test == PairedTest::Bs { Test::Bootstrap } else { Test::Randomisation },
            resampling: resampling(if test == PairedTest::Bs { 1000 } else { 10_000 })?,
            pairs: if significance.all_pairs {
                Pairs::All
            } else {
                Pairs::Against(significance.baseline.clone().unwrap_or_else(|| first_system.to_owned()))
            },
            holm: significance.correction == Some(Correction::Holm),
        }),
    };
    let confidence = if significance.confidence { Some(resampling(1000)?) } else { None };
    let segments = args.level != Level::System || args.submission.submission.is_some();
    Ok(EvaluateRequest { segments, components: args.components, confidence, paired })
}

/// sacreBLEU's seed unless another is given.
fn seed(args: &SignificanceArgs) -> Result<Option<u64>, Misuse> {
    args.seed.as_deref().map_or(Ok(Some(12345)), work::seed)
}

/// Warns if there are too few segments for resampling tests. A test of one system is an error, which is told later.
fn warn_of_few(segments: usize, systems: usize, args: &ScoreArgs) {
    let is_tested = args.significance.paired.is_some() && systems > 1;
    if is_tested && segments < FEW && !args.work.quiet {
        output::warn(format_args!(
            "only {segments} segments: with so few, p-values of resampling tests are too small"
        ));
    }
}

/// Warns of each pair of systems that differ in few segments: equal segments add nothing to the test.
fn warn_of_few_differences(evaluation: &Evaluation, args: &ScoreArgs) {
    if args.work.quiet || evaluation.segments < FEW {
        return;
    }
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for comparison in evaluation.comparisons.iter().filter(|of| of.differing < FEW) {
        let pair = (comparison.baseline, comparison.system);
        if pairs.contains(&pair) {
            continue;
        }
        pairs.push(pair);
        let few = evaluation.comparisons.iter().filter(|of| (of.baseline, of.system) == pair);
        let few = few.filter(|of| of.differing < FEW);
        let by: Vec<String> =
            few.map(|of| format!("{} by {}", of.differing, evaluation.columns[of.column].title)).collect();
        output::warn(format_args!(
            "{} and {} differ in few of the {} segments ({}): their p-values rest on these alone",
            evaluation.systems[pair.0],
            evaluation.systems[pair.1],
            evaluation.segments,
            by.join(", ")
        ));
    }
}

fn files(args: &ScoreArgs) -> Files<'_> {
    Files {
        hypotheses: &args.hypotheses,
        names: &args.texts.name,
        reference: &args.texts.reference,
        source: args.source.as_deref(),
        quiet: args.work.quiet,
        layout: &args.input,
    }
}
