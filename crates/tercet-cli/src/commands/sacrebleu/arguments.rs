//! Reads arguments as Python's argparse does, which clap cannot: `-sl` and `-tok` beside `-s` and `-t`, abbreviated
//! long flags, `-w4`, flags with any number of values.
//!
//! First every word is classified as a flag or a value; then flags take the values that follow them, from left to
//! right. The first sequence of values that no flag takes are the references.

use super::flags::{EXCLUSIVE, FLAGS, Flag, Kind, Takes};
use super::number;

/// What was asked for.
pub enum Request {
    /// Scores.
    Run(Arguments),
    /// The help.
    Help,
    /// The version.
    Version,
}

/// Flags and values as given.
#[derive(Default)]
pub struct Arguments {
    /// The reference files.
    pub references: Vec<String>,
    given: Vec<(&'static str, Vec<String>)>,
}

impl Arguments {
    /// Whether a flag was given.
    pub fn has(&self, key: &str) -> bool {
        self.values(key).is_some()
    }

    /// The values of a flag where it was given last.
    pub fn values(&self, key: &str) -> Option<&[String]> {
        debug_assert!(FLAGS.iter().any(|flag| flag.key() == key), "{key}");
        let last = self.given.iter().rev().find(|(given, _)| *given == key);
        last.map(|(_, values)| values.as_slice())
    }

    /// The one value of a flag.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values(key).and_then(<[String]>::first).map(String::as_str)
    }

    /// The value of a flag that takes a whole number.
    pub fn integer(&self, key: &str, default: i64) -> i64 {
        self.text(key).and_then(number::integer).unwrap_or(default)
    }
}

/// Classification of a word.
#[derive(Clone)]
enum Word {
    Value,
    /// `--`: all following words are values.
    End,
    /// A flag as spelt in the table, perhaps with a value attached.
    Flag(&'static Flag, &'static str, Option<String>),
    Unknown,
}

/// Parses the words after `tercet sacrebleu`.
pub fn read(words: &[String]) -> Result<Request, String> {
    let mut reader = Reader {
        words,
        kinds: classify_all(words)?,
        arguments: Arguments::default(),
        has_references: false,
        extras: Vec::new(),
    };
    let mut at = 0;
    while at < words.len() {
        at = match &reader.kinds[at] {
            Word::Value | Word::End => reader.take_references(at),
            Word::Unknown => {
                reader.extras.push(words[at].clone());
                at + 1
            }
            Word::Flag(..) => match reader.take_flag(at)? {
                Taken::Until(next) => next,
                Taken::Last(request) => return Ok(request),
            },
        };
    }
    if reader.extras.is_empty() {
        Ok(Request::Run(reader.arguments))
    } else {
        Err(format!("unrecognized arguments: {}", reader.extras.join(" ")))
    }
}

fn classify_all(words: &[String]) -> Result<Vec<Word>, String> {
    let mut kinds = Vec::with_capacity(words.len());
    let mut ended = false;
    for word in words {
        kinds.push(match word.as_str() {
            _ if ended => Word::Value,
            "--" => {
                ended = true;
                Word::End
            }
            _ => classify(word)?,
        });
    }
    Ok(kinds)
}

fn spellings() -> impl Iterator<Item = (&'static Flag, &'static str)> {
    FLAGS.iter().flat_map(|flag| flag.names.iter().map(move |name| (flag, *name)))
}

fn exact(spelling: &str) -> Option<(&'static Flag, &'static str)> {
    spellings().find(|(_, name)| *name == spelling)
}

fn classify(word: &str) -> Result<Word, String> {
    if !word.starts_with('-') || word.len() == 1 {
        return Ok(Word::Value);
    }
    if let Some((flag, name)) = exact(word) {
        return Ok(Word::Flag(flag, name, None));
    }
    if let Some((before, value)) = word.split_once('=')
        && let Some((flag, name)) = exact(before)
    {
        return Ok(Word::Flag(flag, name, Some(value.to_owned())));
    }
    let mut readings = readings(word);
    if readings.len() > 1 {
        let matches: Vec<&str> = readings.iter().map(|(_, name, _)| *name).collect();
        return Err(format!("ambiguous option: {word} could match {}", matches.join(", ")));
    }
    Ok(match readings.pop() {
        Some((flag, name, value)) => Word::Flag(flag, name, value),
        None if is_negative_number(word) || word.contains(' ') => Word::Value,
        None => Word::Unknown,
    })
}

