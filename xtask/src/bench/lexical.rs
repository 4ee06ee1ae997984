//! `cargo xtask bench lexical`: BLEU, chrF and TER compared with sacreBLEU.

use super::machine::{said_by, version_of};
use super::peers::{self, SACREBLEU};
use super::record::About;
use super::rows::{Texts, rows};
use super::suite::{self, Programs, SuiteArgs};
use crate::golden::shared;
use anyhow::Result;

pub fn run(args: &SuiteArgs) -> Result<()> {
    let texts = Texts::wmt17(&shared()?)?;
    let tercet = suite::tercet(args)?;
    let python = peers::python_with(&SACREBLEU, args.runs.keep_venv.as_deref())?;
    let about = About {
        file: "lexical",
        title: "Lexical metrics",
        text: "WMT17 German–English, 3,004 segments to a system; medians of interleaved runs; the peer is sacreBLEU unless \
               the row says otherwise. The two tools' scores were compared before anything was timed.",
        tools: [
            ("python", said_by(&python, &["--version"])),
            ("sacrebleu", version_of(&python, "sacrebleu")),
            ("numpy", version_of(&python, "numpy")),
        ]
        .into(),
    };
    let programs = Programs { python, tercet };
    suite::run(args, &about, &programs, |scratch| rows(&texts, peers::tercom().as_deref(), scratch))
}
