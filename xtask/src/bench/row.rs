//! A row of a benchmark: the runs of a peer and of tercet, and the bars that tercet must meet.

use anyhow::Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Mul;

/// What one run used. The programs that time themselves print these fields.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
pub struct Run {
    /// User and system time.
    #[serde(default)]
    pub cpu_s: f64,
    #[serde(default)]
    pub wall_s: f64,
    /// Peak memory, where whole processes were measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_mib: Option<f64>,
}

impl Mul<f64> for Run {
    type Output = Run;

    /// The run of so many times the work; memory stays the same.
    fn mul(self, times: f64) -> Run {
        Run { cpu_s: self.cpu_s * times, wall_s: self.wall_s * times, ..self }
    }
}

/// The quantity that a row compares.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quantity {
    Cpu,
    Wall,
    Memory,
}

/// What tercet must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bar {
    /// The minimum ratio of the peer's seconds to tercet's. Without a peer it cannot fail.
    Ratio(f64),
    /// The peer's peak memory is more than this many times tercet's.
    MemoryRatio(f64),
    /// The maximum seconds.
    Seconds(f64),
    /// The minimum number of items per CPU second.
    PerSecond(f64, &'static str),
    /// The maximum peak memory in MiB.
    Mib(f64),
}

/// The same work by a peer and by tercet.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub work: String,
    /// The peer's name; empty if tercet is measured alone.
    pub peer: &'static str,
    pub quantity: Quantity,
    #[serde(skip)]
    pub bars: Vec<Bar>,
    /// Whether a part of the work was timed and the seconds extrapolated.
    pub is_extrapolated: bool,
    /// Whether the peer is so slow that it runs once.
    #[serde(skip)]
    pub peer_runs_once: bool,
    /// How many items, such as sentences and words, one run works on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<(&'static str, f64)>,
    pub theirs: Vec<Run>,
    pub ours: Vec<Run>,
    /// How the results differ, if they do.
    pub difference: Option<String>,
    /// Why there are no runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_measured: Option<String>,
    /// How the peer did the work, and other facts for the record.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

pub const COLUMNS: [&str; 10] = [
    "work",
    "peer",
    "seconds of",
    "peer s",
    "tercet s",
    "ratio",
    "tercet per CPU second",
    "peer MiB",
    "tercet MiB",
    "bar",
];

impl Row {
    /// A row that compares CPU seconds.
    pub fn new(work: impl Into<String>, peer: &'static str, bars: impl Into<Vec<Bar>>) -> Self {
        Row {
            work: work.into(),
            peer,
            quantity: Quantity::Cpu,
            bars: bars.into(),
            is_extrapolated: false,
            peer_runs_once: false,
            items: Vec::new(),
            theirs: Vec::new(),
            ours: Vec::new(),
            difference: None,
            not_measured: None,
            notes: Vec::new(),
        }
    }

    /// Peer, tercet, peer, tercet, …, so that a busy machine slows both; the outputs of the first turn are compared.
    pub fn in_turns<T>(
        &mut self,
        runs: u32,
        mut theirs: impl FnMut() -> Result<(Run, T)>,
        mut ours: impl FnMut() -> Result<(Run, T)>,
        compare: impl FnOnce(&mut Row, &T, &T) -> Result<()>,
    ) -> Result<()> {
        let mut turn = |row: &mut Row, with_peer: bool| -> Result<(Option<T>, T)> {
            let their_output = match with_peer {
                true => {
                    let (run, output) = theirs()?;
                    row.theirs.push(run);
                    Some(output)
                }
                false => None,
            };
            let (run, output) = ours()?;
            row.ours.push(run);
            Ok((their_output, output))
        };
        if let (Some(theirs), ours) = turn(self, true)? {
            compare(self, &theirs, &ours)?;
        }
        (1..runs).try_for_each(|_| turn(self, !self.peer_runs_once).map(drop))
    }

    /// Tercet alone.
    pub fn alone(&mut self, runs: u32, mut run: impl FnMut() -> Result<Run>) -> Result<()> {
        self.ours = (0..runs).map(|_| run()).collect::<Result<_>>()?;
        Ok(())
    }

