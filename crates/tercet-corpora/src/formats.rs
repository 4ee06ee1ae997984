//! Readers of single formats of judgements and of inference pairs, for programs that hold the lines of a file already,
//! or want what only that format has: the rows of an MQM table, the scores that an EvalSet lacks.
//! [`find_judgements`](super::find_judgements) recognises all formats of judgements by itself.

pub use super::eval_set::sources as eval_set_sources;
pub use super::eval_set::{EvalSet, MissingScores, parse_documents, parse_json_texts, read_eval_set};
pub use super::mlqe_pe::parse_mlqe_pe;
pub use super::mqm::sources as mqm_sources;
pub use super::mqm::{Annotation, Annotations, MqmWeights, RatedSegment};
pub use super::mqm::{parse_averages, parse_mqm, parse_side_by_side, read_mqm};
pub use super::nli::parse_nli;
pub use super::rated::{parse_rated, parse_rated_with};
pub use super::scored_texts::parse_scored_texts;
pub use super::sick::parse_sick;
pub use super::wmt_da::{AlignedFiles, AlignedScores, parse_da_scores, parse_da_tables};
pub use super::wmt_ranking::{RankingTables, parse_five_way, parse_pairwise};
