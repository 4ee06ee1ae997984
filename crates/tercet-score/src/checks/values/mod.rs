//! What translations keep as it is: numbers, units, placeholders, URLs, e-mail addresses.
//!
//! Only what source and references agree on is expected of an output. Placeholders and URLs are compared with the
//! source alone if there are no references; numbers too.

mod marks;
mod numbers;

use super::findings::Sink;
use super::marks::bytes;
use super::texts::Segment;
use marks::{emails, placeholders, urls};
use numbers::{Numbers, wrong_unit};
use tercet_base::CheckKind::{self, Email, Number, Placeholder, Unit, Url};
use tercet_base::Detail;

/// What the texts that an output is compared with have, each a sorted list.
pub(super) struct SegmentValues {
    numbers: Vec<Numbers>,
    marks: [Vec<Vec<String>>; 3],
}

/// The kinds of values that are compared as they are written, with what finds them.
type Finder = fn(&str) -> Vec<String>;
const MARKS: [(CheckKind, Finder); 3] = [(Placeholder, placeholders), (Url, urls), (Email, emails)];

impl SegmentValues {
    pub fn new(references: &[&str], source: Option<&str>) -> Self {
        let others = || references.iter().copied().chain(source);
        SegmentValues {
            numbers: others().map(Numbers::find).collect(),
            marks: MARKS.map(|(_, find)| others().map(find).collect()),
        }
    }
}

/// Checks an output.
pub(super) fn check(line: &str, classes: u8, segment: &Segment<'_, '_>, sink: &mut Sink<'_>) {
    if !sink.kinds.has_any(&[Number, Unit, Placeholder, Url, Email]) || segment.others().next().is_none() {
        return;
    }
    let values = segment.values();
    // The URL of an output needs no byte of a class.
    let has_value = classes & bytes::VALUE != 0 || line.contains("www.") || line.contains("http");
    if !has_value && values.is_empty() {
        return;
    }
    for ((kind, find), expected) in MARKS.iter().zip(&values.marks) {
        if sink.wants(*kind) {
            let (missing, added) = differences(&find(line), expected);
            // Letters that are only in the output may stand for what only the source has in another form.
            if !missing.is_empty() || !added.is_empty() {
                sink.add(*kind, Detail::Values { missing, added });
            }
        }
    }
    if sink.wants(Number) {
        let missing = numbers::missing(line, &values.numbers);
        if !missing.is_empty() {
            sink.add(Number, Detail::Values { missing, added: Vec::new() });
        }
    }
    if sink.wants(Unit)
        && let Some((expected, found)) = wrong_unit(line, segment.others())
    {
        sink.add(Unit, Detail::Values { missing: vec![expected], added: vec![found] });
    }
}

impl SegmentValues {
    fn is_empty(&self) -> bool {
        self.numbers.iter().all(Numbers::is_empty) && self.marks.iter().flatten().all(Vec::is_empty)
    }
}

/// The values that all other texts have and the output has not, and those that only the output has. A value that is
/// there twice is wanted twice.
fn differences(found: &[String], others: &[Vec<String>]) -> (Vec<String>, Vec<String>) {
    let count = |values: &[String], value: &str| values.iter().filter(|other| *other == value).count();
    let fewest = |value: &str| others.iter().map(|other| count(other, value)).min().unwrap_or(0);
    let most = |value: &str| others.iter().map(|other| count(other, value)).max().unwrap_or(0);
    let mut expected: Vec<&String> = others.iter().flatten().collect();
    expected.sort_unstable();
    expected.dedup();
    let missing = expected.into_iter().filter(|value| count(found, value) < fewest(value)).cloned().collect();
    let mut added: Vec<String> = found.iter().filter(|value| count(found, value) > most(value)).cloned().collect();
    added.dedup();
    (missing, added)
}
