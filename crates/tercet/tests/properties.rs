//! What holds for every input, on generated text. The promises are in `invariants/`, shared with the fuzz targets.
//! `PROPTEST_CASES=100000` looks longer.

mod invariants;
#[cfg(feature = "learned")]
mod pairwise_models;

use invariants::metrics::{self, Example};
use invariants::{correlation, judgements, mqm, preferences, readers, tokenizers, trees, vectors};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::Path;
use std::sync::LazyLock;
use tercet::corpora::{Level, Submission, SubmissionFormat, SubmissionRow};
use tercet::metrics::{METRICS, Tally, build};
use tercet::text::Tokenizer;
use tercet::vectors::Format;

/// Metrics that need a model, with one.
static LEARNED: LazyLock<Vec<String>> = LazyLock::new(|| {
    #[cfg(feature = "learned")]
    return pairwise_models::MODELS.clone();
    #[cfg(not(feature = "learned"))]
    Vec::new()
});

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

/// A valid file with some of its bytes cut out, doubled, or replaced by what may hurt.
fn damaged(good: &'static str) -> impl Strategy<Value = Vec<u8>> {
    const HURTS: &[&[u8]] = &[
        b"",
        b"\n",
        b"\t",
        b",",
        b" ",
        b"\"",
        b"+",
        b"-1",
        b"0",
        b"nan",
        b"1e999",
        b"\r\n",
        b"\xff",
        b"\xef\xbb\xbf",
        b"a",
        b"{",
        b"\x00",
    ];
    let cuts = vec((any::<prop::sample::Index>(), 0..4usize, select(HURTS)), 0..4);
    cuts.prop_map(move |cuts| {
        let mut bytes = good.as_bytes().to_vec();
        for (at, length, put) in cuts {
            let start = at.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, put.iter().copied());
        }
        bytes
    })
}

/// A damaged file of judgements.
fn damaged_judgements() -> impl Strategy<Value = Vec<u8>> {
    select(judgements::VALID).prop_flat_map(damaged)
}

/// A file of the form, or of anything.
fn near(good: &'static str) -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => damaged(good), 1 => file()]
}

const MQM: &str = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n\
    a\td\t1\t1\tr1\ts\t<v>t</v> u\tFluency/Punctuation\tMinor\nb\td\t1\t1\tr1\ts\tw\tNo-error\tNo-error\n\
    refA\td\t2\t2\tr2\ts\tw \tNon-translation!\tMajor\n";
const AVERAGES: &str = "system mqm_avg_score seg_id\na\t-1.5 1\na\tNone 2\nb 0 2\n";
const SIDES: &str = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\t# see\n\
    a\td\t1\t1\tr\ts\tt\tOther\tMinor\t{\"timestamp\":1,\"side\":1,\"timing\":{\"x\":{\"log\":[{\"ts\":2}]}}}\n\
    b\td\t1\t1\tr\ts\tu\tOther\tMajor\t{\"timestamp\":2,\"side\":2}\n";
const EVAL_SET: [&str; 4] =
    ["a 1\na None\nb 2\nb 3\n", "x a 1\ny a 2\n", "x d\nx e\n", "{\"source\":\"a\",\"target\":null}\n"];
const SUBMISSIONS: [&str; 5] = [
    "M\tcs-en\tT\ta\t1\t0.5\nM\tcs-en\tT\ta\t2\t0.25\n",
    "M\tcs-en\tDAseg+T\ta\t1\t0.5\tnon-ensemble\tno\n",
    "M\tcs-en\tT\tref\ta\td\t1\t0.5\nM\tcs-en\tT\tref\ta\td\t2\t0.5\n",
    "M\tcs-en\tT\tall\trefA\ta\t0.5\nM\tcs-en\tT\tnews\trefA\ta\t1\n",
    "M\tcs-en\tT\tnews\t-\tsrc\ta\t1\t0.5\n",
];

/// Word vectors in every format: GloVe's, COMPOSES', word2vec's text and its binary, whose numbers are 0 and 0.5.
const WORD_VECTORS: [&str; 4] = [
    "the 0.5 -1e-3\n. . 1 2\n7 3 4\nthe 1 1\n",
    "the\t0.5\t-1e-3\nnew york\t1\t2\n",
    "2 2\nthe 0.5 -1e-3 \n</s> 1 2 \n",
    "2 2\nthe \0\0\0?\0\0\0\0\nof \0\0\0?\0\0\0?\n",
];
const CONLLU: &str = "# sent_id = 1\n1-2\tHe's\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n1\tHe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n\
    2\t's\t_\tAUX\t_\t_\t0\troot\t_\t_\n2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n\
    1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t1\tnmod:poss\t_\t_\n\n";
const BRACKETS: &str = "( (S (NP-SBJ-1 (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *-1))) (. .)))\n(())\n(ROOT\n  (X (-LRB- -LRB-)))(A a)\n";
const SENTENCE_VECTORS: &str = "1\t0.5 2\n2\t1 2\na\t3 4\nb\t3 4\n\t0 0\n";

/// Brackets, labels and words in any order.
fn brackets() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: &[&str] = &[
        "(",
        "(",
        "(S ",
        "(NP-SBJ ",
        "(NN a)",
        "(-NONE- *)",
        "(, ,)",
        ")",
        ")",
        ")",
        " ",
        "\n",
        "x",
        "-LRB-",
        "é",
    ];
    vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat().into_bytes())
}

