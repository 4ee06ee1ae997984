//! The fields of an object of JSON.
//!
//! Objects as programs write them are read here: texts without escapes stay where they are in the row, and the memory
//! for fields is used again for the next row. `serde_json` reads what is left: values that are no texts, and the whole
//! of an object in which anything else is found, so that it words all errors.

use super::json_place::Place;
use super::row::FieldContent;
use crate::spans::Span;
use foldhash::HashSet;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The fields of an object, in its order. Their names differ.
#[derive(Clone, Debug, Default)]
pub(super) struct Object {
    fields: Vec<(Span, Held)>,
    /// Names and texts that are not in the row as they are.
    unescaped: String,
    /// The names, if there are many.
    names: HashSet<String>,
}

#[derive(Clone, Debug)]
enum Held {
    Text(Span),
    Other(Value),
}

/// Up to so many names are compared one by one; more are looked up in a table.
const MAX_COMPARED_FIELDS: usize = 32;

impl Object {
    /// Replaces the fields by those of the object `row`.
    pub fn read(&mut self, row: &str) -> serde_json::Result<()> {
        self.clear();
        if self.read_usual(row).is_some() {
            return Ok(());
        }
        self.clear();
        let mut reader = serde_json::Deserializer::from_str(row);
        AllFields { object: self, row }.deserialize(&mut reader)?;
        reader.end()
    }

    fn clear(&mut self) {
        self.fields.clear();
        self.unescaped.clear();
        self.names.clear();
    }

    /// The fields, with their names.
    pub fn iter<'r>(&'r self, row: &'r str) -> impl Iterator<Item = (&'r str, FieldContent<'r>)> {
        self.fields.iter().map(move |(name, held)| (name.text(row, &self.unescaped), self.content(row, held)))
    }

    /// What the field of this name has.
    pub fn get<'r>(&'r self, row: &'r str, name: &str) -> Option<FieldContent<'r>> {
        let (_, held) = self.fields.iter().find(|(other, _)| other.text(row, &self.unescaped) == name)?;
        Some(self.content(row, held))
    }

    /// What a field has, by its name, or by names of fields and places in lists with dots between them.
    pub fn find<'r>(&'r self, row: &'r str, name: &str) -> Option<FieldContent<'r>> {
        self.get(row, name).or_else(|| {
            let inside = |dot: usize| match self.get(row, &name[..dot])? {
                FieldContent::Json(value) => find_in(value, &name[dot + 1..]),
                FieldContent::Text(_) => None,
            };
            name.match_indices('.').find_map(|(dot, _)| inside(dot)).map(FieldContent::Json)
        })
    }

    fn content<'r>(&'r self, row: &'r str, held: &'r Held) -> FieldContent<'r> {
        match held {
            Held::Text(span) => FieldContent::Text(span.text(row, &self.unescaped)),
            Held::Other(value) => FieldContent::Json(value),
        }
    }

    /// Adds a field; false if there is one of this name.
    fn add(&mut self, row: &str, name: Span, held: Held) -> bool {
        let text = name.text(row, &self.unescaped);
        let is_new = if self.fields.len() < MAX_COMPARED_FIELDS {
            !self.fields.iter().any(|(other, _)| other.text(row, &self.unescaped) == text)
        } else {
            if self.names.is_empty() {
                let names = self.fields.iter().map(|(name, _)| name.text(row, &self.unescaped).to_owned());
                self.names = names.collect();
            }
            self.names.insert(text.to_owned())
        };
        self.fields.push((name, held));
        is_new
    }

    fn unescaped(&mut self, text: &str) -> Span {
        let start = self.unescaped.len();
        self.unescaped.push_str(text);
        Span::unescaped_from(start, &self.unescaped)
    }

    /// Reads an object as programs write them; `None` if anything else is found, right or wrong.
    fn read_usual(&mut self, row: &str) -> Option<()> {
        let mut at = Place::new(row);
        at.expect(b'{')?;
        if at.peek()? == b'}' {
            at.pass();
            return at.is_end().then_some(());
        }
        loop {
            let name = at.text(&mut self.unescaped)?;
            at.expect(b':')?;
            let held = match at.peek()? {
                b'"' => Held::Text(at.text(&mut self.unescaped)?),
                _ => Held::Other(at.value()?),
            };
            if !self.add(row, name, held) {
                return None;
            }
            match at.peek()? {
                b',' => at.pass(),
                _ => break,
            }
        }
        at.expect(b'}')?;
        at.is_end().then_some(())
    }
}

