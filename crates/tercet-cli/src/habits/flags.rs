//! Flags of other tools in the command line of `score` and `compare`.

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
    /// Nothing: it is how tercet works anyway. It has no values.
    Nothing,
    /// It cannot be replaced.
    Advice,
}

/// A flag of other tools.
struct Habit {
    theirs: &'static [&'static str],
    here: Here,
    why: &'static str,
}

const OPTIONS_OF_METRICS: &str = "options are written with their metric, as in -m bleu:tok=zh,lowercase=yes or -m chrf:word_order=2 \
     (tercet metrics NAME lists them); `tercet sacrebleu` takes the flags of sacreBLEU";

const HABITS: &[Habit] = &[
    Habit {
        theirs: &[
            "--hyp",
            "--hyps",
            "--hypo",
            "--hypothesis",
            "--hypotheses",
            "--sys",
            "--system",
            "--systems",
            "--candidate",
            "--candidates",
            "--cand",
            "--cands",
            "--mt",
            "--input",
            "--translation",
            "--translations",
            "--target",
            "-i",
            "-t",
            "-c",
        ],
        here: Here::NoFlag,
        why: "translations are named without a flag",
    },
    Habit {
        theirs: &["--ref", "--reference-file"],
        here: Here::Flag("-r"),
        why: "references are given with -r",
    },
    Habit {
        theirs: &["--refs", "--references"],
        here: Here::BeforeEach("-r"),
        why: "each reference has its own -r",
    },
    Habit {
        theirs: &["--src", "--sources", "--source-file"],
        here: Here::Flag("-s"),
        why: "the source is -s",
    },
    Habit { theirs: &["--metrics"], here: Here::BeforeEach("-m"), why: "each metric has its own -m" },
    Habit {
        theirs: &["--sentence-level", "-sl", "--segment-level", "--sentence"],
        here: Here::Words(&["--level", "segment"]),
        why: "scores of segments are --level segment",
    },
    Habit { theirs: &["--paired-bs"], here: Here::Words(&["--paired", "bs"]), why: "it is --paired bs" },
    Habit { theirs: &["--paired-ar"], here: Here::Words(&["--paired", "ar"]), why: "it is --paired ar" },
    Habit {
        theirs: &["--paired-bs-n", "--paired-ar-n", "--confidence-n", "-ci-n"],
        here: Here::Words(&["-n"]),
        why: "the number of resamples or trials is -n",
    },
    Habit {
        theirs: &["--num-refs", "-nr"],
        here: Here::Words(&["--references"]),
        why: "references side by side in one file are --references N",
    },
    Habit {
        theirs: &["--score-only", "-b"],
        here: Here::Words(&["-f", "tsv"]),
        why: "scores for programs are -f tsv or -f json",
    },
    Habit {
        theirs: &["--only_system", "--only-system"],
        here: Here::Nothing,
        why: "only scores of systems are printed unless --level is given",
    },
    Habit {
        theirs: &["--to_json", "--to-json"],
        here: Here::Words(&["-f", "json", "-o"]),
        why: "JSON into a file is -f json -o FILE",
    },
    Habit { theirs: &["--json"], here: Here::Words(&["-f", "json"]), why: "JSON is -f json" },
    Habit {
        theirs: &["--gpus", "--batch_size", "--num_workers", "--model_storage_path", "--disable_cache"],
        here: Here::Advice,
        why: "it is a flag of COMET, whose models tercet does not run; give the segment scores that COMET wrote with --scores: \
              tercet score --scores --paired ar A.scores B.scores",
    },
    Habit {
        theirs: &[
            "-tok",
            "--tokenize",
            "--tok",
            "--tokenizer",
            "-lc",
            "--lowercase",
            "--lc",
            "--smooth-method",
            "--smooth-value",
            "--smooth",
            "-smooth",
            "--chrf-word-order",
            "--chrf-char-order",
            "--chrf-beta",
            "--chrf-lowercase",
            "--chrf-whitespace",
            "--ter-case-sensitive",
            "--ter-normalized",
            "--ter-no-punct",
            "--ter-asian-support",
            "--force",
        ],
        here: Here::Advice,
        why: OPTIONS_OF_METRICS,
    },
    Habit {
        theirs: &["--encoding", "-e"],
        here: Here::Advice,
        why: "files are UTF-8: convert others first, for example with iconv -f latin1 -t utf-8",
    },
];