/// A tar archive of one file, `a`, that holds `abc`.
fn archive() -> Vec<u8> {
    let mut header = vec![0; 512];
    header[0] = b'a';
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(b"00000000003");
    header[156] = b'0';
    header[257..265].copy_from_slice(b"ustar\x0000");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    header.extend(b"abc");
    header.resize(1536, 0);
    header
}

fn submission() -> impl Strategy<Value = Submission> {
    let name = || prop_oneof!["[a-z+.0-9-]{1,4}", "[ \ta-c]{1,3}"];
    let format = select(vec![2010, 2018, 2020, 2021, 2024]).prop_map(SubmissionFormat::of_year);
    let level = select(vec![Level::System, Level::Document, Level::Segment]);
    (format, level).prop_flat_map(move |(format, level)| {
        let in_documents =
            format != SubmissionFormat::of_year(2021) && format != SubmissionFormat::of_year(2010);
        let row = (name(), name(), "[a-z0-9]{1,4}", name(), name(), 1..9u32, any::<f64>(), any::<bool>());
        let row = row.prop_map(move |(metric, pair, test_set, system, other, segment, score, track)| {
            let modern = !matches!(format, SubmissionFormat::Wmt08 | SubmissionFormat::Wmt17);
            let documented = level != Level::System && modern && in_documents && other != "-";
            SubmissionRow {
                metric,
                pair,
                track: track.then(|| "DAseg".to_owned()),
                test_set,
                document: documented.then(|| other.clone()),
                reference: modern.then_some(other),
                system,
                segment: (level == Level::Segment).then_some(segment),
                score,
                ..SubmissionRow::default()
            }
        });
        vec(row, 1..4).prop_map(move |rows| Submission { format, level, rows })
    })
}

/// Two rows of scores, with many ties or few.
fn rows() -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    let score = prop_oneof![(-3..3i32).prop_map(f64::from), (-500..500i32).prop_map(|i| f64::from(i) / 8.0)];
    vec((score.clone(), score), 0..130).prop_map(|places| places.into_iter().unzip())
}

fn each_metric(choices: &[u8], mut promise: impl FnMut(&str)) {
    for info in METRICS.iter().filter(|info| info.needs.is_none()) {
        promise(info.name);
        promise(&metrics::draw_spec(info, chooser(choices)));
    }
    LEARNED.iter().for_each(|spec| promise(spec));
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 24)
}

