//! Atomic writing of files, and SHA-256 hashes.
//!
//! A file is written under a temporary name in the same folder, `NAME.MACHINE-PROCESS-RANDOM.partial`, synced, and
//! renamed. Readers see the old file or the new one, never a part. An existing file keeps its permissions; a symbolic
//! link is followed. The temporary file is always newly created, with a name that nobody can know before, so nothing is
//! written through a link of that name. A process that is killed leaves it behind. The next process that writes into
//! the folder removes it, if it can tell that its process has ended, and so does the next training of the same model.

use sha2::{Digest, Sha256};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, PoisonError};

/// Ending of the names of temporary files.
const PARTIAL: &str = ".partial";

/// Temporary files that are being written. They belong to the process: a signal ends it wherever it is, and its handler
/// must find them without any value being passed to it.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes all temporary files of this process, for one that ends at once. No other thread can create one afterwards:
/// it waits for the end of the process.
pub fn remove_unfinished() {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in unfinished.drain(..) {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(unfinished);
}

/// A file that appears under its name with [`AtomicFile::finish`]. If it is dropped before that, nothing is left.
#[derive(Debug)]
pub struct AtomicFile {
    file: File,
    /// Empty once the file has been renamed.
    temporary: PathBuf,
    target: PathBuf,
}

impl AtomicFile {
    /// Creates the temporary file for the file `target`, which must be a regular file if it exists.
    pub fn create(target: &Path) -> io::Result<Self> {
        let target = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        // Renaming would put a file in the place of a device or a pipe.
        if fs::metadata(&target).is_ok_and(|known| !known.is_file() && !known.is_dir()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        remove_abandoned(folder_of(&target));
        loop {
            let mut name: OsString = target.file_name().unwrap_or_default().to_owned();
            name.push(format!(".{}-{}-{:016x}{PARTIAL}", machine(), std::process::id(), random()));
            let temporary = target.with_file_name(name);
            // Locked before the file exists, so that a process that ends does not leave it behind.
            let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
            match OpenOptions::new().write(true).create_new(true).open(&temporary) {
                Ok(file) => {
                    unfinished.push(temporary.clone());
                    return Ok(AtomicFile { file, temporary, target });
                }
                // Another file has drawn the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The temporary file, to write to.
    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Renames the temporary file to its final name. Permissions of an existing file are kept.
    pub fn finish(mut self) -> io::Result<()> {
        if let Ok(known) = fs::metadata(&self.target) {
            self.file.set_permissions(known.permissions())?;
        }
        self.file.sync_all()?;
        fs::rename(&self.temporary, &self.target)?;
        self.forget();
        Ok(())
    }

    /// The temporary file is no longer there, or no longer ours.
    fn forget(&mut self) {
        let temporary = std::mem::take(&mut self.temporary);
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != temporary);
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if !self.temporary.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.temporary);
            self.forget();
        }
    }
}

/// Writes a file atomically with the function `write`; creates its folder if needed.
pub fn write_with(target: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut whole = AtomicFile::create(target)?;
    write(whole.file())?;
    whole.finish()
}

/// The same in a folder that only this program writes to: a link of that name is replaced, not followed. Whoever could
/// plant it would choose what is overwritten.
pub fn write_new(target: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if fs::symlink_metadata(target).is_ok_and(|about| about.is_symlink()) {
        fs::remove_file(target)?;
    }
    write_with(target, write)
}

/// Reads bytes at an offset, which must be there.
pub fn read_exact_at(file: &File, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
    #[cfg(unix)]
    {
        std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
    }
    #[cfg(not(unix))]
    {
        use std::io::{Seek, SeekFrom};
        // One place in a file for all threads.
        static SEEKING: Mutex<()> = Mutex::new(());
        let _seeking = SEEKING.lock().unwrap_or_else(PoisonError::into_inner);
        let mut file = file;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub source: io::Error,
}

impl WriteError {
    fn new(path: &Path, source: io::Error) -> Self {
        WriteError { path: path.to_owned(), source }
    }
}

/// Writes a file atomically; its folder must exist.
pub fn write(target: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let written = AtomicFile::create(target).and_then(|mut whole| {
        whole.file().write_all(bytes)?;
        whole.finish()
    });
    written.map_err(|source| WriteError::new(target, source))
}

/// Writes bytes to a file atomically, and to a pipe or device directly.
pub fn write_anywhere(target: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    if is_file(target) {
        return write(target, bytes);
    }
    fs::write(target, bytes).map_err(|source| WriteError::new(target, source))
}

/// Returns an error, before any work is done, if a file could not be written: creates its temporary file, and removes
/// it again. Pipes and devices are not tried.
pub fn check_target(target: &Path) -> Result<(), WriteError> {
    try_writing(target).map_err(|source| WriteError::new(target, source))
}

fn try_writing(target: &Path) -> io::Result<()> {
    let place = target.canonicalize().unwrap_or_else(|_| target.to_owned());
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    if let Some(folder) = folder {
        let message = format!("there is no folder {} (make it, or name another file)", folder.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, message));
    }
    if place.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder (name a file in it)"));
    }
    if is_file(&place) {
        AtomicFile::create(&place)?;
    }
    Ok(())
}

/// Names that Windows keeps for devices, whatever follows a full stop.
const RESERVED: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A name of a system or metric as (part of) the name of a file on every system: characters that are refused somewhere
/// become `_`, and so do a full stop or a space at the end; a name that Windows keeps for a device gets a `_`.
pub fn portable_name(name: &str) -> String {
    let refused = |c: char| c.is_control() || c.is_whitespace() || "<>:\"/\\|?*".contains(c);
    let mut portable = name.replace(refused, "_");
    if portable.ends_with('.') || portable.is_empty() {
        portable.pop();
        portable.push('_');
    }
    let stem = portable.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_port = |start: &str| stem.strip_prefix(start).is_some_and(|rest| rest.len() == 1 && rest != "0");
    let is_numbered = stem.ends_with(|c: char| c.is_ascii_digit()) && (is_port("com") || is_port("lpt"));
    if RESERVED.contains(&stem.as_str()) || is_numbered {
        portable.insert(stem.len(), '_');
    }
    portable
}

/// Whether the path is a file or does not exist: not a pipe or device.
pub fn is_file(path: &Path) -> bool {
    path.is_file() || !path.exists()
}

/// Removes temporary files that killed processes left, of this file and of files named `NAME.…`.
pub fn remove_partial(target: &Path) {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let is_partial = |path: &PathBuf| {
        let found = path.file_name().unwrap_or_default().to_string_lossy();
        let rest = found.strip_prefix(&*name);
        rest.is_some_and(|rest| rest.starts_with('.') && rest.ends_with(PARTIAL))
    };
    for path in partial_files(folder_of(target)).filter(is_partial) {
        let _ = fs::remove_file(path); // a leftover file does no harm
    }
}

fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The temporary files in a folder, of all processes.
fn partial_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.to_string_lossy().ends_with(PARTIAL))
}

