//! The texts of segments in batches, from files whose lines and rows have the same order: memory is needed for a batch,
//! not for the files.
//!
//! Ids of several files are compared, and a row with another id than the same segment of another file is an error. Rows
//! of one file may be those of several systems; of these only hashes are kept, which tell whether all systems have the
//! same segments.

use super::field_names::{FieldNames, Need};
use super::fields::{Fields, SegmentRow};
use super::reader::RowReader;
use super::row::Row;
use super::row_files::RowFiles;
use super::text_lists::TextLists;
use crate::error::Result;
use crate::line_stream::LineStream;
use crate::plain_text::Lines;
use foldhash::HashMap;
use foldhash::quality::FixedState;
use std::hash::{BuildHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use tercet_base::{FieldRole, RowError};

/// The most segments of a batch, and about the most bytes of its texts.
const MAX_SEGMENTS: usize = 8192;
const MAX_BYTES: usize = 8 << 20;

/// The most systems that rows of a file may name.
const MAX_SYSTEMS: usize = 10_000;

/// A file that is read line by line or row by row.
pub enum StreamedText {
    /// A text per line.
    Lines(LineStream),
    /// Rows with named fields.
    Rows(Box<RowReader>),
}

/// The files of a job, and the names of the fields of those that have rows, as in [`RowFiles`].
pub struct StreamFiles {
    /// Files with translations.
    pub hypotheses: Vec<StreamedText>,
    /// Files of references.
    pub references: Vec<StreamedText>,
    /// The file of sources.
    pub source: Option<StreamedText>,
    /// Names of fields.
    pub names: FieldNames,
    /// Whether references are needed beside the translations.
    pub reference: Need,
    /// Whether rows of translations are kept, to be written with scores.
    pub keeps_rows: bool,
}

/// Texts of segments that are read batch by batch.
pub struct SegmentStream {
    /// Translations, then references, then the source.
    files: Vec<StreamedFile>,
    columns: Vec<TextColumn>,
    keeps_rows: bool,
    /// The number of segments that were read.
    segments: usize,
    systems: RowSystems,
}

/// A file or field of translations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextColumn {
    /// The file.
    pub path: PathBuf,
    /// The field, if the file has rows.
    pub field: Option<String>,
    /// Whether the file has several fields of translations, which are then called by their names.
    pub is_one_of_several: bool,
}

struct StreamedFile {
    path: PathBuf,
    role: FieldRole,
    content: Content,
    /// Whether it did not end at the last segment.
    is_read: bool,
}

enum Content {
    /// Lines, and the last one.
    Lines(LineStream, String),
    /// Rows, their fields, and the last row.
    Rows(Box<RowReader>, Fields, Row),
}

/// Some segments, one after another.
#[derive(Clone, Debug, Default)]
pub struct SegmentBatch {
    /// The number of segments before these.
    pub before: usize,
    /// The rows of the file of translations, if they are kept.
    pub rows: Vec<Row>,
    /// The system of each row by its place in [`SegmentStream::system_names`], if rows name them.
    pub systems: Vec<usize>,
    segments: usize,
    bytes: usize,
    hypotheses: Vec<Lines>,
    /// The references of each file that has some.
    references: Vec<TextLists>,
    sources: Lines,
}

/// The systems that rows name, and what shows whether all have the same segments: their number, and the sum of their
/// hashes.
#[derive(Default)]
struct RowSystems {
    names: Vec<String>,
    places: HashMap<String, usize>,
    segments: Vec<(usize, u64)>,
}

