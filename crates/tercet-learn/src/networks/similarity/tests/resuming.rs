//! An interrupted training gives the same bits as an uninterrupted one, and a checkpoint of another run is refused.

use super::*;
use crate::error::Error;
use crate::training::tests::stop_after;

#[test]
fn a_resumed_training_gives_the_same_bits() {
    for (number, shape) in shapes().enumerate() {
        let fine_tuning = FineTuning::VALUES[number % 3];
        let shape = SimilarityShape { fine_tuning, ..shape };
        let (set, development) = (examples(20, 8, 1), examples(9, 0, 2));
        let settings = SimilaritySettings { is_rate_falling: number % 2 == 1, ..settings(5) };
        let settings = SimilaritySettings { batch_by: [BatchBy::Pair, BatchBy::Reference][number % 2], ..settings };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.safetensors");
        let run = |network: &mut SimilarityNetwork, checkpoints: &mut Checkpoints, progress: Progress<'_>| {
            let training = SimilarityTraining::new(network, &set, &settings);
            SimilarityTraining { development: Some(&development), ..training }.run(checkpoints, progress)
        };
        let mut whole = network(shape);
        let expected = run(&mut whole, &mut Checkpoints::none(), Progress::none()).unwrap();
        for done in 1..5 {
            let stop = stop_after(done);
            let stopped = run(&mut network(shape), &mut Checkpoints::to(&path, 1e9), Progress::new(&stop));
            assert!(matches!(stopped, Err(Error::Stopped(_))));
            let mut resumed = network(shape);
            let mut saved = Checkpoints::resume(&path, 1e9).unwrap();
            let outcome = run(&mut resumed, &mut saved, Progress::none()).unwrap();
            assert_eq!((outcome.best_round, outcome.history), (expected.best_round, expected.history.clone()));
            let bytes = |network: &SimilarityNetwork| {
                let mut file = ModelFile::new("test");
                network.store("", &mut file);
                file.to_bytes().unwrap()
            };
            assert_eq!(bytes(&resumed), bytes(&whole));
        }
    }
}

#[test]
fn checkpoints_of_other_runs_are_refused() {
    let (set, shape, good) = (examples(20, 8, 1), shapes().next().unwrap(), settings(3));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.safetensors");
    let stop = stop_after(1);
    SimilarityTraining::new(&mut network(shape), &set, &good)
        .run(&mut Checkpoints::to(&path, 1e9), Progress::new(&stop))
        .unwrap_err();
    let refused = |shape: SimilarityShape, set: &SimilarityExamples, settings: &SimilaritySettings| {
        let mut saved = Checkpoints::resume(&path, 1e9).unwrap();
        let mut network = network(shape);
        let training = SimilarityTraining::new(&mut network, set, settings);
        training.run(&mut saved, Progress::none()).unwrap_err().to_string()
    };
    let error = refused(shape, &set, &SimilaritySettings { is_rate_falling: true, ..good });
    assert!(error.ends_with("rate constant; this one has rate falling over 3 epochs"), "{error}");
    let error = refused(shape, &set, &SimilaritySettings { ranking_weight: 0.25, ..good });
    assert!(error.ends_with("it is of a run with ranking weight 0.5; this one has ranking weight 0.25"), "{error}");
    let error = refused(SimilarityShape { hidden: 4, ..shape }, &set, &good);
    assert!(error.contains("its network has 9 words of 3"), "{error}");
    let other = |change: &dyn Fn(&mut SimilarityExamples)| {
        let mut changed = set.clone();
        change(&mut changed);
        refused(shape, &changed, &good)
    };
    let message = "it is of a run on other data";
    assert!(other(&|set| set.scored[3].score = 2.0).contains(message));
    assert!(other(&|set| set.ranked.swap(0, 1)).contains(message));
    assert!(other(&|set| set.trees = examples(0, 0, 4).trees).contains(message));
}