/// Removes temporary files in a folder whose process has ended.
fn remove_abandoned(folder: &Path) {
    if machine().is_empty() {
        return;
    }
    for path in partial_files(folder).filter(|path| is_abandoned(path)) {
        let _ = fs::remove_file(path);
    }
}

/// Whether a temporary file belongs to a process of this machine that has ended.
fn is_abandoned(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let owner = name.strip_suffix(PARTIAL).and_then(|name| name.rsplit('.').next());
    let mut fields = owner.unwrap_or_default().split('-');
    let process = fields.next().filter(|found| *found == machine()).and_then(|_| fields.next());
    let process = process.and_then(|number| number.parse::<u32>().ok());
    process.is_some_and(|number| !Path::new(&format!("/proc/{number}")).exists())
}

/// A hash of what process numbers belong to: a start of the system and a container. Empty where it cannot be known.
fn machine() -> &'static str {
    static MACHINE: LazyLock<String> = LazyLock::new(|| {
        let start = fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let container = fs::read_link("/proc/self/ns/pid");
        match (start, container) {
            (Ok(start), Ok(container)) => short_hash(format!("{start}{}", container.display()).as_bytes()),
            _ => String::new(),
        }
    });
    &MACHINE
}

/// A number that cannot be guessed: the standard library seeds its hash tables with random numbers of the system.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// Whether two paths are the same file, by whatever names.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let number = |path: &Path| fs::metadata(path).ok().map(|about| (about.dev(), about.ino()));
        number(one).is_some() && number(one) == number(other)
    }
    #[cfg(not(unix))]
    {
        let place = |path: &Path| path.canonicalize().ok();
        place(one).is_some() && place(one) == place(other)
    }
}

