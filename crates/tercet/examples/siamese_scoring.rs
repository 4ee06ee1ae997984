//! Scores a file with the embedded model of `siamese` and prints the seconds as JSON: `siamese_scoring REF HYP SCORES`.
//! The raw scores are written to SCORES, one per line. Reading the model is not timed. `cargo xtask bench siamese` runs
//! it.

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use tercet::corpora::read_lines;
use tercet::metrics::Segment;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [references, hypotheses, scores] = arguments.as_slice() else {
        return Err("usage: siamese_scoring REF HYP SCORES".into());
    };
    let [references, hypotheses] = [references, hypotheses].map(|path| read_lines(Path::new(path)));
    let (references, hypotheses) = (references?, hypotheses?);
    let references: Vec<[&str; 1]> = references.iter().map(|line| [line]).collect();
    let segments: Vec<Segment<'_>> =
        hypotheses.iter().zip(&references).map(|(line, references)| Segment::new(line, references)).collect();
    let metric = tercet::registry().build("siamese:scale=raw")?;
    // As for the other side, the first segments warm it up.
    metric.tally(&segments[..segments.len().min(16)])?;
    let (cpu, start) = (cpu_seconds()?, Instant::now());
    let tallies = metric.tally(&segments)?;
    let (cpu, wall) = (cpu_seconds()? - cpu, start.elapsed().as_secs_f64());
    let lines: String = tallies.iter().map(|tally| format!("{}\n", metric.score(tally))).collect();
    std::fs::write(scores, lines)?;
    let said = serde_json::json!({
        "segments": segments.len(),
        "cpu_s": cpu,
        "wall_s": wall,
        "segments_per_cpu_s": segments.len() as f64 / cpu,
    });
    println!("{said}");
    Ok(())
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
