use super::*;
use serde::Deserialize;
use std::path::PathBuf;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Whole {
    kind: Kind,
    data: Data,
    #[serde(default)]
    training: Training,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Red,
    Blue,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    #[serde(deserialize_with = "entries")]
    train: Vec<Entry>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Training {
    steps: usize,
    rate: f32,
    symmetric: bool,
    file: PathBuf,
    list: Vec<String>,
    deeper: Deeper,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Deeper {
    least: u8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: PathBuf,
    #[serde(default)]
    only: Vec<String>,
}

impl From<PathBuf> for Entry {
    fn from(file: PathBuf) -> Self {
        Entry { file, only: Vec::new() }
    }
}

const GOOD: &str = "kind = \"red\"\n[data]\ntrain = [\"a\", { file = \"b\", only = [\"x\"] }]\n";

fn refused(text: &str) -> String {
    let error = RecipeText::new(Path::new("r.toml"), text).settings::<Whole>().unwrap_err();
    assert!(matches!(error, Error::BadRequest(_)), "{error:?}");
    error.to_string()
}

#[test]
fn keys_and_entries_are_read() {
    let whole: Whole =
        RecipeText::new(Path::new("r"), &format!("training.deeper.least = 3\n{GOOD}")).settings().unwrap();
    assert_eq!(whole.kind, Kind::Red);
    let entries = whole.data.train.iter().map(|entry| (entry.file.to_str().unwrap(), entry.only.len()));
    assert_eq!(entries.collect::<Vec<_>>(), [("a", 0), ("b", 1)]);
    assert_eq!(format!("{:?}", whole.training.deeper), "Deeper { least: 3 }");
}

#[test]
fn what_does_not_fit_is_said_with_file_line_and_key() {
    let training = |line: &str| format!("{GOOD}[training]\n\n{line}\n");
    for (text, message) in [
        (
            training("steps = \"many\""),
            "r.toml:6: [training] steps cannot be \"many\": expected a whole number, 0 or more",
        ),
        (
            training("steps = -3"),
            "r.toml:6: [training] steps cannot be -3: expected a whole number, 0 or more",
        ),
        (
            training("steps = 1.5"),
            "r.toml:6: [training] steps cannot be 1.5: expected a whole number, 0 or more",
        ),
        (training("rate = true"), "r.toml:6: [training] rate cannot be true: expected a number"),
        (training("symmetric = 1"), "r.toml:6: [training] symmetric cannot be 1: expected true or false"),
        (training("file = 1"), "r.toml:6: [training] file cannot be 1: expected text in quotes"),
        (training("list = \"x\""), "r.toml:6: [training] list cannot be \"x\": expected a list in [ ]"),
        (
            training("list = [\"x\", 3]"),
            "r.toml:6: [training] list, entry 2 cannot be 3: expected text in quotes",
        ),
        (training("deeper = 3"), "r.toml:6: [training] deeper cannot be 3: expected a table"),
        (
            training("deeper.least = 300"),
            "r.toml:6: [training.deeper] least cannot be 300: expected a whole number, 255 at most",
        ),
        (
            training("[training.deeper]\nleast = []"),
            "r.toml:7: [training.deeper] least cannot be a list: expected a whole number, 0 or more",
        ),
        (
            training("stepz = 3"),
            "r.toml:6: [training] has no key `stepz`, did you mean `steps`? (known: steps, rate, symmetric, file, list, deeper)",
        ),
        (
            format!("{GOOD}[trainig]\nsteps = 3"),
            "r.toml:4: a recipe of this kind has no key `trainig`, did you mean `training`? (known: kind, data, training)",
        ),
        (GOOD.replace("red", "rot"), "r.toml:1: kind cannot be \"rot\": expected red or blue"),
        (
            GOOD.replace("red", "a, expected b"),
            "r.toml:1: kind cannot be \"a, expected b\": expected red or blue",
        ),
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
        (
            GOOD.replace("[\"x\"]", "3"),
            "r.toml:3: [data] train, entry 2, only cannot be 3: expected a list in [ ]",
        ),
    ] {
        assert_eq!(refused(&text), message, "{text}");
    }
}

#[test]
fn numbers_too_large_and_dates_are_called_what_they_are() {
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
        (
            "steps = 1979-05-27",
            "steps cannot be the date 1979-05-27: expected a whole number, 0 or more".to_owned(),
        ),
        ("rate = 07:32:00", "rate cannot be the time 07:32:00: expected a number".to_owned()),
        ("deeper = 1979-05-27", "deeper cannot be the date 1979-05-27: expected a table".to_owned()),
        (
            "list = [1979-05-27]",
            "list, entry 1 cannot be the date 1979-05-27: expected text in quotes".to_owned(),
        ),
    ] {
        let message = format!("r.toml:5: [training] {what}");
        assert_eq!(refused(&format!("{GOOD}[training]\n{line}\n")), message, "{line}");
    }
    assert_eq!(
        refused(&GOOD.replace("\"a\"", "1979-05-27")),
        "r.toml:3: [data] train, entry 1 cannot be the date 1979-05-27: expected a path in quotes, or a table in { }"
    );
    assert_eq!(
        refused("kind = 1979-05-27\n"),
        "r.toml:1: kind cannot be the date 1979-05-27: expected text in quotes"
    );
}

#[test]
fn what_is_not_toml_is_said_with_its_line() {
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

#[test]
fn a_refused_value_is_found_by_its_key_or_its_table() {
    let text = "kind = \"red\"\n\n[a]\nx = 1\n[a.b]\ny = 2\n";
    let refuse = |table: &str, key: &str| {
        RecipeText::new(Path::new("r.toml"), text).refuse(&Refusal::new(table, key, "is wrong")).to_string()
    };
    assert_eq!(refuse("", "kind"), "r.toml:1: kind is wrong");
    assert_eq!(refuse("a", "x"), "r.toml:4: [a] x is wrong");
    assert_eq!(refuse("a.b", "y"), "r.toml:6: [a.b] y is wrong");
    assert_eq!(refuse("a.b", "z"), "r.toml:5: [a.b] z is wrong");
    assert_eq!(refuse("a.b", ""), "r.toml:5: [a.b] is wrong");
    assert_eq!(refuse("c", "z"), "r.toml: [c] z is wrong");
}

#[test]
fn what_is_written_is_told_from_what_is_not() {
    let text = "kind = \"red\"\na.b = { y = 2 }\n[c]\nx = 1\n";
    let origin = Origin { name: "r.toml".into(), text: text.to_owned(), ..Origin::default() };
    assert!(origin.says("", "kind") && origin.says("a.b", "y") && origin.says("c", "x"));
    assert!(!origin.says("a", "y") && !origin.says("c", "y") && !Origin::default().says("c", "x"));
    let refusal = || Refusal::new("c", "x", "is wrong");
    assert_eq!(origin.refuse(refusal()).to_string(), "r.toml:4: [c] x is wrong");
    assert_eq!(Origin::default().refuse(refusal()).to_string(), "[c] x is wrong");
}

#[test]
fn a_range_includes_its_ends_and_says_both() {
    assert!(in_range("a", "x", 1.0, 1.0, 2.0).is_ok() && in_range("a", "x", 2.0, 1.0, 2.0).is_ok());
    let said = |value: f64, low: f64| in_range("a", "x", value, low, 2.0).unwrap_err().to_string();
    assert_eq!(said(3.0, 1.0), "[a] x cannot be 3: expected 1 at least, 2 at most");
    assert_eq!(said(0.0, f64::MIN_POSITIVE), "[a] x cannot be 0: expected more than 0, 2 at most");
    assert_eq!(said(f64::from(2.3_f32), 0.0), "[a] x cannot be 2.3: expected 0 at least, 2 at most");
    assert_eq!(said(f64::NAN, 0.0), "[a] x cannot be NaN: expected 0 at least, 2 at most");
}
