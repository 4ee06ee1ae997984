//! `tercet compare`: which of two translations is better.

mod chosen;

#[cfg(feature = "serve")]
pub use chosen::Chosen;
pub use chosen::{Choices, DECIMALS};

use super::default_metrics::ShownWarnings;
use super::explain;
use super::input::{Files, Input};
use super::page;
use super::signature::warn_of_differences;
use crate::args::CompareArgs;
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::registry;
use crate::work;
use tercet::metrics::Preference;
use tercet::report::html::{ScoredForComparison, ScoredTexts};
use tercet::report::{ComparisonContents, Format, write_comparison};
use tercet::scoring::significance::Resampling;
use tercet::scoring::too_few;
use tercet::scoring::{self, CompareRequest, Corpus, Side, SystemComparison};
use tercet::spec::file_value;

/// Reads, compares, reports.
pub fn run(args: &CompareArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let files = files(args);
    args.report.target.check_ending()?;
    output::check(args.report.target.output.as_deref(), files.all())?;
    page::check_groupings(&args.report, false)?;
    if args.explain && args.report.target.is_page() {
        return Err(explain::not_on_pages().into());
    }
    let request = request(args)?;
    // Before files are read, so that an unknown metric is an error at once.
    let metric = given_metric(args)?;
    let choices = choices(args, metric.as_deref());
    let given = choices.given().map_err(|error| other_kind(error, args))?;
    habits::metrics::check_files(&args.hypotheses, |_| habits::metrics::ONE_FOR_COMPARE.to_owned())?;
    let input = Input::read(&files)?;
    let corpus = input.corpus()?;
    check_systems(&corpus)?;
    let chosen = given.map_or_else(|| choices.default(&corpus), Ok)?;
    if args.explain && chosen.preference.explainer().is_none() {
        return Err(explain::refusal(&[chosen.preference.title()]).into());
    }
    check(&corpus, chosen.preference.as_ref(), args);
    let compare = |known| {
        with_progress(args.work.quiet, |progress| {
            let explained = |compared: &SystemComparison| segments_to_explain(compared, args);
            chosen.compare(&corpus, &choices, &request, known, explained, progress)
        })
    };
    if args.report.target.is_page() {
        let own = choices.metric_of_preference(&chosen.metric)?;
        let (preference, language) = (chosen.preference.as_ref(), args.texts.lang.as_ref());
        let seed = work::seed(&args.seed)?;
        let scored = with_progress(args.work.quiet, |progress| {
            ScoredForComparison::compute(&corpus, own, preference, language, seed, registry(), progress)
        })?;
        let compared = compare(scored.probabilities.clone())?;
        warn_of_compared(&chosen.metric, &compared, args);
        return write_page(&compared, &scored, &input, &corpus, args);
    }
    let compared = compare(None)?;
    warn_of_compared(&chosen.metric, &compared, args);
    report(&compared, &corpus, args)
}

fn warn_of_compared(metric: &str, compared: &SystemComparison, args: &CompareArgs) {
    warn_of_few_differences(compared, args);
    if !args.work.quiet {
        warn_of_differences(metric, &compared.signature);
    }
}

fn write_page(
    compared: &SystemComparison,
    scored: &ScoredForComparison,
    input: &Input,
    corpus: &Corpus<'_>,
    args: &CompareArgs,
) -> anyhow::Result<()> {
    let scored = ScoredTexts {
        comparison: Some(compared),
        language: args.texts.lang.as_ref(),
        checks: !args.input.no_checks,
        ..ScoredTexts::new("compare", &scored.evaluation, corpus, &scored.metrics)
    };
    page::write(scored, &args.report, input, args.work.quiet)
}

fn choices<'a>(args: &'a CompareArgs, metric: Option<&'a str>) -> Choices<'a> {
    Choices {
        metric,
        language: args.texts.lang.as_ref(),
        fast: args.fast,
        explain: args.explain,
        warnings: ShownWarnings::of_flags(args.work.quiet, args.input.no_checks),
        decimals: decimals(args),
    }
}

