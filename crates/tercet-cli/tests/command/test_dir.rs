//! A temporary directory for each test, and the command run in it.

use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;

/// A temporary directory, removed at the end of the test.
pub struct TestDir {
    folder: tempfile::TempDir,
}

/// Exit code and output of the command.
#[derive(Debug)]
pub struct CommandOutput {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl TestDir {
    pub fn new() -> Self {
        TestDir { folder: tempfile::tempdir().unwrap() }
    }

    /// A directory with these files in it.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let dir = TestDir::new();
        for (name, text) in files {
            dir.write(name, text.as_bytes());
        }
        dir
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

    /// Runs `tercet` with these arguments.
    pub fn run(&self, words: &[&str]) -> CommandOutput {
        self.run_with(words, "")
    }

    /// The same, with this standard input.
    pub fn run_with(&self, words: &[&str], stdin: &str) -> CommandOutput {
        self.run_under(&[], words, stdin)
    }

    /// The same, with these environment variables.
    pub fn run_under(&self, environment: &[(&str, &str)], words: &[&str], stdin: &str) -> CommandOutput {
        let mut command = Command::cargo_bin("tercet").unwrap();
        command.current_dir(self.folder.path()).args(words).write_stdin(stdin);
        command.env_remove("SACREBLEU_FORMAT").env_remove("SACREBLEU_SEED");
        // What is installed on this machine must not matter.
        command.envs([("TERCET_JA_MECAB", ""), ("TERCET_KO_MECAB", ""), ("SACREBLEU", "no-models")]);
        command.envs(environment.iter().copied());
        let output = command.output().unwrap();
        CommandOutput {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Starts the command and does not wait for it.
    #[cfg(feature = "learned")]
    pub fn start(&self, words: &[&str]) -> std::process::Child {
        use std::process::Stdio;
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("tercet"));
        command.current_dir(self.folder.path()).args(words).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// Starts the command and kills it as soon as this file exists.
    #[cfg(feature = "learned")]
    pub fn kill_when_file_exists(&self, file: &str, words: &[&str]) {
        let mut child = self.start(words);
        while !self.path(file).is_file() {
            assert!(child.try_wait().unwrap().is_none(), "the command ended before it could be killed");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Runs the command, which must succeed; returns its standard output.
    pub fn stdout(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!(output.code, 0, "{}", output.stderr);
        output.stdout
    }

    /// Runs the command, which must fail with this code and print no result; returns its standard error.
    pub fn error(&self, code: i32, words: &[&str]) -> String {
        let output = self.run(words);
        assert_eq!((output.code, output.stdout.as_str()), (code, ""), "{}", output.stderr);
        output.stderr
    }

    /// Asserts that a seed decides the bytes of the model that a command trains, and the number of threads does not.
    #[cfg(feature = "learned")]
    pub fn check_seed_and_threads(&self, command: &[&str]) {
        let model = |more: [&str; 2], name: &str| {
            self.stdout(&[command, &["-o", name], &more].concat());
            self.read(name)
        };
        let one = model(["--threads", "1"], "one");
        assert!(one == model(["--threads", "3"], "three"));
        assert!(one != model(["--seed", "2"], "two"));
    }
}
