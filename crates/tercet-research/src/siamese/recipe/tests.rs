use super::*;
use crate::error::Error;
use crate::recipe::Declared;
use std::path::Path;

const SMALLEST: &str = "kind = \"siamese\"\ndata.train = [\"rankings\"]\n";

fn refused(more: &str) -> String {
    let error = SiameseRecipe::parse(&format!("{SMALLEST}{more}\n"), Path::new("")).unwrap_err();
    assert!(matches!(error, Error::BadRequest(_)), "{error:?}");
    error.to_string()
}

#[test]
fn the_list_of_keys_is_a_recipe() {
    let recipe = SiameseRecipe::parse(SiameseRecipe::KEYS, Path::new("")).unwrap();
    assert_eq!((recipe.data.train.len(), recipe.data.train[1].judgements.name()), (2, "scores"));
    assert_eq!(recipe.start, Some("siamese-en-large.safetensors".into()));
    let smallest = SiameseRecipe::parse(SMALLEST, Path::new("")).unwrap();
    let written = recipe.training.settings(0.5);
    assert_eq!(written, smallest.training.settings(0.5));
    assert_eq!(
        (recipe.calibration.scale, recipe.model.precision),
        (smallest.calibration.scale, smallest.model.precision)
    );
    assert_eq!(recipe.data.copies, smallest.data.copies);
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (more, message) in [
        ("training.epochs = 0", "recipe:3: [training] epochs cannot be 0: expected 1 at least, 1000000000 at most"),
        ("data.held_out = 1", "recipe:3: [data] held_out cannot be 1: expected 0 at least, 0.9 at most"),
        (
            "data.development = [\"x\"]\ndata.held_out = 0.2",
            "recipe:4: [data] held_out has no effect: [data] development is named",
        ),
        (
            "data.held_out = 0\ncalibration.scale = \"fitted\"",
            "recipe:4: [calibration] scale needs a development set: name one, or let [data] held_out be above 0",
        ),
        (
            "data.held_out = 0\ntraining.patience = 2",
            "recipe:4: [training] patience needs a development set: name one, or let [data] held_out be above 0",
        ),
        (
            "data.held_out = 0\ncalibration.temperature = \"kept\"\ntraining.patience = 2",
            "recipe:5: [training] patience needs a development set: name one, or let [data] held_out be above 0",
        ),
        (
            "training.encoder_rate = 1e-5",
            "recipe:3: [training] encoder_rate has no effect: layers is 0, so only the head is learned",
        ),
        ("model.precision = \"4-bit\"", "recipe:3: [model] precision cannot be \"4-bit\": expected single or 8-bit"),
        ("calibration.scale = \"new\"", "recipe:3: [calibration] scale cannot be \"new\": expected kept or fitted"),
    ] {
        assert_eq!(refused(more), message);
    }
    let empty = SiameseRecipe::parse("kind = \"siamese\"\n", Path::new("")).unwrap_err().to_string();
    assert_eq!(empty, "recipe: [data] train is empty: name folders or files of judgements to learn from");
}
