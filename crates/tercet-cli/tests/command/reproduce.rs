use crate::test_dir::TestDir;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const WORDS: [&str; 12] = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "home", "it", "rained", "today"];

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A language pair of an artificial set: systems with more and more errors, and judges who mostly prefer fewer errors.
fn write_pair(dir: &TestDir, folder: &str, pair: &str, segments: usize, numbers: &mut Numbers) {
    let mut tables = [
        "seg_id\tsource\treference\n".to_owned(),
        "seg_id\tsystem\ttext\n".to_owned(),
        "seg_id\tbetter\tworse\n".to_owned(),
    ];
    for segment in 1..=segments {
        let reference: Vec<&str> = (0..6 + numbers.below(5)).map(|_| WORDS[numbers.below(12)]).collect();
        tables[0] += &format!("{segment}\tx\t{}\n", reference.join(" "));
        for system in 0..4 {
            let mut words = reference.clone();
            for _ in 0..system {
                let spoiled = numbers.below(words.len());
                words[spoiled] = WORDS[numbers.below(12)];
            }
            tables[1] += &format!("{segment}\ts{system}\t{}\n", words.join(" "));
        }
        for (one, other) in [(0, 1), (2, 1), (3, 2), (0, 3)] {
            let (low, high) = (one.min(other), one.max(other));
            let (better, worse) = if numbers.below(5) == 0 { (high, low) } else { (low, high) };
            tables[2] += &format!("{segment}\ts{better}\ts{worse}\n");
        }
    }
    for (name, table) in ["segments", "outputs", "pairs"].iter().zip(&tables) {
        dir.write(&format!("{folder}/{name}.{pair}.tsv"), table.as_bytes());
    }
}

/// A folder with everything that table 1 needs.
fn dir() -> TestDir {
    let (dir, mut numbers) = (TestDir::new(), Numbers(1));
    for (set, languages) in [
        ("wmt12-rr", &["cs", "de", "es", "fr"][..]),
        ("wmt13-rr", &["cs", "de", "es", "fr"]),
        ("wmt14-rr", &["cs", "de", "fr", "hi", "ru"]),
    ] {
        for language in languages {
            write_pair(&dir, &format!("data/{set}"), &format!("{language}-en"), 30, &mut numbers);
        }
    }
    let row = |word: &&str| {
        let figures: Vec<String> = (0..3).map(|_| format!("0.{:02}", numbers.below(100))).collect();
        format!("{word} {}\n", figures.join(" "))
    };
    let glove: String = WORDS[..10].iter().map(row).collect();
    dir.write("data/glove50-subset/glove.6B.50d.union.txt", glove.as_bytes());
    dir
}

const QUICK: [&str; 6] = ["reproduce", "guzman", "--data", "data", "--cache", "cache"];

/// Arguments for two seeds of eight epochs, and these.
fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    with_epochs("8", more)
}

fn with_epochs<'a>(epochs: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&QUICK[..], &["--seeds", "2", "--epochs", epochs], more].concat()
}

fn cells(text: &str) -> Vec<Value> {
    let json: Value = serde_json::from_str(text).unwrap();
    json.as_array().unwrap().clone()
}

fn cell<'c>(cells: &'c [Value], row: &str, column: &str) -> &'c Value {
    cells.iter().find(|cell| cell["row"] == row && cell["column"] == column).unwrap()
}

fn finished(dir: &TestDir) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir.path("cache/runs")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    paths
}

#[test]
fn table_1_has_published_figures_and_ours() {
    let dir = dir();
    let all = cells(&dir.stdout(&words(&["--table", "1", "-f", "json"])));
    let keys: Vec<&str> = all[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["table", "row", "column", "published", "ours", "spread", "seeds", "note"]);
    // Four metrics without learning, six networks at two sizes.
    assert_eq!(all.len(), 4 * 5 + 6 * 10);
    let bleu = cell(&all, "BLEU", "AVG");
    assert_eq!((&bleu["published"], &bleu["seeds"], &bleu["spread"]), (&18.46.into(), &0.into(), &Value::Null));
    let four: f64 =
        ["cz", "de", "es", "fr"].iter().map(|column| cell(&all, "BLEU", column)["ours"].as_f64().unwrap()).sum();
    assert!((bleu["ours"].as_f64().unwrap() - four / 4.0).abs() < 1e-9);
    let network = cell(&all, "4METRICS", "AVG");
    assert_eq!((&network["published"], &network["seeds"]), (&27.06.into(), &2.into()));
    assert!(network["ours"].as_f64().unwrap() > 20.0, "people mostly notice: {network}");
    assert!(network["note"].as_str().unwrap().contains("; with ties for equal inputs: "), "{network}");
    let syntax = cell(&all, "4METRICS+SYNTAX25", "AVG");
    assert!(syntax["ours"].is_f64() && syntax["published"] == 28.51, "{syntax}");
    assert_ne!(syntax["ours"], network["ours"]);
    assert!(cell(&all, "TER", "cz")["note"].as_str().unwrap().starts_with("ties for nothing: "));
}

