//! Cuts objects out of JSON that need not fit into memory.
//!
//! Only the ends of values are looked for here: marks of strings, and brackets outside of strings. `object` reads what
//! is cut out.

use super::reader::MAX_ROW_MIB;
use crate::error::{Error, Result};
use memchr::{memchr, memchr_iter, memchr2};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// JSON that is read value by value.
pub(super) struct JsonStream<R> {
    path: PathBuf,
    bytes: R,
    /// The line of the next byte, from 1.
    line: usize,
}

impl<R: BufRead> JsonStream<R> {
    pub fn new(path: &Path, bytes: R) -> Self {
        JsonStream { path: path.to_owned(), bytes, line: 1 }
    }

    /// The line of the next byte.
    pub fn line(&self) -> usize {
        self.line
    }

    pub fn bad(&self, what: impl Into<String>) -> Error {
        Error::bad_line(&self.path, self.line, what)
    }

    /// The next byte that is not white space.
    pub fn peek(&mut self) -> Result<Option<u8>> {
        loop {
            let chunk = chunk(&mut self.bytes, &self.path)?;
            if chunk.is_empty() {
                return Ok(None);
            }
            let is_space = |byte: &&u8| matches!(byte, b' ' | b'\n' | b'\r' | b'\t');
            let spaces = chunk.iter().take_while(is_space).count();
            self.line += memchr_iter(b'\n', &chunk[..spaces]).count();
            let next = chunk.get(spaces).copied();
            self.bytes.consume(spaces);
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// Passes over the byte that `peek` returned.
    pub fn pass(&mut self) {
        self.bytes.consume(1);
    }

    /// Passes over this byte, which must be the next.
    pub fn expect(&mut self, byte: u8, what: &str) -> Result<()> {
        match self.peek()? {
            Some(found) if found == byte => {
                self.pass();
                Ok(())
            }
            Some(found) => Err(self.bad(format!("expected {what}, found {:?}", char::from(found)))),
            None => Err(self.bad(format!("expected {what}, found the end of the file"))),
        }
    }

    /// Replaces the contents of `value` by the next value, which starts at the next byte.
    pub fn read_value(&mut self, value: &mut Vec<u8>) -> Result<()> {
        value.clear();
        let start = self.line;
        let whole = self.scan(Scan::default(), |part| {
            value.extend_from_slice(part);
            value.len() as u64 <= MAX_ROW_MIB << 20
        })?;
        if !whole {
            let what = format!("the row has more than {MAX_ROW_MIB} MiB: expected one object per translation");
            return Err(Error::bad_line(&self.path, start, what));
        }
        Ok(())
    }

    fn pass_value(&mut self, scan: Scan) -> Result<()> {
        self.scan(scan, |_| true).map(drop)
    }

    /// Reads to the end of a value; false if `keep` wants no more.
    fn scan(&mut self, mut scan: Scan, mut keep: impl FnMut(&[u8]) -> bool) -> Result<bool> {
        let start = self.line;
        loop {
            let chunk = chunk(&mut self.bytes, &self.path)?;
            if chunk.is_empty() {
                let what = "the value that starts here is never closed";
                return Err(Error::bad_line(&self.path, start, what));
            }
            let (used, is_done) = scan.advance(chunk);
            let goes_on = keep(&chunk[..used]);
            self.line += memchr_iter(b'\n', &chunk[..used]).count();
            self.bytes.consume(used);
            if !goes_on || is_done {
                return Ok(goes_on);
            }
        }
    }

    /// Goes to the first object of an array of objects inside the object that starts here, and returns the name of its
    /// field. `None` if a field is not `passed`, or no field has an array of objects.
    pub fn find_rows(&mut self, passed: impl Fn(&str) -> bool) -> Result<Option<String>> {
        self.expect(b'{', "an object")?;
        if self.peek()? == Some(b'}') {
            self.pass();
            return Ok(None);
        }
        self.next_rows(passed)
    }

    /// The same from the name of a field on.
    fn next_rows(&mut self, passed: impl Fn(&str) -> bool) -> Result<Option<String>> {
        let mut name = Vec::new();
        loop {
            if self.peek()? != Some(b'"') {
                self.expect(b'"', "the name of a field")?;
            }
            self.read_value(&mut name)?;
            let text: String = serde_json::from_slice(&name).map_err(|error| self.bad(error.to_string()))?;
            self.expect(b':', "a colon")?;
            if !passed(&text) {
                return Ok(None);
            }
            match self.peek()? {
                Some(b'[') => {
                    self.pass();
                    if self.peek()? == Some(b'{') {
                        return Ok(Some(text));
                    }
                    self.pass_value(Scan { depth: 1, ..Scan::default() })?;
                }
                _ => self.pass_value(Scan::default())?,
            }
            if !self.has_next_field()? {
                return Ok(None);
            }
        }
    }

    fn has_next_field(&mut self) -> Result<bool> {
        if self.peek()? == Some(b',') {
            self.pass();
            return Ok(true);
        }
        self.expect(b'}', "a comma or the end of the object")?;
        Ok(false)
    }

    /// Reads the object to its end behind an array of rows. A second array of rows is an error.
    pub fn pass_rest_of_object(&mut self) -> Result<()> {
        if self.has_next_field()?
            && let Some(other) = self.next_rows(|_| true)?
        {
            return Err(self.bad(format!("`{other}` is a second array of rows: expected one (save it as a file)")));
        }
        Ok(())
    }
}

/// The next bytes; none at the end.
fn chunk<'r>(bytes: &'r mut impl BufRead, path: &Path) -> Result<&'r [u8]> {
    loop {
        match bytes.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(source) => return Err(Error::Read { path: path.to_owned(), source }),
            // The borrow of the loop would not end; the bytes are in the buffer already.
            Ok(_) => break,
        }
    }
    bytes.fill_buf().map_err(|source| Error::Read { path: path.to_owned(), source })
}

