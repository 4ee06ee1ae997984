use super::*;
use crate::MetricScores;

fn read(name: &str, text: &str) -> Result<Submission> {
    Submission::parse(&Lines::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap())
}

fn scores(metric: &str, level: Level, values: &[&[f64]]) -> MetricScores {
    MetricScores {
        metric: metric.to_owned(),
        level,
        systems: (0..values.len()).map(|i| format!("sys.{i}")).collect(),
        values: values.iter().map(|row| row.iter().map(|&score| Some(score)).collect()).collect(),
    }
}

#[test]
fn each_year_is_recognised_by_its_columns() {
    use SubmissionFormat::*;
    let recognised = |name: &str, line: &str| {
        let submission = read(name, &format!("{}\n", line.replace(' ', "\t"))).unwrap();
        (submission.format, submission.level)
    };
    assert_eq!(recognised("x.scr", "M cs-en newstest2014 uedin.1 7 0.5"), (Wmt08, Level::Segment));
    assert_eq!(recognised("x.scr", "M cs-en newstest2014 uedin.1 0.5"), (Wmt08, Level::System));
    let (seg, sys) =
        ("M cs-en newstest2017 u.1 7 0.5 non-ensemble no", "M cs-en DAsys+newstest2017 u.1 0.5 1 2 non-ensemble no");
    assert_eq!((recognised("x", seg), recognised("x", sys)), ((Wmt17, Level::Segment), (Wmt17, Level::System)));
    assert_eq!(recognised("x", "M cs-en newstest2019 u.1 0.5 ensemble no"), (Wmt17, Level::System));
    assert_eq!(recognised("x", "M cs-en newstest2020 newstest2020 u.1 idnes.1 7 0.5"), (Wmt20, Level::Segment));
    assert_eq!(
        recognised("x.doc.score.gz", "M cs-en newstest2020 newstest2020 u.1 idnes.1 0.5"),
        (Wmt20, Level::Document)
    );
    assert_eq!(recognised("x.sys.score", "M cs-en newstest2020 newstest2020 u.1 0.5"), (Wmt20, Level::System));
    assert_eq!(recognised("x", "M cs-en newstest2021 ref-A u.1 7 0.5"), (Wmt21, Level::Segment));
    assert_eq!(recognised("x", "M cs-en generaltest2022 all refA u 0.5"), (Wmt22, Level::System));
    let line = "M cs-en generaltest2024 news doc.1 refA u 7 0.5";
    assert_eq!(recognised("x.seg.score", line), (Wmt22, Level::Segment));
    assert_eq!(recognised("x.seg.score", &format!("{line} -5")), (Wmt22, Level::Segment));
    let spaced = read("x", "BEER cs-en newstest2018 CUNI.5560 18 0.5 non-ensamble https://x\n").unwrap();
    assert_eq!((spaced.format, spaced.rows[0].segment), (Wmt17, Some(18)));
}

#[test]
fn errors_name_file_and_line() {
    let message = |text: &str| read("m.seg.score", text).unwrap_err().to_string();
    let good = "M\tcs-en\tnewstest2014\tu\t1\t0.5\n";
    assert_eq!(message(&format!("{good}M\tcs-en\n")), "m.seg.score:2: expected 6 fields as on the first line, found 2");
    assert_eq!(
        message(&format!("{good}M\tcs-en\tnewstest2014\tu\t0\t0.5\n")),
        "m.seg.score:2: expected a segment number from 1, found \"0\""
    );
    assert_eq!(
        message(&format!("{good}M\tcs-en\tnewstest2014\tu\t2\tnan\n")),
        "m.seg.score:2: expected a number, found \"nan\""
    );
    assert_eq!(
        message("hello\n"),
        "m.seg.score:1: expected a number, or the columns of a WMT submission, found \"hello\""
    );
    assert_eq!(message(""), "m.seg.score is empty: expected scores");
}

#[test]
fn scores_become_runs_by_pair_and_reference() {
    let text = "M\tcs-en\tT\tref-A\ta\t2\t0.2\nM\tcs-en\tT\tref-A\ta\t1\t0.1\nM\tcs-en\tT\tref-A\tb\t1\t0.3\n\
                M\tde-en\tT\tref-A\ta\t1\t0.4\nM\tcs-en\tT\tsrc\ta\t1\t0.5\n";
    let runs = read("x.seg.score", text).unwrap().runs(Path::new("x")).unwrap();
    let names: Vec<_> = runs.iter().map(|run| (run.pair.as_str(), run.scores.metric.as_str())).collect();
    assert_eq!(names, [("cs-en", "M-ref-A"), ("de-en", "M-ref-A"), ("cs-en", "M-src")]);
    assert_eq!(runs[0].scores.values, [[Some(0.1), Some(0.2)], [Some(0.3), None]]);
    let error = |text: &str| read("x", text).unwrap().runs(Path::new("x.score")).unwrap_err().to_string();
    assert_eq!(error("M\tp\tT\ta\t1\t1\nM\tp\tT\ta\t1\t2\n"), "x.score:2: a is scored twice by M for the same item");
    assert!(error("M\tp\tT\ta\t1\t1\nM\tp\tT\ta\t3\t2\n").contains("for segment 2, but there are later"));
}

