//! `tercet score`: every metric × every system × every segment, in one pass.

pub mod columns;
mod scored_rows;
mod stream;
mod submission;

use super::alignment;
use super::file_names;
use super::gate::{self, Gate};
use super::input::{Files, Input, references_among_systems};
use super::page;
use crate::args::ScoreArgs;
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::{ShownProgress, with_progress};
use crate::work;
use std::ffi::OsString;
use std::path::Path;
use tercet::corpora::read_scores;
use tercet::metrics::Registry;
use tercet::progress::Progress;
use tercet::report::html::{PageContents, ScoredTexts, write_page as write_html};
use tercet::report::{self, Contents, Format};
use tercet::scoring::{Column, Evaluation, MetricRequest, ResampleBy, ScoreJob, ScoreLevels, Scored};
use tercet::text::Language;
use tercet::warning::{Done, Warning};

/// Reads, scores, reports.
pub fn run(args: &ScoreArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    if columns::are_given(args) {
        return columns::run(args, registry);
    }
    let target = &args.report.target;
    target.check_ending()?;
    output::check(target.output.as_deref(), files(args).all())?;
    gate::check(&args.gate, target.output.as_deref(), files(args).all())?;
    alignment::check(&args.documents, target.output.as_deref(), files(args).all())?;
    if args.explain && target.is_page() {
        return Err(page::not_explained().into());
    }
    page::check_groupings(&args.report, args.explain || args.given.scores)?;
    check_documents(args)?;
    stream::check(args)?;
    let job = job(args)?;
    if args.given.scores {
        return report_scores(&job, args, registry);
    }
    // Before files are read, so that an unknown metric is an error at once.
    habits::metrics::check(&job.metrics, registry)?;
    job.validate(registry)?;
    let quiet = args.work.quiet;
    let build = |progress: Progress<'_>| Done::collect(progress, |progress| job.build(registry, progress));
    let Done { result: metrics, warnings: of_metrics } = with_progress(quiet, registry, build)?;
    habits::metrics::check_files(&args.hypotheses, &args.metric, registry)?;
    let can_use_source = MetricRequest::can_use_source(&job.metrics, registry);
    let opened = Input::open(&files(args))?;
    let wanted = stream::Wanted { args, job: &job, metrics: &metrics, can_use_source, registry };
    let Some(opened) = wanted.run(opened, &of_metrics)? else { return Ok(()) };
    let input = Input::read_with_source(&files(args), opened, can_use_source)?;
    alignment::write(&input, &args.documents)?;
    let corpus = input.corpus()?;
    let of_files = warnings_of_files(&job, args);
    let shown = ShownProgress::new(quiet, registry);
    let done = job.run_with(metrics, &corpus, registry, shown.progress())?;
    drop(shown);
    let warnings = [of_metrics, input.warnings().to_vec(), of_files, done.warnings].concat();
    let Scored { mut evaluation, metrics, explained } = done.result;
    job.judge_warnings(&mut evaluation, &warnings);
    let order = evaluation.systems.clone();
    let evaluation = finished(evaluation, args)?;
    if target.is_page() {
        let corpus = if order == evaluation.systems { corpus } else { corpus.in_order(&evaluation.systems) };
        let scored = ScoredTexts { warnings: &warnings, ..ScoredTexts::new("score", &evaluation, &corpus, &metrics) };
        page::write(scored, &args.report, &input, registry, quiet)?;
        return finish_gate(&evaluation, args);
    }
    let (format, contents) = (target.format(), contents(args));
    let text = match (&explained, input.rows().zip(scored_rows::format(args))) {
        (Some(explained), _) => report::write_explanations(&evaluation, &corpus, explained, format, contents),
        (None, Some((kept, format))) => {
            scored_rows::write(kept, &evaluation, &order, format, target.output.as_deref())?
        }
        (None, None) => report::write_with_warnings(&evaluation, &warnings, format, contents),
    };
    output::write(&text, target.output.as_deref())?;
    finish_gate(&evaluation, args)
}

fn finish_gate(evaluation: &Evaluation, args: &ScoreArgs) -> anyhow::Result<()> {
    let markdown = || report::write(evaluation, Format::Markdown, contents(args));
    gate::finish(evaluation.gate.as_ref(), &args.gate, args.work.quiet, markdown)
}

/// A warning for each file of references among the systems.
fn warnings_of_files(job: &ScoreJob, args: &ScoreArgs) -> Vec<Warning> {
    let of_files = if job.checks { references_among_systems(&files(args)) } else { Vec::new() };
    output::warn_of_all(&of_files, args.work.quiet);
    of_files
}

