//! EvalSets: the folders of mt-metrics-eval v2 (Google), a test set with texts, human scores and metric scores.
//!
//! ```text
//! sources/SRC-TGT.txt                         a segment per line (or .jsonl, everywhere)
//! documents/SRC-TGT.docs                      DOMAIN DOCUMENT per segment; a document is one block of lines
//! references/SRC-TGT.NAME.txt                 NAME without `-` or `.`, not `all` or `src`
//! system-outputs/SRC-TGT/NAME.txt             a reference of the same NAME is a human translation judged as a system
//! human-scores/SRC-TGT.NAME.LEVEL.score       see `score_blocks`
//! human-scores/SRC-TGT.NAME.seg.rating        what raters marked, see `ratings`
//! metric-scores/SRC-TGT/NAME-REF.LEVEL.score  REF: refA, refA.refB, all, or src for none
//! ```
//!
//! Any file may be compressed. Systems and references are sorted by name, segments are numbered from 1. All human
//! scores are kept under their names; higher is better for all of them. `metadata/` is ignored. Human
//! translations stay among the systems, as in mt-metrics-eval, which leaves them out by default when metrics are
//! judged; a system with the name of a reference is one.
//!
//! Agreement: the same texts, scores and names as `EvalSet` of mt-metrics-eval 68a481a on folders made from the TED
//! sets, except for the zeros it fills in (see `scores`) and for `NAME-all`, which it renames after the references if
//! there are fewer than three. It requires `documents/`; here that is optional unless there are scores of documents or
//! domains.

mod files;
mod ratings;
mod scores;
mod standard;
mod texts;
mod write;

pub use standard::{standard_reference, standard_scores};
pub use write::write_eval_set;

use super::judgements::{HumanScores, Level, MetricScores, Reference, Texts};
use super::{JudgementSource, Judgements, Lines, Ratings, read_lines};
use crate::error::{Error, Result};
use files::{SetFile, list};
use scores::Scored;
use std::collections::BTreeSet;
use std::path::Path;

/// One language pair of an EvalSet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvalSet {
    /// Texts, human scores and metric scores.
    pub judgements: Judgements,
    /// Systems that a metric should have scored and did not.
    pub missing: Vec<MissingScores>,
}

/// A system without scores in a metric's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingScores {
    /// Name of the metric.
    pub metric: String,
    /// The level of the file.
    pub level: Level,
    /// Name of the system.
    pub system: String,
}

/// The language pairs of an EvalSet folder; none if the folder is not an EvalSet.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    if !files::is_eval_set(path) {
        return Ok(Vec::new());
    }
    let source = |pair: String| {
        let (folder, of) = (path.to_owned(), pair.clone());
        JudgementSource::new(set_name(path), pair, move || Ok(read_eval_set(&folder, &of)?.judgements))
    };
    Ok(files::pairs(path)?.into_iter().map(source).collect())
}

/// Reads a language pair of an EvalSet folder: texts, human scores, metric scores.
pub fn read_eval_set(folder: &Path, pair: &str) -> Result<EvalSet> {
    let (domains, documents) = match find(folder, "documents", &format!("{pair}.docs"))? {
        Some(file) => {
            let (domains, documents) = parse_documents(&read_lines(&file.path)?)?;
            (Some(domains), Some(documents))
        }
        None => (None, None),
    };
    let (systems, texts) = read_texts(folder, pair)?;
    let segments = texts.sources.as_ref().map_or(0, Vec::len);
    if let Some(found) = documents.as_ref().map(Vec::len).filter(|&found| found != segments) {
        return Err(Error::bad_file(
            folder,
            format!("the documents of {pair} have {found} lines but the source has {segments}"),
        ));
    }
    let mut set = EvalSet {
        judgements: Judgements {
            set: set_name(folder),
            pair: pair.to_owned(),
            systems,
            segments: (1..=segments).map(|number| number.to_string()).collect(),
            documents,
            domains,
            texts: Some(texts),
            ..Judgements::default()
        },
        missing: Vec::new(),
    };
    (set.judgements.scores, set.judgements.metric_scores, set.missing) = read_scores(folder, &set)?;
    set.judgements.ratings = read_ratings(folder, &set)?;
    Ok(set)
}

