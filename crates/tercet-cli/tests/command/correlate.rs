use crate::test_dir::TestDir;
use serde_json::Value;

const PAIRS: &str = "seg_id\tbetter\tworse\n1\tgood\tbad\n2\tgood\tbad\n2\tfair\tbad\n3\tgood\tfair\n3\tfair\tbad\n";
const SEGMENTS: &str = "seg_id\tsource\treference\n\
    1\tDie Bäckerei öffnet um fünf.\tThe bakery opens at five.\n\
    2\tWir haben den letzten Zug verpasst.\tWe missed the last train.\n\
    3\tEs hat die ganze Nacht geregnet.\tIt rained all night long.\n";
const OUTPUTS: &str = "seg_id\tsystem\ttext\n\
    1\tgood\tThe bakery opens at five.\n1\tbad\tBakery is open five.\n\
    2\tgood\tWe missed the last train.\n2\tfair\tWe missed the final train.\n2\tbad\tThe train we miss it.\n\
    3\tgood\tIt rained all night long.\n3\tfair\tIt was raining all night long.\n3\tbad\tAll night was the rain.\n";

/// Rankings of three systems.
pub fn rankings() -> TestDir {
    TestDir::with(&[
        ("wmt99-rr/pairs.de-en.tsv", PAIRS),
        ("wmt99-rr/segments.de-en.tsv", SEGMENTS),
        ("wmt99-rr/outputs.de-en.tsv", OUTPUTS),
    ])
}

/// Five outputs from good to bad, with human scores.
pub fn assessments() -> TestDir {
    TestDir::with(&[
        ("da/newstest.source.de-en", "a\nb\nc\nd\ne\n"),
        (
            "da/newstest.reference.de-en",
            "the cat sat on the mat\nit rained all day\nwe missed the train\nthe shop opens at five\nno one came\n",
        ),
        (
            "da/newstest.mt-system.de-en",
            "the cat sat on the mat\nit rained all days\nwe have missed train\nshop open five\ncame nobody\n",
        ),
        ("da/newstest.human.de-en", "1.5\n0.7\n0.1\n-0.8\n-1.4\n"),
    ])
}

#[test]
fn judged_systems_without_any_output_are_nothing_to_correlate() {
    let dir = TestDir::with(&[
        ("rr/pairs.cs-en.tsv", "seg_id\tbetter\tworse\n1\tx\ty\n2\tx\ty\n"),
        ("rr/references/newstest2013-ref.en", "the cat sat\non the mat\n"),
        ("rr/system-outputs/cs-en/someone-else", "the cat sat\non mat\n"),
    ]);
    for metric in ["bleu", "sentbleu", "chrf"] {
        for level in ["system", "segment", "both"] {
            let error = dir.error(2, &["correlate", "rr", "-m", metric, "--level", level]);
            assert!(error.contains("there is nothing to correlate in"), "{error}");
        }
    }
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_folder_of_rankings_gives_the_tau_of_a_year() {
    let found =
        json(&rankings().stdout(&["correlate", "wmt99-rr", "-m", "chrf", "-m", "ter", "--tau", "wmt12", "-f", "json"]));
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 2);
    for (agreement, metric) in found.iter().zip(["chrf", "ter"]) {
        assert_eq!(agreement["set"], "wmt99-rr");
        assert_eq!(agreement["pair"], "de-en");
        assert_eq!(agreement["level"], "segment");
        assert_eq!(agreement["statistic"], "tau-wmt12");
        assert_eq!(agreement["metric"], metric);
        assert_eq!(agreement["value"], 1.0);
        assert_eq!((&agreement["low"], &agreement["high"]), (&Value::from(1.0), &Value::from(1.0)));
        assert_eq!(agreement["n"], 5);
        assert!(agreement["signature"].as_str().unwrap().contains("|refs=1|"));
    }
}

