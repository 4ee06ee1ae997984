//! Encoders from text: `name:key=value,key=value`, as metrics are written.
//!
//! | encoder | keys |
//! |---|---|
//! | `average` | `file` (word vectors), `tok` (moses+noescape), `case` (lower, then-lower, mixed), `unknown` (out, zeros) |
//! | `precomputed` | `file` (lines and their vectors) |
//! | `syntax` | `file` (a constituency parser; the embedded one if not said), `tok` (ud-en) |

#[cfg(feature = "learned")]
use super::SyntaxEncoder;
use super::{AverageEncoder, PrecomputedVectors, SentenceEncoder};
use crate::error::{Error, Result};
use crate::text::{Tokenizer, nearest};
use crate::vectors::{AveragePolicy, LookupCase, UnknownWords, WordVectors};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The names of all encoders that can be built.
pub const ENCODERS: &[&str] = &[
    "average",
    "precomputed",
    #[cfg(feature = "learned")]
    "syntax",
];

/// Builds an encoder. A file that is not absolute is looked for in `folder`.
pub fn build(text: &str, folder: &Path) -> Result<Box<dyn SentenceEncoder>> {
    let (name, keys) = text.split_once(':').unwrap_or((text, ""));
    let keys = Keys::parse(text, keys)?;
    match name.trim() {
        "average" => {
            keys.only(&["file", "tok", "case", "unknown"])?;
            let vectors = WordVectors::open(&keys.file(folder)?)?;
            Ok(Box::new(average(AverageEncoder::new(Arc::new(vectors)), &keys)?))
        }
        "precomputed" => {
            keys.only(&["file"])?;
            Ok(Box::new(PrecomputedVectors::read(&keys.file(folder)?)?))
        }
        #[cfg(feature = "learned")]
        "syntax" => {
            keys.only(&["file", "tok"])?;
            Ok(Box::new(syntax(&keys, folder)?))
        }
        other => {
            let near =
                nearest(other, ENCODERS.iter().copied()).map(|name| format!(", did you mean `{name}`?"));
            let (near, known) = (near.unwrap_or_default(), ENCODERS.join(", "));
            Err(Error::BadRequest(format!("unknown encoder `{other}`{near} (known: {known})")))
        }
    }
}

/// The file an encoder is built from, if its text names one.
pub fn file_of(text: &str) -> Option<&str> {
    let pairs = text.split_once(':')?.1.split(',').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| key.trim() == "file").map(|(_, value)| value.trim()).next_back()
}

/// The same encoder with another file.
pub fn with_file(text: &str, file: &str) -> String {
    let (name, keys) = text.split_once(':').unwrap_or((text, ""));
    let kept = keys
        .split(',')
        .filter(|pair| !pair.is_empty() && pair.split('=').next().map(str::trim) != Some("file"));
    let keys: Vec<String> = kept.map(str::to_owned).chain([format!("file={file}")]).collect();
    format!("{name}:{}", keys.join(","))
}

fn average(mut encoder: AverageEncoder, keys: &Keys<'_>) -> Result<AverageEncoder> {
    let mut policy = AveragePolicy::default();
    if let Some(name) = keys.get("tok") {
        encoder = encoder.with_tokenizer(Tokenizer::from_name(name)?);
    }
    match keys.get("case") {
        None | Some("lower") => {}
        Some("then-lower") => encoder = encoder.with_lowercase(false),
        Some("mixed") => {
            encoder = encoder.with_lowercase(false);
            policy.case = LookupCase::AsWritten;
        }
        Some(other) => return Err(keys.refuse("case", other, "lower, then-lower or mixed")),
    }
    policy.unknown = match keys.get("unknown") {
        None | Some("out") => UnknownWords::LeftOut,
        Some("zeros") => UnknownWords::Zeros,
        Some(other) => return Err(keys.refuse("unknown", other, "out or zeros")),
    };
    Ok(encoder.with_policy(policy))
}

#[cfg(feature = "learned")]
fn syntax(keys: &Keys<'_>, folder: &Path) -> Result<SyntaxEncoder> {
    let encoder = match keys.get("file") {
        None => SyntaxEncoder::default(),
        Some(_) => SyntaxEncoder::read(&keys.file(folder)?)?,
    };
    Ok(match keys.get("tok") {
        None => encoder,
        Some(name) => encoder.with_tokenizer(Tokenizer::from_name(name)?),
    })
}

/// Keys and values of one encoder.
struct Keys<'a> {
    encoder: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Keys<'a> {
    fn parse(encoder: &'a str, keys: &'a str) -> Result<Self> {
        let pair = |pair: &'a str| {
            let pair = pair.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
            pair.ok_or_else(|| {
                Error::BadRequest(format!("encoder `{encoder}`: expected name:key=value,key=value"))
            })
        };
        let pairs = keys.split(',').filter(|pair| !pair.is_empty()).map(pair).collect::<Result<_>>()?;
        Ok(Keys { encoder, pairs })
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().rev().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    fn only(&self, known: &[&str]) -> Result<()> {
        match self.pairs.iter().find(|(key, _)| !known.contains(key)) {
            None => Ok(()),
            Some((key, _)) => {
                let (encoder, known) = (self.encoder, known.join(", "));
                Err(Error::BadRequest(format!("encoder `{encoder}` has no option `{key}` (known: {known})")))
            }
        }
    }

    fn file(&self, folder: &Path) -> Result<PathBuf> {
        let missing = || Error::BadRequest(format!("encoder `{}`: it needs file=FILE", self.encoder));
        Ok(folder.join(self.get("file").ok_or_else(missing)?))
    }

    fn refuse(&self, key: &str, value: &str, expected: &str) -> Error {
        Error::BadRequest(format!(
            "encoder `{}`: `{key}` cannot be `{value}`: expected {expected}",
            self.encoder
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoders_are_built_as_they_are_written() {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::write(scratch.path().join("v.txt"), "cat 1 2\nCat 3 4\n").unwrap();
        std::fs::write(scratch.path().join("p.tsv"), "a cat\t1 2 3\n").unwrap();
        let built = |text: &str| build(text, scratch.path());
        let line = ["Cat x"];
        let encoded = |text: &str| built(text).unwrap().encode(&line).unwrap();
        assert_eq!(encoded("average:file=v.txt"), [[1.0, 2.0]]);
        assert_eq!(encoded("average:file=v.txt,case=mixed,unknown=zeros,tok=none"), [[1.5, 2.0]]);
        assert_eq!(built("precomputed:file=p.tsv").unwrap().dimension(), 3);
        assert_eq!(file_of("average:tok=none,file=v.txt"), Some("v.txt"));
        #[cfg(feature = "learned")]
        {
            assert_eq!(built("syntax").unwrap().dimension(), 25);
            assert!(built("syntax:tok=none").unwrap().signature().ends_with("tok=none,read=plain"));
        }
        assert_eq!(with_file("average:file=v.txt,tok=none", "/x"), "average:tok=none,file=/x");
    }

    #[test]
    fn mistakes_are_named() {
        let refused = |text: &str| build(text, Path::new("")).err().map(|error| error.to_string()).unwrap();
        assert!(refused("averag:file=x").contains("did you mean `average`?"));
        assert!(refused("average").contains("it needs file=FILE"));
        assert!(refused("average:file=x,dim=3").contains("no option `dim`"));
        assert!(refused("average:file").contains("expected name:key=value"));
        assert!(refused("average:file=nowhere").contains("nowhere"));
        #[cfg(feature = "learned")]
        assert!(
            refused("syntax:file=nowhere").contains("nowhere")
                && refused("syntax:case=lower").contains("no option `case`")
        );
    }
}
