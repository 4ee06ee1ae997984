//! Flags of other tools in the command lines of `score`, `compare`, `correlate` and `meteor`.

use std::path::Path;

/// What replaces a flag of another tool.
enum Here {
    /// Its values go without a flag.
    NoFlag,
    /// This flag before its value.
    Flag(&'static str),
    /// This flag before each of its values.
    BeforeEach(&'static str),
    /// These words instead of it; its values, if it has any, follow.
    Words(&'static [&'static str]),
    /// Nothing: it is not needed, and neither is its value, if it has one.
    Nothing { value: bool },
    /// Nothing here does the same; it is left out together with its value, if it has one.
    Unavailable { value: bool },
    /// It cannot be replaced.
    Advice,
}

/// A flag of other tools.
struct Habit {
    /// Its names, between spaces.
    theirs: &'static str,
    here: Here,
    why: &'static str,
}

const fn habit(theirs: &'static str, here: Here, why: &'static str) -> Habit {
    Habit { theirs, here, why }
}

const OPTIONS_OF_METRICS: &str = "options are written with their metric, as in -m bleu:tok=zh,lowercase=yes or -m \
    chrf:word_order=2 (tercet metrics NAME lists them); `tercet sacrebleu` takes the flags of sacreBLEU";

const OF_COMET: &str = "it is a flag of COMET, whose models tercet does not run; give the segment scores that COMET \
    wrote with --scores: tercet score --scores --paired ar A.scores B.scores";

const HABITS: &[Habit] = &[
    habit(
        "--hyp --hyps --hypo --hypothesis --hypotheses --sys --system --systems --candidate --candidates \
         --cand --cands --mt --input --translation --translations --target -i -t -c",
        Here::NoFlag,
        "translations are named without a flag",
    ),
    habit("--ref --reference-file", Here::Flag("-r"), "references are given with -r"),
    habit("--refs --references", Here::BeforeEach("-r"), "each reference has its own -r"),
    habit("--src --sources --source-file", Here::Flag("-s"), "the source is -s"),
    habit("--metrics", Here::BeforeEach("-m"), "each metric has its own -m"),
    habit(
        "--sentence-level -sl --segment-level --sentence",
        Here::Words(&["--level", "segment"]),
        "scores of segments are --level segment",
    ),
    habit("--paired-bs", Here::Words(&["--paired", "bs"]), "it is --paired bs"),
    habit("--paired-ar", Here::Words(&["--paired", "ar"]), "it is --paired ar"),
    habit(
        "--paired-bs-n --paired-ar-n --confidence-n -ci-n",
        Here::Words(&["-n"]),
        "the number of resamples or trials is -n",
    ),
    habit("--num-refs -nr", Here::Words(&["--references"]), "references side by side in one file are --references N"),
    habit("--score-only -b", Here::Words(&["-f", "tsv"]), "scores for programs are -f tsv or -f json"),
    habit(
        "--only_system --only-system",
        Here::Nothing { value: false },
        "only scores of systems are printed unless --level is given",
    ),
    habit("--to_json --to-json", Here::Words(&["-f", "json", "-o"]), "JSON into a file is -f json -o FILE"),
    habit(
        "--lexical --no-siamese --no-neural --no-learned --quick",
        Here::Words(&["--fast"]),
        "--fast leaves the learned metric out",
    ),
    habit("--json", Here::Words(&["-f", "json"]), "JSON is -f json"),
    habit(
        "--gpus --batch_size --num_workers --model_storage_path --model",
        Here::Unavailable { value: true },
        OF_COMET,
    ),
    habit("--disable_cache", Here::Unavailable { value: false }, OF_COMET),
    habit(
        "-tok --tokenize --tok --tokenizer -lc --lowercase --lc --smooth-method --smooth-value --smooth -smooth \
         --chrf-word-order --chrf-char-order --chrf-beta --chrf-lowercase --chrf-whitespace --ter-case-sensitive \
         --ter-normalized --ter-no-punct --ter-asian-support --force -norm -lower -noPunct",
        Here::Advice,
        OPTIONS_OF_METRICS,
    ),
    habit(
        "--encoding -e",
        Here::Advice,
        "files are UTF-8: convert others first, for example with iconv -f latin1 -t utf-8",
    ),
];

/// A pointer for the first flag of another tool, with the whole command line as it would be here if that can be read.
pub fn tip(words: &[String], is_valid: impl FnOnce(&[String]) -> bool) -> Option<String> {
    let command = words.get(1)?.as_str();
    let rest = &words[2..];
    match command {
        "score" | "compare" => {}
        "meteor" => return first_of(OF_METEOR, rest),
        "correlate" => return first_of(OF_CORRELATE, rest),
        _ => return None,
    }
    let metrics = rest.iter().filter(|word| matches!(word.as_str(), "-m" | "--metric")).count();
    let found = rest.iter().enumerate().find_map(|(i, word)| Some((i, find(command, word, rest.get(i + 1))?)));
    let Some((place, habit)) = found else {
        return (command == "compare" && metrics > 1).then(|| super::metrics::ONE_FOR_COMPARE.to_owned());
    };
    if let Some(tip) = value_tip(&rest[place], rest.get(place + 1)) {
        return Some(tip);
    }
    if matches!(habit.here, Here::Unavailable { .. }) {
        return Some(habit.why.to_owned());
    }
    // What cannot be replaced would be missing from the command line.
    let mut advice = rest.iter().filter_map(|word| find(command, word, None));
    if let Some(advice) = advice.find(|habit| matches!(habit.here, Here::Advice)) {
        let same = std::ptr::eq(advice, habit);
        return Some(if same { habit.why.to_owned() } else { format!("{}; {}", habit.why, advice.why) });
    }
    let here = rewritten(command, rest);
    let line = [&words[..1], &words[1..2], &here].concat();
    if !is_valid(&line) {
        return Some(habit.why.to_owned());
    }
    let line: Vec<String> = here.iter().map(|word| quoted(word)).collect();
    Some(format!("{}: tercet {command} {}", habit.why, line.join(" ")))
}

/// A flag of several letters after one hyphen, as METEOR and sacreBLEU have them, which would be read as a flag of one
/// letter with its value: `-sl` is not `-s l` unless there is a file `l`.
pub fn long_with_one_hyphen(words: &[String]) -> Option<&String> {
    let command = words.get(1)?;
    let is_theirs = |word: &&String| {
        let is_long = word.starts_with('-') && !word.starts_with("--") && word.len() > 2;
        is_long && find(command, word, None).is_some() && !Path::new(&word[2..]).exists()
    };
    if !matches!(command.as_str(), "score" | "compare") {
        return None;
    }
    words[2..].iter().take_while(|word| *word != "--").find(is_theirs)
}

/// The tip of the first of these flags among the words.
fn first_of(tips: &[(&str, &str)], words: &[String]) -> Option<String> {
    let tip_of = |word: &String| tips.iter().find(|(flag, _)| word == flag);
    words.iter().find_map(tip_of).map(|(_, tip)| (*tip).to_owned())
}

const PAIR_OF_CORRELATE: &str =
    "language pairs are chosen with --pair, as in: tercet correlate JUDGEMENTS --pair en-de";

const SET_OF_CORRELATE: &str = "the judgements are a folder or a file, named without a flag, and language pairs are \
    chosen with --pair, as in: tercet correlate JUDGEMENTS --pair en-de";

/// Flags of mt-metrics-eval and first guesses that `tercet correlate` does not have.
const OF_CORRELATE: &[(&str, &str)] = &[
    ("-l", PAIR_OF_CORRELATE),
    ("--lang", PAIR_OF_CORRELATE),
    ("--lp", PAIR_OF_CORRELATE),
    ("--lang-pair", PAIR_OF_CORRELATE),
    ("--language_pair", PAIR_OF_CORRELATE),
    ("--language-pair", PAIR_OF_CORRELATE),
    ("-t", SET_OF_CORRELATE),
    ("--test_set", SET_OF_CORRELATE),
    ("--test-set", SET_OF_CORRELATE),
];

/// Flags of METEOR's jar that `tercet meteor` does not have.
const OF_METEOR: &[(&str, &str)] = &[
    ("-writeAlignments", "`tercet meteor --align HYP REF > FILE` writes the alignments"),
    ("-ch", "words are compared, not characters; tercet score -m chrf compares characters"),
    ("-new", "for a language without resources: -l other -s FUNCTION_WORDS -a PARAPHRASES -t universal"),
    ("-d", "synonyms are built in; those of METEOR's own folder are used with --data DIR"),
    ("-e", "stems of METEOR's own folder are used with --data DIR"),
    ("-f", "`tercet meteor --align HYP REF > FILE` writes the alignments"),
];

/// The habit of a word. `--references N` is a flag of tercet too, so it is a habit only before the name of a file;
/// `compare --model FILE` is one of tercet.
fn find(command: &str, word: &str, next: Option<&String>) -> Option<&'static Habit> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, next.map(String::as_str)),
    };
    let is_ours = match name {
        "--references" => value.is_none_or(|value| value == "var" || value.bytes().all(|byte| byte.is_ascii_digit())),
        "--model" => command == "compare",
        // They name fields of rows here.
        "--hypothesis" | "--system" => value.is_none_or(|value| !Path::new(value).exists()),
        _ => false,
    };
    HABITS.iter().find(|habit| habit.theirs.split(' ').any(|theirs| theirs == name) && !is_ours)
}

