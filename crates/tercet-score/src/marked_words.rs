//! Words of translations and references, marked by what metrics made of them.

use super::corpus::Corpus;
use super::evaluation::Evaluation;
use crate::error::Result;
use crate::metrics::{MarkKind, MarkWords, NamedMetric, Segment};
use crate::progress::Progress;
use rayon::prelude::*;
use tercet_base::stop;

/// Segments per batch, as in scoring.
const BATCH: usize = 64;

/// The most translations that are marked, and the most by a metric that [takes long](MarkWords::is_slow).
const MAX_MARKED: usize = 50_000;
const MAX_SLOW_MARKED: usize = 240;

/// The marks of one metric.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedMetric {
    /// The usual spelling of the metric.
    pub title: String,
    /// The kinds of marks.
    pub kinds: &'static [MarkKind],
    /// The marked segments, by number from 0, in their order; `None` if all are.
    pub segments: Option<Vec<usize>>,
    /// For each system, its marked segments as [runs](crate::metrics::WordMarks::runs).
    pub runs: Vec<Vec<String>>,
}

/// Marks the words of a corpus by every metric that [can](crate::metrics::Metric::marker). Where that is too much, only
/// segments in which systems differ most are marked: by the scores of `evaluation`, whose columns these metrics are, or
/// else the first ones.
pub fn mark_words(
    corpus: &Corpus<'_>,
    metrics: &[NamedMetric],
    evaluation: &Evaluation,
    progress: Progress<'_>,
) -> Result<Vec<MarkedMetric>> {
    let mut marked = Vec::new();
    for named in metrics {
        let Some(marker) = named.metric.marker() else { continue };
        let most = if marker.is_slow() { MAX_SLOW_MARKED } else { MAX_MARKED } / corpus.systems().len();
        let column = evaluation.columns.iter().position(|column| column.metric == named.name);
        let segments = (corpus.len() > most).then(|| most_different(evaluation, column, corpus.len(), most));
        marked.push(mark(corpus, named.metric.title(), marker, segments, progress)?);
    }
    Ok(marked)
}

/// The segments whose scores by a metric, or by the first if none is given, are furthest apart, in their order.
fn most_different(evaluation: &Evaluation, column: Option<usize>, segments: usize, most: usize) -> Vec<usize> {
    let column = column.or((!evaluation.columns.is_empty()).then_some(0));
    let spread = |segment: usize| {
        let cells = column.map_or(&[][..], |column| &evaluation.columns[column].cells);
        let scores = cells.iter().filter_map(|cell| cell.segments.get(segment).copied());
        let ends = scores.fold((f64::MAX, f64::MIN), |(low, high), score| (low.min(score), high.max(score)));
        (ends.1 - ends.0).max(0.0)
    };
    let spreads: Vec<f64> = (0..segments).map(spread).collect();
    let mut order: Vec<usize> = (0..segments).collect();
    order.sort_by(|&one, &other| spreads[other].total_cmp(&spreads[one]));
    order.truncate(most);
    order.sort_unstable();
    order
}

fn mark(
    corpus: &Corpus<'_>,
    title: String,
    marker: &dyn MarkWords,
    segments: Option<Vec<usize>>,
    progress: Progress<'_>,
) -> Result<MarkedMetric> {
    let all: Vec<usize> = (0..corpus.len()).collect();
    let chosen = segments.as_ref().unwrap_or(&all);
    progress.stage("marking words", chosen.len(), "segments")?;
    let systems = corpus.systems().len();
    // Segment by segment, so that those with the same references are adjacent.
    let batch = |batch: &[usize]| -> Result<Vec<String>> {
        let text = |&segment: &usize| {
            let systems = corpus.systems().iter();
            systems.map(move |system| Segment::new(system.hypotheses[segment], &corpus.references()[segment]))
        };
        let texts: Vec<Segment<'_>> = batch.iter().flat_map(text).collect();
        let found = marker.mark(&texts)?;
        progress.advance(batch.len())?;
        let pairs = texts.iter().zip(found);
        Ok(pairs
            .map(|(text, marks)| {
                let reference = text.references.get(marks.reference).copied();
                marks.runs(text.hypothesis, reference.unwrap_or_default())
            })
            .collect())
    };
    let batches = chosen.par_chunks(BATCH).map(stop::carried(batch)).collect::<Result<Vec<_>>>()?;
    let mut runs: Vec<Vec<String>> = vec![Vec::with_capacity(chosen.len()); systems];
    for (i, text) in batches.into_iter().flatten().enumerate() {
        runs[i % systems].push(text);
    }
    Ok(MarkedMetric { title, kinds: marker.kinds(), segments, runs })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::Registry;
    use crate::{EvaluateRequest, System, evaluate};

    #[test]
    fn segments_in_which_systems_differ_most_are_chosen() -> Result<()> {
        let references = ["one two three four", "five six seven eight", "nine ten eleven twelve"];
        let mut other = references.to_vec();
        (other[1], other[2]) = ("nothing", "nine ten eleven thirteen");
        let systems = vec![System::new("a", &references), System::new("b", &other)];
        let corpus = Corpus::new(systems, references.iter().map(|line| vec![*line]).collect())?;
        let metrics = [Registry::lexical().named("chrf", None)?];
        let chosen = |segments: bool, most: usize| -> Result<Vec<usize>> {
            let request = EvaluateRequest { segments, ..EvaluateRequest::default() };
            let evaluation = evaluate(&corpus, &metrics, &request, Progress::none())?;
            Ok(most_different(&evaluation, Some(0), corpus.len(), most))
        };
        assert_eq!((chosen(true, 1)?, chosen(true, 2)?), (vec![1], vec![1, 2]));
        assert_eq!(chosen(false, 2)?, [0, 1], "without scores of segments the first ones");
        Ok(())
    }

    #[test]
    fn marks_are_those_of_their_system_and_segment() -> Result<()> {
        let references: Vec<String> = (0..3 * BATCH).map(|i| format!("the bird number {i} sat")).collect();
        let other: Vec<String> = references.iter().map(|line| line.replace("number 1", "count 1")).collect();
        let systems = vec![System::new("same", &references), System::new("other", &other)];
        let corpus = Corpus::new(systems, references.iter().map(|line| vec![line.as_str()]).collect())?;
        let metrics = [Registry::lexical().named("ter", None)?, Registry::lexical().named("chrf", None)?];
        let evaluation = evaluate(&corpus, &metrics, &EvaluateRequest::default(), Progress::none())?;
        let marked = mark_words(&corpus, &metrics, &evaluation, Progress::none())?;
        assert_eq!((marked.len(), marked[0].title.as_str(), &marked[0].segments), (1, "TER", &None));
        for (segment, (line, other)) in references.iter().zip(&other).enumerate() {
            assert_eq!(marked[0].runs[0][segment], "");
            assert_eq!(marked[0].runs[1][segment].is_empty(), line == other, "{line}");
        }
        Ok(())
    }
}
