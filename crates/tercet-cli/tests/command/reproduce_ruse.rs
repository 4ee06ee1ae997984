//! `tercet reproduce ruse` on made-up direct assessments.

use crate::test_dir::TestDir;
use serde_json::Value;

const WORDS: [&str; 8] = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran"];

/// Segments with more and more wrong words, and lower and lower scores.
fn write_pair(dir: &TestDir, start: &str, pair: &str, shift: usize) {
    let mut files = ["human", "mt-system", "reference", "source"].map(|name| (name, String::new()));
    for segment in 0..12 {
        let reference: Vec<&str> = (0..6).map(|place| WORDS[(segment + shift + place * 3) % 8]).collect();
        let wrong = (segment * 5 + shift) % 6;
        let mut words = reference.clone();
        (0..wrong).for_each(|place| words[place] = WORDS[(segment + place + 1) % 8]);
        let score = 1.0 - wrong as f64 / 3.0 + 0.01 * segment as f64;
        let lines = [score.to_string(), words.join(" "), reference.join(" "), "x".to_owned()];
        files.iter_mut().zip(lines).for_each(|((_, text), line)| *text += &format!("{line}\n"));
    }
    for (name, text) in files {
        dir.write(&format!("{start}.{name}.{pair}"), text.as_bytes());
    }
}

pub(super) fn dir() -> TestDir {
    let dir = TestDir::new();
    for (shift, pair) in ["cs-en", "de-en", "fi-en", "ru-en"].into_iter().enumerate() {
        write_pair(&dir, "data/da-wmt15/newstest2015", pair, shift);
    }
    for (shift, pair) in ["cs-en", "de-en", "fi-en", "ro-en", "ru-en", "tr-en"].into_iter().enumerate() {
        write_pair(&dir, "data/da-wmt16/DAseg-newstest2016", pair, shift + 4);
    }
    let row = |(place, word): (usize, &&str)| format!("{word} 0.{place} -0.{} 0.5\n", 9 - place);
    let glove: String = WORDS.iter().enumerate().map(row).collect();
    dir.write("data/glove50-subset/glove.6B.50d.union.txt", glove.as_bytes());
    dir
}

#[test]
fn without_data_its_folders_are_named() {
    if std::env::var_os("TERCET_SHARED").is_some() {
        return;
    }
    let error = dir().error(2, &["reproduce", "ruse"]);
    let expected = "no data: give the folder that contains da-wmt15, da-wmt16 and glove50-subset with --data";
    assert!(error.contains(expected), "{error}");
}

const QUICK: [&str; 6] = ["reproduce", "ruse", "--data", "data", "--cache", "cache"];

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&QUICK[..], more].concat()
}

#[test]
fn the_table_is_shown_in_both_readings_with_ours() {
    let dir = dir();
    let glove = "tiny=average:file=data/glove50-subset/glove.6B.50d.union.txt";
    let run = words(&["--encoder", glove, "--metric", "components(wer)", "-f", "json"]);
    let text = dir.stdout(&run);
    let cells = serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().clone();
    let of = |table: &str, row: &str, column: &str| {
        let is_it = |cell: &&Value| cell["table"] == table && cell["row"] == row && cell["column"] == column;
        cells.iter().find(is_it).unwrap_or_else(|| panic!("{table} {row} {column}")).clone()
    };
    assert_eq!(of("2", "SentBLEU", "de-en")["published"], 0.484);
    assert_eq!(of("2 as printed", "SentBLEU", "de-en")["published"], 0.448);
    assert_eq!(of("2", "SentBLEU", "de-en")["ours"], of("2 as printed", "SentBLEU", "de-en")["ours"]);
    for row in
        ["SentBLEU", "Blend", "Blend, ridge", "SVR with GloVe", "SVR with tiny", "everything", "everything, ridge"]
    {
        let average = of("2", row, "Avg.")["ours"].as_f64().unwrap();
        assert!(average > 0.3, "{row}: {average}");
    }
    for row in ["SVR with InferSent", "SVR with Skip-Thought", "DPMFcomb"] {
        assert_eq!(of("2", row, "Avg.")["ours"], Value::Null);
    }
    // All of it is in the cache, and threads do not matter.
    assert_eq!(dir.stdout(&[&run[..], &["--threads", "3"]].concat()), text);
    assert_eq!(dir.stdout(&[&run[..], &["--fresh", "--threads", "2"]].concat()), text);
    let people = dir.stdout(&words(&["--encoder", glove]));
    assert!(
        people.contains("SVR with InferSent") && people.contains("its encoder was not given (infersent)"),
        "{people}"
    );
}

#[test]
fn mistakes_are_explained() {
    let dir = dir();
    let error = |more: &[&str]| dir.error(2, &words(more));
    assert!(error(&["--seeds", "3"]).contains("the setting seeds is for guzman and reval, not for ruse"));
    assert!(error(&["--encoder", "tiny"]).contains("expected NAME=ENCODER"));
    assert!(error(&["--vectors", "composes400=x"]).contains("ruse takes wiki-gw50 only"));
    let twice = error(&["--encoder", "a=syntax", "--encoder", "a=syntax"]);
    assert!(twice.contains("there are two encoders called a"), "{twice}");
    let guzman = dir.error(2, &["reproduce", "guzman", "--data", "data", "--metric", "chrf"]);
    assert!(guzman.contains("the setting metrics is for ruse, not for guzman"), "{guzman}");
    let guzman = dir.error(2, &["reproduce", "guzman", "--data", "data", "--reval", "x"]);
    assert!(guzman.contains("the setting reval is for ruse, not for guzman"), "{guzman}");
    let reval = dir.error(2, &["reproduce", "reval", "--data", "data", "--encoder", "a=syntax"]);
    assert!(reval.contains("the setting encoders is for guzman and ruse, not for reval"), "{reval}");
    let nowhere = dir.error(2, &["reproduce", "ruse", "--data", "nowhere"]);
    assert!(nowhere.contains("nowhere has no folder da-wmt15"), "{nowhere}");
}
