//! SGML of test sets. The expected scores were printed by mteval-v13a.pl (Perl 5.36, `--metricsMATR`) and by METEOR 1.5
//! (OpenJDK 17) for the same files.

use crate::test_dir::TestDir;

/// Two references, two documents in another order than names, a segment on two lines.
const REFERENCES: &str = r#"<refset setid="toy" srclang="de" trglang="en">
<DOC docid="b" sysid="r1">
<hl>
<seg id="1"> The cat sat on the mat . </seg>
</hl>
<p>
<seg id="2">He said &quot;no&quot; &amp; left
the big house .</seg>
<seg id="10">They were running in the rain .</seg>
</p>
</DOC>
<DOC docid="b" sysid="r2">
<seg id="1">A cat was sitting on the mat .</seg>
<seg id="2">He said no and left the house .</seg>
<seg id="10">They ran in the rain .</seg>
</DOC>
<doc docid="a" sysid="r1"><seg id="1">Prices fell by 3.5 % , it &lt;said&gt; .</seg></doc>
<doc docid="a" sysid="r2"><seg id="1">Prices dropped by 3.5 % .</seg></doc>
</refset>
"#;

/// Two systems, with documents and segments in other orders.
const TRANSLATIONS: &str = r#"<tstset setid="toy" srclang="de" trglang="en">
<doc docid="a" sysid="two"><seg id="1">Prices fall by 3.5 % .</seg></doc>
<doc docid="b" sysid="two">
<seg id="10">They run in the rains .</seg>
<seg id="2">He said &quot;no&quot; and leaves the house .</seg>
<seg id="1">A cat sits on the mat .</seg>
</doc>
<doc docid="b" sysid="one">
<seg id="1">The cat sat on the mat .</seg>
<seg id="2">He said &quot;no&quot; &amp; left the house .</seg>
<seg id="10">They were running in rain .</seg>
</doc>
<doc docid="a" sysid="one"><seg id="1">Prices fell by 3.5 % , it &lt;said&gt; .</seg></doc>
</tstset>
"#;

const FUNCTION_WORDS: &str = "the\na\non\n.\n";

fn files() -> TestDir {
    let one_line = REFERENCES.replace("left\nthe", "left the");
    TestDir::with(&[
        ("ref.sgm", REFERENCES),
        ("one-line.sgm", &one_line),
        ("tst.sgm", TRANSLATIONS),
        ("function.words", FUNCTION_WORDS),
        ("plain.txt", "Prices .\nA cat .\nHe said .\nThey ran .\n"),
    ])
}

/// System and score of every row of a TSV report that is about one segment or about `corpus`.
fn scores(tsv: &str, segment: &str) -> Vec<(String, f64)> {
    let rows = tsv.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    let rows = rows.filter(|row| row[1] == segment);
    rows.map(|row| (row[0].to_owned(), row[3].parse().unwrap())).collect()
}

fn assert_close(found: &[(String, f64)], expected: &[(&str, f64)]) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((system, score), (name, theirs)) in found.iter().zip(expected) {
        assert_eq!(system, name);
        assert!((score - theirs).abs() < 1e-13 * theirs.max(1.0), "{system}: ours {score}, theirs {theirs}");
    }
}

#[test]
fn scores_are_those_of_mteval() {
    let dir = files();
    let score = |metric: &str| {
        dir.stdout(&["score", "-q", "-f", "tsv", "-m", metric, "--level", "both", "-r", "ref.sgm", "tst.sgm"])
    };
    let nist = score("nist");
    assert_close(&scores(&nist, "corpus"), &[("two", 4.07596526704393), ("one", 5.58276853247687)]);
    // The third segment of the references is number 10 of document b.
    assert_close(&scores(&nist, "3"), &[("two", 2.62684979970407), ("one", 5.06141605378664)]);
    let bleu = score("mteval-bleu");
    assert_close(&scores(&bleu, "corpus"), &[("two", 43.6159249101237), ("one", 90.9783428830886)]);
    assert_close(&scores(&bleu, "4"), &[("two", 53.7284965911771), ("one", 100.0)]);
}

