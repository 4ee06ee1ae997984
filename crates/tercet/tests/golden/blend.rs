//! Scores that the authors of Blend published with their metric (2017), of tokenized and lowercased translations:
//! PER.pl and WER.pl 1.0, GTM 1.4, METEOR 1.4.

use crate::inputs::{Inputs, lines};
use libtest_mimic::Trial;
use std::path::Path;

/// The name of a score file, our metric, what its scores are multiplied with, and the greatest difference: half a unit
/// of the last digit that the tool prints.
const TOOLS: &[(&str, &str, f64, f64)] = &[
    ("nPER", "per", -0.01, 1e-14),
    ("WER", "wer", 0.01, 1e-14),
    ("GTM-1", "gtm-1", 1.0, 1e-15),
    ("GTM-2", "gtm-2", 1.0, 1e-15),
    ("GTM-3", "gtm-3", 1.0, 1e-15),
    ("METEOR-ex", "meteor-ex:norm=no", 1.0, 1e-12),
    ("METEOR-st", "meteor-st:norm=no", 1.0, 1e-12),
    ("METEOR-sy", "meteor-sy:norm=no", 1.0, 1e-12),
];

pub fn trials(shared: &Path) -> Vec<Trial> {
    let trial = |&(file, metric, factor, most): &(&'static str, &'static str, f64, f64)| {
        let shared = shared.to_owned();
        Trial::test(format!("blend_published/{file}"), move || {
            check(&shared, file, metric, factor, most);
            Ok(())
        })
    };
    TOOLS.iter().map(trial).collect()
}

fn check(shared: &Path, file: &str, metric: &str, factor: f64, most: f64) {
    let (golden, meteor) = (shared.join("golden"), shared.join("data/meteor/resources"));
    let published: Vec<f64> = lines(&golden.join(format!("blend_published/{file}.lines1-2680")))
        .iter()
        .map(|line| line.parse().unwrap())
        .collect();
    let metric = match metric.starts_with("meteor") {
        true => format!("{metric},data={}", meteor.display()),
        false => metric.to_owned(),
    };
    let metric = tercet::registry().build(&metric).unwrap();
    let tallies = inputs(&golden, file).tallies(metric.as_ref());
    let mut different = Vec::new();
    for (i, (tally, theirs)) in tallies.iter().zip(&published).enumerate() {
        let ours = factor * metric.segment_score(tally);
        if (ours - theirs).abs() > most {
            different.push((i, ours, *theirs));
        }
    }
    assert!(
        different.is_empty(),
        "{} of {} differ: {:?}",
        different.len(),
        published.len(),
        &different[..3.min(different.len())]
    );
}

/// Blend gave GTM the reference as the text to be scored, which matters for runs of the same length. METEOR read SGML,
/// which decodes Moses' `&quot;` and `&apos;`; the others compare them as they are.
fn inputs(golden: &Path, file: &str) -> Inputs {
    let text = |name: &str| lines(&golden.join("inputs/blend").join(name));
    let (mut hypotheses, mut references) = (text("mt-system.tok.lc"), text("reference.tok.lc"));
    if file.starts_with("GTM") {
        std::mem::swap(&mut hypotheses, &mut references);
    }
    if file.starts_with("METEOR") {
        hypotheses.iter_mut().chain(&mut references).for_each(|line| *line = decoded(line));
    }
    let references = references.into_iter().map(|line| vec![line]).collect();
    Inputs { hypotheses, references }
}

fn decoded(line: &str) -> String {
    let quotes = line.replace("&quot;", "\"").replace("&apos;", "'").replace("&lt;", "<").replace("&gt;", ">");
    quotes.replace("&amp;", "&")
}
