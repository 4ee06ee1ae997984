//! What `--explain` says about formats, in `tercet score` and `tercet compare`.

use crate::output::Misuse;

/// A page has the words of its segments marked without the flag.
pub fn not_on_pages() -> Misuse {
    Misuse("--explain is not for -f html, which marks words of segments without it".to_owned())
}
