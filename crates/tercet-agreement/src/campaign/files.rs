//! The files of campaigns.
//!
//! **Pearmut**: `info`, `campaign_id` and `data`: a list of documents, each a list of items with `src`, `ref`, `tgt` by
//! system, `item_id` and `error_spans` by system, whose `end_i` is the last character. All raters draw from the list.
//!
//! **Appraise**: a list of batches of at most 100 items (`batches.json` of `StartNewCampaign`), one output each, those
//! of a document and system together; a `task` has the languages in three letters.

use super::CampaignJob;
use crate::corpora::{ErrorSpan, MarkedText};
use crate::error::{Error, Result};
use crate::text::LANGUAGES;
use serde_json::{Map, Value, json};

tercet_base::choices! {
    /// A tool in which people judge.
    pub enum CampaignTool: "tool" = Pearmut {
        /// Pearmut.
        Pearmut = "pearmut",
        /// Appraise.
        Appraise = "appraise",
    }
}

tercet_base::choices! {
    /// What raters are asked for.
    pub enum Protocol: "protocol" = Esa {
        /// Scores from 0 to 100.
        Da = "da",
        /// Marked errors and scores.
        Esa = "esa",
        /// Marked errors with categories.
        Mqm = "mqm",
    }
}

/// Items of a batch of Appraise.
const BATCH: usize = 100;

/// A chosen segment.
pub(super) struct CampaignText<'c> {
    pub segment: usize,
    pub document: Option<&'c str>,
    pub source: Option<&'c str>,
    pub reference: Option<&'c str>,
    pub outputs: Vec<Output<'c>>,
}

/// An output that is judged.
pub(super) struct Output<'c> {
    pub system: &'c str,
    pub text: &'c str,
    pub errors: Vec<ErrorSpan>,
}

pub(super) fn write(job: &CampaignJob, texts: &[CampaignText<'_>]) -> Result<String> {
    let value = match job.tool {
        super::CampaignTool::Pearmut => pearmut(job, texts),
        super::CampaignTool::Appraise => appraise(job, texts)?,
    };
    Ok(format!("{value:#}\n"))
}

/// Segments of a document one after another.
fn by_document<'t, 'c>(texts: &'t [CampaignText<'c>]) -> Vec<Vec<&'t CampaignText<'c>>> {
    let mut documents: Vec<Vec<&CampaignText>> = Vec::new();
    for text in texts {
        let of_same = |other: &&mut Vec<&CampaignText>| text.document.is_some() && other[0].document == text.document;
        match documents.iter_mut().find(of_same) {
            Some(document) => document.push(text),
            None => documents.push(vec![text]),
        }
    }
    documents
}

fn pearmut(job: &CampaignJob, texts: &[CampaignText<'_>]) -> Value {
    let mut data: Vec<Value> = Vec::new();
    for document in by_document(texts) {
        if job.contrastive {
            data.push(document.iter().map(|text| item(text, &text.outputs.iter().collect::<Vec<_>>())).collect());
            continue;
        }
        for system in 0..document[0].outputs.len() {
            data.push(document.iter().map(|text| item(text, &[&text.outputs[system]])).collect());
        }
    }
    let protocol = job.protocol.to_string().to_uppercase();
    let info = json!({"assignment": "single-stream", "protocol": protocol, "users": job.raters});
    json!({"info": info, "campaign_id": job.name, "data": data})
}

fn item(text: &CampaignText<'_>, outputs: &[&Output<'_>]) -> Value {
    let mut item = Map::new();
    item.insert("item_id".to_owned(), json!((text.segment + 1).to_string()));
    for (name, value) in [("doc_id", text.document), ("src", text.source), ("ref", text.reference)] {
        if let Some(value) = value {
            item.insert(name.to_owned(), json!(value));
        }
    }
    let by_system = |value: &dyn Fn(&Output<'_>) -> Value| -> Map<String, Value> {
        outputs.iter().map(|output| (output.system.to_owned(), value(output))).collect()
    };
    item.insert("tgt".to_owned(), Value::Object(by_system(&|output| json!(output.text))));
    if outputs.iter().any(|output| !output.errors.is_empty()) {
        item.insert("error_spans".to_owned(), Value::Object(by_system(&|output| marks(&output.errors))));
    }
    Value::Object(item)
}

/// Errors with a place in the output.
fn marks(errors: &[ErrorSpan]) -> Value {
    let mark = |error: &ErrorSpan| {
        let place = error.place.as_ref().filter(|_| error.side == MarkedText::Output)?;
        let category = Some(&error.category).filter(|category| !category.is_empty());
        let severity = error.severity.map(|severity| severity.name());
        Some(json!({"start_i": place.start, "end_i": place.end - 1, "severity": severity, "category": category}))
    };
    errors.iter().filter_map(mark).collect()
}

fn appraise(job: &CampaignJob, texts: &[CampaignText<'_>]) -> Result<Value> {
    let pair = job.pair.as_deref().unwrap_or_default();
    let (source, target) = pair.split_once('-').unwrap_or_default();
    let (source, target) = (three_letters(source)?, three_letters(target)?);
    let mut items: Vec<Value> = Vec::new();
    for document in by_document(texts) {
        for system in 0..document[0].outputs.len() {
            for text in &document {
                let output = &text.outputs[system];
                let Some(source) = text.source else {
                    return Err(Error::Needs { what: "appraise".to_owned(), needs: "the source, which it shows" });
                };
                let name = text.document.map_or_else(|| format!("segment-{}", text.segment + 1), str::to_owned);
                items.push(json!({
                    "documentID": name,
                    "isCompleteDocument": false,
                    "itemID": text.segment + 1,
                    "itemType": "TGT",
                    "sourceID": job.name,
                    "sourceContextLeft": "",
                    "sourceText": source,
                    "targetID": output.system,
                    "targetContextLeft": "",
                    "targetText": output.text,
                    "mqm": marks(&output.errors),
                }));
            }
        }
    }
    let batch = |(number, items): (usize, &[Value])| {
        json!({
            "items": items,
            "task": {
                "batchNo": number + 1,
                "batchSize": items.len(),
                "randomSeed": job.seed,
                "requiredAnnotations": job.raters,
                "sourceLanguage": source,
                "targetLanguage": target,
            },
        })
    };
    Ok(items.chunks(BATCH).enumerate().map(batch).collect())
}

/// The code of three letters that Appraise has for a language.
fn three_letters(code: &str) -> Result<String> {
    let known = LANGUAGES.iter().find(|(two, _)| *two == code);
    let three = known.and_then(|(_, names)| names.iter().find(|name| name.len() == 3)).copied();
    match three.or(Some(code).filter(|code| code.len() == 3)) {
        Some(three) => Ok(three.to_owned()),
        None => Err(Error::BadRequest(format!("appraise has codes of three letters, and `{code}` is not known"))),
    }
}
