//! An encoder: tokenizer, network and what a folder says about them.

use crate::attention::RelativeBias;
use crate::config::Config;
use crate::files::unusable;
use crate::forward::{Network, NetworkSpace};
use crate::tokenizer::{TokenIds, Tokenizer, WordPiece};
use crate::weights::{StoredTensors, Weights, weights_file};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tercet_base::stop;
use tercet_math::rows::sum_of;
use tercet_model::Result;

/// What an encoder of a folder is computed with. One that is stored in a model file has its own:
/// [`Encoder::from_stored`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 32-bit floats.
    Single,
    /// Weights of 8 bits with one scale per row, activations of 12 to 15 bits.
    Int8,
}

/// How the vectors of tokens become that of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pooling {
    /// The mean of all tokens, the special ones included.
    Mean,
    /// The first token, `[CLS]`.
    First,
}

/// A sentence's vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Encoded {
    /// The vector of the sentence.
    pub sentence: Vec<f32>,
    /// The vectors of its tokens, one matrix per layer that was asked for, row by row.
    pub layers: Vec<Vec<f32>>,
    /// Whether the sentence was longer than the window.
    pub cut: bool,
}

/// A BERT-family encoder.
#[derive(Debug)]
pub struct Encoder {
    config: Config,
    tokenizer: Box<dyn Tokenizer>,
    network: Network,
}

/// Tokens that go through the network together: enough rows for the products, few enough for the caches.
const TOKENS: usize = 384;

impl Encoder {
    /// Reads a folder with configuration, tokenizer and weights.
    pub fn read(folder: &Path, precision: Precision) -> Result<Self> {
        if !folder.is_dir() {
            return Err(unusable(
                folder,
                "not a folder (a model is a folder with config.json, its tokenizer and its weights)",
            ));
        }
        let config = Config::read(folder)?;
        let tokenizer = WordPiece::read(folder)?;
        let weights = Weights::read(folder, precision)?;
        Self::new(folder, config, Box::new(tokenizer), weights)
    }

    /// An encoder whose tensors are in a model file, whose name is for messages. Weights that are stored as floats are
    /// computed in single precision; those that are stored as 8-bit integers with 7 bits, and activations of 8.
    pub fn from_stored(
        name: &Path,
        config: Config,
        tokenizer: Box<dyn Tokenizer>,
        tensors: &dyn StoredTensors,
    ) -> Result<Self> {
        Self::new(name, config, tokenizer, Weights::stored(name, tensors))
    }

    fn new(name: &Path, config: Config, tokenizer: Box<dyn Tokenizer>, mut weights: Weights<'_>) -> Result<Self> {
        let (tokens, rows) = (tokenizer.tokens(), weights.vocabulary());
        if let Some(rows) = rows.filter(|rows| *rows != tokens) {
            let what =
                format!("the tokenizer has {tokens} tokens, the weights have {rows}: they do not belong together");
            return Err(unusable(name, what));
        }
        let padding = tokenizer.padding();
        if let Some(place) = padding.first().filter(|_| !padding.contains(&config.padding)) {
            let what = format!(
                "the padding token of the tokenizer is number {place}, that of config.json {}: they do not belong \
                 together",
                config.padding
            );
            return Err(unusable(name, what));
        }
        let network = Network::read(&mut weights, &config)?;
        Ok(Encoder { config, tokenizer, network })
    }

