use super::*;
use crate::corpora::{Comparison, HumanScores, Outcome, RankedOutput, Ranking, Reference, Texts};

/// A set of one segment with these outputs, and rankings of (system, group, rank).
fn set(outputs: &[&str], rankings: &[&[(usize, u32, u32)]]) -> Judgements {
    let ranking = |outputs: &&[(usize, u32, u32)]| {
        let output = |&(system, group, rank)| RankedOutput { system, group, rank: Some(rank) };
        Ranking { segment: 0, judge: "j".to_owned(), outputs: outputs.iter().map(output).collect() }
    };
    Judgements {
        set: "wmt12-rr".to_owned(),
        pair: "cs-en".to_owned(),
        systems: (0..outputs.len()).map(|system| format!("s{system}")).collect(),
        segments: vec!["9".to_owned()],
        texts: Some(Texts {
            sources: None,
            references: vec![Reference { name: String::new(), lines: vec![Some("r".to_owned())] }],
            outputs: outputs.iter().map(|text| vec![Some((*text).to_owned())]).collect(),
        }),
        rankings: rankings.iter().map(ranking).collect(),
        ..Judgements::default()
    }
}

fn only(set: TrainingSet) -> DerivationSettings {
    DerivationSettings { set, ..DerivationSettings::default() }
}

/// Score, n and variance of each translation.
fn figures(scores: &DerivedScores) -> Vec<(&str, f64, usize, f64)> {
    let figures = |pair: &'_ ScoredPair| (pair.score, pair.n.unwrap(), pair.variance.unwrap());
    scores
        .pairs
        .iter()
        .map(|pair| {
            let (score, n, variance) = figures(pair);
            (pair.translation.as_str(), score, n, variance)
        })
        .collect()
}

#[test]
fn the_score_is_six_minus_the_mean_rank() {
    // b is ranked 1, 2, 2, 3, a 2, 1, 5, 4.
    let judged = set(
        &["a", "b"],
        &[&[(0, 1, 2), (1, 2, 1)], &[(0, 1, 1), (1, 2, 2)], &[(0, 1, 5), (1, 2, 2)], &[(0, 1, 4), (1, 2, 3)]],
    );
    let scores = derive_scores(std::slice::from_ref(&judged), &only(TrainingSet::Lnf)).unwrap();
    assert_eq!(figures(&scores), [("a", 3.0, 4, 2.5), ("b", 4.0, 4, 0.5)]);
    assert_eq!((scores.tau, scores.comparisons), (Some(0.5), 4));
    assert_eq!((scores.pairs[0].reference.as_str(), scores.pairs[0].segment.as_str()), ("r", "9"));
    let group = &scores.groups[0];
    assert_eq!((group.n, group.threshold, group.kept, group.ranked), (4, None, 2, 2));
    let sample = DerivationSettings { variance: VarianceDivisor::NMinusOne, ..only(TrainingSet::Lnf) };
    let scores = derive_scores(&[judged], &sample).unwrap();
    assert_eq!(scores.pairs[1].variance, Some(2.0 / 3.0));
}

#[test]
fn the_filter_keeps_translations_below_the_threshold_of_their_n() {
    let judged = set(
        &["a", "b"],
        &[&[(0, 1, 2), (1, 2, 1)], &[(0, 1, 1), (1, 2, 2)], &[(0, 1, 5), (1, 2, 2)], &[(0, 1, 4), (1, 2, 3)]],
    );
    // With a (variance 2.5) τ is 0.5; without it nothing is compared.
    let scores = derive_scores(std::slice::from_ref(&judged), &only(TrainingSet::L)).unwrap();
    assert_eq!(figures(&scores), [("b", 4.0, 4, 0.5)]);
    assert_eq!((scores.groups[0].threshold, scores.groups[0].tau, scores.groups[0].kept), (Some(2.5), None, 1));
    let lenient = DerivationSettings { minimum_tau: 0.5, ..only(TrainingSet::L) };
    let all = derive_scores(std::slice::from_ref(&judged), &lenient).unwrap();
    assert_eq!((all.pairs.len(), all.groups[0].threshold), (2, Some(2.55)));
    // A threshold is exclusive.
    let given = DerivationSettings { thresholds: vec![(4, 0.5)], ..only(TrainingSet::L) };
    assert!(derive_scores(&[judged], &given).unwrap().pairs.is_empty());
}

