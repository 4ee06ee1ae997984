//! Progress bars of all commands, and stopping with Ctrl-C.
//!
//! On a terminal each stage has a bar. Elsewhere (files, other programs, `TERM=dumb`) there is at most one line every
//! [`PAUSE`], so that short work prints nothing, and one for each important status, such as a development score.
//! `--quiet` shows nothing.
//!
//! The first Ctrl-C asks the work to stop: it ends within a fraction of a second, writes its checkpoint if it has one,
//! and the command exits with 130. The second one ends the process at once, as does the first one after [`PATIENCE`]
//! unless there is a checkpoint to write: reading a slow disk may take longer.

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tercet::files;
use tercet::metrics::Registry;
use tercet::progress::{Event, Progress};
use tercet::stop::Stop;

/// Minimum time between two lines if there is no terminal.
const PAUSE: Duration = Duration::from_secs(5);

/// How long work without checkpoints may take to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// Set when Ctrl-C was pressed.
static STOP: LazyLock<Stop> = LazyLock::new(Stop::default);

/// Whether there is work that will notice it: not between tasks, nor while the command waits for input.
static WORKING: AtomicBool = AtomicBool::new(false);

/// Whether the work writes checkpoints.
static HAS_CHECKPOINTS: AtomicBool = AtomicBool::new(false);

/// The bar that is shown now.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

type Callback = dyn Fn(&Event<'_>) -> ControlFlow<()> + Send + Sync;

/// Long work is going on: its progress is shown, and Ctrl-C asks it to stop, until this is dropped.
pub struct ShownProgress<'r> {
    printer: Arc<Mutex<Printer>>,
    callback: Box<Callback>,
    quiet: bool,
    registry: &'r Registry,
}

impl<'r> ShownProgress<'r> {
    /// Begins to show.
    pub fn new(quiet: bool, registry: &'r Registry) -> Self {
        stop_on_interrupt();
        let printer = Arc::new(Mutex::new(Printer::new(quiet)));
        let shared = Arc::clone(&printer);
        let callback = Box::new(move |event: &Event<'_>| {
            match event {
                _ if quiet => {}
                Event::Warning(warning) => output::warn_of(warning),
                _ => lock(&shared).show(event),
            }
            if STOP.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        WORKING.store(true, Ordering::Relaxed);
        ShownProgress { printer, callback, quiet, registry }
    }

    /// What the work reports to.
    pub fn progress(&self) -> Progress<'_> {
        Progress::new(&self.callback)
    }
}

impl Drop for ShownProgress<'_> {
    fn drop(&mut self) {
        WORKING.store(false, Ordering::Relaxed);
        lock(&self.printer).bar.finish_and_clear();
        *lock(&BAR) = None;
        if !self.quiet {
            output::warn_of_damaged(self.registry.context());
        }
    }
}

/// Runs a command; Ctrl-C also stops it inside of a segment.
pub fn stopped_by_interrupt(command: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    STOP.watch(command)?
}

