//! The table of `reproduce/wmt/README.md`: how often TrueSkill gives the official clusters of WMT15 and WMT16.
//!
//!     cargo run --release -p tercet --example official_trueskill -- DATA SEEDS [FILE]
//!
//! DATA is the folder that holds `wmt15-rr` and `wmt16-rr`. Seeds are 12345, 1, 2, …; with FILE, as in `wmt16.deu-eng`,
//! only that ranking. Figures are the worst over the seeds; ranks are the sum of differences between the ends of
//! ranges.

#![allow(clippy::print_stdout)]

#[path = "../tests/golden/official.rs"]
mod official;

use official::{Beside, RANKINGS, beside, judgements, published};
use std::path::Path;
use tercet::meta_evaluation::systems::{Method, RankRequest, rank_systems};
use tercet::progress::Progress;

fn main() -> tercet::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (Some(data), Some(Ok(seeds))) = (arguments.first(), arguments.get(1).map(|text| text.parse::<u64>())) else {
        println!("usage: official_trueskill DATA SEEDS [FILE]");
        return Ok(());
    };
    println!(
        "| | clusters as published | with 12345 | Spearman | largest difference of scores | ranks off |\n\
         |---|---|---|---:|---:|---:|"
    );
    let asked = |file: &str| arguments.get(2).is_none_or(|only| only == file);
    for (set, pair, file) in RANKINGS.into_iter().filter(|(_, _, file)| asked(file)) {
        let (judgements, theirs) = (judgements(Path::new(data), set, pair), published(Path::new(data), set, file));
        let run = |number: u64| {
            let seed = if number == 0 { 12345 } else { number };
            let request = RankRequest { seed, ..RankRequest::new(Method::TrueSkill) };
            Ok(beside(&rank_systems(&judgements, &request, Progress::none())?.systems, &theirs))
        };
        let found: Vec<Beside> = (0..seeds).map(run).collect::<tercet::Result<_>>()?;
        let equal = found.iter().filter(|beside| beside.clusters).count();
        let first = if found.first().is_some_and(|beside| beside.clusters) { "yes" } else { "no" };
        let correlation = found.iter().map(|beside| beside.correlation).fold(1.0, f64::min);
        let scores = found.iter().map(|beside| beside.scores).fold(0.0, f64::max);
        let ranks = found.iter().map(|beside| beside.ranks).max().unwrap_or(0);
        println!("| {set} {pair} | {equal} of {seeds} | {first} | {correlation:.3} | {scores:.3} | {ranks} |");
    }
    Ok(())
}
