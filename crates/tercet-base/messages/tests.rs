//! Messages: values of every kind, and the files that pin their wording; a module of the tests of each program that
//! prints them. See `README.md` here.

use std::io;
use std::path::{Path, PathBuf};
use tercet::Error;
use tercet::corpora::rows::{FieldProblem, FieldRole, LineContent, RowError};
use tercet::progress::Stopped;
use tercet::warning::{NotRanked, Warning};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tercet-base/messages");

/// Warnings of every kind.
pub fn warnings() -> Vec<Warning> {
    let text = std::fs::read_to_string(Path::new(FOLDER).join("warnings.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// Errors of every kind that has fields.
pub fn errors() -> Vec<Error> {
    let path = || PathBuf::from("ref.de");
    let source = || io::Error::other("permission denied");
    let text = |text: &str| text.to_owned();
    let known = ["bleu", "chrf", "ter"];
    vec![
        Error::unknown_name("metric", "chr", known.into_iter()),
        Error::unknown_name("metric", "xyz", known.into_iter()),
        Error::UnknownOption {
            what: "metric",
            name: "bleu",
            option: text("smoth"),
            nearest: Some(text("smooth")),
            known: text("tok, smooth"),
        },
        Error::BadValue {
            what: "metric",
            name: "bleu",
            option: text("smooth"),
            value: text("expp"),
            nearest: Some(text("exp")),
            expected: "exp, floor, add-k, none, mteval".into(),
        },
        Error::BadSpec { what: "metric", text: text("bleu:tok"), reason: text("`tok` has no value") },
        Error::NotBuilt { what: text("COMET"), why: text("it needs a neural model of its own") },
        Error::Read { path: path(), source: source() },
        Error::Read { path: "-".into(), source: source() },
        Error::Write { path: path(), source: source() },
        Error::NotUtf8 { path: path(), line: 3, offset: 41, column: 7 },
        Error::OtherEncoding { path: path(), encoding: "UTF-16LE" },
        Error::Packed { path: path(), format: "bzip2" },
        Error::LineCount { path: path(), found: 1, other: "hyp.de".into(), expected: 2, hint: None },
        Error::LineCount {
            path: path(),
            found: 4,
            other: "hyp.de".into(),
            expected: 2,
            hint: Some(text("two references in one file?")),
        },
        Error::BadLine { path: path(), line: 9, what: text("expected 3 columns, found 2") },
        Error::out_of_range("resamples", "1 to 1000000", 0),
        Error::NothingToCorrelate { sets: vec![text("a cs-en")], statistics: vec![], left_out: vec![] },
        Error::NothingToCorrelate {
            sets: vec![text("a cs-en"), text("b de-en")],
            statistics: vec![text("tau")],
            left_out: vec![Warning::SetSkipped { set: text("c ru-en"), lacks_texts: true }],
        },
        Error::BadFile { path: path(), what: text("no paraphrases in it: the file is empty") },
        Error::NoSystems,
        Error::NoSegments,
        Error::NoReference { segment: text("3") },
        Error::NotFinite { what: text("BERTScore of segment 2"), found: f64::NAN, hint: None },
        Error::NotFinite { what: text("scores of A by COMET"), found: f64::INFINITY, hint: Some(text("too large")) },
        Error::NeedsReferences { metric: text("chrf"), is_model: false },
        Error::NeedsReferences { metric: text("siamese"), is_model: true },
        Error::SameName { name: text("A") },
        Error::SystemLength { system: text("A"), found: 2, expected: 3, transposed: false },
        Error::SystemLength { system: text("A"), found: 3, expected: 2, transposed: true },
        Error::SourceCount { found: 2, segments: 3 },
        Error::NoDocuments,
        Error::UnnamedDocument { segment: 2 },
        Error::DocumentCount { found: 2, segments: 3 },
        Error::OtherDocument { system: text("A"), document: text("town"), is_missing: true },
        Error::OtherDocument { system: text("A"), document: text("town"), is_missing: false },
        Error::SameMetric { metric: text("chrf") },
        Error::NoScores { system: text("A"), metric: text("COMET") },
        Error::ScoresTwice { system: text("A"), metric: text("COMET") },
        Error::ScoreCount { system: text("A"), metric: text("COMET"), found: 2, other: text("B"), expected: 3 },
        Error::UnknownBaseline { baseline: text("C"), systems: vec![text("A"), text("B")] },
        Error::BadCondition { condition: text("bleu < x"), at: 7, expected: "a number" },
        Error::BadCondition { condition: text("bleu <"), at: 6, expected: "a number" },
        Error::UnknownInGate {
            rule: text("`chrf < 3`"),
            what: "metric",
            name: text("chrf"),
            known: vec![text("bleu"), text("ter")],
        },
        Error::NothingToGate { rule: text("no_worse_than"), baseline: text("A") },
        Error::NothingToPair { named: false },
        Error::NothingToPair { named: true },
        Error::TooManyPairs { systems: 2000, limit: 1000 },
        Error::NothingToResample { missing: "there are no segments" },
        Error::TooManyResamples { samples: 100_000_000, limit: 1_000_000 },
        Error::DamagedSums,
        Error::OtherRun { path: path(), what: text("it is of a run with other metrics") },
        Error::OtherSums { own: text("chrf"), other: text("bleu") },
        Error::Alternatives { one: "tokenizer", other: "language" },
        Error::UnknownLanguage { text: text("xx"), instead: None },
        Error::UnknownLanguage { text: text("cz"), instead: Some((text("cz"), text("cs"))) },
        Error::BadMetricName { name: text("Mine") },
        Error::MetricNameTaken { name: text("bleu") },
        Error::NoSlope { metric: text("mine"), spec: text("mine:a=b"), usual: "20" },
        Error::NotPrepared { metric: "nist", ngram: None },
        Error::NotPrepared { metric: "nist", ngram: Some(text("the cat")) },
        Error::NoTokenizerModel { tokenizer: "spm", needs: text("a model"), advice: text("name one by TERCET_SPM") },
        Error::NotRanked { set: text("wmt14-rr cs-en"), because: NotRanked::OneSystem },
        Error::NotRanked { set: text("wmt14-rr cs-en"), because: NotRanked::NoComparisons },
        Error::NotRanked { set: text("wmt14-rr cs-en"), because: NotRanked::NoScores },
        Error::NotRanked {
            set: text("wmt14-rr cs-en"),
            because: NotRanked::TooManySystems { systems: 2000, limit: 1000 },
        },
        Error::NoEffect { setting: "seed", needs: "a test" },
        Error::NotInSet {
            place: text("da cs-en"),
            what: "human scores",
            name: text("z"),
            known: vec![text("mqm"), text("raw")],
        },
        Error::NoJudgementsOf { pair: text("fr-en"), known: vec![text("cs-en"), text("de-en")] },
        Error::SetTwice { set: text("wmt14-rr cs-en") },
        Error::TrainedAndMeasured { set: text("wmt14-rr cs-en") },
        Error::NameTwice { what: "encoders", name: text("gte") },
        Error::EmptyFile { path: path(), expected: "expected scores" },
        Error::Needs { what: text("appraise"), needs: "the language pair, as in en-de" },
        Error::SystemCount { expected: "two systems or more", found: 1 },
        Error::SystemCount { expected: "two systems", found: 3 },
        Error::NotExplained { metrics: text("BLEU") },
        Error::NotWritten { path: path(), why: text("there is no folder models") },
        Error::ModelExists { path: path() },
        Error::UnusedCheckpoint { path: path() },
        Error::NoCheckpoint { path: path() },
        Error::MetricOfOtherTool { name: text("wmt22-comet-da"), tool: "COMET" },
        Error::AllLeftOut(Box::new(Warning::OnlyPairs { sets: vec![text("a cs-en")] })),
        Error::Stopped(Stopped),
    ]
    .into_iter()
    .chain(row_errors().into_iter().map(Error::from))
    .collect()
}

/// Errors about rows, of every kind.
fn row_errors() -> Vec<RowError> {
    let path = || PathBuf::from("out.jsonl");
    let text = |text: &str| text.to_owned();
    let known = || ["id", "mt", "note.en"].map(str::to_owned).to_vec();
    let not_lines = |role, found| RowError::NotLines { path: "out.txt".into(), role, found };
    let bad_field = |problem| RowError::BadField { path: path(), line: 4, field: text("mt"), problem };
    vec![
        RowError::NoField { path: path(), role: FieldRole::Hypothesis, known: known() },
        RowError::NoField { path: path(), role: FieldRole::Reference, known: known() },
        RowError::AmbiguousField { path: path(), role: FieldRole::Source, found: known() },
        RowError::UnknownField { path: path(), name: text("tm"), nearest: Some(text("mt")), known: known() },
        RowError::RepeatedColumn { path: path(), name: text("mt") },
        bad_field(FieldProblem::Missing),
        bad_field(FieldProblem::Null),
        bad_field(FieldProblem::NullInList),
        bad_field(FieldProblem::EmptyList),
        bad_field(FieldProblem::SeveralTexts(3)),
        bad_field(FieldProblem::NotText("a number")),
        RowError::RepeatedId { path: path(), line: 4, id: text("s1"), first: 2 },
        RowError::MissingId { path: path(), system: None, id: text("s1"), other: "ref.csv".into() },
        RowError::MissingId { path: path(), system: Some(text("A")), id: text("s1"), other: path() },
        RowError::NotJoined { path: path(), other: "b.jsonl".into(), without_ids: "ref.txt".into() },
        RowError::RowCount { path: path(), system: None, found: 3, other: "ref.csv".into(), expected: 2 },
        RowError::OtherText { path: path(), line: 4, role: FieldRole::Reference, first: 2, by_order: false },
        RowError::OtherText { path: path(), line: 4, role: FieldRole::Source, first: 2, by_order: true },
        RowError::OtherFile { path: path(), role: FieldRole::Reference, segment: 3, other: "b.jsonl".into() },
        not_lines(FieldRole::Hypothesis, LineContent::Json),
        not_lines(FieldRole::Reference, LineContent::QuotedCsv),
        not_lines(FieldRole::Reference, LineContent::Columns(Some(2))),
        not_lines(FieldRole::Hypothesis, LineContent::Columns(None)),
        not_lines(FieldRole::Hypothesis, LineContent::Header),
        RowError::FieldTaken { path: path(), name: text("bleu") },
        RowError::NoColumn { path: path(), line: 4, field: text("mt") },
    ]
}

/// Fails if this is not what the file has. With `TERCET_UPDATE_MESSAGES` the file is written.
pub fn check_wording(file: &str, printed: &str) {
    let path = Path::new(FOLDER).join(file);
    if std::env::var_os("TERCET_UPDATE_MESSAGES").is_some() {
        return std::fs::write(path, printed).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    for (number, (printed, expected)) in printed.lines().zip(expected.lines()).enumerate() {
        assert_eq!(printed, expected, "{file}:{}", number + 1);
    }
    assert_eq!(printed, expected, "{file}");
}

/// The list of kinds is in the error of one that is unknown.
#[test]
fn every_kind_of_warning_has_an_example_whose_wording_is_pinned() {
    let error = serde_json::from_str::<Warning>(r#"{"kind": "?"}"#).unwrap_err().to_string();
    let kinds: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
    assert!(kinds.len() > 30 && kinds.contains(&"tokenized"), "{error}");
    let examples: Vec<serde_json::Value> =
        warnings().iter().map(|warning| serde_json::to_value(warning).unwrap()).collect();
    let missing = kinds.into_iter().filter(|kind| examples.iter().all(|example| example["kind"] != *kind));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
}
