use crate::test_dir::TestDir;
use serde_json::Value;

/// Rankings of three systems: a mostly before b, c last, sometimes with the same output as b.
fn rankings(segments: usize) -> String {
    let mut table = String::from("ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n");
    for i in 0..segments {
        let [a, b] = if i % 4 == 0 { [2, 1] } else { [1, 2] };
        let (group, c) = if i % 5 == 0 { (2, b) } else { (3, 3) };
        for (group, system, rank) in [(1, "sys.a", a), (2, "sys.b", b), (group, "sys.c", c)] {
            table += &format!("{i}\t{i}\tj\t{group}\t{system}\t{rank}\n");
        }
    }
    table
}

fn dir() -> TestDir {
    TestDir::with(&[("rankings.cs-en.tsv", &rankings(40)), ("rankings.de-en.tsv", &rankings(12))])
}

fn rows(dir: &TestDir, words: &[&str]) -> Vec<Value> {
    let text = dir.stdout(&[&["systems", ".", "-f", "json", "-n", "60"], words].concat());
    let json: Value = serde_json::from_str(&text).unwrap();
    json.as_array().unwrap().clone()
}

fn names(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["system"].as_str().unwrap()).collect()
}

// Counted by hand: a beats b in 30 of 40 and c in 38 of 40; b and c tie 8 times, b wins the rest.
#[test]
fn a_table_shows_score_range_system_and_lines_between_clusters() {
    let text = dir().stdout(&["systems", ".", "--pair", "cs-en", "--method", "expected-wins", "-n", "99"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains(" cs-en: Expected Wins (Koehn 2012; WMT13); 120 comparisons, 99 runs"), "{text}");
    assert_eq!(
        lines[1..],
        [
            "#  score  range  system",
            "1  0.850  1      sys.a",
            "-----------------------",
            "2  0.625  2      sys.b",
            "-----------------------",
            "3  0.025  3      sys.c",
        ]
    );
}

#[test]
fn json_follows_the_contract_for_every_pair_and_method() {
    let dir = dir();
    let rows = rows(&dir, &["--method", "trueskill", "--method", "hopkins-may", "-m", "bojar"]);
    assert_eq!(rows.len(), 2 * 3 * 3);
    let keys: Vec<&str> = rows[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["set", "pair", "method", "system", "score", "low", "high", "cluster", "n"]);
    assert_eq!(
        (&rows[0]["pair"], &rows[0]["method"], &rows[0]["n"]),
        (&"cs-en".into(), &"trueskill".into(), &80.into())
    );
    for ranking in rows.chunks(3) {
        assert_eq!(names(ranking), ["sys.a", "sys.b", "sys.c"]);
        assert!(ranking[0]["score"].as_f64() > ranking[2]["score"].as_f64());
    }
}

#[test]
fn comparisons_are_ranked_by_trueskill_and_scores_by_average() {
    assert_eq!(rows(&dir(), &[])[0]["method"], "trueskill");
    let scores: String = (1..=30)
        .map(|i| format!("good {i} {}.5 1.{} 1\nbad {i} {}.5 -1.{} 1\n", 60 + i, i % 9, 30 + i, i % 7))
        .collect();
    let dir = TestDir::with(&[("ad-seg-scores-xx-yy.csv", &format!("SYS SID RAW.SCR Z.SCR N\n{scores}"))]);
    let averaged = rows(&dir, &[]);
    assert_eq!((names(&averaged), &averaged[0]["method"]), (vec!["good", "bad"], &"average".into()));
    assert_eq!((&averaged[1]["cluster"], &averaged[1]["low"], &averaged[1]["n"]), (&2.into(), &2.into(), &30.into()));
    let error = dir.error(1, &["systems", ".", "--method", "trueskill"]);
    assert!(error.contains("no comparisons of systems"), "{error}");
}

#[test]
fn equal_outputs_are_ties_unless_they_are_skipped() {
    let dir = dir();
    let share = |how: &str| {
        let rows = rows(&dir, &["--pair", "cs-en", "-m", "no-worse", "--shared-outputs", how]);
        rows.iter().find(|row| row["system"] == "sys.c").unwrap()["n"].clone()
    };
    assert_eq!((share("tie"), share("skip")), (80.into(), 72.into()));
}

#[test]
fn the_seed_decides_and_threads_do_not_change_a_byte() {
    let dir = dir();
    let run = |words: &[&str]| dir.stdout(&[&["systems", ".", "-f", "tsv", "-n", "30"], words].concat());
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "3", "--seed", "12345"]));
    assert_ne!(run(&["--seed", "1"]), run(&["--seed", "2"]));
    assert_ne!(run(&["--seed", "none"]), run(&["--seed", "none"]));
    assert_ne!(run(&["--resample", "none"]), run(&["--resample", "rankings"]));
}

