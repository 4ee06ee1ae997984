//! `-f html`: one file that needs nothing else, whose texts cannot get out of their place.

use crate::test_dir::TestDir;
use serde_json::Value;
use sha2::{Digest, Sha256};

const REFERENCE: &str = "The cat sat on the mat.\nA dog barked.\nIt rained all day.\n";
const A: &str = "The cat sits on the mat.\nA dog barked.\nAll day it rained.\n";
const B: &str = "Cat on mat.\n</script><script>alert(1)</script><!-- a dog\nIt was raining.\n";

fn texts() -> TestDir {
    TestDir::with(&[
        ("ref.txt", REFERENCE),
        ("src.txt", "Die Katze\nEin Hund\nEs regnete\n"),
        ("a.txt", A),
        ("b.txt", B),
        ("domain.txt", "home\nhome\nweather\n"),
        ("short.txt", "home\n"),
    ])
}

fn page(dir: &TestDir, words: &str) -> String {
    dir.stdout(&[&words.split(' ').collect::<Vec<_>>()[..], &["--quiet", "-f", "html"]].concat())
}

/// What is between two texts.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
}

fn data(page: &str) -> Value {
    serde_json::from_str(between(page, "<script type=\"application/json\" id=\"data\">", "</script>")).unwrap()
}

#[test]
fn the_page_has_texts_scores_and_tests() {
    let dir = texts();
    let page = page(&dir, "score -r ref.txt -s src.txt -m bleu -m ter -m meteor --by domain=domain.txt a.txt b.txt");
    let data = data(&page);
    assert_eq!(data["command"], "score");
    assert_eq!(data["systems"], serde_json::json!(["a.txt", "b.txt"]));
    assert_eq!(data["texts"]["outputs"][1][1], "</script><script>alert(1)</script><!-- a dog");
    assert_eq!(data["texts"]["references"][0][0], "The cat sat on the mat.");
    assert_eq!(data["texts"]["sources"][2], "Es regnete");
    assert_eq!(data["groupings"][0]["values"], serde_json::json!(["home", "weather"]));
    assert_eq!(data["groupings"][0]["of"], serde_json::json!([0, 0, 1]));
    assert_eq!(data["groupings"][0]["is_requested"], true);
    let scores =
        dir.stdout(&["score", "-r", "ref.txt", "-m", "ter", "a.txt", "b.txt", "--level", "both", "-f", "json", "-q"]);
    let scores: Value = serde_json::from_str(&scores).unwrap();
    let ter = &data["metrics"][1];
    assert_eq!((ter["title"].as_str(), ter["lower_is_better"].as_bool()), (Some("TER"), Some(true)));
    for system in 0..2 {
        assert_eq!(ter["scores"][system]["score"], scores[system]["score"]);
        for segment in 0..3 {
            let stored = data["segment_scores"][1][system][segment].as_f64().unwrap() / 100.0;
            assert!((stored - scores[system]["segments"][segment].as_f64().unwrap()).abs() <= 0.005);
        }
        assert!(ter["scores"][system]["low"].as_f64() <= ter["scores"][system]["score"].as_f64());
    }
    assert_eq!(data["pairs"].as_array().unwrap().len(), 3);
    let marked: Vec<_> = data["marks"].as_array().unwrap().iter().map(|of| of["title"].as_str().unwrap()).collect();
    assert_eq!(marked, ["TER", "METEOR"]);
    // `sits` for `sat`: eight characters, then four; `All day` and `it rained` change places.
    assert_eq!(data["marks"][0]["runs"][0][0], "Is4|Is3");
    assert_eq!(data["marks"][1]["runs"][0][1], "");
}

/// What the command would print, the page says too: its readers have not seen the command.
#[test]
fn warnings_and_files_are_on_the_page() {
    let dir = texts();
    dir.write("gap.txt", b"The cat sat.\n\nIt rained.\n");
    for command in ["score -m bleu", "compare -m bleu", "rank -m bleu"] {
        let source = if command.starts_with("rank") { "" } else { " -s src.txt" };
        let data = data(&page(&dir, &format!("{command} -r ref.txt{source} a.txt gap.txt")));
        let remarks = data["remarks"].to_string();
        assert!(remarks.contains("only 3 segments: "), "{command}: {remarks}");
        assert!(remarks.contains("gap.txt"), "{command}: {remarks}");
        assert_eq!(data["origins"][0], serde_json::json!(["reference", "ref.txt"]));
        assert_eq!(data["origins"].as_array().unwrap().len(), if source.is_empty() { 1 } else { 2 });
    }
    let unchecked = data(&page(&dir, "score -m bleu -r ref.txt --no-checks a.txt"));
    assert_eq!(unchecked["remarks"], serde_json::json!([]));
}

