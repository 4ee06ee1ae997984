//! A model file: the network, what its numbers stand for, and where it comes from.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `dependency parser`:
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `words`, `upos`, `xpos`, `relations` | names in the order of their numbers, a line each |
//! | `network.…` | sizes and tensors, big ones as 8-bit integers with a scale per row |
//! | `about.…` | anything worth knowing: training data, seed, figures, recipe; `about.written`, if the treebanks write capitals or escapes (`reading`) |

use super::parser::DependencyParser;
use super::vocabulary::{Inventory, Numbering, Vocabulary};
use super::word_form::{CHARACTERS, SHAPES};
use crate::error::Result;
use crate::parse::input_normalisation::InputNormalisation;
use std::path::Path;
use tercet_learn::model_file::{Bytes, ModelFile};
use tercet_learn::networks::BiaffineNetwork;

/// The kind of file.
const KIND: &str = "dependency parser";

/// Before the names of the network's entries.
const NETWORK: &str = "network.";

/// A network with everything a parser needs, in a file to be.
pub fn pack(network: &BiaffineNetwork, numbering: &Numbering, notes: &[(String, String)]) -> ModelFile {
    let mut file = ModelFile::new(KIND);
    file.set_version();
    for (key, names) in [
        ("words", numbering.words.words()),
        ("upos", numbering.upos.names()),
        ("xpos", numbering.xpos.names()),
        ("relations", numbering.relations.names()),
    ] {
        file.set(key, &names.join("\n"));
    }
    network.store(NETWORK, true, &mut file);
    file.add_notes(notes);
    file
}

impl DependencyParser {
    /// Reads a model file.
    pub fn read(path: &Path) -> Result<Self> {
        DependencyParser::from_file(&ModelFile::read(path, KIND)?)
    }

    /// A model in bytes that were read from `path`.
    pub fn from_bytes(path: &Path, bytes: impl Bytes) -> Result<Self> {
        DependencyParser::from_file(&ModelFile::from_bytes(path, bytes, KIND)?)
    }

    /// A model in a file.
    pub(super) fn from_file(file: &ModelFile) -> Result<Self> {
        file.check_version()?;
        let numbering = Numbering {
            words: named(file, "words", Vocabulary::from_words)?,
            upos: named(file, "upos", Inventory::from_names)?,
            xpos: named(file, "xpos", Inventory::from_names)?,
            relations: named(file, "relations", Inventory::from_names)?,
        };
        let network = BiaffineNetwork::stored(NETWORK, file)?;
        check_sizes(file, &network, &numbering)?;
        let mut parser = DependencyParser::new(numbering, &network);
        parser.notes = file.notes();
        parser.hash = file.hash().to_owned();
        parser.normalisation = InputNormalisation::from_notes(&parser.notes);
        Ok(parser)
    }
}

/// The names of an entry, made into what knows their numbers.
fn named<T>(file: &ModelFile, key: &str, make: impl Fn(Vec<String>) -> Result<T>) -> Result<T> {
    let text = file.get(key)?;
    let names = if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() };
    make(names).map_err(|error| file.bad(format!("its entry `{key}`: {error} (take another copy)")).into())
}

/// Refuses parts of different sizes, which a file of ours never has.
fn check_sizes(file: &ModelFile, network: &BiaffineNetwork, numbering: &Numbering) -> Result<()> {
    let shape = network.shape();
    for (what, expected, found) in [
        ("words", numbering.words.len(), shape.encoder.words),
        ("parts of speech", numbering.upos.len(), shape.encoder.tags),
        ("fine parts of speech", numbering.xpos.len(), shape.fine_tags),
        ("relations", numbering.relations.len(), shape.labels),
        ("shapes", SHAPES, shape.encoder.shapes),
        ("characters", CHARACTERS, shape.encoder.characters),
    ] {
        if expected != found {
            let reason = format!("its network is for {found} {what}, but there are {expected}");
            return Err(file.bad(reason).into());
        }
    }
    Ok(())
}
