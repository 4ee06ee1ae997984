//! Rows of an MQM table: one error marked by one rater.
//!
//! Tab-separated with a header, nothing quoted: `system doc doc_id seg_id rater source target category severity`, then
//! optionally `comment`. Newer tables call the segment's number in its document `docSegId`, its number in the set
//! `globalSegId`, and have a column `metadata` in JSON. Columns are found by name. A last column of the header that
//! begins with `#` points to documentation and has no fields below it. A segment without errors has one row, of
//! severity `No-error`.
//!
//! The span of an error is between `<v>` and `</v>` in the source or the target; texts are returned without these tags
//! and without trailing white space. Two rows of the same segment sometimes differ in more than tags; the text of the
//! first counts, and the marked words of the others are looked for in it.

use crate::Lines;
use crate::error::Result;
use crate::ratings::{MarkedText, moved};
use crate::text::trim_end;
use foldhash::HashMap;
use std::borrow::Cow;
use std::ops::Range;

/// One row: an error, or `No-error`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation<'a> {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Index of the system.
    pub system: usize,
    /// Index of the segment.
    pub segment: usize,
    /// Name of the rater.
    pub rater: &'a str,
    /// Category of the error, such as `Fluency/Punctuation`.
    pub category: &'a str,
    /// Severity, such as `Major`.
    pub severity: &'a str,
    /// The text that the error is marked in.
    pub side: MarkedText,
    /// The characters that are marked, in the text of the table; `None` if nothing is, or what is marked is not in it.
    pub place: Option<Range<usize>>,
    /// The JSON of the column `metadata`, empty if there is none.
    pub metadata: &'a str,
}

/// A segment of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RatedSegment<'a> {
    /// Name of the document.
    pub document: &'a str,
    /// Number of the segment in the set, or in its document if the table has no other.
    pub name: &'a str,
    /// The source, without tags.
    pub source: String,
}

/// A whole MQM table.
#[derive(Clone, Debug, Default)]
pub struct Annotations<'a> {
    /// Names of the systems, in order of appearance.
    pub systems: Vec<&'a str>,
    /// The segments, by number if all have one, else in order of appearance.
    pub segments: Vec<RatedSegment<'a>>,
    /// All rows in the order of the file.
    pub rows: Vec<Annotation<'a>>,
    /// Translations without tags: `targets[system][segment]`.
    pub targets: Vec<Vec<Option<String>>>,
}

/// Where the columns are.
struct Columns {
    system: usize,
    document: usize,
    in_document: usize,
    in_set: Option<usize>,
    rater: usize,
    source: usize,
    target: usize,
    category: usize,
    severity: usize,
    metadata: Option<usize>,
    /// Numbers of fields a row may have.
    widths: [usize; 2],
}

impl Columns {
    fn find(lines: &Lines) -> Result<Columns> {
        let header = lines.iter_untrimmed().next().unwrap_or_default().trim_end_matches('\r');
        let names: Vec<&str> = header.split('\t').collect();
        let optional = |of: &[&str]| names.iter().position(|name| of.contains(name));
        let column = |of: &[&str]| {
            optional(of).ok_or_else(|| {
                lines.bad(1, format!("expected the header of an MQM table with a column `{}`, found {header:?}", of[0]))
            })
        };
        let documented = names.last().is_some_and(|name| name.starts_with('#'));
        Ok(Columns {
            system: column(&["system"])?,
            document: column(&["doc"])?,
            in_document: column(&["doc_id", "docSegId"])?,
            in_set: optional(&["seg_id", "globalSegId"]),
            rater: column(&["rater"])?,
            source: column(&["source"])?,
            target: column(&["target"])?,
            category: column(&["category"])?,
            severity: column(&["severity"])?,
            metadata: optional(&["metadata"]),
            widths: [names.len() - usize::from(documented), names.len()],
        })
    }
}

