//! Scores of segments and systems from annotated errors.
//!
//! ```text
//! score(segment) = − mean over raters of ( Σ weights of the errors the rater marked )
//! ```
//!
//! so that higher is better and 0 is best, as in mt-metrics-eval's `score_mqm`. That tool adds up weights and raters in
//! the order of the file; here the smallest is added first, so that the order of rows changes no digit, and the last
//! bit of a score may differ from that tool's. Unlike there, a document may have segments without ratings, whose score
//! is `None`. The score of a system is the mean over its rated segments, as in the tables Google published.
//!
//! Human translations (`ref`, `refA`, `ref.A`, `ref-A`, `Human-A.0`) are judged like systems and stay among them; where
//! texts are given they are references too, under the same name, as in mt-metrics-eval. When one is used as the
//! reference, the system of that name must be left out.

use super::annotations::{Annotation, Annotations};
use super::weights::MqmWeights;
use crate::names::Names;
use crate::{ErrorSpan, HumanScores, Judgements, Level, Rating, Ratings, Reference, Severity, Texts};
use std::collections::BTreeMap;

/// The penalty of one system's segment by one rater.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Penalty<'a> {
    pub rater: &'a str,
    /// Sum of the weights of the errors.
    pub penalty: f64,
}

/// Penalties as `[system][segment][rater]`, raters by name.
pub fn penalties<'a>(table: &Annotations<'a>, weights: &MqmWeights) -> Vec<Vec<Vec<Penalty<'a>>>> {
    let mut all = vec![vec![Vec::<Penalty>::new(); table.segments.len()]; table.systems.len()];
    let weighed = table.rows.iter().map(|row| (row, weights.weight(row.severity, row.category)));
    let mut weighed: Vec<(&Annotation, f64)> = weighed.collect();
    weighed.sort_by(|(row, weight), (other, of)| row.rater.cmp(other.rater).then(weight.total_cmp(of)));
    for (row, weight) in weighed {
        let cell = &mut all[row.system][row.segment];
        match cell.iter_mut().find(|of| of.rater == row.rater) {
            Some(of) => of.penalty += weight,
            None => cell.push(Penalty { rater: row.rater, penalty: weight }),
        }
    }
    all
}

pub fn judge(table: &Annotations, weights: &MqmWeights) -> Judgements {
    let penalties = penalties(table, weights);
    // Zero is added last to turn −0 into 0.
    let score = |cell: &Vec<Penalty>| mean(cell.iter().map(|of| of.penalty)).map(|mean| -mean + 0.0);
    let segments = penalties.iter().map(|system| system.iter().map(score).collect()).collect();
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    Judgements {
        systems: owned(&table.systems),
        segments: table.segments.iter().map(|segment| segment.name.to_owned()).collect(),
        documents: Some(table.segments.iter().map(|segment| segment.document.to_owned()).collect()),
        texts: Some(texts(table)),
        scores: with_system_means(segments),
        ratings: vec![ratings(table, &penalties)],
        ..Judgements::default()
    }
}

/// The ratings, with their errors.
fn ratings(table: &Annotations, penalties: &[Vec<Vec<Penalty>>]) -> Ratings {
    let mut raters = Names::default();
    let mut errors: BTreeMap<(usize, usize, usize), Vec<ErrorSpan>> = BTreeMap::new();
    for row in &table.rows {
        let of_rating = errors.entry((row.system, row.segment, raters.place(row.rater))).or_default();
        if !MqmWeights::is_no_error(row.severity) {
            let (severity, category) = (Severity::named(row.severity), row.category.trim().to_owned());
            of_rating.push(ErrorSpan { side: row.side, place: row.place.clone(), severity, category });
        }
    }
    let rating = |((system, segment, rater), errors): ((usize, usize, usize), Vec<ErrorSpan>)| {
        let penalty = penalties[system][segment].iter().find(|of| of.rater == raters.as_slice()[rater]);
        let score = penalty.map(|of| -of.penalty + 0.0);
        Rating { system, segment, rater: Some(rater), score, errors }
    };
    let ratings = errors.into_iter().map(rating).collect();
    let mut ratings = Ratings { name: "mqm".to_owned(), raters: raters.into_vec(), ratings };
    ratings.sort();
    ratings
}

