//! `cargo xtask bench`: speed and memory beside the tools people use today, recorded in `benchsuite/runs/`.

mod agreement;
pub mod lexical;
mod machine;
pub mod measure;
mod peers;
mod record;
mod rows;

#[derive(clap::Subcommand)]
pub enum Bench {
    /// BLEU, chrF, TER and the paired bootstrap, beside sacreBLEU (and tercom, if TERCET_TERCOM_JAR names its jar)
    Lexical(lexical::LexicalArgs),
}
