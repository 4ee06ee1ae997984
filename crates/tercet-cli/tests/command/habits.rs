//! What people type who know other tools, and what they are told.

use crate::test_dir::TestDir;
use serde_json::Value;

const REF: &str = "The bakery opens at five.\nWe missed the last train.\nIt rained all night long.\n";
const HYP: &str = "The bakery opens at five.\nWe missed the last bus.\nIt rained all night long.\n";
const BAD: &str = "Bakery is open five.\nThe train we missed it.\nAll night was rain.\n";

fn dir() -> TestDir {
    TestDir::with(&[("ref", REF), ("ref2", BAD), ("src", REF), ("hyp", HYP), ("bad", BAD)])
}

/// Runs a command line that must be refused with status 2 and a message that has these words.
fn refused(line: &str, expected: &str) {
    let words: Vec<&str> = line.split(' ').collect();
    let error = dir().error(2, &words);
    assert!(error.contains(expected), "{line}:\n{error}");
    assert!(!error.contains("to pass '"), "{line}:\n{error}");
}

#[test]
fn several_metrics_after_one_flag_are_pointed_to_one_flag_each() {
    refused("score -r ref -m bleu chrf hyp", "give -m for each: -m bleu -m chrf");
    refused("score -r ref -m bleu,chrf hyp", "`bleu,chrf` names several metrics: give -m for each: -m bleu -m chrf");
    refused("score -r ref --metrics bleu chrf", "each metric has its own -m: tercet score -r ref -m bleu -m chrf");
    refused("compare -r ref -m bleu chrf hyp", "compare takes one metric");
    refused("compare -r ref -m bleu chrf hyp bad", "compare takes one metric");
}

#[test]
fn flags_of_other_tools_are_answered_with_the_command_line_here() {
    for (line, expected) in [
        ("score -r ref --hyp hyp", "tercet score -r ref hyp"),
        ("score -r ref --hypothesis=hyp", "translations are named without a flag, as in: -r REF hyp"),
        ("score --ref ref hyp", "references are given with -r: tercet score -r ref hyp\n"),
        ("score hyp --refs ref ref2", "tercet score hyp -r ref -r ref2"),
        ("score --references ref ref2 --hyp hyp", "tercet score -r ref -r ref2 hyp"),
        ("score --src src -r ref hyp", "tercet score -s src -r ref hyp"),
        ("score -r ref -i hyp bad", "tercet score -r ref hyp bad"),
        ("score -r ref -t hyp", "tercet score -r ref hyp"),
        ("score -r ref hyp --paired-bs", "tercet score -r ref hyp --paired bs"),
        ("score -s src -t hyp bad -r ref", "tercet score -s src -r ref hyp bad"),
        (
            "score -s src -t hyp bad -r ref --quiet --only_system --to_json out.json",
            "tercet score -s src -r ref --quiet -f json -o out.json hyp bad",
        ),
        ("score -r ref -t wmt14 -l en-de", "tercet downloads no test sets"),
        ("score -r ref --tokenize zh hyp", "-m bleu:tok=zh"),
        ("score -r ref --gpus 1 hyp", "give the segment scores that COMET wrote with --scores"),
        ("compare -r ref --hyp hyp bad", "tercet compare -r ref hyp bad"),
        ("compare -s src -t hyp bad -r ref", "tercet compare -s src -r ref hyp bad\n"),
        ("score -s src -t hyp -r ref --gpus 1 --batch_size 8", "flag: tercet score -s src -r ref hyp\n"),
        ("score -r ref -t hyp --tokenize zh", "translations are named without a flag; options are written with"),
        ("score -m meteor -t adq -r ref hyp", "-m meteor:task=adq"),
        ("score -r ref hyp -sl", "unexpected argument '-sl' found"),
        ("score -r ref hyp -sl", "tercet score -r ref hyp --level segment\n"),
        ("score -r ref hyp -l en -norm", "unexpected argument '-norm' found"),
        ("score -r ref hyp -l en -norm", "options are written with their metric"),
        ("score ref -i hyp", "tercet score -r ref hyp\n"),
        ("score ref ref2 -i hyp -m bleu", "tercet score -r ref -r ref2 -m bleu hyp\n"),
        ("score -r ref --model Unbabel/wmt22-comet-da hyp", "with --scores"),
        ("compare -r ref --model Unbabel/wmt22-comet-da hyp bad", "with --scores"),
        ("compare -r ref -m ter -m bleu hyp bad", "compare takes one metric"),
        ("correlate ref -m bleu chrf", "give -m for each: -m bleu -m chrf"),
        ("correlate -t wmt23 -l en-de", "tercet correlate JUDGEMENTS --pair en-de"),
        ("correlate ref -l en-ru", "language pairs are chosen with --pair"),
    ] {
        refused(line, expected);
    }
}

