//! Average ranks and values of metrics over several tables, as the WMT metrics tasks put metrics in order.
//!
//! A *task* is a column of a table: a set, a language pair, a level, the human scores and a statistic. Where accuracy
//! is
//! pooled over the language pairs of a set, that is one task, and the accuracies of the single pairs are none. The rank
//! of a metric in a task is its significance cluster; without a test, one more than the number of metrics with a larger
//! value. Before values are averaged, those between −1 and 1 are moved to the range from 0 to 1, that of accuracies:
//! (v + 1) / 2. Only metrics that have a value in all tasks are listed.
//!
//! Tasks have the same weight, unless attributes are named: then the values of the first one share the weight equally,
//! within each of them those of the second, and so on.
//!
//! # Agreement
//! mt-metrics-eval 68a481a's `AssignWeights`, `AverageRanks` and `AverageCorrs`, except that it does not move the range
//! of acc-23 without calibrated ties.

use super::agreement::{Agreement, AgreementReport};
use super::statistic_name::StatisticName;
use crate::corpora::Level;
use serde::Serialize;

tercet_base::choices! {
    /// An attribute of a task, by whose values weights are shared.
    pub enum TaskAttribute: "attribute of a task" {
        /// The set of judgements.
        Set = "set",
        /// The language pair.
        Pair = "pair" | "lang",
        /// Systems or segments.
        Level = "level",
        /// The human scores.
        Human = "human" | "gold",
        /// The statistic, with its options.
        Statistic = "statistic" | "corr-fcn",
    }
}

/// A metric's averages over all tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OverallRow {
    /// The metric.
    pub metric: String,
    /// Its weighted average rank; 1 is best.
    pub rank: f64,
    /// The weighted average of its values, each between 0 and 1.
    pub value: f64,
    /// The number of tasks.
    pub tasks: usize,
}

/// The rows of one task.
type Task<'a> = Vec<&'a Agreement>;

impl AgreementReport {
    /// The averages of each metric over all tasks, the best rank first; of equal ranks the best value. Weights are
    /// shared by the values of these attributes, in this order.
    pub fn overall(&self, by: &[TaskAttribute]) -> Vec<OverallRow> {
        let tasks = self.tasks();
        let weights = weights(&tasks.iter().collect::<Vec<_>>(), by, 1.0);
        let Some(first) = tasks.first() else { return Vec::new() };
        let row = |metric: &str| {
            let (mut rank, mut value) = (0.0, 0.0);
            for (task, weight) in tasks.iter().zip(&weights) {
                let own = task.iter().find(|of| of.metric == metric && !of.value.is_nan())?;
                rank += weight * rank_in(task, own) as f64;
                value += weight * from_zero_to_one(own);
            }
            Some(OverallRow { metric: metric.to_owned(), rank, value, tasks: tasks.len() })
        };
        let mut rows: Vec<OverallRow> = first.iter().filter_map(|of| row(&of.metric)).collect();
        rows.sort_by(|a, b| a.rank.total_cmp(&b.rank).then(b.value.total_cmp(&a.value)));
        rows
    }

    fn tasks(&self) -> Vec<Task<'_>> {
        let is_accuracy = |of: &Agreement| of.statistic.name == StatisticName::Accuracy;
        let is_pooled = |of: &&Agreement| is_accuracy(of) && of.pair == POOLED;
        let is_part =
            |of: &&Agreement| is_accuracy(of) && self.agreements.iter().filter(is_pooled).any(|all| all.set == of.set);
        let mut tasks: Vec<Task<'_>> = Vec::new();
        for agreement in self.agreements.iter().filter(|of| is_pooled(of) || !is_part(of)) {
            match tasks.iter_mut().find(|task| key(task[0]) == key(agreement)) {
                Some(task) => task.push(agreement),
                None => tasks.push(vec![agreement]),
            }
        }
        tasks
    }
}

/// The language pair of statistics that pool all pairs of a set.
pub const POOLED: &str = "all";

fn key(of: &Agreement) -> (&str, &str, Level, &str, String) {
    (&of.set, &of.pair, of.level, &of.human, of.statistic.label())
}

fn rank_in(task: &Task<'_>, own: &Agreement) -> usize {
    own.cluster.unwrap_or_else(|| 1 + task.iter().filter(|other| other.value > own.value).count())
}

/// The value on the range of accuracies.
fn from_zero_to_one(of: &Agreement) -> f64 {
    use StatisticName::{Acc23, Acc23Plain, Accuracy, PairAccuracy, SoftAccuracy};
    match of.statistic.name {
        Accuracy | SoftAccuracy | PairAccuracy | Acc23 | Acc23Plain => of.value,
        _ => f64::midpoint(of.value, 1.0),
    }
}

