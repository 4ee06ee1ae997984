//! Files in, records out: one file per format, its header the description of the format.

mod compressed;
mod encoding;
mod judgements;
mod plain_text;
mod score_file;
mod table;

pub use compressed::read as read_bytes;
pub use encoding::Encoding;
pub use judgements::{
    Comparison, HumanScores, Judgements, Level, MetricScores, Outcome, RankedOutput, Ranking, Reference,
    Texts,
};
pub use plain_text::{Lines, read_lines};
pub use score_file::{ScoreColumn, read_scores};
pub use table::{Role, Table, interleaved_references, read_table, split_references};
