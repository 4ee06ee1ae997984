use super::*;
use crate::metrics::Registry;
use crate::{Corpus, ScoreJob, System, evaluate};
use proptest::prelude::*;

/// `count` lines of which the first `errors` have a mistake.
fn text(count: usize, errors: usize) -> Vec<String> {
    let line = |i: usize| format!("we {} {i} birds near the old boat", if i < errors { "counts" } else { "counted" });
    (0..count).map(line).collect()
}

fn run(job: &ScoreJob, errors: &[(&str, usize)]) -> Result<GateResult> {
    let (reference, texts) = (text(60, 0), errors.iter().map(|(_, errors)| text(60, *errors)).collect::<Vec<_>>());
    let systems = errors.iter().zip(&texts).map(|((name, _), lines)| System::new(*name, lines)).collect();
    let corpus = Corpus::new(systems, reference.iter().map(|line| vec![line.as_str()]).collect()).unwrap();
    let job = ScoreJob { metrics: vec!["chrf".into(), "ter".into()], ..job.clone() };
    let done = job.run(&corpus, &Registry::lexical(), Progress::none())?;
    Ok(done.result.evaluation.gate.expect("a gate was asked for"))
}

fn fail_if(condition: &str) -> ScoreJob {
    ScoreJob { fail_if: vec![condition.to_owned()], ..ScoreJob::default() }
}

fn passes(condition: &str) -> bool {
    run(&fail_if(condition), &[("old", 3), ("new", 20)]).unwrap().passed
}

#[test]
fn thresholds_hold_for_every_system_or_the_named_one() {
    assert!(passes("chrf < 50") && !passes("chrf < 99.9"));
    assert!(passes("ter > 50") && !passes("TER>1"));
    let found = run(&fail_if("chrf < 97"), &[("old", 3), ("new", 20)]).unwrap();
    let verdicts: Vec<(&str, bool)> =
        found.checks.iter().map(|of| (of.system.as_deref().unwrap(), of.passed)).collect();
    assert_eq!(verdicts, [("old", true), ("new", false)]);
    assert!(passes("chrf(old) < 97") && !passes("chrf(new) < 97"));
}

#[test]
fn systems_are_compared_by_the_difference_and_the_test() {
    assert!(!passes("chrf < chrf(old)") && passes("chrf(old) < chrf(new)"));
    assert!(!passes("chrf < chrf(old) - 1") && passes("chrf < chrf(old) - 10"));
    assert!(!passes("ter(new) > ter(old) p<0.05") && !passes("chrf(new) < chrf(old) p<0.05"));
    let close = [("old", 3), ("new", 4)];
    assert!(!run(&fail_if("chrf < chrf(old)"), &close).unwrap().passed);
    for paired in [None, Some(Test::Randomisation)] {
        let job = ScoreJob { paired, ..fail_if("chrf < chrf(old) p<0.05") };
        let found = run(&job, &close).unwrap();
        assert!(found.passed && found.checks[0].p_value.unwrap() > 0.05, "{found:?}");
    }
}

#[test]
fn the_p_value_of_a_condition_is_that_of_the_report() {
    for test in [Test::Bootstrap, Test::Randomisation] {
        let job = ScoreJob { paired: Some(test), ..fail_if("chrf < chrf(old) p<0.05") };
        let (reference, old, new) = (text(60, 0), text(60, 3), text(60, 9));
        let systems = vec![System::new("old", &old), System::new("new", &new)];
        let corpus = Corpus::new(systems, reference.iter().map(|line| vec![line.as_str()]).collect()).unwrap();
        let metrics = [Registry::lexical().named("chrf", None).unwrap()];
        let request = job.request(&["old".to_owned(), "new".to_owned()]).unwrap();
        let evaluation = evaluate(&corpus, &metrics, &request, Progress::none()).unwrap();
        let gate = evaluation.gate.unwrap();
        assert_eq!(gate.checks[0].p_value, Some(evaluation.comparisons[0].p_value));
    }
}

