//! The whole network: PyTorch's losses and gradients, finite differences, training.

mod learning;
mod pytorch;

use super::*;
use crate::gradient_check::check_parameters;
use crate::networks::lists::{EncoderShape, Forms, ListBatch, ListLosses, ListNetwork, ListSettings, Lists, LossScale};
use crate::parameters::Gradients;

pub(super) fn tiny(units: usize, fine_tags: usize) -> BiaffineShape {
    let encoder = EncoderShape {
        words: 5,
        shapes: 3,
        characters: 6,
        character_width: 2,
        filters: 3,
        window: 3,
        width: 4,
        units,
        layers: 3,
        tag_layer: 2,
        tags: 3,
    };
    BiaffineShape { encoder, fine_tags, arc: 3, label: 2, labels: 4 }
}

pub(super) struct Data {
    pub forms: Forms,
    pub lists: Lists,
    pub words: Vec<u32>,
    pub targets: Analysis,
}

impl Data {
    pub fn batch(&self) -> ListBatch<'_, Analysis> {
        ListBatch { forms: &self.forms, lists: &self.lists, words: &self.words, targets: &self.targets }
    }
}

/// Lists of 3, 0, 1 and 4 items; one form occurs twice with different words.
pub(super) fn data(fine: bool) -> Data {
    let mut forms = Forms::default();
    forms.push(0, 0, &[1, 2, 3]);
    forms.push(1, 2, &[4]);
    forms.push(3, 1, &[5, 0, 5, 1]);
    let mut lists = Lists::default();
    [vec![0, 1, 2], vec![], vec![1], vec![2, 2, 0, 1]].into_iter().for_each(|list| lists.push(list));
    let fine_tags = if fine { vec![0, 1, 1, 0, 0, 1, 0, 1] } else { vec![] };
    let targets = Analysis {
        tags: vec![0, 1, 2, 1, 2, 2, 0, 1],
        fine_tags,
        heads: vec![2, 0, 2, 0, 3, 1, 0, 3],
        labels: vec![1, 0, 2, 0, 3, 1, 0, 2],
    };
    Data { forms, lists, words: vec![0, 1, 3, 1, 3, 4, 0, 4], targets }
}

#[test]
fn gradients_agree_with_differences_with_and_without_projection_and_fine_tags() {
    for (units, fine) in [(2, 2), (3, 0)] {
        let data = data(fine > 0);
        let mut network = BiaffineNetwork::new(tiny(units, fine), 0.3, 5).unwrap();
        let batch = data.batch();
        network.check(&batch).unwrap();
        let mut gradients = Gradients::zeros(network.parameters());
        let (space, scale) = (&mut BiaffineWorkspace::default(), LossScale { top: 1.0, tags: 0.5 });
        let lists = 0..batch.lists.len();
        // Dropout with a stream of its own, the same in every pass.
        let random = || Random::stream(3, "dropout", 0);
        network.loss(&batch, lists.clone(), scale, Some(&mut random()), space, &mut gradients);
        let mut parameters = network.parameters.clone();
        let shared = std::cell::RefCell::new(&mut network);
        check_parameters(&mut parameters, &gradients, 2e-3, |parameters| {
            let mut network = shared.borrow_mut();
            network.parameters.assign(parameters).unwrap();
            let space = &mut BiaffineWorkspace::default();
            let unused = &mut Gradients::zeros(parameters);
            let found = network.loss(&batch, lists.clone(), scale, Some(&mut random()), space, unused);
            found.mean(0.5) * found.items as f64
        });
    }
}

#[test]
fn parameters_are_as_many_as_the_shape_says() {
    let default = BiaffineShape::default();
    let few_words = BiaffineShape { encoder: EncoderShape { words: 20, ..default.encoder }, ..default };
    for shape in [tiny(2, 2), tiny(3, 0), few_words] {
        let network = BiaffineNetwork::new(shape, 0.1, 1).unwrap();
        assert_eq!(network.parameters().count() as u64, shape.parameters(), "{shape:?}");
    }
}
