//! The HTML page of a result, written to a file.

use crate::registry;
use pyo3::prelude::*;
use std::path::PathBuf;
use tercet::progress::Progress;
use tercet::report::html::{PageContents, ScoredTexts, SegmentGrouping, write_page};
use tercet::{Error, Result, files};

/// The page that is asked for, as a dictionary.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Page {
    path: PathBuf,
    /// Properties of segments: name and values.
    by: Vec<(String, Vec<String>)>,
    /// The subcommand that writes the same page, for the title.
    pub command: String,
}

impl Page {
    /// Returns an error, before anything is scored, if the page that is asked for cannot be written, would overwrite
    /// what is read, or a segment has no value.
    pub fn check(page: Option<&Page>, segments: usize, read: &[PathBuf]) -> Result<()> {
        let Some(page) = page else { return Ok(()) };
        if let Some((name, values)) = page.by.iter().find(|(_, values)| values.len() != segments) {
            let found = values.len();
            return Err(Error::Unusable(format!(
                "by[{name:?}] has {found} values for {segments} segments: give one for each segment"
            )));
        }
        if let Some(read) = read.iter().find(|read| files::is_same_file(&page.path, read)) {
            let what = format!("page would overwrite {}, which is read", read.display());
            return Err(Error::BadRequest(what));
        }
        Ok(files::check_target(&page.path)?)
    }

    /// Writes the page of scored texts.
    pub fn write(&self, scored: ScoredTexts<'_>, progress: Progress<'_>) -> Result<()> {
        let grouping = |(name, values): &(String, Vec<String>)| SegmentGrouping {
            name: name.clone(),
            values: values.clone(),
            is_requested: true,
        };
        let groupings: Vec<SegmentGrouping> = self.by.iter().map(grouping).collect();
        let scored = ScoredTexts { groupings: &groupings, ..scored };
        Ok(files::write_anywhere(&self.path, scored.write_page(registry(), progress)?.as_bytes())?)
    }

    /// Writes the page of results without texts.
    pub fn write_contents(&self, contents: PageContents<'_>) -> Result<()> {
        let page = write_page(&PageContents { command: &self.command, registry: Some(registry()), ..contents });
        Ok(files::write_anywhere(&self.path, page.as_bytes())?)
    }
}
