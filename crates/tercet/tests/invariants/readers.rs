//! Properties of the readers of [`corpora`](tercet::corpora): any bytes are read or are an error, never a panic, and
//! the result corresponds to the bytes.

use std::path::Path;
use tercet::Error;
use tercet::corpora::formats::parse_nli;
use tercet::corpora::rows::{FieldNames, FieldRole, Need, OpenedFile, RowFormat, RowWriter, WantedFields, check_lines};
use tercet::corpora::{
    ChallengeFields, Lines, Role, SegmentOrder, SgmlFile, SgmlKind, TextTable, is_sgml, parse_candidates,
    parse_challenge, parse_nbest, read_bytes, split_references,
};
use tercet::text::{Language, is_whitespace};

/// Plain text: lines end at `\n` only, nothing but trailing white space is lost.
pub fn plain_text(bytes: &[u8]) -> Option<Lines> {
    let read = Lines::from_bytes(Path::new("input.txt"), bytes.to_vec());
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = read.expect_err("not UTF-8").to_string();
        assert!(message.starts_with("input.txt"), "{message}");
        return None;
    };
    let lines = match read {
        // Zero bytes in a pattern are UTF-16, even where they are UTF-8 too.
        Err(Error::OtherEncoding { .. }) if bytes.contains(&0) => return None,
        Err(Error::Packed { .. }) if bytes.starts_with(b"BZh") || bytes.starts_with(b"PK\x03\x04") => {
            return None;
        }
        read => read.expect("UTF-8 is text"),
    };
    assert_eq!(lines.len(), text.matches('\n').count() + usize::from(!text.is_empty() && !text.ends_with('\n')));
    assert_eq!(lines.is_empty(), text.is_empty());
    assert_eq!(lines.iter().len(), lines.len());
    let untrimmed: Vec<&str> = lines.iter_untrimmed().collect();
    assert_eq!(untrimmed.join("\n"), text.strip_suffix('\n').unwrap_or(text), "a line was lost");
    if let Err(error) = check_lines(&lines, FieldRole::Hypothesis) {
        assert!(error.to_string().starts_with("input.txt "), "{error}");
    }
    for (i, (line, whole)) in lines.iter().zip(untrimmed).enumerate() {
        assert_eq!(line, lines.line(i));
        let rest = whole.strip_prefix(line).expect("a line starts its untrimmed line");
        assert!(rest.chars().all(is_whitespace), "{whole:?} was cut to {line:?}");
        assert!(!line.ends_with(is_whitespace), "{line:?}");
    }
    Some(lines)
}

/// Pairs of sentences with labels: every line is a pair, with or without a label, or the error names the file.
pub fn inference_pairs(bytes: &[u8]) {
    let Some(lines) = plain_text(bytes) else { return };
    match parse_nli(&lines) {
        Err(error) => assert!(error.to_string().starts_with("input.txt"), "{error}"),
        Ok(read) => {
            assert!(read.pairs.len() + read.without_label <= lines.len());
            let texts = read.pairs.iter().flat_map(|pair| &pair.sentences);
            assert!(texts.map(String::len).all(|length| length <= bytes.len()));
        }
    }
}

/// Challenge sets: every row is a pair with a reference, or the error names the file.
pub fn challenge_sets(bytes: &[u8]) {
    let Some(lines) = plain_text(bytes) else { return };
    match parse_challenge(&lines, &ChallengeFields::default()) {
        Err(error) => assert!(error.to_string().starts_with("input.txt"), "{error}"),
        Ok(items) => {
            assert!(!items.is_empty());
            assert!(items.iter().all(|item| !item.good.trim().is_empty() && !item.reference.trim().is_empty()));
        }
    }
}

/// N-best lists: every line is a candidate of one list, or the error names the file.
pub fn candidate_lists(bytes: &[u8], count: usize) {
    let Some(lines) = plain_text(bytes) else { return };
    for read in [parse_nbest(&lines), parse_candidates(&lines, count)] {
        match read {
            Err(error) => assert!(error.to_string().starts_with("input.txt"), "{error}"),
            Ok(lists) => {
                assert!(lists.iter().all(|list| !list.candidates.is_empty() && !list.id.is_empty()));
                assert_eq!(lists.iter().map(|list| list.candidates.len()).sum::<usize>(), lines.len());
            }
        }
    }
}

