//! Models written by version 0.1.0 load and give the same results as in that version: see `README.md`.

use std::path::{Path, PathBuf};
use tercet::encode;
use tercet::metrics::{self, Segment};
use tercet::parse::constituency::ConstituencyParser;
use tercet::parse::dependency::DependencyParser;

const REFERENCES: [&str; 4] = ["the cat sat on a mat", "the cat slept well", "", "And a mat, today!"];
const A: [&str; 4] = ["the cat sat on a mat", "the cat slept", "well", "Today a mat & a dog"];
const B: [&str; 4] = ["the cat", "a mat", "", "mat and today"];

const SENTENCES: [&[&str]; 3] = [
    &["the", "dog", "saw", "a", "house", "."],
    &["A", "cat", "liked", "the", "ideas", "."],
    &["The", "Zebra", "is", "a", "cat", ",", "the", "dog"],
];

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compatibility").join(name)
}

/// Exact on machines with fused multiply-add, as the one that recorded the results.
fn assert_same(found: f64, recorded: f64) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("fma") {
        assert_eq!(found, recorded);
    }
    assert!((found - recorded).abs() < 1e-5, "{found}, recorded: {recorded}");
}

/// Segment scores of both systems, their corpus scores, and the hash in the signature.
fn check_scores(text: &str, segments: [[f64; 4]; 2], corpus: [f64; 2], sha256: &str) {
    let metric = tercet::registry().build(text).unwrap();
    assert_eq!(metric.signature().qualifier("sha256"), Some(sha256));
    for ((system, segments), corpus) in [A, B].into_iter().zip(segments).zip(corpus) {
        let references = REFERENCES.each_ref().map(std::slice::from_ref);
        let batch: Vec<Segment<'_>> =
            system.iter().zip(references).map(|(line, references)| Segment::new(line, references)).collect();
        let tallies = metric.tally(&batch).unwrap();
        for (tally, recorded) in tallies.iter().zip(segments) {
            assert_same(metric.segment_score(tally), recorded);
        }
        assert_same(metric.score(&metrics::Tally::sum(&tallies)), corpus);
    }
}

/// The probability of each segment that the first system is better.
fn check_preferences(text: &str, recorded: [f64; 4]) {
    let better = tercet::registry().preference(text, None).unwrap();
    for (number, recorded) in recorded.into_iter().enumerate() {
        assert_same(better.prefer(&[REFERENCES[number]], A[number], B[number]).unwrap(), recorded);
    }
}

#[test]
fn a_pairwise_model_over_precomputed_vectors() {
    let [model, vectors] =
        ["pairwise-ready.safetensors", "vectors.txt"].map(|name| fixture(name).display().to_string());
    check_scores(
        &format!("pairwise:model={model},vectors={vectors}"),
        [
            [0.1699154439381172, 0.3542923723259925, -0.2160586203198101, -0.346671843459548],
            [-0.10682439645141739, -0.20758463831427498, -0.03202237955718601, -0.17672516827576235],
        ],
        [-0.009630661878812105, -0.13078914564966018],
        "42eb3a47",
    );
}

#[test]
fn a_pairwise_model_with_a_trained_encoder() {
    let text = format!("pairwise:model={}", fixture("pairwise-encoded.safetensors").display());
    check_scores(
        &text,
        [
            [0.3382152811021953, 0.03674121107677697, -0.44234191761067365, -0.19594764897583228],
            [-0.25342220234099144, -0.3888173372443534, -0.4578335644522903, -0.18138906147518874],
        ],
        [-0.06583326860188342, -0.32036554137820594],
        "99cc25c8",
    );
    check_preferences(&text, [0.7733399239226688, 0.7104258388505372, 0.5099264079597845, 0.49241403031598097]);
}

