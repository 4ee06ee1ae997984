//! Items per CPU second of the biaffine network at its default sizes, on random lists.
//!
//!     cargo run --release -p tercet-learn --example biaffine -- analyse 2000 25 5
//!     cargo run --release -p tercet-learn --example biaffine -- learn 160 25 5
//!
//! `analyse LISTS LENGTH TIMES`: one thread; forms are prepared before, and the most probable heads are taken.
//! `learn LISTS LENGTH TIMES`: TIMES steps over one batch, on the threads of `RAYON_NUM_THREADS`.
//! Both print JSON: items, numbers to learn, products (multiplications) per item, items per CPU second and per second.
#![allow(clippy::print_stdout)]

#[cfg(unix)]
fn main() -> tercet_learn::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<usize>().ok());
    match (arguments.first().map(String::as_str), number(1), number(2), number(3)) {
        (Some("analyse"), Some(lists), Some(length), Some(times)) => timing::analyse(lists, length, times),
        (Some("learn"), Some(lists), Some(length), Some(times)) => timing::learn(lists, length, times),
        _ => {
            println!("usage: biaffine analyse|learn LISTS LENGTH TIMES");
            Ok(())
        }
    }
}

#[cfg(not(unix))]
fn main() {
    println!("CPU seconds are read with getrusage, which this system does not have");
}

#[cfg(unix)]
mod timing {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    use serde_json::json;
    use std::time::Instant;
    use tercet_learn::Result;
    use tercet_learn::networks::biaffine::{
        Analysis, AnalysisSettings, AnalysisWorkspace, BiaffineBatch, BiaffineNetwork, BiaffineReady,
        BiaffineSettings, BiaffineShape, BiaffineTrainer, Forms, Lists, ReadyForms, Targets,
    };
    use tercet_learn::random::Random;

    /// Distinct forms.
    const FORMS: u64 = 8_000;

    fn problem(lists: usize, length: usize) -> (Forms, Lists, Targets) {
        let (random, shape) = (&mut Random::stream(1, "timing", 0), BiaffineShape::default());
        let (mut forms, mut all, mut targets) = (Forms::default(), Lists::default(), Targets::default());
        for _ in 0..FORMS {
            let characters: Vec<u8> = (0..3 + random.below(9)).map(|_| random.below(128) as u8).collect();
            forms.push(random.below(shape.words as u64) as u32, random.below(512) as u32, &characters);
        }
        for _ in 0..lists {
            all.push((0..length).map(|_| random.below(FORMS) as u32).collect::<Vec<_>>());
            for place in 0..length as u32 {
                targets.tags.push(random.below(shape.tags as u64) as u16);
                targets.fine_tags.push(random.below(shape.fine_tags as u64) as u16);
                targets.labels.push(random.below(shape.labels as u64) as u16);
                targets.heads.push(place);
            }
        }
        (forms, all, targets)
    }

    pub fn analyse(lists: usize, length: usize, times: usize) -> Result<()> {
        let (forms, lists, _) = problem(lists, length);
        let ready = BiaffineReady::new(&BiaffineNetwork::new(BiaffineShape::default(), 0.1, 1)?);
        let (mut prepared, mut found) = (ReadyForms::default(), Analysis::default());
        ready.prepare(&forms, &mut prepared)?;
        let (settings, mut space) = (AnalysisSettings::default(), AnalysisWorkspace::default());
        let mut once = || ready.analyse(&prepared, &lists, &settings, |_, _| {}, &mut space, &mut found);
        once()?;
        say(times * lists.items().len(), length, || (0..times).try_for_each(|_| once()))
    }

    pub fn learn(lists: usize, length: usize, times: usize) -> Result<()> {
        let (forms, lists, targets) = problem(lists, length);
        let mut network = BiaffineNetwork::new(BiaffineShape::default(), 0.1, 1)?;
        let mut trainer = BiaffineTrainer::new(&network, BiaffineSettings::default())?;
        let batch = BiaffineBatch { forms: &forms, lists: &lists, words: &[], targets: &targets };
        let mut once = || trainer.step(&mut network, &batch).map(drop);
        once()?;
        say(times * lists.items().len(), length, || (0..times).try_for_each(|_| once()))
    }

    /// Multiplications of one item when its form is ready: layers but the first, tags, heads and labels.
    fn products(length: usize) -> usize {
        let s = BiaffineShape::default();
        let layers = (s.layers - 1) * s.width * 6 * s.units;
        let tags = s.width * (s.tags + s.fine_tags) + s.tags * s.width;
        let heads = s.width * 2 * (s.arc + s.label) + s.arc * s.arc + s.arc * (length + 1);
        layers + tags + heads + s.label * s.labels
    }

    fn say(items: usize, length: usize, work: impl FnOnce() -> Result<()>) -> Result<()> {
        let (cpu, wall) = (cpu_seconds(), Instant::now());
        work()?;
        let (cpu, wall) = (cpu_seconds() - cpu, wall.elapsed().as_secs_f64());
        let parameters = BiaffineShape::default().parameters();
        println!(
            "{}",
            json!({"items": items, "parameters": parameters, "products_per_item": products(length),
                   "items_per_cpu_s": (items as f64 / cpu).round(), "items_per_s": (items as f64 / wall).round()})
        );
        Ok(())
    }

    /// User and system time of this process.
    fn cpu_seconds() -> f64 {
        let used = getrusage(UsageWho::RUSAGE_SELF).expect("a process may ask for its own usage");
        (used.user_time() + used.system_time()).num_microseconds() as f64 / 1e6
    }
}
