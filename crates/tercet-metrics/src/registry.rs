//! Metrics by name.

use super::other_tool::other_tool;
use super::{Direction, LogisticPreference, Metric, MetricInfo, NamedMetric, Preference, slopes};
use super::{bleu, cer, character, chrf, cider, eed, gleu, gtm, mer, meteor, nist, overlap, per};
use super::{ribes, rouge, ter, terp, wer, wil};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::spec::{Options, Spec};
use crate::text::Language;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The word for a metric in messages.
pub(super) const METRIC: &str = "metric";

/// The lexical metrics, in the order of listings.
static LEXICAL: &[&MetricInfo] = &[
    &bleu::INFO,
    &bleu::SENTBLEU,
    &gleu::INFO,
    &nist::INFO,
    &meteor::INFO,
    &chrf::INFO,
    &ter::INFO,
    &terp::INFO,
    &wer::INFO,
    &mer::INFO,
    &wil::INFO,
    &wil::WIP,
    &per::INFO,
    &cer::INFO,
    &character::INFO,
    &eed::INFO,
    &rouge::INFO,
    &gtm::INFO,
    &overlap::INFO,
    &ribes::INFO,
    &cider::INFO,
];

/// The metrics that can be built by name, and what they share.
///
/// A program makes one, adds metrics of its own, and passes it to whatever takes the name of a metric: recipes,
/// features of learned metrics, files of scores.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    metrics: Vec<&'static MetricInfo>,
    context: Context,
}

impl Registry {
    /// A registry of the lexical metrics.
    pub fn lexical() -> Self {
        Registry { metrics: LEXICAL.to_vec(), context: Context::default() }
    }

    /// Adds a metric. Fails if the name is taken, or is not in lower-case letters, digits, `_`, `-`, `.` and `+`.
    pub fn add(&mut self, info: &'static MetricInfo) -> Result<()> {
        let is_name = |name: &&str| {
            let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.+".contains(c);
            !name.is_empty() && name.chars().all(allowed)
        };
        if let Some(name) = info.names().find(|name| !is_name(name)) {
            return Err(Error::BadMetricName { name: name.to_owned() });
        }
        let is_taken = |name: &&str| self.metrics.iter().any(|known| known.names().any(|taken| taken == *name));
        match info.names().find(is_taken) {
            Some(name) => Err(Error::MetricNameTaken { name: name.to_owned() }),
            None => {
                self.metrics.push(info);
                Ok(())
            }
        }
    }

    /// The same registry with further metrics, whose names are known to be free.
    ///
    /// # Panics
    /// If a name is taken or [not allowed](Registry::add).
    #[must_use]
    pub fn with(mut self, metrics: &[&'static MetricInfo]) -> Self {
        metrics.iter().for_each(|info| self.add(info).expect("a name that is free"));
        self
    }

    /// All metrics, in the order of listings.
    pub fn metrics(&self) -> &[&'static MetricInfo] {
        &self.metrics
    }

    /// What the metrics of this registry share.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The entry of a metric by name or alias, with or without options. Nothing is built.
    pub fn find(&self, text: &str) -> Result<&'static MetricInfo> {
        Ok(self.resolve(&self.parse(text)?)?.0)
    }

    /// A metric as it scores by the source alone, by its name. Returns an error if it needs references.
    pub fn without_references(&self, name: &str) -> Result<String> {
        let info = self.find(name)?;
        match info.without_references {
            Some((key, value)) => Ok(Spec::new(info.name).with_option(key, value).to_string()),
            None => Err(Error::NeedsReferences { metric: name.to_owned(), is_model: false }),
        }
    }

    /// Which end of the scale of a metric is good, by its name; `None` for names that are not known, and for metrics
    /// that need a model, since scores of that name may come from any model.
    pub fn direction(&self, text: &str) -> Option<Direction> {
        self.find(text).ok().filter(|info| info.needs.is_none()).map(|info| info.direction)
    }

