//! Rows with one judged output each, under usual names of fields or under those that are named.
//!
//! A row has a score, or marked errors, or both; everything else is optional: a row without texts is of use with scores
//! of metrics from files. Texts are found as in `rows`; a reference that is empty is none. The usual names of scores,
//! raters, errors, pairs and domains are in `fields`. A rater who is not named has judged an output once.

use super::Format;
use super::fields::{DOMAINS, JudgementFields, LANGUAGES, PAIRS, RATERS, SCORES, SPANS, find};
use super::marks::error_spans;
use super::sets::{RatedOutput, RatedSets};
use crate::error::{Error, Result};
use crate::language_pair;
use crate::records::score;
use crate::rows::{Field, FieldNames, FieldRole, FieldSample, Fields, Need, Row, RowError, WantedFields};
use serde_json::Value;
use std::path::Path;

/// Which fields have what.
pub(super) struct RatedRows {
    texts: Fields,
    score: Option<Field>,
    spans: Option<Field>,
    rater: Option<Field>,
    domain: Option<Field>,
    pair: Pair,
    /// Whether the scores are those of a metric.
    is_metric: bool,
}

enum Pair {
    Unknown,
    InField(Field),
    InTwo(Field, Field),
}

/// Whether there are translations, or systems and ids in their place.
const WANTED: WantedFields =
    WantedFields { hypothesis: Need::Optional, reference: Need::Optional, source: Need::Optional };

impl RatedRows {
    /// Finds the fields among those of the first row.
    pub(super) fn find(sample: &[FieldSample], names: &JudgementFields, path: &Path) -> Result<RatedRows> {
        let given = |name: &Option<String>, usual: &[&str]| match name {
            Some(name) => FieldNames::named_field(sample, name, path).map(Some),
            None => Ok(find(sample, usual)),
        };
        let (score, spans) = (given(&names.score, SCORES)?, given(&names.spans, SPANS)?);
        let known = || sample.iter().map(|field| field.name.clone()).collect::<Vec<_>>().join(", ");
        if score.is_none() && spans.is_none() {
            let what = format!("which field has the scores? there are: {} (name it: score=FIELD)", known());
            return Err(Error::bad_file(path, what));
        }
        let mut texts = names.texts().find(sample, WANTED, path)?;
        // Where nothing else can be the translation, the target is it, as in WMT's lines of ESA.
        if texts.hypothesis.is_empty() && names.reference.is_none() {
            texts.hypothesis = texts.reference.drain(..).collect();
        }
        let is_identified = texts.system.is_some() && texts.id.is_some();
        if texts.hypothesis.is_empty() && !is_identified {
            let (path, known) = (path.to_owned(), sample.iter().map(|field| field.name.clone()).collect());
            return Err(RowError::NoField { path, role: FieldRole::Hypothesis, known }.into());
        }
        let languages =
            LANGUAGES.iter().find_map(|(source, target)| Some((find(sample, &[source])?, find(sample, &[target])?)));
        let pair = match (given(&names.pair, PAIRS)?, languages) {
            (Some(field), _) => Pair::InField(field),
            (None, Some((source, target))) => Pair::InTwo(source, target),
            (None, None) => Pair::Unknown,
        };
        let (rater, domain) = (given(&names.rater, RATERS)?, given(&names.domain, DOMAINS)?);
        Ok(RatedRows { texts, score, spans, rater, domain, pair, is_metric: false })
    }

    /// The same rows as scores of a metric.
    pub(super) fn of_metric(self) -> RatedRows {
        RatedRows { is_metric: true, ..self }
    }

    /// `esa` for a field `esa_score`.
    fn name_of_scores(&self) -> &str {
        let name = self.score.as_ref().map_or("mqm", Field::name);
        name.strip_suffix("_score").unwrap_or(name)
    }

    /// Whether rows name their segments.
    pub(super) fn has_ids(&self) -> bool {
        self.texts.id.is_some()
    }

    /// The score of a row, or its scores if it has a list of them.
    fn scores(&self, row: &Row) -> Result<Vec<Option<f64>>> {
        let Some(field) = &self.score else { return Ok(vec![None]) };
        let read = |text: &str| score(text).map_err(|what| row.bad(field.name(), what));
        if let Some(Value::Array(items)) = row.value(field).filter(|_| self.is_metric) {
            return items.iter().map(|item| read(&item.to_string())).collect();
        }
        match row.name_or_null(field)? {
            Some(text) if !text.is_empty() || self.spans.is_none() => Ok(vec![read(&text)?]),
            _ => Ok(vec![None]),
        }
    }

    fn pair(&self, row: &Row) -> Result<String> {
        Ok(match &self.pair {
            Pair::Unknown => String::new(),
            Pair::InField(field) => {
                let pair = row.name(field)?;
                language_pair::written(&pair).unwrap_or_else(|| pair.into_owned())
            }
            Pair::InTwo(source, target) => language_pair::pair(&row.name(source)?, &row.name(target)?),
        })
    }
}

impl Format for RatedRows {
    fn add(&self, row: &Row, sets: &mut RatedSets) -> Result<()> {
        let texts = self.texts.segment(row)?;
        let bad = |field: &Field, what: String| row.bad(field.name(), what);
        let name = |field: &Option<Field>| match field {
            Some(field) => Ok::<_, Error>(Some(row.name(field)?.into_owned()).filter(|name| !name.is_empty())),
            None => Ok(None),
        };
        let source = texts.source.map(String::from);
        let output = texts.hypotheses.into_iter().next().map(String::from);
        let errors = match &self.spans {
            Some(field) => {
                let value = row.value(field).unwrap_or_default();
                let read = error_spans(&value, output.as_deref(), source.as_deref());
                Some(read.map_err(|what| bad(field, what))?)
            }
            None => None,
        };
        let references = texts.references.into_iter().filter(|text| !text.is_empty());
        let only_system = match self.is_metric {
            true => String::new(),
            false => self.texts.hypothesis.first().map_or("system", Field::name).to_owned(),
        };
        let rated = RatedOutput {
            line: row.line(),
            pair: self.pair(row)?,
            scores: self.name_of_scores().to_owned(),
            system: texts.system.map(String::from),
            only_system,
            id: texts.id.map(String::from),
            document: texts.document.map(String::from).filter(|name| !name.is_empty()),
            domain: name(&self.domain)?,
            source,
            references: references.enumerate().map(|(i, text)| (format!("ref{i}"), text.into_owned())).collect(),
            output,
            rater: name(&self.rater)?,
            score: None,
            errors,
        };
        let scores = self.scores(row)?;
        let is_list = scores.len() > 1;
        for (run, score) in scores.into_iter().enumerate() {
            let rater = if is_list { Some((run + 1).to_string()) } else { rated.rater.clone() };
            sets.add(row.path(), RatedOutput { score, rater, ..rated.clone() })?;
        }
        Ok(())
    }
}
