use crate::test_dir::TestDir;
use serde_json::Value;

/// 40 segments: `good` and `fair` are near the references, `bad` drops words everywhere.
fn systems() -> TestDir {
    let line = |i: usize| format!("the bird number {i} sat on the roof of the house in street {}\n", i % 7);
    let text = |change: &dyn Fn(usize, String) -> String| (0..40).map(|i| change(i, line(i))).collect::<String>();
    TestDir::with(&[
        ("ref", &text(&|_, line| line)),
        ("bad", &text(&|_, line| line.replace("roof of the house", "top"))),
        ("good", &text(&|i, line| if i % 9 == 0 { line.replace("sat", "sits") } else { line })),
        ("fair", &text(&|i, line| if i % 8 == 1 { line.replace("sat", "sits") } else { line })),
    ])
}

fn json(text: &str) -> Vec<Value> {
    serde_json::from_str::<Value>(text).unwrap().as_array().unwrap().clone()
}

/// Candidates of three segments with ids from 0; the last of the first segment is there twice.
const CANDIDATES: [&[&str]; 3] = [
    &["the cat sat on a mat", "a dog ate my hat", "the cat sat on the mat", "cats sit on the mat", "a dog ate my hat"],
    &["it rained all day long", "it rained all the day", "all day it was raining"],
    &["yes", "yes , sir", "no"],
];

fn moses() -> String {
    let line = |id: usize, text: &str| format!("{id} ||| {text} ||| LM0= -3.5 TM0= -1 ||| -4.5\n");
    CANDIDATES.iter().enumerate().flat_map(|(id, texts)| texts.iter().map(move |text| line(id, text))).collect()
}

fn lists() -> TestDir {
    let tabs: String = CANDIDATES
        .iter()
        .enumerate()
        .flat_map(|(id, texts)| texts.iter().map(move |text| format!("doc-{id}\t{text}\n")))
        .collect();
    let even: String = CANDIDATES.iter().flat_map(|texts| &texts[..3]).map(|text| format!("{text}\n")).collect();
    let system = |i: usize| CANDIDATES.iter().map(|texts| format!("{}\n", texts[i])).collect::<String>();
    TestDir::with(&[
        ("nbest", &moses()),
        ("tabs", &tabs),
        ("even", &even),
        ("a", &system(0)),
        ("b", &system(1)),
        ("c", &system(2)),
        ("ref", "cats sit on the mat\nall day it was raining\nno\n"),
    ])
}

/// Scores of every candidate with every other one as its reference, by `tercet score`; means; the first of the best.
fn plain_choice(dir: &TestDir, metric: &str, texts: &[&str], lower: bool) -> (String, Vec<f64>) {
    let mut sums = vec![0.0; texts.len()];
    for (i, hypothesis) in texts.iter().enumerate() {
        for (_, reference) in texts.iter().enumerate().filter(|(j, _)| *j != i) {
            dir.write("one", format!("{hypothesis}\n").as_bytes());
            dir.write("other", format!("{reference}\n").as_bytes());
            let words = ["score", "-q", "-m", metric, "-r", "other", "one", "--level", "segment", "-f", "json"];
            sums[i] += json(&dir.stdout(&words))[0]["segments"][0].as_f64().unwrap();
        }
    }
    let means: Vec<f64> = sums.iter().map(|sum| sum / (texts.len() - 1) as f64).collect();
    let mut best = 0;
    for i in 1..means.len() {
        let difference = if lower { means[best] - means[i] } else { means[i] - means[best] };
        if difference > 1e-9 {
            best = i;
        }
    }
    (texts[best].to_owned(), means)
}

#[test]
fn systems_are_in_order_with_intervals_groups_and_probabilities() {
    let dir = systems();
    let text = dir.stdout(&["rank", "-q", "-r", "ref", "-m", "chrf", "bad", "good", "fair"]);
    let lines: Vec<Vec<&str>> = text.lines().take(4).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0], ["rank", "system", "group", "chrF2", "wins", "agree"], "{text}");
    let places: Vec<&[&str]> = lines[1..].iter().map(|line| &line[..3]).collect();
    assert_eq!(places, [["1", "good", "1"], ["1", "fair", "1"], ["3", "bad", "2"]], "{text}");
    assert!(lines[1][4].starts_with('[') && lines[1].len() == 9, "{text}");
    assert!(
        text.contains("group: systems that do not differ significantly, p < 0.05 (paired bootstrap resampling, 1000")
    );
    assert!(text.contains("|bs=1000|seed=12345|"), "{text}");
}

