//! What the tables of `tercet correlate` say beside the coefficients: order, intervals, ties, post-edits.

use crate::correlate::{assessments, json};
use crate::test_dir::TestDir;

#[test]
fn metrics_can_be_sorted_by_agreement_and_written_as_csv() {
    let dir = assessments();
    let found = |words: &[&str]| {
        let common =
            ["correlate", "da", "-m", "ter", "-m", "chrf", "-m", "bleu", "-s", "pearson", "--level", "segment"];
        dir.stdout(&[&common[..], words].concat())
    };
    let tsv = found(&["-f", "tsv", "--sort"]);
    let values: Vec<f64> = tsv.lines().skip(1).map(|line| line.split('\t').nth(5).unwrap().parse().unwrap()).collect();
    assert!(values.len() == 3 && values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert!(found(&["-f", "csv"]).starts_with("set,pair,level,statistic,metric,value,"));
}

/// Eight systems with scores that people gave each on twelve segments, and a metric's.
fn scored_systems(systems: usize) -> TestDir {
    let mut human = String::from("SYS SID RAW.SCR Z.SCR N\n");
    let mut metrics = String::from("system\tsegment\tmetric\tscore\n");
    for system in 0..systems {
        for segment in 1..=12 {
            let quality = system as f64 + ((segment * 7 + system * 3) % 5) as f64 / 4.0;
            human += &format!("s{system} {segment} {} {quality} 1\n", 10.0 * quality);
            metrics += &format!("s{system}\t{segment}\tm\t{}\n", quality + ((system * 5) % 7) as f64);
        }
    }
    let ordered: String = (0..systems).map(|system| format!("s{system}\tcorpus\th\t{system}\n")).collect();
    let ordered = format!("system\tsegment\tmetric\tscore\n{ordered}");
    TestDir::with(&[("da/ad-seg-scores-de-en.csv", &human), ("m.tsv", &metrics), ("h.tsv", &ordered)])
}

#[test]
fn systems_have_an_interval_over_systems_or_a_word_that_there_is_none() {
    let words =
        ["correlate", "da", "--scores", "m.tsv", "--level", "system", "--statistic", "pearson", "--test", "none"];
    let dir = scored_systems(8);
    let found = json(&dir.stdout(&[&words[..], &["-f", "json"]].concat()));
    let end = |key: &str| found[0][key].as_f64().unwrap();
    assert!(end("systems_low") < end("low"), "few systems say less than their many segments: {found}");
    let shown = format!("[{:.3}, {:.3}]", end("systems_low"), end("systems_high"));
    let text = dir.stdout(&words);
    assert!(text.contains(&shown), "{text}");
    assert!(text.contains("[low, high] at system level: 95% interval over systems"), "{text}");
    for statistic in ["accuracy", "spa", "kendall"] {
        let found = json(&dir.stdout(&[&words[..7], &[statistic, "-f", "json", "--test", "none"]].concat()));
        assert!(found[0]["systems_low"].is_number(), "{found}");
    }
    // All draws of systems in the same order as by humans give 1: that is no interval.
    let found = json(&dir.stdout(&["correlate", "da", "--scores", "h.tsv", "--statistic", "accuracy", "-f", "json"]));
    assert!(found[0]["value"] == 1.0 && found[0]["systems_low"].is_null(), "{found}");
    let few = scored_systems(4);
    let text = few.stdout(&words);
    assert!(text.contains("no interval at system level: fewer than 5 systems"), "{text}");
    assert!(!text.contains('['), "{text}");
    let found = json(&few.stdout(&[&words[..], &["-f", "json"]].concat()));
    assert!(found[0]["systems_low"].is_null() && found[0]["low"].is_number());
}

#[test]
fn calibration_shows_its_threshold_and_what_it_ties() {
    // People tie three pairs of four; the metric is noise.
    let mut human = String::from("SYS SID RAW.SCR Z.SCR N\n");
    let mut metrics = String::from("system\tsegment\tmetric\tscore\n");
    for system in 0..4 {
        for segment in 1..=20 {
            let z = if system == segment % 4 && segment % 2 == 0 { 1 } else { 0 };
            human += &format!("s{system} {segment} 50 {z} 1\n");
            metrics += &format!("s{system}\t{segment}\tnoise\t{}\n", (segment * 7919 + system * 104_729) % 1000);
        }
    }
    let dir = TestDir::with(&[("da/ad-seg-scores-de-en.csv", &human), ("m.tsv", &metrics)]);
    let words = ["correlate", "da", "--scores", "m.tsv", "--statistic", "acc-23", "--test", "none"];
    let found = json(&dir.stdout(&[&words[..], &["-f", "json"]].concat()));
    assert_eq!((&found[0]["tied_pairs"], &found[0]["pairs"]), (&120.into(), &120.into()), "{found}");
    assert_eq!(found[0]["human_tied_pairs"], 90);
    assert!((found[0]["value"].as_f64().unwrap() - 0.75).abs() < 1e-12, "{found}");
    let text = dir.stdout(&words);
    let threshold = found[0]["tie_threshold"].as_f64().unwrap();
    assert!(text.contains(&format!("noise   {threshold:.4} ties 100.0%\n")), "{text}");
    assert!(text.contains("people") && text.contains("ties 75.0%\n"), "{text}");
    assert!(
        text.contains("where a metric ties nearly all pairs, its value is about the share that people tied, whatever"),
        "{text}"
    );
    let of_tau = dir.stdout(&["correlate", "da", "--scores", "m.tsv", "--statistic", "tau-23", "--test", "none"]);
    let note = "its value is about the share that people tied (tau-23: twice that share, minus 1), whatever its \
        scores are";
    assert!(of_tau.contains("noise   0.500") && of_tau.contains(note), "{of_tau}");
    for format in ["markdown", "latex"] {
        let text = dir.stdout(&[&words[..], &["-f", format]].concat());
        assert!(text.contains(" ties 100.0") && text.contains("calibrated thresholds"), "{text}");
    }
    let tsv = dir.stdout(&[&words[..], &["-f", "tsv"]].concat());
    assert!(tsv.lines().next().unwrap().ends_with("\ttie_threshold\ttied_pairs\thuman_tied_pairs\tpairs"), "{tsv}");
    assert!(tsv.ends_with("\t120\t90\t120\n"), "{tsv}");
}

#[test]
fn clusters_of_metrics_that_tie_nearly_all_pairs_are_explained() {
    // People and one metric order 24 of 600 pairs; two others order none.
    let mut human = String::from("SYS SID RAW.SCR Z.SCR N\n");
    let mut metrics = String::from("system\tsegment\tmetric\tscore\n");
    for system in 0..4 {
        for segment in 1..=100 {
            let better = i32::from(system == 0 && segment <= 8);
            human += &format!("s{system} {segment} 50 {better} 1\n");
            for (metric, score) in [("few", better), ("none", 0), ("none2", 0)] {
                metrics += &format!("s{system}\t{segment}\t{metric}\t{score}\n");
            }
        }
    }
    let of = |name: &str| -> String {
        let kept = |line: &&str| !line.contains(&format!("\t{name}\t"));
        metrics.lines().filter(kept).map(|line| format!("{line}\n")).collect()
    };
    let dir = TestDir::with(&[
        ("da/ad-seg-scores-de-en.csv", &human),
        ("apart.tsv", &of("none2")),
        ("alike.tsv", &of("few")),
    ]);
    let run = |scores: &str, more: &[&str]| {
        let words = ["correlate", "da", "--scores", scores, "--level", "segment", "--statistic", "acc-23"];
        dir.stdout(&[&words[..], more].concat())
    };
    let found = json(&run("apart.tsv", &["-f", "json"]));
    let row = |name: &str| found.as_array().unwrap().iter().find(|row| row["metric"] == name).unwrap();
    assert_eq!((&row("few")["cluster"], &row("few")["tied_pairs"]), (&1.into(), &576.into()), "{found}");
    assert_eq!((&row("none")["cluster"], &row("none")["tied_pairs"]), (&2.into(), &600.into()), "{found}");
    let note = "where two metrics that tie nearly all pairs are in different clusters, only the few pairs that they do \
                not tie make the difference";
    for format in ["text", "markdown", "latex"] {
        let text = run("apart.tsv", &["-f", format]);
        assert!(text.contains(note), "{text}");
    }
    for (scores, more) in [("alike.tsv", &[][..]), ("apart.tsv", &["--test", "none"])] {
        let text = run(scores, more);
        assert!(text.contains("where a metric ties nearly all pairs") && !text.contains(note), "{text}");
    }
}

#[test]
fn references_that_are_post_edits_are_a_warning() {
    let header = "index\tda_mean\tda_z_mean\thter\tsource\tmt\tpost_edit\n";
    let row =
        |i: usize| format!("{i}\t{}\t{}\t0.1\tq{i}\tit rains in {i} towns\tit rained in {i} towns\n", i * 3, i % 7);
    let rows: String = (1..30).map(row).collect();
    let dir = TestDir::with(&[("mlqe/et-en.dev.tsv", &format!("{header}{rows}"))]);
    let words = ["correlate", "mlqe", "--statistic", "pearson", "--test", "none"];
    let run = dir.run(&[&words[..], &["-m", "chrf"]].concat());
    let warning = "et-en: the references are post-edits of the judged outputs: metrics agree with people more than \
        with";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    // By content: half of the outputs were left as they are.
    let line = |i: usize, edited: bool| format!("it {} in {i} towns\n", if edited { "rained" } else { "rains" });
    let text = |edited: fn(usize) -> bool| (0..80).map(|i| line(i, edited(i))).collect::<String>();
    let scores: String = (0..80).map(|i| format!("{}\n", (i * 37) % 11)).collect();
    let dir = TestDir::with(&[
        ("da/x.reference.de-en", &text(|i| i % 2 == 0)),
        ("da/x.mt-system.de-en", &text(|_| false)),
        ("da/x.human.de-en", &scores),
    ]);
    let run = dir.run(&["correlate", "da", "-m", "chrf", "--statistic", "pearson", "--test", "none"]);
    let warning = "40 of 80 outputs of four words or more equal their reference: if the references are post-edits";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
}

#[test]
fn the_order_of_rows_changes_no_byte() {
    let dir = scored_systems(6);
    let human = String::from_utf8(dir.read("da/ad-seg-scores-de-en.csv")).unwrap();
    let (header, rows) = human.split_once('\n').unwrap();
    let backwards: Vec<&str> = rows.lines().rev().collect();
    dir.write("db/da/ad-seg-scores-de-en.csv", format!("{header}\n{}\n", backwards.join("\n")).as_bytes());
    let table = |sets: [&str; 2], rows: &mut dyn Iterator<Item = usize>| {
        let row = |i: usize| format!("{} d s{} {i} {}\n", sets[i % 2], i % 5, (i as f64).sin());
        format!("LP DATA SYSTEM SID HUMAN\n{}", rows.map(row).collect::<String>())
    };
    dir.write("t/DA-seglevel.csv", table(["de-en", "cs-en"], &mut (0..60)).as_bytes());
    dir.write("db/t/DA-seglevel.csv", table(["de-en", "cs-en"], &mut (0..60).rev()).as_bytes());
    for statistics in ["pearson", "acc-23", "spa"] {
        let run = |folder: &str| {
            dir.stdout(&["correlate", folder, "--scores", "m.tsv", "--statistic", statistics, "-f", "tsv", "-n", "50"])
        };
        assert_eq!(run("da"), run("db/da"), "{statistics}");
    }
    for words in [&["--test", "paired"][..], &["--test", "rank-sum"]] {
        let run = |folder: &str| dir.stdout(&[&["systems", folder, "-f", "tsv", "-n", "50"], words].concat());
        assert_eq!(run("da"), run("db/da"));
        assert_eq!(run("t"), run("db/t"));
    }
}
