//! `tercet score` of Parquet and Arrow files.

use crate::test_dir::TestDir;

const REFERENCES: [&str; 6] = [
    "The cat sat on the mat.",
    "It rained all day long in the north.",
    "We will meet again on Tuesday, at noon.",
    "Nobody answered the telephone.",
    "The price of bread rose by three per cent.",
    "She closed the window and went to bed.",
];
const ONE: [&str; 6] = [
    "The cat sat on a mat.  ",
    "In the north it rained all day.",
    "We meet again Tuesday at noon.",
    "No one answered the telephone.",
    "Bread's price rose by three percent.",
    "She closed the window and went to bed.",
];
const OTHER: [&str; 6] = [
    "A cat was sitting on the mat.",
    "It has rained the whole day in the north.",
    "Until Tuesday.",
    "Telephone nobody answered.",
    "The bread price grew 3 per cent.",
    "",
];

/// A folder with the texts as lines.
fn lines() -> TestDir {
    let text = |lines: [&str; 6]| lines.map(|line| format!("{line}\n")).concat();
    TestDir::with(&[("ref.txt", &text(REFERENCES)), ("one.txt", &text(ONE)), ("other.txt", &text(OTHER))])
}

#[cfg(not(feature = "columns"))]
#[test]
fn without_the_feature_the_message_says_how_to_get_it() {
    let dir = lines();
    dir.write("t.parquet", b"PAR1....PAR1");
    let output = dir.run(&["score", "--hypothesis-column", "a", "--reference-column", "b", "t.parquet"]);
    assert_eq!(output.code, 2);
    let expected = "error: this build of tercet does not read Parquet and Arrow files: install it with --features \
        columns\n";
    assert_eq!(output.stderr, expected);
}

#[test]
fn flags_of_columns_are_refused_for_lines() {
    let dir = lines();
    let output = dir.run(&["score", "-r", "ref.txt", "--hypothesis-column", "x", "one.txt"]);
    let expected = "error: one.txt has no rows with named fields: it is not JSON, and its first line does not name a \
                    column x\n";
    assert_eq!((output.code, output.stderr.as_str()), (2, expected));
    let output = dir.run_with(&["score", "--system-column", "x"], "a,b\n");
    let expected =
        "error: - has no rows with named fields: it is not JSON, and its first line does not name a column x\n";
    assert_eq!((output.code, output.stderr.as_str()), (2, expected));
    let output = dir.run(&["score", "-r", "ref.txt", "-o", "x.parquet", "one.txt"]);
    assert!(output.stderr.contains("--output: .parquet is not written"), "{}", output.stderr);
}

#[cfg(feature = "columns")]
mod read {
    use super::*;
    use crate::test_dir::CommandOutput;
    use std::fs::File;
    use tercet_columns::{Format, NamedTexts, TableReader, write_texts};

    const METRICS: [&str; 8] = ["-m", "bleu", "-m", "chrf", "-m", "ter", "-m", "meteor"];
    const COLUMNS: [&str; 6] = ["--hypothesis", "one", "--hypothesis", "other", "-r", "ref"];

