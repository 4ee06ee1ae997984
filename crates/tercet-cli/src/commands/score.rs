//! `tercet score`.
use crate::args::ScoreArgs;
/// Scores.
pub fn run(_args: &ScoreArgs) -> anyhow::Result<()> {
    Ok(())
}
