//! Stopping work from outside, in the middle of a segment.
//!
//! [`Progress`](crate::progress::Progress) is asked between steps of work. One step, a segment of 100 kB, may take
//! minutes. A [`Stop`] reaches inside: [`Stop::watch`] does work, and every loop that may take long calls [`steps`] or
//! [`look`], however deep it is. When the stop is set, or its deadline has passed, the next look unwinds the stack to
//! `watch`, which returns [`Stopped`]. Nothing else is reported: no panic, no message. Without a `watch` around it, or
//! in programs whose panics abort, a look does nothing.
//!
//! What unwinds leaves no value half made: buffers of the work are dropped, locks are free, and shared values are
//! complete or absent. Work that must come to an orderly end, as training that writes a checkpoint, is
//! [`shielded`] and asks its progress.
//!
//! The stop belongs to a thread. Work that goes on in other threads takes it along: what a parallel loop does to each
//! item is [`carried`], or calls [`Here::enter`] on what was [`here`] before the loop.
//!
//! # Example
//! ```
//! use std::time::{Duration, Instant};
//! use tercet_base::progress::Stopped;
//! use tercet_base::stop::{self, Stop};
//!
//! let soon = Instant::now() + Duration::from_millis(20);
//! let endless = || -> u64 {
//!     (0..).map(|number| { stop::steps(1); number % 2 }).sum()
//! };
//! assert_eq!(Stop::default().until(soon).watch(endless), Err(Stopped));
//! assert_eq!(Stop::default().watch(|| 1 + 1), Ok(2));
//! ```

use crate::progress::Stopped;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Steps, each of some nanoseconds, between two looks.
const STEPS: usize = 1 << 18;

thread_local! {
    /// What the work of this thread looks at.
    static WATCHED: RefCell<Option<Stop>> = const { RefCell::new(None) };
    /// Steps until the next look.
    static LEFT: Cell<usize> = const { Cell::new(STEPS) };
}

/// Says that work should stop: because someone says so, or at a deadline. Clones say the same.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    is_set: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// The same, which also stops work at a deadline.
    pub fn until(&self, deadline: Instant) -> Self {
        Stop { deadline: Some(deadline), ..self.clone() }
    }

    /// Stops the work of this and of all clones.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    /// Whether work should stop.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::Relaxed) || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Does work that stops when this is set.
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        let here = Here(Some(self.clone()));
        match catch_unwind(AssertUnwindSafe(|| here.enter(work))) {
            Ok(result) => Ok(result),
            Err(payload) if payload.is::<Stopped>() => Err(Stopped),
            Err(payload) => resume_unwind(payload),
        }
    }

    fn is_same(&self, other: &Stop) -> bool {
        Arc::ptr_eq(&self.is_set, &other.is_set) && self.deadline == other.deadline
    }
}

/// What the work of a thread looks at, to be taken to other threads.
#[derive(Clone, Debug)]
pub struct Here(Option<Stop>);

/// What the work of this thread looks at.
pub fn here() -> Here {
    Here(WATCHED.with_borrow(Clone::clone))
}

impl Here {
    /// Does work that looks at the same as the thread that called [`here`].
    pub fn enter<T>(&self, work: impl FnOnce() -> T) -> T {
        let is_entered = WATCHED.with_borrow(|watched| match (watched, &self.0) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        });
        if is_entered {
            return work();
        }
        let _before = Before(WATCHED.replace(self.0.clone()));
        work()
    }
}

/// A function that looks at the same as the thread that calls this: for parallel loops.
pub fn carried<A, R>(work: impl Fn(A) -> R) -> impl Fn(A) -> R {
    let here = here();
    move |item| here.enter(|| work(item))
}

/// Does work that is not stopped.
pub fn shielded<T>(work: impl FnOnce() -> T) -> T {
    Here(None).enter(work)
}

/// What was watched before; restored when this is dropped.
struct Before(Option<Stop>);

impl Drop for Before {
    fn drop(&mut self) {
        WATCHED.set(self.0.take());
    }
}

/// Counts steps of work, each of some nanoseconds, and looks from time to time.
#[inline]
pub fn steps(count: usize) {
    match LEFT.get().checked_sub(count) {
        Some(left) => LEFT.set(left),
        None => look(),
    }
}

/// Unwinds to [`Stop::watch`] if the work should stop.
#[cold]
pub fn look() {
    LEFT.set(STEPS);
    let is_set = WATCHED.with_borrow(|watched| watched.as_ref().is_some_and(Stop::is_set));
    if is_set && cfg!(panic = "unwind") && !std::thread::panicking() {
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn work_stops_when_another_thread_says_so() {
        let stop = Stop::default();
        let other = stop.clone();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(10));
            other.set();
        });
        let work = || loop {
            steps(10);
        };
        assert_eq!(stop.watch::<()>(work), Err(Stopped));
        thread.join().unwrap();
        assert_eq!(stop.watch(|| steps(1)), Ok(()), "short work comes to its end");
    }

    #[test]
    fn a_stop_reaches_other_threads_and_ends_with_its_work() {
        let stop = Stop::default();
        stop.set();
        let found = stop.watch(|| {
            let here = here();
            std::thread::scope(|scope| {
                let unaware = scope.spawn(look).join().is_ok();
                (unaware, scope.spawn(|| here.enter(look)).join().unwrap_err().is::<Stopped>())
            })
        });
        assert_eq!(found, Ok((true, true)));
        assert_eq!(stop.watch(|| shielded(look)), Ok(()));
        assert_eq!(stop.watch(|| shielded(|| here().enter(look))), Ok(()));
        look();
    }

    #[test]
    fn other_panics_go_on() {
        let panic = || Stop::default().watch::<()>(|| resume_unwind(Box::new("other")));
        assert!(catch_unwind(panic).unwrap_err().is::<&str>());
    }
}
