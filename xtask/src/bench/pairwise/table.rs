//! The table of `bench pairwise` and its raw numbers.

use super::memory::{self, Memory};
use crate::bench::record::{self, median};
use anyhow::{Context, Result};
use serde_json::{Value, json};

/// The bar of a row, on one thread.
#[derive(Clone, Copy, Debug)]
pub enum Bar {
    /// The minimum ratio of CPU seconds to the peer's.
    Ratio(f64),
    /// The maximum CPU seconds.
    CpuSeconds(f64),
}

impl Bar {
    fn shown(self) -> String {
        match self {
            Bar::Ratio(ratio) => format!("≥ {ratio}×"),
            Bar::CpuSeconds(seconds) => format!("≤ {seconds} s"),
        }
    }
}

/// Seconds of one run.
#[derive(Clone, Copy, Debug)]
pub struct Seconds {
    cpu: f64,
    wall: f64,
}

impl Seconds {
    /// The seconds that a program printed, times a factor.
    pub fn said(said: &Value, times: f64) -> Result<Self> {
        let seconds = |key: &str| said[key].as_f64().with_context(|| format!("no {key} in {said}"));
        Ok(Seconds { cpu: seconds("cpu_s")? * times, wall: seconds("wall_s")? * times })
    }
}

/// A row with its runs.
pub struct Measured {
    pub name: &'static str,
    pub bar: Bar,
    /// Whether fewer pairs were timed and the seconds extrapolated.
    pub scaled: bool,
    /// The peer's description of its method.
    pub way: String,
    pub theirs: Vec<Seconds>,
    pub ours: Vec<Seconds>,
    /// How the values differ, if they do.
    pub disagreement: Option<String>,
}

fn medians(runs: &[Seconds]) -> Seconds {
    let of = |part: fn(&Seconds) -> f64| median(runs.iter().map(part).collect());
    Seconds { cpu: of(|run| run.cpu), wall: of(|run| run.wall) }
}

impl Measured {
    fn ratio(&self) -> f64 {
        medians(&self.theirs).cpu / medians(&self.ours).cpu
    }

    /// Whether the values are equal and the bar is met.
    pub fn passes(&self) -> bool {
        self.disagreement.is_none()
            && match self.bar {
                Bar::Ratio(bar) => self.ratio() >= bar,
                Bar::CpuSeconds(bar) => medians(&self.ours).cpu <= bar,
            }
    }

    pub fn line(&self) -> String {
        let about = if self.scaled { "≈ " } else { "" };
        let (theirs, ours) = (medians(&self.theirs), medians(&self.ours));
        let agreement =
            self.disagreement.as_deref().map_or("yes".to_owned(), |text| format!("**no**: {text}"));
        format!(
            "| {} | {about}{:.3} | {about}{:.3} | {about}{:.4} | {about}{:.4} | {:.1}× | {} | {agreement} | {} |",
            self.name,
            theirs.cpu,
            theirs.wall,
            ours.cpu,
            ours.wall,
            self.ratio(),
            self.bar.shown(),
            if self.passes() { "yes" } else { "**no**" },
        )
    }

    pub fn to_json(&self) -> Value {
        let runs = |runs: &[Seconds]| -> Vec<Value> {
            runs.iter().map(|run| json!({"cpu_s": run.cpu, "wall_s": run.wall})).collect()
        };
        json!({
            "work": self.name,
            "seconds_are_scaled": self.scaled,
            "their_way": self.way,
            "their_runs": runs(&self.theirs),
            "our_runs": runs(&self.ours),
            "ratio": self.ratio(),
            "bar": self.bar.shown(),
            "pass": self.passes(),
            "disagreement": self.disagreement,
        })
    }
}

pub const HEAD: &str = "\
| work | PyTorch CPU s | wall s | tercet CPU s | wall s | ratio of CPU | bar | same values | pass |
|---|---:|---:|---:|---:|---:|---:|---|---|";

/// The tolerance: absolute below 1, relative above.
const TOLERANCE: f64 = 1e-4;

/// How two lists of numbers differ, if they do.
pub fn disagreement(theirs: &Value, ours: &Value) -> Option<String> {
    let numbers =
        |value: &Value| -> Option<Vec<f64>> { value.as_array()?.iter().map(Value::as_f64).collect() };
    let close = |(theirs, ours): (&f64, &f64)| (theirs - ours).abs() <= TOLERANCE * theirs.abs().max(1.0);
    let same = match (numbers(theirs), numbers(ours)) {
        (Some(theirs), Some(ours)) => {
            !theirs.is_empty() && theirs.len() == ours.len() && theirs.iter().zip(&ours).all(close)
        }
        _ => false,
    };
    (!same).then(|| format!("{theirs} for the other tool, {ours} for tercet"))
}

const ABOUT: &str = "\
Seconds of training or scoring alone, one thread on both sides, in turns; medians. Random numbers in the sizes of Guzmán et al. \
(2017). Both sides read the same file: the same pairs, first weights and order. Before anything was timed the loss of one epoch \
and logits after it were compared, to 1e-4. ≈: an epoch of fewer pairs, scaled. See `../../README.md`.";

/// Records a run.
pub fn write(machine: &Value, rows: &[Measured], memory: &[Memory]) -> Result<()> {
    let lines = |lines: Vec<String>| lines.join("\n");
    let mut page = record::head("Pairwise network", machine);
    page += &format!("\n{ABOUT}\n\n{HEAD}\n{}\n", lines(rows.iter().map(Measured::line).collect()));
    page += "\nThe fastest of PyTorch's methods that were tried:\n\n";
    rows.iter().for_each(|row| page += &format!("- {}: {}\n", row.name, row.way));
    page += "\n## Memory\n\nThe same words of a small file of vectors and of a large one, GloVe's text.\n\n";
    page += &format!("{}\n{}\n", memory::HEAD, lines(memory.iter().map(Memory::line).collect()));
    let json = json!({
        "machine": machine,
        "rows": rows.iter().map(Measured::to_json).collect::<Vec<_>>(),
        "memory": memory.iter().map(Memory::to_json).collect::<Vec<_>>(),
    });
    record::write("pairwise", &page, &(serde_json::to_string_pretty(&json)? + "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_compared_to_the_fourth_decimal() {
        assert_eq!(disagreement(&json!([0.5, 20.0]), &json!([0.50009, 20.0019])), None);
        assert!(disagreement(&json!([0.5]), &json!([0.5002])).is_some());
        assert!(disagreement(&json!([0.5]), &json!([0.5, 0.5])).is_some());
        assert!(disagreement(&json!([]), &json!([])).is_some());
        assert!(disagreement(&json!(null), &json!([0.5])).is_some());
    }

    #[test]
    fn a_ratio_is_of_cpu_seconds_and_another_answer_never_passes() {
        let seconds = |cpu: f64| vec![Seconds { cpu, wall: 1.0 }];
        let row = |bar: Bar, theirs: f64, ours: f64| Measured {
            name: "",
            bar,
            scaled: false,
            way: String::new(),
            theirs: seconds(theirs),
            ours: seconds(ours),
            disagreement: None,
        };
        assert!(row(Bar::Ratio(20.0), 20.0, 1.0).passes());
        assert!(!row(Bar::Ratio(20.0), 19.0, 1.0).passes());
        assert!(row(Bar::CpuSeconds(1.0), 0.1, 0.9).passes());
        assert!(!row(Bar::CpuSeconds(1.0), 9.0, 1.1).passes());
        let differs = Measured { disagreement: Some("x".to_owned()), ..row(Bar::Ratio(1.0), 9.0, 1.0) };
        assert!(!differs.passes());
    }
}
