//! Runs of the command with limits of time, memory and file size.

use anyhow::{Context, Result};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A command line in a folder.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    pub binary: &'a Path,
    pub folder: &'a Path,
    pub words: &'a [String],
    /// The file in the folder that is its standard input.
    pub stdin: Option<&'a str>,
}

/// When a run is ended from outside.
pub struct Limits {
    pub time: Duration,
    /// A signal before that.
    pub signal: Option<(Duration, Signal)>,
}

impl Limits {
    pub fn seconds(seconds: f64) -> Self {
        Limits { time: Duration::from_secs_f64(seconds), signal: None }
    }
}

/// How a run ended.
pub struct Outcome {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub timed_out: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub time: Duration,
}

/// The most that is kept of an output, in bytes.
const MAX_OUTPUT: u64 = 4 << 20;

/// Limits memory and file sizes of all processes that are started from now on, and of this one.
pub fn limit_resources(memory: u64) -> Result<()> {
    for (resource, limit) in
        [(Resource::RLIMIT_AS, memory), (Resource::RLIMIT_FSIZE, 2 << 30), (Resource::RLIMIT_CORE, 0)]
    {
        let (_, most) = getrlimit(resource)?;
        setrlimit(resource, limit.min(most), most)?;
    }
    Ok(())
}

impl Run<'_> {
    /// Files for the outputs, beside the folder.
    fn output(&self, name: &str) -> PathBuf {
        self.folder.with_file_name(name)
    }

    /// Starts the command.
    pub fn start(&self) -> Result<Child> {
        // Ctrl-C is ignored by processes in the background of a shell, and `env` undoes that.
        let mut command = Command::new("env");
        command.arg("--default-signal=INT").arg(self.binary).args(self.words).current_dir(self.folder);
        self.with_environment(&mut command)
    }

    fn with_environment(&self, command: &mut Command) -> Result<Child> {
        let temporary = self.folder.join("tmp");
        fs::create_dir_all(&temporary)?;
        command.env("XDG_CACHE_HOME", self.folder.join("cache")).env("HOME", self.folder).env("TMPDIR", temporary);
        command.env("RAYON_NUM_THREADS", "2").env("RUST_BACKTRACE", "0").env_remove("TERCET_SHARED");
        let stdin = match self.stdin.map(|name| File::open(self.folder.join(name))) {
            Some(Ok(file)) => Stdio::from(file),
            _ => Stdio::null(),
        };
        command.stdin(stdin);
        command.stdout(File::create(self.output("stdout"))?).stderr(File::create(self.output("stderr"))?);
        command.spawn().with_context(|| format!("cannot start {}", self.binary.display()))
    }

    /// Runs the command to its end or to the limit.
    pub fn wait(&self, limits: &Limits) -> Result<Outcome> {
        let started = Instant::now();
        let mut child = match limits.signal {
            Some((_, Signal::SIGINT)) => self.start()?,
            _ => self.with_environment(Command::new(self.binary).args(self.words).current_dir(self.folder))?,
        };
        let mut signal = limits.signal;
        let mut timed_out = false;
        let mut pause = Duration::from_micros(300);
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if let Some((_, number)) = signal.filter(|(at, _)| started.elapsed() >= *at) {
                let _ = kill(Pid::from_raw(child.id() as i32), number);
                signal = None;
            }
            if is_over(started.elapsed(), child.id(), limits.time) {
                timed_out = true;
                child.kill()?;
            }
            std::thread::sleep(pause);
            pause = (pause * 5 / 4).min(Duration::from_millis(if signal.is_some() { 1 } else { 20 }));
        };
        Ok(Outcome {
            code: status.code(),
            signal: status.signal(),
            timed_out,
            stdout: kept(&self.output("stdout"))?,
            stderr: kept(&self.output("stderr"))?,
            time: started.elapsed(),
        })
    }
}

/// Whether a process has used its time: CPU time where the system tells it, because other programs may keep the machine
/// busy; six times the limit if it hardly works but waits; and sixty times the limit in any case.
fn is_over(elapsed: Duration, process: u32, limit: Duration) -> bool {
    let used = |cpu| cpu > limit || (elapsed > limit * 6 && cpu < elapsed / 50) || elapsed > limit * 60;
    elapsed > limit && cpu_time(process).is_none_or(used)
}

/// Linux: fields 14 and 15 of `stat`, in hundredths of a second.
fn cpu_time(process: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let ticks = after_name.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<Option<u64>>()?))
}

fn kept(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_OUTPUT).read_to_end(&mut bytes)?;
    Ok(bytes)
}
