//! Many clients that ask for lexical metrics, for minutes.

use super::texts::request;
use super::times::Times;
use crate::random::Random;
use crate::server::{Client, Server};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The most that the 99th percentile may be times the median.
const MOST_SPREAD: f64 = 10.0;

/// The most that memory may grow from a fifth of the time to the end, as a factor.
const MOST_GROWTH: f64 = 1.1;

/// Different requests; all clients send all of them.
const REQUESTS: u64 = 24;

pub fn run(tercet: &Path, clients: usize, seconds: u64) -> Result<Vec<String>> {
    let server = Server::start(tercet, &[])?;
    let metrics: [&[&str]; 4] = [&["bleu", "chrf"], &["ter"], &["chrf++", "wer"], &["bleu", "meteor"]];
    let bodies: Vec<String> = (0..REQUESTS)
        .map(|i| request(&mut Random::new(i, 1), 10 + i as usize % 6, metrics[i as usize % 4]).to_string())
        .collect();
    let expected = answers(&server, &bodies)?;
    let (errors, times) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let (start, length) = (Instant::now(), Duration::from_secs(seconds));
    let mut memory = Vec::new();
    std::thread::scope(|scope| -> Result<()> {
        for client in 0..clients {
            let (server, bodies, expected, errors, times) = (&server, &bodies, &expected, &errors, &times);
            scope.spawn(move || {
                let (wrong, own) = ask(server, client, bodies, expected, start + length);
                errors.lock().expect("no panic").extend(wrong);
                times.lock().expect("no panic").extend(own);
            });
        }
        while start.elapsed() < length {
            std::thread::sleep(Duration::from_secs(1));
            memory.push(server.memory()?);
        }
        Ok(())
    })?;
    let taken = start.elapsed().as_secs_f64();
    let times = Times::new(times.into_inner()?);
    let errors = errors.into_inner()?;
    report(server, clients, taken, &times, &errors, &memory)
}

/// What one client gets for each request.
fn answers(server: &Server, bodies: &[String]) -> Result<Vec<Vec<u8>>> {
    let mut client = Client::new(server.address);
    let one = |body: &String| {
        let answer = client.post("/v1/score", body)?;
        ensure!(answer.status == 200, "{}", String::from_utf8_lossy(&answer.body));
        Ok(answer.body)
    };
    bodies.iter().map(one).collect()
}

/// Asks until the time is over; returns errors, and the times of answers.
fn ask(
    server: &Server,
    number: usize,
    bodies: &[String],
    expected: &[Vec<u8>],
    end: Instant,
) -> (Vec<String>, Vec<Duration>) {
    let mut client = Client::new(server.address);
    let (mut errors, mut times) = (Vec::new(), Vec::new());
    let mut random = Random::new(number as u64, 2);
    while Instant::now() < end {
        let i = random.below(bodies.len());
        let start = Instant::now();
        match client.post("/v1/score", &bodies[i]) {
            Ok(answer) if answer.status != 200 => errors.push(format!("status {}", answer.status)),
            Ok(answer) if answer.body != expected[i] => errors.push("another answer".to_owned()),
            Ok(_) => times.push(start.elapsed()),
            Err(error) => errors.push(format!("{error:#}")),
        }
    }
    (errors, times)
}

fn report(
    server: Server,
    clients: usize,
    seconds: f64,
    times: &Times,
    errors: &[String],
    memory: &[f64],
) -> Result<Vec<String>> {
    let (median, last) = (times.quantile(0.5), times.quantile(0.99));
    let early = *memory.get(memory.len() / 5).context("no time to measure memory")?;
    let late = memory.last().copied().unwrap_or(early);
    let most = memory.iter().copied().fold(0.0, f64::max);
    println!("lexical: {clients} clients, {seconds:.0} s");
    println!(
        "  answers   {} ({:.0} per second), errors {}",
        times.len(),
        times.len() as f64 / seconds,
        errors.len()
    );
    println!(
        "  time      median {median:.1} ms, 99% {last:.1} ms ({:.1} times), longest {:.1} ms",
        last / median,
        times.quantile(1.0)
    );
    println!(
        "  memory    {:.0} MiB at the start, {early:.0} after a fifth, {late:.0} at the end, {most:.0} at most",
        memory[0]
    );
    let mut missed = server.end()?;
    if let Some(first) = errors.first() {
        missed.push(format!("lexical: {} errors, the first: {first}", errors.len()));
    }
    if last > MOST_SPREAD * median {
        missed.push(format!("lexical: the 99th percentile is {:.1} times the median", last / median));
    }
    if late > MOST_GROWTH * early {
        missed.push(format!("lexical: memory grew from {early:.0} to {late:.0} MiB"));
    }
    Ok(missed)
}