/// The length of the value at the start of these bytes; `None` if its end is not among them.
pub(super) fn value_length(bytes: &[u8]) -> Option<usize> {
    let (length, is_done) = Scan::default().advance(bytes);
    is_done.then_some(length)
}

/// Looks for the end of a value.
#[derive(Clone, Copy, Debug, Default)]
struct Scan {
    /// Open brackets.
    depth: usize,
    at: At,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum At {
    /// Before the first byte of the value, or between values inside it.
    #[default]
    Between,
    Text,
    /// Behind a backslash.
    Escape,
    /// In a number, `true`, `false` or `null` that is the whole value.
    Scalar,
}

impl Scan {
    /// Reads bytes; returns how many belong to the value, and whether it ends with them.
    fn advance(&mut self, chunk: &[u8]) -> (usize, bool) {
        let mut i = 0;
        while i < chunk.len() {
            match self.at {
                At::Text => match memchr2(b'"', b'\\', &chunk[i..]) {
                    None => return (chunk.len(), false),
                    Some(found) => {
                        i += found + 1;
                        self.at = if chunk[i - 1] == b'"' { At::Between } else { At::Escape };
                        if self.at == At::Between && self.depth == 0 {
                            return (i, true);
                        }
                    }
                },
                At::Escape => {
                    self.at = At::Text;
                    i += 1;
                }
                At::Between | At::Scalar => {
                    if self.depth == 0 && self.at == At::Scalar && is_end_of_scalar(chunk[i]) {
                        return (i, true);
                    }
                    if self.outside(chunk[i]) {
                        return (i + 1, true);
                    }
                    i += 1;
                }
            }
        }
        (i, false)
    }

    /// Reads a byte outside of strings; whether it closes the value.
    fn outside(&mut self, byte: u8) -> bool {
        match byte {
            b'"' => self.at = At::Text,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ if self.depth == 0 => self.at = At::Scalar,
            _ => {}
        }
        false
    }
}

fn is_end_of_scalar(byte: u8) -> bool {
    memchr(byte, b",]} \n\r\t").is_some()
}