#[test]
fn scores_and_tests_are_those_of_score_and_compare() {
    let dir = systems();
    let files = ["bad", "good", "fair"];
    let ranked = json(&dir.stdout(&[&["rank", "-q", "-r", "ref", "-m", "chrf", "-f", "json"], &files[..]].concat()));
    let words = ["score", "-q", "-r", "ref", "-m", "chrf", "--ci", "--paired", "bs", "--all-pairs", "-f", "json"];
    let scored = json(&dir.stdout(&[&words, &files[..]].concat()));
    for system in &ranked {
        let other = scored.iter().find(|other| other["system"] == system["system"]).unwrap();
        for key in ["score", "interval", "signature", "comparisons"] {
            assert_eq!(system.get(key), other.get(key), "{key}");
        }
    }
    let wins: f64 = ["good", "fair"]
        .iter()
        .map(|other| {
            let compared = dir.stdout(&["compare", "-q", "-r", "ref", "-m", "chrf", "-f", "json", "bad", other]);
            serde_json::from_str::<Value>(&compared).unwrap()["overall"]["p_a"].as_f64().unwrap()
        })
        .sum();
    assert!((ranked[2]["wins"].as_f64().unwrap() - wins / 2.0).abs() < 1e-12);
}

#[test]
fn copies_of_the_source_are_a_warning() {
    let dir = systems();
    let words = ["rank", "-m", "chrf", "-r", "ref", "-s", "bad", "bad", "good"];
    let warning = "warning: bad: 40 of 40 lines (the first is line 1) are copies of the source";
    let output = dir.run(&words);
    assert!(output.code == 0 && output.stderr.contains(warning), "{output:?}");
    assert!(!dir.run(&[&words[..], &["--no-checks"]].concat()).stderr.contains("copies"));
    let error = dir.error(2, &["rank", "--mbr", "-s", "ref", "bad", "good"]);
    assert!(error.contains("cannot be used with"), "{error}");
}

#[test]
fn several_metrics_have_their_orders_side_by_side() {
    let dir = systems();
    let words = ["rank", "-q", "-r", "ref", "-m", "chrf", "-m", "ter", "--name=x", "--name=y", "bad", "good"];
    let text = dir.stdout(&words);
    let header: Vec<&str> = text.lines().next().unwrap().split("  ").map(str::trim).filter(|s| !s.is_empty()).collect();
    assert_eq!(
        header,
        ["rank", "by chrF2", "group", "chrF2", "wins", "agree", "by TER", "group", "TER ↓", "wins", "agree"]
    );
    let tsv = dir.stdout(&[&words[..], &["-f", "tsv"]].concat());
    let first: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').take(4).collect()).collect();
    assert_eq!(first[0], ["metric", "rank", "group", "system"]);
    assert_eq!(first[3], ["ter", "1", "1", "y"]);
    for format in ["markdown", "latex", "csv", "jsonl"] {
        assert!(dir.stdout(&[&words[..], &["-f", format]].concat()).contains('y'), "{format}");
    }
}

#[test]
fn randomisation_and_a_correction_can_be_chosen() {
    let dir = systems();
    let words =
        ["rank", "-q", "-r", "ref", "-m", "chrf", "--paired", "ar", "--correction", "holm", "--resamples", "99"];
    let ranked = json(&dir.stdout(&[&words[..], &["--seed", "7", "-f", "json", "bad", "good"]].concat()));
    let tested = &ranked[0]["comparisons"][0];
    assert_eq!((&tested["test"], &tested["resamples"], &tested["seed"]), (&"ar".into(), &99.into(), &7.into()));
    assert!(tested["p_holm"].is_number());
}

#[test]
fn too_few_resamples_for_a_correction_are_a_warning() {
    let dir = systems();
    let messages = |resamples: &str| {
        let words =
            ["rank", "-r", "ref", "-m", "chrf", "--correction", "holm", "--resamples", resamples, "bad", "good"];
        dir.run(&words).stderr
    };
    let expected = "the least p-value of 19 resamples, adjusted for 1 pair of systems, is 0.050";
    assert!(messages("19").contains(expected), "{}", messages("19"));
    assert!(!messages("20").contains("can be significant"));
}

