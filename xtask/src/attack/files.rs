//! Files of a run: the folder it starts in, unusual things in place of files, and what is there afterwards.

use crate::random::Random;
use anyhow::{Context, Result};
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The devices that links of inputs point to. Without care, a program that root runs replaces them by files.
const DEVICES: [&str; 2] = ["/dev/null", "/dev/zero"];

/// A finding for each of the devices that is none.
pub fn lost_devices() -> impl Iterator<Item = String> {
    let is_device = |path: &&str| fs::metadata(path).is_ok_and(|known| FileTypeExt::is_char_device(&known.file_type()));
    DEVICES.into_iter().filter(move |path| !is_device(path)).map(|path| format!("{path} is no longer a device"))
}

/// What is found under a file's name.
pub enum Content {
    Bytes(Vec<u8>),
    Missing,
    Folder,
    /// A FIFO into which these bytes are written.
    Fifo(Vec<u8>),
    /// A symbolic link to this path.
    Link(&'static str),
    /// A file that nobody may read (but root).
    Unreadable(Vec<u8>),
}

impl Content {
    /// Something that is no regular file, in place of a file with these bytes; with its name.
    pub fn unusual(random: &mut Random, bytes: &[u8]) -> (Self, &'static str) {
        match random.below(9) {
            0 => (Content::Missing, "missing file"),
            1 => (Content::Folder, "folder"),
            2 | 3 => (Content::Fifo(bytes.to_vec()), "FIFO"),
            4 => (Content::Link("nowhere"), "dangling link"),
            5 => (Content::Link(DEVICES[0]), DEVICES[0]),
            6 => (Content::Link(DEVICES[1]), DEVICES[1]),
            7 => (Content::Link("."), "link to a folder"),
            _ => (Content::Unreadable(bytes.to_vec()), "unreadable file"),
        }
    }

    /// Number of bytes.
    pub fn len(&self) -> u64 {
        match self {
            Content::Bytes(bytes) | Content::Fifo(bytes) | Content::Unreadable(bytes) => bytes.len() as u64,
            _ => 0,
        }
    }

    /// Puts it into the folder; a FIFO needs a process that writes into it, which is returned.
    pub fn place(&self, folder: &Path, name: &str) -> Result<Option<Child>> {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        match self {
            Content::Bytes(bytes) => fs::write(&path, bytes)?,
            Content::Missing => {}
            Content::Folder => fs::create_dir_all(&path)?,
            Content::Link(target) => std::os::unix::fs::symlink(target, &path)?,
            Content::Unreadable(bytes) => {
                fs::write(&path, bytes)?;
                fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o0))?;
            }
            Content::Fifo(bytes) => return place_fifo(&path, bytes).map(Some),
        }
        Ok(None)
    }
}

fn place_fifo(path: &Path, bytes: &[u8]) -> Result<Child> {
    nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU)?;
    // Beside the folder, so that it is no file of the run.
    let content =
        path.ancestors().find(|folder| folder.ends_with("run")).context("a run has a folder")?.with_file_name("fifo");
    fs::write(&content, bytes)?;
    let mut writer = Command::new("sh");
    writer.arg("-c").arg("cat \"$0\" > \"$1\"").arg(&content).arg(path);
    Ok(writer.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
}

/// Writes a file and makes its folders.
pub fn write_file(folder: &Path, name: &str, bytes: &[u8]) -> Result<()> {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// The names of all files below a folder, sorted; links are not followed.
pub fn all_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if let Ok(name) = path.strip_prefix(folder) {
                found.push(name.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}
