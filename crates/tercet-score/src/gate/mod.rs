//! Gates: conditions on scores that a build must meet, and a test that a system is no worse than a baseline.
//!
//! # No worse than a baseline (non-inferiority)
//! Let d be the system's score minus the baseline's, with its sign changed where lower is better, dᵢ the same on the
//! n resamples of the paired bootstrap, and m the margin: the largest loss that is accepted. The null hypothesis is
//! that the loss is m or more; under it, d is distributed as dᵢ − mean(d) − m. One-sided:
//!
//! ```text
//! p = ( #{ i : dᵢ − mean(d) ≥ d + m } + 1 ) / ( n + 1 )
//! ```
//!
//! The check passes if p < 0.05. Equivalent: the lower end of a one-sided 95% interval of d is above −m; it is the
//! `bound` of the check. With several metrics or systems all must pass, so that p-values need no adjustment (Berger,
//! 1982). Unlike sacreBLEU's two-sided test, differences have a sign; systems with the same scores in all segments are
//! no worse with any margin.
//!
//! Approximate randomisation exchanges systems that are equal under its null hypothesis, which is not the one here.

mod condition;
mod result;

pub use condition::Condition;
pub use result::{GateCheck, GateResult};

use super::evaluate::Test;
use super::evaluation::{Column, Evaluation};
use super::jobs::{RESAMPLES, Seed};
use super::significance::{self, Bootstrap, EqualTrials, MetricTallies, Resampling};
use crate::error::{Error, Result};
use crate::metrics::Scale;
use crate::progress::Progress;
use crate::statistics::significance::bootstrap::Replicates;
use crate::statistics::significance::p_value;
use condition::Limit;

/// The level of the test that a system is no worse than a baseline.
pub const GATE_ALPHA: f64 = 0.05;

/// What must hold for a gate to pass.
#[derive(Clone, Debug, PartialEq)]
pub struct GateRequest {
    /// It fails where one of these holds.
    pub conditions: Vec<Condition>,
    /// It passes only if every other system is no worse than this one, by all metrics.
    pub no_worse_than: Option<String>,
    /// The largest loss that is accepted; [`usual_margin`] if there is none.
    pub margin: Option<f64>,
    /// The test of conditions with a p-value.
    pub test: Test,
    /// Its size and seed.
    pub resampling: Resampling,
    /// Those of the paired bootstrap that says whether a system is no worse.
    pub bootstrap: Resampling,
}

/// What a job says about its gate.
pub(super) struct GateRules<'a> {
    pub fail_if: &'a [String],
    pub no_worse_than: Option<&'a str>,
    pub margin: Option<f64>,
    /// The test of conditions with a p-value.
    pub test: Test,
    pub resamples: Option<usize>,
    pub seed: Seed,
}

impl GateRules<'_> {
    /// The gate, if there are rules. Returns an error for those that cannot be met.
    pub fn request(&self) -> Result<Option<GateRequest>> {
        match self.margin {
            Some(_) if self.no_worse_than.is_none() => {
                return Err(Error::NoEffect { setting: "margin", needs: "no_worse_than" });
            }
            Some(margin) if !(margin.is_finite() && margin >= 0.0) => {
                return Err(Error::out_of_range("margin", "a number from 0", margin));
            }
            _ => {}
        }
        if self.fail_if.is_empty() && self.no_worse_than.is_none() {
            return Ok(None);
        }
        Ok(Some(GateRequest {
            conditions: self.fail_if.iter().map(|text| Condition::parse(text)).collect::<Result<_>>()?,
            no_worse_than: self.no_worse_than.map(str::to_owned),
            margin: self.margin,
            test: self.test,
            resampling: self.seed.resampling(self.resamples, self.test.usual_resamples()),
            bootstrap: self.seed.resampling(self.resamples, RESAMPLES),
        }))
    }
}

/// The margin, if none is given: 1 for scores from 0 to 100, 0.01 for scores from 0 to 1.
pub fn usual_margin(scale: Scale) -> f64 {
    match scale {
        Scale::Hundred => 1.0,
        Scale::One => 0.01,
    }
}

impl GateRequest {
    /// Whether there is a test, which needs the tallies of segments.
    pub fn has_test(&self) -> bool {
        self.no_worse_than.is_some() || self.conditions.iter().any(|condition| condition.alpha().is_some())
    }

    /// Fails if a metric or a system is named that there is none of, or if there are too few resamples to pass.
    /// `metrics` have their name and title.
    pub(super) fn check(&self, systems: &[String], metrics: &[(&str, String)]) -> Result<()> {
        for condition in &self.conditions {
            self.column(condition, metrics)?;
            for name in condition.system.iter().map(String::as_str).chain(condition.baseline()) {
                check_system(&format!("`{condition}`"), name, systems)?;
            }
            self.check_others(&format!("`{condition}`"), condition.baseline(), systems)?;
            if let Some(alpha) = condition.alpha() {
                check_resamples(&self.resampling, alpha)?;
            }
        }
        if let Some(baseline) = &self.no_worse_than {
            check_system("no_worse_than", baseline, systems)?;
            self.check_others("no_worse_than", Some(baseline), systems)?;
            check_resamples(&self.bootstrap, GATE_ALPHA)?;
        }
        Ok(())
    }