/// A page has intervals and tests also if no flag asks for them.
#[test]
fn too_few_segments_are_told_on_the_terminal() {
    let dir = texts();
    let message = |words: &str| dir.run(&words.split(' ').collect::<Vec<_>>()).stderr;
    let pages = [
        ("score -m chrf -r ref.txt a.txt b.txt", "warning: only 3 segments: with so few, p-values"),
        ("score -m chrf -r ref.txt a.txt", "warning: only 3 segments: too few for reliable intervals\n"),
        ("rank -m chrf -r ref.txt a.txt b.txt", "warning: only 3 segments: with so few, p-values"),
        ("compare -m chrf -r ref.txt a.txt b.txt", "warning: only 3 segments: too few for reliable intervals\n"),
    ];
    for (words, expected) in pages {
        let printed = message(&format!("{words} -o page.html"));
        assert!(printed.contains(expected), "{words}: {printed}");
    }
    assert!(!message("score -m chrf -r ref.txt a.txt b.txt").contains("only 3 segments"));
}

#[test]
fn the_paragraph_says_how_systems_were_compared_and_agreement_was_measured() {
    let dir = texts();
    let compared = data(&page(&dir, "compare -r ref.txt -m chrf a.txt b.txt"));
    let text = compared["paper"]["text"].as_str().unwrap();
    assert!(
        text.contains("the probability that people prefer one to the other, by chrF2, with a 95% bootstrap interval"),
        "{text}"
    );
    assert!(
        text.contains("10000 random exchanges of their translations (Riezler and Maxwell, 2005), seed 12345."),
        "{text}"
    );
    assert!(compared["paper"]["bibtex"].as_str().unwrap().contains("@inproceedings{riezler-2005,"));
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/evalset");
    let agreement = data(&page(&dir, &format!("correlate {examples} -m bleu -m chrf")));
    let text = agreement["paper"]["text"].as_str().unwrap();
    assert!(text.starts_with("We report BLEU (Papineni et al., 2002; Post, 2018) and chrF2 ("), "{text}");
    let measured = "Segment-level agreement with the human judgements mqm of evalset (de-en; n = 64) is measured by \
                    Pearson's correlation, Spearman's rank correlation, Kendall's tau-b and acc-23 (Deutsch et al., \
                    2023). System-level agreement with the human judgements mqm of evalset (de-en; n = 4) is";
    assert!(text.contains(measured), "{text}");
    assert!(text.contains("by PERM-BOTH (Deutsch et al., 2021), with 1000 draws, seed 12345."), "{text}");
}

/// Readers elsewhere need no folders of this machine.
#[test]
fn files_are_named_without_their_folders() {
    let dir = texts();
    dir.write("gap.txt", b"The cat sat.\n\nIt rained.\n");
    let path = |name: &str| dir.path(name).display().to_string();
    let [reference, source, a, gap] = ["ref.txt", "src.txt", "a.txt", "gap.txt"].map(path);
    for command in ["score --paired bs --baseline", "rank", "compare"] {
        let baseline = if command.ends_with("baseline") { format!(" {a}") } else { String::new() };
        let of_source = if command == "rank" { String::new() } else { format!(" -s {source}") };
        let page = page(&dir, &format!("{command}{baseline} -m chrf -r {reference}{of_source} {a} {gap}"));
        assert!(!page.contains(a.trim_end_matches("a.txt")), "{command}");
        let data = data(&page);
        assert_eq!(data["systems"], serde_json::json!(["a.txt", "gap.txt"]));
        assert_eq!(data["origins"][0][1], "ref.txt");
        assert!(data["remarks"].to_string().contains("gap.txt"));
    }
    dir.write("scores.txt", b"0.1\n0.2\n");
    let scores = path("scores.txt");
    assert_eq!(data(&page(&dir, &format!("score --scores {scores}")))["systems"][0], "scores.txt");
}

