//! Every reader: a file with its rows shuffled gives the same judgements once they are sorted.

use super::*;
use crate::corpora::Lines;
use crate::corpora::formats::{
    AlignedFiles, AlignedScores, MqmWeights, RankingTables, parse_averages, parse_da_scores, parse_da_tables,
    parse_five_way, parse_mlqe_pe, parse_mqm, parse_pairwise, parse_rated, parse_scored_texts, parse_sick,
    parse_side_by_side,
};
use crate::error::Result;
use crate::statistics::random::Generator;
use std::path::Path;

const SYSTEMS: [&str; 4] = ["beta", "alpha.0", "gamma", "online-B"];

/// A table with some row for every segment, system and judge.
fn table(header: &str, row: impl Fn(usize, usize, usize) -> String) -> String {
    let places = (1..=12).flat_map(|segment| (0..4).map(move |system| (segment, system)));
    let rows = places.flat_map(|(segment, system)| (0..2).map(move |judge| (segment, system, judge)));
    let rows: String = rows.map(|(segment, system, judge)| row(segment, system, judge)).collect();
    format!("{header}\n{rows}")
}

/// The same rows in another order, below the same header. Tables with the same number of rows are shuffled alike.
fn shuffled(text: &str, seed: u64) -> String {
    let (header, rows) = text.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    let mut generator = Generator::new(Some(seed));
    for i in (1..rows.len()).rev() {
        rows.swap(i, generator.below(i as u64 + 1) as usize);
    }
    format!("{header}\n{}\n", rows.join("\n"))
}

fn lines(text: &str) -> Lines {
    Lines::from_bytes(Path::new("x"), text.as_bytes().to_vec()).unwrap()
}

/// Asserts that judgements do not depend on the order of rows in `texts`.
fn check(texts: &[String], read: impl Fn(&[Lines]) -> Result<Vec<Judgements>>) {
    let sorted = |texts: &[String]| -> Vec<Judgements> {
        let files: Vec<Lines> = texts.iter().map(|text| lines(text)).collect();
        let mut found = read(&files).unwrap();
        found.sort_by(|a, b| a.pair.cmp(&b.pair));
        found.iter().map(|judgements| in_order(judgements).judgements.into_owned()).collect()
    };
    let expected = sorted(texts);
    assert!(!expected.is_empty());
    for seed in 1..6 {
        let texts: Vec<String> = texts.iter().map(|text| shuffled(text, seed)).collect();
        assert_eq!(sorted(&texts), expected, "seed {seed}");
    }
}

fn one(judgements: Result<Judgements>) -> Result<Vec<Judgements>> {
    Ok(vec![judgements?])
}

/// A number with many digits that depends on all three.
fn score(segment: usize, system: usize, judge: usize) -> f64 {
    ((segment * 37 + system * 11 + judge * 5) as f64 * 0.37).sin()
}

#[test]
fn rankings_side_by_side() {
    let header = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Id,system2Id,system3Id,\
                  system1rank,system2rank,system3rank";
    let text = table(header, |segment, system, judge| {
        let name = |k: usize| SYSTEMS[(system + k) % 4];
        let (a, b, c) = (name(0), name(1), name(2));
        let pair = if segment % 3 == 0 { "German,English" } else { "Czech,English" };
        format!("{pair},{segment},-1,{segment},judge{judge},{a},{b},{c},{},2,{}\n", 1 + judge, 1 + segment % 3)
    });
    check(&[text], |files| parse_five_way(&files[0]));
}

#[test]
fn rankings_in_pairs() {
    let header = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID";
    let text = table(header, |segment, system, judge| {
        // The three pairs of a ranking of three outputs, the first of two systems.
        let outputs = ["beta+gamma", "alpha.0", "online-B"];
        let (a, b) = [(0, 1), (0, 2), (1, 2)][system % 3];
        if system == 3 {
            return String::new();
        }
        let rank = |output: usize| 1 + (segment + judge + output) % 3;
        let id = segment * 10 + judge;
        format!("cze,eng,{segment},{segment},j{judge},{},{},{},{},{id}\n", outputs[a], rank(a), outputs[b], rank(b))
    });
    check(&[text], |files| parse_pairwise(&files[0]));
}

