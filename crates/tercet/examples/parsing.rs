//! Tokenizing or parsing of the lines of a file, timed: what `cargo xtask bench parse` compares with UDPipe.
//!
//! ```text
//! parsing tokenize FILE TIMES              text, one sentence per line, through `ud-en`
//! parsing dependency FILE TIMES [MODEL]    words with a space between them, one sentence per line
//! parsing constituency FILE TIMES [MODEL]  the same, for phrases and vectors
//! ```
//!
//! Prints JSON: the seconds of one pass without reading and loading, and the numbers of sentences and words. TIMES = 0
//! only reads and loads, for measurements of the difference.

#![allow(clippy::print_stdout)]

use serde_json::json;
use std::error::Error;
use std::time::Instant;
use tercet::parse::Tree;
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::dependency::DependencyParser;
use tercet::text::{UdWord, ud_english};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [work, file, times, model @ ..] = arguments.as_slice() else {
        return Err("expected WORK FILE TIMES [MODEL]".into());
    };
    let (text, times) = (std::fs::read_to_string(file)?, times.parse()?);
    let lines: Vec<&str> = text.lines().collect();
    let sentences = || -> Vec<Vec<&str>> { lines.iter().map(|line| line.split(' ').collect()).collect() };
    match work.as_str() {
        "tokenize" => {
            let mut words: Vec<UdWord> = Vec::new();
            timed(lines.len(), times, || {
                let counted = lines.iter().map(|line| {
                    ud_english(line, &mut words);
                    words.len()
                });
                counted.sum()
            })
        }
        "dependency" => {
            let read = model.first().map(|path| DependencyParser::read(path.as_ref())).transpose()?;
            let parser = read.as_ref().unwrap_or_else(|| DependencyParser::english());
            let sentences = sentences();
            timed(lines.len(), times, || parser.parse(&sentences).iter().map(|parse| parse.heads.len()).sum())
        }
        "constituency" => {
            let read = model.first().map(|path| ConstituencyParser::read(path.as_ref())).transpose()?;
            let parser = read.as_ref().unwrap_or_else(|| ConstituencyParser::english());
            let sentences = sentences();
            timed(lines.len(), times, || {
                parser.parse(&sentences).iter().filter_map(|parse| parse.tree.as_ref()).map(Tree::len).sum()
            })
        }
        _ => Err(format!("no work is called {work}").into()),
    }
}

/// Runs `times` passes after a warm-up.
fn timed(sentences: usize, times: u32, mut work: impl FnMut() -> usize) -> Result<(), Box<dyn Error>> {
    let mut words = if times == 0 { 0 } else { work() };
    let (start, cpu) = (Instant::now(), cpu_seconds()?);
    for _ in 0..times {
        words = work();
    }
    let each = |seconds: f64| seconds / f64::from(times.max(1));
    let (cpu, wall) = (each(cpu_seconds()? - cpu), each(start.elapsed().as_secs_f64()));
    println!("{}", json!({"cpu_s": cpu, "wall_s": wall, "sentences": sentences, "words": words}));
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
