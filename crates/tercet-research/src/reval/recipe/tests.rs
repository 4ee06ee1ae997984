use super::*;
use crate::error::Error;
use crate::recipe::Declared;
use std::path::Path;

const SMALLEST: &str = "kind = \"reval\"\ndata.scored = [\"SICK.txt\"]\nwords.file = \"v.txt\"\n";

fn refused(text: &str) -> String {
    let error = RevalRecipe::parse(text, Path::new("")).unwrap_err();
    assert!(matches!(error, Error::BadRequest(_)), "{error:?}");
    error.to_string()
}

#[test]
fn the_list_of_keys_is_a_recipe() {
    let recipe = RevalRecipe::parse(&RevalRecipe::KEYS.replace("parser = ", "# parser = "), Path::new("")).unwrap();
    assert_eq!((recipe.data.train.len(), recipe.data.scored.len()), (2, 2));
    assert_eq!(recipe.scores.settings().thresholds, [(4, 0.6)]);
    let mix = recipe.mix.unwrap();
    assert_eq!((mix.words, mix.network.memory, mix.network.hidden), (20, 150, 100));
}

#[test]
fn defaults_are_those_of_the_paper() {
    let recipe = RevalRecipe::parse(SMALLEST, Path::new("")).unwrap();
    let shape = recipe.network.shape(&recipe.words);
    assert_eq!(shape, SimilarityShape::default());
    assert_eq!((shape.memory, shape.hidden, shape.classes), (150, 50, 5));
    let settings = recipe.training.settings();
    assert_eq!(settings, SimilaritySettings { seed: 1, ..SimilaritySettings::default() });
    assert_eq!((settings.batch_size, settings.epochs, settings.optimizer.learning_rate), (25, 10, 0.05));
    assert_eq!(recipe.scores.settings(), DerivationSettings::default());
    assert_eq!(recipe.model_file(), Path::new("reval.safetensors"));
    assert!(recipe.mix.is_none() && recipe.training.learns_scores() && !recipe.training.learns_pairs());
}

#[test]
fn batches_may_be_of_references() {
    let recipe = |by: &str| RevalRecipe::parse(&format!("{SMALLEST}training.batch_by = \"{by}\"\n"), Path::new(""));
    assert_eq!(recipe("reference").unwrap().training.settings().batch_by, BatchBy::Reference);
    assert!(recipe("segment").is_err());
}

#[test]
fn a_mix_has_the_sizes_of_the_network_where_none_are_written() {
    let text = format!("{SMALLEST}network.memory = 30\nmix.network.hidden = 7\n");
    let recipe = RevalRecipe::parse(&text, Path::new("")).unwrap();
    let sizes: Vec<(usize, usize)> = recipe.networks().map(|sizes| (sizes.memory, sizes.hidden)).collect();
    assert_eq!(sizes, [(30, 50), (30, 7)]);
    assert_eq!(recipe.mix.unwrap().length, CountedWords::Reference);
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (more, message) in [
        ("training.epochs = 0", "recipe:4: [training] epochs cannot be 0: expected 1 at least, 1000000000 at most"),
        (
            "training.objective = \"ranks\"",
            "recipe:4: [training] objective cannot be \"ranks\": expected scores, pairs or both",
        ),
        (
            "training.objective = \"pairs\"",
            "recipe:4: [training] objective needs [data] train: pairs are those of rankings",
        ),
        (
            "training.patience = 3",
            "recipe:4: [training] patience needs [data] development, by which the best epoch is chosen",
        ),
        ("network.encoding = \"tree\"", "recipe:4: [network] encoding cannot be \"tree\": expected lstm or tree-lstm"),
        ("scores.set = \"M\"", "recipe:4: [scores] set cannot be \"M\": expected l, lnf or xl"),
        ("mix.length = \"both\"", "recipe:4: [mix] length cannot be \"both\": expected reference or translation"),
        (
            "mix.words = 20",
            "recipe:4: [mix] network must differ from [network]: both learn from the same sentences, and would \
         be the same network",
        ),
        ("mix.network.classes = 3", "recipe:4: [mix.network] classes must be those of [network]: scores are compared"),
        ("model.precision = \"4-bit\"", "recipe:4: [model] precision cannot be \"4-bit\": expected single or 8-bit"),
        ("trees = { parser = \"p\", files = [\"t\"] }", "recipe:4: [trees] needs either parser or files, not both"),
        (
            "trees.parser = \"p\"\nnetwork.encoding = \"lstm\"",
            "recipe:4: [trees] has no effect: an lstm reads words in their order, without a tree",
        ),
        (
            "data.development = [{ file = \"x\", low = 2, high = 1 }]",
            "recipe:4: [data] development has an entry whose high is not above its low",
        ),
    ] {
        assert_eq!(refused(&format!("{SMALLEST}{more}\n")), message);
    }
    assert_eq!(refused("kind = \"reval\"\ndata.scored = [\"x\"]\n"), "recipe: [words] is missing");
    let nothing = refused("kind = \"reval\"\nwords.file = \"v\"\n");
    assert_eq!(nothing, "recipe: [data] train is empty, and so is scored: name rankings or texts with scores");
}
