//! `tercet score`: every metric × every system × every segment, in one pass.

mod columns;
mod submission;

use super::default_metrics::{ShownWarnings, learned_metric_in_time, named_metrics};
use super::explain;
use super::file_names;
use super::input::{Files, Input, warn_of_references_among_systems};
use super::page;
use super::signature::warn_of_differences;
use crate::args::{Correction, Level, PairedTest, ScoreArgs, SignificanceArgs};
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::registry;
use crate::work;
use std::ffi::OsString;
use std::path::Path;
use tercet::corpora::read_scores;
use tercet::metrics::NamedMetric;
use tercet::progress::Progress;
use tercet::report::html::{PageContents, ScoredTexts, page_request, write_page as write_html};
use tercet::report::{self, Contents};
use tercet::scoring::significance::Resampling;
use tercet::scoring::too_few;
use tercet::scoring::{
    self, Column, Corpus, DEFAULT_METRICS, EvaluateRequest, Evaluation, Paired, Pairs, Test,
};
use tercet::text::Language;

/// Reads, scores, reports.
pub fn run(args: &ScoreArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    if columns::are_given(args)? {
        return columns::run(args);
    }
    args.report.target.check_ending()?;
    output::check(args.report.target.output.as_deref(), files(args).all())?;
    if args.explain {
        if args.report.target.is_page() {
            return Err(explain::not_on_pages().into());
        }
        return explain_texts(args);
    }
    page::check_groupings(&args.report, args.explain || args.given.scores)?;
    if args.report.target.is_page() && !args.given.scores {
        return with_texts(args, |scored| write_page(args, scored));
    }
    let evaluation = if args.given.scores {
        compare_scores(args)?
    } else {
        with_texts(args, |scored| Ok(scored.evaluation))?
    };
    let evaluation = finished(evaluation, args)?;
    let target = &args.report.target;
    let text = if target.is_page() {
        let systems = file_names::of_systems(&evaluation.systems, &args.hypotheses);
        let evaluation = Evaluation { systems, ..evaluation };
        let contents =
            PageContents { command: "score", evaluation: Some(&evaluation), ..PageContents::default() };
        write_html(&contents)
    } else {
        report::write(&evaluation, target.format(), contents(args))
    };
    output::write(&text, target.output.as_deref())
}

/// Warns, sorts, and writes a submission.
fn finished(mut evaluation: Evaluation, args: &ScoreArgs) -> anyhow::Result<Evaluation> {
    warn_of_few_differences(&evaluation, args);
    if !args.work.quiet && !args.given.scores {
        evaluation.columns.iter().for_each(|column| warn_of_differences(&column.metric, &column.signature));
    }
    if let Some(metric) = &args.sort {
        evaluation.sort_by_metric(column_to_sort_by(&evaluation, metric)?);
    }
    submission::write(&evaluation, &args.submission)?;
    Ok(evaluation)
}

/// Writes the page of scored texts.
fn write_page(args: &ScoreArgs, scored: Scored<'_>) -> anyhow::Result<()> {
    let Scored { evaluation, corpus, metrics, input } = scored;
    let order = evaluation.systems.clone();
    let evaluation = finished(evaluation, args)?;
    let corpus = if order == evaluation.systems { corpus } else { &corpus.in_order(&evaluation.systems) };
    let language = language(args)?;
    let scored = ScoredTexts {
        language: language.as_ref(),
        checks: !args.input.no_checks,
        ..ScoredTexts::new("score", &evaluation, corpus, metrics)
    };
    page::write(scored, &args.report, input, args.work.quiet)
}

fn contents(args: &ScoreArgs) -> Contents {
    Contents {
        systems: args.level != Level::Segment,
        segments: args.level != Level::System,
        components: args.components,
        terminal: args.report.target.terminal(),
        decimals: args.report.width.map(usize::from),
    }
}

