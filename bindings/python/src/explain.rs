//! The words behind scores: explanations, and the alignments of METEOR and TERp.

use crate::errors::{OrRaise, REQUEST, of_class};
use crate::input::Input;
use crate::metrics::Metric;
use crate::registry;
use crate::report::Written;
use crate::texts::Texts;
use crate::work::run;
use pyo3::prelude::*;
use tercet::metrics::meteor::{self, Meteor};
use tercet::metrics::terp::{self, Edit, Terp};
use tercet::metrics::{Mark, Segment};
use tercet::report::{Contents, write_explanations};
use tercet::scoring::ScoreJob;

/// Words of translations without a good partner.
#[pyfunction]
#[pyo3(signature = (input, metric, top, progress=None))]
fn explain<'py>(
    py: Python<'py>,
    input: Input<'py>,
    metric: &Metric,
    top: Option<usize>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Written> {
    let texts = input.read()?;
    let corpus = texts.corpus(py)?;
    let (job, named) = (ScoreJob { explain: true, top, checks: false, ..ScoreJob::default() }, metric.named.clone());
    run(py, progress, |progress| {
        let scored = job.run_with(vec![named], &corpus, registry(), progress)?.result;
        let explained = scored.explained.unwrap_or_default();
        let (evaluation, contents) = (&scored.evaluation, Contents::default());
        Ok(Written::new(|format| write_explanations(evaluation, &corpus, &explained, format, contents)))
    })
}

