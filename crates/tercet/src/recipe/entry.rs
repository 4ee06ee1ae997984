//! Entries of lists that are a path, or a table that says more: `"a.conllu"`, `{ file = "a.tar", only = ["news"] }`.

use super::plain_words::DATE;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

/// Reads a list of entries. What is wrong inside of a table is said of its keys, which serde's untagged enums do not.
pub(crate) fn entries<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + From<PathBuf>,
{
    let entries: Vec<Entry<T>> = Vec::deserialize(deserializer)?;
    Ok(entries.into_iter().map(|entry| entry.0).collect())
}

struct Entry<T>(T);

impl<'de, T: Deserialize<'de> + From<PathBuf>> Deserialize<'de> for Entry<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(PathOrTable(PhantomData)).map(Entry)
    }
}

struct PathOrTable<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + From<PathBuf>> Visitor<'de> for PathOrTable<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a path in quotes, or a table in { }")
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<T, E> {
        Ok(PathBuf::from(path).into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map_err(|error| {
            let is_date = error.to_string().contains(DATE);
            if is_date { Error::invalid_type(Unexpected::Other("date"), &self) } else { error }
        })
    }
}
