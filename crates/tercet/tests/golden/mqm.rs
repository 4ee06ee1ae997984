//! MQM on the real sets (google/wmt-mqm-human-evaluation): counts, the published averages of segments, the published
//! averages of systems; side-by-side sittings; and EvalSet folders made of the TED talks.
//!
//! mt-metrics-eval's `score_mqm` and `EvalSet` gave exactly the same scores on these files; these
//! tests need neither.

use libtest_mimic::Trial;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use tercet::corpora::formats::{
    Annotations, MqmWeights, eval_set_sources, mqm_sources, parse_averages, read_eval_set, read_mqm,
};
use tercet::corpora::{Comparison, Judgements, Level, Lines, Outcome, read_bytes, read_lines, read_tar};

pub fn trials(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("data/mqm");
    if !folder.is_dir() {
        return Vec::new();
    }
    let trial = |name: &str, check: fn(&Path)| {
        let folder: PathBuf = folder.clone();
        Trial::test(format!("mqm/{name}"), move || {
            check(&folder);
            Ok(())
        })
    };
    vec![
        trial("folder", the_folder_says_what_it_holds),
        trial("ted_ende", |folder| ted(folder, "ende", 8_435, "English to German")),
        trial("ted_zhen", |folder| ted(folder, "zhen", 9_915, "Chinese to English")),
        trial("side_by_side_ende", |folder| side_by_side(folder, "ende", 10_970, 104, 1_560)),
        trial("side_by_side_zhen", |folder| side_by_side(folder, "zhen", 25_060, 377, 5_655)),
        trial("eval_set", an_eval_set_of_the_talks_says_the_same),
    ]
}

fn the_folder_says_what_it_holds(folder: &Path) {
    let found = mqm_sources(folder).unwrap();
    let names: Vec<String> = found.iter().map(|source| format!("{} {}", source.set, source.pair)).collect();
    assert_eq!(
        names,
        [
            "mqm_newstest2020 en-de",
            "mqm_newstest2020 zh-en",
            "mqm_newstest2021 en-de",
            "mqm_newstest2021 zh-en",
            "mqm_ted en-de",
            "mqm_ted zh-en",
            "sxs_mqm_generalMT2023 en-de",
            "sxs_mqm_generalMT2023 zh-en"
        ]
    );
    let sizes: Vec<(usize, usize)> = found[..4]
        .iter()
        .map(|source| source.read().unwrap())
        .map(|judgements| (judgements.systems.len(), judgements.segments.len()))
        .collect();
    assert_eq!(sizes, [(10, 1418), (10, 2000), (17, 1002), (15, 1948)]);
    assert!(eval_set_sources(folder).unwrap().is_empty());
    for other in fs::read_dir(folder.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()) {
        assert!(other == folder || mqm_sources(&other).unwrap().is_empty(), "{}", other.display());
        assert!(eval_set_sources(&other).unwrap().is_empty(), "{}", other.display());
    }
}

/// A number by system and segment.
fn cells(judgements: &Judgements) -> BTreeMap<(String, String), Option<f64>> {
    let mut cells = BTreeMap::new();
    for (system, row) in judgements.systems.iter().zip(&judgements.scores[0].values) {
        for (segment, score) in judgements.segments.iter().zip(row) {
            // The averages name the human translations differently.
            let system = match system.as_str() {
                "ref" => "ref-A",
                "refB" => "ref-B",
                other => other,
            };
            cells.insert((system.to_owned(), segment.clone()), *score);
        }
    }
    cells
}

