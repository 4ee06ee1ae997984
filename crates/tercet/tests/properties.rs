//! What holds for every input, on generated text. The promises are in `invariants/`, shared with the fuzz targets.
//! `PROPTEST_CASES=100000` looks longer.

mod generated;
mod invariants;
#[cfg(feature = "learned")]
mod pairwise_models;
#[cfg(feature = "learned")]
mod reval_models;

use generated::*;
use invariants::metrics;
use invariants::{correlation, judgements, mqm, preferences, readers, tokenizers, trees, vectors};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::path::Path;
use std::sync::LazyLock;
use tercet::metrics::{MetricInfo, Tally};
use tercet::text::Tokenizer;
use tercet::vectors::Format;

/// Metrics that need a model, with one.
static LEARNED: LazyLock<Vec<String>> = LazyLock::new(|| {
    #[cfg(feature = "learned")]
    return [pairwise_models::MODELS.clone(), reval_models::MODELS.clone()].concat();
    #[cfg(not(feature = "learned"))]
    Vec::new()
});

/// Metrics that are quick enough for hundreds of cases. The transformer of `siamese` and the network of `reval` have
/// tests of their own below, with fewer cases; small models of `reval` are among [`LEARNED`].
fn quick_metrics() -> impl Iterator<Item = &'static MetricInfo> {
    let all = tercet::registry().metrics().to_vec();
    all.into_iter().filter(|info| info.needs.is_none() && !["siamese", "reval"].contains(&info.name))
}

fn each_metric(choices: &[u8], mut promise: impl FnMut(&str)) {
    for info in quick_metrics() {
        promise(info.name);
        promise(&metrics::draw_spec(info, chooser(choices)));
    }
    LEARNED.iter().for_each(|spec| promise(spec));
}

#[test]
fn no_segments_at_all_score_nothing() {
    each_metric(&[0], |spec| {
        assert_eq!(tercet::registry().build(spec).unwrap().score(&Tally::default()), 0.0, "{spec}");
    });
}

/// Found by fuzzing: text that starts with the letters of bzip2 was taken for a packed file.
#[test]
fn letters_of_packed_files_may_start_a_text() {
    let found = [&b"BZhZ.PLTR\0\x001"[..], &[0; 23]].concat();
    for bytes in [&found[..], b"BZh \xc3\xa9\n", b"BZh91AY&SY\0", b"PK\x03\x04\x14\0"] {
        readers::plain_text(bytes);
        judgements::aligned([Some(bytes), None, Some(bytes), Some(bytes), None, None], false);
    }
    assert!(readers::plain_text(b"BZh \xc3\xa9\n").is_some());
}

/// Found by fuzzing: the encoding of a column was guessed again, from fewer bytes than that of the file.
#[test]
fn columns_have_the_encoding_of_their_file() {
    for bytes in [&b"\0@\x08a\0ba"[..], b"\x08\0\0\0\0\0\0"] {
        readers::table(bytes, true);
        readers::table(bytes, false);
    }
}

