use super::*;
use crate::networks::lists::{
    EncoderShape, Forms, ListBatch, ListNetwork, ListSettings, Lists, LossScale, tests::learn,
};
use crate::optimizer::{Method, OptimizerSettings, Schedule};
use crate::training::StepSettings;

fn shape() -> SpanShape {
    let encoder = EncoderShape {
        words: 9,
        shapes: 4,
        characters: 8,
        character_width: 3,
        filters: 6,
        window: 3,
        width: 16,
        units: 8,
        layers: 2,
        tag_layer: 1,
        tags: 3,
    };
    SpanShape { encoder, hidden: 16, labels: 4 }
}

/// Lists whose tags and labels follow from the words: a span has a label if it begins with an odd and ends with an even
/// form.
fn made(count: usize) -> (Forms, Lists, SpanTargets) {
    let (mut forms, mut lists, mut targets) = (Forms::default(), Lists::default(), SpanTargets::default());
    for form in 0..8_u32 {
        forms.push(form, form % 4, &[form as u8, 1]);
    }
    let mut random = Random::stream(1, "test", 0);
    for list in 0..count as u32 {
        let items: Vec<u32> = (0..list % 6).map(|_| random.below(8) as u32).collect();
        targets.tags.extend(items.iter().map(|item| (item % 3) as u16));
        for j in 1..=items.len() {
            for i in 0..j {
                if items[i] % 2 == 1 && items[j - 1].is_multiple_of(2) {
                    targets.labels.push((list, (j * (j - 1) / 2 + i) as u32, 1 + (items[i] % 3) as u16));
                }
            }
        }
        lists.push(items);
    }
    (forms, lists, targets)
}

fn settings() -> ListSettings {
    let method = Method::AdamW { beta1: 0.9, beta2: 0.95, epsilon: 1e-8 };
    let optimizer = OptimizerSettings { method, learning_rate: 0.01, ..OptimizerSettings::default() };
    let schedule = Some(Schedule { warm_up: 10, steps: 150 });
    ListSettings {
        steps: StepSettings { schedule, clip: 2.0, ..StepSettings::plain(optimizer) },
        tag_weight: 0.5,
        seed: 3,
    }
}

#[test]
fn gradients_agree_with_differences() {
    use crate::gradient_check::check_parameters;
    use crate::parameters::Gradients;
    let encoder = EncoderShape { words: 8, width: 4, units: 2, filters: 2, ..shape().encoder };
    let small = SpanShape { encoder, hidden: 3, ..shape() };
    let network = SpanNetwork::new(small, 0.0, 1).unwrap();
    let (forms, lists, targets) = made(5);
    let batch = ListBatch { forms: &forms, lists: &lists, words: &[], targets: &targets };
    let losses = |network: &SpanNetwork, gradients: &mut Gradients| {
        let (scale, space) = (LossScale { top: 1.0, tags: 0.5 }, &mut SpanWorkspace::default());
        network.loss(&batch, 0..lists.len(), scale, None, space, gradients)
    };
    let mut gradients = Gradients::zeros(network.parameters());
    losses(&network, &mut gradients);
    let mut parameters = network.parameters().clone();
    check_parameters(&mut parameters, &gradients, 2e-3, |parameters| {
        let mut moved = network.clone();
        moved.parameters = parameters.clone();
        let found = losses(&moved, &mut Gradients::zeros(parameters));
        found.labels + 0.5 * found.tags
    });
}

#[test]
fn it_learns_what_follows_from_the_ends_of_spans_and_does_so_on_any_number_of_threads() {
    let (forms, lists, targets) = made(60);
    let learned = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut network = SpanNetwork::new(shape(), 0.1, 2).unwrap();
            let batch = ListBatch { forms: &forms, lists: &lists, words: &[], targets: &targets };
            learn(&mut network, batch, settings(), 150).unwrap();
            network
        })
    };
    let network = learned(1);
    assert!(learned(3).parameters() == network.parameters(), "the result depends on the number of threads");
    let (mut wrong, mut spans, mut item) = (0, 0, 0);
    network
        .evidence(&forms, &lists, None, &mut SpanWorkspace::default(), |list, said| {
            let best = |row: &[f32]| (0..row.len()).max_by(|a, b| row[*a].total_cmp(&row[*b])).unwrap();
            for row in said.tags.chunks_exact(3) {
                wrong += usize::from(best(row) != usize::from(targets.tags[item]));
                item += 1;
            }
            for (span, row) in said.labels.chunks_exact(4).enumerate() {
                let wanted = targets.labels.iter().find(|l| l.0 == list as u32 && l.1 == span as u32);
                wrong += usize::from(best(row) != wanted.map_or(0, |l| usize::from(l.2)));
                spans += 1;
            }
        })
        .unwrap();
    assert!(spans > 300 && wrong * 50 < spans, "{wrong} of {spans}");
}

#[test]
fn what_is_said_of_a_list_does_not_depend_on_its_company() {
    let network = SpanNetwork::new(shape(), 0.0, 2).unwrap();
    let (forms, lists, _) = made(20);
    let mut together = vec![SpanEvidence::default(); 20];
    let mut space = SpanWorkspace::default();
    network.evidence(&forms, &lists, None, &mut space, |list, said| together[list] = said.clone()).unwrap();
    for (list, expected) in together.iter().enumerate() {
        let mut alone = Lists::default();
        alone.push(lists.list(list).iter().copied());
        let mut found = SpanEvidence::default();
        network.evidence(&forms, &alone, None, &mut space, |_, said| found = said.clone()).unwrap();
        assert_eq!(found, *expected);
    }
}

#[test]
fn targets_that_do_not_fit_are_refused() {
    let (forms, lists, targets) = made(6);
    let mut network = SpanNetwork::new(shape(), 0.0, 1).unwrap();
    let mut refused = |targets: &SpanTargets, words: &[u32]| {
        let batch = ListBatch { forms: &forms, lists: &lists, words, targets };
        learn(&mut network, batch, settings(), 1).unwrap_err().to_string()
    };
    assert!(refused(&SpanTargets::default(), &[]).contains("one per item"));
    let wrong_tag = SpanTargets { tags: vec![3; targets.tags.len()], labels: vec![] };
    assert_eq!(refused(&wrong_tag, &[]), "tags: expected numbers below 3, found 3");
    let wrong_span = SpanTargets { labels: vec![(2, 3, 1)], ..targets.clone() };
    assert!(refused(&wrong_span, &[]).contains("span 3 of a list of 2"), "{}", refused(&wrong_span, &[]));
    let disordered = SpanTargets { labels: vec![(3, 0, 1), (2, 0, 1)], ..targets.clone() };
    assert!(refused(&disordered, &[]).contains("after those of list 3"), "{}", refused(&disordered, &[]));
    let wrong_word = refused(&targets, &vec![9; targets.tags.len()]);
    assert_eq!(wrong_word, "example 1 (counted from 0): item 0 has the word 9 of 9");
    assert_eq!(refused(&targets, &[0]), "words: expected 15, one per item, or none, found 1");
}

#[test]
fn a_network_comes_back_from_its_file() {
    use crate::model_file::ModelFile;
    let network = SpanNetwork::new(shape(), 0.2, 4).unwrap();
    assert_eq!(shape().parameters(), network.parameters().count() as u64);
    let mut file = ModelFile::new("test");
    network.store("spans.", &mut file);
    let back = SpanNetwork::stored("spans.", &file).unwrap();
    assert_eq!((back.shape(), back.parameters()), (network.shape(), network.parameters()));
    file.set("spans.labels", "5");
    assert!(SpanNetwork::stored("spans.", &file).is_err());
}