#[test]
fn no_segments_at_all_score_nothing() {
    each_metric(&[0], |spec| {
        if let Ok(metric) = build(spec) {
            assert_eq!(metric.score(&Tally::default()), 0.0, "{spec}");
        }
    });
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
    fn readers_of_judgements_keep_their_promises(
        first in prop_oneof![1 => file(), 4 => damaged_judgements()],
        second in prop_oneof![1 => file(), 4 => damaged_judgements()],
    ) {
        judgements::every_reader(&first, &second);
    }

    #[test]
    fn judgements_are_found_or_refused_by_name(bytes in prop_oneof![file(), damaged_judgements()]) {
        let scratch = tempfile::NamedTempFile::new().unwrap();
        judgements::found(scratch.path(), &bytes);
    }

    #[test]
    fn mqm_is_read_or_refused(errors in near(MQM), averages in near(AVERAGES), sides in near(SIDES)) {
        mqm::mqm(&errors);
        mqm::averages(&averages);
        mqm::side_by_side(&sides);
    }

    #[test]
    fn tar_archives_are_read_or_refused(at in 0..1536usize, byte in any::<u8>(), length in 0..1537usize, any in file()) {
        let mut bytes = archive();
        assert_eq!(tercet::corpora::read_tar(Path::new("a.tar"), &bytes).unwrap()[0].bytes, b"abc");
        bytes[at] = byte;
        mqm::tar(&bytes);
        mqm::tar(&archive()[..length]);
        mqm::tar(&any);
    }

    #[test]
    fn files_of_eval_sets_are_read_or_refused(which in 0..4usize, files in EVAL_SET.map(near)) {
        mqm::eval_set(&files[which]);
        mqm::metric_scores(&files[which]);
    }

    #[test]
    fn submissions_are_read_or_refused(which in 0..5usize, files in SUBMISSIONS.map(near), own in submission()) {
        mqm::submission(&files[which]);
        mqm::metric_scores(&files[which]);
        mqm::submission_is_read_again(&own);
    }

    #[test]
    fn word_vectors_are_read_or_refused(files in WORD_VECTORS.map(near), which in 0..4usize) {
        for (file, format) in files.iter().zip(Format::ALL) {
            vectors::word_vectors(file, Some(format));
            vectors::word_vectors(file, None);
        }
        let scratch = tempfile::tempdir().unwrap();
        vectors::compact_form(scratch.path(), &files[which]);
    }

    #[test]
    fn sentence_vectors_are_read_or_refused(file in near(SENTENCE_VECTORS)) {
        vectors::precomputed(&file);
    }

    #[test]
    fn conllu_files_come_back_or_are_refused(file in near(CONLLU), other in damaged(CONLLU)) {
        trees::conllu(&file);
        trees::aligned(&file, &other);
    }

    #[test]
    fn bracketed_trees_come_back_or_are_refused(file in prop_oneof![near(BRACKETS), brackets()], other in damaged(BRACKETS)) {
        trees::bracketed(&file);
        trees::held_against(&file, &other);
    }

    #[test]
    fn any_heads_are_a_tree_or_none(heads in vec(0..9usize, 0..9)) {
        trees::heads(&heads);
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
    fn exchanging_two_translations_turns_a_preference_round(examples in examples(), choices in choices(), size in 1..4usize) {
        each_metric(&choices, |spec| preferences::is_antisymmetric(spec, &examples, size));
    }

    #[test]
    fn a_signature_builds_the_preference_that_printed_it(line in line(), choices in choices(), slope in 1e-6..1e3f64) {
        each_metric(&choices, |spec| preferences::signature_builds_the_preference_again(&format!("{spec}|slope={slope}")));
        preferences::signature_builds_the_preference_again(&format!("chrf|slope={line}"));
    }

    #[test]
    fn nothing_beats_the_reference_itself(text in line(), other in line()) {
        for info in METRICS.iter().filter(|info| info.needs.is_none()) {
            metrics::identity_is_best(info, &text, &other);
        }
    }

    #[test]
    fn coefficients_keep_their_promises((x, y) in rows(), epsilon in select(&[0.0, 0.125, 3.0][..])) {
        correlation::are_symmetric_and_turn_with_a_row(&x, &y);
        correlation::ranks_ignore_the_scale(&x, &y);
        correlation::pairs_are_counted_once(&x, &y, epsilon);
    }

    #[test]
    fn one_group_has_the_coefficient_of_what_was_judged((gold, metric) in rows(), judged in vec(any::<bool>(), 130)) {
        let gold: Vec<Option<f64>> = gold.into_iter().zip(judged).map(|(gold, judged)| judged.then_some(gold)).collect();
        correlation::one_group_is_the_coefficient(&gold, &metric);
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
fn every_metric_builds_with_its_defaults_or_says_what_it_needs() {
    for info in METRICS {
        match (build(info.name), info.needs) {
            (Ok(_), None) => {}
            (Ok(_), Some(needs)) => panic!("{} builds without {needs}", info.name),
            (Err(error), None) => panic!("{}: {error}", info.name),
            (Err(error), Some(needs)) => {
                assert!(error.to_string().contains(&format!("{needs}=FILE")), "{error}")
            }
        }
    }
    for spec in LEARNED.iter() {
        build(spec).unwrap();
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

/// Damage may hit all of them; this keeps the property from looking at refusals only.
#[test]
fn every_format_of_word_vectors_is_told() {
    for (file, format) in WORD_VECTORS.iter().zip(Format::ALL) {
        assert_eq!(Format::of(file.as_bytes()), format);
        let read = tercet::vectors::WordVectors::from_bytes(Path::new("v"), file.as_bytes(), None).unwrap();
        assert_eq!(read.get("the").unwrap()[0], 0.5);
    }
    for target in
        ["glove", "composes", "word2vec_text", "word2vec_binary", "word_vectors", "sentence_vectors"]
    {
        let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
        assert!(targets.join(format!("reader_{target}.rs")).is_file(), "no fuzz target reader_{target}");
    }
}

/// As above: undamaged files are read, and every reader of trees has its target.
#[test]
fn files_of_trees_are_read() {
    trees::conllu(CONLLU.as_bytes());
    assert_eq!(
        tercet::parse::conllu::Conllu::from_text(Path::new("x"), CONLLU).unwrap().sentences().len(),
        2
    );
    let parses = tercet::parse::bracketed::read_parses(Path::new("x"), BRACKETS).unwrap();
    assert_eq!(parses.iter().flatten().count(), 3);
    for target in ["conllu", "bracketed"] {
        let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
        assert!(targets.join(format!("reader_{target}.rs")).is_file(), "no fuzz target reader_{target}");
    }
}

#[test]
fn every_reader_of_judgements_reads_its_own() {
    let scratch = tempfile::NamedTempFile::new().unwrap();
    let told_by_content =
        judgements::VALID.iter().filter(|text| !text.starts_with(['o', '0']) && !text.contains("seg_id\ts"));
    for text in told_by_content.filter(|text| !text.contains("THIS.SID")) {
        std::fs::write(scratch.path(), text).unwrap();
        let sources = tercet::corpora::find_judgements(scratch.path()).unwrap();
        let read = sources[0].read().unwrap();
        assert!(!read.comparisons.is_empty() || !read.scores.is_empty(), "{text}");
    }
}
