use crate::test_dir::TestDir;
use serde_json::Value;
use std::io::Write;

const REF: &str = "The bakery opens at five.\nWe missed the last train.\nIt rained all night long.\n";
const GOOD: &str = "The bakery opens at five.\nWe missed the last bus.\nIt rained all night long.\n";
const BAD: &str = "Bakery is open five.\nThe train we missed it.\nAll night was rain.\n";

fn dir() -> TestDir {
    TestDir::with(&[("ref", REF), ("good", GOOD), ("bad", BAD)])
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn text_shows_scores_and_what_they_are() {
    // The same figures as sacreBLEU 2.6.0 prints.
    assert_eq!(
        dir().stdout(&["score", "-r", "ref", "good"]),
        "\
system   BLEU  chrF2  TER ↓
good    85.34  90.01   6.67

BLEU   bleu:tok=13a,lowercase=no,smooth=exp,effective_order=segment,max_order=4,brevity=closest|refs=1|tercet=0.1.0
chrF2  chrf:char_order=6,word_order=0,beta=2,lowercase=no,whitespace=no,eps_smoothing=no|refs=1|tercet=0.1.0
TER    ter:normalized=no,no_punct=no,asian_support=no,case_sensitive=no,beam=25,shift_distance=50,\
shift_size=10|refs=1|tercet=0.1.0
"
    );
}

#[test]
fn tsv_has_the_header_and_seventeen_digits() {
    let tsv = dir().stdout(&["score", "-r", "ref", "-m", "bleu", "-f", "tsv", "--level", "both", "good"]);
    let lines: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(lines[0], ["system", "segment", "metric", "score"]);
    let places: Vec<&str> = lines[1..].iter().map(|line| line[1]).collect();
    assert_eq!(places, ["1", "2", "3", "corpus"]);
    assert_eq!(lines[1][..3], ["good", "1", "bleu"]);
    let digits = lines[4][3].chars().filter(char::is_ascii_digit).count();
    assert_eq!(digits, 17, "{}", lines[4][3]);
}

#[test]
fn json_follows_the_contract() {
    let all = dir()
        .stdout(&["score", "-r", "ref", "-m", "bleu", "-m", "ter", "-f", "json", "--level", "both", "good", "bad"]);
    let all = json(&all);
    assert_eq!(all.as_array().unwrap().len(), 4);
    for entry in all.as_array().unwrap() {
        assert_eq!(entry["segments"].as_array().unwrap().len(), 3);
        assert!(entry["score"].is_f64() && entry["signature"].as_str().unwrap().contains("|refs=1|"));
    }
    assert_eq!((&all[0]["system"], &all[0]["metric"]), (&Value::from("good"), &Value::from("bleu")));
    let plain = json(&dir().stdout(&["score", "-r", "ref", "-m", "bleu", "-f", "json", "good"]));
    assert!(plain[0].get("segments").is_none());
}

#[test]
fn a_signature_can_be_handed_back() {
    let dir = dir();
    let score = |metric: &str| json(&dir.stdout(&["score", "-r", "ref", "-m", metric, "-f", "json", "bad"]))[0].clone();
    for metric in ["bleu:smooth=floor,tok=intl", "chrf++", "ter:normalized=yes", "nist", "character"] {
        let first = score(metric);
        let again = score(first["signature"].as_str().unwrap());
        assert_eq!((&first["signature"], &first["score"]), (&again["signature"], &again["score"]));
    }
}

#[test]
fn stdin_gzip_zstd_and_columns_give_the_same_scores() {
    let dir = dir();
    let score = |words: &[&str], stdin: &str| {
        let output = dir.run_with(&[&["score", "-q", "-m", "bleu", "-f", "json"], words].concat(), stdin);
        assert_eq!(output.code, 0, "{}", output.stderr);
        json(&output.stdout)[0]["score"].clone()
    };
    let plain = score(&["-r", "ref", "good"], "");
    assert_eq!(score(&["-r", "ref", "-"], GOOD), plain);
    assert_eq!(score(&["-r", "ref"], GOOD), plain);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(GOOD.as_bytes()).unwrap();
    dir.write("good.gz", &gzip.finish().unwrap());
    assert_eq!(score(&["-r", "ref", "good.gz"], ""), plain);
    // A zstd frame with one raw block.
    let mut zstd = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, GOOD.len() as u8];
    zstd.extend_from_slice(&(((GOOD.len() as u32) << 3) | 1).to_le_bytes()[..3]);
    zstd.extend_from_slice(GOOD.as_bytes());
    dir.write("good.zst", &zstd);
    assert_eq!(score(&["-r", "ref", "good.zst"], ""), plain);
    let columns: String = REF.lines().zip(GOOD.lines()).map(|(r, g)| format!("x\t{g}\t{r}\n")).collect();
    assert_eq!(score(&["--columns", "-,hyp=good,ref", "-"], &columns), plain);
    let systems: String = BAD.lines().zip(GOOD.lines()).map(|(b, g)| format!("{g}\t{b}\n")).collect();
    assert_eq!(score(&["-r", "ref", "--tsv", "-"], &systems), plain);
}