impl<'a> Annotations<'a> {
    /// Reads a table.
    pub fn parse(lines: &'a Lines) -> Result<Self> {
        let columns = Columns::find(lines)?;
        let mut table = Annotations::default();
        let (mut systems, mut segments) = (HashMap::default(), HashMap::default());
        for (i, line) in lines.iter_untrimmed().enumerate().skip(1) {
            let fields: Vec<&str> = line.trim_end_matches('\r').split('\t').collect();
            if !columns.widths.contains(&fields.len()) {
                return Err(lines.bad(
                    i + 1,
                    format!(
                        "expected {} tab-separated fields as in the header, found {}",
                        columns.widths[0],
                        fields.len()
                    ),
                ));
            }
            let system = *systems.entry(fields[columns.system]).or_insert_with(|| {
                table.systems.push(fields[columns.system]);
                table.targets.push(Vec::new());
                table.systems.len() - 1
            });
            let place = (fields[columns.document], fields[columns.in_document]);
            let segment = *segments.entry(place).or_insert_with(|| {
                table.segments.push(RatedSegment {
                    document: place.0,
                    name: fields[columns.in_set.unwrap_or(columns.in_document)],
                    source: Marked::read(fields[columns.source]).text.into_owned(),
                });
                table.segments.len() - 1
            });
            let (source, target) = (Marked::read(fields[columns.source]), Marked::read(fields[columns.target]));
            let target_text = table.keep_target(system, segment, &target.text);
            let (side, place) = match target.place {
                None if source.place.is_some() => {
                    (MarkedText::Source, source.place_in(&table.segments[segment].source))
                }
                _ => (MarkedText::Output, target.place_in(target_text)),
            };
            table.rows.push(Annotation {
                line: i + 1,
                system,
                segment,
                rater: fields[columns.rater],
                category: fields[columns.category],
                severity: fields[columns.severity],
                side,
                place,
                metadata: columns.metadata.map_or("", |column| fields[column]),
            });
        }
        table.order_segments();
        Ok(table)
    }

    /// The text of a translation: that of its first row.
    fn keep_target(&mut self, system: usize, segment: usize, target: &str) -> &str {
        let targets = &mut self.targets[system];
        if targets.len() <= segment {
            targets.resize(segment + 1, None);
        }
        targets[segment].get_or_insert_with(|| target.to_owned())
    }

    /// Sorts segments by number, and gives every system an entry for each.
    fn order_segments(&mut self) {
        let count = self.segments.len();
        self.targets.iter_mut().for_each(|targets| targets.resize(count, None));
        let numbers: Option<Vec<u64>> = self.segments.iter().map(|segment| segment.name.parse().ok()).collect();
        let Some(numbers) = numbers else { return };
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|&segment| numbers[segment]);
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(to, &from)| place[from] = to);
        self.segments = order.iter().map(|&from| self.segments[from].clone()).collect();
        for targets in &mut self.targets {
            *targets = order.iter().map(|&from| targets[from].take()).collect();
        }
        self.rows.iter_mut().for_each(|row| row.segment = place[row.segment]);
    }
}

/// A text without its tags.
struct Marked<'t> {
    text: Cow<'t, str>,
    /// The characters that were between tags, without white space at the end of the text.
    place: Option<Range<usize>>,
}