#[test]
fn a_system_is_no_worse_if_the_loss_is_surely_below_the_margin() {
    let job = |margin| ScoreJob { no_worse_than: Some("old".to_owned()), margin, ..ScoreJob::default() };
    let verdict = |margin, new| run(&job(margin), &[("old", 10), ("new", new)]).unwrap();
    let close = verdict(Some(2.0), 11);
    assert!(close.passed && close.checks.len() == 2, "{close}");
    assert!(!verdict(Some(0.001), 11).passed, "a small loss cannot be excluded");
    assert!(!verdict(None, 40).passed && verdict(None, 0).passed);
    let equal = verdict(Some(0.0), 10);
    assert!(equal.passed && equal.checks[0].p_value.is_none(), "{equal}");
    for check in close.checks.iter().chain(&verdict(Some(0.1), 25).checks) {
        let (bound, margin) = (check.bound.unwrap(), check.margin.unwrap());
        assert_eq!(check.passed, bound > -margin, "{check:?}");
        assert_eq!(check.passed, check.p_value.unwrap() < GATE_ALPHA);
    }
}

#[test]
fn what_cannot_be_checked_is_refused() {
    let both = [("old", 3), ("new", 20)];
    let error = |job: &ScoreJob, systems: &[(&str, usize)]| run(job, systems).unwrap_err().to_string();
    assert_eq!(error(&fail_if("bleu < 3"), &both), "`bleu < 3`: there is no metric bleu (there are: chrf, ter)");
    assert_eq!(error(&fail_if("chrf(c) < 3"), &both), "`chrf(c) < 3`: there is no system c (there are: old, new)");
    let alone = "`chrf < chrf(old)`: there is no system besides old to compare with it";
    assert_eq!(error(&fail_if("chrf < chrf(old)"), &both[..1]), alone);
    let job = ScoreJob { no_worse_than: Some("x".to_owned()), ..ScoreJob::default() };
    assert_eq!(error(&job, &both), "no_worse_than: there is no system x (there are: old, new)");
    let few = ScoreJob { resamples: Some(19), no_worse_than: Some("old".to_owned()), ..ScoreJob::default() };
    assert_eq!(error(&few, &both), "resamples: expected at least 20 for a gate with p < 0.05, found 19");
    let margin = ScoreJob { margin: Some(1.0), ..ScoreJob::default() };
    assert_eq!(error(&margin, &both), "margin changes nothing without no_worse_than");
    let negative = ScoreJob { margin: Some(-1.0), no_worse_than: Some("old".to_owned()), ..ScoreJob::default() };
    assert_eq!(error(&negative, &both), "margin: expected a number from 0, found -1");
}

#[test]
fn a_score_that_is_no_number_does_not_pass() {
    let corpus_lines = text(3, 1);
    let systems = vec![System::new("old", &corpus_lines), System::new("new", &corpus_lines)];
    let corpus = Corpus::new(systems, text(3, 0).iter().map(|_| vec!["a reference"]).collect()).unwrap();
    let metrics = [Registry::lexical().named("chrf", None).unwrap()];
    let mut evaluation = evaluate(&corpus, &metrics, &Default::default(), Progress::none()).unwrap();
    evaluation.columns[0].cells[1].score = f64::NAN;
    let request = fail_if("chrf < 0").request(&evaluation.systems).unwrap().gate.unwrap();
    let found = request.apply(&evaluation, &[], None, Progress::none()).unwrap();
    assert_eq!(found.checks.iter().map(|check| check.passed).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn one_line_says_why() {
    let line = |condition: &str| run(&fail_if(condition), &[("old", 3), ("new", 20)]).unwrap().to_string();
    assert_eq!(line("chrf(old) < 50"), "the gate passed: 1 check");
    let failed = line("chrf < 97");
    assert!(failed.starts_with("the gate failed in 1 of 2 checks: `chrf < 97`: new has 9"), "{failed}");
}

proptest! {
    #[test]
    fn a_larger_margin_passes_where_a_smaller_one_does(
        pairs in prop::collection::vec((0f64..100.0, 0f64..100.0), 40..200),
        delta in -5f64..5.0,
        margin in 0f64..5.0,
    ) {
        let (baseline, system): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        let (baseline, system) = (Replicates::Double(baseline), Replicates::Double(system));
        let loss = |margin| Loss::measure(&baseline, &system, 1.0, delta, margin);
        let (small, large) = (loss(margin), loss(margin + 1.0));
        prop_assert!(small.p_value >= large.p_value);
        prop_assert_eq!(small.bound, large.bound);
        prop_assert_eq!(small.p_value.unwrap() < GATE_ALPHA, -margin < small.bound);
    }
}
