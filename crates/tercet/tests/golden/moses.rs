//! Moses' sentence BLEU, as WMT15 published it with its direct assessments.

use crate::inputs::{Inputs, lines};
use libtest_mimic::Trial;
use std::path::Path;
use tercet::metrics::build;

pub fn trials(shared: &Path) -> Vec<Trial> {
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

/// Six digits are printed; so many segments differ by one in the last.
fn sentence_bleu(folder: &Path, pair: &str, expected: usize) {
    let read = |kind: &str| lines(&folder.join(format!("newstest2015.{kind}.{pair}")));
    let references = read("reference").into_iter().map(|reference| vec![reference]).collect();
    let inputs = Inputs { hypotheses: read("mt-system"), references };
    let published = read("sbleumoses");
    let mut metric = build("sentbleu").unwrap();
    let tallies = inputs.tallies(metric.as_mut());
    assert_eq!(tallies.len(), published.len());
    let mut different = 0;
    for (tally, published) in tallies.iter().zip(&published) {
        let (ours, theirs) = (metric.segment_score(tally), published.parse::<f64>().unwrap());
        assert!((ours - theirs).abs() <= 1.5e-5 * theirs, "ours {ours}, theirs {theirs}");
        different += usize::from(format!("{ours:.5e}") != format!("{theirs:.5e}"));
    }
    assert_eq!(different, expected, "of {} segments differ in the sixth digit", published.len());
}
