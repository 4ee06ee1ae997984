//! One recurrent layer of the encoder: x ← x + dropout(P · sru(norm(x))), with P only if widths differ.

use super::EncoderShape;
use crate::activation::Activation;
use crate::layers::LayerNormWorkspace;
use crate::layers::SruWorkspace;
use crate::layers::{Dense, Dropout, LayerNorm, Sru};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

#[derive(Clone, Debug)]
pub(in crate::networks) struct Recurrent {
    pub norm: LayerNorm,
    pub sru: Sru,
    pub projection: Option<Dense>,
}

/// Results of the forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub(in crate::networks) struct RecurrentSpace {
    norm: LayerNormWorkspace,
    u: Vec<f32>,
    sru: SruWorkspace,
    y: Vec<f32>,
    projected: Vec<f32>,
    mask: Vec<f32>,
}

impl Recurrent {
    pub fn new(parameters: &mut Parameters, name: &str, shape: &EncoderShape, random: &mut Random) -> Self {
        let (d, units) = (shape.width, shape.units);
        let norm = LayerNorm::new(parameters, &format!("{name}.norm"), d);
        let sru = Sru::new(parameters, &format!("{name}.sru"), [d, units], random);
        let sizes = [2 * units, d];
        let projection = shape
            .is_projected()
            .then(|| Dense::new(parameters, &format!("{name}.projection"), sizes, Activation::Identity, random));
        Recurrent { norm, sru, projection }
    }

    pub fn forward(
        &self,
        parameters: &Parameters,
        (x, starts): (&mut [f32], &[usize]),
        (dropout, random): (Dropout, Option<&mut Random>),
        space: &mut RecurrentSpace,
    ) {
        self.norm.forward(parameters, x, &mut space.norm, &mut space.u);
        self.sru.forward(parameters, &space.u, starts, &mut space.sru, &mut space.y);
        let out = match &self.projection {
            None => &mut space.y,
            Some(projection) => {
                projection.forward(parameters, &space.y, &mut space.projected);
                &mut space.projected
            }
        };
        dropout.forward(out, random, &mut space.mask);
        x.iter_mut().zip(out).for_each(|(x, y)| *x += *y);
    }

    /// Adds the gradients of all weights; `dx` has the gradients of the output, and those of the input are added to it.
    pub fn backward(
        &self,
        parameters: &Parameters,
        (dx, starts): (&mut [f32], &[usize]),
        dropout: Dropout,
        space: &mut RecurrentSpace,
        gradients: &mut Gradients,
    ) {
        let mut dy = dx.to_vec();
        dropout.backward(&mut dy, &space.mask);
        if let Some(projection) = &self.projection {
            dy = projection.backward(parameters, &space.y, &space.projected, &mut dy, gradients);
        }
        let mut du = self.sru.backward(parameters, &space.u, starts, &dy, &mut space.sru, gradients);
        self.norm.backward(parameters, &mut du, &space.norm, gradients, dx);
    }
}
