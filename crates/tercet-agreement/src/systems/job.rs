//! Rankings of systems as a use case: which judgements, which methods, and how.

use super::{Method, RankRequest, ResamplingUnit, SharedOutputs, SystemRanking, Test, rank_systems};
use crate::MAX_DRAWS;
use crate::corpora::select_judgements;
use crate::error::{Error, Result};
use crate::progress::Progress;
use crate::warning::{Done, Warning};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

tercet_base::defaults! {
    /// Ranks systems by human judgements. The default: the method of WMT for the judgements, 1,000 runs with seed
    /// 12345.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    pub struct SystemsJob {
        /// Folders or files of human judgements.
        pub judgements: Vec<PathBuf> = Vec::new(),
        /// Only these language pairs; if empty, all.
        pub pairs: Vec<String> = Vec::new(),
        /// The methods; if empty, [`Method::for_judgements`].
        pub methods: Vec<Method> = Vec::new(),
        /// Runs of TrueSkill, resamples, samples of the posterior, or trials of the paired test.
        #[serde(alias = "resamples")]
        pub runs: usize = RankRequest::new(Method::TrueSkill).runs,
        /// The seed of all random streams.
        pub seed: u64 = RankRequest::new(Method::TrueSkill).seed,
        /// What is drawn before each run. Default: [`Method::resampling`].
        pub resample: Option<ResamplingUnit> = None,
        /// How systems with the same output are compared. Default: they are tied.
        pub shared_outputs: Option<SharedOutputs> = None,
        /// The name of the scores to average. Default: `z`, or the first.
        pub scores: Option<String> = None,
        /// The test between averages. Default: the rank-sum test.
        pub test: Option<Test> = None,
    }
}

/// What settings of rankings, and of averages, need to have an effect.
const RANKINGS: &str = "a method that ranks by comparisons";
const AVERAGES: &str = "the method average";

impl SystemsJob {
    /// Returns an error for settings that cannot be met or have no effect on the methods.
    pub fn validate(&self) -> Result<()> {
        if !(1..=MAX_DRAWS).contains(&self.runs) {
            return Err(Error::out_of_range("runs", format!("a number from 1 to {MAX_DRAWS}"), self.runs));
        }
        let only = |average: bool| self.methods.iter().all(|method| (*method == Method::Average) == average);
        let without_effect = match self.methods.is_empty() {
            true => None,
            false if only(true) && self.resample.is_some() => Some(("resample", RANKINGS)),
            false if only(true) && self.shared_outputs.is_some() => Some(("shared_outputs", RANKINGS)),
            false if only(false) && self.scores.is_some() => Some(("scores", AVERAGES)),
            false if only(false) && self.test.is_some() => Some(("test", AVERAGES)),
            false => None,
        };
        match without_effect {
            Some((setting, needs)) => Err(Error::NoEffect { setting, needs }),
            None => Ok(()),
        }
    }

    /// Ranks by every method on every language pair. If there are several, those that cannot be ranked are left out
    /// with a warning.
    pub fn run(&self, progress: Progress<'_>) -> Result<Done<Vec<SystemRanking>>> {
        Done::collect(progress, |progress| {
            self.validate()?;
            let sources = select_judgements(&self.judgements, &self.pairs)?;
            progress.stage("ranking systems", sources.len() * self.methods.len().max(1) * self.runs, "runs")?;
            let (mut rankings, mut refused) = (Vec::new(), Vec::new());
            for source in &sources {
                let judgements = source.read()?;
                let own = [Method::for_judgements(&judgements)];
                for &method in if self.methods.is_empty() { &own[..] } else { &self.methods } {
                    match rank_systems(&judgements, &self.request(method), progress) {
                        Ok(ranking) => rankings.push(ranking),
                        Err(Error::NotRanked { set, because }) => refused.push((set, because)),
                        Err(error) => return Err(error),
                    }
                }
            }
            if rankings.is_empty()
                && let Some((set, because)) = refused.pop()
            {
                return Err(Error::NotRanked { set, because });
            }
            for (set, because) in refused {
                progress.warn(&Warning::NotRanked { set, because })?;
            }
            Ok(rankings)
        })
    }

    fn request(&self, method: Method) -> RankRequest {
        RankRequest {
            method,
            runs: self.runs,
            seed: self.seed,
            resampling: self.resample,
            shared_outputs: self.shared_outputs.unwrap_or_default(),
            scores: self.scores.clone(),
            test: self.test.unwrap_or_default(),
        }
    }
}