/// Rows with named fields: what is read can be written in every format and read again, or the error names the file. The
/// texts are the same, except that a list becomes JSON in a table, and a number of a table a text in JSON.
pub fn rows(bytes: &[u8]) {
    let is_table = |format: RowFormat| matches!(format, RowFormat::Csv | RowFormat::Tsv);
    for name in ["input", "input.jsonl", "input.json", "input.csv", "input.tsv"] {
        let Some((of_file, texts)) = row_texts(name, bytes.to_vec(), &mut []) else { continue };
        for format in [RowFormat::JsonLines, RowFormat::Json, RowFormat::Csv, RowFormat::Tsv] {
            let mut writers = [RowWriter::new(Vec::new(), Path::new("input"), format, &["new score".to_owned()])];
            row_texts(name, bytes.to_vec(), &mut writers);
            let [writer] = writers;
            let written = writer.finish().expect("memory can be written to");
            let again = row_texts(&format!("input.{}", format.ending()), written, &mut []);
            // A row that cannot be written ends the file.
            if let Some((_, again)) = again.filter(|_| is_table(of_file) == is_table(format)) {
                assert_eq!(again[..], texts[..again.len()], "{name} as {format:?}");
            }
        }
    }
}

/// The texts of rows, one list for each; none if they cannot be read. Writes them with a number.
fn row_texts(name: &str, bytes: Vec<u8>, writers: &mut [RowWriter<Vec<u8>>]) -> Option<(RowFormat, Vec<Vec<String>>)> {
    let refused = |error: Error| {
        assert!(error.to_string().contains("input"), "{error}");
        None
    };
    let mut rows = match OpenedFile::from_bytes(Path::new(name), bytes).and_then(OpenedFile::into_rows) {
        Ok(rows) => rows,
        Err(error) => return refused(error),
    };
    let wanted = WantedFields { reference: Need::Optional, ..WantedFields::ALL };
    let sample = match rows.sample() {
        Ok(sample) => sample.to_vec(),
        Err(error) => return refused(error),
    };
    let fields = match FieldNames::default().find(&sample, wanted, Path::new("input")) {
        Ok(fields) => fields,
        Err(error) => return refused(error),
    };
    let mut texts = Vec::new();
    loop {
        let row = match rows.next_row() {
            Ok(None) => return Some((rows.format(), texts)),
            Ok(Some(row)) => row,
            Err(error) => return refused(error),
        };
        match fields.segment(&row) {
            Ok(segment) => {
                texts.push([segment.hypotheses, segment.references].concat().into_iter().map(String::from).collect())
            }
            Err(error) => return refused(error),
        }
        for writer in &mut *writers {
            if let Err(error) = writer.write(&row, &[0.5]) {
                return refused(error);
            }
        }
    }
}

/// Tab-separated text: every column has every row, or the error names the first line of another length.
pub fn table(bytes: &[u8], header: bool) {
    let Some(lines) = plain_text(bytes) else { return };
    let rows = lines.len().saturating_sub(usize::from(header));
    let widths: Vec<usize> = lines.iter_untrimmed().map(|line| line.split('\t').count()).collect();
    let ragged = widths.iter().position(|width| *width != widths[0]);
    if let Err(error) = TextTable::from_lines(&lines, header) {
        assert!(error.to_string().starts_with("input.txt:"), "{error}");
    }
    match (TextTable::verbatim(&lines, header), ragged) {
        (Ok(table), None) => {
            for (role, column) in table.into_columns(None).expect("every column is a system") {
                assert!(matches!(role, Role::System(Some(_))));
                assert_eq!(column.len(), rows);
            }
        }
        (Err(error), Some(line)) => {
            assert!(error.to_string().starts_with(&format!("input.txt:{}: ", line + 1)), "{error}");
        }
        (read, _) => panic!("widths {widths:?}, but {read:?}"),
    }
}

/// References side by side: as many as asked for, or an error with the line; without a number, all fields.
pub fn references(bytes: &[u8], count: usize) {
    let Some(lines) = plain_text(bytes) else { return };
    let any = split_references(&lines, None).expect("any number will do");
    assert_eq!(any.len(), lines.len());
    for (references, line) in any.iter().zip(lines.iter_untrimmed()) {
        assert_eq!(references.len(), line.split('\t').count());
    }
    let other = any.iter().position(|references| references.len() != count);
    match (split_references(&lines, Some(count)), other) {
        (Ok(segments), None) => assert!(segments.iter().all(|references| references.len() == count)),
        (Err(error), Some(line)) => {
            assert!(error.to_string().starts_with(&format!("input.txt:{}: ", line + 1)), "{error}");
        }
        (read, line) => panic!("{count} references, line {line:?} has another number, but {read:?}"),
    }
}