/// A mix of two Tree-LSTMs with word vectors of 8-bit integers.
#[test]
fn a_reval_model() {
    let [model, parser] =
        ["reval.safetensors", "dependency.safetensors"].map(|name| fixture(name).display().to_string());
    let text = format!("reval:model={model},parser={parser}");
    check_scores(
        &text,
        [
            [0.6135934789601476, 0.5695170368363989, 0.5015748373834947, 0.6106833530316611],
            [0.4937086519759465, 0.45373707193037616, 0.5366301222763543, 0.5346214473875555],
        ],
        [0.5738421765529256, 0.5046743233925581],
        "4ebe639d",
    );
    check_preferences(&text, [0.8152574984981779, 0.8074787631145598, 0.39314969430861846, 0.7194790833646431]);
}

/// A support vector regression over sentence vectors.
#[test]
fn a_ruse_model() {
    let text = format!("ruse:model={}", fixture("ruse.safetensors").display());
    check_scores(
        &text,
        [
            [0.23115874083819787, 0.7411669304902364, 1.0185583232452926, 1.018619713522106],
            [1.3073873826387725, 1.0021138216177794, 1.0582898256660838, 1.0185591593377679],
        ],
        [0.7523759270239583, 1.0965875473151008],
        "0f532878",
    );
    check_preferences(&text, [0.17088621150651417, 0.4054184588947406, 0.4854276887701141, 0.5000222157315249]);
}

/// A small network over sentence vectors and a metric.
#[test]
fn a_ruse_model_with_a_network() {
    let text = format!("ruse:model={}", fixture("ruse-mlp.safetensors").display());
    check_scores(
        &text,
        [
            [0.3686360716819763, -1.3075406551361084, 1.2897738218307495, -1.6849563121795654],
            [0.2612711787223816, -1.8309342861175537, 0.7184271216392517, -1.1256543397903442],
        ],
        [-0.333521768450737, -0.49422258138656616],
        "1a74d002",
    );
    check_preferences(&text, [0.5217085637010884, 0.604338401450444, 0.6135792776422713, 0.38873442542895753]);
}

/// A support vector regression over metrics and components.
#[test]
fn a_blend_model() {
    let text = format!("blend:model={}", fixture("blend.safetensors").display());
    check_scores(
        &text,
        [
            [1.003115792168434, 0.25819617623335106, 0.2581961755515899, 0.25819606280474805],
            [0.25819617479076107, 0.2581961755515899, 0.2581961755515899, 0.257771537541604],
        ],
        [0.44442605168953075, 0.25809001585888625],
        "2ce61602",
    );
    check_preferences(&text, [0.8790594798560238, 0.5000000004538442, 0.5, 0.5002826038374689]);
}

/// A ridge regression over metrics and sentence vectors.
#[test]
fn a_blend_model_with_ridge_regression() {
    let text = format!("blend:model={}", fixture("blend-ridge.safetensors").display());
    check_scores(
        &text,
        [
            [1.293109856811186, -1.5879046517965316, 1.0742970454305636, -9.645471803865078],
            [0.282711834082863, -4.407523131379599, 1.9733235765600188, -10.32936515744172],
        ],
        [-2.216492388354965, -3.1202132195446093],
        "e98f1776",
    );
    check_preferences(&text, [0.8375807286201783, 0.989824311508563, 0.18853924138579747, 0.7521795663926573]);
}

#[test]
fn a_siamese_model() {
    let text = format!("siamese:model={}", fixture("siamese.safetensors").display());
    check_scores(
        &text,
        [
            [89.73549156320723, 89.04343502674865, 20.58823560348431, 90.95168447741295],
            [86.56955124809349, 82.1138278645129, 79.4117643965157, 88.88448838047987],
        ],
        [72.57971166771328, 84.24490797240048],
        "00a483ea",
    );
    let better = tercet::registry().preference(&text, None).unwrap();
    let recorded = [0.7040648244295418, 0.8695627022395872, 1.0142547968161608e-7, 0.6408775589064641];
    for (number, recorded) in recorded.into_iter().enumerate() {
        assert_same(better.prefer(&[REFERENCES[number]], A[number], B[number]).unwrap(), recorded);
    }
}

