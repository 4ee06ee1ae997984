//! How long work reports what it is doing, and how it is stopped: one event type, one callback.
//!
//! Long work takes a [`Progress`]. It announces stages ([`Progress::stage`]), counts what is done
//! ([`Progress::advance`]) and may add a short text such as the current loss ([`Progress::status`]). The callback
//! receives every [`Event`] and returns whether to go on; after [`ControlFlow::Break`] the work ends with
//! [`Stopped`], which converts into the crate's error. Work that has a checkpoint writes it first.
//!
//! Events may come from several threads at once, often several thousand per second: a callback that draws something
//! should limit how often it does.
//!
//! # Example
//! ```
//! use std::ops::ControlFlow;
//! use tercet_learn::progress::{Event, Progress, Stopped};
//!
//! fn sum(numbers: &[u64], progress: Progress<'_>) -> Result<u64, Stopped> {
//!     progress.stage("adding", numbers.len(), "numbers")?;
//!     let mut total = 0;
//!     for number in numbers {
//!         total += number;
//!         progress.advance(1)?;
//!     }
//!     Ok(total)
//! }
//!
//! assert_eq!(sum(&[1, 2, 3], Progress::none()), Ok(6));
//! let stop = |_: &Event<'_>| ControlFlow::Break(());
//! assert_eq!(sum(&[1, 2, 3], Progress::new(&stop)), Err(Stopped));
//! ```

use std::ops::ControlFlow;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A stage begins; the stage before it, if there was one, has ended.
    Stage {
        /// What is being done: `scoring`, `training`.
        name: &'a str,
        /// How many units it has, if that is known.
        total: Option<u64>,
        /// What is counted, in the plural: `segments`, `epochs`. Empty if nothing is.
        unit: &'a str,
    },
    /// So many more units of the current stage are done. 0 only asks whether to go on.
    Advance(u64),
    /// A short text about the current stage: the loss, a development score.
    Status {
        /// The text.
        text: &'a str,
        /// Whether it should be shown even where little is shown: a new score rather than a new loss.
        important: bool,
    },
}

/// The caller's callback.
pub type Callback<'a> = dyn Fn(&Event<'_>) -> ControlFlow<()> + Sync + 'a;

/// Where long work reports to. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Progress<'a>(Option<&'a Callback<'a>>);

/// The caller asked the work to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

impl<'a> Progress<'a> {
    /// Reports to a callback.
    pub fn new(callback: &'a Callback<'a>) -> Self {
        Progress(Some(callback))
    }

    /// Reports to nobody and never stops.
    pub fn none() -> Self {
        Progress(None)
    }

    /// A stage begins that has `total` units.
    pub fn stage(self, name: &str, total: usize, unit: &str) -> Result<(), Stopped> {
        self.send(&Event::Stage { name, total: Some(total as u64), unit })
    }

    /// A stage begins whose units are counted, but how many there will be is not known.
    pub fn counting(self, name: &str, unit: &str) -> Result<(), Stopped> {
        self.send(&Event::Stage { name, total: None, unit })
    }

    /// A stage begins whose units are not counted.
    pub fn uncounted(self, name: &str) -> Result<(), Stopped> {
        self.send(&Event::Stage { name, total: None, unit: "" })
    }

    /// So many more units are done.
    pub fn advance(self, count: usize) -> Result<(), Stopped> {
        self.send(&Event::Advance(count as u64))
    }

    /// A text about the current stage.
    pub fn status(self, text: &str, important: bool) -> Result<(), Stopped> {
        self.send(&Event::Status { text, important })
    }

    /// Fails if the work should stop.
    pub fn check(self) -> Result<(), Stopped> {
        self.advance(0)
    }

    fn send(self, event: &Event<'_>) -> Result<(), Stopped> {
        match self.0.map(|callback| callback(event)) {
            Some(ControlFlow::Break(())) => Err(Stopped),
            _ => Ok(()),
        }
    }
}

impl std::fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(callback)" } else { "Progress(none)" })
    }
}