/// Scores of segments, and the mean of each system.
pub fn with_system_means(segments: Vec<Vec<Option<f64>>>) -> Vec<HumanScores> {
    let systems = segments.iter().map(|scores| vec![mean(scores.iter().flatten().copied())]).collect();
    let scores = |level, values| HumanScores { name: "mqm".to_owned(), level, higher_is_better: true, values };
    vec![scores(Level::Segment, segments), scores(Level::System, systems)]
}

/// The mean; the smallest number is added first, so that their order changes no digit.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_unstable_by(f64::total_cmp);
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

fn texts(table: &Annotations) -> Texts {
    let human = table.systems.iter().zip(&table.targets).filter(|(system, _)| is_human(system));
    Texts {
        sources: Some(table.segments.iter().map(|segment| segment.source.clone()).collect()),
        references: human
            .map(|(system, lines)| Reference { name: (*system).to_owned(), lines: lines.clone() })
            .collect(),
        outputs: table.targets.clone(),
    }
}

/// Whether a system of this name is a human translation: `ref` or `Human`, alone or with one letter or digit behind it.
pub fn is_human(system: &str) -> bool {
    let lower = system.to_ascii_lowercase();
    let rest = lower.strip_prefix("ref").or_else(|| lower.strip_prefix("human"));
    let rest = rest.map(|rest| rest.trim_start_matches(['.', '-', '_']));
    rest.is_some_and(|rest| {
        let letter = rest.strip_suffix(".0").unwrap_or(rest);
        letter.is_empty() || (letter.len() == 1 && letter.as_bytes()[0].is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lines;
    use std::path::Path;

    /// The scores are those of mt-metrics-eval 68a481a for this text: `score_mqm --input m.tsv`.
    #[test]
    fn raters_are_summed_and_averaged() {
        let text = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n\
            a\td\t1\t1\tr1\ts\tt\tFluency/Punctuation\tMinor\n\
            a\td\t1\t1\tr2\ts\tt\tNo-error\tNo-error\n\
            a\td\t1\t1\tr1\ts\tt\tAccuracy\tMAJOR\n\
            a\td\t1\t1\tr2\ts\tt\tFound\tHOTW-test\n\
            a\td\t2\t2\tr1\ts\tt\tNo-error\tNo-error\n\
            refA\td\t1\t1\tr1\ts\tu\tNon-translation!\tMajor\n";
        let lines = Lines::from_bytes(Path::new("m.tsv"), text.as_bytes().to_vec()).unwrap();
        let judgements = judge(&Annotations::parse(&lines).unwrap(), &MqmWeights::standard());
        assert_eq!(judgements.scores[0].values, [[Some(-2.55), Some(0.0)], [Some(-25.0), None]]);
        assert_eq!(judgements.scores[1].values, [[Some(-1.275)], [Some(-25.0)]]);
        let texts = judgements.texts.unwrap();
        assert_eq!(texts.references.len(), 1);
        assert_eq!(texts.references[0].lines, [Some("u".to_owned()), None]);
        let ratings = &judgements.ratings[0];
        let said = |of: &Rating| (of.system, of.segment, of.rater, of.score, of.errors.len());
        assert_eq!(
            ratings.ratings.iter().map(said).collect::<Vec<_>>(),
            [
                (0, 0, Some(0), Some(-5.1), 2),
                (0, 0, Some(1), Some(0.0), 0),
                (0, 1, Some(0), Some(0.0), 0),
                (1, 0, Some(0), Some(-25.0), 1),
            ]
        );
        assert_eq!(ratings.rater(&ratings.ratings[1]), Some("r2"));
        assert_eq!(ratings.ratings[0].errors[0].severity, Some(Severity::Minor));
    }

    #[test]
    fn human_translations_are_recognised_by_name() {
        for name in ["ref", "refA", "refB", "ref.A", "ref-A", "REF_a", "Human-A.0", "human"] {
            assert!(is_human(name), "{name}");
        }
        for name in ["refined-mt", "HumanMT", "GPT4-5shot_with_refA", "Online-A", ""] {
            assert!(!is_human(name), "{name}");
        }
    }
}
