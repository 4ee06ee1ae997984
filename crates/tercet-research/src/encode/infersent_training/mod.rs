//! Trains InferSent (Conneau, Kiela, Schwenk, Barrault & Bordes, EMNLP 2017) on pairs of sentences with entailment
//! labels.
//!
//! ```text
//! u, v    for each sentence: of every number the largest over all states of an LSTM in both directions
//! p(entailment, neutral, contradiction) = softmax(W_p tanh(W [u, v, |u − v|, u ⊙ v] + b) + b_p)
//! ```
//!
//! [`train`] goes from a [`InferSentRecipe`] to a model file, which [`InferSentEncoder`](super::InferSentEncoder) reads
//! as it reads the published weights. The network is [`tercet_learn::networks::RelationNetwork`].
//!
//! # Choices
//! The article's settings are the defaults: 2,048 units in each direction, one layer of 512 units, SGD at 0.1,
//! multiplied by 0.99 after each epoch and divided by 5 after one without a better development accuracy, batches of 64,
//! an end below 1e-5. The article does not give the function of the layer: it is tanh here. Gradients are clipped to
//! the norm 5 and there are 20 epochs at most, as in the published program. That program reads data that were split
//! into words before; here it is the encoder's tokenizer. Shorter sentences of a batch are not padded with zeros, which
//! the first version of the program took into its maximum.

mod data;
mod recipe;
#[cfg(test)]
mod tests;
mod training;

pub use recipe::{InferSentData, InferSentNetwork, InferSentRecipe, InferSentTraining, InferSentWords};
pub(super) use training::TrainedWords;
pub use training::train;
