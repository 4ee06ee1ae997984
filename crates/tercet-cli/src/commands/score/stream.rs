//! Large files, in one pass: scores of segments are written as they are ready, and memory does not grow with the files.

use super::{contents, files, finish_gate, finished, scored_rows, warnings_of_files};
use crate::args::ScoreArgs;
use crate::commands::input::{OpenedInput, Streamed, StreamedInput};
use crate::output::{self, Misuse, Stream};
use crate::progress::ShownProgress;
use anyhow::Context;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use tercet::corpora::rows::{RowFormat, RowWriter, SegmentBatch};
use tercet::metrics::{NamedMetric, Registry};
use tercet::report;
use tercet::scoring::{ScoreJob, ScoreLog, StreamScorer, StreamedTexts};
use tercet::warning::Warning;

/// What is scored, by what.
pub struct Wanted<'a> {
    pub args: &'a ScoreArgs,
    pub job: &'a ScoreJob,
    /// The metrics that are named.
    pub metrics: &'a [NamedMetric],
    pub can_use_source: bool,
    pub registry: &'a Registry,
}

/// Returns an error for `--resume` where texts have to be in memory, or cannot be read again.
pub fn check(args: &ScoreArgs) -> Result<(), Misuse> {
    if !args.resume {
        return Ok(());
    }
    if let Some(flag) = needs_all_texts(args) {
        return Err(Misuse(format!("--resume cannot be used with {flag}, which needs all texts in memory")));
    }
    let is_file = |path: &Path| path != Path::new("-") && path.is_file();
    match files(args).all().find(|path| path.exists() && !is_file(path) || *path == Path::new("-")) {
        Some(path) => Err(Misuse(format!("--resume needs files, which {} is not", path.display()))),
        None if args.report.target.output.as_deref() == Some(Path::new("-")) => {
            Err(Misuse("--resume needs a file with -o: standard output cannot be gone on from".to_owned()))
        }
        None => Ok(()),
    }
}

/// The flag for which texts, or the counts of all segments, have to be in memory.
fn needs_all_texts(args: &ScoreArgs) -> Option<&'static str> {
    let (input, documents, significance) = (&args.input, &args.documents, &args.significance);
    let has_lines = report::has_streamed_segments(args.report.target.format());
    let flags = [
        ("--explain", args.explain),
        ("-f html", args.report.target.is_page()),
        ("--scores", args.given.scores),
        ("--submission", args.submission.submission.is_some()),
        ("--level document", args.level.has_documents()),
        ("--align", documents.align),
        ("--blank-lines", documents.blank_lines),
        ("--document-ids", documents.document_ids.is_some()),
        ("--tsv", input.tsv),
        ("--columns", input.columns.is_some()),
        ("--references", input.references.is_some()),
        ("--interleaved", input.interleaved.is_some()),
        ("--confidence", significance.confidence),
        ("--paired", significance.paired.is_some()),
        ("--no-worse-than", args.gate.no_worse_than.is_some()),
        ("--components of segments", args.components && args.level.has_segments()),
        ("this format of scores of segments (other than tsv, csv and jsonl)", args.level.has_segments() && !has_lines),
    ];
    flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
}

