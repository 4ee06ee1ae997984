//! The texts of all files of a job: those with translations, and perhaps others with references and sources.

use super::field_names::{FieldNames, Need, WantedFields};
use super::fields::Fields;
use super::reader::RowReader;
use super::row::Row;
use super::text_lists::{SegmentTexts, TextLists};
use super::texts::{JoinedTexts, TextRows};
use crate::error::Result;
use crate::plain_text::Lines;
use std::path::{Path, PathBuf};
use tercet_base::{FieldRole, RowError};

/// The opened files of a job that have rows, and the names of their fields.
///
/// References are looked for in the files of references, if there are any, and else beside the translations; sources
/// too. The first file has all fields that are named; a further one is read without those names that it lacks.
pub struct RowFiles {
    /// Files with translations.
    pub hypotheses: Vec<RowReader>,
    /// Files of references.
    pub references: Vec<RowReader>,
    /// The file of sources.
    pub source: Option<RowReader>,
    /// Names of fields.
    pub names: FieldNames,
    /// Whether references are needed beside the translations.
    pub reference: Need,
    /// Whether sources are needed there.
    pub sources: Need,
    /// Whether rows of translations are kept, to be written with scores.
    pub keeps_rows: bool,
}

/// A system of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSystem {
    /// Its name, if a field has it or is one of several fields with translations.
    pub name: Option<String>,
    /// The field with its translations.
    pub field: String,
    /// Its translations.
    pub texts: Lines,
    /// The row of every segment: its place in the file, from 0.
    pub rows: Vec<usize>,
}

/// The texts of all files, in one order of segments.
#[derive(Clone, Debug, Default)]
pub struct RowTexts {
    /// The systems of each file of translations.
    pub systems: Vec<Vec<RowSystem>>,
    /// References beside the translations, of each segment; empty if there are none.
    pub own_references: TextLists,
    /// The references of each file of references: of each segment.
    pub references: Vec<TextLists>,
    /// The sources; empty if there are none.
    pub sources: Lines,
    /// The document of each segment; empty if there are none.
    pub documents: Vec<String>,
    /// The ids; empty if there are none.
    pub ids: Vec<String>,
    /// The rows of each file of translations, in its order, if they are kept.
    pub rows: Vec<Vec<Row>>,
}

impl RowTexts {
    /// The references of each segment: those of all files, one after another, then those beside the translations.
    pub fn into_references(self) -> Vec<Vec<String>> {
        let mut all = self.references.iter().chain([&self.own_references]).filter(|texts| !texts.is_empty());
        let mut references = all.next().map(TextLists::to_vecs).unwrap_or_default();
        for texts in all {
            for (segment, references) in references.iter_mut().enumerate().take(texts.len()) {
                references.extend(texts.of_segment(segment).map(str::to_owned));
            }
        }
        references
    }
}

impl RowFiles {
    /// Files of translations with their references, by the usual names.
    pub fn new(hypotheses: Vec<RowReader>) -> Self {
        RowFiles {
            hypotheses,
            references: Vec::new(),
            source: None,
            names: FieldNames::default(),
            reference: Need::Required,
            sources: Need::Optional,
            keeps_rows: false,
        }
    }

    /// Reads all files. `others` are files of lines, with their numbers of segments.
    pub fn read(mut self, others: &[(PathBuf, usize)]) -> Result<RowTexts> {
        let fields = self.find_fields()?;
        let named: Vec<Named> = fields.hypotheses.iter().map(Named::from_fields).collect();
        let mut kept = Vec::new();
        let mut gathered = Vec::new();
        for (file, fields) in self.hypotheses.into_iter().zip(&fields.hypotheses) {
            let mut rows = Vec::new();
            gathered.push(gather(file, fields, self.keeps_rows.then_some(&mut rows))?);
            kept.push(rows);
        }
        for (file, fields) in self.references.into_iter().zip(&fields.references) {
            gathered.push(gather(file, fields, None)?);
        }
        if let Some((file, fields)) = self.source.zip(fields.source) {
            gathered.push(gather(file, &fields, None)?);
        }
        let paths: Vec<PathBuf> = gathered.iter().map(|file| file.path().to_owned()).collect();
        let joined = TextRows::join(gathered, others)?;
        let texts = in_one(joined, &named, &paths)?;
        Ok(RowTexts { rows: if self.keeps_rows { kept } else { Vec::new() }, ..texts })
    }