/// `--sort METRIC` may be written without `=`, but `--sort FILE` is `--sort` alone before a file.
pub fn with_sort_value(mut words: Vec<OsString>) -> Vec<OsString> {
    let is_metric = |word: &OsString| {
        let known = word.to_str().is_some_and(|name| registry().find(name).is_ok());
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

/// Scores of texts, and what they were computed from.
struct Scored<'a> {
    evaluation: Evaluation,
    corpus: &'a Corpus<'a>,
    metrics: &'a [NamedMetric],
    input: &'a Input,
}

/// Shows words without a partner, segment by segment.
fn explain_texts(args: &ScoreArgs) -> anyhow::Result<()> {
    let report = with_texts(args, |scored| {
        let Scored { evaluation, corpus, metrics, .. } = scored;
        let found = metrics.iter().enumerate().find_map(|(i, named)| Some((i, named.metric.explainer()?)));
        let (metric, explainer) = found.expect("checked before texts are scored");
        let segments = |system: usize| match args.top {
            Some(top) => evaluation.columns[metric].worst_segments(system, top),
            None => (0..corpus.len()).collect(),
        };
        let translations: Vec<(usize, usize)> = (0..corpus.systems().len())
            .flat_map(|system| segments(system).into_iter().map(move |segment| (system, segment)))
            .collect();
        let explained = with_progress(args.work.quiet, |progress| {
            scoring::explain(corpus, explainer, &translations, progress)
        })?;
        let (format, note) = (args.report.target.format(), explain::note(explainer));
        Ok(report::write_explanations(&evaluation, corpus, &explained, &note, format, contents(args)))
    })?;
    output::write(&report, args.report.target.output.as_deref())
}

/// Reads and scores texts, and calls `result` with the scores.
fn with_texts<R>(
    args: &ScoreArgs,
    result: impl FnOnce(Scored<'_>) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    // Before files are read, so that an unknown metric is an error at once.
    let language = language(args)?;
    let mut metrics = named_metrics(&args.metric, language.as_ref(), args.work.quiet)?;
    let names: Vec<&str> = args.metric.iter().map(String::as_str).collect();
    habits::metrics::check_files(&args.hypotheses, |misplaced| {
        habits::metrics::give_each(&[&names[..], misplaced].concat())
    })?;
    let input = Input::read(&files(args))?;
    let corpus = input.corpus()?;
    if args.metric.is_empty() && !args.fast {
        let learned = if args.explain {
            scoring::embedded_metric(registry())
        } else {
            learned_metric_in_time(
                corpus.references(),
                corpus.distinct_line_count(),
                language.as_ref(),
                &DEFAULT_METRICS,
                ShownWarnings::of_flags(args.work.quiet, args.input.no_checks),
            )
        };
        let built = learned.map(|name| registry().named(name, language.as_ref()));
        metrics.extend(built.transpose()?);
    }
    if args.explain && metrics.iter().all(|named| named.metric.explainer().is_none()) {
        let titles: Vec<String> = metrics.iter().map(|named| named.metric.title()).collect();
        return Err(explain::refusal(&titles).into());
    }
    if !args.input.no_checks && !args.work.quiet {
        warn_of_references_among_systems(&files(args));
        scoring::remarks(&corpus, &metrics, language.as_ref()).iter().for_each(output::warn_of);
    }
    let systems = corpus.systems().len();
    let request = completed(request(args, &corpus.systems()[0].name)?, args, systems)?;
    warn_of_too_few(corpus.len(), systems, &request, args);
    let evaluation =
        with_progress(args.work.quiet, |progress| scoring::evaluate(&corpus, &metrics, &request, progress))?;
    result(Scored { evaluation, corpus: &corpus, metrics: &metrics, input: &input })
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
    let lower_is_better = |name: &str| args.given.lower_is_better && registry().direction(name).is_none();
    let systems = columns.iter().filter(|column| column.metric == columns[0].metric).count();
    let request = completed(request(args, &columns[0].system)?, args, systems)?;
    warn_of_too_few(columns[0].scores.len(), systems, &request, args);
    let evaluate = |progress: Progress<'_>| {
        scoring::evaluate_scores(&columns, &lower_is_better, &request, registry(), progress)
    };
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
    let segments = args.level != Level::System || args.submission.submission.is_some() || args.explain;
    Ok(EvaluateRequest { segments, components: args.components, confidence, paired, wins: false })
}

/// The request with what a page shows, if that is what is written.
fn completed(request: EvaluateRequest, args: &ScoreArgs, systems: usize) -> Result<EvaluateRequest, Misuse> {
    Ok(if args.report.target.is_page() {
        page_request(request, seed(&args.significance)?, systems)
    } else {
        request
    })
}

/// sacreBLEU's seed unless another is given.
fn seed(args: &SignificanceArgs) -> Result<Option<u64>, Misuse> {
    args.seed.as_deref().map_or(Ok(Some(12345)), work::seed)
}

/// Warns if there are too few segments or resamples for intervals and tests.
fn warn_of_too_few(segments: usize, systems: usize, request: &EvaluateRequest, args: &ScoreArgs) {
    if !args.work.quiet {
        too_few::segments(segments, systems, request).iter().for_each(output::warn_of);
        too_few::resamples(systems, request).iter().for_each(output::warn_of);
    }
}

/// Warns of each pair of systems that differ in few segments: equal segments add nothing to the test.
fn warn_of_few_differences(evaluation: &Evaluation, args: &ScoreArgs) {
    if !args.work.quiet {
        too_few::differences(evaluation).iter().for_each(output::warn_of);
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