impl Wanted<'_> {
    /// Scores the files in one pass if they are large, or if that is asked for, and it can be done. Gives them back if
    /// not.
    pub fn run(&self, opened: OpenedInput, of_metrics: &[Warning]) -> anyhow::Result<Option<OpenedInput>> {
        let (args, files) = (self.args, files(self.args));
        let is_wanted = (args.resume || opened.is_large()) && needs_all_texts(args).is_none();
        let has_test = self.job.request(&[])?.needs_tallies();
        let needs_references = StreamScorer::new(self.metrics.to_vec()).err().map(|error| error.to_string());
        let reason = match (has_test, needs_references) {
            (true, _) => Some("a test needs all texts in memory".to_owned()),
            (false, needs_references) => needs_references,
        };
        let instead = match (is_wanted, reason) {
            (false, _) => return Ok(Some(opened)),
            (true, Some(reason)) => Err((opened, reason)),
            (true, None) => match opened.into_streamed(&files, self.can_use_source, args.level.has_segments())? {
                Streamed::Yes(input) => Ok(input),
                Streamed::No(opened) => Err((*opened, "these files have to be in memory to be joined".to_owned())),
            },
        };
        match instead {
            Ok(input) => self.score(*input, of_metrics),
            Err((_, reason)) if args.resume => Err(Misuse(format!("--resume: {reason}")).into()),
            Err((opened, _)) => Ok(Some(opened)),
        }
    }

    fn score(&self, input: StreamedInput, of_metrics: &[Warning]) -> anyhow::Result<Option<OpenedInput>> {
        match self.score_and_write(input, of_metrics) {
            Ok(()) => Ok(None),
            Err(error) if is_closed_pipe(&error) => Ok(None),
            // Rows that were joined by their order, and must not be: in memory they are joined by ids, or the error
            // says more.
            Err(error) if !self.args.resume && self.can_begin_again() && is_of_one_pass(&error) => {
                crate::commands::input::Input::open_again(&files(self.args)).map(Some)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether files can be read again, and nothing was written yet.
    fn can_begin_again(&self) -> bool {
        let output = self.args.report.target.output.as_deref();
        let is_held_back = output.is_some_and(tercet::files::is_file);
        files(self.args).all().all(Path::is_file) && (is_held_back || scored_rows::format(self.args).is_none())
    }

    fn score_and_write(&self, input: StreamedInput, of_metrics: &[Warning]) -> anyhow::Result<()> {
        let StreamedInput { stream, names, keeps_rows, warnings: of_input } = input;
        let (args, target) = (self.args, &self.args.report.target);
        let has_report = !keeps_rows && args.level.has_segments();
        let mut log = self.log(&names, has_report || keeps_rows, has_report)?;
        let path = target.output.as_deref();
        let fields: Vec<String> = stream.columns().iter().filter_map(|column| column.field.clone()).collect();
        let mut rows = scored_rows::format(args).filter(|_| keeps_rows).map(|format| RowTarget::new(path, format));
        let mut rows = rows.take().transpose()?;
        let mut take = |batch: &SegmentBatch, metrics: &[NamedMetric], scores: &[Vec<f64>]| match &mut rows {
            Some(rows) => rows.write(batch, &fields, metrics, scores),
            None => Ok(()),
        };
        let of_files = warnings_of_files(self.job, args);
        let shown = ShownProgress::new(args.work.quiet, self.registry);
        let texts =
            StreamedTexts { stream, names, log: log.as_mut(), take: if keeps_rows { Some(&mut take) } else { None } };
        let done = self.job.run_stream(self.metrics.to_vec(), texts, self.registry, shown.progress())?;
        drop(shown);
        let warnings = [of_metrics.to_vec(), of_input, of_files, done.warnings].concat();
        let mut evaluation = done.result;
        self.job.judge_warnings(&mut evaluation, &warnings);
        let order = evaluation.systems.clone();
        let evaluation = finished(evaluation, args)?;
        let (format, contents) = (target.format(), contents(args));
        match (rows, &log) {
            (Some(rows), _) => rows.finish()?,
            (None, Some(log)) if has_report => {
                let metrics = evaluation.columns.len();
                let scores = |column: usize, system: usize, take: &mut dyn FnMut(f64) -> io::Result<()>| {
                    let place = order.iter().position(|name| *name == evaluation.systems[system]).unwrap_or(system);
                    log.read_column(place * metrics + column, take)
                };
                let mut to = BufWriter::new(Stream::open(path)?);
                report::write_streamed(&mut to, &evaluation, &warnings, (format, contents), &scores)?;
                finish(to)?;
            }
            _ => {
                let text = report::write_with_warnings(&evaluation, &warnings, format, contents);
                output::write(&text, path)?;
            }
        }
        log.map_or(Ok(()), ScoreLog::remove)?;
        finish_gate(&evaluation, args)
    }

    /// Where scores are kept: beside the output with `--resume`, else in a temporary file if there is a report of them.
    fn log(&self, names: &[String], keeps_segments: bool, has_report: bool) -> anyhow::Result<Option<ScoreLog>> {
        match self.args.report.target.output.as_deref().filter(|_| self.args.resume) {
            Some(output) => {
                let path = resume_path(output);
                let log = ScoreLog::open(&path, &self.key(names)?, keeps_segments)?;
                if log.has_batches() && !self.args.work.quiet {
                    output::note(format_args!("going on with what {} has", path.display()));
                }
                Ok(Some(log))
            }
            None if has_report => Ok(Some(ScoreLog::temporary()?)),
            None => Ok(None),
        }
    }

    /// What a run computes, in lines `what: value`: another run does not go on from it.
    fn key(&self, names: &[String]) -> anyhow::Result<String> {
        let args = self.args;
        let signatures: Vec<String> = self.metrics.iter().map(|named| named.metric.signature().to_string()).collect();
        let mut key = format!("version: {}\nmetrics: {}\n", env!("CARGO_PKG_VERSION"), signatures.join(" "));
        let settings = serde_json::to_string(self.job)?;
        let fields = serde_json::to_string(&files(args).layout.fields.names(Vec::new(), None))?;
        key += &format!("systems: {names:?}\nfields: {fields} {}\n", args.input.fields.lines);
        key += &format!("settings: {settings} {}\n", scored_rows::format(args).is_some());
        for path in files(args).all() {
            let about = path.metadata().with_context(|| format!("cannot read {}", path.display()));
            // What is no file is the name of a field.
            let Ok(about) = about else {
                key += &format!("fields: {}\n", path.display());
                continue;
            };
            let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            key += &format!("files: {} {} {modified:?}\n", path.display(), about.len());
        }
        Ok(key)
    }
}

/// Where a run keeps what it has computed.
fn resume_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".resume");
    name.into()
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    io.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

fn is_of_one_pass(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(tercet::Error::Rows(error)) if error.is_of_one_pass())
}

