//! Readers of files: lines, tables, human judgements, scores. One source file per format, which its header describes.
//!
//! [`read_lines`] reads any text, compressed or not; formats are read from [`Lines`], so that an error names file and
//! line. [`rows`] reads JSON lines and CSV with named fields, [`find_judgements`] everything that people judged, and
//! [`read_metric_scores`] what other metrics wrote.
//!
//! ```
//! use std::path::Path;
//! use tercet_corpora::{Lines, parse_nbest};
//!
//! let file = "0 ||| a cat sat\n0 ||| the cat sat\n1 ||| it rained\n";
//! let lines = Lines::from_bytes(Path::new("news.nbest"), file.into())?;
//! let lists = parse_nbest(&lines)?;
//! assert_eq!((lists[0].id.as_str(), &lists[0].candidates[..]), ("0", &["a cat sat", "the cat sat"][..]));
//! assert!(lines.bad(2, "too short").to_string().starts_with("news.nbest:2: "));
//! # Ok::<(), tercet_base::Error>(())
//! ```

mod challenge;
mod collection;
mod compressed;
mod encoding;
mod eval_set;
mod file_pattern;
mod folder;
pub mod formats;
mod judgement_sets;
mod judgement_source;
mod judgements;
mod language_pair;
mod line_stream;
mod metric_scores;
mod mlqe_pe;
mod mqm;
mod names;
mod nbest;
mod nli;
mod pairs_of_file;
mod plain_text;
mod rated;
mod ratings;
mod records;
pub mod rows;
mod score_blocks;
mod score_file;
mod scored_texts;
mod separated;
mod sgml;
mod sick;
mod spans;
mod submission;
mod table;
mod tar;
mod text_folder;
mod tool_scores;
mod wmt_da;
mod wmt_ranking;

pub use crate::unpack::read as read_bytes;
pub use challenge::{ChallengeFields, ChallengeItem, parse_challenge, read_challenge};
pub use encoding::Encoding;
pub use judgement_sets::{find_judgements, select_judgements, select_rows};
pub use judgement_source::JudgementSource;
pub use judgements::{
    Comparison, HumanScores, Judgements, Level, Levels, MetricScores, Outcome, RankedOutput, Ranking, Reference, Texts,
};
pub use line_stream::LineStream;
pub use metric_scores::{MetricRun, parse_metric_scores, read_metric_scores, system_of_file};
pub use nbest::{CandidateList, is_moses_nbest, is_nbest, parse_candidates, parse_nbest};
pub use nli::{NliLabel, NliPair, NliPairs};
pub use plain_text::{Lines, read_lines};
pub use rated::{JudgementFields, error_spans};
pub use ratings::{ErrorSpan, MarkedText, Rating, Ratings, Severity};
pub use score_file::{ScoreColumn, read_scores};
pub use sgml::{DecodedPositions, decoded};
pub use sgml::{SegmentOrder, SgmlDocument, SgmlFile, SgmlKind, SgmlText, is_sgml};
pub use submission::{ScoredSet, Submission, SubmissionFormat, SubmissionRow, gzip};
pub use table::{Role, TextTable, interleaved_references, read_table, split_references};
pub use tar::{TarFile, read_tar};

pub use eval_set::{standard_reference, standard_scores, write_eval_set};
pub use file_pattern::find_files;
pub use metric_scores::metric_and_reference;
pub use mqm::is_human;
pub use tar::is_tar;

pub(crate) use tercet_base::{error, unpack};
pub(crate) use tercet_text as text;
