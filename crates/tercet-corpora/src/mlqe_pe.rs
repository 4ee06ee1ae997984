//! MLQE-PE (Fomicheva et al. 2022): outputs of neural systems with direct assessment against the source, and
//! post-edits.
//!
//! Two tab-separated formats, recognised by their columns; no quoting.
//!
//! - `<pair>.<split>.tsv`: `index da_mean da_z_mean hter source mt post_edit`, the two halves of the distribution
//!   joined. The post-edit is the reference; note that it was made from this very output and is closer to it than an
//!   independent reference. Scores: `z`, the mean of the scores standardised by judge; `da`, the mean as given, 0–100;
//!   `hter`, the edits from the output to the post-edit, where lower is better;
//! - `<split>.<pair>.df.short.tsv` of the distribution's `direct-assessments`, as in `test20.eten.df.short.tsv`:
//!   `index (or segid) original translation scores mean z_scores z_mean model_scores`; the lists of single scores are
//!   not read. Scores: `z` and `da`; no reference; the system's probability of its output becomes the metric
//!   `model_scores`.
//!
//! The one system is called `mt`. A folder is one set for each split, called `<folder>.<split>`.

use std::path::Path;

use crate::error::Result;

use super::folder::{Folder, set_name, unpacked_name};
use super::judgement_source::JudgementSource;
use super::judgements::{HumanScores, Judgements, Level, MetricScores, Reference, Texts};
use super::language_pair;
use super::plain_text::Lines;
use super::records::{Header, Records, Separator};

/// Names of columns in both formats.
const Z: &[&str] = &["da_z_mean", "z_mean"];
const MEAN: &[&str] = &["da_mean", "mean"];
const INDEX: &[&str] = &["index", "segid"];
const SOURCE: &[&str] = &["source", "original"];
const OUTPUT: &[&str] = &["mt", "translation"];

/// The language pairs and splits in a folder or file; `None` if there are none.
pub fn sources(path: &Path) -> Result<Vec<JudgementSource>> {
    let mut found = Vec::new();
    if path.is_dir() {
        for (name, file) in Folder::read(path)?.files() {
            let named = split_and_pair(name).filter(|_| name.ends_with(".tsv"));
            if let Some((split, pair)) = named
                && is_ours(file)?
            {
                let set = format!("{}.{split}", set_name(path));
                found.push(JudgementSource::from_file(set, pair, file, parse_mlqe_pe));
            }
        }
    } else if is_ours(path)? {
        let pair = split_and_pair(&unpacked_name(path)).map(|(_, pair)| pair);
        found.push(JudgementSource::from_file(set_name(path), pair.unwrap_or_default(), path, parse_mlqe_pe));
    }
    Ok(found)
}

/// `dev` and `et-en` of `et-en.dev.tsv` or `dev.eten.df.short.tsv`.
fn split_and_pair(name: &str) -> Option<(String, String)> {
    let mut pieces = name.split('.');
    let (first, second) = (pieces.next()?, pieces.next()?);
    match language_pair::written(first) {
        Some(pair) => Some((second.to_owned(), pair)),
        None => Some((first.to_owned(), language_pair::written_together(second)?)),
    }
}

fn is_ours(path: &Path) -> Result<bool> {
    Ok(Header::read(path, Separator::Tab)?.has(&[Z, MEAN, OUTPUT]))
}

