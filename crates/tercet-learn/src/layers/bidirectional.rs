//! Bidirectional LSTM (Schuster & Paliwal, 1997): the last states of both directions, [→h_T, ←h_T], or the largest of
//! every number over all their states.

use super::lstm::{Gate, Lstm, LstmWorkspace};
use crate::parameters::{Gradients, Parameters};
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct BidirectionalLstm {
    directions: [Lstm; 2],
}

impl BidirectionalLstm {
    /// Adds the tensors of `name.forward` and `name.backward` to the parameters; `units` per direction.
    pub fn new(parameters: &mut Parameters, name: &str, sizes: [usize; 2], gate: Gate, random: &mut Random) -> Self {
        let forward = Lstm::new(parameters, &format!("{name}.forward"), sizes, gate, false, random);
        let backward = Lstm::new(parameters, &format!("{name}.backward"), sizes, gate, true, random);
        BidirectionalLstm { directions: [forward, backward] }
    }

    /// The same with layers as PyTorch has them.
    pub fn new_as_torch(parameters: &mut Parameters, name: &str, sizes: [usize; 2], random: &mut Random) -> Self {
        let directions = [("forward", false), ("backward", true)].map(|(direction, reversed)| {
            Lstm::new_as_torch(parameters, &format!("{name}.{direction}"), sizes, reversed, random)
        });
        BidirectionalLstm { directions }
    }

    /// Both directions, forward first.
    pub fn directions(&self) -> &[Lstm; 2] {
        &self.directions
    }

    /// 2H, numbers per list.
    pub fn width(&self) -> usize {
        2 * self.directions[0].width()
    }

    /// Each direction with its space, and the first column and the width of its outputs.
    fn sides<'s>(
        &'s self,
        space: &'s mut [LstmWorkspace; 2],
    ) -> impl Iterator<Item = (&'s Lstm, &'s mut LstmWorkspace, [usize; 2])> {
        let sides = self.directions.iter().zip(space).enumerate();
        sides.map(|(side, (lstm, space))| (lstm, space, [side * lstm.width(), self.width()]))
    }

    /// Both last states of every list, to rows of `output` (lists × 2H).
    pub fn forward(
        &self,
        parameters: &Parameters,
        tokens: &[f32],
        starts: &[usize],
        space: &mut [LstmWorkspace; 2],
        output: &mut [f32],
    ) {
        for (lstm, space, place) in self.sides(space) {
            lstm.forward(parameters, tokens, starts, space, output, place);
        }
    }

    /// Adds the gradients of both directions.
    pub fn backward(
        &self,
        parameters: &Parameters,
        output_gradients: &[f32],
        space: &mut [LstmWorkspace; 2],
        gradients: &mut Gradients,
        mut token_gradients: Option<&mut [f32]>,
    ) {
        for (lstm, space, place) in self.sides(space) {
            let tokens = token_gradients.as_deref_mut();
            lstm.backward(parameters, output_gradients, place, space, gradients, tokens);
        }
    }

    /// The largest of every number over all states of both directions, to rows of `output` (lists × 2H).
    pub fn forward_max(
        &self,
        parameters: &Parameters,
        tokens: &[f32],
        starts: &[usize],
        space: &mut [LstmWorkspace; 2],
        output: &mut [f32],
    ) {
        for (lstm, space, place) in self.sides(space) {
            lstm.forward_max(parameters, tokens, starts, space, output, place);
        }
    }

    /// Adds the gradients of both directions, after [`forward_max`](Self::forward_max).
    pub fn backward_max(
        &self,
        parameters: &Parameters,
        output_gradients: &[f32],
        space: &mut [LstmWorkspace; 2],
        gradients: &mut Gradients,
    ) {
        for (lstm, space, place) in self.sides(space) {
            lstm.backward_max(parameters, output_gradients, place, space, gradients);
        }
    }
}
