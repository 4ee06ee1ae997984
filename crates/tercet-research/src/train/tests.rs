use super::*;
use crate::parse::constituency::ConstituencyParser;
use crate::parse::dependency::DependencyParser;
use std::fs;

/// Reads a recipe from a file; error messages without the folder.
fn read_text(text: &str, kinds: Option<&[&str]>) -> Result<AnyRecipe, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.toml");
    fs::write(&path, text).unwrap();
    let place = format!("{}/", folder.path().display());
    read(&path, None, kinds).map_err(|error| error.to_string().replace(&place, ""))
}

#[test]
fn the_keys_of_every_kind_are_a_recipe_of_that_kind() {
    for kind in KINDS {
        let recipe = read_text(kind.keys, None).unwrap();
        assert_eq!(recipe.kind(), kind.name);
        assert!(recipe.model_file().ends_with(kind.model_file), "{:?}", recipe.model_file());
        assert!(kind.keys.starts_with(&format!("kind = \"{}\"\n", kind.name)));
        assert_eq!(Kind::named(kind.name).unwrap().name, kind.name);
    }
}

#[test]
fn a_recipe_without_a_kind_is_pairwise() {
    let recipe = "[data]\ntrain = [\"x\"]\n";
    assert_eq!(read_text(recipe, None).unwrap().kind(), "pairwise");
    assert_eq!(read_text(recipe, Some(&["pairwise"])).unwrap().kind(), "pairwise");
    let parsers: Option<&[&str]> = Some(&["dependency", "constituency"]);
    assert_eq!(read_text(recipe, parsers).unwrap_err(), "r.toml: kind is missing");
    let error = read_text(&format!("{recipe}[grammar]\n"), None).unwrap_err();
    assert!(error.starts_with("r.toml:3: a recipe of this kind has no key `grammar`"), "{error}");
    assert!(error.ends_with(" (kind is missing: read as kind = \"pairwise\")"), "{error}");
}

#[test]
fn other_kinds_are_refused() {
    let of = |kind: &str, kinds| read_text(&format!("kind = \"{kind}\"\n"), kinds).unwrap_err();
    let expected = "expected pairwise, reval, ruse, blend, siamese, infersent, dependency or constituency";
    assert_eq!(of("link", None), format!("r.toml:1: kind cannot be \"link\": {expected}"));
    let expected = "r.toml:1: kind cannot be \"dependency\": expected pairwise";
    assert_eq!(of("dependency", Some(&["pairwise"])), expected);
    let expected = "r.toml:1: kind cannot be \"pairwise\": expected dependency or constituency";
    assert_eq!(of("pairwise", Some(&["dependency", "constituency"])), expected);
}

#[test]
fn settings_that_a_kind_does_not_have_are_refused() {
    let recipe = |kind: &str| read_text(&format!("kind = \"{kind}\"\n[data]\ntrain = [\"x\"]\n"), None).unwrap();
    let mut dependency = recipe("dependency");
    dependency.set_seed(9);
    dependency.set_length("steps", 5).unwrap();
    let AnyRecipe::Dependency(inside) = &dependency else { panic!("{dependency:?}") };
    assert_eq!((inside.training.seed, inside.training.steps), (9, 5));
    let error = dependency.set_length("epochs", 5).unwrap_err().to_string();
    assert_eq!(error, "the training of kind = \"dependency\" is counted in steps, not in epochs");
    for kind in ["pairwise", "constituency"] {
        let mut recipe = recipe(kind);
        recipe.set_length("epochs", 5).unwrap();
        assert!(recipe.set_length("epochs", 0).unwrap_err().to_string().contains("[training] epochs cannot be 0"));
        let error = recipe.set_length("steps", 5).unwrap_err().to_string();
        assert_eq!(error, format!("the training of kind = \"{kind}\" is counted in epochs, not in steps"));
    }
}

#[test]
fn recipes_inside_the_shipped_models_are_readable() {
    let text = |record: &ModelRecord| record.note("recipe").unwrap().to_owned();
    for (kind, text) in [
        ("dependency", text(DependencyParser::english().record())),
        ("constituency", text(ConstituencyParser::english().record())),
    ] {
        assert_eq!(read_text(&text, None).unwrap().kind(), kind);
    }
}
