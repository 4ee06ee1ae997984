//! N-best lists: several candidate translations of each segment.
//!
//! - Moses: `id ||| text ||| …`. What follows the text (features, the score of the model, alignments) is not used.
//! - Tab-separated: an id, a tab, a text.
//! - Plain text: the same number of consecutive lines for each segment; ids are then the segments' numbers, from 1.
//!
//! The lines of an id are adjacent. Ids that are whole numbers start with 0 or 1 and are consecutive, since a list that
//! is missing would move all others to wrong references; other ids may be any texts. White space around ids and at the
//! end of texts is removed, in Moses' format also at their start, and a byte order mark before the first id.

use super::plain_text::Lines;
use crate::error::Result;
use crate::text::trim_end;
use foldhash::HashMap;

/// The separator of Moses' fields.
const BARS: &str = "|||";

/// The candidate translations of one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateList<'a> {
    /// The id of the segment.
    pub id: String,
    /// The candidates in the order given, at least one. A text may be there more than once.
    pub candidates: Vec<&'a str>,
}

/// Whether the first line of a text has an id before its candidate: `id ||| text`, or with a tab between them.
pub fn is_nbest(lines: &Lines) -> bool {
    lines.iter_untrimmed().next().is_some_and(|line| line.contains(BARS) || line.contains('\t'))
}

/// Whether every line of a text has the fields of Moses' n-best lists: `id ||| text`.
pub fn is_moses_nbest(lines: &Lines) -> bool {
    !lines.is_empty() && lines.iter_untrimmed().all(|line| moses_fields(line).is_ok())
}

/// The lists of a text whose lines start with ids. The first line decides which format it is.
pub fn parse_nbest(lines: &Lines) -> Result<Vec<CandidateList<'_>>> {
    // Texts of a tab-separated list may have bars.
    let before_tab = |line: &str| line.split('\t').next().is_some_and(|start| start.contains(BARS));
    let is_moses = lines.iter_untrimmed().next().is_some_and(before_tab);
    let mut lists: Vec<CandidateList<'_>> = Vec::new();
    let mut starts: HashMap<&str, usize> = HashMap::default();
    for (i, line) in lines.iter_untrimmed().enumerate() {
        let bad = |what: String| lines.bad(i + 1, what);
        let line = if i == 0 { line.trim_start_matches('\u{feff}') } else { line };
        let (id, text) = if is_moses { moses_fields(line) } else { tab_fields(line) }.map_err(bad)?;
        if let Some(list) = lists.last_mut().filter(|list| list.id == id) {
            list.candidates.push(text);
            continue;
        }
        check_next(lists.last().map(|list| list.id.as_str()), id, starts.get(id)).map_err(bad)?;
        starts.insert(id, i + 1);
        lists.push(CandidateList { id: id.to_owned(), candidates: vec![text] });
    }
    check_any(lines, lists)
}

/// The lists of a text with `count` consecutive lines for each segment.
pub fn parse_candidates(lines: &Lines, count: usize) -> Result<Vec<CandidateList<'_>>> {
    if count == 0 || !lines.len().is_multiple_of(count) {
        return Err(lines.bad(
            lines.len(),
            format!(
                "the text ends after {} lines, which is no multiple of {count}: every segment needs {count} candidates",
                lines.len()
            ),
        ));
    }
    let list = |segment: usize| CandidateList {
        id: (segment + 1).to_string(),
        candidates: (segment * count..(segment + 1) * count).map(|i| lines.line(i)).collect(),
    };
    check_any(lines, (0..lines.len() / count).map(list).collect())
}

fn check_any<'a>(lines: &Lines, lists: Vec<CandidateList<'a>>) -> Result<Vec<CandidateList<'a>>> {
    if lists.is_empty() {
        return Err(lines.is_empty_error("there are no candidates"));
    }
    Ok(lists)
}

fn moses_fields(line: &str) -> Result<(&str, &str), String> {
    let mut fields = line.split(BARS);
    match (fields.next().map(str::trim), fields.next()) {
        (Some(id), Some(text)) if !id.is_empty() => Ok((id, text.trim())),
        (_, Some(_)) => Err("there is no id before the text".to_owned()),
        _ => Err(format!("expected `id {BARS} text` as in the first line, found no {BARS}")),
    }
}

fn tab_fields(line: &str) -> Result<(&str, &str), String> {
    let fields: Vec<&str> = line.split('\t').collect();
    match fields[..] {
        [id, text] if !id.trim().is_empty() => Ok((id.trim(), trim_end(text))),
        [_, _] => Err("there is no id before the text".to_owned()),
        _ => Err(format!("expected 2 tab-separated fields, an id and a text, found {}", fields.len())),
    }
}

