//! Flags of where and how results are written.

use super::choice::choice_values;
use crate::output::Misuse;
use anstream::{AutoStream, ColorChoice};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use tercet::choice::Choice;
use tercet::report::{Format, Terminal};
use terminal_size::{Width, terminal_size_of};

/// Format and destination of results.
#[derive(Args)]
#[group(skip)]
pub struct ReportArgs {
    #[command(flatten)]
    pub target: TargetArgs,

    /// In an HTML page, show scores by this property of segments too: a file with its value on one line per segment;
    /// can be repeated
    #[arg(long, value_name = "NAME=FILE")]
    pub by: Vec<String>,

    /// Decimals in text, markdown and latex [default: 2; 4 for metrics with scores from 0 to 1]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u8).range(..=60))]
    pub width: Option<u8>,
}

/// Format and file of results.
#[derive(Args)]
#[group(skip)]
pub struct TargetArgs {
    /// Output format [default: by the ending of the file of -o (.json, .jsonl, .tsv, .csv, .md, .tex, .html), else
    /// text]
    #[arg(short, long, value_parser = output_format())]
    format: Option<Output>,

    /// Write here instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Colours in text: on a terminal unless NO_COLOR is set, always, or never
    #[arg(long, visible_alias = "colour", value_enum, value_name = "WHEN", default_value_t = Colour::Auto)]
    color: Colour,
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    /// On a terminal, as NO_COLOR, CLICOLOR and CLICOLOR_FORCE say.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl TargetArgs {
    /// The terminal that the result is shown on, if it is.
    pub fn terminal(&self) -> Terminal {
        self.terminal_for(self.output.as_deref())
    }

    /// The same for a result that is written to this path.
    pub fn terminal_for(&self, path: Option<&Path>) -> Terminal {
        if path.is_some_and(|path| path != Path::new("-")) {
            return Terminal::default();
        }
        let stdout = std::io::stdout();
        let size = stdout.is_terminal().then(|| terminal_size_of(&stdout)).flatten();
        let colour = match self.color {
            Colour::Auto => AutoStream::choice(&stdout) != ColorChoice::Never,
            Colour::Always => true,
            Colour::Never => false,
        };
        Terminal { width: size.map(|(Width(width), _)| usize::from(width)), colour }
    }

    /// Returns an error if the output file's name promises a format that is not written, unless a format is given.
    pub fn check_ending(&self) -> Result<(), Misuse> {
        const NOT_WRITTEN: [&str; 15] = [
            "xlsx", "xls", "ods", "docx", "odt", "pdf", "xml", "yaml", "yml", "parquet", "pq", "arrow", "arrows",
            "feather", "ipc",
        ];
        let ending = self.output.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
        let ending = ending.map(str::to_lowercase).filter(|ending| NOT_WRITTEN.contains(&ending.as_str()));
        match ending.filter(|_| self.format.is_none()) {
            Some(ending) => Err(Misuse(format!(
                "--output: .{ending} is not written; endings with a format are .json, .jsonl, .tsv, .csv, .md, .tex \
                 and .html, or choose one with --format"
            ))),
            None => Ok(()),
        }
    }

    /// The same for commands whose results are not shown as a page.
    pub fn check_ending_without_page(&self) -> Result<(), Misuse> {
        if self.is_page() {
            return Err(Misuse(
                "-f html is written by score, compare, correlate, spans, challenge and rank (without --nbest and \
                 --mbr)"
                    .to_owned(),
            ));
        }
        self.check_ending()
    }

    /// Whether the result is an HTML page.
    pub fn is_page(&self) -> bool {
        self.chosen() == Output::Page
    }

    /// The format that is given, or else that of the output file's name; text for a page, which is not written as one
    /// of these.
    pub fn format(&self) -> Format {
        match self.chosen() {
            Output::Page => Format::Text,
            Output::Written(format) => format,
        }
    }

    fn chosen(&self) -> Output {
        let ending = || self.output.as_deref().and_then(Path::extension).and_then(OsStr::to_str);
        let of_file = || ending().and_then(|ending| Output::from_name(&ending.to_lowercase()));
        self.format.or_else(of_file).unwrap_or(Output::Written(Format::Text))
    }
}

/// What results are written as.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// A page for a browser, in one file.
    Page,
    /// Text.
    Written(Format),
}

impl Output {
    /// By the name of a format, or the ending of a file.
    fn from_name(name: &str) -> Option<Self> {
        match name {
            "html" | "htm" => Some(Output::Page),
            name => Format::from_name(name).ok().map(Output::Written),
        }
    }
}

/// Reads a format.
fn output_format() -> impl TypedValueParser<Value = Output> {
    let page = PossibleValue::new("html").aliases(["htm", "page"]).help("A page for a browser, in one file");
    let names = PossibleValuesParser::new(choice_values::<Format>().chain([page]));
    names.map(|name| Output::from_name(&name).unwrap_or(Output::Page))
}