fn ted(folder: &Path, languages: &str, rows: usize, heading: &str) {
    let path = folder.join(format!("mqm_ted_{languages}.tsv.gz"));
    let lines = read_lines(&path).unwrap();
    assert_eq!(Annotations::parse(&lines).unwrap().rows.len(), rows);
    let judged = read_mqm(&path, &MqmWeights::standard()).unwrap();
    assert_eq!(judged.segments.len(), 529);
    let texts = judged.texts.as_ref().unwrap();
    assert_eq!(texts.references.len(), if languages == "ende" { 1 } else { 2 });
    assert!(texts.references.iter().all(|reference| reference.lines.iter().all(Option::is_some)));

    let averages = folder.join(format!("mqm_ted_{languages}.avg_seg_scores.tsv.gz"));
    let averages = cells(&parse_averages(&read_lines(&averages).unwrap()).unwrap());
    let ours = cells(&judged);
    assert!(ours.keys().all(|cell| averages.contains_key(cell)));
    for (cell, theirs) in averages {
        let ours = ours.get(&cell).copied().flatten();
        assert_eq!(ours.is_some(), theirs.is_some(), "{cell:?}");
        let (ours, theirs) = (ours.unwrap_or_default(), theirs.unwrap_or_default());
        assert!((ours - theirs).abs() <= 5.1e-7, "{cell:?}: ours {ours}, published {theirs}");
    }
    let published = published(folder, heading);
    assert_eq!(published.len(), judged.systems.len());
    for (system, row) in judged.systems.iter().zip(&judged.scores[1].values) {
        let name = match system.as_str() {
            "ref" => "ref.A",
            "refB" => "ref.B",
            other => other,
        };
        let (ours, printed) = (-row[0].unwrap(), published[name].as_str());
        let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let rounded = format!("{ours:.decimals$}");
        // Two of 29 were truncated, not rounded.
        let cut = matches!(name, "eTranslation" | "Borderline");
        assert!(rounded == printed || (cut && ours.to_string().starts_with(printed)), "{name}: {ours}, {printed}");
    }
}

/// The table of TED talks under this heading of Google's README: the average of each system as printed.
fn published(folder: &Path, heading: &str) -> BTreeMap<String, String> {
    let readme = fs::read_to_string(folder.join("upstream-README.md")).unwrap();
    let talks = readme.split("## TED talks ##").nth(1).unwrap();
    let table = talks.split(&format!("### {heading} ###")).nth(1).unwrap();
    let rows = table.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    let cells = rows.skip(2).map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|row| (row[1].to_owned(), row[2].split('(').next().unwrap().to_owned())).collect()
}

fn side_by_side(folder: &Path, languages: &str, rows: usize, segments: usize, sittings: usize) {
    let path = folder.join(format!("sxs_mqm_generalMT2023_{languages}.3ratingsPerSegment.tsv.tar.gz"));
    let files = read_tar(&path, &read_bytes(&path).unwrap()).unwrap();
    assert_eq!(files.len(), 1);
    let lines = Lines::from_bytes(&path, files[0].bytes.clone()).unwrap();
    assert_eq!(Annotations::parse(&lines).unwrap().rows.len(), rows);

    let judged = read_mqm(&path, &MqmWeights::standard()).unwrap();
    assert_eq!((judged.systems.len(), judged.segments.len()), (10, segments));
    assert!(judged.scores[0].values.iter().flatten().all(Option::is_some));
    assert_eq!(judged.comparisons.len(), sittings);
    let mut pairs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for pair in &judged.comparisons {
        *pairs.entry((&judged.systems[pair.first], &judged.systems[pair.second])).or_default() += 1;
    }
    assert!(pairs.values().all(|&count| count == 3 * segments));
    let pairs: Vec<_> = pairs.into_keys().collect();
    let references = &judged.texts.as_ref().unwrap().references;
    assert_eq!(references.iter().map(|reference| reference.name.as_str()).collect::<Vec<_>>(), ["refA"]);
    assert!(references[0].lines.iter().all(Option::is_some));
    if languages == "ende" {
        let named = [("GPT4-5shot_with_refA", "refA"), ("ONLINE-W", "GPT4-5shot_with_ONLINE-W")];
        assert!(named.iter().all(|pair| pairs.contains(pair)), "{pairs:?}");
    } else {
        let sat = [("GPT4-5shot", "Lan-BridgeMT"), ("HW-TSC", "ONLINE-A"), ("IOL_Research", "ONLINE-B")];
        let sat = [&sat[..], &[("NLLB_MBR_BLEU", "ONLINE-M"), ("ONLINE-W", "NLLB_Greedy")]].concat();
        assert_eq!(pairs, sat);
    }
    raters_and_scores_agree(&judged);
}

