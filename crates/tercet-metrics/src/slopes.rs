//! Slopes that turn a difference of scores into the probability that humans prefer a translation.
//!
//! The slopes of [`LogisticPreference`](super::LogisticPreference), fitted by
//!
//! ```text
//! cargo run --release -p tercet --example slopes -- DATA
//! ```
//!
//! to the relative rankings of WMT12–16 to English: 808,737 judgements without ties, of 24 language pairs in five years,
//! all of whose outputs have a text. Scores of segments with the metric's default options against one reference.
//!
//! # Choices
//! Every language pair of every year has the same weight. If every judgement did, WMT13 with its 362,710 judgements would
//! have nearly half of the weight, and slopes would be 2 to 5% smaller. Language pairs differ more than that: one alone gives chrF
//! a slope from 0.064 to 0.095. So a probability predicts an average judge of these years, for news in English; and
//! since judges disagree with each other, it is seldom far from one half.
//!
//! Other options of a metric have the slope of its default ones, since they leave the scale as it is. Fitted by
//! themselves, chrF++ would have 0.0797 and not 0.0804, `bleu:smooth=floor` 0.0444 and not 0.0497, `ter:normalized=yes`
//! 0.0405 and not 0.0335. NIST's scores grow with the test set, since words are rare in comparison with it; the slope is
//! that of sets with 524 to 3,003 segments.
//!
//! # Agreement
//! scipy 1.17.1's `minimize_scalar` on the same differences gives chrF, TER and METEOR these slopes, log-likelihoods and
//! accuracies in all digits shown.

use super::{MetricInfo, Scale};
use crate::error::{Error, Result};
use crate::spec::Spec;

/// A metric's slope and how well it explains the judgements it was fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedSlope {
    /// The metric, with its default options.
    pub metric: &'static str,
    /// Per unit of its score; positive for metrics of either direction.
    pub slope: f64,
    /// The mean log-probability of the judgements; chance is −0.6931.
    pub log_likelihood: f64,
    /// The share of judgements predicted with a probability above ½; exactly ½ counts half.
    pub accuracy: f64,
}

/// The slopes of the metrics that have no [`Preference`](super::Preference) of their own; BERTScore depends on its model and has none.
pub static SLOPES: &[FittedSlope] = &[
    FittedSlope { metric: "bleu", slope: 0.04971, log_likelihood: -0.6348, accuracy: 0.6342 },
    FittedSlope { metric: "sentbleu", slope: 5.40784, log_likelihood: -0.6380, accuracy: 0.6290 },
    FittedSlope { metric: "nist", slope: 0.39217, log_likelihood: -0.6220, accuracy: 0.6468 },
    FittedSlope { metric: "meteor", slope: 11.14058, log_likelihood: -0.6086, accuracy: 0.6649 },
    FittedSlope { metric: "chrf", slope: 0.08039, log_likelihood: -0.6054, accuracy: 0.6677 },
    FittedSlope { metric: "ter", slope: 0.03349, log_likelihood: -0.6407, accuracy: 0.6314 },
    FittedSlope { metric: "terp", slope: 0.04970, log_likelihood: -0.6167, accuracy: 0.6573 },
    FittedSlope { metric: "wer", slope: 0.03156, log_likelihood: -0.6429, accuracy: 0.6268 },
    FittedSlope { metric: "per", slope: 0.03254, log_likelihood: -0.6460, accuracy: 0.6256 },
    FittedSlope { metric: "cer", slope: 0.05020, log_likelihood: -0.6309, accuracy: 0.6469 },
    FittedSlope { metric: "character", slope: 0.04849, log_likelihood: -0.6292, accuracy: 0.6464 },
    FittedSlope { metric: "rouge", slope: 6.37851, log_likelihood: -0.6167, accuracy: 0.6518 },
    FittedSlope { metric: "gtm", slope: 5.30483, log_likelihood: -0.6294, accuracy: 0.6376 },
    FittedSlope { metric: "overlap", slope: 5.78786, log_likelihood: -0.6263, accuracy: 0.6385 },
];

