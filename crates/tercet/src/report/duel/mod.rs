//! Two systems held against each other, as `tercet compare` prints them.
//!
//! For people: which is better and how surely, then the segments where each is most clearly better, with both texts and
//! the references; words that one text has and the other has not at their place stand in brackets. In Markdown and
//! LaTeX the same as tables, texts unmarked.
//!
//! What machines read:
//!
//! - `-f tsv`: a header `segment p_a better`, then a line for each segment: its number from 1, the probability that A is
//!   better with 17 significant digits, and `a`, `b` or, where both are as likely, `-`.
//! - `-f json`: one object `{a, b, signature, segments: [{segment, p_a, better}], overall: {…}}`; `a` and `b` are the
//!   systems' names, `better` is `"a"`, `"b"` or null, and `overall` has `{better, significant, p_a, low, high, p_value,
//!   wins_a, wins_b, undecided, share_a, resamples, trials, seed}`: the mean probability, the ends of its 95% interval, the
//!   p-value of the test, segments by winner, the share of them that goes to A, and how interval and test were drawn.
//! - `-f jsonl`: a line `{a, b, segment, p_a, better}` for each segment.

mod marked;
mod prose;
mod tables;

use super::{Format, latex, markdown, tsv};
use crate::scoring::{Corpus, Duel, Side};
use serde_json::{Value, json};

/// What is shown to people.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// How many segments of each side.
    pub top: usize,
    /// Decimals of probabilities.
    pub decimals: usize,
}

/// The whole report; `corpus` is what the two were compared on.
pub fn write(duel: &Duel, corpus: &Corpus<'_>, format: Format, shown: Shown) -> String {
    match format {
        Format::Text => prose::write(duel, corpus, shown),
        Format::Markdown => {
            let tables = tables::tables(duel, corpus, shown, &markdown::MARKS);
            markdown::write(&tables, &signatures(duel), &[prose::test(duel)])
        }
        Format::Latex => {
            let tables = tables::tables(duel, corpus, shown, &latex::MARKS);
            latex::write(&tables, &signatures(duel), &[prose::test(duel)])
        }
        Format::Json => format!("{:#}\n", object(duel)),
        Format::Jsonl => {
            let [a, b] = &duel.systems;
            let line = |i| {
                let (p, better) = (duel.probabilities[i], code(duel.winner(i)));
                format!("{}\n", json!({"a": a, "b": b, "segment": i + 1, "p_a": p, "better": better}))
            };
            (0..duel.probabilities.len()).map(line).collect()
        }
        Format::Tsv => duel.probabilities.iter().enumerate().fold(
            String::from("segment\tp_a\tbetter\n"),
            |text, (i, &p)| {
                let better = code(duel.winner(i)).unwrap_or("-");
                text + &format!("{}\t{}\t{better}\n", i + 1, tsv::digits(p))
            },
        ),
    }
}

fn signatures(duel: &Duel) -> Vec<(String, String)> {
    vec![("p(A better)".to_owned(), duel.signature.clone())]
}

fn object(duel: &Duel) -> Value {
    let segment =
        |i: usize| json!({"segment": i + 1, "p_a": duel.probabilities[i], "better": code(duel.winner(i))});
    json!({
        "a": duel.systems[0],
        "b": duel.systems[1],
        "signature": duel.signature,
        "segments": (0..duel.probabilities.len()).map(segment).collect::<Vec<_>>(),
        "overall": {
            "better": code(duel.leader()),
            "significant": duel.is_significant(),
            "p_a": duel.mean,
            "low": duel.interval.low,
            "high": duel.interval.high,
            "p_value": duel.p_value,
            "wins_a": duel.wins,
            "wins_b": duel.losses,
            "undecided": duel.undecided,
            "share_a": duel.share_of_wins(),
            "resamples": duel.request.interval.samples,
            "trials": duel.request.test.samples,
            "seed": duel.request.test.seed,
        },
    })
}

/// A side as machines read it.
fn code(side: Option<Side>) -> Option<&'static str> {
    side.map(|side| match side {
        Side::A => "a",
        Side::B => "b",
    })
}

/// A side as people read it.
fn letter(side: Side) -> &'static str {
    match side {
        Side::A => "A",
        Side::B => "B",
    }
}

#[cfg(test)]
mod tests;
