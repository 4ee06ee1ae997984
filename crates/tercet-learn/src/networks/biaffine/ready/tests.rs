//! Inference equals the trained function; lists do not affect each other; memory of long lists stays small.

use super::*;
use crate::networks::biaffine::BiaffineWorkspace;
use crate::networks::biaffine::tests::tiny;
use crate::networks::lists::{EncoderShape, ListBatch, LossScale};
use crate::parameters::Gradients;
use crate::random::Random;

struct Found {
    analysis: Analysis,
    candidates: Vec<(Vec<u32>, Vec<u32>)>,
}

/// The analysis, and the candidates of every item with the bits of their scores.
fn analyse(network: &BiaffineNetwork, forms: &Forms, lists: &Lists, settings: AnalysisSettings) -> Found {
    let ready = BiaffineReady::new(network);
    let mut prepared = ReadyForms::default();
    ready.prepare(forms, &mut prepared).unwrap();
    let (mut analysis, mut space, mut all) = (Analysis::default(), Default::default(), Vec::new());
    let look = |candidates: &Candidates<'_>, heads: &mut [u32]| {
        assert_eq!(heads.len(), candidates.items());
        for item in 0..candidates.items() {
            let bits = candidates.scores(item).iter().map(|score| score.to_bits()).collect();
            all.push((candidates.heads(item).to_vec(), bits));
        }
    };
    ready.analyse(&prepared, lists, &settings, look, &mut space, &mut analysis).unwrap();
    Found { analysis, candidates: all }
}

fn made_up(lengths: &[usize], shape: &EncoderShape) -> (Forms, Lists) {
    let (random, mut forms, mut lists) = (&mut Random::stream(9, "test", 0), Forms::default(), Lists::default());
    for form in 0..30u32 {
        let characters: Vec<u8> = (0..form % 5).map(|_| random.below(shape.characters as u64) as u8).collect();
        forms.push(form % shape.words as u32, form % shape.shapes as u32, &characters);
    }
    for &length in lengths {
        lists.push((0..length).map(|_| random.below(30) as u32).collect::<Vec<_>>());
    }
    (forms, lists)
}

/// Larger weights than the initial ones, so that choices differ.
fn network(shape: BiaffineShape) -> BiaffineNetwork {
    let mut network = BiaffineNetwork::new(shape, 0.3, 7).unwrap();
    let random = &mut Random::stream(1, "test", 0);
    for tensor in network.parameters_mut().tensors_mut() {
        tensor.values.iter_mut().for_each(|w| *w += random.uniform(-0.5, 0.5));
    }
    network
}

#[test]
fn what_is_found_is_what_the_loss_finds_most_probable() {
    for (units, fine) in [(2, 2), (3, 0)] {
        let network = network(tiny(units, fine));
        let (forms, lists) = made_up(&[4, 0, 1, 6], &network.shape().encoder);
        let found = analyse(&network, &forms, &lists, AnalysisSettings::default());
        let loss = |targets: &Analysis| {
            let batch = ListBatch { forms: &forms, lists: &lists, words: &[], targets };
            network.check(&batch).unwrap();
            let (scale, space) = (LossScale { top: 1.0, tags: 1.0 }, &mut BiaffineWorkspace::default());
            let unused = &mut Gradients::zeros(network.parameters());
            network.loss(&batch, 0..4, scale, None, space, unused)
        };
        let targets = &found.analysis;
        let least = loss(targets);
        let (mut item, mut chosen) = (0, 0.0);
        for list in 0..lists.len() {
            for place in 1..=lists.list(list).len() {
                for tag in 0..3 {
                    let mut other = targets.clone();
                    other.tags[item] = tag;
                    assert!(loss(&other).tags >= least.tags - 1e-5);
                }
                for label in 0..4 {
                    let mut other = targets.clone();
                    other.labels[item] = label;
                    assert!(loss(&other).labels >= least.labels - 1e-5);
                }
                for tag in 0..fine as u16 {
                    let mut other = targets.clone();
                    other.fine_tags[item] = tag;
                    assert!(loss(&other).fine_tags >= least.fine_tags - 1e-5);
                }
                let (candidates, scores) = &found.candidates[item];
                let expected: Vec<u32> =
                    (0..=lists.list(list).len() as u32).filter(|head| *head as usize != place).collect();
                assert_eq!(candidates, &expected);
                for (head, score) in candidates.iter().zip(scores) {
                    let score = f64::from(f32::from_bits(*score));
                    let mut other = targets.clone();
                    other.heads[item] = *head;
                    let dearer = loss(&other).arcs - least.arcs;
                    let best = candidates.iter().position(|head| *head == targets.heads[item]).unwrap();
                    let lower = f64::from(f32::from_bits(scores[best])) - score;
                    assert!((dearer - lower).abs() < 1e-4 && lower >= 0.0, "{dearer} {lower}");
                    chosen += if *head == targets.heads[item] { score } else { 0.0 };
                }
                item += 1;
            }
        }
        assert!((least.arcs + chosen).abs() < 1e-4, "{} {chosen}", least.arcs);
    }
}