#[test]
fn other_formats_and_a_file_for_the_result() {
    let dir = dir();
    let latex = dir.stdout(&["systems", ".", "--pair", "cs-en", "-n", "20", "-f", "latex"]);
    assert!(latex.contains("\\begin{tabular}{llll}") && latex.contains("sys.a \\\\"), "{latex}");
    let markdown = dir.stdout(&["systems", ".", "--pair", "cs-en", "-n", "20", "-f", "markdown"]);
    assert!(markdown.contains("| # |") && markdown.contains("| sys.a |"), "{markdown}");
    assert_eq!(dir.stdout(&["systems", ".", "-n", "20", "-o", "out.txt", "-w", "1"]), "");
    assert!(std::fs::read_to_string(dir.path("out.txt")).unwrap().contains("sys.c"));
}

#[test]
fn misuse_says_what_to_do() {
    let dir = dir();
    let error = dir.error(2, &["systems", ".", "--pair", "fr-en"]);
    assert!(error.contains("no judgements for fr-en (there are: cs-en, de-en)"), "{error}");
    let error = dir.error(2, &["systems", ".", "--method", "elo"]);
    assert!(error.contains("unknown method `elo`"), "{error}");
    let error = dir.error(2, &["systems", ".", "--seed", "x"]);
    assert!(error.contains("--seed <SEED>': expected none or a whole number below 2^64, found x"), "{error}");
    assert!(dir.error(2, &["systems"]).contains("<PATH>"));
    assert!(dir.error(1, &["systems", "nowhere"]).contains("cannot read nowhere"));
}

#[test]
fn scores_are_averaged_and_every_flag_counts() {
    let row = |system: &str, segment: usize, raw: usize, z: f64| format!("{system} {segment} {raw} {z} 1\n");
    let table: String = (1..=40)
        .map(|i| row("a", i, 60 + i % 7, 0.1) + &row("b", i, 70 + i % 5, -0.2 + (i % 3) as f64 / 10.0))
        .collect();
    let dir = TestDir::new();
    dir.write("ad-seg-scores-de-en.csv", format!("SYS SID RAW.SCR Z.SCR N\n{table}").as_bytes());
    let run = |flags: &[&str]| dir.stdout(&[&["systems", "ad-seg-scores-de-en.csv"][..], flags].concat());
    let best = |text: &str| text.lines().nth(2).unwrap().split_whitespace().last().unwrap().to_owned();
    assert_eq!(best(&run(&[])), "a", "by z");
    assert_eq!(best(&run(&["--scores", "raw"])), "b");
    assert!(run(&[]).contains("rank-sum test"));
    assert!(
        run(&["--test", "paired", "-n", "50", "--seed", "3"]).contains("paired permutation test, 50 trials, seed 3")
    );
    assert!(run(&["-w", "5"]).contains(" 0.10000 "));
    run(&["-o", "out.txt"]);
    assert_eq!(dir.read("out.txt"), run(&[]).as_bytes());
    let error = dir.error(2, &["systems", "ad-seg-scores-de-en.csv", "--scores", "mqm"]);
    assert!(error.contains("mqm"), "{error}");
}
