//! What a gate found.

use crate::evaluation::Evaluation;
use crate::metrics::{PeopleAgree, Scale};
use crate::warning::Warning;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// Whether a gate passed, and its checks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GateResult {
    /// Whether all checks passed.
    pub passed: bool,
    /// The checks, in the order in which they were asked for.
    pub checks: Vec<GateCheck>,
}

/// One rule for one system and metric, or a warning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GateCheck {
    /// The rule: a condition as it was given, `no worse than` the baseline, or `no warnings`.
    pub rule: String,
    /// The metric as requested; none for warnings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The usual spelling of the metric; none for warnings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The system; none for warnings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Whether it passes.
    pub passed: bool,
    /// The score of the system; none for warnings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// What the condition compares the score with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The system that it is compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<String>,
    /// Its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline_score: Option<f64>,
    /// The system's score minus the baseline's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
    /// The p-value: two-sided for a condition; for "no worse than", of a loss of the margin or more.
    #[serde(rename = "p", skip_serializing_if = "Option::is_none")]
    pub p_value: Option<f64>,
    /// The p-value must be below this to count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// The largest loss that is accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// With 95% confidence, the system is better than the baseline by at least this; negative: at most so much worse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// How often people prefer the system with the better score where scores differ so much, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people_agree: Option<PeopleAgree>,
    /// All of it as a sentence.
    pub text: String,
}

impl GateResult {
    pub(super) fn new(checks: Vec<GateCheck>) -> Self {
        GateResult { passed: checks.iter().all(|check| check.passed), checks }
    }

    /// Replaces the checks of warnings: one that fails for each of these, or one that passes.
    pub fn set_warnings(gate: &mut Option<Self>, warnings: &[Warning]) {
        const RULE: &str = "no warnings";
        let earlier = gate.take().into_iter().flat_map(|gate| gate.checks).filter(|check| check.rule != RULE);
        let mut checks: Vec<GateCheck> = earlier.collect();
        checks.extend(
            warnings
                .iter()
                .map(|warning| GateCheck { text: format!("{RULE}: {warning}"), ..GateCheck::of_rule(RULE.to_owned()) }),
        );
        if warnings.is_empty() {
            checks.push(GateCheck { passed: true, text: RULE.to_owned(), ..GateCheck::of_rule(RULE.to_owned()) });
        }
        *gate = Some(GateResult::new(checks));
    }

    /// The checks that failed.
    pub fn failures(&self) -> impl Iterator<Item = &GateCheck> {
        self.checks.iter().filter(|check| !check.passed)
    }
}

/// One line: whether it passed, and why not.
impl Display for GateResult {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (failed, all) = (self.failures().count(), self.checks.len());
        let checks = if all == 1 { "check" } else { "checks" };
        if failed == 0 {
            return write!(f, "the gate passed: {all} {checks}");
        }
        let reasons: Vec<&str> = self.failures().map(|check| check.text.as_str()).collect();
        write!(f, "the gate failed in {failed} of {all} {checks}: {}", reasons.join("; "))
    }
}

impl GateCheck {
    pub(super) fn new(rule: String, evaluation: &Evaluation, column: usize, system: usize) -> Self {
        let column = &evaluation.columns[column];
        GateCheck {
            metric: Some(column.metric.clone()),
            title: Some(column.title.clone()),
            system: Some(evaluation.systems[system].clone()),
            score: Some(column.cells[system].score),
            ..GateCheck::of_rule(rule)
        }
    }

    fn of_rule(rule: String) -> Self {
        GateCheck {
            rule,
            metric: None,
            title: None,
            system: None,
            passed: false,
            score: None,
            limit: None,
            baseline: None,
            baseline_score: None,
            delta: None,
            p_value: None,
            alpha: None,
            margin: None,
            bound: None,
            people_agree: None,
            text: String::new(),
        }
    }

    /// Compares with a baseline that has this score.
    pub(super) fn against(&mut self, baseline: &str, score: f64) {
        self.baseline = Some(baseline.to_owned());
        self.baseline_score = Some(score);
        self.delta = self.score.map(|own| own - score);
    }

    /// Whether everything that decides is a finite number.
    pub(super) fn is_finite(&self) -> bool {
        [self.score, self.limit, self.delta, self.p_value, self.bound].into_iter().flatten().all(f64::is_finite)
    }

    /// Adds how often people agree, to the sentence too.
    pub(crate) fn add_people_agree(&mut self, found: Option<PeopleAgree>) {
        let Some(found) = found else { return };
        self.people_agree = Some(found);
        self.text += &format!("; {found}");
    }

    /// With its sentence.
    pub(super) fn explained(mut self, scale: Scale) -> Self {
        self.text = self.sentence(scale.decimals());
        self
    }

    fn sentence(&self, decimals: usize) -> String {
        let rule = &self.rule;
        let [title, system] = [&self.title, &self.system].map(|name| name.as_deref().unwrap_or_default());
        let score = self.score.unwrap_or(f64::NAN);
        let Some((baseline, other)) = self.baseline.as_ref().zip(self.baseline_score) else {
            let limit = self.limit.unwrap_or(f64::NAN);
            return format!("{rule}: {system} has {}", rounded(score, limit, decimals));
        };
        let (own, of_baseline) = (rounded(score, other, decimals), rounded(other, score, decimals));
        let p_value = match self.p_value {
            Some(p) if p < 0.000_05 => " (p < 0.0001)".to_owned(),
            Some(p) => format!(" (p = {p:.4})"),
            None => String::new(),
        };
        let Some((bound, margin)) = self.bound.zip(self.margin) else {
            return format!("{rule}: {system} has {own}, {baseline} {of_baseline}{p_value}");
        };
        let by = match bound < 0.0 {
            true => format!("at most {} worse", rounded(-bound, margin, decimals)),
            false => format!("at least {bound:.decimals$} better"),
        };
        let sure = if self.p_value.is_some() { "with 95% confidence" } else { "as no segment differs" };
        format!("{title}: {system} has {own}, {baseline} {of_baseline}: {by} {sure}; margin {margin}")
    }
}

/// A number with these decimals, or as many as show that it is not the other.
fn rounded(number: f64, other: f64, decimals: usize) -> String {
    let shown = |decimals: usize| format!("{number:.decimals$}");
    let is_told_apart = |&decimals: &usize| number == other || shown(decimals) != format!("{other:.decimals$}");
    shown((decimals..17).find(is_told_apart).unwrap_or(decimals))
}