/// Reads a table of MLQE-PE.
pub fn parse_mlqe_pe(lines: &Lines) -> Result<Judgements> {
    let records = Records::new(lines, Separator::Tab)?;
    let index = records.column(INDEX)?;
    let (source, output) = (records.column(SOURCE)?, records.column(OUTPUT)?);
    let edited = records.find(&["post_edit"]);
    let mut scores = vec![("z", records.column(Z)?, true), ("da", records.column(MEAN)?, true)];
    scores.extend(records.find(&["hter"]).map(|column| ("hter", column, false)));
    let model = records.find(&["model_scores"]);
    let (mut segments, mut sources, mut outputs, mut references) = (vec![], vec![], vec![], vec![]);
    let (mut values, mut likelihoods) = (vec![Vec::new(); scores.len()], Vec::new());
    for record in records.rows() {
        let record = record?;
        segments.push(record.text(index).to_owned());
        sources.push(record.text(source).to_owned());
        outputs.push(Some(record.text(output).to_owned()));
        references.extend(edited.map(|column| Some(record.text(column).to_owned())));
        for (values, (_, column, _)) in values.iter_mut().zip(&scores) {
            values.push(record.score(*column)?);
        }
        likelihoods.extend(model.map(|column| record.score(column)).transpose()?);
    }
    let human = scores.iter().zip(values).map(|(&(name, _, higher_is_better), values)| HumanScores {
        name: name.to_owned(),
        level: Level::Segment,
        higher_is_better,
        values: vec![values],
    });
    let metric = model.map(|_| MetricScores {
        metric: "model_scores".to_owned(),
        level: Level::Segment,
        systems: vec!["mt".to_owned()],
        values: vec![likelihoods],
    });
    let reference = edited.map(|_| Reference { name: String::new(), lines: references });
    let references = reference.into_iter().collect();
    Ok(Judgements {
        systems: vec!["mt".to_owned()],
        segments,
        post_edits: edited.is_some(),
        texts: Some(Texts { sources: Some(sources), references, outputs: vec![outputs] }),
        scores: human.collect(),
        metric_scores: metric.into_iter().collect(),
        ..Judgements::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "index\tda_mean\tda_z_mean\thter\tsource\tmt\tpost_edit\n4\t84\t0.75\t0.5\tüks\t\"one\tOne\n";
    const THEIRS: &str = "segid\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n\
        7\tüks\tone\t[1, 2]\t1.5\t[-1, 1]\t0.0\t-0.5\n";

    fn read(text: &str) -> Result<Judgements> {
        parse_mlqe_pe(&Lines::from_bytes(Path::new("x.tsv"), text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn the_joined_format_has_post_edits_and_three_scores() {
        let read = read(OURS).unwrap();
        let scores: Vec<_> = read
            .scores
            .iter()
            .map(|scores| (scores.name.as_str(), scores.higher_is_better, scores.values[0][0].unwrap()))
            .collect();
        assert_eq!(scores, [("z", true, 0.75), ("da", true, 84.0), ("hter", false, 0.5)]);
        let texts = read.texts.as_ref().unwrap();
        assert_eq!(texts.outputs[0][0].as_deref(), Some("\"one"));
        assert_eq!(texts.references[0].lines[0].as_deref(), Some("One"));
        assert!(read.post_edits);
    }

    #[test]
    fn the_distribution_has_no_reference_but_the_probability_of_the_system() {
        let read = read(THEIRS).unwrap();
        assert_eq!((read.segments[0].as_str(), read.scores.len()), ("7", 2));
        assert_eq!(read.metric_scores[0].values, [[Some(-0.5)]]);
        assert!(read.texts.unwrap().references.is_empty());
    }

    #[test]
    fn splits_of_a_folder_are_sets() {
        let scratch = tempfile::tempdir().unwrap();
        for (name, text) in
            [("et-en.dev.tsv", OURS), ("test20.ruen.df.short.tsv", THEIRS), ("et-en.other.tsv", "a\tb\n")]
        {
            std::fs::write(scratch.path().join(name), text).unwrap();
        }
        let found = sources(scratch.path()).unwrap();
        let folder = scratch.path().file_name().unwrap().to_str().unwrap();
        let names: Vec<_> = found.iter().map(|source| (source.set.clone(), source.pair.as_str())).collect();
        assert_eq!(names, [(format!("{folder}.dev"), "et-en"), (format!("{folder}.test20"), "ru-en")]);
    }

    #[test]
    fn errors_name_file_and_line() {
        assert_eq!(
            read(&OURS.replace("0.75", "high")).unwrap_err().to_string(),
            "x.tsv:2: expected a number, or NA for none, found \"high\""
        );
    }
}
