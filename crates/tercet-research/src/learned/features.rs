//! ψ(t, r): scores of other metrics as features (Guzmán et al., 2017, sec. 3.2).
//!
//! A feature is a metric's segment score, or instead of it all components of a metric (the paper's BLEUCOMP, sec. 5.1:
//! for BLEU the precisions, matches, totals, both lengths, their ratio and the brevity penalty). It is written as the
//! metric, or as `components(metric)`. Scores are not rounded: rounding makes ties, and a tie counts as wrong under the
//! strict τ.
//!
//! # Choices
//! A metric gets one reference at a time; a learned metric averages over references. Metrics that depend on
//! all references (NIST's information weights) use those of the set they are applied to, not of the training set.

use super::inputs::ModelInputs;
use super::judged::JudgedTexts;
use crate::encode::{self, SentenceEncoder};
use crate::error::{Error, Result};
use crate::metrics::{Metric, MetricInfo, Registry, Segment, prepare};
use crate::progress::Progress;
use crate::spec::Spec;
use rayon::prelude::*;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use tercet_base::stop;

/// Segments in a batch.
const BATCH: usize = 256;

/// Metrics that learn from judgements and have features themselves.
const TRAINED: [&str; 3] = ["pairwise", "ruse", "blend"];

/// Options that earlier versions did not have: metric, option, and the value that stands for what they computed.
const ADDED: [(&str, &str, &str); 1] = [("bertscore", "special", "no")];

/// A metric's score, or the components of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    metric: String,
    components: bool,
}

impl Feature {
    /// The segment score of a metric, written `name:key=value`.
    pub fn score(metric: &str) -> Self {
        Feature { metric: metric.to_owned(), components: false }
    }

    /// The components of a metric's score.
    pub fn components(metric: &str) -> Self {
        Feature { metric: metric.to_owned(), components: true }
    }

    /// The metric as written, `name:key=value`.
    pub fn metric(&self) -> &str {
        &self.metric
    }

    /// A feature of a model of an earlier version, with the options that it did not have.
    pub(crate) fn of_earlier_version(text: &str) -> Result<Self> {
        let feature: Feature = text.parse()?;
        let mut spec = Spec::parse("metric", &feature.metric)?;
        for (metric, option, value) in ADDED {
            if spec.name() == metric && spec.option(option).is_none() {
                spec = spec.with_option(option, value);
            }
        }
        Ok(feature.with_metric(spec.to_string()))
    }

    /// The same feature of another metric.
    pub(crate) fn with_metric(&self, metric: String) -> Self {
        Feature { metric, components: self.components }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.components { write!(f, "components({})", self.metric) } else { f.write_str(&self.metric) }
    }
}

impl FromStr for Feature {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let inner = text.trim().strip_prefix("components(");
        Ok(match inner.map(|inner| inner.strip_suffix(')')) {
            None => Feature::score(text.trim()),
            Some(Some(metric)) => Feature::components(metric),
            Some(None) => {
                return Err(Error::BadRequest(format!("feature `{text}`: expected components(METRIC), found no )")));
            }
        })
    }
}

/// A feature's value for every translation.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureColumn {
    /// The metric, or `metric/component`.
    pub name: String,
    /// One value per translation.
    pub values: Vec<f64>,
}

/// Computes a feature for all translations of a set; a feature of components has a column for each. `progress` counts
/// translations.
pub fn measure(
    feature: &Feature,
    judged: &JudgedTexts,
    registry: &Registry,
    progress: Progress<'_>,
) -> Result<Vec<FeatureColumn>> {
    let measured = MeasuredFeature::new(feature, registry)?;
    let references: Vec<[&str; 1]> = judged.references.iter().map(|line| [line.as_str()]).collect();
    let slices: Vec<&[&str]> = references.iter().map(|one| &one[..]).collect();
    let long = measured.reader.as_ref().and_then(|reader| reader.long_lines(&judged.texts().collect::<Vec<_>>()));
    if let Some(long) = long {
        let place = format!("{}: {}", judged.name(), measured.metric.title());
        progress.warn(&long.warning(place))?;
    }
    let measured = measured.prepare(&slices)?;
    let segments: Vec<Segment<'_>> = judged
        .translations
        .iter()
        .map(|translation| Segment::new(&translation.text, slices[translation.segment as usize]))
        .collect();
    let batches: Vec<Vec<FeatureColumn>> = segments
        .par_chunks(BATCH)
        .map(stop::carried(|batch: &[Segment<'_>]| {
            let columns = measured.columns(batch)?;
            progress.advance(batch.len())?;
            Ok(columns)
        }))
        .collect::<Result<_>>()?;
    let mut columns: Vec<FeatureColumn> = Vec::new();
    for batch in batches {
        append(&mut columns, batch);
    }
    Ok(columns)
}