/// Roles of columns: read, or an error with the name.
pub fn roles(text: &str) {
    match Role::parse_list(text) {
        Ok(roles) => assert_eq!(roles.len(), text.split(',').count()),
        Err(error) => assert!(error.to_string().starts_with("unknown column role"), "{error}"),
    }
}

/// Score files, through a real file: all scores are finite, or the error names the file.
pub fn scores(path: &Path, bytes: &[u8]) {
    std::fs::write(path, bytes).expect("a scratch file can be written");
    match tercet::corpora::read_scores(path) {
        Ok(columns) => {
            assert!(!columns.is_empty());
            for column in columns {
                assert!(!column.scores.is_empty());
                assert!(column.scores.iter().all(|score| score.is_finite()));
            }
        }
        Err(error) => assert!(error.to_string().contains(&path.display().to_string()), "{error}"),
    }
}

/// SGML: texts whose segments are lines without white space at their ends, in any order of their own, or an error that
/// names the file. Returns the texts of all segments.
pub fn sgml(bytes: &[u8]) -> Option<Vec<String>> {
    let lines = plain_text(bytes)?;
    let recognised = is_sgml(&lines);
    let file = match SgmlFile::parse(&lines) {
        Ok(file) => file,
        Err(error) => {
            assert!(error.to_string().starts_with("input.txt"), "{error}");
            return None;
        }
    };
    let mut all = Vec::new();
    for kind in [SgmlKind::Source, SgmlKind::Reference, SgmlKind::Translation] {
        for text in file.texts(kind).into_iter().flatten() {
            let order = SegmentOrder::new(text);
            let read = order.lines_of(text).expect("a text has its own segments");
            assert_eq!(read.len(), order.len());
            let segments = text.documents().iter().flat_map(|document| document.segments());
            for (line, (_, segment)) in read.iter_untrimmed().zip(segments) {
                assert_eq!(line, segment);
                assert_eq!(segment.trim_ascii(), segment);
                assert!(!segment.contains(['\n', '\r', '\t']), "{segment:?}");
                all.push(segment.to_owned());
            }
        }
    }
    recognised.then_some(all)
}

/// Any texts written as SGML are read again, but for white space and `<skipped>`.
pub fn sgml_round_trip(texts: &[String]) {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let segment = |(i, text): (usize, &String)| format!("<seg id=\"{i}\">{}</seg>\n", escaped(text));
    let segments: String = texts.iter().enumerate().map(segment).collect();
    let file = format!("<tstset setid=\"s\">\n<doc docid=\"d\" sysid=\"a\">\n{segments}</doc>\n</tstset>\n");
    let is_space = |c: char| c.is_ascii_whitespace() || c == '\u{b}';
    let words = |text: &str| text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let expected: Vec<String> = texts.iter().map(|text| words(text)).collect();
    assert_eq!(sgml(file.as_bytes()).expect("SGML"), expected);
}

/// A file that may be compressed: unpacked, or an error that names it.
pub fn compressed(folder: &Path, bytes: &[u8]) {
    let path = folder.join("some-file.zst");
    std::fs::write(&path, bytes).expect("a scratch file can be written");
    // Zstd has skippable frames too, whose first byte is any of sixteen.
    let marks: [&[u8]; 3] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"];
    let is_packed =
        marks.iter().any(|mark| bytes.starts_with(mark) || bytes.get(1..).is_some_and(|rest| rest.starts_with(mark)));
    match read_bytes(&path) {
        Ok(read) => assert!(is_packed || read == bytes),
        Err(error) => {
            assert!(is_packed, "{error}");
            assert!(error.to_string().contains("some-file.zst"), "{error}");
        }
    }
}

/// A language or pair: its code is the same language again, or the error repeats the text.
pub fn language(text: &str) {
    if let Ok(language) = Language::target(text) {
        let again = Language::target(language.code()).expect("a code is a language");
        assert_eq!((again.code(), again.name()), (language.code(), language.name()));
        assert!(!language.code().is_empty() && !language.name().is_empty());
    }
}
