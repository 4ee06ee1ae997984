//! What checks of texts look for: the kinds of findings with their severity, and their wording in one place.

use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

crate::choices! {
    /// How bad a finding is.
    pub enum Severity: "severity" {
        /// Certainly wrong: scores of such lines mean nothing.
        Error = "error",
        /// Probably wrong.
        Warning = "warning",
        /// Unusual, and worth knowing.
        Note = "note",
    }

    /// What a check looks for.
    pub enum CheckKind: "check" {
        /// Empty outputs of segments whose reference or source is not empty.
        EmptyOutput = "empty-output",
        /// No output after some line.
        Truncated = "truncated",
        /// Lines that fit the references of segments before or after their own: a line was inserted or dropped.
        Misaligned = "misaligned",
        /// Lines in another order than their references.
        Shuffled = "shuffled",
        /// The same output for all segments.
        IdenticalOutputs = "identical-outputs",
        /// The same output for segments with different references.
        RepeatedOutput = "repeated-output",
        /// Words or characters that are repeated over and over inside an output.
        Repetition = "repetition",
        /// Copies of the source.
        CopyOfSource = "copy-of-source",
        /// Outputs in another language or script than asked for, or than their reference.
        OtherLanguage = "other-language",
        /// Refusals instead of translations.
        Refusal = "refusal",
        /// Remarks about the translation.
        Comment = "comment",
        /// Labels before the translation, as in `Translation: …`.
        Label = "label",
        /// Outputs that are JSON.
        Json = "json",
        /// Code fences of Markdown.
        CodeFence = "code-fence",
        /// Markdown: bold letters, headings, list marks.
        Markdown = "markdown",
        /// Quotation marks around the whole output.
        Quotes = "quotes",
        /// Reasoning of a language model, or its tags.
        Reasoning = "reasoning",
        /// Tokens of a model: `<unk>`, `</s>`, `<|im_end|>`.
        SpecialToken = "special-token",
        /// Marks of subwords: `@@` of BPE, `▁` of SentencePiece.
        SubwordMarks = "subword-marks",
        /// HTML entities: `&amp;`.
        HtmlEntity = "html-entity",
        /// Characters that were read in the wrong encoding: `Ã¼` for `ü`.
        Mojibake = "mojibake",
        /// Placeholders and tags that are missing or added.
        Placeholder = "placeholder",
        /// URLs that are missing or added.
        Url = "url",
        /// E-mail addresses that are missing or added.
        Email = "email",
        /// Numbers that are missing.
        Number = "number",
        /// The same number with another unit.
        Unit = "unit",
        /// Outputs that are much longer or shorter than their reference or source.
        Length = "length",
        /// Characters inside a line that other tools treat as its end.
        LineSeparator = "line-separator",
        /// A byte order mark at the start.
        ByteOrderMark = "byte-order-mark",
        /// Empty references.
        EmptyReference = "empty-reference",
        /// Empty sources.
        EmptySource = "empty-source",
        /// References that are copies of the source.
        ReferenceIsSource = "reference-is-source",
        /// Outputs that are mostly copies of their references.
        SameAsReference = "same-as-reference",
        /// Systems whose outputs are mostly the same.
        SameAsSystem = "same-as-system",
        /// Texts whose punctuation is set apart.
        Tokenized = "tokenized",
    }

    /// Whose text a line is of.
    pub enum TextRole: "text" {
        /// A system's output.
        System = "system",
        /// A reference.
        Reference = "reference",
        /// The source.
        Source = "source",
    }
}

impl CheckKind {
    /// How bad it is.
    pub const fn severity(self) -> Severity {
        use CheckKind::*;
        match self {
            EmptyOutput | Truncated | Misaligned | Shuffled | IdenticalOutputs | Repetition | CopyOfSource
            | OtherLanguage | Refusal | Label | Json | CodeFence | Reasoning | SpecialToken | SubwordMarks
            | Mojibake => Severity::Error,
            RepeatedOutput | Comment | Markdown | Quotes | HtmlEntity | Placeholder | Url | Email | Number | Unit
            | Length | LineSeparator | ByteOrderMark | EmptyReference | EmptySource | ReferenceIsSource
            | SameAsReference => Severity::Warning,
            SameAsSystem | Tokenized => Severity::Note,
        }
    }

