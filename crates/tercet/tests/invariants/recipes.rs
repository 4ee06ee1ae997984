//! Properties of recipes and model files: any text is read, or is an error that names the file.

use std::path::Path;
use tercet::train;
use tercet_model::model_file::ModelFile;

/// A recipe of any kind; what was read can be checked.
pub fn recipe(folder: &Path, text: &[u8]) {
    let path = folder.join("some-recipe.toml");
    std::fs::write(&path, text).expect("a scratch file can be written");
    match train::read(&path, None, None) {
        Ok(recipe) => {
            assert!(train::Kind::named(recipe.kind()).is_some());
            assert!(recipe.model_file().starts_with(folder) || recipe.model_file().is_absolute());
        }
        Err(error) => assert!(error.to_string().contains("some-recipe.toml"), "{error}"),
    }
}

/// A model file of any kind; what was read can be written and read again.
pub fn model_file(bytes: &[u8]) {
    let path = Path::new("some-model.safetensors");
    match ModelFile::from_bytes(path, bytes.to_vec(), "pairwise") {
        Ok(model) => {
            let written = model.to_bytes().expect("a model that was read can be written");
            let again = ModelFile::from_bytes(path, written, "pairwise").expect("a model that was written can be read");
            assert!(again.names().eq(model.names()));
        }
        Err(error) => assert!(error.to_string().contains("some-model.safetensors"), "{error}"),
    }
}
