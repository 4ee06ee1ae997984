//! A file of every format of judgements and of scores, found by its content, and what is read from it.
//!
//! The files are in `formats/` and `scores/`, what they mean beside them as `NAME.expected`. They are our own.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use tercet_corpora::{ChallengeFields, ChallengeItem, read_challenge};
use tercet_corpora::{ErrorSpan, JudgementFields, Judgements, MetricRun, MetricScores};
use tercet_corpora::{find_judgements, read_metric_scores, read_scores, select_rows};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats")
}

/// The files of a folder, so many at least, without what is expected of them.
fn files(folder: &str, least: usize) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_none_or(|ending| ending != "expected"));
    files.sort();
    assert!(files.len() >= least);
    files
}

/// All that judgements hold, as text.
fn written(judgements: &Judgements) -> String {
    let Judgements { set, pair, systems, segments, documents, domains, texts, scores, ratings, .. } = judgements;
    let mut text = format!("set {set}, pair {pair}\n");
    for (segment, name) in segments.iter().enumerate() {
        let of = |names: &Option<Vec<String>>| names.as_ref().map(|names| names[segment].clone());
        writeln!(text, "segment {name}, document {:?}, domain {:?}", of(documents), of(domains)).unwrap();
        let Some(texts) = texts else { continue };
        if let Some(sources) = &texts.sources {
            writeln!(text, "  source {:?}", sources[segment]).unwrap();
        }
        for reference in &texts.references {
            writeln!(text, "  reference {} {:?}", reference.name, reference.lines[segment]).unwrap();
        }
        for (system, outputs) in systems.iter().zip(&texts.outputs) {
            writeln!(text, "  output {system} {:?}", outputs[segment]).unwrap();
        }
    }
    for scores in scores {
        for (system, values) in systems.iter().zip(&scores.values) {
            writeln!(text, "score {} {} {system} {values:?}", scores.name, scores.level).unwrap();
        }
    }
    for ratings in ratings {
        for rating in &ratings.ratings {
            let (system, segment) = (&systems[rating.system], &segments[rating.segment]);
            let rater = ratings.rater(rating);
            writeln!(text, "rating {} {system} {segment} {rater:?} {:?}", ratings.name, rating.score).unwrap();
            for ErrorSpan { side, place, severity, category } in &rating.errors {
                writeln!(text, "  {side:?} {place:?} {severity:?} {category:?}").unwrap();
            }
        }
    }
    text
}

/// Compares with the file beside it; `TERCET_WRITE_EXPECTED=1` writes it.
fn check(path: &Path, found: &str) {
    let mut expected = path.as_os_str().to_owned();
    expected.push(".expected");
    if std::env::var_os("TERCET_WRITE_EXPECTED").is_some() {
        std::fs::write(&expected, found).unwrap();
    }
    let expected = std::fs::read_to_string(&expected).unwrap_or_default();
    assert_eq!(found, expected, "{}", path.display());
}