#[test]
fn minimum_bayes_risk_chooses_what_all_scores_one_by_one_choose() {
    let dir = lists();
    for (metric, lower) in [("chrf", false), ("ter", true), ("bleu", false)] {
        let chosen = dir.stdout(&["rank", "-q", "--nbest", "nbest", "-m", metric, "--best"]);
        let table = json(&dir.stdout(&["rank", "-q", "--nbest", "nbest", "-m", metric, "-f", "json"]));
        for (id, texts) in CANDIDATES.iter().enumerate() {
            let (best, means) = plain_choice(&dir, metric, texts, lower);
            assert_eq!(chosen.lines().nth(id), Some(best.as_str()), "{metric}");
            let id = id.to_string();
            for row in table.iter().filter(|row| row["id"] == id.as_str()) {
                let index = row["candidate"].as_u64().unwrap() as usize - 1;
                assert!((row["score"].as_f64().unwrap() - means[index]).abs() < 1e-9, "{metric} {row}");
                let copies = texts.iter().filter(|text| row["text"] == **text).count();
                assert_eq!(row["count"], copies);
            }
        }
    }
}

#[test]
fn all_formats_of_lists_and_systems_give_the_same_choice() {
    let dir = lists();
    let best = |words: &[&str]| dir.stdout(&[&["rank", "-q", "-m", "chrf", "--best"], words].concat());
    assert_eq!(best(&["--nbest", "nbest"]), best(&["--nbest", "tabs"]));
    let of_three = best(&["--nbest", "even", "--candidates", "3"]);
    assert_eq!(of_three, best(&["--mbr", "a", "b", "c"]));
    assert_eq!(of_three.lines().count(), 3);
    let table = json(&dir.stdout(&["rank", "-q", "-m", "chrf", "--mbr", "a", "b", "c", "-f", "json", "-n", "1"]));
    assert_eq!(table.len(), 3);
    assert!(table.iter().all(|row| ["a", "b", "c"].contains(&row["candidate"].as_str().unwrap())), "{table:?}");
    let piped = dir.run_with(&["rank", "-q", "-m", "chrf", "--best", "--nbest", "-"], &moses());
    assert_eq!((piped.code, piped.stdout), (0, best(&["--nbest", "nbest"])));
}

#[test]
fn with_references_the_candidates_nearest_to_them_are_chosen() {
    let dir = lists();
    let words = ["rank", "-q", "--nbest", "nbest", "-r", "ref", "-m", "chrf"];
    assert_eq!(dir.stdout(&[&words[..], &["--best"]].concat()).as_bytes(), dir.read("ref"));
    let table = json(&dir.stdout(&[&words[..], &["-f", "json"]].concat()));
    assert_eq!((&table[0]["score"], &table[0]["candidate"]), (&100.0.into(), &4.into()));
    assert_eq!(table[0]["metric"], "chrf");
    assert!(table[0]["signature"].as_str().unwrap().contains("|refs=1|tercet="), "{}", table[0]);
    let text = dir.stdout(&[&words[..], &["-n", "1"]].concat());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "id  rank   chrF2  candidate  text");
    assert_eq!(lines[1], "0      1  100.00  4          cats sit on the mat");
    assert!(text.contains("|refs=1|") && !text.contains("Bayes"), "{text}");
    let interleaved: String =
        String::from_utf8(dir.read("ref")).unwrap().lines().map(|l| format!("x\n{l}\n")).collect();
    dir.write("two", interleaved.as_bytes());
    assert_eq!(
        dir.stdout(&["rank", "-q", "--nbest", "nbest", "-r", "two", "--interleaved", "2", "-m", "chrf", "--best"])
            .as_bytes(),
        dir.read("ref")
    );
}

#[test]
fn of_equal_candidates_the_first_is_kept() {
    let dir = TestDir::with(&[("nbest", "1 ||| x y\n1 ||| p q\n1 ||| m n\n"), ("ref", "a b\n")]);
    assert_eq!(dir.stdout(&["rank", "-q", "--nbest", "nbest", "-m", "wer", "--best"]), "x y\n");
    assert_eq!(dir.stdout(&["rank", "-q", "--nbest", "nbest", "-r", "ref", "-m", "wer", "--best"]), "x y\n");
}

