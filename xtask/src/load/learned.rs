//! More clients than the learned metric can serve.

use super::clients::ask;
use super::texts::{line, request};
use crate::random::Random;
use crate::server::Server;
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

const CLIENTS: usize = 64;
const QUEUE: &str = "16";

/// Segments of a request; each has a reference and two translations.
const SEGMENTS: usize = 20;
const LINES: usize = 3 * SEGMENTS;

/// Segments that the command scores, to measure its rate.
const MEASURED: usize = 2000;

/// The share of the command's rate that the server must reach: JSON, connections and refusals take the rest.
const MIN_RATE: f64 = 0.8;

pub fn run(tercet: &Path, seconds: u64) -> Result<Vec<String>> {
    let alone = rate_of_command(tercet)?;
    let server = Server::start(tercet, &["--queue", QUEUE])?;
    let answers =
        ask(&server, CLIENTS, seconds, |random| (request(random, SEGMENTS, &["siamese"]).to_string().into(), None))?;
    let mut missed = answers.report(&format!("learned: {CLIENTS} clients, queue of {QUEUE}"), server)?;
    let rate = answers.rate() * LINES as f64;
    println!("  lines     {rate:.0} per second; the command alone: {alone:.0}");
    if answers.refused == 0 {
        missed.push("learned: nobody was refused".to_owned());
    }
    if rate < MIN_RATE * alone {
        missed.push(format!("learned: {rate:.0} lines per second, the command has {alone:.0}"));
    }
    Ok(missed)
}

/// Lines per second of the command, without its start: a long text against a short one.
fn rate_of_command(tercet: &Path) -> Result<f64> {
    let folder = crate::step::root().join("target/load");
    std::fs::create_dir_all(&folder)?;
    let mut random = Random::new(7, 7);
    let mut seconds = [0.0; 2];
    for (seconds, segments) in seconds.iter_mut().zip([SEGMENTS, MEASURED]) {
        for name in ["ref", "a", "b"] {
            let lines: String = (0..segments).map(|_| line(&mut random) + "\n").collect();
            std::fs::write(folder.join(name), lines)?;
        }
        let start = Instant::now();
        let arguments = "score -q --no-checks -m siamese -r ref a b".split(' ');
        let output = Command::new(tercet).current_dir(&folder).args(arguments).output()?;
        ensure!(output.status.success(), "tercet score failed");
        *seconds = start.elapsed().as_secs_f64();
    }
    Ok((3 * (MEASURED - SEGMENTS)) as f64 / (seconds[1] - seconds[0]))
}
