//! Moses' sentence BLEU, as WMT15 published it with its direct assessments, and on Moses' tokens as in WMT16's table.

use crate::inputs::{Inputs, lines};
use libtest_mimic::Trial;
use std::path::Path;

pub fn trials(shared: &Path) -> Vec<Trial> {
    let mut trials = wmt15(shared);
    trials.extend(wmt16(shared));
    trials
}

fn wmt16(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("data/da-wmt16");
    let is_there = |pair: &str| folder.join(format!("DAseg-newstest2016.human.{pair}")).is_file();
    let pairs =
        [("cs-en", 0.557), ("de-en", 0.484), ("fi-en", 0.448), ("ro-en", 0.499), ("ru-en", 0.502), ("tr-en", 0.532)];
    pairs
        .into_iter()
        .filter(|(pair, _)| is_there(pair))
        .map(|(pair, expected)| {
            let folder = folder.clone();
            Trial::test(format!("da-wmt16/sentbleu.moses.{pair}"), move || {
                direct_assessment(&folder, pair, expected);
                Ok(())
            })
        })
        .collect()
}

fn wmt15(shared: &Path) -> Vec<Trial> {
    let folder = shared.join("data/da-wmt15");
    let published = |pair: &str| folder.join(format!("newstest2015.sbleumoses.{pair}")).is_file();
    // Of 500 segments each, how many differ in the last printed digit: 7 of 2,000.
    let pairs = [("cs-en", 0), ("de-en", 2), ("fi-en", 3), ("ru-en", 2)];
    pairs
        .into_iter()
        .filter(|(pair, _)| published(pair))
        .map(|(pair, expected)| {
            let folder = folder.clone();
            Trial::test(format!("da-wmt15/sbleumoses.{pair}"), move || {
                sentence_bleu(&folder, pair, expected);
                Ok(())
            })
        })
        .collect()
}

/// Six digits are printed; `expected` segments differ by one in the last.
fn sentence_bleu(folder: &Path, pair: &str, expected: usize) {
    let read = |kind: &str| lines(&folder.join(format!("newstest2015.{kind}.{pair}")));
    let references = read("reference").into_iter().map(|reference| vec![reference]).collect();
    let inputs = Inputs { hypotheses: read("mt-system"), references };
    let published = read("sbleumoses");
    let metric = tercet::registry().build("sentbleu").unwrap();
    let tallies = inputs.tallies(metric.as_ref());
    assert_eq!(tallies.len(), published.len());
    let mut different = 0;
    for (tally, published) in tallies.iter().zip(&published) {
        let (ours, theirs) = (metric.segment_score(tally), published.parse::<f64>().unwrap());
        assert!((ours - theirs).abs() <= 1.5e-5 * theirs, "ours {ours}, theirs {theirs}");
        different += usize::from(format!("{ours:.5e}") != format!("{theirs:.5e}"));
    }
    assert_eq!(different, expected, "of {} segments differ in the sixth digit", published.len());
}

/// Pearson's r of SentBLEU on Moses' tokens with the direct assessments of WMT16. The published row (Bojar et al.,
/// 2016) has the same six figures, with those of German and Finnish exchanged.
fn direct_assessment(folder: &Path, pair: &str, expected: f64) {
    let read = |kind: &str| lines(&folder.join(format!("DAseg-newstest2016.{kind}.{pair}")));
    let references = read("reference").into_iter().map(|reference| vec![reference]).collect();
    let inputs = Inputs { hypotheses: read("mt-system"), references };
    let human: Vec<f64> = read("human").iter().map(|score| score.parse().unwrap()).collect();
    let metric = tercet::registry().build("sentbleu:tok=moses").unwrap();
    let tallies = inputs.tallies(metric.as_ref());
    let ours: Vec<f64> = tallies.iter().map(|tally| metric.segment_score(tally)).collect();
    assert_eq!((ours.len(), human.len()), (560, 560));
    assert_eq!(format!("{:.3}", pearson(&ours, &human)), format!("{expected:.3}"));
}

fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (mean_x, mean_y) = (mean(x), mean(y));
    let product = |a: &[f64], b: &[f64], mean_a: f64, mean_b: f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| (a - mean_a) * (b - mean_b)).sum()
    };
    product(x, y, mean_x, mean_y) / (product(x, x, mean_x, mean_x) * product(y, y, mean_y, mean_y)).sqrt()
}