#[test]
fn meteor_scores_segments_documents_and_systems_as_the_jar() {
    let dir = files();
    let words = ["meteor", "tst.sgm", "one-line.sgm", "-sgml", "-norm", "-m", "exact stem", "-s", "function.words"];
    let expected = "toy\tone\ta\t1\t1.0\n\
        toy\tone\tb\t1\t1.0\n\
        toy\tone\tb\t2\t0.5146562958538686\n\
        toy\tone\tb\t10\t0.49220658795856287\n\
        toy\ttwo\ta\t1\t0.4066303113915869\n\
        toy\ttwo\tb\t1\t0.4044460814030683\n\
        toy\ttwo\tb\t2\t0.37703577996596127\n\
        toy\ttwo\tb\t10\t0.36331835227485165\n\
        toy\tone\ta\t1.0\n\
        toy\tone\tb\t0.5435200567313515\n\
        toy\ttwo\ta\t0.4066303113915869\n\
        toy\ttwo\tb\t0.3814888726901622\n\
        toy\tone\t0.5857603585572815\n\
        toy\ttwo\t0.3873187715194781\n";
    assert_eq!(dir.stdout(&words), expected);
    let prefix = [&words[..], &["-f", "out"]].concat();
    assert_eq!(dir.stdout(&prefix), "");
    let written: String =
        ["seg", "doc", "sys"].map(|kind| String::from_utf8(dir.read(&format!("out-{kind}.scr"))).unwrap()).concat();
    assert_eq!(written, expected);
    let statistics = dir.stdout(&[&words[..], &["--statistics"]].concat());
    assert!(
        statistics.ends_with(
            "toy\ttwo\t29.0 29.0 9.0 9.0 13.0 13.0 9.0 9.0 3.0 3.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 \
        0.0 0.0 0.0 10.0 25.0 25.0\n"
        ),
        "{statistics}"
    );
    let verbose = dir.stdout(&[&words[..], &["-vOut"]].concat());
    assert!(verbose.starts_with("toy\tone\ta\t1\t1.0\t1.0\t0.0\t1.0\n"), "{verbose}");
    assert!(dir.stdout(&[&words[..], &["-q"]].concat()).starts_with("toy\tone\t0.5857603585572815\n"));
    let aligned = dir.stdout(&[&words[..], &["--align"]].concat());
    assert!(aligned.starts_with("Alignment\ttoy\tone\ta\t1\t1.0\t1.0\t0.0\t1.0\nprices fell by 3.5 %"), "{aligned}");
}

#[test]
fn some_of_the_files_may_be_plain_text() {
    let dir = files();
    dir.write("short.txt", b"Prices .\n");
    let source = "<srcset setid=toy><doc docid=a><seg id=1>Preise</seg></doc>\n<doc docid=b><seg id=2>Er</seg>\n\
        <seg id=10>Sie</seg><seg id=1>Katze</seg></doc></srcset>";
    dir.write("source.sgm", source.as_bytes());
    let words = ["score", "-q", "-m", "bleu", "-r", "ref.sgm", "-s", "source.sgm", "plain.txt"];
    assert!(dir.stdout(&words).contains("plain.txt"));
    let error = dir.error(1, &["score", "-q", "-r", "ref.sgm", "short.txt"]);
    assert!(error.contains("short.txt has 1 line but ref.sgm has 4"), "{error}");
}

#[test]
fn systems_of_one_file_are_compared() {
    let shown = files().stdout(&["compare", "-q", "-r", "ref.sgm", "tst.sgm"]);
    assert!(shown.contains("one") && shown.contains("two"), "{shown}");
}

#[test]
fn all_texts_may_be_in_one_file_of_wmt() {
    let dir = files();
    dir.write(
        "set.xml",
        b"<?xml version='1.0'?>\n<dataset id=\"t\"><doc id=\"d\"><src><seg id=\"1\">Die Katze</seg></src>\n\
          <ref translator=\"A\"><seg id=\"1\">The cat sat on a mat.</seg></ref>\n\
          <hyp system=\"X\"><seg id=\"1\">The cat sat on a mat.</seg></hyp></doc></dataset>\n",
    );
    let tsv = dir.stdout(&["score", "-q", "-m", "bleu", "-f", "tsv", "-r", "set.xml", "-s", "set.xml", "set.xml"]);
    assert_close(&scores(&tsv, "corpus"), &[("X", 100.0)]);
}

#[test]
fn what_does_not_fit_is_an_error_with_file_and_line() {
    let dir = files();
    dir.write("less.sgm", TRANSLATIONS.replace("<seg id=\"10\">They run in the rains .</seg>\n", "").as_bytes());
    dir.write("cut.sgm", &TRANSLATIONS.as_bytes()[..300]);
    let error = |words: &[&str], code: i32| dir.error(code, &[&["score", "-q"], words].concat());
    let missing = error(&["-r", "ref.sgm", "less.sgm"], 1);
    assert!(
        missing.contains("ref.sgm:9: segment `10` of document `b` is missing in the text of `two` in less.sgm"),
        "{missing}"
    );
    let swapped = error(&["-r", "tst.sgm", "ref.sgm"], 1);
    assert!(swapped.contains("tst.sgm has translations, but references are needed here"), "{swapped}");
    let cut = error(&["-r", "ref.sgm", "cut.sgm"], 1);
    assert!(cut.contains("cut.sgm:"), "{cut}");
    let layout = error(&["-r", "ref.sgm", "--interleaved", "2", "tst.sgm"], 2);
    assert!(layout.contains("--references and --interleaved are for plain text"), "{layout}");
    let columns = error(&["-r", "ref.sgm", "--tsv", "tst.sgm"], 2);
    assert!(columns.contains("tst.sgm is SGML, which has no columns"), "{columns}");
    let meteor = dir.error(1, &["meteor", "plain.txt", "plain.txt", "-f", "out"]);
    assert!(meteor.contains("plain.txt is plain text, but SGML is needed here"), "{meteor}");
    let meteor = dir.error(1, &["meteor", "plain.txt", "ref.sgm", "--sgml"]);
    assert!(meteor.contains("plain.txt is plain text, but SGML is needed here"), "{meteor}");
}