#[test]
fn systems_are_scored_from_rankings_too() {
    let dir = rankings();
    let found = json(&dir.stdout(&["correlate", "wmt99-rr", "-m", "chrf", "--level", "system", "-f", "json"]));
    let accuracy = found.as_array().unwrap().iter().find(|of| of["statistic"] == "accuracy").unwrap();
    assert_eq!(
        (&accuracy["human"], &accuracy["value"], &accuracy["n"]),
        (&"expected-wins".into(), &1.0.into(), &3.into())
    );
}

#[test]
fn the_table_says_what_it_shows() {
    let text = assessments().stdout(&[
        "correlate",
        "da",
        "-m",
        "chrf",
        "-m",
        "ter",
        "--statistic",
        "pearson",
        "--interval",
        "fisher",
        "--test",
        "williams",
    ]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "da, segment level: pearson with z");
    assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>(), ["metric", "de-en"]);
    assert!(lines[4].starts_with("n ") && lines[4].ends_with(" 5"), "{text}");
    assert!(
        text.contains("\n[low, high]: 95% interval (Pearson: Fisher's transformation; others: 1000 draws of segments"),
        "{text}"
    );
    assert!(text.contains("clusters, p ≤ 0.05 (Williams's test)"), "{text}");
}

#[test]
fn every_format_has_the_same_value() {
    let dir = assessments();
    let run = |format: &str| {
        dir.stdout(&["correlate", "da", "-m", "chrf", "--statistic", "spearman", "--level", "segment", "-f", format])
    };
    let value = json(&run("json"))[0]["value"].as_f64().unwrap();
    let tsv = run("tsv");
    let rows: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0][..9], ["set", "pair", "level", "statistic", "metric", "value", "low", "high", "n"]);
    assert_eq!(rows[1][5].parse(), Ok(value));
    assert_eq!(json(&run("jsonl"))["value"].as_f64(), Some(value));
    let rounded = format!("{value:.3}");
    for format in ["text", "markdown", "latex"] {
        assert!(run(format).contains(&rounded), "{format}");
    }
}

