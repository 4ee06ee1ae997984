//! The default choice among several human scores and several references.
//!
//! mt-metrics-eval has a table of the WMT sets it knows. Here: the caller's choice; else the only one; else, for
//! scores, the first of `mqm`, `esa`, `esa-…`, `da-sqm`, `wmt-z`, `wmt-raw`, `wmt`, `wmt-appraise` (`wmt-raw` before
//! `wmt-z` below the level of systems, as in that table), else an error that names them; for references, `refA`, else
//! `ref`, else the first by name.
//!
//! The table differs in places: it takes `refC` for wmt21.news en-de, `refB` for some pairs of wmt21 to wmt24, and
//! `wmt-z` and `wmt-raw` for all of wmt20, whose MQM came a year later. For the official figures of those sets, name
//! the scores and the reference.

use crate::error::{Error, Result};
use crate::{HumanScores, Judgements, Level, Reference};

/// The rank of a name in the order above.
pub fn place(name: &str, level: Level) -> Option<usize> {
    let names = match level {
        Level::System => ["mqm", "esa", "esa-", "da-sqm", "wmt-z", "wmt-raw", "wmt", "wmt-appraise"],
        _ => ["mqm", "esa", "esa-", "da-sqm", "wmt-raw", "wmt-z", "wmt", "wmt-appraise"],
    };
    let is = |known: &&str| name == *known || (known.ends_with('-') && name.starts_with(known));
    names.iter().position(is)
}

/// The human scores to use at a level: those of this name, or the standard ones.
pub fn standard_scores<'a>(judgements: &'a Judgements, level: Level, choice: Option<&str>) -> Result<&'a HumanScores> {
    let there: Vec<&HumanScores> = judgements.scores.iter().filter(|scores| scores.level == level).collect();
    let names = || there.iter().map(|scores| scores.name.clone()).collect::<Vec<_>>();
    let set = || format!("{} {} at level {}", judgements.set, judgements.pair, level.code());
    let none = || Error::BadRequest(format!("no human scores for {}", set()));
    if let Some(name) = choice {
        let found = there.iter().find(|scores| scores.name == name).copied();
        return found.ok_or_else(|| Error::NotInSet {
            place: set(),
            what: "human scores",
            name: name.to_owned(),
            known: names(),
        });
    }
    if there.len() <= 1 {
        return there.first().copied().ok_or_else(none);
    }
    let ranked = there.iter().filter_map(|scores| Some((place(&scores.name, level)?, *scores)));
    ranked.min_by_key(|(place, _)| *place).map(|(_, scores)| scores).ok_or_else(|| {
        let names = names().join(", ");
        Error::BadRequest(format!("several human scores for {}: choose one of {names}", set()))
    })
}

/// The reference to use: the one of this name, or the standard one.
pub fn standard_reference<'a>(judgements: &'a Judgements, choice: Option<&str>) -> Result<&'a Reference> {
    let references = judgements.texts.as_ref().map_or(&[][..], |texts| texts.references.as_slice());
    let find = |name: &str| references.iter().find(|reference| reference.name == name);
    let found = match choice {
        Some(name) => find(name),
        None => find("refA").or_else(|| find("ref")).or_else(|| references.iter().min_by_key(|r| &r.name)),
    };
    found.ok_or_else(|| {
        let place = format!("{} {}", judgements.set, judgements.pair);
        match choice {
            Some(name) => Error::NotInSet {
                place,
                what: "reference",
                name: name.to_owned(),
                known: references.iter().map(|reference| reference.name.clone()).collect(),
            },
            None => Error::BadRequest(format!("no reference for {place}")),
        }
    })
}
