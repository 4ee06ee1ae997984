//! tercom 0.10.0, the Java tool that defined TER: edits and reference length of every segment, and the total.
//!
//! Our TER is sacreBLEU's, which counts a few segments differently from tercom. These are listed with what sacreBLEU
//! 2.6.0 gives for them and why; a segment listed here must differ, and all others must not.

use crate::inputs::{Inputs, assert_close, files, name};
use libtest_mimic::Trial;
use std::fs;
use std::path::Path;
use tercet::metrics::Tally;

/// Segments of one file for which sacreBLEU and tercom differ: number, edits and length by sacreBLEU.
struct Difference {
    file: &'static str,
    reason: &'static str,
    segments: &'static [(usize, f64, f64)],
}

const TOKENIZED_TWICE: &str =
    "sacreBLEU tokenizes references twice, and `Edmund's,` becomes three words the second time";
const LEADING_PUNCTUATION: &str =
    "where a line starts with punctuation that is removed, tercom counts an empty first word";
const SHIFT_DISTANCE: &str = "a shift goes too far by tercom's measure or by sacreBLEU's: from the block to the \
                              hypothesis word aligned with where it is to go, or to that place in the reference";

const DIFFERENCES: &[Difference] = &[
    Difference { file: "deen.onlineF.N.tercom-0.10.0.ter", reason: TOKENIZED_TWICE, segments: &[(470, 22.0, 27.0)] },
    Difference {
        file: "deen.onlineF.NsP.tercom-0.10.0.ter",
        reason: LEADING_PUNCTUATION,
        segments: &[
            (8, 14.0, 21.0),
            (11, 10.0, 13.0),
            (17, 19.0, 25.0),
            (22, 21.0, 18.0),
            (23, 8.0, 13.0),
            (24, 13.0, 13.0),
            (37, 8.0, 7.0),
            (49, 16.0, 23.0),
            (77, 11.0, 16.0),
            (110, 18.0, 25.0),
            (111, 20.0, 34.0),
            (116, 17.0, 23.0),
            (121, 11.0, 13.0),
            (123, 12.0, 16.0),
            (133, 18.0, 26.0),
            (136, 8.0, 17.0),
            (185, 13.0, 14.0),
            (216, 18.0, 34.0),
            (285, 15.0, 26.0),
            (317, 20.0, 18.0),
            (318, 17.0, 18.0),
            (444, 19.0, 21.0),
            (461, 11.0, 14.0),
            (468, 7.0, 9.0),
            (499, 9.0, 11.0),
        ],
    },
    Difference { file: "deen.onlineF.NsP.tercom-0.10.0.ter", reason: TOKENIZED_TWICE, segments: &[(470, 22.0, 24.0)] },
    Difference {
        file: "edge.tercom-0.10.0.ter",
        reason: "a no-break space is white space to Python and not to Java",
        segments: &[(20, 0.0, 4.0)],
    },
    Difference { file: "enzh.onlineB.NA.tercom-0.10.0.ter", reason: SHIFT_DISTANCE, segments: &[(197, 63.0, 98.0)] },
    Difference {
        file: "multiref.set1.out1.4ref.tercom-0.10.0.ter",
        reason: SHIFT_DISTANCE,
        segments: &[(24, 50.0, 70.25)],
    },
];

pub fn trials(shared: &Path) -> Vec<Trial> {
    let paths = files(shared, "tercom", ".tercom-0.10.0.ter").into_iter();
    let trial = |path: std::path::PathBuf| {
        let shared = shared.to_owned();
        Trial::test(name(&path), move || {
            check(&shared, &path);
            Ok(())
        })
    };
    paths.map(trial).collect()
}

fn check(shared: &Path, path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let ours = tallies(shared, &text);
    let rows: Vec<(usize, f64, f64)> = text.lines().filter_map(row).collect();
    assert_eq!(rows.len(), ours.len());
    let file = path.file_name().unwrap().to_str().unwrap();
    let mut total = total(&text);
    for (segment, edits, length) in rows {
        let tally = &ours[segment - 1];
        let what = format!("segment {segment}");
        let mut expected = (edits, length);
        if let Some((by_sacrebleu, reason)) = difference(file, segment) {
            assert_ne!(expected, by_sacrebleu, "{what} is listed but does not differ: {reason}");
            total = (total.0 + by_sacrebleu.0 - edits, total.1 + by_sacrebleu.1 - length);
            expected = by_sacrebleu;
        }
        assert_eq!(tally[0], expected.0, "{what}");
        assert_close(tally[1], expected.1, &what);
    }
    let sum = Tally::sum(&ours);
    assert_close(sum[0], total.0, "total edits");
    assert_close(sum[1], total.1, "total length");
}

/// Our tallies for the inputs and flags in the first lines of a file.
fn tallies(shared: &Path, text: &str) -> Vec<Tally> {
    let mut lines = text.lines();
    let (_, flags) = lines.next().unwrap().split_once("-o ter").unwrap();
    let described = lines.next().unwrap().strip_prefix("# inputs: hyp=").unwrap();
    let (hypotheses, rest) = described.split_once(" refs=").unwrap();
    let (references, rest) = rest.split_once(" first_lines=").unwrap();
    let first_lines = rest.split(' ').next().unwrap().parse().unwrap();
    let references: Vec<&str> = references.split(' ').collect();
    let options: Vec<&str> = flags.split_whitespace().map(option).collect();
    let metric = tercet::registry().build(&format!("ter:{}", options.join(","))).unwrap();
    Inputs::from_files(shared, hypotheses, &references, Some(first_lines)).tallies(metric.as_ref())
}

fn option(flag: &str) -> &'static str {
    match flag {
        "-N" => "normalized=yes",
        "-P" => "no_punct=yes",
        "-A" => "asian_support=yes",
        "-s" => "case_sensitive=yes",
        _ => panic!("unknown flag {flag}"),
    }
}

/// `s-12:1 5.0 20.0 0.25`: segment, edits, length, their ratio.
fn row(line: &str) -> Option<(usize, f64, f64)> {
    let mut fields = line.strip_prefix("s-")?.split(' ');
    let (segment, _) = fields.next()?.split_once(':')?;
    let mut number = || fields.next()?.parse().ok();
    Some((segment.parse().ok()?, number()?, number()?))
}

/// `# Total TER: 0.25 (5.0/20.0)`
fn total(text: &str) -> (f64, f64) {
    let line = text.lines().find(|line| line.starts_with("# Total TER: ")).unwrap();
    let (_, counts) = line.split_once('(').unwrap();
    let (edits, length) = counts.trim_end_matches(')').split_once('/').unwrap();
    (edits.parse().unwrap(), length.parse().unwrap())
}

/// Edits and length by sacreBLEU, and why they are not tercom's.
fn difference(file: &str, segment: usize) -> Option<((f64, f64), &'static str)> {
    let of_file = DIFFERENCES.iter().filter(|difference| difference.file == file);
    let listed = of_file.flat_map(|difference| difference.segments.iter().map(move |one| (one, difference.reason)));
    listed
        .filter(|((number, _, _), _)| *number == segment)
        .map(|((_, edits, length), reason)| ((*edits, *length), reason))
        .next()
}
