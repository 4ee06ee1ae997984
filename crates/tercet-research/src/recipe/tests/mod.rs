use super::*;
use crate::error::Error;
use std::path::Path;

settings! {
    /// A recipe.
    pub struct Whole {
        /// Required.
        data: Data;
        /// Not required.
        training: Training = Training::default();
        /// The file of the model.
        model: ModelOutput = ModelOutput::default();
    } recipe "red", "nothing"

    /// `[data]`.
    pub struct Data {
        /// Entries.
        train: Vec<Entry>;
    }

    /// `[training]`.
    pub struct Training {
        /// Whole.
        steps: usize = 7;
        /// With a former name and a range.
        rate | eta: f32 = 0.5, range(0.0, 10.0);
        /// Yes or no.
        symmetric: bool = false;
        /// A path.
        file: PathBuf = PathBuf::new();
        /// Texts.
        list: Vec<String> = Vec::new();
        /// One of some names.
        colour: Colour = Colour::Green;
        /// A table in it.
        deeper: Deeper = Deeper::default();
    }
}

tercet_base::choices! {
    /// A colour.
    pub enum Colour: "colour" = Green {
        /// Green.
        Green = "green",
        /// Grey.
        Grey = "grey" | "gray",
        /// Black.
        Black = "black",
    }
}

setting_by_name!(Colour);

settings! {
    /// `[training.deeper]`.
    pub struct Deeper {
        /// Optional, with a range.
        least: Option<usize> = None, range(0.0, 255.0);
    }

    /// An entry.
    pub struct Entry or file {
        /// Required.
        file: PathBuf;
        /// Not required.
        only: Vec<String> = Vec::new();
    }
}

impl Recipe for Whole {
    fn check_together(&self) -> Result<(), SettingError> {
        match self.training.steps {
            13 => Err(SettingError::new("training", "steps", "are 13")),
            _ => Ok(()),
        }
    }

    fn train(&self, _: &TrainingFiles, _: &Registry, _: Progress<'_>) -> Result<ModelRecord> {
        unreachable!("it trains nothing")
    }

    fn seed(&mut self) -> &mut u64 {
        unreachable!("it has none")
    }

    fn length(&mut self) -> Option<(&'static str, &mut usize)> {
        None
    }
}

const GOOD: &str = "kind = \"red\"\n[data]\ntrain = [\"a\", { file = \"b\", only = [\"x\"] }]\n";

fn refused(text: &str) -> String {
    let error = Whole::parse(text, Path::new("")).unwrap_err();
    assert!(matches!(error, Error::BadRequest(_)), "{error:?}");
    error.to_string().replacen("recipe", "r.toml", 1)
}

#[test]
fn keys_and_entries_are_read() {
    let text = format!("training.deeper.least = 0x3\ntraining.rate = 1_0\ntraining.file = 'f'\n{GOOD}");
    let whole = Whole::parse(&text, Path::new("here")).unwrap();
    let entries = whole.data.train.iter().map(|entry| (entry.file.to_str().unwrap(), entry.only.len()));
    assert_eq!(entries.collect::<Vec<_>>(), [("a", 0), ("b", 1)]);
    let Training { steps, rate, symmetric, file, list, colour, deeper } = whole.training.clone();
    assert_eq!((steps, rate, symmetric, file, list.len()), (7, 10.0, false, "f".into(), 0));
    assert_eq!((colour, deeper.least), (Colour::Green, Some(3)));
    assert_eq!(whole.model_file(), Path::new("here/red.safetensors"));
    let named = Whole::parse(&format!("{GOOD}[model]\nfile = \"m\""), Path::new("here")).unwrap();
    assert_eq!((named.model_file(), named.origin.folder), ("here/m".into(), "here".into()));
}

#[test]
fn the_model_is_beside_the_recipe_and_data_may_be_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.toml");
    std::fs::write(&path, GOOD).unwrap();
    let recipe = Whole::read(&path, Some(Path::new("data"))).unwrap();
    assert_eq!(recipe.origin.folder, Path::new("data"));
    assert_eq!(recipe.model_file(), folder.path().join("red.safetensors"));
    assert_eq!(Whole::read(&path, None).unwrap().origin.folder, folder.path());
    let refused = Whole::read(folder.path(), None).unwrap_err().to_string();
    assert!(refused.ends_with("it is a folder, expected a recipe (name the file)"), "{refused}");
}

#[test]
fn former_names_of_keys_are_read_and_named_in_refusals() {
    let training = |lines: &str| format!("{GOOD}[training]\n{lines}\n");
    assert_eq!(Whole::parse(&training("eta = 2"), Path::new("")).unwrap().training.rate, 2.0);
    assert_eq!(
        refused(&training("\neta = -2.5")),
        "r.toml:6: [training] eta cannot be -2.5: expected 0 at least, 10 at most"
    );
    assert_eq!(
        refused(&training("eta = 2\nrate = 3")),
        "r.toml:6: [training] rate is given twice: `eta` is its former name"
    );
}