#[test]
fn threads_do_not_change_a_byte() {
    let (lists, systems) = (lists(), systems());
    for threads in ["1", "4"] {
        let more = ["-q", "-m", "chrf", "-m", "meteor", "-f", "json", "--threads", threads];
        let one = ["-q", "-m", "meteor", "-f", "json", "--threads", threads];
        lists.write(
            &format!("mbr.{threads}"),
            lists.stdout(&[&["rank", "--nbest", "nbest"], &one[..]].concat()).as_bytes(),
        );
        let words = ["rank", "-r", "ref", "bad", "good", "fair"];
        systems.write(&format!("rank.{threads}"), systems.stdout(&[&words, &more[..]].concat()).as_bytes());
    }
    assert_eq!(lists.read("mbr.1"), lists.read("mbr.4"));
    assert_eq!(systems.read("rank.1"), systems.read("rank.4"));
}

#[test]
fn other_languages_than_english_are_ranked_by_chrf() {
    let german = "Der Hund ist nicht auf dem Dach, und die Katze liegt mit der Maus in dem Haus.\n";
    let dir = TestDir::with(&[("ref", &german.repeat(3)), ("a", &german.repeat(3)), ("b", "Der Hund ist da.\n\n\n")]);
    let ranked = json(&dir.stdout(&["rank", "-q", "-r", "ref", "-f", "json", "b", "a"]));
    assert_eq!((&ranked[0]["metric"], &ranked[0]["system"]), (&"chrf".into(), &"a".into()));
    let chosen = json(&dir.stdout(&["rank", "-q", "--mbr", "-l", "de", "-f", "json", "-n", "1", "a", "b", "ref"]));
    assert_eq!(chosen[0]["candidate"], "a");
}

#[cfg(feature = "siamese")]
#[test]
fn english_is_ranked_by_siamese() {
    let dir = TestDir::with(&[
        (
            "ref",
            "The cat sat on the mat, and it was happy.\nIt is raining in the city.\nHe was at home with the dog.\n",
        ),
        ("a", "The cat was sitting on the mat and was happy.\nIt rains in the city.\nHe was home with the dog.\n"),
        ("b", "Cat mat happy.\nThe city is not in the rain, he said.\nThe dog he at house.\n"),
    ]);
    let ranked = json(&dir.stdout(&["rank", "-q", "-r", "ref", "-f", "json", "b", "a"]));
    assert_eq!((&ranked[0]["metric"], &ranked[0]["system"]), (&"siamese".into(), &"a".into()));
    assert!(ranked[0]["wins"].as_f64().unwrap() > 0.7, "{}", ranked[0]);
    let chosen = dir.stdout(&["rank", "-q", "--mbr", "--best", "b", "a", "ref"]);
    assert!(!chosen.contains("Cat mat happy."), "{chosen}");
}

#[test]
fn lists_that_cannot_be_read_are_errors_with_file_and_line() {
    let dir = lists();
    dir.write("latin", b"0 ||| a\n0 ||| \xe9t\xe9\n");
    for (name, text) in [
        ("empty", ""),
        ("again", "0 ||| a\n1 ||| b\n0 ||| c\n"),
        ("gap", "0 ||| a\n2 ||| b\n"),
        ("plain", "just a line\nanother\n"),
        ("fields", "1\ta\n1\n"),
        ("single", "0 ||| a\n1 ||| b\n"),
        ("shorter", "0 ||| a\n0 ||| b\n1 ||| b\n1 ||| c\n"),
    ] {
        dir.write(name, text.as_bytes());
    }
    for (file, expected) in [
        ("empty", "empty is empty: there are no candidates"),
        ("again", "again:3: the id 0 is here again after other ids, first in line 1"),
        ("gap", "gap:2: expected the id 1 after 0, found 2"),
        (
            "plain",
            "plain:1: expected `id ||| text`, or an id, a tab and a text (plain lines, N for each segment: \
             --candidates N)",
        ),
        ("fields", "fields:2: expected 2 tab-separated fields, an id and a text, found 1"),
        ("single", "every segment has one candidate: there is nothing to choose from"),
        ("latin", "latin:2: not valid UTF-8 at byte 7 of the line"),
        ("nowhere", "cannot read nowhere"),
    ] {
        let error = dir.error(1, &["rank", "--nbest", file, "-m", "chrf"]);
        assert!(error.contains(expected), "{error}");
    }
    let error = dir.error(1, &["rank", "--nbest", "shorter", "-r", "ref", "-m", "chrf"]);
    assert!(
        error.contains("shorter:4: the list ends after candidates for 2 segments, but there are references for 3"),
        "{error}"
    );
    let error = dir.error(1, &["rank", "--nbest", "plain", "--candidates", "3", "-m", "chrf"]);
    assert!(error.contains("plain:2: the text ends after 2 lines, which is no multiple of 3"), "{error}");
    let error = dir.error(2, &["rank", "--nbest", "nbest", "--candidates", "11", "-m", "chrf"]);
    assert!(
        error.contains(
            "nbest: every line is in Moses' format, `id ||| text ||| …`, but --candidates is for plain lines"
        ),
        "{error}"
    );
    let error = dir.error(1, &["rank", "--mbr", "a", "plain", "-m", "chrf"]);
    assert!(error.contains("plain has 2 lines but a has 3"), "{error}");
}

