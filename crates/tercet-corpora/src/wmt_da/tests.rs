use super::*;
use crate::judgements::Level;
use std::fs;

fn lines(name: &str, text: &str) -> Lines {
    Lines::from_bytes(Path::new(name), text.as_bytes().to_vec()).unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let scratch = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(scratch.path().join(name), text).unwrap();
    }
    scratch
}

const ALIGNED: &[(&str, &str)] = &[
    ("DAseg.newstest2016.source.cs-en", "a\nb\n"),
    ("DAseg.newstest2016.reference.cs-en", "A\nB\n"),
    ("DAseg.newstest2016.mt-system.cs-en", "x\ny\n"),
    ("DAseg.newstest2016.human.cs-en", "0.5\n-0.25\n"),
    ("DAseg.newstest2016.sbleu.cs-en", "0.1\n0.2\n"),
    ("DAseg.newstest2016.annotation.cs-en", "no\nnumber\n"),
    (
        "DAseg.newstest2016.details.cs-en",
        "LP\tDATA\t\tTHIS.SID\tORIG.SID\tSYSTEM\ncs-en\tn\t1\t\t11\ts\ncs-en\tn\t2\t12\tt\n",
    ),
    ("README", "not ours"),
];

#[test]
fn aligned_files_are_one_system() {
    let scratch = folder(ALIGNED);
    let found = sources(scratch.path()).unwrap();
    assert_eq!((found.len(), found[0].pair.as_str()), (1, "cs-en"));
    assert_eq!(found[0].set, scratch.path().file_name().unwrap().to_str().unwrap());
    let read = found[0].read().unwrap();
    assert_eq!((read.systems.join(" "), read.segments.join(" ")), ("mt-system".to_owned(), "11:s 12:t".to_owned()));
    assert_eq!(read.scores[0].values, [[Some(0.5), Some(-0.25)]]);
    let metrics: Vec<_> = read.metric_scores.iter().map(|scores| scores.metric.as_str()).collect();
    assert_eq!(metrics, ["sbleu"]);
    let texts = read.texts.unwrap();
    assert_eq!(texts.outputs[0][1].as_deref(), Some("y"));
    assert_eq!(texts.references[0].lines[1].as_deref(), Some("B"));
}

