//! Tests of scoring in parts.

use super::*;
use crate::metrics::Direction;
use crate::text::Language;
use crate::{ExternalScores, Paired, Pairs, System, Test, evaluate, significance::Resampling};
use proptest::prelude::*;

const TEXTS: [&str; 7] = [
    "The cat sat on the mat.",
    "A cat sat on a mat , it seems",
    "",
    "Es regnete den ganzen Tag über.",
    "猫坐在垫子上。",
    "one two three four five six seven",
    "one three two four six five seven eight",
];

/// All metrics without files of the user that score in parts and take little time.
fn metrics() -> Vec<NamedMetric> {
    let registry = crate::registry();
    let names =
        registry.metrics().iter().filter(|info| info.needs.is_none() && !["siamese", "reval"].contains(&info.name));
    let built = names.filter_map(|info| registry.named(info.name, None).ok());
    built.filter(|named| StreamScorer::new(vec![named.clone()]).is_ok()).collect()
}

/// A hypothesis of each of two systems, and one or two references.
type Row = ([usize; 2], Vec<usize>);

fn corpus(rows: &[Row]) -> Corpus<'static> {
    let system = |name: &str, which: usize| {
        let hypotheses = rows.iter().map(|(hypotheses, _)| TEXTS[hypotheses[which]]).collect();
        System { name: name.to_owned(), hypotheses }
    };
    let references = rows.iter().map(|(_, references)| references.iter().map(|&i| TEXTS[i]).collect());
    Corpus::new(vec![system("a", 0), system("b", 1)], references.collect()).unwrap()
}

/// The sums of both systems over these rows, and the tallies of all segments.
fn sums(scorer: &StreamScorer, rows: &[Row]) -> Vec<StreamedSystem> {
    let batch = corpus(rows);
    let tallies = scorer.tally(&batch, Progress::none()).unwrap();
    let system = |(i, system): (usize, &System<'_>)| {
        let mut sums = scorer.no_sums();
        for segment in 0..batch.len() {
            let references = batch.references()[segment].len();
            scorer.add(&mut sums, references, tallies.iter().map(|systems| &systems[i][segment]));
        }
        let kept = tallies.iter().map(|systems| systems[i].clone()).collect();
        StreamedSystem { name: system.name.clone(), sums, tallies: kept }
    };
    batch.systems().iter().enumerate().map(system).collect()
}