/// Runs long work with its progress shown. The work gets a [`Progress`] that reports to the printer and stops on
/// Ctrl-C.
pub fn with_progress<T>(quiet: bool, registry: &Registry, work: impl FnOnce(Progress<'_>) -> T) -> T {
    work(ShownProgress::new(quiet, registry).progress())
}

/// The same for work that writes a checkpoint when it is stopped, and is given the time for it.
#[cfg(feature = "learned")]
pub fn with_checkpoints<T>(quiet: bool, registry: &Registry, work: impl FnOnce(Progress<'_>) -> T) -> T {
    HAS_CHECKPOINTS.store(true, Ordering::Relaxed);
    with_progress(quiet, registry, work)
}

/// Reads input that may not come for a while: Ctrl-C ends the process then.
#[cfg(feature = "learned")]
pub fn waiting_for_input<T>(read: impl FnOnce() -> T) -> T {
    let worked = WORKING.swap(false, Ordering::Relaxed);
    let done = read();
    WORKING.store(worked, Ordering::Relaxed);
    done
}

/// Prints something while a bar may be shown, so that it is not overwritten.
pub fn above_the_bar(print: impl FnOnce()) {
    let bar = lock(&BAR).clone();
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the first Ctrl-C stop the work instead of the process; the second one ends the process, as does the first
/// where nothing would notice it. Where the caller ignores Ctrl-C (a job in the background), it stays ignored.
fn stop_on_interrupt() {
    let _ = ctrlc::try_set_handler(|| {
        if STOP.is_set() || !WORKING.load(Ordering::Relaxed) {
            exit_stopped();
        }
        STOP.set();
        output::note("stopping (press Ctrl-C again to stop at once)");
        if !HAS_CHECKPOINTS.load(Ordering::Relaxed) {
            // In a thread of its own, so that the second Ctrl-C is noticed meanwhile.
            thread::spawn(|| {
                thread::sleep(PATIENCE);
                output::note("error: stopped");
                exit_stopped();
            });
        }
    });
}

/// Ends the process as Ctrl-C does.
pub fn exit_stopped() -> ! {
    files::remove_unfinished();
    #[allow(clippy::exit)]
    std::process::exit(i32::from(output::STOPPED))
}

/// The current stage and how it is shown.
struct Printer {
    /// Whether to print lines instead of bars.
    lines: bool,
    bar: ProgressBar,
    name: String,
    unit: String,
    status: String,
    last_line: Instant,
    /// Whether there was an important status: the first one has a line of its own.
    had_important: bool,
}

impl Printer {
    fn new(quiet: bool) -> Self {
        Printer {
            lines: !quiet && ProgressDrawTarget::stderr().is_hidden(),
            bar: ProgressBar::hidden(),
            name: String::new(),
            unit: String::new(),
            status: String::new(),
            last_line: Instant::now(),
            had_important: false,
        }
    }

    fn show(&mut self, event: &Event<'_>) {
        match *event {
            Event::Stage { name, total, unit } => self.start(name, total, unit),
            Event::Advance(count) => self.bar.inc(count),
            Event::Status { text, .. } => {
                text.clone_into(&mut self.status);
                self.bar.set_message(self.status.clone());
            }
            _ => {}
        }
        let is_important = matches!(event, Event::Status { important: true, .. });
        let is_first = is_important && !self.had_important;
        self.had_important |= is_important;
        if self.lines && (is_first || self.last_line.elapsed() >= PAUSE) {
            self.last_line = Instant::now();
            output::note(self.line());
        }
    }

    fn start(&mut self, name: &str, total: Option<u64>, unit: &str) {
        self.bar.finish_and_clear();
        (self.name, self.unit, self.status) = (name.to_owned(), unit.to_owned(), String::new());
        let template = match (total, unit) {
            (Some(_), _) => format!("{{prefix}} {{bar:30}} {{pos}}/{{len}} {unit} {{eta}}  {{wide_msg}}"),
            (None, "") => "{spinner} {prefix}  {wide_msg}".to_owned(),
            (None, unit) => format!("{{spinner}} {{prefix}} {{pos}} {unit} ({{rate}})  {{wide_msg}}"),
        };
        let style = ProgressStyle::with_template(&template).expect("units contain no braces");
        let style = style.with_key("rate", |state: &ProgressState, text: &mut dyn Write| {
            let _ = text.write_str(&rate(state.per_sec()));
        });
        let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new).with_style(style);
        self.bar = bar.with_prefix(self.name.clone());
        self.bar.tick();
        *lock(&BAR) = (!self.lines).then(|| self.bar.clone());
    }

    /// `scoring: 1200/3004 segments, about 12 min left  loss 0.31`.
    fn line(&self) -> String {
        let counted = match (self.bar.length(), self.unit.as_str()) {
            (Some(total), unit) => {
                format!(": {}/{total} {unit}{}", self.bar.position(), left(self.bar.eta()))
            }
            (None, "") => String::new(),
            (None, unit) => format!(": {} {unit}", self.bar.position()),
        };
        format!("{}{counted}  {}", self.name, self.status).trim_end().to_owned()
    }
}

/// `, about 45 s left`; nothing if it is not known, or below a second.
fn left(time: Duration) -> String {
    match time.as_secs() {
        0 => String::new(),
        seconds @ ..90 => format!(", about {seconds} s left"),
        seconds @ ..5400 => format!(", about {} min left", (seconds + 30) / 60),
        seconds => format!(", about {:.1} h left", seconds as f64 / 3600.0),
    }
}

/// `1234/s`, `12.3/s`, `0.12/s`.
fn rate(per_second: f64) -> String {
    match per_second {
        100.0.. => format!("{per_second:.0}/s"),
        1.0.. => format!("{per_second:.1}/s"),
        _ => format!("{per_second:.2}/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_has_one_unit() {
        let shown = [0, 45, 89, 90, 1000, 5399, 5400, 36_000].map(|seconds| left(Duration::from_secs(seconds)));
        let expected = ["", "45 s", "89 s", "2 min", "17 min", "90 min", "1.5 h", "10.0 h"];
        assert_eq!(shown[0], expected[0]);
        for (shown, expected) in shown.iter().zip(expected).skip(1) {
            assert_eq!(*shown, format!(", about {expected} left"));
        }
    }

    #[test]
    fn lines_say_how_much_time_is_left() {
        let mut printer = Printer::new(true);
        printer.start("running experiments", Some(100_000), "runs");
        assert_eq!(printer.line(), "running experiments: 0/100000 runs");
        for _ in 0..30 {
            thread::sleep(Duration::from_millis(2));
            printer.bar.inc(1);
        }
        let line = printer.line();
        assert!(line.starts_with("running experiments: 30/100000 runs, about ") && line.ends_with(" left"), "{line}");
    }

    #[test]
    fn a_rate_has_about_three_digits() {
        assert_eq!([1234.5678, 12.345, 0.1234].map(rate), ["1235/s", "12.3/s", "0.12/s"]);
    }
}
