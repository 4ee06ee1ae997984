//! Measures CPU and wall-clock seconds; used by all timing examples.

use std::error::Error;
use std::time::Instant;

/// Measured time.
pub struct Seconds {
    /// User and system time of this process, all threads.
    pub cpu: f64,
    /// Wall-clock time.
    pub wall: f64,
}

/// Runs the work once and measures it.
pub fn measured(work: impl FnOnce() -> tercet_learn::Result<()>) -> Result<Seconds, Box<dyn Error>> {
    let (cpu, wall) = (cpu_seconds()?, Instant::now());
    work()?;
    Ok(Seconds { cpu: cpu_seconds()? - cpu, wall: wall.elapsed().as_secs_f64() })
}

#[cfg(unix)]
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let used = getrusage(UsageWho::RUSAGE_SELF)?;
    Ok((used.user_time() + used.system_time()).num_microseconds() as f64 / 1e6)
}

#[cfg(not(unix))]
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    Err("CPU seconds are read with getrusage, which this system does not have".into())
}
