//! `tercet compare`: which of two translations is better.

use super::alignment;
use super::gate::{self, Gate};
use super::input::{Files, Input};
use super::page;
use crate::args::CompareArgs;
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work;
use tercet::ErrorKind;
use tercet::metrics::Registry;
use tercet::progress::Progress;
use tercet::report::html::ScoredTexts;
use tercet::report::{ComparisonContents, DECIMALS, Format, write_comparison};
use tercet::scoring::{CompareJob, MetricRequest, ResampleBy};
use tercet::spec::{Spec, file_value};
use tercet::warning::Done;

/// Reads, compares, reports.
pub fn run(args: &CompareArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let (files, target, quiet) = (files(args), &args.report.target, args.work.quiet);
    target.check_ending()?;
    output::check(target.output.as_deref(), files.all())?;
    gate::check(&args.gate, target.output.as_deref(), files.all())?;
    alignment::check(&args.documents, target.output.as_deref(), files.all())?;
    let needs_documents = args.resample_by == ResampleBy::Document || target.is_page();
    alignment::check_used(&args.documents, needs_documents)?;
    page::check_groupings(&args.report, false)?;
    if args.explain && target.is_page() {
        return Err(page::not_explained().into());
    }
    // Before files are read, so that an unknown metric is an error at once.
    let job = job(args)?;
    habits::metrics::check(job.metric.as_slice(), registry)?;
    job.validate(registry)?;
    let build = |progress: Progress<'_>| Done::collect(progress, |progress| job.build(registry, progress));
    let Done { result: chosen, warnings: of_metric } =
        with_progress(quiet, registry, build).map_err(|error| other_kind(error, args, registry))?;
    habits::metrics::check_files_for(&args.hypotheses, registry, |_| habits::metrics::ONE_FOR_COMPARE.to_owned())?;
    let can_use_source = MetricRequest::can_use_source(job.metric.as_slice(), registry);
    let input = Input::read_with_source(&files, Input::open(&files)?, can_use_source)?;
    alignment::write(&input, &args.documents)?;
    let corpus = input.corpus()?;
    let done = with_progress(quiet, registry, |progress| job.run_with(chosen, &corpus, registry, progress))?;
    let warnings = [of_metric, input.warnings().to_vec(), done.warnings].concat();
    let mut found = done.result;
    job.judge_warnings(&mut found, &warnings);
    let compared = &found.comparison;
    let shown = ComparisonContents {
        top: args.top,
        decimals: args.report.width.map_or(DECIMALS, usize::from),
        terminal: target.terminal(),
    };
    let write = |format| write_comparison(compared, &corpus, format, shown);
    if let Some((evaluation, metrics)) = &found.page {
        let scored = ScoredTexts {
            comparison: Some(compared),
            warnings: &warnings,
            ..ScoredTexts::new("compare", evaluation, &corpus, metrics)
        };
        page::write(scored, &args.report, &input, registry, quiet)?;
    } else {
        output::write(&write(target.format()), target.output.as_deref())?;
    }
    gate::finish(compared.gate.as_ref(), &args.gate, quiet, || write(Format::Markdown))
}

/// What the flags ask for. Formats that list all segments need them all explained; the others show some.
fn job(args: &CompareArgs) -> anyhow::Result<CompareJob> {
    let Gate { fail_if, no_worse_than, margin, strict } = gate::read(&args.gate)?;
    let shows_some = matches!(args.report.target.format(), Format::Text | Format::Markdown | Format::Latex);
    Ok(CompareJob {
        metric: metric(args)?,
        language: args.texts.lang.clone(),
        fast: args.fast,
        explain: args.explain,
        top: (args.explain && shows_some).then_some(args.top),
        resamples: args.resamples.map(|resamples| resamples as usize),
        seed: args.seed,
        resample_by: args.resample_by,
        fail_if,
        no_worse_than,
        margin,
        strict,
        checks: !args.input.no_checks,
        page: args.report.target.is_page(),
    })
}

fn files(args: &CompareArgs) -> Files<'_> {
    let files = Files::new(&args.hypotheses, &args.texts, args.source.as_deref(), &args.work, &args.input);
    Files { documents: Some(&args.documents), ..files }
}

/// The metric, if one is given.
fn metric(args: &CompareArgs) -> Result<Option<MetricRequest>, Misuse> {
    let Some(model) = &args.model else { return Ok(args.metric.as_deref().map(MetricRequest::from)) };
    if let Some(pointer) = habits::metrics::pointer(&model.to_string_lossy()).filter(|_| !model.exists()) {
        return Err(Misuse(format!("--model: there is no file {}: {pointer}", model.display())));
    }
    let model = file_value(model).map_err(|error| Misuse(format!("--model: {error}")))?;
    Ok(Some(Spec::new("pairwise").with_option("model", model).to_string().into()))
}

/// The error of a metric that cannot be built, with a hint if `--model` names the file of a metric of its own.
fn other_kind(error: tercet::Error, args: &CompareArgs, registry: &Registry) -> anyhow::Error {
    let Some(model) = args.model.as_ref().filter(|_| error.kind() == ErrorKind::Model) else {
        return error.into();
    };
    let is_it = |metric: &&&str| registry.build(&format!("{metric}:model={}", model.display())).is_ok();
    match ["siamese", "reval", "ruse", "blend"].iter().find(is_it) {
        Some(metric) => {
            let error = anyhow::Error::from(error);
            Misuse(format!("{error:#} (use -m {metric}:model={})", model.display())).into()
        }
        None => error.into(),
    }
}