#[test]
fn ranking_tables_with_texts() {
    let rankings = table("ranking_id\tseg_id\tjudge\toutput_group\tsystem\trank", |segment, system, judge| {
        let id = segment * 10 + judge;
        format!("{id}\t{segment}\tj{judge}\t{system}\t{}\t{}\n", SYSTEMS[system], 1 + (segment + system) % 3)
    });
    let segments = table("seg_id\tsource\treference", |segment, system, judge| match (system, judge) {
        (0, 0) => format!("{segment}\tq{segment}\tr{segment}\n"),
        _ => String::new(),
    });
    let outputs = table("seg_id\tsystem\ttext", |segment, system, judge| match judge {
        0 => format!("{segment}\t{}\ttext {segment} {system}\n", SYSTEMS[system]),
        _ => String::new(),
    });
    check(&[rankings, segments, outputs], |files| {
        let [rankings, segments, outputs] = files else { unreachable!() };
        let tables = RankingTables {
            rankings: Some(rankings.clone()),
            segments: Some(segments.clone()),
            outputs: Some(outputs.clone()),
            ..RankingTables::default()
        };
        one(tables.judgements())
    });
    let pairs = table("seg_id\tbetter\tworse", |segment, system, _| {
        format!("{segment}\t{}\t{}\n", SYSTEMS[system], SYSTEMS[(system + 1 + segment % 3) % 4])
    });
    check(&[pairs], |files| {
        one(RankingTables { pairs: Some(files[0].clone()), ..RankingTables::default() }.judgements())
    });
}

#[test]
fn direct_assessment_tables() {
    let segments = table("LP DATA SYSTEM SID HUMAN", |segment, system, judge| {
        let pair = ["de-en", "cs-en"][judge];
        format!("{pair} newstest {} {segment} {}\n", SYSTEMS[system], score(segment, system, judge))
    });
    let systems = table("LP HUMAN SYSTEM", |segment, system, judge| match segment {
        1 => format!("{} {} {}\n", ["de-en", "cs-en"][judge], score(1, system, judge), SYSTEMS[system]),
        _ => String::new(),
    });
    let comparisons = table("LP DATA SID BETTER WORSE", |segment, system, judge| {
        let pair = ["de-en", "cs-en"][judge];
        format!("{pair} newstest {segment} {} {}\n", SYSTEMS[system], SYSTEMS[(system + 1) % 4])
    });
    check(&[segments, systems, comparisons], parse_da_tables);
    let segments = table("SYS SID RAW.SCR Z.SCR N", |segment, system, judge| match judge {
        0 => {
            format!("{} {segment} {} {} 1\n", SYSTEMS[system], score(segment, system, 0), score(1, system, 1))
        }
        _ => String::new(),
    });
    check(&[segments], |files| one(parse_da_scores(Some(&files[0]), None)));
}

#[test]
fn direct_assessment_line_by_line() {
    // One row per line of the text: texts and scores are shuffled together.
    let table = table("LP SYSTEM SID HUMAN", |segment, system, judge| match judge {
        0 => format!("de-en {} {segment} {}\n", SYSTEMS[system], score(segment, system, 0)),
        _ => String::new(),
    });
    let texts: String = (0..48).map(|line| format!("text {}\n", line % 47)).collect();
    check(&[table, format!("header\n{texts}")], |files| {
        let rows: String = files[1].iter().skip(1).map(|line| format!("{line}\n")).collect();
        let aligned = AlignedFiles {
            source: None,
            reference: Some(lines(&rows)),
            hypothesis: lines(&rows),
            human: AlignedScores::Table(files[0].clone()),
            others: vec![("metric".to_owned(), lines(&rows.replace("text ", "")))],
        };
        one(aligned.judgements())
    });
}

#[test]
fn single_translations() {
    let header = "segid\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores";
    let text = table(header, |segment, system, judge| {
        let id = (segment * 8 + system * 2 + judge) * 7 % 101;
        let (mean, z) = (score(segment, system, judge), score(judge, segment, system));
        format!("{id}\ts{id}\tt{id}\t[]\t{mean}\t[]\t{z}\t{}\n", -z)
    });
    check(&[text], |files| one(parse_mlqe_pe(&files[0])));
    let text = table("pair_ID\tsentence_A\tsentence_B\trelatedness_score", |segment, system, judge| {
        let id = (segment * 8 + system * 2 + judge) * 7 % 101;
        format!("{id}\ta{id}\tb{id}\t{}\n", score(segment, system, judge))
    });
    check(&[text], |files| one(parse_sick(&files[0])));
    let text = table("score\tsegment\treference\ttranslation", |segment, system, judge| {
        let id = (segment * 8 + system * 2 + judge) * 7 % 101;
        format!("{}\t{id}\ta{id}\tb{id}\n", score(segment, system, judge))
    });
    check(&[text], |files| one(parse_scored_texts(&files[0])));
}

