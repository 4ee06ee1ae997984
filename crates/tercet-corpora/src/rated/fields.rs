//! Names of the fields of judged rows.

use crate::rows::{Field, FieldNames, FieldSample};
use serde::{Deserialize, Serialize};

/// Names of the fields of rows with judgements. Those that are not given are looked for by the names that are usual.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgementFields {
    /// The judged translation.
    pub hypothesis: Option<String>,
    /// The reference.
    pub reference: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// The system that a row is of.
    pub system: Option<String>,
    /// The document of the segment.
    pub document: Option<String>,
    /// The name of the segment.
    pub id: Option<String>,
    /// The score.
    pub score: Option<String>,
    /// The person who gave it.
    pub rater: Option<String>,
    /// The errors that were marked.
    pub spans: Option<String>,
    /// The language pair.
    pub pair: Option<String>,
    /// The domain of the segment.
    pub domain: Option<String>,
}

impl JudgementFields {
    /// The names that can be given.
    pub const NAMES: [&str; 11] =
        ["hypothesis", "reference", "source", "system", "document", "id", "score", "rater", "spans", "pair", "domain"];

    /// Whether no field is named.
    pub fn is_empty(&self) -> bool {
        *self == JudgementFields::default()
    }

    /// Names a field: `score`, `quality`. False if the first is none of [`JudgementFields::NAMES`].
    pub fn set(&mut self, name: &str, field: String) -> bool {
        let place = match name {
            "hypothesis" => &mut self.hypothesis,
            "reference" => &mut self.reference,
            "source" => &mut self.source,
            "system" => &mut self.system,
            "document" => &mut self.document,
            "id" => &mut self.id,
            "score" => &mut self.score,
            "rater" => &mut self.rater,
            "spans" => &mut self.spans,
            "pair" => &mut self.pair,
            "domain" => &mut self.domain,
            _ => return false,
        };
        *place = Some(field);
        true
    }

    pub(super) fn texts(&self) -> FieldNames {
        FieldNames {
            hypothesis: self.hypothesis.iter().cloned().collect(),
            reference: self.reference.iter().cloned().collect(),
            source: self.source.clone(),
            system: self.system.clone(),
            document: self.document.clone(),
            id: self.id.clone(),
        }
    }
}

/// Names of scores, the surest first.
pub(super) const SCORES: &[&str] = &[
    "score",
    "human_score",
    "human",
    "da_score",
    "da",
    "mqm_score",
    "mqm",
    "esa_score",
    "esa",
    "rating",
    "z_score",
    "z",
];

/// Names of raters.
pub(super) const RATERS: &[&str] = &[
    "rater",
    "rater_id",
    "annotator",
    "annotator_id",
    "judge",
    "judge_id",
    "judgeid",
    "user",
    "user_id",
    "worker",
    "worker_id",
    "evaluator",
];

/// Names of marked errors.
pub(super) const SPANS: &[&str] =
    &["spans", "error_spans", "esa_spans", "mqm_spans", "errors", "error_annotations", "annotations"];

/// Names of language pairs.
pub(super) const PAIRS: &[&str] = &["lp", "language_pair", "lang_pair", "langs", "pair"];

/// Names of the two languages.
pub(super) const LANGUAGES: &[(&str, &str)] = &[
    ("src_lang", "tgt_lang"),
    ("source_lang", "target_lang"),
    ("source_language", "target_language"),
    ("sourcelang", "targetlang"),
    ("srclang", "trglang"),
];

/// Names of domains.
pub(super) const DOMAINS: &[&str] = &["domain"];

/// The first of these fields that is there.
pub(crate) fn find(sample: &[FieldSample], names: &[&str]) -> Option<Field> {
    let named = |name: &&str| sample.iter().find(|field| field.name.eq_ignore_ascii_case(name));
    names.iter().find_map(named).map(Field::from)
}