/// Models of SentencePiece that were trained on a few sentences.
const UNIGRAM: &[u8] = include_bytes!("../../tercet-text/tests/sentencepiece_models/unigram.model");
const BPE: &[u8] = include_bytes!("../../tercet-text/tests/sentencepiece_models/bpe.model");

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokenizers_keep_their_promises(line in line()) {
        for (name, ..) in Tokenizer::ALL {
            tokenizers::tokenizer(name, &line);
        }
    }

    #[test]
    fn damaged_dictionaries_and_models_are_refused_or_used(
        changes in proptest::collection::vec(any::<u8>(), 0..20),
        line in line(),
        (at, byte) in (any::<usize>(), any::<u8>()),
    ) {
        tokenizers::mecab(&changes, &line);
        for model in [UNIGRAM, BPE] {
            let mut model = model.to_vec();
            let at = at % model.len();
            model[at] = byte;
            tokenizers::sentencepiece(&model, &line);
            tokenizers::sentencepiece(&model[..at], &line);
        }
    }

    #[test]
    fn readers_keep_their_promises(bytes in file(), header in any::<bool>(), count in 1..4usize, roles in line()) {
        readers::table(&bytes, header);
        readers::references(&bytes, count);
        readers::roles(&roles);
    }

    #[test]
    fn inference_pairs_are_read_or_refused(json in near(NLI_JSON), table in near(NLI_TABLE), any in file()) {
        readers::inference_pairs(&json);
        readers::inference_pairs(&table);
        readers::inference_pairs(&any);
    }

    #[test]
    fn challenge_sets_are_read_or_refused(rows in near(CHALLENGE_JSONL), table in near(CHALLENGE_TSV), any in file()) {
        readers::challenge_sets(&rows);
        readers::challenge_sets(&table);
        readers::challenge_sets(&any);
    }

    #[test]
    fn rows_are_read_or_refused(
        jsonl in near(ROWS_JSONL),
        json in near(ROWS_JSON),
        csv in near(ROWS_CSV),
        any in file(),
    ) {
        readers::rows(&jsonl);
        readers::rows(&json);
        readers::rows(&csv);
        readers::rows(&any);
    }

    #[test]
    fn candidate_lists_are_read_or_refused(list in near(NBEST), any in file(), count in 0..4usize) {
        readers::candidate_lists(&list, count);
        readers::candidate_lists(&any, count);
    }

    #[test]
    fn compressed_files_are_read_or_refused(
        start in select(vec![&b"\x1f\x8b\x08"[..], b"\x28\xb5\x2f\xfd", b"x"]),
        any in file(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        readers::compressed(folder.path(), &[start, &any].concat());
    }

    #[test]
    fn languages_are_read_or_refused(text in "[a-zA-Z_-]{0,12}", any in line()) {
        readers::language(&text);
        readers::language(&any);
    }

    #[cfg(feature = "learned")]
    #[test]
    fn recipes_are_read_or_refused(
        kind in select(vec!["pairwise", "reval", "ruse", "blend", "infersent", "dependency", "constituency"]),
        at in 0..4000usize,
        any in file(),
        byte: u8,
    ) {
        use invariants::recipes;
        let folder = tempfile::tempdir().unwrap();
        let mut keys = tercet::train::Kind::named(kind).unwrap().keys.as_bytes().to_vec();
        recipes::recipe(folder.path(), &keys);
        let at = at % keys.len();
        keys[at] = byte;
        recipes::recipe(folder.path(), &keys);
        keys.splice(at..at, any.iter().copied());
        recipes::recipe(folder.path(), &keys);
        recipes::recipe(folder.path(), &any);
        recipes::model_file(&any);
    }

    #[test]
    fn sgml_is_read_or_refused(nist in near(SGML), wmt in near(WMT_XML), any in file(), texts in vec(line(), 1..5)) {
        readers::sgml(&nist);
        readers::sgml(&wmt);
        readers::sgml(&any);
        readers::sgml_round_trip(&texts);
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
    fn tar_archives_are_read_or_refused(
        at in 0..1536usize,
        byte in any::<u8>(),
        length in 0..1537usize,
        any in file(),
    ) {
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
    fn bracketed_trees_come_back_or_are_refused(
        file in prop_oneof![near(BRACKETS), brackets()],
        other in damaged(BRACKETS),
    ) {
        trees::bracketed(&file);
        trees::compared(&file, &other);
    }

    #[test]
    fn any_heads_are_a_tree_or_none(heads in vec(0..9usize, 0..9)) {
        trees::heads(&heads);
    }

    #[cfg(feature = "learned")]
    #[test]
    fn any_words_are_parsed(
        sentences in vec(vec(prop_oneof![".{0,16}", "[a-z]{1,9}", "[A-Z0-9.,'-]{1,5}"], 0..40), 0..6),
    ) {
        trees::parsed(&sentences);
    }

    #[cfg(feature = "learned")]
    #[test]
    fn changed_encoders_and_siamese_models_are_read_or_refused(edits in vec(any::<u8>(), 1..20)) {
        use invariants::encoders;
        let scratch = tempfile::tempdir().unwrap();
        encoders::encoder_folder(scratch.path(), &edits);
        encoders::siamese_file(scratch.path(), &edits);
    }

    #[cfg(feature = "learned")]
    #[test]
    fn models_of_parsers_are_read_or_refused(
        which in 0..200usize,
        how in 0..400usize,
        text in prop_oneof![".{0,12}", "[0-9]{1,9}", "-[0-9]", "(tag|phrase|rest) \
            [A-Z]{0,3}", "[0-9]( [0-9]){0,4}", "NaN|inf|1e30"],
        at in any::<usize>(),
        byte in any::<u8>(),
        any in file(),
    ) {
        use invariants::parser_models;
        parser_models::changed(which, how, &text);
        parser_models::any_bytes(&any);
        for mut model in parser_models::models() {
            let at = at % model.len();
            model[at] = byte;
            parser_models::any_bytes(&model);
            parser_models::any_bytes(&model[..at]);
        }
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
    fn exchanging_two_translations_turns_a_preference_round(
        examples in examples(),
        choices in choices(),
        size in 1..4usize,
    ) {
        each_metric(&choices, |spec| preferences::is_antisymmetric(spec, &examples, size));
    }

    #[test]
    fn strengths_are_log_odds_of_preferences(examples in examples(), choices in choices()) {
        each_metric(&choices, |spec| preferences::strengths_are_log_odds(spec, &examples));
    }

    #[test]
    fn cross_scores_are_those_of_single_segments(examples in examples(), choices in choices()) {
        each_metric(&choices, |spec| metrics::cross_scores_are_segment_scores(spec, &examples));
    }

    #[test]
    fn a_signature_builds_the_preference_that_printed_it(line in line(), choices in choices(), slope in 1e-6..1e3f64) {
        each_metric(&choices, |spec| {
            preferences::signature_builds_the_preference_again(&format!("{spec}|slope={slope}"))
        });
        preferences::signature_builds_the_preference_again(&format!("chrf|slope={line}"));
    }

    #[test]
    fn nothing_beats_the_reference_itself(text in line(), other in line()) {
        for info in quick_metrics() {
            metrics::identity_is_best(info, &text, &other);
        }
    }

    #[test]
    fn coefficients_keep_their_promises((x, y) in rows(), epsilon in select(&[0.0, 0.125, 3.0][..])) {
        correlation::are_symmetric_and_change_sign_with_a_row(&x, &y);
        correlation::ranks_ignore_the_scale(&x, &y);
        correlation::pairs_are_counted_once(&x, &y, epsilon);
    }

    #[test]
    fn one_group_has_the_coefficient_of_what_was_judged((gold, metric) in rows(), judged in vec(any::<bool>(), 130)) {
        let pairs = gold.into_iter().zip(judged);
        let gold: Vec<Option<f64>> = pairs.map(|(gold, judged)| judged.then_some(gold)).collect();
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

#[cfg(feature = "siamese")]
proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 5, ..ProptestConfig::default() })]

    #[test]
    fn siamese_keeps_the_promises_of_all_metrics(examples in examples(), size in 1..4usize, cut in 0..5usize) {
        all_promises("siamese", &examples, size, cut);
    }
}

#[cfg(feature = "learned")]
proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 20, ..ProptestConfig::default() })]

    #[test]
    fn reval_keeps_the_promises_of_all_metrics(examples in examples(), size in 1..4usize, cut in 0..5usize) {
        all_promises("reval", &examples, size, cut);
    }
}