#[test]
fn a_metric_without_learning_has_the_digits_of_correlate() {
    let dir = dir();
    let all = cells(&dir.stdout(&words(&["--table", "2", "--train", "10k", "-f", "json"])));
    let ours = cell(&all, "BLEU", "cz")["ours"].as_f64().unwrap();
    let of = ["correlate", "data/wmt12-rr", "--pair", "cs-en", "-m", "bleu", "--tau", "wmt12", "--level", "segment"];
    let agreement = cells(&dir.stdout(&[&of[..], &["-f", "json"]].concat()));
    assert_eq!(ours, 100.0 * agreement[0]["value"].as_f64().unwrap(), "{agreement:?}");
}

#[test]
fn a_second_run_uses_the_cache_on_any_number_of_threads() {
    let dir = dir();
    let run = |more: &[&str]| dir.stdout(&words(&[&["--table", "1", "-f", "json"], more].concat()));
    let first = run(&["--threads", "1"]);
    let written = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let (runs, times) = (finished(&dir), finished(&dir).iter().map(written).collect::<Vec<_>>());
    // Four metrics, six networks at two sizes with two seeds.
    assert_eq!(runs.len(), 4 + 6 * 2 * 2);
    assert_eq!(run(&["--threads", "3"]), first);
    assert_eq!(runs.iter().map(written).collect::<Vec<_>>(), times);
    // Another setting is another run; only requested tables are run.
    let other = with_epochs("9", &["--table", "1", "--train", "10k", "-f", "json"]);
    let other = cells(&dir.stdout(&other));
    assert_eq!(finished(&dir).len(), runs.len() + 6 * 2);
    assert_eq!(cell(&other, "4METRICS", "AVG/all")["ours"], Value::Null);
    // A value that was changed in the cache is noticed: the run is named and repeated.
    let changed = runs.iter().find(|path| fs::read_to_string(path).unwrap().contains("\"best epoch\"")).unwrap();
    let text = fs::read_to_string(changed).unwrap();
    let figure = text.lines().find(|line| line.trim_start().starts_with("\"cz\":")).unwrap();
    fs::write(changed, text.replace(figure, "\"cz\": -99.0,")).unwrap();
    let output = dir.run(&words(&["--table", "1", "-f", "json"]));
    let name = changed.file_name().unwrap().to_str().unwrap();
    let warning = format!("{name}: its checksum is missing or wrong, so it was not used: computed again\n");
    assert!(output.stderr.contains(&warning), "{}", output.stderr);
    assert_eq!(output.stdout, first);
    let output = dir.run(&words(&["--table", "1", "-f", "json"]));
    assert_eq!((output.stdout, output.stderr.contains("checksum")), (first.clone(), false));
    assert_eq!(run(&["--fresh", "--threads", "2"]), first);
}

/// The runs whose key has this field.
fn with_field(dir: &TestDir, field: &str) -> Vec<Value> {
    let read = |path: &PathBuf| -> Value { serde_json::from_slice(&fs::read(path).unwrap()).unwrap() };
    finished(dir).iter().map(read).filter(|run| run["key"].get(field).is_some()).collect()
}

#[test]
fn a_metric_is_run_again_when_anything_in_its_set_changes() {
    let dir = dir();
    let segments = String::from_utf8(dir.read("data/wmt12-rr/segments.cs-en.tsv")).unwrap();
    let unjudged = |reference: &str| {
        let text = format!("{segments}31\tx\t{reference}\n");
        dir.write("data/wmt12-rr/segments.cs-en.tsv", text.as_bytes());
    };
    let quick = words(&["--table", "1", "--train", "10k", "-f", "json"]);
    unjudged("one of a kind");
    let first = cells(&dir.stdout(&quick));
    let (metrics, learned) = (with_field(&dir, "metric").len(), with_field(&dir, "train"));
    // NIST weights words by all references, so even one without judgements changes it.
    unjudged("the cat sat on a mat the dog ran home the cat sat on a mat the dog ran home");
    let second = cells(&dir.stdout(&quick));
    assert_eq!(second, cells(&dir.stdout(&[&quick[..], &["--fresh"]].concat())));
    assert_ne!(cell(&first, "NIST", "cz")["ours"], cell(&second, "NIST", "cz")["ours"]);
    assert_eq!(with_field(&dir, "metric").len(), 2 * metrics);
    assert_eq!(with_field(&dir, "train"), learned, "networks see the judged segments only");
}