    fn some<'a>(lines: &[&'a str]) -> Vec<Option<&'a str>> {
        lines.iter().copied().map(Some).collect()
    }

    fn write(dir: &TestDir, name: &str, columns: &[NamedTexts<'_>]) {
        let path = dir.path(name);
        let format = Format::of_name(&path).unwrap();
        write_texts(File::create(path).unwrap(), format, columns).unwrap();
    }

    /// A folder with the texts as lines and as a table of this name.
    fn both(name: &str) -> TestDir {
        let dir = lines();
        write(
            &dir,
            name,
            &[("id", some(&["1"; 6])), ("ref", some(&REFERENCES)), ("one", some(&ONE)), ("other", some(&OTHER))],
        );
        dir
    }

    /// The rows of tables of `tsv`, without the names of the systems.
    fn scores(output: &CommandOutput) -> Vec<String> {
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout.lines().map(|line| line.split_once('\t').unwrap().1.to_owned()).collect()
    }

    fn run(dir: &TestDir, words: &[&[&str]]) -> CommandOutput {
        dir.run(&[&["score", "-q"], words.concat().as_slice()].concat())
    }

    /// The numbers of a column of a table.
    fn numbers(dir: &TestDir, table: &str, column: &str) -> Vec<f64> {
        let mut reader = TableReader::open(&dir.path(table)).unwrap();
        let mut all = Vec::new();
        while let Some(batch) = reader.next_batch().unwrap() {
            all.extend_from_slice(batch.numbers(column).unwrap());
        }
        all
    }

    #[test]
    fn scores_are_those_of_the_same_lines() {
        for table in ["t.parquet", "t.arrow", "t.arrows"] {
            let dir = both(table);
            for flags in [
                &["-f", "tsv", "--components"] as &[&str],
                &["-f", "tsv", "--confidence", "--paired", "bs", "-n", "50"],
                &["-f", "tsv", "--paired", "ar", "-n", "100"],
            ] {
                let of_lines = run(
                    &dir,
                    &[
                        &METRICS,
                        flags,
                        &["-r", "ref.txt", "--name", "one", "--name", "other"],
                        &["one.txt", "other.txt"],
                    ],
                );
                let of_table = run(&dir, &[&METRICS, flags, &COLUMNS, &[table]]);
                assert_eq!(scores(&of_table), scores(&of_lines), "{table}");
            }
        }
    }

    #[test]
    fn segment_scores_are_columns_beside_the_others() {
        let dir = both("t.parquet");
        let of_lines =
            run(&dir, &[&METRICS, &["-r", "ref.txt", "--level", "segment", "-f", "tsv", "one.txt", "other.txt"]]);
        let expected = |system: &str, metric: &str| -> Vec<f64> {
            let rows = of_lines.stdout.lines().map(|line| line.split('\t').collect::<Vec<_>>());
            rows.filter(|row| row[0] == system && row[2] == metric).map(|row| row[3].parse().unwrap()).collect()
        };
        for output in ["out.parquet", "out.arrow", "out.arrows"] {
            let printed =
                run(&dir, &[&METRICS, &COLUMNS, &["--level", "segment", "-o", output, "-f", "json", "t.parquet"]]);
            assert_eq!(printed.code, 0, "{}", printed.stderr);
            assert!(printed.stdout.starts_with("[\n  {\n    \"system\": \"one\""), "{}", printed.stdout);
            let reader = TableReader::open(&dir.path(output)).unwrap();
            assert_eq!(reader.columns()[..6], ["id", "ref", "one", "other", "one_bleu", "one_chrf"]);
            for (system, metric) in [("one", "bleu"), ("one", "meteor"), ("other", "chrf"), ("other", "ter")] {
                let found = numbers(&dir, output, &format!("{system}_{metric}"));
                assert_eq!(found, expected(&format!("{system}.txt"), metric), "{output} {system} {metric}");
            }
        }
        let one = run(
            &dir,
            &[&[
                "-m",
                "chrf",
                "--hypothesis-column",
                "other",
                "--reference-column",
                "ref",
                "-o",
                "one.arrow",
                "t.parquet",
            ]],
        );
        assert_eq!(one.code, 0, "{}", one.stderr);
        assert!(one.stdout.starts_with("system  chrF2\nother "), "{}", one.stdout);
        assert_eq!(numbers(&dir, "one.arrow", "chrf"), expected("other.txt", "chrf"));
    }

    #[test]
    fn a_column_may_name_the_systems() {
        let dir = lines();
        let rows: Vec<(&str, &str, &str)> =
            (0..6).flat_map(|i| [("one.txt", ONE[i], REFERENCES[i]), ("other.txt", OTHER[i], REFERENCES[i])]).collect();
        let column = |part: fn(&(&'static str, &'static str, &'static str)) -> &'static str| {
            rows.iter().map(|row| Some(part(row))).collect::<Vec<_>>()
        };
        write(
            &dir,
            "t.parquet",
            &[("sys", column(|row| row.0)), ("mt", column(|row| row.1)), ("ref", column(|row| row.2))],
        );
        let flags = ["-r", "ref", "--system", "sys"];
        let of_table = run(&dir, &[&METRICS, &flags, &["-f", "tsv", "t.parquet"]]);
        let of_lines = run(&dir, &[&METRICS, &["-r", "ref.txt", "-f", "tsv", "one.txt", "other.txt"]]);
        assert_eq!(of_table.stdout, of_lines.stdout);
        let refused = run(&dir, &[&flags, &["--paired", "bs", "t.parquet"]]);
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.starts_with("error: intervals and tests need the same segments"), "{}", refused.stderr);
    }

    #[test]
    fn several_reference_columns_are_several_references() {
        let dir = lines();
        write(&dir, "t.parquet", &[("a", some(&REFERENCES)), ("b", some(&OTHER)), ("mt", some(&ONE))]);
        let flags = ["--hypothesis-column", "mt", "--reference-column", "a", "--reference-column", "b", "--no-checks"];
        let of_table = run(&dir, &[&METRICS, &flags, &["-f", "tsv", "t.parquet"]]);
        let of_lines = run(&dir, &[&METRICS, &["-r", "ref.txt", "-r", "other.txt", "-f", "tsv", "one.txt"]]);
        assert_eq!(scores(&of_table), scores(&of_lines));
        let json = run(&dir, &[&flags, &["-m", "bleu", "-f", "json", "t.parquet"]]);
        assert!(json.stdout.contains("|refs=2|"), "{}", json.stdout);
    }

    #[test]
    fn mistakes_are_named() {
        let dir = both("t.parquet");
        let flags = ["--hypothesis-column", "one", "--reference-column", "ref"];
        for (words, code, message) in [
            (
                vec!["t.parquet"],
                2,
                "which column has the translations? name it with --hypothesis (there are: id, ref, one, other)",
            ),
            (
                vec!["--hypothesis", "id", "--system", "ref", "--hypothesis", "one", "t.parquet"],
                2,
                "--system is for one column of translations, and --hypothesis is given more than once",
            ),
            (
                vec!["--hypothesis-column", "mt", "--reference-column", "ref", "t.parquet"],
                2,
                "t.parquet has no column `mt` (its columns: id, ref, one, other)",
            ),
            (
                [&flags[..], &["-r", "ref.txt", "t.parquet"]].concat(),
                2,
                "t.parquet has no column `ref.txt` (its columns: id, ref, one, other)",
            ),
            (
                [&flags[..], &["--id", "id", "t.parquet"]].concat(),
                2,
                "--id cannot be used with a Parquet or Arrow file: rows of one file need not be joined",
            ),
            ([&flags[..], &["t.parquet", "t.parquet"]].concat(), 2, "one Parquet or Arrow file at a time"),
            (
                [&flags[..], &["--level", "segment", "t.parquet"]].concat(),
                2,
                "scores of the segments of a Parquet or Arrow file are written beside its rows",
            ),
            (
                [&flags[..], &["-m", "nist", "t.parquet"]].concat(),
                2,
                "nist needs the references of all segments before it can score the first",
            ),
            (
                [&flags[..], &["-o", "t.parquet", "t.parquet"]].concat(),
                2,
                "--output would overwrite t.parquet, which is read",
            ),
            (
                [&flags[..], &["--name", "a", "--name", "b", "t.parquet"]].concat(),
                2,
                "--name is given 2 times for 1 systems",
            ),
            ([&flags[..], &["-o", "out.xlsx", "t.parquet"]].concat(), 2, "--output: .xlsx is not written"),
            ([&flags[..], &["missing.parquet"]].concat(), 1, "cannot read missing.parquet"),
        ] {
            let output = run(&dir, &[&words]);
            assert_eq!(output.code, code, "{words:?}: {}", output.stderr);
            assert!(output.stderr.starts_with(&format!("error: {message}")), "{words:?}: {}", output.stderr);
        }
    }

    #[test]
    fn a_failure_leaves_no_file() {
        let dir = lines();
        let many = vec![Some("a b c"); 20_000];
        let mut last = many.clone();
        last[19_999] = None;
        write(&dir, "t.parquet", &[("ref", many), ("mt", last)]);
        let flags = ["--hypothesis-column", "mt", "--reference-column", "ref", "-o", "out.parquet", "t.parquet"];
        let output = run(&dir, &[&flags]);
        assert_eq!(output.code, 1);
        let expected = "error: t.parquet: row 20000: column `mt` is null: every row needs a text (fill it, or leave \
            the row out)\n";
        assert_eq!(output.stderr, expected);
        let left: Vec<_> = std::fs::read_dir(dir.path("")).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(left.len(), 4, "{left:?}");
    }

    #[test]
    fn empty_and_damaged_files_are_errors() {
        let dir = both("t.parquet");
        let flags = ["--hypothesis-column", "one", "--reference-column", "ref", "-o", "out.arrow"];
        write(&dir, "none.parquet", &[("ref", vec![]), ("one", vec![])]);
        let output = run(&dir, &[&flags, &["none.parquet"]]);
        assert_eq!((output.code, output.stderr.as_str()), (1, "error: none.parquet: there is no row to score\n"));
        let bytes = dir.read("t.parquet");
        dir.write("cut.parquet", &bytes[..bytes.len() / 2]);
        let output = run(&dir, &[&flags, &["cut.parquet"]]);
        assert_eq!(output.code, 1);
        assert!(
            output.stderr.starts_with("error: cut.parquet: the description of its columns cannot be read:"),
            "{}",
            output.stderr
        );
        assert!(!dir.path("out.arrow").exists());
    }

    #[test]
    fn damaged_files_do_not_print_panics() {
        let dir = both("t.arrow");
        let bytes = dir.read("t.arrow");
        let flags = ["--hypothesis-column", "one", "--reference-column", "ref", "-m", "bleu", "damaged.arrow"];
        let mut failures = 0;
        for i in (0..bytes.len()).rev().step_by(bytes.len() / 40) {
            let mut damaged = bytes.clone();
            damaged[i] ^= 0x80;
            dir.write("damaged.arrow", &damaged);
            let output = run(&dir, &[&flags]);
            assert!([0, 1, 2].contains(&output.code), "{i}: {}", output.stderr);
            assert!(!output.stderr.contains("panicked"), "{i}: {}", output.stderr);
            failures += usize::from(output.code != 0);
        }
        assert!(failures > 5, "{failures}");
    }

    #[test]
    fn suspicious_rows_are_warned_of() {
        let dir = both("t.arrow");
        let flags = ["--hypothesis-column", "other", "--reference-column", "ref", "-m", "bleu", "t.arrow"];
        let output = dir.run(&[&["score"], &flags[..]].concat());
        assert!(output.stderr.contains("warning: other: 1 empty line, the first is line 6"), "{}", output.stderr);
    }
}