/// The systems of several parts, whose sums were in bytes between, merged from the last part to the first.
fn merged(scorer: &StreamScorer, parts: &[&[Row]]) -> Vec<StreamedSystem> {
    let parts: Vec<Vec<StreamedSystem>> = parts.iter().map(|rows| sums(scorer, rows)).collect();
    let merge = |i: usize| {
        let mut whole = StreamedSystem::new(["a", "b"][i], scorer.no_sums());
        for part in parts.iter().rev() {
            whole.sums.merge(&PartialSums::from_bytes(&part[i].sums.to_bytes()).unwrap()).unwrap();
        }
        whole.tallies = (0..scorer.metrics().len())
            .map(|metric| parts.iter().flat_map(|part| part[i].tallies[metric].clone()).collect())
            .collect();
        whole
    };
    vec![merge(0), merge(1)]
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let text = 0..TEXTS.len();
    let row = ([text.clone(), text.clone()], prop::collection::vec(text, 1..3));
    prop::collection::vec(row, 2..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn parts_in_any_order_score_as_the_whole(rows in rows(), cut in 1usize..11, other in 1usize..11) {
        let mut cuts = [cut.min(rows.len() - 1), other.min(rows.len() - 1)];
        cuts.sort_unstable();
        let parts: Vec<&[Row]> = [&rows[..cuts[0]], &rows[cuts[0]..cuts[1]], &rows[cuts[1]..]]
            .into_iter().filter(|part| !part.is_empty()).collect();
        let named = metrics();
        prop_assert!(named.len() > 8, "{}", named.len());
        let scorer = StreamScorer::new(named.clone()).unwrap();
        let request = EvaluateRequest { components: true, ..EvaluateRequest::default() };
        let whole = evaluate(&corpus(&rows), &named, &request, Progress::none()).unwrap();
        let streamed = scorer.evaluate(merged(&scorer, &parts), &request, Progress::none()).unwrap();
        prop_assert_eq!(streamed.segments, whole.segments);
        for (one, other) in whole.columns.iter().zip(&streamed.columns) {
            prop_assert_eq!(&one.signature, &other.signature);
            for (a, b) in one.cells.iter().zip(&other.cells) {
                prop_assert_eq!(a.score.to_bits(), b.score.to_bits(), "{}", &one.metric);
                prop_assert_eq!(&a.components, &b.components);
            }
        }
    }
}

/// Rows that differ enough for a test.
fn fixed_rows() -> Vec<Row> {
    (0..40).map(|i| ([i % 7, (i * 3 + 1) % 7], vec![(i + i % 2) % 7])).collect()
}

#[test]
fn kept_tallies_give_the_same_intervals_and_tests() {
    let named = vec![crate::registry().named("bleu", None).unwrap(), crate::registry().named("ter", None).unwrap()];
    let scorer = StreamScorer::new(named.clone()).unwrap();
    let resampling = Resampling { samples: 100, seed: Some(1) };
    let pairs = Pairs::Against("a".to_owned());
    let paired = Some(Paired { test: Test::Bootstrap, resampling, pairs, holm: false });
    let language = Language::target("en").ok();
    let request = EvaluateRequest { confidence: Some(resampling), paired, language, ..EvaluateRequest::default() };
    let rows = fixed_rows();
    let whole = evaluate(&corpus(&rows), &named, &request, Progress::none()).unwrap();
    let systems = merged(&scorer, &[&rows[..17], &rows[17..]]);
    let streamed = scorer.evaluate(systems, &request, Progress::none()).unwrap();
    assert_eq!(whole.comparisons, streamed.comparisons);
    assert_eq!(whole.columns[0].cells[1].interval, streamed.columns[0].cells[1].interval);
    let without = sums(&scorer, &rows).into_iter().map(|system| StreamedSystem::new(system.name, system.sums));
    let error = scorer.evaluate(without.collect(), &request, Progress::none()).unwrap_err();
    assert_eq!(error.to_string(), "intervals and tests need the tallies of all segments");
}

#[test]
fn what_cannot_be_scored_in_parts_is_refused() {
    let error = StreamScorer::new(vec![crate::registry().named("nist", None).unwrap()]).unwrap_err();
    assert!(error.to_string().starts_with("nist needs the references of all segments before"), "{error}");
    let scorer = StreamScorer::new(vec![crate::registry().named("bleu", None).unwrap()]).unwrap();
    let other = StreamScorer::new(vec![crate::registry().named("chrf", None).unwrap()]).unwrap();
    let error = scorer.no_sums().merge(&other.no_sums()).unwrap_err();
    assert!(error.to_string().starts_with("sums of chrf:"), "{error}");
    let nothing = StreamedSystem::new("a", scorer.no_sums());
    let error = scorer.evaluate(vec![nothing], &EvaluateRequest::default(), Progress::none()).unwrap_err();
    assert_eq!(error.to_string(), "there is no segment to score");
}

#[test]
fn damaged_bytes_are_an_error() {
    let scorer = StreamScorer::new(vec![crate::registry().named("meteor", None).unwrap()]).unwrap();
    let bytes = sums(&scorer, &fixed_rows())[0].sums.to_bytes();
    assert!(PartialSums::from_bytes(&bytes).is_ok());
    for cut in 0..bytes.len() {
        let error = PartialSums::from_bytes(&bytes[..cut]).unwrap_err();
        assert_eq!(error.to_string(), "the sums in bytes are damaged or of another version");
    }
}

/// A test of both systems over these rows, whose ids are their places in the whole.
fn test_of(scorer: &StreamScorer, rows: &[Row], first: usize, samples: usize) -> PartialTest {
    let batch = corpus(rows);
    let tallies = scorer.tally(&batch, Progress::none()).unwrap();
    let ids: Vec<String> = (first..first + rows.len()).map(|id| id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let references: Vec<usize> = batch.references().iter().map(Vec::len).collect();
    let mut test = PartialTest::new(scorer, 2, samples, 12345).unwrap();
    test.add(scorer, &ids, &references, &tallies).unwrap();
    test
}

#[test]
fn a_test_in_parts_is_that_of_the_whole() {
    let named = ["bleu", "chrf", "meteor", "ter"].map(|name| crate::registry().named(name, None).unwrap());
    let scorer = StreamScorer::new(named.to_vec()).unwrap();
    let rows = fixed_rows();
    let names = ["a".to_owned(), "b".to_owned()];
    let whole = test_of(&scorer, &rows, 0, 200).evaluate(&scorer, &names, false, Progress::none()).unwrap();
    let mut merged = PartialTest::new(&scorer, 2, 200, 12345).unwrap();
    for (from, to) in [(31, 40), (0, 1), (1, 14), (14, 31)] {
        let part = test_of(&scorer, &rows[from..to], from, 200);
        merged.merge(&PartialTest::from_bytes(&part.to_bytes()).unwrap()).unwrap();
    }
    let parts = merged.evaluate(&scorer, &names, false, Progress::none()).unwrap();
    assert_eq!(whole.comparisons, parts.comparisons);
    for (one, other) in whole.columns.iter().zip(&parts.columns) {
        assert_eq!(one.cells[0].interval, other.cells[0].interval, "{}", one.metric);
        assert_eq!(one.cells[1].interval, other.cells[1].interval, "{}", one.metric);
        assert!(one.signature.contains("|bs=200|draws=poisson|seed=12345|"), "{}", one.signature);
        assert!(crate::registry().build(&one.signature).is_ok(), "{}", one.signature);
    }
}

/// A test of two systems over 1,100 segments with these scores, added in parts that end here.
fn test_of_scores(score: impl Fn(usize, usize) -> f64, ends: &[usize]) -> Evaluation {
    let mean = Arc::new(ExternalScores::new("mean", Direction::HigherIsBetter, None));
    let scorer = StreamScorer::new(vec![NamedMetric::new("mean", mean)]).unwrap();
    let mut test = PartialTest::new(&scorer, 2, 50, 1).unwrap();
    let mut start = 0;
    for &end in ends {
        let ids: Vec<String> = (start..end).map(|id| id.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let tally = |system: usize, id: usize| Tally::new(vec![score(system, id), 1.0]);
        let tallies = |system: usize| (start..end).map(|id| tally(system, id)).collect();
        test.add(&scorer, &ids, &vec![1; end - start], &[vec![tallies(0), tallies(1)]]).unwrap();
        start = end;
    }
    let names = ["a".to_owned(), "b".to_owned()];
    test.evaluate(&scorer, &names, false, Progress::none()).unwrap()
}

#[test]
fn parts_of_a_test_may_be_longer_than_what_is_summed_at_once() {
    let small = |system: usize, id: usize| ((id * 7 + system * 3) % 11) as f64;
    // Sums of whole numbers that round.
    let large = |system: usize, id: usize| (1u64 << 52) as f64 + small(system, id) * (id as f64);
    let fractions = |system: usize, id: usize| small(system, id) / 3.0;
    for score in [&small as &dyn Fn(usize, usize) -> f64, &large, &fractions] {
        let [one, other] = [&[1100][..], &[3, 700, 1100]].map(|ends| test_of_scores(score, ends));
        assert_eq!(one.comparisons, other.comparisons);
        for (one, other) in one.columns[0].cells.iter().zip(&other.columns[0].cells) {
            assert_eq!((one.score, one.interval), (other.score, other.interval));
        }
    }
}

#[test]
fn segments_that_do_not_fit_a_test_are_refused() {
    let scorer = StreamScorer::new(vec![crate::registry().named("ter", None).unwrap()]).unwrap();
    let error = |samples| PartialTest::new(&scorer, 2, samples, 1).unwrap_err().to_string();
    assert!(error(0).starts_with("0 resamples say nothing"), "{}", error(0));
    assert!(error(10_000_000).starts_with("10000000 resamples are too many"), "{}", error(10_000_000));
    let tallies = scorer.tally(&corpus(&fixed_rows()[..2]), Progress::none()).unwrap();
    let mut test = PartialTest::new(&scorer, 2, 5, 1).unwrap();
    let mut refused = |ids: &[&str], references: &[usize], tallies: &[SystemTallies]| {
        test.add(&scorer, ids, references, tallies).unwrap_err().to_string()
    };
    assert_eq!(refused(&["1"], &[1, 1], &tallies), "every segment needs an id: found 1 for 2 segments");
    assert_eq!(refused(&["1", "2", "3"], &[1, 1, 1], &tallies), "every segment needs an id: found 3 for 2 segments");
    let one_system = [tallies[0][..1].to_vec()];
    assert_eq!(
        refused(&["1", "2"], &[1, 1], &one_system),
        "the tallies are not of the systems and metrics of the test"
    );
}

#[test]
fn a_test_in_parts_agrees_with_the_usual_bootstrap() {
    let named = vec![crate::registry().named("chrf", None).unwrap()];
    let scorer = StreamScorer::new(named.clone()).unwrap();
    let rows: Vec<Row> = (0..300).map(|i| ([i % 7, (i * 3 + i / 7) % 7], vec![(i + i % 2) % 7])).collect();
    let resampling = Resampling { samples: 1000, seed: Some(1) };
    let paired = Paired { test: Test::Bootstrap, resampling, pairs: Pairs::Against("a".to_owned()), holm: false };
    let request = EvaluateRequest { confidence: Some(resampling), paired: Some(paired), ..EvaluateRequest::default() };
    let usual = evaluate(&corpus(&rows), &named, &request, Progress::none()).unwrap();
    let names = ["a".to_owned(), "b".to_owned()];
    let parts = test_of(&scorer, &rows, 0, 1000).evaluate(&scorer, &names, false, Progress::none()).unwrap();
    let widths = |evaluation: &Evaluation| evaluation.columns[0].cells[1].interval.unwrap().half_width;
    let ratio = widths(&parts) / widths(&usual);
    assert!((0.85..1.15).contains(&ratio), "{ratio}");
    let (one, other) = (usual.comparisons[0].p_value, parts.comparisons[0].p_value);
    assert!((one - other).abs() < 0.05, "{one} {other}");
    assert_eq!(usual.comparisons[0].differing_segments, parts.comparisons[0].differing_segments);
}

#[test]
fn damaged_bytes_of_a_test_are_an_error() {
    let scorer = StreamScorer::new(vec![crate::registry().named("ter", None).unwrap()]).unwrap();
    let bytes = test_of(&scorer, &fixed_rows()[..3], 0, 5).to_bytes();
    assert!(PartialTest::from_bytes(&bytes).is_ok());
    for cut in 0..bytes.len() {
        assert!(PartialTest::from_bytes(&bytes[..cut]).is_err());
    }
    for i in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[i] = 0xff;
        if let Ok(test) = PartialTest::from_bytes(&damaged) {
            let mut other = PartialTest::new(&scorer, 2, 5, 12345).unwrap();
            let _ = other.merge(&test);
        }
    }
}
