//! The table of `bench meta` and its raw numbers.

use crate::bench::record::{self, median};
use anyhow::Result;
use serde_json::{Value, json};

/// The bar of a row.
#[derive(Clone, Copy, Debug)]
pub enum Bar {
    /// The minimum ratio of CPU seconds to the peer's, on one thread.
    Ratio(f64),
    /// The maximum wall seconds, on two threads.
    WallSeconds(f64),
}

impl Bar {
    pub fn threads(self) -> usize {
        match self {
            Bar::Ratio(_) => 1,
            Bar::WallSeconds(_) => 2,
        }
    }

    /// Which seconds of tercet count.
    pub fn column(self) -> &'static str {
        match self {
            Bar::Ratio(_) => "cpu_s",
            Bar::WallSeconds(_) => "wall_s",
        }
    }

    fn shown(self) -> String {
        match self {
            Bar::Ratio(ratio) => format!("≥ {ratio}×"),
            Bar::WallSeconds(seconds) => format!("≤ {seconds} s wall, two threads"),
        }
    }
}

/// A row with its runs.
pub struct Measured {
    pub name: &'static str,
    bar: Bar,
    extrapolated: bool,
    pub theirs: Vec<f64>,
    pub ours: Vec<f64>,
    /// How the values differ, if they do.
    pub disagreement: Option<String>,
}

impl Measured {
    pub fn new(name: &'static str, bar: Bar, extrapolated: bool) -> Self {
        Measured { name, bar, extrapolated, theirs: Vec::new(), ours: Vec::new(), disagreement: None }
    }

    pub fn their_seconds(&self) -> Option<f64> {
        (!self.theirs.is_empty()).then(|| median(self.theirs.clone()))
    }

    fn our_seconds(&self) -> f64 {
        median(self.ours.clone())
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.their_seconds()? / self.our_seconds())
    }

    /// Whether the values are equal and the bar is met. Without a peer a ratio cannot fail.
    pub fn passes(&self) -> bool {
        self.disagreement.is_none()
            && match self.bar {
                Bar::Ratio(bar) => self.ratio().is_none_or(|ratio| ratio >= bar),
                Bar::WallSeconds(bar) => self.our_seconds() <= bar,
            }
    }

    pub fn line(&self) -> String {
        let about = if self.extrapolated { "≈ " } else { "" };
        let theirs = self.their_seconds().map_or_else(|| "–".to_owned(), |s| format!("{about}{s:.3}"));
        let ratio = self.ratio().map_or_else(|| "–".to_owned(), |ratio| format!("{about}{ratio:.0}×"));
        let pass = match &self.disagreement {
            Some(difference) => format!("**values differ**: {difference}"),
            None if !self.passes() => "**no**".to_owned(),
            None if self.theirs.is_empty() && matches!(self.bar, Bar::Ratio(_)) => "no peer".to_owned(),
            None => "yes".to_owned(),
        };
        let (name, ours, bar) = (self.name, self.our_seconds(), self.bar.shown());
        format!("| {name} | {theirs} | {ours:.5} | {ratio} | {bar} | {pass} |")
    }

    fn to_json(&self) -> Value {
        json!({
            "work": self.name,
            "our_seconds_are": self.bar.column(),
            "their_seconds_are_extrapolated": self.extrapolated,
            "theirs_s": self.theirs,
            "ours_s": self.ours,
            "ratio": self.ratio(),
            "bar": self.bar.shown(),
            "pass": self.passes(),
            "disagreement": self.disagreement,
        })
    }
}

pub const HEAD: &str = "\
| work | peer CPU s | tercet s | ratio | bar | pass |
|---|---:|---:|---:|---|---|";

/// Whether two lists of numbers, of lists or not, are equal to 1e-12.
pub fn disagreement(theirs: &Value, ours: &Value) -> Option<String> {
    fn same(theirs: &Value, ours: &Value) -> bool {
        match (theirs, ours) {
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
            }
            (a, b) => a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| (a - b).abs() <= 1e-12),
        }
    }
    (!same(theirs, ours)).then(|| format!("{theirs} for the peer, {ours} for tercet"))
}

const ABOUT: &str = "\
Seconds of the statistic alone, without the start of a process or the reading of the matrix; medians. The peer is \
mt-metrics-eval, on one thread; where its seconds have a ≈ it drew fewer permutations, and the rest is extrapolated from \
what each took (all pairs of metrics: 190 times the row of one pair). Values, and p-values of the same coins, were compared \
before anything was timed. Grouped by item; acc-23. See `../../README.md`.";

/// Records a run.
pub fn write(machine: &Value, rows: &[Measured]) -> Result<()> {
    let mut page = record::head("Meta-evaluation", machine);
    let lines: Vec<String> = rows.iter().map(Measured::line).collect();
    page += &format!("\n{ABOUT}\n\n{HEAD}\n{}\n", lines.join("\n"));
    let json = json!({"machine": machine, "rows": rows.iter().map(Measured::to_json).collect::<Vec<_>>()});
    record::write("meta", &page, &(serde_json::to_string_pretty(&json)? + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_to_the_twelfth_decimal() {
        assert_eq!(disagreement(&json!([[0.5, 1.0]]), &json!([[0.5, 1.0 + 1e-13]])), None);
        assert!(disagreement(&json!([0.5]), &json!([0.6])).is_some());
        assert!(disagreement(&json!([0.5]), &json!([0.5, 0.5])).is_some());
        assert!(disagreement(&json!([0.5]), &json!([null])).is_some());
    }

    #[test]
    fn without_a_peer_a_ratio_is_no_failure_but_slowness_is() {
        let mut row = Measured::new("", Bar::Ratio(50.0), false);
        row.ours.push(1.0);
        assert!(row.passes());
        row.theirs.push(49.0);
        assert!(!row.passes());
        let mut whole = Measured::new("", Bar::WallSeconds(60.0), false);
        whole.ours.push(61.0);
        assert!(!whole.passes());
    }
}
