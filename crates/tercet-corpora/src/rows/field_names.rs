//! Which fields have the texts: those that are named, and others by their usual names.

use super::fields::{Field, FieldSample, Fields};
use super::usual_names;
use crate::error::Result;
use serde::{Deserialize, Serialize};
use std::path::Path;
use tercet_base::{FieldRole, RowError, nearest};

/// Names of fields. Those that are not given are looked for by the names that are usual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FieldNames {
    /// Translations; several are several systems.
    pub hypothesis: Vec<String>,
    /// References; a field may have a list of them.
    pub reference: Vec<String>,
    /// The source.
    pub source: Option<String>,
    /// The system that a row is of.
    pub system: Option<String>,
    /// The document that a row belongs to.
    pub document: Option<String>,
    /// The id of the segment, by which rows of several files and systems are joined.
    pub id: Option<String>,
}

/// Whether a field is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It is not looked for: the texts are in another file.
    No,
    /// It is used if it is there.
    Optional,
    /// It is used if it is there; several that may be meant are an error.
    Preferred,
    /// Without it, there is an error.
    Required,
}

/// Which texts a file should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedFields {
    /// Translations.
    pub hypothesis: Need,
    /// References.
    pub reference: Need,
    /// Sources.
    pub source: Need,
}

impl WantedFields {
    /// Translations with their references, and with sources if there are any.
    pub const ALL: Self =
        WantedFields { hypothesis: Need::Required, reference: Need::Required, source: Need::Optional };
    /// Only references.
    pub const REFERENCES: Self = WantedFields { hypothesis: Need::No, reference: Need::Required, source: Need::No };
    /// Only sources.
    pub const SOURCES: Self = WantedFields { hypothesis: Need::No, reference: Need::No, source: Need::Required };

    fn need(self, role: FieldRole) -> Need {
        match role {
            FieldRole::Hypothesis => self.hypothesis,
            FieldRole::Reference => self.reference,
            FieldRole::Source => self.source,
            _ => Need::Optional,
        }
    }

    /// Whether the file has the texts of one role only, so that any name of a text will do.
    fn is_only(self, role: FieldRole) -> bool {
        let texts = [FieldRole::Hypothesis, FieldRole::Reference, FieldRole::Source];
        texts.into_iter().all(|other| (self.need(other) == Need::No) == (other != role))
    }
}

impl FieldNames {
    /// Whether no field is named.
    pub fn is_empty(&self) -> bool {
        *self == FieldNames::default()
    }

    /// The same names without those of references, sources, documents and ids that a file does not have.
    pub(super) fn only_in(&self, sample: &[FieldSample]) -> FieldNames {
        let has = |name: &String| sample.iter().any(|field| field.name == *name) || may_be_inside(sample, name);
        FieldNames {
            reference: self.reference.iter().filter(|name| has(name)).cloned().collect(),
            source: self.source.clone().filter(has),
            document: self.document.clone().filter(has),
            id: self.id.clone().filter(has),
            ..self.clone()
        }
    }

    /// The field of this name among those of the first row.
    pub(crate) fn named_field(sample: &[FieldSample], name: &str, path: &Path) -> Result<Field> {
        Search { names: &FieldNames::default(), sample, wanted: WantedFields::ALL, path }.named(name)
    }

    /// The fields among those of the first row.
    pub fn find(&self, sample: &[FieldSample], wanted: WantedFields, path: &Path) -> Result<Fields> {
        let search = Search { names: self, sample, wanted, path };
        let hypothesis = search.texts(FieldRole::Hypothesis, &self.hypothesis)?;
        let reference = search.texts(FieldRole::Reference, &self.reference)?;
        let source = search.texts(FieldRole::Source, self.source.as_slice())?.into_iter().next();
        let has_several = hypothesis.len() > 1 || wanted.hypothesis == Need::No;
        Ok(Fields {
            system: search.name(FieldRole::System, self.system.as_ref(), !has_several)?,
            document: search.name(FieldRole::Document, self.document.as_ref(), true)?,
            id: search.name(FieldRole::Id, self.id.as_ref(), true)?,
            hypothesis,
            reference,
            source,
        })
    }
}

struct Search<'a> {
    names: &'a FieldNames,
    sample: &'a [FieldSample],
    wanted: WantedFields,
    path: &'a Path,
}

