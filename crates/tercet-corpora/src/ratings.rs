//! Judgements of single raters: the score one person gave an output, and the errors they marked in it.
//!
//! Places of errors are counted in characters (Unicode scalars) of the text as [`Texts`](crate::Texts) holds it, from
//! 0, the end behind the last character, as in the files of mt-metrics-eval.

use crate::formats::MqmWeights;
use serde::Serialize;
use std::cmp::Ordering;
use std::ops::Range;

/// The weight of a critical error.
const CRITICAL: f64 = 10.0;

/// Ratings of one kind of judgement, such as `mqm` or `esa`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ratings {
    /// The name of the human scores that these ratings were averaged into; if the files have no such scores, that of
    /// the ratings.
    pub name: String,
    /// Names of the raters.
    pub raters: Vec<String>,
    /// One rating for each output that a rater judged; several if they judged it again.
    pub ratings: Vec<Rating>,
}

/// What one rater says of one output.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rating {
    /// Index of the system.
    pub system: usize,
    /// Index of the segment.
    pub segment: usize,
    /// Index of the rater in [`Ratings::raters`], if the files say who it was.
    pub rater: Option<usize>,
    /// The score, higher is better; of MQM, minus the weights of the errors.
    pub score: Option<f64>,
    /// The errors that the rater marked.
    pub errors: Vec<ErrorSpan>,
}

/// An error that a rater, or a metric, marked.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ErrorSpan {
    /// The text it was marked in.
    pub side: MarkedText,
    /// The characters that were marked; `None` if the error has no place, as an omission has none in the output.
    pub place: Option<Range<usize>>,
    /// How bad the error is, if the file says.
    pub severity: Option<Severity>,
    /// The category, such as `Accuracy/Omission`; empty if the file has none.
    pub category: String,
}

/// The text that an error was marked in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MarkedText {
    /// The translation.
    #[default]
    Output,
    /// The source.
    Source,
}

tercet_base::choices! {
    /// How bad an error is, the least first.
    pub enum Severity: "severity" {
        /// Not an error: a matter of taste.
        Neutral = "neutral",
        /// Minor.
        Minor = "minor",
        /// Major.
        Major = "major",
        /// Critical.
        Critical = "critical",
    }
}

impl Severity {
    /// The severity of this name, in any case; `None` for other names.
    pub fn named(name: &str) -> Option<Severity> {
        name.trim().parse().ok()
    }
}

impl Ratings {
    /// The name of the rater of a rating, if the files say who it was.
    pub fn rater(&self, rating: &Rating) -> Option<&str> {
        self.raters.get(rating.rater?).map(String::as_str)
    }

    /// Sorts raters by name, ratings by system, segment and rater, and errors by place, so that the order of rows in
    /// the files changes nothing.
    pub fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.raters.len()).collect();
        order.sort_by(|&a, &b| self.raters[a].cmp(&self.raters[b]));
        let mut number = vec![0; order.len()];
        order.iter().enumerate().for_each(|(new, &old)| number[old] = new);
        self.raters = order.iter().map(|&old| std::mem::take(&mut self.raters[old])).collect();
        for rating in &mut self.ratings {
            rating.rater = rating.rater.map(|rater| number[rater]);
            rating.errors.sort_by(ErrorSpan::by_place);
        }
        let place = |of: &Rating| (of.system, of.segment, of.rater);
        let by_errors = |a: &Rating, b: &Rating| {
            let different = a.errors.iter().zip(&b.errors).map(|(a, b)| a.by_place(b)).find(|order| order.is_ne());
            different.unwrap_or_else(|| a.errors.len().cmp(&b.errors.len()))
        };
        self.ratings.sort_by(|a, b| {
            let by_score = || a.score.unwrap_or(f64::NAN).total_cmp(&b.score.unwrap_or(f64::NAN));
            place(a).cmp(&place(b)).then_with(by_score).then_with(|| by_errors(a, b))
        });
    }
}

impl ErrorSpan {
    /// The order of errors of a rating: by text and place, those without a place first.
    fn by_place(&self, other: &ErrorSpan) -> Ordering {
        fn key(of: &ErrorSpan) -> (MarkedText, Option<(usize, usize)>, Option<Severity>, &str) {
            (of.side, of.place.as_ref().map(|place| (place.start, place.end)), of.severity, &of.category)
        }
        key(self).cmp(&key(other))
    }
}

/// The score of a rating that has errors only: minus the weights of its errors as in [`MqmWeights::standard`], the
/// smallest first; a critical error, which has no weight there, weighs 10.
pub(crate) fn mqm_score(errors: &[ErrorSpan]) -> f64 {
    let weights = MqmWeights::standard();
    let weight = |error: &ErrorSpan| match error.severity {
        Some(Severity::Critical) => CRITICAL,
        Some(severity) => weights.weight(severity.name(), &error.category),
        None => 0.0,
    };
    let mut of_errors: Vec<f64> = errors.iter().map(weight).collect();
    of_errors.sort_unstable_by(f64::total_cmp);
    -of_errors.iter().sum::<f64>() + 0.0
}

/// The place of a marked text in another version of the text it was marked in: the nearest to where it was; `None` if
/// it is not in it. Raters' versions differ in white space and repaired words.
pub(crate) fn moved(marked: &str, place: &Range<usize>, to: &str) -> Option<Range<usize>> {
    if marked.is_empty() {
        return None;
    }
    let length = marked.chars().count();
    let starts = to.match_indices(marked).map(|(byte, _)| to[..byte].chars().count());
    starts.min_by_key(|start| (start.abs_diff(place.start), *start)).map(|start| start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_are_known_in_any_case_and_ordered() {
        assert_eq!(Severity::named(" MAJOR"), Some(Severity::Major));
        assert_eq!(Severity::named("No-error"), None);
        assert!(Severity::Minor < Severity::Critical);
    }

    #[test]
    fn marks_are_found_again_in_another_version_of_the_text() {
        let find = |marked, place| moved(marked, &place, "da ein Über da da");
        assert_eq!(find("Über", 4..8), Some(7..11));
        assert_eq!(find("da", 9..11), Some(12..14), "the nearest");
        assert_eq!((find("nie", 0..3), find("", 4..4)), (None, None));
    }
}
