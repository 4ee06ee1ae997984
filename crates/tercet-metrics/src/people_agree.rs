//! What a difference of scores means: how often people prefer the system with the better score.
//!
//! Pairs of systems that people have judged say it. For two systems whose scores on a test set of n segments differ by
//! Δ, the share of such pairs in which people prefer the one with the better score is
//!
//! ```text
//! share(Δ, n) = ½ + h · tanh( |Δ| / s · √(n / (n + n₀)) )
//! ```
//!
//! which is ½ for equal scores, grows with the difference and with the test set, and stays below ½ + h, since even
//! large
//! differences of a metric are not always those that people see. The parameters are fitted by
//!
//! ```text
//! cargo run --release -p tercet --example people_agree -- DATA [METRIC…]
//! ```
//!
//! which writes the file `people_agree.tsv` beside each metric: for each target (English, other languages, or unknown)
//! some points of the curve with the ends of their 95% intervals, between which it is interpolated linearly. Beyond the
//! last point, which is the largest difference that is frequent in the data, the share stays. Differences in the file
//! are those on a test set of any size, |Δ| √(n / (n + n₀)); the column `segments` is n₀.
//!
//! # Choices
//! - People's verdict is that of the whole campaign, with its own noise; a tie of people or of the metric agrees by
//!   half.
//! - Other options of a metric have the curve of the default ones, since they leave the scale as it is, unless the file
//!   has a curve of their own. Those of a learned metric belong to one model, by its hash.

use crate::Spec;
use crate::text::Language;
use serde::{Deserialize, Serialize};

/// How often people prefer the system with the better score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeopleAgree {
    /// The share of such pairs of systems.
    pub share: f64,
    /// The lower end of its 95% interval, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
}

/// The language that systems translate into, as far as it matters here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// English.
    English,
    /// Another language.
    Other,
    /// Not known.
    #[default]
    Unknown,
}

/// How often people agree, by the difference of two scores.
#[derive(Clone, Debug, PartialEq)]
pub struct PeopleAgreeCurve {
    shape: Shape,
}

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// Points of rising differences, on test sets of so many segments that half of the difference counts.
    Points { segments: f64, points: Vec<Point> },
    /// A curve of another publication: ceiling / (1 + exp(−slope · |Δ|)).
    Logistic { ceiling: f64, slope: f64 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    difference: f64,
    share: f64,
    low: f64,
    high: f64,
}

/// The qualifier of a model.
const HASH: &str = "sha256";

/// Two systems with the same score.
const EQUAL: Point = Point { difference: 0.0, share: 0.5, low: 0.5, high: 0.5 };

impl From<Option<&Language>> for Target {
    fn from(language: Option<&Language>) -> Self {
        match language.map(Language::code) {
            None => Target::Unknown,
            Some("en") => Target::English,
            Some(_) => Target::Other,
        }
    }
}

impl Target {
    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Target::English => "en",
            Target::Other => "other",
            Target::Unknown => "any",
        }
    }
}

impl PeopleAgreeCurve {
    /// The curve ceiling / (1 + exp(−slope · |Δ|)) of a publication, without intervals.
    pub fn logistic(ceiling: f64, slope: f64) -> Self {
        PeopleAgreeCurve { shape: Shape::Logistic { ceiling, slope } }
    }

    /// The curve of a metric with this signature in the file of its folder: of the rows for the metric, those whose
    /// options, and hash of a model, are in the signature, and of these the ones with the most options.
    pub fn find(file: &str, signature: &Spec, target: Target) -> Option<Self> {
        let rows = || file.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split('\t'));
        let is_in = |spec: &Spec| {
            let has = |(key, value): &(String, String)| signature.option(key) == Some(value);
            let is_model = spec.qualifier(HASH).is_none_or(|hash| signature.qualifier(HASH) == Some(hash));
            spec.name() == signature.name() && spec.options().iter().all(has) && is_model
        };
        let candidates = rows().filter_map(|mut row| Spec::parse("metric", row.next()?).ok()).filter(is_in);
        let chosen = candidates.max_by_key(|spec| spec.options().len())?.to_string();
        let mut segments = 0.0;
        let mut points = vec![EQUAL];
        for mut row in rows() {
            if row.next() != Some(chosen.as_str()) || row.next() != Some(target.name()) {
                continue;
            }
            let numbers: Vec<f64> = row.map(str::parse).collect::<Result<_, _>>().ok()?;
            let [of_segments, difference, share, low, high] = numbers[..] else { return None };
            segments = of_segments;
            points.push(Point { difference, share, low, high });
        }
        (points.len() > 1).then_some(PeopleAgreeCurve { shape: Shape::Points { segments, points } })
    }

    /// The share for two systems whose scores on so many segments differ by this much, in either direction; `None` if
    /// the difference is not a number.
    pub fn share(&self, difference: f64, segments: usize) -> Option<PeopleAgree> {
        let difference = Some(difference.abs()).filter(|difference| !difference.is_nan())?;
        match &self.shape {
            Shape::Logistic { ceiling, slope } => {
                let share = ceiling * crate::logistic(slope * difference);
                Some(PeopleAgree { share: share.max(0.5), low: None, high: None })
            }
            Shape::Points { segments: half, points } => {
                let n = segments as f64;
                let found = between(points, difference * (n / (n + half)).sqrt());
                Some(PeopleAgree { share: found.share, low: Some(found.low), high: Some(found.high) })
            }
        }
    }

    /// The smallest difference on so many segments for which the share is at least this; `None` if there is none.
    pub fn difference(&self, share: f64, segments: usize) -> Option<f64> {
        let reaches = |difference: f64| self.share(difference, segments).is_some_and(|found| found.share >= share);
        let mut high = (-60..60).map(|power| 2f64.powi(power)).find(|&difference| reaches(difference))?;
        let mut low = if reaches(0.0) { return Some(0.0) } else { 0.0 };
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if reaches(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }
}