#[test]
fn recipes_made_by_programs_are_checked_like_files() {
    let mut whole = Whole::default();
    whole.check().unwrap();
    whole.training.deeper.least = Some(300);
    let refused = |whole: &Whole| whole.check().unwrap_err().to_string();
    assert_eq!(refused(&whole), "[training.deeper] least cannot be 300: expected 0 at least, 255 at most");
    let mut whole = Whole::parse(&format!("{GOOD}[training]\nsteps = 3"), Path::new("")).unwrap();
    whole.training.steps = 13;
    assert_eq!(refused(&whole), "recipe:5: [training] steps are 13");
}

#[test]
fn errors_name_file_line_and_key() {
    let training = |line: &str| format!("{GOOD}[training]\n\n{line}\n");
    for (text, message) in [
        (
            training("steps = \"many\""),
            "r.toml:6: [training] steps cannot be \"many\": expected a whole number, 0 or more",
        ),
        (training("steps = -3"), "r.toml:6: [training] steps cannot be -3: expected a whole number, 0 or more"),
        (training("steps = 1.5"), "r.toml:6: [training] steps cannot be 1.5: expected a whole number, 0 or more"),
        (training("rate = true"), "r.toml:6: [training] rate cannot be true: expected a number"),
        (training("symmetric = 1"), "r.toml:6: [training] symmetric cannot be 1: expected true or false"),
        (training("file = 1"), "r.toml:6: [training] file cannot be 1: expected text in quotes"),
        (training("list = \"x\""), "r.toml:6: [training] list cannot be \"x\": expected a list in [ ]"),
        (training("list = [\"x\", 3]"), "r.toml:6: [training] list, entry 2 cannot be 3: expected text in quotes"),
        (training("deeper = 3"), "r.toml:6: [training] deeper cannot be 3: expected a table"),
        (
            training("deeper.least = 300"),
            "r.toml:6: [training.deeper] least cannot be 300: expected 0 at least, 255 at most",
        ),
        (
            training("[training.deeper]\nleast = []"),
            "r.toml:7: [training.deeper] least cannot be a list: expected a whole number, 0 or more",
        ),
        (
            training("colour = \"blue\""),
            "r.toml:6: [training] colour cannot be \"blue\": expected green, grey or black",
        ),
        (training("colour = 3"), "r.toml:6: [training] colour cannot be 3: expected text in quotes"),
        (training("steps = 13"), "r.toml:6: [training] steps are 13"),
        (
            training("stepz = 3"),
            "r.toml:6: [training] has no key `stepz`, did you mean `steps`? (known: steps, rate, symmetric, file, \
             list, colour, deeper)",
        ),
        (
            format!("{GOOD}[trainig]\nsteps = 3"),
            "r.toml:4: a recipe of this kind has no key `trainig`, did you mean `training`? (known: kind, data, \
             training, model)",
        ),
        (GOOD.replace("red", "rot"), "r.toml:1: kind cannot be \"rot\": expected red"),
        (GOOD.replace("red", "a, expected b"), "r.toml:1: kind cannot be \"a, expected b\": expected red"),
        (GOOD.replace("\"red\"", "3"), "r.toml:1: kind cannot be 3: expected text in quotes"),
        (GOOD.replace("\"red\"", "[]"), "r.toml:1: kind cannot be a list: expected text in quotes"),
        ("kind = \"red\"\n".to_owned(), "r.toml: [data] is missing"),
        (GOOD.replace("kind = \"red\"", ""), "r.toml: kind is missing"),
        ("[data]\ntrain = []".to_owned(), "r.toml: kind is missing"),
        (String::new(), "r.toml: kind is missing"),
        (GOOD.replace("train = ", "# "), "r.toml:2: [data] train is missing"),
        (
            GOOD.replace("\"a\"", "7"),
            "r.toml:3: [data] train, entry 1 cannot be 7: expected a path in quotes, or a table in { }",
        ),
        (
            GOOD.replace("only", "onyl"),
            "r.toml:3: [data] train, entry 2 has no key `onyl`, did you mean `only`? (known: file, only)",
        ),
        (GOOD.replace("file = \"b\", ", ""), "r.toml:3: [data] train, entry 2: file is missing"),
        (GOOD.replace("[\"x\"]", "3"), "r.toml:3: [data] train, entry 2, only cannot be 3: expected a list in [ ]"),
    ] {
        assert_eq!(refused(&text), message, "{text}");
    }
}

