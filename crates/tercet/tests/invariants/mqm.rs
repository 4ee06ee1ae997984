//! Properties of the readers of MQM, tar archives, EvalSets, metric scores and submissions: any bytes are read, or are
//! an error that names the file; all indices in the result are valid, and every row has the right length.

use std::path::Path;
use tercet::corpora::formats::{
    Annotations, EvalSet, MqmWeights, parse_averages, parse_documents, parse_json_texts, parse_mqm, parse_side_by_side,
};
use tercet::corpora::{
    Judgements, Level, Lines, MarkedText, MetricScores, Ratings, Reference, Submission, SubmissionRow, Texts,
    parse_metric_scores, read_tar,
};
use tercet::{Error, Result};

/// The error for a bad line names file and line; other errors name at least the file.
fn named<T>(read: Result<T>, file: &str) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(Error::BadLine { path, line, what }) => {
            assert_eq!(path, Path::new(file));
            assert!(line > 0 && !what.is_empty());
            None
        }
        Err(error) => {
            assert!(error.to_string().contains(file), "{error}");
            None
        }
    }
}

fn lines(bytes: &[u8], file: &str) -> Option<Lines> {
    named(Lines::from_bytes(Path::new(file), bytes.to_vec()), file)
}

/// All indices are valid, every row has the right length.
pub fn judgements_are_whole(judgements: &Judgements) {
    let (systems, segments) = (judgements.systems.len(), judgements.segments.len());
    for scores in &judgements.scores {
        assert_eq!(scores.values.len(), systems);
        for row in &scores.values {
            assert!(scores.level != Level::Segment || row.len() == segments);
            assert!(scores.level != Level::System || row.len() == 1);
            assert!(row.iter().flatten().all(|score| score.is_finite()));
        }
    }
    for pair in &judgements.comparisons {
        assert!(pair.segment < segments && pair.first < systems && pair.second < systems);
        assert_ne!(pair.first, pair.second);
    }
    assert!(judgements.documents.as_ref().is_none_or(|documents| documents.len() == segments));
    assert!(judgements.domains.as_ref().is_none_or(|domains| domains.len() == segments));
    judgements.ratings.iter().for_each(|ratings| ratings_are_whole(ratings, judgements));
    if let Some(texts) = &judgements.texts {
        assert!(texts.sources.as_ref().is_none_or(|sources| sources.len() == segments));
        assert!(texts.references.iter().all(|reference| reference.lines.len() == segments));
        assert_eq!(texts.outputs.len(), systems);
        assert!(texts.outputs.iter().all(|outputs| outputs.len() == segments));
    }
}

/// All indices are valid, and the places of errors are in their texts.
pub fn ratings_are_whole(ratings: &Ratings, judgements: &Judgements) {
    for rating in &ratings.ratings {
        assert!(rating.system < judgements.systems.len() && rating.segment < judgements.segments.len());
        assert!(rating.rater.is_none_or(|rater| rater < ratings.raters.len()));
        assert!(rating.score.is_none_or(f64::is_finite));
        for error in &rating.errors {
            let Some(place) = &error.place else { continue };
            assert!(place.start < place.end);
            let Some(texts) = &judgements.texts else { continue };
            let text = match error.side {
                MarkedText::Output => texts.outputs[rating.system][rating.segment].as_ref(),
                MarkedText::Source => texts.sources.as_ref().map(|sources| &sources[rating.segment]),
            };
            assert!(text.is_none_or(|text| place.end <= text.chars().count()));
        }
    }
}

fn scores_are_whole(scores: &MetricScores) {
    assert!(!scores.systems.is_empty());
    assert_eq!(scores.systems.len(), scores.values.len());
    assert!(scores.values.iter().all(|row| row.len() == scores.values[0].len() && !row.is_empty()));
    assert!(scores.values.iter().flatten().flatten().all(|score| score.is_finite()));
}

/// Tables of errors: a row for each line below the header, no tags in the texts.
pub fn mqm(bytes: &[u8]) {
    let Some(lines) = lines(bytes, "input.tsv") else { return };
    let weights = MqmWeights::standard();
    let (table, judged) = (Annotations::parse(&lines), parse_mqm(&lines, &weights));
    let (Some(table), Some(judged)) = (named(table, "input.tsv"), named(judged, "input.tsv")) else { return };
    assert_eq!(table.rows.len() + 1, lines.len());
    let texts = table.targets.iter().flatten().flatten();
    assert!(texts.clone().all(|text| text.len() <= bytes.len() && text.trim_end_matches(['\r', ' ']) == text));
    assert!(judged.scores[0].values.iter().flatten().flatten().all(|score| *score <= 0.0));
    for row in &table.rows {
        assert!(judged.scores[0].values[row.system][row.segment].is_some());
    }
    judgements_are_whole(&judged);
}

/// Averages: every line is a cell.
pub fn averages(bytes: &[u8]) {
    let Some(lines) = lines(bytes, "input.tsv") else { return };
    if let Some(judgements) = named(parse_averages(&lines), "input.tsv") {
        let numbers = judgements.scores[0].values.iter().flatten().flatten().count();
        assert!(numbers < lines.len().max(1));
        judgements_are_whole(&judgements);
    }
}

