//! Systems ranked by judgements, as `tercet systems` prints them.
//!
//! A table for each set, language pair and method as in the findings of WMT, with the number of the cluster, the score,
//! the range of ranks and the system; text and LaTeX draw a line between clusters.
//!
//! JSON: an array of `{set, pair, method, system, score, low, high, cluster, n}`, best first: `low` and `high` are the
//! range of ranks, `n` the comparisons (or scores) of this system. JSON lines: the same objects, one per line. TSV:
//! the same columns below a header, the score with 17 significant digits. CSV: the same.

use super::table::{Marks, PLAIN, Table};
use super::{Format, Terminal, latex, markdown, records, text};
use crate::meta_evaluation::systems::{Method, RankedSystem, ResamplingUnit, SharedOutputs, SystemRanking, Test};

const COLUMNS: [&str; 9] = ["set", "pair", "method", "system", "score", "low", "high", "cluster", "n"];

/// Writes rankings of systems; `decimals` applies to text, Markdown and LaTeX, `terminal` to text.
pub fn write_systems(rankings: &[SystemRanking], format: Format, decimals: usize, terminal: Terminal) -> String {
    match format {
        Format::Text => {
            let fitted = |table: &Table, text: &mut String| text::write_table(&terminal.fit(table.clone()), text);
            tables(rankings, decimals, &PLAIN, "", &fitted, Line::Dashes)
        }
        Format::Markdown => tables(rankings, decimals, &markdown::MARKS, "", &markdown::write_table, Line::None),
        Format::Latex => {
            tables(rankings, decimals, &latex::MARKS, "% ", &latex::write_table, Line::Before("\\midrule"))
        }
        Format::Json | Format::Jsonl | Format::Tsv | Format::Csv => {
            let rows = rankings.iter().flat_map(SystemRanking::rows).collect::<Vec<_>>();
            records::write(&rows, &COLUMNS, format)
        }
    }
}

/// The separator of clusters.
enum Line {
    None,
    /// Dashes as wide as the table.
    Dashes,
    /// This line.
    Before(&'static str),
}

fn tables(
    rankings: &[SystemRanking],
    decimals: usize,
    marks: &Marks,
    comment: &str,
    write_table: &dyn Fn(&Table, &mut String),
    between: Line,
) -> String {
    let one = |ranking: &SystemRanking| {
        let mut written = String::new();
        write_table(&table(ranking, decimals, marks), &mut written);
        let parted = part(&written, ranking, &between);
        let gap = if matches!(between, Line::None) { "\n" } else { "" };
        format!("{comment}{}\n{gap}{parted}", (marks.escape)(&caption(ranking)))
    };
    rankings.iter().map(one).collect::<Vec<_>>().join("\n")
}

fn table(ranking: &SystemRanking, decimals: usize, marks: &Marks) -> Table {
    let scores: Vec<String> = ranking.systems.iter().map(|system| format!("{:.decimals$}", system.score)).collect();
    let width = scores.iter().map(String::len).max().unwrap_or(0);
    let mut shown = 0;
    let row = |(system, score): (&RankedSystem, &String)| {
        let first = system.cluster != shown;
        shown = system.cluster;
        let range = if system.rank_low == system.rank_high {
            system.rank_low.to_string()
        } else {
            format!("{}–{}", system.rank_low, system.rank_high)
        };
        let cluster = if first { system.cluster.to_string() } else { String::new() };
        vec![cluster, format!("{score:>width$}"), range, (marks.escape)(&system.name)]
    };
    let header = [(marks.escape)("#"), format!("{:>width$}", "score"), "range".to_owned(), "system".to_owned()];
    Table {
        caption: None,
        header: header.to_vec(),
        rows: ranking.systems.iter().zip(&scores).map(row).collect(),
        numbers_from: 4,
    }
}

/// Inserts a separator before the first row of each cluster except the first.
fn part(written: &str, ranking: &SystemRanking, between: &Line) -> String {
    let separator = match between {
        Line::None => return written.to_owned(),
        Line::Before(separator) => (*separator).to_owned(),
        Line::Dashes => "-".repeat(written.lines().map(|line| line.chars().count()).max().unwrap_or(0)),
    };
    // Every row is a line; a table without rows has as many lines after its header as this has after its rows.
    let lines: Vec<&str> = written.lines().collect();
    let after = if matches!(between, Line::Dashes) { 0 } else { 2 };
    let before = lines.len() - ranking.systems.len() - after;
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        let place = i.checked_sub(before).filter(|&place| 0 < place && place < ranking.systems.len());
        if place.is_some_and(|place| ranking.systems[place - 1].cluster != ranking.systems[place].cluster) {
            text += &format!("{separator}\n");
        }
        text += &format!("{line}\n");
    }
    text
}

