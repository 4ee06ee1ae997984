//! Flags of rows with named fields.

use clap::Args;
use tercet::corpora::rows::FieldNames;

/// The fields of rows.
#[derive(Args)]
#[command(next_help_heading = "Rows with named fields (JSON lines, JSON, CSV, TSV, Parquet, Arrow)")]
#[group(skip)]
#[command(group = clap::ArgGroup::new("fields").multiple(true).conflicts_with("table"))]
pub struct FieldArgs {
    /// The field with the translations; can be repeated, one system each [default: hyp, mt, translation, output and
    /// the like; references and sources: -r and -s]
    #[arg(long, alias = "hypothesis-column", value_name = "FIELD", group = "fields")]
    pub hypothesis: Vec<String>,

    /// The field that says which system a row is of [default: system, model and the like]
    #[arg(long, alias = "system-column", value_name = "FIELD", group = "fields")]
    pub system: Option<String>,

    /// The field that says which document a row belongs to [default: document, doc_id and the like]
    #[arg(long, value_name = "FIELD", group = "fields")]
    pub document: Option<String>,

    /// The field by which rows of several files and systems are joined [default: id, segment_id and the like]
    #[arg(long, value_name = "FIELD", group = "fields")]
    pub id: Option<String>,

    /// Every line is one text as it stands, also if it looks like JSON, CSV or SGML; with --columns, quotation marks
    /// are characters and the first line has texts
    #[arg(long, conflicts_with = "fields")]
    pub lines: bool,
}

impl FieldArgs {
    /// The first flag that names a field.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            ("--hypothesis", !self.hypothesis.is_empty()),
            ("--system", self.system.is_some()),
            ("--document", self.document.is_some()),
            ("--id", self.id.is_some()),
        ];
        flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }

    /// These names, with those of references and the source.
    pub fn names(&self, reference: Vec<String>, source: Option<String>) -> FieldNames {
        FieldNames {
            hypothesis: self.hypothesis.clone(),
            reference,
            source,
            system: self.system.clone(),
            document: self.document.clone(),
            id: self.id.clone(),
        }
    }
}

/// The names of fields that `-r` or `-s` gives for a file that has all texts.
#[cfg(feature = "columns")]
pub fn as_names<'p>(paths: impl IntoIterator<Item = &'p std::path::PathBuf>) -> Vec<String> {
    paths.into_iter().map(|path| path.display().to_string()).collect()
}