#[test]
fn cache_keys_of_pair_networks_keep_their_fields() {
    let dir = dir();
    let quick = ["--seeds", "1", "--epochs", "2", "--train", "10k", "--table", "1", "--table", "9"];
    dir.stdout(&[&QUICK[..], &quick].concat());
    let fields = |run: &Value| -> Vec<String> { run["key"].as_object().unwrap().keys().cloned().collect() };
    let mut known: Vec<&str> = "format program features vectors words architecture hidden training train size \
                                development test"
        .split_whitespace()
        .collect();
    let (absolute, pairs): (Vec<Value>, Vec<Value>) =
        with_field(&dir, "train").into_iter().partition(|run| run["key"]["test"]["scope"] == "AllOutputs");
    assert_eq!((pairs.len(), absolute.len()), (6, 2));
    assert!(pairs.iter().all(|run| fields(run) == known && run["key"]["format"] == 2), "{pairs:?}");
    known.push("whole test");
    assert!(absolute.iter().all(|run| fields(run) == known), "{absolute:?}");
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_before_anything_runs() {
    let dir = dir();
    let error = dir.error(1, &words(&["--table", "2", "-o", "nofolder/x"]));
    assert!(error.contains("cannot write nofolder/x: there is no folder nofolder"), "{error}");
    let error = dir.error(1, &words(&["--table", "2", "-o", "data"]));
    assert!(error.contains("cannot write data: it is a folder"), "{error}");
    dir.write("table.gz", b"");
    let error = dir.error(2, &words(&["--paraphrase", "table.gz", "-o", "table.gz"]));
    assert!(error.contains("--output would overwrite table.gz"), "{error}");
    assert!(finished(&dir).is_empty() && !dir.path("cache").exists());
}

#[test]
fn damaged_files_are_computed_again() {
    let dir = dir();
    let run = || dir.stdout(&words(&["--table", "1", "--train", "10k", "-f", "json"]));
    let first = run();
    let features: Vec<PathBuf> =
        fs::read_dir(dir.path("cache/features")).unwrap().map(|entry| entry.unwrap().path()).collect();
    // Four features, and trees of outputs and of references, of 4 + 4 + 5 language pairs.
    assert_eq!(features.len(), (4 + 2) * 13);
    for path in finished(&dir).iter().chain(&features) {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    }
    assert_eq!(run(), first);
}

#[test]
fn a_killed_command_goes_on_where_it_stopped() {
    let (dir, whole) = (dir(), dir());
    let slow = with_epochs("60", &["--table", "1", "--train", "10k", "-f", "json", "--threads", "1"]);
    let mut child = dir.start(&slow);
    let start = Instant::now();
    while finished(&dir).len() < 5 && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let kept = finished(&dir);
    assert!(kept.len() >= 5, "{}", kept.len());
    let bytes: Vec<Vec<u8>> = kept.iter().map(|path| fs::read(path).unwrap()).collect();
    let written = |path: &PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    let times: Vec<_> = kept.iter().map(written).collect();
    assert_eq!(dir.stdout(&slow), whole.stdout(&slow));
    assert_eq!(kept.iter().map(written).collect::<Vec<_>>(), times, "finished runs are not run again");
    assert_eq!(kept.iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>(), bytes);
}

#[test]
fn tables_for_people_have_both_figures_and_the_notes() {
    let dir = dir();
    let text = dir.stdout(&words(&["--table", "1", "--train", "10k"]));
    assert!(text.contains("Table 1: Kendall's τ on WMT12") && text.contains("AVG (paper)"), "{text}");
    assert!(text.contains(" judgements of WMT12 (") && text.contains("WIKI-GW50 has a vector for "), "{text}");
    assert!(!text.contains("AVG/all  "), "columns that were not run are not shown: {text}");
    let quick = ["--table", "4", "--train", "10k", "-f", "markdown", "-o", "t.md", "--no-syntax"];
    assert_eq!(dir.stdout(&words(&quick)), "");
    let markdown = String::from_utf8(dir.read("t.md")).unwrap();
    assert!(markdown.contains("| single-layer | 25.86 |") && markdown.contains("without SYNTAX25"), "{markdown}");
}

#[test]
fn every_table_can_be_run() {
    let dir = dir();
    let quick = ["--seeds", "1", "--epochs", "2", "--encoded-epochs", "1", "--train", "10k", "-f", "json"];
    let run = |more: &[&str]| cells(&dir.stdout(&[&QUICK[..], &quick, more].concat()));
    let all = run(&[]);
    let mut tables: Vec<&str> = all.iter().map(|cell| cell["table"].as_str().unwrap()).collect();
    tables.dedup();
    assert_eq!(tables, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "ablation"]);
    for (row, column) in [
        ("WIKI-GW50", "Comb."),
        ("Log.+Ken.", "AVG"),
        ("On-the-fly sentence embeddings + moderate fine-tuning", "AVG"),
        ("CNN(random)", "AVG"),
        ("Bidirectional LSTM, without syntactic embeddings", "AVG"),
        ("WMT12, segments (strict τ): NNRK absolute (zeros)", "AVG"),
        ("WMT12, systems (Spearman's ρ): NNRK absolute (averages)", "fr"),
        ("WMT14, systems (Pearson's r): METEOR", "hi"),
        ("4METRICS+WIKI-GW50, 25% of its words, most frequent first", "AVG"),
        ("4METRICS, equal outputs tied", "AVG"),
    ] {
        assert!(cell(&all, row, column)["ours"].is_f64(), "{}", cell(&all, row, column));
    }
    let needed = cell(&all, "COMPOSES400", "Alone")["note"].as_str().unwrap();
    assert!(needed.contains("give the file of composes400"), "{needed}");
    let years = cell(&all, "4METRICS, trained on all of WMT13, WMT15 and WMT16", "AVG")["note"].as_str().unwrap();
    assert!(years.contains("wmt15-rr"), "{years}");
    assert!(cell(&all, "CNN", "AVG")["note"].as_str().unwrap().contains("dropout "));
    let given = run(&["--table", "3", "--vectors", "composes400=data/glove50-subset/glove.6B.50d.union.txt"]);
    assert!(cell(&given, "COMPOSES400", "Alone")["ours"].is_f64());
}