/// For `-t wmt14`, where sacreBLEU downloads a test set, and `-t adq`, a task of METEOR.
fn value_tip(word: &str, value: Option<&String>) -> Option<String> {
    const SETS: [&str; 6] = ["wmt", "iwslt", "mtnt", "multi30k", "mtedx", "newstest"];
    const TASKS: [&str; 7] = ["rank", "adq", "hter", "li", "tune", "util", "universal"];
    let value = value.filter(|value| word == "-t" && !Path::new(value).exists())?;
    if TASKS.contains(&value.as_str()) {
        return Some(format!("the task of METEOR is an option of the metric: -m meteor:task={value}"));
    }
    SETS.iter().find(|start| value.starts_with(*start))?;
    Some(format!(
        "tercet downloads no test sets: write the references with sacreBLEU (sacrebleu -t {value} -l PAIR --echo ref > \
         REF), then: tercet score -r REF HYP"
    ))
}

/// The number of words at the start that are references: sacreBLEU names them without a flag, and the translations with
/// `-i`.
fn leading_references(words: &[String]) -> usize {
    let has = |flags: &[&str]| {
        words.iter().any(|word| flags.contains(&word.split_once('=').map_or(word.as_str(), |(flag, _)| flag)))
    };
    let is_sacrebleu = has(&["-i", "--input"]);
    if !is_sacrebleu || has(&["-r", "--reference", "--ref", "--refs", "--references", "--reference-file"]) {
        return 0;
    }
    words.iter().take_while(|word| !word.starts_with('-')).count()
}