    /// The fields of all files.
    pub(super) fn find_fields(&mut self) -> Result<FieldsOfFiles> {
        let hypotheses = self.fields_of_translations()?;
        // Names that translations have need not be those of further files.
        let is_only = self.hypotheses.is_empty();
        let names = FieldNames { hypothesis: Vec::new(), source: None, system: None, ..self.names.clone() };
        let mut references = Vec::new();
        for file in &mut self.references {
            let in_file = if is_only { names.clone() } else { names.only_in(file.sample()?) };
            let names = FieldNames { reference: names.reference.clone(), ..in_file };
            references.push(find(&names, file, WantedFields::REFERENCES)?);
        }
        let mut source = None;
        if let Some(file) = &mut self.source {
            let names = FieldNames { reference: Vec::new(), ..names };
            let names = if is_only { names } else { names.only_in(file.sample()?) };
            source = Some(find(&names, file, WantedFields::SOURCES)?);
        }
        Ok(FieldsOfFiles { hypotheses, references, source })
    }

    /// The fields of each file of translations. One of the files must have the references that are needed.
    fn fields_of_translations(&mut self) -> Result<Vec<Fields>> {
        let at_most = |need: Need| if need == Need::Required { Need::Optional } else { need };
        let mut wanted = WantedFields {
            hypothesis: Need::Required,
            reference: at_most(self.reference),
            source: at_most(self.sources),
        };
        let names = match self.references.is_empty() {
            true => self.names.clone(),
            false => FieldNames { reference: Vec::new(), ..self.names.clone() },
        };
        let mut found = Vec::new();
        for (i, file) in self.hypotheses.iter_mut().enumerate() {
            let names = if i == 0 { names.clone() } else { names.only_in(file.sample()?) };
            found.push(find(&names, file, wanted)?);
        }
        let lacks = |need: Need, has: &dyn Fn(&Fields) -> bool| need == Need::Required && !found.iter().any(has);
        let lacks_references = lacks(self.reference, &|fields| !fields.reference.is_empty());
        let lacks_sources = lacks(self.sources, &|fields| fields.source.is_some());
        if let Some(first) = self.hypotheses.first_mut().filter(|_| lacks_references || lacks_sources) {
            (wanted.reference, wanted.source) = (self.reference, self.sources);
            found[0] = find(&names, first, wanted)?;
        }
        Ok(found)
    }
}

/// The fields of files.
pub(super) struct FieldsOfFiles {
    pub hypotheses: Vec<Fields>,
    pub references: Vec<Fields>,
    pub source: Option<Fields>,
}

fn find(names: &FieldNames, file: &mut RowReader, wanted: WantedFields) -> Result<Fields> {
    let path = file.path().to_owned();
    names.find(file.sample()?, wanted, &path)
}

/// The texts of all rows; the rows are added to `kept`.
fn gather(mut file: RowReader, fields: &Fields, mut kept: Option<&mut Vec<Row>>) -> Result<TextRows> {
    let names = fields.hypothesis.iter().map(|field| field.name().to_owned()).collect();
    let mut texts = TextRows::new(file.path(), names);
    let mut row = file.unread_row();
    while file.read_row(&mut row)? {
        texts.push(fields.segment(&row)?);
        if let Some(kept) = &mut kept {
            kept.push(std::mem::replace(&mut row, file.unread_row()));
        }
    }
    Ok(texts)
}

/// How the systems of a file are called.
struct Named {
    /// The fields with translations.
    fields: Vec<String>,
    /// Whether the file names them.
    is_named: bool,
}

impl Named {
    fn from_fields(fields: &Fields) -> Named {
        let is_named = fields.hypothesis.len() > 1 || fields.system.is_some();
        Named { fields: fields.hypothesis.iter().map(|field| field.name().to_owned()).collect(), is_named }
    }

    /// The systems of a file: for each name of a system, one for each field.
    fn systems(&self, file: &mut JoinedTexts) -> Vec<RowSystem> {
        let systems = std::mem::take(&mut file.systems).into_iter().zip(std::mem::take(&mut file.rows));
        let fields = self.fields.iter().cycle();
        let system = |(((name, texts), rows), field): (((String, Lines), _), &String)| RowSystem {
            name: Some(name).filter(|_| self.is_named),
            field: field.clone(),
            texts,
            rows,
        };
        systems.zip(fields).map(system).collect()
    }
}

/// The texts of all files; `named` is as long as there are files of translations, which come first.
fn in_one(joined: Vec<JoinedTexts>, named: &[Named], paths: &[PathBuf]) -> Result<RowTexts> {
    let mut texts = RowTexts::default();
    let (mut referenced, mut sourced): (Option<&Path>, Option<&Path>) = (None, None);
    for (i, (mut file, path)) in joined.into_iter().zip(paths).enumerate() {
        if let Some(named) = named.get(i) {
            texts.systems.push(named.systems(&mut file));
            let own = &mut texts.own_references;
            same_or_first(own, file.references, FieldRole::Reference, path, &mut referenced)?;
        } else if !file.references.is_empty() {
            texts.references.push(file.references);
        }
        same_or_first(&mut texts.sources, file.sources, FieldRole::Source, path, &mut sourced)?;
        first_given(&mut texts.documents, file.documents);
        first_given(&mut texts.ids, file.ids);
    }
    Ok(texts)
}

