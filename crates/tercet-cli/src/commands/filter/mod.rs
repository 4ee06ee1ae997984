//! `tercet filter`: keeps the good pairs of a parallel corpus.

#[cfg(feature = "columns")]
mod columns;
mod input;
mod table;

use crate::args::{CountsFormat, FilterArgs};
use crate::habits;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use crate::work;
use anyhow::Context;
use input::Pairs;
use std::fs::{self, File, OpenOptions};
use std::io::{Cursor, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use tercet::files;
use tercet::metrics::Registry;
use tercet::progress::Progress;
use tercet::scoring::{FilterJob, FilterSummary, Verdicts};
use tercet::warning::Done;

/// Counts, judges, writes.
pub fn run(args: &FilterArgs, registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let job = job(args);
    job.metric.iter().try_for_each(|metric| habits::metrics::check(std::slice::from_ref(metric), registry))?;
    job.validate(registry)?;
    let input = Pairs::find(args)?;
    for path in [&args.output, &args.output_source, &args.dropped].into_iter().flatten() {
        if path == Path::new("-") {
            return Err(Misuse("pairs are written to files: name one in place of -".to_owned()).into());
        }
        output::check(Some(path), input.files())?;
    }
    input.check_targets(args)?;
    let of = fingerprint(&job, &input)?;
    let done = with_progress(args.work.quiet, registry, |progress| {
        Done::collect(progress, |progress| match verdict_path(args) {
            Some(path) => {
                let verdicts = on_disk(&path, &of, args.resume)?;
                let summary = filter(&job, args, &input, verdicts, registry, progress)?;
                fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
                Ok::<_, anyhow::Error>(summary)
            }
            None => filter(&job, args, &input, Verdicts::create(Cursor::new(Vec::new()), &of)?, registry, progress),
        })
    })?;
    output::print(&match args.format {
        CountsFormat::Json => serde_json::to_string_pretty(&done.result)? + "\n",
        CountsFormat::Text => done.result.to_string(),
    })
}

/// What the flags ask for.
fn job(args: &FilterArgs) -> FilterJob {
    let default = FilterJob::default();
    FilterJob {
        metric: args.metric.as_deref().map(Into::into),
        language: args.lang.clone(),
        source_language: args.source_language.clone(),
        min_score: args.min_score,
        keep: args.keep,
        max_length_ratio: args.max_length_ratio.unwrap_or(default.max_length_ratio),
        duplicates: args.duplicates,
        ignore: args.ignore.clone(),
    }
}

/// Where verdicts are kept while the command runs, so that it can go on after it was stopped.
fn verdict_path(args: &FilterArgs) -> Option<PathBuf> {
    let mut path = args.output.clone()?.into_os_string();
    path.push(".verdicts");
    Some(path.into())
}

fn on_disk(path: &Path, of: &str, resume: bool) -> anyhow::Result<Verdicts<File>> {
    let context = || format!("cannot write {}", path.display());
    let is_there = path.exists();
    if is_there && !resume {
        let path = path.display();
        let what = format!("{path} is from a run that was stopped: go on with --resume, or remove it");
        return Err(Misuse(what).into());
    }
    if resume && !is_there {
        output::note(format!("nothing to resume: there is no {}", path.display()));
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
    let file = file.with_context(context)?;
    Ok(if is_there { Verdicts::resume(file, of)? } else { Verdicts::create(file, of)? })
}

/// What decides verdicts: the job, this version, and the size and time of the files.
fn fingerprint(job: &FilterJob, input: &Pairs<'_>) -> anyhow::Result<String> {
    let mut text = format!("{} {}", env!("CARGO_PKG_VERSION"), serde_json::to_string(&judged(job))?);
    for path in input.files() {
        let known = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
        let time = known.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        text.push_str(&format!("\n{} {} {}", path.display(), known.len(), time.unwrap_or_default().as_nanos()));
    }
    text.push_str(&format!("\n{:?}", input.fields()));
    Ok(files::short_hash(text.as_bytes()))
}

/// The job without limits of scores, which may be others when a run goes on.
fn judged(job: &FilterJob) -> FilterJob {
    FilterJob { min_score: None, keep: None, ..job.clone() }
}

fn filter<F: Read + Write + Seek>(
    job: &FilterJob,
    args: &FilterArgs,
    input: &Pairs<'_>,
    mut verdicts: Verdicts<F>,
    registry: &Registry,
    progress: Progress<'_>,
) -> anyhow::Result<FilterSummary> {
    progress.uncounted("reading")?;
    let count = input.open()?.count()?;
    let mut summary = job.judge(&mut *input.open()?, count, &mut verdicts, registry, progress)?;
    progress.stage("writing", count, "pairs")?;
    let mut decisions = verdicts.decisions(job)?;
    input.write(&mut decisions, args, job.scores(), progress)?;
    decisions.sum_up(&mut summary);
    Ok(summary)
}
