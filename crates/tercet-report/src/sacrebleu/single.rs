//! One system: a line or a JSON object per metric.

use super::colour::{Colour, Palette};
use super::python::{fixed, json_rounded, json_string};

/// A score with everything that sacreBLEU prints.
#[derive(Clone, Debug)]
pub struct ScoreLine {
    /// The metric: `BLEU`, `chrF2`.
    pub name: String,
    /// The score.
    pub score: f64,
    /// Mean and half width of the 95% interval.
    pub interval: Option<(f64, f64)>,
    /// Details printed after the score.
    pub verbose: Option<String>,
    /// sacreBLEU's signature.
    pub signature: String,
}

impl ScoreLine {
    fn score_with_interval(&self, width: usize) -> String {
        let mut written = fixed(self.score, width);
        if let Some(confidence) = self.confidence(width) {
            written.push_str(&format!(" ({confidence})"));
        }
        written
    }

    /// As in sacreBLEU, an interval with mean 0 is not printed.
    fn confidence(&self, width: usize) -> Option<String> {
        let (mean, half_width) = self.interval.filter(|(mean, _)| *mean > 0.0)?;
        Some(format!("μ = {} ± {}", fixed(mean, width), fixed(half_width, width)))
    }

    fn line(&self, width: usize) -> String {
        let mut line = format!("{}|{} = {}", self.name, self.signature, self.score_with_interval(width));
        if let Some(verbose) = &self.verbose {
            line.push(' ');
            line.push_str(verbose);
        }
        line
    }

    /// `indent=1`, every pair of the signature as a member.
    fn object(&self, width: usize) -> String {
        let text = |value: &str| json_string(value, false);
        let mut members = vec![
            ("name", text(&self.name)),
            ("score", json_rounded(&fixed(self.score, width))),
            ("signature", text(&self.signature)),
        ];
        if let (Some(confidence), Some((mean, half_width))) = (self.confidence(width), self.interval) {
            members.push(("confidence_mean", json_rounded(&fixed(mean, width))));
            members.push(("confidence_var", json_rounded(&fixed(half_width, width))));
            members.push(("confidence", text(&confidence)));
        }
        if let Some(verbose) = &self.verbose {
            members.push(("verbose_score", text(verbose)));
        }
        let pairs = self.signature.split('|').filter_map(|pair| pair.split_once(':'));
        members.extend(pairs.map(|(key, value)| (key, text(value))));
        let members: Vec<String> = members.iter().map(|(key, value)| format!(" {}: {value}", text(key))).collect();
        format!("{{\n{}\n}}", members.join(",\n"))
    }
}

/// The scores of one system as JSON: an object, or an array of several.
pub fn json(scores: &[ScoreLine], width: usize, score_only: bool) -> String {
    let written: Vec<String> = scores
        .iter()
        .map(|score| if score_only { score.score_with_interval(width) } else { score.object(width) })
        .collect();
    match written.as_slice() {
        [one] => format!("{one}\n"),
        several => format!("[\n{}\n]\n", several.join(",\n")),
    }
}

/// The score of one sentence: a line.
pub fn sentence(score: &ScoreLine, width: usize, score_only: bool) -> String {
    let mut line = if score_only { score.score_with_interval(width) } else { score.line(width) };
    line.push('\n');
    line
}

/// The scores of one system as text, a line each, with their first `=` aligned.
pub fn text(scores: &[ScoreLine], width: usize, score_only: bool, palette: Palette) -> String {
    let mut lines: Vec<String> =
        scores.iter().map(|score| sentence(score, width, score_only).trim_end().to_owned()).collect();
    if lines.first().is_some_and(|line| line.contains('μ')) {
        for (line, score) in lines.iter_mut().zip(scores) {
            if let Some(confidence) = score.confidence(width) {
                let confidence = format!("({confidence})");
                *line = line.replacen(&confidence, &palette.paint(&confidence, Colour::Cyan), 1);
            }
        }
    }
    match lines.as_slice() {
        [one] => format!("{one}\n"),
        several => aligned(several),
    }
}

/// Aligns as sacreBLEU does: lines without `=` first; then positions found are assigned to lines from the first on.
fn aligned(lines: &[String]) -> String {
    let mut printed = String::new();
    let mut lengths = Vec::new();
    for line in lines {
        match line.find('=') {
            Some(place) => lengths.push(line[..place].chars().count() - 1),
            None => {
                printed.push_str(line);
                printed.push('\n');
            }
        }
    }
    let widest = lengths.iter().copied().max().unwrap_or_default();
    for (&length, line) in lengths.iter().zip(lines) {
        let left: String = line.chars().take(length).collect();
        let right: String = line.chars().skip(length).collect();
        printed.push_str(&format!("{left:>widest$}{right}\n"));
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(name: &str, score: f64, interval: Option<(f64, f64)>) -> ScoreLine {
        ScoreLine { name: name.to_owned(), score, interval, verbose: None, signature: "nrefs:1|version:x".to_owned() }
    }

    #[test]
    fn one_metric_is_an_object_and_several_are_an_array() {
        let bleu = score("BLEU", 12.345, Some((12.0, 0.06)));
        let object = "{\n \"name\": \"BLEU\",\n \"score\": 12.3,\n \"signature\": \"nrefs:1|version:x\",\n \
                      \"confidence_mean\": 12.0,\n \"confidence_var\": 0.1,\n \"confidence\": \"μ = 12.0 ± 0.1\",\n \
                      \"nrefs\": \"1\",\n \"version\": \"x\"\n}";
        assert_eq!(json(std::slice::from_ref(&bleu), 1, false), format!("{object}\n"));
        assert_eq!(json(&[bleu, score("TER", 7.0, None)], 1, true), "[\n12.3 (μ = 12.0 ± 0.1),\n7.0\n]\n");
    }

    #[test]
    fn equals_signs_are_aligned() {
        let scores = [score("BLEU", 1.0, None), score("chrF2++", 2.0, None)];
        assert_eq!(
            text(&scores, 1, false, Palette::Plain),
            "   BLEU|nrefs:1|version:x = 1.0\nchrF2++|nrefs:1|version:x = 2.0\n"
        );
    }

    #[test]
    fn an_interval_around_zero_is_not_printed_and_confuses_the_alignment_as_in_sacrebleu() {
        let scores = [score("BLEU", 0.0, Some((0.0, 0.0))), score("TER", 85.0, Some((85.0, 1.0)))];
        assert_eq!(text(&scores, 1, true, Palette::Plain), "0.0\n    0.0\n");
    }

    #[test]
    fn intervals_are_coloured_if_there_are_colours() {
        let scores = [score("BLEU", 1.0, Some((2.0, 3.0)))];
        assert_eq!(text(&scores, 0, true, Palette::Coloured), "1 \x1b[36m(μ = 2 ± 3)\x1b[0m\n");
    }
}
