//! Metrics as jobs name them.

use crate::error::Result;
use crate::metrics::{NamedMetric, Preference, Registry, SacrebleuMetric, Spec, read_sacrebleu_signature};
use crate::progress::Progress;
use crate::text::Language;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A metric that is asked for: `name`, `name:key=value,key=value`, or a signature, also one of sacreBLEU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct MetricRequest {
    /// Its name in results: the text.
    pub name: String,
    /// What it is built from: the text, perhaps with other paths of files.
    pub spec: String,
}

impl From<String> for MetricRequest {
    fn from(text: String) -> Self {
        MetricRequest { name: text.clone(), spec: text }
    }
}

impl From<&str> for MetricRequest {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<MetricRequest> for String {
    fn from(request: MetricRequest) -> Self {
        request.name
    }
}

impl MetricRequest {
    fn read(&self) -> Result<SacrebleuMetric> {
        match read_sacrebleu_signature(&self.spec) {
            Some(read) => read,
            None => Ok(SacrebleuMetric { spec: Spec::parse("metric", &self.spec)?, warnings: Vec::new() }),
        }
    }

    /// Its name and options, without those that follow from the language.
    pub fn spec(&self) -> Result<Spec> {
        Ok(self.read()?.spec)
    }

    /// Returns an error if there is no such metric or option; no file is read.
    pub fn check(&self, registry: &Registry) -> Result<()> {
        match read_sacrebleu_signature(&self.spec) {
            Some(read) => registry.find(&read?.spec.to_string()).map(drop),
            None => registry.find(&self.spec).map(drop),
        }
    }

    /// Builds it for a language.
    pub fn build(
        &self,
        language: Option<&Language>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<NamedMetric> {
        let read = self.read()?;
        super::warn_all(read.warnings, progress)?;
        let built = registry.named(&read.spec.to_string(), language)?;
        Ok(NamedMetric { name: self.name.clone(), ..built })
    }

    /// Builds its preference for a language.
    pub fn preference(
        &self,
        language: Option<&Language>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Arc<dyn Preference>> {
        let read = self.read()?;
        super::warn_all(read.warnings, progress)?;
        registry.preference(&read.spec.to_string(), language)
    }

    /// Builds the metrics of these names. All of them are checked before files are read.
    pub fn build_all(
        all: &[MetricRequest],
        language: Option<&Language>,
        registry: &Registry,
        progress: Progress<'_>,
    ) -> Result<Vec<NamedMetric>> {
        all.iter().try_for_each(|metric| metric.check(registry))?;
        all.iter().map(|one| one.build(language, registry, progress)).collect()
    }
}
