use crate::test_dir::TestDir;
use serde_json::Value;
use std::io::Write;

const REF: &str = "The bakery opens at five.\nWe missed the last train.\nIt rained all night long.\n";
const GOOD: &str = "The bakery opens at five.\nWe missed the last bus.\nIt rained all night long.\n";
const BAD: &str = "Bakery is open five.\nThe train we missed it.\nIt rained all night long.\n";

fn dir() -> TestDir {
    TestDir::with(&[("ref", REF), ("good", GOOD), ("bad", BAD)])
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Output of a comparison of good and bad, with these further arguments.
fn compare(words: &[&str]) -> String {
    dir().stdout(&[&["compare", "-r", "ref", "good", "bad"], words].concat())
}

#[test]
fn text_says_which_is_better_and_where() {
    let text = compare(&["--top", "1"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["A  good", "B  bad"]);
    assert!(
        lines[3].starts_with("By chrF2, no clear difference: A is preferred with a probability between 0."),
        "{text}"
    );
    assert_eq!(lines[4], "Of 3 segments, A wins 2, B wins 0, undecided 1: a share of 0.83 for A.");
    let shown = "
      A    [The bakery opens at] five.
      B    [Bakery is open] five.
      ref  The bakery opens at five.
";
    assert!(
        text.contains("\nWhere A is most clearly better:\n    1 p(A better) = 0.9") && text.contains(shown),
        "{text}"
    );
    let fitted =
        "\nThe probabilities were fitted to judgements of translations into English (news, WMT12–16); for newer";
    assert!(text.contains(fitted), "{text}");
    assert!(!compare(&["-m", "chrf|slope=0.1"]).contains("were fitted"), "a slope of the user's own");
    assert!(!text.contains("    2 p(") && !text.contains("Where B"), "{text}");
    assert!(text.contains("|slope=0.08039|refs=1|bs=1000|ar=10000|seed=12345|tercet="), "{text}");
}

#[test]
fn probabilities_are_those_of_the_logistic_curve_on_the_scores() {
    for (metric, slope, sign) in [("chrf", 0.08039, 1.0), ("ter", 0.03349, -1.0), ("bleu:smooth=floor", 0.04971, 1.0)] {
        let dir = dir();
        let scores =
            json(&dir.stdout(&["score", "-r", "ref", "-m", metric, "-f", "json", "--level", "segment", "good", "bad"]));
        let found = json(&dir.stdout(&["compare", "-r", "ref", "-m", metric, "-f", "json", "good", "bad"]));
        for i in 0..3 {
            let [a, b] = [0, 1].map(|system: usize| scores[system]["segments"][i].as_f64().unwrap());
            let expected = 1.0 / (1.0 + (-sign * slope * (a - b)).exp());
            assert!((found["segments"][i]["p_a"].as_f64().unwrap() - expected).abs() < 1e-12, "{metric}");
        }
    }
}

#[test]
fn json_jsonl_and_tsv_agree() {
    let object = json(&compare(&["-f", "json", "-n", "200"]));
    assert_eq!((&object["a"], &object["b"]), (&Value::from("good"), &Value::from("bad")));
    assert_eq!(object["overall"]["better"], "a");
    assert_eq!((&object["overall"]["wins_a"], &object["overall"]["undecided"]), (&Value::from(2), &Value::from(1)));
    assert_eq!((&object["overall"]["resamples"], &object["overall"]["trials"]), (&Value::from(200), &Value::from(200)));
    let segments = object["segments"].as_array().unwrap();
    assert_eq!((segments.len(), &segments[2]["p_a"], &segments[2]["better"]), (3, &Value::from(0.5), &Value::Null));
    let (lines, table) = (compare(&["-f", "jsonl"]), compare(&["-f", "tsv"]));
    assert_eq!(table.lines().next(), Some("segment\tp_a\tbetter"));
    for (i, (line, row)) in lines.lines().zip(table.lines().skip(1)).enumerate() {
        let fields: Vec<&str> = row.split('\t').collect();
        assert_eq!(json(line)["p_a"], segments[i]["p_a"]);
        assert_eq!(fields[1].parse::<f64>().ok(), segments[i]["p_a"].as_f64());
        assert_eq!((fields[0], fields[2]), ((i + 1).to_string().as_str(), ["a", "a", "-"][i]));
    }
}

#[test]
fn a_system_and_its_copy_are_equal() {
    let dir = dir();
    dir.write("copy", GOOD.as_bytes());
    let found = json(&dir.stdout(&["compare", "-r", "ref", "-f", "json", "good", "copy"]));
    assert!(found["segments"].as_array().unwrap().iter().all(|segment| segment["p_a"] == 0.5));
    let overall = &found["overall"];
    assert_eq!((&overall["p"], &overall["p_a"], &overall["better"]), (&1.0.into(), &0.5.into(), &Value::Null));
    assert_eq!((&overall["low"], &overall["high"], &overall["significant"]), (&0.5.into(), &0.5.into(), &false.into()));
    let text = dir.stdout(&["compare", "-r", "ref", "good", "copy"]);
    assert!(
        text.contains("By chrF2, no clear difference: each is preferred as often as the other (p = 1.0000)."),
        "{text}"
    );
}

#[test]
fn threads_change_no_digit_and_seeds_do() {
    let run = |words: &[&str]| compare(&[&["-f", "json"], words].concat());
    assert_eq!(run(&["--threads", "1"]), run(&["--threads", "3"]));
    assert_ne!(
        json(&run(&["--seed", "1", "-n", "50"]))["overall"],
        json(&run(&["--seed", "2", "-n", "50"]))["overall"]
    );
}

#[test]
fn a_signature_can_be_handed_back_and_a_slope_given() {
    let p = |metric: &str| json(&compare(&["-f", "json", "-m", metric]));
    let first = p("chrf++|slope=0.5");
    let signature = first["signature"].as_str().unwrap();
    assert!(signature.contains("|slope=0.5|"), "{signature}");
    assert_eq!(p(signature), first);
    assert!(first["overall"]["p_a"].as_f64() > p("chrf++")["overall"]["p_a"].as_f64());
}

#[test]
fn stdin_gzip_columns_names_and_more_references_are_read_as_by_score() {
    let dir = dir();
    let plain = dir.stdout(&["compare", "-r", "ref", "-f", "tsv", "good", "bad"]);
    let output = dir.run_with(&["compare", "-q", "-r", "ref", "-f", "tsv", "-", "bad"], GOOD);
    assert_eq!((output.stdout, output.stderr), (plain.clone(), String::new()));
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(GOOD.as_bytes()).unwrap();
    dir.write("good.gz", &gzip.finish().unwrap());
    assert_eq!(dir.stdout(&["compare", "-r", "ref", "-f", "tsv", "good.gz", "bad"]), plain);
    let pasted: Vec<String> =
        REF.lines().zip(GOOD.lines()).zip(BAD.lines()).map(|((r, a), b)| format!("{r}\t{a}\t{b}\n")).collect();
    dir.write("pasted", pasted.concat().as_bytes());
    assert_eq!(dir.stdout(&["compare", "--columns", "ref,hyp=a,hyp=b", "-f", "tsv", "pasted"]), plain);
    let named = dir.stdout(&["compare", "-r", "ref", "--name", "one", "--name", "two", "good", "bad"]);
    assert!(named.starts_with("A  one\nB  two\n"), "{named}");
    let more = dir.stdout(&["compare", "-r", "ref", "-r", "bad", "good", "bad"]);
    assert!(more.contains("|refs=2|") && more.contains("      ref  The train we missed it.\n"), "{more}");
}

#[test]
fn results_go_to_a_file_and_never_over_an_input() {
    let dir = dir();
    assert_eq!(dir.stdout(&["compare", "-r", "ref", "-f", "tsv", "-o", "out", "good", "bad"]), "");
    assert!(dir.read("out").starts_with(b"segment\tp_a\tbetter\n1\t0.9"));
    let error = dir.error(2, &["compare", "-r", "ref", "-o", "bad", "good", "bad"]);
    assert!(error.contains("--output would overwrite"), "{error}");
    let error = dir.error(1, &["compare", "-r", "ref", "-o", "no/out", "good", "no-such-file"]);
    assert!(error.contains("there is no folder no"), "before anything is read: {error}");
}

#[cfg(feature = "learned")]
#[test]
fn a_model_may_have_a_comma_in_its_name() {
    let error = dir().error(1, &["compare", "-r", "ref", "--model", "a,b.model", "good", "bad"]);
    assert!(error.contains("cannot read a,b.model"), "{error}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let dir = dir();
    dir.write("short", b"one line\n");
    let error = |code, words: &[&str]| dir.error(code, &[&["compare", "-q"], words].concat());
    assert!(error(1, &["-r", "ref", "good", "short"]).contains("short has 1 line but ref has 3"));
    assert!(error(2, &["-r", "ref", "-m", "chfr", "good", "bad"]).contains("did you mean `chrf`?"));
    assert!(error(2, &["-r", "ref", "-m", "chrf|slope=-1", "good", "bad"]).contains("expected a number above 0"));
    assert!(error(2, &["-r", "ref", "good"]).contains("expected two systems to compare, found 1"));
    assert!(error(2, &["good", "bad"]).contains("no reference given"));
    assert!(error(2, &["-r", "ref", "good", "good"]).contains("two systems are called good"));
    let three = error(2, &["-r", "ref", "good", "bad", "ref"]);
    assert!(three.contains("found 3 (tercet rank puts more in order)"), "{three}");
    assert!(error(2, &["-r", "ref", "--model", "m", "-m", "bleu", "good", "bad"]).contains("cannot be used with"));
    assert!(error(1, &["-r", "ref", "--model", "a,b", "good", "bad"]).contains("cannot read a,b"));
    assert!(
        error(2, &["-r", "ref", "--seed", "x", "good", "bad"])
            .contains("'--seed <SEED>': expected none or a whole number")
    );
    assert!(error(1, &["-r", "ref", "good", "nowhere"]).contains("cannot read nowhere"));
}

#[test]
fn few_segments_are_a_warning_unless_quiet() {
    let dir = dir();
    let output = dir.run(&["compare", "-r", "ref", "good", "bad"]);
    assert!(output.stderr.contains("warning: only 3 segments: too few for reliable intervals"), "{}", output.stderr);
    assert_eq!(dir.run(&["compare", "-q", "-r", "ref", "good", "bad"]).stderr, "");
}
