use crate::test_dir::TestDir;

#[test]
fn all_metrics_are_listed_and_one_is_explained() {
    let dir = TestDir::new();
    let list = dir.stdout(&["metrics"]);
    for name in ["bleu", "sentbleu", "nist", "chrf", "ter", "wer", "per", "cer", "character", "rouge", "gtm", "overlap"]
    {
        assert!(list.lines().any(|line| line.starts_with(name)), "{name}");
    }
    let chrf = dir.stdout(&["metrics", "chrf++"]);
    assert!(chrf.contains("word_order") && chrf.contains("Popović"), "{chrf}");
    let json: serde_json::Value = serde_json::from_str(&dir.stdout(&["metrics", "-f", "json"])).unwrap();
    assert!(json.as_array().unwrap().iter().any(|metric| metric["name"] == "ter"));
    assert!(dir.error(2, &["metrics", "comet"]).contains("no metric of tercet is called `comet`"));
}

#[cfg(feature = "learned")]
#[test]
fn required_options_are_shown() {
    assert!(TestDir::new().stdout(&["metrics", "pairwise"]).contains("must be given"));
}

#[test]
fn the_page_of_metrics_has_their_table() {
    let page = include_str!("../../../../docs/metrics.md");
    for line in TestDir::new().stdout(&["metrics", "-f", "markdown"]).lines() {
        assert!(page.contains(line), "docs/metrics.md lacks this line of `tercet metrics -f markdown`:\n{line}");
    }
}

#[test]
fn encoders_are_listed_as_metrics_are() {
    let dir = TestDir::new();
    let list = dir.stdout(&["encoders"]);
    assert!(list.lines().any(|line| line.starts_with("average")), "{list}");
    let average = dir.stdout(&["encoders", "average"]);
    assert!(average.ends_with("in a recipe:\n  encoders = [\"average:file=FILE\"]\n"), "{average}");
    assert!(!dir.stdout(&["metrics", "bleu"]).contains("recipe"));
    assert!(average.contains("unknown") && average.contains("one of out, zeros; default out"), "{average}");
    assert!(average.contains("must be given"), "{average}");
    let json: serde_json::Value = serde_json::from_str(&dir.stdout(&["encoders", "-f", "json"])).unwrap();
    assert!(json.as_array().unwrap().iter().any(|encoder| encoder["name"] == "precomputed"));
    assert!(dir.error(2, &["encoders", "averag"]).contains("did you mean `average`?"));
}

#[test]
fn control_characters_of_the_command_line_are_not_repeated() {
    let dir = TestDir::with(&[("a", "x\n")]);
    for words in [
        &["score", "-r", "a", "a", "--confidence", "-n", "\u{9b}31m"][..],
        &["score", "-r", "a", "a", "--\u{1b}[31m"],
        &["\u{7}score"],
        &["metrics", "a\rb"],
    ] {
        let error = dir.error(2, words);
        assert!(error.starts_with("error: "), "{error:?}");
        assert!(!error.chars().any(|letter| letter.is_control() && letter != '\n'), "{error:?}");
    }
}
