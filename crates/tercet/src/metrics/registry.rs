//! Metrics by name: those of tercet, and registered ones.

use super::{Direction, LogisticPreference, Metric, MetricInfo, Preference, Scale, slopes};
#[cfg(feature = "learned")]
use super::{bertscore, blend, pairwise, reval, ruse, siamese};
use super::{bleu, cer, character, chrf, gtm, meteor, nist, overlap, per, rouge, ter, terp, wer};
use crate::error::{Error, Result};
use crate::spec::{Options, Spec};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

/// The word for a metric in messages.
pub(super) const METRIC: &str = "metric";

/// All metrics of tercet, in the order of listings.
pub static METRICS: &[&MetricInfo] = &[
    &bleu::INFO,
    &bleu::SENTBLEU,
    &nist::INFO,
    &meteor::INFO,
    &chrf::INFO,
    &ter::INFO,
    &terp::INFO,
    &wer::INFO,
    &per::INFO,
    &cer::INFO,
    &character::INFO,
    &rouge::INFO,
    &gtm::INFO,
    &overlap::INFO,
    #[cfg(feature = "learned")]
    &bertscore::INFO,
    #[cfg(feature = "learned")]
    &pairwise::INFO,
    #[cfg(feature = "learned")]
    &reval::INFO,
    #[cfg(feature = "learned")]
    &ruse::INFO,
    #[cfg(feature = "learned")]
    &blend::INFO,
    #[cfg(feature = "learned")]
    &siamese::INFO,
];

static REGISTERED: RwLock<Vec<&'static MetricInfo>> = RwLock::new(Vec::new());

/// Registers a metric, so that [`build`] and everything that takes the name of a metric finds it: features of learned
/// metrics, recipes, directions of score files. Fails if the name is taken, or is not in lower-case letters, digits, `_`,
/// `-`, `.` and `+`.
pub fn register(info: &'static MetricInfo) -> Result<()> {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    let names = |info: &MetricInfo| -> Vec<&'static str> {
        std::iter::once(info.name).chain(info.aliases.iter().map(|(alias, _)| *alias)).collect()
    };
    let is_name = |name: &&str| {
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.+".contains(c);
        !name.is_empty() && name.chars().all(allowed)
    };
    if let Some(name) = names(info).into_iter().find(|name| !is_name(name)) {
        let allowed = "lower-case letters, digits, _, -, . and +";
        return Err(Error::BadRequest(format!("a metric cannot be called `{name}`: expected {allowed}")));
    }
    let taken: Vec<&str> = METRICS.iter().chain(registered.iter()).flat_map(|info| names(info)).collect();
    match names(info).into_iter().find(|name| taken.contains(name)) {
        Some(name) => Err(Error::BadRequest(format!("there is already a metric called {name}"))),
        None => {
            registered.push(info);
            Ok(())
        }
    }
}

/// All metrics: those of tercet, then those that were [registered](register).
pub fn all() -> Vec<&'static MetricInfo> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    METRICS.iter().chain(registered.iter()).copied().collect()
}

/// The entry of a metric by name or alias, with or without options. Nothing is built.
pub fn find(text: &str) -> Result<&'static MetricInfo> {
    Ok(resolve(&parse(text)?)?.0)
}

/// Parses the text form of a metric. An unknown name is the error that is reported, whatever follows it.
fn parse(text: &str) -> Result<Spec> {
    Spec::parse(METRIC, text).or_else(|error| {
        let name = text.split([':', '|']).next().unwrap_or(text);
        resolve(&Spec::new(name.trim())).and(Err(error))
    })
}

/// Which end of the scale of a metric is good, by its name; `None` for names that are not known, and for metrics that need a
/// model, since scores of that name may come from any model.
pub fn direction(text: &str) -> Option<Direction> {
    find(text).ok().filter(|info| info.needs.is_none()).map(|info| info.direction)
}

/// The range of a metric's scores, by its name. Scores of unknown metrics may be of any size and are treated as small ones,
/// since too many decimals hide nothing.
pub fn scale(name: &str) -> Scale {
    find(name).map_or(Scale::One, |info| info.scale)
}

/// Builds a metric from `name:key=value,key=value`, or from a signature as printed. Fails if the
/// resources found are not those of the signature.
pub fn build(text: &str) -> Result<Arc<dyn Metric>> {
    let spec = parse(text)?;
    let (info, options) = resolve(&spec)?;
    let metric = (info.build)(options)?;
    spec.check_circumstances(METRIC, &metric.signature())?;
    Ok(metric)
}

