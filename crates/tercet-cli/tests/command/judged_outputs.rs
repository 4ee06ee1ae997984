//! Judgements and scores of other tools: raters, campaigns, EvalSets, scores in their files.

use crate::test_dir::TestDir;
use serde_json::Value;

const SYSTEMS: [&str; 3] = ["a", "b", "c"];

/// 40 segments of three systems, judged by two raters; the longer the output, the better.
fn judged() -> TestDir {
    let mut csv = "lp,item,src,mt,ref,engine,judge,quality\n".to_owned();
    let mut lines = vec![String::new(); 5];
    for segment in 0..40 {
        let words = |count: usize| (0..count).map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
        lines[3] += &format!("{}\n", words(12));
        lines[4] += &format!("s{segment}\n");
        for (place, system) in SYSTEMS.iter().enumerate() {
            let output = words(3 + (segment * 7 + place * 3) % 10);
            lines[place] += &format!("{output}\n");
            for (rater, shift) in [("ann", 0), ("ben", 20)] {
                let score = 5 * output.len() / 3 + (segment * 3 + shift) % 7 + shift;
                csv += &format!("en-de,{segment},s{segment},{output},{},{system},{rater},{score}\n", words(12));
            }
        }
    }
    let dir = TestDir::with(&[("judged.csv", &csv), ("ref", &lines[3]), ("src", &lines[4])]);
    SYSTEMS.iter().zip(&lines).for_each(|(system, text)| dir.write(system, text.as_bytes()));
    dir
}

const FIELDS: [&str; 8] =
    ["--field", "score=quality", "--field", "rater=judge", "--field", "system=engine", "--field", "id=item"];

#[test]
fn fields_of_judgements_can_be_named() {
    let dir = judged();
    let words = ["correlate", "judged.csv", "-m", "chrf", "--level", "segment", "-n", "20", "-f", "json"];
    let json: Value = serde_json::from_str(&dir.stdout(&[&words[..], &FIELDS].concat())).unwrap();
    assert_eq!((json[0]["human"].as_str(), json[0]["n"].as_u64()), (Some("quality"), Some(120)));
    let z: Value =
        serde_json::from_str(&dir.stdout(&[&words[..], &FIELDS, &["--human", "quality-z"]].concat())).unwrap();
    assert_eq!(z[0]["human"], "quality-z");
    let error = dir.error(2, &["correlate", "judged.csv", "-m", "chrf", "--field", "score"]);
    assert!(error.contains("expected NAME=FIELD, where NAME is one of hypothesis, reference"), "{error}");
    let error = dir.error(2, &["correlate", "judged.csv", "-m", "chrf", "--field", "score=qualty"]);
    assert!(error.contains("there is no field `qualty`, did you mean `quality`?"), "{error}");
}

#[test]
fn raters_and_runs_are_compared() {
    let dir = judged();
    let text = dir.stdout(&[&["raters", "judged.csv", "-n", "20"], &FIELDS[..]].concat());
    assert!(text.contains("judged en-de: quality") && text.contains("Krippendorff's alpha"), "{text}");
    assert!(text.contains("ben    more lenient  120"), "{text}");
    dir.write("judge.csv", b"system,id,run,score\na,1,1,50\na,1,2,60\na,2,1,70\na,2,2,70\n");
    let json: Value =
        serde_json::from_str(&dir.stdout(&["raters", "--scores", "judge.csv", "-n", "20", "-f", "json"])).unwrap();
    assert_eq!((json[0]["set"].as_str(), json[0]["shared"].as_u64()), (Some("judge"), Some(2)));
}