/// Every flag that a word may abbreviate.
fn readings(word: &str) -> Vec<(&'static Flag, &'static str, Option<String>)> {
    if word.starts_with("--") {
        let (prefix, value) = match word.split_once('=') {
            Some((prefix, value)) => (prefix, Some(value.to_owned())),
            None => (word, None),
        };
        return spellings()
            .filter(|(_, name)| name.starts_with(prefix))
            .map(|(flag, name)| (flag, name, value.clone()))
            .collect();
    }
    let letter_end = word.char_indices().nth(2).map_or(word.len(), |(end, _)| end);
    let (letter, attached) = word.split_at(letter_end);
    spellings()
        .filter_map(|(flag, name)| {
            if name == letter {
                Some((flag, name, Some(attached.to_owned())))
            } else {
                name.starts_with(word).then_some((flag, name, None))
            }
        })
        .collect()
}

/// `-1`, `-1.5`, `-.5`: a value, since no flag looks like this.
fn is_negative_number(word: &str) -> bool {
    let number = &word[1..];
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match number.split_once('.') {
        Some((whole, fraction)) => (whole.is_empty() || all_digits(whole)) && all_digits(fraction),
        None => all_digits(number),
    }
}

/// The result of parsing a flag.
enum Taken {
    Until(usize),
    Last(Request),
}

struct Reader<'a> {
    words: &'a [String],
    kinds: Vec<Word>,
    arguments: Arguments,
    has_references: bool,
    extras: Vec<String>,
}

impl Reader<'_> {
    /// The values from `at` on: the references, unless they were found before. The first `--` is removed.
    fn take_references(&mut self, at: usize) -> usize {
        let is_value = |kind: &Word| matches!(kind, Word::Value | Word::End);
        let run = self.kinds[at..].iter().take_while(|kind| is_value(kind)).count();
        let mut words = self.words[at..at + run].to_vec();
        if self.has_references {
            self.extras.extend(words);
        } else {
            if let Some(end) = words.iter().position(|word| word == "--") {
                words.remove(end);
            }
            self.arguments.references = words;
            self.has_references = true;
        }
        at + run
    }

    /// A flag with its values.
    fn take_flag(&mut self, at: usize) -> Result<Taken, String> {
        let (flags, values, next) = self.unbundle(at)?;
        let last = flags.len() - 1;
        for (i, flag) in flags.into_iter().enumerate() {
            let values = if i == last { values.clone() } else { Vec::new() };
            if let Some(request) = self.give(flag, values)? {
                return Ok(Taken::Last(request));
            }
        }
        Ok(Taken::Until(next))
    }

    /// The flags of one word (`-qb` is `-q -b`), the values of the last of them, and where these end.
    fn unbundle(&self, at: usize) -> Result<(Vec<&'static Flag>, Vec<String>, usize), String> {
        let Word::Flag(mut flag, mut name, mut attached) = self.kinds[at].clone() else {
            return Ok((Vec::new(), Vec::new(), at + 1));
        };
        let mut flags = vec![flag];
        while let Some(tail) = attached {
            if flag.takes_values() {
                return Ok((flags, vec![tail], at + 1));
            }
            let ignored = || format!("argument {}: ignored explicit argument '{tail}'", title(flag));
            let first = tail.chars().next().filter(|_| !name.starts_with("--")).ok_or_else(ignored)?;
            (flag, name) = exact(&format!("-{first}")).ok_or_else(ignored)?;
            flags.push(flag);
            attached = Some(tail[first.len_utf8()..].to_owned()).filter(|rest| !rest.is_empty());
        }
        let values = self.following(flag, at + 1)?;
        let next = at + 1 + values.len();
        Ok((flags, values, next))
    }

    /// As many of the words from `at` on as the flag takes.
    fn following(&self, flag: &Flag, at: usize) -> Result<Vec<String>, String> {
        let is_value = |kind: &&Word| matches!(kind, Word::Value);
        let there = self.kinds[at..].iter().take_while(is_value).count();
        let count = match (flag.takes, there) {
            (Takes::One(_), 0) => Err("expected one argument"),
            (Takes::Some(_), 0) => Err("expected at least one argument"),
            (Takes::One(_), _) => Ok(1),
            (Takes::Any(_) | Takes::Some(_), _) => Ok(there),
            _ => Ok(0),
        };
        let count = count.map_err(|why| format!("argument {}: {why}", title(flag)))?;
        Ok(self.words[at..at + count].to_vec())
    }

    /// Checks the values of a flag and stores them.
    fn give(&mut self, flag: &'static Flag, values: Vec<String>) -> Result<Option<Request>, String> {
        match flag.takes {
            Takes::Help => return Ok(Some(Request::Help)),
            Takes::Version => return Ok(Some(Request::Version)),
            Takes::One(kind) | Takes::Any(kind) | Takes::Some(kind) => {
                for value in &values {
                    check(kind, value).map_err(|why| format!("argument {}: {why}", title(flag)))?;
                }
            }
            Takes::Nothing => {}
        }
        if let Some(i) = EXCLUSIVE.iter().position(|key| *key == flag.key()) {
            let other = exact(EXCLUSIVE[1 - i]).map(|(flag, _)| flag);
            if let Some(other) = other.filter(|other| self.arguments.has(other.key())) {
                return Err(format!("argument {}: not allowed with argument {}", title(flag), title(other)));
            }
        }
        self.arguments.given.push((flag.key(), values));
        Ok(None)
    }
}

