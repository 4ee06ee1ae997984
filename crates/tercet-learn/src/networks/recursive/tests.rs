use super::*;
use crate::gradient_check::check_parameters;
use crate::optimizer::OptimizerSettings;
use crate::parameters::Gradients;
use crate::progress::Progress;
use crate::training::{Checkpoints, Identity, Run, StepSettings, Stopping, train};

fn node(kind: u32, left: u32, right: u32) -> CompositionNode {
    CompositionNode { kind, left, right: Some(right) }
}

/// Three leaves, of which either the first or the last two form a node: those with the closer vectors.
fn made(count: usize) -> Vec<RankedTrees> {
    let mut random = Random::stream(1, "test", 0);
    let list = |_| {
        let left = random.bernoulli(0.5);
        let (a, b) = (random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
        let middle = if left { a } else { b };
        let inputs = [a, middle, b].iter().flat_map(|x| [*x, x * x]).collect();
        let tree = |nodes: Vec<CompositionNode>, cost| RankedTree { nodes, base: 0.0, cost };
        let trees = vec![
            tree(vec![node(0, 0, 1), node(1, 3, 2)], f32::from(!left)),
            tree(vec![node(0, 1, 2), node(2, 0, 3)], f32::from(left)),
        ];
        RankedTrees { inputs, trees }
    };
    (0..count).map(list).collect()
}

fn network(width: usize) -> RecursiveNetwork {
    RecursiveNetwork::new(RecursiveShape { inputs: 2, width, kinds: 3 }, 3).unwrap()
}

#[test]
fn gradients_agree_with_differences() {
    let network = network(3);
    for list in &made(4) {
        let loss =
            |network: &RecursiveNetwork, gradients: &mut Gradients| network.loss(list, 1.0, &mut Vec::new(), gradients);
        let mut gradients = Gradients::zeros(network.parameters());
        assert!(loss(&network, &mut gradients) > 0.0);
        check_parameters(&mut network.parameters().clone(), &gradients, 2e-3, |parameters| {
            let moved = RecursiveNetwork { parameters: parameters.clone(), ..network.clone() };
            loss(&moved, &mut Gradients::zeros(parameters))
        });
    }
}

#[test]
fn it_learns_which_tree_is_best_and_the_same_on_any_number_of_threads() {
    let lists = made(64);
    let learned = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut network = network(8);
            let optimizer = OptimizerSettings { learning_rate: 0.05, ..OptimizerSettings::default() };
            let settings = RankingSettings { margin: 0.5, batch_size: 64, seed: 1 };
            let mut objective =
                RankingObjective::new(&mut network, &lists, settings, Identity::default(), None).unwrap();
            let run = Run {
                phase: "test",
                name: "training",
                rounds: "epochs",
                items: "lists",
                steps: StepSettings::plain(optimizer),
                stopping: Stopping::after(600),
                checkpoints: &mut Checkpoints::none(),
                progress: Progress::none(),
            };
            train(&mut objective, run, None).unwrap();
            network
        })
    };
    let network = learned(1);
    assert!(learned(3).parameters() == network.parameters(), "the result depends on the number of threads");
    let right = lists.iter().filter(|list| {
        let leaves = network.leaves(&list.inputs);
        let score = |at: usize| network.score(&leaves, &list.trees[at].nodes, &mut CompositionWorkspace::default());
        (score(0) > score(1)) == (list.trees[0].cost < list.trees[1].cost)
    });
    assert!(right.clone().count() >= 56, "{} of 64", right.count());
}

#[test]
fn a_network_comes_back_from_its_file_and_a_damaged_one_is_refused() {
    let network = network(5);
    let mut file = ModelFile::new("test");
    network.store("tree.", &mut file);
    let back = RecursiveNetwork::stored("tree.", &file).unwrap();
    assert_eq!((back.shape(), back.parameters()), (network.shape(), network.parameters()));
    file.set("tree.width", "6");
    assert!(RecursiveNetwork::stored("tree.", &file).is_err());
    file.set("tree.width", "0");
    assert!(RecursiveNetwork::stored("tree.", &file).unwrap_err().to_string().contains("at least 1"));
}
