//! Small models of the pairwise network, made for the properties that hold for every metric.

use std::sync::LazyLock;
use tempfile::TempDir;
use tercet::corpora::{Comparison, Judgements, Outcome, Reference, Texts};
use tercet::learned::{Feature, Inputs, JudgedTexts, Scope, Vocabulary, encode, measure};
use tercet::metrics::pairwise::{LearningSet, PairwiseModel, Plan, WordPlan, fit};
use tercet_base::progress::Progress;
use tercet_learn::training::Checkpoints;

static FOLDER: LazyLock<TempDir> = LazyLock::new(|| tempfile::tempdir().unwrap());

/// Models over ready vectors and with an encoder of their own, as `pairwise:model=…`.
pub static MODELS: LazyLock<Vec<String>> = LazyLock::new(|| vec![model(None), model(Some("bilstm 2 hard"))]);

fn judged() -> JudgedTexts {
    let lines = |lines: [&str; 3]| lines.map(|line| Some(line.to_owned())).to_vec();
    let comparison = |segment, outcome| Comparison { segment, first: 0, second: 1, outcome };
    let judgements = Judgements {
        systems: vec!["a".to_owned(), "b".to_owned()],
        segments: ["1", "2", "3"].map(str::to_owned).to_vec(),
        texts: Some(Texts {
            sources: None,
            references: vec![Reference {
                name: String::new(),
                lines: lines(["the cat sat", "it rained all day", "a b"]),
            }],
            outputs: vec![lines(["the cat sat", "rain", "a c"]), lines(["a dog", "it rained all day", "x"])],
        }),
        comparisons: vec![comparison(0, Outcome::First), comparison(1, Outcome::Second), comparison(2, Outcome::First)],
        ..Judgements::default()
    };
    JudgedTexts::with_pairs(&judgements, Scope::Judged).unwrap()
}

fn model(encoding: Option<&str>) -> String {
    let (folder, judged) = (FOLDER.path(), judged());
    let vectors = folder.join("vectors.txt");
    std::fs::write(&vectors, "the 0.5 -1\ncat 0.25 2\nit -0.5 1\nday 1 1\na 0 0.1\n").unwrap();
    let registry = tercet::registry();
    let text = format!("average:file={}", vectors.display());
    let encoder = tercet::encode::build(&text, registry.context()).unwrap();
    let features = ["bleu", "nist", "ter", "chrf"].map(Feature::score);
    let columns = features
        .iter()
        .flat_map(|feature| measure(feature, &judged, &registry, tercet::progress::Progress::none()).unwrap())
        .collect();
    let vocabulary = encoding.map(|_| Vocabulary::random(judged.texts(), 2, 1).unwrap());
    let words = vocabulary.as_ref().map(|vocabulary| vocabulary.lists(&judged));
    let inputs =
        Inputs { features: columns, blocks: vec![encode(encoder.as_ref(), &judged, Progress::none()).unwrap()], words };
    let mut plan = Plan::default();
    plan.training.epochs = 3;
    plan.words = vocabulary.as_ref().map(|vocabulary| WordPlan {
        encoding: encoding.unwrap_or("average").parse().unwrap(),
        fine_tuning: "full".parse().unwrap(),
        embedding_dropout: 0.0,
        hidden_dropout: 0.0,
        matrix: vocabulary.matrix(),
    });
    let set = LearningSet { judged: &judged, inputs: &inputs, chosen: judged.sample(None, 0) };
    let fitted = fit(&plan, &[set], &[], &mut Checkpoints::none(), Progress::none()).unwrap();
    let mut model = PairwiseModel::new(fitted, &features, vec![text], vec![encoder], vocabulary, &registry).unwrap();
    let path = folder.join(format!("model-{}", encoding.map_or(0, str::len)));
    model.write(&path).unwrap();
    format!("pairwise:model={}", path.display())
}
