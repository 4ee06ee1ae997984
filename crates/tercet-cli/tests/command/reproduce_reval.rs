use crate::test_dir::TestDir;
use serde_json::Value;
use std::fs;
use std::time::{Duration, Instant};

const WORDS: [&str; 8] = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran"];

/// Four systems with more and more wrong words, all ranked by four judges, who sometimes exchange the first two.
fn write_pair(dir: &TestDir, folder: &str, pair: &str, segments: usize) {
    let mut segment_table = "seg_id\tsource\treference\n".to_owned();
    let mut outputs = "seg_id\tsystem\ttext\n".to_owned();
    let mut rankings = "ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank\n".to_owned();
    for segment in 0..segments {
        let reference: Vec<&str> = (0..6).map(|place| WORDS[(segment + place * 3) % 8]).collect();
        segment_table += &format!("{segment}\tx\t{}\n", reference.join(" "));
        for system in 0..4 {
            let mut words = reference.clone();
            (0..system).for_each(|place| words[place] = WORDS[(segment + place) % 8]);
            outputs += &format!("{segment}\ts{system}\t{}\n", words.join(" "));
            for judge in 0..4 {
                let exchanged = system < 2 && (segment + judge) % 5 == 0;
                let rank = if exchanged { 2 - system } else { system + 1 };
                rankings += &format!("{segment}-{judge}\t{segment}\t{judge}\t{system}\ts{system}\t{rank}\n");
            }
        }
    }
    for (name, table) in [("segments", segment_table), ("outputs", outputs), ("rankings", rankings)] {
        dir.write(&format!("{folder}/{name}.{pair}.tsv"), table.as_bytes());
    }
}

/// A folder with everything that the tables need.
fn dir() -> TestDir {
    let dir = TestDir::new();
    for (set, pairs) in [
        ("wmt12-rr", &["cs-en", "de-en", "es-en", "fr-en"][..]),
        ("wmt13-rr", &["cs-en", "fr-en"]),
        ("wmt14-rr", &["cs-en", "de-en", "fr-en", "hi-en", "ru-en"]),
        ("wmt15-rr", &["cs-en", "de-en", "fi-en", "fr-en", "ru-en"]),
        ("wmt16-rr", &["tr-en"]),
    ] {
        pairs.iter().for_each(|pair| write_pair(&dir, &format!("data/{set}"), pair, 6));
    }
    for language in ["ces", "deu", "fin", "fre", "rus"] {
        let scores = "s0.txt 0.9 (1.0, 1.0)\n++++++\ns1.txt 0.4 (2.0, 3.0)\ns2.txt 0.3 (2.0, 3.0)\n\
            s3.txt -0.2 (4.0, 4.0)\n";
        dir.write(&format!("data/wmt15-rr/official-trueskill/wmt15.{language}-eng.txt"), scores.as_bytes());
    }
    let sick = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\tthe cat sat\tthe dog sat\t3.5\n\
        2\ta mat\ta mat\t5\n";
    dir.write("data/sick/SICK_train.txt", sick.as_bytes());
    let row = |(place, word): (usize, &&str)| format!("{word} 0.{place} -0.{} 0.5\n", 9 - place);
    let glove: String = WORDS.iter().enumerate().map(row).collect();
    dir.write("data/glove50-subset/glove.6B.50d.union.txt", glove.as_bytes());
    dir
}

const QUICK: [&str; 10] = ["reproduce", "reval", "--data", "data", "--cache", "cache", "--seeds", "2", "--epochs", "1"];

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&QUICK[..], more].concat()
}

fn cells(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).unwrap().as_array().unwrap().clone()
}

fn cell<'c>(cells: &'c [Value], table: &str, row: &str, column: &str) -> &'c Value {
    let is_it = |cell: &&Value| cell["table"] == table && cell["row"] == row && cell["column"] == column;
    cells.iter().find(is_it).unwrap_or_else(|| panic!("{table} {row} {column}"))
}

fn finished(dir: &TestDir) -> usize {
    fs::read_dir(dir.path("cache/runs")).map_or(0, Iterator::count)
}