/// Adds the rows of a batch to those before it.
fn append(columns: &mut Vec<FeatureColumn>, batch: Vec<FeatureColumn>) {
    if columns.is_empty() {
        *columns = batch;
        return;
    }
    columns.iter_mut().zip(batch).for_each(|(all, some)| all.values.extend(some.values));
}

/// A feature with the metric it is computed by.
#[derive(Clone)]
pub(crate) struct MeasuredFeature {
    info: &'static MetricInfo,
    metric: Arc<dyn Metric>,
    /// The encoder whose window limits what the metric reads of a line, if it has one.
    reader: Option<Arc<dyn SentenceEncoder>>,
    name: String,
    components: bool,
}

impl MeasuredFeature {
    pub fn new(feature: &Feature, registry: &Registry) -> Result<Self> {
        let info = registry.find(&feature.metric)?;
        if TRAINED.contains(&info.name) {
            let reason = "a metric that was trained on judgements cannot be a feature of another".to_owned();
            return Err(Error::BadSpec { what: "metric", text: feature.metric.clone(), reason });
        }
        let metric = registry.build(&feature.metric)?;
        let signature = metric.signature();
        let reader = match ["model", "precision"].map(|key| signature.option(key)) {
            [Some(model), Some(precision)] if info.name == "bertscore" => {
                let of = Spec::new("transformer").with_option("model", model);
                Some(encode::build_spec(&of.with_option("precision", precision), registry.context())?)
            }
            _ => None,
        };
        let name = signature.without_qualifiers().to_string();
        Ok(MeasuredFeature { info, metric, reader, name, components: feature.components })
    }

    /// The feature with the metric's full signature, which includes the versions of its resources.
    pub fn signature(&self) -> String {
        let metric = self.metric.signature().signed();
        Feature { metric, components: self.components }.to_string()
    }

    /// The names of its columns without the options that name files, which may have moved.
    pub fn column_names(&self) -> Result<Vec<String>> {
        let empty = self.prepare(&[&[""]])?.columns(&[Segment::new("", &[""])])?;
        Ok(empty.iter().map(|column| self.without_files(&column.name)).collect())
    }

    /// The name of a column without the options that name files.
    pub fn without_files(&self, column: &str) -> String {
        match column.rsplit_once('/').filter(|_| self.components) {
            Some((metric, component)) => format!("{}/{component}", without_files(metric, self.info)),
            None => without_files(column, self.info),
        }
    }

    /// The feature prepared for these references.
    pub fn prepare(&self, references: &[&[&str]]) -> Result<Self> {
        Ok(MeasuredFeature { metric: prepare(&self.metric, references)?, ..self.clone() })
    }