#[test]
fn first_guesses_get_a_pointer() {
    for (line, expected) in [
        ("--metrics", "`tercet metrics` lists the metrics"),
        ("ref hyp", "a command comes first; to score translations: tercet score -r REF HYP"),
        ("bleu -r ref hyp", "it is a metric: tercet score -m bleu -r REF HYP"),
        ("-r ref hyp", "a command comes first, as in: tercet score -r REF HYP"),
        ("comet-score -s src", "`tercet score -r REF HYP` scores translations"),
        ("score ref hyp", "no reference given: name one with -r REF, as in -r ref hyp if ref is the reference"),
        ("meteor hyp ref -writeAlignments", "`tercet meteor --align HYP REF > FILE` writes the alignments"),
        ("correlate", "name a folder or file of human judgements"),
    ] {
        refused(line, expected);
    }
}

#[test]
fn metrics_of_other_tools_are_pointed_to_their_scores() {
    for metric in ["comet", "COMET-22", "wmt22-comet-da", "bleurt", "bartscore", "cometkiwi", "metricx", "YiSi-1"] {
        refused(&format!("score -r ref -m {metric} hyp"), "with --scores");
        refused(&format!("compare -r ref -m {metric} hyp bad"), "with --scores");
        refused(&format!("correlate ref -m {metric}"), "with --scores");
        refused(&format!("metrics {metric}"), "with --scores");
    }
    refused("score -r ref -m sacrebleu hyp", "-m bleu, -m chrf and -m ter");
    refused("score -r ref -m spbleu hyp", "-m bleu:tok=flores200");
}

#[test]
fn a_signature_of_sacrebleu_is_a_metric() {
    let dir = dir();
    let score = |metric: &str| {
        let output = dir.run(&["score", "-r", "ref", "-m", metric, "-f", "json", "bad"]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        let json: Value = serde_json::from_str(&output.stdout).unwrap();
        (json[0]["score"].clone(), output.stderr)
    };
    for (signature, ours) in [
        ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", "bleu"),
        (
            "BLEU|nrefs:1|case:lc|eff:no|tok:char|smooth:floor[0.50]|version:2.6.0",
            "bleu:lowercase=yes,tok=char,smooth=floor,smooth_value=0.5",
        ),
        ("#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.6.0", "chrf++"),
        ("chrf2|nrefs:1|case:mixed", "chrf"),
        ("chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no", "chrf"),
        ("TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0", "ter"),
    ] {
        let (found, warnings) = score(signature);
        assert_eq!(found, score(ours).0, "{signature}");
        assert!(!warnings.contains("sacreBLEU"), "{warnings}");
    }
    let (found, warnings) = score("BLEU+case.mixed+numrefs.1+smooth.exp+tok.13a+version.1.4.14");
    assert_eq!(found, score("bleu").0);
    assert!(
        warnings.contains("the signature is of sacreBLEU 1.4.14; tercet computes what sacreBLEU 2.6.0 does"),
        "{warnings}"
    );
}

#[test]
fn the_format_follows_the_name_of_the_output_file() {
    let dir = dir();
    let starts = |file: &str, start: &str| {
        dir.stdout(&["score", "-r", "ref", "-m", "bleu", "hyp", "-o", file]);
        let text = String::from_utf8(dir.read(file)).unwrap();
        assert!(text.starts_with(start), "{file}: {text}");
    };
    starts("out.json", "[");
    starts("out.jsonl", "{");
    starts("out.tsv", "system\tsegment");
    starts("out.csv", "system,segment");
    starts("out.md", "| system |");
    starts("out.tex", "% BLEU");
    starts("out.txt", "system   BLEU");
    starts("out", "system   BLEU");
    dir.stdout(&["score", "-r", "ref", "-m", "bleu", "hyp", "-o", "out.json", "-f", "tsv"]);
    assert!(dir.read("out.json").starts_with(b"system\t"));
}

#[test]
fn samples_is_an_alias_of_resamples_everywhere() {
    let dir = dir();
    let words = ["score", "-r", "ref", "-m", "bleu", "--confidence", "-f", "json", "hyp"];
    let by = |flag: &str| dir.stdout(&[&words[..], &[flag, "77"]].concat());
    assert_eq!(by("--samples"), by("--resamples"));
    assert!(dir.error(2, &["correlate", "--samples", "5"]).contains("judgements"));
}

#[test]
fn utf16_is_recognised_and_the_conversion_is_named() {
    let dir = dir();
    let utf16 = |mark: &str, to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("{mark}{HYP}").encode_utf16().flat_map(to_bytes).collect()
    };
    for (bytes, encoding) in [
        (utf16("\u{feff}", u16::to_le_bytes), "UTF-16"),
        (utf16("\u{feff}", u16::to_be_bytes), "UTF-16"),
        (utf16("", u16::to_le_bytes), "UTF-16LE"),
        (utf16("", u16::to_be_bytes), "UTF-16BE"),
    ] {
        dir.write("wide", &bytes);
        let error = dir.error(1, &["score", "-r", "ref", "wide"]);
        let expected = format!(
            "error: wide is encoded in {encoding}, not in UTF-8: convert it first (iconv -f {encoding} -t UTF-8 wide)\n"
        );
        assert_eq!(error, expected);
    }
    dir.write("latin1", b"caf\xe9\n\n\n");
    assert!(dir.error(1, &["score", "-r", "ref", "latin1"]).contains("iconv -f latin1 -t utf-8"));
}