#[test]
fn a_segment_with_one_candidate_is_kept_with_a_warning() {
    let dir = TestDir::with(&[("nbest", "0 ||| only\n1 ||| a b\n1 ||| a c\n")]);
    let output = dir.run(&["rank", "--nbest", "nbest", "-m", "chrf", "--best"]);
    assert_eq!((output.code, output.stdout.as_str()), (0, "only\na b\n"));
    assert!(
        output.stderr.contains("1 of 2 segments have one candidate, which is chosen without a utility"),
        "{output:?}"
    );
    assert_eq!(dir.run(&["rank", "-q", "--nbest", "nbest", "-m", "chrf", "--best"]).stderr, "");
    let text = dir.stdout(&["rank", "-q", "--nbest", "nbest", "-m", "chrf"]);
    assert!(text.lines().nth(1).unwrap().contains(" -  "), "{text}");
}

#[test]
fn misuse_says_what_to_do() {
    let dir = lists();
    dir.write("three", b"r\ta\tb\n");
    for (words, expected) in [
        (&["rank", "a", "b"][..], "no reference given"),
        (&["rank", "-r", "ref", "a"], "expected at least two systems to rank, found 1"),
        (&["rank", "--mbr", "a"], "expected at least two systems to choose from, found 1"),
        (&["rank", "--nbest", "nbest", "-m", "chrf", "-m", "bleu"], "candidates are ranked by one metric, found 2"),
        (&["rank", "--nbest", "nbest", "a"], "cannot be used with"),
        (&["rank", "--mbr", "-r", "ref", "a", "b"], "cannot be used with"),
        (&["rank", "--mbr", "--columns", "ref,hyp=a,hyp=b", "three"], "--mbr chooses without references"),
        (&["rank", "-r", "ref", "a", "b", "--best"], "--nbest"),
        (&["rank", "-r", "ref", "a", "b", "-n", "3"], "--nbest"),
        (&["rank", "--nbest", "nbest", "--seed", "3"], "cannot be used with"),
        (&["rank", "--nbest", "nbest", "--best", "-f", "json"], "cannot be used with"),
        (&["rank", "--nbest", "nbest", "-m", "blue"], "did you mean `bleu`?"),
        (&["rank", "--nbest", "-", "-r", "-", "-m", "chrf"], "standard input (-) can be read only once"),
        (&["rank", "-r", "ref", "-m", "chrf", "-o", "a", "a", "b"], "--output would overwrite a, which is read"),
        (&["rank", "-m", "chrf", "-o", "nbest", "--nbest", "nbest"], "--output would overwrite nbest, which is read"),
        (
            &["rank", "-r", "ref", "-m", "chrf|slope=0.1", "a", "b"],
            "a slope of your own is for comparisons of two systems",
        ),
        (&["rank"], "<HYP>"),
    ] {
        let error = dir.error(2, words);
        assert!(error.contains(expected), "{words:?}: {error}");
    }
}

#[test]
fn csv_has_texts_as_they_are_unless_a_spreadsheet_would_compute_them() {
    let dir =
        TestDir::with(&[("list", "1\t- What?\n1\t- Why?\n2\t＝1+1\n2\t =2+3\n3\t- Say it (twice)\n3\t-1+cmd|x\n")]);
    let table = dir.stdout(&["rank", "--nbest", "list", "-m", "chrf", "-f", "csv", "-q"]);
    for text in [",- What?\n", ",- Why?\n", ",'＝1+1\n", ",'=2+3\n", ",- Say it (twice)\n", ",'-1+cmd|x\n"] {
        assert!(table.replace("' =", "'=").contains(text), "{text}: {table}");
    }
}
