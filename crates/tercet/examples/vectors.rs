//! How long a file of word vectors takes to open, and how much memory:
//! `vectors FILE make|open|open-for|read-for [WORDS]`.
//!
//! `make` writes a file to measure, 400,000 (or WORDS) words of 300 numbers: word2vec's binary format if its name ends
//! in `.bin`, else GloVe's text. `open-for` and `read-for` keep about one word of fifty (or WORDS), the same ones for
//! every file with at least 50,000. Compact forms are in `$XDG_CACHE_HOME/tercet`. Prints seconds, words, dimension,
//! and, on Linux, the memory of this process: peak, anonymous, and mapped files.

#![allow(clippy::print_stdout)]

use std::env;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tercet::cache::Cache;
use tercet::vectors::WordVectors;

fn main() -> tercet::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let ([file, how] | [file, how, _]) = arguments.as_slice() else {
        println!("usage: vectors FILE make|open|open-for|read-for [WORDS]");
        return Ok(());
    };
    let file = PathBuf::from(file);
    let count = arguments.get(2).and_then(|count| count.parse().ok());
    if how == "make" {
        let made = make(&file, count.unwrap_or(400_000));
        made.unwrap_or_else(|error| println!("{}: {error}", file.display()));
        return Ok(());
    }
    let wanted = |word: &str| match count {
        None => word.bytes().map(u32::from).sum::<u32>() % 40 == 0,
        Some(count) => spread(word, count),
    };
    let (start, cache) = (Instant::now(), Cache::default());
    let vectors = match how.as_str() {
        "open" => WordVectors::open(&file, &cache)?,
        "open-for" => WordVectors::open_for(&file, &cache, wanted)?,
        _ => WordVectors::read_for(&file, &cache, wanted)?,
    };
    let seconds = start.elapsed().as_secs_f64();
    println!("{how} {seconds:.4} s: {vectors:?}, compact: {}", vectors.is_compact());
    println!("memory after opening: {}", memory());
    let start = Instant::now();
    let words: Vec<String> = vectors.words().filter(|word| wanted(word)).map(str::to_owned).collect();
    let sum: f64 = words.iter().filter_map(|word| vectors.get(word)).flatten().map(|&number| f64::from(number)).sum();
    let (count, seconds) = (words.len(), start.elapsed().as_secs_f64());
    println!("{count} words looked up and summed ({sum:.6}): {seconds:.4} s");
    println!("memory after lookups: {}", memory());
    Ok(())
}

/// Whether a word is one of `count` evenly spaced words among the first 50,000.
fn spread(word: &str, count: u32) -> bool {
    let number = word.strip_prefix("word").and_then(|number| number.parse::<u32>().ok());
    number.is_some_and(|number| {
        let place = |number: u32| u64::from(number) * u64::from(count) / 50_000;
        number < 50_000 && place(number + 1) > place(number)
    })
}

/// Writes words with vectors of 300 numbers.
fn make(file: &Path, words: u32) -> io::Result<()> {
    let dimension = 300u32;
    let binary = file.extension().is_some_and(|extension| extension == "bin");
    let mut out = BufWriter::new(File::create(file)?);
    if binary {
        writeln!(out, "{words} {dimension}")?;
    }
    for word in 0..words {
        write!(out, "word{word}")?;
        // Arbitrary numbers with as many digits as real ones.
        let number = |place: u32| ((word * 31 + place * 17) % 9973) as f32 / 9973.0 - 0.5;
        match binary {
            true => {
                out.write_all(b" ")?;
                (0..dimension).try_for_each(|place| out.write_all(&number(place).to_le_bytes()))?;
            }
            false => (0..dimension).try_for_each(|place| write!(out, " {:.5}", number(place)))?,
        }
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// The lines of `/proc/self/status` for peak, anonymous and file-backed memory.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let wanted = ["VmHWM", "RssAnon", "RssFile"];
    let lines = status.lines().filter(|line| wanted.iter().any(|name| line.starts_with(name)));
    lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>().join(", ")
}