/// Opens a file for one pass. A folder or a device is an error, because a device such as `/dev/zero` has no end; pipes,
/// terminals and `/dev/null` can be read.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    refuse_devices(&file)?;
    Ok(file)
}

/// All bytes of a file; see [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Standard input, if it is not a device other than a terminal.
pub fn stdin() -> io::Result<io::Stdin> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        refuse_devices(&File::from(io::stdin().as_fd().try_clone_to_owned()?))?;
    }
    Ok(io::stdin())
}

fn refuse_devices(file: &File) -> io::Result<()> {
    let kind = file.metadata()?.file_type();
    if kind.is_dir() {
        return Err(is_a_folder());
    }
    // `/dev/null` is the one device that has an end at once.
    if is_device(kind) && !file.is_terminal() && file.take(1).read_to_end(&mut Vec::new())? > 0 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device, not a file"));
    }
    Ok(())
}

#[cfg(unix)]
fn is_device(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: fs::FileType) -> bool {
    false
}

fn is_a_folder() -> io::Error {
    io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")
}

/// Returns an error if a path is a pipe, a device or a folder: something that cannot be read twice.
pub fn check_regular(path: &Path) -> io::Result<()> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(is_a_folder());
    }
    if !kind.is_file() {
        let what = "it is a pipe or a device, but has to be read more than once (write its content to a file first)";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    Ok(())
}

/// The SHA-256 of a file, and its size in bytes. Whoever asks for it reads the file again, so pipes are refused.
pub fn sha256(path: &Path) -> io::Result<([u8; 32], u64)> {
    check_regular(path)?;
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    let mut length = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finalize().into(), length)),
            Ok(read) => {
                hasher.update(&buffer[..read]);
                length += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The first eight hexadecimal digits of the SHA-256; signatures identify files by it.
pub fn short_hash(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes)[..4])
}