fn finish(to: BufWriter<Stream>) -> anyhow::Result<()> {
    let cannot = to.get_ref().cannot();
    let mut to = to.into_inner().map_err(io::IntoInnerError::into_error).context(cannot.clone())?;
    to.flush().context(cannot)?;
    to.finish()
}

/// Rows that are written with their scores as they are ready.
struct RowTarget {
    path: PathBuf,
    format: RowFormat,
    to: Option<BufWriter<Stream>>,
    /// Once the names of the new fields are known.
    writer: Option<RowWriter<BufWriter<Stream>>>,
}

impl RowTarget {
    fn new(path: Option<&Path>, format: RowFormat) -> anyhow::Result<Self> {
        let to = Some(BufWriter::with_capacity(1 << 16, Stream::open(path)?));
        Ok(RowTarget { path: path.unwrap_or(Path::new("-")).to_owned(), format, to, writer: None })
    }

    /// Writes the rows of a batch, with the scores of each field by each metric.
    fn write(
        &mut self,
        batch: &SegmentBatch,
        fields: &[String],
        metrics: &[NamedMetric],
        scores: &[Vec<f64>],
    ) -> tercet::Result<()> {
        if let Some(to) = self.to.take() {
            let metrics = metrics.iter().map(|named| named.name.clone()).collect();
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            let names = scored_rows::new_fields(&fields, metrics);
            self.writer = Some(RowWriter::new(to, &self.path, self.format, &names));
        }
        if let Some(writer) = &mut self.writer {
            let mut numbers = vec![0.0; scores.len()];
            for (i, row) in batch.rows.iter().enumerate() {
                scores.iter().zip(&mut numbers).for_each(|(column, number)| *number = column[i]);
                writer.write(row, &numbers)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        match self.writer {
            Some(writer) => finish(writer.finish()?),
            None => Ok(()),
        }
    }
}
