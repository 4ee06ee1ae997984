//! Candidates in the order of their scores, as `tercet rank --nbest` prints them.
//!
//! Text, Markdown and LaTeX: a table with the id of the segment, the rank, the score (with references) or the utility,
//! the candidate's number in its list or the system it comes from, and its text.
//!
//! JSON: an array of `{id, rank, candidate, count, metric, signature, score, text}`, list by list, the best first:
//! `candidate` is the number of the candidate in its list, from 1, or the name of the system; `count` says how many
//! times the text is in the list; `score` is null for the only candidate of a list without references. JSON lines: the
//! same objects, one per line. TSV: `id rank candidate count score text` below a header, the score with 17 significant
//! digits or `-`; control characters in texts are replaced. CSV: the same.

use super::ranking::right;
use super::table::{Marks, PLAIN, Table};
use super::{Format, Terminal, csv, latex, markdown, text, tsv};
use crate::metrics::Direction;
use crate::scoring::{RankedCandidate, RankedList, Reranked};
use serde_json::{Value, json};

/// What a report of re-ranked candidates shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct CandidateContents<'a> {
    /// At most so many candidates of each list; `None` for all.
    pub most: Option<usize>,
    /// The names of the systems that candidates come from, in the order of the lists.
    pub systems: Option<&'a [String]>,
    /// Decimals of rounded scores; `None` for those usual for the metric.
    pub decimals: Option<usize>,
    /// The terminal that text is written for.
    pub terminal: Terminal,
}

/// Writes re-ranked candidates.
pub fn write_reranked(reranked: &Reranked<'_>, format: Format, shown: CandidateContents<'_>) -> String {
    let signatures = [(reranked.title.clone(), reranked.signature.clone())];
    let notes = notes(reranked);
    match format {
        Format::Text => text::write(vec![table(reranked, shown, &PLAIN)], &signatures, &notes, shown.terminal),
        Format::Markdown => markdown::write(&[table(reranked, shown, &markdown::MARKS)], &signatures, &notes),
        Format::Latex => latex::write(&[table(reranked, shown, &latex::MARKS)], &signatures, &notes),
        Format::Json => {
            format!("{:#}\n", Value::Array(rows(reranked, shown).map(|row| row.object(reranked)).collect()))
        }
        Format::Jsonl => rows(reranked, shown).map(|row| format!("{}\n", row.object(reranked))).collect(),
        Format::Tsv => {
            let header = "id\trank\tcandidate\tcount\tscore\ttext\n".to_owned();
            rows(reranked, shown).fold(header, |text, row| text + &row.line())
        }
        Format::Csv => csv::from_tsv(&write_reranked(reranked, Format::Tsv, shown)),
    }
}

/// A candidate in its place.
struct Row<'r, 'a> {
    list: &'r RankedList<'a>,
    rank: usize,
    candidate: &'r RankedCandidate<'a>,
    system: Option<&'r str>,
}

fn rows<'r, 'a>(reranked: &'r Reranked<'a>, shown: CandidateContents<'r>) -> impl Iterator<Item = Row<'r, 'a>> {
    let of_list = move |list: &'r RankedList<'a>| {
        let best = list.candidates.iter().take(shown.most.unwrap_or(usize::MAX)).enumerate();
        best.map(move |(place, candidate)| {
            let system = shown.systems.map(|systems| systems[candidate.index].as_str());
            Row { list, rank: place + 1, candidate, system }
        })
    };
    reranked.lists.iter().flat_map(of_list)
}

impl Row<'_, '_> {
    /// The system, or the number in the list.
    fn origin(&self) -> String {
        self.system.map_or_else(|| (self.candidate.index + 1).to_string(), str::to_owned)
    }

    fn object(&self, reranked: &Reranked<'_>) -> Value {
        let RankedCandidate { text, index, count, score } = self.candidate;
        let candidate = self.system.map_or_else(|| json!(index + 1), |system| json!(system));
        json!({
            "id": self.list.id,
            "rank": self.rank,
            "candidate": candidate,
            "count": count,
            "metric": reranked.metric,
            "signature": reranked.signature,
            "score": score,
            "text": text,
        })
    }

    fn line(&self) -> String {
        let [id, origin, text] = [&self.list.id, &self.origin(), self.candidate.text].map(tsv::field);
        let score = self.candidate.score.map_or("-".to_owned(), tsv::digits);
        format!("{id}\t{}\t{origin}\t{}\t{score}\t{text}\n", self.rank, self.candidate.count)
    }
}

