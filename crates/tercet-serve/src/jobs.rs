//! Work on a bounded number of threads, behind a queue of bounded length.
//!
//! Every worker has a pool of its own for the parallel parts of its job, so that a long job does not keep the pool from
//! a short one: the system shares the cores among them.

use crate::Error;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;
use tercet::stop::Stop;

/// Work that is done once, if anyone still waits for it.
pub struct Job {
    /// Set when nobody waits for the result any more.
    pub stop: Stop,
    pub work: Box<dyn FnOnce() + Send>,
}

/// Stops a job when it is dropped: nobody waits for the result any more.
#[derive(Default)]
pub struct StopOnDrop(pub Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// The workers and their queue.
pub struct Jobs {
    shared: Arc<Shared>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

/// The queue is full; it will have room after about so many seconds.
#[derive(Debug, PartialEq, Eq)]
pub struct Full {
    /// An estimate from the jobs before, at least 1.
    pub seconds: u64,
}

struct Shared {
    state: Mutex<State>,
    ready: Condvar,
    workers: usize,
    most_queued: usize,
}

#[derive(Default)]
struct State {
    queue: VecDeque<Job>,
    running: usize,
    /// A moving average of the time of jobs.
    seconds: f64,
    is_ending: bool,
}

impl State {
    fn drop_unwanted(&mut self) {
        self.queue.retain(|job| !job.stop.is_set());
    }
}

/// The share of the latest job in the moving average.
const LATEST: f64 = 0.2;

impl Jobs {
    /// Starts `workers` threads with pools of `threads` each; at most `most_queued` jobs wait while all of them work.
    pub fn start(workers: usize, threads: usize, most_queued: usize) -> Result<Self, Error> {
        let state = Mutex::new(State::default());
        let shared = Arc::new(Shared { state, ready: Condvar::new(), workers, most_queued });
        let start = |number: usize| -> Result<JoinHandle<()>, Box<dyn std::error::Error + Send + Sync>> {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let shared = Arc::clone(&shared);
            let thread = thread::Builder::new().name(format!("job-{number}"));
            Ok(thread.spawn(move || shared.work(&pool))?)
        };
        let started = (0..workers).map(start).collect::<Result<Vec<_>, _>>();
        let started = started.map_err(|source| Error::Threads { of: "jobs", source })?;
        Ok(Jobs { shared, threads: Mutex::new(started) })
    }

    /// Puts a job into the queue.
    pub fn submit(&self, job: Job) -> Result<(), Full> {
        let mut state = self.shared.lock();
        let room = self.shared.most_queued + self.shared.workers - state.running;
        if state.queue.len() >= room {
            state.drop_unwanted();
        }
        if state.queue.len() >= room {
            let seconds = (state.queue.len() + 1) as f64 * state.seconds / self.shared.workers as f64;
            return Err(Full { seconds: (seconds.ceil() as u64).clamp(1, 3600) });
        }
        state.queue.push_back(job);
        self.shared.ready.notify_one();
        Ok(())
    }

    /// Gives up jobs that nobody waits for, and what they hold.
    pub fn drop_unwanted(&self) {
        self.shared.lock().drop_unwanted();
    }

    /// The numbers of jobs that run and that wait.
    pub fn counts(&self) -> (usize, usize) {
        let state = self.shared.lock();
        (state.running, state.queue.len())
    }

    /// Waits until all jobs are done, and ends the threads.
    pub fn finish(&self) {
        self.shared.lock().is_ending = true;
        self.shared.ready.notify_all();
        let threads = std::mem::take(&mut *lock(&self.threads));
        threads.into_iter().for_each(|thread| _ = thread.join());
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn work(&self, pool: &rayon::ThreadPool) {
        while let Some(job) = self.next() {
            let start = Instant::now();
            // A job that panics has a mistake, which the next one may not have.
            let _ = catch_unwind(AssertUnwindSafe(|| pool.install(job.work)));
            let mut state = self.lock();
            state.running -= 1;
            state.seconds += LATEST * (start.elapsed().as_secs_f64() - state.seconds);
        }
    }

    /// The next job, as soon as there is one; `None` at the end.
    fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            while let Some(job) = state.queue.pop_front() {
                if job.stop.is_set() {
                    continue;
                }
                state.running += 1;
                return Some(job);
            }
            if state.is_ending {
                return None;
            }
            state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    fn job(work: impl FnOnce() + Send + 'static) -> (Job, StopOnDrop) {
        let waiting = StopOnDrop::default();
        (Job { stop: waiting.0.clone(), work: Box::new(work) }, waiting)
    }

    /// Keeps the only worker busy until the sender is used.
    fn busy(jobs: &Jobs) -> (std::sync::mpsc::Sender<()>, StopOnDrop) {
        let ((started, has_started), (open, gate)) = (channel(), channel::<()>());
        let (work, waiting) = job(move || {
            started.send(()).unwrap();
            gate.recv().unwrap();
        });
        jobs.submit(work).unwrap();
        has_started.recv().unwrap();
        (open, waiting)
    }

    #[test]
    fn a_full_queue_refuses_and_what_was_accepted_is_done() {
        let jobs = Jobs::start(1, 1, 1).unwrap();
        let (open, _first) = busy(&jobs);
        let (done, results) = channel();
        let (second, _second) = job(move || done.send(2).unwrap());
        jobs.submit(second).unwrap();
        assert_eq!(jobs.counts(), (1, 1));
        let (third, _third) = job(|| {});
        assert_eq!(jobs.submit(third), Err(Full { seconds: 1 }));
        open.send(()).unwrap();
        jobs.finish();
        assert_eq!(results.iter().collect::<Vec<_>>(), [2]);
    }

    #[test]
    fn jobs_that_nobody_waits_for_make_room_and_are_not_done() {
        let jobs = Jobs::start(1, 1, 1).unwrap();
        let (open, _first) = busy(&jobs);
        let (done, results) = channel();
        let left = done.clone();
        let (second, waiting) = job(move || left.send(2).unwrap());
        jobs.submit(second).unwrap();
        drop(waiting);
        let (third, waiting) = job(move || done.send(3).unwrap());
        assert_eq!(jobs.submit(third), Ok(()));
        open.send(()).unwrap();
        jobs.finish();
        drop(waiting);
        assert_eq!(results.iter().collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn a_panic_does_not_end_the_worker() {
        let jobs = Jobs::start(1, 1, 9).unwrap();
        let (done, results) = channel();
        let (first, _first) = job(|| panic!("of a test"));
        let (second, _second) = job(move || done.send(rayon::current_num_threads()).unwrap());
        jobs.submit(first).unwrap();
        jobs.submit(second).unwrap();
        jobs.finish();
        assert_eq!(results.recv(), Ok(1));
    }
}
