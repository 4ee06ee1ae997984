use super::*;
use crate::recipe::Declared;
use std::path::Path;

const SMALL: &str = "kind = \"dependency\"\n[data]\ntrain = [\"x.conllu\"]\n";

/// The same with texts that a teacher is to label.
const LABELLED: &str =
    "kind = \"dependency\"\n[data]\ntrain = [\"x.conllu\"]\n[texts]\nfiles = [\"t\"]\ntokenizer = \"none\"\n";

fn parse(text: &str) -> Result<DependencyRecipe> {
    DependencyRecipe::parse(text, Path::new("folder"))
}

#[test]
fn all_keys_are_read_and_defaults_are_what_is_documented() {
    let documented = parse(&DependencyRecipe::KEYS.replace("ud-en", "none")).unwrap();
    let defaults = parse(SMALL).unwrap();
    assert_eq!(documented.network, defaults.network);
    assert_eq!(documented.training, defaults.training);
    let (a, b) = (&documented.vocabulary, &defaults.vocabulary);
    assert_eq!((a.words, a.least), (b.words, b.least));
    assert_eq!(documented.model_file(), defaults.model_file());
    let texts = documented.texts.as_ref().unwrap();
    assert_eq!((texts.shortest, texts.longest), (Texts::default().shortest, Texts::default().longest));
    assert!(DependencyRecipe::KEYS.contains(&format!("tokenizer = \"{}\"", Texts::default().tokenizer.name())));
}

#[test]
fn a_teacher_inherits_the_settings_of_the_model() {
    let text = format!(
        "{SMALL}[texts]\nfiles = [\"t\"]\ntokenizer = \"none\"\n[network]\nlayers = 3\narc = 9\n[training]\nseed = 7\n\
         [teacher.network]\narc = 11\n[teacher.training]\nsteps = 500\n"
    );
    let recipe = parse(&text).unwrap();
    let teacher = recipe.teacher_plan().unwrap();
    assert_eq!((teacher.network.layers, teacher.network.arc, recipe.plan().network.arc), (3, 11, 9));
    assert_eq!((teacher.training.steps, teacher.training.seed), (500, 7));
    assert_eq!(parse(SMALL).unwrap().teacher_plan(), None);
}

#[test]
fn the_former_name_of_weight_decay_is_read() {
    let text = format!("{LABELLED}[training]\ndecay = 0.5\n[teacher.training]\nsteps = 500\n");
    let recipe = parse(&text).unwrap();
    assert_eq!((recipe.training.weight_decay, recipe.teacher_plan().unwrap().training.weight_decay), (0.5, 0.5));
    let recipe = parse(&format!("{text}decay = 0.25\n")).unwrap();
    assert_eq!(recipe.teacher_plan().unwrap().training.weight_decay, 0.25);
    let error = parse(&format!("{text}decay = 2\n")).unwrap_err().to_string();
    let expected = "recipe:11: [teacher.training] decay cannot be 2: expected 0 at least, 1 at most";
    assert_eq!(error, expected);
}

#[test]
fn a_recipe_needs_no_file() {
    let mut recipe = DependencyRecipe::default();
    assert!(recipe.check().unwrap_err().to_string().starts_with("[data] train is empty"));
    recipe.data.train = vec![std::path::PathBuf::from("x.conllu").into()];
    recipe.check().unwrap();
    recipe.teacher = Some(NetworkPlan::default());
    assert!(recipe.check().unwrap_err().to_string().starts_with("[teacher] has nothing to label"));
}

#[test]
fn the_default_warm_up_is_at_most_all_steps() {
    let recipe = parse(&format!("{LABELLED}[training]\nsteps = 10\n[teacher.training]\nsteps = 3")).unwrap();
    assert_eq!((recipe.training.warm_up, recipe.plan().training.warm_up), (200, 10));
    assert_eq!(recipe.teacher_plan().unwrap().training.warm_up, 3);
    let mut recipe = parse(SMALL).unwrap();
    assert_eq!(recipe.plan().training.warm_up, 200);
    recipe.training.steps = 7;
    recipe.check().unwrap();
    assert_eq!(recipe.plan().training.warm_up, 7);
    let mut recipe = parse(&format!("{SMALL}[training]\nwarm_up = 9")).unwrap();
    assert_eq!(recipe.plan().training.warm_up, 9);
    recipe.training.steps = 7;
    let error = recipe.check().unwrap_err().to_string();
    assert!(error.starts_with("recipe:5: [training] warm_up cannot be 9: there are 7 steps"), "{error}");
}

#[test]
fn errors_name_the_key() {
    for (text, reason) in [
        ("[data]\ntrain = []".to_owned(), ": kind is missing"),
        (SMALL.replace("dependency", "constituency"), ":1: kind cannot be \"constituency\": expected dependency"),
        (SMALL.replace("\"x.conllu\"", ""), ":3: [data] train is empty"),
        (format!("{SMALL}[network]\nwidht = 3"), ":5: [network] has no key `widht`, did you mean `width`?"),
        (format!("{SMALL}[network]\nlayers = 0"), ":5: [network] layers cannot be 0: expected 1 at least"),
        (format!("{SMALL}[network]\ntag_layer = 9"), "[network] tag_layer cannot be 9"),
        (format!("{SMALL}[training]\ndropout = 1.0"), "[training] dropout cannot be 1"),
        (format!("{SMALL}[training]\nlearning_rate = 0.0"), "expected more than 0"),
        (
            format!("{SMALL}[network]\nlayers = 101"),
            ":5: [network] layers cannot be 101: expected 1 at least, 100 at most",
        ),
        (
            format!("{SMALL}[network]\nwindow = 1001"),
            ":5: [network] window cannot be 1001: expected 1 at least, 1000 at most",
        ),
        (
            format!("{SMALL}[training]\nwarm_up = 7761"),
            ":5: [training] warm_up cannot be 7761: there are 7760 steps (set it to 7760 at most, or leave it out)",
        ),
        (
            format!("{LABELLED}[teacher.training]\nsteps = 3\nwarm_up = 4"),
            ":9: [teacher.training] warm_up cannot be 4: there are 3 steps (set it to 3 at most, or leave it out)",
        ),
        (
            format!("{LABELLED}[training]\nwarm_up = 9\n[teacher.training]\nsteps = 3"),
            ":8: [training] warm_up cannot be 9 for the teacher: it has 3 steps (set it to 3 at most in \
         [teacher.training])",
        ),
        (format!("{SMALL}[teacher.training]\nsteps = 300"), ":4: [teacher] has nothing to label"),
        (format!("{SMALL}[texts]\nfiles = [\"t\"]"), "[texts] need a [teacher]"),
        (
            format!("{SMALL}[texts]\nfiles = [\"t\"]\ntokenizer = \"nope\"\n[teacher]"),
            ":6: [texts] tokenizer cannot be used: unknown tokenizer `nope`",
        ),
        (
            format!("{SMALL}[texts]\nfiles = [\"t\"]\ntokenizer = \"none\"\n[teacher.network]\nbreadth = 1"),
            ":8: [teacher.network] has no key `breadth`",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.toml");
        std::fs::write(&path, &text).unwrap();
        let error = DependencyRecipe::read(&path, None).unwrap_err();
        assert!(matches!(error, crate::error::Error::BadRequest(_)), "{text}: {error:?}");
        let error = error.to_string();
        assert!(error.starts_with(&format!("{}:", path.display())), "{error}");
        assert!(error.contains(reason), "{text}: {error}");
    }
}
