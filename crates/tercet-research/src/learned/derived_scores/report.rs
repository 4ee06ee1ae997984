//! Scores derived from rankings, as `tercet derive-scores` prints them.
//!
//! Text, Markdown and LaTeX have a table of what was kept of translations that were ranked equally often. The other
//! formats have the scored pairs. JSON: an array of
//! `{score, n, variance, set, pair, segment, systems, reference, translation}`, `n` and `variance` null where a score
//! was not derived but given. JSON lines: the same objects, one per line. TSV: the same columns below a header, systems
//! separated by spaces, numbers with 17 significant digits, nothing for null. CSV: the same.

use crate::learned::{DerivedScores, ThresholdGroup};
use tercet_report::table::{Marks, PLAIN, Table};
use tercet_report::{Format, latex, markdown, records, text};

const COLUMNS: [&str; 9] = ["score", "n", "variance", "set", "pair", "segment", "systems", "reference", "translation"];

/// Writes derived scores.
pub fn write_derived_scores(scores: &DerivedScores, format: Format) -> String {
    match format {
        Format::Text => captioned(scores, &PLAIN, "", "", &text::write_table),
        Format::Markdown => captioned(scores, &markdown::MARKS, "", "\n", &markdown::write_table),
        Format::Latex => captioned(scores, &latex::MARKS, "% ", "", &latex::write_table),
        Format::Json | Format::Jsonl | Format::Tsv | Format::Csv => records::write(&scores.pairs, &COLUMNS, format),
    }
}

fn captioned(
    scores: &DerivedScores,
    marks: &Marks,
    comment: &str,
    gap: &str,
    write_table: &dyn Fn(&Table, &mut String),
) -> String {
    let mut written = format!("{comment}{}\n{gap}", (marks.escape)(&caption(scores)));
    write_table(&table(scores, marks), &mut written);
    written
}

/// The set and where it comes from.
fn caption(scores: &DerivedScores) -> String {
    let name = scores.set.name().to_uppercase();
    let added: String = scores.added.iter().map(|(name, _)| format!(" + {name}")).collect();
    format!("{name} of {}{added}", scores.sources.join(", "))
}

fn table(scores: &DerivedScores, marks: &Marks) -> Table {
    let tau = |tau: Option<f64>| tau.map_or_else(|| "-".to_owned(), |tau| format!("{tau:.3}"));
    let group = |group: &ThresholdGroup| {
        let n = if group.n == 8 { "8 or more".to_owned() } else { group.n.to_string() };
        let threshold = group.threshold.filter(|_| group.ranked > 0);
        let threshold = threshold.map_or_else(|| "-".to_owned(), |threshold| format!("{threshold:.2}"));
        let counts = [group.ranked, group.kept, group.comparisons].map(|count| count.to_string());
        let [ranked, kept, comparisons] = counts;
        vec![n, ranked, threshold, kept, tau(group.tau), comparisons]
    };
    let mut rows: Vec<Vec<String>> = scores.groups.iter().map(group).collect();
    let dash = || "-".to_owned();
    rows.extend(
        scores.added.iter().map(|(name, pairs)| {
            vec![(marks.escape)(name), pairs.to_string(), dash(), pairs.to_string(), dash(), dash()]
        }),
    );
    let ranked: usize = scores.groups.iter().map(|group| group.ranked).sum();
    let added: usize = scores.added.iter().map(|(_, pairs)| pairs).sum();
    rows.push(vec![
        "all".to_owned(),
        (ranked + added).to_string(),
        dash(),
        scores.pairs.len().to_string(),
        tau(scores.tau),
        scores.comparisons.to_string(),
    ]);
    let header = ["ranked", "pairs", "variance below", "kept", "Kendall", "comparisons"];
    Table { caption: None, header: header.map(str::to_owned).to_vec(), rows, numbers_from: 1 }
}