#[test]
fn the_flag_of_a_file_is_not_taken_for_one_of_another_tool() {
    let dir = dir();
    dir.write("l", REF.as_bytes());
    dir.stdout(&["score", "-r", "ref", "-m", "bleu", "hyp", "-sl"]);
}

#[test]
fn packed_files_that_are_not_read_are_named() {
    let dir = dir();
    for (bytes, format) in [
        (&b"BZh91AY&SY\x90\xb2\x01\x02"[..], "bzip2"),
        (b"\xfd7zXZ\0\0\x04\xe6\xd6", "xz"),
        (b"PK\x03\x04\x14\0\0\0\x08\0", "zip"),
    ] {
        dir.write("packed", bytes);
        let error = dir.error(1, &["score", "-r", "ref", "packed"]);
        assert_eq!(error, format!("error: packed holds data packed with {format}: unpack it first\n"));
    }
    dir.write("zeros", HYP.replace('.', "\0").as_bytes());
    assert_eq!(dir.run(&["score", "-r", "ref", "-m", "bleu", "zeros"]).code, 0);
}

#[test]
fn sgml_that_is_taken_as_text_gets_a_warning() {
    let dir = dir();
    dir.write("sgm", b"<tstset setid=\"x\">\n<seg id=\"1\">Hello</seg>\n</tstset>\n");
    let scored = dir.run(&["sacrebleu", "sgm", "-i", "sgm", "-b"]);
    assert_eq!((scored.code, scored.stdout.as_str()), (0, "100.0\n"));
    let expected = "sgm is SGML or XML: its tags are scored as text, as sacreBLEU does (tercet score reads SGML)";
    assert!(scored.stderr.contains(expected), "{}", scored.stderr);
    let quiet = dir.run(&["sacrebleu", "sgm", "-i", "sgm", "-b", "--quiet"]);
    assert!(!quiet.stderr.contains("SGML"), "{}", quiet.stderr);
    let tokenized = dir.run(&["tokenize", "sgm"]);
    assert_eq!(tokenized.code, 0);
    assert!(tokenized.stderr.contains("sgm is SGML or XML: its tags are tokenized as text"));
}

#[test]
fn a_test_of_one_system_is_refused_without_other_words() {
    let output = dir().run(&["score", "-r", "ref", "-m", "bleu", "--paired", "bs", "hyp"]);
    assert!(output.stderr.starts_with("error: a paired test needs"), "{}", output.stderr);
}

#[test]
fn files_of_formats_that_are_not_written_are_refused() {
    refused("score -r ref -m bleu hyp -o out.xlsx", "--output: .xlsx is not written; endings with a format are .json");
    refused("compare -r ref hyp bad -o out.pdf", "--output: .pdf is not written");
    dir().stdout(&["score", "-r", "ref", "-m", "bleu", "hyp", "-o", "out.xls", "-f", "tsv"]);
}