impl Search<'_> {
    /// The fields of a kind of texts.
    fn texts(&self, role: FieldRole, given: &[String]) -> Result<Vec<Field>> {
        let need = self.wanted.need(role);
        if need == Need::No {
            return Ok(Vec::new());
        }
        if !given.is_empty() {
            return given.iter().map(|name| self.named(name)).collect();
        }
        let mut groups = usual_names::groups(role).to_vec();
        if self.wanted.is_only(role) {
            groups.push(usual_names::TEXT);
        }
        let is_text = |sample: &&FieldSample| sample.kind.may_be_text() && !self.is_named(&sample.name);
        let found = self.usual(role, &groups, is_text, need != Need::Optional)?;
        match found.is_empty() && need == Need::Required {
            true => Err(RowError::NoField { path: self.path.to_owned(), role, known: self.known() }.into()),
            false => Ok(found),
        }
    }

    /// The field of a kind of names. Of several that are usual, the first group decides, or none.
    fn name(&self, role: FieldRole, given: Option<&String>, is_wanted: bool) -> Result<Option<Field>> {
        match given {
            Some(name) => self.named(name).map(Some),
            None if !is_wanted => Ok(None),
            None => {
                let is_name = |sample: &&FieldSample| sample.kind.may_be_name() && !self.is_named(&sample.name);
                let found = self.usual(role, usual_names::groups(role), is_name, false)?;
                Ok(found.into_iter().next())
            }
        }
    }

    /// The fields with names of the first group that has any.
    fn usual(
        &self,
        role: FieldRole,
        groups: &[&[&str]],
        is_usable: impl Fn(&&FieldSample) -> bool,
        is_required: bool,
    ) -> Result<Vec<Field>> {
        for group in groups {
            let usable = self.sample.iter().filter(|sample| is_usable(sample));
            let mut found: Vec<&FieldSample> =
                usable.filter(|sample| usual_names::is_one_of(&sample.name, group, role)).collect();
            prefer_texts(&mut found);
            let is_one = found.len() == 1 || (role == FieldRole::Reference && are_of_one_kind(&found));
            match found.is_empty() {
                true => {}
                false if is_one => return Ok(found.into_iter().map(Field::new).collect()),
                // Nothing depends on a field that nobody needs.
                false if !is_required => return Ok(Vec::new()),
                false => {
                    let found = found.into_iter().map(|sample| sample.name.clone()).collect();
                    return Err(RowError::AmbiguousField { path: self.path.to_owned(), role, found }.into());
                }
            }
        }
        Ok(Vec::new())
    }

    /// The field of this name.
    fn named(&self, name: &str) -> Result<Field> {
        let path = || self.path.to_owned();
        let mut same = self.sample.iter().filter(|sample| sample.name == name);
        match (same.next(), same.next()) {
            (Some(sample), None) => Ok(Field::new(sample)),
            (Some(_), Some(_)) => Err(RowError::RepeatedColumn { path: path(), name: name.to_owned() }.into()),
            (None, _) if may_be_inside(self.sample, name) => Ok(Field::named(name)),
            (None, _) => {
                let known = self.known();
                let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
                Err(RowError::UnknownField { path: path(), name: name.to_owned(), nearest, known }.into())
            }
        }
    }

    /// Whether a field has a role that was given.
    fn is_named(&self, name: &str) -> bool {
        let names = self.names;
        let texts = names.hypothesis.iter().chain(&names.reference).chain(&names.source);
        texts.chain(&names.system).chain(&names.document).chain(&names.id).any(|named| named == name)
    }

    fn known(&self) -> Vec<String> {
        self.sample.iter().map(|sample| sample.name.clone()).collect()
    }
}

/// Whether a name is that of a value inside a field of an object, such as an item of a list.
fn may_be_inside(sample: &[FieldSample], name: &str) -> bool {
    let is_outside = |sample: &FieldSample| {
        sample.column.is_none() && name.strip_prefix(sample.name.as_str()).is_some_and(|rest| rest.starts_with('.'))
    };
    sample.iter().any(is_outside)
}

/// Leaves out numbers of a table if other fields have words.
fn prefer_texts(found: &mut Vec<&FieldSample>) {
    use super::fields::FieldKind::NumberText;
    if found.iter().any(|sample| sample.kind != NumberText) {
        found.retain(|sample| sample.kind != NumberText);
    }
}