fn between(points: &[Point], difference: f64) -> Point {
    let place = points.partition_point(|point| point.difference <= difference);
    let (Some(below), above) = (points[..place].last(), points.get(place)) else { return EQUAL };
    let Some(above) = above else { return *below };
    let part = (difference - below.difference) / (above.difference - below.difference);
    let mix = |from: f64, to: f64| from + part * (to - from);
    Point {
        difference,
        share: mix(below.share, above.share),
        low: mix(below.low, above.low),
        high: mix(below.high, above.high),
    }
}

/// `people agree in 64% of such pairs (55–72)`.
impl std::fmt::Display for PeopleAgree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "people agree in {} of such pairs{}", self.percent(), self.interval().unwrap_or_default())
    }
}

impl PeopleAgree {
    /// The share in per cent: `64%`.
    pub fn percent(&self) -> String {
        format!("{:.0}%", 100.0 * self.share)
    }

    /// The ends of the interval in per cent, after a space: ` (55–72)`.
    pub fn interval(&self) -> Option<String> {
        let (low, high) = self.low.zip(self.high)?;
        Some(format!(" ({:.0}–{:.0})", 100.0 * low, 100.0 * high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Registry;

    const FILE: &str = "# data: made up\nmetric\ttarget\tsegments\tdifference\tshare\tlow\thigh\n\
        toy\ten\t100\t1\t0.6\t0.55\t0.65\ntoy\ten\t100\t3\t0.8\t0.7\t0.9\n\
        toy:big=yes\ten\t100\t2\t0.9\t0.9\t0.9\n";

    fn spec(text: &str) -> Spec {
        Spec::parse("metric", text).unwrap()
    }

    #[test]
    fn shares_are_between_those_of_the_points_and_grow_with_the_test_set() {
        let curve = PeopleAgreeCurve::find(FILE, &spec("toy:small=no|refs=1"), Target::English).unwrap();
        let share = |difference, segments| curve.share(difference, segments).unwrap();
        assert_eq!(share(0.0, 50).to_string(), "people agree in 50% of such pairs (50–50)");
        // √(n / (n + 100)) is about 1 for many segments, and ½ for a third of 100.
        let many = 1 << 50;
        assert!((share(-2.0, many).share - 0.7).abs() < 1e-9);
        assert_eq!(share(99.0, many), PeopleAgree { share: 0.8, low: Some(0.7), high: Some(0.9) });
        assert!(share(2.0, 30).share < share(2.0, 300).share);
        assert_eq!(curve.share(f64::NAN, 300), None);
        assert!((curve.difference(0.7, many).unwrap() - 2.0).abs() < 1e-9);
        assert_eq!(curve.difference(0.85, many), None);
    }

    #[test]
    fn the_rows_with_most_options_of_the_signature_count() {
        let share = |signature: &str, target| {
            PeopleAgreeCurve::find(FILE, &spec(signature), target)?.share(99.0, 1 << 50).map(|found| found.share)
        };
        assert_eq!(share("toy:big=yes,other=no", Target::English), Some(0.9));
        assert_eq!(share("toy:big=no", Target::English), Some(0.8));
        assert_eq!((share("toy", Target::Other), share("dog", Target::English)), (None, None));
    }

    #[test]
    fn a_published_curve_has_no_interval() {
        // Kocmi et al. (2024): 2.12 points of chrF at 85%.
        let curve = PeopleAgreeCurve::logistic(0.93, 1.1142732);
        assert!((curve.difference(0.85, 1000).unwrap() - 2.12).abs() < 0.01);
        assert_eq!(curve.share(0.0, 9).unwrap().to_string(), "people agree in 50% of such pairs");
    }

    #[test]
    fn every_lexical_metric_has_a_curve_for_every_target() {
        for info in Registry::lexical().metrics() {
            for target in [Target::English, Target::Other, Target::Unknown] {
                let metric = Registry::lexical().build(info.name).unwrap();
                let curve = metric.people_agree(target).unwrap_or_else(|| panic!("{} {target:?}", info.name));
                let shares: Vec<f64> =
                    (0..1000).map(|i| curve.share(f64::from(i) / 10.0, 1000).unwrap().share).collect();
                assert!(shares.is_sorted() && shares[0] == 0.5, "{}", info.name);
                assert!((0.75..1.0).contains(&shares[999]), "{}: {}", info.name, shares[999]);
            }
        }
    }
}