impl StreamFiles {
    /// The stream; none if the texts have to be in memory to be joined: rows of several systems beside other files, and
    /// several files with references or sources beside translations, which must be the same.
    pub fn open(self) -> Result<Option<SegmentStream>> {
        let keeps_rows = self.keeps_rows;
        let (mut kinds, mut lines) = (Vec::new(), Vec::new());
        let mut sort = |texts: Vec<StreamedText>, role: FieldRole| -> Vec<RowReader> {
            let mut readers = Vec::new();
            for text in texts {
                kinds.push((role, matches!(text, StreamedText::Rows(_))));
                match text {
                    StreamedText::Lines(stream) => lines.push(stream),
                    StreamedText::Rows(rows) => readers.push(*rows),
                }
            }
            readers
        };
        let sources = if self.source.is_none() { Need::Optional } else { Need::No };
        let hypotheses = sort(self.hypotheses, FieldRole::Hypothesis);
        let references = sort(self.references, FieldRole::Reference);
        let source = sort(self.source.into_iter().collect(), FieldRole::Source).pop();
        let (names, reference) = (self.names, self.reference);
        let mut files = RowFiles { references, source, names, reference, sources, ..RowFiles::new(hypotheses) };
        let fields = files.find_fields()?;
        let rows = files.hypotheses.into_iter().chain(files.references).chain(files.source);
        let mut rows = rows.zip(fields.hypotheses.into_iter().chain(fields.references).chain(fields.source));
        let mut lines = lines.into_iter();
        let mut all = Vec::new();
        for (role, has_rows) in kinds {
            all.extend(match has_rows {
                true => rows.next().map(|(rows, fields)| StreamedFile::rows(rows, fields, role)),
                false => lines.next().map(|lines| StreamedFile::lines(lines, role)),
            });
        }
        let columns = all.iter().flat_map(StreamedFile::columns).collect();
        let stream = SegmentStream { files: all, columns, keeps_rows, segments: 0, systems: RowSystems::default() };
        Ok(stream.is_joined_in_one_pass().then_some(stream))
    }
}

impl StreamedFile {
    fn lines(lines: LineStream, role: FieldRole) -> Self {
        StreamedFile {
            path: lines.path().to_owned(),
            role,
            content: Content::Lines(lines, String::new()),
            is_read: true,
        }
    }

    fn rows(rows: RowReader, fields: Fields, role: FieldRole) -> Self {
        let (path, row) = (rows.path().to_owned(), rows.unread_row());
        StreamedFile { path, role, content: Content::Rows(Box::new(rows), fields, row), is_read: true }
    }

    fn fields(&self) -> Option<&Fields> {
        match &self.content {
            Content::Lines(..) => None,
            Content::Rows(_, fields, _) => Some(fields),
        }
    }

    fn columns(&self) -> Vec<TextColumn> {
        let path = &self.path;
        match self.fields() {
            None if self.role != FieldRole::Hypothesis => Vec::new(),
            None => vec![TextColumn { path: path.clone(), field: None, is_one_of_several: false }],
            Some(fields) => {
                let is_one_of_several = fields.hypothesis.len() > 1;
                let column = |field: &super::Field| {
                    let field = Some(field.name().to_owned());
                    TextColumn { path: path.clone(), field, is_one_of_several }
                };
                fields.hypothesis.iter().map(column).collect()
            }
        }
    }

    /// Reads the next line or row; false at the end.
    fn read(&mut self) -> Result<bool> {
        match &mut self.content {
            Content::Lines(lines, line) => lines.next_line(line),
            Content::Rows(rows, _, row) => rows.read_row(row),
        }
    }
}

impl SegmentStream {
    /// Whether texts are joined by the order of segments alone, and not compared between files.
    fn is_joined_in_one_pass(&self) -> bool {
        let fields = || self.files.iter().filter_map(|file| Some((file.role, file.fields()?)));
        let has = |test: &dyn Fn(&Fields) -> bool| {
            fields().filter(|(role, fields)| *role == FieldRole::Hypothesis && test(fields)).count()
        };
        let (references, sources) =
            (has(&|fields| !fields.reference.is_empty()), has(&|fields| fields.source.is_some()));
        references <= 1 && sources <= 1 && (self.files.len() == 1 || !self.has_system_names())
    }

    /// Whether rows name their systems.
    pub fn has_system_names(&self) -> bool {
        self.files.iter().any(|file| file.fields().is_some_and(|fields| fields.system.is_some()))
    }

