//! Direct assessment as the news tasks of WMT18–22 publish it, space-separated, one file for each language pair.
//!
//! - `ad-seg-scores-<pair>.csv`: `SYS SID RAW.SCR Z.SCR N`, the score of an output as the mean of `N` judgements: as it
//!   was given, from 0 to 100, and standardised by judge. The metrics task of WMT20 repacked them as
//!   `metrics-ad-seg-scores-<pair>.csv`, `SYS SEGID RAW.SCR Z.SCR N SID`, where `SEGID` is document and place,
//!   `denik.cz.201552::1`;
//! - `ad-sys-scores-<pair>.csv`: `RAW.SCR Z.SCR N SYS N.ALL`, the mean over the segments of a system.
//!
//! (Headers as in WMT-Metrics-task/wmt20-metrics and wmt-conference/wmt21-news-systems.) Both scores are kept, z first.
//! Segments are named by `SID`. `ad-sys-ranking-<pair>-z.csv` has the same means, rounded and without a header, and is
//! not read; neither are the scores of documents, which are means of those of segments.

use crate::error::Result;

use crate::collection::Collection;
use crate::judgements::{Judgements, Level};
use crate::plain_text::Lines;
use crate::records::{Records, Separator};

use super::tables::SYSTEM;

/// Names of the scores and their columns.
const SCORES: [(&str, &[&str]); 2] = [("z", &["Z.SCR", "Z"]), ("raw", &["RAW.SCR", "RAW"])];
/// The metrics task's files have both; `SID` is the number in the test set.
const SEGMENT: &[&str] = &["SID", "SEGID"];

/// Reads the direct assessment of one language pair: scores of segments, of systems, or both.
pub fn parse_da_scores(segments: Option<&Lines>, systems: Option<&Lines>) -> Result<Judgements> {
    let mut read = Collection::default();
    let mut documents = None;
    if let Some(lines) = segments {
        let records = Records::new(lines, Separator::Space)?;
        let segment = records.column(SEGMENT)?;
        read_scores(&records, Some(segment), &mut read)?;
        documents = read_documents(&records, segment)?;
    }
    if let Some(lines) = systems {
        read_scores(&Records::new(lines, Separator::Space)?, None, &mut read)?;
    }
    let Some(path) = segments.or(systems).map(Lines::path) else { return Ok(Judgements::default()) };
    Ok(Judgements { documents, ..read.into_judgements(path, None)? })
}

fn read_scores(records: &Records<'_>, segment: Option<usize>, into: &mut Collection) -> Result<()> {
    let system = records.column(SYSTEM)?;
    let scores = SCORES.map(|(name, spellings)| Ok((name, records.column(spellings)?)));
    let scores: Vec<(&'static str, usize)> = scores.into_iter().collect::<Result<_>>()?;
    for record in records.rows() {
        let record = record?;
        let place = into.systems.place(record.text(system));
        let (level, item) = match segment {
            Some(segment) => (Level::Segment, into.segment(record.text(segment)).map_err(|what| record.bad(what))?),
            None => (Level::System, 0),
        };
        for &(name, column) in &scores {
            if !into.score((name, level), place, item, record.score(column)?) {
                return Err(record.bad(format!("a second score of {:?} for the same item", record.text(system))));
            }
        }
    }
    Ok(())
}

/// The document of each segment, if a column says.
fn read_documents(records: &Records<'_>, segment: usize) -> Result<Option<Vec<String>>> {
    let Some(column) = records.find(&["SEGID"]).filter(|&column| column != segment) else { return Ok(None) };
    let mut seen = crate::names::Names::default();
    let mut documents: Vec<String> = Vec::new();
    for record in records.rows() {
        let record = record?;
        let id = record.text(column);
        let document = id.rsplit_once("::").map_or(id, |(document, _)| document);
        let place = seen.place(record.text(segment));
        if place == documents.len() {
            documents.push(document.to_owned());
        } else if documents[place] != document {
            return Err(record.bad(format!(
                "segment {:?} is in document {:?} and in {document:?}",
                record.text(segment),
                documents[place]
            )));
        }
    }
    Ok(Some(documents))
}