/// The [`Preference`] of a metric, written as for [`build`]: its own if it has one, or else a [`LogisticPreference`] with
/// its fitted slope.
///
/// Signatures of the latter have `|slope=…`, and this slope is then used, so that probabilities of an earlier version can
/// be reproduced; `chrf|slope=0.1` is chrF with a slope of your own. A metric with other options than the default has the
/// same slope, since its scale is the same; for exact probabilities fit your own.
pub fn preference(text: &str) -> Result<Arc<dyn Preference>> {
    let spec = parse(text)?;
    let (info, options) = resolve(&spec)?;
    let given = spec.circumstance("slope");
    let Some(native) = info.preference else {
        let slope = slopes::slope(info.name, &spec.without_circumstances(), given)?;
        return Ok(Arc::new(LogisticPreference::new(build(text)?, slope)));
    };
    if given.is_some() {
        let reason = format!("{} has its own preference and no slope", info.name);
        return Err(Error::BadSpec { what: METRIC, text: text.to_owned(), reason });
    }
    let preference = native(options)?;
    spec.check_circumstances(METRIC, &preference.signature())?;
    Ok(preference)
}

/// The same metric with relative paths of files resolved against a folder.
pub fn relative_to(text: &str, folder: &Path) -> Result<String> {
    let (_, mut options) = resolve(&parse(text)?)?;
    options.resolve_files(folder)?;
    Ok(options.spec().to_string())
}

/// The files and folders that the options of a metric name. Nothing is built or read.
pub fn named_files(text: &str) -> Result<Vec<PathBuf>> {
    Ok(resolve(&parse(text)?)?.1.files())
}

/// The entry of the metric in a spec, and its options.
pub(super) fn resolve(spec: &Spec) -> Result<(&'static MetricInfo, Options)> {
    let name = spec.name().to_lowercase();
    let known = all();
    for &info in &known {
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
    let aliases = known.iter().flat_map(|info| info.aliases).map(|(alias, _)| *alias);
    Err(Error::unknown_name(METRIC, &name, known.iter().map(|info| info.name).chain(aliases)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Segment, Tally};

    /// A metric that scores by what it was prepared with.
    struct Prepared(f64);

    impl Metric for Prepared {
        fn signature(&self) -> Spec {
            Spec::new("prepared")
        }

        fn title(&self) -> String {
            "prepared".to_owned()
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
        MetricInfo { name: "prepared", ..MetricInfo::new(|_| Ok(Arc::new(Prepared(0.0)))) };

    #[test]
    fn an_unknown_name_is_reported_before_malformed_options() {
        for text in ["blue:x", "blue", "blue|x", "blue:tok=1,tok=2"] {
            let error = build(text).err().unwrap().to_string();
            assert!(error.contains("did you mean `bleu`?"), "{text}: {error}");
        }
        let error = build("bleu:x").err().unwrap().to_string();
        assert!(error.contains("`x` is not key=value"), "{error}");
    }

    #[test]
    fn files_are_named_by_options_that_are_not_at_their_default() {
        let files = |text: &str| named_files(text).unwrap();
        assert_eq!(files("meteor:data=a/b,paraphrase=c"), [Path::new("a/b"), Path::new("c")]);
        for text in ["bleu:tok=char", "meteor:data=auto", "chrf++"] {
            assert!(files(text).is_empty(), "{text}");
        }
        assert!(named_files("blue:model=x").is_err());
    }

    #[test]
    fn a_metric_from_outside_is_found_by_name_and_scores_as_prepared() {
        register(&PREPARED).unwrap();
        let metric = build("prepared").unwrap();
        let references = ["a"];
        let segments = [Segment::new("a", &references), Segment::new("b", &references)];
        assert_eq!(metric.corpus_score(&segments).unwrap(), 3.0);
        assert_eq!(metric.segment_scores(&segments).unwrap(), [3.0, 3.0]);
        let taken = register(&PREPARED).unwrap_err().to_string();
        assert_eq!(taken, "there is already a metric called prepared");
        static SHOUTED: MetricInfo =
            MetricInfo { name: "Shouted", ..MetricInfo::new(|_| Ok(Arc::new(Prepared(0.0)))) };
        let refused = register(&SHOUTED).unwrap_err().to_string();
        assert!(refused.starts_with("a metric cannot be called `Shouted`"), "{refused}");
    }
}
