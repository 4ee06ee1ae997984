//! The metrics and encoders whose numbers a model reads, and their entries in its file.

use super::features::{Feature, MeasuredFeature};
use crate::encode::SentenceEncoder;
use crate::error::{Error, Result};
use crate::metrics::Registry;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use tercet_model::model_file::ModelFile;

/// The features and encoders of a model.
pub(crate) struct ModelInputs {
    pub features: Vec<MeasuredFeature>,
    pub encoders: Vec<Arc<dyn SentenceEncoder>>,
    /// The encoders as written, with the paths of their files.
    texts: Vec<String>,
}

/// The features and encoders that a file names.
pub(crate) struct StoredInputs {
    /// Features with their full signatures.
    pub features: Vec<String>,
    /// Encoders as written, and what they were in training.
    pub encoders: Vec<(String, String)>,
}

impl ModelInputs {
    /// These features, and encoders with their texts.
    pub fn new(
        features: &[Feature],
        texts: Vec<String>,
        encoders: Vec<Arc<dyn SentenceEncoder>>,
        registry: &Registry,
    ) -> Result<Self> {
        let measured = |feature| MeasuredFeature::new(feature, registry);
        let features = features.iter().map(measured).collect::<Result<_>>()?;
        Ok(ModelInputs { features, encoders, texts })
    }

    /// The stored ones, as `feature` and `encoder` build them.
    pub fn open(
        stored: StoredInputs,
        feature: impl Fn(&str) -> Result<MeasuredFeature>,
        encoder: impl Fn(&str, &str) -> Result<Arc<dyn SentenceEncoder>>,
    ) -> Result<Self> {
        let features = stored.features.iter().map(|text| feature(text)).collect::<Result<_>>()?;
        let encoders = stored.encoders.iter().map(|(text, kind)| encoder(text, kind)).collect::<Result<_>>()?;
        let texts = stored.encoders.into_iter().map(|(text, _)| text).collect();
        Ok(ModelInputs { features, encoders, texts })
    }

    /// Adds them to a file, with the names of the features' columns.
    pub fn store(&self, columns: &[String], file: &mut ModelFile) -> Result<()> {
        let features: Vec<String> = self.features.iter().map(MeasuredFeature::signature).collect();
        let kinds = self.encoders.iter().map(|encoder| encoder.kind().to_string());
        let encoders: Vec<(&String, String)> = self.texts.iter().zip(kinds).collect();
        set_json(file, "features", &features)?;
        set_json(file, "columns", columns)?;
        set_json(file, "encoders", &encoders)
    }

    /// Returns an error if the columns that `model` was trained with are not those of the features.
    pub fn check_columns(&self, trained: &[String], model: &str) -> Result<(), String> {
        let mut rest = trained.iter();
        let differ = |trained: Option<&String>, found: &str| {
            let trained = trained.map_or("nothing", String::as_str);
            Err(format!("its {model} was trained with {trained} where its features give {found}"))
        };
        for feature in &self.features {
            for name in feature.column_names().map_err(|error| error.to_string())? {
                let trained = rest.next();
                if trained.is_none_or(|trained| feature.without_files(trained) != name) {
                    return differ(trained, &name);
                }
            }
        }
        rest.next().map_or(Ok(()), |left| differ(Some(left), "nothing"))
    }
}

impl StoredInputs {
    /// Those of a file.
    pub fn read(file: &ModelFile) -> Result<Self> {
        Ok(StoredInputs { features: from_json(file, "features")?, encoders: from_json(file, "encoders")? })
    }
}

/// Sets an entry of a file to a value in JSON.
pub(crate) fn set_json<T: Serialize + ?Sized>(file: &mut ModelFile, key: &str, value: &T) -> Result<()> {
    let json = serde_json::to_string(value);
    let json = json.map_err(|error| Error::Unusable(format!("the model cannot be written: {error}")))?;
    file.set(key, &json);
    Ok(())
}

/// An entry of a file that is a value in JSON.
pub(crate) fn from_json<T: DeserializeOwned>(file: &ModelFile, key: &str) -> Result<T> {
    let bad = |error| Error::Unusable(format!("the model's entry `{key}` cannot be read: {error}"));
    serde_json::from_str(file.get(key)?).map_err(bad)
}
