//! Model files of LIBSVM, as `svm-train -s 3` writes and `svm-predict` reads them.
//!
//! ```text
//! svm_type epsilon_svr
//! kernel_type rbf
//! gamma 0.01
//! nr_class 2
//! total_sv 2
//! rho -0.5
//! SV
//! 0.25 1:0.5 3:1
//! -0.25 2:-1
//! ```
//!
//! A line after `SV` is a coefficient and the features that are not 0, numbered from 1.
//!
//! # Choices
//! Numbers are written with all their digits (LIBSVM writes eight of a feature). ν-SVR predicts by the same formula and
//! is read too. The file does not say how many features there are: it is the highest number, or what the caller says.

use super::{Kernel, SvrModel};
use crate::error::Result;
use crate::files;
use crate::matrix::Matrix;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use tercet_model::Error as FileError;

/// Larger numbers of features are taken for damage.
const MAX_FEATURES: usize = 1 << 24;

impl SvrModel {
    /// The text of a LIBSVM model file.
    pub fn to_libsvm(&self) -> String {
        let mut text = "svm_type epsilon_svr\n".to_owned();
        match self.kernel() {
            Kernel::Linear => text.push_str("kernel_type linear\n"),
            Kernel::Rbf { gamma } => text.push_str(&format!("kernel_type rbf\ngamma {gamma}\n")),
        }
        let count = self.coefficients().len();
        text.push_str(&format!("nr_class 2\ntotal_sv {count}\nrho {}\nSV\n", -self.intercept()));
        for (row, coefficient) in self.coefficients().iter().enumerate() {
            text.push_str(&coefficient.to_string());
            for (number, value) in self.vectors().row(row).iter().enumerate().filter(|(_, value)| **value != 0.0) {
                // Writing to a string cannot fail.
                let _ = write!(text, " {}:{value}", number + 1);
            }
            text.push('\n');
        }
        text
    }

    /// Writes a LIBSVM model file.
    pub fn write_libsvm(&self, path: &Path) -> Result<()> {
        Ok(files::write(path, self.to_libsvm().as_bytes())?)
    }

    /// Reads a LIBSVM model file; `features` is the number of features, if it is known.
    pub fn read_libsvm(path: &Path, features: Option<usize>) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(|source| FileError::Read { path: path.to_owned(), source })?;
        Self::from_libsvm(&text, features).map_err(|reason| FileError::BadFile { path: path.to_owned(), reason }.into())
    }

    /// The model of a text; the error says what is wrong with it.
    fn from_libsvm(text: &str, features: Option<usize>) -> Result<Self, String> {
        let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim_end()));
        let mut header = BTreeMap::new();
        loop {
            let Some((_, line)) = lines.next() else {
                return Err("it has no line `SV`: this is not a model file of LIBSVM, or it is cut".to_owned());
            };
            if line == "SV" {
                break;
            }
            let (key, value) = line.split_once(' ').unwrap_or((line, ""));
            header.insert(key, value);
        }
        let kernel = kernel(&header)?;
        let rho: f64 = number(&header, "rho")?;
        let total: usize = number(&header, "total_sv")?;
        let rows = lines.map(|(number, line)| support_vector(number, line)).collect::<Result<Vec<_>, _>>()?;
        if rows.len() != total {
            return Err(format!("it has {} support vectors, expected {total}: it is cut or damaged", rows.len()));
        }
        let highest = rows.iter().flat_map(|(_, row)| row.iter().map(|(feature, _)| *feature)).max().unwrap_or(0);
        let columns = features.unwrap_or(highest);
        if highest > columns {
            return Err(format!("it uses feature {highest}, but there are {columns} features"));
        }
        let mut vectors = Matrix::zeros(rows.len(), columns);
        for (place, (_, row)) in rows.iter().enumerate() {
            row.iter().for_each(|(feature, value)| vectors.row_mut(place)[feature - 1] = *value);
        }
        let coefficients = rows.iter().map(|(coefficient, _)| *coefficient).collect();
        Ok(SvrModel::from_parts(kernel, vectors, coefficients, -rho))
    }
}

fn kernel(header: &BTreeMap<&str, &str>) -> Result<Kernel, String> {
    match header.get("svm_type") {
        Some(&"epsilon_svr" | &"nu_svr") => {}
        Some(other) => return Err(format!("its svm_type is {other}, expected epsilon_svr or nu_svr")),
        None => return Err("it has no svm_type: this is not a model file of LIBSVM".to_owned()),
    }
    let kernel = match header.get("kernel_type") {
        Some(&"linear") => Kernel::Linear,
        Some(&"rbf") => Kernel::Rbf { gamma: number(header, "gamma")? },
        other => {
            return Err(format!("its kernel_type is {}, expected linear or rbf", other.unwrap_or(&"missing")));
        }
    };
    kernel.check().map_err(|error| error.to_string())?;
    Ok(kernel)
}

fn number<T: std::str::FromStr>(header: &BTreeMap<&str, &str>, key: &str) -> Result<T, String> {
    let value = header.get(key).ok_or_else(|| format!("it has no {key}"))?;
    value.parse().map_err(|_| format!("its {key} is `{value}`, expected a number"))
}

/// A coefficient, and features with their values.
type SparseRow = (f64, Vec<(usize, f64)>);

fn support_vector(number: usize, line: &str) -> Result<SparseRow, String> {
    let finite = |text: &str| text.parse::<f64>().ok().filter(|value| value.is_finite());
    let bad =
        |what: &str| format!("line {number}: `{what}`, expected a number, then FEATURE:VALUE with FEATURE from 1");
    let mut fields = line.split_ascii_whitespace();
    let first = fields.next().unwrap_or_default();
    let coefficient = finite(first).ok_or_else(|| bad(first))?;
    let entry = |field: &str| {
        let (feature, value) = field.split_once(':')?;
        let feature = feature.parse().ok().filter(|feature| (1..=MAX_FEATURES).contains(feature))?;
        Some((feature, finite(value)?))
    };
    let row = fields.map(|field| entry(field).ok_or_else(|| bad(field))).collect::<Result<_, _>>()?;
    Ok((coefficient, row))
}