fn table(reranked: &Reranked<'_>, shown: CandidateContents<'_>, marks: &Marks) -> Table {
    let decimals = shown.decimals.unwrap_or(reranked.scale.decimals());
    let rows: Vec<Row<'_, '_>> = rows(reranked, shown).collect();
    let column = |header: &str, cell: &dyn Fn(&Row<'_, '_>) -> String| -> Vec<String> {
        std::iter::once(header.to_owned()).chain(rows.iter().map(cell)).collect()
    };
    let arrow = match reranked.direction {
        Direction::HigherIsBetter => String::new(),
        Direction::LowerIsBetter => format!(" {}", marks.lower_is_better),
    };
    let score = |row: &Row<'_, '_>| row.candidate.score.map_or("-".to_owned(), |score| format!("{score:.decimals$}"));
    let is_repeated = rows.iter().any(|row| row.candidate.count > 1);
    let mut columns = vec![
        column("id", &|row| (marks.escape)(&row.list.id)),
        right("rank", rows.iter().map(|row| row.rank.to_string())),
        right(&((marks.escape)(&reranked.title) + &arrow), rows.iter().map(score)),
    ];
    if is_repeated {
        columns.push(right("count", rows.iter().map(|row| row.candidate.count.to_string())));
    }
    let origin = if shown.systems.is_some() { "system" } else { "candidate" };
    columns.push(column(origin, &|row| (marks.escape)(&row.origin())));
    columns.push(column("text", &|row| (marks.escape)(row.candidate.text)));
    Table::from_columns(&columns)
}

fn notes(reranked: &Reranked<'_>) -> Vec<String> {
    match reranked.is_mbr {
        true => vec![format!(
            "{}: the mean score with each other candidate of the segment as reference (minimum Bayes risk)",
            reranked.title
        )],
        false => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Scale;

    fn reranked() -> Reranked<'static> {
        let candidate = |text, index, count, score| RankedCandidate { text, index, count, score: Some(score) };
        let list = |id: &str, candidates| RankedList { id: id.to_owned(), candidates };
        Reranked {
            metric: "wer".to_owned(),
            title: "WER".to_owned(),
            signature: "wer|refs=1".to_owned(),
            direction: Direction::LowerIsBetter,
            scale: Scale::Hundred,
            is_mbr: false,
            lists: vec![
                list("0", vec![candidate("x", 1, 2, 0.0), candidate("a_b\tc", 0, 1, 100.0)]),
                list("1", vec![candidate("y", 0, 1, 50.0)]),
            ],
        }
    }

    #[test]
    fn text_has_a_row_for_each_candidate() {
        let text = write_reranked(&reranked(), Format::Text, CandidateContents::default());
        let table: Vec<&str> = text.lines().take(4).collect();
        assert_eq!(
            table,
            [
                "id  rank   WER ↓  count  candidate  text",
                "0      1    0.00      2  2          x",
                "0      2  100.00      1  1          a_b c",
                "1      1   50.00      1  1          y",
            ],
            "{text}"
        );
    }

    #[test]
    fn machine_readable_formats_have_the_same_columns() {
        let systems = ["s1", "s2", "s3"].map(str::to_owned);
        let shown = CandidateContents { most: Some(1), systems: Some(&systems), ..Default::default() };
        let tsv = write_reranked(&reranked(), Format::Tsv, shown);
        assert_eq!(
            tsv,
            "id\trank\tcandidate\tcount\tscore\ttext\n0\t1\ts2\t2\t0.0\tx\n1\t1\ts1\t1\t50.000000000000000\ty\n"
        );
        let json: Value = serde_json::from_str(&write_reranked(&reranked(), Format::Json, shown)).unwrap();
        let keys: Vec<&str> = json[0].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["id", "rank", "candidate", "count", "metric", "signature", "score", "text"]);
        assert_eq!((&json[0]["metric"], &json[0]["signature"]), (&json!("wer"), &json!("wer|refs=1")));
        let all = write_reranked(&reranked(), Format::Jsonl, CandidateContents::default());
        let second: Value = serde_json::from_str(all.lines().nth(1).unwrap()).unwrap();
        assert_eq!((&second["text"], &second["candidate"]), (&json!("a_b\tc"), &json!(1)));
    }

    #[test]
    fn markdown_escapes_texts() {
        let markdown = write_reranked(&reranked(), Format::Markdown, CandidateContents::default());
        assert!(markdown.contains("a\\_b"), "{markdown}");
    }
}