#[test]
fn scored_rows() {
    let text = table("src\tmt\tref\tscore\tsystem", |segment, system, judge| match judge {
        0 => {
            let (name, number) = (SYSTEMS[system], score(segment, system, 0));
            format!("s{segment}\tt{segment} {system}\tr{segment}\t{number}\t{name}\n")
        }
        _ => String::new(),
    });
    check(&[text], |files| parse_rated(&files[0]));
}

#[test]
fn mqm() {
    const HEADER: &str = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tmetadata";
    let rows = |segment: usize, system: usize, judge: usize| {
        // Several errors of one rater, whose weights give other sums in another order.
        let errors = [("Fluency/Punctuation", "Minor"), ("Accuracy", "Major"), ("Style", "Minor")];
        let row = |k: usize| {
            let (category, severity) = errors[(segment + system + k) % 3];
            let metadata = format!(r#"{{"timestamp":{},"side":{}}}"#, system / 2, 1 + system % 2);
            let (name, text) = (SYSTEMS[system], format!("text {segment} {system}"));
            format!(
                "{name}\td\t{segment}\t{segment}\tr{judge}\ts{segment}\t{text}\t{category}\t{severity}\t{metadata}\n"
            )
        };
        (0..(segment + judge) % 5 + 1).map(row).collect()
    };
    check(&[table(HEADER, rows)], |files| one(parse_mqm(&files[0], &MqmWeights::standard())));
    // Without a number in the whole set, segments of several documents have the same name.
    let header = HEADER.replace("seg_id", "comment");
    let of_documents = |segment: usize, system: usize, judge: usize| -> String {
        let rows: String = rows(segment, system, judge);
        rows.replace("\td\t", &format!("\td{}\t", segment % 2)).replace(&format!("\t{segment}\t{segment}\t"), "\t1\t\t")
    };
    let two = |segment: usize, system: usize, judge: usize| match segment {
        1 | 2 => of_documents(segment, system, judge),
        _ => String::new(),
    };
    check(&[table(&header, two)], |files| one(parse_mqm(&files[0], &MqmWeights::standard())));
    check(&[table(HEADER, rows)], |files| one(parse_side_by_side(&files[0], &MqmWeights::standard())));
    let averages = table("system mqm_avg_score seg_id", |segment, system, judge| match judge {
        0 => format!("{} {:.6} {segment}\n", SYSTEMS[system], score(segment, system, 0)),
        _ => String::new(),
    });
    check(&[averages], |files| one(parse_averages(&files[0])));
}

#[test]
fn sorted_judgements_are_not_copied_and_sorting_changes_no_judgement() {
    let text = table("SYS SID RAW.SCR Z.SCR N", |segment, system, judge| match judge {
        0 => format!("{} {segment} 1 {} 1\n", SYSTEMS[system], score(segment, system, 0)),
        _ => String::new(),
    });
    let read = parse_da_scores(Some(&lines(&shuffled(&text, 3))), None).unwrap();
    let sorted = in_order(&read);
    assert!(matches!(sorted.judgements, Cow::Owned(_)));
    assert!(matches!(in_order(&sorted.judgements).judgements, Cow::Borrowed(_)));
    assert_eq!(sorted.judgements.systems, ["alpha.0", "beta", "gamma", "online-B"]);
    assert_eq!(sorted.judgements.segments[..3], ["1", "2", "3"]);
    let values = &sorted.judgements.scores[0].values;
    assert_eq!((values[1][4], values[3][11]), (Some(score(5, 0, 0)), Some(score(12, 3, 0))));
    let of_first = |segment: &str| read.segments.iter().position(|name| name == segment).unwrap();
    assert_eq!(sorted.places[..2], [of_first("1"), of_first("2")]);
}
