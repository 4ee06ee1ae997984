//! Times of answers.

use std::time::Duration;

/// Times in order.
pub struct Times(Vec<Duration>);

impl Times {
    pub fn new(mut times: Vec<Duration>) -> Self {
        times.sort();
        Times(times)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The time that this share of answers does not exceed, in milliseconds.
    pub fn quantile(&self, share: f64) -> f64 {
        let place = (share * self.0.len() as f64).ceil() as usize;
        let time = self.0.get(place.saturating_sub(1)).copied().unwrap_or_default();
        time.as_secs_f64() * 1000.0
    }
}
