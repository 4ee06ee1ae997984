//! One statistic of meta-evaluation on the matrix of a file, timed: what `cargo xtask bench meta` compares with
//! mt-metrics-eval.
//!
//! ```text
//! meta WORK FILE DRAWS SEED      WORK = calibrate | scores | pairs | all-scores | all-pairs
//! ```
//!
//! FILE is JSON: `systems`, `gold` (system by system, null where missing), `metrics` (a list of such lists).
//! `calibrate` finds each metric's threshold, `scores` and `pairs` compare the first two metrics, `all-…` every two, on
//! the threads of RAYON_NUM_THREADS. With SEED the coin tosses are those of numpy's legacy generator, with `-` our own.
//! Prints JSON: the seconds of the statistic alone, averaged over as many runs as fit in half a second, and the values.

#![allow(clippy::print_stdout)]

use serde_json::{Value, json};
use std::error::Error;
use std::time::{Duration, Instant};
use tercet::progress::Progress;
use tercet::statistics::significance::permutation::{
    Coins, Difference, Draws, Gold, PermutationTest, compare_all, perm_both_calibrated, perm_both_pairs,
};
use tercet::statistics::{Grouping, TieVariant, calibrate_ties};

const VARIANT: TieVariant = TieVariant::Acc23;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [work, file, draws, seed] = arguments.as_slice() else {
        return Err("expected WORK FILE DRAWS SEED".into());
    };
    let problem = Problem::read(file)?;
    let coins = if seed == "-" { Coins::default() } else { Coins::Legacy(seed.parse()?) };
    let draws = Draws { count: draws.parse()?, coins, early_stop: None };
    let statistic: Box<dyn Fn() -> Value> = match work.as_str() {
        "calibrate" => Box::new(|| problem.calibrations()),
        "scores" => Box::new(|| {
            let [first, second, ..] = problem.rows()[..] else { return Value::Null };
            perm_both_calibrated(problem.gold(), first, second, VARIANT, draws, Progress::none())
                .map_or(Value::Null, |found| shown(&found))
        }),
        "pairs" => Box::new(|| {
            let [first, second, ..] = problem.rows()[..] else { return Value::Null };
            perm_both_pairs(problem.gold(), [first, second], VARIANT, [None, None], draws, Progress::none())
                .map_or(Value::Null, |found| shown(&found))
        }),
        "all-scores" => Box::new(|| problem.matrix(PermutationTest::Calibrated(VARIANT), draws)),
        "all-pairs" => Box::new(|| problem.matrix(PermutationTest::Pairs(VARIANT), draws)),
        _ => return Err(format!("no work is called {work}").into()),
    };
    println!("{}", timed(statistic)?);
    Ok(())
}

/// Runs the statistic for at least half a second.
fn timed(statistic: Box<dyn Fn() -> Value + '_>) -> Result<Value, Box<dyn Error>> {
    let (start, cpu) = (Instant::now(), cpu_seconds()?);
    let mut runs = 0;
    loop {
        let values = statistic();
        runs += 1;
        if start.elapsed() > Duration::from_millis(500) {
            let each = |seconds: f64| seconds / f64::from(runs);
            let cpu = each(cpu_seconds()? - cpu);
            let wall = each(start.elapsed().as_secs_f64());
            return Ok(json!({"cpu_s": cpu, "wall_s": wall, "runs": runs, "values": values}));
        }
    }
}

/// CPU seconds of this process, all threads.
#[cfg(unix)]
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    use nix::sys::resource::{UsageWho, getrusage};
    let used = getrusage(UsageWho::RUSAGE_SELF)?;
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
    Ok(seconds(used.user_time()) + seconds(used.system_time()))
}

#[cfg(not(unix))]
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    Err("CPU time is measured on Unix only".into())
}

struct Problem {
    systems: usize,
    gold: Vec<Option<f64>>,
    metrics: Vec<Vec<f64>>,
}

impl Problem {
    fn read(file: &str) -> Result<Self, Box<dyn Error>> {
        let value: Value = serde_json::from_slice(&std::fs::read(file)?)?;
        Ok(Problem {
            systems: serde_json::from_value(value["systems"].clone())?,
            gold: serde_json::from_value(value["gold"].clone())?,
            metrics: serde_json::from_value(value["metrics"].clone())?,
        })
    }

    fn gold(&self) -> Gold<'_> {
        Gold { grouping: Grouping::Item, systems: self.systems, scores: &self.gold }
    }

    fn rows(&self) -> Vec<&[f64]> {
        self.metrics.iter().map(Vec::as_slice).collect()
    }

    fn calibrations(&self) -> Value {
        let calibrate = |metric: &Vec<f64>| {
            let found = calibrate_ties(Grouping::Item, self.systems, &self.gold, metric, VARIANT);
            found.map(|found| json!([found.value, found.threshold]))
        };
        self.metrics.iter().map(calibrate).collect()
    }

    fn matrix(&self, test: PermutationTest, draws: Draws) -> Value {
        json!(compare_all(self.gold(), &self.rows(), test, draws, Progress::none()).expect("never stopped"))
    }
}

fn shown(difference: &Difference) -> Value {
    json!([difference.p_value, difference.delta])
}
