//! Texts in lines, or in SGML, which is recognised by its first tag and brought into the order of one of the files.

use std::path::Path;
use tercet::corpora::{Lines, SegmentOrder, SgmlFile, SgmlKind, is_sgml, read_lines};

/// A file that a flag names.
pub enum TextFile {
    /// One segment per line.
    Lines(Lines),
    /// SGML or XML with ids of documents and segments.
    Sgml(SgmlFile),
}

impl TextFile {
    /// Reads a file; `-` is standard input.
    pub fn read(path: &Path) -> tercet::Result<Self> {
        TextFile::from_lines(read_lines(path)?)
    }

    /// The text that these lines are.
    pub fn from_lines(lines: Lines) -> tercet::Result<Self> {
        Ok(if is_sgml(&lines) { TextFile::Sgml(SgmlFile::parse(&lines)?) } else { TextFile::Lines(lines) })
    }

    /// The order of its segments, if it names them.
    pub fn order(&self, kind: SgmlKind) -> tercet::Result<Option<SegmentOrder>> {
        match self {
            TextFile::Lines(_) => Ok(None),
            TextFile::Sgml(file) => Ok(file.texts(kind)?.first().map(|text| SegmentOrder::new(text))),
        }
    }

    /// Whether the file names its segments.
    pub fn is_sgml(&self) -> bool {
        matches!(self, TextFile::Sgml(_))
    }

    /// Its texts of a kind in this order, with the names that the file gives them.
    pub fn into_texts(
        self,
        kind: SgmlKind,
        order: Option<&SegmentOrder>,
    ) -> tercet::Result<Vec<(Option<String>, Lines)>> {
        match (self, order) {
            (TextFile::Sgml(file), Some(order)) => {
                let texts = file.texts(kind)?.into_iter();
                texts.map(|text| Ok((text.name().map(str::to_owned), order.lines_of(text)?))).collect()
            }
            (TextFile::Lines(lines), _) => Ok(vec![(None, lines)]),
            (TextFile::Sgml(_), None) => Ok(Vec::new()),
        }
    }
}

/// The order of the first of these files that names its segments.
pub fn first_order<'f>(
    files: impl IntoIterator<Item = (&'f TextFile, SgmlKind)>,
) -> tercet::Result<Option<SegmentOrder>> {
    for (file, kind) in files {
        if let Some(order) = file.order(kind)? {
            return Ok(Some(order));
        }
    }
    Ok(None)
}
