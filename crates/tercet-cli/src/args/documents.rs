//! Flags about the documents of texts.

use clap::Args;
use std::path::PathBuf;

/// Which segment belongs to which document, and outputs with segments of their own.
#[derive(Args, Default)]
#[command(next_help_heading = "Documents")]
#[group(skip)]
#[command(group = clap::ArgGroup::new("in_documents").multiple(true))]
pub struct DocumentArgs {
    /// The document of each segment: a file with its name on one line per segment [default: as SGML, a column `doc` or
    /// a field of the rows says]
    #[arg(long, value_name = "FILE", conflicts_with = "document", group = "in_documents")]
    pub document_ids: Option<PathBuf>,

    /// An empty line ends a document and is no segment, in references and translations alike; documents are numbered
    /// from 1
    #[arg(long, conflicts_with_all = ["document_ids", "table", "interleaved", "fields"], group = "in_documents")]
    pub blank_lines: bool,

    /// Translations have lines of their own: match their sentences with the references. References that one sentence
    /// covers become one segment for all systems
    #[arg(long, conflicts_with = "table", group = "in_documents")]
    pub align: bool,

    /// With --align: also write what each segment was made of, as TSV, or as CSV, JSON or JSON lines by the ending
    #[arg(long, value_name = "FILE", requires = "align")]
    pub alignment: Option<PathBuf>,
}

impl DocumentArgs {
    /// Whether any of these flags is given.
    pub fn are_given(&self) -> bool {
        self.document_ids.is_some() || self.blank_lines || self.align
    }
}
