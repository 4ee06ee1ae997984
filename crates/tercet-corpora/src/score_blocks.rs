//! Score files of mt-metrics-eval: `SYSTEM SCORE` on each line, or `DOMAIN SYSTEM SCORE`.
//!
//! No header, fields separated by white space. The lines of a system, in order, are its scores for the items of the
//! level: the whole set, its documents, its segments. `None` is a missing score. File names end in `.LEVEL.score`,
//! LEVEL being `sys`, `domain`, `doc` or `seg`. Infinite scores and `nan` are refused, though Python would read them.

use super::plain_text::Lines;
use crate::error::Result;
use foldhash::HashMap;

/// The lines of one system.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ScoreBlock<'a> {
    pub system: &'a str,
    pub scores: Vec<BlockScore<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BlockScore<'a> {
    /// From 1.
    pub line: usize,
    /// Empty except in domain files.
    pub domain: &'a str,
    pub score: Option<f64>,
}

/// The blocks of a file, systems in order of appearance; `domains`: each line begins with a domain.
pub(super) fn parse_blocks(lines: &Lines, domains: bool) -> Result<Vec<ScoreBlock<'_>>> {
    let mut blocks: Vec<ScoreBlock> = Vec::new();
    let mut places = HashMap::default();
    for (i, line) in lines.iter().enumerate() {
        let bad = |what: String| lines.bad(i + 1, what);
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (domain, system, score) = match (domains, fields.as_slice()) {
            (false, &[system, score]) => ("", system, score),
            (true, &[domain, system, score]) => (domain, system, score),
            (false, _) => return Err(bad(format!("expected a system and a score, found {line:?}"))),
            (true, _) => return Err(bad(format!("expected a domain, a system and a score, found {line:?}"))),
        };
        let score = number_or_none(score).ok_or_else(|| bad(format!("expected a number or None, found {score:?}")))?;
        let place = *places.entry(system).or_insert_with(|| {
            blocks.push(ScoreBlock { system, scores: Vec::new() });
            blocks.len() - 1
        });
        blocks[place].scores.push(BlockScore { line: i + 1, domain, score });
    }
    Ok(blocks)
}

fn number_or_none(text: &str) -> Option<Option<f64>> {
    if text == "None" {
        return Some(None);
    }
    text.parse().ok().filter(|score: &f64| score.abs() <= 1e200).map(Some)
}
