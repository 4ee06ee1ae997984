use super::*;

use std::path::{Path, PathBuf};

const REFERENCE: &str =
    "The committee will not decide on the 14 new budgets before Tuesday, said Maria Novak in Prague.";

#[cfg(feature = "siamese")]
const EXPECTED: [(&str, f64); 8] = [
    ("The committee approved the new budget on Tuesday after 14 hours of debate in Prague.", 2.3104),
    ("On Tuesday the committee passed the new budget after 14 hours of debate in Prague.", 1.7336),
    ("The committee has approved new budget on Tuesday, after 14 hours of the debate in Prague.", 1.4555),
    ("The committee approved the new budget on Tuesday after 41 hours of debate in Prague.", 1.3056),
    ("The committee approved the new budget on Tuesday after 14 hours of debate in Vienna.", 1.2769),
    ("The committee did not approve the new budget on Tuesday after 14 hours of debate in Prague.", -0.8234),
    ("committee budget Prague hours the in Tuesday on new of after debate 14 approved The .", -1.6199),
    ("The committee approved", -1.8336),
];

fn raw_scores(metric: &dyn Metric, hypotheses: &[&str], reference: &str) -> Vec<f64> {
    let references = [reference];
    let segments: Vec<Segment<'_>> = hypotheses.iter().map(|line| Segment::new(line, &references)).collect();
    let tallies = metric.tally(&segments).unwrap();
    tallies.iter().map(|tally| metric.components(tally)[0].value).collect()
}

#[test]
#[cfg(feature = "siamese")]
fn scores_are_those_of_pytorch() {
    // training/siamese/score.py with the 32-bit weights from which the embedded ones were rounded.
    let metric = crate::registry().build("siamese").unwrap();
    let reference = "The committee approved the new budget on Tuesday after 14 hours of debate in Prague.";
    for (hypothesis, expected) in EXPECTED {
        let found = raw_scores(&*metric, &[hypothesis], reference)[0];
        assert!((found - expected).abs() < 0.05, "{hypothesis}: {found} is not {expected}");
    }
}

#[test]
#[cfg(feature = "siamese")]
fn damage_lowers_the_score_and_a_copy_has_the_highest() {
    let metric = crate::registry().build("siamese").unwrap();
    let copies = [
        REFERENCE,
        "The committee will not decide on the new budgets before Tuesday, said Maria Novak in Prague.",
        "The committee will decide on the 14 new budgets before Tuesday, said Maria Novak in Prague.",
        "The committee will not decide on the 41 new budgets before Tuesday, said Maria Novak in Prague.",
        "The committee will not decide on the 14 new budgets before Tuesday, said Peter Klein in Vienna.",
        "Prague new will the Tuesday not in Novak on decide said before committee 14 the budgets Maria",
        "He likes football.",
        "Výbor nerozhodne o 14 nových rozpočtech před úterým.",
        "😀😀😀",
        "",
    ];
    let scores = raw_scores(&*metric, &copies, REFERENCE);
    for (copy, score) in copies.iter().zip(&scores).skip(1) {
        assert!(score < &(scores[0] - 0.1), "{copy}: {score} of {scores:?}");
    }
    assert!(scores[5..].iter().all(|score| *score < scores[1]), "{scores:?}");
}

#[test]
#[cfg(feature = "siamese")]
fn a_score_does_not_depend_on_its_neighbours_or_on_threads() {
    let metric = crate::registry().build("siamese").unwrap();
    let lines: Vec<String> = (0..40).map(|n| format!("{} {}", "word ".repeat(n % 13), &REFERENCE[n..])).collect();
    let references = [REFERENCE];
    let segments: Vec<Segment<'_>> = lines.iter().map(|line| Segment::new(line, &references)).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let together = pool.install(|| metric.tally(&segments).unwrap());
    for (segment, tally) in segments.iter().zip(&together).step_by(7) {
        assert_eq!(metric.tally(std::slice::from_ref(segment)).unwrap()[0], *tally);
    }
}