#[test]
fn references_side_by_side_equal_references_in_files() {
    let dir = dir();
    let two: String = REF.lines().zip(GOOD.lines()).map(|(a, b)| format!("{a}\t{b}\n")).collect();
    dir.write("two", two.as_bytes());
    let apart = dir.stdout(&["score", "-r", "ref", "-r", "good", "-f", "json", "bad"]);
    assert_eq!(dir.stdout(&["score", "-r", "two", "--references", "2", "-f", "json", "bad"]), apart);
    let lines: String = REF.lines().zip(GOOD.lines()).map(|(a, b)| format!("{a}\n{b}\n")).collect();
    dir.write("interleaved", lines.as_bytes());
    assert_eq!(dir.stdout(&["score", "-r", "interleaved", "--interleaved", "2", "-f", "json", "bad"]), apart);
    assert!(dir.error(1, &["score", "-r", "ref", "--interleaved", "2", "bad"]).contains("no multiple of 2"));
    dir.write(
        "some",
        "The bakery opens at five.\tThe baker opens at five.\nWe missed it.\nRain.\tIt rained.\tWet.\n".as_bytes(),
    );
    let varying = json(&dir.stdout(&["score", "-r", "some", "--references", "var", "-f", "json", "bad"]));
    assert!(varying[0]["signature"].as_str().unwrap().contains("|refs=var|"));
    let error = dir.error(1, &["score", "-r", "some", "--references", "2", "bad"]);
    assert!(error.contains("some:2: expected 2 tab-separated references, found 1"), "{error}");
}

