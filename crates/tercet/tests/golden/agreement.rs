//! The figures of `reproduce/wmt/README.md`: agreement of metrics with the rankings of WMT12 to WMT16, to the digits
//! printed there.

use libtest_mimic::{Failed, Trial};
use std::path::Path;
use tercet::corpora::{Levels, find_judgements};
use tercet::meta_evaluation::{CorrelateJob, IntervalKind, Test, correlate};
use tercet::progress::Progress;

/// Set, statistic, metric, and its value for each language pair in the order of the set, rounded.
type Row = (&'static str, &'static str, &'static str, usize, &'static [&'static str]);

const ROWS: &[Row] = &[
    ("wmt12-rr", "tau-wmt12", "bleu", 4, &["0.1574", "0.1832", "0.1917", "0.1991"]),
    ("wmt12-rr", "tau-wmt12", "nist", 4, &["0.1814", "0.2281", "0.2062", "0.2196"]),
    ("wmt12-rr", "tau-wmt12", "ter:normalized=yes", 4, &["0.0075", "0.0840", "0.0837", "0.0709"]),
    ("wmt12-rr", "tau-wmt14", "ter:normalized=yes", 4, &["0.1790", "0.2359", "0.2434", "0.2461"]),
    ("wmt12-rr", "tau-wmt12", "meteor", 4, &["0.1935", "0.2598", "0.2354", "0.2455"]),
    ("wmt12-rr", "tau-wmt12", "sentbleu:tok=moses", 3, &["0.146", "0.177", "0.184", "0.204"]),
    ("wmt14-rr", "tau-wmt14", "sentbleu:tok=moses", 3, &["0.200", "0.266", "0.369", "0.303", "0.262"]),
    ("wmt15-rr", "tau-wmt14", "sentbleu:tok=moses", 3, &["0.395", "0.345", "0.309", "0.347", "0.321"]),
    ("wmt16-rr", "tau-wmt14", "sentbleu:tok=moses", 3, &["0.283", "0.368", "0.263", "0.268", "0.326", "0.247"]),
];

pub fn trials(shared: &Path) -> Vec<Trial> {
    let data = shared.join("data");
    let trial = |row: &'static Row| {
        let (data, (set, statistic, metric, ..)) = (data.clone(), *row);
        Trial::test(format!("agreement/{set}.{statistic}.{metric}"), move || check(&data, row))
    };
    ROWS.iter().map(trial).collect()
}

fn check(data: &Path, (set, statistic, metric, decimals, published): &Row) -> Result<(), Failed> {
    let registry = tercet::registry();
    let metrics = [registry.named(metric, None)?];
    let job = CorrelateJob {
        level: Levels::Segment,
        statistics: vec![statistic.parse()?],
        interval: IntervalKind::None,
        test: Test::None,
        ..CorrelateJob::default()
    };
    let mut found = Vec::new();
    for source in find_judgements(&data.join(set))? {
        let finding = correlate(&source.read()?, &[], &metrics, &job, &registry, Progress::none())?;
        found.push(format!("{:.decimals$}", finding.agreements[0].value));
    }
    match found == *published {
        true => Ok(()),
        false => Err(format!("expected {published:?}, found {found:?}").into()),
    }
}
