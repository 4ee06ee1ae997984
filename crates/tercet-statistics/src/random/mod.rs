//! numpy's random numbers: the same seed gives the same draws.
//!
//! - [`Generator`] is `numpy.random.default_rng`: a seed expanded by `SeedSequence`, the PCG64 stream (O'Neill, 2014),
//!   bounded integers by Lemire's method (2019).
//! - [`LegacyGenerator`] is the generator after `numpy.random.seed`: MT19937 (Matsumoto & Nishimura, 1998), used by
//!   older scripts.
//!
//! # Agreement
//! Draw for draw with numpy 2.4.6. Without a seed, entropy comes from the system.
//!
//! # Example
//! ```
//! use tercet_statistics::random::Generator;
//!
//! let mut generator = Generator::new(Some(12345));
//! let draws: Vec<u64> = (0..4).map(|_| generator.below(3004)).collect();
//! assert_eq!(draws, [2100, 682, 2369, 951]);
//! ```

mod generator;
mod mt19937;
mod pcg64;
mod seed_sequence;

pub use generator::{CoinTosses, Generator};
pub use mt19937::LegacyGenerator;