impl<'t> Marked<'t> {
    fn read(text: &'t str) -> Marked<'t> {
        let Some(start) = text.find("<v>") else {
            let text = if text.contains("</v>") { text.replace("</v>", "").into() } else { Cow::Borrowed(text) };
            return Marked { text: trimmed(text), place: None };
        };
        let rest = &text[start + "<v>".len()..];
        let marked = &rest[..rest.find("</v>").unwrap_or(rest.len())];
        let plain = trimmed(text.replace("<v>", "").replace("</v>", "").into());
        // Tags before the first mark, and marks inside of it, are none in any known table.
        let start = text[..start].replace("</v>", "").chars().count();
        let end = (start + marked.replace("<v>", "").chars().count()).min(plain.chars().count());
        Marked { text: plain, place: (start < end).then_some(start..end) }
    }

    /// The place in another version of the text.
    fn place_in(&self, kept: &str) -> Option<Range<usize>> {
        let place = self.place.as_ref()?;
        if self.text == kept {
            return Some(place.clone());
        }
        let marked: String = self.text.chars().skip(place.start).take(place.len()).collect();
        moved(&marked, place, kept)
    }
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => trim_end(text).into(),
        Cow::Owned(text) => trim_end(&text).to_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn lines(text: &str) -> Lines {
        Lines::from_bytes(Path::new("m.tsv"), text.as_bytes().to_vec()).unwrap()
    }

    const OLD: &str = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n";

    #[test]
    fn rows_refer_to_segments_and_texts_lose_their_tags() {
        let text = format!(
            "{OLD}b\td\t2\t9\tr1\tq\t\"x <v>y</v>\t Fluency\tMinor\n\
             b\td\t1\t8\tr1\tp\tz<v> </v>\tNo-error\tNo-error\na\td\t2\t9\tr2\tq\tw\tOther\tMajor\n"
        );
        let lines = lines(&text);
        let table = Annotations::parse(&lines).unwrap();
        assert_eq!(table.systems, ["b", "a"]);
        assert_eq!(table.segments.iter().map(|segment| segment.name).collect::<Vec<_>>(), ["8", "9"]);
        assert_eq!(
            table.targets[0],
            [Some("z".to_owned()), Some("\"x y".to_owned())],
            "quotes are text, white space at the end goes"
        );
        assert_eq!(table.targets[1], [None, Some("w".to_owned())]);
        let places: Vec<_> = table.rows.iter().map(|row| (row.line, row.system, row.segment)).collect();
        assert_eq!(places, [(2, 0, 1), (3, 0, 0), (4, 1, 1)]);
    }

    #[test]
    fn marks_are_places_in_the_text_of_the_first_row() {
        let row = |source: &str, target: &str| format!("a\td\t1\t1\tr\t{source}\t{target}\tOther\tMajor\n");
        let rows = [
            row("das <v>Haus</v>", "the é house"),
            row("das Haus", "the é <v>house</v> "),
            row("das Haus", "the é hou<v>se </v> "),
            row("das Haus", "say the <v>house</v>"),
            row("das Haus", "the <v>home</v>"),
            row("das Haus", "the é house <v> </v>"),
        ];
        let lines = lines(&format!("{OLD}{}", rows.concat()));
        let table = Annotations::parse(&lines).unwrap();
        assert_eq!(table.targets[0][0].as_deref(), Some("the é house"));
        let marks: Vec<_> = table.rows.iter().map(|row| (row.side, row.place.clone())).collect();
        let output = |place| (MarkedText::Output, place);
        let found = [Some(6..11), Some(9..11), Some(6..11), None, None].map(output);
        assert_eq!(marks, [vec![(MarkedText::Source, Some(4..8))], found.to_vec()].concat());
    }

    #[test]
    fn newer_tables_have_metadata_and_a_column_for_documentation() {
        let text = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# see\n\
                    a\td\t1\t1\tr\ts\tt\tOther\tMinor\t{}\n";
        let lines = lines(text);
        assert_eq!(Annotations::parse(&lines).unwrap().rows[0].metadata, "{}");
    }

    #[test]
    fn errors_name_file_and_line() {
        let message = |text: &str| Annotations::parse(&lines(text)).unwrap_err().to_string();
        assert_eq!(
            message("system\tdoc\n"),
            "m.tsv:1: expected the header of an MQM table with a column `doc_id`, found \"system\\tdoc\""
        );
        assert_eq!(
            message(&format!("{OLD}a\tb\n")),
            "m.tsv:2: expected 9 tab-separated fields as in the header, found 2"
        );
    }
}
