//! What a fork waits for: the threads of the pools stop between two tasks, where they hold no lock of the library,
//! since the child would wait forever for a lock held by a thread that does not exist in the child.
//!
//! A task that takes longer than [`MAX_WAIT`] is not waited for. Models are loaded under a lock of `tercet/forks.py`,
//! which a fork waits for as well, since a task that loads one may stop in the middle, waiting for others.

use crate::work::pools;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a fork waits for running tasks.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Threads that wait for the end of a fork.
#[derive(Default)]
struct Pause {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: usize,
    is_over: bool,
}

/// The pause of the fork that is under way.
static PAUSE: AtomicPtr<Pause> = AtomicPtr::new(std::ptr::null_mut());

impl Pause {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does until the fork is over.
    fn wait(&self) {
        let mut state = self.state();
        state.waiting += 1;
        self.changed.notify_all();
        while !state.is_over {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits until this many threads wait.
    fn gather(&self, threads: usize) {
        let end = Instant::now() + MAX_WAIT;
        let mut state = self.state();
        while state.waiting < threads {
            let Some(left) = end.checked_duration_since(Instant::now()) else { return };
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn end(&self) {
        self.state().is_over = true;
        self.changed.notify_all();
    }
}

/// Stops the threads of all pools.
#[pyfunction]
fn pause_threads(py: Python<'_>) {
    let pause = Arc::new(Pause::default());
    let mut threads = 0;
    for pool in pools() {
        threads += pool.pool.current_num_threads();
        let of_thread = Arc::clone(&pause);
        pool.pool.spawn_broadcast(move |_| of_thread.wait());
    }
    if threads > 0 {
        py.detach(|| pause.gather(threads));
        PAUSE.store(Arc::into_raw(pause).cast_mut(), Ordering::SeqCst);
    }
}

/// Lets the threads go on, in the parent. In a child there are none, and the pause is forgotten.
#[pyfunction]
fn resume_threads(is_child: bool) {
    let pause = PAUSE.swap(std::ptr::null_mut(), Ordering::SeqCst);
    if !pause.is_null() && !is_child {
        // SAFETY: the pointer was made by `Arc::into_raw`, and is taken once: the swap leaves null.
        #[allow(unsafe_code)]
        unsafe { Arc::from_raw(pause) }.end();
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(pause_threads, module)?)?;
    module.add_function(wrap_pyfunction!(resume_threads, module)?)
}
