//! `tercet evalset`: human judgements as a folder that mt-metrics-eval reads.

use super::correlate::judgement_fields;
use crate::args::EvalSetArgs;
use crate::output::Misuse;
use crate::work;
use tercet::corpora::{select_rows, write_eval_set};
use tercet::metrics::Registry;

/// Reads and writes, one language pair after another.
pub fn run(args: &EvalSetArgs, _registry: &Registry) -> anyhow::Result<()> {
    work::start(&args.work)?;
    let is_used =
        args.output.is_file() || std::fs::read_dir(&args.output).is_ok_and(|mut entries| entries.next().is_some());
    if is_used {
        return Err(Misuse(format!("{} is there already: name a new or empty folder", args.output.display())).into());
    }
    for source in select_rows(&args.judgements, &args.pair, &judgement_fields(&args.field))? {
        write_eval_set(&args.output, &source.read()?)?;
    }
    Ok(())
}
