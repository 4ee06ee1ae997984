//! The model file: the network, the names of its inputs and outputs, and notes on its training.
//!
//! A file of `tercet-learn` (safetensors with checked metadata) of the kind `dependency parser`:
//!
//! | entry | |
//! |---|---|
//! | `version` | of this table; 1 |
//! | `words`, `upos`, `xpos`, `relations` | names in the order of their numbers, one per line |
//! | `network.…` | sizes and tensors, big ones as 8-bit integers with a scale per row |
//! | `about.…` | notes: data, seed, scores, recipe; `about.written`, if the treebanks have capitals or escapes |
//!
//! The embedded model: `models/parsers/dependency-en.safetensors`, trained with `training/parser/dependency-en.toml`.

use super::parser::DependencyParser;
use super::vocabulary::{CHARACTERS, Inventory, Numbering, SHAPES, Vocabulary};
use crate::error::Result;
use crate::parse::input_normalisation::InputNormalisation;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tercet_learn::networks::BiaffineNetwork;
use tercet_model::model_file::{Bytes, ModelFile};
use tercet_model_parsers::DEPENDENCY_EN;

const KIND: &str = "dependency parser";

/// The prefix of the network's entries.
const NETWORK: &str = "network.";

/// The model file of a network.
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

    /// Reads the bytes of a model file. `path` is only used in error messages.
    pub fn from_bytes(path: &Path, bytes: impl Bytes) -> Result<Self> {
        DependencyParser::from_file(&ModelFile::from_bytes(path, bytes, KIND)?)
    }

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
        parser.record = file.record();
        parser.normalisation = InputNormalisation::from_notes(&parser.record.notes);
        Ok(parser)
    }
}

/// The names of an entry, converted by `make`.
fn named<T>(file: &ModelFile, key: &str, make: impl Fn(Vec<String>) -> Result<T>) -> Result<T> {
    let text = file.get(key)?;
    let names = if text.is_empty() { Vec::new() } else { text.split('\n').map(str::to_owned).collect() };
    make(names).map_err(|error| file.bad(format!("its entry `{key}`: {error} (take another copy)")).into())
}

/// Returns an error if the sizes of network and names differ.
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

static ENGLISH: LazyLock<Arc<DependencyParser>> = LazyLock::new(|| {
    let name = Path::new("the embedded dependency parser");
    Arc::new(DependencyParser::from_bytes(name, DEPENDENCY_EN).expect("its file is whole, as a test says"))
});

impl DependencyParser {
    /// The embedded English parser; it is read at the first call.
    pub fn english() -> &'static Arc<DependencyParser> {
        &ENGLISH
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_parser_has_notes() {
        let notes = |key: &str| DependencyParser::english().record().note(key).unwrap_or_default();
        assert!(notes("trained_on").starts_with("en_ewt-ud-train.conllu.gz (12544)"), "{}", notes("trained_on"));
        assert!(notes("recipe").contains("kind = \"dependency\""));
        let parse = DependencyParser::english().parse_one(&["The", "dog", "barked", "."]);
        assert_eq!(parse.upos, ["DET", "NOUN", "VERB", "PUNCT"]);
        assert_eq!(parse.heads, [2, 3, 0, 3]);
        assert_eq!(parse.labels, ["det", "nsubj", "root", "punct"]);
    }
}
