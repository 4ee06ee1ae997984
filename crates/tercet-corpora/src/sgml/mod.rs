//! SGML and XML of test sets: NIST's files for mteval, which METEOR reads too, and those of WMT since 2021.
//!
//! ```text
//! <refset setid="newstest2009" srclang="any" trglang="en">
//! <doc sysid="ref" docid="ihned.cz/2008/09/30" genre="news">
//! <hl><seg id="1"> Prague stocks fall </seg></hl>
//! <p><seg id="2"> After a sharp drop, losses were corrected. </seg></p>
//! </doc>
//! </refset>
//! ```
//!
//! A `srcset` has sources, a `refset` references, a `tstset` translations; the same document by several systems
//! (`sysid`) is a text for each of them. `sysid` or `refid` may stand in the tag of the set instead. A segment without
//! `id` is named by its position in the document. WMT's `dataset` has all three kinds in one file:
//!
//! ```text
//! <dataset id="newstest2021.en-de"><doc id="d1" origlang="en">
//! <src lang="en"><p><seg id="1">…</seg></p></src>
//! <ref lang="de" translator="A"><p><seg id="1">…</seg></p></ref>
//! <hyp lang="de" system="X"><p><seg id="1">…</seg></p></hyp>
//! </doc></dataset>
//! ```
//!
//! # Choices
//! - Tags and attributes in any case, values with either quotes or none; tags that are not named above are ignored.
//! - Everything up to `</seg>` is text, a `<` too. White space, line ends included, becomes one space; none is left at
//!   the ends. `<skipped>` is removed, as in mteval.
//! - The five entities of XML and references to characters by number are decoded, once. mteval leaves `&apos;` and
//!   numbers in SGML as they are, and METEOR the numbers; for files without these, scores equal theirs.
//! - Segments are matched by document and segment id, so files may have different orders. METEOR scores a missing
//!   segment as empty; here it is an error, as in mteval.

mod order;
mod segment_text;
mod tags;
#[cfg(test)]
mod tests;

pub use order::SegmentOrder;

use super::plain_text::Lines;
use crate::error::{Error, Result};
use segment_text::segment_text;
pub use segment_text::{DecodedPositions, decoded};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use tags::{Tag, Tags};

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SgmlKind {
    /// The source.
    Source,
    /// A reference.
    Reference,
    /// The translation by a system.
    Translation,
}

/// All texts of a file.
#[derive(Clone, Debug)]
pub struct SgmlFile {
    path: PathBuf,
    set: Option<String>,
    texts: Vec<SgmlText>,
}

/// One text: a source, a reference, or what one system translated.
#[derive(Clone, Debug)]
pub struct SgmlText {
    path: PathBuf,
    kind: SgmlKind,
    name: Option<String>,
    documents: Vec<SgmlDocument>,
}

/// A document of a text.
#[derive(Clone, Debug)]
pub struct SgmlDocument {
    id: String,
    segments: Vec<SgmlSegment>,
}

#[derive(Clone, Debug)]
struct SgmlSegment {
    id: String,
    line: usize,
    text: String,
}

/// The tags that a file may start with, and what their documents are.
const ROOTS: [(&str, Option<SgmlKind>); 5] = [
    ("srcset", Some(SgmlKind::Source)),
    ("refset", Some(SgmlKind::Reference)),
    ("tstset", Some(SgmlKind::Translation)),
    ("dataset", None),
    ("mteval", None),
];

/// Parts of a document of a `dataset`, with the attribute that names them.
const PARTS: [(&str, SgmlKind, &str); 3] = [
    ("src", SgmlKind::Source, ""),
    ("ref", SgmlKind::Reference, "translator"),
    ("hyp", SgmlKind::Translation, "system"),
];

/// Whether lines are a file of this format: the first tag is one of its sets.
pub fn is_sgml(lines: &Lines) -> bool {
    let text = lines.text().trim_start_matches('\u{feff}');
    if !text.trim_ascii_start().starts_with('<') {
        return false;
    }
    let first = Tags::new(lines.text()).next();
    first.is_some_and(|tag| ROOTS.iter().any(|(root, _)| !tag.closing && tag.is(root)))
}

