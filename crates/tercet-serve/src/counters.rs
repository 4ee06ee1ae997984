//! Figures about the server, in the text format of Prometheus.

use crate::jobs::Jobs;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Upper ends of the intervals of the histogram, in seconds.
const ENDS: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0];

/// What is counted.
#[derive(Default)]
pub struct Counters {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    seconds: Mutex<BTreeMap<String, Histogram>>,
    /// Requests that were refused with status 429.
    pub rejected: AtomicU64,
    /// Requests whose client went away before the answer.
    pub cancelled: AtomicU64,
    /// Jobs that panicked.
    pub panics: AtomicU64,
    /// Bytes of the bodies of requests.
    pub received: AtomicU64,
    /// Bytes of the bodies of answers.
    pub sent: AtomicU64,
}

#[derive(Default)]
struct Histogram {
    counts: [u64; ENDS.len()],
    count: u64,
    sum: f64,
}

/// Adds to a counter.
pub fn add(counter: &AtomicU64, amount: usize) {
    counter.fetch_add(amount as u64, Ordering::Relaxed);
}

impl Counters {
    /// Counts an answer.
    pub fn answered(&self, route: &str, status: u16, time: Duration) {
        *lock(&self.requests).entry((route.to_owned(), status)).or_default() += 1;
        let seconds = time.as_secs_f64();
        let mut all = lock(&self.seconds);
        let histogram = all.entry(route.to_owned()).or_default();
        histogram.count += 1;
        histogram.sum += seconds;
        for (count, _) in histogram.counts.iter_mut().zip(ENDS).filter(|(_, end)| seconds <= *end) {
            *count += 1;
        }
    }

    /// All figures.
    pub fn text(&self, jobs: &Jobs, held_bytes: usize, started: Instant, lost_lines: u64) -> String {
        let mut text = String::new();
        head(&mut text, "tercet_requests_total", "counter", "Answers by route and status.");
        for ((route, status), count) in &*lock(&self.requests) {
            line(&mut text, format_args!("tercet_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}"));
        }
        self.histograms(&mut text);
        let (running, queued) = jobs.counts();
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed) as f64;
        for (name, kind, help, value) in [
            ("tercet_jobs_running", "gauge", "Requests that are computed now.", running as f64),
            ("tercet_jobs_queued", "gauge", "Requests that wait for their turn.", queued as f64),
            ("tercet_held_bytes", "gauge", "Memory reserved for requests, of --max-held.", held_bytes as f64),
            ("tercet_rejected_total", "counter", "Requests refused with status 429.", load(&self.rejected)),
            ("tercet_cancelled_total", "counter", "Requests whose client went away.", load(&self.cancelled)),
            ("tercet_panics_total", "counter", "Requests that ended with a mistake of the server.", load(&self.panics)),
            ("tercet_request_bytes_total", "counter", "Bytes of bodies received.", load(&self.received)),
            ("tercet_response_bytes_total", "counter", "Bytes of bodies sent.", load(&self.sent)),
            ("tercet_access_log_lost_total", "counter", "Lines lost to the access log.", lost_lines as f64),
            ("tercet_uptime_seconds", "gauge", "Seconds since the start.", started.elapsed().as_secs_f64()),
        ] {
            head(&mut text, name, kind, help);
            line(&mut text, format_args!("{name} {value}"));
        }
        if let Some(bytes) = resident_bytes() {
            head(&mut text, "process_resident_memory_bytes", "gauge", "Memory of the process.");
            line(&mut text, format_args!("process_resident_memory_bytes {bytes}"));
        }
        text
    }

    fn histograms(&self, text: &mut String) {
        let name = "tercet_request_seconds";
        head(text, name, "histogram", "Time from the head of a request to the head of its answer.");
        for (route, histogram) in &*lock(&self.seconds) {
            for (end, count) in ENDS.iter().zip(histogram.counts) {
                line(text, format_args!("{name}_bucket{{route=\"{route}\",le=\"{end}\"}} {count}"));
            }
            let Histogram { count, sum, .. } = histogram;
            line(text, format_args!("{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}"));
            line(text, format_args!("{name}_sum{{route=\"{route}\"}} {sum}"));
            line(text, format_args!("{name}_count{{route=\"{route}\"}} {count}"));
        }
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    line(text, format_args!("# HELP {name} {help}\n# TYPE {name} {kind}"));
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("writing to a string cannot fail");
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory of the process, where the system tells it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_counts_everything_below_its_ends() {
        let counters = Counters::default();
        counters.answered("/v1/score", 200, Duration::from_millis(3));
        counters.answered("/v1/score", 429, Duration::from_secs(100));
        let text = counters.text(&Jobs::start(1, 1, 1).unwrap(), 0, Instant::now(), 0);
        for line in [
            "tercet_requests_total{route=\"/v1/score\",status=\"429\"} 1",
            "tercet_request_seconds_bucket{route=\"/v1/score\",le=\"0.0025\"} 0",
            "tercet_request_seconds_bucket{route=\"/v1/score\",le=\"0.005\"} 1",
            "tercet_request_seconds_bucket{route=\"/v1/score\",le=\"60\"} 1",
            "tercet_request_seconds_bucket{route=\"/v1/score\",le=\"+Inf\"} 2",
            "tercet_jobs_queued 0",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
