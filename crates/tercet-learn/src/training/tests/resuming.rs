//! States of another network, or scored on another development set, are refused.

use super::*;
use crate::activation::Activation;

/// Two items of two words, and a network that sees them.
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
        lists: WordLists::from_lists(&[[0, 1], [1, 0]]),
        examples: vec![Example { a: 0, b: 1, c: 0, skip_a: 0, skip_b: 0, target: 1.0 }],
        ..EncodedExamples::default()
    };
    (EncodedPairNetwork::new(shape, Arc::new(words), 1).unwrap(), set)
}

/// Ends after the first epoch and keeps its state; scores by a development set of this name.
#[derive(Default)]
struct First {
    state: Option<TrainingState>,
    id: Option<&'static str>,
    value: Option<f64>,
    on: bool,
}

impl<N: Network> Observer<N> for First {
    fn development(&mut self, _: &N) -> Result<Option<f64>, Cause> {
        Ok(self.value)
    }

    fn development_id(&self) -> Option<String> {
        self.id.map(str::to_owned)
    }

    fn progress(&mut self, _: &Progress<'_>) -> ControlFlow<()> {
        if self.on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn checkpoint(&mut self, state: &TrainingState) -> Result<(), Cause> {
        self.state = Some(state.clone());
        Ok(())
    }
}

/// The state after an epoch, by way of a file.
fn kept<N: Network>(mut network: N, set: &N::Examples, mut first: First) -> TrainingState {
    train(&mut network, set, &settings(Cost::Logistic, 3), &mut first, None).unwrap();
    let folder = tempfile::tempdir().unwrap();
    first.state.unwrap().save(&file(&folder)).unwrap();
    TrainingState::load(&file(&folder), network.parameters()).unwrap()
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
    let refused = |(mut network, set): (EncodedPairNetwork, EncodedExamples), state: &TrainingState| {
        let settings = settings(Cost::Logistic, 3);
        train(&mut network, &set, &settings, &mut Unobserved, Some(state.clone())).unwrap_err().to_string()
    };
    for (base, others) in [(plain, &LSTM[..]), (convolved, &CONVOLUTION[..])] {
        let (mut network, set) = encoded(base);
        let state = kept(network.clone(), &set, First::default());
        for (change, words) in others {
            let (other, set) = encoded(*change);
            network.parameters().check_fits(other.parameters()).unwrap();
            let error = refused((other, set), &state);
            assert!(
                error.starts_with("the saved state does not fit: its network has 2 words of 2"),
                "{error}"
            );
            assert!(error.split_once("this one has").unwrap().1.contains(words), "{words}: {error}");
        }
        train(&mut network, &set, &settings(Cost::Logistic, 3), &mut Unobserved, Some(state)).unwrap();
    }
    // Fine-tuning by the description too, before a hash is compared.
    let (network, set) = encoded(plain);
    let state = kept(network, &set, First::default());
    let error = refused(encoded(|shape| shape.fine_tuning = FineTuning::Moderate), &state);
    assert!(error.contains("; this one has 2 words of 2, fine-tuning moderate"), "{error}");
}

#[test]
fn a_state_that_does_not_describe_its_network_is_refused() {
    let (mut network, set) = encoded(|_| ());
    let former = TrainingState { network: String::new(), ..kept(network.clone(), &set, First::default()) };
    let settings = settings(Cost::Logistic, 3);
    let error = train(&mut network, &set, &settings, &mut Unobserved, Some(former)).unwrap_err();
    let message =
        "the saved state does not fit: it does not say which network it is of: start afresh".to_owned();
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_state_scored_on_another_development_set_is_refused() {
    let set = exclusive_or();
    let resume = |before: First, after: First| {
        let state = kept(network(Architecture::Groups), &set, before);
        let (mut network, settings) = (network(Architecture::Groups), settings(Cost::Logistic, 3));
        let mut after = First { on: true, ..after };
        train(&mut network, &set, &settings, &mut after, Some(state)).map(|outcome| outcome.best_epoch)
    };
    let one = |id: Option<&'static str>| First { id, value: Some(0.5), ..First::default() };
    assert_eq!(resume(one(Some("x")), one(Some("x"))).unwrap(), 3);
    assert_eq!(resume(one(None), one(None)).unwrap(), 3);
    let refused = |before: First, after: First| resume(before, after).unwrap_err().to_string();
    for (error, reason) in [
        (refused(one(Some("x")), one(Some("y"))), "its epochs were scored on another development set"),
        (
            refused(one(Some("x")), First::default()),
            "its epochs were scored on a development set and this run names none",
        ),
        (
            refused(one(None), one(Some("x"))),
            "it does not say which development set its epochs were scored on",
        ),
        (
            refused(First::default(), one(Some("x"))),
            "its epochs were scored on no development set and this run has one",
        ),
    ] {
        assert!(error.starts_with(&format!("the saved state does not fit: {reason}")), "{error}");
        assert!(
            error.ends_with(": give the development set it was trained with, or start afresh"),
            "{error}"
        );
    }
}

#[test]
fn an_old_best_is_not_kept_where_nobody_names_the_development_set() {
    let set = exclusive_or();
    let scored = || First { value: Some(0.5), ..First::default() };
    for (before, after, reason) in [
        (scored(), First::default(), "there is none, and the epochs before have one"),
        (First::default(), scored(), "there is one, and the epochs before have none"),
    ] {
        let state = kept(network(Architecture::Groups), &set, before);
        let (mut network, settings) = (network(Architecture::Groups), settings(Cost::Logistic, 3));
        let error = train(&mut network, &set, &settings, &mut First { on: true, ..after }, Some(state));
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
    train(&mut network, &set, &settings(Cost::Logistic, 2), &mut Unobserved, None).unwrap();
    assert_eq!(network.data_hash(&set), before);
    assert_ne!(network.data_hash(&other), before);
}
