use super::*;
use crate::recipe::Declared;
use std::path::Path;

fn parse(text: &str) -> Result<PairwiseRecipe> {
    PairwiseRecipe::parse(text, Path::new("here"))
}

#[test]
fn the_defaults_are_the_papers() {
    let recipe = parse("[data]\ntrain = [\"wmt13-rr\"]").unwrap();
    assert_eq!(recipe.inputs.features(Path::new(""), &crate::registry()).unwrap().len(), 4);
    assert_eq!((recipe.network.architecture.name(), recipe.network.hidden), ("groups", 4));
    let settings = recipe.training.settings();
    let papers = PairSettings { seed: 1, ..PairSettings::default() };
    assert_eq!(settings, papers);
    assert_eq!(recipe.model_file(), Path::new("here/pairwise.safetensors"));
}

#[test]
fn the_example_in_the_documentation_is_a_recipe() {
    let recipe = parse(PairwiseRecipe::KEYS).unwrap();
    assert_eq!(recipe.inputs.encoders.len(), 3);
    assert_eq!(recipe.words.unwrap().encoding().to_string(), "bilstm 50 hard");
    assert_eq!(recipe.training.patience, Some(100));
}

#[test]
fn the_recipe_among_the_examples_is_the_papers() {
    let recipe = parse(include_str!("../../../../../examples/pairwise.toml")).unwrap();
    let settings = recipe.training.settings();
    let papers = PairSettings { patience: Some(200), seed: 1, ..PairSettings::default() };
    assert_eq!(settings, papers);
    assert_eq!(recipe.inputs.metrics, FOUR_METRICS);
}

#[test]
fn errors_name_line_and_key() {
    let refused = |text: &str| parse(text).unwrap_err().to_string();
    let data = "[data]\ntrain = [\"x\"]\n";
    let words = format!("{data}[words]\ndimension = 3\n");
    for (text, message) in [
        (String::new(), ": [data] train is empty: name folders"),
        ("[data]\ntrain = []".to_owned(), ":2: [data] train is empty: name folders"),
        ("[data]\n\nvocabulary = [\"y\"]\ntrain = [\"x\"]".to_owned(), ":3: [data] vocabulary has nothing to add to"),
        (format!("{data}[network]\nhiden = 3"), ":4: [network] has no key `hiden`"),
        (
            format!("{data}[network]\narchitecture = \"deep\""),
            ":4: [network] architecture cannot be \"deep\": expected single, groups or full",
        ),
        (
            format!("{data}[training]\ncost = \"hinge\""),
            ":4: [training] cost cannot be \"hinge\": expected logistic, kendall or",
        ),
        (
            format!("{data}[training]\noptimizer = \"x\""),
            ":4: [training] optimizer cannot be \"x\": expected sgd, adagrad or adam",
        ),
        (format!("{data}[training]\npatience = 5"), ":4: [training] patience needs [data] development"),
        (
            format!("{words}encoding = \"gru\""),
            ":5: [words] encoding cannot be \"gru\": expected average, convolution, lstm or bilstm",
        ),
        (
            format!("{words}encoding = \"lstm\"\ngate = \"soft\""),
            ":6: [words] gate cannot be \"soft\": expected hard or logistic",
        ),
        (format!("{words}gate = \"soft\""), ":5: [words] gate cannot be \"soft\""),
        (format!("{words}activation = \"x\""), ":5: [words] activation cannot be \"x\": expected identity"),
        (format!("{words}fine_tuning = \"x\""), ":5: [words] fine_tuning cannot be \"x\": expected none"),
        (format!("{data}[words]\nencoding = \"lstm\""), ":3: [words] needs either file"),
        (format!("{words}file = \"v\""), ":3: [words] needs either file"),
        (format!("{data}[inputs]\nmetrics = []"), ":3: [inputs] shows the network nothing"),
    ] {
        let error = refused(&text);
        assert!(error.starts_with(&format!("recipe{message}")), "{text}: {error}");
    }
    for (table, key, value) in [
        ("network", "hidden", "1000000000000000000"),
        ("network", "hidden", "0"),
        ("training", "batch", "0"),
        ("training", "gamma", "-5.0"),
        ("training", "beta", "nan"),
        ("words", "units", "0"),
        ("words", "hidden_dropout", "1.0"),
    ] {
        let start = if table == "words" { "[words]\ndimension = 3" } else { "" };
        let start = if start.is_empty() { format!("[{table}]") } else { start.to_owned() };
        let error = refused(&format!("{data}{start}\n{key} = {value}"));
        assert!(error.contains(&format!("[{table}] {key} cannot be")), "{error}");
    }
    assert!(refused(&format!("{data}[training]\nlearning_rate = -1.0")).contains("learning_rate"));
}

#[test]
fn former_names_of_keys_are_read() {
    let text =
        "[data]\ntrain = [\"x\"]\n[words]\ndimension = 3\nencoding = \"cnn\"\nlength = 5\n[training]\ndecay = 0.5\n";
    let recipe = parse(text).unwrap();
    let words = recipe.words.as_ref().unwrap();
    assert_eq!((words.window, words.encoding().to_string().as_str()), (5, "convolution 50 5 tanh"));
    assert_eq!(recipe.training.settings().optimizer.weight_decay, 0.5);
}
