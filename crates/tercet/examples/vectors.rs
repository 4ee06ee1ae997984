//! How long a file of word vectors takes to open, and how much memory: `vectors FILE CACHE_FOLDER [open|read]`.
//!
//! `open` goes by way of the compact form; `read` keeps every fortieth word and writes nothing. Prints seconds, words,
//! dimension, and the peak of this process's own memory where Linux tells it.

#![allow(clippy::print_stdout)]

use std::env;
use std::path::PathBuf;
use std::time::Instant;
use tercet::vectors::WordVectors;

fn main() -> tercet::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [file, folder, how] = arguments.as_slice() else {
        println!("usage: vectors FILE CACHE_FOLDER open|read");
        return Ok(());
    };
    let (file, folder) = (PathBuf::from(file), PathBuf::from(folder));
    let start = Instant::now();
    let vectors = match how.as_str() {
        "open" => WordVectors::open_with_cache(&file, &folder)?,
        _ => WordVectors::read_for(&file, |word| word.bytes().map(u32::from).sum::<u32>() % 40 == 0)?,
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("{how} {seconds:.4} s: {vectors:?}, mapped: {}", vectors.is_mapped());
    println!("memory after opening: {}", memory());
    let start = Instant::now();
    let words: Vec<String> = vectors.words().step_by(40).map(str::to_owned).collect();
    let sum: f64 =
        words.iter().filter_map(|word| vectors.get(word)).flatten().map(|&number| f64::from(number)).sum();
    let (count, seconds) = (words.len(), start.elapsed().as_secs_f64());
    println!("{count} words looked up and summed ({sum:.6}): {seconds:.4} s");
    println!("memory after lookups: {}", memory());
    Ok(())
}

/// The system's words for peak, anonymous and file-backed memory.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let wanted = ["VmHWM", "RssAnon", "RssFile"];
    let lines = status.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name)));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
