use super::*;
use crate::corpora::Outcome::{First, Second, Tie};
use crate::systems::games::SharedOutputs;
use crate::systems::reference_implementation::judgements;

fn games(outcomes: &[(usize, usize, Outcome)], times: usize) -> Games {
    Games::new(&judgements(3, &outcomes.repeat(times)), SharedOutputs::Tied).unwrap()
}

fn means(games: &Games, samples: usize, seed: u64) -> Vec<f64> {
    let stream = |chain: usize| Generator::from_words(&[seed as u32, 0, chain as u32]);
    let drawn = sample(games, samples, stream, Progress::none()).unwrap();
    assert_eq!(drawn.len(), samples);
    (0..3).map(|system| drawn.iter().map(|means| means[system]).sum::<f64>() / samples as f64).collect()
}

#[test]
fn who_wins_more_has_the_greater_mean() {
    let outcomes = [(0, 1, First), (1, 2, First), (2, 0, Second), (0, 1, Tie), (1, 0, First), (0, 2, First)];
    let means = means(&games(&outcomes, 25), 200, 1);
    assert!(means[0] > means[1] && means[1] > means[2], "{means:?}");
}

#[test]
fn systems_that_only_tie_stay_together() {
    let means = means(&games(&[(0, 1, Tie), (1, 2, Tie), (2, 0, Tie)], 60), 400, 2);
    assert!((means[0] - means[1]).abs() < 0.1 && (means[1] - means[2]).abs() < 0.1, "{means:?}");
}

/// The posterior of two systems after one comparison won by the first has a closed form: μ₁ − μ₂ ~ N(0, 2σ₀²) shows
/// as N(μ₁ − μ₂, 2σ_a² + 2σ_obs²), so that the mean of the difference is 2σ₀²/s · φ(d/s)/(1 − Φ(d/s)) with
/// s² = 2σ₀² + 2σ_a² + 2σ_obs² = 4.5: by scipy 1.17.1
/// `2 / s * norm.pdf(.5 / s) / norm.sf(.5 / s)`.
#[test]
fn one_comparison_gives_the_posterior_of_the_closed_form() {
    let games = Games::new(&judgements(2, &[(0, 1, First)]), SharedOutputs::Tied).unwrap();
    let samples = sample(&games, 60_000, |chain| Generator::new(Some(chain as u64)), Progress::none()).unwrap();
    let difference = samples.iter().map(|means| means[0] - means[1]).sum::<f64>() / samples.len() as f64;
    assert!((difference - 0.8991975501555257).abs() < 0.03, "{difference}");
}