/// Set, language pair, method, and how the ranges were computed.
fn caption(ranking: &SystemRanking) -> String {
    let request = &ranking.request;
    let place: Vec<&str> =
        [&ranking.set, &ranking.pair].map(String::as_str).into_iter().filter(|s| !s.is_empty()).collect();
    let judged = match &ranking.scores {
        Some(scores) => format!("{} scores ({scores})", ranking.n),
        None => format!("{} comparisons", ranking.n),
    };
    let shared = match (request.method, request.shared_outputs) {
        (Method::Average, _) | (_, SharedOutputs::Tied) => "",
        (_, SharedOutputs::NotCompared) => " without those of equal outputs",
    };
    format!("{}: {}; {judged}{shared}, {}", place.join(" "), request.method.summary(), behind(ranking))
}

fn behind(ranking: &SystemRanking) -> String {
    let request = &ranking.request;
    let (runs, seed) = (request.runs, request.seed);
    let drawn = match request.resampling.unwrap_or(ResamplingUnit::None) {
        ResamplingUnit::None => "",
        ResamplingUnit::Comparisons => " of resampled comparisons",
        ResamplingUnit::Rankings => " of resampled rankings",
    };
    match (request.method, request.test) {
        (Method::Average, Test::RankSum) => "rank-sum test".to_owned(),
        (Method::Average, Test::Paired) => format!("paired permutation test, {runs} trials, seed {seed}"),
        (Method::HopkinsMay, _) => format!("{runs} samples, seed {seed}"),
        _ => format!("{runs} runs{drawn}, seed {seed}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta_evaluation::systems::RankRequest;
    use serde_json::{Value, json};

    fn example() -> Vec<SystemRanking> {
        let system = |name: &str, score, rank_low, rank_high, cluster| RankedSystem {
            name: name.to_owned(),
            score,
            rank_low,
            rank_high,
            cluster,
            n: 7,
        };
        vec![SystemRanking {
            set: "set_1".to_owned(),
            pair: "cs-en".to_owned(),
            request: RankRequest {
                runs: 50,
                seed: 1,
                resampling: Some(ResamplingUnit::Comparisons),
                ..RankRequest::new(Method::TrueSkill)
            },
            scores: None,
            n: 14,
            systems: vec![system("a_b", 0.25, 1, 2, 1), system("c", 0.125, 1, 2, 1), system("d", -1.5, 3, 3, 2)],
        }]
    }

    #[test]
    fn text_looks_like_the_findings() {
        assert_eq!(
            write_systems(&example(), Format::Text, 3, Terminal::default()),
            "\
set_1 cs-en: TrueSkill (Sakaguchi et al. 2014; WMT14–16); 14 comparisons, 50 runs of resampled comparisons, seed 1
#   score  range  system
1   0.250  1–2    a_b
    0.125  1–2    c
------------------------
2  -1.500  3      d
"
        );
    }

    #[test]
    fn markdown_and_latex_escape_names() {
        let markdown = write_systems(&example(), Format::Markdown, 1, Terminal::default());
        assert!(
            markdown.contains("| 1 |  0.2 | 1–2 | a\\_b |\n|  |  0.1 | 1–2 | c |\n| 2 | -1.5 | 3 | d |\n"),
            "{markdown}"
        );
        let latex = write_systems(&example(), Format::Latex, 1, Terminal::default());
        assert!(latex.starts_with("% set\\_1 cs-en: TrueSkill"), "{latex}");
        assert!(latex.contains("1–2 & c \\\\\n\\midrule\n2 & -1.5 & 3 & d \\\\\n\\bottomrule\n"), "{latex}");
    }

    #[test]
    fn json_lines_and_tsv_have_the_same_columns() {
        let json: Value =
            serde_json::from_str(&write_systems(&example(), Format::Json, 3, Terminal::default())).unwrap();
        let keys: Vec<&str> = json[2].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, COLUMNS);
        assert_eq!((&json[2]["score"], &json[2]["cluster"]), (&json!(-1.5), &json!(2)));
        assert_eq!(write_systems(&example(), Format::Jsonl, 3, Terminal::default()).lines().count(), 3);
        let tsv = write_systems(&example(), Format::Tsv, 3, Terminal::default());
        assert_eq!(tsv.lines().next(), Some("set\tpair\tmethod\tsystem\tscore\tlow\thigh\tcluster\tn"));
        let last: Vec<&str> = tsv.lines().last().unwrap().split('\t').collect();
        assert_eq!(last[..4], ["set_1", "cs-en", "trueskill", "d"]);
        assert_eq!(last[5..], ["3", "3", "2", "7"]);
    }
}
