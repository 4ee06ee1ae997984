//! The part of the data block about human judgements: the tables of the other formats, and points for scatter plots.

use crate::agreement::{notes, signatures, tables};
use crate::meta_evaluation::{AgreementReport, Point, Points};
use crate::statistics::correlation::pearson;
use crate::table::{PLAIN, Table};
use serde_json::{Value, json};

/// The most points that a plot gets; of more, every n-th is drawn.
const MAX_POINTS: usize = 3000;

/// `{tables: [{caption, header, rows, numbers_from}], notes, signatures: [[title, signature]], plots}`.
pub(super) fn agreement(report: &AgreementReport) -> Value {
    json!({
        "tables": tables(report, &PLAIN).iter().map(table).collect::<Vec<_>>(),
        "notes": notes(report),
        "signatures": signatures(report, &PLAIN),
        "plots": report.points.iter().map(plot).collect::<Vec<_>>(),
    })
}

pub(super) fn table(table: &Table) -> Value {
    let Table { caption, header, rows, numbers_from } = table;
    json!({"caption": caption, "header": header, "rows": rows, "numbers_from": numbers_from})
}

/// `{set, pair, level, human, metric, lower_is_better, all, r, systems, points: [[human, metric, system, segment]]}`:
/// `all` is the number of points that there are, `r` Pearson's correlation of them all.
fn plot(points: &Points) -> Value {
    let is_finite = |point: &&Point| point.human.is_finite() && point.metric.is_finite();
    let all: Vec<&Point> = points.points.iter().filter(is_finite).collect();
    let mut systems: Vec<&str> = Vec::new();
    let step = all.len().div_ceil(MAX_POINTS).max(1);
    let drawn: Vec<Value> = all
        .iter()
        .step_by(step)
        .map(|point| {
            let place = systems.iter().position(|system| *system == point.system);
            let system = place.unwrap_or_else(|| {
                systems.push(&point.system);
                systems.len() - 1
            });
            json!([rounded(point.human), rounded(point.metric), system, point.segment])
        })
        .collect();
    let (human, metric): (Vec<f64>, Vec<f64>) = all.iter().map(|point| (point.human, point.metric)).unzip();
    let r = pearson(&human, &metric).value;
    json!({
        "set": points.set,
        "pair": points.pair,
        "level": points.level,
        "human": points.human,
        "metric": points.metric,
        "lower_is_better": points.lower_is_better,
        "all": all.len(),
        "r": Some(r).filter(|r| r.is_finite()),
        "systems": systems,
        "points": drawn,
    })
}

/// Enough digits for a plot.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
