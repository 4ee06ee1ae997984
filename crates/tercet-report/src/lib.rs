//! Writes results as text, JSON, TSV, CSV, Markdown or LaTeX, or as an HTML page.
//!
//! The machine-readable formats (`json`, `jsonl`, `tsv`, `csv`) are stable and specified in the header of each file;
//! scores have all digits. `text`, `markdown` and `latex` show the same tables with rounded scores. [`html`] writes a
//! page for a browser. [`sacrebleu`] prints the bytes of that tool.
//!
//! ```
//! use tercet_base::progress::Progress;
//! use tercet_report::{Contents, Format, write};
//! use tercet_score::{Corpus, ScoreJob, System};
//!
//! let corpus = Corpus::new(vec![System::new("a", &["the cat sat"])], vec![vec!["the cat sat"]])?;
//! let job = ScoreJob { metrics: vec!["ter".into()], ..ScoreJob::default() };
//! let scored = job.run(&corpus, &tercet_metrics::Registry::lexical(), Progress::none())?.result;
//! let table = write(&scored.evaluation, Format::Csv, Contents::default());
//! assert_eq!(table, "system,segment,metric,score\na,corpus,ter,0.0\n");
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod agreement;
mod alignment;
mod challenge;
mod check;
mod compare;
pub mod csv;
mod explained;
mod gate;
pub mod html;
mod json;
pub mod latex;
pub mod markdown;
mod marked_text;
mod metric_list;
mod p_value;
mod plot;
mod ranking;
mod raters;
pub mod records;
mod rerank;
pub mod sacrebleu;
mod spans;
mod streamed;
mod systems;
pub mod table;
mod terminal;
pub mod text;
pub mod tsv;

pub use agreement::write_agreement;
pub use alignment::write_alignment;
pub use challenge::write_challenge;
pub use check::write_check;
pub use compare::{ComparisonContents, DECIMALS, verdict, write_comparison};
pub use explained::write_explanations;
pub use gate::{write_junit, write_step_summary};
pub use json::{warning_object, warning_objects};
pub use markdown::escape as escape_markdown;
pub use metric_list::{option_list, write_metric_list};
pub use plot::plot;
pub use ranking::write_ranking;
pub use raters::write_raters;
pub use rerank::{CandidateContents, write_reranked};
pub use spans::write_spans;
pub use streamed::{ReadScores, has_streamed_segments, write_streamed};
pub use systems::write_systems;
pub use table::Table;
pub use terminal::Terminal;

use crate::scoring::{Evaluation, ScoreLevels};
use crate::warning::Warning;

tercet_base::choices! {
    /// An output format.
    pub enum Format: "format" {
        /// A text table.
        Text = "text",
        /// JSON.
        Json = "json",
        /// JSON, one object per line.
        Jsonl = "jsonl" | "ndjson",
        /// Tab-separated values.
        Tsv = "tsv",
        /// Comma-separated values: the columns of tsv.
        Csv = "csv",
        /// A Markdown table.
        Markdown = "markdown" | "md",
        /// A LaTeX table (booktabs).
        Latex = "latex" | "tex",
    }
}

tercet_base::defaults! {
    /// Which scores a report shows. Default: those of systems with the usual decimals.
    #[derive(Clone, Copy, Debug)]
    pub struct Contents {
        /// Scores of systems.
        pub systems: bool = true,
        /// Scores of documents.
        pub documents: bool = false,
        /// Scores of segments.
        pub segments: bool = false,
        /// The components of scores.
        pub components: bool = false,
        /// The terminal that text is written for.
        pub terminal: Terminal = Terminal::default(),
        /// Decimals of rounded scores; `None` for those usual for each metric's [scale](crate::metrics::Scale).
        pub decimals: Option<usize> = None,
    }
}

impl Contents {
    /// The scores of a level.
    pub fn of_level(level: ScoreLevels) -> Self {
        Contents {
            systems: level.has_systems(),
            documents: level.has_documents(),
            segments: level.has_segments(),
            ..Contents::default()
        }
    }
}

/// Writes scores, intervals and paired tests of an evaluation.
pub fn write(evaluation: &Evaluation, format: Format, contents: Contents) -> String {
    write_any(evaluation, None, format, contents)
}

/// Writes the same; JSON has the warnings.
pub fn write_with_warnings(
    evaluation: &Evaluation,
    warnings: &[Warning],
    format: Format,
    contents: Contents,
) -> String {
    write_any(evaluation, Some(warnings), format, contents)
}

fn write_any(evaluation: &Evaluation, warnings: Option<&[Warning]>, format: Format, contents: Contents) -> String {
    let signatures = table::signatures(evaluation);
    let tables = |marks| table::tables(evaluation, contents, marks);
    let notes = |marks| table::notes(evaluation, contents, marks);
    match format {
        Format::Text => {
            let marks = if contents.terminal.colour { &table::COLOURED } else { &table::PLAIN };
            text::write(tables(marks), &signatures, &notes(&table::PLAIN), contents.terminal)
        }
        Format::Markdown => markdown::write(&tables(&markdown::MARKS), &signatures, &notes(&markdown::MARKS)),
        Format::Latex => latex::write(&tables(&latex::MARKS), &signatures, &notes(&latex::MARKS)),
        Format::Json => json::write(evaluation, warnings, contents),
        Format::Jsonl => json::write_lines(evaluation, warnings, contents),
        Format::Tsv => tsv::write(evaluation, contents),
        Format::Csv => csv::from_tsv(&tsv::write(evaluation, contents)),
    }
}

#[cfg(test)]
mod tests;

pub(crate) use tercet_agreement as meta_evaluation;
pub(crate) use tercet_base::{error, progress, warning};
pub(crate) use tercet_corpora as corpora;
pub(crate) use tercet_metrics as metrics;
pub(crate) use tercet_score as scoring;
pub(crate) use tercet_statistics as statistics;

#[cfg(test)]
fn registry() -> metrics::Registry {
    metrics::Registry::lexical()
}
