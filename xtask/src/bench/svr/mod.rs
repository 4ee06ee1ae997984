//! `cargo xtask bench svr`: support vector regression compared with scikit-learn, and the whole grid of RUSE.
//!
//! Only the fit is timed, without starting a process and reading. Both sides are small programs that read the same
//! file: `crates/tercet-learn/examples/svr.rs` and `scikit_learn.py` here.

use super::measure::{output, timed};
use super::pairwise::same_values;
use super::peers::SCIKIT_LEARN;
use super::row::{Bar, Quantity, Row};
use super::session::{self, About, RunsArgs, release_example, timed_in_turns};
use anyhow::Result;
use std::process::Command;

const ABOUT: About = About {
    file: "svr",
    title: "Support vector regression",
    text: "Seconds of the fit alone, one thread on both sides, in turns; medians. Random numbers; both sides read the \
           same file. Ten predictions were compared, to 1e-4.",
};

const ROWS: &str = "4800";
const COLUMNS: &str = "6144";

const FIT: &str = "fit of 4,800 rows of 6,144 features, RBF kernel";
const GRID: &str = "grid of 64 settings in 10 folds on the same rows, two threads";

pub fn run(args: &RunsArgs) -> Result<()> {
    let program = release_example("tercet-learn", "svr")?;
    session::run(args, &ABOUT, |session| {
        let python = session.python_with(&SCIKIT_LEARN, &[])?;
        let file = session.scratch.join("rows.safetensors");
        output(Command::new(&program).arg("make").arg(&file).args([ROWS, COLUMNS]))?;
        session.row(Row::new(FIT, "scikit-learn", [Bar::Ratio(10.0)]), |row, session| {
            let script = session.write("peer.py", include_str!("scikit_learn.py"))?;
            let [mut theirs, mut ours] = [&python, &program].map(Command::new);
            theirs.arg(script).arg("fit").arg(&file);
            ours.arg("fit").arg(&file);
            timed_in_turns(row, session.runs(), 1.0, &mut theirs, &mut ours, same_values)
        })?;
        let row =
            Row { quantity: Quantity::Wall, items: vec![("fits", 640.0)], ..Row::new(GRID, "", [Bar::Seconds(300.0)]) };
        session.row(row, |row, _| row.alone(1, || Ok(timed(Command::new(&program).arg("grid").arg(&file), 2)?.0)))
    })
}
