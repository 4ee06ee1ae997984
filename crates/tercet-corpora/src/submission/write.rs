//! Writing submissions.

use super::columns::SubmissionColumn;
use super::{Submission, SubmissionFormat, SubmissionRow};
use crate::error::{Error, Result};
use crate::{Level, MetricScores, metric_and_reference};
use std::collections::BTreeMap;
use std::io::Write as _;

/// The test set that metric scores belong to.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScoredSet<'a> {
    /// The language pair.
    pub pair: &'a str,
    /// Name of the test set, after its track if it has one: `DAsys+newstest2017`.
    pub test_set: &'a str,
    /// The document of each segment.
    pub documents: Option<&'a [String]>,
    /// The domain of each segment.
    pub domains: Option<&'a [String]>,
}

impl Submission {
    /// Makes a submission of a metric's scores. The reference is what follows the last `-` of the metric's name if that
    /// is `src`, `all` or begins with `ref`. It is an error if a score is missing.
    pub fn from_scores(scores: &MetricScores, set: &ScoredSet, format: SubmissionFormat) -> Result<Submission> {
        let (metric, reference) = metric_and_reference(&scores.metric);
        let (track, test_set) = match set.test_set.split_once('+') {
            Some((track, set)) => (Some(track.to_owned()), set),
            None => (None, set.test_set),
        };
        let items = scores.values.iter().map(Vec::len).max().unwrap_or(0);
        let items = items_of(scores.level, items, set, format)?;
        let mut rows = Vec::new();
        for (system, values) in scores.systems.iter().zip(&scores.values) {
            for (i, item) in items.iter().enumerate() {
                let score = values.get(i).copied().flatten().ok_or_else(|| {
                    Error::BadRequest(format!(
                        "{} has no score for item {} of {system}: a submission scores everything",
                        scores.metric,
                        i + 1
                    ))
                })?;
                rows.push(SubmissionRow {
                    metric: metric.to_owned(),
                    pair: set.pair.to_owned(),
                    track: track.clone(),
                    test_set: test_set.to_owned(),
                    reference: reference.map(str::to_owned),
                    system: system.clone(),
                    score,
                    ..item.clone()
                });
            }
        }
        let level = if scores.level == Level::Domain { Level::System } else { scores.level };
        Ok(Submission { format, level, rows })
    }

    /// The submission as text, with the columns of its format. A missing domain becomes `all`, a missing document `-`;
    /// unless the row says otherwise, the metric is no ensemble and not available. A missing reference is an error if
    /// the format has a column for it.
    pub fn write(&self) -> Result<String> {
        let columns = self.format.columns(self.level).ok_or_else(|| {
            let (format, level) = (self.format, self.level.code());
            Error::BadRequest(format!("{format:?} submissions have no {level} scores"))
        })?;
        let mut text = String::new();
        for row in &self.rows {
            for (i, column) in columns.iter().enumerate() {
                let field = field(row, *column)?;
                if field.is_empty() || field.contains(['\t', '\n', '\r', '\0']) || !column.takes(&field) {
                    return Err(Error::BadRequest(format!(
                        "cannot write {field:?} into a submission: expected {} without tabs, line ends or zero bytes",
                        column.name()
                    )));
                }
                text.push_str(if i == 0 { "" } else { "\t" });
                text.push_str(&field);
            }
            text.push('\n');
        }
        Ok(text)
    }
}

/// Compresses a text with gzip; the same text gives the same bytes.
pub fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory can be written to");
    encoder.finish().expect("memory can be written to")
}

fn field(row: &SubmissionRow, column: SubmissionColumn) -> Result<String> {
    let or = |text: &Option<String>, otherwise: &str| text.as_deref().unwrap_or(otherwise).to_owned();
    let time = |which: fn(&(String, String)) -> &String| {
        row.times.as_ref().map_or_else(|| "-".to_owned(), |times| which(times).clone())
    };
    Ok(match column {
        SubmissionColumn::Metric => row.metric.clone(),
        SubmissionColumn::Pair => row.pair.clone(),
        SubmissionColumn::TestSet => match &row.track {
            Some(track) => format!("{track}+{}", row.test_set),
            None => row.test_set.clone(),
        },
        SubmissionColumn::Domain => or(&row.domain, "all"),
        SubmissionColumn::Document => or(&row.document, "-"),
        SubmissionColumn::Reference => row.reference.clone().ok_or_else(|| {
            Error::BadRequest(format!(
                "the submission must name the reference {} used (call it {0}-refA, or {0}-src if there is none)",
                row.metric
            ))
        })?,
        SubmissionColumn::System => row.system.clone(),
        SubmissionColumn::Segment => row.segment.unwrap_or(0).to_string(),
        SubmissionColumn::Score => format!("{:?}", row.score),
        SubmissionColumn::Began => time(|(began, _)| began),
        SubmissionColumn::Ended => time(|(_, ended)| ended),
        SubmissionColumn::Ensemble => or(&row.ensemble, "non-ensemble"),
        SubmissionColumn::Available => or(&row.available, "no"),
    })
}

/// Domain, document and segment number of each item of a level.
fn items_of(level: Level, count: usize, set: &ScoredSet, format: SubmissionFormat) -> Result<Vec<SubmissionRow>> {
    let item = |domain: Option<&String>, document: Option<&String>, segment: Option<u32>| SubmissionRow {
        domain: domain.cloned(),
        document: document.cloned(),
        segment,
        ..SubmissionRow::default()
    };
    let named = |names: Option<&'_ [String]>, what: &str| {
        let mut distinct: Vec<String> = Vec::new();
        for name in names.unwrap_or_default() {
            if !distinct.contains(name) {
                distinct.push(name.clone());
            }
        }
        if distinct.len() == count {
            return Ok(distinct);
        }
        Err(Error::BadRequest(format!("{count} scores for {} {what}", distinct.len())))
    };
    Ok(match level {
        Level::System => vec![item(Some(&"all".to_owned()), None, None)],
        Level::Domain => {
            let mut domains = named(set.domains, "domains")?;
            domains.sort();
            domains.iter().map(|name| item(Some(name), None, None)).collect()
        }
        Level::Document => named(set.documents, "documents")?.iter().map(|name| item(None, Some(name), None)).collect(),
        Level::Segment => {
            let of = |names: Option<&'_ [String]>, i: usize| names.and_then(|names| names.get(i)).cloned();
            let mut seen: BTreeMap<Option<String>, u32> = BTreeMap::new();
            (0..count)
                .map(|i| {
                    let document = of(set.documents, i);
                    let within = seen.entry(document.clone()).or_default();
                    *within += 1;
                    let number = if format == SubmissionFormat::Wmt20 { *within } else { i as u32 + 1 };
                    item(of(set.domains, i).as_ref(), document.as_ref(), Some(number))
                })
                .collect()
        }
    })
}