fn set_name(folder: &Path) -> String {
    let full = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    full.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn find(folder: &Path, room: &str, name: &str) -> Result<Option<SetFile>> {
    Ok(list(&folder.join(room))?.into_iter().find(|file| file.name == name))
}

/// Reads a file of documents: the domains, and the documents, of all lines.
pub fn parse_documents(lines: &Lines) -> Result<(Vec<String>, Vec<String>)> {
    let (mut domains, mut documents) = (Vec::<String>::new(), Vec::<String>::new());
    let mut seen = BTreeSet::new();
    for (i, line) in lines.iter().enumerate() {
        let bad = |what: String| lines.bad(i + 1, what);
        let mut fields = line.split_whitespace();
        let (Some(domain), Some(document)) = (fields.next(), fields.next()) else {
            return Err(bad(format!("expected a domain and a document, found {line:?}")));
        };
        if documents.last().is_none_or(|last| last != document) && !seen.insert(document) {
            return Err(bad(format!("document {document} was over and goes on here: it must be in one piece")));
        }
        domains.push(domain.to_owned());
        documents.push(document.to_owned());
    }
    Ok((domains, documents))
}

/// The systems and all texts.
fn read_texts(folder: &Path, pair: &str) -> Result<(Vec<String>, Texts)> {
    let source = match find(folder, "sources", &format!("{pair}.txt"))? {
        Some(file) => file,
        None => find(folder, "sources", &format!("{pair}.jsonl"))?
            .ok_or_else(|| Error::bad_file(folder, format!("no sources/{pair}.txt")))?,
    };
    let sources: Vec<String> =
        texts::read_texts(&source, "source")?.into_iter().map(Option::unwrap_or_default).collect();
    let same_length = |file: &SetFile, texts: Vec<Option<String>>| {
        if texts.len() == sources.len() {
            return Ok(texts);
        }
        let (path, other) = (file.path.clone(), source.path.clone());
        Err(Error::LineCount { path, found: texts.len(), other, expected: sources.len(), hint: None })
    };
    let mut references: Vec<Reference> = Vec::new();
    for file in list(&folder.join("references"))? {
        let Some(name) = reference_name(&file, pair)? else { continue };
        if references.iter().any(|reference| reference.name == name) {
            return Err(Error::bad_file(&file.path, format!("a second reference `{name}`")));
        }
        let lines = same_length(&file, texts::read_texts(&file, "target")?)?;
        references.push(Reference { name: name.to_owned(), lines });
    }
    references.sort_by(|a, b| a.name.cmp(&b.name));
    let mut outputs: Vec<(String, Vec<Option<String>>)> = Vec::new();
    for file in list(&folder.join("system-outputs").join(pair))? {
        let name = stem(&file)?;
        if outputs.iter().any(|(system, _)| system == name) {
            return Err(Error::bad_file(&file.path, format!("a second system `{name}`")));
        }
        outputs.push((name.to_owned(), same_length(&file, texts::read_texts(&file, "hypothesis")?)?));
    }
    outputs.sort_by(|a, b| a.0.cmp(&b.0));
    let (systems, outputs) = outputs.into_iter().unzip();
    Ok((systems, Texts { sources: Some(sources), references, outputs }))
}

/// NAME of a file `PAIR.NAME.txt`; `None` if it belongs to another pair.
fn reference_name<'a>(file: &'a SetFile, pair: &str) -> Result<Option<&'a str>> {
    if !file.name.strip_prefix(pair).is_some_and(|rest| rest.starts_with('.')) {
        return Ok(None);
    }
    let name = stem(file)?[pair.len()..].trim_start_matches('.');
    if name.is_empty() || name.contains(['-', '.']) || matches!(name, "all" | "src") {
        return Err(Error::bad_file(
            &file.path,
            format!("`{name}` cannot be the name of a reference (no `-` or `.`, not `all` or `src`)"),
        ));
    }
    Ok(Some(name))
}

