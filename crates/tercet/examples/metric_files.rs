//! Writes files of scores by metrics that agree with human judgements to different degrees, to measure how long
//! `tercet correlate` takes for many metrics:
//!
//! ```text
//! cargo run --release -p tercet --example metric_files -- JUDGEMENTS FOLDER 45
//! time tercet correlate -q JUDGEMENTS --scores FOLDER/*.csv
//! ```
//!
//! A score is the human score of the output plus noise, more of it for later metrics.

use std::fmt::Write as _;
use std::path::Path;
use tercet::corpora::{Level, find_judgements};
use tercet::statistics::random::Generator;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [judgements, folder, count] = words.as_slice() else {
        return Err("expected JUDGEMENTS FOLDER COUNT".into());
    };
    let read = find_judgements(Path::new(judgements))?[0].read()?;
    let scores = read.scores.iter().find(|scores| scores.level == Level::Segment).ok_or("no scores of segments")?;
    std::fs::create_dir_all(folder)?;
    for metric in 0..count.parse::<u64>()? {
        let mut generator = Generator::new(Some(metric));
        let mut text = "system,id,score\n".to_owned();
        for (system, values) in read.systems.iter().zip(&scores.values) {
            for (segment, value) in read.segments.iter().zip(values) {
                let Some(value) = value else { continue };
                let noise = (metric + 1) as f64 * (generator.random() - 0.5);
                writeln!(text, "{system},{segment},{}", value + noise)?;
            }
        }
        std::fs::write(Path::new(folder).join(format!("metric{metric:02}.csv")), text)?;
    }
    Ok(())
}
