//! The embedded models: crates in `models/`, trained by `training/siamese`, each left out of a build without its
//! feature.

use super::model::{KIND, SiameseModel};
use crate::error::Result;
use std::path::Path;
use std::sync::{Arc, LazyLock};
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

#[cfg(feature = "siamese-en-2")]
const ENGLISH: &[&[u8]] = &[
    tercet_model_siamese_en_2_1::SIAMESE_EN_2_1,
    tercet_model_siamese_en_2_2::SIAMESE_EN_2_2,
    tercet_model_siamese_en_2_3::SIAMESE_EN_2_3,
    tercet_model_siamese_en_2_4::SIAMESE_EN_2_4,
];
#[cfg(all(feature = "siamese", not(feature = "siamese-en-2")))]
const ENGLISH: &[&[u8]] = &[
    tercet_model_siamese_1::SIAMESE_EN_1,
    tercet_model_siamese_2::SIAMESE_EN_2,
    tercet_model_siamese_3::SIAMESE_EN_3,
    tercet_model_siamese_4::SIAMESE_EN_4,
];
#[cfg(not(any(feature = "siamese", feature = "siamese-en-2")))]
const ENGLISH: &[&[u8]] = &[];

#[cfg(feature = "siamese-multilingual")]
const MULTILINGUAL: &[&[u8]] = &[
    tercet_model_siamese_multilingual_1::SIAMESE_MULTILINGUAL_1,
    tercet_model_siamese_multilingual_2::SIAMESE_MULTILINGUAL_2,
    tercet_model_siamese_multilingual_3::SIAMESE_MULTILINGUAL_3,
    tercet_model_siamese_multilingual_4::SIAMESE_MULTILINGUAL_4,
    tercet_model_siamese_multilingual_5::SIAMESE_MULTILINGUAL_5,
    tercet_model_siamese_multilingual_6::SIAMESE_MULTILINGUAL_6,
    tercet_model_siamese_multilingual_7::SIAMESE_MULTILINGUAL_7,
];
#[cfg(not(feature = "siamese-multilingual"))]
const MULTILINGUAL: &[&[u8]] = &[];

#[cfg(feature = "siamese-fast")]
const FAST: &[&[u8]] = &[tercet_model_siamese_fast_1::SIAMESE_FAST_1, tercet_model_siamese_fast_2::SIAMESE_FAST_2];
#[cfg(not(feature = "siamese-fast"))]
const FAST: &[&[u8]] = &[];

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

    fn parts(self) -> &'static [&'static [u8]] {
        match self {
            Embedded::English => ENGLISH,
            Embedded::Multilingual => MULTILINGUAL,
            Embedded::Fast => FAST,
        }
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