/// A file's name without `.txt` or `.jsonl`.
fn stem(file: &SetFile) -> Result<&str> {
    file.name
        .strip_suffix(".txt")
        .or_else(|| file.name.strip_suffix(".jsonl"))
        .ok_or_else(|| Error::bad_file(&file.path, "expected a text that ends in .txt or .jsonl"))
}

type Scores = (Vec<HumanScores>, Vec<MetricScores>, Vec<MissingScores>);

fn read_scores(folder: &Path, set: &EvalSet) -> Result<Scores> {
    let scored = set.scored();
    let pair = set.judgements.pair.as_str();
    let mut human = Vec::new();
    for file in list(&folder.join("human-scores"))? {
        if let Some((name, level)) = scores::human_score_name(&file, pair)? {
            human.push(scores::parse_human(&read_lines(&file.path)?, name, level, &scored)?);
        }
    }
    let order = |scores: &HumanScores| standard::place(&scores.name, scores.level).unwrap_or(usize::MAX);
    human.sort_by(|a, b| (order(a), &a.name, a.level).cmp(&(order(b), &b.name, b.level)));
    let (mut metrics, mut missing) = (Vec::new(), Vec::new());
    for file in list(&folder.join("metric-scores").join(pair))? {
        if file.name.ends_with(".score") {
            let (scores, without) = scores::parse_metric(&read_lines(&file.path)?, &scored)?;
            metrics.push(scores);
            missing.extend(without);
        }
    }
    Ok((human, metrics, missing))
}

fn read_ratings(folder: &Path, set: &EvalSet) -> Result<Vec<Ratings>> {
    let start = format!("{}.", set.judgements.pair);
    let mut read = Vec::new();
    for file in list(&folder.join("human-scores"))? {
        let name = file.name.strip_prefix(&start).and_then(|rest| rest.strip_suffix(".seg.rating"));
        if let Some(name) = name {
            read.push(set.parse_ratings(&read_lines(&file.path)?, name)?);
        }
    }
    Ok(read)
}

impl EvalSet {
    fn scored(&self) -> Scored<'_> {
        let mut documents: Vec<&str> = self.judgements.documents.iter().flatten().map(String::as_str).collect();
        documents.dedup();
        let domains: BTreeSet<&str> = self.judgements.domains.iter().flatten().map(String::as_str).collect();
        let texts = self.judgements.texts.iter();
        Scored {
            systems: &self.judgements.systems,
            references: texts.flat_map(|texts| &texts.references).map(|of| of.name.as_str()).collect(),
            documents,
            domains: domains.into_iter().collect(),
            segments: self.judgements.segments.len(),
        }
    }

    /// Reads a file of human scores for the systems and segments of this set.
    pub fn parse_human_scores(&self, lines: &Lines, name: &str, level: Level) -> Result<HumanScores> {
        scores::parse_human(lines, name, level, &self.scored())
    }

    /// Reads a file of what raters marked, for the systems and segments of this set.
    pub fn parse_ratings(&self, lines: &Lines, name: &str) -> Result<Ratings> {
        ratings::parse(lines, name, &self.judgements)
    }

    /// Reads a file of metric scores, named `NAME-REF.LEVEL.score`, for the systems and segments of this set. Also
    /// returns the systems without scores that should have some.
    pub fn parse_metric_scores(&self, lines: &Lines) -> Result<(MetricScores, Vec<MissingScores>)> {
        scores::parse_metric(lines, &self.scored())
    }

    /// Fails if a metric has not scored all systems it should have, as mt-metrics-eval does in strict mode.
    pub fn require_complete(&self) -> Result<()> {
        self.missing.first().map_or(Ok(()), |missing| {
            Err(Error::Unusable(format!(
                "{} {}: {}.{} has no scores for {}",
                self.judgements.set,
                self.judgements.pair,
                missing.metric,
                missing.level.code(),
                missing.system
            )))
        })
    }
}

/// Reads the texts of a `.jsonl` file; `field` is `source`, `target` or `hypothesis`.
pub fn parse_json_texts(lines: &Lines, field: &str) -> Result<Vec<Option<String>>> {
    texts::parse_json(lines, field)
}

#[cfg(test)]
mod tests;