    /// Builds a metric from `name:key=value,key=value`, or from a signature as printed. Fails if the
    /// resources found are not those of the signature.
    pub fn build(&self, text: &str) -> Result<Arc<dyn Metric>> {
        self.build_spec(&self.parse(text)?)
    }

    fn build_spec(&self, spec: &Spec) -> Result<Arc<dyn Metric>> {
        let (info, options) = self.resolve(spec)?;
        let metric = (info.build)(options, self)?;
        spec.check_qualifiers(METRIC, &metric.signature())?;
        Ok(metric)
    }

    /// Builds a metric [for a language](Registry::for_language), if one is given, and names it by this text.
    pub fn named(&self, text: &str, language: Option<&Language>) -> Result<NamedMetric> {
        let metric = match language {
            Some(language) => self.build_spec(&self.for_language(text, language)?)?,
            None => self.build(text)?,
        };
        Ok(NamedMetric::new(text, metric))
    }

    /// The [`Preference`] of a metric, written as for [`Registry::build`]: its own if it has one, or else a
    /// [`LogisticPreference`] with its fitted slope.
    ///
    /// Signatures of the latter have `|slope=…`, and this slope is then used, so that probabilities of an earlier
    /// version can be reproduced; `chrf|slope=0.1` is chrF with a slope of your own. A metric with other options than
    /// the default has the same slope, since its scale is the same; for exact probabilities fit your own.
    pub fn preference(&self, text: &str, language: Option<&Language>) -> Result<Arc<dyn Preference>> {
        let spec = match language {
            Some(language) => self.for_language(text, language)?,
            None => self.parse(text)?,
        };
        let (info, options) = self.resolve(&spec)?;
        let given = spec.qualifier("slope");
        let Some(native) = info.preference else {
            let slope = slopes::slope(info, &spec.without_qualifiers(), given)?;
            return Ok(Arc::new(LogisticPreference::new(self.build_spec(&spec)?, slope)));
        };
        if given.is_some() {
            let reason = format!("{} has its own preference and no slope", info.name);
            return Err(Error::BadSpec { what: METRIC, text: text.to_owned(), reason });
        }
        let preference = native(options, self)?;
        spec.check_qualifiers(METRIC, &preference.signature())?;
        Ok(preference)
    }

    /// The same metric with relative paths of files resolved against a folder.
    pub fn relative_to(&self, text: &str, folder: &Path) -> Result<String> {
        let (_, mut options) = self.resolve(&self.parse(text)?)?;
        options.resolve_files(folder)?;
        Ok(options.spec().to_string())
    }

    /// The files and folders that the options of a metric name. Nothing is built or read.
    pub fn named_files(&self, text: &str) -> Result<Vec<PathBuf>> {
        Ok(self.resolve(&self.parse(text)?)?.1.files())
    }

    /// Parses the text form of a metric. An unknown name is the error that is reported, whatever follows it.
    fn parse(&self, text: &str) -> Result<Spec> {
        Spec::parse(METRIC, text).or_else(|error| {
            let name = text.split([':', '|']).next().unwrap_or(text);
            self.resolve(&Spec::new(name.trim())).and(Err(error))
        })
    }

