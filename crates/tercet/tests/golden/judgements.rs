//! Checks published judgements against the counts that their authors state.
//!
//! These are the numbers of rankings, strict pairs, ties and scored segments in each language pair of `data/`. Reading
//! wmt12–16 also checks rankings against pairs, since the reader refuses files that disagree.

use libtest_mimic::Trial;
use std::path::{Path, PathBuf};
use tercet::corpora::{Judgements, Outcome, find_judgements};

/// Pair, systems, segments, rankings, strict pairs, ties.
type Rankings = (&'static str, usize, usize, usize, usize, usize);

/// The READMEs of wmt15-rr and wmt16-rr count rankings before those without any rank were dropped (2,568 for Czech of
/// 2015); here are those in the files, as many as distinct ranking ids. Ties are those the rankings themselves give.
const RANKINGS: &[(&str, &[Rankings])] = &[
    (
        "wmt12-rr",
        &[
            ("cs-en", 6, 3003, 1294, 11_021, 1754),
            ("de-en", 16, 3003, 1427, 11_934, 2204),
            ("es-en", 12, 3003, 1141, 9796, 1490),
            ("fr-en", 15, 3003, 1395, 11_594, 2228),
        ],
    ),
    (
        "wmt13-rr",
        &[
            ("cs-en", 11, 3000, 0, 85_469, 0),
            ("de-en", 17, 3000, 0, 128_668, 0),
            ("es-en", 12, 3000, 0, 67_832, 0),
            ("fr-en", 13, 3000, 9996, 80_741, 19_219),
        ],
    ),
    (
        "wmt14-rr",
        &[
            ("cs-en", 5, 3003, 0, 15_732, 0),
            ("de-en", 13, 3003, 0, 18_310, 0),
            ("fr-en", 8, 3003, 0, 19_620, 0),
            ("hi-en", 9, 2507, 0, 18_603, 0),
            ("ru-en", 13, 3003, 0, 28_838, 0),
        ],
    ),
    (
        "wmt15-rr",
        &[
            ("cs-en", 16, 2440, 2497, 52_264, 8697),
            ("de-en", 13, 1249, 1995, 29_851, 3016),
            ("fi-en", 14, 981, 1751, 22_890, 4072),
            ("fr-en", 7, 974, 2150, 21_589, 4218),
            ("ru-en", 13, 1480, 2407, 28_585, 8213),
        ],
    ),
    (
        "wmt16-rr",
        &[
            ("cs-en", 12, 921, 5510, 70_444, 22_321),
            ("de-en", 10, 886, 1341, 15_960, 1820),
            ("fi-en", 9, 974, 2597, 20_694, 8160),
            ("ro-en", 7, 524, 1260, 11_819, 2718),
            ("ru-en", 10, 903, 2077, 18_884, 6203),
            ("tr-en", 9, 945, 970, 7599, 2468),
        ],
    ),
];

/// Set, pair, scored segments, names of scores.
const SCORES: &[(&str, &str, usize, &str)] = &[
    ("da-wmt13", "cs-en", 70, "z"),
    ("da-wmt13", "de-en", 70, "z"),
    ("da-wmt13", "es-en", 500, "z"),
    ("da-wmt13", "fr-en", 70, "z"),
    ("da-wmt13", "ru-en", 70, "z"),
    ("da-wmt15", "cs-en", 500, "z sbleumoses"),
    ("da-wmt15", "de-en", 500, "z sbleumoses"),
    ("da-wmt15", "fi-en", 500, "z sbleumoses"),
    ("da-wmt15", "ru-en", 500, "z sbleumoses"),
    ("da-wmt16", "cs-en", 560, "z"),
    ("da-wmt16", "de-en", 560, "z"),
    ("da-wmt16", "en-ru", 560, "z"),
    ("da-wmt16", "fi-en", 560, "z"),
    ("da-wmt16", "ro-en", 560, "z"),
    ("da-wmt16", "ru-en", 560, "z"),
    ("da-wmt16", "tr-en", 560, "z"),
    ("SICK_test_annotated", "", 4927, "relatedness"),
    ("SICK_train", "", 4500, "relatedness"),
    ("SICK_trial", "", 500, "relatedness"),
];

pub fn trials(shared: &Path) -> Vec<Trial> {
    let data = shared.join("data");
    let mut trials = Vec::new();
    let mut trial = |name: String, folder: &str, check: Box<dyn FnOnce(&Path) + Send>| {
        let path: PathBuf = data.join(folder);
        if path.exists() {
            trials.push(Trial::test(format!("judgements/{name}"), move || {
                check(&path);
                Ok(())
            }));
        }
    };
    for (set, pairs) in RANKINGS {
        trial((*set).to_owned(), set, Box::new(|path| rankings_agree(path, pairs)));
    }
    for folder in ["da-wmt13", "da-wmt15", "da-wmt16", "sick"] {
        trial(folder.to_owned(), folder, Box::new(scores_agree));
    }
    trial("mlqe-pe".to_owned(), "mlqe-pe", Box::new(mlqe_agrees));
    trial("wmt13-5way".to_owned(), "wmt13-rr", Box::new(five_way_is_the_tables));
    trial("wmt15-texts".to_owned(), "wmt15-rr", Box::new(texts_stand_as_they_are));
    trial("wmt12-texts".to_owned(), "wmt12-rr", Box::new(segments_are_lines));
    trial("da-wmt16-names".to_owned(), "da-wmt16", Box::new(details_name_the_segments));
    trial("nothing".to_owned(), "gum", Box::new(other_folders_are_refused));
    trials
}

fn read(path: &Path) -> Vec<Judgements> {
    let sources = find_judgements(path).unwrap();
    sources
        .iter()
        .map(|source| {
            let judgements = source.read().unwrap_or_else(|error| panic!("{source:?}: {error}"));
            assert_eq!((&judgements.set, &judgements.pair), (&source.set, &source.pair));
            judgements
        })
        .collect()
}

fn of_pair(path: &Path, pair: &str) -> Judgements {
    let sources = find_judgements(path).unwrap();
    sources.iter().find(|source| source.pair == pair).unwrap().read().unwrap()
}

fn rankings_agree(path: &Path, expected: &[Rankings]) {
    let read = read(path);
    assert_eq!(read.len(), expected.len());
    for (judgements, expected) in read.iter().zip(expected) {
        let ties = judgements.comparisons.iter().filter(|pair| pair.outcome == Outcome::Tie).count();
        let found = (
            judgements.pair.as_str(),
            judgements.systems.len(),
            judgements.segments.len(),
            judgements.rankings.len(),
            judgements.comparisons.len() - ties,
            ties,
        );
        assert_eq!(found, *expected);
        let texts = judgements.texts.as_ref().unwrap();
        assert_eq!(texts.references.len(), 1);
        assert_eq!(texts.sources.as_ref().unwrap().len(), judgements.segments.len());
        for pair in &judgements.comparisons {
            for system in [pair.first, pair.second] {
                assert!(texts.outputs[system][pair.segment].is_some(), "{pair:?} has no text");
            }
        }
    }
}

fn scores_agree(path: &Path) {
    let read = read(path);
    let folder = path.file_name().unwrap().to_str().unwrap();
    let of_folder = |set: &str| set == folder || (folder == "sick" && set.starts_with("SICK"));
    let expected: Vec<_> = SCORES.iter().filter(|(set, ..)| of_folder(set)).collect();
    assert_eq!(read.len(), expected.len());
    for (judgements, (set, pair, count, names)) in read.iter().zip(expected) {
        assert_eq!((judgements.set.as_str(), judgements.pair.as_str()), (*set, *pair));
        let human = judgements.scores.iter().map(|scores| (&scores.name, &scores.values));
        let metric = judgements.metric_scores.iter().map(|scores| (&scores.metric, &scores.values));
        let all: Vec<_> = human.chain(metric).collect();
        assert_eq!(all.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" "), *names);
        for (_, values) in all {
            assert_eq!(values.len(), 1);
            assert_eq!(values[0].iter().flatten().count(), *count);
        }
        let texts = judgements.texts.as_ref().unwrap();
        assert_eq!(texts.references.len(), 1);
        assert_eq!(texts.outputs[0].iter().flatten().count(), *count);
    }
}

