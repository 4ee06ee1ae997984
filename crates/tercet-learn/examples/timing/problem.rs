//! The data and the network: generated from a seed, stored in a safetensors file.
//!
//! | tensor | |
//! |---|---|
//! | `vectors` | 3N × 75: a, b and c of a pair, one after another (`pairs`) |
//! | `lengths`, `words` | 3N numbers of words, and the words of all lists (`lists`) |
//! | `skips` | 2N × 4: those of a and of b |
//! | `targets` | N: whether a is better |
//! | `order` | N: the pairs in the order of the first epoch |
//! | `network.…` | the network, as `store` writes it |
//!
//! Whole numbers are kept as `f32`, which holds these exactly.

use std::path::Path;
use tercet_learn::Result;
use tercet_learn::networks::{
    Architecture, EncodedExamples, EncodedPairNetwork, EncodedPairShape, Encoding, Example, FineTuning, Gate, Lists,
    PairExamples, PairNetwork, PairSettings, PairShape,
};
use tercet_learn::optimizer::OptimizerSettings;
use tercet_math::Matrix;
use tercet_math::random::Random;
use tercet_model::model_file::{ModelFile, Values};

const KIND: &str = "timing";
const SEED: u64 = 1;
const SKIPS: usize = 4;
const WORDS: usize = 10_000;

pub enum Problem {
    Pairs(PairNetwork, PairExamples),
    Lists(Box<EncodedPairNetwork>, EncodedExamples),
}

impl Problem {
    /// The papers' settings. Biases decay with the weights, so that PyTorch needs one group of parameters; with lists
    /// nothing does, since its sparse gradients cannot.
    pub fn settings(&self, epochs: usize) -> PairSettings {
        let papers = OptimizerSettings::default();
        let weight_decay = match self {
            Problem::Pairs(..) => papers.weight_decay,
            Problem::Lists(..) => 0.0,
        };
        let optimizer = OptimizerSettings { weight_decay, decay_biases: true, ..papers };
        PairSettings { epochs, optimizer, symmetric: false, seed: SEED, ..PairSettings::default() }
    }
}

pub fn make_pairs(path: &Path, pairs: usize) -> Result<()> {
    let shape = PairShape { architecture: Architecture::Groups, vector: 75, skip: SKIPS, hidden: 4 };
    let mut random = Random::stream(SEED, "timing", 0);
    let mut file = ModelFile::new(KIND);
    add(&mut file, "vectors", [3 * pairs, shape.vector], &mut || random.uniform(-1.0, 1.0));
    add_pairs(&mut file, pairs, &mut random);
    PairNetwork::new(shape, SEED)?.store("network.", &mut file);
    Ok(file.write(path)?)
}

pub fn make_lists(path: &Path, pairs: usize) -> Result<()> {
    let shape = EncodedPairShape {
        architecture: Architecture::Groups,
        hidden: 4,
        skip: SKIPS,
        fixed: 0,
        encoding: Encoding::BidirectionalLstm { units: 50, gate: Gate::Logistic },
        fine_tuning: FineTuning::Full,
        embedding_dropout: 0.0,
        hidden_dropout: 0.0,
    };
    let mut random = Random::stream(SEED, "timing", 1);
    let mut file = ModelFile::new(KIND);
    let lengths: Vec<f32> = (0..3 * pairs).map(|_| (15 + random.below(21)) as f32).collect();
    let words = lengths.iter().sum::<f32>() as usize;
    add(&mut file, "words", [1, words], &mut || random.below(WORDS as u64) as f32);
    file.add("lengths", vec![lengths.len()], Values::F32(lengths));
    add_pairs(&mut file, pairs, &mut random);
    let embedding = (0..WORDS * 50).map(|_| random.uniform(-1.0, 1.0)).collect();
    let embedding = Matrix::new(WORDS, 50, embedding)?;
    EncodedPairNetwork::new(shape, embedding.into(), SEED)?.store("network.", &mut file);
    Ok(file.write(path)?)
}

/// Tensors that both kinds have.
fn add_pairs(file: &mut ModelFile, pairs: usize, random: &mut Random) {
    add(file, "skips", [2 * pairs, SKIPS], &mut || random.uniform(-1.0, 1.0));
    add(file, "targets", [1, pairs], &mut || f32::from(random.bernoulli(0.5)));
    let mut order: Vec<f32> = (0..pairs).map(|pair| pair as f32).collect();
    Random::stream(SEED, "shuffle", 1).shuffle(&mut order);
    file.add("order", vec![pairs], Values::F32(order));
}

fn add(file: &mut ModelFile, name: &str, shape: [usize; 2], number: &mut dyn FnMut() -> f32) {
    let values = (0..shape[0] * shape[1]).map(|_| number()).collect();
    file.add(name, shape.to_vec(), Values::F32(values));
}

pub fn read(path: &Path) -> Result<Problem> {
    let file = ModelFile::read(path, KIND)?;
    let targets = file.f32("targets")?;
    let skips = Matrix::new(2 * targets.len(), SKIPS, file.f32("skips")?.to_vec())?;
    let examples: Vec<Example> = targets.iter().zip(0..).map(example).collect();
    if file.has("vectors") {
        let network = PairNetwork::stored("network.", &file)?;
        let values = file.f32("vectors")?.to_vec();
        let vectors = Matrix::new(3 * targets.len(), network.shape().vector, values)?;
        return Ok(Problem::Pairs(network, PairExamples { vectors, skips, examples }));
    }
    let network = EncodedPairNetwork::stored("network.", &file)?;
    let (mut lists, mut words) = (Lists::default(), file.f32("words")?.iter());
    for length in file.f32("lengths")? {
        lists.push(words.by_ref().take(*length as usize).map(|word| *word as u32));
    }
    let set = EncodedExamples { lists, fixed: Matrix::default(), skips, examples };
    Ok(Problem::Lists(Box::new(network), set))
}

/// Every pair has its own items.
fn example((target, pair): (&f32, u32)) -> Example {
    let (a, b, c) = (3 * pair, 3 * pair + 1, 3 * pair + 2);
    Example { a, b, c, skip_a: 2 * pair, skip_b: 2 * pair + 1, target: *target }
}
