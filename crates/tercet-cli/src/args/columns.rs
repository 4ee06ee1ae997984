//! Flags of `tercet score` for Parquet and Arrow files.

use clap::Args;

/// The columns of a Parquet or Arrow file.
#[derive(Args)]
#[command(next_help_heading = "Parquet and Arrow files")]
#[group(skip)]
pub struct ColumnArgs {
    /// The column with the translations; can be repeated, one system each
    #[arg(long, value_name = "COLUMN")]
    pub hypothesis_column: Vec<String>,

    /// A column with references: texts, or lists of them; can be repeated
    #[arg(long, value_name = "COLUMN")]
    pub reference_column: Vec<String>,

    /// The column with the sources
    #[arg(long, value_name = "COLUMN")]
    pub source_column: Option<String>,

    /// The column that says which system a row is of [default: all rows are of one system]
    #[arg(long, value_name = "COLUMN")]
    pub system_column: Option<String>,
}

impl ColumnArgs {
    /// The first of these flags that is given.
    pub fn given(&self) -> Option<&'static str> {
        let flags = [
            ("--hypothesis-column", !self.hypothesis_column.is_empty()),
            ("--reference-column", !self.reference_column.is_empty()),
            ("--source-column", self.source_column.is_some()),
            ("--system-column", self.system_column.is_some()),
        ];
        flags.into_iter().find(|(_, given)| *given).map(|(flag, _)| flag)
    }
}
