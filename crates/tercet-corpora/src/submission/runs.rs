//! Groups the lines of a submission by metric and test set.
//!
//! Lines belong together if metric, language pair, test set with its track, and reference agree. A metric with a
//! reference is called `METRIC-REF`, as in mt-metrics-eval. Systems are in order of appearance. Segments are sorted by
//! number, and every number up to the last must be scored for some system; in 2020, where they are numbered within
//! documents, segments and documents are in order of appearance. System scores for a domain other than `all` are scores
//! of level [`Domain`](Level::Domain), sorted by domain.

use super::{Submission, SubmissionFormat, SubmissionRow};
use crate::error::{Error, Result};
use crate::metric_scores::MetricRun;
use crate::{Level, MetricScores};
use foldhash::HashMap;
use std::path::Path;

/// What a line's score belongs to, apart from the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Item<'a> {
    domain: &'a str,
    document: &'a str,
    segment: u32,
}

struct Run<'a> {
    about: &'a SubmissionRow,
    level: Level,
    systems: Vec<&'a str>,
    items: Vec<Item<'a>>,
    values: HashMap<(&'a str, Item<'a>), f64>,
}

impl Submission {
    /// The scores by metric, language pair, test set and reference. `path` is for messages: it is an error if a score
    /// is given twice.
    pub fn runs(&self, path: &Path) -> Result<Vec<MetricRun>> {
        let mut runs: Vec<Run> = Vec::new();
        let mut places = HashMap::default();
        let (mut systems, mut items) = (HashMap::default(), HashMap::default());
        for (i, row) in self.rows.iter().enumerate() {
            let level = self.level_of(row);
            let key = (&row.metric, &row.pair, &row.track, &row.test_set, &row.reference, level);
            let place = *places.entry(key).or_insert_with(|| {
                let values = HashMap::default();
                runs.push(Run { about: row, level, systems: Vec::new(), items: Vec::new(), values });
                runs.len() - 1
            });
            let (run, item) = (&mut runs[place], self.item(row));
            systems.entry((place, row.system.as_str())).or_insert_with(|| run.systems.push(&row.system));
            items.entry((place, item)).or_insert_with(|| run.items.push(item));
            if run.values.insert((&row.system, item), row.score).is_some() {
                let what = format!("{} is scored twice by {} for the same item", row.system, row.metric);
                return Err(Error::bad_line(path, i + 1, what));
            }
        }
        runs.into_iter().map(|run| run.finish(self, path)).collect()
    }

    fn level_of(&self, row: &SubmissionRow) -> Level {
        let whole = row.domain.as_deref().is_none_or(|domain| domain == "all");
        if self.level == Level::System && !whole { Level::Domain } else { self.level }
    }

    fn item<'a>(&self, row: &'a SubmissionRow) -> Item<'a> {
        let of = |name: &'a Option<String>| name.as_deref().unwrap_or_default();
        let segment = row.segment.unwrap_or_default();
        match self.level {
            Level::System | Level::Domain => Item { domain: of(&row.domain), ..Item::default() },
            Level::Document => Item { document: of(&row.document), ..Item::default() },
            Level::Segment if self.format == SubmissionFormat::Wmt20 => {
                Item { document: of(&row.document), segment, ..Item::default() }
            }
            Level::Segment => Item { segment, ..Item::default() },
        }
    }
}

impl Run<'_> {
    fn finish(mut self, submission: &Submission, path: &Path) -> Result<MetricRun> {
        let numbered = self.level == Level::Segment && submission.format != SubmissionFormat::Wmt20;
        if numbered || self.level == Level::Domain {
            self.items.sort_unstable();
        }
        let about = self.about;
        let gap = self.items.iter().zip(1..).find(|(item, number)| numbered && item.segment != *number);
        if let Some((_, number)) = gap {
            return Err(Error::bad_file(
                path,
                format!(
                    "no system of {} has a score by {} for segment {number}, but there are later segments",
                    about.pair, about.metric
                ),
            ));
        }
        let row = |system: &&str| {
            self.items.iter().map(|item| self.values.get(&(*system, *item)).copied()).collect::<Vec<_>>()
        };
        let scores = MetricScores {
            metric: match &about.reference {
                Some(reference) => format!("{}-{reference}", about.metric),
                None => about.metric.clone(),
            },
            level: self.level,
            values: self.systems.iter().map(row).collect(),
            systems: self.systems.iter().map(|&system| system.to_owned()).collect(),
        };
        let set = match &about.track {
            Some(track) => format!("{track}+{}", about.test_set),
            None => about.test_set.clone(),
        };
        Ok(MetricRun { set, pair: about.pair.clone(), ..MetricRun::new(scores) })
    }
}