#[test]
fn threads_do_not_change_a_byte() {
    let dir = dir();
    let run = |threads| {
        dir.stdout(&[
            "score",
            "-r",
            "ref",
            "-f",
            "json",
            "--level",
            "both",
            "--paired",
            "bs",
            "--confidence",
            "--threads",
            threads,
            "good",
            "bad",
        ])
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn paired_tests_name_the_difference_and_how_sure_it_is() {
    let dir = dir();
    let words =
        ["score", "-r", "ref", "-m", "chrf", "-f", "json", "--paired", "ar", "-n", "99", "--correction", "holm"];
    let all = json(&dir.stdout(&[&words[..], &["--all-pairs", "good", "bad"]].concat()));
    assert!(all[0].get("comparisons").is_none());
    let comparison = &all[1]["comparisons"][0];
    assert_eq!(comparison["baseline"], "good");
    assert!(comparison["delta"].as_f64().unwrap() < 0.0);
    assert_eq!(comparison["p"], comparison["p_holm"]);
    let against = json(&dir.stdout(&[&words[..], &["--baseline", "bad", "good", "bad"]].concat()));
    assert_eq!(against[0]["comparisons"][0]["baseline"], "bad");
    assert!(
        dir.error(2, &[&words[..], &["--baseline", "nobody", "good", "bad"]].concat())
            .contains("none of the systems: good, bad")
    );
    assert!(dir.error(2, &[&words[..], &["good"]].concat()).contains("at least two systems"));
}

#[test]
fn scores_of_another_tool_can_be_compared() {
    let dir = TestDir::with(&[("a", "0.5\n0.7\n0.9\n0.4\n"), ("b", "0.4\n0.6\n0.7\n0.1\n")]);
    let all = json(&dir.stdout(&["score", "--scores", "--paired", "bs", "-n", "100", "-f", "json", "a", "b"]));
    assert_eq!(all[0]["score"], 0.625);
    assert_eq!(all[1]["comparisons"][0]["baseline"], "a");
    let dir = self::dir();
    let tsv = dir.stdout(&["score", "-r", "ref", "-m", "wer", "--level", "segment", "-f", "tsv", "good", "bad"]);
    dir.write("wer.tsv", tsv.as_bytes());
    let read = json(&dir.stdout(&["score", "--scores", "-f", "json", "wer.tsv"]));
    assert_eq!((&read[0]["system"], &read[0]["metric"]), (&Value::from("good"), &Value::from("wer")));
    let error = dir.error(1, &["score", "--scores", "good"]);
    assert!(
        error.contains(
            "good:1: expected a number, or the columns of a WMT submission, found \"The bakery opens at five.\""
        ),
        "{error}"
    );
}

#[test]
fn suspicious_input_is_a_warning_on_stderr_and_can_be_silenced() {
    let dir = dir();
    dir.write("odd", "\u{feff}The bakery opens at five.\n\nIt rained\u{2028}all night long.\n".as_bytes());
    let output = dir.run(&["score", "-r", "ref", "odd"]);
    assert_eq!(output.code, 0);
    for part in [
        "odd: starts with a byte order mark, which is scored as a part of the first word; remove it with sed \
         '1s/^\\xEF\\xBB\\xBF//'\n",
        "odd: 1 empty line, the first is line 2",
        "the first is line 3 (U+2028)",
    ] {
        assert!(output.stderr.contains(part), "{part}: {}", output.stderr);
    }
    let quiet = dir.run(&["score", "-q", "-r", "ref", "odd"]);
    assert_eq!((quiet.stderr.as_str(), quiet.stdout), ("", output.stdout));
    assert_eq!(dir.run(&["score", "--no-checks", "-r", "ref", "odd"]).stderr, "");
}

#[test]
fn mistakes_in_the_call_exit_2_and_say_what_to_do() {
    let dir = dir();
    let error = dir.error(2, &["score", "-r", "ref", "-m", "bluu", "good"]);
    assert!(error.starts_with("error: unknown metric `bluu`, did you mean `bleu`?"), "{error}");
    let error = dir.error(2, &["score", "-r", "ref", "-m", "chrff", "good"]);
    assert!(error.contains("did you mean `chrf`?"), "{error}");
    let missing = "meteor:paraphrase=missing.gz";
    let error = dir.error(2, &["score", "-r", "ref", "-m", missing, "-m", "bluu", "good"]);
    assert!(error.starts_with("error: unknown metric `bluu`"), "before files are read: {error}");
    let error = dir.error(2, &["score", "-r", "ref", "-m", "bleu:smoth=exp", "good"]);
    assert!(error.contains("metric `bleu` has no option `smoth`, did you mean `smooth`?"), "{error}");
    let error = dir.error(2, &["score", "-r", "ref", "-m", "bleu:smooth=expp", "good"]);
    assert!(
        error.contains(
            "option `smooth` cannot be `expp`: expected one of exp, floor, add-k, none, mteval, did you mean `exp`?"
        ),
        "{error}"
    );
    let error = dir.error(2, &["score", "-r", "ref", "-m", "bleu:tok=spm", "good"]);
    assert!(error.contains("the tokenizer `spm` needs a model of SentencePiece, which was not found"), "{error}");
    assert!(dir.error(2, &["score", "good"]).contains("no reference given: name one with -r REF"));
    assert!(dir.error(2, &["score", "-r", "-", "-"]).contains("standard input (-) can be read only once"));
    assert!(dir.error(2, &["score", "-r", "ref", "-m", "bleu", "-m", "bleu", "good"]).contains("asked for twice"));
    assert!(
        dir.error(2, &["score", "--seed", "x", "-r", "ref", "--confidence", "good"])
            .contains("'--seed <SEED>': expected none or a whole number below 2^64")
    );
    assert!(dir.error(2, &["scor"]).contains("score"));
}

#[test]
fn faults_in_the_data_exit_1_and_name_file_and_line() {
    let dir = dir();
    dir.write("short", "one line\n".as_bytes());
    let error = dir.error(1, &["score", "-r", "ref", "short"]);
    assert!(error.contains("short has 1 line but ref has 3: every file must have one line per segment"), "{error}");
    let error = dir.error(1, &["score", "-r", "ref"]);
    assert!(error.contains("standard input has 0 lines but ref has 3"), "{error}");
    assert!(dir.error(1, &["score", "-r", "ref", "nowhere"]).contains("cannot read nowhere"));
    dir.write("latin", b"caf\xe9\nx\ny\n");
    assert!(
        dir.error(1, &["score", "-r", "ref", "latin"])
            .contains("latin:1: not valid UTF-8 at byte 4 of the line, byte 4 of the file")
    );
    dir.write("empty", b"");
    assert!(dir.error(1, &["score", "-r", "empty", "empty"]).contains("there is no segment to score"));
    assert!(dir.error(2, &["score", "-r", "ref", "good", "good"]).contains("two systems are called good"));
    dir.write("cut.gz", &[0x1f, 0x8b, 8, 0]);
    assert!(dir.error(1, &["score", "-r", "ref", "cut.gz"]).contains("cannot read cut.gz"));
}

#[test]
fn output_goes_to_a_file_whole_or_not_at_all() {
    let dir = dir();
    assert_eq!(dir.stdout(&["score", "-r", "ref", "-o", "scores.txt", "good"]), "");
    assert!(std::fs::read_to_string(dir.path("scores.txt")).unwrap().starts_with("system"));
    let error = dir.error(1, &["score", "-r", "ref", "-o", "no/such/folder.txt", "no-such-file"]);
    assert!(error.contains("there is no folder no/such"), "before anything is read: {error}");
    let written = |name: &str| std::fs::read_dir(dir.path(name)).unwrap().count();
    let before = written(".");
    dir.error(1, &["score", "-r", "ref", "-o", "new.txt", "no-such-file"]);
    assert_eq!(written("."), before, "checking whether a file can be written leaves nothing there");
}

#[test]
fn components_show_what_a_score_is_made_of() {
    let all =
        json(&dir().stdout(&["score", "-r", "ref", "-m", "bleu", "-m", "ter", "--components", "-f", "json", "good"]));
    assert_eq!(all[0]["components"]["ref_len"], 18.0);
    assert_eq!(all[1]["components"]["substitutions"], 1.0);
}

#[test]
fn output_follows_links_keeps_modes_and_never_overwrites_input() {
    let dir = dir();
    dir.write("real.txt", b"old");
    std::os::unix::fs::symlink(dir.path("real.txt"), dir.path("link.txt")).unwrap();
    dir.stdout(&["score", "-r", "ref", "-o", "link.txt", "good"]);
    assert!(std::fs::read_to_string(dir.path("real.txt")).unwrap().starts_with("system"));
    assert!(std::fs::symlink_metadata(dir.path("link.txt")).unwrap().is_symlink());
    assert!(dir.stdout(&["score", "-r", "ref", "-o", "-", "good"]).starts_with("system"));
    assert_eq!(dir.stdout(&["score", "-r", "ref", "-o", "/dev/null", "good"]), "");
    let error = dir.error(2, &["score", "-r", "ref", "-o", "good", "good"]);
    assert!(error.contains("--output would overwrite"), "{error}");
}

#[test]
fn systems_can_be_named_and_flags_without_effect_are_refused() {
    let dir = dir();
    let named = json(&dir.stdout(&["score", "-r", "ref", "--name", "A", "--name", "B", "-f", "json", "good", "good"]));
    assert_eq!((&named[0]["system"], &named[3]["system"]), (&Value::from("A"), &Value::from("B")));
    assert!(dir.error(2, &["score", "-r", "ref", "--name", "A", "good", "bad"]).contains("1 times for 2 systems"));
    for words in [&["--seed", "1"][..], &["--resamples", "9"], &["--header"], &["--lower-is-better"], &["-w", "99"]] {
        dir.error(2, &[&["score", "-r", "ref", "good"], words].concat());
    }
    assert!(
        dir.error(2, &["score", "-r", "ref", "-m", "bleu,chrf", "good"]).contains("give -m for each: -m bleu -m chrf")
    );
    assert!(dir.error(2, &["score", "-r", "ref", "-m", "chrf", "-m", "chrf2", "good"]).contains("asked for twice"));
    // The titles that tables have are names.
    let table = dir.stdout(&["score", "-q", "-r", "ref", "-m", "chrF2++", "good"]);
    assert!(table.contains("chrF2++  chrf:char_order=6,word_order=2,beta=2,"), "{table}");
}

#[test]
fn a_system_does_not_differ_from_its_copy() {
    let dir = dir();
    let words = ["score", "-r", "ref", "--name", "A", "--name", "B", "-f", "json", "--paired", "bs", "good", "good"];
    let all = json(&dir.stdout(&words));
    assert_eq!(
        (&all[3]["comparisons"][0]["delta"], &all[3]["comparisons"][0]["p"]),
        (&Value::from(0.0), &Value::from(1.0))
    );
}

#[test]
fn segments_have_components_and_scores_a_direction() {
    let dir = dir();
    let words = ["score", "-r", "ref", "-m", "ter", "--level", "segment", "--components"];
    let tsv = dir.stdout(&[&words[..], &["-f", "tsv", "bad", "good"]].concat());
    assert!(tsv.contains("bad\t1\tter/substitutions\t"), "{tsv}");
    let lines = dir.stdout(&[&words[..], &["-f", "jsonl", "bad"]].concat());
    assert_eq!(json(lines.lines().next().unwrap())["components"]["ref_len"], 5.0);
    dir.write(
        "ter.tsv",
        dir.stdout(&["score", "-r", "ref", "-m", "ter", "--level", "segment", "-f", "tsv", "bad", "good"]).as_bytes(),
    );
    let markdown = dir.stdout(&["score", "--scores", "-f", "markdown", "ter.tsv"]);
    assert!(markdown.contains("ter ↓") && markdown.lines().nth(3).unwrap().starts_with("| good | **"), "{markdown}");
}

#[test]
fn a_submission_to_the_metrics_task_is_written_and_read_back() {
    let dir = dir();
    dir.stdout(&[
        "score",
        "-r",
        "ref",
        "-m",
        "chrf",
        "--submission",
        "out",
        "--lang-pair",
        "de-en",
        "--test-set",
        "news",
        "good",
        "bad",
    ]);
    let mut text = String::new();
    let packed = dir.read("out/chrf.seg.score.gz");
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut text).unwrap();
    assert_eq!(text.lines().count(), 6);
    assert!(text.starts_with("chrf\tde-en\tnews\tall\t-\trefA\tgood\t1\t100.0\n"), "{text}");
    let read = tercet::corpora::read_metric_scores(&dir.path("out/chrf.sys.score.gz")).unwrap();
    assert_eq!((read[0].pair.as_str(), &read[0].scores.systems), ("de-en", &vec!["good".to_owned(), "bad".to_owned()]));
    let error = dir.error(2, &["score", "-r", "ref", "--submission", "out", "good"]);
    assert!(error.contains("--lang-pair"), "{error}");
    let error = dir.error(
        2,
        &["score", "-r", "ref", "--submission", "out", "--lang-pair", "a-b", "--test-set", "t", "good", "./good"],
    );
    assert!(error.contains("two systems would be called good"), "{error}");
}

#[test]
fn every_year_of_the_metrics_task_has_its_columns() {
    let dir = dir();
    let first_line = |year: &str| {
        let words =
            ["score", "-r", "ref", "-m", "chrf", "--submission", year, "--lang-pair", "de-en", "--test-set", "news"];
        dir.stdout(&[&words[..], &["--reference-name", "refB", "--year", year, "good"]].concat());
        let packed = dir.read(&format!("{year}/chrf.seg.score.gz"));
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(packed.as_slice()), &mut text).unwrap();
        text.lines().next().unwrap().replace('\t', " ")
    };
    assert_eq!(first_line("wmt16"), "chrf de-en news good 1 100.0");
    assert_eq!(first_line("wmt17"), "chrf de-en news good 1 100.0 non-ensemble no");
    assert_eq!(first_line("wmt21"), "chrf de-en news refB good 1 100.0");
    assert_eq!(first_line("wmt22"), "chrf de-en news all - refB good 1 100.0");
}

