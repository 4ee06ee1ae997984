//! `cargo xtask load`: many clients, slow metrics and malformed requests for `tercet serve`, on this machine only.
//!
//! `lexical`: 200 clients at once for five minutes; no errors, the same bytes as one client gets, a 99th percentile of
//! at most ten times the median, and memory that does not grow. `learned`: more clients than the learned metric can
//! serve; those that are refused are told when to come again, and what is accepted is computed as fast as by the
//! command. `malformed`: 10,000 requests that are wrong in every way known here; each has its status, and the server
//! lives on.

mod clients;
mod learned;
mod lexical;
mod malformed;
mod texts;

use crate::step::tercet;
use anyhow::{Result, bail};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct LoadArgs {
    /// Only this part
    #[arg(value_name = "PART", value_parser = ["lexical", "learned", "malformed"])]
    part: Option<String>,
    /// Seconds of each part but `malformed`
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// Clients of `lexical`
    #[arg(long, default_value_t = 200)]
    clients: usize,
    /// Requests of `malformed`
    #[arg(long, default_value_t = 10_000)]
    requests: usize,
    /// Use this `tercet` instead of building one
    #[arg(long, value_name = "FILE")]
    tercet: Option<PathBuf>,
}

pub fn run(args: &LoadArgs) -> Result<()> {
    let tercet = tercet(args.tercet.as_deref())?;
    let is_chosen = |name: &str| args.part.as_deref().is_none_or(|part| part == name);
    let mut missed = Vec::new();
    if is_chosen("lexical") {
        missed.extend(lexical::run(&tercet, args.clients, args.seconds)?);
    }
    if is_chosen("learned") {
        missed.extend(learned::run(&tercet, args.seconds)?);
    }
    if is_chosen("malformed") {
        missed.extend(malformed::run(&tercet, args.requests)?);
    }
    if !missed.is_empty() {
        bail!("not as it should be:\n  {}", missed.join("\n  "));
    }
    Ok(())
}
