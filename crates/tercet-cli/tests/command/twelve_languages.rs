//! What is no translation, without references, in twelve languages: sentences written for this test, a line of
//! `twelve_languages.tsv` for each language, English first. The model's card has the figures.

use super::test_dir::TestDir;

/// What becomes of the translation of a sentence.
const KINDS: [&str; 6] = ["as it is", "copy of the source", "unrelated", "empty", "another language", "cut off"];

/// The lowest share of damaged translations that score below the whole one, and below the 5th percentile of outputs.
const FLOORS: [(f64, f64); 6] = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.9), (1.0, 1.0), (0.75, 0.3), (1.0, 0.8)];

fn first_half(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    match words.len() {
        0..4 => text.chars().take(text.chars().count() / 2).collect(),
        count => words[..count / 2].join(" "),
    }
}

#[test]
#[allow(clippy::print_stdout)]
fn without_references_what_is_no_translation_scores_below_it() {
    let table: Vec<Vec<&str>> =
        include_str!("twelve_languages.tsv").lines().map(|line| line.split('\t').collect()).collect();
    let (english, others) = (&table[0][1..], &table[1..]);
    let (mut below, mut low, mut count) = ([0.0; KINDS.len()], [0.0; KINDS.len()], 0.0);
    for (number, line) in others.iter().enumerate() {
        let (language, sentences) = (line[0], &line[1..]);
        let (mut sources, mut targets) = (String::new(), String::new());
        for (i, sentence) in sentences.iter().enumerate() {
            // Any language but this one.
            let other = others[(number + 1 + i % (others.len() - 1)) % others.len()][1 + i];
            let unrelated = sentences[(i + 1) % sentences.len()];
            let half = first_half(sentence);
            for target in [sentence, english[i], unrelated, "", other, &half] {
                sources += &format!("{}\n", english[i]);
                targets += &format!("{target}\n");
            }
        }
        let dir = TestDir::with(&[("src", &sources), ("out", &targets)]);
        let words = ["score", "-q", "--no-checks", "--lines", "-l", language, "-m", "siamese:scale=percentile", "-s"];
        let text = dir.stdout(&[&words[..], &["src", "--level", "segment", "-f", "tsv", "out"]].concat());
        let scores: Vec<f64> =
            text.lines().skip(1).map(|row| row.split('\t').nth(3).unwrap().parse().unwrap()).collect();
        assert_eq!(scores.len(), sentences.len() * KINDS.len());
        for scores in scores.chunks(KINDS.len()) {
            count += 1.0;
            for (kind, score) in scores.iter().enumerate() {
                below[kind] += f64::from(u8::from(*score < scores[0]));
                low[kind] += f64::from(u8::from(*score < 5.0));
            }
        }
    }
    for (kind, (least_below, least_low)) in FLOORS.into_iter().enumerate() {
        let (below, low) = (below[kind] / count, low[kind] / count);
        println!("{}: {below:.3} below the translation, {low:.3} below the 5th percentile", KINDS[kind]);
        assert!(below >= least_below && low >= least_low, "{}: {below} {low}", KINDS[kind]);
    }
}
