use super::*;
use crate::corpora::ChallengeItem;
use crate::metrics::Registry;
use crate::progress::Progress;

fn item(kind: &str, severity: &str, [reference, good, damaged]: [&str; 3]) -> ChallengeItem {
    ChallengeItem {
        pair: "de-en".to_owned(),
        kind: kind.to_owned(),
        severity: severity.to_owned(),
        reference: reference.to_owned(),
        good: good.to_owned(),
        damaged: damaged.to_owned(),
        ..ChallengeItem::default()
    }
}

fn measured(items: &[ChallengeItem], names: &[&str]) -> crate::error::Result<ChallengeReport> {
    let registry = Registry::lexical();
    let metrics: Vec<_> = names.iter().map(|name| registry.named(name, None).unwrap()).collect();
    Ok(ChallengeJob::default().run_on(items, &metrics, &registry, Progress::none())?.result)
}

#[test]
fn equal_scores_are_not_right_and_error_rates_are_turned() {
    let items = [
        item("number", "major", ["a b c d", "a b c d", "a b x d"]),
        item("number", "minor", ["a b c d", "a b c", "a b c"]),
        item("order", "minor", ["a b c d", "a x y d", "a b c d"]),
        item("order", "minor", ["a b c d", "a b c d", ""]),
    ];
    let report = measured(&items, &["ter", "chrf"]).unwrap();
    let names: Vec<_> = report.groups.iter().map(|group| (group.by, group.kind.as_deref(), group.n)).collect();
    assert_eq!(
        names,
        [
            (GroupedBy::All, None, 4),
            (GroupedBy::Severity, None, 1),
            (GroupedBy::Severity, None, 3),
            (GroupedBy::Kind, Some("number"), 2),
            (GroupedBy::KindAndSeverity, Some("number"), 1),
            (GroupedBy::KindAndSeverity, Some("number"), 1),
            (GroupedBy::Kind, Some("order"), 2),
        ]
    );
    for metric in 0..2 {
        let all = report.results[0][metric];
        assert_eq!((all.right, all.ties, all.wrong), (2, 1, 1), "{metric}");
        assert_eq!((all.accuracy, all.tau), (0.5, 0.0));
        assert!(all.low < 0.5 && all.high > 0.5);
        assert_eq!(report.results[1][metric].accuracy, 1.0, "critical and major come first");
    }
    assert_eq!(report.metrics[0].aces_score, None);
    assert_eq!(report.groups[6].severity.as_deref(), Some("minor"), "a kind of one severity has it");
}

#[test]
fn the_score_of_aces_weighs_its_categories() {
    let good = ["one two three", "one two three", "one two four"];
    let wrong = ["one two three", "one two four", "one two three"];
    let mut items: Vec<ChallengeItem> = ACES_CATEGORIES.iter().map(|(category, _)| item(category, "", good)).collect();
    items.push(item("hallucination-number-level-1", "", wrong));
    let report = measured(&items, &["chrf"]).unwrap();
    // The two items of mistranslation cancel out.
    assert!((report.metrics[0].aces_score.unwrap() - 24.1).abs() < 1e-9);
    items.remove(0);
    assert_eq!(measured(&items, &["chrf"]).unwrap().metrics[0].aces_score, None, "no item of addition");
    items.push(item("mine", "", good));
    let report = measured(&items, &["chrf"]).unwrap();
    assert!(report.groups.iter().all(|group| group.by != GroupedBy::Category));
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let items = [item("x", "", ["a", "a", "b"])];
    let error = measured(&items, &["chrf", "chrf"]).unwrap_err().to_string();
    assert!(error.contains("chrf"), "{error}");
    assert!(measured(&[], &["chrf"]).unwrap_err().to_string().starts_with("there are no pairs of translations"));
    let job = ChallengeJob { pairs: vec!["fr-en".to_owned()], ..ChallengeJob::default() };
    let error = job.run_on(&items, &[], &Registry::lexical(), Progress::none()).unwrap_err();
    assert_eq!(error.to_string(), "none of 1 pairs is of fr-en");
}
