//! The embedded model: `models/siamese-1` to `-4`, trained by `training/siamese`.

use super::model::{KIND, SiameseModel};
use crate::error::Result;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use tercet_model::model_file::ModelFile;
use tercet_model_siamese_1::SIAMESE_EN_1;
use tercet_model_siamese_2::SIAMESE_EN_2;
use tercet_model_siamese_3::SIAMESE_EN_3;
use tercet_model_siamese_4::SIAMESE_EN_4;

const PARTS: [&[u8]; 4] = [SIAMESE_EN_1, SIAMESE_EN_2, SIAMESE_EN_3, SIAMESE_EN_4];

static ENGLISH: LazyLock<Arc<SiameseModel>> = LazyLock::new(|| {
    let model = SiameseModel::english_file().and_then(|file| SiameseModel::from_file(&file));
    Arc::new(model.expect("its parts are whole, as a test says"))
});

impl SiameseModel {
    /// The embedded English model; it is read at the first call.
    pub fn english() -> &'static Arc<SiameseModel> {
        &ENGLISH
    }

    /// The file of the embedded English model.
    pub fn english_file() -> Result<ModelFile> {
        Ok(ModelFile::from_parts(Path::new("the embedded model of siamese"), PARTS, KIND)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_model_is_whole_and_small() {
        let model = SiameseModel::english();
        assert!(model.record().note("trained_on").is_some());
        assert_eq!((model.window(), model.record().hash.len()), (256, 8));
        assert!(PARTS.iter().map(|part| part.len()).sum::<usize>() <= 36_000_000);
        assert!(PARTS.iter().all(|part| part.len() < 10 << 20));
    }
}