    fn seconds(&self, runs: &[Run]) -> Option<f64> {
        let seconds: fn(&Run) -> f64 = match self.quantity {
            Quantity::Cpu => |run| run.cpu_s,
            Quantity::Wall => |run| run.wall_s,
            Quantity::Memory => return None,
        };
        median(runs.iter().map(seconds).collect())
    }

    /// The peer's seconds over tercet's.
    pub fn ratio(&self) -> Option<f64> {
        Some(self.seconds(&self.theirs)? / self.seconds(&self.ours)?)
    }

    /// Items per CPU second.
    fn rate(&self, unit: &str) -> Option<f64> {
        let (_, count) = self.items.iter().find(|(known, _)| *known == unit)?;
        median(self.ours.iter().map(|run| count / run.cpu_s).collect())
    }

    /// Whether the results are equal and the bars are met.
    pub fn passes(&self) -> bool {
        let meets = |bar: &Bar| match *bar {
            Bar::Ratio(least) => self.ratio().is_none_or(|ratio| ratio >= least),
            Bar::MemoryRatio(times) => match (peak(&self.theirs), peak(&self.ours)) {
                (Some(theirs), Some(ours)) => ours * times < theirs,
                _ => false,
            },
            Bar::Seconds(most) => self.seconds(&self.ours).is_some_and(|seconds| seconds <= most),
            Bar::PerSecond(least, unit) => self.rate(unit).is_some_and(|rate| rate >= least),
            Bar::Mib(most) => peak(&self.ours).is_some_and(|peak| peak <= most),
        };
        self.not_measured.is_some() || (self.difference.is_none() && self.bars.iter().all(meets))
    }

    /// The cells of the row, and whether it passes.
    pub fn cells(&self) -> Vec<String> {
        let about = if self.is_extrapolated { "≈ " } else { "" };
        let seconds = |runs: &[Run]| self.seconds(runs).map(|seconds| format!("{about}{seconds:.4}"));
        let mib = |runs: &[Run]| peak(runs).map(|mib| format!("{mib:.1}"));
        let rates = self.items.iter().filter_map(|(unit, _)| Some(format!("{:.0} {unit}", self.rate(unit)?)));
        let clock = match self.quantity {
            Quantity::Cpu => "CPU",
            Quantity::Wall => "wall",
            Quantity::Memory => "",
        };
        let pass = match (&self.not_measured, &self.difference) {
            (Some(reason), _) => format!("not measured: {reason}"),
            (_, Some(difference)) => format!("**results differ**: {difference}"),
            _ if !self.passes() => "**no**".to_owned(),
            _ if self.theirs.is_empty() && matches!(self.bars[..], [Bar::Ratio(_)]) => "no peer".to_owned(),
            _ => "yes".to_owned(),
        };
        let bars: Vec<String> = self.bars.iter().map(Bar::to_string).collect();
        vec![
            self.work.clone(),
            self.peer.to_owned(),
            clock.to_owned(),
            seconds(&self.theirs).unwrap_or_default(),
            seconds(&self.ours).unwrap_or_default(),
            self.ratio().map(|ratio| format!("{about}{ratio:.2}×")).unwrap_or_default(),
            rates.collect::<Vec<_>>().join(", "),
            mib(&self.theirs).unwrap_or_default(),
            mib(&self.ours).unwrap_or_default(),
            bars.join(", "),
            pass,
        ]
    }
}

impl std::fmt::Display for Bar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Bar::Ratio(least) => write!(f, "≥ {}×", (least * 1e3).round() / 1e3),
            Bar::MemoryRatio(times) => write!(f, "memory > {times}×"),
            Bar::Seconds(most) => write!(f, "≤ {most} s"),
            Bar::PerSecond(least, unit) => write!(f, "≥ {least} {unit}/s"),
            Bar::Mib(most) => write!(f, "≤ {most:.1} MiB"),
        }
    }
}

fn peak(runs: &[Run]) -> Option<f64> {
    runs.iter().filter_map(|run| run.peak_mib).reduce(f64::max)
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    let upper = *values.get(middle)?;
    Some(if values.len().is_multiple_of(2) { (values[middle - 1] + upper) / 2.0 } else { upper })
}

