//! Checkpoints of another network, or with another development set, are refused.

use super::*;
use crate::activation::Activation;

/// Two items of two words, and a network over them.
fn encoded(change: impl Fn(&mut EncodedPairShape)) -> (EncodedPairNetwork, EncodedExamples) {
    let mut shape = EncodedPairShape {
        architecture: Architecture::Groups,
        hidden: 1,
        skip: 0,
        fixed: 0,
        encoding: Encoding::Lstm { units: 2, gate: Gate::Hard },
        fine_tuning: FineTuning::Full,
        embedding_dropout: 0.0,
        hidden_dropout: 0.0,
    };
    change(&mut shape);
    let words = Matrix::new(2, 2, vec![0.1, -0.2, 0.3, 0.4]).unwrap();
    let set = EncodedExamples {
        lists: Lists::from_lists(&[[0, 1], [1, 0]]),
        examples: vec![Example { a: 0, b: 1, c: 0, skip_a: 0, skip_b: 0, target: 1.0 }],
        ..EncodedExamples::default()
    };
    (EncodedPairNetwork::new(shape, Arc::new(words), 1).unwrap(), set)
}

/// The name and the value of a development set.
type Scored = (Option<&'static str>, Option<f64>);

const UNSCORED: Scored = (None, None);

/// Trains for three epochs, with a development set of this name and this value.
fn run<N: Network>(
    network: &mut N,
    set: &N::Examples,
    (id, value): Scored,
    checkpoints: &mut Checkpoints,
    progress: Progress<'_>,
) -> Result<Outcome> {
    let (settings, score) = (settings(Cost::Logistic, 3), move |_: &N| Ok(value.unwrap_or_default()));
    let development = value.map(|_| Development { id: id.map(str::to_owned), name: "score", score: &score });
    PairTraining { development, ..PairTraining::new(network, set, &settings) }.run(checkpoints, progress)
}

/// The checkpoint after one epoch.
fn kept<N: Network>(mut network: N, set: &N::Examples, scored: Scored) -> impl Fn() -> Checkpoints {
    let folder = tempfile::tempdir().unwrap();
    let (path, stop) = (file(&folder), stop_after(1));
    let stopped = run(&mut network, set, scored, &mut Checkpoints::to(&path, 1e9), Progress::new(&stop));
    assert!(matches!(stopped, Err(Error::Stopped(_))));
    let bytes = std::fs::read(&path).unwrap();
    move || {
        std::fs::write(file(&folder), &bytes).unwrap();
        Checkpoints::resume(&file(&folder), 1e9).unwrap()
    }
}

type Change = fn(&mut EncodedPairShape);

/// Networks with tensors of the same names and shapes.
const LSTM: [(Change, &str); 3] = [
    (|shape| shape.encoding = Encoding::Lstm { units: 2, gate: Gate::Logistic }, "lstm 2 logistic"),
    (|shape| shape.embedding_dropout = 0.5, "dropouts 0.5 and 0"),
    (|shape| shape.hidden_dropout = 0.5, "dropouts 0 and 0.5"),
];

fn convolution(pooling: Option<usize>, activation: Activation) -> Encoding {
    Encoding::Convolution { filters: 2, length: 2, pooling, activation }
}

const CONVOLUTION: [(Change, &str); 2] = [
    (|shape| shape.encoding = convolution(Some(2), Activation::Tanh), "convolution 2 2 tanh 2"),
    (|shape| shape.encoding = convolution(None, Activation::Relu), "convolution 2 2 relu"),
];

#[test]
fn a_state_of_another_network_of_the_same_sizes_is_refused() {
    let plain: Change = |_| ();
    let convolved: Change = |shape| shape.encoding = convolution(None, Activation::Tanh);
    let refused = |(mut network, set): (EncodedPairNetwork, EncodedExamples), mut state: Checkpoints| {
        run(&mut network, &set, UNSCORED, &mut state, Progress::none()).unwrap_err().to_string()
    };
    for (base, others) in [(plain, &LSTM[..]), (convolved, &CONVOLUTION[..])] {
        let (mut network, set) = encoded(base);
        let state = kept(network.clone(), &set, UNSCORED);
        for (change, words) in others {
            let (other, set) = encoded(*change);
            network.parameters().check_fits(other.parameters()).unwrap();
            let error = refused((other, set), state());
            assert!(error.starts_with("the saved state does not fit: its network has 2 words of 2"), "{error}");
            assert!(error.split_once("this one has").unwrap().1.contains(words), "{words}: {error}");
        }
        run(&mut network, &set, UNSCORED, &mut state(), Progress::none()).unwrap();
    }
    // Fine-tuning by the description too, before a hash is compared.
    let (network, set) = encoded(plain);
    let state = kept(network, &set, UNSCORED);
    let error = refused(encoded(|shape| shape.fine_tuning = FineTuning::Moderate), state());
    assert!(error.contains("; this one has 2 words of 2, fine-tuning moderate"), "{error}");
}

#[test]
fn a_state_scored_on_another_development_set_is_refused() {
    let set = exclusive_or();
    let resume = |before: Scored, after: Scored| {
        let state = kept(network(Architecture::Groups), &set, before);
        run(&mut network(Architecture::Groups), &set, after, &mut state(), Progress::none())
            .map(|outcome| outcome.best_round)
    };
    let one = |id: Option<&'static str>| (id, Some(0.5));
    assert_eq!(resume(one(Some("x")), one(Some("x"))).unwrap(), 3);
    assert_eq!(resume(one(None), one(None)).unwrap(), 3);
    let refused = |before: Scored, after: Scored| resume(before, after).unwrap_err().to_string();
    for (error, reason) in [
        (refused(one(Some("x")), one(Some("y"))), "its epochs were scored on another development set"),
        (refused(one(Some("x")), UNSCORED), "its epochs were scored on a development set and this run names none"),
        (refused(one(None), one(Some("x"))), "it does not say which development set its epochs were scored on"),
        (refused(UNSCORED, one(Some("x"))), "its epochs were scored on no development set and this run has one"),
    ] {
        assert!(error.starts_with(&format!("the saved state does not fit: {reason}")), "{error}");
        assert!(error.ends_with(": give the development set it was trained with, or start afresh"), "{error}");
    }
}

#[test]
fn an_old_best_is_not_kept_where_nobody_names_the_development_set() {
    let set = exclusive_or();
    let scored = (None, Some(0.5));
    for (before, after, reason) in [
        (scored, UNSCORED, "there is none, and the epochs before have one"),
        (UNSCORED, scored, "there is one, and the epochs before have none"),
    ] {
        let state = kept(network(Architecture::Groups), &set, before);
        let mut network = network(Architecture::Groups);
        let error = run(&mut network, &set, after, &mut state(), Progress::none());
        let Err(Error::Callback { what: "the development score", epoch: 2, source }) = error else {
            panic!("{error:?}")
        };
        assert!(source.to_string().starts_with(reason), "{source}");
    }
}

#[test]
fn the_hash_of_a_development_set_names_it_before_and_after_training() {
    let (set, mut network) = (exclusive_or(), network(Architecture::Groups));
    let mut other = set.clone();
    other.examples[3].target = 0.25;
    let before = network.data_hash(&set);
    train(&mut network, &set, &settings(Cost::Logistic, 2)).unwrap();
    assert_eq!(network.data_hash(&set), before);
    assert_ne!(network.data_hash(&other), before);
}