#[test]
fn lists_do_not_depend_on_their_company() {
    let tiny = tiny(2, 2);
    let encoder = EncoderShape { width: 32, units: 16, filters: 16, ..tiny.encoder };
    let network = network(BiaffineShape { encoder, arc: 16, label: 8, ..tiny });
    let lengths: Vec<usize> = (0..60).map(|list| list * 7 % 41).chain([500, 3]).collect();
    let (forms, lists) = made_up(&lengths, &encoder);
    let together = analyse(&network, &forms, &lists, AnalysisSettings::default());
    let mut item = 0;
    for list in 0..lists.len() {
        let mut alone = Lists::default();
        alone.push(lists.list(list).iter().copied());
        let alone = analyse(&network, &forms, &alone, AnalysisSettings::default());
        let range = item..item + lists.list(list).len();
        assert_eq!(alone.analysis.tags, together.analysis.tags[range.clone()]);
        assert_eq!(alone.analysis.labels, together.analysis.labels[range.clone()]);
        assert_eq!(alone.candidates, together.candidates[range.clone()], "to the bit");
        item = range.end;
    }
}

#[test]
fn of_many_heads_the_best_are_kept_and_the_root() {
    let network = network(tiny(2, 2));
    let (forms, lists) = made_up(&[90], &network.shape().encoder);
    let all = analyse(&network, &forms, &lists, AnalysisSettings { candidates: 1000, root_label: None });
    for candidates in [1, 2, 7, 89, 90] {
        let few = analyse(&network, &forms, &lists, AnalysisSettings { candidates, root_label: None });
        assert_eq!(few.analysis, all.analysis);
        for ((heads, scores), (all_heads, all_scores)) in few.candidates.iter().zip(&all.candidates) {
            assert_eq!((heads.len(), heads[0]), (candidates, 0));
            assert!(heads.is_sorted());
            let score = |head: u32| all_scores[all_heads.iter().position(|other| *other == head).unwrap()];
            let least = heads[1..].iter().map(|head| f32::from_bits(score(*head))).fold(0.0, f32::min);
            for head in all_heads.iter().filter(|head| **head > 0 && candidates > 1 && !heads.contains(head)) {
                assert!(f32::from_bits(score(*head)) <= least);
            }
            let expected: Vec<u32> = heads.iter().map(|head| score(*head)).collect();
            assert_eq!(scores, &expected);
        }
    }
}

#[test]
fn heads_can_be_decided_and_labels_follow_them() {
    let network = network(tiny(2, 2));
    let (forms, lists) = made_up(&[3, 5], &network.shape().encoder);
    let ready = BiaffineReady::new(&network);
    let (mut prepared, mut space, mut found) = (ReadyForms::default(), Default::default(), Analysis::default());
    ready.prepare(&forms, &mut prepared).unwrap();
    assert_eq!((prepared.len(), ready.shape()), (30, network.shape()));
    let chain = |_: &Candidates<'_>, heads: &mut [u32]| {
        heads.iter_mut().enumerate().for_each(|(place, head)| *head = place as u32);
    };
    for root in 0..4 {
        let settings = AnalysisSettings { root_label: Some(root), ..AnalysisSettings::default() };
        ready.analyse(&prepared, &lists, &settings, chain, &mut space, &mut found).unwrap();
        assert_eq!(found.heads, [0, 1, 2, 0, 1, 2, 3, 4]);
        for (label, head) in found.labels.iter().zip(&found.heads) {
            assert_eq!(*label == root, *head == 0);
        }
    }
    // Forms that are prepared later get the following numbers.
    let mut more = Lists::default();
    more.push([31, 2]);
    let error = ready
        .analyse(&prepared, &more, &AnalysisSettings::default(), chain, &mut space, &mut found)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "form list 0: expected forms below 30, found form 31");
    ready.prepare(&forms, &mut prepared).unwrap();
    ready.analyse(&prepared, &more, &AnalysisSettings::default(), chain, &mut space, &mut found).unwrap();
    let later = found.clone();
    more.clear();
    more.push([1, 2]);
    ready.analyse(&prepared, &more, &AnalysisSettings::default(), chain, &mut space, &mut found).unwrap();
    assert_eq!(later, found);
    prepared.clear();
    assert!(prepared.is_empty());
}

#[test]
fn settings_and_forms_out_of_range_are_refused() {
    let network = network(tiny(2, 2));
    let ready = BiaffineReady::new(&network);
    let mut forms = Forms::default();
    forms.push(9, 0, &[]);
    let error = ready.prepare(&forms, &mut ReadyForms::default()).unwrap_err().to_string();
    assert_eq!(error, "form 0: expected words below 5, found 9");
    let refused = |settings: AnalysisSettings| {
        let (forms, lists) = (ReadyForms::default(), Lists::default());
        let (mut space, mut found) = (AnalysisWorkspace::default(), Analysis::default());
        ready.analyse(&forms, &lists, &settings, |_, _| {}, &mut space, &mut found).unwrap_err().to_string()
    };
    let none = refused(AnalysisSettings { candidates: 0, root_label: None });
    assert_eq!(none, "setting `candidates` cannot be 0: expected at least 1");
    let label = refused(AnalysisSettings { candidates: 1, root_label: Some(4) });
    assert!(label.starts_with("setting `root_label` cannot be 4"), "{label}");
}