fn check(kind: Kind, value: &str) -> Result<(), String> {
    match kind {
        Kind::Integer if number::integer(value).is_none() => Err(format!("invalid int value: '{value}'")),
        Kind::Real if number::real(value).is_none() => Err(format!("invalid float value: '{value}'")),
        Kind::Choice(known) if !known.contains(&value) => {
            let known: Vec<String> = known.iter().map(|choice| format!("'{choice}'")).collect();
            Err(format!("invalid choice: '{value}' (choose from {})", known.join(", ")))
        }
        _ => Ok(()),
    }
}

fn title(flag: &Flag) -> String {
    flag.names.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(line: &str) -> Result<Arguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        match read(&words)? {
            Request::Run(arguments) => Ok(arguments),
            Request::Help => Err("help".to_owned()),
            Request::Version => Err("version".to_owned()),
        }
    }

    fn misuse(line: &str) -> String {
        arguments(line).err().unwrap_or_default()
    }

    #[test]
    fn flags_of_several_letters_stand_beside_those_of_one() {
        let given = arguments("r1 r2 -sl -s floor -sv -.5 -tok 13a -w4 -qb -m bleu chrf -i a b").unwrap();
        assert_eq!(given.references, ["r1", "r2"]);
        assert!(given.has("--sentence-level") && given.has("--quiet") && given.has("--score-only"));
        assert_eq!(given.text("--smooth-value"), Some("-.5"));
        assert_eq!(given.integer("--width", 1), 4);
        assert_eq!(given.values("--metrics").unwrap(), ["bleu", "chrf"]);
        assert_eq!(given.values("--input").unwrap(), ["a", "b"]);
    }

    #[test]
    fn long_flags_may_be_cut_short_and_values_attached() {
        let given = arguments("--wid=3 --paired-bs-n 7 --sen -bw2 --metrics=ter -- -r").unwrap();
        assert_eq!(given.integer("--width", 1), 2);
        assert_eq!(given.integer("--paired-bs-n", 0), 7);
        assert_eq!(given.values("--metrics").unwrap(), ["ter"]);
        assert_eq!(given.references, ["-r"]);
    }

    #[test]
    fn misuse_is_named_as_argparse_names_it() {
        for (line, message) in [
            (
                "--c",
                "ambiguous option: --c could match --citation, --cite, --chrf-char-order, --chrf-word-order, \
                 --chrf-beta, --chrf-whitespace, --chrf-lowercase, --chrf-eps-smoothing, --confidence, --confidence-n",
            ),
            ("-p", "ambiguous option: -p could match -par, -pbs, -parn, -pbsn"),
            ("-to x", "ambiguous option: -to could match -t, -tok"),
            ("-w x", "argument --width/-w: invalid int value: 'x'"),
            ("-sv x", "argument --smooth-value/-sv: invalid float value: 'x'"),
            ("-m", "argument --metrics/-m: expected at least one argument"),
            ("-w", "argument --width/-w: expected one argument"),
            ("-m x", "argument --metrics/-m: invalid choice: 'x' (choose from 'bleu', 'chrf', 'ter')"),
            ("-par -pbs", "argument --paired-bs/-pbs: not allowed with argument --paired-ar/-par"),
            ("-bz", "argument --score-only/-b: ignored explicit argument 'z'"),
            ("--list=x", "argument --list: ignored explicit argument 'x'"),
            ("a -b c --nope", "unrecognized arguments: c --nope"),
            ("-w x --help", "argument --width/-w: invalid int value: 'x'"),
            ("--help -w x", "help"),
            ("-bV", "version"),
        ] {
            assert_eq!(misuse(line), message, "{line}");
        }
    }
}