#[test]
fn a_campaign_has_the_chosen_segments() {
    let dir = judged();
    let words = ["campaign", "-q", "-r", "ref", "-s", "src", "--segments", "5", "a", "b", "c"];
    let pearmut: Value = serde_json::from_str(&dir.stdout(&[&words[..], &["--contrastive"]].concat())).unwrap();
    assert_eq!(pearmut["data"].as_array().unwrap().len(), 5);
    assert_eq!(pearmut["data"][0][0]["tgt"].as_object().unwrap().len(), 3);
    let spans = "{\"a\": [XX]}".replace(
        "XX",
        &vec![
            "{\"mt\": \"w0 w1\", \"COMET\": 1, \"errors\": [{\"start\": 0, \"end\": 2, \"severity\": \"minor\"}]}";
            40
        ]
        .join(", "),
    );
    dir.write("xcomet.json", spans.as_bytes());
    let marked = dir.stdout(&[&words[..], &["--contrastive", "--spans", "xcomet.json"]].concat());
    let marked: Value = serde_json::from_str(&marked).unwrap();
    let mark = &marked["data"][0][0]["error_spans"]["a"][0];
    assert_eq!(marked["data"][0][0]["error_spans"]["b"], serde_json::json!([]));
    assert_eq!((mark["start_i"].as_u64(), mark["end_i"].as_u64()), (Some(0), Some(1)), "{mark}");
    let batches = dir.stdout(&[&words[..], &["--tool", "appraise", "--pair", "en-de", "--choose", "random"]].concat());
    let batches: Value = serde_json::from_str(&batches).unwrap();
    assert_eq!(batches[0]["items"].as_array().unwrap().len(), 15);
    assert_eq!(batches[0]["task"]["targetLanguage"], "deu");
    let error = dir.error(2, &[&words[..], &["--tool", "appraise"]].concat());
    assert!(error.contains("appraise needs the language pair, as in en-de"), "{error}");
}

#[test]
fn judgements_become_an_eval_set() {
    let dir = judged();
    dir.stdout(&[&["evalset", "judged.csv", "-o", "set"], &FIELDS[..]].concat());
    let tsv = |set: &str, more: &[&str]| {
        let words =
            ["correlate", set, "-m", "chrf", "--statistic", "pearson", "--level", "segment", "-n", "9", "-f", "tsv"];
        let table = dir.stdout(&[&words[..], more].concat());
        table.lines().nth(1).unwrap().split('\t').skip(5).take(1).collect::<String>()
    };
    assert_eq!(tsv("set", &[]), tsv("judged.csv", &FIELDS));
    let error = dir.error(2, &[&["evalset", "judged.csv", "-o", "set"], &FIELDS[..]].concat());
    assert!(error.contains("set is there already: name a new or empty folder"), "{error}");
}

#[test]
fn scores_of_other_tools_get_tests_and_their_direction() {
    let dir = TestDir::new();
    let mut metricx = String::new();
    let mut comet = String::new();
    for (system, worse) in [("a", 0.0), ("b", 2.0)] {
        for segment in 0..30 {
            let score = f64::from(segment % 5) / 4.0 + worse;
            metricx += &format!(
                "{{\"system_id\": \"{system}\", \"segment_id\": {segment}, \"label\": 0, \"prediction\": {score}}}\n"
            );
            comet += &format!("{system}\tSegment {segment}\tscore: {score:.4}\n");
        }
    }
    dir.write("mx.jsonl", metricx.as_bytes());
    dir.write("comet.txt", comet.as_bytes());
    let better = |file: &str| {
        let text = dir.stdout(&["score", "--scores", file, "--paired", "bs", "-n", "50", "-f", "json"]);
        serde_json::from_str::<Value>(&text).unwrap()[0]["higher_is_better"].clone()
    };
    assert_eq!((better("mx.jsonl"), better("comet.txt")), (Value::Bool(false), Value::Bool(true)));
    let text = dir.stdout(&["score", "-q", "--scores", "mx.jsonl", "--paired", "bs"]);
    assert!(text.contains('▼') && text.contains("paired bootstrap"), "{text}");
    dir.write("two.seg.score", b"M\tde-en\tt1\ta\t1\t0.5\tensemble\tno\nM\tde-en\tt2\ta\t1\t0.5\tensemble\tno\n");
    let error = dir.error(1, &["score", "--scores", "two.seg.score"]);
    assert!(error.contains("scores of several test sets or language pairs"), "{error}");
}