impl SgmlFile {
    /// Reads the texts of a file.
    pub fn parse(lines: &Lines) -> Result<Self> {
        let mut reader = Reader::new(lines);
        let mut tags = Tags::new(lines.text());
        while let Some(tag) = tags.next() {
            reader.add(&tag, &mut tags)?;
        }
        reader.finish()
    }

    /// The name of the test set, if the file gives one.
    pub fn set(&self) -> Option<&str> {
        self.set.as_deref()
    }

    /// The texts of a kind, at least one.
    pub fn texts(&self, kind: SgmlKind) -> Result<Vec<&SgmlText>> {
        let texts: Vec<&SgmlText> = self.texts.iter().filter(|text| text.kind == kind).collect();
        if texts.is_empty() {
            let found = self.texts.first().map_or("no texts", |text| text.kind.plural());
            let path = self.path.display();
            return Err(Error::Unusable(format!("{path} has {found}, but {} are needed here", kind.plural())));
        }
        Ok(texts)
    }
}

impl SgmlKind {
    fn plural(self) -> &'static str {
        match self {
            SgmlKind::Source => "sources",
            SgmlKind::Reference => "references",
            SgmlKind::Translation => "translations",
        }
    }
}

impl SgmlText {
    /// The name of the system or of the reference, if the file gives one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The documents, in the order of the file.
    pub fn documents(&self) -> &[SgmlDocument] {
        &self.documents
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl SgmlDocument {
    /// The name of the document.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The names and texts of its segments, in the order of the file.
    pub fn segments(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.segments.iter().map(|segment| (segment.id.as_str(), segment.text.as_str()))
    }
}

/// A set whose end was not yet found.
struct OpenSet {
    tag: &'static str,
    line: usize,
    kind: Option<SgmlKind>,
    name: Option<String>,
}

struct OpenDocument {
    id: String,
    line: usize,
}

/// The texts that were read so far, and what is open.
struct Reader<'l> {
    lines: &'l Lines,
    set_name: Option<String>,
    set: Option<OpenSet>,
    document: Option<OpenDocument>,
    /// The text that segments go into.
    current: Option<usize>,
    texts: Vec<SgmlText>,
    places: HashMap<(SgmlKind, Option<String>), usize>,
    documents: HashSet<(usize, String)>,
    /// The segments of the current document.
    segments: HashSet<String>,
}

impl<'l> Reader<'l> {
    fn new(lines: &'l Lines) -> Self {
        Reader {
            lines,
            set_name: None,
            set: None,
            document: None,
            current: None,
            texts: Vec::new(),
            places: HashMap::new(),
            documents: HashSet::new(),
            segments: HashSet::new(),
        }
    }

    fn add(&mut self, tag: &Tag<'_>, tags: &mut Tags<'_>) -> Result<()> {
        if let Some((name, kind)) = ROOTS.iter().find(|(name, _)| tag.is(name)) {
            return if *name == "mteval" { Ok(()) } else { self.add_set(tag, name, *kind) };
        }
        if tag.is("doc") {
            return self.add_document(tag);
        }
        if tag.is("seg") && !tag.closing {
            return self.add_segment(tag, tags);
        }
        match PARTS.iter().find(|(name, ..)| tag.is(name)) {
            Some((_, kind, named)) if self.in_dataset() => self.add_part(tag, *kind, named),
            _ => Ok(()),
        }
    }

    fn in_dataset(&self) -> bool {
        self.document.is_some() && self.set.as_ref().is_some_and(|set| set.kind.is_none())
    }

    fn add_set(&mut self, tag: &Tag<'_>, name: &'static str, kind: Option<SgmlKind>) -> Result<()> {
        if let Some(document) = &self.document {
            let what = format!("expected </doc> for document `{}` of line {} first", document.id, document.line);
            return Err(self.bad(tag.line, what));
        }
        match (&self.set, tag.closing) {
            (Some(set), true) if set.tag == name => self.set = None,
            (Some(set), _) => {
                let what = format!("expected </{}> for the one of line {} first", set.tag, set.line);
                return Err(self.bad(tag.line, what));
            }
            (None, true) => return Err(self.bad(tag.line, format!("</{name}> without <{name}> before it"))),
            (None, false) => {
                self.set_name = self.set_name.take().or_else(|| tag.attribute(&["setid", "id"]));
                let system = tag.attribute(&["sysid", "refid"]);
                self.set = Some(OpenSet { tag: name, line: tag.line, kind, name: system });
            }
        }
        Ok(())
    }

