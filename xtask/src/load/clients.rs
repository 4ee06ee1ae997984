//! Many clients that ask at once, and what they get.

use crate::random::Random;
use crate::server::{Client, Server};
use anyhow::{Context, Result};
use std::borrow::Cow;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The most that memory may grow from a fifth of the time to the end, as a factor.
const MAX_GROWTH: f64 = 1.1;

/// A body, and the answer that it must get if that is known.
pub type Request<'a> = (Cow<'a, str>, Option<&'a [u8]>);

/// What all clients got.
#[derive(Default)]
pub struct Answers {
    /// Times of right answers, sorted.
    times: Vec<Duration>,
    /// How often a client was told to come again later.
    pub refused: usize,
    pub errors: Vec<String>,
    /// The server's memory in MiB, every second.
    memory: Vec<f64>,
    seconds: f64,
}

/// Sends requests by this many clients until the time is over; one that is told to wait does so.
pub fn ask<'a>(
    server: &Server,
    clients: usize,
    seconds: u64,
    request: impl Fn(&mut Random) -> Request<'a> + Sync,
) -> Result<Answers> {
    let (start, length) = (Instant::now(), Duration::from_secs(seconds));
    let all = Mutex::new(Answers::default());
    let mut memory = Vec::new();
    std::thread::scope(|scope| -> Result<()> {
        for number in 0..clients {
            let (all, request) = (&all, &request);
            scope.spawn(move || {
                let own = ask_alone(server, number, start + length, request);
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
    let mut all = all.into_inner()?;
    all.times.sort();
    Ok(Answers { memory, seconds: start.elapsed().as_secs_f64(), ..all })
}

fn ask_alone<'a>(
    server: &Server,
    number: usize,
    end: Instant,
    request: impl Fn(&mut Random) -> Request<'a>,
) -> Answers {
    let mut client = Client::new(server.address);
    let mut answers = Answers::default();
    let mut random = Random::new(number as u64, 2);
    while Instant::now() < end {
        let (body, expected) = request(&mut random);
        let start = Instant::now();
        match client.post("/v1/score", &body) {
            Ok(answer) => match (answer.status, answer.retry_after) {
                (200, _) if expected.is_some_and(|expected| answer.body != expected) => {
                    answers.errors.push("another answer".to_owned());
                }
                (200, _) => answers.times.push(start.elapsed()),
                (429, Some(seconds)) => {
                    answers.refused += 1;
                    let left = end.saturating_duration_since(Instant::now());
                    std::thread::sleep(Duration::from_secs(seconds).min(left));
                }
                (status, _) => answers.errors.push(format!("status {status}")),
            },
            Err(error) => answers.errors.push(format!("{error:#}")),
        }
    }
    answers
}

impl Answers {
    /// Right answers per second.
    pub fn rate(&self) -> f64 {
        self.times.len() as f64 / self.seconds
    }

    /// The time that this share of answers does not exceed, in milliseconds.
    pub fn quantile(&self, share: f64) -> f64 {
        let place = (share * self.times.len() as f64).ceil() as usize;
        let time = self.times.get(place.saturating_sub(1)).copied().unwrap_or_default();
        time.as_secs_f64() * 1000.0
    }

    /// Prints the figures, ends the server and returns what is wrong.
    pub fn report(&self, title: &str, server: Server) -> Result<Vec<String>> {
        let [median, last, longest] = [0.5, 0.99, 1.0].map(|share| self.quantile(share));
        let early = *self.memory.get(self.memory.len() / 5).context("no time to measure memory")?;
        let late = self.memory[self.memory.len() - 1];
        let most = self.memory.iter().copied().fold(0.0, f64::max);
        let (first, count) = (self.memory[0], self.times.len());
        println!("{title}, {:.0} s", self.seconds);
        println!("  answers   {count} ({:.1} per second), errors {}", self.rate(), self.errors.len());
        println!("  refused   {} with 429 and Retry-After", self.refused);
        println!("  time      median {median:.1} ms, 99% {last:.1} ms, longest {longest:.1} ms");
        println!("  memory    {first:.0} MiB at first, {early:.0} after a fifth, {late:.0} at last, {most:.0} at most");
        let mut missed = server.end()?;
        if let Some(first) = self.errors.first() {
            missed.push(format!("{title}: {} errors, the first: {first}", self.errors.len()));
        }
        if late > MAX_GROWTH * early {
            missed.push(format!("{title}: memory grew from {early:.0} to {late:.0} MiB"));
        }
        Ok(missed)
    }
}
