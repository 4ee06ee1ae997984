//! Judgements of today: files in which every judged output has its texts, its score, and what raters marked.
//!
//! | file | |
//! |---|---|
//! | rows with usual names of fields, or with those that are named: COMET's tables (`src,mt,ref,score`), ESA of WMT24 (`src,tgt,esa_score,esa_spans,annotator`), one judged output on each line (`seg,system,score,hypothesis,spans`) | `rows` |
//! | scores of all systems in one object: the JSON lines of WMT25 and later | `documents` |
//! | the log of a Pearmut campaign (DA, ESA, MQM, contrastive ESA) | `pearmut` |
//! | the JSON export of Label Studio | `label_studio` |
//! | the CSV that Appraise exports (DA, SQM, ESA with spans) | `appraise` |
//!
//! Each of these turns rows into judged outputs; [`RatedSets`] gathers them by language pair, numbers systems and
//! segments, and averages the scores of several raters. They are recognised by the fields of their first row.

mod appraise;
mod documents;
mod fields;
mod label_studio;
mod marks;
mod pearmut;
mod rows;
mod sets;

pub use fields::JudgementFields;
pub(crate) use fields::find as find_field;
pub use marks::error_spans;

use super::compressed::read_start;
use super::judgement_source::JudgementSource;
use super::judgements::Judgements;
use super::pairs_of_file;
use super::plain_text::Lines;
use super::rows::{FieldKind, OpenedFile, Row, RowReader};
use super::scored_texts;
use crate::error::{Error, Result};
use crate::folder::Folder;
use crate::language_pair;
use sets::RatedSets;
use std::path::Path;
use std::sync::Arc;

/// Bytes by which a file is recognised: those of its first row.
const START: u64 = 1 << 22;

/// What turns a row into judged outputs.
trait Format {
    /// Adds the judged outputs of a row.
    fn add(&self, row: &Row, sets: &mut RatedSets) -> Result<()>;
}

/// The sets of a file, one for each language pair, or of a folder of files that are named after pairs; nothing for
/// other files.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    if path.is_dir() {
        return in_folder(path);
    }
    if !is_rated(path)? || !scored_texts::sources(path)?.is_empty() {
        return Ok(Vec::new());
    }
    of_file(path, JudgementFields::default())
}

/// The sets of a file of rows, whose fields have the names that are given, and usual ones for the rest.
pub fn sources_with(path: &Path, fields: &JudgementFields) -> Result<Vec<JudgementSource>> {
    of_file(path, fields.clone())
}

fn of_file(path: &Path, fields: JudgementFields) -> Result<Vec<JudgementSource>> {
    let file_pair = pair_of_file(path);
    pairs_of_file::sources(
        path,
        Arc::new(move |lines: &Lines| {
            let mut read = parse_rated_with(lines, &fields)?;
            if let (Some(pair), [only]) = (&file_pair, &mut read[..])
                && only.pair.is_empty()
            {
                only.pair.clone_from(pair);
            }
            Ok(read)
        }),
    )
}

/// The pair that a file is named after: `en-de.tsv.gz`.
fn pair_of_file(path: &Path) -> Option<String> {
    let name = crate::folder::unpacked_name(path);
    language_pair::named(name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem))
}

/// Files `PAIR.tsv`, `PAIR.jsonl` and the like of a folder, which is one set.
fn in_folder(path: &Path) -> Result<Vec<JudgementSource>> {
    let mut found = Vec::new();
    for (_, file) in Folder::read(path)?.files() {
        if pair_of_file(file).is_some() && is_rated(file)? {
            let set = crate::folder::set_name(path);
            found.extend(sources(file)?.into_iter().map(|source| source.named(&set)));
        }
    }
    Ok(found)
}

/// Whether a file has judged outputs in a format of this folder, by its first row.
fn is_rated(path: &Path) -> Result<bool> {
    let start = read_start(path, START)?;
    let Ok(file) = OpenedFile::from_bytes(path, start) else { return Ok(false) };
    if appraise::is_first_line(file.start()) {
        return Ok(true);
    }
    // Tables of scores by metrics have the same columns.
    if file.row_format().is_none() || file.start().starts_with(crate::score_file::HEADER.as_bytes()) {
        return Ok(false);
    }
    let start = String::from_utf8_lossy(file.start()).into_owned();
    let Ok(rows) = file.into_rows() else { return Ok(false) };
    // Without the last line, which may be cut.
    let lines = start.rsplit_once('\n').map_or("", |(lines, _)| lines).split('\n');
    let mut rows = rows.with_marks_as_in(lines);
    Ok(format_of(&mut rows, &JudgementFields::default()).is_ok())
}