#[test]
#[cfg(feature = "siamese")]
fn character_references_are_characters_and_two_empty_lines_are_equal() {
    let metric = crate::registry().build("siamese").unwrap();
    let plain = raw_scores(&*metric, &["\"Yes\" & no"], "\"Yes\" and no");
    assert_eq!(raw_scores(&*metric, &["&quot;Yes&quot; &amp; no"], "&quot;Yes&quot; and no"), plain);
    let metric = crate::registry().build("siamese:scale=percentile").unwrap();
    let empty = metric.segment_scores(&[Segment::new("", &[""]), Segment::new("", &["words"])]).unwrap();
    assert_eq!(empty, [100.0, 0.0]);
}

#[test]
#[cfg(feature = "siamese")]
fn of_several_references_the_best_one_counts() {
    let metric = crate::registry().build("siamese").unwrap();
    let score = |references: &[&str]| metric.segment_scores(&[Segment::new("A dog barks.", references)]).unwrap()[0];
    let single = [score(&["A dog is barking."]), score(&["The price of oil fell."])];
    assert_eq!(score(&["The price of oil fell.", "A dog is barking."]), single[0]);
    assert!(single[0] > 50.0 && single[1] < 20.0, "{single:?}");
    assert!(score(&[""]) < 1.0);
    assert_eq!(score(&[]), score(&[""]));
}

#[test]
#[cfg(feature = "siamese")]
fn the_better_of_two_is_preferred_by_the_difference_of_raw_scores() {
    let preference = crate::registry().preference("siamese", None).unwrap();
    let references = [REFERENCE];
    let prefer =
        |a, b| preference.prefer_all(&[TranslationPair { a, b, references: &references, source: None }]).unwrap()[0];
    let worse = "Committee decides nothing about budgets";
    assert_eq!(prefer(REFERENCE, REFERENCE), 0.5);
    assert!(prefer(REFERENCE, worse) > 0.9);
    assert!((prefer(REFERENCE, worse) + prefer(worse, REFERENCE) - 1.0).abs() < 1e-12);
}

#[test]
#[cfg(feature = "siamese")]
fn the_end_of_a_long_line_is_left_out_with_a_warning() {
    let metric = crate::registry().build("siamese").unwrap();
    let long = "word ".repeat(2_100);
    let references = [REFERENCE];
    let tallies = metric.tally(&[Segment::new(&long, &references), Segment::new("short", &references)]).unwrap();
    assert!(metric.is_unfinished(&tallies[0]) && !metric.is_unfinished(&tallies[1]));
    let expected = "Siamese: 1 segment is longer than the encoder's window of 2034 tokens; the end was left out";
    assert_eq!(metric.unfinished_warning(1).to_string(), expected);
}

#[test]
#[cfg(feature = "siamese")]
fn a_hypothesis_that_is_far_too_long_has_the_lowest_score() {
    let metric = crate::registry().build("siamese:scale=percentile").unwrap();
    let repeated = |times: usize| format!("{REFERENCE} ").repeat(times);
    let score = |times: usize| {
        let reference = repeated(times);
        metric.segment_scores(&[Segment::new(&repeated(40), &[&reference])]).unwrap()[0]
    };
    assert_eq!([1, 11, 19].map(score), [0.0; 3]);
    assert!(score(39) > 90.0, "{}", score(39));
}

#[test]
#[cfg(feature = "siamese")]
fn what_follows_the_window_counts() {
    let metric = crate::registry().build("siamese").unwrap();
    let sentence = |i: usize| {
        format!("In village {i} the council of {} farmers decided to repair bridge number {}. ", i + 3, 7 * i)
    };
    let text = |from: usize, to: usize| (from..to).map(sentence).collect::<String>();
    let other = "A cat sleeps on warm stones while rain falls over distant hills. ".repeat(6);
    let reference = text(0, 24);
    let lines = [reference.clone(), text(0, 18), text(0, 14), text(0, 24) + &other, text(0, 15) + &other];
    let segments: Vec<_> = lines.iter().map(|line| (line.as_str(), [reference.as_str()])).collect();
    let segments: Vec<_> = segments.iter().map(|(line, references)| Segment::new(line, references)).collect();
    let tallies = metric.tally(&segments).unwrap();
    let scores: Vec<f64> = tallies.iter().map(|tally| metric.segment_score(tally)).collect();
    assert!(tallies.iter().all(|tally| !metric.is_unfinished(tally)));
    assert!(scores[1..].iter().all(|score| *score < scores[0] - 1.0), "{scores:?}");
    assert!(scores[2] < scores[1] && scores[0] > 90.0, "{scores:?}");
    let alone = metric.segment_scores(&segments[3..4]).unwrap();
    assert_eq!(alone[0].to_bits(), scores[3].to_bits());
}