    /// The files of a folder that decide the vectors, as far as they exist.
    pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
        const SMALL: [&str; 7] = [
            "config.json",
            "tokenizer.json",
            "vocab.txt",
            "tokenizer_config.json",
            "sentence_bert_config.json",
            "1_Pooling/config.json",
            "modules.json",
        ];
        let small = SMALL.iter().map(|name| folder.join(name)).filter(|path| path.is_file());
        Ok(small.chain([weights_file(folder)?]).collect())
    }

    /// Sizes, window, pooling.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The tokenizer.
    pub fn tokenizer(&self) -> &dyn Tokenizer {
        &*self.tokenizer
    }

    /// Sets whether sentence vectors are scaled to length 1; the folder decides by default.
    pub fn with_unit_length(mut self, unit_length: bool) -> Self {
        self.config.unit_length = unit_length;
        self
    }

    /// The tokens of a line, cut to the window.
    pub fn tokenize(&self, line: &str) -> TokenIds {
        self.tokenizer.encode(line, self.config.window)
    }

    /// The vectors of lines, with the token vectors of these layers (0 are the embeddings), on all threads.
    ///
    /// # Panics
    /// If a layer does not exist.
    pub fn encode(&self, lines: &[&str], layers: &[usize]) -> Vec<Encoded> {
        let tokens: Vec<TokenIds> = lines.par_iter().map(stop::carried(|line: &&str| self.tokenize(line))).collect();
        self.encode_tokens(&tokens, layers)
    }

    /// The same for sentences that are tokenized already.
    ///
    /// # Panics
    /// If a layer or a token does not exist, or a sentence is empty or longer than the window.
    pub fn encode_tokens(&self, sentences: &[TokenIds], layers: &[usize]) -> Vec<Encoded> {
        assert!(layers.iter().all(|layer| *layer <= self.config.layers), "the encoder has fewer layers");
        let mut ends = Vec::new();
        let mut tokens = 0;
        for (number, sentence) in sentences.iter().enumerate() {
            assert!((1..=self.config.window).contains(&sentence.ids.len()), "a sentence does not fit the window");
            tokens += sentence.ids.len();
            if tokens >= TOKENS || number + 1 == sentences.len() {
                ends.push(number + 1);
                tokens = 0;
            }
        }
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let groups: Vec<&[TokenIds]> = starts.zip(&ends).map(|(start, end)| &sentences[start..*end]).collect();
        let here = stop::here();
        let encoded = groups
            .par_iter()
            .map_init(NetworkSpace::default, |space, group| here.enter(|| self.encode_group(group, layers, space)));
        encoded.flatten_iter().collect()
    }

    /// The vectors of the tokens of a few sentences after this layer, on the current thread; those after it are not
    /// computed.
    ///
    /// # Panics
    /// As [`encode_tokens`](Encoder::encode_tokens).
    pub fn token_rows(&self, sentences: &[&[u32]], layer: usize) -> Vec<f32> {
        assert!(layer <= self.config.layers, "the encoder has fewer layers");
        let mut found = Vec::new();
        self.network.run(sentences, layer, &mut NetworkSpace::default(), |number, rows| {
            if number == layer {
                found = rows.to_vec();
            }
        });
        found
    }

    /// The bias of attention by distance, if the family has one.
    pub fn relative_bias(&self) -> Option<&Arc<RelativeBias>> {
        self.network.relative()
    }

    fn encode_group(&self, group: &[TokenIds], layers: &[usize], space: &mut NetworkSpace) -> Vec<Encoded> {
        let width = self.config.width;
        let new = |sentence: &TokenIds| Encoded {
            sentence: Vec::new(),
            layers: vec![Vec::new(); layers.len()],
            cut: sentence.cut,
        };
        let mut encoded: Vec<Encoded> = group.iter().map(new).collect();
        let ids: Vec<&[u32]> = group.iter().map(|sentence| sentence.ids.as_slice()).collect();
        self.network.run(&ids, self.config.layers, space, |layer, rows| {
            let is_last = layer == self.config.layers;
            let mut rest = rows;
            for (encoded, ids) in encoded.iter_mut().zip(&ids) {
                let (own, after) = rest.split_at(ids.len() * width);
                rest = after;
                for (kept, _) in encoded.layers.iter_mut().zip(layers).filter(|(_, kept)| **kept == layer) {
                    kept.extend_from_slice(own);
                }
                if is_last {
                    encoded.sentence = self.pool(own);
                }
            }
        });
        encoded
    }

    fn pool(&self, rows: &[f32]) -> Vec<f32> {
        let width = self.config.width;
        let mut sentence = rows[..width].to_vec();
        if self.config.pooling == Pooling::Mean {
            rows[width..].chunks_exact(width).for_each(|row| tercet_math::rows::add(&mut sentence, row));
            let count = (rows.len() / width) as f32;
            sentence.iter_mut().for_each(|number| *number /= count);
        }
        if self.config.unit_length {
            let length = sum_of(&sentence, |number| number * number).sqrt().max(1e-12);
            sentence.iter_mut().for_each(|number| *number /= length);
        }
        sentence
    }
}
