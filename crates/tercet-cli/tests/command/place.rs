//! A folder of its own for each test, and the command run in it.

use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;

/// A fresh folder, gone when the test is over.
pub struct Place {
    folder: tempfile::TempDir,
}

/// What the command said.
#[derive(Debug)]
pub struct Said {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    /// A place with these files in it.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let place = Place::new();
        for (name, text) in files {
            place.write(name, text.as_bytes());
        }
        place
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `tercet` with these words.
    pub fn run(&self, words: &[&str]) -> Said {
        self.run_with(words, "")
    }

    /// The same, with something on standard input.
    pub fn run_with(&self, words: &[&str], stdin: &str) -> Said {
        self.run_under(&[], words, stdin)
    }

    /// The same, with variables in the environment.
    pub fn run_under(&self, environment: &[(&str, &str)], words: &[&str], stdin: &str) -> Said {
        let mut command = Command::cargo_bin("tercet").unwrap();
        command.current_dir(self.folder.path()).args(words).write_stdin(stdin);
        command.env_remove("SACREBLEU_FORMAT").env_remove("SACREBLEU_SEED");
        command.envs(environment.iter().copied());
        let output = command.output().unwrap();
        Said {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Starts it and does not wait.
    #[cfg(feature = "learned")]
    pub fn start(&self, words: &[&str]) -> std::process::Child {
        use std::process::Stdio;
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tercet"));
        command.current_dir(self.folder.path()).args(words).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Starts it and kills it as soon as there is this file.
    #[cfg(feature = "learned")]
    pub fn kill_once_there_is(&self, file: &str, words: &[&str]) {
        let mut child = self.start(words);
        while !self.path(file).is_file() {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Runs it and gives what it printed; it must succeed.
    pub fn stdout(&self, words: &[&str]) -> String {
        let said = self.run(words);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stdout
    }

    /// Runs it and gives what it complained of; it must fail with this code and print no result.
    pub fn error(&self, code: i32, words: &[&str]) -> String {
        let said = self.run(words);
        assert_eq!((said.code, said.stdout.as_str()), (code, ""), "{}", said.stderr);
        said.stderr
    }
}
