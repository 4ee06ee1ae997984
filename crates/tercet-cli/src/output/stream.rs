//! Results that are written piece by piece.

use anyhow::Context;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tercet::files::{self, AtomicFile};

/// A result that is too long for memory: written in pieces to standard output, or to a file that appears when it is
/// complete.
pub struct Stream {
    to: Target,
    /// Its path, if it is not standard output.
    name: Option<PathBuf>,
}

enum Target {
    File(AtomicFile),
    /// Standard output, a pipe, a device.
    Other(Box<dyn Write + Send>),
}

impl Stream {
    /// To a file, or to standard output if there is no path or it is `-`. Pipes and devices are written to directly.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Stream { to: Target::Other(Box::new(io::stdout())), name: None });
        };
        let opened = match files::is_file(path) {
            true => AtomicFile::create(path).map(Target::File),
            false => fs::File::create(path).map(|file| Target::Other(Box::new(file))),
        };
        let to = opened.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Stream { to, name: Some(path.to_owned()) })
    }

    /// Writes a piece; false if the pipe was closed.
    #[cfg(feature = "learned")]
    pub fn write(&mut self, piece: &str) -> anyhow::Result<bool> {
        let to = self.target();
        match to.write_all(piece.as_bytes()).and_then(|()| to.flush()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(anyhow::Error::new(error).context(self.cannot())),
        }
    }

    fn target(&mut self) -> &mut dyn Write {
        match &mut self.to {
            Target::File(whole) => whole.file(),
            Target::Other(to) => to,
        }
    }

    /// Gives the file its final name. A stream that is dropped before leaves no file.
    pub fn finish(self) -> anyhow::Result<()> {
        let cannot = self.cannot();
        match self.to {
            Target::File(whole) => whole.finish().context(cannot),
            Target::Other(_) => Ok(()),
        }
    }

    /// The context of an error.
    pub fn cannot(&self) -> String {
        let name = self.name.as_ref().map(|name| name.display().to_string());
        format!("cannot write {}", name.unwrap_or_else(|| "to standard output".to_owned()))
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.target().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target().flush()
    }
}