    /// The files and fields of translations.
    pub fn columns(&self) -> &[TextColumn] {
        &self.columns
    }

    /// Whether there are references.
    pub fn has_references(&self) -> bool {
        self.files.iter().any(|file| match file.fields() {
            None => file.role == FieldRole::Reference,
            Some(fields) => !fields.reference.is_empty(),
        })
    }

    /// The systems that rows have named so far.
    pub fn system_names(&self) -> &[String] {
        &self.systems.names
    }

    /// The next segments; `None` at the end.
    pub fn next_batch(&mut self) -> Result<Option<SegmentBatch>> {
        let mut batch = SegmentBatch { before: self.segments, ..SegmentBatch::default() };
        while batch.segments < MAX_SEGMENTS && batch.bytes < MAX_BYTES && self.read_segment(&mut batch)? {}
        self.segments += batch.segments;
        match batch.segments {
            0 => self.systems.check(&self.files[0].path).map(|()| None),
            _ => Ok(Some(batch)),
        }
    }

    /// Adds the next segment to a batch; false at the end of all files.
    fn read_segment(&mut self, batch: &mut SegmentBatch) -> Result<bool> {
        let mut are_read = 0;
        for file in &mut self.files {
            file.is_read = file.read()?;
            are_read += usize::from(file.is_read);
        }
        if are_read < self.files.len() {
            return self.check_ends(self.segments + batch.segments).map(|()| false);
        }
        let mut adding = Adding { batch, column: 0, list: 0, id: None };
        for file in &self.files {
            match (&file.content, file.role) {
                (Content::Lines(_, line), FieldRole::Hypothesis) => adding.hypothesis(&file.path, without_end(line)),
                (Content::Lines(_, line), FieldRole::Reference) => adding.references([without_end(line)]),
                (Content::Lines(_, line), _) => adding.source(without_end(line)),
                (Content::Rows(_, fields, row), _) => {
                    let segment = fields.segment(row)?;
                    adding.row(&file.path, &segment)?;
                    if let Some(system) = &segment.system {
                        let place = self.systems.add(&file.path, system, &segment)?;
                        adding.batch.systems.push(place);
                    }
                }
            }
        }
        batch.segments += 1;
        if let (true, Content::Rows(rows, _, row)) = (self.keeps_rows, &mut self.files[0].content) {
            batch.rows.push(std::mem::replace(row, rows.unread_row()));
        }
        Ok(true)
    }

    /// Fails unless all files end after so many segments.
    fn check_ends(&mut self, before: usize) -> Result<()> {
        let mut counts = Vec::new();
        for file in &mut self.files {
            let mut count = before + usize::from(file.is_read);
            while file.is_read && file.read()? {
                count += 1;
            }
            counts.push(count);
        }
        let first = self.files.iter().position(|file| file.role == FieldRole::Reference).unwrap_or(0);
        match counts.iter().position(|count| *count != counts[first]) {
            None => Ok(()),
            Some(i) => {
                let (path, other) = (self.files[i].path.clone(), self.files[first].path.clone());
                Err(RowError::RowCount { path, system: None, found: counts[i], other, expected: counts[first] }.into())
            }
        }
    }
}

/// A line without its end.
fn without_end(line: &str) -> &str {
    line.strip_suffix('\n').unwrap_or(line)
}

/// Adds the texts of a segment to a batch, file by file.
struct Adding<'b, 'f> {
    batch: &'b mut SegmentBatch,
    /// The columns of translations, and the lists of references, that were added.
    column: usize,
    list: usize,
    /// The id of the segment, and the file that has it.
    id: Option<(String, &'f Path)>,
}

impl<'f> Adding<'_, 'f> {
    fn hypothesis(&mut self, path: &Path, text: &str) {
        if self.column == self.batch.hypotheses.len() {
            self.batch.hypotheses.push(Lines::empty(path));
        }
        self.batch.hypotheses[self.column].push(text);
        self.batch.bytes += text.len();
        self.column += 1;
    }

