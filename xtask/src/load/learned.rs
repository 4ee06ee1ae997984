//! More clients than the learned metric can serve.

use super::texts::{line, request};
use super::times::Times;
use crate::random::Random;
use crate::server::{Client, Server};
use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const CLIENTS: usize = 64;
const QUEUE: &str = "16";

/// Segments of a request; each has a reference and two translations.
const SEGMENTS: usize = 20;
const LINES: usize = 3 * SEGMENTS;

/// Segments that the command scores, to measure its rate.
const MEASURED: usize = 2000;

/// The share of the command's rate that the server must reach: JSON, connections and refusals take the rest.
const LEAST_RATE: f64 = 0.8;

#[derive(Default)]
struct Outcome {
    times: Vec<Duration>,
    refused: usize,
    errors: Vec<String>,
}

pub fn run(tercet: &Path, seconds: u64) -> Result<Vec<String>> {
    let alone = rate_of_command(tercet)?;
    let server = Server::start(tercet, &["--queue", QUEUE])?;
    let all = Mutex::new(Outcome::default());
    let (start, length) = (Instant::now(), Duration::from_secs(seconds));
    let mut memory = Vec::new();
    std::thread::scope(|scope| -> Result<()> {
        for client in 0..CLIENTS {
            let (server, all) = (&server, &all);
            scope.spawn(move || {
                let own = ask(server, client, start + length);
                let mut all = all.lock().expect("no panic");
                all.times.extend(own.times);
                all.refused += own.refused;
                all.errors.extend(own.errors);
            });
        }
        while start.elapsed() < length {
            std::thread::sleep(Duration::from_secs(1));
            memory.push(server.memory()?);
        }
        Ok(())
    })?;
    let all = all.into_inner()?;
    let times = Times::new(all.times);
    let rate = (times.len() * LINES) as f64 / start.elapsed().as_secs_f64();
    let (early, late) = (memory[memory.len() / 5], memory[memory.len() - 1]);
    println!("learned: {CLIENTS} clients, queue of {QUEUE}, {seconds} s");
    println!("  answers   {} ({rate:.0} lines per second; the command alone: {alone:.0})", times.len());
    println!(
        "  time      median {:.1} s, 99% {:.1} s, longest {:.1} s",
        times.quantile(0.5) / 1e3,
        times.quantile(0.99) / 1e3,
        times.quantile(1.0) / 1e3
    );
    println!("  refused   {} with 429 and Retry-After, errors {}", all.refused, all.errors.len());
    println!("  memory    {early:.0} MiB after a fifth, {late:.0} at the end");
    let mut missed = server.end()?;
    if let Some(first) = all.errors.first() {
        missed.push(format!("learned: {} errors, the first: {first}", all.errors.len()));
    }
    if all.refused == 0 {
        missed.push("learned: nobody was refused".to_owned());
    }
    if rate < LEAST_RATE * alone {
        missed.push(format!("learned: {rate:.0} lines per second, the command has {alone:.0}"));
    }
    if late > 1.1 * early {
        missed.push(format!("learned: memory grew from {early:.0} to {late:.0} MiB"));
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
            let lines: String = (0..segments)
                .map(|_| {
                    let words = 8 + random.below(20);
                    line(&mut random, words) + "\n"
                })
                .collect();
            std::fs::write(folder.join(name), lines)?;
        }
        let start = Instant::now();
        let mut command = Command::new(tercet);
        command.current_dir(&folder).args([
            "score",
            "-q",
            "--no-checks",
            "-m",
            "siamese",
            "-r",
            "ref",
            "a",
            "b",
        ]);
        ensure!(command.output()?.status.success(), "tercet score failed");
        *seconds = start.elapsed().as_secs_f64();
    }
    Ok((3 * (MEASURED - SEGMENTS)) as f64 / (seconds[1] - seconds[0]))
}

/// Asks until the time is over, and waits when it is told to.
fn ask(server: &Server, number: usize, end: Instant) -> Outcome {
    let mut client = Client::new(server.address);
    let mut outcome = Outcome::default();
    let mut random = Random::new(number as u64, 3);
    while Instant::now() < end {
        let body = request(&mut random, SEGMENTS, &["siamese"]).to_string();
        let start = Instant::now();
        match client.post("/v1/score", &body) {
            Ok(answer) if answer.status == 200 => outcome.times.push(start.elapsed()),
            Ok(answer) => match (answer.status, answer.retry_after) {
                (429, Some(seconds)) => {
                    outcome.refused += 1;
                    let left = end.saturating_duration_since(Instant::now());
                    std::thread::sleep(Duration::from_secs(seconds).min(left));
                }
                (status, _) => outcome.errors.push(format!("status {status}")),
            },
            Err(error) => outcome.errors.push(format!("{error:#}")),
        }
    }
    outcome
}