/// The numbers of a tensor of a small model.
fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|n| ((n * 37 % 19) as f32 - 9.0) / 50.0).collect()
}

fn add(export: &mut tercet_transformer::Exported, name: &str, shape: &[usize]) {
    let (name, values) = (name.to_owned(), numbers(shape.iter().product()));
    export.tensors.push(tercet_transformer::ExportedTensor { name, shape: shape.to_vec(), values });
}

/// A small model of several languages that can use the source, with strings, flags and pieces.
fn exported_multilingual(folder: &Path) -> PathBuf {
    let path = exported(folder);
    let mut export = tercet_transformer::read_export(&path).unwrap();
    export.tensors.retain(|tensor| tensor.name != "head.bias");
    add(&mut export, "head.strings.weight", &[6, 12]);
    add(&mut export, "head.source.sentence.weight", &[6, 64]);
    add(&mut export, "head.source.matching.weight", &[6, 9]);
    add(&mut export, "head.source.strings.weight", &[6, 14]);
    add(&mut export, "head.way.bias", &[3, 6]);
    // As many as the table of words has rows, with the four special ones.
    let words = ["▁the", "▁cat", "▁sat", "▁on", "▁mat", "▁", "a", "t", "o", "с", "и", "д", "е", "л", "к", "."];
    let pieces = words.map(|piece| (piece, -3.0));
    let bytes = pieces::tests::model(&pieces);
    export.tensors.push(tercet_transformer::ExportedTensor {
        name: tensors::PIECES.to_owned(),
        shape: vec![bytes.len()],
        values: bytes.iter().map(|byte| f32::from(*byte)).collect(),
    });
    export.metadata.remove("vocabulary");
    for (key, value) in [
        ("title", "Siamese-small-7"),
        ("languages", "ru de"),
        ("scripts", "Latin Cyrillic"),
        ("temperature.source", "0.7"),
        ("temperature.both", "0.4"),
        ("temperature.distance", "0.3"),
    ] {
        export.metadata.insert(key.to_owned(), value.to_owned());
    }
    for way in ["source", "both"] {
        let percentiles = export.metadata["percentiles"].clone();
        export.metadata.insert(format!("percentiles.{way}"), percentiles);
    }
    let path = folder.join("multilingual.safetensors");
    export.write(&path).unwrap();
    path
}

/// A small model with random weights, exported as the training does it.
fn exported(folder: &Path) -> PathBuf {
    let small = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tercet-transformer/tests/small");
    let path = folder.join("export.safetensors");
    let mut export = tercet_transformer::read_export(&small.join("bert/model.safetensors")).unwrap();
    let text = |name: &str| std::fs::read_to_string(small.join("bert").join(name)).unwrap();
    for (name, shape) in [
        ("projection.weight", vec![8, 16]),
        ("head.sentence.weight", vec![6, 64]),
        ("head.matching.weight", vec![6, 9]),
        ("head.bias", vec![6]),
        ("head.output.weight", vec![1, 6]),
        ("head.output.bias", vec![1]),
    ] {
        add(&mut export, name, &shape);
    }
    export.metadata = [
        ("config", text("config.json")),
        ("vocabulary", text("vocab.txt")),
        ("window", "16".to_owned()),
        ("temperature", "0.5".to_owned()),
        ("percentiles", format!("{:?}", (0..101).map(|n| n as f32 / 50.0 - 1.0).collect::<Vec<_>>())),
        ("about.trained_on", "made-up cs-en pairs".to_owned()),
    ]
    .map(|(key, value)| (key.to_owned(), value))
    .into();
    export.write(&path).unwrap();
    path
}