#[test]
fn aligned_files_that_do_not_fit_are_refused() {
    for (name, text, expected) in [
        ("DAseg.newstest2016.human.cs-en", "0.5\nx\n", "human.cs-en:2: expected a number, or NA for none, found \"x\""),
        ("DAseg.newstest2016.human.cs-en", "0.5\n", "human.cs-en has 1 line but"),
        ("DAseg.newstest2016.reference.cs-en", "A\n", "reference.cs-en has 1 line but"),
        (
            "DAseg.newstest2016.details.cs-en",
            "THIS.SID ORIG.SID SYSTEM\n2 1 s\n",
            "details.cs-en:2: expected the details of line 1, found those of \"2\"",
        ),
        ("DAseg.newstest2016.details.cs-en", "THIS.SID ORIG.SID SYSTEM\n1 1 s\n", "details.cs-en has 1 line but"),
    ] {
        let scratch = folder(ALIGNED);
        fs::write(scratch.path().join(name), text).unwrap();
        let error = sources(scratch.path()).unwrap()[0].read().unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn two_prefixes_are_two_sets() {
    let two: Vec<(&str, &str)> =
        ["a.human.cs-en", "a.mt-system.cs-en", "b.human.cs-en", "b.mt-system.cs-en"].map(|name| (name, "1\n")).to_vec();
    let found = sources(folder(&two).path()).unwrap();
    assert_eq!(found.iter().map(|source| source.set.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let read = AlignedFiles {
        source: None,
        reference: None,
        hypothesis: lines("h", "1\n"),
        human: AlignedScores::Numbers(lines("n", "1\n"), None),
        others: Vec::new(),
    };
    assert_eq!(read.judgements().unwrap().segments, ["1"]);
}

#[test]
fn a_table_has_a_score_for_each_line_and_the_post_edit_is_not_a_reference() {
    let scratch = folder(&[
        ("src.cs-en", "a\n"),
        ("ref.cs-en", "A\n"),
        ("sys.cs-en", "x\n"),
        ("human-post-edit.cs-en", "X\n"),
        ("human-scores.cs-en.csv", "LP SYSTEM SID HUMAN\ncs-en JHU.2903 71 0.25\n"),
    ]);
    let read = sources(scratch.path()).unwrap()[0].read().unwrap();
    assert_eq!((read.segments[0].as_str(), read.scores[0].values[0][0]), ("71:JHU.2903", Some(0.25)));
    let references = read.texts.unwrap().references;
    assert_eq!((references.len(), references[0].lines[0].as_deref()), (1, Some("A")));
    fs::write(scratch.path().join("human-scores.cs-en.csv"), "LP SYSTEM SID HUMAN\n").unwrap();
    let error = sources(scratch.path()).unwrap()[0].read().unwrap_err().to_string();
    assert!(error.contains("has 0 lines but") && error.ends_with("(its header not counted)"), "{error}");
}

#[test]
fn tables_of_a_metrics_task_are_read_together() {
    let scratch = folder(&[
        ("DA-seglevel.csv", "LP DATA SYSTEM SID HUMAN\ncs-en n a+b 7 0.5\nzh-en n a 1 -1\ncs-en n b 8 NA\n"),
        ("DA-syslevel.csv", "LP HUMAN SYSTEM\ncs-en 0.2 a\ncs-en 0.1 c\n"),
        ("RR-seglevel.csv", "LP DATA SID BETTER WORSE\ncs-en n 8 c a 33.5\n"),
    ]);
    let found = sources(scratch.path()).unwrap();
    assert_eq!(found.iter().map(|source| source.pair.as_str()).collect::<Vec<_>>(), ["cs-en", "zh-en"]);
    let read = found[0].read().unwrap();
    assert_eq!((read.systems.join(" "), read.segments.join(" ")), ("a b c".to_owned(), "7 8".to_owned()));
    assert_eq!(read.scores[0].values, [vec![Some(0.5), None], vec![None, None], vec![None, None]]);
    assert_eq!(
        (read.scores[1].level, &read.scores[1].values),
        (Level::System, &vec![vec![Some(0.2)], vec![None], vec![Some(0.1)]])
    );
    let pair = read.comparisons[0];
    assert_eq!((pair.segment, pair.first, pair.second), (1, 2, 0));
    let alone = sources(&scratch.path().join("DA-syslevel.csv")).unwrap();
    assert_eq!((alone[0].set.as_str(), alone[0].read().unwrap().segments.len()), ("DA-syslevel", 0));
}

#[test]
fn errors_in_tables_name_file_and_line() {
    for (text, expected) in [
        (
            "LP DATA SYSTEM SID HUMAN\ncs-en n a 7 0.5\ncs-en n a 7 0.6\n",
            "t:3: a second score of \"a\" for the same item",
        ),
        ("LP DATA SYSTEM SID HUMAN\nczech n a 7 0.5\n", "t:2: expected a language pair such as cs-en, found \"czech\""),
        (
            "LP DATA SYSTEM SID\ncs-en n a 7\n",
            "t:1: expected a column `HUMAN` or `Z.SCR` or `Z`, found the header \"LP DATA SYSTEM SID\"",
        ),
        ("LP DATA SID BETTER WORSE\ncs-en n 8 c c\n", "t:2: a system cannot be better than itself"),
    ] {
        assert_eq!(parse_da_tables(&[lines("t", text)]).unwrap_err().to_string(), expected);
    }
}

#[test]
fn scores_of_a_pair_have_both_scales_z_first() {
    let scratch = folder(&[
        ("ad-seg-scores-cs-en.csv", "SYS SID RAW.SCR Z.SCR N \nb 656 92 0.5 1 \na 656 50 -0.5 2 \nb 657 95 0.75 1\n"),
        ("ad-sys-scores-cs-en.csv", "RAW.SCR Z.SCR N SYS N.ALL \n93.5 0.625 2 b 2 \n50 -0.5 1 a 2 \n"),
        ("metrics-ad-seg-scores-cs-en.csv", "SYS SEGID RAW.SCR Z.SCR N SID\nb d::1 92.0 0.5 1 656\nb e::1 1 1 1 657\n"),
        ("ad-sys-ranking-cs-en-z.csv", "93.5 0.625 2 2 b \n"),
    ]);
    let found = sources(scratch.path()).unwrap();
    assert_eq!((found.len(), found[0].pair.as_str()), (1, "cs-en"));
    let read = found[0].read().unwrap();
    let names: Vec<_> = read.scores.iter().map(|scores| format!("{}.{}", scores.name, scores.level.code())).collect();
    assert_eq!(names, ["z.seg", "raw.seg", "z.sys", "raw.sys"]);
    assert_eq!(read.scores[0].values, [[Some(0.5), Some(0.75)], [Some(-0.5), None]]);
    assert_eq!(read.scores[3].values, [[Some(93.5)], [Some(50.0)]]);
    let copy = sources(&scratch.path().join("metrics-ad-seg-scores-cs-en.csv")).unwrap()[0].read().unwrap();
    assert_eq!((copy.pair.as_str(), copy.documents.unwrap().join(" ")), ("cs-en", "d e".to_owned()));
    let torn = lines("t", "SYS SEGID RAW.SCR Z.SCR N SID\na d::1 1 1 1 7\nb e::1 1 1 1 7\n");
    let error = parse_da_scores(Some(&torn), None).unwrap_err().to_string();
    assert_eq!(error, "t:3: segment \"7\" is in document \"d\" and in \"e\"");
}

#[test]
fn texts_beside_the_tables_are_those_of_the_judged_segments() {
    let scratch = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = scratch.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("DA-seglevel.csv", "LP DATA SYSTEM SID HUMAN\ncs-en x a.0 3 0.5\ncs-en x b.1 1 0.25\n");
    write("sources/newstest2017-csen-src.cs", "s1\ns2\ns3\n");
    write("references/newstest2017-csen-ref.en", "r1\nr2\nr3\n");
    write("system-outputs/newstest2017/cs-en/newstest2017.a.0.cs-en", "a1\na2\na3\n");
    write("system-outputs/newstest2017/cs-en/newstest2017.b.1.cs-en.txt", "b1\nb2\nb3\n");
    let judgements = sources(scratch.path()).unwrap()[0].read().unwrap();
    let texts = judgements.texts.unwrap();
    assert_eq!(
        (judgements.segments, judgements.systems),
        (vec!["3".to_owned(), "1".to_owned()], names(&["a.0", "b.1"]))
    );
    assert_eq!(texts.sources.unwrap(), ["s3", "s1"]);
    assert_eq!(texts.references[0].lines, [Some("r3".to_owned()), Some("r1".to_owned())]);
    assert_eq!(texts.outputs[1], [Some("b3".to_owned()), Some("b1".to_owned())]);
    write("DA-seglevel.csv", "LP DATA SYSTEM SID HUMAN\ncs-en x a.0 4 0.5\n");
    let error = sources(scratch.path()).unwrap()[0].read().unwrap_err().to_string();
    assert!(error.ends_with("newstest2017-csen-ref.en: segment 4 is judged, but the texts have 3 lines"), "{error}");
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}
