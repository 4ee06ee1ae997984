//! Instructions per word, counted by valgrind, which does not depend on the load of the machine.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of sentences; valgrind is hundreds of times slower.
const SENTENCES: usize = 20;

/// Instructions per word without loading and the first pass; `None` without valgrind.
pub fn per_word(program: &Path, work: &str, file: &Path, model: Option<&PathBuf>) -> Result<Option<f64>> {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok(None);
    }
    let some = file.with_extension("some.txt");
    let text: String = fs::read_to_string(file)?.split_inclusive('\n').take(SENTENCES).collect();
    fs::write(&some, text)?;
    let count = |times: &str| -> Result<(f64, f64)> {
        let mut command = Command::new("valgrind");
        command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
        command.arg(work).arg(&some).arg(times).args(model).env("RAYON_NUM_THREADS", "1");
        let output = command.output()?;
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).context("valgrind")?;
        let words = said["words"].as_f64().context("no words")?;
        Ok((collected(&String::from_utf8_lossy(&output.stderr)).context("valgrind counted nothing")?, words))
    };
    // The first pass of either run is a warm-up.
    let ((one, words), (three, _)) = (count("1")?, count("3")?);
    Ok(Some((three - one) / 2.0 / words))
}

/// The number after `Collected :`.
fn collected(said: &str) -> Option<f64> {
    let line = said.lines().find(|line| line.contains("Collected :"))?;
    line.split_whitespace().last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn valgrinds_count_is_found() {
        let said = "==1== Events    : Ir\n==1== Collected : 1234567\n==1== ";
        assert_eq!(super::collected(said), Some(1_234_567.0));
        assert_eq!(super::collected("==1== no"), None);
    }
}
