//! Rows with named fields, from files or as JSON.

use crate::arguments;
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};
use tercet::corpora::Lines;
use tercet::corpora::rows::{FieldNames, Need, OpenedFile, RowFiles, RowFormat, RowSystem};

/// Systems with their translations, references of each segment, and sources and documents if there are any.
type RowTexts = (Vec<(String, Vec<String>)>, Vec<Vec<String>>, Option<Vec<String>>, Option<Vec<String>>);

/// The texts of a file of rows, or of rows in JSON; a system without a name is called `name`.
#[pyfunction]
fn read_rows(
    py: Python<'_>,
    path: Option<PathBuf>,
    json: Option<String>,
    fields: &Bound<'_, PyDict>,
    name: String,
    needs_references: Option<bool>,
) -> PyResult<RowTexts> {
    let names: FieldNames = arguments::read(fields)?;
    // Where sources will do, references must be clear.
    let reference = match needs_references {
        Some(true) => Need::Required,
        Some(false) => Need::Optional,
        None => Need::Preferred,
    };
    run(py, None, |_| {
        let reader = match (path, json) {
            (Some(path), _) => OpenedFile::open(&path)?.into_rows()?,
            (None, json) => OpenedFile::from_bytes(Path::new("rows"), json.unwrap_or_default().into_bytes())?
                .into_rows_of(RowFormat::Json)?,
        };
        let mut texts = RowFiles { names, reference, ..RowFiles::new(vec![reader]) }.read(&[])?;
        let systems = std::mem::take(&mut texts.systems).into_iter().flatten();
        let named = |system: RowSystem| (system.name.unwrap_or_else(|| name.clone()), strings(&system.texts));
        let systems = systems.map(named).collect();
        let sources = (!texts.sources.is_empty()).then(|| strings(&texts.sources));
        let documents = Some(std::mem::take(&mut texts.documents)).filter(|documents| !documents.is_empty());
        Ok((systems, texts.into_references(), sources, documents))
    })
}

fn strings(lines: &Lines) -> Vec<String> {
    lines.iter().map(str::to_owned).collect()
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(read_rows, module)?)
}