#[test]
fn l_needs_four_ranks_and_xl_three() {
    let judged = set(&["a", "b"], &[&[(0, 1, 2), (1, 2, 1)][..]; 3]);
    assert!(derive_scores(std::slice::from_ref(&judged), &only(TrainingSet::L)).unwrap().pairs.is_empty());
    let scores = derive_scores(&[judged], &only(TrainingSet::Xl)).unwrap();
    assert_eq!(figures(&scores), [("a", 4.0, 3, 0.0), ("b", 5.0, 3, 0.0)]);
    assert_eq!(scores.groups.iter().map(|group| group.n).collect::<Vec<_>>(), [3, 4, 5, 6, 7, 8]);
}

#[test]
fn equal_outputs_are_one_translation_unless_systems_are_kept_apart() {
    // The first two rankings show the output of both systems once, the third twice.
    let judged = set(
        &["a", "a", "b"],
        &[&[(0, 1, 2), (1, 1, 2), (2, 2, 1)], &[(0, 1, 2), (1, 1, 2)], &[(0, 1, 1), (1, 2, 3), (2, 3, 2)]],
    );
    let settings = DerivationSettings { minimum_tau: -1.0, ..only(TrainingSet::Xl) };
    let one = derive_scores(std::slice::from_ref(&judged), &settings).unwrap();
    assert_eq!(figures(&one), [("a", 4.0, 4, 0.5)]);
    assert_eq!(one.pairs[0].systems, ["s0", "s1"]);
    let apart = DerivationSettings { equal_outputs: EqualOutputs::PerSystem, ..settings };
    let apart = derive_scores(&[judged], &apart).unwrap();
    let scores: Vec<_> = apart.pairs.iter().map(|pair| (pair.systems.join(" "), pair.score)).collect();
    assert_eq!(scores, [("s0".to_owned(), 6.0 - 5.0 / 3.0), ("s1".to_owned(), 6.0 - 7.0 / 3.0)]);
}

#[test]
fn sets_without_ranks_need_a_reading() {
    let mut judged = set(&["a", "b", "c"], &[]);
    let comparison = |first, second, outcome| Comparison { segment: 0, first, second, outcome };
    let ranking =
        [comparison(0, 1, Outcome::First), comparison(0, 2, Outcome::First), comparison(1, 2, Outcome::First)];
    judged.comparisons = ranking.repeat(4);
    judged.comparisons.push(comparison(0, 1, Outcome::Tie));
    let error = derive_scores(std::slice::from_ref(&judged), &only(TrainingSet::Xl)).unwrap_err().to_string();
    assert_eq!(
        error,
        "wmt12-rr cs-en: its files compare two translations at a time, without ranks from 1 to 5 (rankings can be \
         recovered from the order of the pairs, or scores be shares of wins)"
    );
    let derive = |pairs, set| {
        let settings = DerivationSettings { pairs, minimum_tau: -1.0, ..only(set) };
        derive_scores(std::slice::from_ref(&judged), &settings).unwrap()
    };
    let recovered = derive(PairsReading::Recovered, TrainingSet::L);
    assert_eq!(figures(&recovered), [("a", 4.63, 4, 0.0), ("b", 3.43, 4, 0.0), ("c", 2.17, 4, 0.0)]);
    // 8.5 of 9 and 4.5 of 9 comparisons; c has 8, which is two rankings.
    let wins = derive(PairsReading::ShareOfWins, TrainingSet::Xl);
    assert_eq!(wins.pairs.len(), 0);
    judged.comparisons.extend(ranking);
    let settings = DerivationSettings { pairs: PairsReading::ShareOfWins, minimum_tau: -1.0, ..only(TrainingSet::Xl) };
    let wins = derive_scores(std::slice::from_ref(&judged), &settings).unwrap();
    assert_eq!(figures(&wins)[0], ("a", 1.0 + 4.0 * 10.5 / 11.0, 3, (11.0 * 41.0 - 441.0) / 121.0));
    judged.comparisons.clear();
    let error = derive_scores(&[judged], &settings).unwrap_err().to_string();
    assert_eq!(error, "wmt12-rr cs-en: no rankings to derive scores from");
}