/// The marked words of a translation and of one of its references: first character, the one behind the last, kind.
#[derive(IntoPyObject)]
struct MarkedSegment {
    reference_number: usize,
    hypothesis: Vec<(usize, usize, &'static str)>,
    reference: Vec<(usize, usize, &'static str)>,
}

/// Segments that are marked at once, after which Ctrl-C stops the work.
const BATCH: usize = 64;

/// The marked words of each system's segments, and the kinds of marks with their meaning.
type MarkedSystems = (Vec<Vec<MarkedSegment>>, Vec<(&'static str, &'static str)>);

/// What a metric made of words.
#[pyfunction]
#[pyo3(signature = (input, metric, progress=None))]
fn mark_words<'py>(
    py: Python<'py>,
    input: Input<'py>,
    metric: &Metric,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<MarkedSystems> {
    let texts = input.read()?;
    let corpus = texts.corpus(py)?;
    let named = metric.named.clone();
    run(py, progress, |progress| {
        let Some(marker) = named.metric.marker() else {
            let message = format!("{} does not mark words (use meteor, ter or siamese)", named.metric.title());
            return Err(tercet::Error::BadRequest(message));
        };
        let kinds = marker.kinds();
        let name = |code: char| kinds.iter().find(|kind| kind.code == code).map_or("other", |kind| kind.name);
        progress.stage("marking words", corpus.len() * corpus.systems().len(), "segments")?;
        let mut systems = Vec::new();
        for system in corpus.systems() {
            let lines: Vec<(&str, &[&str])> =
                system.hypotheses.iter().copied().zip(corpus.references().iter().map(Vec::as_slice)).collect();
            let mut marked = Vec::with_capacity(lines.len());
            for batch in lines.chunks(BATCH) {
                let segments: Vec<Segment<'_>> =
                    batch.iter().map(|(hypothesis, references)| Segment::new(hypothesis, references)).collect();
                for (marks, (hypothesis, references)) in marker.mark(&segments)?.into_iter().zip(batch) {
                    let reference = references.get(marks.reference).copied().unwrap_or_default();
                    marked.push(MarkedSegment {
                        reference_number: marks.reference,
                        hypothesis: places(hypothesis, &marks.hypothesis_marks, name),
                        reference: places(reference, &marks.reference_marks, name),
                    });
                }
                progress.advance(batch.len())?;
            }
            systems.push(marked);
        }
        Ok((systems, kinds.iter().map(|kind| (kind.name, kind.meaning)).collect()))
    })
}

/// Marks by characters, as Python counts them.
fn places(line: &str, marks: &[Mark], name: impl Fn(char) -> &'static str) -> Vec<(usize, usize, &'static str)> {
    // Marks come in order, so characters are counted on from the last place; a line may have millions of marks.
    let mut last = (0, 0);
    let mut characters = |byte: usize| {
        let (from, count) = if byte < last.0 { (0, 0) } else { last };
        last = (byte, count + line[from..byte].chars().count());
        last.1
    };
    marks.iter().map(|mark| (characters(mark.bytes.start), characters(mark.bytes.end), name(mark.code))).collect()
}

/// Words that match: their places in hypothesis and reference (from, to), and the module that found them.
type Match = ((usize, usize), (usize, usize), &'static str);

/// METEOR's alignment of a translation with the best of its references.
#[derive(IntoPyObject)]
struct MeteorAlignment {
    reference_number: usize,
    hypothesis: Vec<String>,
    reference: Vec<String>,
    matches: Vec<Match>,
    chunks: usize,
    precision: f64,
    recall: f64,
    penalty: f64,
    score: f64,
    unfinished: bool,
}

impl From<meteor::Alignment> for MeteorAlignment {
    fn from(found: meteor::Alignment) -> Self {
        let of_match = |phrase: &meteor::AlignedPhrase| {
            let (hypothesis, reference) = (&phrase.hypothesis, &phrase.reference);
            ((hypothesis.start, hypothesis.end), (reference.start, reference.end), phrase.module.name())
        };
        MeteorAlignment {
            matches: found.matches.iter().map(of_match).collect(),
            chunks: found.chunks(),
            reference_number: found.reference_number,
            hypothesis: found.hypothesis,
            reference: found.reference,
            precision: found.evaluation.precision,
            recall: found.evaluation.recall,
            penalty: found.evaluation.penalty,
            score: found.evaluation.score,
            unfinished: found.unfinished,
        }
    }
}

/// METEOR's alignment.
#[pyfunction]
fn align_meteor(
    py: Python<'_>,
    options: &str,
    hypothesis: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<MeteorAlignment> {
    let meteor = py.detach(|| Meteor::parse(options)).or_raise(py)?;
    let (hypothesis, references) = segment(hypothesis, references)?;
    let (hypothesis, references) = (hypothesis.lines("hypothesis")?, references.lines("references")?);
    run(py, None, |_| Ok(meteor.align(hypothesis[0], &references).into()))
}

/// TERp's edits that turn a translation into the best of its references.
#[derive(IntoPyObject)]
struct TerpAlignment {
    reference_number: usize,
    hypothesis: Vec<String>,
    shifted_hypothesis: Vec<String>,
    reference: Vec<String>,
    /// The kind of each edit after the shifts, in order.
    edits: Vec<&'static str>,
    /// First word, last word, and the word behind which the block goes (`None`: the front), before each shift.
    shifts: Vec<(usize, usize, Option<usize>)>,
    cost: f64,
    reference_length: f64,
    unfinished: bool,
}

impl From<terp::TerpAlignment> for TerpAlignment {
    fn from(found: terp::TerpAlignment) -> Self {
        TerpAlignment {
            edits: found.steps.iter().map(|edit| edit_name(*edit)).collect(),
            shifts: found.shifts.iter().map(|block| (block.start, block.end, block.target)).collect(),
            reference_number: found.reference_number,
            hypothesis: found.hypothesis,
            shifted_hypothesis: found.shifted_hypothesis,
            reference: found.reference,
            cost: found.edits,
            reference_length: found.reference_length,
            unfinished: found.unfinished,
        }
    }
}

fn edit_name(edit: Edit) -> &'static str {
    match edit {
        Edit::Match => "match",
        Edit::Substitution => "substitution",
        Edit::Stem => "stem",
        Edit::Synonym => "synonym",
        Edit::Phrase => "phrase",
        Edit::Insertion => "insertion",
        Edit::Deletion => "deletion",
        _ => "other",
    }
}

/// TERp's alignment; with `costs=ter` that of TER.
#[pyfunction]
fn align_terp(
    py: Python<'_>,
    options: &str,
    hypothesis: &Bound<'_, PyAny>,
    references: &Bound<'_, PyAny>,
) -> PyResult<TerpAlignment> {
    let terp = py.detach(|| Terp::parse(options)).or_raise(py)?;
    let (hypothesis, references) = segment(hypothesis, references)?;
    let (hypothesis, references) = (hypothesis.lines("hypothesis")?, references.lines("references")?);
    run(py, None, |_| Ok(terp.align(hypothesis[0], &references).into()))
}

/// The lines of one segment: a list of one hypothesis, and its references, of which there is one at least.
fn segment<'py>(hypothesis: &Bound<'py, PyAny>, references: &Bound<'py, PyAny>) -> PyResult<(Texts<'py>, Texts<'py>)> {
    let py = references.py();
    let (hypothesis, references) = (Texts::read(hypothesis, "hypothesis")?, Texts::read(references, "references")?);
    if hypothesis.len() != 1 || references.len() == 0 {
        let message = "an alignment needs one hypothesis and at least one reference";
        return Err(of_class(py, REQUEST, message));
    }
    Ok((hypothesis, references))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(explain, module)?)?;
    module.add_function(wrap_pyfunction!(mark_words, module)?)?;
    module.add_function(wrap_pyfunction!(align_meteor, module)?)?;
    module.add_function(wrap_pyfunction!(align_terp, module)?)
}