/// The vectors are those of PyTorch's LSTM with the tensors of the file.
#[test]
fn an_infersent_encoder() {
    let [model, vectors] = ["infersent.safetensors", "vectors.txt"].map(|name| fixture(name).display().to_string());
    let encoder =
        encode::build(&format!("infersent:model={model},vectors={vectors}"), tercet::registry().context()).unwrap();
    let signature = encoder.signature().to_string();
    assert_eq!(signature, "infersent:model=5f7b3ed1,vectors=cdbbf982,dim=6,tok=moses+noescape,case=lower");
    let encoded = encoder.encode(&[REFERENCES[0], REFERENCES[2], REFERENCES[3]]).unwrap();
    let first = [0.1796389f32, 0.371025, 0.08880415, -0.3253813, 0.2744641, 0.7181648];
    let last = [0.03462571f32, 0.5694094, -0.4161687, -0.6374266, 0.4502595, 0.5696818];
    for (found, expected) in encoded.iter().zip([first, [0.0; 6], last]) {
        let is_near = |(found, expected): (&f32, &f32)| (found - expected).abs() < 1e-6;
        assert!(found.iter().zip(&expected).all(is_near), "{found:?}, PyTorch {expected:?}");
    }
}

#[test]
fn a_dependency_parser() {
    let parser = DependencyParser::read(&fixture("dependency.safetensors")).unwrap();
    assert_eq!(parser.record().hash, "085ecae8");
    let note = |key: &str| parser.record().note(key).unwrap();
    assert_eq!((note("trained_on"), note("development_las")), ("train.conllu (60)", "100.00"));
    let parses = parser.parse(&SENTENCES);
    let upos = ["DET", "NOUN", "VERB", "DET", "NOUN", "PUNCT"];
    assert_eq!(parses[0].upos, upos);
    assert_eq!(parses[0].xpos, ["DT", "NN", "VBD", "DT", "NN", "."]);
    assert_eq!(parses[0].heads, [2, 3, 0, 5, 3, 3]);
    assert_eq!(parses[0].labels, ["det", "nsubj", "root", "det", "obj", "punct"]);
    // The first word is unknown to the parser: the analysis is wrong, but must not change.
    assert_eq!(parses[1].upos, [&["VERB"], &upos[1..]].concat());
    assert_eq!(parses[1].labels, ["punct", "nsubj", "root", "det", "obj", "punct"]);
    assert_eq!(parses[2].heads, [2, 3, 0, 8, 3, 3, 8, 3]);
    assert_eq!(parses[2].labels, ["det", "nsubj", "root", "det", "nsubj", "obj", "det", "nsubj"]);
}

#[test]
fn a_constituency_parser() {
    let parser = ConstituencyParser::read(&fixture("constituency.safetensors")).unwrap();
    assert_eq!(parser.record().hash, "c5e9df10");
    let parses = parser.parse(&SENTENCES);
    let trees = parses.iter().map(|parse| parse.tree.as_ref().unwrap().to_string()).collect::<Vec<_>>();
    assert_eq!(
        trees,
        [
            "(ROOT (S (NP (DT the) (NN dog)) (VP (VBD saw) (NP (DT a) (NN house))) (. .)))",
            "(ROOT (S (NP (DT A) (NN cat)) (VP (VBD liked) (NP (DT the) (NN ideas))) (. .)))",
            "(ROOT (NP (DT The) (JJ Zebra) (NN is)) (NP (DT a) (NN cat)) (NP (DT ,) (JJ the) (NN dog)))",
        ]
    );
    let first = [-0.050381236f32, -0.13315314, -0.022884358, 0.107047334, 0.050904658];
    let last = [0.007474574f32, -0.35076562, 0.020289188, 0.29671362, 0.2574432];
    for (vector, recorded) in [(parses[0].vector, first), (parses[2].vector, last)] {
        vector.iter().zip(recorded).for_each(|(found, recorded)| assert_same((*found).into(), recorded.into()));
    }
}
