use crate::test_dir::TestDir;
use serde_json::Value;

const HEADER: &str = "ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n";

/// Four rankings of three systems on one segment: b is always better than a; c is judged in every way.
fn rankings() -> String {
    let ranks = [[2, 1, 5], [3, 2, 1], [2, 1, 4], [3, 2, 1]];
    let row = |(i, ranks): (usize, [u32; 3])| -> String {
        let rows = ["a", "b", "c"].iter().zip(ranks).enumerate();
        rows.map(|(group, (system, rank))| format!("{i}\t1\tj\t{group}\t{system}\t{rank}\n")).collect()
    };
    HEADER.to_owned() + &ranks.into_iter().enumerate().map(row).collect::<String>()
}

pub(super) fn dir() -> TestDir {
    let pairs = "1\tb\ta\n1\tb\tc\n1\ta\tc\n";
    TestDir::with(&[
        ("rr/rankings.cs-en.tsv", &rankings()),
        ("rr/segments.cs-en.tsv", "seg_id\tsource\treference\n1\tahoj\thello\n"),
        ("rr/outputs.cs-en.tsv", "seg_id\tsystem\ttext\n1\ta\thallo\n1\tb\thello\n1\tc\tbye\n"),
        ("pairs/pairs.de-en.tsv", &format!("seg_id\tbetter\tworse\n{}", pairs.repeat(5))),
        ("pairs/segments.de-en.tsv", "seg_id\tsource\treference\n1\thallo\thello\n"),
        ("pairs/outputs.de-en.tsv", "seg_id\tsystem\ttext\n1\ta\thallo\n1\tb\thello\n1\tc\tbye\n"),
        ("SICK_train.txt", "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n7\tA dog\tA cat\t3.3\n8\tA\tB\t1\n"),
    ])
}

// b: 1 2 1 2, mean 1.5, variance 0.25; a the same plus one; c: 5 1 4 1, mean 2.75, variance 3.1875.
#[test]
fn the_table_has_a_row_for_each_number_of_ranks() {
    assert_eq!(
        dir().stdout(&["derive-scores", "rr"]),
        "L of rr cs-en\n\
         ranked     pairs  variance below  kept  Kendall  comparisons\n\
         4              3            3.15     2    1.000            4\n\
         5              0               -     0        -            0\n\
         6              0               -     0        -            0\n\
         7              0               -     0        -            0\n\
         8 or more      0               -     0        -            0\n\
         all            3               -     2    1.000            4\n"
    );
}

#[test]
fn little_evidence_is_a_warning() {
    let dir = dir();
    let output = dir.run(&["derive-scores", "rr"]);
    assert!(output.stderr.contains("fewer than 30 comparisons, and may throw much away: n = 4 (4) "), "{output:?}");
    let output = dir.run(&["derive-scores", "rr", "--threshold", "4=3"]);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    let rows: Vec<String> = rankings().lines().take(4).map(str::to_owned).collect();
    dir.write("once/rankings.cs-en.tsv", rows.join("\n").as_bytes());
    for table in ["segments", "outputs"] {
        dir.write(&format!("once/{table}.cs-en.tsv"), &dir.read(&format!("rr/{table}.cs-en.tsv")));
    }
    let output = dir.run(&["derive-scores", "once"]);
    assert!(output.stderr.contains("no score: no translation was ranked 4 times or more often"), "{output:?}");
}

