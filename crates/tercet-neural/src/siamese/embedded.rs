//! The embedded models: crates in `models/`, trained by `training/siamese`, each left out of a build without its
//! feature. The command adds those beside the English one itself ([`Embedded::add`]).

use super::model::{KIND, SiameseModel};
use crate::error::Result;
use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};
use tercet_model::model_file::ModelFile;

/// A model that can be part of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedded {
    /// For English, with references.
    English,
    /// For many languages, with references, the source, or both.
    Multilingual,
    /// For English, with references: smaller and faster.
    Fast,
}

#[cfg(feature = "siamese")]
const ENGLISH: Parts = tercet_model_siamese::ENGLISH;
#[cfg(not(feature = "siamese"))]
const ENGLISH: Parts = &[];

#[cfg(feature = "siamese-multilingual")]
const MULTILINGUAL: Parts = tercet_model_siamese::MULTILINGUAL;
#[cfg(not(feature = "siamese-multilingual"))]
const MULTILINGUAL: Parts = &[];

#[cfg(feature = "siamese-fast")]
const FAST: Parts = tercet_model_siamese::FAST;
#[cfg(not(feature = "siamese-fast"))]
const FAST: Parts = &[];

/// The parts of a model, in order.
type Parts = &'static [&'static [u8]];

/// What a program has added.
static ADDED: [OnceLock<Parts>; 3] = [const { OnceLock::new() }; 3];

type Opened = LazyLock<Option<Arc<SiameseModel>>>;

static OPENED: [Opened; 3] = [
    LazyLock::new(|| Embedded::English.read()),
    LazyLock::new(|| Embedded::Multilingual.read()),
    LazyLock::new(|| Embedded::Fast.read()),
];

impl Embedded {
    /// What it is for.
    pub fn purpose(self) -> &'static str {
        match self {
            Embedded::English => "English with references",
            Embedded::Multilingual => "other languages than English, and for sources",
            Embedded::Fast => "many lines",
        }
    }

    fn parts(self) -> Parts {
        let own = match self {
            Embedded::English => ENGLISH,
            Embedded::Multilingual => MULTILINGUAL,
            Embedded::Fast => FAST,
        };
        if own.is_empty() { ADDED[self as usize].get().copied().unwrap_or_default() } else { own }
    }

    /// Adds the parts of this model to a program, before any metric is built. The features of this crate do so for a
    /// library; a program that adds a model itself keeps it out of all others that are compiled with it.
    pub fn add(self, parts: Parts) {
        // A second time, it is the same model.
        let _ = ADDED[self as usize].set(parts);
    }

    /// Whether this program has it.
    pub fn is_there(self) -> bool {
        !self.parts().is_empty()
    }

    /// The model, if this program has it; it is read at the first call.
    pub fn model(self) -> Option<&'static Arc<SiameseModel>> {
        OPENED[self as usize].as_ref()
    }

    fn read(self) -> Option<Arc<SiameseModel>> {
        let model = self.is_there().then(|| self.file().and_then(|file| SiameseModel::from_file(&file)));
        model.map(|model| Arc::new(model.expect("its parts are whole, as a test says")))
    }

    /// The file of the model.
    pub fn file(self) -> Result<ModelFile> {
        Ok(ModelFile::from_parts(Path::new("the embedded model of siamese"), self.parts().iter().copied(), KIND)?)
    }
}

#[cfg(all(test, feature = "siamese"))]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_models_are_whole_and_small() {
        let model = Embedded::English.model().unwrap();
        assert!(model.record().note("trained_on").is_some());
        assert_eq!((model.window(), model.record().hash.len()), (256, 8));
        for (embedded, most) in
            [(Embedded::English, 36_000_000), (Embedded::Multilingual, 50_000_000), (Embedded::Fast, 12_000_000)]
        {
            assert_eq!(embedded.model().is_some(), embedded.is_there());
            assert!(embedded.parts().iter().map(|part| part.len()).sum::<usize>() <= most, "{embedded:?}");
            assert!(embedded.parts().iter().all(|part| part.len() < 10 << 20), "{embedded:?}");
        }
    }
}