#[test]
fn thresholds_may_be_found_on_all_that_were_ranked_as_often_or_more() {
    // Ranked four times: a, b. Ranked three times: c, which contradicts b.
    let with_c: &[(usize, u32, u32)] = &[(0, 1, 1), (1, 2, 3), (2, 3, 3)];
    let judged = set(&["a", "b", "c"], &[with_c, with_c, &[(0, 1, 1), (1, 2, 3), (2, 3, 4)], &[(0, 1, 1), (1, 2, 3)]]);
    let exactly = derive_scores(std::slice::from_ref(&judged), &only(TrainingSet::Xl)).unwrap();
    assert_eq!((exactly.groups[0].n, exactly.groups[0].comparisons), (3, 0));
    let settings = DerivationSettings { scope: ThresholdScope::AtLeast, ..only(TrainingSet::Xl) };
    let at_least = derive_scores(&[judged], &settings).unwrap();
    assert_eq!((at_least.groups[0].n, at_least.groups[0].comparisons, at_least.groups[0].ranked), (3, 8, 1));
}

#[test]
fn order_of_judgements_and_systems_changes_nothing() {
    let rankings: [&[(usize, u32, u32)]; 4] =
        [&[(0, 1, 2), (1, 2, 1)], &[(0, 1, 1), (1, 2, 2)], &[(0, 1, 5), (1, 2, 2)], &[(0, 1, 4), (1, 2, 3)]];
    let one = derive_scores(&[set(&["a", "b"], &rankings)], &only(TrainingSet::Lnf)).unwrap();
    let turned: Vec<Vec<(usize, u32, u32)>> =
        rankings.iter().rev().map(|ranking| ranking.iter().map(|&(s, g, r)| (1 - s, g, r)).collect()).collect();
    let turned: Vec<&[(usize, u32, u32)]> = turned.iter().map(Vec::as_slice).collect();
    let mut other = set(&["b", "a"], &turned);
    other.systems.reverse();
    assert_eq!(derive_scores(&[other], &only(TrainingSet::Lnf)).unwrap(), one);
}

#[test]
fn unusable_ranks_and_settings_are_refused() {
    let error = |settings: &DerivationSettings| derive_scores(&[], settings).unwrap_err().to_string();
    let with = |change: fn(&mut DerivationSettings)| {
        let mut settings = DerivationSettings::default();
        change(&mut settings);
        error(&settings)
    };
    assert_eq!(with(|settings| settings.step = 0.0), "the step of the variance must be from 0.001 to 4");
    assert_eq!(with(|settings| settings.minimum_tau = f64::NAN), "the smallest accepted τ must be from -1 to 1");
    assert_eq!(
        with(|settings| settings.thresholds = vec![(3, 0.5)]),
        "a threshold needs an n from 4 to 8 and a variance from 0, found 3 and 0.5"
    );
    assert_eq!(
        with(|settings| (settings.set, settings.thresholds) = (TrainingSet::Lnf, vec![(4, 0.5)])),
        "LNF has no limit on the variance, so it takes no thresholds"
    );
    let judged = set(&["a", "b"], &[&[(0, 1, 2), (1, 2, 6)]]);
    let error = derive_scores(&[judged], &only(TrainingSet::L)).unwrap_err().to_string();
    assert_eq!(error, "wmt12-rr cs-en: scores are derived from ranks 1 to 5, found the rank 6");
}

#[test]
fn sick_is_taken_as_it_is() {
    let human = |score| HumanScores {
        name: "relatedness".to_owned(),
        level: Level::Segment,
        higher_is_better: true,
        values: vec![vec![Some(score)]],
    };
    let judged = |score| Judgements { scores: vec![human(score)], pair: String::new(), ..set(&["a"], &[]) };
    let pairs = scored_pairs(&judged(3.3)).unwrap();
    let mut scores = derive_scores(&[], &DerivationSettings::default()).unwrap();
    scores.add(&judged(3.3)).unwrap();
    assert_eq!((scores.added, &scores.pairs), (vec![("wmt12-rr".to_owned(), 1)], &pairs));
    assert_eq!((pairs[0].score, pairs[0].n, pairs[0].translation.as_str()), (3.3, None, "a"));
    assert_eq!(
        scored_pairs(&judged(0.5)).unwrap_err().to_string(),
        "wmt12-rr: expected scores from 1 to 5, 5 for the same meaning, found 0.5 of `relatedness`"
    );
    assert_eq!(scored_pairs(&set(&["a"], &[])).unwrap_err().to_string(), "wmt12-rr cs-en: no scores of segments");
}
