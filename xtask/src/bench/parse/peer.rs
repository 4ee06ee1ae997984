//! UDPipe 1, with a model trained here.

use super::texts::Texts;
use crate::bench::peers::{self, UDPIPE};
use crate::bench::runs::RunsArgs;
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of training sentences.
const TRAINING_SENTENCES: u32 = 1000;

/// The program, ready to parse.
pub struct Peer {
    pub python: PathBuf,
    pub model: PathBuf,
    script: PathBuf,
}

impl Peer {
    /// Installs UDPipe if it is missing, and trains a model.
    pub fn new(args: &RunsArgs, texts: &Texts, scratch: &Path) -> Result<Self> {
        let python = peers::python_with(&UDPIPE, args.keep_venv.as_deref())?;
        let peer = Peer { python, model: scratch.join("model.udpipe"), script: scratch.join("udpipe.py") };
        fs::write(&peer.script, include_str!("udpipe.py"))?;
        println!("── training UDPipe on {TRAINING_SENTENCES} sentences");
        let mut train = peer.command();
        train.arg("train").arg(&texts.treebank).arg(&peer.model).arg(TRAINING_SENTENCES.to_string());
        let output = train.output()?;
        if !output.status.success() {
            bail!("UDPipe could not be trained: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(peer)
    }

    /// The script, without arguments.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        command.arg(&self.script);
        command
    }
}
