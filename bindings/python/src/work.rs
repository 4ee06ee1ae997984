//! Work outside of the interpreter: threads, progress, Ctrl-C.
//!
//! [`run`] does work on the threads of a pool while the calling thread waits without the interpreter's lock. Ten times
//! a second the calling thread takes the lock, lets Python handle its signals and reports progress; an exception of
//! either stops the work.
//!
//! A pool belongs to a process: after a fork its threads are gone, so the child makes its own. Pools are held in an
//! atomic pointer, since a lock could be held by another thread at the moment of the fork. They are never freed: there
//! is one for each number of threads that was asked for. What a fork waits for is in `fork.rs`.

use crate::errors::{REQUEST, exception, of_class};
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
use tercet::Error;
use tercet::progress::{Event, Progress};
use tercet::report::warning_object;
use tercet::stop::Stop;
use tercet::threads::limited;
use tercet::warning::{SkippedBecause, Warning};

/// How often signals and progress are looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// The threads of a process.
pub struct Pool {
    process: u32,
    threads: usize,
    pub pool: ThreadPool,
    /// The pool that was made before, perhaps by a parent.
    previous: Option<&'static Pool>,
}

/// The pool that was made last.
static LAST: AtomicPtr<Pool> = AtomicPtr::new(std::ptr::null_mut());

/// The number of threads that was asked for; 0: all cores.
static THREADS: AtomicUsize = AtomicUsize::new(0);

/// Sets the number of threads; 0: all cores.
#[pyfunction]
fn set_threads(py: Python<'_>, count: i64) -> PyResult<()> {
    let Ok(count) = usize::try_from(count) else {
        return Err(of_class(py, REQUEST, &format!("threads: expected 0 (all cores) or more, found {count}")));
    };
    THREADS.store(limited(count), Ordering::SeqCst);
    Ok(())
}

/// The number of threads.
#[pyfunction]
fn threads(py: Python<'_>) -> PyResult<usize> {
    Ok(pool(py)?.pool.current_num_threads())
}

/// The pools of this process, the newest first.
pub fn pools() -> impl Iterator<Item = &'static Pool> {
    // SAFETY: the pointer is null, or that of a pool that was leaked before it was stored: it stays valid.
    #[allow(unsafe_code)]
    let last = unsafe { LAST.load(Ordering::SeqCst).as_ref() };
    let process = process::id();
    std::iter::successors(last, |pool| pool.previous).take_while(move |pool| pool.process == process)
}