/// If all three raters prefer one of two systems, its score is better.
fn raters_and_scores_agree(judged: &Judgements) {
    let mut sittings: BTreeMap<(usize, usize, usize), Vec<Comparison>> = BTreeMap::new();
    for pair in &judged.comparisons {
        sittings.entry((pair.segment, pair.first, pair.second)).or_default().push(*pair);
    }
    let mut unanimous = 0;
    for ((segment, first, second), pairs) in sittings {
        assert_eq!(pairs.len(), 3);
        let score = |system: usize| judged.scores[0].values[system][segment].unwrap();
        let all = |outcome| pairs.iter().all(|pair| pair.outcome == outcome);
        if all(Outcome::First) || all(Outcome::Second) {
            unanimous += 1;
            assert_eq!(all(Outcome::First), score(first) > score(second));
        }
    }
    assert!(unanimous > 100);
}

/// Writes the talks in the layout of mt-metrics-eval and reads them again.
fn an_eval_set_of_the_talks_says_the_same(folder: &Path) {
    let judged = read_mqm(&folder.join("mqm_ted_zhen.tsv.gz"), &MqmWeights::standard()).unwrap();
    let set = tempfile::tempdir().unwrap();
    write_eval_set(set.path(), &judged);
    let found = eval_set_sources(set.path()).unwrap();
    assert_eq!(found.len(), 1);
    let read = read_eval_set(set.path(), "zh-en").unwrap();
    read.require_complete().unwrap();
    assert_eq!(found[0].read().unwrap(), read.judgements);
    let mut order: Vec<usize> = (0..judged.systems.len()).collect();
    order.sort_by_key(|&system| &judged.systems[system]);
    let (theirs, ours) = (judged.texts.as_ref().unwrap(), read.judgements.texts.as_ref().unwrap());
    assert_eq!((&ours.sources, &ours.references), (&theirs.sources, &theirs.references));
    assert_eq!(read.judgements.documents, judged.documents);
    for level in [Level::Segment, Level::System] {
        let of = |judgements: &Judgements| {
            judgements.scores.iter().find(|scores| scores.level == level).unwrap().values.clone()
        };
        let (ours, theirs) = (of(&read.judgements), of(&judged));
        assert!(order.iter().zip(&ours).all(|(&system, row)| *row == theirs[system]));
    }
    assert!(order.iter().zip(&ours.outputs).all(|(&system, outputs)| *outputs == theirs.outputs[system]));
    assert_eq!(read.judgements.metric_scores[0].values.len(), judged.systems.len() - 1);
}

fn write_eval_set(folder: &Path, judged: &Judgements) {
    let write = |name: &str, lines: Vec<String>| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    };
    let texts = judged.texts.as_ref().unwrap();
    let all = |lines: &[Option<String>]| lines.iter().map(|line| line.clone().unwrap()).collect::<Vec<_>>();
    write("sources/zh-en.txt", texts.sources.clone().unwrap());
    write("documents/zh-en.docs", judged.documents.iter().flatten().map(|doc| format!("ted {doc}")).collect());
    for reference in &texts.references {
        write(&format!("references/zh-en.{}.txt", reference.name), all(&reference.lines));
    }
    for (system, outputs) in judged.systems.iter().zip(&texts.outputs) {
        write(&format!("system-outputs/zh-en/{system}.txt"), all(outputs));
    }
    for scores in &judged.scores {
        let row = |(system, row): (&String, &Vec<Option<f64>>)| {
            row.iter().map(|score| format!("{system}\t{:?}", score.unwrap())).collect::<Vec<_>>()
        };
        let lines = judged.systems.iter().zip(&scores.values).flat_map(row).collect();
        write(&format!("human-scores/zh-en.mqm.{}.score", scores.level.code()), lines);
    }
    let others = judged.systems.iter().filter(|system| *system != "refB");
    write("metric-scores/zh-en/M-refB.sys.score", others.map(|system| format!("{system} 1")).collect());
}
