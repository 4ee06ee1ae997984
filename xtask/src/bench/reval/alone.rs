//! Rows that have an absolute bar and no peer.

use crate::bench::record::median;
use serde_json::{Value, json};

/// The bar of a row.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// The maximum wall seconds.
    WallSeconds(f64),
    /// The minimum number of items per CPU second.
    PerSecond(f64),
}

/// A row with its runs.
pub struct Alone {
    pub name: String,
    /// Pairs or segments.
    pub items: usize,
    pub limit: Limit,
    /// CPU and wall seconds of each run.
    pub runs: Vec<[f64; 2]>,
}

pub const HEAD: &str = "\
| work | CPU s | wall s | per CPU second | bar | pass |
|---|---:|---:|---:|---:|---|";

impl Alone {
    fn medians(&self) -> [f64; 2] {
        [0, 1].map(|part| median(self.runs.iter().map(|run| run[part]).collect()))
    }

    fn rate(&self) -> f64 {
        self.items as f64 / self.medians()[0]
    }

    pub fn passes(&self) -> bool {
        match self.limit {
            Limit::WallSeconds(most) => self.medians()[1] <= most,
            Limit::PerSecond(least) => self.rate() >= least,
        }
    }

    fn bar(&self) -> String {
        match self.limit {
            Limit::WallSeconds(most) => format!("≤ {most} s wall"),
            Limit::PerSecond(least) => format!("≥ {least} per second"),
        }
    }

    pub fn line(&self) -> String {
        let ([cpu, wall], pass) = (self.medians(), if self.passes() { "yes" } else { "**no**" });
        format!("| {} | {cpu:.2} | {wall:.2} | {:.0} | {} | {pass} |", self.name, self.rate(), self.bar())
    }

    pub fn to_json(&self) -> Value {
        let runs: Vec<Value> =
            self.runs.iter().map(|[cpu, wall]| json!({"cpu_s": cpu, "wall_s": wall})).collect();
        json!({
            "work": self.name,
            "items": self.items,
            "runs": runs,
            "per_cpu_second": self.rate(),
            "bar": self.bar(),
            "pass": self.passes(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_of_wall_seconds_or_of_items_per_cpu_second() {
        let row = |limit: Limit| Alone {
            name: String::new(),
            items: 3000,
            limit,
            runs: vec![[2.0, 9.0], [1.0, 8.0], [3.0, 7.0]],
        };
        assert!(row(Limit::WallSeconds(8.0)).passes());
        assert!(!row(Limit::WallSeconds(7.9)).passes());
        assert!(row(Limit::PerSecond(1500.0)).passes());
        assert!(!row(Limit::PerSecond(1501.0)).passes());
        assert_eq!(
            row(Limit::PerSecond(1500.0)).line(),
            "|  | 2.00 | 8.00 | 1500 | ≥ 1500 per second | yes |"
        );
    }
}