/// The pool of this process with the threads asked for.
fn pool(py: Python<'_>) -> PyResult<&'static Pool> {
    let (process, threads) = (process::id(), THREADS.load(Ordering::SeqCst));
    if let Some(pool) = pools().find(|pool| pool.threads == threads) {
        return Ok(pool);
    }
    let pool = ThreadPoolBuilder::new()
        .num_threads(limited(threads))
        .thread_name(|i| format!("tercet-{i}"))
        .build()
        .map_err(|error| of_class(py, "Error", &format!("cannot start threads: {error}")))?;
    let pool: &'static mut Pool = Box::leak(Box::new(Pool { process, threads, pool, previous: pools().next() }));
    LAST.store(pool, Ordering::SeqCst);
    Ok(pool)
}

/// What the work has reported.
#[derive(Default)]
struct State {
    stop: Stop,
    done: AtomicU64,
    reported: Mutex<Reported>,
}

#[derive(Default)]
struct Reported {
    stage: String,
    total: Option<u64>,
    unit: String,
    status: String,
    warnings: Vec<Warning>,
}

impl State {
    fn receive(&self, event: &Event<'_>) -> ControlFlow<()> {
        let reported = || self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Stage { name, total, unit } => {
                let mut reported = reported();
                (reported.stage, reported.total) = ((*name).to_owned(), *total);
                (reported.unit, reported.status) = ((*unit).to_owned(), String::new());
                self.done.store(0, Ordering::Relaxed);
            }
            Event::Advance(count) => {
                self.done.fetch_add(*count, Ordering::Relaxed);
            }
            Event::Warning(warning) => reported().warnings.push((*warning).clone()),
            Event::Status { text, .. } => reported().status = (*text).to_owned(),
            _ => {}
        }
        if self.stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Lets Python handle signals and shows progress.
    fn report(&self, py: Python<'_>, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        py.check_signals()?;
        let Some(progress) = progress else { return Ok(()) };
        let (stage, total, unit, status) = {
            let reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
            (reported.stage.clone(), reported.total, reported.unit.clone(), reported.status.clone())
        };
        progress.call1((stage, self.done.load(Ordering::Relaxed), total, unit, status))?;
        Ok(())
    }
}

/// The place where a result is waited for.
struct Outcome<T> {
    value: Mutex<Option<T>>,
    ready: Condvar,
}

impl<T> Outcome<T> {
    fn put(&self, value: T) {
        *self.value.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        self.ready.notify_one();
    }

    /// The result, if it comes within the interval.
    fn wait(&self) -> Option<T> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ready.wait_timeout_while(value, INTERVAL, |value| value.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

/// Does work on the pool. `progress` is called with stage, units done, their total, unit and status; warnings of the
/// work are issued by `tercet.progress.warn`.
pub fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Progress<'_>) -> tercet::Result<T> + Send,
) -> PyResult<T> {
    let pool = pool(py)?;
    let state = State::default();
    let outcome = Outcome { value: Mutex::new(None), ready: Condvar::new() };
    let callback = |event: &Event<'_>| state.receive(event);
    let (result, raised) = pool.pool.in_place_scope(|scope| {
        let work = || state.stop.watch(|| work(Progress::new(&callback)))?;
        scope.spawn(|_| outcome.put(catch_unwind(AssertUnwindSafe(work))));
        let mut raised = None;
        loop {
            if let Some(result) = py.detach(|| outcome.wait()) {
                return (result, raised);
            }
            if let Err(error) = state.report(py, progress.filter(|_| raised.is_none())) {
                state.stop.set();
                raised.get_or_insert(error);
            }
        }
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let value = match result {
        Ok(Ok(value)) => value,
        Ok(Err(error)) => return Err(exception(py, &error, advice(&error))),
        Err(panic) => return Err(of_panic(py, panic.as_ref())),
    };
    let warnings = state.reported.into_inner().unwrap_or_else(PoisonError::into_inner).warnings;
    warn(py, &warnings)?;
    Ok(value)
}

/// Issues Python warnings.
pub fn warn(py: Python<'_>, warnings: &[Warning]) -> PyResult<()> {
    if !warnings.is_empty() {
        let told = |warning: &Warning| (sentence(warning), warning_object(warning).to_string());
        py.import("tercet.progress")?.getattr("warn")?.call1((warnings.iter().map(told).collect::<Vec<_>>(),))?;
    }
    Ok(())
}

/// A warning with what helps against it.
fn sentence(warning: &Warning) -> String {
    format!("{warning}{}", hint(warning))
}

/// What would be said of a list of warnings in JSON; for tests.
#[pyfunction]
fn _warning_sentences(py: Python<'_>, warnings: &str) -> PyResult<Vec<String>> {
    let warnings = serde_json::from_str::<Vec<Warning>>(warnings);
    let warnings = warnings.map_err(|error| of_class(py, REQUEST, &error.to_string()))?;
    Ok(warnings.iter().map(sentence).collect())
}

/// The argument that helps against an error.
fn advice(error: &Error) -> &'static str {
    match error {
        Error::ModelExists { .. } => ": name another, or give force=True",
        Error::UnusedCheckpoint { .. } => ": go on with resume=True, or remove it",
        Error::NoCheckpoint { .. } => ": train without resume",
        _ => "",
    }
}

/// The argument that helps against a warning.
fn hint(warning: &Warning) -> String {
    match (warning, warning.is_solved_by_language()) {
        (_, Some(Some(language))) => format!("; language={:?} chooses it", language.code),
        (_, Some(None)) => "; the argument language chooses it".to_owned(),
        (Warning::ByteOrderMark { .. }, _) => {
            r#" with removeprefix("\ufeff"), or open its file with encoding="utf-8-sig""#.to_owned()
        }
        (Warning::MetricSkipped { because: SkippedBecause::UnknownLanguage, .. }, _) => {
            ": if they are English, add it with language=\"en\" (fast=True: without this warning)".to_owned()
        }
        (Warning::TakesMinutes { .. }, _) => " (fast=True takes less time)".to_owned(),
        _ => String::new(),
    }
}

/// A panic is a defect of tercet; the interpreter keeps running.
fn of_panic(py: Python<'_>, panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    of_class(py, "InternalError", &format!("a mistake in tercet, please report it: {text}"))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(set_threads, module)?)?;
    module.add_function(wrap_pyfunction!(_warning_sentences, module)?)?;
    module.add_function(wrap_pyfunction!(threads, module)?)
}
