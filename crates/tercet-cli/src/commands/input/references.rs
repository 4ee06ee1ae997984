//! The references of a segment: lines of files, side by side or one below the other in one file, or lists of rows.

use super::Files;
use crate::args::InputArgs;
use crate::output::Misuse;
use tercet::corpora::rows::TextLists;
use tercet::corpora::{Lines, interleaved_references, split_references};

/// The references of a file.
pub enum References {
    /// Lines.
    Lines(Lines),
    /// Those of each segment.
    Lists(TextLists),
}

impl References {
    /// The lines, if they are lines.
    pub fn lines(&self) -> Option<&Lines> {
        match self {
            References::Lines(lines) => Some(lines),
            References::Lists(_) => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            References::Lines(lines) => lines.len(),
            References::Lists(lists) => lists.len(),
        }
    }

    fn add_of_segment<'a>(&'a self, segment: usize, to: &mut Vec<&'a str>) {
        match self {
            References::Lines(lines) => to.push(lines.line(segment)),
            References::Lists(lists) => to.extend(lists.of_segment(segment)),
        }
    }
}

/// Layout of the references of a segment.
pub enum Layout {
    /// One reference file each, one line or row per segment.
    Files,
    /// Tab-separated in one file: this many, or any number.
    SideBySide(Option<usize>),
    /// This many consecutive lines of one file.
    Interleaved(usize),
}

impl Layout {
    /// The layout that flags name.
    pub fn from_flags(files: &Files<'_>) -> Result<Self, Misuse> {
        let InputArgs { references, interleaved, columns, .. } = files.layout;
        if references.is_none() && interleaved.is_none() {
            return Ok(Layout::Files);
        }
        let flag = if references.is_some() { "--references" } else { "--interleaved" };
        if files.reference.len() != 1 {
            return Err(Misuse(format!("{flag} needs exactly one -r REF that has all references")));
        }
        let has_column = |roles: &String| roles.split(',').any(|role| matches!(role.trim(), "ref" | "reference"));
        if columns.as_ref().is_some_and(has_column) {
            return Err(Misuse(format!("{flag} cannot be used with a ref column")));
        }
        match (references.as_deref(), interleaved) {
            (Some("var"), _) => Ok(Layout::SideBySide(None)),
            (Some(count), _) => match count.parse() {
                Ok(count) if count > 0 => Ok(Layout::SideBySide(Some(count))),
                _ => Err(Misuse(format!("--references: expected a number or var, found {count}"))),
            },
            (None, count) => Ok(Layout::Interleaved(usize::from(count.unwrap_or(1)))),
        }
    }

    /// Whether each file has one line or row per segment.
    pub fn is_files(&self) -> bool {
        matches!(self, Layout::Files)
    }

    /// The references of each segment.
    pub fn references<'a>(&self, files: &'a [References]) -> anyhow::Result<Vec<Vec<&'a str>>> {
        let only = files.first().and_then(References::lines);
        Ok(match (self, only) {
            (Layout::SideBySide(count), Some(lines)) => split_references(lines, *count)?,
            (Layout::Interleaved(count), Some(lines)) => interleaved_references(lines, *count)?,
            _ => {
                let mut segments = vec![Vec::new(); files.first().map_or(0, References::len)];
                for (segment, references) in segments.iter_mut().enumerate() {
                    files.iter().for_each(|file| file.add_of_segment(segment, references));
                }
                segments
            }
        })
    }
}
