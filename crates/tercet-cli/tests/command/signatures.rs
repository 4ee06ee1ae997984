//! Signatures that are handed back, and mistakes in the names of metrics.

use crate::test_dir::TestDir;

const SEGMENTS: &str = "seg_id\tsource\treference\n1\ta\tthe cat sat\n2\tb\tit rained all day\n";
const OUTPUTS: &str = "seg_id\tsystem\ttext\n1\tx\tthe cat sat\n1\ty\ta cat\n2\tx\tit rained all days\n2\ty\train\n";

fn dir() -> TestDir {
    TestDir::with(&[
        ("ref", "the cat sat\nit rained all day\n"),
        ("a", "the cat sat\nit rained all days\n"),
        ("b", "a cat\nrain\n"),
        ("rr/pairs.de-en.tsv", "seg_id\tbetter\tworse\n1\tx\ty\n2\tx\ty\n"),
        ("rr/segments.de-en.tsv", SEGMENTS),
        ("rr/outputs.de-en.tsv", OUTPUTS),
    ])
}

#[test]
fn other_references_or_another_version_are_a_warning() {
    let dir = dir();
    let given = "chrf|refs=2|tercet=9.9";
    for words in [&["score", "-r", "ref", "a"][..], &["compare", "-r", "ref", "a", "b"], &["correlate", "rr"]] {
        let run = dir.run(&[words, &["-m", given]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let refs = "warning: chrf: the signature is of scores with refs=2, but here it is refs=1: they cannot be \
            compared";
        assert_eq!(run.stderr.matches(refs).count(), 1, "{}", run.stderr);
        assert!(run.stderr.contains("warning: chrf: the signature is of tercet 9.9, but this is "), "{}", run.stderr);
        let run = dir.run(&[words, &["-m", given, "-q"]].concat());
        assert_eq!(run.stderr, "");
        let own = format!("chrf|refs=1|tercet={}", env!("CARGO_PKG_VERSION"));
        let run = dir.run(&[words, &["-m", &own]].concat());
        assert!(!run.stderr.contains("the signature"), "{}", run.stderr);
    }
}

#[test]
fn what_cannot_hold_is_refused() {
    let dir = dir();
    let refused = |metric: &str| dir.error(2, &["score", "-r", "ref", "-m", metric, "a"]);
    assert!(refused("chrf|slpe=0.1").contains("did you mean `slope`?"));
    assert!(refused("chrf|refs=-1").contains("refs=-1: expected the number of references, var or mbr"));
    assert!(refused("bleu:tok=13a,tok=intl").contains("`tok` is given twice"));
    assert!(refused("bleu|refs=1|refs=1").contains("`refs` is given twice"));
    assert!(refused("blue:x").contains("did you mean `bleu`?"));
    assert!(refused("bleu:x").contains("`x` is not key=value"));
    assert!(refused("bleu|paraphrases=12").contains("here there is no paraphrases"));
    let compared = dir.error(2, &["compare", "-r", "ref", "-m", "chrf|slpe=0.1", "a", "b"]);
    assert!(compared.contains("did you mean `slope`?"), "{compared}");
}
