//! `tercet compare`: which of two translations is better.

use super::input::{Files, Input};
use super::metric_warnings::MetricWarnings;
use super::signature::warn_of_differences;
use crate::args::CompareArgs;
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work;
use std::sync::Arc;
use tercet::metrics::{self, Preference, for_language};
use tercet::report::{ComparisonContents, write_comparison};
use tercet::scoring::significance::Resampling;
use tercet::scoring::{self, CompareRequest, Corpus, SystemComparison};
use tercet::spec::file_value;

/// The metric, if none is given.
const DEFAULT_METRIC: &str = "chrf";

/// Decimals of probabilities, if no number is given.
const DECIMALS: usize = 2;

/// With fewer segments, or fewer that differ, there is a warning about interval and test.
const FEW: usize = 30;

/// Reads, compares, reports.
pub fn run(args: &CompareArgs) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let files = files(args);
    args.report.target.check_ending()?;
    output::check(args.report.target.output.as_deref(), files.all())?;
    let request = request(args)?;
    // Before files are read, so that an unknown metric is an error at once.
    let language = args.texts.lang.as_ref();
    let metric = metric(args)?;
    let preference = preference(&metric, args)?;
    habits::metrics::check_files(&args.hypotheses, |_| habits::metrics::ONE_FOR_COMPARE.to_owned())?;
    let input = Input::read(&files)?;
    let corpus = input.corpus()?;
    check(&corpus, preference.as_ref(), args)?;
    let mut compared = with_progress(args.work.quiet, |progress| {
        scoring::compare(&corpus, preference.as_ref(), &request, progress)
    })?;
    let signature = preference.signature();
    compared.remarks.extend(scoring::fitted_to_another_language(corpus.references(), &signature, language));
    warn_of_few_differences(&compared, args);
    if !args.work.quiet {
        warn_of_differences(&metric, &compared.signature);
    }
    report(&compared, &corpus, args)
}

fn report(compared: &SystemComparison, corpus: &Corpus<'_>, args: &CompareArgs) -> anyhow::Result<()> {
    let shown = ComparisonContents {
        top: args.top,
        decimals: args.report.width.map_or(DECIMALS, usize::from),
        terminal: args.report.target.terminal(),
    };
    let target = &args.report.target;
    output::write(&write_comparison(compared, corpus, target.format(), shown), target.output.as_deref())
}

/// Warns if the two are equally good in nearly all segments: only the others decide which is better.
fn warn_of_few_differences(compared: &SystemComparison, args: &CompareArgs) {
    let segments = compared.probabilities.len();
    if !args.work.quiet && segments >= FEW && compared.decided() < FEW {
        output::warn(format_args!(
            "A and B differ in {} of {segments} segments by {}: interval and p-value rest on these alone",
            compared.decided(),
            compared.metric
        ));
    }
}

fn files(args: &CompareArgs) -> Files<'_> {
    Files {
        hypotheses: &args.hypotheses,
        names: &args.texts.name,
        reference: &args.texts.reference,
        source: None,
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

/// The specification of the metric.
fn metric(args: &CompareArgs) -> Result<String, Misuse> {
    match (&args.model, &args.metric) {
        (Some(model), _) => {
            if let Some(pointer) =
                habits::metrics::pointer(&model.to_string_lossy()).filter(|_| !model.exists())
            {
                return Err(Misuse(format!("--model: there is no file {}: {pointer}", model.display())));
            }
            let model = file_value(model).map_err(|error| Misuse(format!("--model: {error}")))?;
            Ok(format!("pairwise:model={model}"))
        }
        (None, Some(metric)) => Ok(metric.clone()),
        (None, None) => Ok(DEFAULT_METRIC.to_owned()),
    }
}

/// The preference of a metric, for the target language if it is given.
fn preference(metric: &str, args: &CompareArgs) -> anyhow::Result<Arc<dyn Preference>> {
    let spec = habits::metrics::of_sacrebleu(metric, args.work.quiet)?;
    let built = match &args.texts.lang {
        Some(language) => {
            for_language(&spec, language).and_then(|spec| metrics::preference(&spec.to_string()))
        }
        None => metrics::preference(&spec),
    };
    built.map_err(|error| habits::metrics::explain(metric, error))
}

/// Returns an error unless there are two systems; prints warnings about the texts.
fn check(corpus: &Corpus<'_>, preference: &dyn Preference, args: &CompareArgs) -> Result<(), Misuse> {
    let systems = corpus.systems().len();
    if systems != 2 {
        let more = if systems > 2 { " (tercet score --paired ar --all-pairs compares more)" } else { "" };
        let message = format!("expected two translations to compare, found {systems}: name A and B{more}");
        return Err(Misuse(message));
    }
    if args.work.quiet {
        return Ok(());
    }
    if !args.input.no_checks {
        scoring::check(corpus).iter().for_each(output::warn);
        let mut warnings = MetricWarnings::default();
        warnings.of_language(corpus.references(), &[preference.signature()], args.texts.lang.as_ref());
        warnings.of_metrics(preference.warnings());
    }
    if corpus.len() < FEW {
        output::warn(format_args!("only {} segments: too few for a reliable interval", corpus.len()));
    }
    Ok(())
}
