//! Metrics as jobs name them.

use crate::default_metrics::LEARNED;
use crate::error::{Error, Result};
use crate::metrics::{NamedMetric, Preference, Registry, SacrebleuMetric, Spec, read_sacrebleu_signature};
use crate::progress::Progress;
use crate::text::Language;
use crate::{Corpus, detect_language};
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

    /// The same metric by the source alone. Returns an error if it needs references.
    pub(super) fn without_references(&self, registry: &Registry) -> Result<MetricRequest> {
        let spec = self.spec()?;
        let Some((key, value)) = registry.find(&spec.to_string())?.without_references else {
            return Err(Error::NeedsReferences { metric: self.name.clone(), is_model: false });
        };
        let spec = if spec.option(key).is_some() { spec } else { spec.with_option(key, value) };
        Ok(MetricRequest { name: self.name.clone(), spec: spec.to_string() })
    }

    /// The same metrics, for a corpus without references as they score by the source alone. Returns an error if one
    /// cannot. The target language is that of the outputs, if it is not given.
    pub(super) fn suited(
        metrics: Vec<NamedMetric>,
        corpus: &Corpus<'_>,
        language: Option<&Language>,
        registry: &Registry,
    ) -> Result<Vec<NamedMetric>> {
        if corpus.has_references() {
            return Ok(metrics);
        }
        let language = language.cloned().or_else(|| detect_language(&corpus.lines_in_target()));
        Self::by_source(metrics, language.as_ref(), registry)
    }

    /// The same metrics as they score by the source alone. Returns an error if one cannot.
    pub(crate) fn by_source(
        metrics: Vec<NamedMetric>,
        language: Option<&Language>,
        registry: &Registry,
    ) -> Result<Vec<NamedMetric>> {
        let by_source = |named: NamedMetric| {
            let Some((key, value)) = named.metric.info().without_references else {
                return Err(Error::NeedsReferences { metric: named.name, is_model: false });
            };
            let spec = named.metric.signature().without_qualifiers();
            let spec = if spec.option(key).is_some() { spec } else { spec.with_option(key, value) };
            Ok(NamedMetric { name: named.name, ..registry.named(&spec.to_string(), language)? })
        };
        metrics.into_iter().map(by_source).collect()
    }

    /// Whether each of these metrics, or the default one if there are none, can do with the source alone. A model that
    /// is read later may still refuse.
    pub fn can_use_source(all: &[MetricRequest], registry: &Registry) -> bool {
        if all.is_empty() {
            return registry.without_references(LEARNED).is_ok_and(|spec| registry.build(&spec).is_ok());
        }
        let can =
            |metric: &MetricRequest| metric.spec().is_ok_and(|spec| registry.without_references(spec.name()).is_ok());
        all.iter().all(can)
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