    /// Fails if the baseline is the only system.
    fn check_others(&self, rule: &str, baseline: Option<&str>, systems: &[String]) -> Result<()> {
        match baseline {
            Some(baseline) if systems.len() < 2 => {
                Err(Error::NothingToGate { rule: rule.to_owned(), baseline: baseline.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// The number of the metric of a condition: by the name that it was requested by, its title, or its name without
    /// options if only one metric has it.
    fn column(&self, condition: &Condition, metrics: &[(&str, String)]) -> Result<usize> {
        let asked = &condition.metric;
        let base = |name: &str| name.split([':', '|']).next().unwrap_or_default().to_lowercase();
        let exact = metrics.iter().position(|(name, title)| name == asked || title.eq_ignore_ascii_case(asked));
        let same: Vec<usize> = (0..metrics.len()).filter(|&i| base(metrics[i].0) == base(asked)).collect();
        match (exact, same.as_slice()) {
            (Some(found), _) | (None, &[found]) => Ok(found),
            _ => Err(Error::UnknownInGate {
                rule: format!("`{condition}`"),
                what: "metric",
                name: asked.clone(),
                known: metrics.iter().map(|(name, _)| (*name).to_owned()).collect(),
            }),
        }
    }

    /// Checks the scores. `shared` are resamples that were drawn for something else.
    pub(super) fn apply(
        &self,
        evaluation: &Evaluation,
        measured: &[MetricTallies<'_>],
        shared: Option<(Resampling, &[Bootstrap])>,
        progress: Progress<'_>,
    ) -> Result<GateResult> {
        let mut drawn = Drawn { measured, shared, own: None, progress };
        let mut checks = Vec::new();
        let metrics: Vec<(&str, String)> = evaluation.columns.iter().map(Column::names).collect();
        for condition in &self.conditions {
            let column = self.column(condition, &metrics)?;
            for system in systems_of(condition, &evaluation.systems) {
                checks.push(self.check_condition(condition, evaluation, column, system, &mut drawn)?);
            }
        }
        if let Some(baseline) = &self.no_worse_than {
            let baseline = position(&evaluation.systems, baseline);
            for column in 0..evaluation.columns.len() {
                for system in (0..evaluation.systems.len()).filter(|&system| system != baseline) {
                    checks.push(self.no_worse(evaluation, column, [baseline, system], &mut drawn)?);
                }
            }
        }
        Ok(GateResult::new(checks))
    }

    fn check_condition(
        &self,
        condition: &Condition,
        evaluation: &Evaluation,
        column: usize,
        system: usize,
        drawn: &mut Drawn<'_>,
    ) -> Result<GateCheck> {
        let score = |system: usize| evaluation.columns[column].cells[system].score;
        let mut check = GateCheck::new(format!("`{condition}`"), evaluation, column, system);
        match &condition.limit {
            Limit::Number(limit) => check.limit = Some(*limit),
            Limit::System { name, offset, alpha } => {
                let baseline = position(&evaluation.systems, name);
                check.against(name, score(baseline));
                check.limit = Some(score(baseline) + offset);
                if let Some(alpha) = alpha {
                    check.alpha = Some(*alpha);
                    check.p_value = Some(self.two_sided(drawn, column, [baseline, system])?);
                }
            }
        }
        let holds = condition.relation.holds(score(system), check.limit.unwrap_or(f64::NAN));
        let significant = check.p_value.zip(check.alpha).is_none_or(|(p, alpha)| p < alpha);
        // What is not a number compares as neither less nor greater, and must not pass.
        check.passed = check.is_finite() && !(holds && significant);
        Ok(check.explained(evaluation.columns[column].scale))
    }

    /// The p-value of the paired test that reports have.
    fn two_sided(&self, drawn: &mut Drawn<'_>, column: usize, [baseline, system]: [usize; 2]) -> Result<f64> {
        if drawn.measured[column].differing((baseline, system)) == 0 {
            return Ok(1.0);
        }
        if self.test == Test::Bootstrap {
            return Ok(drawn.bootstrap(self.resampling)?[column].compare(baseline, system).p_value);
        }
        let (measured, pairs) = (&drawn.measured[column..=column], [(baseline, system)]);
        let equal = EqualTrials::Counted;
        let found = significance::approximate_randomisation(measured, &pairs, &self.resampling, equal, drawn.progress)?;
        Ok(found[0][0].p_value)
    }

    fn no_worse(
        &self,
        evaluation: &Evaluation,
        column: usize,
        [baseline, system]: [usize; 2],
        drawn: &mut Drawn<'_>,
    ) -> Result<GateCheck> {
        let Column { cells, direction, scale, .. } = &evaluation.columns[column];
        let name = &evaluation.systems[baseline];
        let margin = self.margin.unwrap_or(usual_margin(*scale));
        let mut check = GateCheck::new(format!("no worse than {name}"), evaluation, column, system);
        check.against(name, cells[baseline].score);
        check.margin = Some(margin);
        check.alpha = Some(GATE_ALPHA);
        let sign = direction.sign();
        let loss = match drawn.measured[column].differing((baseline, system)) {
            0 => Loss { p_value: None, bound: 0.0 },
            _ => {
                let replicates = &drawn.bootstrap(self.bootstrap)?[column].replicates;
                let delta = sign * (cells[system].score - cells[baseline].score);
                Loss::measure(&replicates[baseline], &replicates[system], sign, delta, margin)
            }
        };
        check.p_value = loss.p_value;
        check.bound = Some(loss.bound);
        check.passed = check.is_finite() && loss.p_value.is_none_or(|p| p < GATE_ALPHA);
        Ok(check.explained(*scale))
    }
}

/// How much worse a system may be.
#[derive(Debug, PartialEq)]
struct Loss {
    /// That of a loss of the margin or more; there is none for systems that do not differ.
    p_value: Option<f64>,
    /// The lower end of a one-sided interval of the difference.
    bound: f64,
}

impl Loss {
    /// From the scores on resamples, the sign that makes higher better, the difference in that sign, and the margin.
    fn measure(baseline: &Replicates, system: &Replicates, sign: f64, delta: f64, margin: f64) -> Self {
        let (baseline, system) = (baseline.to_double(), system.to_double());
        let differences: Vec<f64> = baseline.iter().zip(&system).map(|(a, b)| sign * (b - a)).collect();
        let samples = differences.len();
        let mean = differences.iter().sum::<f64>() / samples as f64;
        let mut shifted: Vec<f64> = differences.iter().map(|difference| difference - mean).collect();
        shifted.sort_unstable_by(|a, b| b.total_cmp(a));
        let reaching = shifted.iter().filter(|&&shift| shift >= delta + margin).count();
        // The check passes if fewer resamples than this reach the difference.
        let too_many = (0..samples).take_while(|&reaching| p_value(reaching, samples) < GATE_ALPHA).count();
        let bound = delta - shifted[too_many.saturating_sub(1)];
        Loss { p_value: Some(p_value(reaching, samples)), bound }
    }
}

/// Resamples that are drawn when they are needed.
struct Drawn<'a> {
    measured: &'a [MetricTallies<'a>],
    shared: Option<(Resampling, &'a [Bootstrap])>,
    own: Option<(Resampling, Vec<Bootstrap>)>,
    progress: Progress<'a>,
}

impl Drawn<'_> {
    fn bootstrap(&mut self, resampling: Resampling) -> Result<&[Bootstrap]> {
        if let Some((_, shared)) = self.shared.filter(|(size, _)| *size == resampling) {
            return Ok(shared);
        }
        if self.own.as_ref().is_none_or(|(size, _)| *size != resampling) {
            self.own = Some((resampling, significance::bootstrap(self.measured, &resampling, self.progress)?));
        }
        Ok(self.own.as_ref().map_or(&[], |(_, own)| own))
    }
}

fn systems_of(condition: &Condition, systems: &[String]) -> Vec<usize> {
    match &condition.system {
        Some(name) => vec![position(systems, name)],
        None => (0..systems.len()).filter(|&system| condition.baseline() != Some(&systems[system])).collect(),
    }
}

fn position(systems: &[String], name: &str) -> usize {
    systems.iter().position(|system| system == name).expect("checked before scoring")
}

fn check_system(rule: &str, name: &str, systems: &[String]) -> Result<()> {
    match systems.iter().any(|system| system == name) {
        true => Ok(()),
        false => Err(Error::UnknownInGate {
            rule: rule.to_owned(),
            what: "system",
            name: name.to_owned(),
            known: systems.to_vec(),
        }),
    }
}

/// The least p-value of n resamples is 1 / (n + 1).
fn check_resamples(resampling: &Resampling, alpha: f64) -> Result<()> {
    let reaches = |samples: usize| p_value(0, samples) < alpha;
    match reaches(resampling.samples) {
        true => Ok(()),
        false => {
            let least = (1..).find(|&samples| reaches(samples)).unwrap_or(usize::MAX);
            let expected = format!("at least {least} for a gate with p < {alpha}");
            Err(Error::out_of_range("resamples", expected, resampling.samples))
        }
    }
}

#[cfg(test)]
mod tests;
