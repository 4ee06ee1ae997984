//! Every metric stops soon, in the middle of the longest segments that the service accepts.

use std::path::Path;
use std::time::{Duration, Instant};
use tercet::metrics::Segment;
use tercet::progress::Stopped;
use tercet::stop::Stop;

/// Bytes of a line, and references of a segment, at most: those of the service.
const LINE: usize = 100_000;
const REFERENCES: usize = 64;

/// How long a metric works before it is stopped, and the most CPU seconds that it goes on.
const LIMIT: Duration = Duration::from_millis(300);
const PATIENCE: f64 = 1.0;

/// All metrics, those with models with the small ones of other tests.
fn metrics() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = |name: &str| folder.join("tests/compatibility").join(name).display().to_string();
    let bert = folder.join("../tercet-transformer/tests/small/bert").display().to_string();
    let registry = tercet::registry();
    let mut all: Vec<String> = Vec::new();
    for info in registry.metrics() {
        let with_model = match info.name {
            "pairwise" => Some(format!("model={}", model("pairwise-encoded.safetensors"))),
            "ruse" => Some(format!("model={}", model("ruse.safetensors"))),
            "blend" => Some(format!("model={}", model("blend.safetensors"))),
            "bertscore" => Some(format!("model={bert}")),
            name => {
                assert!(info.needs.is_none(), "{name}: name a small model of it here");
                None
            }
        };
        if info.name == "siamese" && !cfg!(feature = "siamese") {
            continue;
        }
        all.push(with_model.map_or(info.name.to_owned(), |options| format!("{}:{options}", info.name)));
    }
    for more in ["rouge:type=l", "rouge:type=w", "rouge:type=su", "chrf:word_order=2", "bleu:tok=moses"] {
        all.push(more.to_owned());
    }
    all
}

/// Numbers that follow no pattern.
fn numbers(seed: u64) -> impl Iterator<Item = usize> {
    let next = |state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    std::iter::successors(Some(seed.wrapping_add(1)), next).skip(2).map(|state| (state >> 33) as usize)
}

/// A line of each kind: words that repeat, one word, one letter, punctuation, letters with marks.
fn lines(seed: u64) -> [(&'static str, String); 5] {
    const WORDS: [&str; 16] = [
        "the", "cat", "cats", "dog", "hound", "sat", "sitting", "on", "a", "mat", "big", "large", "runs", "running",
        "of", "and",
    ];
    let cut = |mut line: String| {
        let end = (0..=LINE.min(line.len())).rev().find(|&end| line.is_char_boundary(end));
        line.truncate(end.unwrap_or(0));
        line
    };
    let joined = |of: &dyn Fn(usize) -> String| cut(numbers(seed).take(LINE).map(of).collect());
    [
        ("words", joined(&|number| format!("{} ", WORDS[number % WORDS.len()]))),
        ("one word", joined(&|number| char::from(b'a' + (number % 26) as u8).to_string())),
        ("one letter", joined(&|number| if number % 50 == 0 { "b ".to_owned() } else { "a ".to_owned() })),
        ("punctuation", joined(&|number| char::from(b"!\"#$%&'()*+,-./"[number % 15]).to_string())),
        ("marks", joined(&|number| format!("e{}", char::from_u32(0x300 + (number % 0x60) as u32).unwrap()))),
    ]
}

fn cpu_seconds() -> f64 {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        let usage = getrusage(UsageWho::RUSAGE_SELF).unwrap();
        let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 * 1e-6;
        seconds(usage.user_time()) + seconds(usage.system_time())
    }
    #[cfg(not(unix))]
    {
        static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
        START.get_or_init(Instant::now).elapsed().as_secs_f64()
    }
}

#[test]
fn every_metric_stops_in_the_middle_of_a_long_segment() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let hypotheses = lines(0);
    let references: Vec<_> = (1..=REFERENCES as u64).map(lines).collect();
    let (mut late, mut stopped) = (Vec::new(), 0);
    for spec in metrics() {
        let metric = tercet::registry().build(&spec).unwrap();
        let short = [Segment::new("the cat sat on a mat", &["a cat sat on the mat"])];
        let before = pool.install(|| metric.segment_scores(&short)).unwrap();
        for (kind, (name, hypothesis)) in hypotheses.iter().enumerate() {
            let references: Vec<&str> = references.iter().map(|lines| lines[kind].1.as_str()).collect();
            let segments = [Segment::new(hypothesis, &references)];
            let start = cpu_seconds();
            let stop = Stop::default().until(Instant::now() + LIMIT);
            let done = pool.install(|| stop.watch(|| metric.segment_scores(&segments)));
            let seconds = cpu_seconds() - start;
            match done {
                Ok(scores) => assert!(scores.unwrap()[0].is_finite()),
                Err(Stopped) => stopped += 1,
            }
            if seconds > LIMIT.as_secs_f64() + PATIENCE {
                late.push(format!("{spec} on {name}: {seconds:.1} CPU seconds"));
            }
        }
        let after = pool.install(|| metric.segment_scores(&short)).unwrap();
        assert_eq!(before, after, "{spec} after it was stopped");
    }
    assert!(late.is_empty(), "{late:#?}");
    assert!(stopped > 20, "{stopped} were stopped");
}