/// A pointer for the first flag of another tool, with the whole command line as it would be here if that can be read.
pub fn tip(words: &[String], is_valid: impl FnOnce(&[String]) -> bool) -> Option<String> {
    if words.get(1).is_some_and(|word| word == "meteor") {
        let found = OF_METEOR.iter().find(|(flag, _)| words.iter().any(|word| word == flag));
        return found.map(|(_, tip)| (*tip).to_owned());
    }
    let command = words.get(1).filter(|word| matches!(word.as_str(), "score" | "compare"))?;
    let rest = &words[2..];
    let found = rest.iter().enumerate().find_map(|(i, word)| Some((i, find(word, rest.get(i + 1))?)));
    let (place, habit) = found?;
    if let Some(tip) = test_set_tip(&rest[place], rest.get(place + 1)) {
        return Some(tip);
    }
    let here = rewritten(rest);
    let line = [&words[..1], &words[1..2], &here].concat();
    if matches!(habit.here, Here::Advice) || !is_valid(&line) {
        return Some(habit.why.to_owned());
    }
    let line: Vec<String> = here.iter().map(|word| quoted(word)).collect();
    Some(format!("{}: tercet {command} {}", habit.why, line.join(" ")))
}

/// Flags of METEOR's jar that `tercet meteor` does not have.
const OF_METEOR: &[(&str, &str)] = &[
    ("-writeAlignments", "`tercet meteor --align HYP REF > FILE` writes the alignments"),
    ("-ch", "words are compared, not characters; tercet score -m chrf compares characters"),
    ("-new", "for a language without resources: -l other -s FUNCTION_WORDS -a PARAPHRASES -t universal"),
    ("-d", "synonyms are built in; those of METEOR's own folder are used with --data DIR"),
    ("-e", "stems of METEOR's own folder are used with --data DIR"),
    ("-f", "`tercet meteor --align HYP REF > FILE` writes the alignments"),
];

/// The habit of a word. `--references N` is a flag of tercet too, so it is a habit only before the name of a file.
fn find(word: &str, next: Option<&String>) -> Option<&'static Habit> {
    let (name, value) = match word.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (word, next.map(String::as_str)),
    };
    let is_ours = name == "--references"
        && value.is_none_or(|value| value == "var" || value.bytes().all(|byte| byte.is_ascii_digit()));
    HABITS.iter().find(|habit| habit.theirs.contains(&name) && !is_ours)
}

/// For `-t wmt14`, where sacreBLEU downloads a test set.
fn test_set_tip(word: &str, value: Option<&String>) -> Option<String> {
    const SETS: [&str; 6] = ["wmt", "iwslt", "mtnt", "multi30k", "mtedx", "newstest"];
    let set = value.filter(|set| word == "-t" && !Path::new(set).exists())?;
    SETS.iter().find(|start| set.starts_with(*start))?;
    Some(format!(
        "tercet downloads no test sets: write the references with sacreBLEU (sacrebleu -t {set} -l PAIR --echo ref > REF), \
         then: tercet score -r REF HYP"
    ))
}

/// The words with every flag of another tool replaced; what has no flag here comes last.
fn rewritten(words: &[String]) -> Vec<String> {
    let (mut flags, mut without) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < words.len() {
        let Some(habit) = find(&words[i], words.get(i + 1)) else {
            flags.push(words[i].clone());
            i += 1;
            continue;
        };
        let mut values: Vec<String> =
            words[i].split_once('=').map(|(_, value)| value.to_owned()).into_iter().collect();
        i += 1;
        let most = match habit.here {
            Here::NoFlag | Here::BeforeEach(_) => usize::MAX,
            Here::Flag(_) => 1,
            Here::Words(_) | Here::Nothing | Here::Advice => 0,
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
            Here::Nothing | Here::Advice => {}
        }
    }
    flags.extend(without);
    flags
}

/// A word as a shell would take it.
fn quoted(word: &str) -> String {
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
            tip_of(
                "tercet score -s src.txt -t hyp1.txt hyp2.txt -r ref.txt --quiet --only_system --to_json x.json"
            ),
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
    fn what_a_shell_would_split_is_quoted() {
        let words = ["tercet", "score", "--hyp", "a b's"].map(str::to_owned);
        assert!(tip(&words, |_| true).unwrap().ends_with("tercet score 'a b'\\''s'"));
    }
}