#[test]
fn an_export_becomes_a_model_in_either_precision() {
    let scratch = tempfile::tempdir().unwrap();
    let export = exported(scratch.path());
    let mut scores = Vec::new();
    for precision in [WeightFormat::Single, WeightFormat::Int8] {
        let path = scratch.path().join("model.safetensors");
        import(&export, precision).unwrap().write(&path).unwrap();
        let metric = crate::registry().build(&format!("siamese:model={}", path.display())).unwrap();
        assert_eq!(metric.learned_from(), Some("made-up cs-en pairs"));
        scores.push(raw_scores(&*metric, &["the cat sat", "a dog"], "the cat sat on the mat"));
    }
    assert_ne!(scores[0][0], scores[0][1]);
    assert!(scores[0].iter().zip(&scores[1]).all(|(one, other)| (one - other).abs() < 1e-2), "{scores:?}");
}

#[test]
fn exports_that_are_no_models_are_refused() {
    let scratch = tempfile::tempdir().unwrap();
    let path = exported(scratch.path());
    let whole = tercet_transformer::read_export(&path).unwrap();
    let refused = |change: &dyn Fn(&mut tercet_transformer::Exported)| {
        let mut export = whole.clone();
        change(&mut export);
        export.write(&path).unwrap();
        import(&path, WeightFormat::Single).unwrap_err().to_string()
    };
    let set = |key: &'static str, value: &'static str| {
        refused(&move |export| {
            export.metadata.insert(key.to_owned(), value.to_owned());
        })
    };
    for (found, expected) in [
        (refused(&|export| export.metadata.clear()), "no `config` in its metadata"),
        (refused(&|export| export.tensors.retain(|tensor| tensor.name != "head.bias")), "no tensor `head.bias`"),
        (
            refused(&|export| export.tensors.retain(|tensor| !tensor.name.contains("layer.1"))),
            "no tensor `encoder.layer.1",
        ),
        (
            refused(&|export| export.tensors.last_mut().unwrap().values[0] = f32::NAN),
            "is NaN, which no network can use",
        ),
        (set("window", "600"), "its window is 600 tokens, expected 3 to"),
        (set("temperature", "0"), "its temperature is 0, expected above 0"),
        (set("percentiles", "[1, 2]"), "its calibration is not 101 rising numbers"),
        (set("vocabulary", "[CLS]\n[SEP]\n[UNK]"), "they do not belong together"),
    ] {
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn many_translations_of_a_segment_are_not_held_at_once() {
    let (one, other) = (["a reference"], ["another"]);
    let few: Vec<Segment<'_>> = (0..11).map(|_| Segment::new("text", &one)).collect();
    assert_eq!(group_length(&few), 11);
    let mut many: Vec<Segment<'_>> = (0..1_000).map(|_| Segment::new("text", &one)).collect();
    many.push(Segment::new("text", &other));
    assert_eq!(group_length(&many), LINES);
    let (mut rest, mut lengths) = (&many[..], Vec::new());
    while !rest.is_empty() {
        lengths.push(group_length(rest));
        rest = &rest[group_length(rest)..];
    }
    assert_eq!(lengths.iter().sum::<usize>(), 1_001);
    assert!(lengths.iter().all(|length| *length < 2 * LINES), "{lengths:?}");
}

#[test]
fn candidates_are_encoded_once_when_they_are_scored_with_each_other() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("model.safetensors");
    import(&exported(scratch.path()), WeightFormat::Single).unwrap().write(&path).unwrap();
    let model = Arc::new(SiameseModel::open(&path).unwrap());
    let options = INFO.declared().read(&Spec::new("siamese")).unwrap();
    let metric = Siamese { options, model: Arc::clone(&model), language: None, cut: Arc::default() };
    let encoded = || model.encoded_lines.load(std::sync::atomic::Ordering::Relaxed);

    let lines: Vec<String> = (0..150).map(|i| format!("the cat sat {} on {i}", "a mat ".repeat(i % 4))).collect();
    let mut candidates: Vec<&str> = lines.iter().map(String::as_str).collect();
    candidates.extend(["the cat sat  on 0", "", "the cat"]);
    let list = crate::corpora::CandidateList { id: "1".to_owned(), candidates };
    let named = crate::metrics::NamedMetric::new("siamese", Arc::new(metric.clone()));
    let progress = tercet_base::progress::Progress::none();
    let found = tercet_score::minimum_bayes_risk(std::slice::from_ref(&list), &named, progress).unwrap();
    assert_eq!(encoded(), 152, "one of the 153 candidates is a copy");

    for candidate in &found.lists[0].candidates[..3] {
        let others = list.candidates.iter().enumerate().filter(|(i, _)| *i != candidate.index);
        let references: Vec<[&str; 1]> = others.map(|(_, other)| [*other]).collect();
        let segments: Vec<Segment<'_>> =
            references.iter().map(|references| Segment::new(candidate.text, references)).collect();
        let scores = metric.segment_scores(&segments).unwrap();
        let expected = scores.iter().sum::<f64>() / scores.len() as f64;
        assert!((candidate.score.unwrap() - expected).abs() < 1e-9, "{candidate:?} {expected}");
    }
}

#[test]
fn strengths_are_log_odds_of_the_preference() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("model.safetensors");
    import(&exported(scratch.path()), WeightFormat::Single).unwrap().write(&path).unwrap();
    let spec = format!("siamese:model={}", path.display());
    let (metric, preference) =
        (crate::registry().build(&spec).unwrap(), crate::registry().preference(&spec, None).unwrap());
    let (references, lines) = (["the cat sat on the mat"], ["the cat sat", "a dog"]);
    let tallies = metric.tally(&lines.map(|line| Segment::new(line, &references))).unwrap();
    let [a, b] = [0, 1].map(|i: usize| metric.strength(&tallies[i]).unwrap());
    let expected = preference.prefer(&references, lines[0], lines[1]).unwrap();
    assert!((crate::metrics::logistic(a - b) - expected).abs() < 1e-12);
}

