//! The model file: the tensors of the encoder, and what it must be used with.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `infersent`. The tensors have the names of the published
//! weights, `enc_lstm.weight_ih_l0` and so on, so that the encoder reads both alike; the layers that only the training needs
//! are not stored.
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `vectors` | the hash of the word vectors |
//! | `tokenizer`, `case` | how lines become words |
//! | `about.…` | notes: data, seed, accuracy, recipe |

use crate::encode::recurrent::{WordCase, Words};
use crate::error::{Error, Result};
use crate::text::Tokenizer;
use crate::vectors::WordVectors;
use std::path::Path;
use tercet_base::files;
use tercet_learn::networks::RelationNetwork;
use tercet_model::model_file::{ModelFile, ModelRecord, Values};

const KIND: &str = "infersent";

/// The prefix of the published names.
const PREFIX: &str = "enc_lstm.";

/// The words that a model was trained with.
#[derive(Debug)]
pub(crate) struct TrainedWords {
    pub(crate) words: Words,
    vectors: String,
}

impl TrainedWords {
    /// Words of a file that [`write`] has written; `None` for weights of other programs.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>> {
        let bytes = files::read(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        if !ModelFile::is_ours(&bytes) {
            return Ok(None);
        }
        let file = ModelFile::from_bytes(path, bytes, KIND)?;
        file.check_version()?;
        file.check_finite()?;
        let bad = |key: &str| file.bad(format!("its entry `{key}` is not known to this version"));
        let tokenizer = Tokenizer::from_name(file.get("tokenizer")?).map_err(|_| bad("tokenizer"))?;
        let case = file.get("case")?.parse::<WordCase>().map_err(|_| bad("case"))?;
        Ok(Some(TrainedWords { words: Words { tokenizer, case }, vectors: file.get("vectors")?.to_owned() }))
    }

    /// Returns an error if the model was trained with other word vectors; `path` is their file.
    pub(crate) fn check_vectors(&self, path: &Path, vectors: &WordVectors) -> Result<()> {
        if self.vectors == vectors.hash() {
            return Ok(());
        }
        Err(Error::Unusable(format!(
            "{}: word vectors {}, the encoder was trained with {}: they do not belong together",
            path.display(),
            vectors.hash(),
            self.vectors
        )))
    }
}

/// Writes a model atomically; the record gets its hash.
pub(super) fn write(
    path: &Path,
    network: &RelationNetwork,
    words: Words,
    vectors: &str,
    record: &mut ModelRecord,
) -> Result<()> {
    let mut file = ModelFile::new(KIND);
    file.set_version();
    file.set("vectors", vectors);
    file.set("tokenizer", words.tokenizer.name());
    file.set("case", words.case.name());
    for tensor in network.encoder() {
        file.add(&format!("{PREFIX}{}", tensor.name), tensor.shape, Values::F32(tensor.values));
    }
    Ok(file.write_with(record, path)?)
}