#[test]
fn a_plot_is_drawn_on_request() {
    let dir = assessments();
    dir.stdout(&["correlate", "da", "-m", "chrf", "-m", "ter", "--statistic", "pearson", "--plot", "p.svg"]);
    let svg = String::from_utf8(dir.read("p.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.matches("<circle").count() == 10, "{svg}");
}

#[test]
fn statistics_that_do_not_exist_are_an_error() {
    let dir = assessments();
    for (arguments, message) in [
        (
            &["correlate", "da", "--tau", "wmt12"][..],
            "nothing to correlate in da de-en at this level; tau-wmt12 was asked for",
        ),
        (&["correlate", "da", "--tau", "wmt99"], "unknown year of a tau `wmt99`"),
        (&["correlate", "da", "--statistic", "person"], "unknown statistic `person`"),
        (&["correlate", "da", "--pair", "fr-en"], "no judgements for fr-en (there are: de-en)"),
        (&["correlate", "da", "-m", "blue"], "unknown metric `blue`, did you mean `bleu`?"),
        (&["correlate", "da", "--human", "raw"], "da de-en has no human scores `raw` (it has: z)"),
        (&["correlate", "da", "--method", "chess"], "chess"),
        (&["correlate", "."], "holds no judgements that tercet knows"),
    ] {
        let stderr = dir.error(2, arguments);
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

#[test]
fn digits_do_not_depend_on_threads() {
    let run = |threads: &str| {
        rankings().stdout(&["correlate", "wmt99-rr", "-m", "chrf", "-m", "bleu", "-f", "json", "--threads", threads])
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn metrics_of_an_eval_set_are_used() {
    let lines = "one\ntwo\nthree\n";
    let scores = "a 3\na 2\na None\nb 1\nb 1\nb 2\n";
    let dir = TestDir::with(&[
        ("wmt99/sources/en-de.txt", lines),
        ("wmt99/documents/en-de.docs", "news d1\nnews d1\nnews d2\n"),
        ("wmt99/references/en-de.refA.txt", "ein\nzwei\ndrei\n"),
        ("wmt99/system-outputs/en-de/a.txt", "ein\nzwei\nvier\n"),
        ("wmt99/system-outputs/en-de/b.txt", "eins\nzwo\ndrei\n"),
        ("wmt99/human-scores/en-de.mqm.seg.score", scores),
        ("wmt99/metric-scores/en-de/M-refA.seg.score", "a 3\na 2\na 0\nb 1\nb 1\nb 2\n"),
    ]);
    let found =
        json(&dir.stdout(&["correlate", "wmt99", "--statistic", "pearson", "--level", "segment", "-f", "json"]));
    assert_eq!((&found[0]["metric"], &found[0]["n"], &found[0]["human"]), (&"M-refA".into(), &5.into(), &"mqm".into()));
    assert!((found[0]["value"].as_f64().unwrap() - 1.0).abs() < 1e-12);
    let both =
        json(&dir.stdout(&["correlate", "wmt99", "-m", "chrf", "--stored", "--statistic", "acc-23", "-f", "json"]));
    let metrics: Vec<&Value> = both.as_array().unwrap().iter().map(|of| &of["metric"]).collect();
    assert_eq!(metrics, ["chrf", "M-refA"]);
}

#[test]
fn flags_and_data_that_would_be_ignored_are_an_error() {
    let dir = assessments();
    dir.write("m.txt", b"1\n2\n3\n4\n5\n");
    for (arguments, message) in [
        (&["correlate", "da", "--alpha", "5"][..], "alpha: expected a probability from 0 to 1, found 5"),
        (&["correlate", "da", "--seed", "x"], "--seed <SEED>': expected none or a whole number below 2^64, found x"),
        (&["correlate", "da", "--threshold", "5"], "threshold changes nothing without the statistic darr"),
        (
            &["correlate", "da", "--scores", "m.txt", "--lower-is-better", "x"],
            "there are no scores by \"x\" (there are: m.txt)",
        ),
        (&["correlate", "da", "da"], "da de-en is given twice"),
        (&["correlate", "da", "--plot", "x.png"], "--plot writes SVG"),
        (
            &["systems", "da", "--method", "average", "--resample", "none"],
            "resample changes nothing without a method that ranks by comparisons",
        ),
        (
            &["systems", "da", "--method", "trueskill", "--test", "paired"],
            "test changes nothing without the method average",
        ),
    ] {
        let stderr = dir.error(2, arguments);
        assert!(stderr.contains(message), "{arguments:?}: {stderr}");
    }
    let error = dir.error(1, &["correlate", "da", "--scores", "m.txt", "m.txt"]);
    assert!(error.contains("m.txt has seg scores for m.txt twice"), "{error}");
    // The table is not lost.
    let output = rankings().run(&["correlate", "wmt99-rr", "-m", "chrf", "--tau", "wmt14", "--plot", "x.svg"]);
    assert!(output.code == 2 && output.stdout.contains("tau-wmt14"), "{output:?}");
    assert!(output.stderr.contains("--plot: there is nothing to draw"), "{output:?}");
}

#[test]
fn p_values_are_there_for_machines_and_on_request_for_people() {
    let dir = assessments();
    let words = ["correlate", "da", "-m", "chrf", "-m", "bleu", "--statistic", "pearson"];
    let found = json(&dir.stdout(&[&words[..], &["-f", "json"]].concat()));
    let p = found[0]["ahead_of"]["bleu"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&p), "{found}");
    assert!(found[1]["ahead_of"].as_object().unwrap().is_empty());
    assert!(!dir.stdout(&words).contains("p-values"));
    let text = dir.stdout(&[&words[..], &["--p-values"]].concat());
    assert!(text.contains("da, segment level: pearson with z, de-en: p-values\nahead  chrf   bleu\n"), "{text}");
    assert!(text.contains(&format!("{p:.3}")), "{text}");
}

#[test]
fn a_p_value_of_no_draw_is_not_zero() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/evalset");
    let words = ["correlate", examples, "-m", "siamese", "-m", "nist", "--p-values", "--statistic", "pearson"];
    let text = TestDir::new().stdout(&[&words[..], &["--level", "segment", "--resamples", "100"]].concat());
    assert!(text.contains("<0.01\n") && !text.contains(" 0.000\n"), "{text}");
    let twice = TestDir::new().error(2, &["correlate", examples, "-m", "chrf", "-m", "chrf"]);
    assert_eq!(twice, "error: the metric chrf is asked for twice\n");
}

#[test]
fn every_flag_has_an_effect() {
    let dir = assessments();
    let run = |flags: &[&str]| {
        let common =
            ["correlate", "da", "-m", "chrf", "-m", "bleu", "-s", "pearson", "--level", "segment", "-f", "json"];
        json(&dir.stdout(&[&common[..], flags].concat()))[0].clone()
    };
    let usual = run(&[]);
    assert!(usual["low"].is_f64() && usual["cluster"].is_u64());
    assert!(run(&["--interval", "none"])["low"].is_null());
    assert!(run(&["--test", "none"])["cluster"].is_null());
    let lows = [&[][..], &["--interval", "fisher"], &["--interval", "student"], &["--seed", "7"], &["-n", "30"]];
    let lows: Vec<f64> = lows.iter().map(|flags| run(flags)["low"].as_f64().unwrap()).collect();
    for (i, low) in lows.iter().enumerate() {
        assert!(!lows[..i].contains(low), "{lows:?}");
    }
    assert_eq!(run(&["--alpha", "1"])["cluster"], 1, "the better metric leads its cluster");
    let worse = |alpha: &str| {
        let words = ["correlate", "da", "-m", "chrf", "-m", "bleu", "-s", "pearson", "-f", "json", "--alpha", alpha];
        json(&dir.stdout(&words))[1]["cluster"].clone()
    };
    assert_eq!((worse("1"), worse("0")), (Value::from(2), Value::from(1)));
    assert_ne!(run(&["--grouping", "item"])["value"], usual["value"]);
}

#[test]
fn human_translations_and_references_are_chosen_by_name() {
    let dir = TestDir::with(&[
        ("wmt99/sources/en-de.txt", "a\nb\nc\n"),
        ("wmt99/documents/en-de.docs", "n d\nn d\nn d\n"),
        ("wmt99/references/en-de.refA.txt", "eins zwei drei\nvier\nacht neun\n"),
        ("wmt99/references/en-de.refB.txt", "ein zwei drei\nvier\nacht und neun\n"),
        ("wmt99/system-outputs/en-de/x.txt", "ein zwei drei\nfünf\nacht neun\n"),
        ("wmt99/system-outputs/en-de/refB.txt", "ein zwei drei\nvier\nacht und neun\n"),
        ("wmt99/human-scores/en-de.mqm.seg.score", "x 0\nx 1\nx 3\nrefB 2\nrefB 3\nrefB 1\n"),
    ]);
    let run = |flags: &[&str]| {
        let common = ["correlate", "wmt99", "-m", "chrf", "-s", "pearson", "--level", "segment", "-f", "json"];
        json(&dir.stdout(&[&common[..], flags].concat()))[0].clone()
    };
    let (usual, other) = (run(&[]), run(&["-r", "refB"]));
    assert_eq!((&usual["n"], &other["n"]), (&Value::from(3), &Value::from(3)));
    assert_ne!(usual["value"], other["value"]);
    assert_eq!(run(&["--include-human"])["n"], 6);
    assert_eq!(run(&["-r", "refA", "-r", "refB"])["signature"].as_str().unwrap().matches("|refs=2|").count(), 1);
}

#[test]
fn the_table_and_the_plot_have_different_files() {
    let dir = assessments();
    let words = ["correlate", "da", "-m", "chrf", "--statistic", "pearson"];
    let error = dir.error(2, &[&words[..], &["--plot", "p.svg", "-o", "./p.svg"]].concat());
    assert!(error.contains("--plot and --output are both p.svg: give each its own file"), "{error}");
    assert!(dir.error(1, &[&words[..], &["--plot", "none/p.svg"]].concat()).contains("there is no folder none"));
    assert!(dir.error(1, &[&words[..], &["-o", "none/t.txt"]].concat()).contains("there is no folder none"));
}