/// Whether numbers differ by at most so much.
pub fn within(tolerance: f64) -> impl Fn(f64, f64) -> bool {
    move |a, b| (a - b).abs() <= tolerance
}

/// The same, relative to numbers above 1.
pub fn relatively_within(tolerance: f64) -> impl Fn(f64, f64) -> bool {
    move |a, b| (a - b).abs() <= tolerance * a.abs().max(1.0)
}

/// How two lists of numbers, or of lists of numbers, differ, if they do. Empty lists are no results.
pub fn difference(theirs: &Value, ours: &Value, is_close: impl Fn(f64, f64) -> bool) -> Option<String> {
    fn same(theirs: &Value, ours: &Value, is_close: &dyn Fn(f64, f64) -> bool) -> bool {
        match (theirs, ours) {
            (Value::Array(a), Value::Array(b)) => {
                !a.is_empty() && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, is_close))
            }
            (a, b) => a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| is_close(a, b)),
        }
    }
    (!same(theirs, ours, &is_close)).then(|| format!("{theirs} for the peer, {ours} for tercet"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(bar: Bar, theirs: &[f64], ours: &[f64]) -> Row {
        let runs = |seconds: &[f64]| {
            let run = |cpu_s: &f64| Run { cpu_s: *cpu_s, wall_s: 9.0, peak_mib: Some(10.0 * cpu_s) };
            seconds.iter().map(run).collect()
        };
        Row { items: vec![("words", 3000.0)], theirs: runs(theirs), ours: runs(ours), ..Row::new("x", "peer", [bar]) }
    }

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(vec![]), None);
    }

    #[test]
    fn each_bar_is_held_against_its_quantity() {
        let runs: (&[f64], &[f64]) = (&[40.0, 20.0, 30.0], &[2.0, 1.0, 3.0]);
        for (bar, passes) in [
            (Bar::Ratio(15.0), true),
            (Bar::Ratio(15.1), false),
            (Bar::Seconds(2.0), true),
            (Bar::Seconds(1.9), false),
            (Bar::PerSecond(1500.0, "words"), true),
            (Bar::PerSecond(1501.0, "words"), false),
            (Bar::PerSecond(1.0, "sentences"), false),
            (Bar::Mib(30.0), true),
            (Bar::Mib(29.9), false),
            (Bar::MemoryRatio(13.0), true),
            (Bar::MemoryRatio(14.0), false),
        ] {
            assert_eq!(row(bar, runs.0, runs.1).passes(), passes, "{bar}");
        }
    }

    #[test]
    fn without_a_peer_a_ratio_is_no_failure_and_different_results_always_are() {
        assert!(row(Bar::Ratio(50.0), &[], &[1.0]).passes());
        assert!(!Row { difference: Some("x".to_owned()), ..row(Bar::Ratio(1.0), &[9.0], &[1.0]) }.passes());
        assert!(Row { not_measured: Some("x".to_owned()), ..row(Bar::Ratio(1.0), &[], &[]) }.passes());
    }

    #[test]
    fn the_peer_may_run_once_and_only_the_first_outputs_are_compared() {
        let mut row = Row { peer_runs_once: true, ..Row::new("x", "peer", []) };
        let run = || Ok((Run::default(), 1));
        row.in_turns(3, run, run, |row, theirs, ours| {
            row.notes.push(format!("{theirs} {ours}"));
            Ok(())
        })
        .unwrap();
        assert_eq!((row.theirs.len(), row.ours.len(), row.notes), (1, 3, vec!["1 1".to_owned()]));
    }

    #[test]
    fn numbers_are_compared_to_a_tolerance() {
        let differ = |a: Value, b: Value| difference(&a, &b, relatively_within(1e-4)).is_some();
        assert!(!differ(json!([0.5, 20.0]), json!([0.50009, 20.0019])));
        assert!(!differ(json!([[0.5], [1.0]]), json!([[0.5], [1.0]])));
        assert!(differ(json!([0.5]), json!([0.5002])) && differ(json!([0.5]), json!([0.5, 0.5])));
        assert!(differ(json!([]), json!([])) && differ(json!(null), json!([0.5])));
        assert!(difference(&json!([20.0]), &json!([20.0019]), within(1e-4)).is_some());
    }
}
