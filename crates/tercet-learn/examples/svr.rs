//! CPU seconds of support vector regression on random numbers of the sizes of RUSE.
//!
//!     cargo run --release -p tercet-learn --example svr -- make FILE 4800 6144
//!     cargo run --release -p tercet-learn --example svr -- fit FILE
//!
//! | arguments | what is done |
//! |---|---|
//! | `make FILE ROWS COLUMNS` | writes random features and targets that depend on them, with noise |
//! | `fit FILE` | fits with C = 1, ε = 0.1, γ = 0.1 and predicts the first rows |
//! | `grid FILE` | RUSE's 64 settings by 10-fold cross-validation |
//!
//! The last two print JSON: `cpu_s`, `wall_s`, and `values` to compare with another program. `cargo xtask bench svr`
//! runs them beside scikit-learn on the same file: two tensors in double precision, `features` and `targets`.
//! `RAYON_NUM_THREADS` sets the number of threads.
#![allow(clippy::print_stdout)]

#[path = "timing/clock.rs"]
mod clock;

use clock::measured;
use serde_json::json;
use std::error::Error;
use std::path::Path;
use tercet_base::progress::Progress;
use tercet_learn::model_selection::{Folds, lowest};
use tercet_learn::svr::{Kernel, Products, SvrGrid, SvrModel, SvrSettings, search_grid};
use tercet_math::Matrix;
use tercet_math::random::Random;
use tercet_model::model_file::{ModelFile, Values};

const KIND: &str = "svr-timing";

/// Number of predictions that are printed.
const SHOWN: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["make", file, rows, columns] => make(file.as_ref(), rows.parse()?, columns.parse()?),
        ["fit", file] => fit(file.as_ref()),
        ["grid", file] => grid(file.as_ref()),
        _ => {
            println!("usage: svr make FILE ROWS COLUMNS | fit FILE | grid FILE");
            Ok(())
        }
    }
}

fn make(path: &Path, rows: usize, columns: usize) -> Result<(), Box<dyn Error>> {
    let mut random = Random::stream(1, "svr", 0);
    let width = (3.0 / columns as f64).sqrt() as f32;
    let mut features = Vec::with_capacity(rows * columns);
    let mut targets = Vec::with_capacity(rows);
    for _ in 0..rows {
        // Rows of a few kinds, so that some are near to each other as sentences are.
        let kind = random.below(20) as f32;
        let row: Vec<f64> = (0..columns)
            .map(|column| f64::from(random.uniform(-width, width) + width * ((column as f32 + 1.0) * kind).sin()))
            .collect();
        let sum: f64 = row.iter().take(50).sum();
        targets.push((sum * 3.0).sin() + f64::from(random.uniform(-0.5, 0.5)));
        features.extend(row);
    }
    let mut file = ModelFile::new(KIND);
    file.add("features", vec![rows, columns], Values::F64(features));
    file.add("targets", vec![rows], Values::F64(targets));
    Ok(file.write(path)?)
}

fn read(path: &Path) -> Result<(Matrix<f64>, Vec<f64>), Box<dyn Error>> {
    let file = ModelFile::read(path, KIND)?;
    let targets = file.f64("targets")?.to_vec();
    let features = file.f64("features")?.to_vec();
    Ok((Matrix::new(targets.len(), features.len() / targets.len(), features)?, targets))
}

fn fit(path: &Path) -> Result<(), Box<dyn Error>> {
    let (features, targets) = read(path)?;
    let settings = SvrSettings { kernel: Kernel::Rbf { gamma: 0.1 }, ..SvrSettings::default() };
    let mut model = None;
    let seconds = measured(|| {
        model = Some(SvrModel::fit(&features, &targets, &settings, Progress::none())?);
        Ok(())
    })?;
    let model = model.ok_or("no model")?;
    let shown: Vec<&[f64]> = (0..SHOWN).map(|row| features.row(row)).collect();
    let predictions = model.predict(&Matrix::from_rows(&shown)?)?;
    let support = model.coefficients().len();
    println!("{}", json!({"cpu_s": seconds.cpu, "wall_s": seconds.wall, "values": predictions, "support": support}));
    Ok(())
}

fn grid(path: &Path) -> Result<(), Box<dyn Error>> {
    let (features, targets) = read(path)?;
    let points = SvrGrid::default().points();
    let mut errors = Vec::new();
    let seconds = measured(|| {
        let products = Products::new(&features, Progress::none())?;
        let folds = Folds::contiguous(targets.len(), 10)?;
        errors = search_grid(&products, &targets, &points, &folds, Progress::none())?;
        Ok(())
    })?;
    let best = lowest(&errors).map(|place| format!("{:?}", points[place]));
    println!("{}", json!({"cpu_s": seconds.cpu, "wall_s": seconds.wall, "best": best}));
    Ok(())
}
