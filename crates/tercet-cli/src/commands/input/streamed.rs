//! Files that are read in one pass.

use super::opened::is_stdin;
use super::{Files, Input, OpenedInput};
use tercet::corpora::rows::{Need, SegmentStream, TextColumn};
use tercet::warning::Warning;

/// Texts that are read batch by batch.
pub struct StreamedInput {
    pub stream: SegmentStream,
    /// The name of each column of translations.
    pub names: Vec<String>,
    /// Whether rows are kept, to be written with scores.
    pub keeps_rows: bool,
    /// What readers of results should know about the files.
    pub warnings: Vec<Warning>,
}

/// What becomes of the files.
pub enum Streamed {
    /// They are read in one pass.
    Yes(Box<StreamedInput>),
    /// They have to be in memory.
    No(Box<OpenedInput>),
}

impl OpenedInput {
    /// Whether a file of translations is large.
    pub fn is_large(&self) -> bool {
        self.opened.is_large
    }

    /// The files in one pass, if their texts can be joined so; `has_segments` if scores of segments are numbered.
    pub fn into_streamed(
        self,
        files: &Files<'_>,
        can_use_source: bool,
        has_segments: bool,
    ) -> anyhow::Result<Streamed> {
        let need = if files.may_use_source(can_use_source) { Need::Preferred } else { Need::Required };
        let is_piped = files.all().any(|path| is_stdin(path) || !path.is_file());
        let keeps_rows = files.keeps_rows && self.opened.is_one_of_rows();
        let has_segments = has_segments && !keeps_rows;
        let is_unsure = is_piped && self.opened.is_one_of_rows() && (has_segments || !files.names.is_empty());
        let has_references = !self.opened.references.is_empty() || self.opened.is_one_of_rows();
        if is_unsure || !self.layout.is_files() || !has_references || !self.opened.are_streamed(is_piped)? {
            return Ok(Streamed::No(Box::new(self)));
        }
        let warnings = self.opened.warnings.clone();
        let stream = self.opened.into_stream_files(need, keeps_rows).open()?;
        let names = stream.as_ref().and_then(|stream| names(files, stream, has_segments));
        match stream.zip(names) {
            Some((stream, names)) => Ok(Streamed::Yes(Box::new(StreamedInput { stream, names, keeps_rows, warnings }))),
            None => Ok(Streamed::No(Box::new(Input::open_again(files)?))),
        }
    }
}

/// The name of each column of translations; none if they have to be in memory to be named.
fn names(files: &Files<'_>, stream: &SegmentStream, has_segments: bool) -> Option<Vec<String>> {
    let columns = stream.columns();
    if stream.has_system_names() && (has_segments || !files.names.is_empty()) {
        return None;
    }
    let fields = || columns.iter().filter(|column| column.is_one_of_several).map(|column| &column.field);
    let name = |column: &TextColumn| {
        let path = column.path.display();
        match column.field.as_ref().filter(|_| column.is_one_of_several) {
            None => path.to_string(),
            Some(field) if fields().filter(|other| **other == column.field).count() == 1 => field.clone(),
            Some(field) => format!("{path}:{field}"),
        }
    };
    let names: Vec<String> =
        if files.names.is_empty() { columns.iter().map(name).collect() } else { files.names.to_vec() };
    let is_sure = names.len() == columns.len() && names.iter().all(|name| !name.trim().is_empty());
    let is_distinct = names.iter().enumerate().all(|(i, name)| !names[..i].contains(name));
    (is_sure && is_distinct && stream.has_references()).then_some(names)
}