    /// What is said of one line and of several lines: `line 3 is …`, `3 lines are …`.
    pub(crate) const fn of_lines(self) -> [&'static str; 2] {
        use CheckKind::*;
        match self {
            RepeatedOutput => ["is the output of another line too", "are the outputs of other lines too"],
            Repetition => ["repeats the same words over and over", "repeat the same words over and over"],
            Refusal => ["is a refusal, not a translation", "are refusals, not translations"],
            Comment => ["has a remark about the translation", "have remarks about the translation"],
            Label => ["starts with a label", "start with a label"],
            Json => ["is JSON", "are JSON"],
            CodeFence => ["has a code fence", "have code fences"],
            Markdown => ["has marks of Markdown", "have marks of Markdown"],
            Quotes => ["is in quotation marks", "are in quotation marks"],
            Reasoning => ["has reasoning of a language model", "have reasoning of a language model"],
            SpecialToken => ["has special tokens of a model", "have special tokens of a model"],
            SubwordMarks => ["has marks of subwords", "have marks of subwords"],
            HtmlEntity => ["has HTML entities", "have HTML entities"],
            Mojibake => ["was read in the wrong encoding", "were read in the wrong encoding"],
            ReferenceIsSource => ["is a copy of the source", "are copies of the source"],
            _ => ["is suspicious", "are suspicious"],
        }
    }
}

/// What a finding is about, beyond its kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Detail {
    /// Nothing more.
    None,
    /// The part of the line that is suspicious.
    Part(String),
    /// Values that one text has and the other has not.
    Values {
        /// Those that are missing.
        missing: Vec<String>,
        /// Those that are only in the output.
        added: Vec<String>,
    },
    /// A language or script, and the one expected.
    Language {
        /// The language of the line.
        found: String,
        /// The language that was asked for, or that of the references.
        expected: String,
        /// If it is about a whole text, how many lines of a hundred are in it.
        percent: Option<usize>,
    },
    /// By how many lines a part of the text is displaced, and where that began.
    Shift {
        /// The offset of the references that fit: 1 for the next line.
        shift: isize,
        /// The line that was inserted.
        inserted: Option<usize>,
        /// The segment whose output is missing.
        missing: Option<usize>,
    },
    /// How many times as long as another text, which is named.
    Ratio {
        /// The ratio of the numbers of characters.
        ratio: f64,
        /// `reference` or `source`.
        of: TextRole,
    },
    /// So many lines of all.
    Share {
        /// The number of such lines.
        count: usize,
        /// The number of lines.
        lines: usize,
    },
    /// So many lines of all are those of another system.
    SameLines {
        /// The other system.
        system: String,
        /// The number of equal lines.
        count: usize,
        /// The number of lines.
        lines: usize,
    },
}

/// Why a line is suspicious.
pub struct Reason<'a> {
    /// The kind of finding.
    pub kind: CheckKind,
    /// More about it.
    pub detail: &'a Detail,
    /// The line that it is about and, if it is about several, the last one; from 1.
    pub lines: (usize, usize),
    /// The line that it fits better, or that it is equal to.
    pub fits: Option<usize>,
}

