//! URLs, e-mail addresses, names of files.

use super::piece::{Line, in_word, is_apostrophe};

const SCHEMES: [&str; 6] = ["http://", "https://", "ftp://", "www.", "mailto:", "file://"];

/// Top-level domains and file extensions, sorted.
const ENDINGS: [&str; 50] = [
    "asp", "aspx", "au", "biz", "ca", "cfm", "cn", "com", "csv", "de", "doc", "docx", "edu", "eu", "exe", "fr", "gif",
    "gov", "htm", "html", "info", "int", "io", "jpeg", "jpg", "jsp", "mil", "mp3", "mp4", "net", "nl", "org", "pdf",
    "php", "png", "ppt", "pptx", "ps", "rtf", "ru", "tif", "tv", "tw", "txt", "uk", "url", "xls", "xlsx", "xml", "zip",
];

/// The end of the address that starts here, without punctuation that ends the sentence.
pub(super) fn address(line: &Line<'_>, at: usize) -> Option<usize> {
    let piece = &line.bytes[at..line.end];
    let scheme = SCHEMES
        .iter()
        .any(|scheme| piece.len() > scheme.len() && piece[..scheme.len()].eq_ignore_ascii_case(scheme.as_bytes()));
    if scheme {
        return Some(trimmed(line, at, page_end(piece) + at)).filter(|&end| end > at + 4);
    }
    let name = piece.iter().take_while(|byte| in_name(byte)).count();
    if name > 0 && piece.get(name) == Some(&b'@') {
        let host = piece[name + 1..].iter().take_while(|byte| in_host(byte)).count();
        let end = trimmed(line, at, at + name + 1 + host);
        return (end > at + name + 1).then_some(end);
    }
    name_with_stops(line, at, at + name)
}

/// `irc.yankeedot.net`, `ld2d-1.DOC`, `alt.animals.dog`: a known ending, or at least two stops.
fn name_with_stops(line: &Line<'_>, at: usize, end: usize) -> Option<usize> {
    let end = trimmed(line, at, end);
    let name = &line.text[at..end];
    let (start, last) = name.rsplit_once('.')?;
    let letters = |part: &str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let host = || ends_with_domain(line, end - last.len()) && !start.is_empty() && !start.contains("..");
    let group = || start.contains('.') && name.split('.').all(letters);
    (line.char(end).is_none_or(|c| !in_word(c) && !is_apostrophe(c)) && (host() || group())).then_some(end)
}

/// The last possible end of a URL.
fn page_end(piece: &[u8]) -> usize {
    piece.iter().position(|byte| matches!(byte, b'<' | b'>' | b'"' | b'|')).unwrap_or(piece.len())
}

fn trimmed(line: &Line<'_>, at: usize, end: usize) -> usize {
    let ending =
        |c: char| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '\'' | '”' | '’' | '*' | '-' | '…');
    at + line.text[at..end].trim_end_matches(ending).len()
}

fn in_host(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_')
}

fn in_name(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'+' | b'%' | b'#' | b'~' | b'=')
}

/// Whether the letters from here to the end of the name are a known ending.
pub(super) fn ends_with_domain(line: &Line<'_>, at: usize) -> bool {
    let end = at + line.bytes[at..line.end.min(at + 6)].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let apart = line.char(end).is_none_or(|c| !in_word(c));
    let mut lower = [0; 6];
    let lower = &mut lower[..end - at];
    lower.copy_from_slice(&line.bytes[at..end]);
    lower.make_ascii_lowercase();
    apart && ENDINGS.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
}
