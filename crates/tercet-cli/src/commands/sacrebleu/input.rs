//! References and systems, read as sacreBLEU reads them.
//!
//! Files end their lines at `\n` alone; on standard input `\r\n` and `\r` end a line too, and its systems are
//! columns. Trailing white space is removed, except inside the first line of standard input.

use super::failure::Failure;
use super::settings::Settings;
use crate::output;
use std::io::Read;
use std::path::Path;
use tercet::corpora::{Encoding, Lines, is_sgml, read_bytes};
use tercet::files;
use tercet::scoring::System;

/// Where the systems are read from.
pub enum Outputs {
    /// One file per system, with its name.
    Files(Vec<(String, Lines)>),
    /// Columns of standard input.
    Columns(Lines),
}

/// Reads text files; `.gz` is unpacked.
pub fn read_files(paths: &[String], encoding: Encoding) -> Result<Vec<Lines>, Failure> {
    paths.iter().map(|path| read_file(path, encoding)).collect()
}

fn read_file(name: &str, encoding: Encoding) -> Result<Lines, Failure> {
    // For sacreBLEU `-` is a file like any other.
    let path = if name == "-" { Path::new("./-") } else { Path::new(name) };
    let bytes = encoding.to_utf8(path, read_bytes(path)?)?;
    Ok(Lines::from_bytes(path, bytes)?)
}

/// References by stream, then line: one stream per file, or `count` columns of the only file.
pub fn references(files: &[Lines], count: i64) -> Result<Vec<Vec<&str>>, Failure> {
    if count == 1 {
        return Ok(files.iter().map(|file| file.iter().collect()).collect());
    }
    let columns = usize::try_from(count).unwrap_or_default();
    // As many as the first line has fields, not as many as the flag says: that number may be of any size.
    let mut streams = vec![Vec::new(); files.len()];
    for (number, line) in files.iter().flat_map(Lines::iter).enumerate() {
        let fields: Vec<&str> = match columns {
            0 => line.split('\t').collect(),
            _ => line.splitn(columns, '\t').collect(),
        };
        if fields.len() != columns {
            return Err(Failure::fields(format!(
                "FATAL: line {}: expected {count} fields, but found {}.",
                number + 1,
                fields.len()
            )));
        }
        if number == 0 {
            streams.resize_with(columns.max(files.len()), Vec::new);
        }
        for (stream, field) in streams.iter_mut().zip(fields) {
            stream.push(field);
        }
    }
    Ok(streams)
}

/// References of several test sets by stream, the sets one after the other. The first set has the most streams.
pub fn joined(files: &[Lines], counts: impl Iterator<Item = usize>) -> Result<Vec<Vec<&str>>, Failure> {
    let mut streams: Vec<Vec<&str>> = Vec::new();
    let mut rest = files;
    for count in counts {
        let (own, others) = rest.split_at(count);
        rest = others;
        if streams.is_empty() {
            streams.resize_with(count, Vec::new);
        } else if streams.len() != count {
            return Err(Failure::new("The test sets do not have the same number of references."));
        }
        streams.iter_mut().zip(own).for_each(|(stream, file)| stream.extend(file.iter()));
    }
    Ok(streams)
}

/// Warns of files of SGML: sacreBLEU takes them as lines of text, tags and all.
pub fn warn_of_sgml(references: &[Lines], outputs: &Outputs) {
    let outputs: Vec<&Lines> = match outputs {
        Outputs::Files(files) => files.iter().map(|(_, lines)| lines).collect(),
        Outputs::Columns(lines) => vec![lines],
    };
    for lines in references.iter().chain(outputs).filter(|lines| is_sgml(lines)) {
        let how = "its tags are scored as text, as sacreBLEU does (tercet score reads SGML)";
        output::warn(format_args!("{} is SGML or XML: {how}", shown(lines.path())));
    }
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Reads the files of `-i`, or standard input.
pub fn read_outputs(settings: &Settings, encoding: Encoding) -> Result<Outputs, Failure> {
    let Some(names) = settings.inputs() else {
        let path = Path::new("-");
        let mut bytes = Vec::new();
        let read = files::stdin().and_then(|mut stdin| stdin.read_to_end(&mut bytes));
        read.map_err(|error| Failure::new(format!("cannot read standard input: {error}")))?;
        let bytes = encoding.to_utf8(path, bytes)?;
        return Ok(Outputs::Columns(Lines::from_bytes(path, with_newlines_only(bytes))?));
    };
    let mut files: Vec<(String, Lines)> = Vec::new();
    for name in names {
        if let Some(place) = files.iter().position(|(known, _)| known == name) {
            if place > 0 || settings.paired_test().is_none() {
                return Err(Failure::new(format!(
                    "'{name}' already used to name a system.\nMake sure to have a different basename for each system."
                )));
            }
            if !settings.has("--quiet") {
                output::note(format_args!("sacreBLEU: Ignoring '{name}' as it was also given as the baseline."));
            }
            continue;
        }
        files.push((name.clone(), read_file(name, encoding)?));
    }
    Ok(Outputs::Files(files))
}

/// Converts all line endings to `\n`.
fn with_newlines_only(bytes: Vec<u8>) -> Vec<u8> {
    if !bytes.contains(&b'\r') {
        return bytes;
    }
    let mut text = Vec::with_capacity(bytes.len());
    for (i, &byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' => text.push(b'\n'),
            b'\n' if i > 0 && bytes[i - 1] == b'\r' => {}
            _ => text.push(byte),
        }
    }
    text
}