impl Display for Reason<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.detail {
            Detail::None => f.write_str(self.alone()),
            Detail::Part(part) => write!(f, "{}: {part}", self.alone()),
            Detail::Values { missing, added } => self.write_values(f, missing, added),
            Detail::Language { found, expected, percent } => {
                let question = if percent.is_some() { "is it the right file?" } else { "not translated?" };
                write!(f, "in {found}, not in {expected}: {question}")
            }
            Detail::Shift { shift, inserted, missing } => self.write_shift(f, *shift, *inserted, *missing),
            Detail::Ratio { ratio, of } => {
                write!(f, "{ratio:.2} times as long as its {of}")
            }
            Detail::Share { count, lines } => self.write_share(f, *count, *lines),
            Detail::SameLines { system, count, lines } => {
                write!(f, "{count} of {lines} lines are those of {system}: the same system twice?")
            }
        }
    }
}

impl Reason<'_> {
    fn alone(&self) -> &'static str {
        use CheckKind::*;
        match self.kind {
            EmptyOutput => "empty",
            Repetition => "repeated over and over",
            CopyOfSource => "a copy of the source: not translated?",
            Refusal => "a refusal, not a translation",
            Comment => "a remark about the translation",
            Label => "a label before the translation",
            Json => "JSON around the translation",
            CodeFence => "a code fence of Markdown",
            Markdown => "marks of Markdown",
            Quotes => "quotation marks, which reference and source have not",
            Reasoning => "reasoning of a language model",
            SpecialToken => "special tokens of a model",
            SubwordMarks => "marks of subwords: undo the segmentation before scoring",
            HtmlEntity => "HTML entities",
            Mojibake => "read in the wrong encoding",
            LineSeparator => "a line separator inside",
            ByteOrderMark => "a byte order mark at the start",
            EmptyReference | EmptySource => "empty",
            ReferenceIsSource => "a copy of the source",
            kind => kind.name(),
        }
    }

    fn write_values(&self, f: &mut Formatter<'_>, missing: &[String], added: &[String]) -> fmt::Result {
        let what = match self.kind {
            CheckKind::Unit => return write!(f, "unit: {} for {}", added.join(", "), missing.join(", ")),
            kind => kind.name(),
        };
        let part =
            |word: &str, values: &[String]| (!values.is_empty()).then(|| format!("{word} {}", values.join(", ")));
        let parts: Vec<String> = part("missing", missing).into_iter().chain(part("added", added)).collect();
        write!(f, "{what}: {}", parts.join("; "))
    }

    fn write_shift(
        &self,
        f: &mut Formatter<'_>,
        shift: isize,
        inserted: Option<usize>,
        missing: Option<usize>,
    ) -> fmt::Result {
        let (count, (first, last)) = (shift.unsigned_abs(), self.lines);
        let (lines, further) =
            (if count == 1 { "line" } else { "lines" }, if shift < 0 { "earlier" } else { "further on" });
        write!(f, "lines {first} to {last} fit the references {count} {lines} {further}")?;
        match (inserted, missing) {
            (Some(line), _) => write!(f, ": line {line} looks inserted"),
            (_, Some(segment)) => write!(f, ": the translation of line {segment} looks dropped"),
            _ => Ok(()),
        }
    }

    fn write_share(&self, f: &mut Formatter<'_>, count: usize, lines: usize) -> fmt::Result {
        match self.kind {
            CheckKind::Truncated => write!(f, "nothing after line {count} of {lines}: did the system stop early?"),
            CheckKind::IdenticalOutputs => write!(f, "{count} of {lines} lines are the same"),
            CheckKind::SameAsReference => {
                write!(f, "{count} of {lines} lines equal a reference: is it the right file?")
            }
            CheckKind::Tokenized => {
                write!(f, "{count} of {lines} lines end in a full stop set apart: the text looks tokenized")
            }
            CheckKind::Shuffled => {
                let fits = self.fits.unwrap_or_default();
                write!(
                    f,
                    "it fits the reference of line {fits}, as {count} of {lines} lines fit others: sorted or mixed?"
                )
            }
            CheckKind::RepeatedOutput => {
                let fits = self.fits.unwrap_or_default();
                write!(f, "the output of line {fits} again, as in {count} of {lines} lines")
            }
            _ => write!(f, "{count} of {lines} lines"),
        }
    }
}