#[test]
fn syntactic_vectors_are_used_where_they_are_given() {
    let dir = dir();
    let mut lines: Vec<String> = Vec::new();
    for set in ["wmt12-rr", "wmt13-rr", "wmt14-rr"] {
        for entry in fs::read_dir(dir.path(&format!("data/{set}"))).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.starts_with("segments") || name.starts_with("outputs") {
                let text = fs::read_to_string(&path).unwrap();
                lines.extend(text.lines().skip(1).map(|line| line.rsplit('\t').next().unwrap().to_owned()));
            }
        }
    }
    lines.sort();
    lines.dedup();
    let vectors: String =
        lines.iter().map(|line| format!("{line}\t{} {}\n", line.len(), line.matches('t').count())).collect();
    dir.write("syntax.tsv", vectors.as_bytes());
    let quick = words(&["--table", "1", "--train", "10k", "-f", "json", "--syntax", "syntax.tsv"]);
    let first = dir.stdout(&quick);
    let all = cells(&first);
    assert!(cell(&all, "4METRICS+SYNTAX25+WIKI-GW50", "AVG")["ours"].is_f64());
    assert_ne!(cell(&all, "4METRICS+SYNTAX25", "AVG")["ours"], cell(&all, "4METRICS+WIKI-GW50", "AVG")["ours"]);
    // Parsing is slow, so its result is cached; runs that use the cache give the same values.
    let heads = fs::read_dir(dir.path("cache/features")).unwrap().map(|entry| {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        String::from_utf8_lossy(bytes.split(|byte| *byte == b'\n').next().unwrap()).into_owned()
    });
    assert!(heads.filter(|head| head.contains(" of references\"")).count() > 2);
    assert_eq!(dir.stdout(&[&quick[..], &["--fresh"]].concat()), first);
}

#[test]
fn misuse_says_what_to_do() {
    let dir = dir();
    let error = dir.error(2, &words(&["--table", "10"]));
    assert!(error.contains("unknown table `10`"), "{error}");
    let error = dir.error(2, &words(&["--vectors", "glove"]));
    assert!(error.contains("expected NAME=FILE"), "{error}");
    let error = dir.error(2, &words(&["--vectors", "glove=x"]));
    assert!(error.contains("unknown word vectors `glove` (known: wiki-gw50"), "{error}");
    let error = dir.error(1, &words(&["--vectors", "wiki-gw300=nowhere"]));
    assert!(error.contains("cannot read nowhere"), "{error}");
    for name in ["a,b.gz", "a|b.gz"] {
        dir.write(name, b"");
        let error = dir.error(1, &words(&["--paraphrase", name]));
        assert!(error.contains(name) && error.contains("no phrases in it"), "{error}");
    }
    let error = dir.error(2, &["reproduce", "guzman", "--data", "cache"]);
    assert!(
        error.contains("cache has no folder wmt12-rr") && error.contains("name the folder that holds them"),
        "{error}"
    );
    fs::remove_file(dir.path("data/wmt13-rr/pairs.es-en.tsv")).unwrap();
    let error = dir.error(1, &words(&["--table", "1"]));
    assert!(error.contains("wmt13-rr has no judgements for es into English"), "{error}");
    let output = dir.run_under(&[("TERCET_SHARED", "elsewhere")], &["reproduce", "guzman"], "");
    assert!(output.stderr.contains("data has no folder wmt12-rr"), "{}", output.stderr);
}
