//! How many threads a pool may have.

/// More threads than this gain nothing on any machine.
pub const MOST: usize = 1024;

/// The number of threads for a pool that was asked for so many; 0 for all cores. The variable that the pool itself
/// reads
/// where it is asked for none, `RAYON_NUM_THREADS`, is limited as well.
pub fn limited(asked: usize) -> usize {
    let named = || std::env::var("RAYON_NUM_THREADS").ok().and_then(|text| text.parse::<usize>().ok());
    match asked {
        0 => named().filter(|named| *named > MOST).map_or(0, |_| MOST),
        asked => asked.min(MOST),
    }
}
