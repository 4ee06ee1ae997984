//! The flag of all commands that read files.

use clap::Args;

/// How much compressed files may unpack to.
#[derive(Args)]
#[group(skip)]
pub struct ReadingArgs {
    /// Most bytes that a compressed file may unpack to, as 500M or 10G [default: 256M, or 100 times its packed size if
    /// that is more]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_unpacked: Option<u64>,
}

impl ReadingArgs {
    /// Sets the limit for the rest of the command.
    pub fn set(&self) {
        if let Some(bytes) = self.max_unpacked {
            tercet::unpack::set_limit(bytes);
        }
    }
}

/// A number of bytes, with K, M, G or T for 1024, 1024², …; `GB` and `GiB` mean the same as `G`.
pub fn size(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes, as in 500M or 10G".to_owned();
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..end].parse().map_err(|_| expected())?;
    let unit = text[end..].trim().to_ascii_lowercase();
    let unit = unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit);
    let power = ["", "k", "m", "g", "t"].iter().position(|known| *known == unit).ok_or_else(expected)?;
    number.checked_mul(1 << (10 * power)).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units_of_1024() {
        for (text, bytes) in [("0", 0), ("17", 17), ("2k", 2048), ("3 MiB", 3 << 20), ("4G", 4 << 30), ("1TB", 1 << 40)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "G", "-1", "1.5G", "1X", "99999999999T", "1 G G"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