#[test]
fn a_file_called_reference_among_the_systems_is_a_warning() {
    let text = "the cat sat on the mat\n";
    let dir =
        TestDir::with(&[("ref1", text), ("ref2", text), ("newstest-refB.de", text), ("a", text), ("reform", text)]);
    let stderr = |words: &[&str]| dir.run(&[&["score", "-m", "bleu", "-r", "ref1"], words].concat()).stderr;
    for name in ["ref2", "newstest-refB.de"] {
        let warning =
            format!("{name} is scored as a system, but is called a reference (a further reference: -r {name})");
        assert_eq!(stderr(&[name, "a"]), format!("warning: {warning}\n"));
    }
    for words in [&["a", "reform"][..], &["ref1"], &["-q", "ref2"], &["--name", "human", "ref2"]] {
        assert_eq!(stderr(words), "", "{words:?}");
    }
    let error = dir.error(2, &["score", "-r", "ref1", "--name", "", "a"]);
    assert_eq!(error, "error: --name is empty: a system needs a name\n");
}

#[test]
fn sorted_systems_are_in_order_at_the_level_of_segments_too() {
    let dir = TestDir::with(&[("ref", "a cat sat\n"), ("bad", "a dog\n"), ("good", "a cat sat\n")]);
    let systems = |words: &[&str]| {
        let words = [&["score", "-q", "-m", "chrf", "-r", "ref", "--level", "segment"], words, &["bad", "good"]];
        let text = dir.stdout(&words.concat());
        text.lines().skip(1).take(2).map(|line| line.split_whitespace().nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        (systems(&[]), systems(&["--sort"])),
        (vec!["bad".into(), "good".into()], vec!["good".into(), "bad".into()])
    );
}
