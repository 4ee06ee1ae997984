//! The columns of each year's submissions.

use crate::Level;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmissionColumn {
    Metric,
    Pair,
    TestSet,
    Domain,
    Document,
    Reference,
    System,
    Segment,
    Score,
    Began,
    Ended,
    Ensemble,
    Available,
}

tercet_base::choices! {
    /// The format of submissions to the metrics task, which changed over the years.
    pub enum SubmissionFormat: "year" {
        /// Until 2016: metric, language pair, test set, system, segment, score.
        Wmt08 = "wmt16" | "wmt08",
        /// 2017 to 2019: also whether the metric is an ensemble, and its availability.
        Wmt17 = "wmt17",
        /// 2020: with the reference, and segments numbered within their document.
        Wmt20 = "wmt20",
        /// 2021: with the reference.
        Wmt21 = "wmt21",
        /// From 2022: with the domain, the document and the reference.
        Wmt22 = "wmt22",
    }
}

use SubmissionColumn::*;

/// All lists of columns. The first of a format and level is the one that is written.
pub const LISTS: &[(SubmissionFormat, Level, &[SubmissionColumn])] = &[
    (SubmissionFormat::Wmt08, Level::Segment, &[Metric, Pair, TestSet, System, Segment, Score]),
    (SubmissionFormat::Wmt08, Level::System, &[Metric, Pair, TestSet, System, Score]),
    (SubmissionFormat::Wmt17, Level::Segment, &[Metric, Pair, TestSet, System, Segment, Score, Ensemble, Available]),
    (
        SubmissionFormat::Wmt17,
        Level::System,
        &[Metric, Pair, TestSet, System, Score, Began, Ended, Ensemble, Available],
    ),
    (SubmissionFormat::Wmt17, Level::System, &[Metric, Pair, TestSet, System, Score, Ensemble, Available]),
    (SubmissionFormat::Wmt20, Level::Segment, &[Metric, Pair, TestSet, Reference, System, Document, Segment, Score]),
    (SubmissionFormat::Wmt20, Level::System, &[Metric, Pair, TestSet, Reference, System, Score]),
    (SubmissionFormat::Wmt21, Level::Segment, &[Metric, Pair, TestSet, Reference, System, Segment, Score]),
    (SubmissionFormat::Wmt21, Level::System, &[Metric, Pair, TestSet, Reference, System, Score]),
    (
        SubmissionFormat::Wmt22,
        Level::Segment,
        &[Metric, Pair, TestSet, Domain, Document, Reference, System, Segment, Score],
    ),
    (SubmissionFormat::Wmt22, Level::System, &[Metric, Pair, TestSet, Domain, Reference, System, Score]),
    (SubmissionFormat::Wmt20, Level::Document, &[Metric, Pair, TestSet, Reference, System, Document, Score]),
];

impl SubmissionFormat {
    /// The format of a year.
    pub fn of_year(year: u32) -> SubmissionFormat {
        match year {
            ..=2016 => SubmissionFormat::Wmt08,
            2017..=2019 => SubmissionFormat::Wmt17,
            2020 => SubmissionFormat::Wmt20,
            2021 => SubmissionFormat::Wmt21,
            2022.. => SubmissionFormat::Wmt22,
        }
    }

    /// The columns for scores of this level, if the year accepted them.
    pub fn columns(self, level: Level) -> Option<&'static [SubmissionColumn]> {
        LISTS.iter().find(|(format, of, _)| *format == self && *of == level).map(|(_, _, columns)| *columns)
    }
}

impl SubmissionColumn {
    /// Whether a field is valid in this column.
    pub fn takes(self, field: &str) -> bool {
        match self {
            Score => score(field).is_some(),
            Segment => segment(field).is_some(),
            // Spelt in several ways; no other field looks like it.
            Ensemble => matches!(field, "yes" | "no") || field.to_lowercase().contains("ens"),
            _ => !field.is_empty(),
        }
    }
}

/// A score: any finite number that is small enough to be added up.
pub fn score(field: &str) -> Option<f64> {
    field.trim().parse().ok().filter(|score: &f64| score.abs() <= 1e200)
}

/// A segment number, from 1.
pub fn segment(field: &str) -> Option<u32> {
    field.trim().parse().ok().filter(|&number| number > 0)
}
