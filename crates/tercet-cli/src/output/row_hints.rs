//! What to type against errors about rows, and about files of lines that are none.

use std::path::Path;
use tercet::corpora::rows::{FieldRole, LineContent, RowError};

/// What to type against an error.
pub fn hint(error: &RowError) -> String {
    match error {
        RowError::NoField { role, .. } | RowError::AmbiguousField { role, .. } => {
            let lines = match role {
                FieldRole::Hypothesis => "; --lines if every line is one text",
                FieldRole::Reference => "; -r FILE if they are in a file",
                _ => "",
            };
            format!(" (name it with --{role} FIELD{lines})")
        }
        RowError::UnknownField { name, .. } if Path::new(name).extension().is_some() && !Path::new(name).exists() => {
            "; there is no file of that name either".to_owned()
        }
        RowError::NotLines { path, role, found } => {
            format!(": {}; --lines takes every line as one text", not_lines(&path.display().to_string(), *role, *found))
        }
        _ => String::new(),
    }
}

/// The command that reads a file.
fn not_lines(path: &str, role: FieldRole, found: LineContent) -> String {
    match (found, role) {
        (LineContent::Json, _) => {
            format!("texts are read from objects, which jq -c '.[] | {{mt: .}}' {path} makes of an array of texts")
        }
        (LineContent::QuotedCsv, FieldRole::Hypothesis) => {
            "name its columns in the first line, and then with --hypothesis COLUMN -r COLUMN".to_owned()
        }
        (LineContent::QuotedCsv, _) => {
            "name its columns in the first line, such as id,ref, and give the file the ending .csv".to_owned()
        }
        (LineContent::Columns(count), FieldRole::Reference) => {
            let count = count.map_or("var".to_owned(), |count| count.to_string());
            format!("-r {path} --references {count} if they are several references of each segment")
        }
        (LineContent::Columns(_), _) => {
            format!(
                "--tsv {path} if each is a system, --columns ref,hyp {path} to say what they are, --hypothesis \
                     COLUMN if the first line names them"
            )
        }
        (LineContent::Header, _) => "add --header".to_owned(),
        _ => "save it as one text per line".to_owned(),
    }
}
