//! Where pairs come from: two files of lines, or rows with two fields.

use crate::corpora::LineStream;
use crate::corpora::rows::{Field, FieldNames, Need, OpenedFile, Row, RowFormat, RowReader, WantedFields};
use crate::error::{Error, Result};
use crate::text::trim_end;
use std::borrow::Cow;
use std::path::Path;

/// Pairs of a source and a target, read in batches.
pub trait PairReader {
    /// Adds the next pairs, at most so many; false if there are no more after them.
    fn read(&mut self, pairs: &mut Vec<(String, String)>, most: usize) -> Result<bool>;

    /// Reads all pairs, and counts them.
    fn count(&mut self) -> Result<usize> {
        let (mut pairs, mut count) = (Vec::new(), 0);
        loop {
            let is_more = self.read(&mut pairs, super::SAMPLE)?;
            count += pairs.len();
            pairs.clear();
            if !is_more {
                return Ok(count);
            }
        }
    }
}

/// Pairs in memory.
impl<I: Iterator<Item = (String, String)>> PairReader for I {
    fn read(&mut self, pairs: &mut Vec<(String, String)>, most: usize) -> Result<bool> {
        let before = pairs.len();
        pairs.extend(self.take(most));
        Ok(pairs.len() - before == most)
    }
}

/// The lines of two files.
pub struct LinePairs {
    files: [LineStream; 2],
    lines: [String; 2],
}

impl LinePairs {
    /// Opens the file of the sources and that of the targets.
    pub fn open(source: &Path, target: &Path) -> Result<Self> {
        Ok(LinePairs { files: [LineStream::open(source)?, LineStream::open(target)?], lines: Default::default() })
    }

    /// The next source and target. Returns an error if one file ends before the other.
    pub fn next_pair(&mut self) -> Result<Option<[&str; 2]>> {
        let [source, target] = &mut self.files;
        let [of_source, of_target] = &mut self.lines;
        match (source.next_line(of_source)?, target.next_line(of_target)?) {
            (true, true) => Ok(Some([trim_end(of_source), trim_end(of_target)])),
            (false, false) => Ok(None),
            (has_source, _) => {
                let (shorter, longer) = if has_source { (target, source) } else { (source, target) };
                let (path, other, lines) = (shorter.path(), longer.path().display(), shorter.line_number());
                Err(Error::bad_file(
                    path,
                    format!("it ends after {lines} lines, and {other} goes on: pairs are line by line"),
                ))
            }
        }
    }
}

impl PairReader for LinePairs {
    fn read(&mut self, pairs: &mut Vec<(String, String)>, most: usize) -> Result<bool> {
        for _ in 0..most {
            match self.next_pair()? {
                Some([source, target]) => pairs.push((source.to_owned(), target.to_owned())),
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

/// Rows with a field of sources and one of targets.
pub struct RowPairs {
    rows: RowReader,
    source: Field,
    target: Field,
    format: RowFormat,
}

impl RowPairs {
    /// Opens a file. Fields that are not named are found by their usual names.
    pub fn open(path: &Path, source: Option<&str>, target: Option<&str>) -> Result<Self> {
        let file = OpenedFile::open(path)?;
        let format = file.expected_row_format();
        let mut rows = file.into_rows()?;
        let sample = rows.sample()?;
        let names = |hypothesis: Vec<String>, reference: Vec<String>| FieldNames {
            hypothesis,
            reference,
            source: source.map(str::to_owned),
            ..FieldNames::default()
        };
        let given: Vec<String> = target.map(str::to_owned).into_iter().collect();
        let as_translations = WantedFields { hypothesis: Need::Required, reference: Need::No, source: Need::Required };
        let as_references = WantedFields { hypothesis: Need::No, reference: Need::Required, source: Need::Required };
        // The targets of a parallel corpus are called `target` more often than `translation`.
        let found = match names(Vec::new(), given.clone()).find(sample, as_references, path) {
            Ok(fields) => Ok((fields.source, fields.reference)),
            Err(_) => names(given, Vec::new())
                .find(sample, as_translations, path)
                .map(|fields| (fields.source, fields.hypothesis)),
        };
        let (Some(source), targets) = found? else {
            return Err(Error::bad_file(path, "no field has the sources (name it)"));
        };
        match <[Field; 1]>::try_from(targets) {
            Ok([target]) => Ok(RowPairs { rows, source, target, format }),
            Err(several) => {
                let names: Vec<&str> = several.iter().map(Field::name).collect();
                let what = format!("several fields may have the targets: {} (name one)", names.join(", "));
                Err(Error::bad_file(path, what))
            }
        }
    }

    /// The format of the file.
    pub fn format(&self) -> RowFormat {
        self.format
    }

    /// The next row.
    pub fn next_row(&mut self) -> Result<Option<Row>> {
        self.rows.next_row()
    }

    /// The source and the target of a row.
    pub fn texts<'r>(&self, row: &'r Row) -> Result<[Cow<'r, str>; 2]> {
        Ok([row.text_or_null(&self.source)?, row.text_or_null(&self.target)?])
    }
}

impl PairReader for RowPairs {
    fn read(&mut self, pairs: &mut Vec<(String, String)>, most: usize) -> Result<bool> {
        for _ in 0..most {
            let Some(row) = self.rows.next_row()? else { return Ok(false) };
            let [source, target] = self.texts(&row)?.map(Cow::into_owned);
            pairs.push((source, target));
        }
        Ok(true)
    }
}
