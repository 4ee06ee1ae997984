//! Average MQM scores without the annotated errors: `*.avg_seg_scores.tsv`.
//!
//! A header `system mqm_avg_score seg_id`, then a line for each system and segment, its three fields separated by a tab
//! or spaces. The score is negative, so that higher is better, as when computed from the errors (equal to the six
//! decimals of the file for both TED sets). `None` means not rated. Human translations are `ref-A`, `ref-B` here where
//! the table of errors says `ref`, `refB`.

use super::penalties::with_system_means;
use crate::error::Result;
use crate::{Judgements, Lines};
use foldhash::HashMap;

const HEADER: [&str; 3] = ["system", "mqm_avg_score", "seg_id"];

/// Reads a file of MQM averages.
pub fn parse_averages(lines: &Lines) -> Result<Judgements> {
    let header = lines.iter().next().unwrap_or_default();
    if !header.split_whitespace().eq(HEADER) {
        return Err(lines.bad(1, format!("expected the header `{}`, found {header:?}", HEADER.join(" "))));
    }
    let mut systems = Vec::<String>::new();
    let (mut places, mut cells) = (HashMap::default(), HashMap::default());
    let mut segments = Vec::<u32>::new();
    for (i, line) in lines.iter().enumerate().skip(1) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let &[system, score, segment] = fields.as_slice() else {
            return Err(lines.bad(i + 1, format!("expected a system, a score and a segment, found {line:?}")));
        };
        let score = score_or_none(score)
            .ok_or_else(|| lines.bad(i + 1, format!("expected a number or None, found {score:?}")))?;
        let segment: u32 =
            segment.parse().map_err(|_| lines.bad(i + 1, format!("expected a segment number, found {segment:?}")))?;
        let system = *places.entry(system).or_insert_with(|| {
            systems.push(system.to_owned());
            systems.len() - 1
        });
        if cells.insert((system, segment), score).is_some() {
            return Err(lines.bad(i + 1, format!("segment {segment} of {} is here twice", systems[system])));
        }
        segments.push(segment);
    }
    segments.sort_unstable();
    segments.dedup();
    let row = |system| segments.iter().map(|&segment| cells.get(&(system, segment)).copied().flatten()).collect();
    Ok(Judgements {
        scores: with_system_means((0..systems.len()).map(row).collect()),
        segments: segments.iter().map(u32::to_string).collect(),
        systems,
        ..Judgements::default()
    })
}

fn score_or_none(text: &str) -> Option<Option<f64>> {
    if text == "None" {
        return Some(None);
    }
    text.parse().ok().filter(|score: &f64| score.abs() <= 1e9).map(|score| Some(score + 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn read(text: &str) -> Result<Judgements> {
        parse_averages(&Lines::from_bytes(Path::new("a.tsv"), text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn tabs_or_spaces_and_none() {
        let judgements = read("system mqm_avg_score seg_id\nb\t-0.5 10\nb\tNone 2\na -0.000000 10\na -3 2\n").unwrap();
        assert_eq!(judgements.systems, ["b", "a"]);
        assert_eq!(judgements.segments, ["2", "10"]);
        assert_eq!(judgements.scores[0].values, [[None, Some(-0.5)], [Some(-3.0), Some(0.0)]]);
        assert_eq!(judgements.scores[1].values, [[Some(-0.5)], [Some(-1.5)]]);
    }

    #[test]
    fn errors_name_file_and_line() {
        let message = |text: &str| read(text).unwrap_err().to_string();
        let header = "system mqm_avg_score seg_id\n";
        assert_eq!(message(""), "a.tsv:1: expected the header `system mqm_avg_score seg_id`, found \"\"");
        assert_eq!(message(&format!("{header}a x 1")), "a.tsv:2: expected a number or None, found \"x\"");
        assert_eq!(message(&format!("{header}a 1 1\na 2 1")), "a.tsv:3: segment 1 of a is here twice");
        assert!(message(&format!("{header}a 1")).starts_with("a.tsv:2: expected a system, a score and"));
    }
}