/// What a field inside an object or list has.
fn find_in<'r>(value: &'r Value, name: &str) -> Option<&'r Value> {
    match value {
        Value::Object(object) => object.get(name).or_else(|| {
            let inside = |dot: usize| find_in(object.get(&name[..dot])?, &name[dot + 1..]);
            name.match_indices('.').find_map(|(dot, _)| inside(dot))
        }),
        Value::Array(items) => {
            let (place, rest) = name.split_once('.').map_or((name, None), |(place, rest)| (place, Some(rest)));
            let item = items.get(place.parse::<usize>().ok()?)?;
            rest.map_or(Some(item), |rest| find_in(item, rest))
        }
        _ => None,
    }
}

/// Reads any object.
struct AllFields<'o> {
    object: &'o mut Object,
    row: &'o str,
}

impl<'de> DeserializeSeed<'de> for AllFields<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, object: D) -> Result<(), D::Error> {
        object.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AllFields<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with named fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some((name, value)) = fields.next_entry::<String, Value>()? {
            let held = match value {
                Value::String(text) => Held::Text(self.object.unescaped(&text)),
                other => Held::Other(other),
            };
            let place = self.object.unescaped(&name);
            if !self.object.add(self.row, place, held) {
                return Err(A::Error::custom(format!("the field `{name}` is there twice")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The fields, as JSON, and whether they were read without `serde_json` reading the whole object.
    fn fields(row: &str) -> (Result<Vec<(String, Value)>, String>, bool) {
        let mut object = Object::default();
        let is_usual = object.read_usual(row).is_some();
        let read = object.read(row).map_err(|error| error.to_string());
        let value = |content: FieldContent<'_>| match content {
            FieldContent::Text(text) => Value::from(text),
            FieldContent::Json(value) => value.clone(),
        };
        (read.map(|()| object.iter(row).map(|(name, held)| (name.to_owned(), value(held))).collect()), is_usual)
    }

    /// The same, by `serde_json` alone.
    fn expected(row: &str) -> Result<Vec<(String, Value)>, String> {
        let wording = |error: serde_json::Error| error.to_string().replace("a map", "an object with named fields");
        let object: serde_json::Map<String, Value> = serde_json::from_str(row).map_err(wording)?;
        Ok(object.into_iter().collect())
    }

    #[test]
    fn objects_as_programs_write_them_are_read_in_one_go() {
        for row in [
            "{}",
            r#" { "a" : "x y" , "b":-1.50e3,"c":[null, {"d": "]\"}"}], "e": {"f":true} } "#,
            r#"{"a\u00fc": "\u00fc\n\\", "b": "\"", "c": false, "d": "ü😀\ud83d\ude00\/\b\f\r\tü"}"#,
        ] {
            assert_eq!(fields(row), (expected(row), true), "{row}");
        }
        let many: Vec<String> = (0..100).map(|i| format!("\"n{i}\": {i}")).collect();
        let row = format!("{{{}}}", many.join(","));
        assert_eq!(fields(&row), (expected(&row), true));
        let twice = row.replace("\"n99\"", "\"n3\"");
        assert!(fields(&twice).0.unwrap_err().starts_with("the field `n3` is there twice"));
    }

    #[test]
    fn what_is_wrong_is_refused_as_serde_json_does() {
        for row in [
            "",
            "{",
            "[]",
            "{\"a\"}",
            "{\"a\": }",
            "{\"a\": 01}",
            "{\"a\": 1,}",
            "{\"a\": 1}}",
            "{\"a\": \"\t\"}",
            "{\"a\": \"\\x\"}",
            "{\"a\": \"\\ud800\"}",
            "{\"a\": \"\\ud800\\u0041\"}",
            "{\"a\": \"\\udc00\\ud800\"}",
            "{\"a\": \"\\u+041\"}",
            "{\"a\": \"\\u00\"}",
            "{\"a\": \"\\",
            "{\"a\": \"x",
            "{a: 1}",
            "{\"a\": [1}",
            "{\"a\": tru}",
            "{\"a\": 1 \"b\": 2}",
            "{\"a\": 1, , \"b\": 2}",
            "{\"a\": 1e999}",
            "{\"a\u{1}\": 1}",
        ] {
            assert_eq!(fields(row), (Err(expected(row).unwrap_err()), false), "{row}");
        }
    }

    proptest! {
        #[test]
        fn damaged_objects_are_read_as_serde_json_does(
            cut in 0usize..90,
            with in "[\"\\\\{}\\[\\],: a0u\\n\u{1}ü]{0,2}",
        ) {
            let row = r#"{"a": "x\" \u00fc \ud83d\ude00 ü", "b": [1, "]"], "c": {"d": null}, "e": 2.5, "f": "y"}"#;
            let cut = row.floor_char_boundary(cut.min(row.len()));
            let rest = row[cut..].chars().skip(1).collect::<String>();
            let row = format!("{}{with}{rest}", &row[..cut]);
            let found = fields(&row).0;
            if found.as_ref().is_err_and(|error| error.contains("is there twice")) {
                return Ok(());
            }
            prop_assert_eq!(found, expected(&row), "{}", row);
        }
    }
}