/// The systems with their names in the report.
pub fn systems(outputs: &Outputs, paired: bool) -> Result<Vec<System<'_>>, Failure> {
    let mut systems = match outputs {
        Outputs::Files(files) => files
            .iter()
            .map(|(name, lines)| System { name: name.clone(), hypotheses: lines.iter().collect() })
            .collect(),
        Outputs::Columns(lines) => columns(lines)?,
    };
    match (outputs, systems.first_mut()) {
        (Outputs::Files(_), Some(first)) if paired => first.name = format!("Baseline: {}", first.name),
        (Outputs::Files(_), None) if paired => return Err(Failure::new("there is no system to test")),
        (Outputs::Columns(_), _) if paired => name_columns(&mut systems),
        _ => {}
    }
    Ok(systems)
}

/// With a test, the first column is the baseline and the others are counted from 1.
fn name_columns(systems: &mut [System<'_>]) {
    for (i, system) in systems.iter_mut().enumerate() {
        system.name = match i {
            0 => "Baseline".to_owned(),
            _ => format!("System {i}"),
        };
    }
}

fn columns(lines: &Lines) -> Result<Vec<System<'_>>, Failure> {
    // Empty input counts as one empty line.
    let first = if lines.is_empty() { "" } else { lines.line(0) };
    let mut systems: Vec<System<'_>> = first
        .split('\t')
        .enumerate()
        .map(|(i, field)| System { name: format!("System {}", i + 1), hypotheses: vec![field] })
        .collect();
    for line in lines.iter().skip(1) {
        if line.split('\t').count() != systems.len() {
            return Err(Failure::fields(
                "FATAL: the number of tab-delimited fields in the input stream differ across lines.",
            ));
        }
        for (system, field) in systems.iter_mut().zip(line.split('\t')) {
            system.hypotheses.push(tercet::text::trim_end(field));
        }
    }
    Ok(systems)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Lines {
        Lines::from_bytes(Path::new("x"), text.as_bytes().to_vec()).unwrap()
    }

    #[test]
    fn any_newline_ends_a_line_of_standard_input() {
        assert_eq!(with_newlines_only(b"a\r\nb\rc\n\rd".to_vec()), b"a\nb\nc\n\nd");
    }

    #[test]
    fn columns_are_systems_and_must_be_even() {
        let outputs = Outputs::Columns(lines("a \tb\nc \td\n"));
        let found = systems(&outputs, true).unwrap();
        assert_eq!((found[0].name.as_str(), found[1].name.as_str()), ("Baseline", "System 1"));
        assert_eq!(found[0].hypotheses, ["a ", "c"]);
        let ragged = Outputs::Columns(lines("a\tb\nc\n"));
        assert_eq!(systems(&ragged, false).unwrap_err().code, 17);
        let nothing = Outputs::Columns(lines(""));
        assert_eq!(systems(&nothing, false).unwrap()[0].hypotheses, [""]);
    }

    #[test]
    fn the_last_reference_of_a_line_keeps_its_tabs() {
        let files = [lines("a\tb\tc\nd\te\n")];
        assert_eq!(references(&files, 2).unwrap(), [["a", "d"], ["b\tc", "e"]]);
        assert_eq!(references(&files, 3).unwrap_err().code, 17);
        assert_eq!(references(&files, 0).unwrap_err().code, 17);
    }
}