/// Whether the slope in a signature is the fitted one of its metric.
pub fn has_fitted_slope(signature: &Spec) -> bool {
    let slope = signature.qualifier("slope").and_then(|slope| slope.parse().ok());
    SLOPES.iter().any(|fitted| fitted.metric == signature.name() && Some(fitted.slope) == slope)
}

/// The fitted slope of a metric.
pub(super) fn fitted(metric: &str) -> Option<f64> {
    SLOPES.iter().find(|fitted| fitted.metric == metric).map(|fitted| fitted.slope)
}

/// The slope of a metric: the one a signature gives, or else the fitted one.
pub(super) fn slope(info: &MetricInfo, spec: &Spec, given: Option<&str>) -> Result<f64> {
    if let Some(given) = given {
        let number = given.parse().ok().filter(|slope: &f64| slope.is_finite() && *slope > 0.0);
        let reason = format!("slope={given}: expected a number above 0");
        return number.ok_or_else(|| Error::BadSpec { what: "metric", text: spec.to_string(), reason });
    }
    fitted(info.name).ok_or_else(|| {
        let slope = if info.scale == Scale::One { "20" } else { "0.05" };
        Error::BadRequest(format!(
            "no slope was fitted for {}, which turns its scores into probabilities (give one, as in '{spec}|slope={slope}')",
            info.name
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MetricInfo, Registry};

    #[test]
    fn every_metric_compares_by_itself_or_has_a_slope() {
        // The slope of BERTScore depends on its model.
        let is_fixed = |info: &&&MetricInfo| info.preference.is_none() && info.name != "bertscore";
        for info in Registry::lexical().metrics().iter().filter(is_fixed) {
            let found: Vec<_> = SLOPES.iter().filter(|fitted| fitted.metric == info.name).collect();
            assert_eq!(found.len(), 1, "{}", info.name);
            assert!(found[0].slope > 0.0 && found[0].log_likelihood > 0.5f64.ln() && found[0].accuracy > 0.5);
        }
        assert!(
            SLOPES
                .iter()
                .all(|fitted| Registry::lexical().metrics().iter().any(|info| info.name == fitted.metric))
        );
    }

    #[test]
    fn a_slope_is_printed_and_used_when_it_is_handed_back() -> Result<()> {
        let slope = |text: &str| -> Result<Option<String>> {
            Ok(Registry::lexical().preference(text, None)?.signature().qualifier("slope").map(str::to_owned))
        };
        let fitted =
            SLOPES.iter().find(|fitted| fitted.metric == "chrf").map(|fitted| fitted.slope.to_string());
        assert_eq!(slope("chrf++")?, fitted);
        assert_eq!(slope("chrf|slope=0.5|refs=1")?.as_deref(), Some("0.5"));
        let printed =
            Registry::lexical().preference("ter:normalized=yes|slope=0.0123", None)?.signature().to_string();
        assert_eq!(Registry::lexical().preference(&printed, None)?.signature().to_string(), printed);
        Ok(())
    }

    #[test]
    fn an_invalid_slope_is_refused() {
        for given in ["0", "-1", "inf", "NaN", "steep", ""] {
            let error = Registry::lexical()
                .preference(&format!("chrf|slope={given}"), None)
                .err()
                .unwrap()
                .to_string();
            assert_eq!(
                error,
                format!(
                    "cannot read the metric `chrf`: slope={given}: expected a number above 0 (write name:key=value,key=value)"
                )
            );
        }
        static INFO: MetricInfo = MetricInfo {
            name: "mine",
            scale: Scale::One,
            ..MetricInfo::new(|_, registry| registry.build("bleu"))
        };
        let error = slope(&INFO, &Spec::new("mine").with_option("a", "b"), None).unwrap_err().to_string();
        assert_eq!(
            error,
            "no slope was fitted for mine, which turns its scores into probabilities (give one, as in 'mine:a=b|slope=20')"
        );
    }
}