#[test]
fn systems_can_be_sorted_by_a_metric() {
    let dir = dir();
    let order = |words: &[&str]| -> Vec<String> {
        let tsv = dir.stdout(&[&["score", "-q", "-r", "ref", "-f", "tsv"], words].concat());
        tsv.lines().skip(1).map(|line| line.split('\t').next().unwrap().to_owned()).collect()
    };
    assert_eq!(order(&["-m", "bleu", "bad", "hyp"]), ["bad", "hyp"]);
    assert_eq!(order(&["-m", "bleu", "--sort", "bad", "hyp"]), ["hyp", "bad"]);
    assert_eq!(order(&["-m", "ter", "--sort", "ter", "bad", "hyp"]), ["hyp", "bad"]);
    assert_eq!(order(&["-m", "chrf:word_order=2", "bad", "hyp", "--sort=chrF2++"]), ["hyp", "bad"]);
    assert_eq!(order(&["-m", "chrf:word_order=2", "bad", "hyp", "--sort", "chrf"]), ["hyp", "bad"]);
    let error = dir.error(2, &["score", "-r", "ref", "-m", "bleu", "hyp", "--sort", "ter"]);
    assert!(error.contains("--sort: there are no scores by ter (there are: bleu)"), "{error}");
    let paired = dir.stdout(&[
        "score", "-q", "-r", "ref", "-m", "bleu", "--paired", "bs", "-n", "20", "--sort", "bad", "hyp", "ref2", "-f",
        "json",
    ]);
    let json: Value = serde_json::from_str(&paired).unwrap();
    assert_eq!(json[0]["system"], "hyp");
    assert_eq!(json[0]["comparisons"][0]["baseline"], "bad");
}

#[test]
fn csv_has_the_columns_of_tsv() {
    let dir = dir();
    let of = |format: &str, name: &str| {
        dir.stdout(&["score", "-q", "-r", "ref", "-m", "bleu", "-f", format, &format!("--name={name}"), "hyp"])
    };
    assert_eq!(of("csv", "hyp"), of("tsv", "hyp").replace('\t', ","));
    assert!(of("csv", "=1+2,\"x\"").contains("\n\"'=1+2,\"\"x\"\"\",corpus,bleu,"));
    assert!(of("csv", "-5").contains("\n-5,corpus,"));
    let compared = |format: &str| dir.stdout(&["compare", "-q", "-r", "ref", "hyp", "bad", "-f", format]);
    assert_eq!(compared("csv"), compared("tsv").replace('\t', ","));
}

#[test]
fn escape_codes_in_names_reach_no_terminal() {
    let dir = dir();
    dir.write("\u{1b}[31mred\nwarning: x", HYP.as_bytes());
    let name = "\u{1b}[31mred\nwarning: x";
    for format in ["text", "markdown", "latex", "tsv", "csv", "jsonl"] {
        let output = dir.run(&["score", "-r", "ref", "-m", "bleu", "-f", format, name]);
        assert_eq!(output.code, 0, "{}", output.stderr);
        assert!(!output.stdout.contains('\u{1b}') && !output.stdout.contains("\nwarning"), "{}", output.stdout);
        assert!(!output.stderr.contains('\u{1b}'), "{}", output.stderr);
    }
    let error = dir.error(1, &["score", "-r", "ref", "\u{1b}[2Jnone\nwarning: all is well"]);
    assert!(!error.contains('\u{1b}') && !error.contains("\nwarning"), "{error}");
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let dir = dir();
    let words = ["compare", "-q", "-r", "ref", "hyp", "bad"];
    let coloured = |words: &[&str], environment: &[(&str, &str)]| {
        let output = dir.run_under(environment, words, "");
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout.contains('\u{1b}')
    };
    assert!(!coloured(&words, &[]));
    assert!(coloured(&[&words[..], &["--color", "always"]].concat(), &[]));
    assert!(coloured(&words, &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&words, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(!coloured(&[&words[..], &["--color", "never"]].concat(), &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[&words[..], &["--color", "always", "-f", "tsv"]].concat(), &[]));
    let score = ["score", "-q", "-r", "ref", "-m", "bleu", "hyp", "bad", "--colour", "always"];
    assert!(coloured(&score, &[]));
    dir.stdout(&[&score[..], &["-o", "out"]].concat());
    assert!(!dir.read("out").contains(&0x1b));
}
