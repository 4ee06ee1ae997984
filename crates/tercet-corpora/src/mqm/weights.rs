//! Weights of MQM errors.
//!
//! A weight belongs to a severity, or to a severity in a category, or in a subcategory: `Minor/Fluency/Punctuation`.
//! The most specific weight that matches an error is taken, ignoring case; without a match the weight is 0. So
//! `No-error`, `HOTW-test` (an error inserted to test the rater) and unknown severities weigh 0, as in
//! mt-metrics-eval's `score_mqm`.

use crate::error::{Error, Result};

/// MqmWeights of errors by severity and category.
#[derive(Clone, Debug, PartialEq)]
pub struct MqmWeights(Vec<(String, f64)>);

impl MqmWeights {
    /// Google's weights (Freitag et al., 2021), the default of mt-metrics-eval:
    /// `Major:5 Minor:1 Neutral:0 Major/Non-translation!:25 Minor/Fluency/Punctuation:0.1`.
    pub fn standard() -> Self {
        let of = |(what, weight): (&str, f64)| (what.to_owned(), weight);
        MqmWeights(
            [
                ("major", 5.0),
                ("minor", 1.0),
                ("neutral", 0.0),
                ("major/non-translation!", 25.0),
                ("minor/fluency/punctuation", 0.1),
            ]
            .map(of)
            .to_vec(),
        )
    }

    /// MqmWeights written as `severity[/category[/subcategory]]:weight`, with spaces between them.
    ///
    /// ```
    /// use tercet_corpora::formats::MqmWeights;
    /// let weights = MqmWeights::parse("Major:10 Minor:1 Minor/Fluency:0.5")?;
    /// assert_eq!(weights.weight("minor", "Fluency/Grammar"), 0.5);
    /// # Ok::<(), tercet_base::Error>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let weight = |item: &str| {
            let (what, weight) = item.rsplit_once(':')?;
            let weight: f64 = weight.parse().ok().filter(|weight: &f64| weight.abs() <= 1e9)?;
            (!what.is_empty()).then(|| (what.to_lowercase(), weight))
        };
        let wrong = |item: &str| {
            Error::BadRequest(format!(
                "cannot read the weight `{item}` (write severity[/category[/subcategory]]:weight, such as \
                 Minor/Fluency:0.5)"
            ))
        };
        let items: Result<Vec<_>> =
            text.split_whitespace().map(|item| weight(item).ok_or_else(|| wrong(item))).collect();
        items.map(MqmWeights)
    }

    /// Whether this severity has a weight, or is known to weigh 0: `No-error`, `HOTW-test`.
    pub fn knows(&self, severity: &str) -> bool {
        let severity = severity.to_lowercase();
        let weighed = |(what, _): &(String, f64)| what.split('/').next() == Some(severity.as_str());
        MqmWeights::is_no_error(&severity) || self.0.iter().any(weighed)
    }

    /// Whether this severity says that there is no error, or that the error was inserted to test the rater.
    pub fn is_no_error(severity: &str) -> bool {
        ["no-error", "hotw-test"].iter().any(|known| severity.eq_ignore_ascii_case(known))
    }

    /// The weight of an error of this severity and category, such as `Fluency/Punctuation`.
    pub fn weight(&self, severity: &str, category: &str) -> f64 {
        let error = format!("{severity}/{category}").to_lowercase();
        let mut fitting = error.as_str();
        loop {
            // Of two weights for the same key the last counts, as in a Python dictionary.
            if let Some((_, weight)) = self.0.iter().rev().find(|(what, _)| what == fitting) {
                return *weight;
            }
            match fitting.rfind('/') {
                Some(slash) => fitting = &fitting[..slash],
                None => return 0.0,
            }
        }
    }
}

impl Default for MqmWeights {
    fn default() -> Self {
        MqmWeights::standard()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_weight_counts() {
        let weights = MqmWeights::standard();
        assert_eq!(weights.weight("Minor", "Fluency/Punctuation"), 0.1);
        assert_eq!(weights.weight("minor", "fluency/punctuation/comma"), 0.1);
        assert_eq!(weights.weight("Minor", "Fluency"), 1.0);
        assert_eq!(weights.weight("Major", "Fluency/Punctuation"), 5.0);
        assert_eq!(weights.weight("Major", "Non-translation!"), 25.0);
        assert_eq!(weights.weight("Minor", "Non-translation!"), 1.0);
        assert_eq!(weights.weight("Critical", "Accuracy"), 0.0);
        assert_eq!(weights.weight("No-error", "No-error"), 0.0);
    }

    #[test]
    fn weights_are_read_or_refused() {
        let standard = "Major:5 Minor:1 Neutral:0 Major/Non-translation!:25 Minor/Fluency/Punctuation:0.1";
        assert_eq!(MqmWeights::parse(standard).unwrap(), MqmWeights::standard());
        assert_eq!(MqmWeights::parse("Major:5 major:7").unwrap().weight("Major", ""), 7.0);
        assert_eq!(
            MqmWeights::parse("Major=5").unwrap_err().to_string(),
            "cannot read the weight `Major=5` (write severity[/category[/subcategory]]:weight, such as \
             Minor/Fluency:0.5)"
        );
        assert!(MqmWeights::parse("Major:nan").is_err() && MqmWeights::parse(":5").is_err());
    }
}
