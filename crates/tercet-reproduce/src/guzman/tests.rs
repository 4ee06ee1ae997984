use super::experiment::{Experiment, Task, Vectors};
use super::plan::published;
use super::sets::SetName;
use super::*;
use crate::plan::PlannedRow;
use crate::{Paper, TrainingSize, VectorFile};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tercet::choice::Choice;
use tercet::progress::{Event, Progress};

fn job(data: &Path) -> ReproduceJob {
    ReproduceJob::new(Paper::Guzman, data.to_owned())
}

/// With vectors of words and without those of trees.
fn settings() -> ReproduceJob {
    let vectors = vec![(VectorFile::WikiGw50, PathBuf::from("glove"))];
    ReproduceJob { vectors, no_syntax: true, ..job(Path::new("nowhere")) }
}

fn experiments(table: &PlannedTable) -> Vec<(&str, &str, &Experiment)> {
    let mut found = Vec::new();
    for row in &table.rows {
        for group in &row.groups {
            if let Ok(Task::Learned(experiment)) = &group.source {
                found.push((row.name.as_str(), group.cells[0].column.as_str(), &**experiment));
            }
        }
    }
    found
}

#[test]
fn rows_have_the_papers_names_and_their_published_figures() {
    let table = tables::table_1(&settings());
    let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names, published("1").iter().map(|row| row.name).collect::<Vec<_>>());
    for (row, published) in table.rows.iter().zip(published("1")) {
        for group in &row.groups {
            let figures: Vec<Option<f64>> = group.cells.iter().map(|cell| cell.published).collect();
            assert_eq!(figures, published.figures, "{}", row.name);
        }
    }
    let chosen = vec![(0.25, "by development".to_owned()); 5];
    let table = tables::table_7(&settings(), &chosen);
    assert_eq!(table.rows.len(), published("7").len());
    let notes = |row: usize| table.rows[row].groups[0].note.clone().unwrap();
    assert_eq!(notes(0), "without SYNTAX25");
    assert_eq!(notes(3), "without SYNTAX25; by development");
}

#[test]
fn a_system_is_run_once_for_all_tables_it_stands_in() {
    let settings = settings();
    let planned = [
        tables::table_1(&settings),
        tables::table_4(&settings),
        tables::table_5(&settings),
        tables::table_6(&settings),
    ];
    let wanted = wanted(&planned, settings.seeds());
    // Four metrics; WIKI-GW50, 4METRICS, both; single, full; two costs; three fine-tunings, which are not run on all.
    assert_eq!(wanted.len(), 4 + 2 * (3 + 2 + 2) + 3);
    assert!(wanted.iter().all(|one| one.seeds == if one.task.is_learned() { vec![1, 2, 3, 4, 5] } else { vec![0] }));
    assert_eq!(wanted[4].name, "table 1, WIKI-GW50");
    assert_eq!(wanted[5].name, "table 1, WIKI-GW50, all judgements");
}

#[test]
fn logistic_regression_has_no_hidden_layer_and_vectors_bring_one() {
    use tercet_learn::networks::Architecture;
    let table = tables::table_1(&settings());
    for (row, column, experiment) in experiments(&table) {
        let expected = if row == "4METRICS" { Architecture::Single } else { Architecture::Groups };
        assert_eq!(experiment.architecture, expected, "{row}");
        assert_eq!(experiment.size.is_none(), column.ends_with("/all"), "{row} {column}");
    }
}

#[test]
fn what_cannot_be_run_says_what_is_missing() {
    let settings = ReproduceJob { no_syntax: true, ..job(Path::new("nowhere")) };
    let table = tables::table_3(&settings);
    for (row, file) in table.rows.iter().zip(VectorFile::ALL.iter().map(|known| known.value)) {
        let why = row.groups[0].source.as_ref().unwrap_err();
        assert!(why.ends_with(&format!("(give the file of {})", file.name())), "{why}");
    }
    let table = tables::table_1(&settings);
    let why = table.rows[4].groups[0].source.as_ref().unwrap_err();
    assert!(why.contains("needs SYNTAX25"), "{why}");
}

#[test]
fn our_parser_makes_syntax25_unless_told_otherwise() {
    let table = tables::table_7(&ReproduceJob { vectors: settings().vectors, ..job(Path::new("")) }, &[]);
    let (_, _, full) = experiments(&table)[0];
    assert_eq!(full.vectors, [Vectors::Syntax, Vectors::averages(VectorFile::WikiGw50)]);
    assert_eq!(table.rows[0].groups[0].note, None);
}

