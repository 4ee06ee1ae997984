//! What `score` and `compare` compute if no metric is given.

use crate::test_dir::TestDir;

const REFERENCE: &str = "The government said on Monday that it would raise taxes next year.\n\
                         He passed the exam at the second attempt and was very happy about it.\n";
const FREE: &str = "The government announced on Monday that taxes will go up next year.\n\
                    He passed the exam on his second try, which made him very happy.\n";
const WORSE: &str = "The government has on Monday said that it taxes next year raises.\n\
                     He has the exam with the second try passed and over it very happy was.\n";

fn dir() -> TestDir {
    let dir = TestDir::new();
    for (name, text) in [("ref", REFERENCE), ("a", FREE), ("b", WORSE)] {
        dir.write(name, text.as_bytes());
    }
    dir
}

/// The metrics of a table in TSV.
fn metrics(dir: &TestDir, more: &[&str]) -> Vec<String> {
    let table = dir.stdout(&[&["score", "-q", "-r", "ref", "-f", "tsv", "a"], more].concat());
    table.lines().skip(1).map(|line| line.split('\t').nth(2).unwrap().to_owned()).collect()
}

#[cfg(not(feature = "siamese"))]
#[test]
fn without_the_model_inside_the_lexical_metrics_are_computed() {
    assert_eq!(metrics(&dir(), &[]), ["bleu", "chrf", "ter"]);
}

#[cfg(feature = "siamese")]
#[test]
fn english_references_add_the_learned_metric_unless_it_shall_be_fast() {
    let dir = dir();
    assert_eq!(metrics(&dir, &[]), ["bleu", "chrf", "ter", "siamese"]);
    if cfg!(feature = "siamese-fast") {
        assert_eq!(metrics(&dir, &["--fast"]), ["bleu", "chrf", "ter", "siamese-fast"]);
    }
    assert_eq!(metrics(&dir, &["-l", "de"]), ["bleu", "chrf", "ter"]);
    assert_eq!(metrics(&dir, &["-m", "chrf"]), ["chrf"]);
    dir.write("ref", "Die Regierung sagte am Montag, sie werde die Steuern nicht erhöhen.\n".repeat(2).as_bytes());
    assert_eq!(metrics(&dir, &[]), ["bleu", "chrf", "ter"]);
}

#[cfg(feature = "siamese")]
#[test]
fn the_learned_metric_compares_english_and_the_others_are_told_beside_it() {
    let dir = dir();
    let text = dir.stdout(&["compare", "-q", "-r", "ref", "a", "b"]);
    assert!(text.contains("\nBy Siamese, "), "{text}");
    assert!(text.contains("\nBy BLEU, ") && text.contains("\nBy chrF2, "), "{text}");
    if cfg!(feature = "siamese-fast") {
        let text = dir.stdout(&["compare", "-q", "--fast", "-r", "ref", "a", "b"]);
        assert!(text.contains("\nBy Siamese-en-2-fast, ") && text.contains("\nBy BLEU, "), "{text}");
    }
    let text = dir.stdout(&["compare", "-q", "-m", "siamese", "-r", "ref", "a", "b"]);
    assert!(text.contains("\nBy Siamese, ") && !text.contains("By BLEU"), "{text}");
}

#[cfg(feature = "siamese")]
#[test]
fn repeated_lines_count_once() {
    let dir = dir();
    for name in ["ref", "a"] {
        dir.write(name, REFERENCE.repeat(5_001).as_bytes());
    }
    assert_eq!(metrics(&dir, &[]), ["bleu", "chrf", "ter", "siamese"]);
}

#[cfg(feature = "siamese")]
#[test]
fn a_text_too_short_to_tell_its_language_is_a_warning() {
    let dir =
        TestDir::with(&[("ref", "The cat sat on the mat.\n"), ("a", "A cat sat on the mat.\n"), ("b", "cat mat\n")]);
    let warning = "warning: siamese was skipped: the texts are too short to tell their language: if they are English, \
        add it with -l en";
    for command in [["score"].as_slice(), &["compare", "b"], &["rank", "b"]] {
        let stderr = |more: &[&str]| {
            let output = dir.run(&[command, &["-r", "ref", "a"], more].concat());
            assert_eq!(output.code, 0, "{output:?}");
            output.stderr
        };
        assert!(stderr(&[]).contains(warning), "{}", stderr(&[]));
        for without in [["-l", "en"].as_slice(), &["-l", "de"], &["--fast"], &["-m", "chrf"], &["-q"]] {
            assert!(!stderr(without).contains("was skipped"), "{without:?}: {}", stderr(without));
        }
    }
    assert_eq!(metrics(&dir, &["-l", "en"]), ["bleu", "chrf", "ter", "siamese"]);
    dir.write("ref", "Кошка сидела на коврике.\n".as_bytes());
    assert!(!dir.run(&["score", "-r", "ref", "a"]).stderr.contains("was skipped"));
}

#[test]
fn fast_and_a_metric_contradict_each_other() {
    for command in [["score"].as_slice(), &["compare", "b"], &["rank", "b"]] {
        let output = dir().run(&[command, &["-r", "ref", "a", "--fast", "-m", "chrf"]].concat());
        assert_eq!(output.code, 2, "{output:?}");
        assert!(output.stderr.contains("'--fast' cannot be used with"), "{output:?}");
    }
}