#[test]
fn a_file_of_every_format_is_found_by_its_content() {
    for path in files("formats", 8) {
        let sources = find_judgements(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let read: String = sources.iter().map(|source| written(&source.read().unwrap())).collect();
        check(&path, &read);
    }
}

#[test]
fn a_file_of_every_format_of_scores_is_read() {
    for path in files("scores", 8) {
        let runs = read_metric_scores(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut text = String::new();
        for MetricRun { set, pair, scores, segments, ratings, lower_is_better } in runs {
            let MetricScores { metric, level, systems, values } = scores;
            writeln!(text, "{metric} {level}, set {set:?}, pair {pair:?}, lower is better: {lower_is_better}").unwrap();
            writeln!(text, "segments {segments:?}").unwrap();
            for (system, values) in systems.iter().zip(&values) {
                let system = Path::new(system).strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(Path::new(system));
                writeln!(text, "{} {values:?}", system.display()).unwrap();
            }
            for rating in ratings.iter().flat_map(|ratings| &ratings.ratings) {
                let run = ratings.as_ref().and_then(|ratings| ratings.rater(rating));
                writeln!(text, "run {} {} {run:?} {:?}", rating.system, rating.segment, rating.score).unwrap();
                for ErrorSpan { side, place, severity, category } in &rating.errors {
                    writeln!(text, "  {side:?} {place:?} {severity:?} {category:?}").unwrap();
                }
            }
        }
        check(&path, &text);
        // Scores of systems alone have no place in a table of segments.
        let columns = read_scores(&path);
        assert_eq!(columns.is_ok(), !path.ends_with("comet-systems.txt"), "{columns:?}");
    }
}

#[test]
fn a_file_of_every_format_of_challenge_sets_is_read() {
    for path in files("challenge", 4) {
        let items = read_challenge(&path, &ChallengeFields::default()).unwrap();
        let mut text = String::new();
        for ChallengeItem { pair, kind, severity, source, reference, good, damaged } in items {
            writeln!(text, "{pair:?} {kind:?} {severity:?} {source:?}").unwrap();
            writeln!(text, "  {reference:?}\n  {good:?}\n  {damaged:?}").unwrap();
        }
        check(&path, &text);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/challenge");
    assert_eq!(read_challenge(&folder, &ChallengeFields::default()).unwrap().len(), 6);
}

/// The error of a file with this name and content.
fn refused(name: &str, content: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    let read = find_judgements(&path).and_then(|sources| sources.iter().map(|source| source.read()).collect());
    let read: tercet_base::Result<Vec<Judgements>> = read;
    read.unwrap_err().to_string().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn errors_name_file_line_and_field() {
    let damaged = |name: &str, from: &str, to: &str| {
        let content = std::fs::read_to_string(folder().join(name)).unwrap();
        assert!(content.contains(from));
        refused(name, &content.replacen(from, to, 1))
    };
    assert_eq!(
        damaged("comet.csv", "60,A", "x,A"),
        "comet.csv:3: field `score`: expected a number, or NA for none, found \"x\""
    );
    assert_eq!(
        damaged("de-en.tsv", "[[-1,-1,", "[[9,-1.5,"),
        "de-en.tsv:4: field `spans`: expected the number of a character, found -1.5"
    );
    assert_eq!(
        damaged("wmt-esa.jsonl", "\"start_i\": 6", "\"start_i\": 12"),
        "wmt-esa.jsonl:1: field `esa_spans`: a marked error ends before it starts: 12 to 9"
    );
    assert_eq!(
        damaged("wmt-documents.jsonl", "\"score\": 70", "\"score\": \"good\""),
        "wmt-documents.jsonl:1: field `scores.A`: expected a number as the score, found \"good\""
    );
    assert_eq!(
        damaged("pearmut.jsonl", "\"error_spans\": [{", "\"error_spans\": [7, {"),
        "pearmut.jsonl:2: field `annotation.0.A`: expected a marked error, found 7"
    );
    assert_eq!(
        damaged("label-studio.json", "\"start\": 4", "\"start\": -4"),
        "label-studio.json:2: field `annotations.0.result`: expected `start` of a label as the number of a character, \
         found \"-4\""
    );
    assert_eq!(
        damaged("appraise.csv", "TGT,eng,ces,33", "TGT,eng,ces,much"),
        "appraise.csv:2: field `score`: expected a number, or NA for none, found \"much\""
    );
}

#[test]
fn fields_of_other_names_can_be_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.csv");
    std::fs::write(&path, "text,who,points,quality,mt_engine\nA cat.,ann,1,7,x\nA dog.,bob,2,9,y\n").unwrap();
    let mut fields = JudgementFields::default();
    for (name, field) in [("hypothesis", "text"), ("rater", "who"), ("score", "quality"), ("system", "mt_engine")] {
        assert!(fields.set(name, field.to_owned()));
    }
    assert!(!fields.set("colour", "x".to_owned()));
    let read = |fields: &JudgementFields| {
        let sources = select_rows(std::slice::from_ref(&path), &[], fields)?;
        sources[0].read()
    };
    let judgements = read(&fields).unwrap();
    assert_eq!(judgements.systems, ["x", "y"]);
    assert_eq!(judgements.ratings[0].raters, ["ann", "bob"]);
    assert_eq!(judgements.scores[0].name, "quality");
    fields.score = Some("qualty".to_owned());
    let error = read(&fields).unwrap_err().to_string();
    assert!(error.contains("there is no field `qualty`, did you mean `quality`?"), "{error}");
}
