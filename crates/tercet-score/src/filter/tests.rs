use super::*;
use crate::metrics::{Metric, MetricInfo, Segment, Tally};
use std::sync::Arc;

/// The length of the target, as a metric that reads sources.
struct Length;

static LENGTH: MetricInfo = MetricInfo {
    name: "length",
    without_references: Some(("way", "source")),
    options: &[crate::metrics::OptionInfo {
        key: "way",
        values: crate::metrics::Values::Choice(&["auto", "source"]),
        default: "auto",
        help: "what a translation is compared with",
    }],
    ..MetricInfo::new(|_, _| Ok(Arc::new(Length)))
};

impl Metric for Length {
    fn info(&self) -> &MetricInfo {
        &LENGTH
    }

    fn reads_source(&self) -> bool {
        true
    }

    fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
        let tally = |segment: &Segment<'_>| Tally::new(vec![segment.hypothesis.chars().count() as f64, 1.0]);
        Ok(batch.iter().map(tally).collect())
    }

    fn score(&self, total: &Tally) -> f64 {
        total.mean()
    }
}

fn registry() -> Registry {
    Registry::lexical().with(&[&LENGTH])
}

fn job() -> FilterJob {
    FilterJob { metric: Some("length".into()), ..FilterJob::default() }
}

fn reasons(job: &FilterJob, pairs: &[(&str, &str)]) -> Vec<Option<DropReason>> {
    let filtered = job.run(pairs, &registry(), Progress::none()).unwrap().result;
    filtered.verdicts.iter().map(|verdict| verdict.reason).collect()
}

#[test]
fn every_rule_drops_its_pair() {
    let pairs = [
        ("Der Bäcker öffnet um fünf Uhr.", "The baker opens at five o'clock."),
        ("Der Zug war zu spät.", "  "),
        ("Der Bäcker öffnet um fünf Uhr.", "der Bäcker öffnet um fünf Uhr."),
        (
            "Der Bäcker öffnet um fünf Uhr.",
            "The baker opens at five o'clock. The baker opens at five o'clock. The baker \
            opens at five o'clock. The baker opens at five.",
        ),
        ("Wir haben den letzten Zug nicht mehr bekommen.", "Wir haben den Zug nach der Stadt nicht mehr bekommen."),
        ("Der Bäcker öffnet um fünf Uhr. ", "The baker opens at five o'clock."),
        ("1984", "1984"),
    ];
    let languages = FilterJob {
        language: Some(Language::target("en").unwrap()),
        source_language: Some(Language::target("de").unwrap()),
        ..job()
    };
    use DropReason::{Copy, Duplicate, Empty, Length};
    let expected = [None, Some(Empty), Some(Copy), Some(Length), Some(DropReason::Language), Some(Duplicate), None];
    assert_eq!(reasons(&languages, &pairs), expected);
    let ignore = vec![Empty, Copy, Length, DropReason::Language, Duplicate];
    assert_eq!(reasons(&FilterJob { ignore, ..languages }, &pairs), [None; 7]);
}

#[test]
fn duplicates_are_of_pairs_sources_or_targets() {
    let pairs = [("eins", "one"), ("eins", "a"), ("ein", "one"), ("eins", "one")];
    let duplicates = |duplicates| {
        let found = reasons(&FilterJob { duplicates, ..job() }, &pairs);
        found.iter().map(Option::is_some).collect::<Vec<bool>>()
    };
    assert_eq!(duplicates(DuplicateBy::Pair), [false, false, false, true]);
    assert_eq!(duplicates(DuplicateBy::Source), [false, true, false, true]);
    assert_eq!(duplicates(DuplicateBy::Target), [false, false, true, true]);
}

