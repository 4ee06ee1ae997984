use crate::test_dir::TestDir;
use std::process::Command;

/// What bash would offer after this line, by its own function for completions.
#[cfg(unix)]
fn offered_by_bash(line: &str) -> Option<Vec<String>> {
    let dir = TestDir::with(&[("model.bin", "")]);
    dir.write("script", dir.stdout(&["completions", "bash"]).as_bytes());
    let tercet = assert_cmd::cargo::cargo_bin("tercet");
    let program = format!(
        "source ./script; COMP_LINE='{line}'; COMP_POINT=${{#COMP_LINE}}; COMP_WORDS=({line}); \
         COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _tercet_or_values tercet \"${{COMP_WORDS[COMP_CWORD]}}\" \
         \"${{COMP_WORDS[COMP_CWORD - 1]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let path = format!("{}:{}", tercet.parent()?.display(), std::env::var("PATH").ok()?);
    let output = Command::new("bash")
        .args(["--norc", "-c", &program])
        .env("PATH", path)
        .current_dir(dir.path("."))
        .output()
        .ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

#[test]
#[cfg(unix)]
fn bash_completes_metrics_with_their_options() {
    for (line, expected) in [
        ("tercet score -m chr", &["chrf", "chrf++", "chrfpp", "chrf2", "chrf2++"][..]),
        // bash replaces what follows the last : or =.
        ("tercet score -r ref -m bleu:lower", &["lowercase="]),
        ("tercet compare --metric bleu:lowercase=", &["yes", "no"]),
        ("tercet rank --nbest list -m cha", &["character"]),
        ("tercet correlate set --metric=bleu:smooth=f", &["floor"]),
        ("tercet score -m meteor:paraphrase=mod", &["model.bin"]),
        ("tercet tokenize --tok mteval-intl", &["mteval-intl", "mteval-intl+nonascii"]),
        ("tercet metrics met", &["meteor", "meteor-ex", "meteor-st", "meteor-sy", "meteor-pa"]),
        ("tercet score -l en-z", &["en-zh", "en-zu"]),
        ("tercet tokenize --lang=ja", &["ja"]),
        ("tercet correlate set -s pea", &["pearson"]),
    ] {
        let Some(offered) = offered_by_bash(line) else { return };
        assert_eq!(offered, expected, "{line}");
    }
}

#[test]
#[cfg(unix)]
fn bash_still_completes_flags() {
    let Some(offered) = offered_by_bash("tercet score --compon") else { return };
    assert_eq!(offered, ["--components"]);
}

#[test]
fn scripts_of_zsh_and_fish_ask_tercet_for_metrics() {
    let dir = TestDir::new();
    let zsh = dir.stdout(&["completions", "zsh"]);
    assert!(zsh.starts_with("#compdef tercet"), "{zsh}");
    assert!(zsh.contains("_tercet_metric() {") && zsh.contains(":METRIC:_tercet_metric"));
    assert!(zsh.contains(":LANG:_tercet_language") && zsh.contains(":STATISTIC:_tercet_statistic"));
    let fish = dir.stdout(&["completions", "fish"]);
    assert!(fish.contains("-s m -l metric -x -a \"(__tercet_values metric)\""));
    assert_eq!(dir.stdout(&["completions", "--values", "metric", "bleu:tok=z"]), "bleu:tok=zh\n");
    assert!(dir.error(2, &["completions"]).contains("<SHELL>"));
}