    fn references<'t>(&mut self, texts: impl IntoIterator<Item = &'t str>) {
        if self.list == self.batch.references.len() {
            self.batch.references.push(TextLists::default());
        }
        let bytes = &mut self.batch.bytes;
        self.batch.references[self.list].push(texts.into_iter().inspect(|text| *bytes += text.len()));
        self.list += 1;
    }

    fn source(&mut self, text: &str) {
        self.batch.sources.push(text);
        self.batch.bytes += text.len();
    }

    fn row(&mut self, path: &'f Path, segment: &SegmentRow<'_>) -> Result<()> {
        segment.hypotheses.iter().for_each(|text| self.hypothesis(path, text));
        if !segment.references.is_empty() {
            self.references(segment.references.iter().map(|text| &**text));
        }
        segment.source.iter().for_each(|text| self.source(text));
        match (&self.id, &segment.id) {
            (Some((id, other)), Some(own)) if id != own => {
                let (path, other) = (path.to_owned(), other.to_path_buf());
                Err(RowError::OtherOrder { path, line: segment.line, id: own.to_string(), other }.into())
            }
            (None, Some(own)) => {
                self.id = Some((own.to_string(), path));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl SegmentBatch {
    /// The number of segments.
    pub fn len(&self) -> usize {
        self.segments
    }

    /// Whether there are no segments.
    pub fn is_empty(&self) -> bool {
        self.segments == 0
    }

    /// The translations of each column.
    pub fn hypotheses(&self) -> impl Iterator<Item = Vec<&str>> {
        self.hypotheses.iter().map(|lines| lines.iter().collect())
    }

    /// The references of each segment; empty if there are none.
    pub fn references(&self) -> Vec<Vec<&str>> {
        let mut references = vec![Vec::new(); if self.references.is_empty() { 0 } else { self.segments }];
        for lists in &self.references {
            for (segment, references) in references.iter_mut().enumerate() {
                references.extend(lists.of_segment(segment));
            }
        }
        references
    }

    /// The sources, if there are any.
    pub fn sources(&self) -> Option<Vec<&str>> {
        (!self.sources.is_empty()).then(|| self.sources.iter().collect())
    }
}

impl RowSystems {
    /// Adds a segment of a system; returns the place of the system.
    fn add(&mut self, path: &Path, system: &str, segment: &SegmentRow<'_>) -> Result<usize> {
        let place = match self.places.get(system) {
            Some(&place) => place,
            None if self.names.len() == MAX_SYSTEMS => {
                let what = format!("the rows name more than {MAX_SYSTEMS} systems: is it the right field?");
                return Err(crate::error::Error::bad_line(path, segment.line, what));
            }
            None => {
                self.places.insert(system.to_owned(), self.names.len());
                self.names.push(system.to_owned());
                self.segments.push((0, 0));
                self.names.len() - 1
            }
        };
        let (count, sum) = &mut self.segments[place];
        let mut hasher = FixedState::default().build_hasher();
        match &segment.id {
            Some(id) => id.hash(&mut hasher),
            None => count.hash(&mut hasher),
        }
        segment.references.hash(&mut hasher);
        segment.source.hash(&mut hasher);
        *count += 1;
        *sum = sum.wrapping_add(hasher.finish());
        Ok(place)
    }

    /// Fails unless all systems have the same segments.
    fn check(&self, path: &Path) -> Result<()> {
        match self.segments.iter().position(|segments| *segments != self.segments[0]) {
            None => Ok(()),
            Some(i) => {
                let (system, other) = (self.names[i].clone(), self.names[0].clone());
                Err(RowError::OtherSegments { path: path.to_owned(), system, other }.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OpenedFile;
    use super::*;

    fn lines(name: &str, text: &str) -> StreamedText {
        let file = OpenedFile::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap();
        StreamedText::Lines(file.into_line_stream())
    }

    fn rows(name: &str, text: &str) -> StreamedText {
        let file = OpenedFile::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap();
        StreamedText::Rows(Box::new(file.into_rows().unwrap()))
    }

    fn stream(hypotheses: Vec<StreamedText>, references: Vec<StreamedText>) -> Option<SegmentStream> {
        let reference = if references.is_empty() { Need::Required } else { Need::No };
        let names = FieldNames::default();
        StreamFiles { hypotheses, references, source: None, names, reference, keeps_rows: true }.open().unwrap()
    }

    /// All segments as `translations=references`.
    fn all(stream: &mut SegmentStream) -> Result<Vec<String>> {
        let mut all = Vec::new();
        while let Some(batch) = stream.next_batch()? {
            assert_eq!(batch.before, all.len());
            let hypotheses: Vec<Vec<&str>> = batch.hypotheses().collect();
            let segment = |(i, references): (usize, &Vec<&str>)| {
                let texts: Vec<&str> = hypotheses.iter().map(|lines| lines[i]).collect();
                format!("{}={}", texts.join("+"), references.join("+"))
            };
            all.extend(batch.references().iter().enumerate().map(segment));
        }
        Ok(all)
    }

    #[test]
    fn lines_and_rows_are_joined_by_their_order() {
        let a = "{\"id\": 1, \"mt\": \"a1\\n\"}\n{\"id\": 2, \"mt\": \"a2\"}\n";
        let references = vec![lines("r", "r1 \nr2"), rows("s.csv", "id,ref0,ref1\n1,s1,t1\n2,s2,t2\n")];
        let mut both = stream(vec![rows("a.jsonl", a), lines("b", "b1\nb2\n")], references).unwrap();
        assert!(both.has_references() && both.columns().len() == 2);
        assert_eq!(all(&mut both).unwrap(), ["a1+b1=r1+s1+t1", "a2+b2=r2+s2+t2"]);
        let many: String = (0..20_000).map(|i| format!("{i}\n")).collect();
        let found = all(&mut stream(vec![lines("a", &many)], vec![lines("r", &many)]).unwrap()).unwrap();
        assert_eq!((found.len(), &found[19_999][..]), (20_000, "19999=19999"));
    }

    #[test]
    fn what_does_not_fit_together_is_an_error() {
        let error = |hypotheses: Vec<StreamedText>, references: Vec<StreamedText>| {
            all(&mut stream(hypotheses, references).unwrap()).unwrap_err()
        };
        let found = error(vec![lines("a", "x\n")], vec![lines("r", "x\ny\nz\n")]).to_string();
        assert_eq!(found, "a has 1 rows but r has 3: every segment needs one");
        let found = error(vec![rows("a.csv", "id,mt\n1,x\n2,y\n")], vec![rows("r.csv", "id,ref\n1,x\n3,y\n")]);
        let expected = "r.csv:3: the id `3` is not that of the same segment in a.csv: bring the rows into one order";
        assert_eq!(found.to_string(), expected);
        assert!(matches!(found, crate::error::Error::Rows(error) if error.is_of_one_pass()));
    }

    #[test]
    fn rows_of_several_systems_must_have_the_same_segments() {
        let rows_of = |text: &str| rows("a.csv", &format!("id,system,mt,ref\n{text}"));
        let mut same = stream(vec![rows_of("1,x,a,r\n2,x,b,s\n2,y,c,s\n1,y,d,r\n")], Vec::new()).unwrap();
        let batch = same.next_batch().unwrap().unwrap();
        assert_eq!((batch.systems, same.system_names().join(" ")), (vec![0, 0, 1, 1], "x y".to_owned()));
        assert!(same.next_batch().unwrap().is_none());
        for other in ["1,x,a,r\n1,y,b,s\n", "1,x,a,r\n2,y,b,r\n", "1,x,a,r\n2,x,a,r\n1,y,b,r\n"] {
            let error = all(&mut stream(vec![rows_of(other)], Vec::new()).unwrap()).unwrap_err().to_string();
            assert_eq!(error, "a.csv: y and x do not have the same segments, with the same references", "{other}");
        }
        assert!(stream(vec![rows_of("1,x,a,r\n"), lines("b", "b\n")], Vec::new()).is_none());
    }
}
