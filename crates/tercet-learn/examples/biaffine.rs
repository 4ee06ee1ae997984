//! Items per CPU second of the biaffine network at its default sizes, on random lists.
//!
//!     cargo run --release -p tercet-learn --example biaffine -- analyse 2000 25 5
//!     cargo run --release -p tercet-learn --example biaffine -- learn 160 25 5
//!
//! `analyse LISTS LENGTH TIMES`: one thread; forms are prepared before; the most probable heads are chosen.
//! `learn LISTS LENGTH TIMES`: TIMES steps over one batch, on the threads of `RAYON_NUM_THREADS`.
//! Both print JSON: items, numbers to learn, products (multiplications) per item, items per CPU second and per second.
#![allow(clippy::print_stdout)]

#[path = "timing/clock.rs"]
mod clock;

use clock::Seconds;
use serde_json::json;
use std::error::Error;
use tercet_base::progress::Progress;
use tercet_learn::networks::{
    Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineNetwork, BiaffineReady, BiaffineShape, Forms, ListBatch,
    ListObjective, ListSettings, Lists, ReadyForms,
};
use tercet_learn::training::{Checkpoints, Identity, Run, Stopping, train};
use tercet_math::random::Random;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<usize>().ok());
    match (arguments.first().map(String::as_str), number(1), number(2), number(3)) {
        (Some("analyse"), Some(lists), Some(length), Some(times)) => analyse(lists, length, times),
        (Some("learn"), Some(lists), Some(length), Some(times)) => learn(lists, length, times),
        _ => {
            println!("usage: biaffine analyse|learn LISTS LENGTH TIMES");
            Ok(())
        }
    }
}

/// Number of distinct forms.
const FORMS: u64 = 8_000;

fn problem(lists: usize, length: usize) -> (Forms, Lists, Analysis) {
    let (random, shape) = (&mut Random::stream(1, "timing", 0), BiaffineShape::default());
    let (mut forms, mut all, mut targets) = (Forms::default(), Lists::default(), Analysis::default());
    for _ in 0..FORMS {
        let characters: Vec<u8> = (0..3 + random.below(9)).map(|_| random.below(128) as u8).collect();
        let word = random.below(shape.encoder.words as u64) as u32;
        forms.push(word, random.below(512) as u32, &characters);
    }
    for _ in 0..lists {
        all.push((0..length).map(|_| random.below(FORMS) as u32).collect::<Vec<_>>());
        for place in 0..length as u32 {
            targets.tags.push(random.below(shape.encoder.tags as u64) as u16);
            targets.fine_tags.push(random.below(shape.fine_tags as u64) as u16);
            targets.labels.push(random.below(shape.labels as u64) as u16);
            targets.heads.push(place);
        }
    }
    (forms, all, targets)
}

fn analyse(lists: usize, length: usize, times: usize) -> Result<(), Box<dyn Error>> {
    let (forms, lists, _) = problem(lists, length);
    let ready = BiaffineReady::new(&BiaffineNetwork::new(BiaffineShape::default(), 0.1, 1)?);
    let (mut prepared, mut found) = (ReadyForms::default(), Analysis::default());
    ready.prepare(&forms, &mut prepared)?;
    let (settings, mut space) = (AnalysisSettings::default(), AnalysisWorkspace::default());
    let mut once = || ready.analyse(&prepared, &lists, &settings, |_, _| {}, &mut space, &mut found);
    once()?;
    say(times * lists.items().len(), length, || (0..times).try_for_each(|_| once()))
}

fn learn(lists: usize, length: usize, times: usize) -> Result<(), Box<dyn Error>> {
    let (forms, lists, targets) = problem(lists, length);
    let mut network = BiaffineNetwork::new(BiaffineShape::default(), 0.1, 1)?;
    let batch = ListBatch { forms: &forms, lists: &lists, words: &[], targets: &targets };
    let settings = ListSettings::default();
    let mut objective = ListObjective::new(&mut network, batch, settings, Identity::default())?;
    let mut steps = |count: usize| {
        let run = Run {
            phase: "steps",
            name: "training",
            rounds: "steps",
            items: "items",
            steps: settings.steps,
            stopping: Stopping::after(count),
            checkpoints: &mut Checkpoints::none(),
            progress: Progress::none(),
        };
        train(&mut objective, run, None).map(drop)
    };
    steps(1)?;
    say(times * lists.items().len(), length, || steps(times))
}

/// Multiplications per item whose form is prepared: layers but the first, tags, heads and labels.
fn products(length: usize) -> usize {
    let s = BiaffineShape::default();
    let (e, width) = (s.encoder, s.encoder.width);
    let layers = (e.layers - 1) * width * 6 * e.units;
    let tags = width * (e.tags + s.fine_tags) + e.tags * width;
    let heads = width * 2 * (s.arc + s.label) + s.arc * s.arc + s.arc * (length + 1);
    layers + tags + heads + s.label * s.labels
}

fn say(items: usize, length: usize, work: impl FnOnce() -> tercet_learn::Result<()>) -> Result<(), Box<dyn Error>> {
    let Seconds { cpu, wall } = clock::measured(work)?;
    let parameters = BiaffineShape::default().parameters();
    println!(
        "{}",
        json!({"items": items, "parameters": parameters, "products_per_item": products(length),
               "items_per_cpu_s": (items as f64 / cpu).round(), "items_per_s": (items as f64 / wall).round()})
    );
    Ok(())
}
