//! The scores of an EvalSet, checked against its systems, segments, documents and domains.
//!
//! As in mt-metrics-eval: a system that is not in the set, a wrong number of scores, `None` in a metric's file are
//! errors; people need not have scored every system. A metric must have scored all systems except the references it
//! used; where it has not, mt-metrics-eval (unless strict) fills in zeros, while here the system is missing from the
//! metric's scores and listed in [`EvalSet::missing`](super::EvalSet::missing).

use super::MissingScores;
use super::files::SetFile;
use crate::error::{Error, Result};
use crate::metric_scores::metric_and_level;
use crate::score_blocks::{ScoreBlock, parse_blocks};
use crate::{HumanScores, Level, Lines, MetricScores};

/// The names that scores may refer to.
pub struct Scored<'a> {
    pub systems: &'a [String],
    pub references: Vec<&'a str>,
    /// In order of appearance.
    pub documents: Vec<&'a str>,
    /// Sorted by name.
    pub domains: Vec<&'a str>,
    pub segments: usize,
}

impl Scored<'_> {
    fn items(&self, level: Level) -> usize {
        match level {
            Level::System => 1,
            Level::Domain => self.domains.len(),
            Level::Document => self.documents.len(),
            Level::Segment => self.segments,
        }
    }

    /// A row of scores for each system that has some, checked.
    fn rows(&self, lines: &Lines, level: Level) -> Result<Vec<(usize, Vec<Option<f64>>)>> {
        let row = |block: &ScoreBlock| {
            let unknown = || {
                let known = self.systems.join(", ");
                lines.bad(block.scores[0].line, format!("no system is called `{}` (known: {known})", block.system))
            };
            let system = self.systems.iter().position(|system| system == block.system).ok_or_else(unknown)?;
            let row = if level == Level::Domain {
                self.by_domain(block, lines)?
            } else {
                self.in_order(block, lines, level)?
            };
            Ok((system, row))
        };
        parse_blocks(lines, level == Level::Domain)?.iter().map(row).collect()
    }

    fn in_order(&self, block: &ScoreBlock, lines: &Lines, level: Level) -> Result<Vec<Option<f64>>> {
        let (expected, found) = (self.items(level), block.scores.len());
        if found == expected {
            return Ok(block.scores.iter().map(|score| score.score).collect());
        }
        // The first line that is too many, or the last line if some are missing.
        let line = block.scores[expected.min(found - 1)].line;
        let what = format!("expected {expected} {} scores for {}, found {found}", level.code(), block.system);
        Err(lines.bad(line, what))
    }

    fn by_domain(&self, block: &ScoreBlock, lines: &Lines) -> Result<Vec<Option<f64>>> {
        let mut row = vec![None; self.domains.len()];
        let mut seen = vec![false; self.domains.len()];
        for score in &block.scores {
            let known = self.domains.iter().position(|domain| *domain == score.domain);
            let domain = known.ok_or_else(|| {
                lines.bad(
                    score.line,
                    format!("no domain is called `{}` (known: {})", score.domain, self.domains.join(", ")),
                )
            })?;
            if std::mem::replace(&mut seen[domain], true) {
                return Err(lines.bad(score.line, format!("a second score of {} for {}", block.system, score.domain)));
            }
            row[domain] = score.score;
        }
        Ok(row)
    }
}

/// NAME and LEVEL of a file `PAIR.NAME.LEVEL.score`; `None` if it belongs to another pair.
pub fn human_score_name<'a>(file: &'a SetFile, pair: &str) -> Result<Option<(&'a str, Level)>> {
    let rest = file.name.strip_prefix(pair).and_then(|rest| rest.strip_prefix('.'));
    let Some(stem) = rest.and_then(|rest| rest.strip_suffix(".score")) else { return Ok(None) };
    match stem.rsplit_once('.').map(|(name, level)| (name, Level::from_code(level))) {
        Some((name, Some(level))) if !name.is_empty() => Ok(Some((name, level))),
        _ => Err(Error::bad_file(
            &file.path,
            format!("expected a name like {pair}.NAME.LEVEL.score, LEVEL being sys, domain, doc or seg"),
        )),
    }
}

pub fn parse_human(lines: &Lines, name: &str, level: Level, scored: &Scored) -> Result<HumanScores> {
    let mut values = vec![vec![None; scored.items(level)]; scored.systems.len()];
    for (system, row) in scored.rows(lines, level)? {
        values[system] = row;
    }
    Ok(HumanScores { name: name.to_owned(), level, higher_is_better: true, values })
}

/// Scores of a metric, and the systems without scores that should have some.
pub fn parse_metric(lines: &Lines, scored: &Scored) -> Result<(MetricScores, Vec<MissingScores>)> {
    let named = |what: String| Error::bad_file(lines.path(), what);
    let (metric, level) = metric_and_level(lines.path());
    let level = level.ok_or_else(|| named("expected a name like NAME-REF.LEVEL.score".to_owned()))?;
    let used = references_used(&metric, scored).map_err(named)?;
    let rows = scored.rows(lines, level)?;
    if rows.iter().any(|(_, row)| row.contains(&None)) {
        return Err(none_at(lines, level)?);
    }
    let has = |system: usize| rows.iter().any(|(of, _)| *of == system);
    let missing = (0..scored.systems.len())
        .filter(|&system| !has(system) && !used.contains(&scored.systems[system].as_str()))
        .map(|system| MissingScores { metric: metric.clone(), level, system: scored.systems[system].clone() })
        .collect();
    let systems = rows.iter().map(|(system, _)| scored.systems[*system].clone()).collect();
    let values = rows.into_iter().map(|(_, row)| row).collect();
    Ok((MetricScores { metric, level, systems, values }, missing))
}

fn none_at(lines: &Lines, level: Level) -> Result<Error> {
    let blocks = parse_blocks(lines, level == Level::Domain)?;
    let none = blocks.iter().flat_map(|block| &block.scores).find(|score| score.score.is_none());
    let what = match none {
        Some(_) => "a metric's score cannot be None".to_owned(),
        None => "expected a score for every domain".to_owned(),
    };
    Ok(lines.bad(none.map_or(lines.len(), |score| score.line), what))
}

/// The references in a metric's name: `refA`, `refA.refB`, `all`, or none for `src`.
fn references_used<'a>(metric: &'a str, scored: &Scored<'a>) -> Result<Vec<&'a str>, String> {
    let form = || format!("expected a name like NAME-REF.LEVEL.score, found no REF in `{metric}`");
    let (_, reference) = metric.rsplit_once('-').ok_or_else(form)?;
    let used: Vec<&str> = match reference {
        "src" => Vec::new(),
        "all" => scored.references.clone(),
        names => names.split('.').collect(),
    };
    match used.iter().find(|name| !scored.references.contains(name)) {
        Some(name) => Err(format!("no reference is called `{name}` (known: {})", scored.references.join(", "))),
        None => Ok(used),
    }
}