// The model for many languages takes the others.
#[cfg(not(feature = "siamese-multilingual"))]
#[test]
fn the_embedded_model_is_told_of_other_languages_than_english() {
    let german = crate::text::Language::target("de").unwrap();
    let problem = |spec: &Spec| INFO.language_warning(spec, &german, false, false).map(|warning| warning.to_string());
    let expected = "siamese: the text is German, and siamese is for English: it has learned no other language";
    assert_eq!(problem(&Spec::new("siamese")).as_deref(), Some(expected));
    assert_eq!(problem(&Spec::new("siamese").with_option("model", "own.safetensors")), None);
}

/// The multilingual model, stored in this format, as a metric with these options.
fn multilingual(folder: &Path, format: WeightFormat, options: &str) -> Arc<dyn Metric> {
    let path = folder.join(format!("{format:?}.safetensors"));
    import(&exported_multilingual(folder), format).unwrap().write(&path).unwrap();
    crate::registry().build(&format!("siamese:model={}{options}", path.display())).unwrap()
}

#[test]
fn the_small_model_is_that_of_the_tests_of_compatibility() {
    let scratch = tempfile::tempdir().unwrap();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../tercet/tests/compatibility/siamese-multilingual.safetensors");
    let bytes = import(&exported_multilingual(scratch.path()), WeightFormat::Int8).unwrap().to_bytes().unwrap();
    if std::env::var_os("TERCET_UPDATE_MODELS").is_some() {
        std::fs::write(&path, &bytes).unwrap();
    }
    assert!(std::fs::read(&path).unwrap() == bytes, "its format has changed: keep the old file, and add a new one");
}

#[test]
fn one_model_scores_by_references_by_the_source_and_by_both() {
    let scratch = tempfile::tempdir().unwrap();
    let metric = multilingual(scratch.path(), WeightFormat::Single, "");
    assert_eq!(metric.title(), "Siamese-small-7");
    let references = ["the cat sat on the mat"];
    let by_reference = Segment::new("the cat sat", &references);
    let by_both = by_reference.with_source("кот сидел");
    let by_source = Segment::new("the cat sat", &[]).with_source("кот сидел");
    let raw = |segment: Segment<'_>| metric.components(&metric.tally(&[segment]).unwrap()[0])[0].value;
    let scores = [by_reference, by_both, by_source].map(raw);
    assert!(scores[0] != scores[1] && scores[1] != scores[2] && scores[0] != scores[2], "{scores:?}");
    let used = |segment: Segment<'_>| metric.used_source(&metric.tally(&[segment]).unwrap()[0]);
    assert_eq!([by_reference, by_both, by_source].map(used), [false, true, true]);
    for (way, expected) in [("reference", scores[0]), ("both", scores[1]), ("source", scores[2])] {
        let metric = multilingual(scratch.path(), WeightFormat::Single, &format!(",way={way}"));
        assert_eq!(metric.components(&metric.tally(&[by_both]).unwrap()[0])[0].value, expected, "{way}");
    }
    let by_source_alone = multilingual(scratch.path(), WeightFormat::Single, ",way=source");
    let error = by_source_alone.tally(&[by_reference]).unwrap_err().to_string();
    assert_eq!(error, "siamese:way=source needs the source of each segment");
    assert!(by_source_alone.cross_scores(&["the cat", "a mat"]).is_err());
    // In any order and company.
    let together = metric.tally(&[by_source, by_reference, by_both]).unwrap();
    let together: Vec<f64> = together.iter().map(|tally| metric.components(tally)[0].value).collect();
    assert_eq!(together, [scores[2], scores[0], scores[1]]);
}