#[test]
fn learned_encoders_see_all_judgements_only_when_told_to() {
    let mut settings = settings();
    let all = |settings: &ReproduceJob| {
        let table = tables::table_6(settings);
        experiments(&table).iter().filter(|(_, column, _)| column.ends_with("/all")).count()
    };
    assert_eq!(all(&settings), 1, "ready vectors only");
    settings.train = Some(TrainingSize::All);
    assert_eq!(all(&settings), 4);
    let table = tables::table_6(&settings);
    let why = table.rows[0].groups[0].source.as_ref().unwrap_err();
    assert_eq!(why, "not asked for (ask for the training size 10k or both)");
}

#[test]
fn the_test_set_never_decides_when_training_stops() {
    let settings = settings();
    for table in absolute::table_9(&settings) {
        for (row, _, experiment) in experiments(&table) {
            assert_ne!(experiment.test.development(), experiment.test.set, "{row}");
            assert!(!experiment.train.contains(&experiment.test.set), "{row}");
        }
    }
}

#[test]
fn the_ablation_cuts_the_vocabulary_and_adds_years() {
    let table = ablation::ablation(&settings());
    let found = experiments(&table);
    let percents: Vec<u8> = found
        .iter()
        .filter_map(|(_, _, experiment)| match experiment.vectors[..] {
            [Vectors::Averages { percent, .. }] => Some(percent),
            _ => None,
        })
        .collect();
    assert_eq!(percents, [25, 50, 100, 100, 100]);
    let rates: Vec<f32> = found.iter().map(|(_, _, experiment)| experiment.optimizer.learning_rate).collect();
    assert!(rates.contains(&0.01) && rates.contains(&0.1));
    let chrf = found.iter().find(|(row, ..)| *row == "4METRICS+CHRF").unwrap().2;
    assert_eq!(chrf.features.len(), 5);
    let cosines: Vec<(usize, usize)> = found
        .iter()
        .filter(|(_, _, experiment)| !experiment.cosines.is_empty())
        .map(|(_, _, experiment)| (experiment.features.len(), experiment.vectors.len()))
        .collect();
    assert_eq!(cosines, [(4, 0)]);
    let alone = |row: &&PlannedRow<Task>| matches!(row.groups[0].source, Ok(Task::Cosine { .. }));
    let alone: Vec<&str> = table.rows.iter().filter(alone).map(|row| row.name.as_str()).collect();
    assert_eq!(alone, ["cosine of WIKI-GW50 alone"]);
    let missing: Vec<&str> =
        table.rows.iter().filter(|row| row.groups[0].source.is_err()).map(|row| row.name.as_str()).collect();
    assert!(missing.contains(&"4METRICS, METEOR and TERp-A with METEOR's paraphrase table"), "{missing:?}");
    assert!(missing.contains(&"4METRICS+cosines of both"), "{missing:?}");
}

#[test]
fn beyond_has_rows_for_every_encoder_and_token_matching_for_transformers() {
    let mut settings = settings();
    assert!(beyond::beyond(&settings).unwrap().is_none());
    settings.encoders = vec![
        ("words".to_owned(), "average:file=words.txt".to_owned()),
        ("MiniLM".to_owned(), "transformer:model=minilm".to_owned()),
    ];
    let table = beyond::beyond(&settings).unwrap().unwrap();
    let rows = |part: &str| table.rows.iter().filter(|row| row.name.contains(part)).count();
    assert_eq!((table.rows.len(), rows("words"), rows("MiniLM"), rows("BERTSCORE")), (15, 4, 10, 6));
    let found = experiments(&table);
    let row = |name: &str| found.iter().find(|(row, ..)| *row == name).unwrap().2;
    let both = row("4METRICS+BERTSCORE+MiniLM");
    assert_eq!(both.features.last().unwrap().metric(), "bertscore:model=minilm");
    assert_eq!((both.features.len(), &both.vectors[..]), (5, &[Vectors::Encoder(1)][..]));
}

#[test]
fn encoders_and_the_table_beyond_need_each_other() {
    let scratch = tempfile::tempdir().unwrap();
    write_sets(scratch.path());
    let refused = |tables: &[&str], encoders: Vec<(String, String)>| {
        let tables = tables.iter().map(|table| (*table).to_owned()).collect();
        let settings = ReproduceJob { tables, encoders, ..job(scratch.path()) };
        settings.validate().err().map(|error| error.to_string()).unwrap_or_default()
    };
    let encoder = vec![("words".to_owned(), "average:file=words.txt".to_owned())];
    assert!(refused(&["beyond"], Vec::new()).contains("needs sentence encoders"));
    assert!(refused(&["5"], encoder.clone()).contains("encoders changes nothing without the table beyond"));
    assert_eq!(refused(&[], encoder), "");
}