/// Whether fields are the several references of a segment: `ref0` and `ref1`, `reference` and `reference2`.
fn are_of_one_kind(found: &[&FieldSample]) -> bool {
    let plain = |sample: &&&FieldSample| !usual_names::is_numbered_reference(&sample.name);
    let others: Vec<String> = found.iter().filter(plain).map(|sample| usual_names::plain(&sample.name)).collect();
    match others.as_slice() {
        [] => true,
        [only] => found.len() > 1 && ["ref", "reference"].contains(&only.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::OpenedFile;
    use super::*;

    fn found(names: &FieldNames, wanted: WantedFields, text: &str) -> Result<String> {
        let mut rows = OpenedFile::from_bytes(Path::new("x"), text.as_bytes().to_vec())?.into_rows()?;
        let fields = names.find(rows.sample()?, wanted, Path::new("x"))?;
        let all = fields.all().map(|(role, field)| format!("{role}={}", field.name()));
        Ok(all.collect::<Vec<_>>().join(" "))
    }

    fn usual(text: &str) -> Result<String> {
        found(&FieldNames::default(), WantedFields::ALL, text)
    }

    #[test]
    fn fields_of_known_tools_are_found_by_their_names() {
        for (text, expected) in [
            (r#"{"src": "a", "mt": "b", "ref": "c", "score": 1}"#, "hypothesis=mt reference=ref source=src"),
            (
                r#"{"source": "a", "hypothesis": "b", "reference": "c", "prediction": 1.5}"#,
                "hypothesis=hypothesis reference=reference source=source",
            ),
            (
                r#"{"predictions": "a", "references": ["b", "c"], "sources": "d"}"#,
                "hypothesis=predictions reference=references source=sources",
            ),
            (
                r#"{"doc_id": 0, "doc": {"en": "x"}, "target": "a", "resps": [["b "]], "filtered_resps": ["b"]}"#,
                "hypothesis=filtered_resps reference=target document=doc_id",
            ),
            ("src,mt,ref,score\na,b,c,1\n", "hypothesis=mt reference=ref source=src"),
            (
                "id\tmt\tref0\tref1\tsystem\n1\ta\tb\tc\tx\n",
                "hypothesis=mt reference=ref0 reference=ref1 system=system id=id",
            ),
            ("prediction,hyp,ref\n0.5,a,b\n", "hypothesis=hyp reference=ref"),
            (
                r#"{"custom_id": "s1", "Output": "a", "target": "b", "model": "m", "input": "p", "src": "q"}"#,
                "hypothesis=Output reference=target source=src system=model id=custom_id",
            ),
            (
                r#"{"translation": {"de": "a", "en": "b"}, "output": "c", "reference": null}"#,
                "hypothesis=output reference=reference",
            ),
        ] {
            assert_eq!(usual(text).unwrap(), expected, "{text}");
        }
        let text = r#"{"id": 1, "text": "a"}"#;
        assert_eq!(found(&FieldNames::default(), WantedFields::REFERENCES, text).unwrap(), "reference=text id=id");
    }

    #[test]
    fn fields_may_be_named_also_inside_of_others() {
        let names = |hypothesis: &[&str], reference: &str| FieldNames {
            hypothesis: hypothesis.iter().map(|&name| name.to_owned()).collect(),
            reference: vec![reference.to_owned()],
            ..FieldNames::default()
        };
        let text = r#"{"translation": {"en": "b"}, "out": {"c": ["d"]}, "x.y": "e", "system": "s"}"#;
        let all = WantedFields::ALL;
        assert_eq!(
            found(&names(&["out.c.0", "x.y"], "translation.en"), all, text).unwrap(),
            "hypothesis=out.c.0 hypothesis=x.y reference=translation.en"
        );
        let error = found(&names(&["outt"], "x.y"), all, text).unwrap_err().to_string();
        assert!(error.starts_with("x: there is no field `outt`"), "{error}");
        let table = "a,a,b\n1,2,3\n";
        let text = format!("src,mt,{table}").replace("\n1", "\ns,m,1");
        let error = found(&names(&["a"], "b"), all, &text).unwrap_err().to_string();
        assert_eq!(error, "x has two columns called `a`: rename one");
    }

    #[test]
    fn what_is_not_sure_is_an_error_that_lists_the_fields() {
        let error = |text: &str| usual(text).unwrap_err().to_string();
        assert_eq!(
            error(r#"{"translation": "a", "output": "b", "ref": "c"}"#),
            "x: which field has the translations, translation or output?"
        );
        assert_eq!(
            error(r#"{"mt": "a", "text": "b", "n": {"m": 1}}"#),
            "x: which field has the references? there are: mt, text, n.m"
        );
    }
}