#[test]
fn without_reference_empty_lines_have_the_ends_of_the_scale() {
    let scratch = tempfile::tempdir().unwrap();
    let metric = multilingual(scratch.path(), WeightFormat::Single, ",scale=percentile");
    let score =
        |hypothesis, source| metric.segment_scores(&[Segment::new(hypothesis, &[]).with_source(source)]).unwrap();
    assert_eq!([score("", "кот"), score("cat", ""), score("", "")].concat(), [0.0, 0.0, 100.0]);
}

#[test]
fn the_table_of_words_can_have_4_bits_in_pieces_too() {
    use tercet_transformer::names::TOKENS;
    let (rows, width) = (300_000, 64);
    let values = numbers(rows * width);
    let mut file = ModelFile::new(model::KIND);
    tensors::add_tensor(&mut file, TOKENS, &[rows, width], &values, WeightFormat::Nibbles);
    assert!(file.names().count() > 1 && file.names().all(|name| name.starts_with(TOKENS)));
    let stored = tensors::Stored(&file);
    assert_eq!(stored.names(), [TOKENS]);
    let (shape, found) = stored.whole(TOKENS).unwrap();
    assert_eq!(shape, [rows, width]);
    assert!(values.iter().zip(&found).all(|(one, other)| (one - other).abs() < 0.015));
    // Rounded numbers stay as they are.
    let mut again = ModelFile::new(model::KIND);
    tensors::add_tensor(&mut again, TOKENS, &[rows, width], &found, WeightFormat::Nibbles);
    assert_eq!(tensors::Stored(&again).whole(TOKENS).unwrap().1, found);
    // Other tensors have 8 bits.
    tensors::add_tensor(&mut file, "projection.weight", &[64, 64], &values[..64 * 64], WeightFormat::Nibbles);
    assert!(file.quantised("projection.weight").is_ok());
}

#[test]
fn the_language_flags_outputs_warns_and_refuses_unknown_scripts() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("Single.safetensors");
    let [open, russian] = ["", ",lang=ru"].map(|options| multilingual(scratch.path(), WeightFormat::Single, options));
    let latin = Segment::new("the cat sat on the mat on the mat", &[]).with_source("the cat sat");
    let cyrillic = Segment::new("кот сидел на коврике", &[]).with_source("the cat sat");
    let raw = |metric: &dyn Metric, segment| metric.components(&metric.tally(&[segment]).unwrap()[0])[0].value;
    assert_ne!(raw(&*open, latin), raw(&*russian, latin));
    assert_eq!(raw(&*open, cyrillic), raw(&*russian, cyrillic));
    assert_eq!(russian.warnings(), []);
    let czech = multilingual(scratch.path(), WeightFormat::Single, ",lang=cs");
    let warning = czech.warnings()[0].to_string();
    let expected = "siamese: nobody has tested it for Czech: compare systems with chrf too (tested: Russian, German)";
    assert_eq!(warning, expected);
    let thai = crate::registry().build(&format!("siamese:model={},lang=th", path.display()));
    let error = thai.err().unwrap().to_string();
    assert_eq!(error, "Siamese-small-7: its encoder has never seen the script of Thai (use chrf)");
    // References show the language.
    let lines = ["Он сказал, что это было так, но они не хотели его слушать и ушли из города."; 9];
    let references: Vec<[&str; 1]> = lines.iter().map(|line| [*line]).collect();
    let references: Vec<&[&str]> = references.iter().map(|one| &one[..]).collect();
    let found = open.prepare(&references).unwrap().unwrap();
    assert_eq!(found.signature().option("lang"), Some("ru"));
    assert!(russian.prepare(&references).unwrap().is_none());
}

