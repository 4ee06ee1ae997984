//! Slopes that turn a difference of scores into the probability that humans prefer a translation.
//!
//! The slopes of [`LogisticPreference`](super::LogisticPreference), fitted by
//!
//! ```text
//! cargo run --release -p tercet --example slopes -- DATA
//! ```
//!
//! to the relative rankings of WMT12–16 to English: 808,737 judgements without ties, of 24 language pairs in five
//! years, all of whose outputs have a text. Scores of segments with the metric's default options against one reference.
//!
//! # Choices
//! Every language pair of every year has the same weight. If every judgement did, WMT13 with its 362,710 judgements
//! would have nearly half of the weight, and slopes would be 2 to 5% smaller. Language pairs differ more than that: one
//! alone gives chrF a slope from 0.064 to 0.095. So a probability predicts an average judge of these years, for news in
//! English; and since judges disagree with each other, it is seldom far from one half.
//!
//! Other options of a metric have the slope of its default ones, since they leave the scale as it is. Fitted by
//! themselves, chrF++ would have 0.0797 and not 0.0804, `bleu:smooth=floor` 0.0444 and not 0.0497, `ter:normalized=yes`
//! 0.0405 and not 0.0335. NIST's scores grow with the test set, since words are rare in comparison with it; the slope
//! is that of sets with 524 to 3,003 segments.
//!
//! # Agreement
//! scipy 1.17.1's `minimize_scalar` on the same differences gives chrF, TER and METEOR these slopes, log-likelihoods
//! and accuracies in all digits shown.

use super::{MetricInfo, Scale};
use crate::error::{Error, Result};
use crate::spec::Spec;

/// A metric's slope and how well it explains the judgements it was fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedSlope {
    /// Per unit of its score; positive for metrics of either direction.
    pub slope: f64,
    /// The mean log-probability of the judgements; chance is −0.6931.
    pub log_likelihood: f64,
    /// The share of judgements predicted with a probability above ½; exactly ½ counts half.
    pub accuracy: f64,
}

impl MetricInfo {
    /// Whether the slope in a signature of this metric is the fitted one.
    pub fn has_fitted_slope(&self, signature: &Spec) -> bool {
        let slope = signature.qualifier("slope").and_then(|slope| slope.parse().ok());
        self.slope.is_some_and(|fitted| Some(fitted.slope) == slope)
    }
}

/// The slope of a metric: the one a signature gives, or else the fitted one.
pub(super) fn slope(info: &MetricInfo, spec: &Spec, given: Option<&str>) -> Result<f64> {
    if let Some(given) = given {
        let number = given.parse().ok().filter(|slope: &f64| slope.is_finite() && *slope > 0.0);
        let reason = format!("slope={given}: expected a number above 0");
        return number.ok_or_else(|| Error::BadSpec { what: "metric", text: spec.to_string(), reason });
    }
    info.slope.map(|fitted| fitted.slope).ok_or_else(|| {
        let usual = if info.scale == Scale::One { "20" } else { "0.05" };
        Error::NoSlope { metric: info.name.to_owned(), spec: spec.to_string(), usual }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MetricInfo, Registry};

    #[test]
    fn every_metric_has_a_slope() {
        for info in Registry::lexical().metrics() {
            let fitted = info.slope.unwrap();
            assert!(fitted.slope > 0.0 && fitted.log_likelihood > 0.5f64.ln() && fitted.accuracy > 0.5);
        }
    }

    #[test]
    fn a_slope_is_printed_and_used_when_it_is_handed_back() -> Result<()> {
        let slope = |text: &str| -> Result<Option<String>> {
            Ok(Registry::lexical().preference(text, None)?.signature().qualifier("slope").map(str::to_owned))
        };
        let fitted = crate::chrf::INFO.slope.map(|fitted| fitted.slope.to_string());
        assert_eq!(slope("chrf++")?, fitted);
        assert_eq!(slope("chrf|slope=0.5|refs=1")?.as_deref(), Some("0.5"));
        let printed = Registry::lexical().preference("ter:normalized=yes|slope=0.0123", None)?.signature().to_string();
        assert_eq!(Registry::lexical().preference(&printed, None)?.signature().to_string(), printed);
        Ok(())
    }

    #[test]
    fn an_invalid_slope_is_refused() {
        for given in ["0", "-1", "inf", "NaN", "steep", ""] {
            let error = Registry::lexical().preference(&format!("chrf|slope={given}"), None).err().unwrap().to_string();
            assert_eq!(
                error,
                format!(
                    "cannot read the metric `chrf`: slope={given}: expected a number above 0 (write \
                     name:key=value,key=value)"
                )
            );
        }
        static INFO: MetricInfo =
            MetricInfo { name: "mine", scale: Scale::One, ..MetricInfo::new(|_, registry| registry.build("bleu")) };
        let error = slope(&INFO, &Spec::new("mine").with_option("a", "b"), None).unwrap_err().to_string();
        assert_eq!(
            error,
            "no slope was fitted for mine, which turns its scores into probabilities (give one, as in \
             'mine:a=b|slope=20')"
        );
    }
}
