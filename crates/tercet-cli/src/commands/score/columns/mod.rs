//! `tercet score` of a Parquet or Arrow file: named columns, in one pass that needs memory for a few batches of rows.

#[cfg(feature = "columns")]
mod pass;
#[cfg(feature = "columns")]
mod roles;
#[cfg(feature = "columns")]
mod systems;
#[cfg(feature = "columns")]
mod target;

use crate::args::ScoreArgs;
use crate::output::Misuse;
#[cfg(not(feature = "columns"))]
use std::io::Read;
use std::path::Path;
use tercet::metrics::Registry;
#[cfg(feature = "columns")]
use tercet::scoring::{ResampleBy, ScoreLevels};

/// Whether translations are in a Parquet or Arrow file.
pub fn are_given(args: &ScoreArgs) -> bool {
    args.hypotheses.iter().any(|path| path != Path::new("-") && is_columns(path))
}

#[cfg(feature = "columns")]
pub fn is_columns(path: &Path) -> bool {
    tercet_columns::Format::is_columns(path)
}

/// By the first bytes alone.
#[cfg(not(feature = "columns"))]
pub fn is_columns(path: &Path) -> bool {
    let mut start = [0; 6];
    let read = path.is_file() && std::fs::File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok());
    read && (start.starts_with(b"PAR1") || &start == b"ARROW1" || start.starts_with(&[0xff; 4]))
}

/// This build does not read columns.
#[cfg(not(feature = "columns"))]
pub fn run(_: &ScoreArgs, _: &Registry) -> anyhow::Result<()> {
    let what = "this build of tercet does not read Parquet and Arrow files: install it with the feature `columns`";
    Err(Misuse(what.to_owned()).into())
}

/// Scores the rows, writes them with their scores if `-o` names a file of columns, and reports the scores of whole
/// systems.
#[cfg(feature = "columns")]
pub fn run(args: &ScoreArgs, registry: &Registry) -> anyhow::Result<()> {
    use crate::commands::gate;
    use crate::output;
    use crate::progress::with_progress;
    use tercet::report::{self, Contents};
    use tercet::warning::Done;

    without_messages_about_damaged_files();
    refuse_other_flags(args)?;
    if target::format(args).is_none() {
        args.report.target.check_ending()?;
    }
    super::page::check_groupings(&args.report, true)?;
    output::check(args.report.target.output.as_deref(), args.hypotheses.iter().map(std::path::PathBuf::as_path))?;
    let inputs = args.hypotheses.iter().map(std::path::PathBuf::as_path);
    gate::check(&args.gate, args.report.target.output.as_deref(), inputs)?;
    let done = with_progress(args.work.quiet, registry, |progress| {
        Done::collect(progress, |progress| score(args, registry, progress))
    })?;
    let mut evaluation = super::finished(done.result, args)?;
    super::job(args)?.judge_warnings(&mut evaluation, &done.warnings);
    let (target, path) = (&args.report.target, target::report_path(args));
    let terminal = target.terminal_for(path);
    let contents = Contents { systems: true, segments: false, terminal, ..super::contents(args) };
    output::write(&report::write_with_warnings(&evaluation, &done.warnings, target.format(), contents), path)?;
    super::finish_gate(&evaluation, args)
}

/// The readers of the formats panic about some damaged files. Such a panic becomes an error, which is all that is
/// printed.
#[cfg(feature = "columns")]
fn without_messages_about_damaged_files() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !tercet_columns::is_guarded() {
            print(panic);
        }
    }));
}

/// Scores and writes the rows; returns the scores of whole systems.
#[cfg(feature = "columns")]
fn score(
    args: &ScoreArgs,
    registry: &Registry,
    progress: tercet::progress::Progress<'_>,
) -> anyhow::Result<tercet::scoring::Evaluation> {
    use crate::habits;
    use tercet::scoring::{MetricRequest, ScoreJob, StreamScorer};
    use tercet_columns::TableReader;

    let [path] = args.hypotheses.as_slice() else {
        let what = "one Parquet or Arrow file at a time: give each system a column (--hypothesis), or name the column \
                    that says which system a row is of (--system)";
        return Err(Misuse(what.to_owned()).into());
    };
    let job = ScoreJob { level: ScoreLevels::System, ..super::job(args)? };
    habits::metrics::check(&job.metrics, registry)?;
    job.validate(registry)?;
    let can_use_source = MetricRequest::can_use_source(&job.metrics, registry);
    let mut reader = TableReader::open(path)?;
    let mut roles = roles::Roles::find(&reader, args, can_use_source)?;
    let metrics = match roles.has_references() {
        true => job.build_or_default(registry, progress)?,
        false => job.build_by_source(registry, progress)?,
    };
    let scorer = StreamScorer::new(metrics)?;
    if target::format(args).is_none() {
        reader = reader.only(&roles.columns())?;
        roles = roles::Roles::find(&reader, args, can_use_source)?;
    }
    let request = job.request(&[roles.first_system().to_owned()])?;
    roles.check(&request)?;
    let systems = systems::Systems::new(&roles, &scorer, request.needs_tallies());
    let target = target::TableTarget::open(args, &reader, &roles, &scorer)?;
    let pass = pass::Pass { args, scorer: &scorer, roles: &roles, job: &job, progress };
    let (systems, target) = pass.run(reader, systems, target)?;
    let evaluation = job.evaluate_stream(&scorer, systems.into_streamed(), progress)?;
    if let Some(target) = target {
        target.finish(&evaluation)?;
    }
    Ok(evaluation)
}

#[cfg(feature = "columns")]
fn refuse_other_flags(args: &ScoreArgs) -> Result<(), Misuse> {
    let (input, fields) = (&args.input, &args.input.fields);
    let by_document = args.significance.resample_by == ResampleBy::Document;
    let others = [
        ("--tsv", input.tsv, "its columns have names"),
        ("--columns", input.columns.is_some(), "name columns with --hypothesis and --reference"),
        ("--document", fields.document.is_some(), "save the texts as JSON lines or CSV first"),
        ("--blank-lines", args.documents.blank_lines, "name the field with --document"),
        ("--align", args.documents.align, "save the texts as JSON lines or CSV first"),
        ("--document-ids", args.documents.document_ids.is_some(), "save the texts as JSON lines or CSV first"),
        ("--resample-by document", by_document, "save the texts as JSON lines or CSV first"),
        ("--level document", args.level.has_documents(), "save the texts as JSON lines or CSV first"),
        ("--id", fields.id.is_some(), "rows of one file need not be joined"),
        ("--lines", fields.lines, "it has no lines"),
        ("--references", input.references.is_some(), "a column of lists may hold several references"),
        ("--interleaved", input.interleaved.is_some(), "a column of lists may hold several references"),
        ("--scores", args.given.scores, "save the scores as text first"),
        ("--explain", args.explain, "save the texts as lines first"),
        ("-f html", args.report.target.is_page(), "save the texts as lines first"),
        ("--submission", args.submission.submission.is_some(), "save the texts as lines first"),
    ];
    if let Some((flag, _, instead)) = others.into_iter().find(|(_, given, _)| *given) {
        return Err(Misuse(format!("{flag} cannot be used with a Parquet or Arrow file: {instead}")));
    }
    if args.level != ScoreLevels::System && target::format(args).is_none() {
        let what = "scores of the segments of a Parquet or Arrow file are written beside its rows: name a file with -o \
                    that ends in .parquet or .arrow";
        return Err(Misuse(what.to_owned()));
    }
    Ok(())
}
