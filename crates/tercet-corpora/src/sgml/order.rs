//! Segments of several files in one order, matched by document and segment.

use super::{Lines, SgmlText};
use crate::error::{Error, Result};
use std::collections::HashMap;
use std::path::PathBuf;

/// The order of the segments of a text.
#[derive(Clone, Debug)]
pub struct SegmentOrder {
    path: PathBuf,
    segments: Vec<Segment>,
    /// The place of each segment, by document and segment.
    places: HashMap<String, HashMap<String, usize>>,
}

#[derive(Clone, Debug)]
struct Segment {
    document: String,
    id: String,
    line: usize,
}

impl SegmentOrder {
    /// The order of this text.
    pub fn new(text: &SgmlText) -> Self {
        let mut order = SegmentOrder { path: text.path.clone(), segments: Vec::new(), places: HashMap::new() };
        for document in &text.documents {
            let places = order.places.entry(document.id.clone()).or_default();
            for segment in &document.segments {
                places.insert(segment.id.clone(), order.segments.len());
                order.segments.push(Segment {
                    document: document.id.clone(),
                    id: segment.id.clone(),
                    line: segment.line,
                });
            }
        }
        order
    }

    /// The number of segments.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// The id of the document of each segment.
    pub fn documents(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().map(|segment| segment.document.as_str())
    }

    /// Whether there is no segment.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The lines of a text in this order. It must have the same segments.
    pub fn lines_of(&self, text: &SgmlText) -> Result<Lines> {
        let mut found: Vec<Option<&str>> = vec![None; self.segments.len()];
        for document in &text.documents {
            let places = self.places.get(&document.id);
            for segment in &document.segments {
                match places.and_then(|places| places.get(&segment.id)) {
                    Some(&place) => found[place] = Some(&segment.text),
                    None => {
                        let whole = self.path.display();
                        let what = format!("{whole} has no segment `{}` of document `{}`", segment.id, document.id);
                        return Err(Error::bad_line(&text.path, segment.line, what));
                    }
                }
            }
        }
        let mut joined = String::new();
        for (segment, line) in self.segments.iter().zip(found) {
            joined.push_str(line.ok_or_else(|| self.missing(segment, text))?);
            joined.push('\n');
        }
        Ok(Lines::from_text(&text.path, joined))
    }

    fn missing(&self, segment: &Segment, text: &SgmlText) -> Error {
        let of = text.name.as_ref().map_or(String::new(), |name| format!(" of `{name}`"));
        let (document, id, file) = (&segment.document, &segment.id, text.path.display());
        let what = format!("segment `{id}` of document `{document}` is missing in the text{of} in {file}");
        Error::bad_line(&self.path, segment.line, what)
    }
}
