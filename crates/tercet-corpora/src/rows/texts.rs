//! The texts of a file of rows, gathered, and the texts of several files in one order.
//!
//! Rows of a file with a field of systems are those of several systems: each system has a row for every segment. Rows
//! of files and systems are joined by their order if they have no ids, or the same ids in the same order. Else they are
//! joined by ids: each must have the same ids, once.

use super::fields::SegmentRow;
use super::text_lists::{SegmentTexts, TextLists};
use crate::error::{Error, Result};
use crate::plain_text::Lines;
use foldhash::HashMap;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use tercet_base::{FieldRole, RowError};

/// The texts of a file of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRows {
    path: PathBuf,
    /// The names of the fields of translations.
    names: Vec<String>,
    /// The systems that rows name, in order of appearance; one without a name if they name none.
    parts: Vec<Part>,
    places: HashMap<String, usize>,
    /// The number of rows.
    rows: usize,
}

/// The rows of one system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Part {
    /// The system, if a field names it.
    system: Option<String>,
    /// The line of each row.
    lines: Vec<usize>,
    /// The place of each row among all rows of the file, from 0.
    rows: Vec<usize>,
    /// Translations of each field.
    hypotheses: Vec<Lines>,
    references: TextLists,
    sources: Lines,
    documents: Vec<String>,
    ids: Vec<String>,
}

/// Texts in the order of their segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinedTexts {
    /// The systems of the file, with their names and translations.
    pub systems: Vec<(String, Lines)>,
    /// For each system, the row of every segment: its place in the file, from 0.
    pub rows: Vec<Vec<usize>>,
    /// The references of each segment; empty if there are none.
    pub references: TextLists,
    /// The sources; empty if there are none.
    pub sources: Lines,
    /// The document of each segment; empty if there are none.
    pub documents: Vec<String>,
    /// The ids; empty if there are none.
    pub ids: Vec<String>,
}

impl TextRows {
    /// No rows yet; `names` are those of the fields of translations.
    pub fn new(path: &Path, names: Vec<String>) -> Self {
        TextRows { path: path.to_owned(), names, parts: Vec::new(), places: HashMap::default(), rows: 0 }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a row.
    pub fn push(&mut self, row: SegmentRow<'_>) {
        let place = self.place(row.system.as_deref());
        let part = &mut self.parts[place];
        part.lines.push(row.line);
        part.rows.push(self.rows);
        self.rows += 1;
        for (texts, text) in part.hypotheses.iter_mut().zip(&row.hypotheses) {
            texts.push(text);
        }
        if !row.references.is_empty() {
            part.references.push(row.references.iter().map(|text| &**text));
        }
        if let Some(text) = &row.source {
            part.sources.push(text);
        }
        part.documents.extend(row.document.map(Cow::into_owned));
        part.ids.extend(row.id.map(Cow::into_owned));
    }

    fn place(&mut self, system: Option<&str>) -> usize {
        let found = match system {
            Some(name) => self.places.get(name).copied(),
            // A file names the systems of all rows, or of none.
            None => (!self.parts.is_empty()).then_some(0),
        };
        if let Some(place) = found {
            return place;
        }
        self.places.extend(system.map(|name| (name.to_owned(), self.parts.len())));
        let none = Lines::empty(&self.path);
        let (hypotheses, sources) = (vec![none.clone(); self.names.len()], none);
        self.parts.push(Part { system: system.map(str::to_owned), hypotheses, sources, ..Part::default() });
        self.parts.len() - 1
    }

    /// The number of segments.
    pub fn segments(&self) -> usize {
        self.parts.first().map_or(0, Part::len)
    }

    /// Puts the rows of all files into the order of the first that has ids, and returns their texts. `others` are files
    /// without rows, which have a text per segment, in order.
    pub fn join(files: Vec<TextRows>, others: &[(PathBuf, usize)]) -> Result<Vec<JoinedTexts>> {
        let Some(order) = Order::find(&files, others)? else { return Ok(vec![JoinedTexts::default(); files.len()]) };
        order.check_lines(others)?;
        let mut joined = Vec::with_capacity(files.len());
        for mut file in files {
            for part in &mut file.parts {
                order.apply(&file.path, part)?;
            }
            joined.push(file.into_texts(order.by_order)?);
        }
        Ok(joined)
    }

    /// The texts of parts that are in one order.
    fn into_texts(self, by_order: bool) -> Result<JoinedTexts> {
        let mut texts = JoinedTexts::default();
        let mut first: Option<Part> = None;
        let has_one_name = self.names.len() == 1;
        for mut part in self.parts {
            for (name, hypotheses) in self.names.iter().zip(std::mem::take(&mut part.hypotheses)) {
                let name = match &part.system {
                    Some(system) if has_one_name => system.clone(),
                    Some(system) => format!("{system}:{name}"),
                    None => name.clone(),
                };
                texts.systems.push((name, hypotheses));
                texts.rows.push(part.rows.clone());
            }
            match &first {
                None => first = Some(part),
                Some(first) => first.check_same(&part, &self.path, by_order)?,
            }
        }
        if let Some(first) = first {
            texts.references = first.references;
            texts.sources = first.sources;
            texts.documents = first.documents;
            texts.ids = first.ids;
        }
        Ok(texts)
    }
}

impl Part {
    fn len(&self) -> usize {
        self.lines.len()
    }

