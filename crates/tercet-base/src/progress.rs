//! Progress of long work, and stopping it: one event type, one callback.
//!
//! Long work takes a [`Progress`]. It announces stages ([`Progress::stage`]), counts what is done
//! ([`Progress::advance`]) and may add a short text such as the current loss ([`Progress::status`]). The callback
//! receives every [`Event`] and returns whether to go on; after [`ControlFlow::Break`] the work ends with
//! [`Stopped`], which converts into the crate's error. Work that has a checkpoint writes it first.
//!
//! The callback is asked between segments, epochs and the like; [`Stop`](crate::stop::Stop) also stops work inside of
//! them.
//!
//! Events may come from several threads at once, often several thousand per second: a callback that draws something
//! should limit how often it does.
//!
//! # Example
//! ```
//! use std::ops::ControlFlow;
//! use tercet_base::progress::{Event, Progress, Stopped};
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

use crate::warning::Warning;
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
    /// This many more units of the current stage are done. 0 only asks whether to go on.
    Advance(u64),
    /// Something about the result that its reader should know.
    Warning(&'a Warning),
    /// A short text about the current stage: the loss, a development score.
    Status {
        /// The text.
        text: &'a str,
        /// Whether to show it even where most events are not shown: true for a development score, false for a loss.
        important: bool,
    },
}

/// The caller's callback.
pub type Callback<'a> = dyn Fn(&Event<'_>) -> ControlFlow<()> + Sync + 'a;

/// Where long work reports to. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Progress<'a> {
    callback: Option<&'a Callback<'a>>,
    quiet: bool,
    /// What all stages are about.
    about: Option<&'a str>,
}

/// The caller asked the work to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

impl<'a> Progress<'a> {
    /// Reports to a callback.
    pub fn new(callback: &'a Callback<'a>) -> Self {
        Progress { callback: Some(callback), quiet: false, about: None }
    }

    /// Without a callback: nothing is reported, and the work is never stopped.
    pub fn none() -> Self {
        Progress { callback: None, quiet: false, about: None }
    }

    /// The same with names of stages that start with what they are about: `wmt16 de-en: scoring`.
    pub fn about<'b>(self, what: &'b str) -> Progress<'b>
    where
        'a: 'b,
    {
        Progress { about: Some(what), ..self }
    }

    /// Starts a stage of `total` units.
    pub fn stage(self, name: &str, total: usize, unit: &str) -> Result<(), Stopped> {
        self.start(name, Some(total as u64), unit)
    }

    /// Starts a stage with an unknown number of units.
    pub fn counting(self, name: &str, unit: &str) -> Result<(), Stopped> {
        self.start(name, None, unit)
    }

    /// Starts a stage whose units are not counted.
    pub fn uncounted(self, name: &str) -> Result<(), Stopped> {
        self.start(name, None, "")
    }

    fn start(self, name: &str, total: Option<u64>, unit: &str) -> Result<(), Stopped> {
        match self.about {
            Some(what) => self.send(&Event::Stage { name: &format!("{what}: {name}"), total, unit }),
            None => self.send(&Event::Stage { name, total, unit }),
        }
    }

    /// Reports `count` more units of the stage as done.
    pub fn advance(self, count: usize) -> Result<(), Stopped> {
        self.send(&Event::Advance(count as u64))
    }

    /// Reports a text about the current stage; see [`Event::Status`].
    pub fn status(self, text: &str, important: bool) -> Result<(), Stopped> {
        self.send(&Event::Status { text, important })
    }

    /// Reports a warning, also if events are quiet.
    pub fn warn(self, warning: &Warning) -> Result<(), Stopped> {
        Progress { quiet: false, ..self }.send(&Event::Warning(warning))
    }

    /// Returns [`Stopped`] if the work should stop.
    pub fn check(self) -> Result<(), Stopped> {
        self.advance(0)
    }

    /// The same without events: only stops. For a part of work that is counted as a whole.
    pub fn quiet(self) -> Self {
        Progress { quiet: true, ..self }
    }

    /// The same with another callback, which may pass events on to this one.
    pub fn with_callback<'b>(self, callback: &'b Callback<'b>) -> Progress<'b>
    where
        'a: 'b,
    {
        Progress { callback: Some(callback), ..self }
    }

    /// Sends an event to the callback as it is.
    pub(crate) fn forward(self, event: &Event<'_>) -> ControlFlow<()> {
        self.callback.map_or(ControlFlow::Continue(()), |callback| callback(event))
    }

    fn send(self, event: &Event<'_>) -> Result<(), Stopped> {
        let event = if self.quiet { &Event::Advance(0) } else { event };
        match self.forward(event) {
            ControlFlow::Break(()) => Err(Stopped),
            ControlFlow::Continue(()) => Ok(()),
        }
    }
}

impl std::fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.callback.is_some() { "Progress(callback)" } else { "Progress(none)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_say_what_they_are_about() {
        let check = |event: &Event<'_>| {
            assert_eq!(*event, Event::Stage { name: "wmt16 de-en: scoring", total: Some(3), unit: "segments" });
            ControlFlow::Continue(())
        };
        Progress::new(&check).about("wmt16 de-en").stage("scoring", 3, "segments").unwrap();
    }

    #[test]
    fn quiet_progress_sends_no_events_and_still_stops() {
        let check = |event: &Event<'_>| {
            assert_eq!(*event, Event::Advance(0));
            ControlFlow::Break(())
        };
        let quiet = Progress::new(&check).quiet();
        assert_eq!(quiet.stage("a", 3, "b"), Err(Stopped));
        assert_eq!(quiet.advance(2), Err(Stopped));
        assert_eq!(Progress::none().quiet().status("c", true), Ok(()));
        let hear = |event: &Event<'_>| {
            assert_eq!(*event, Event::Warning(&Warning::NoDevelopment));
            ControlFlow::Continue(())
        };
        assert_eq!(Progress::new(&hear).quiet().warn(&Warning::NoDevelopment), Ok(()));
    }
}
