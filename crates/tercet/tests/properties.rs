//! What holds for every input, on generated text. The promises are in `invariants/`, shared with the fuzz targets.
//! `PROPTEST_CASES=100000` looks longer.

mod invariants;

use invariants::metrics::{self, Example};
use invariants::{readers, tokenizers};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::Path;
use tercet::metrics::{METRICS, Tally, Values, build};
use tercet::text::Tokenizer;

/// Pieces of lines that have broken tools before: line ends that are none, byte order marks, joined emoji, text from
/// right to left, characters whose lower case is longer, SGML, numbers with stops.
const PIECES: &[&str] = &[
    " ",
    " ",
    " ",
    "  ",
    "the",
    "The",
    "cat",
    "cats",
    "sat",
    "on",
    "mat",
    ".",
    ",",
    "?!",
    "...",
    "-",
    "'s",
    "\t",
    "\r",
    "\u{b}",
    "\u{1c}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{200b}",
    "\u{3000}",
    "\u{feff}",
    "\0",
    "3.14",
    "1,000",
    "7-8",
    "&amp;",
    "&quot;",
    "&lt;",
    "<skipped>",
    "-\n",
    "\n",
    "«",
    "€",
    "é",
    "e\u{301}",
    "İ",
    "ß",
    "ς",
    "שלום",
    "مرحبا",
    "你",
    "好",
    "。",
    "，",
    "カ",
    "\u{ff76}",
    "한국",
    "👩\u{200d}👩\u{200d}👧",
    "🏳\u{fe0f}",
    "٣",
    "𝟛",
    "\u{10ffff}",
];

fn line() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        9 => select(PIECES).prop_map(str::to_owned),
        1 => vec(any::<char>(), 1..4).prop_map(String::from_iter),
    ];
    vec(piece, 0..16).prop_map(|pieces| pieces.concat())
}

/// Hypotheses that often share something with their reference, with one to three references.
fn example() -> impl Strategy<Value = Example> {
    (line(), line(), vec(line(), 0..3), 0..3usize).prop_map(|(start, end, mut others, kind)| {
        let hypothesis = match kind {
            0 => start.clone(),
            1 => format!("{end} {start}"),
            _ => end.clone(),
        };
        others.push(format!("{start} {end}"));
        Example { hypothesis, references: others }
    })
}

fn examples() -> impl Strategy<Value = Vec<Example>> {
    vec(example(), 0..5)
}

/// A number for each choice that has to be made, over and over.
fn chooser(choices: &[u8]) -> impl FnMut(usize) -> usize + '_ {
    let mut choices = choices.iter().cycle();
    move |n| usize::from(*choices.next().expect("not empty")) % n
}

/// Files of lines, fields and numbers, now and then with a byte that is no UTF-8.
fn file() -> impl Strategy<Value = Vec<u8>> {
    const FIELDS: &[&[u8]] = &[
        b"\n",
        b"\n",
        b"\t",
        b"\t",
        b"1",
        b"2",
        b"0.5",
        b"-1e-3",
        b"nan",
        b"inf",
        b"corpus",
        b"x",
        b" ",
        b"\r",
        b"\xc3\xa9",
        b"\xe2\x80\xa8",
        b"\xef\xbb\xbf",
        b"\x1f\x8b",
        b"(\xb5/\xfd",
        b"system\tsegment\tmetric\tscore\n",
        b"x\t1\tm\t0.5\n",
        b"a\tb\n",
        b"c\td\n",
    ];
    let piece = prop_oneof![
        30 => select(FIELDS).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 1..3),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn each_metric(choices: &[u8], mut promise: impl FnMut(&str)) {
    for info in METRICS {
        promise(info.name);
        promise(&metrics::draw_spec(info, chooser(choices)));
    }
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 24)
}

#[test]
fn no_segments_at_all_score_nothing() {
    for info in METRICS {
        let metric = build(info.name).unwrap();
        assert_eq!(metric.score(&Tally::default()), 0.0, "{}", info.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokenizers_keep_their_promises(line in line()) {
        for (name, ..) in Tokenizer::ALL {
            tokenizers::tokenizer(name, &line);
        }
    }

    #[test]
    fn readers_keep_their_promises(bytes in file(), header in any::<bool>(), count in 1..4usize, roles in line()) {
        readers::table(&bytes, header);
        readers::references(&bytes, count);
        readers::roles(&roles);
    }

    #[test]
    fn score_files_give_numbers_or_a_message(bytes in file()) {
        let scratch = tempfile::NamedTempFile::new().unwrap();
        readers::scores(scratch.path(), &bytes);
    }

    #[test]
    fn scores_are_numbers_whatever_the_text(examples in examples(), choices in choices()) {
        each_metric(&choices, |spec| metrics::scores_are_numbers(spec, &examples));
    }

    #[test]
    fn batches_do_not_change_a_bit(examples in examples(), choices in choices(), size in 1..4usize) {
        each_metric(&choices, |spec| metrics::batches_do_not_matter(spec, &examples, size));
    }

    #[test]
    fn tallies_of_parts_add_up(examples in examples(), choices in choices(), cut in 0..5usize) {
        each_metric(&choices, |spec| metrics::tallies_add_up(spec, &examples, cut));
    }

    #[test]
    fn a_signature_builds_the_metric_that_printed_it(examples in examples(), choices in choices()) {
        each_metric(&choices, |spec| metrics::signature_builds_the_metric_again(spec, &examples));
    }

    #[test]
    fn nothing_beats_the_reference_itself(text in line(), other in line()) {
        for info in METRICS {
            metrics::identity_is_best(info, &text, &other);
        }
    }

    #[test]
    fn any_metric_text_is_built_or_refused(number in any::<usize>(), line in line(), choices in choices()) {
        let spec = metrics::draw_spec(metrics::info(number), chooser(&choices));
        metrics::any_spec_is_built_or_refused(&line);
        metrics::any_spec_is_built_or_refused(&format!("{spec},{line}"));
        metrics::any_spec_is_built_or_refused(&format!("{}:{line}=1", metrics::info(number).name));
    }
}

/// The properties skip what [`build`] refuses; this keeps them from skipping everything.
#[test]
fn every_metric_without_files_builds_with_its_defaults() {
    for info in METRICS {
        let needs_file =
            info.options.iter().any(|option| matches!(option.values, Values::Text) && option.key != "tok");
        if let Err(error) = build(info.name) {
            assert!(needs_file, "{}: {error}", info.name);
        }
    }
}

#[test]
fn every_tokenizer_has_a_fuzz_target() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    for (name, ..) in Tokenizer::ALL {
        let target = format!("tokenizer_{}", name.replace(['-', '+'], "_"));
        assert!(
            targets.join(format!("{target}.rs")).is_file(),
            "no fuzz target {target}: copy tokenizer_13a.rs in fuzz/fuzz_targets/ and name it in fuzz/Cargo.toml"
        );
    }
}