    /// Fails if the segments of another system have other references or sources.
    fn check_same(&self, other: &Part, path: &Path, by_order: bool) -> Result<()> {
        let differs = |role, row: Option<usize>| match row {
            None => Ok(()),
            Some(row) => {
                let (line, first) = (other.lines[row], self.lines[row]);
                Err(RowError::OtherText { path: path.to_owned(), line, role, first, by_order })
            }
        };
        differs(FieldRole::Reference, self.references.first_difference(&other.references))?;
        differs(FieldRole::Source, self.sources.first_difference(&other.sources))?;
        Ok(())
    }

    /// Puts the rows into another order: row `i` becomes row `places[i]` of these.
    fn reorder(&mut self, places: &[usize]) {
        fn reorder<T: Default>(rows: &mut Vec<T>, places: &[usize]) {
            if !rows.is_empty() {
                *rows = places.iter().map(|&place| std::mem::take(&mut rows[place])).collect();
            }
        }
        fn reorder_texts(texts: &mut impl SegmentTexts, places: &[usize]) {
            if !texts.has_none() {
                *texts = texts.reordered(places);
            }
        }
        reorder(&mut self.lines, places);
        reorder(&mut self.rows, places);
        self.hypotheses.iter_mut().for_each(|texts| reorder_texts(texts, places));
        reorder_texts(&mut self.references, places);
        reorder_texts(&mut self.sources, places);
        reorder(&mut self.documents, places);
        reorder(&mut self.ids, places);
    }
}

/// The order of the segments.
struct Order {
    /// The file that it is the order of.
    path: PathBuf,
    /// The number of segments.
    segments: usize,
    /// The ids in their order, and the place of each; `None` if rows are joined by their order.
    ids: Vec<String>,
    places: Option<HashMap<String, usize>>,
    by_order: bool,
}

impl Order {
    /// The order of the first file with ids, or else of the first file.
    fn find(files: &[TextRows], others: &[(PathBuf, usize)]) -> Result<Option<Self>> {
        let parts = || files.iter().flat_map(|file| file.parts.iter().map(move |part| (file, part)));
        let Some((first_file, first)) = parts().find(|(_, part)| !part.ids.is_empty()).or_else(|| parts().next())
        else {
            return Ok(None);
        };
        let without = |(_, part): &(&TextRows, &Part)| part.ids.is_empty();
        let by_order = parts().any(|found| without(&found)) || !others.is_empty();
        let other = parts().find(|(_, part)| !part.ids.is_empty() && part.ids != first.ids);
        let (path, segments) = (first_file.path.clone(), first.len());
        let Some((other_file, _)) = other else {
            let (ids, by_order) = (Vec::new(), first.ids.is_empty());
            return Ok(Some(Order { path, segments, ids, places: None, by_order }));
        };
        if by_order {
            let without_ids =
                parts().find(without).map(|(file, _)| &file.path).or(others.first().map(|(path, _)| path));
            let (other, without_ids) = (other_file.path.clone(), without_ids.cloned().unwrap_or_default());
            return Err(RowError::NotJoined { path, other, without_ids }.into());
        }
        let places = Some(places(&first_file.path, first)?);
        Ok(Some(Order { path, segments, ids: first.ids.clone(), places, by_order: false }))
    }

