//! Recognises the judgements in a folder or file: every format looks for its own.
//!
//! A format is recognised by names and first lines, without reading everything. A new format is one more entry of
//! [`KINDS`]. A folder may hold several formats; the sets of all of them are returned.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

use super::judgement_source::JudgementSource;
use super::rated::JudgementFields;
use super::{eval_set, mlqe_pe, mqm, rated, scored_texts, sick, wmt_da, wmt_ranking};

/// The sets of one format in a folder or file.
type Sources = fn(&Path) -> Result<Vec<JudgementSource>>;

/// Every format of judgements: a description for messages, and its search.
const KINDS: &[(&str, Sources)] = &[
    (
        "relative rankings (CSV with srclang, trglang, system1Id, system1rank; or rankings.<pair>.tsv, \
         pairs.<pair>.tsv)",
        wmt_ranking::sources,
    ),
    (
        "direct assessment (<prefix>.human.<pair> beside <prefix>.mt-system.<pair>; human-scores.<pair>.csv beside \
         sys.<pair>; DA-seglevel.csv, DA-syslevel.csv, RR-seglevel.csv; ad-seg-scores-<pair>.csv)",
        wmt_da::sources,
    ),
    ("MLQE-PE (TSV with da_z_mean, mt or z_mean, translation)", mlqe_pe::sources),
    ("SICK (TSV with sentence_A, sentence_B, relatedness_score)", sick::sources),
    ("scored texts (TSV with score, reference, translation)", scored_texts::sources),
    (
        "judged outputs (CSV, TSV, JSON or JSON lines with fields such as mt, score, system, rater, spans; logs of \
         Pearmut, exports of Label Studio and Appraise, JSON lines of WMT)",
        rated::sources,
    ),
    ("MQM (TSV with system, category, severity; averages; side by side)", mqm::sources),
    ("EvalSet of mt-metrics-eval (folders sources, system-outputs, human-scores)", eval_set::sources),
];

/// The sets and language pairs in a folder or file.
pub fn find_judgements(path: &Path) -> Result<Vec<JudgementSource>> {
    if path == Path::new("-") {
        return Err(Error::BadRequest(
            "judgements cannot be read from standard input: name their folder or file".to_owned(),
        ));
    }
    std::fs::metadata(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
    let mut found = Vec::new();
    for (_, sources) in KINDS {
        found.extend(sources(path)?);
    }
    if found.is_empty() {
        let kinds: Vec<&str> = KINDS.iter().map(|(what, _)| *what).collect();
        return Err(Error::BadRequest(format!(
            "{} holds no judgements that tercet knows; looked for: {}",
            path.display(),
            kinds.join("; ")
        )));
    }
    Ok(found)
}

/// The sets in these folders and files, in their order, with only these language pairs if there are any. Returns an
/// error if a pair is missing, or one of a set is found twice.
pub fn select_judgements(paths: &[PathBuf], pairs: &[String]) -> Result<Vec<JudgementSource>> {
    select(paths, pairs, &find_judgements)
}

/// The same with files of rows, whose fields have these names; formats are recognised if none is named.
pub fn select_rows(paths: &[PathBuf], pairs: &[String], fields: &JudgementFields) -> Result<Vec<JudgementSource>> {
    match fields.is_empty() {
        true => select_judgements(paths, pairs),
        false => select(paths, pairs, &|path| rated::sources_with(path, fields)),
    }
}

fn select(
    paths: &[PathBuf],
    pairs: &[String],
    find: &dyn Fn(&Path) -> Result<Vec<JudgementSource>>,
) -> Result<Vec<JudgementSource>> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(find(path)?);
    }
    if let Some(missing) = pairs.iter().find(|pair| found.iter().all(|source| source.pair != **pair)) {
        let mut known: Vec<String> = found.iter().map(|source| source.pair.clone()).collect();
        known.dedup();
        return Err(Error::NoJudgementsOf { pair: missing.clone(), known });
    }
    found.retain(|source| pairs.is_empty() || pairs.contains(&source.pair));
    // A file of several pairs lists them in the order of its rows, which must change nothing.
    found.chunk_by_mut(|a, b| a.set == b.set).for_each(|of_set| of_set.sort_by(|a, b| a.pair.cmp(&b.pair)));
    for (i, source) in found.iter().enumerate() {
        if found[..i].iter().any(|earlier| (&earlier.set, &earlier.pair) == (&source.set, &source.pair)) {
            return Err(Error::SetTwice { set: format!("{} {}", source.set, source.pair) });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_may_hold_several_formats() {
        let scratch = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("pairs.cs-en.tsv", "seg_id\tbetter\tworse\n2\ta\tb\n"),
            ("ad-seg-scores-de-en.csv", "SYS SID RAW.SCR Z.SCR N\na 1 50 0 1\n"),
            ("SICK_trial.txt", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\ta\tb\t5\n"),
        ] {
            std::fs::write(scratch.path().join(name), text).unwrap();
        }
        let found = find_judgements(scratch.path()).unwrap();
        assert_eq!(found.iter().map(|source| source.pair.as_str()).collect::<Vec<_>>(), ["cs-en", "de-en", ""]);
    }

    #[test]
    fn a_folder_without_judgements_is_refused_with_the_known_formats() {
        let scratch = tempfile::tempdir().unwrap();
        let error = find_judgements(scratch.path()).unwrap_err().to_string();
        assert!(
            error.contains(" holds no judgements that tercet knows; looked for: relative rankings (CSV"),
            "{error}"
        );
        let absent = find_judgements(&scratch.path().join("nowhere")).unwrap_err().to_string();
        assert!(absent.starts_with("cannot read ") && absent.ends_with("nowhere"), "{absent}");
        let piped = find_judgements(Path::new("-")).unwrap_err().to_string();
        assert_eq!(piped, "judgements cannot be read from standard input: name their folder or file");
    }
}