fn mlqe_agrees(path: &Path) {
    let read = read(path);
    let counts: Vec<_> = read.iter().map(|read| (read.pair.as_str(), read.set.as_str(), read.segments.len())).collect();
    let splits = [("mlqe-pe.dev", 1000), ("mlqe-pe.test20", 1000), ("mlqe-pe.train", 7000)];
    let pairs = ["et-en", "ne-en", "ro-en", "ru-en", "si-en"];
    let expected: Vec<_> = pairs.iter().flat_map(|pair| splits.map(|(set, count)| (*pair, set, count))).collect();
    assert_eq!(counts, expected);
    for judgements in &read {
        let names: Vec<_> =
            judgements.scores.iter().map(|scores| (scores.name.as_str(), scores.higher_is_better)).collect();
        assert_eq!(names, [("z", true), ("da", true), ("hter", false)]);
        assert!(judgements.scores.iter().all(|scores| scores.values[0].iter().all(Option::is_some)));
    }
    let first = &read[0];
    let texts = first.texts.as_ref().unwrap();
    assert_eq!(texts.outputs[0][2].as_deref(), Some("It ran from 23 October 1956 to 10 November."));
    assert_eq!(
        texts.references[0].lines[2].as_deref(),
        Some("The uprising lasted from 23 October 1956 to 10 November .")
    );
    assert_eq!(
        first.scores.iter().map(|scores| scores.values[0][2].unwrap()).collect::<Vec<_>>(),
        [-1.1622779701963228, 33.833333333333336, 0.272727]
    );
}