#[test]
fn vectors_of_a_given_encoder_are_computed_once_and_known_by_what_they_are() {
    let scratch = tempfile::tempdir().unwrap();
    write_sets(scratch.path());
    let glove = scratch.path().join("glove.txt");
    fs::write(&glove, "a 0.1 0.2\nb 0.3 -0.1\nc -0.2 0.4\n").unwrap();
    let mut settings = job(scratch.path());
    settings.tables = vec!["beyond".to_owned()];
    (settings.seeds, settings.train, settings.epochs) = (Some(1), Some(TrainingSize::TenThousand), Some(1));
    settings.cache = Some(scratch.path().join("cache"));
    let words = ("words".to_owned(), format!("average:file={}", glove.display()));
    let run = |encoders: Vec<(String, String)>| {
        let runs = AtomicUsize::new(0);
        let count = |event: &Event<'_>| {
            if let Event::Status { text, .. } = event {
                runs.fetch_add(usize::from(text.starts_with("table")), Ordering::Relaxed);
            }
            std::ops::ControlFlow::Continue(())
        };
        let settings = ReproduceJob { encoders, ..settings.clone() };
        let made = reproduce(&settings, &tercet::registry(), Progress::new(&count)).unwrap();
        (made.tables[0].cells.iter().filter(|cell| cell.ours.is_some()).count(), runs.into_inner())
    };
    // Five rows of four languages and their average.
    assert_eq!(run(vec![words.clone()]), (25, 5));
    let other = ("syntax".to_owned(), "syntax".to_owned());
    assert_eq!(run(vec![other, words]), (45, 4), "what was run with the encoder in the first place is found");
}

#[test]
fn the_first_of_the_best_dropouts_is_chosen_and_stated() {
    let (dropout, note) = best_dropout([(0.0, Some(1.0)), (0.25, Some(2.0)), (0.5, Some(2.0))]);
    assert_eq!(dropout, 0.25);
    assert_eq!(note, "dropout 0.25, by the development τ of seed 1 among 0, 0.25, 0.5");
    assert_eq!(best_dropout([(0.0, Some(f64::NAN)), (0.25, Some(1.0)), (0.5, None)]).0, 0.25);
    assert_eq!(best_dropout([(0.0, None), (0.25, None), (0.5, None)]).0, 0.0);
}

/// Two systems, the first of which is always better, on three segments.
fn write_sets(data: &Path) {
    let sets = [SetName::Wmt12, SetName::Wmt13, SetName::Wmt14];
    for (set, language) in sets.iter().flat_map(|set| set.languages().iter().map(move |one| (set, one))) {
        let folder = data.join(set.name());
        fs::create_dir_all(&folder).unwrap();
        let pair = format!("{}-en", if *language == "cz" { "cs" } else { *language });
        for (name, text) in [
            ("segments", "seg_id\tsource\treference\n1\tx\ta b c\n2\tx\tb c a\n3\tx\tc c b\n"),
            ("outputs", "seg_id\tsystem\ttext\n1\tp\ta b c\n1\tq\ta a\n2\tp\tb c\n2\tq\tc\n3\tp\tc b\n3\tq\ta\n"),
            ("pairs", "seg_id\tbetter\tworse\n1\tp\tq\n2\tp\tq\n3\tp\tq\n"),
        ] {
            fs::write(folder.join(format!("{name}.{pair}.tsv")), text).unwrap();
        }
    }
}

#[test]
fn fresh_runs_nothing_twice_though_dropouts_are_chosen_by_runs_of_their_own() {
    let scratch = tempfile::tempdir().unwrap();
    write_sets(scratch.path());
    let glove = scratch.path().join("glove.txt");
    fs::write(&glove, "a 0.1 0.2\nb 0.3 -0.1\nc -0.2 0.4\n").unwrap();
    let mut settings = job(scratch.path());
    settings.no_syntax = true;
    settings.tables = vec!["7".to_owned(), "8".to_owned()];
    (settings.seeds, settings.train, settings.fresh) = (Some(1), Some(TrainingSize::TenThousand), true);
    settings.vectors = vec![(VectorFile::WikiGw50, glove)];
    settings.cache = Some(scratch.path().join("cache"));
    (settings.epochs, settings.encoded_epochs) = (Some(1), Some(1));
    let runs = AtomicUsize::new(0);
    let count = |event: &Event<'_>| {
        if let Event::Status { text, .. } = event {
            let begins = text.starts_with("table") || text.starts_with("dropout");
            runs.fetch_add(usize::from(begins), Ordering::Relaxed);
        }
        std::ops::ControlFlow::Continue(())
    };
    let made = reproduce(&settings, &tercet::registry(), Progress::new(&count)).unwrap();
    assert_eq!(made.tables.len(), 2);
    // Five encoders with three dropouts, of which table 8 has one again, and averages.
    assert_eq!(runs.into_inner(), 5 * 3 + 1);
}
