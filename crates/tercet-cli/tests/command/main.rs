//! The command as people call it: what it prints, what it says on standard error, how it ends. One file per topic;
//! every test has a folder of its own.

mod sacrebleu;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// A fresh folder with the files of one test.
struct Folder(tempfile::TempDir);

/// How a run ended.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().expect("a folder for the test");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("a file for the test");
        }
        Folder(folder)
    }

    /// Runs `tercet` with these words in the folder.
    fn run(&self, words: &[&str], stdin: &str) -> Run {
        self.run_in(words, stdin, &[])
    }

    /// The same with variables set.
    fn run_in(&self, words: &[&str], stdin: &str, environment: &[(&str, &str)]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tercet"))
            .args(words)
            .current_dir(self.0.path())
            .env_remove("SACREBLEU_FORMAT")
            .env_remove("SACREBLEU_SEED")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        // The command may end without reading: a closed pipe is no failure of the test.
        let _ = child
            .stdin
            .take()
            .map(|mut pipe| pipe.write_all(stdin.as_bytes()));
        let output = child.wait_with_output().expect("the command ends");
        Run {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("results are UTF-8"),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}