    /// The values for these segments.
    pub fn columns(&self, segments: &[Segment<'_>]) -> Result<Vec<FeatureColumn>> {
        let tallies = self.metric.tally(segments)?;
        if !self.components {
            let values = tallies.iter().map(|tally| self.metric.segment_score(tally)).collect();
            return Ok(vec![FeatureColumn { name: self.name.clone(), values }]);
        }
        let mut columns: Vec<FeatureColumn> = Vec::new();
        for tally in &tallies {
            let components = self.metric.components(tally);
            let named = |name: &str| FeatureColumn { name: format!("{}/{name}", self.name), values: Vec::new() };
            if columns.is_empty() {
                columns = components.iter().map(|component| named(&component.name)).collect();
            }
            columns.iter_mut().zip(&components).for_each(|(column, component)| column.values.push(component.value));
        }
        if columns.is_empty() && !tallies.is_empty() {
            return Err(Error::BadRequest(format!("components({}): this metric has no components", self.name)));
        }
        Ok(columns)
    }
}

/// All encoders that read the lines of a model with these inputs.
pub(super) fn readers(inputs: &ModelInputs) -> Vec<Arc<dyn SentenceEncoder>> {
    let of_features = inputs.features.iter().filter_map(|feature| feature.reader.as_ref());
    inputs.encoders.iter().chain(of_features).cloned().collect()
}

/// A metric without the options that name files, and without those that stand for what earlier versions computed.
fn without_files(metric: &str, info: &MetricInfo) -> String {
    let Ok(spec) = Spec::parse("metric", metric) else { return metric.to_owned() };
    let is_file = |(key, value): &(String, String)| {
        info.options.iter().any(|option| option.key == key && option.values.is_file(value))
    };
    let is_added = |(key, value): &(String, String)| ADDED.contains(&(spec.name(), key.as_str(), value.as_str()));
    let kept = spec.options().iter().filter(|option| !is_file(option) && !is_added(option));
    kept.fold(Spec::new(spec.name()), |spec, (key, value)| spec.with_option(key, value)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::Translation;

    fn judged() -> JudgedTexts {
        let translation = |segment, text: &str| Translation { segment, text: text.to_owned() };
        JudgedTexts {
            references: vec!["the cat sat on the mat".to_owned(), "it rained all day".to_owned()],
            translations: vec![
                translation(0, "the cat sat on a mat"),
                translation(1, "it rained"),
                translation(1, "it rained all day long"),
            ],
            ..JudgedTexts::default()
        }
    }

    #[test]
    fn scores_are_those_of_the_metric_prepared_with_the_references_of_the_set() {
        let columns = measure(&Feature::score("nist"), &judged(), &Registry::lexical(), Progress::none()).unwrap();
        let (first, second) = (["the cat sat on the mat"], ["it rained all day"]);
        let nist = prepare(&Registry::lexical().build("nist").unwrap(), &[&first, &second]).unwrap();
        let tally = nist.tally(&[Segment::new("it rained", &second)]).unwrap();
        assert_eq!(columns.len(), 1);
        assert_eq!(columns[0].values[1], nist.segment_score(&tally[0]));
    }

    #[test]
    fn components_are_columns_of_their_own() {
        let feature: Feature = "components(bleu:lowercase=yes)".parse().unwrap();
        assert_eq!(
            (feature.metric(), feature.to_string().as_str()),
            ("bleu:lowercase=yes", "components(bleu:lowercase=yes)")
        );
        let columns = measure(&feature, &judged(), &Registry::lexical(), Progress::none()).unwrap();
        let short = |column: &FeatureColumn| column.name.rsplit_once('/').unwrap().1.to_owned();
        let names: Vec<String> = columns.iter().map(short).collect();
        let expected = "precision_1 precision_2 precision_3 precision_4 matches_1 matches_2 matches_3 matches_4 \
                        totals_1 totals_2 totals_3 totals_4 hyp_len ref_len ratio brevity_penalty";
        assert_eq!(names.join(" "), expected);
        assert_eq!(columns[12].values, [6.0, 2.0, 5.0]);
    }

    #[test]
    fn invalid_features_are_errors() {
        assert!("components(bleu".parse::<Feature>().is_err());
        let nested =
            MeasuredFeature::new(&Feature::score("pairwise:model=x"), &crate::registry()).err().unwrap().to_string();
        assert!(nested.contains("cannot be a feature of another"), "{nested}");
        let refused = |feature: Feature| {
            measure(&feature, &judged(), &Registry::lexical(), Progress::none()).unwrap_err().to_string()
        };
        assert!(refused(Feature::score("blue")).contains("did you mean `bleu`?"));
        assert!(refused(Feature::components("sentbleu")).contains("no components"));
    }
}
