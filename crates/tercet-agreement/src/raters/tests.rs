use super::statistics::of_raters;
use super::*;
use crate::corpora::{Judgements, Rating, Texts};
use crate::progress::Progress;
use crate::statistics::random::Generator;

fn ratings(scores: &[(usize, usize, usize, f64)], raters: usize) -> Ratings {
    let rating = |&(system, segment, rater, score): &(usize, usize, usize, f64)| Rating {
        system,
        segment,
        rater: Some(rater),
        score: Some(score),
        errors: Vec::new(),
    };
    let raters = (0..raters).map(|rater| format!("r{rater}")).collect();
    Ratings { name: "da".to_owned(), raters, ratings: scores.iter().map(rating).collect() }
}

/// The example of three coders and 15 units in Krippendorff's "Computing Krippendorff's alpha-reliability" (2011): α is
/// .811 for interval scales.
#[test]
fn alpha_is_that_of_krippendorffs_example() {
    let coders = [
        [0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
        [1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4],
    ];
    let unit = |unit: usize| {
        let codes = coders.iter().map(|coder| f64::from(coder[unit]));
        codes.filter(|code| *code > 0.0).collect::<Vec<f64>>()
    };
    let alpha = krippendorff_alpha(&(0..15).map(unit).collect::<Vec<_>>());
    assert!((alpha - 0.811).abs() < 0.0005, "{alpha}");
}

#[test]
fn z_scores_are_standardised_by_rater() {
    let scores = [(0, 0, 0, 10.0), (0, 1, 0, 30.0), (1, 0, 1, 5.0), (1, 1, 1, 5.0), (1, 1, 0, 20.0)];
    let z = standardised(&ratings(&scores, 2), 2, 2).unwrap();
    assert_eq!(z[0].name, "da-z");
    let unit = 10.0 / (200.0f64 / 3.0).sqrt();
    assert_eq!(z[0].values, [[Some(-unit), Some(unit)], [Some(0.0), Some(0.0)]]);
    assert_eq!(z[1].values, [[Some(0.0)], [Some(0.0)]]);
    assert_eq!(standardised(&ratings(&[], 0), 2, 2), None);
}

/// Four raters of 200 outputs; the last but one gives noise, the last lower scores.
fn noisy() -> Ratings {
    let mut generator = Generator::new(Some(1));
    let mut scores = Vec::new();
    for segment in 0..200 {
        let quality = 100.0 * generator.random();
        for rater in 0..5 {
            let noise = 20.0 * generator.random();
            let score = match rater {
                3 => 100.0 * generator.random(),
                4 => quality + noise - 40.0,
                _ => quality + noise,
            };
            scores.push((0, segment, rater, score));
        }
    }
    ratings(&scores, 5)
}

#[test]
fn outliers_are_named_and_agreement_is_higher_without_them() {
    let ratings = noisy();
    let units = units(&ratings);
    let raters = of_raters(&units, &ratings.raters);
    let outliers: Vec<_> = raters.iter().map(|rater| rater.outlier.as_slice()).collect();
    assert_eq!(outliers, [&[][..], &[], &[], &[Outlier::Disagrees], &[Outlier::Stricter]]);
    let with = krippendorff_alpha(
        &units.iter().map(|unit| unit.scores.iter().map(|(_, score)| *score).collect()).collect::<Vec<_>>(),
    );
    assert!(raters[3].alpha_without.unwrap() > with && raters[0].alpha_without.unwrap() < with);
    assert!(raters[0].tau.unwrap() > raters[3].tau.unwrap() && raters[0].common == 200);
}

#[test]
fn the_ceiling_of_identical_outputs_is_the_root_of_their_correlation() {
    let mut generator = Generator::new(Some(2));
    let (mut values, mut outputs) = (vec![Vec::new(), Vec::new()], vec![Vec::new(), Vec::new()]);
    for segment in 0..2000 {
        let quality = generator.random();
        for system in 0..2 {
            values[system].push(Some(quality + generator.random()));
            outputs[system].push(Some(format!("output {segment}")));
        }
    }
    let scores = HumanScores { name: "da".to_owned(), level: Level::Segment, higher_is_better: true, values };
    let names = |count: usize| (0..count).map(|name| name.to_string()).collect::<Vec<_>>();
    let texts = Some(Texts { outputs, ..Texts::default() });
    let set = Judgements { systems: names(2), segments: names(2000), texts, ..Judgements::default() };
    let ceiling = ceiling_of_identical(&set, &scores).unwrap();
    // Quality and noise have the same variance.
    assert!((ceiling.reliability - 0.5).abs() < 0.05 && ceiling.n == 2000 && ceiling.equal == Some(0.0), "{ceiling:?}");
    assert_eq!(ceiling.ceiling, ceiling.reliability.sqrt());
    let other = |line: &mut Option<String>| *line = line.take().map(|text| text + "!");
    let mut different = set.clone();
    different.texts.as_mut().unwrap().outputs[0].iter_mut().for_each(other);
    assert_eq!(ceiling_of_identical(&different, &scores), None);
}

#[test]
fn a_job_reports_raters_of_files_and_runs_of_judges() {
    let folder = tempfile::tempdir().unwrap();
    let (judged, runs) = (folder.path().join("judged.csv"), folder.path().join("judge.csv"));
    let mut rows = [String::from("id,system,mt,score,rater\n"), String::from("id,system,score,run\n")];
    for rating in noisy().ratings {
        let (segment, rater, score) = (rating.segment, rating.rater.unwrap(), rating.score.unwrap());
        rows[0] += &format!("{segment},a,text {segment},{score},r{rater}\n");
        rows[1] += &format!("{segment},a,{score},{rater}\n");
    }
    std::fs::write(&judged, &rows[0]).unwrap();
    std::fs::write(&runs, &rows[1]).unwrap();
    let job = RatersJob { judgements: vec![judged], scores: vec![runs], resamples: 100, ..RatersJob::default() };
    let reports = job.run(Progress::none()).unwrap().result;
    assert_eq!(reports.iter().map(|report| report.set.as_str()).collect::<Vec<_>>(), ["judged", "judge"]);
    let (people, judge) = (&reports[0], &reports[1]);
    assert_eq!((people.outputs, people.shared, people.raters.len()), (200, 200, 5));
    assert_eq!(people.alpha, judge.alpha);
    assert!(people.low.unwrap() < people.alpha.unwrap() && people.alpha.unwrap() < people.high.unwrap());
    assert!(people.by_raters.unwrap().ceiling > 0.8 && people.by_identical.is_none());
    let nobody = folder.path().join("nobody.csv");
    std::fs::write(&nobody, "id,system,mt,score\n1,a,x,1\n").unwrap();
    let job = RatersJob { judgements: vec![nobody], ..RatersJob::default() };
    let error = job.run(Progress::none()).unwrap_err().to_string();
    assert!(error.starts_with("no raters are named in nobody: judgements need a rater"), "{error}");
}