#[cfg(feature = "learned")]
fn all_promises(spec: &str, examples: &[metrics::Example], size: usize, cut: usize) {
    metrics::scores_are_numbers(spec, examples);
    metrics::batches_do_not_matter(spec, examples, size);
    metrics::tallies_add_up(spec, examples, cut);
    metrics::signature_builds_the_metric_again(spec, examples);
    preferences::is_antisymmetric(spec, examples, size);
    preferences::strengths_are_log_odds(spec, examples);
    metrics::cross_scores_are_segment_scores(spec, examples);
}

/// The properties skip what [`build`] refuses; this keeps them from skipping everything.
#[test]
fn every_metric_builds_with_its_defaults_or_says_what_it_needs() {
    for info in tercet::registry().metrics() {
        match (tercet::registry().build(info.name), info.needs) {
            (Ok(_), None) => {}
            (Ok(_), Some(needs)) => panic!("{} builds without {needs}", info.name),
            (Err(error), None) => panic!("{}: {error}", info.name),
            (Err(error), Some(needs)) => {
                assert!(error.to_string().contains(&format!("{needs}=FILE")), "{error}")
            }
        }
    }
    for spec in LEARNED.iter() {
        tercet::registry().build(spec).unwrap();
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
        assert_eq!(Format::detect(file.as_bytes()), format);
        let read = tercet::vectors::WordVectors::from_bytes(Path::new("v"), file.as_bytes(), None).unwrap();
        assert_eq!(read.get("the").unwrap()[0], 0.5);
    }
    for target in ["glove", "composes", "word2vec_text", "word2vec_binary", "word_vectors", "sentence_vectors"] {
        let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
        assert!(targets.join(format!("reader_{target}.rs")).is_file(), "no fuzz target reader_{target}");
    }
}

/// As above: undamaged files are read, and every reader of trees has its target.
#[test]
fn files_of_trees_are_read() {
    trees::conllu(CONLLU.as_bytes());
    assert_eq!(tercet::parse::conllu::Conllu::from_text(Path::new("x"), CONLLU).unwrap().sentences().len(), 2);
    let parses = tercet::parse::bracketed::read_parses(Path::new("x"), BRACKETS).unwrap();
    assert_eq!(parses.iter().flatten().count(), 3);
    #[cfg(feature = "learned")]
    invariants::parser_models::models().iter().for_each(|model| invariants::parser_models::any_bytes(model));
    for target in ["conllu", "bracketed", "parser"] {
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
