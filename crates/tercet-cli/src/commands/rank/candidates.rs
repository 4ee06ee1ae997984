//! The candidates of segments: n-best lists, or the lines of several systems.

use super::files;
use crate::args::RankArgs;
use crate::commands::input::{Files, Input, check_sources};
use crate::output::{self, Misuse};
use crate::progress::with_progress;
use std::path::PathBuf;
use tercet::corpora::{CandidateList, Lines, is_moses_nbest, is_nbest, parse_candidates, parse_nbest, read_lines};
use tercet::metrics::{NamedMetric, Registry};
use tercet::report::{CandidateContents, write_reranked};
use tercet::scoring::{ComparedWith, MetricRequest, RankJob};

/// What puts candidates in order, and how.
pub struct CandidateRanking<'a> {
    pub args: &'a RankArgs,
    pub job: &'a RankJob,
    pub metrics: Vec<NamedMetric>,
    pub registry: &'a Registry,
}

impl CandidateRanking<'_> {
    /// Reads, ranks, reports.
    pub fn run(self) -> anyhow::Result<()> {
        match &self.args.candidates.nbest {
            Some(path) => self.rank_nbest(path),
            None => self.rank_systems(),
        }
    }

    fn rank_nbest(self, path: &PathBuf) -> anyhow::Result<()> {
        let args = self.args;
        check_sources(&Files { hypotheses: std::slice::from_ref(path), ..files(args) })?;
        let lines = read_lines(path)?;
        let lists = lists(&lines, args)?;
        if args.texts.reference.is_empty() {
            let Some(path) = &args.source else { return self.rank(&lists, ComparedWith::default(), None) };
            if !MetricRequest::can_use_source(&self.job.metrics, self.registry) {
                let message = "-s without -r needs a metric that scores by the source, as -m siamese:model=FILE with a \
                               model that can";
                return Err(Misuse(message.to_owned()).into());
            }
            let lines = read_lines(path)?;
            let sources: Vec<&str> = lines.iter().collect();
            return self.rank(&lists, ComparedWith { references: None, sources: Some(&sources) }, None);
        }
        let input = Input::read(&files(args))?;
        let references = input.references()?;
        if references.len() != lists.len() {
            let (found, expected) = (lists.len(), references.len());
            anyhow::bail!(
                "{}:{}: the list ends after candidates for {found} segments, but there are references for {expected}",
                path.display(),
                lines.len()
            );
        }
        let sources = input.sources();
        self.rank(&lists, ComparedWith { references: Some(&references), sources: sources.as_deref() }, None)
    }

    /// The lines of all systems are the candidates of their segments.
    fn rank_systems(self) -> anyhow::Result<()> {
        let input = Input::read_systems(&files(self.args))?;
        if input.has_references() {
            let message = "--mbr chooses without references: name only columns of translations";
            return Err(Misuse(message.to_owned()).into());
        }
        let systems = input.systems();
        if systems.len() < 2 {
            let (found, hint) = (systems.len(), "an n-best list is named with --nbest");
            return Err(Misuse(format!("expected at least two systems to choose from, found {found} ({hint})")).into());
        }
        let list = |segment: usize| CandidateList {
            id: (segment + 1).to_string(),
            candidates: systems.iter().map(|(_, lines)| lines.line(segment)).collect(),
        };
        let lists: Vec<CandidateList<'_>> = (0..systems[0].1.len()).map(list).collect();
        let names: Vec<String> = systems.iter().map(|(name, _)| name.clone()).collect();
        self.rank(&lists, ComparedWith::default(), Some(&names))
    }

    fn rank(
        self,
        lists: &[CandidateList<'_>],
        others: ComparedWith<'_>,
        systems: Option<&[String]>,
    ) -> anyhow::Result<()> {
        let CandidateRanking { args, job, metrics, registry } = self;
        let done = with_progress(args.work.quiet, registry, |progress| {
            job.run_candidates_with(metrics, lists, others, registry, progress)
        })?;
        let (reranked, target) = (done.result, &args.report.target);
        let text = if args.candidates.best {
            reranked.lists.iter().map(|list| format!("{}\n", list.best().text)).collect()
        } else {
            let shown = CandidateContents {
                most: job.top,
                systems,
                decimals: args.report.width.map(usize::from),
                terminal: target.terminal(),
            };
            write_reranked(&reranked, target.format(), shown)
        };
        output::write(&text, target.output.as_deref())
    }
}

/// The lists of a file, by ids or by numbers of lines.
fn lists<'a>(lines: &'a Lines, args: &RankArgs) -> anyhow::Result<Vec<CandidateList<'a>>> {
    match args.candidates.candidates {
        Some(_) if is_moses_nbest(lines) => {
            let path = lines.path().display();
            let message = "every line is in Moses' format, `id ||| text ||| …`, but --candidates is for plain lines";
            Err(Misuse(format!("{path}: {message} (leave it out)")).into())
        }
        Some(count) => Ok(parse_candidates(lines, count as usize)?),
        None if !lines.is_empty() && !is_nbest(lines) => {
            let path = lines.path().display();
            anyhow::bail!(
                "{path}:1: expected `id ||| text`, or an id, a tab and a text (plain lines, N for each segment: \
                 --candidates N)"
            )
        }
        None => Ok(parse_nbest(lines)?),
    }
}
