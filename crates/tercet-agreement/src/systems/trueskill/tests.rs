use super::*;
use crate::corpora::{Comparison, Judgements, Outcome};
use crate::systems::games::SharedOutputs;

/// `(beta, draw probability, systems, games)` and each system's μ and σ² after them, by trueskill 0.4.5:
///
/// ```python
/// env = trueskill.TrueSkill(mu=0., sigma=.5, beta=beta, tau=0., draw_probability=draw)
/// r = [env.create_rating() for _ in range(n)]
/// state = 1
/// for g in range(games):
///     draws = []
///     for _ in range(3):
///         state = (1664525 * state + 1013904223) % 2**32
///         draws.append(state >> 16)
///     a = draws[0] % n
///     b = (a + 1 + draws[1] % (n - 1)) % n
///     rank = [(0, 1), (0, 0), (1, 0)][draws[2] % 3]
///     (r[a],), (r[b],) = env.rate([(r[a],), (r[b],)], ranks=rank)
/// print([(x.mu, x.sigma ** 2) for x in r])
/// ```
type Oracle = (f64, f64, usize, usize, &'static [(f64, f64)]);
const ORACLE: [Oracle; 3] = [
    (
        25.0,
        0.25,
        4,
        400,
        &[
            (-0.10324090752038403, 0.24211270621477743),
            (-0.15864692613515402, 0.2427739671599102),
            (0.1513861999339476, 0.24224528031624776),
            (0.10999508424181685, 0.24201432682266483),
        ],
    ),
    (
        0.3,
        0.25,
        3,
        60,
        &[
            (-0.002196769269429826, 0.0057704767594568785),
            (-0.0064809728076218485, 0.006864739364870362),
            (-0.09767521894514324, 0.006709029107187467),
        ],
    ),
    (
        0.0125,
        0.1,
        2,
        12,
        &[(-0.0228204094813507, 0.0011270279761615956), (0.022820409481350706, 0.0011270279761615956)],
    ),
];

#[test]
fn ratings_equal_the_python_packages_game_after_game() {
    for (beta, draw, systems, games, expected) in ORACLE {
        let environment = Environment::new(beta, draw);
        let mut ratings = vec![Rating { mu: 0.0, variance: 0.25 }; systems];
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) as usize
        };
        for _ in 0..games {
            let one = next() % systems;
            let other = (one + 1 + next() % (systems - 1)) % systems;
            let (mut a, mut b) = (ratings[one], ratings[other]);
            match next() % 3 {
                0 => environment.win(&mut a, &mut b),
                1 => environment.draw(&mut a, &mut b),
                _ => environment.win(&mut b, &mut a),
            }
            (ratings[one], ratings[other]) = (a, b);
        }
        for (ours, &(mu, variance)) in ratings.iter().zip(expected) {
            assert!((ours.mu - mu).abs() < 1e-9, "{ours:?}, theirs {mu}");
            assert!((ours.variance - variance).abs() < 1e-9, "{ours:?}, theirs {variance}");
        }
    }
}

#[test]
fn an_impossible_upset_leaves_numbers() {
    let environment = Environment::new(1e-3, 0.25);
    let (mut low, mut high) = (Rating { mu: -50.0, variance: 0.25 }, Rating { mu: 50.0, variance: 0.25 });
    let (mut drawn_low, mut drawn_high) = (low, high);
    environment.win(&mut low, &mut high);
    assert!(low.mu > -1.0 && high.mu < 1.0 && low.variance > 0.0, "{low:?} {high:?}");
    environment.draw(&mut drawn_low, &mut drawn_high);
    assert!(drawn_low.mu > -1.0 && drawn_high.mu < 1.0, "{drawn_low:?} {drawn_high:?}");
    let (mut top, mut bottom) = (Rating { mu: 50.0, variance: 0.25 }, Rating { mu: -50.0, variance: 0.25 });
    environment.win(&mut top, &mut bottom);
    assert_eq!((top.mu, top.variance), (50.0, 0.25));
}

fn games(outcomes: &[(usize, usize, Outcome)]) -> Games {
    let comparison =
        |&(first, second, outcome): &(usize, usize, Outcome)| Comparison { segment: 0, first, second, outcome };
    let judgements = Judgements {
        systems: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
        comparisons: outcomes.iter().map(comparison).collect(),
        ..Judgements::default()
    };
    Games::new(&judgements, SharedOutputs::Tied).unwrap()
}

#[test]
fn who_always_wins_comes_first_and_sigma_shrinks() {
    let outcomes = [(0, 1, Outcome::First), (1, 2, Outcome::First), (2, 0, Outcome::Second)];
    let ratings = run(&games(&outcomes.repeat(20)), ResamplingUnit::None, Generator::new(Some(1)));
    assert!(ratings[0].mu > ratings[1].mu && ratings[1].mu > ratings[2].mu, "{ratings:?}");
    assert!(ratings.iter().all(|rating| rating.variance < 0.25));
}

#[test]
fn systems_that_never_met_are_never_drawn_together() {
    let outcomes = [(0, 1, Outcome::First), (2, 3, Outcome::Second)];
    let ratings = run(&games(&outcomes.repeat(15)), ResamplingUnit::None, Generator::new(Some(3)));
    assert!(ratings[0].mu > 0.0 && ratings[1].mu < 0.0 && ratings[2].mu < 0.0 && ratings[3].mu > 0.0);
}

#[test]
fn the_greatest_name_plays_first_and_near_opponents_more_often() {
    let outcomes = [(0, 1, Outcome::Tie), (0, 2, Outcome::Tie), (1, 2, Outcome::Tie)];
    let table = games(&outcomes).table();
    let mut run = Run::new(&table, 4);
    assert_eq!(run.least_known(), Some(2));
    run.growth = vec![1.0, 1f64.exp(), 1f64.exp()];
    run.decay = run.growth.iter().map(|growth| growth.recip()).collect();
    // From c: weight 1/e for a, 1 for b.
    let share = (-1f64).exp() / (1.0 + (-1f64).exp());
    assert_eq!(run.opponent(2, share - 1e-9), 0);
    assert_eq!(run.opponent(2, share + 1e-9), 1);
    assert_eq!(run.opponent(2, 1.0), 1);
}