/// Evaluates and reports scores of another tool.
fn report_scores(job: &ScoreJob, args: &ScoreArgs, registry: &Registry) -> anyhow::Result<()> {
    let mut columns = Vec::new();
    for file in &args.hypotheses {
        columns.extend(read_scores(file)?);
    }
    let lower_is_better = |name: &str| args.given.lower_is_better && registry.direction(name).is_none();
    let done = with_progress(args.work.quiet, registry, |progress| {
        job.run_scores(&columns, &lower_is_better, registry, progress)
    })?;
    let (evaluation, target) = (finished(done.result, args)?, &args.report.target);
    let text = if target.is_page() {
        let systems = file_names::of_systems(&evaluation.systems, &args.hypotheses);
        let (evaluation, remarks) = (Evaluation { systems, ..evaluation.clone() }, &done.warnings[..]);
        write_html(&PageContents {
            command: "score",
            evaluation: Some(&evaluation),
            registry: Some(registry),
            remarks,
            ..PageContents::default()
        })
    } else {
        report::write_with_warnings(&evaluation, &done.warnings, target.format(), contents(args))
    };
    output::write(&text, target.output.as_deref())?;
    finish_gate(&evaluation, args)
}

/// Sorts the systems, and writes a submission.
fn finished(mut evaluation: Evaluation, args: &ScoreArgs) -> anyhow::Result<Evaluation> {
    if let Some(metric) = &args.sort {
        evaluation.sort_by_metric(column_to_sort_by(&evaluation, metric)?);
    }
    submission::write(&evaluation, &args.submission)?;
    Ok(evaluation)
}

/// Returns an error for flags about documents that would change nothing or cannot be met.
fn check_documents(args: &ScoreArgs) -> Result<(), Misuse> {
    let needs_documents = args.level.has_documents();
    let message = if needs_documents && args.given.scores {
        "--level document needs texts: scores of another tool have no documents"
    } else if needs_documents && args.submission.submission.is_some() {
        "--submission has scores of systems and segments: leave out --level document"
    } else if args.documents.document_ids.is_some()
        && !needs_documents
        && args.significance.resample_by == ResampleBy::Segment
        && !args.documents.align
        && !args.report.target.is_page()
    {
        "--document-ids changes nothing without --level document, --resample-by document or -f html"
    } else {
        return Ok(());
    };
    Err(Misuse(message.to_owned()))
}

/// What the flags ask for.
fn job(args: &ScoreArgs) -> anyhow::Result<ScoreJob> {
    let significance = &args.significance;
    // A submission has the scores of segments too.
    let level = if args.submission.submission.is_some() { ScoreLevels::Both } else { args.level };
    let Gate { fail_if, no_worse_than, margin, strict } = gate::read(&args.gate)?;
    Ok(ScoreJob {
        metrics: args.metric.iter().map(|name| name.as_str().into()).collect(),
        language: language(args)?,
        fast: args.fast,
        level,
        components: args.components,
        explain: args.explain,
        top: args.top,
        confidence: significance.confidence,
        resample_by: significance.resample_by,
        paired: significance.paired,
        baseline: significance.baseline.clone(),
        all_pairs: significance.all_pairs,
        correction: significance.correction,
        resamples: significance.resamples.map(|resamples| resamples as usize),
        seed: significance.seed.unwrap_or_default(),
        checks: !args.input.no_checks,
        fail_if,
        no_worse_than,
        margin,
        strict,
        page: args.report.target.is_page(),
    })
}

fn contents(args: &ScoreArgs) -> Contents {
    Contents {
        components: args.components,
        terminal: args.report.target.terminal(),
        decimals: args.report.width.map(usize::from),
        ..Contents::of_level(args.level)
    }
}

/// `--sort METRIC` may be written without `=`, but `--sort FILE` is `--sort` alone before a file.
pub fn with_sort_value(mut words: Vec<OsString>, registry: &Registry) -> Vec<OsString> {
    let is_metric = |word: &OsString| {
        let known = word.to_str().is_some_and(|name| registry.find(name).is_ok());
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

/// The target language: that of `--language`, or of the language pair of a submission.
fn language(args: &ScoreArgs) -> anyhow::Result<Option<Language>> {
    let of_pair = args.submission.lang_pair.as_deref().and_then(|pair| Language::target(pair).ok());
    match (&args.texts.lang, of_pair) {
        (Some(given), Some(pair)) if *given != pair => {
            let (given, pair) = (given.name(), pair.name());
            Err(Misuse(format!("--language says {given}, --lang-pair translates into {pair}")).into())
        }
        (given, pair) => Ok(given.clone().or(pair)),
    }
}

fn files(args: &ScoreArgs) -> Files<'_> {
    let files = Files::new(&args.hypotheses, &args.texts, args.source.as_deref(), &args.work, &args.input);
    let keeps_rows = scored_rows::format(args).is_some() && !args.documents.align;
    Files { keeps_rows, documents: Some(&args.documents), ..files }
}