/// Formats that list all segments need them all explained; the others show some.
fn segments_to_explain(compared: &SystemComparison, args: &CompareArgs) -> Vec<usize> {
    match args.report.target.format() {
        Format::Text | Format::Markdown | Format::Latex => {
            [Side::A, Side::B].iter().flat_map(|side| compared.clearest(*side, args.top)).collect()
        }
        Format::Json | Format::Jsonl | Format::Tsv | Format::Csv => {
            (0..compared.probabilities.len()).collect()
        }
    }
}

fn report(compared: &SystemComparison, corpus: &Corpus<'_>, args: &CompareArgs) -> anyhow::Result<()> {
    let shown = ComparisonContents {
        top: args.top,
        decimals: decimals(args),
        terminal: args.report.target.terminal(),
    };
    let target = &args.report.target;
    output::write(&write_comparison(compared, corpus, target.format(), shown), target.output.as_deref())
}

fn decimals(args: &CompareArgs) -> usize {
    args.report.width.map_or(DECIMALS, usize::from)
}

/// Warns if the two are equally good in nearly all segments: only the others decide which is better.
fn warn_of_few_differences(compared: &SystemComparison, args: &CompareArgs) {
    if !args.work.quiet {
        too_few::differences_of_two(compared).iter().for_each(output::warn_of);
    }
}

fn files(args: &CompareArgs) -> Files<'_> {
    Files {
        hypotheses: &args.hypotheses,
        names: &args.texts.name,
        reference: &args.texts.reference,
        source: args.source.as_deref(),
        quiet: args.work.quiet,
        layout: &args.input,
    }
}

fn request(args: &CompareArgs) -> Result<CompareRequest, Misuse> {
    let seed = work::seed(&args.seed)?;
    let resampling = |default: usize| Resampling {
        samples: args.resamples.map_or(default, |samples| samples as usize),
        seed,
    };
    Ok(CompareRequest { interval: resampling(1000), test: resampling(10_000) })
}

/// The specification of the metric, if one is given.
fn given_metric(args: &CompareArgs) -> Result<Option<String>, Misuse> {
    let Some(model) = &args.model else { return Ok(args.metric.clone()) };
    if let Some(pointer) = habits::metrics::pointer(&model.to_string_lossy()).filter(|_| !model.exists()) {
        return Err(Misuse(format!("--model: there is no file {}: {pointer}", model.display())));
    }
    let model = file_value(model).map_err(|error| Misuse(format!("--model: {error}")))?;
    Ok(Some(format!("pairwise:model={model}")))
}

/// The error of a metric that cannot be built, with a hint if `--model` names the file of a metric of its own.
fn other_kind(error: anyhow::Error, args: &CompareArgs) -> anyhow::Error {
    let (Some(model), said) = (&args.model, format!("{error:#}")) else { return error };
    let metrics = ["siamese", "reval", "ruse", "blend"];
    match metrics.iter().find(|metric| said.contains(&format!("it holds a {metric},"))) {
        Some(metric) => Misuse(format!("{said} (use -m {metric}:model={})", model.display())).into(),
        None => error,
    }
}

/// Returns an error unless there are two systems.
fn check_systems(corpus: &Corpus<'_>) -> Result<(), Misuse> {
    let systems = corpus.systems().len();
    if systems == 2 {
        return Ok(());
    }
    let more = if systems > 2 { " (tercet rank puts more in order)" } else { "" };
    Err(Misuse(format!("expected two translations to compare, found {systems}: name A and B{more}")))
}

/// Prints warnings about the texts.
fn check(corpus: &Corpus<'_>, preference: &dyn Preference, args: &CompareArgs) {
    if args.work.quiet {
        return;
    }
    if !args.input.no_checks {
        scoring::check(corpus).iter().for_each(output::warn_of);
        let (signature, language) = (preference.signature(), args.texts.lang.as_ref());
        let of_metric =
            scoring::check_language(corpus.references(), &[signature], preference.warnings(), language);
        of_metric.iter().for_each(output::warn_of);
    }
    too_few::comparison(corpus.len()).iter().for_each(output::warn_of);
}
