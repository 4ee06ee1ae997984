//! Training: what the network can learn, independence of the number of threads, errors.

use super::*;
use crate::networks::lists::tests::learn;
use crate::optimizer::Schedule;

/// Lists of 3 to 10 items whose tags, heads and labels follow rules that need the form, the neighbours and the head.
fn rules(lists: usize, seed: u64) -> Data {
    let (random, mut forms) = (&mut Random::stream(seed, "rules", 0), Forms::default());
    for form in 0..20u32 {
        forms.push(form % 5, form / 7, &[form as u8 % 6, form as u8 / 6]);
    }
    let (mut all, mut targets) = (Lists::default(), Analysis::default());
    for _ in 0..lists {
        let list: Vec<u32> = (0..3 + random.below(8)).map(|_| random.below(20) as u32).collect();
        for (at, form) in list.iter().enumerate() {
            // The head is the nearest preceding item with a lower form, otherwise the root.
            let head = list[..at].iter().rposition(|before| before < form).map_or(0, |place| place + 1);
            let of_head = if head == 0 { 0 } else { 1 + list[head - 1] % 3 };
            targets.heads.push(head as u32);
            targets.tags.push((form % 3) as u16);
            targets.fine_tags.push((list.get(at + 1).unwrap_or(&0) % 2) as u16);
            targets.labels.push(of_head as u16);
        }
        all.push(list);
    }
    Data { forms, lists: all, words: Vec::new(), targets }
}

fn shape() -> BiaffineShape {
    let tiny = tiny(2, 2);
    let encoder = EncoderShape { width: 32, units: 16, filters: 8, ..tiny.encoder };
    BiaffineShape { encoder, arc: 16, label: 16, ..tiny }
}

fn settings(steps: u64) -> ListSettings {
    let mut settings = ListSettings::default();
    settings.steps.schedule = Some(Schedule { warm_up: 20, steps });
    settings.steps.optimizer.learning_rate = 1e-2;
    settings
}

#[test]
fn a_few_dozen_lists_are_learned_by_heart() {
    let data = rules(40, 1);
    let mut network = BiaffineNetwork::new(shape(), 0.05, 2).unwrap();
    let losses = learn(&mut network, data.batch(), settings(400), 400).unwrap();
    assert!(losses[0] > 3.0 && losses.len() == 400, "{losses:?}");
    let ready = BiaffineReady::new(&network);
    let (mut forms, mut found, mut space) = (ReadyForms::default(), Analysis::default(), Default::default());
    ready.prepare(&data.forms, &mut forms).unwrap();
    let settings = AnalysisSettings::default();
    ready.analyse(&forms, &data.lists, &settings, |_, _| {}, &mut space, &mut found).unwrap();
    let share = |right: usize| right as f64 / data.lists.items().len() as f64;
    let same = |a: &[u16], b: &[u16]| share(a.iter().zip(b).filter(|(a, b)| a == b).count());
    let heads = share(found.heads.iter().zip(&data.targets.heads).filter(|(a, b)| a == b).count());
    let of = &data.targets;
    let all =
        [same(&found.tags, &of.tags), same(&found.fine_tags, &of.fine_tags), heads, same(&found.labels, &of.labels)];
    assert!(all.iter().all(|share| *share >= 0.99), "{all:?}");
}

#[test]
fn steps_have_the_same_digits_on_any_number_of_threads() {
    let data = rules(30, 5);
    let learned = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut network = BiaffineNetwork::new(shape(), 0.2, 2).unwrap();
            let losses = learn(&mut network, data.batch(), settings(5), 5).unwrap();
            (losses, network.parameters().clone())
        })
    };
    let one = learned(1);
    assert_eq!(learned(2), one);
    assert_eq!(learned(5), one);
    assert!(one.0[4] < one.0[0]);
}

#[test]
fn fewer_lists_than_shards_and_lists_without_items_are_learned_from() {
    let data = data(true);
    let mut network = BiaffineNetwork::new(tiny(2, 2), 0.1, 2).unwrap();
    let losses = learn(&mut network, data.batch(), settings(60), 60).unwrap();
    assert!(losses[59] < 0.65 * losses[0], "{losses:?}");
}

/// A change that makes the data invalid.
type Change<'a> = &'a dyn Fn(&mut Data);

/// Adds a form, and a list of it.
fn with_form(data: &mut Data, shape: u32, characters: &[u8]) {
    let form = data.forms.push(0, shape, characters);
    data.lists.push([form]);
}

#[test]
fn batches_that_do_not_fit_are_refused() {
    let mut network = BiaffineNetwork::new(tiny(2, 2), 0.1, 2).unwrap();
    let mut refused = |change: Change<'_>| {
        let mut data = data(true);
        change(&mut data);
        learn(&mut network, data.batch(), settings(5), 1).unwrap_err().to_string()
    };
    let cases: [(Change<'_>, &str); 11] = [
        (&|d| d.targets.heads[1] = 2, "example 0 (counted from 0): item 1 has the head 2"),
        (&|d| d.targets.heads[7] = 5, "example 3 (counted from 0): item 3 has the head 5"),
        (&|d| d.targets.tags[3] = 3, "example 2 (counted from 0): item 0 has the tag 3 of 3"),
        (&|d| d.targets.fine_tags[0] = 2, "example 0 (counted from 0): item 0 has the fine tag 2 of 2"),
        (&|d| d.targets.labels[0] = 4, "example 0 (counted from 0): item 0 has the label 4 of 4"),
        (&|d| d.words[0] = 5, "example 0 (counted from 0): item 0 has the word 5 of 5"),
        (&|d| d.words.truncate(3), "words: expected 8, one per item, or none, found 3"),
        (&|d| d.targets.labels.truncate(7), "labels: expected 8, one per item, found 7"),
        (&|d| d.lists.push([3]), "form list 4: expected forms below 3, found form 3"),
        (&|d| with_form(d, 3, &[]), "form 3: expected shapes below 3, found 3"),
        (&|d| with_form(d, 0, &[0, 6]), "form 3: expected characters below 6, found 6"),
    ];
    for (change, message) in cases {
        assert_eq!(refused(change), message);
    }
    let none = refused(&|d| {
        d.lists.clear();
        d.targets.clear();
        d.words.clear();
    });
    assert_eq!(none, "the batch is empty: there is nothing to learn from");
}

#[test]
fn a_rate_that_is_too_high_is_said_to_be() {
    let data = rules(10, 5);
    let mut network = BiaffineNetwork::new(shape(), 0.0, 2).unwrap();
    network.parameters_mut().tensors_mut()[0].values.fill(f32::INFINITY);
    let error = learn(&mut network, data.batch(), settings(5), 1).unwrap_err().to_string();
    assert!(error.starts_with("setting `learning_rate` cannot be 0.01: expected a lower one: in step 1"), "{error}");
    let mut bad = settings(5);
    bad.steps.clip = f32::NAN;
    let error = learn(&mut network, data.batch(), bad, 1).unwrap_err().to_string();
    assert_eq!(error, "setting `clip` cannot be NaN: expected a number of at least 0");
}