    /// Puts the rows of a part into this order.
    fn apply(&self, path: &Path, part: &mut Part) -> Result<()> {
        let Some(places) = &self.places else { return self.check_count(path, part) };
        let own = self::places(path, part)?;
        let missing = |path: &Path, system: &Option<String>, id: &str, other: &Path| {
            let (path, other) = (path.to_owned(), other.to_owned());
            Error::from(RowError::MissingId { path, system: system.clone(), id: id.to_owned(), other })
        };
        if let Some(id) = part.ids.iter().find(|id| !places.contains_key(*id)) {
            return Err(missing(&self.path, &None, id, path));
        }
        let row = |id: &String| own.get(id).copied().ok_or_else(|| missing(path, &part.system, id, &self.path));
        let ordered = self.ids.iter().map(row).collect::<Result<Vec<_>>>()?;
        part.reorder(&ordered);
        Ok(())
    }

    /// Fails if a file of lines has another number of segments.
    fn check_lines(&self, others: &[(PathBuf, usize)]) -> Result<()> {
        let Some((other, expected)) = others.iter().find(|(_, count)| *count != self.segments) else { return Ok(()) };
        let (path, found, other) = (self.path.clone(), self.segments, other.clone());
        Err(RowError::RowCount { path, system: None, found, other, expected: *expected }.into())
    }