/// The weight of each task; together they weigh `total`.
fn weights(tasks: &[&Task<'_>], by: &[TaskAttribute], total: f64) -> Vec<f64> {
    let Some((attribute, rest)) = by.split_first() else { return vec![total / tasks.len() as f64; tasks.len()] };
    let values: Vec<String> = tasks.iter().map(|task| attribute.of(task[0])).collect();
    let mut distinct = values.clone();
    distinct.sort();
    distinct.dedup();
    let mut found = vec![0.0; tasks.len()];
    for value in &distinct {
        let places: Vec<usize> = (0..tasks.len()).filter(|&task| values[task] == *value).collect();
        let subset: Vec<&Task<'_>> = places.iter().map(|&task| tasks[task]).collect();
        let shares = weights(&subset, rest, total / distinct.len() as f64);
        places.iter().zip(shares).for_each(|(&task, share)| found[task] = share);
    }
    found
}

impl TaskAttribute {
    fn of(self, agreement: &Agreement) -> String {
        match self {
            TaskAttribute::Set => agreement.set.clone(),
            TaskAttribute::Pair => agreement.pair.clone(),
            TaskAttribute::Level => agreement.level.to_string(),
            TaskAttribute::Human => agreement.human.clone(),
            TaskAttribute::Statistic => agreement.statistic.label(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CorrelateJob, GroupedStatistic};
    use tercet_statistics::Grouping;

    fn row(pair: &str, statistic: StatisticName, metric: &str, value: f64, cluster: usize) -> Agreement {
        Agreement {
            set: "toy".to_owned(),
            pair: pair.to_owned(),
            level: if statistic == StatisticName::Accuracy { Level::System } else { Level::Segment },
            statistic: GroupedStatistic::new(statistic, Grouping::None),
            human: "mqm".to_owned(),
            metric: metric.to_owned(),
            title: metric.to_owned(),
            signature: metric.to_owned(),
            value,
            low: None,
            high: None,
            over_systems: None,
            ties: None,
            n: 10,
            cluster: (cluster > 0).then_some(cluster),
            ahead_of: Vec::new(),
        }
    }

    fn report(agreements: Vec<Agreement>) -> AgreementReport {
        AgreementReport { agreements, job: CorrelateJob::default(), ..AgreementReport::default() }
    }

    #[test]
    fn ranks_are_clusters_and_values_have_one_range() {
        use StatisticName::{Accuracy, Pearson};
        let found = report(vec![
            row("aa-bb", Pearson, "x", 0.5, 1),
            row("aa-bb", Pearson, "y", 0.1, 2),
            row("aa-bb", Pearson, "z", 0.6, 1),
            row("all", Accuracy, "x", 0.9, 0),
            row("all", Accuracy, "y", 0.95, 0),
            row("aa-bb", Accuracy, "x", 0.0, 0),
            row("aa-bb", Accuracy, "y", 1.0, 0),
        ]);
        let rows = found.overall(&[]);
        // z has no accuracy, and accuracies of single pairs are no task beside the pooled one.
        let shown: Vec<(&str, f64, usize)> =
            rows.iter().map(|row| (row.metric.as_str(), row.rank, row.tasks)).collect();
        assert_eq!(shown, [("x", 1.5, 2), ("y", 1.5, 2)]);
        assert!((rows[0].value - (0.75 + 0.9) / 2.0).abs() < 1e-12, "{rows:?}");
    }

    /// The averages are those of mt-metrics-eval 68a481a's `TaskSetResults` for tasks with these values and ranks:
    /// `AverageCorrs(AssignWeights(["lang", "level"]))`.
    #[test]
    fn weights_are_shared_from_the_first_attribute_on() {
        use StatisticName::{Acc23, KendallB, Pearson};
        let found = report(vec![
            row("aa-bb", Pearson, "x", 0.2, 2),
            row("aa-bb", Pearson, "y", 0.8, 1),
            row("aa-bb", Acc23, "x", 0.6, 1),
            row("aa-bb", Acc23, "y", 0.5, 3),
            row("cc-dd", KendallB, "x", 0.4, 1),
            row("cc-dd", KendallB, "y", -0.2, 2),
        ]);
        let value = |by: &[TaskAttribute]| {
            let rows = found.overall(by);
            let of = |name: &str| rows.iter().find(|row| row.metric == name).map(|row| (row.rank, row.value)).unwrap();
            (of("x"), of("y"))
        };
        let near = |(a, b): (f64, f64), (c, d): (f64, f64)| (a - c).abs() < 1e-12 && (b - d).abs() < 1e-12;
        let (x, y) = value(&[]);
        assert!(
            near(x, (4.0 / 3.0, (0.6 + 0.6 + 0.7) / 3.0)) && near(y, (2.0, (0.9 + 0.5 + 0.4) / 3.0)),
            "{x:?} {y:?}"
        );
        let (x, y) = value(&[TaskAttribute::Pair, TaskAttribute::Level]);
        assert!(near(x, (1.25, 0.65)) && near(y, (2.0, 0.55)), "{x:?} {y:?}");
    }
}
