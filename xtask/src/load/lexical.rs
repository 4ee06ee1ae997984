//! Many clients that ask for lexical metrics, for minutes.

use super::clients::ask;
use super::texts::request;
use crate::random::Random;
use crate::server::{Client, Server};
use anyhow::{Result, ensure};
use std::path::Path;

/// The most that the 99th percentile may be times the median.
const MAX_SPREAD: f64 = 10.0;

/// Different requests; all clients send all of them.
const REQUESTS: u64 = 24;

pub fn run(tercet: &Path, clients: usize, seconds: u64) -> Result<Vec<String>> {
    let server = Server::start(tercet, &[])?;
    let metrics: [&[&str]; 4] = [&["bleu", "chrf"], &["ter"], &["chrf++", "wer"], &["bleu", "meteor"]];
    let bodies: Vec<String> = (0..REQUESTS)
        .map(|i| request(&mut Random::new(i, 1), 10 + i as usize % 6, metrics[i as usize % 4]).to_string())
        .collect();
    // What one client gets for each request.
    let mut client = Client::new(server.address);
    let mut expected = Vec::new();
    for body in &bodies {
        let answer = client.post("/v1/score", body)?;
        ensure!(answer.status == 200, "{}", String::from_utf8_lossy(&answer.body));
        expected.push(answer.body);
    }
    let answers = ask(&server, clients, seconds, |random| {
        let i = random.below(bodies.len());
        (bodies[i].as_str().into(), Some(&expected[i]))
    })?;
    let mut missed = answers.report(&format!("lexical: {clients} clients"), server)?;
    let spread = answers.quantile(0.99) / answers.quantile(0.5);
    if spread > MAX_SPREAD {
        missed.push(format!("lexical: the 99th percentile is {spread:.1} times the median"));
    }
    if answers.refused > 0 {
        missed.push(format!("lexical: {} requests were refused", answers.refused));
    }
    Ok(missed)
}