/// The format of rows, by the first of them.
fn format_of(rows: &mut RowReader, fields: &JudgementFields) -> Result<Box<dyn Format>> {
    if fields.is_empty() {
        if appraise::of_header(rows).is_some() {
            return Ok(Box::new(appraise::Appraise));
        }
        let sample = rows.sample()?;
        let has =
            |name: &str| sample.iter().any(|field| field.name == name || field.name.starts_with(&format!("{name}.")));
        if has("annotation") && (has("item") || has("item_i")) {
            return Ok(Box::new(pearmut::Pearmut));
        }
        if has("annotations") && has("data") {
            return Ok(Box::new(label_studio::LabelStudio));
        }
        if has("tgt_text") && has("scores") {
            return Ok(Box::new(documents::Documents));
        }
    }
    let path = rows.path().to_owned();
    Ok(Box::new(rows::RatedRows::find(rows.sample()?, fields, &path)?))
}

/// Reads judged outputs in any format of this folder, of all language pairs.
pub fn parse_rated(lines: &Lines) -> Result<Vec<Judgements>> {
    parse_rated_with(lines, &JudgementFields::default())
}

/// Scores of a metric in rows.
pub(crate) struct ScoredRows {
    /// The scores as if they were judgements.
    pub judgements: Vec<Judgements>,
    /// Whether rows name their segments.
    pub has_ids: bool,
    /// Whether the scores are MetricX's predictions.
    pub is_prediction: bool,
}

/// Names of what tells the runs of a judge apart.
const RUNS: &[&str] = &["run", "run_id", "sample", "sample_id", "seed", "trial", "iteration", "repetition", "rater"];

/// Reads rows of scores by a metric. A system that no row names is empty.
pub(crate) fn parse_scored_rows(lines: &Lines, fields: &JudgementFields) -> Result<ScoredRows> {
    let path = lines.path();
    let rows = OpenedFile::from_bytes(path, lines.text().as_bytes().to_vec())?.into_rows()?;
    let mut rows = rows.with_marks_as_in(lines.iter_untrimmed());
    let sample = rows.sample()?.to_vec();
    let prediction = sample.iter().find(|field| field.name.eq_ignore_ascii_case("prediction"));
    let prediction = prediction.filter(|field| matches!(field.kind, FieldKind::Number | FieldKind::NumberText));
    let names = JudgementFields {
        score: fields.score.clone().or_else(|| prediction.map(|field| field.name.clone())).or_else(|| {
            let listed = || fields::find(&sample, &["scores"]).map(|field| field.name().to_owned());
            if fields::find(&sample, fields::SCORES).is_none() { listed() } else { None }
        }),
        rater: fields.rater.clone().or_else(|| fields::find(&sample, RUNS).map(|field| field.name().to_owned())),
        ..fields.clone()
    };
    let format = rows::RatedRows::find(&sample, &names, path)?.of_metric();
    let has_ids = format.has_ids();
    let mut sets = RatedSets::default();
    let mut row = rows.unread_row();
    while rows.read_row(&mut row)? {
        format.add(&row, &mut sets)?;
    }
    Ok(ScoredRows { judgements: sets.into_judgements(path)?, has_ids, is_prediction: prediction.is_some() })
}

/// Reads rows of judged outputs whose fields have these names.
pub fn parse_rated_with(lines: &Lines, fields: &JudgementFields) -> Result<Vec<Judgements>> {
    let path = lines.path();
    let file = OpenedFile::from_bytes(path, lines.text().as_bytes().to_vec())?;
    let mut rows = match fields.is_empty() && appraise::is_first_line(file.start()) {
        true => file.into_rows_of(super::rows::RowFormat::Csv)?,
        false => file.into_rows()?.with_marks_as_in(lines.iter_untrimmed()),
    };
    let format = format_of(&mut rows, fields)?;
    let mut sets = RatedSets::default();
    // The table of Appraise has no header.
    if let Some((appraise, first)) = fields.is_empty().then(|| appraise::of_header(&rows)).flatten() {
        appraise.add_fields(path, 1, &|place| first.get(place).map(String::as_str), &mut sets)?;
    }
    let mut row = rows.unread_row();
    while rows.read_row(&mut row)? {
        format.add(&row, &mut sets)?;
    }
    if sets.is_empty() {
        return Err(Error::bad_file(path, "there is no judged output in it"));
    }
    sets.into_judgements(path)
}
