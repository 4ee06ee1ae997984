//! One HTML page that shows an evaluation: tables, charts, and every segment with its marked words.
//!
//! The page is one file without any address of another. Its data is one JSON block (`data.rs` says what is in it), its
//! code (`style.css` and the `.js` files, in the order of [`SCRIPTS`]) reads that block and nothing else, so that
//! whatever fills in the block shows the same report. `report.js` has the one function that draws it,
//! `renderReport(root, data)`.
//!
//! # Safety
//! Texts are data: in the block every `<` is written `\u003c`, so that no text can end it, and the code puts texts into
//! the page only as text nodes. A content security policy allows the one style and the one script by their SHA-256, and
//! nothing else: no address, no inline handler, no other script.

mod agreement_data;
mod challenge_data;
mod data;
mod paper;
mod paper_agreement;
mod papers;
mod scored_texts;
mod spans_data;

pub use scored_texts::ScoredTexts;

use crate::meta_evaluation::AgreementReport;
use crate::meta_evaluation::challenge::ChallengeReport;
use crate::meta_evaluation::spans::SpansReport;
use crate::metrics::Registry;
use crate::scoring::{Corpus, Evaluation, MarkedMetric, SystemComparison};
use crate::warning::Warning;
use base64::prelude::{BASE64_STANDARD, Engine};
use data::data;
use sha2::{Digest, Sha256};

/// What a page shows. Every part but the command may be missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageContents<'a> {
    /// The subcommand, for the title.
    pub command: &'a str,
    /// Scores of systems and segments, intervals, paired tests.
    pub evaluation: Option<&'a Evaluation>,
    /// The texts that were scored.
    pub corpus: Option<&'a Corpus<'a>>,
    /// Properties of segments by which scores are shown: the document, a domain.
    pub groupings: &'a [SegmentGrouping],
    /// Marked words.
    pub marks: &'a [MarkedMetric],
    /// Which of two systems is better.
    pub comparison: Option<&'a SystemComparison>,
    /// Agreement with human judgements.
    pub agreement: Option<&'a AgreementReport>,
    /// Marks of metrics and of people.
    pub spans: Option<&'a SpansReport>,
    /// What metrics tell apart.
    pub challenge: Option<&'a ChallengeReport>,
    /// The metrics, for the papers to cite.
    pub registry: Option<&'a Registry>,
    /// What a reader should know about texts and figures.
    pub remarks: &'a [Warning],
    /// The files of references and source: what each is, and its name.
    pub origins: &'a [(String, String)],
}

/// A property that every segment has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentGrouping {
    /// What it is called.
    pub name: String,
    /// Its value for each segment.
    pub values: Vec<String>,
    /// Whether someone asked for it: the first such property is shown before all others.
    pub is_requested: bool,
}

const TEMPLATE: &str = include_str!("page.html");

/// The style of the page.
pub const STYLE: &str = include_str!("style.css");

/// The code of the page, file by file: each uses only what those before it declare.
pub const SCRIPTS: &[&str] = &[
    include_str!("elements.js"),
    include_str!("numbers.js"),
    include_str!("tables.js"),
    include_str!("charts.js"),
    include_str!("names.js"),
    include_str!("plots.js"),
    include_str!("systems.js"),
    include_str!("ranking.js"),
    include_str!("breakdown.js"),
    include_str!("marked_text.js"),
    include_str!("segment_rows.js"),
    include_str!("segments.js"),
    include_str!("agreement.js"),
    include_str!("spans.js"),
    include_str!("challenge.js"),
    include_str!("paper.js"),
    include_str!("report.js"),
];

/// Draws the report of the data block when the page has been read.
const START: &str = include_str!("start.js");

/// Writes the page.
pub fn write_page(contents: &PageContents<'_>) -> String {
    page_with_data(&title(contents), &page_data(contents))
}

/// The page of data that [`page_data`] wrote. The title must be free of `<` and `&`.
pub fn page_with_data(title: &str, data: &str) -> String {
    let script = SCRIPTS.concat() + START;
    let parts = [
        ("{{policy}}", policy(STYLE, &script)),
        ("{{title}}", title.to_owned()),
        ("{{style}}", STYLE.to_owned()),
        ("{{script}}", script),
        ("{{data}}", data.to_owned()),
    ];
    let mut page = String::new();
    let mut rest = TEMPLATE;
    for (place, text) in parts {
        let (before, after) = rest.split_once(place).expect("the template has every place, in this order");
        page += before;
        page += &text;
        rest = after;
    }
    page + rest
}

/// The data of the page, as JSON that can stand in a script element.
pub fn page_data(contents: &PageContents<'_>) -> String {
    data(contents).to_string().replace('<', "\\u003c")
}

fn title(contents: &PageContents<'_>) -> String {
    let systems = match (contents.evaluation, contents.agreement) {
        (Some(evaluation), _) if evaluation.systems.len() == 1 => "1 system".to_owned(),
        (Some(evaluation), _) => format!("{} systems", evaluation.systems.len()),
        (None, Some(_)) => "metrics and people".to_owned(),
        (None, None) if contents.spans.is_some() => "metrics and people".to_owned(),
        (None, None) if contents.challenge.is_some() => "challenge set".to_owned(),
        (None, None) => "report".to_owned(),
    };
    format!("tercet {}: {systems}", contents.command)
}

/// Only this style and this script, and nothing from elsewhere.
fn policy(style: &str, script: &str) -> String {
    let (style, script) = (hash(style), hash(script));
    format!("default-src 'none'; style-src {style}; script-src {script}; base-uri 'none'; form-action 'none'")
}

/// The source of a content security policy that stands for this text.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests;