#[test]
fn pairs_are_written_in_the_format_of_the_file_and_the_table_is_printed() {
    let dir = dir();
    let table = dir.stdout(&["derive-scores", "rr", "--add", "SICK_train.txt", "-o", "scores.tsv"]);
    assert!(table.starts_with("L of rr cs-en + SICK_train\n"), "{table}");
    assert!(table.contains("SICK_train") && table.lines().last().unwrap().starts_with("all"), "{table}");
    assert_eq!(
        std::fs::read_to_string(dir.path("scores.tsv")).unwrap(),
        "score\tn\tvariance\tset\tpair\tsegment\tsystems\treference\ttranslation\n\
         3.5000000000000000\t4\t0.25000000000000000\trr\tcs-en\t1\ta\thello\thallo\n\
         4.5000000000000000\t4\t0.25000000000000000\trr\tcs-en\t1\tb\thello\thello\n\
         3.2999999999999998\t\t\tSICK_train\t\t7\tsentence_B\tA dog\tA cat\n\
         1.0000000000000000\t\t\tSICK_train\t\t8\tsentence_B\tA\tB\n"
    );
    let json: Value = serde_json::from_str(&dir.stdout(&["derive-scores", "rr", "-f", "json"])).unwrap();
    assert_eq!((json[1]["score"].as_f64(), json[1]["systems"][0].as_str()), (Some(4.5), Some("b")));
    let lines = dir.stdout(&["derive-scores", "rr", "--add", "SICK_train.txt", "-f", "jsonl"]);
    assert!(lines.lines().count() == 4 && lines.contains("\"n\":null"), "{lines}");
}

#[test]
fn readings_and_thresholds_change_what_is_kept() {
    let dir = dir();
    let kept = |words: &[&str]| {
        let text = dir.stdout(&[&["derive-scores", "rr", "-f", "tsv"], words].concat());
        text.lines().count() - 1
    };
    assert_eq!((kept(&[]), kept(&["--set", "lnf"]), kept(&["--set", "XL"])), (2, 3, 2));
    assert_eq!((kept(&["--minimum-tau", "-1"]), kept(&["--threshold", "4=0.25"])), (3, 0));
    let sample = dir.stdout(&["derive-scores", "rr", "-f", "tsv", "--variance", "n-1"]);
    assert!(sample.contains("\t4\t0.3333333333333333"), "{sample}");
    for reading in [["--equal-scores", "left-out"], ["--scope", "at-least"], ["--equal-outputs", "per-system"]] {
        assert_eq!(kept(&reading), 2, "{reading:?}");
    }
}

#[test]
fn sets_of_pairs_need_a_flag() {
    let dir = dir();
    let error = dir.error(2, &["derive-scores", "pairs"]);
    assert!(error.contains("no ranks from 1 to 5 in pairs de-en"), "{error}");
    assert!(error.contains("--from-pairs recovered or --from-pairs wins"), "{error}");
    let both = dir.run(&["derive-scores", "rr", "pairs"]);
    assert!(both.stderr.contains("warning: no ranks from 1 to 5 in pairs de-en"), "{}", both.stderr);
    let recovered = dir.stdout(&["derive-scores", "pairs", "--from-pairs", "recovered", "-f", "tsv"]);
    assert!(recovered.contains("4.6299999999999999\t5\t0.0\tpairs\tde-en\t1\tb\t"), "{recovered}");
    // Ten comparisons are two rankings and a half.
    let wins = dir.stdout(&["derive-scores", "pairs", "--from-pairs", "wins", "--set", "xl", "-f", "tsv"]);
    assert!(wins.contains("\n5.0000000000000000\t3\t0.0\tpairs\tde-en\t1\tb\t"), "{wins}");
}

#[test]
fn mistakes_are_explained() {
    let dir = dir();
    let error = |words: &[&str]| dir.error(2, &[&["derive-scores", "rr"], words].concat());
    assert!(error(&["--threshold", "4"]).contains("expected N=VARIANCE, as in 4=0.5"));
    assert!(error(&["--threshold", "3=1"]).contains("an n from 4 to 8"));
    assert!(error(&["--set", "lnf", "--threshold", "4=1"]).contains("LNF has no limit on the variance"));
    assert!(error(&["--step", "0"]).contains("the step of the variance must be from 0.001 to 4"));
    assert!(error(&["--pair", "fr-en"]).contains("no judgements for fr-en"));
    assert!(dir.error(1, &["derive-scores", "SICK_train.txt"]).contains("no rankings to derive scores from"));
    assert!(dir.error(1, &["derive-scores", "rr", "--add", "rr"]).contains("no scores of segments"));
    assert!(dir.error(1, &["derive-scores", "nowhere"]).contains("cannot read nowhere"));
}
