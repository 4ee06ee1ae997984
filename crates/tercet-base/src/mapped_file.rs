//! Files that are mapped into memory.

use memmap2::Mmap;
use std::fs::File;
use std::io;

/// Maps a whole file.
#[allow(unsafe_code)]
pub fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: a map is sound while the file is neither changed nor shortened. Compact forms of word vectors are written
    // under another name and renamed when they are complete; tercet never opens them for writing again, and renaming
    // another file over one or deleting it does not affect the mapped one. They are in the user's own cache folder.
    // Dictionaries of MeCab are files of installed packages, which installers replace by new files and do not change.
    unsafe { Mmap::map(file) }
}
