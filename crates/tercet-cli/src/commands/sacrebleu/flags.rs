//! sacreBLEU's flags: names, values, help. The help text is generated from this table.

/// A flag.
pub struct Flag {
    /// Its names; the first long one is its key.
    pub names: &'static [&'static str],
    /// Its values.
    pub takes: Takes,
    /// One line for the help.
    pub help: &'static str,
}

/// The values of a flag.
#[derive(Clone, Copy)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// One value.
    One(Kind),
    /// Any number of values, none included.
    Any(Kind),
    /// At least one value.
    Some(Kind),
    /// Nothing: prints the help and ends.
    Help,
    /// Nothing: prints the version and ends.
    Version,
}

/// The type of a value.
#[derive(Clone, Copy)]
pub enum Kind {
    /// Anything.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Real,
    /// One of these.
    Choice(&'static [&'static str]),
}

impl Flag {
    /// The key: the first long name.
    pub fn key(&self) -> &'static str {
        self.names[0]
    }

    /// Whether it can have values.
    pub fn takes_values(&self) -> bool {
        matches!(self.takes, Takes::One(_) | Takes::Any(_) | Takes::Some(_))
    }
}

/// The two flags that exclude each other.
pub const EXCLUSIVE: [&str; 2] = ["--paired-ar", "--paired-bs"];

const TOKENIZERS: &[&str] =
    &["none", "zh", "13a", "intl", "char", "ja-mecab", "ko-mecab", "spm", "flores101", "flores200", "spBLEU-1K"];

const fn flag(names: &'static [&'static str], takes: Takes, help: &'static str) -> Flag {
    Flag { names, takes, help }
}