/// The official rows for French–English of 2013 equal the table made from them.
fn five_way_is_the_tables(path: &Path) {
    let table = of_pair(path, "fr-en");
    let csv = of_pair(&path.join("5way/sample-fr-en-train.csv.gz"), "fr-en");
    assert_eq!((csv.set.as_str(), csv.rankings.len(), csv.comparisons.len()), ("sample-fr-en-train", 9996, 99_960));
    let by_name = |judgements: &Judgements| {
        let rows = judgements.rankings.iter().map(|ranking| {
            let outputs = ranking.outputs.iter().map(|one| (judgements.systems[one.system].clone(), one.rank));
            (judgements.segments[ranking.segment].clone(), outputs.collect::<Vec<_>>())
        });
        rows.collect::<Vec<_>>()
    };
    assert_eq!(by_name(&csv), by_name(&table));
    assert_eq!(of_pair(&path.join("5way/sample-fr-en-test.csv"), "fr-en").rankings.len(), 200);
}

fn texts_stand_as_they_are(path: &Path) {
    let czech = of_pair(path, "cs-en");
    let texts = czech.texts.unwrap();
    assert_eq!(texts.sources.unwrap()[0], "\u{feff}Petr Čech: Přestup na poslední chvíli?");
    assert_eq!(texts.references[0].lines[0].as_deref(), Some("\u{feff}Petr Čech: Transfer at the last minute?"));
    let neural = czech.systems.iter().position(|name| name == "newstest2015.Neural-MT.4088.cs-en").unwrap();
    assert_eq!(texts.outputs[neural][0].as_deref(), Some("\u{feff}Petr Čech: vessel na last moment?"));
}

fn segments_are_lines(path: &Path) {
    let czech = of_pair(path, "cs-en");
    let texts = czech.texts.unwrap();
    let reference = std::fs::read_to_string(path.join("references/newstest2012-ref.en")).unwrap();
    let line = reference.split('\n').nth(1017).unwrap();
    let segment = czech.rankings[0].segment;
    assert_eq!((czech.segments[segment].as_str(), segment), ("1018", 1017));
    assert_eq!(texts.references[0].lines[segment].as_deref(), Some(line.trim_end()));
}

fn details_name_the_segments(path: &Path) {
    assert_eq!(of_pair(path, "cs-en").segments[..2], ["1158:cu-mergedtrees", "1166:PJATK"]);
    assert_eq!(of_pair(path, "en-ru").segments[..2], ["1", "2"]);
}

fn other_folders_are_refused(path: &Path) {
    let error = find_judgements(path).unwrap_err().to_string();
    assert!(error.contains("gum holds no judgements that tercet knows; looked for: relative rankings"), "{error}");
}