fn first_given(texts: &mut Vec<String>, more: Vec<String>) {
    if texts.is_empty() {
        *texts = more;
    }
}

/// Keeps the texts of the first file that has some, `first`; those of others must be the same.
fn same_or_first<'p, T: SegmentTexts>(
    texts: &mut T,
    more: T,
    role: FieldRole,
    path: &'p Path,
    first: &mut Option<&'p Path>,
) -> Result<()> {
    let Some(other) = *first else {
        *first = Some(path).filter(|_| !more.has_none());
        *texts = more;
        return Ok(());
    };
    match texts.first_difference(&more) {
        None => Ok(()),
        Some(place) => {
            let (path, other) = (path.to_owned(), other.to_owned());
            Err(RowError::OtherFile { path, role, segment: place + 1, other }.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::OpenedFile;
    use super::*;

    fn rows(name: &str, text: &str) -> RowReader {
        OpenedFile::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap().into_rows().unwrap()
    }

    fn files(hypotheses: &[(&str, &str)]) -> RowFiles {
        RowFiles::new(hypotheses.iter().map(|(name, text)| rows(name, text)).collect())
    }

    #[test]
    fn systems_are_in_one_file_or_several() {
        let a = r#"{"id": 1, "mt": "a1", "ref": ["r1", "s1"]}
                   {"id": 2, "mt": "a2", "ref": "r2"}"#;
        let b = "id,mt\n2,b2\n1,b1\n";
        let texts = files(&[("a.jsonl", a), ("b.csv", b)]).read(&[]).unwrap();
        assert_eq!(texts.own_references.to_vecs(), [vec!["r1", "s1"], vec!["r2"]]);
        let second = &texts.systems[1][0];
        assert_eq!((&second.name, &second.field[..], &second.rows[..]), (&None, "mt", &[1, 0][..]));
        assert_eq!(second.texts.iter().collect::<Vec<_>>(), ["b1", "b2"]);
        let one = "system,mt,ref\nx,h1,r1\ny,g1,r1\n";
        let texts = files(&[("one.csv", one)]).read(&[]).unwrap();
        let names: Vec<_> = texts.systems[0].iter().map(|system| system.name.as_deref()).collect();
        assert_eq!(names, [Some("x"), Some("y")]);
        let names = FieldNames { hypothesis: vec!["system".into(), "mt".into()], ..FieldNames::default() };
        let texts = RowFiles { names, ..files(&[("one.csv", one)]) }.read(&[]).unwrap();
        assert_eq!(texts.systems[0][0].name.as_deref(), Some("system"));
        assert_eq!(texts.into_references(), [["r1"], ["r1"]]);
    }

    #[test]
    fn references_of_other_files_are_joined_by_ids() {
        let hypotheses = files(&[("a.jsonl", "{\"seg\": \"1\", \"mt\": \"a1\"}\n{\"seg\": \"2\", \"mt\": \"a2\"}\n")]);
        let names = FieldNames { id: Some("seg".into()), reference: vec!["gold text".into()], ..FieldNames::default() };
        let references = vec![
            rows("r.csv", "id,gold text\n2,r2\n1,r1\n"),
            rows("s.jsonl", "{\"gold text\": \"s1\"}\n{\"gold text\": \"s2\"}"),
        ];
        let source = Some(rows("s.tsv", "id\ttext\n2\tu2\n1\tu1\n"));
        let files = RowFiles { names, references, source, reference: Need::No, sources: Need::No, ..hypotheses };
        let error = files.read(&[]).unwrap_err().to_string();
        assert!(error.contains("s.jsonl has no ids by which they could be joined"), "{error}");
    }

    #[test]
    fn further_files_may_lack_names_but_not_the_first() {
        let names = FieldNames { id: Some("seg".into()), ..FieldNames::default() };
        let all = |id: &str| {
            let hypotheses = files(&[("a.jsonl", &format!("{{\"{id}\": \"1\", \"mt\": \"a1\"}}\n"))]);
            let references = vec![rows("r.csv", "id,gold\n1,r1\n")];
            RowFiles { names: names.clone(), references, reference: Need::No, ..hypotheses }.read(&[])
        };
        assert_eq!(all("seg").unwrap().into_references(), [["r1"]]);
        assert!(all("sgm").unwrap_err().to_string().contains("there is no field `seg`"));
    }

    #[test]
    fn references_that_differ_between_files_are_refused() {
        let (a, b) = ("mt,ref\na1,r1\na2,r2\n", "mt,ref\nb1,r1\nb2,r3\n");
        let error = files(&[("a.csv", a), ("b.csv", b)]).read(&[]).unwrap_err().to_string();
        assert_eq!(error, "b.csv: the reference of segment 2 is another than in a.csv: all systems need the same");
        let error = files(&[("a.csv", "mt,src\na,b\n")]).read(&[]).unwrap_err().to_string();
        assert_eq!(error, "a.csv: which field has the references? there are: mt, src");
    }
}