#[test]
fn too_large_numbers_and_dates_are_named_in_errors() {
    let most = format!("expected a whole number, {} at most", usize::MAX);
    let many = "9".repeat(50);
    for (line, what) in [
        ("steps = 99999999999999999999", format!("steps cannot be 99999999999999999999: {most}")),
        ("steps = 0xffffffffffffffffff", format!("steps cannot be 0xffffffffffffffffff: {most}")),
        (&format!("steps = {many}"), format!("steps cannot be {many}: expected a number nearer to 0")),
        (
            "steps = \"1, expected 2\"",
            "steps cannot be \"1, expected 2\": expected a whole number, 0 or more".to_owned(),
        ),
        ("steps = 1979-05-27", "steps cannot be the date 1979-05-27: expected a whole number, 0 or more".to_owned()),
        ("rate = 1e400", "rate cannot be 1e400: expected a number nearer to 0".to_owned()),
        ("rate = inf", "rate cannot be inf: expected 0 at least, 10 at most".to_owned()),
        ("rate = -nan", "rate cannot be NaN: expected 0 at least, 10 at most".to_owned()),
        ("rate = 07:32:00", "rate cannot be the time 07:32:00: expected a number".to_owned()),
        ("deeper = 1979-05-27", "deeper cannot be the date 1979-05-27: expected a table".to_owned()),
        ("list = [1979-05-27]", "list, entry 1 cannot be the date 1979-05-27: expected text in quotes".to_owned()),
    ] {
        let message = format!("r.toml:5: [training] {what}");
        assert_eq!(refused(&format!("{GOOD}[training]\n{line}\n")), message, "{line}");
    }
    assert_eq!(
        refused(&GOOD.replace("\"a\"", "1979-05-27")),
        "r.toml:3: [data] train, entry 1 cannot be the date 1979-05-27: expected a path in quotes, or a table in { }"
    );
    assert_eq!(refused("kind = 1979-05-27\n"), "r.toml:1: kind cannot be the date 1979-05-27: expected text in quotes");
}

#[test]
fn text_that_is_not_toml_is_an_error_with_its_line() {
    for (text, line) in [
        (GOOD.replace("\"red\"", "red"), 1),
        (GOOD.replace("}]", "}"), 3),
        (format!("{GOOD}kind"), 4),
        (format!("{GOOD}train = []"), 4),
    ] {
        let error = refused(&text);
        assert!(error.starts_with(&format!("r.toml:{line}: this is not TOML: ")), "{text}: {error}");
    }
}

/// The origin of a text with the places of its keys.
fn origin(text: &str) -> Origin {
    let mut origin = Origin::new(text, Path::new(""));
    origin.name = "r.toml".into();
    origin.with_keys(|table| Ok(table.origin())).unwrap()
}

#[test]
fn a_refused_value_is_found_by_its_key_or_its_table() {
    let text = "kind = \"red\"\n\n[a]\nx = 1\n[a.b]\ny = 2\n";
    let origin = origin(text);
    let refuse = |table: &str, key: &str| origin.refuse(&SettingError::new(table, key, "is wrong")).to_string();
    assert_eq!(refuse("", "kind"), "r.toml:1: kind is wrong");
    assert_eq!(refuse("a", "x"), "r.toml:4: [a] x is wrong");
    assert_eq!(refuse("a.b", "y"), "r.toml:6: [a.b] y is wrong");
    assert_eq!(refuse("a.b", "z"), "r.toml:5: [a.b] z is wrong");
    assert_eq!(refuse("a.b", ""), "r.toml:5: [a.b] is wrong");
    assert_eq!(refuse("c", "z"), "r.toml: [c] z is wrong");
}

#[test]
fn keys_that_are_set_are_distinguished_from_defaults() {
    let text = "kind = \"red\"\na.b = { y = 2 }\n[c]\nx = 1\n";
    let origin = origin(text);
    assert!(origin.has("", "kind") && origin.has("a.b", "y") && origin.has("c", "x"));
    assert!(!origin.has("a", "y") && !origin.has("c", "y") && !Origin::default().has("c", "x"));
    let refusal = || SettingError::new("c", "x", "is wrong");
    assert_eq!(origin.refuse(&refusal()).to_string(), "r.toml:4: [c] x is wrong");
    assert_eq!(Origin::default().refuse(&refusal()).to_string(), "[c] x is wrong");
}

#[test]
fn a_range_includes_its_ends_and_the_error_names_both() {
    assert!(range(1.0, 2.0)(&1.0).is_ok() && range(1.0, 2.0)(&2_usize).is_ok());
    assert!(range(1.0, 2.0)(&None::<f32>).is_ok() && range(1.0, 2.0)(&Some(3.0)).is_err());
    let message = |value: f64, low: f64| range(low, 2.0)(&value).unwrap_err();
    assert_eq!(message(3.0, 1.0), "cannot be 3: expected 1 at least, 2 at most");
    assert_eq!(message(0.0, f64::MIN_POSITIVE), "cannot be 0: expected more than 0, 2 at most");
    assert_eq!(message(f64::from(2.3_f32), 0.0), "cannot be 2.3: expected 0 at least, 2 at most");
    assert_eq!(message(f64::NAN, 0.0), "cannot be NaN: expected 0 at least, 2 at most");
}
