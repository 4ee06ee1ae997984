//! The mean of the vectors of a list's words (Guzmán et al., 2017, sec. 5.6: x = Eᵀ f / N).

/// The mean of each list; it has no parameters.
#[derive(Clone, Copy, Debug)]
pub struct Average {
    /// D, dimensions of a word's vector and of the mean.
    pub dimensions: usize,
}

impl Average {
    /// The mean of every list, to rows of `output` (lists × D).
    pub fn forward(&self, tokens: &[f32], starts: &[usize], output: &mut [f32]) {
        let d = self.dimensions;
        output.fill(0.0);
        for (list, mean) in starts.windows(2).zip(output.chunks_exact_mut(d)) {
            let share = 1.0 / (list[1] - list[0]).max(1) as f32;
            for token in tokens[list[0] * d..list[1] * d].chunks_exact(d) {
                mean.iter_mut().zip(token).for_each(|(sum, x)| *sum += x);
            }
            mean.iter_mut().for_each(|sum| *sum *= share);
        }
    }

    /// Adds the gradients of the tokens.
    pub fn backward(&self, starts: &[usize], output_gradients: &[f32], token_gradients: &mut [f32]) {
        let d = self.dimensions;
        for (list, gradient) in starts.windows(2).zip(output_gradients.chunks_exact(d)) {
            let share = 1.0 / (list[1] - list[0]).max(1) as f32;
            for token in token_gradients[list[0] * d..list[1] * d].chunks_exact_mut(d) {
                token.iter_mut().zip(gradient).for_each(|(sum, g)| *sum += share * g);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gradient_check::check_inputs;

    #[test]
    fn a_list_is_its_mean_and_an_empty_list_is_zero() {
        let mut output = [9.0; 6];
        Average { dimensions: 2 }.forward(&[1.0, 2.0, 3.0, 6.0, 5.0, 5.0], &[0, 2, 2, 3], &mut output);
        assert_eq!(output, [2.0, 4.0, 0.0, 0.0, 5.0, 5.0]);
    }

    #[test]
    fn gradients_agree_with_differences() {
        let tokens = [0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8];
        let (starts, weights) = ([0, 3, 4], [0.5, -1.0, 2.0, 0.25]);
        let average = Average { dimensions: 2 };
        let mut gradients = [0.0; 8];
        average.backward(&starts, &weights, &mut gradients);
        check_inputs(&tokens, &gradients, 1e-2, |tokens| {
            let mut output = [0.0; 4];
            average.forward(tokens, &starts, &mut output);
            output.iter().zip(weights).map(|(x, w)| f64::from(x * w)).sum()
        });
    }
}