/// Side by side: the same as for a table, and comparisons are of systems that both have scores.
pub fn side_by_side(bytes: &[u8]) {
    let Some(lines) = lines(bytes, "input.tsv") else { return };
    if let Some(judgements) = named(parse_side_by_side(&lines, &MqmWeights::standard()), "input.tsv") {
        for pair in &judgements.comparisons {
            for system in [pair.first, pair.second] {
                assert!(judgements.scores[0].values[system][pair.segment].is_some());
            }
        }
        judgements_are_whole(&judgements);
    }
}

/// Tar archives: the contents are no longer than the archive.
pub fn tar(bytes: &[u8]) {
    if let Some(files) = named(read_tar(Path::new("input.tar"), bytes), "input.tar") {
        let content: usize = files.iter().map(|file| 512 + file.bytes.len()).sum();
        assert!(content <= bytes.len());
    }
}

/// Any bytes as each of the files of a small EvalSet.
pub fn eval_set(bytes: &[u8]) {
    for field in ["source", "target", "hypothesis"] {
        let Some(lines) = lines(bytes, "input.jsonl") else { return };
        if let Some(texts) = named(parse_json_texts(&lines, field), "input.jsonl") {
            assert_eq!(texts.len(), lines.len());
        }
    }
    let Some(docs) = lines(bytes, "input.docs") else { return };
    if let Some((domains, documents)) = named(parse_documents(&docs), "input.docs") {
        assert_eq!((domains.len(), documents.len()), (docs.len(), docs.len()));
    }
    let set = small_set();
    for level in [Level::System, Level::Domain, Level::Document, Level::Segment] {
        let file = format!("M-refA.{}.score", level.code());
        let Some(lines) = lines(bytes, &file) else { return };
        if let Some(scores) = named(set.parse_human_scores(&lines, "mqm", level), &file) {
            let judgements = Judgements { scores: vec![scores], ..set.judgements.clone() };
            judgements_are_whole(&judgements);
        }
        if let Some((scores, missing)) = named(set.parse_metric_scores(&lines), &file) {
            assert!(scores.values.iter().flatten().all(Option::is_some));
            assert!(scores.systems.iter().all(|system| set.judgements.systems.contains(system)));
            let reference = usize::from(!scores.systems.iter().any(|system| system == "refA"));
            assert_eq!(scores.systems.len() + missing.len() + reference, set.judgements.systems.len());
        }
    }
}

/// Two segments, two documents, two domains, two systems and a human translation.
fn small_set() -> EvalSet {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    let reference = Reference { name: "refA".to_owned(), lines: vec![None, None] };
    EvalSet {
        judgements: Judgements {
            systems: names(&["a", "b", "refA"]),
            segments: names(&["1", "2"]),
            documents: Some(names(&["d", "e"])),
            texts: Some(Texts { references: vec![reference], outputs: vec![vec![None; 2]; 3], sources: None }),
            domains: Some(names(&["x", "y"])),
            ..Judgements::default()
        },
        missing: Vec::new(),
    }
}

/// Metric scores in any format: all scores are finite, all rows have the same length.
pub fn metric_scores(bytes: &[u8]) {
    for file in ["input", "M-refA.seg.score", "M-src.sys.score", "M-src.domain.score", "M-refA.doc.score"] {
        let Some(lines) = lines(bytes, file) else { return };
        let Some(runs) = named(parse_metric_scores(&lines), file) else { continue };
        assert!(!runs.is_empty());
        runs.iter().for_each(|run| scores_are_whole(&run.scores));
    }
}

/// Submissions: what is read can be written and read back.
pub fn submission(bytes: &[u8]) {
    for file in ["input", "M.seg.score", "M.sys.score", "M.doc.score"] {
        let Some(lines) = lines(bytes, file) else { return };
        let Some(submission) = named(Submission::parse(&lines), file) else { continue };
        assert_eq!(submission.rows.len(), lines.len());
        if let Some(runs) = named(submission.runs(Path::new(file)), file) {
            runs.iter().for_each(|run| scores_are_whole(&run.scores));
        }
        submission_is_read_again(&submission);
    }
}

/// A submission that can be written is read back unchanged.
pub fn submission_is_read_again(submission: &Submission) {
    let Ok(text) = submission.write() else { return };
    let file = format!("M.{}.score", submission.level.code());
    let Some(lines) = lines(text.as_bytes(), &file) else { panic!("{text:?} is no text") };
    if submission.rows.is_empty() {
        return;
    }
    let again = Submission::parse(&lines).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(again.level, submission.level);
    let bare = |row: &SubmissionRow| SubmissionRow {
        // Defaults for missing values.
        domain: None,
        times: None,
        ensemble: None,
        available: None,
        ..row.clone()
    };
    let bits = |submission: &Submission| {
        submission.rows.iter().map(|row| (bare(row), row.score.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(bits(&again), bits(submission), "{text:?}");
    assert_eq!(again.write().expect("it was written before"), text);
}
