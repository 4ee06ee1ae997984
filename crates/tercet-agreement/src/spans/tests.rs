use super::*;
use crate::corpora::Severity;
use crate::metrics::Registry;
use crate::progress::Progress;
use std::path::PathBuf;

const JUDGED: &str = "id\tsystem\trater\tmt\tref\tspans\n\
    1\ta\tann\tthe big house\tthe small house\t[[4, 7, \"major\", \"x\"]]\n\
    1\ta\tben\tthe big house\tthe small house\t[[0, 7, \"minor\", \"x\"]]\n\
    1\tb\tann\tthe small house\tthe small house\t[[-1, -1, \"major\", \"omission\"]]\n\
    2\ta\tann\tÜber all\tUnder all\t[[0, 4, \"minor\", \"x\"]]\n";

fn measured(folder: &tempfile::TempDir, job: SpansJob) -> crate::error::Result<SpansReport> {
    let path = folder.path().join("judged.tsv");
    std::fs::write(&path, JUDGED).unwrap();
    let job = SpansJob { judgements: vec![path], resamples: 50, ..job };
    Ok(job.run(&Registry::lexical(), Progress::none())?.result)
}

fn by_ter(severity: Option<Severity>) -> SpansReport {
    let job = SpansJob { metrics: vec!["ter".to_owned()], severity, ..SpansJob::default() };
    measured(&tempfile::tempdir().unwrap(), job).unwrap()
}

fn of(report: &SpansReport, marker: SpanMarker) -> &SpanAgreement {
    report.agreements.iter().find(|found| found.marker == marker).unwrap()
}

#[test]
fn words_that_ter_edits_are_compared_with_each_rater() {
    let report = by_ter(None);
    let found = of(&report, SpanMarker::Metric);
    // TER marks "big" for both raters, nothing, and "Über": people marked 3, 7, 0 and 4 characters.
    assert_eq!((found.outputs, found.human_spans, found.spans), (4, 3, 3));
    assert_eq!((found.characters.precision, found.characters.recall), (Some(1.0), Some(10.0 / 14.0)));
    assert_eq!(found.with_severity, None);
    assert_eq!(found.matched.recall, Some((1.0 + 3.0 / 7.0 + 1.0) / 3.0));
    assert_eq!(found.mean_f1, (1.0 + 0.6 + 1.0 + 1.0) / 4.0);
    let everything = of(&report, SpanMarker::Everything);
    assert_eq!((everything.characters.recall, everything.characters.precision), (Some(1.0), Some(14.0 / 49.0)));
    let nothing = of(&report, SpanMarker::Nothing);
    assert_eq!((nothing.characters.precision, nothing.characters.f1, nothing.mean_f1), (None, Some(0.0), 0.25));
    let rater = of(&report, SpanMarker::Rater);
    assert_eq!((rater.outputs, rater.characters.precision), (2, Some(0.6)));
    assert_eq!(rater.with_severity.unwrap().precision, Some(0.3), "the severities differ");
}

#[test]
fn marks_without_a_severity_can_be_given_one() {
    let report = by_ter(Some(Severity::Minor));
    let found = of(&report, SpanMarker::Metric);
    assert_eq!(found.with_severity.unwrap().precision, Some((1.5 + 3.0 + 4.0) / 10.0));
}

#[test]
fn outputs_that_differ_most_are_shown_with_all_marks() {
    let report = by_ter(None);
    let first = &report.examples[0];
    assert_eq!((first.segment.as_str(), first.system.as_str()), ("1", "a"));
    let names: Vec<&str> = first.spans.iter().map(|of| of.name.as_str()).collect();
    assert_eq!(names, ["ann", "ben", "TER"]);
    let pieces: Vec<_> = first.spans[1].pieces.iter().map(|piece| (piece.text.as_str(), piece.mark)).collect();
    assert_eq!(pieces, [("the big", Some("minor")), (" house", None)]);
}

#[test]
fn spans_of_files_are_found_by_system_and_segment() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.jsonl");
    let rows = "{\"id\": \"2\", \"system\": \"a\", \"score\": 1, \"mt\": \"Über all\", \"spans\": \
                [{\"start\": 0, \"end\": 2, \"severity\": \"minor\"}]}\n\
                {\"id\": \"1\", \"system\": \"a\", \"score\": 1, \"mt\": \"the big house\", \"spans\": []}\n";
    std::fs::write(&path, rows).unwrap();
    let job = SpansJob { spans: vec![path.clone()], ..SpansJob::default() };
    let report = measured(&folder, job.clone()).unwrap();
    let found = of(&report, SpanMarker::Metric);
    assert_eq!((found.metric.as_str(), found.outputs, found.spans), ("other", 3, 1));
    assert_eq!(found.with_severity.unwrap().precision, Some(1.0));
    std::fs::write(&path, rows.replace("{\"start\": 0, \"end\": 2, \"severity\": \"minor\"}", "")).unwrap();
    let error = measured(&folder, job).unwrap_err().to_string();
    assert!(error.contains("it has no marked errors: expected xCOMET's JSON"), "{error}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |job| measured(&folder, job).unwrap_err().to_string();
    let error = refused(SpansJob { metrics: vec!["bleu".to_owned()], ..SpansJob::default() });
    assert_eq!(error, "bleu marks no words of translations (metrics that do: meteor, ter; or give a file of spans)");
    let error = refused(SpansJob { human: Some("esa".to_owned()), ..SpansJob::default() });
    assert!(error.starts_with("nothing to compare in judged: there must be errors that people marked"), "{error}");
    let plain = folder.path().join("plain.csv");
    std::fs::write(&plain, "mt,ref,score\na,b,1\n").unwrap();
    let job = SpansJob { judgements: vec![PathBuf::from(&plain)], ..SpansJob::default() };
    assert!(job.run(&Registry::lexical(), Progress::none()).is_err());
}