    fn add_document(&mut self, tag: &Tag<'_>) -> Result<()> {
        if tag.closing {
            self.current = None;
            return match self.document.take() {
                Some(_) => Ok(()),
                None => Err(self.bad(tag.line, "</doc> without <doc> before it")),
            };
        }
        if let Some(open) = &self.document {
            let what = format!("a document starts before `{}` of line {} ends", open.id, open.line);
            return Err(self.bad(tag.line, what));
        }
        let Some(set) = &self.set else {
            return Err(self.bad(tag.line, "a document outside of srcset, refset, tstset or dataset"));
        };
        let Some(id) = tag.attribute(&["docid", "id"]) else {
            return Err(self.bad(tag.line, "a document without docid"));
        };
        let kind = set.kind;
        let name = tag.attribute(&["sysid", "refid"]).or_else(|| set.name.clone());
        self.document = Some(OpenDocument { id, line: tag.line });
        kind.map_or(Ok(()), |kind| self.start_text(kind, name, tag.line))
    }

    fn add_part(&mut self, tag: &Tag<'_>, kind: SgmlKind, named: &str) -> Result<()> {
        self.current = None;
        if tag.closing { Ok(()) } else { self.start_text(kind, tag.attribute(&[named]), tag.line) }
    }

    /// Segments that follow belong to the current document of this text.
    fn start_text(&mut self, kind: SgmlKind, name: Option<String>, line: usize) -> Result<()> {
        let name = name.filter(|_| kind != SgmlKind::Source);
        let id = self.document.as_ref().map(|document| document.id.clone()).unwrap_or_default();
        let place = *self.places.entry((kind, name.clone())).or_insert(self.texts.len());
        if place == self.texts.len() {
            let path = self.lines.path().to_owned();
            self.texts.push(SgmlText { path, kind, name, documents: Vec::new() });
        }
        if !self.documents.insert((place, id.clone())) {
            let of = self.texts[place].name.as_ref().map_or(String::new(), |name| format!(" of `{name}`"));
            return Err(self.bad(line, format!("document `{id}`{of} is there twice")));
        }
        self.segments.clear();
        self.texts[place].documents.push(SgmlDocument { id, segments: Vec::new() });
        self.current = Some(place);
        Ok(())
    }

    fn add_segment(&mut self, tag: &Tag<'_>, tags: &mut Tags<'_>) -> Result<()> {
        let lines = self.lines;
        let bad = |what: String| lines.bad(tag.line, what);
        let Some(document) = self.current.and_then(|place| self.texts[place].documents.last_mut()) else {
            return Err(bad("a segment outside of any document".to_owned()));
        };
        let id = tag.attribute(&["id"]).unwrap_or_else(|| (document.segments.len() + 1).to_string());
        let raw = if tag.empty { Some("") } else { tags.until_end_of_segment() };
        let raw = raw.ok_or_else(|| bad(format!("segment `{id}` has no end: expected </seg>")))?;
        if !self.segments.insert(id.clone()) {
            return Err(bad(format!("segment `{id}` of document `{}` is there twice", document.id)));
        }
        document.segments.push(SgmlSegment { id, line: tag.line, text: segment_text(raw) });
        Ok(())
    }

    fn finish(self) -> Result<SgmlFile> {
        if let Some(set) = &self.set {
            let what = format!("no </{}> in the rest of the file: is it cut off?", set.tag);
            return Err(self.bad(set.line, what));
        }
        let path = self.lines.path().to_owned();
        if self.texts.is_empty() {
            return Err(Error::Unusable(format!("{} has no documents", path.display())));
        }
        Ok(SgmlFile { path, set: self.set_name, texts: self.texts })
    }

    fn bad(&self, line: usize, what: impl Into<String>) -> Error {
        self.lines.bad(line, what)
    }
}