#[test]
fn a_model_for_references_does_not_score_by_sources() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("model.safetensors");
    import(&exported(scratch.path()), WeightFormat::Single).unwrap().write(&path).unwrap();
    let build = |options: &str| crate::registry().build(&format!("siamese:model={}{options}", path.display()));
    let error = build(",way=source").err().unwrap();
    assert!(matches!(error, Error::NeedsReferences { is_model: true, .. }), "{error}");
    let metric = build("").unwrap();
    let references = ["the cat sat on the mat"];
    let segment = Segment::new("the cat sat", &references);
    let tallies = metric.tally(&[segment, segment.with_source("кот")]).unwrap();
    assert_eq!(tallies[0], tallies[1]);
}

#[test]
fn the_temperature_of_a_pair_depends_on_its_strings_where_the_model_says_so() {
    let scratch = tempfile::tempdir().unwrap();
    drop(multilingual(scratch.path(), WeightFormat::Single, ""));
    let spec = format!("siamese:model={}", scratch.path().join("Single.safetensors").display());
    let preference = crate::registry().preference(&spec, None).unwrap();
    let (references, lines) = (["the cat sat on the mat"], ["the cat sat", "a dog"]);
    let tallies = preference.metric().tally(&lines.map(|line| Segment::new(line, &references))).unwrap();
    assert_eq!(preference.prefer_tallies(&tallies[0], &tallies[1]), None);
    let found = preference.prefer(&references, lines[0], lines[1]).unwrap();
    let raw: Vec<f64> = tallies.iter().map(|tally| preference.metric().components(tally)[0].value).collect();
    assert!((found + preference.prefer(&references, lines[1], lines[0]).unwrap() - 1.0).abs() < 1e-12);
    assert_ne!(found, crate::metrics::logistic((raw[0] - raw[1]) / 0.5));
}

#[test]
fn parts_of_a_model_of_many_languages_are_checked() {
    let scratch = tempfile::tempdir().unwrap();
    let path = exported_multilingual(scratch.path());
    let whole = tercet_transformer::read_export(&path).unwrap();
    let refused = |change: &dyn Fn(&mut tercet_transformer::Exported)| {
        let mut export = whole.clone();
        change(&mut export);
        export.write(&path).unwrap();
        import(&path, WeightFormat::Int8).unwrap_err().to_string()
    };
    let without = |name: &'static str| refused(&move |export| export.tensors.retain(|tensor| tensor.name != name));
    let shortened = |name: &'static str| {
        refused(&move |export| {
            let tensor = export.tensors.iter_mut().find(|tensor| tensor.name == name).unwrap();
            let last = tensor.shape.len() - 1;
            let rows: usize = tensor.shape[..last].iter().product();
            tensor.shape[last] -= 1;
            tensor.values.truncate(rows * tensor.shape[last]);
        })
    };
    let set = |key: &'static str, value: &'static str| {
        refused(&move |export| {
            export.metadata.insert(key.to_owned(), value.to_owned());
        })
    };
    for (found, expected) in [
        (without("head.way.bias"), "no tensor `head.way.bias`"),
        (without("head.source.matching.weight"), "no tensor `head.source.matching.weight`"),
        (without(tensors::PIECES), "it has no entry `vocabulary`"),
        (shortened(tensors::PIECES), "its pieces of words cannot be used"),
        (shortened("head.strings.weight"), "has 66 numbers, expected 12 or 14 for each of 6"),
        (shortened("head.way.bias"), "has 15 numbers, expected 18"),
        (refused(&|export| drop(export.metadata.remove("percentiles.both"))), "no tensor `percentiles.both`"),
        (set("languages", "de q"), "its entry `languages` is wrong"),
        (set("scripts", "Latin Elvish"), "its entry `scripts` names no script: `Elvish`"),
        (set("temperature.length", "99"), "expected from −10 to 10"),
        (set("temperature.source", "-1"), "its temperature is -1, expected above 0"),
    ] {
        assert!(found.contains(expected), "{found} is not {expected}");
    }
}
