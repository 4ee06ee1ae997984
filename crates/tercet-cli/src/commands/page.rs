//! The HTML page of `score`, `compare` and `rank`.

use super::file_names;
use super::input::Input;
use crate::args::ReportArgs;
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use std::path::{Path, PathBuf};
use tercet::corpora::read_lines;
use tercet::metrics::Registry;
use tercet::report::html::{ScoredTexts, SegmentGrouping};
use tercet::scoring::{Corpus, Evaluation};

/// Writes the page of texts, with the names of their files and the groups that were asked for. Its readers see the
/// warnings also if the command prints none.
pub fn write(
    scored: ScoredTexts<'_>,
    report: &ReportArgs,
    input: &Input,
    registry: &Registry,
    quiet: bool,
) -> anyhow::Result<()> {
    let groupings = groupings(report, scored.corpus)?;
    let systems = file_names::of_systems(&scored.evaluation.systems, input.files());
    let corpus = scored.corpus.renamed(&systems);
    let warnings = file_names::in_warnings(scored.warnings, &scored.evaluation.systems, &systems);
    let evaluation = Evaluation { systems, ..scored.evaluation.clone() };
    let scored = ScoredTexts {
        corpus: &corpus,
        evaluation: &evaluation,
        warnings: &warnings,
        groupings: &groupings,
        origins: input.origins(),
        ..scored
    };
    let page = with_progress(quiet, registry, |progress| scored.write_page(registry, progress))?;
    output::write(&page, report.target.output.as_deref())
}

/// The error of `--explain` for a page, which has the words of its segments marked without it.
pub fn not_explained() -> Misuse {
    Misuse("--explain is not for -f html, which marks words of segments without it".to_owned())
}

/// Returns an error if `--by` is given where it means nothing, or is not `NAME=FILE`.
pub fn check_groupings(report: &ReportArgs, without_texts: bool) -> Result<(), Misuse> {
    if !report.by.is_empty() && (without_texts || !report.target.is_page()) {
        return Err(Misuse("--by is for pages about texts: add -f html".to_owned()));
    }
    report.by.iter().try_for_each(|given| name_and_file(given).map(|_| ()))
}

fn name_and_file(given: &str) -> Result<(&str, PathBuf), Misuse> {
    match given.split_once('=') {
        Some((name, file)) if !name.trim().is_empty() && !file.is_empty() => Ok((name.trim(), file.into())),
        _ => Err(Misuse(format!("--by: expected NAME=FILE, found {given}"))),
    }
}

/// The documents that the files name, and the files of `--by`.
fn groupings(report: &ReportArgs, corpus: &Corpus<'_>) -> anyhow::Result<Vec<SegmentGrouping>> {
    let mut groupings = Vec::new();
    if let Some(documents) = corpus.documents() {
        let values = documents.iter().map(|name| (*name).to_owned()).collect();
        groupings.push(SegmentGrouping { name: "document".to_owned(), values, is_requested: false });
    }
    for given in &report.by {
        let (name, file) = name_and_file(given)?;
        groupings.push(read_grouping(name, &file, corpus.len())?);
    }
    Ok(groupings)
}

fn read_grouping(name: &str, file: &Path, segments: usize) -> anyhow::Result<SegmentGrouping> {
    let lines = read_lines(file)?;
    if lines.len() != segments {
        anyhow::bail!(
            "{} has {} lines for {segments} segments: --by needs one value per segment",
            file.display(),
            lines.len()
        );
    }
    let values = lines.iter().map(str::to_owned).collect();
    Ok(SegmentGrouping { name: name.to_owned(), values, is_requested: true })
}