/// The words with every flag of another tool replaced; what has no flag here comes last.
fn rewritten(command: &str, words: &[String]) -> Vec<String> {
    let (mut flags, mut without) = (Vec::new(), Vec::new());
    let mut i = leading_references(words);
    flags.extend(words[..i].iter().flat_map(|reference| ["-r".to_owned(), reference.clone()]));
    while i < words.len() {
        let Some(habit) = find(command, &words[i], words.get(i + 1)) else {
            flags.push(words[i].clone());
            i += 1;
            continue;
        };
        let mut values: Vec<String> = words[i].split_once('=').map(|(_, value)| value.to_owned()).into_iter().collect();
        i += 1;
        let most = match habit.here {
            Here::NoFlag | Here::BeforeEach(_) => usize::MAX,
            Here::Flag(_) => 1,
            Here::Nothing { value } | Here::Unavailable { value } => usize::from(value),
            Here::Words(_) | Here::Advice => 0,
        };
        while values.len() < most && words.get(i).is_some_and(|word| !word.starts_with('-')) {
            values.push(words[i].clone());
            i += 1;
        }
        match habit.here {
            Here::NoFlag => without.extend(values),
            Here::Flag(flag) | Here::BeforeEach(flag) => {
                flags.extend(values.into_iter().flat_map(|value| [flag.to_owned(), value]))
            }
            Here::Words(ours) => flags.extend(ours.iter().map(|word| (*word).to_owned()).chain(values)),
            Here::Nothing { .. } | Here::Unavailable { .. } | Here::Advice => {}
        }
    }
    flags.extend(without);
    flags
}

/// A word as a shell would take it.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./,:=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tip_of(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        tip(&words, |_| true).unwrap_or_default()
    }

    #[test]
    fn a_command_line_of_comet_is_rewritten() {
        assert_eq!(
            tip_of("tercet score -s src.txt -t hyp1.txt hyp2.txt -r ref.txt --quiet --only_system --to_json x.json"),
            "translations are named without a flag: \
             tercet score -s src.txt -r ref.txt --quiet -f json -o x.json hyp1.txt hyp2.txt"
        );
    }

    #[test]
    fn flags_with_their_value_and_several_values_are_rewritten() {
        assert_eq!(
            tip_of("tercet score --hyp=a.txt --refs r1 r2"),
            "translations are named without a flag: tercet score -r r1 -r r2 a.txt"
        );
        assert_eq!(
            tip_of("tercet score --references r1 r2 --hyp a"),
            "each reference has its own -r: tercet score -r r1 -r r2 a"
        );
        assert_eq!(tip_of("tercet score --references 4 -r r a"), "");
    }

    #[test]
    fn names_of_fields_are_not_taken_for_files() {
        assert_eq!(tip_of("tercet score --hypothesis no-such-file --columns ref,hyp x"), "");
    }

    #[test]
    fn what_a_shell_would_split_is_quoted() {
        let words = ["tercet", "score", "--hyp", "a b's"].map(str::to_owned);
        assert!(tip(&words, |_| true).unwrap().ends_with("tercet score 'a b'\\''s'"));
    }
}
