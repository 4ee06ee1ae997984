//! Measures from which similarity on a word has a good partner: the threshold of `src/metrics/siamese/explain.rs`.
//!
//!     cargo run --release -p tercet --example explain_threshold -- REFERENCES OUTPUTS
//!
//! Two text files, line by line. Words that must find a partner: those of outputs that METEOR aligns, by the word
//! itself or by a stem, a synonym or a paraphrase. Words that must find none: one per line that is put into the output,
//! from the reference of another segment and longer than three letters; and one of the reference that is taken out of a
//! copy of it. Prints, for each threshold, how many of each kind have a lower similarity.

#![allow(clippy::print_stdout)]

use std::path::Path;
use tercet::corpora::read_lines;
use tercet::metrics::meteor::{Meteor, Module};
use tercet::metrics::{Explain, ExplainedWord, Segment};

const KINDS: [&str; 4] = ["same word", "stem, synonym, paraphrase", "put in", "taken out"];

fn main() -> tercet::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [references, outputs] = &arguments[..] else {
        println!("usage: explain_threshold REFERENCES OUTPUTS");
        return Ok(());
    };
    let (references, outputs) = (read_lines(Path::new(references))?, read_lines(Path::new(outputs))?);
    let (references, outputs): (Vec<&str>, Vec<&str>) = (references.iter().collect(), outputs.iter().collect());
    let metric = tercet::registry().build("siamese")?;
    let explainer = metric.explainer().expect("siamese explains its scores");
    let mut similarities: [Vec<f64>; 4] = Default::default();
    aligned(explainer, &outputs, &references, &mut similarities)?;
    damaged(explainer, &outputs, &references, &mut similarities)?;
    println!("below   {}", KINDS.join("  "));
    for step in 0..=20 {
        let threshold = f64::from(step) / 20.0;
        let share = |kind: &Vec<f64>| {
            let below = kind.iter().filter(|similarity| **similarity < threshold).count();
            format!("{:6.2} %", 100.0 * below as f64 / kind.len() as f64)
        };
        println!("{threshold:.2}  {}", similarities.each_ref().map(share).join("  "));
    }
    println!("words {:?}", similarities.each_ref().map(Vec::len));
    Ok(())
}

/// Words of outputs that METEOR aligns.
fn aligned(
    explainer: &dyn Explain,
    outputs: &[&str],
    references: &[&str],
    similarities: &mut [Vec<f64>; 4],
) -> tercet::Result<()> {
    let meteor = Meteor::parse("")?;
    let references: Vec<[&str; 1]> = references.iter().map(|reference| [*reference]).collect();
    let segments: Vec<Segment<'_>> =
        outputs.iter().zip(&references).map(|(output, references)| Segment::new(output, references)).collect();
    for (segment, found) in segments.iter().zip(explainer.explain(&segments)?) {
        let alignment = meteor.align(segment.hypothesis, segment.references);
        let mut rest = found.hypothesis_words.iter();
        for (place, token) in alignment.hypothesis.iter().enumerate() {
            let mut ahead = rest.clone();
            let Some(word) = ahead.find(|word| segment.hypothesis[word.bytes.clone()].to_lowercase() == *token) else {
                continue;
            };
            rest = ahead;
            if let Some(phrase) = alignment.matches.iter().find(|phrase| phrase.hypothesis.contains(&place)) {
                similarities[usize::from(phrase.module != Module::Exact)].push(word.similarity);
            }
        }
    }
    Ok(())
}

/// Words that are put into outputs, and words that are taken out of copies of references.
fn damaged(
    explainer: &dyn Explain,
    outputs: &[&str],
    references: &[&str],
    similarities: &mut [Vec<f64>; 4],
) -> tercet::Result<()> {
    let is_long = |word: &&str| word.len() > 3 && word.chars().all(char::is_alphabetic);
    let (mut with_word, mut without_word) = (Vec::new(), Vec::new());
    for (number, (output, reference)) in outputs.iter().zip(references).enumerate() {
        let own = format!("{output} {reference}").to_lowercase();
        let other = references[(number + 7) % references.len()];
        // The number of the segment decides, so that every run has the same words.
        if let Some(word) =
            pick(other.split(' ').filter(is_long).filter(|word| !own.contains(&word.to_lowercase())), number)
        {
            let place =
                output.match_indices(' ').nth(number % output.split(' ').count()).map_or(output.len(), |(at, _)| at);
            with_word.push((format!("{} {word}{}", &output[..place], &output[place..]), [*reference], place + 1));
        }
        let once = |word: &&str| reference.matches(*word).count() == 1;
        if let Some(word) = pick(reference.split(' ').filter(is_long).filter(once), number) {
            let place = reference.find(word).expect("it is one of its words");
            without_word.push((reference.replacen(word, "", 1), [*reference], place));
        }
    }
    let explain = |changed: &[(String, [&str; 1], usize)]| {
        explainer
            .explain(&changed.iter().map(|(text, references, _)| Segment::new(text, references)).collect::<Vec<_>>())
    };
    for (found, (_, _, place)) in explain(&with_word)?.iter().zip(&with_word) {
        similarities[2].extend(similarity(&found.hypothesis_words, *place));
    }
    for (found, (_, _, place)) in explain(&without_word)?.iter().zip(&without_word) {
        similarities[3].extend(similarity(&found.reference_words, *place));
    }
    Ok(())
}

fn pick<'a>(words: impl Iterator<Item = &'a str>, number: usize) -> Option<&'a str> {
    let words: Vec<&str> = words.collect();
    words.get(number.checked_rem(words.len())?).copied()
}

/// The similarity of the word that starts here.
fn similarity(words: &[ExplainedWord], start: usize) -> Option<f64> {
    words.iter().find(|word| word.bytes.start == start).map(|word| word.similarity)
}
