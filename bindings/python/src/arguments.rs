//! Keyword arguments as serde reads them: a dictionary becomes a job of the library.

use crate::errors::{REQUEST, of_class};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};
use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

/// The job that these arguments describe.
pub fn read<T: DeserializeOwned>(arguments: &Bound<'_, PyDict>) -> PyResult<T> {
    T::deserialize(Argument(arguments.clone().into_any()))
        .map_err(|error| of_class(arguments.py(), REQUEST, &error.to_string()))
}

/// A value of Python: None, a number, a text, a list or a dictionary.
struct Argument<'py>(Bound<'py, PyAny>);

/// An exception of Python while a value is read.
fn failed(error: PyErr) -> Error {
    Error::custom(error)
}

impl<'de> Deserializer<'de> for Argument<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let value = self.0;
        if value.is_none() {
            visitor.visit_unit()
        } else if let Ok(flag) = value.cast::<PyBool>() {
            visitor.visit_bool(flag.is_true())
        } else if value.is_instance_of::<PyInt>() {
            match value.extract::<u64>() {
                Ok(number) => visitor.visit_u64(number),
                Err(_) => visitor.visit_i64(value.extract().map_err(failed)?),
            }
        } else if let Ok(number) = value.cast::<PyFloat>() {
            visitor.visit_f64(number.value())
        } else if let Ok(text) = value.cast::<PyString>() {
            visitor.visit_str(&text.to_cow().map_err(failed)?)
        } else if let Ok(dictionary) = value.cast::<PyDict>() {
            let entries = dictionary.iter().map(|(key, value)| (Argument(key), Argument(value)));
            visitor.visit_map(MapDeserializer::new(entries))
        } else {
            let items: Vec<_> = value.try_iter().map_err(failed)?.collect::<PyResult<_>>().map_err(failed)?;
            visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(Argument)))
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.is_none() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let name: String = self.0.extract().map_err(failed)?;
        visitor.visit_enum(name.into_deserializer())
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Error> for Argument<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
