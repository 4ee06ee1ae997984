//! Requests: texts, and the settings of a job, in one object. `requests/` has a file for each endpoint.

use crate::error_response::ErrorResponse;
use crate::handler::{Answer, RequestContext};
use crate::limits::{self, at_most};
use crate::state::Server;
use crate::texts::Texts;
use serde::de::value::Error as NoValue;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use std::fmt::{self, Formatter};
use std::marker::PhantomData;
use tercet::corpora::rows::Need;
use tercet::scoring::{DEFAULT_METRICS, MetricRequest};
use tercet::text::shortened;

/// Characters of an unknown name that an error shows.
const SHOWN: usize = 60;

/// A job that requests ask for.
pub trait Endpoint: DeserializeOwned + Send + 'static {
    /// The texts that it takes, and whether they must be given.
    const TEXTS: &'static [(&'static str, bool)];

    /// Whether rows with named fields, if its texts may be such, need references.
    const ROWS: Option<Need> = None;

    /// Settings that a request cannot have: files of this machine.
    const NOT_SET: &'static [&'static str] = &[];

    /// Whether the answer is always a stream.
    const STREAMS: bool = false;

    /// Returns an error if a request asks for too much, or for what there is not.
    fn check(&mut self, texts: &Texts, server: &Server) -> Result<(), ErrorResponse>;

    /// About how many bytes computing it takes, with the answer, beside its texts.
    fn bytes(&self, texts: &Texts) -> usize;

    /// Computes the answer.
    fn answer(&self, texts: &Texts, context: &RequestContext<'_>) -> tercet::Result<Answer>;
}

/// The body of a request.
pub struct Request<J> {
    pub texts: Texts,
    pub job: J,
}

impl<'de, J: Endpoint> Deserialize<'de> for Request<J> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(RequestVisitor(PhantomData))
    }
}

struct RequestVisitor<J>(PhantomData<J>);

impl<'de, J: Endpoint> Visitor<'de> for RequestVisitor<J> {
    type Value = Request<J>;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Request<J>, A::Error> {
        let (mut texts, mut given, mut settings) = (Texts::default(), Vec::new(), Map::new());
        let of_rows: &[&str] = if J::ROWS.is_some() { &["rows", "fields"] } else { &[] };
        let known = J::TEXTS.iter().map(|(name, _)| name).chain(of_rows).chain(setting_names::<J>());
        let known: Vec<&str> = known.copied().filter(|name| !J::NOT_SET.contains(name)).collect();
        while let Some(name) = map.next_key::<String>()? {
            if !known.contains(&name.as_str()) {
                let name = shortened(&name, SHOWN);
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                let message = format!("unknown field `{name}`, expected one of {}", known.join(", "));
                return Err(A::Error::custom(message));
            }
            if given.contains(&name) {
                return Err(A::Error::custom(format!("duplicate field `{name}`")));
            }
            if !texts.read_field(&name, &mut map)? {
                let value = map.next_value()?;
                if longest_text(&value) > limits::SETTING_BYTES {
                    let most = limits::SETTING_BYTES;
                    return Err(A::Error::custom(format!("{name}: a text in it has more than {most} bytes")));
                }
                settings.insert(name.clone(), value);
            }
            given.push(name);
        }
        let is_given = |name: &str| given.iter().any(|one| one == name);
        if is_given("rows") {
            if let Some((other, _)) = J::TEXTS.iter().find(|(name, _)| is_given(name)) {
                return Err(A::Error::custom(format!("`rows` have all texts: leave out `{other}`")));
            }
            texts.take_rows(J::ROWS.unwrap_or(Need::Required)).map_err(A::Error::custom)?;
        } else if is_given("fields") {
            return Err(A::Error::custom("`fields` are names of fields of `rows`, which are missing"));
        } else if let Some((missing, _)) = J::TEXTS.iter().find(|(name, needed)| *needed && !is_given(name)) {
            return Err(A::Error::missing_field(missing));
        }
        let job = J::deserialize(Value::Object(settings)).map_err(A::Error::custom)?;
        Ok(Request { texts, job })
    }
}

/// The bytes of the longest text in a value.
fn longest_text(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(longest_text).max().unwrap_or_default(),
        Value::Object(values) => {
            values.iter().map(|(name, value)| name.len().max(longest_text(value))).max().unwrap_or_default()
        }
        _ => 0,
    }
}

/// The names of the settings of a job, with older spellings.
fn setting_names<J: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    let _ = J::deserialize(FieldNames(&mut names));
    names
}

/// Is told the names of the fields of a struct, and gives it none.
struct FieldNames<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for FieldNames<'_> {
    type Error = NoValue;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, NoValue> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue::custom("only the names of fields are read"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Returns an error for too many conditions of a gate, or too long ones.
pub fn check_conditions(fail_if: &[String]) -> Result<(), ErrorResponse> {
    at_most("conditions", fail_if.len(), limits::CONDITIONS)?;
    let longest = fail_if.iter().map(|condition| condition.chars().count()).max();
    at_most("characters of a condition", longest.unwrap_or_default(), limits::CONDITION_CHARACTERS)
}

/// Replaces the metrics of a request by those that may be built: their files are in the folder of the server. Returns
/// an error if there are too many, or files that are not allowed.
pub fn find_metrics(metrics: &mut [MetricRequest], server: &Server) -> Result<(), ErrorResponse> {
    at_most("metrics", metrics.len(), limits::METRICS)?;
    for metric in metrics {
        let characters = metric.name.chars().count();
        at_most("characters of a metric's name", characters, limits::NAME_CHARACTERS)?;
        *metric = server.files.metric(&metric.name, &server.registry)?;
    }
    Ok(())
}

/// Returns an error if there are too many resamples.
pub fn check_resamples(resamples: Option<usize>) -> Result<(), ErrorResponse> {
    at_most("resamples", resamples.unwrap_or_default(), limits::RESAMPLES)
}

/// About how many bytes the scores of all translations by these metrics take, with the answer.
pub fn score_bytes(texts: &Texts, metrics: usize, components: bool) -> usize {
    let of_score = if components { limits::COMPONENTS_BYTES } else { limits::SCORE_BYTES };
    texts.translations().saturating_mul(metrics).saturating_mul(of_score)
}

/// How many metrics are computed: those that are named, or BLEU, chrF, TER and the learned one.
pub fn number_of_metrics(named: &[MetricRequest]) -> usize {
    if named.is_empty() { DEFAULT_METRICS.len() + 1 } else { named.len() }
}
