//! Terminal colours, where sacreBLEU uses them.

#[derive(Clone, Copy)]
pub(super) enum Colour {
    Red = 31,
    Green = 32,
    Yellow = 33,
    Cyan = 36,
}

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// With escape sequences.
    Coloured,
    /// Without colours.
    Plain,
}

impl Palette {
    pub(super) fn paint(self, text: &str, colour: Colour) -> String {
        match self {
            Palette::Coloured => format!("\x1b[{}m{text}\x1b[0m", colour as u8),
            Palette::Plain => text.to_owned(),
        }
    }
}

/// The text without its escape sequences: `ESC [`, digits and semicolons, a letter.
pub fn strip_colours(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\x1b[") {
        plain.push_str(&rest[..start]);
        let sequence = &rest[start + 2..];
        let parameters = sequence.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        match parameters.chars().next() {
            Some(letter) if letter.is_ascii_alphabetic() => rest = &parameters[1..],
            _ => {
                plain.push_str("\x1b[");
                rest = sequence;
            }
        }
    }
    plain.push_str(rest);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_painted_strips_to_itself() {
        let painted = Palette::Coloured.paint("chrF2", Colour::Cyan);
        assert_eq!(painted, "\x1b[36mchrF2\x1b[0m");
        assert_eq!(strip_colours(&format!("a{painted}b\x1b[;")), "achrF2b\x1b[;");
    }
}
