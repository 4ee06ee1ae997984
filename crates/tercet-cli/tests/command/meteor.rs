//! The expected lines were printed by the jar of pycocoevalcap 1.2 (OpenJDK 17) for the same arguments and files.

use crate::test_dir::{CommandOutput, TestDir};

const FUNCTION_WORDS: &str = "the\na\non\n.\n";
const TABLE: &str = "0.5\nsat on\nlay upon\n0.1\nbig\nrather large\n";

fn answer(words: &[&str], lines: &[&str]) -> CommandOutput {
    let dir = TestDir::with(&[("function.words", FUNCTION_WORDS), ("table", TABLE)]);
    let common = ["meteor", "-s", "function.words"];
    dir.run_with(&[&common[..], words].concat(), &(lines.join("\n") + "\n"))
}

fn answers(words: &[&str], lines: &[&str]) -> Vec<String> {
    let output = answer(words, lines);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    output.stdout.lines().map(str::to_owned).collect()
}

/// Arguments as programs that start the jar write them.
const THEIR_WORDS: &[&str] = &["-", "-", "-stdio", "-l", "en", "-m", "exact stem paraphrase", "-a", "table"];

#[test]
fn statistics_are_those_of_the_jar() {
    let lines = [
        "SCORE ||| the cat sat on the mat . ||| the cat sat on the mat .",
        "SCORE ||| the cat sat on a mat ||| a dog ran ||| the cats lay upon a big mat",
        "score|||rather large dogs sat|||a big dog sat",
        "SCORE ||| x ||| ",
        "SCORE |||  ||| x",
        "SCOREboard |||| x ||| x",
        "SCORE ||| a b ||| a\rSCORE ||| A ||| a\r",
    ];
    let expected = [
        "7.0 7.0 4.0 4.0 3.0 3.0 4.0 4.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 7.0 7.0",
        "7.0 6.0 2.0 3.0 1.0 1.0 2.0 2.0 1.0 1.0 0.0 0.0 2.0 1.0 0.0 1.0 0.0 0.0 0.0 0.0 2.0 6.0 6.0",
        "4.0 4.0 1.0 0.0 1.0 1.0 0.0 0.0 1.0 1.0 0.0 0.0 1.0 2.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 3.0 4.0",
        "0.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0",
        "1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0",
        "1.0 2.0 0.0 0.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 1.0 1.0",
        "1.0 2.0 1.0 1.0 0.0 0.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 1.0 1.0",
        "1.0 1.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0",
    ];
    assert_eq!(answers(THEIR_WORDS, &lines), expected);
}

#[test]
fn each_score_is_followed_by_that_of_the_sum() {
    let lines = [
        "EVAL ||| 7.0 7.0 4.0 4.0 3.0 3.0 4.0 4.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 7.0 7.0 \
         ||| 7 6 2 3 1 1 2 2 1 1 0 0 2 1 0 1 0 0 0 0 1 6 6 more",
        "eval ||| 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0",
        "SING ||| 7 6 2 3 1 1 2 2 1 1 0 0 2 1 0 1 0 0 0 0 1 6 6",
    ];
    let expected = ["1.0", "0.46837458304476487", "0.5789259155301755", "0.0", "0.0", "0.46837458304476487"];
    assert_eq!(answers(THEIR_WORDS, &lines), expected);
}

#[test]
fn malformed_lines_get_an_error_message() {
    let lines = ["SCORE ||| x |||", "SCORE", "", "Score ||| x ||| x", "EVAL", "EVAL |||", "SING ||| 1 ||| 2", "SING"];
    let texts = "Error: specify hypothesis and at least one reference";
    let (words, numbers) = ("Error: specify SCORE or EVAL or SING", "Error: specify Meteor stats");
    assert_eq!(answers(THEIR_WORDS, &lines), [texts, texts, words, words, numbers, numbers, numbers, numbers]);
}

#[test]
fn invalid_statistics_end_the_command_after_earlier_answers() {
    let output =
        answer(THEIR_WORDS, &["EVAL ||| 2 2 0 0 1 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 1 1 ||| 1 2", "SCORE ||| a ||| a"]);
    assert_eq!((output.code, output.stdout.as_str()), (1, "0.2\n"));
    assert_eq!(
        output.stderr,
        "error: line 1 of standard input: expected the 23 numbers that SCORE answers with, found `1 2`\n"
    );
}

#[test]
fn our_spelling_of_flags_means_the_same() {
    let lines = ["SCORE ||| The CAT sat on ||| the cat lay upon"];
    let ours = ["--stdio", "--modules", "exact+stem+paraphrase", "--paraphrase", "table", "--lower"];
    let theirs = [THEIR_WORDS, &["-lower"]].concat();
    assert_eq!(answers(&ours, &lines), answers(&theirs, &lines));
}

#[test]
fn a_missing_table_is_a_warning_unless_modules_are_named() {
    let output = answer(&["--stdio"], &[]);
    let warning = "warning: meteor: no paraphrase table, so scores differ from those of METEOR's jar: 0.2797, not \
        0.2991, ";
    assert!(output.code == 0 && output.stderr.starts_with(warning), "{}", output.stderr);
    assert_eq!(output.stderr.lines().count(), 1);
    for words in [["--stdio", "-m", "exact"], ["--stdio", "-l", "it"], ["--stdio", "-l", "other"]] {
        assert_eq!(answer(&words, &[]).stderr, "", "{words:?}");
    }
    let dir = TestDir::with(&[("hyp", "a cat\n"), ("ref", "the cat\n")]);
    assert!(dir.run(&["meteor", "--align", "hyp", "ref"]).stderr.starts_with(warning));
}