/// All flags, in sacreBLEU's order.
pub static FLAGS: &[Flag] = &[
    flag(&["--help", "-h"], Takes::Help, "print this and end"),
    flag(&["--citation", "--cite"], Takes::Nothing, "citation of a test set: refused"),
    flag(
        &["--list"],
        Takes::Nothing,
        "test sets in $SACREBLEU (~/.sacrebleu); with -t, their language pairs and fields",
    ),
    flag(
        &["--test-set", "-t"],
        Takes::One(Kind::Text),
        "test sets by name, with commas between them, if sacreBLEU has downloaded them",
    ),
    flag(
        &["--language-pair", "-l"],
        Takes::One(Kind::Text),
        "source and target language, as en-zh; picks BLEU's tokenizer",
    ),
    flag(&["--origlang", "-ol"], Takes::One(Kind::Text), "part of a test set: refused"),
    flag(&["--subset"], Takes::One(Kind::Text), "part of a test set: refused"),
    flag(&["--download"], Takes::One(Kind::Text), "fetch a test set: refused"),
    flag(&["--echo"], Takes::Some(Kind::Text), "print fields of a test set: src, ref, others by name, all"),
    flag(
        &["--input", "-i"],
        Takes::Any(Kind::Text),
        "translations, one file per system; without it, tab-separated systems on standard input",
    ),
    flag(
        &["--num-refs", "-nr"],
        Takes::One(Kind::Integer),
        "tab-separated references to a line of the one reference file (1)",
    ),
    flag(&["--encoding", "-e"], Takes::One(Kind::Text), "encoding of the files: utf-8 (default), latin-1, ascii"),
    flag(
        &["--metrics", "-m"],
        Takes::Some(Kind::Choice(&["bleu", "chrf", "ter"])),
        "metrics: bleu (default), chrf, ter",
    ),
    flag(&["--sentence-level", "-sl"], Takes::Nothing, "score every sentence"),
    flag(
        &["--smooth-method", "-s"],
        Takes::One(Kind::Choice(&["none", "floor", "add-k", "exp"])),
        "BLEU: smoothing, none, floor, add-k or exp (default)",
    ),
    flag(&["--smooth-value", "-sv"], Takes::One(Kind::Real), "BLEU: value of floor (0.1) or add-k (1)"),
    flag(
        &["--tokenize", "-tok"],
        Takes::One(Kind::Choice(TOKENIZERS)),
        "BLEU: tokenizer, none, zh, 13a (default), intl, char, or one whose dictionary or model is installed",
    ),
    flag(&["--lowercase", "-lc"], Takes::Nothing, "BLEU: ignore case"),
    flag(&["--force"], Takes::Nothing, "BLEU: no warning about tokenized text"),
    flag(&["--chrf-char-order", "-cc"], Takes::One(Kind::Integer), "chrF: longest character n-gram (6)"),
    flag(&["--chrf-word-order", "-cw"], Takes::One(Kind::Integer), "chrF: longest word n-gram (0); 2 makes chrF++"),
    flag(&["--chrf-beta"], Takes::One(Kind::Integer), "chrF: weight of recall (2)"),
    flag(&["--chrf-whitespace"], Takes::Nothing, "chrF: count white space"),
    flag(&["--chrf-lowercase"], Takes::Nothing, "chrF: ignore case"),
    flag(&["--chrf-eps-smoothing"], Takes::Nothing, "chrF: smooth as chrF++.py, NLTK and Moses do"),
    flag(&["--ter-case-sensitive"], Takes::Nothing, "TER: respect case"),
    flag(&["--ter-asian-support"], Takes::Nothing, "TER: treat Asian characters on their own"),
    flag(&["--ter-no-punct"], Takes::Nothing, "TER: remove punctuation"),
    flag(&["--ter-normalized"], Takes::Nothing, "TER: normalise and tokenize"),
    flag(&["--confidence", "-ci"], Takes::Nothing, "95% interval of one system by bootstrap resampling"),
    flag(&["--confidence-n", "-cin"], Takes::One(Kind::Integer), "its resamples (1000)"),
    flag(&["--paired-ar", "-par"], Takes::Nothing, "test systems against the first by approximate randomisation"),
    flag(&["--paired-bs", "-pbs"], Takes::Nothing, "test systems against the first by bootstrap resampling"),
    flag(&["--paired-ar-n", "-parn"], Takes::One(Kind::Integer), "trials of --paired-ar (10000)"),
    flag(&["--paired-bs-n", "-pbsn"], Takes::One(Kind::Integer), "resamples of --paired-bs (1000)"),
    flag(&["--paired-jobs", "-j"], Takes::One(Kind::Integer), "threads (1); 0 for all cores"),
    flag(&["--quiet", "-q"], Takes::Nothing, "no messages but errors"),
    flag(&["--short", "-sh"], Takes::Nothing, "short signatures in text"),
    flag(&["--score-only", "-b"], Takes::Nothing, "print the score alone"),
    flag(&["--width", "-w"], Takes::One(Kind::Integer), "decimals (1)"),
    flag(&["--detail", "-d"], Takes::Nothing, "scores of parts of a test set: there are none without -t"),
    flag(&["--no-color", "-nc"], Takes::Nothing, "no colours"),
    flag(
        &["--format", "-f"],
        Takes::One(Kind::Choice(&["json", "text", "latex"])),
        "json (default), text, or latex for several systems",
    ),
    flag(&["--version", "-V"], Takes::Version, "print the version and end"),
];

/// How it is called.
pub const USAGE: &str = "usage: tercet sacrebleu [FLAG]... REF... -i HYP...\n       \
                         tercet sacrebleu [FLAG]... REF... < HYP\n";

/// The whole help.
pub fn help() -> String {
    let mut help = format!(
        "{USAGE}\nThe flags of sacreBLEU 2.6.0, and its output byte for byte.\n\n\
         References come before -i. Long flags may be abbreviated if they stay unambiguous.\n\
         Environment: SACREBLEU (folder of test sets), SACREBLEU_FORMAT, \
         SACREBLEU_SEED (12345; none for another one each time), NO_COLOR.\n\nFlags:\n"
    );
    for flag in FLAGS {
        let value = match flag.takes {
            Takes::Nothing | Takes::Help | Takes::Version => "",
            Takes::One(Kind::Integer) => " N",
            Takes::One(_) => " X",
            Takes::Any(_) => " [X...]",
            Takes::Some(_) => " X...",
        };
        let names = flag.names.iter().rev().copied().collect::<Vec<_>>().join(", ");
        help.push_str(&format!("  {:<28} {}\n", names + value, flag.help));
    }
    help
}