    fn check_count(&self, path: &Path, part: &Part) -> Result<()> {
        let (found, expected) = (part.len(), self.segments);
        if found == expected {
            return Ok(());
        }
        let (path, system, other) = (path.to_owned(), part.system.clone(), self.path.clone());
        Err(RowError::RowCount { path, system, found, other, expected }.into())
    }
}

/// The row of each id.
fn places(path: &Path, part: &Part) -> Result<HashMap<String, usize>> {
    let mut places: HashMap<String, usize> = HashMap::default();
    for (row, id) in part.ids.iter().enumerate() {
        if let Some(first) = places.insert(id.clone(), row) {
            let (line, first) = (part.lines[row], part.lines[first]);
            return Err(RowError::RepeatedId { path: path.to_owned(), line, id: id.clone(), first }.into());
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows `id system hypothesis reference`; `-` is none.
    fn rows(path: &str, rows: &str) -> TextRows {
        let mut texts = TextRows::new(Path::new(path), vec!["mt".to_owned()]);
        for (i, row) in rows.split(';').enumerate() {
            let [id, system, hypothesis, reference] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let given = |text| Some(Cow::Borrowed(text)).filter(|text| text != "-");
            texts.push(SegmentRow {
                line: i + 2,
                id: given(id),
                system: given(system),
                hypotheses: vec![hypothesis.into()],
                references: given(reference).into_iter().collect(),
                ..SegmentRow::default()
            });
        }
        texts
    }

    fn join(files: &[TextRows], others: usize) -> Result<String> {
        let others = vec![(PathBuf::from("lines"), others); usize::from(others > 0)];
        let joined = TextRows::join(files.to_vec(), &others)?;
        let file = |texts: &JoinedTexts| {
            let systems = texts
                .systems
                .iter()
                .map(|(name, texts)| format!("{name}:{}", texts.iter().collect::<Vec<_>>().join(",")));
            let references = texts.references.to_vecs().into_iter().map(|references| references.join("+"));
            let references = references.collect::<Vec<_>>().join(",");
            format!("{} {references}", systems.collect::<Vec<_>>().join(" "))
        };
        Ok(joined.iter().map(file).collect::<Vec<_>>().join(" / "))
    }

    #[test]
    fn rows_are_joined_by_ids_where_they_differ_in_order() {
        let (a, b) = (rows("a", "1 - h1 r1;2 - h2 r2"), rows("b", "2 - g2 -;1 - g1 -"));
        assert_eq!(join(&[a.clone(), b.clone()], 0).unwrap(), "mt:h1,h2 r1,r2 / mt:g1,g2 ");
        assert_eq!(join(&[b, a.clone()], 0).unwrap(), "mt:g2,g1  / mt:h2,h1 r2,r1");
        let systems = rows("c", "1 x h1 r1;2 x h2 r2;2 y g2 r2;1 y g1 r1");
        assert_eq!(TextRows::join(vec![systems.clone()], &[]).unwrap()[0].rows, [vec![0, 1], vec![3, 2]]);
        assert_eq!(join(&[systems], 0).unwrap(), "x:h1,h2 y:g1,g2 r1,r2");
        let without = rows("d", "- - k1 -;- - k2 -");
        assert_eq!(join(&[a.clone(), without], 2).unwrap(), "mt:h1,h2 r1,r2 / mt:k1,k2 ");
        let by_order = rows("e", "- x h1 r1;- y g1 r1;- x h2 r2;- y g2 r2");
        assert_eq!(join(std::slice::from_ref(&by_order), 0).unwrap(), "x:h1,h2 y:g1,g2 r1,r2");
        assert_eq!(TextRows::join(vec![by_order], &[]).unwrap()[0].rows, [vec![0, 2], vec![1, 3]]);
        let same_ids = rows("f", "1 - h1 -;1 - h2 -");
        assert_eq!(join(&[same_ids], 0).unwrap(), "mt:h1,h2 ");
        assert_eq!(TextRows::join(Vec::new(), &[]).unwrap(), []);
    }

    #[test]
    fn rows_that_do_not_fit_together_are_named() {
        let a = rows("a", "1 - h1 r1;2 - h2 r2");
        for (other, expected) in [
            ("2 - g2 -;3 - g3 -", "a has no row with the id `3`, which b has"),
            ("2 - g2 -", "b has no row with the id `1`, which a has"),
            ("2 - g2 -;2 - g1 -", "b:3: the id `2` is there twice, first in line 2"),
            ("2 x g2 -;1 x g1 -;1 y g1 -", "b: y has no row with the id `2`, which a has"),
            ("- - g2 -", "b has 1 rows but a has 2: every segment needs one"),
            ("- x g1 -;- x g2 -;- y g1 -", "b: y has 1 rows but a has 2: every segment needs one"),
        ] {
            assert_eq!(join(&[a.clone(), rows("b", other)], 0).unwrap_err().to_string(), expected);
        }
        assert_eq!(
            join(std::slice::from_ref(&a), 3).unwrap_err().to_string(),
            "a has 2 rows but lines has 3: every segment needs one"
        );
        let other = rows("b", "2 - g2 -;1 - g1 -");
        assert_eq!(
            join(&[a, other], 2).unwrap_err().to_string(),
            "a has its rows in another order than b, and lines has no ids by which they could be joined"
        );
        let differing = rows("c", "- x h1 r1;- y g1 r2");
        assert_eq!(
            join(&[differing], 0).unwrap_err().to_string(),
            "c:3: the reference of this row is another than that of the same segment in line 2 (rows are joined by \
             their order, as there are no ids)"
        );
    }
}