#[test]
fn domains_and_documents_are_levels_of_their_own() {
    let text = "M\tcs-en\tT\tnews\trefA\ta\t1\nM\tcs-en\tT\tall\trefA\ta\t2\nM\tcs-en\tT\tchat\trefA\ta\t3\n";
    let runs = read("x.sys.score", text).unwrap().runs(Path::new("x")).unwrap();
    let found: Vec<_> = runs.iter().map(|run| (run.scores.level, run.scores.values[0].clone())).collect();
    assert_eq!(found, [(Level::Domain, vec![Some(3.0), Some(1.0)]), (Level::System, vec![Some(2.0)])]);
    let text = "M\tcs-en\tT\tr\ta\td2\t1\t0.1\nM\tcs-en\tT\tr\ta\td2\t2\t0.2\nM\tcs-en\tT\tr\ta\td1\t1\t0.3\n";
    let runs = read("x.seg.score", text).unwrap().runs(Path::new("x")).unwrap();
    assert_eq!(runs[0].scores.values, [[Some(0.1), Some(0.2), Some(0.3)]]);
}

#[test]
fn a_written_submission_is_read_back() {
    let documents = ["d1", "d1", "d2"].map(str::to_owned);
    let domains = ["news", "news", "chat"].map(str::to_owned);
    let set = ScoredSet {
        pair: "cs-en",
        test_set: "DAsys+newstest2017",
        documents: Some(&documents),
        domains: Some(&domains),
    };
    let segments = scores("M-refA", Level::Segment, &[&[0.1, 1e-17, -3.0], &[1.0 / 3.0, 5e120, 0.0]]);
    let systems = scores("M-refA", Level::System, &[&[0.5], &[0.25]]);
    let by_document = scores("M-refA", Level::Document, &[&[0.5, 1.0], &[0.25, 2.0]]);
    let by_domain = scores("M-refA", Level::Domain, &[&[0.5, 1.0], &[0.25, 2.0]]);
    let cases = [2016, 2017, 2020, 2021, 2023].map(SubmissionFormat::of_year);
    for format in cases {
        for given in [&segments, &systems, &by_document, &by_domain] {
            let skip = match given.level {
                Level::Document => format != SubmissionFormat::Wmt20,
                Level::Domain => format != SubmissionFormat::Wmt22,
                _ => false,
            };
            if skip {
                continue;
            }
            let submission = Submission::from_scores(given, &set, format).unwrap();
            let text = submission.write().unwrap();
            let name = format!("M.{}.score", submission.level.code());
            let again = read(&name, &text).unwrap();
            assert_eq!(again.write().unwrap(), text);
            let runs = again.runs(Path::new("x")).unwrap();
            assert_eq!((runs.len(), runs[0].set.as_str(), runs[0].pair.as_str()), (1, set.test_set, "cs-en"));
            let named = !matches!(format, SubmissionFormat::Wmt08 | SubmissionFormat::Wmt17);
            let expected = MetricScores { metric: if named { "M-refA" } else { "M" }.to_owned(), ..given.clone() };
            assert_eq!(runs[0].scores, expected, "{format:?}");
        }
    }
}

#[test]
fn lines_are_in_the_format_of_the_task() {
    let set = ScoredSet { pair: "de-en", test_set: "newstest2017", ..ScoredSet::default() };
    let write = |metric: &str, level, year| {
        let format = SubmissionFormat::of_year(year);
        Submission::from_scores(&scores(metric, level, &[&[0.5]]), &set, format)?.write()
    };
    assert_eq!(write("M", Level::Segment, 2017).unwrap(), "M\tde-en\tnewstest2017\tsys.0\t1\t0.5\tnon-ensemble\tno\n");
    assert_eq!(write("M-src", Level::Segment, 2022).unwrap(), "M\tde-en\tnewstest2017\tall\t-\tsrc\tsys.0\t1\t0.5\n");
    assert_eq!(
        write("M", Level::System, 2022).unwrap_err().to_string(),
        "the submission must name the reference M used (call it M-refA, or M-src if there is none)"
    );
    assert_eq!(write("M", Level::Document, 2021).unwrap_err().to_string(), "1 scores for 0 documents");
    // With zero bytes, a short file would be taken for UTF-16.
    for name in ["M\t", "M\n", "M\0"] {
        let error = write(name, Level::System, 2016).unwrap_err().to_string();
        assert!(error.contains("expected a metric without tabs, line ends or zero bytes"), "{error}");
    }
    assert_eq!(gzip("a\n"), gzip("a\n"));
    let packed = gzip("a\n");
    let mut unpacked = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut unpacked).unwrap();
    assert_eq!(unpacked, "a\n");
}