#[test]
fn a_limit_of_scores_or_a_share_drops_the_worst() {
    let texts = ["a", "bbb", "cc", "ddd", "eeee"];
    let pairs: Vec<(&str, &str)> = texts.iter().map(|text| ("x", *text)).collect();
    let kept = |job: &FilterJob| {
        let filtered = job.run(&pairs, &registry(), Progress::none()).unwrap().result;
        let kept = filtered.verdicts.iter().filter(|verdict| verdict.reason.is_none()).count() as u64;
        assert_eq!(filtered.summary.kept, kept);
        let stays = filtered.verdicts.iter().map(|verdict| verdict.reason.is_none()).collect::<Vec<bool>>();
        (stays, filtered.summary.threshold)
    };
    let by_score = |score| FilterJob { min_score: Some(score), ..job() };
    assert_eq!(kept(&by_score(3.0)), (vec![false, true, false, true, true], Some(3.0)));
    let by_share = |share| FilterJob { keep: Some(share), ..job() };
    assert_eq!(kept(&by_share(0.4)), (vec![false, true, false, false, true], Some(3.0)));
    assert_eq!(kept(&by_share(0.8)), (vec![false, true, true, true, true], Some(2.0)));
    assert_eq!(kept(&by_share(1.0)), (vec![true; 5], Some(1.0)));
    assert_eq!(kept(&job()), (vec![true; 5], None));
}

#[test]
fn the_best_scores_are_found_in_any_order_of_signs() {
    let scores = [-2.5, 0.0, 7.25, -2.5, 1e-300, 3.0, 7.25, -1e9];
    let verdicts: Vec<Verdict> = scores.iter().map(|score| Verdict { reason: None, score: Some(*score) }).collect();
    for count in 1..=scores.len() {
        let mut kept = Verdicts::create(Cursor::new(Vec::new()), "").unwrap();
        kept.append(&verdicts).unwrap();
        let share = FilterJob { keep: Some(count as f64 / scores.len() as f64), ..job() };
        let found = kept.decisions(&share).unwrap().filter(|verdict| verdict.as_ref().unwrap().reason.is_none());
        let mut found: Vec<f64> = found.map(|verdict| verdict.unwrap().score.unwrap()).collect();
        found.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut best = scores.to_vec();
        best.sort_unstable_by(|a, b| b.total_cmp(a));
        assert_eq!(found, best[..count], "{count}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_with_the_same_verdicts() {
    let pairs: Vec<(String, String)> = (0..10_000).map(|i| (format!("Satz {i}"), "x".repeat(i % 97))).collect();
    let judged = |verdicts: &mut Verdicts<Cursor<Vec<u8>>>| {
        let mut reader = pairs.iter().cloned();
        job().judge(&mut reader, pairs.len(), verdicts, &registry(), Progress::none()).unwrap();
    };
    let bytes = |verdicts: Verdicts<Cursor<Vec<u8>>>| verdicts.file.into_inner();
    let mut whole = Verdicts::create(Cursor::new(Vec::new()), "a").unwrap();
    judged(&mut whole);
    let whole = bytes(whole);
    for length in [whole.len(), 5_000, 50_123, 18] {
        let mut rest = Verdicts::resume(Cursor::new(whole[..length].to_vec()), "a").unwrap();
        judged(&mut rest);
        assert!(bytes(rest) == whole, "{length}");
    }
    assert!(Verdicts::resume(Cursor::new(whole), "b").is_err());
}

#[test]
fn settings_that_cannot_be_met_are_refused() {
    let wrong = |job: FilterJob| job.validate(&registry()).unwrap_err().to_string();
    let both = FilterJob { min_score: Some(1.0), keep: Some(0.5), ..job() };
    assert_eq!(wrong(both), "min_score and keep are two limits of scores: leave one out");
    assert!(wrong(FilterJob { keep: Some(0.0), ..job() }).contains("above 0 and at most 1"));
    let ignored = FilterJob { ignore: vec![DropReason::Score], keep: Some(0.5), ..FilterJob::default() };
    assert_eq!(wrong(ignored), "keep needs scores, which are ignored: leave one out");
    let pairs = [("a", "b")];
    let lexical = FilterJob { metric: Some("chrf".into()), ..FilterJob::default() };
    assert!(matches!(lexical.run(&pairs, &registry(), Progress::none()), Err(Error::NeedsReferences { .. })));
}