/// Returns an error unless this id may follow the last one; `start` is the line where the same id was before.
fn check_next(last: Option<&str>, id: &str, start: Option<&usize>) -> Result<(), String> {
    if let Some(start) = start {
        return Err(format!(
            "the id {id} is here again after other ids, first in line {start}: keep its lines together"
        ));
    }
    let number = |id: &str| id.parse::<u64>().ok();
    match (last, last.and_then(number), number(id)) {
        (None, _, Some(first)) if first > 1 => Err(format!("the first id is {id}, expected 0 or 1")),
        (Some(last), Some(before), found) if found != before.checked_add(1) => {
            let expected = before.saturating_add(1);
            Err(format!(
                "expected the id {expected} after {last}, found {id}: ids that are numbers must be consecutive"
            ))
        }
        (Some(last), None, Some(_)) => {
            Err(format!("the id {id} is a number and the one before, {last}, is not: use one kind"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn lines(text: &str) -> Lines {
        Lines::from_bytes(Path::new("list"), text.as_bytes().to_vec()).unwrap()
    }

    fn read(text: &str) -> Vec<(String, Vec<String>)> {
        let lines = lines(text);
        let lists = parse_nbest(&lines).unwrap().into_iter();
        lists.map(|list| (list.id, list.candidates.into_iter().map(str::to_owned).collect())).collect()
    }

    fn list(id: &str, candidates: &[&str]) -> (String, Vec<String>) {
        (id.to_owned(), candidates.iter().map(|text| (*text).to_owned()).collect())
    }

    #[test]
    fn moses_and_tab_separated_lists_are_read() {
        let moses = "0 ||| a b ||| lm: -1 tm: -2 ||| -3.5\n0 |||  ||| x ||| -4\n1 ||| c ||| f ||| 1 ||| 0-0\n";
        assert_eq!(read(moses), [list("0", &["a b", ""]), list("1", &["c"])]);
        assert_eq!(read("1 ||| a\n2 ||| b ||| \n"), [list("1", &["a"]), list("2", &["b"])]);
        assert_eq!(read("doc-7\ta b \ndoc-7\tc\ndoc-2\t a\n"), [list("doc-7", &["a b", "c"]), list("doc-2", &[" a"])]);
    }

    #[test]
    fn texts_of_a_tab_separated_list_may_have_bars() {
        assert_eq!(read("0\ta ||| b\n0\tc\n"), [list("0", &["a ||| b", "c"])]);
        assert_eq!(read("0 ||| a\tb ||| x\n"), [list("0", &["a\tb"])]);
    }

    #[test]
    fn a_list_of_moses_has_bars_in_every_line() {
        assert!(is_moses_nbest(&lines("0 ||| a ||| f= 1 ||| -2\n0 ||| b\n")));
        for other in ["", "a b\nc d\n", "a ||| b\nc d\n", "0\ta\n"] {
            assert!(!is_moses_nbest(&lines(other)), "{other:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_id() {
        assert_eq!(read("\u{feff}0 ||| a\n0 ||| b\n"), [list("0", &["a", "b"])]);
        assert_eq!(read("\u{feff}0\ta\n1\tb\n"), [list("0", &["a"]), list("1", &["b"])]);
    }

    #[test]
    fn plain_lines_are_counted() {
        let lines = lines("a\nb\nc\nd\n");
        let lists = parse_candidates(&lines, 2).unwrap();
        assert_eq!((lists[1].id.as_str(), &lists[1].candidates[..]), ("2", &["c", "d"][..]));
        let error = parse_candidates(&lines, 3).unwrap_err().to_string();
        assert_eq!(
            error,
            "list:4: the text ends after 4 lines, which is no multiple of 3: every segment needs 3 candidates"
        );
    }

    #[test]
    fn errors_name_the_line_and_what_is_wrong() {
        for (text, expected) in [
            ("", "list is empty: there are no candidates"),
            ("3 ||| a\n", "list:1: the first id is 3, expected 0 or 1"),
            (
                "0 ||| a\n2 ||| b\n",
                "list:2: expected the id 1 after 0, found 2: ids that are numbers must be consecutive",
            ),
            (
                "0 ||| a\n1 ||| b\n0 ||| c\n",
                "list:3: the id 0 is here again after other ids, first in line 1: keep its lines together",
            ),
            (
                "0 ||| a\nx ||| b\n",
                "list:2: expected the id 1 after 0, found x: ids that are numbers must be consecutive",
            ),
            ("x\ta\n0\tb\n", "list:2: the id 0 is a number and the one before, x, is not: use one kind"),
            ("0 ||| a\n\n", "list:2: expected `id ||| text` as in the first line, found no |||"),
            (" ||| a\n", "list:1: there is no id before the text"),
            ("0\ta\tb\n", "list:1: expected 2 tab-separated fields, an id and a text, found 3"),
        ] {
            assert_eq!(parse_nbest(&lines(text)).unwrap_err().to_string(), expected, "{text:?}");
        }
    }
}