#[test]
fn tables_have_published_figures_and_ours() {
    let dir = dir();
    let all = cells(&dir.stdout(&words(&["-f", "json"])));
    let mut tables: Vec<&str> = all.iter().map(|cell| cell["table"].as_str().unwrap()).collect();
    tables.dedup();
    let expected =
        ["wmt12", "wmt14", "wmt15"].iter().flat_map(|set| [format!("{set} systems"), format!("{set} segments")]);
    assert_eq!(tables, expected.chain(["ablation".to_owned()]).collect::<Vec<_>>());
    let of = |table: &str, row: &str, column: &str| cell(&all, table, row, column).clone();
    let tree = of("wmt12 systems", "L+Sick(50,150)", "PAvg");
    assert_eq!((&tree["published"], &tree["seeds"]), (&0.950.into(), &2.into()));
    assert!(tree["ours"].is_f64() && tree["note"].as_str().unwrap().contains("average ±"), "{tree}");
    let bleu = of("wmt15 systems", "BLEU", "Pre-TrueSkill");
    assert_eq!((&bleu["published"], &bleu["seeds"]), (&0.889.into(), &0.into()));
    // More wrong words are fewer matches.
    assert!(bleu["ours"].as_f64().unwrap() > 0.8, "{bleu}");
    assert_eq!(of("wmt15 segments", "DPMFcomb", "AVG")["ours"], Value::Null);
    for row in ["L+Sick(mix)", "pairs(50,150)", "pairs(lstm)", "LNF(50,150)"] {
        assert!(of("wmt14 segments", row, "AVG")["ours"].is_f64(), "{row}");
    }
    assert!(of("ablation", "vectors: trained too", "WMT15 segments")["ours"].is_f64());
    // A model without trees is another one.
    assert_ne!(
        of("wmt12 segments", "pairs(lstm)", "AVG")["ours"],
        of("wmt12 segments", "pairs(50,150)", "AVG")["ours"]
    );
    let text = dir.stdout(&words(&["--table", "wmt12"]));
    assert!(text.contains("L+Sick(50,150) and L+Sick(lstm): Tree-LSTM is "), "{text}");
    assert!(text.contains("expected wins, computed from the judgements"), "{text}");
}

#[test]
fn a_killed_command_goes_on_where_it_stopped() {
    let (dir, whole) = (dir(), dir());
    let run = words(&["--table", "wmt12", "-f", "json", "--threads", "1"]);
    let mut child = dir.start(&run);
    let start = Instant::now();
    while finished(&dir) < 9 && start.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = finished(&dir);
    assert!(kept >= 9, "{kept}");
    // Models are trained one after the other there, side by side here.
    let expected = whole.stdout(&words(&["--table", "wmt12", "-f", "json", "--threads", "3"]));
    assert_eq!(dir.stdout(&run), expected);
    // Six metrics, and ten rows with two seeds.
    assert_eq!((finished(&dir), finished(&whole)), (26, 26));
    let started = Instant::now();
    assert_eq!(dir.stdout(&words(&["--table", "wmt12", "-f", "json", "--threads", "2"])), expected);
    assert!(started.elapsed() < Duration::from_secs(30));
    assert!(fs::read_dir(dir.path("cache/models")).unwrap().next().is_none(), "models are not kept");
}

#[test]
fn mistakes_are_explained() {
    let dir = dir();
    let error = |words_given: &[&str]| dir.error(2, &words(words_given));
    assert!(error(&["--train", "all"]).contains("the setting train is for guzman, not for reval"));
    assert!(error(&["--vectors", "composes400=x"]).contains("reval takes wiki-gw50 only"));
    let unknown = error(&["--table", "3"]);
    assert!(unknown.contains("unknown table `3` (known: wmt12, wmt14, wmt15, ablation)"), "{unknown}");
    fs::remove_dir_all(dir.path("data/wmt15-rr")).unwrap();
    assert!(error(&["--table", "wmt12"]).contains("has no folder wmt15-rr"));
}