#[test]
fn the_language_may_be_the_target_of_a_pair() {
    let line = ["SCORE ||| кошки сидели на коврах ||| кошка сидела на коврах"];
    let russian = answers(&["--stdio", "-m", "exact+stem", "-l", "ru"], &line);
    assert_ne!(answers(&["--stdio", "-m", "exact+stem"], &line), russian);
    for pair in ["en-ru", "rus", "ru-RU"] {
        assert_eq!(answers(&["--stdio", "-m", "exact+stem", "-l", pair], &line), russian, "{pair}");
    }
    let error = TestDir::new().error(2, &["meteor", "--stdio", "-l", "russain"]);
    assert!(error.contains("--language: `russain` is not a language"), "{error}");
}

#[test]
fn files_are_an_error_that_says_what_to_do() {
    let error = TestDir::new().error(2, &["meteor", "a.txt", "b.txt", "--stdio"]);
    assert!(error.contains("write - in place of files"), "{error}");
    assert!(TestDir::new().error(2, &["meteor"]).contains("--stdio"));
}

#[test]
fn alignments_and_statistics_of_files_are_printed() {
    let dir = TestDir::with(&[("hyp", "a cat is on the mat\n"), ("ref", "the cat sat on the mat\na cat is here\n")]);
    let answer = dir.run_with(
        &["meteor", "--stdio"],
        "SCORE ||| the cat sat on the mat ||| a cat is here ||| a cat is on the mat\n",
    );
    assert_eq!(dir.stdout(&["meteor", "--statistics", "-r", "2", "hyp", "ref"]), answer.stdout);
    let aligned = dir.stdout(&["meteor", "--align", "-r", "2", "hyp", "ref"]);
    assert!(aligned.starts_with("Alignment\t1\t") && aligned.contains("\na cat is on the mat\n"), "{aligned}");
    assert!(dir.error(1, &["meteor", "--align", "hyp", "ref"]).contains("hyp"));
    assert!(dir.error(2, &["meteor", "--align", "hyp"]).contains("name two files"));
    assert!(dir.error(2, &["meteor", "--stdio", "-p", "1 2"]).contains("four numbers"));
    let own = dir.run_with(&["meteor", "--stdio", "-p", ".5 1 .5 .5", "-w", "1 .5 .5"], "SCORE ||| a b ||| a b\n");
    assert_eq!(own.code, 0, "{}", own.stderr);
}

#[test]
fn a_signature_requires_its_resources() {
    let dir = TestDir::with(&[("hyp", "a cat\n"), ("ref", "the cat\n")]);
    let signature = dir.stdout(&["score", "-r", "ref", "-m", "meteor", "-f", "json", "hyp"]);
    let signature: serde_json::Value = serde_json::from_str(&signature).unwrap();
    let signature = signature[0]["signature"].as_str().unwrap();
    dir.stdout(&["score", "-r", "ref", "-m", signature, "hyp"]);
    let other = signature.replace("synonyms=wn30-", "synonyms=other-");
    assert_ne!(other, signature);
    assert!(dir.error(2, &["score", "-r", "ref", "-m", &other, "hyp"]).contains("but here it is wn30-"));
}

// The layout is the jar's; the digits are held against it by the golden tests.
#[test]
fn two_files_are_scored_as_the_jar_prints_it() {
    let dir = TestDir::with(&[
        ("function.words", FUNCTION_WORDS),
        ("hyp", "the cat sat on the mat .\nsomething else\n"),
        ("ref", "the cat sat on the mat .\nthe dog\n"),
    ]);
    let words = ["meteor", "hyp", "ref", "-l", "en", "-s", "function.words", "-m", "exact"];
    let printed = dir.stdout(&words);
    assert_eq!(
        printed,
        "\
Meteor version: 1.5

Eval ID:        meteor-1.5-wo-en-no_norm-0.85_0.2_0.6_0.75-ex-1.0

Language:       English
Format:         plaintext
Task:           Custom
Modules:        exact
Weights:        1.0
Parameters:     0.85 0.2 0.6 0.75

Segment 1 score:\t1.0
Segment 2 score:\t0.0

System level statistics:


           Test Matches                  Reference Matches
Stage      Content  Function    Total    Content  Function    Total
1                3         4        7          3         4        7
Total            3         4        7          3         4        7

Test words:             9
Reference words:        9
Chunks:                 0
Precision:              0.6842105263157895
Recall:                 0.7647058823529411
f1:                     0.7222222222222222
fMean:                  0.7514450867052023
Fragmentation penalty:  0.0

Final score:            0.7514450867052023
"
    );
    let verbose = dir.stdout(&[&words[..], &["-vOut"]].concat());
    assert!(verbose.contains("\nSegment 1 score:\t1.0\t1.0\t0.0\t1.0\n"), "{verbose}");
    let quiet = dir.run(&[&words[..], &["-q"]].concat());
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("0.7514450867052023\n", "1.0\n0.0\n"));
    let statistics = dir.stdout(&[&words[..], &["-ssOut"]].concat());
    assert_eq!(statistics.lines().count(), 2);
}

#[test]
fn without_files_the_command_says_what_it_takes() {
    let error = TestDir::new().error(2, &["meteor", "-l", "en"]);
    assert!(error.contains("name two files, translations, then references (or --stdio"), "{error}");
}