    /// The entry of the metric in a spec, and its options.
    pub(super) fn resolve(&self, spec: &Spec) -> Result<(&'static MetricInfo, Options)> {
        let name = spec.name().to_lowercase();
        for &info in &self.metrics {
            let is_it = info.name == name || info.aliases.iter().any(|(alias, _)| *alias == name);
            // A signature of scores without references, which this metric cannot give.
            if is_it && info.without_references.is_none() && spec.qualifier("refs") == Some("0") {
                return Err(Error::NeedsReferences { metric: spec.name().to_owned(), is_model: false });
            }
            if info.name == name {
                return Ok((info, info.declared().read(spec)?));
            }
            if let Some((_, stands_for)) = info.aliases.iter().find(|(alias, _)| *alias == name) {
                let mut options = info.declared().read(&Spec::parse(METRIC, stands_for)?)?;
                spec.options().iter().try_for_each(|(key, value)| options.set(key, value))?;
                return Ok((info, options));
            }
        }
        if name.contains(',') {
            let reason = "it names several metrics: ask for each by itself".to_owned();
            return Err(Error::BadSpec { what: METRIC, text: spec.to_string(), reason });
        }
        match other_tool(&name) {
            Some(tool) => Err(Error::MetricOfOtherTool { name: spec.name().to_owned(), tool }),
            None => Err(Error::unknown_name(METRIC, &name, self.names())),
        }
    }

    /// The names of all metrics, then their aliases.
    fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        let aliases = self.metrics.iter().flat_map(|info| info.aliases).map(|(alias, _)| *alias);
        self.metrics.iter().map(|info| info.name).chain(aliases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Segment, Tally};

    /// A metric that scores by what it was prepared with.
    struct Prepared(f64);

    impl Metric for Prepared {
        fn info(&self) -> &MetricInfo {
            &PREPARED
        }

        fn prepare(&self, references: &[&[&str]]) -> Result<Option<Arc<dyn Metric>>> {
            Ok(Some(Arc::new(Prepared(references.len() as f64))))
        }

        fn tally(&self, batch: &[Segment<'_>]) -> Result<Vec<Tally>> {
            Ok(vec![Tally::new(vec![1.0, 1.0]); batch.len()])
        }

        fn score(&self, total: &Tally) -> f64 {
            total.mean() + self.0
        }
    }

    static PREPARED: MetricInfo =
        MetricInfo { name: "prepared", ..MetricInfo::new(|_, _| Ok(Arc::new(Prepared(0.0)))) };

    #[test]
    fn an_unknown_name_is_reported_before_malformed_options() {
        for text in ["blue:x", "blue", "blue|x", "blue:tok=1,tok=2"] {
            let error = Registry::lexical().build(text).err().unwrap().to_string();
            assert!(error.contains("did you mean `bleu`?"), "{text}: {error}");
        }
        let error = Registry::lexical().build("bleu:x").err().unwrap().to_string();
        assert!(error.contains("`x` is not key=value"), "{error}");
    }

    #[test]
    fn files_are_named_by_options_that_are_not_at_their_default() {
        let files = |text: &str| Registry::lexical().named_files(text).unwrap();
        assert_eq!(files("meteor:data=a/b,paraphrase=c"), [Path::new("a/b"), Path::new("c")]);
        for text in ["bleu:tok=char", "meteor:data=auto", "chrf++"] {
            assert!(files(text).is_empty(), "{text}");
        }
        assert!(Registry::lexical().named_files("blue:model=x").is_err());
    }

    #[test]
    fn a_metric_from_outside_is_found_by_name_and_scores_as_prepared() {
        let mut registry = Registry::lexical();
        registry.add(&PREPARED).unwrap();
        let metric = registry.build("prepared").unwrap();
        let references = ["a"];
        let segments = [Segment::new("a", &references), Segment::new("b", &references)];
        assert_eq!(metric.corpus_score(&segments).unwrap(), 3.0);
        assert_eq!(metric.segment_scores(&segments).unwrap(), [3.0, 3.0]);
        assert!(Registry::lexical().build("prepared").is_err());
        let taken = registry.add(&PREPARED).unwrap_err().to_string();
        assert_eq!(taken, "there is already a metric called prepared");
        static SHOUTED: MetricInfo =
            MetricInfo { name: "Shouted", ..MetricInfo::new(|_, _| Ok(Arc::new(Prepared(0.0)))) };
        let refused = registry.add(&SHOUTED).unwrap_err().to_string();
        assert!(refused.starts_with("a metric cannot be called `Shouted`"), "{refused}");
    }
}