#[test]
fn nothing_is_loaded_and_only_its_own_style_and_script_are_allowed() {
    let page = page(&texts(), "score -r ref.txt -m chrf -m ter a.txt b.txt");
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for address in ["http:", "https:", "//cdn", "src=", "@import", "url("] {
        assert!(!outside.contains(address), "{address}");
    }
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    let hash = |text: &str| base64(&Sha256::digest(text));
    let style = hash(between(&page, "<style>", "</style>"));
    let script = hash(between(&page, "<script>", "</script>"));
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'; \
             form-action 'none'"
        )
    );
    // The style, the script and the data each end once: texts cannot end them.
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!((page.matches("<script").count(), page.matches("<!--").count()), (2, 0));
    assert!(page.ends_with("</html>\n"));
}

fn base64(bytes: &[u8]) -> String {
    let digits: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let mut text: String = bits
        .as_bytes()
        .chunks(6)
        .map(|six| digits[usize::from_str_radix(&format!("{:0<6}", str::from_utf8(six).unwrap()), 2).unwrap()])
        .collect();
    while !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

#[test]
fn the_ending_of_the_file_chooses_the_page() {
    let dir = texts();
    dir.stdout(&["score", "-r", "ref.txt", "-m", "chrf", "a.txt", "-o", "report.html", "-q"]);
    let page = String::from_utf8(dir.read("report.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>\n"));
    assert_eq!(data(&page)["pairs"], serde_json::json!([]));
}

#[test]
fn compare_rank_and_correlate_have_pages_too() {
    let dir = texts();
    let compared = data(&page(&dir, "compare -r ref.txt -m chrf|slope=0.1 a.txt b.txt"));
    assert_eq!(compared["comparison"]["probabilities"].as_array().unwrap().len(), 3);
    let titles: Vec<_> =
        compared["metrics"].as_array().unwrap().iter().map(|of| of["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["chrF2", "BLEU", "TER"]);
    assert!(
        compared["paper"]["latex"]
            .as_str()
            .unwrap()
            .contains("We report chrF2 \\citep{popovic-2015-chrf,popovic-2017-chrf}, BLEU ")
    );
    let ranked = data(&page(&dir, "rank -r ref.txt -m chrf a.txt b.txt"));
    assert_eq!(ranked["metrics"][0]["scores"][0]["rank"], 1);
    assert!(ranked["metrics"][0]["scores"][0]["wins"].as_f64().unwrap() > 0.5);
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/evalset");
    let agreement = data(&page(&dir, &format!("correlate {examples} -m bleu -m chrf")));
    assert_eq!(agreement["agreement"]["plots"][0]["metric"], "bleu");
    assert!(agreement["agreement"]["tables"][0]["rows"].as_array().unwrap().len() >= 2);
}

#[test]
fn systems_sorted_on_request_keep_their_texts() {
    let dir = texts();
    let data = data(&page(&dir, "score -r ref.txt -m chrf --sort b.txt a.txt"));
    assert_eq!(data["systems"], serde_json::json!(["a.txt", "b.txt"]));
    assert_eq!(data["texts"]["outputs"][0][0], "The cat sits on the mat.");
}

#[test]
fn documents_of_sgml_are_a_property_of_segments() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let words = format!("score -r {examples}/reference.sgm -m chrf {examples}/system-a.sgm");
    let data = data(&page(&TestDir::new(), &words));
    assert_eq!(data["groupings"][0]["name"], "document");
    assert!(data["groupings"][0]["values"].as_array().unwrap().len() > 1);
}

#[test]
fn mistakes_are_explained() {
    let dir = texts();
    let error = |code: i32, words: &str| dir.error(code, &words.split(' ').collect::<Vec<_>>());
    assert_eq!(
        error(2, "score -r ref.txt -m chrf a.txt --by domain=domain.txt"),
        "error: --by is for pages about texts: add -f html\n"
    );
    assert_eq!(
        error(2, "score -r ref.txt -m chrf a.txt -f html --by domain"),
        "error: --by: expected NAME=FILE, found domain\n"
    );
    assert_eq!(
        error(1, "score -r ref.txt -m chrf a.txt -q -f html --by domain=short.txt"),
        "error: short.txt has 1 lines for 3 segments: --by needs one value per segment\n"
    );
    assert_eq!(
        error(2, "rank --mbr -m chrf a.txt b.txt -f html"),
        "error: -f html is written by score, compare, correlate, spans, challenge and rank (without --nbest and \
         --mbr)\n"
    );
}