/// Bytes in hexadecimal digits.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn names_of_files_are_allowed_on_every_system() {
        for (name, portable) in [
            ("chrf++", "chrf++"),
            ("bleu:tok=zh|x", "bleu_tok=zh_x"),
            ("a/b\\c d\t?", "a_b_c_d__"),
            ("Größe.1", "Größe.1"),
            ("nul", "nul_"),
            ("CON.txt", "CON_.txt"),
            ("com7", "com7_"),
            ("com10", "com10"),
            ("com0", "com0"),
            ("lpt1.a.b", "lpt1_.a.b"),
            ("console", "console"),
            ("end.", "end_"),
            ("..", "._"),
            ("", "_"),
        ] {
            assert_eq!(portable_name(name), portable, "{name}");
        }
    }

    #[test]
    fn a_file_is_there_whole_or_not_at_all() {
        let scratch = tempfile::tempdir().unwrap();
        let target = scratch.path().join("deep/form");
        let failed = write_with(&target, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("broken off"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(target.parent().unwrap()).unwrap().count(), 0);
        write_with(&target, |file| file.write_all(b"abc")).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"abc");
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_never_replaced_not_even_through_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (socket, link) = (folder.path().join("socket"), folder.path().join("link"));
        let _open = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        std::os::unix::fs::symlink(&socket, &link).unwrap();
        for target in [&socket, &link] {
            let Err(WriteError { source, .. }) = write(target, b"abc") else { panic!("written") };
            assert_eq!(source.to_string(), "it is not a regular file");
            assert!(!fs::metadata(&socket).unwrap().is_file());
        }
        assert_eq!(names(folder.path()), ["link", "socket"]);
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("file");
        let mut whole = AtomicFile::create(&target).unwrap();
        whole.file().write_all(b"half").unwrap();
        let [temporary] = &names(folder.path())[..] else { panic!("one file") };
        assert!(temporary.starts_with("file.") && temporary.ends_with(".partial"), "{temporary}");
        drop(whole);
        assert!(names(folder.path()).is_empty());
        write(&target, b"abc").unwrap();
        write(&target, b"abcd").unwrap();
        assert_eq!((names(folder.path()), fs::read(&target).unwrap()), (vec!["file".to_owned()], b"abcd".to_vec()));
        let error = write(&folder.path().join("no/file"), b"").unwrap_err().to_string();
        assert!(error.starts_with("cannot write ") && error.ends_with("no/file"), "{error}");
    }

    #[test]
    fn what_killed_processes_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("model");
        std::mem::forget(AtomicFile::create(&target).unwrap());
        std::mem::forget(AtomicFile::create(&folder.path().join("model.checkpoint")).unwrap());
        let others = ["model", "model.partial.txt", "models.1.partial"];
        others.iter().for_each(|name| fs::write(folder.path().join(name), "x").unwrap());
        assert_eq!(names(folder.path()).len(), 5);
        remove_partial(&target);
        assert_eq!(names(folder.path()), others);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_of_processes_that_ended_are_removed_by_the_next_writer() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let (machine, ended, here) = (machine(), child.id(), std::process::id());
        let others = [format!("model.{machine}-{here}-1.partial"), format!("model.0-{ended}-1.partial")];
        let left = [format!("model.{machine}-{ended}-12.partial"), format!("x.y.{machine}-{ended}-1.partial")];
        left.iter().chain(&others).for_each(|name| fs::write(folder.path().join(name), "x").unwrap());
        write(&folder.path().join("file"), b"new").unwrap();
        let mut expected = others.to_vec();
        expected.push("file".to_owned());
        expected.sort();
        assert_eq!(names(folder.path()), expected);
    }

    #[cfg(unix)]
    #[test]
    fn names_of_temporary_files_differ_and_files_are_known_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, hard, other] = ["file", "link", "hard", "other"].map(|name| folder.path().join(name));
        let temporary: Vec<AtomicFile> = (0..3).map(|_| AtomicFile::create(&file).unwrap()).collect();
        assert_eq!(names(folder.path()).len(), 3);
        drop(temporary);
        fs::write(&file, "x").unwrap();
        fs::write(&other, "x").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        fs::hard_link(&file, &hard).unwrap();
        assert!(is_same_file(&file, &link) && is_same_file(&hard, &link));
        assert!(!is_same_file(&file, &other) && !is_same_file(&folder.path().join("a"), &folder.path().join("a")));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let [target, link, other] = ["file", "link", "other"].map(|name| folder.path().join(name));
        fs::write(&target, "old").unwrap();
        fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&target, &link).unwrap();
        fs::write(&other, "other").unwrap();
        write(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!((fs::read(&target).unwrap(), fs::read(&other).unwrap()), (b"new".to_vec(), b"other".to_vec()));
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn digits_are_those_of_sha256() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("file");
        write(&target, b"abc").unwrap();
        let (sha, length) = sha256(&target).unwrap();
        assert_eq!((hexadecimal(&sha[..4]), length), (short_hash(b"abc"), 3));
        assert_eq!(short_hash(b"abc"), "ba7816bf");
    }
}
