//! Equality with scikit-learn and LIBSVM.
//!
//! The files are outside the repository, in `golden/` of the folder that `TERCET_SHARED` names (default: `shared` next
//! to the checkout). Without the folder there is one test, ignored, that says so.

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tercet_base::progress::Progress;
use tercet_learn::model_selection::{Folds, lowest};
use tercet_learn::svr::{Kernel, Products, SvrModel, SvrSettings, search_grid};
use tercet_math::Matrix;

fn main() {
    let named = std::env::var_os("TERCET_SHARED").map(PathBuf::from);
    let shared = named.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"));
    let golden = shared.join("golden");
    let trials = match golden.is_dir() {
        true => vec![
            Trial::test("svr/blend_features.json: fits", {
                let golden = golden.clone();
                move || fits(&golden)
            }),
            Trial::test("svr/blend_features.json: grid", move || grid(&golden)),
        ],
        false => {
            vec![Trial::test("golden: skipped, TERCET_SHARED not found", || Ok(())).with_ignored_flag(true)]
        }
    };
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn json(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// Features and targets of `train` or `test`.
fn data(golden: &Path, name: &str) -> (Matrix<f64>, Vec<f64>) {
    let data = json(&golden.join(format!("inputs/svr/{name}.json")));
    let rows: Vec<Vec<f64>> = data["X"].as_array().unwrap().iter().map(numbers).collect();
    (Matrix::from_rows(&rows).unwrap(), numbers(&data["y"]))
}

fn settings(point: &Value) -> SvrSettings {
    let number = |key: &str| point[key].as_f64().unwrap();
    SvrSettings {
        kernel: Kernel::Rbf { gamma: number("gamma") },
        c: number("C"),
        epsilon: number("epsilon"),
        tolerance: point["tol"].as_f64().unwrap_or(1e-3),
    }
}

fn close(what: &str, ours: &[f64], theirs: &[f64], tolerance: f64) -> Result<(), Failed> {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    let farthest = ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    if farthest <= tolerance { Ok(()) } else { Err(format!("{what}: off by {farthest:e}").into()) }
}

fn fits(golden: &Path) -> Result<(), Failed> {
    let expected = json(&golden.join("svr/blend_features.json"));
    let ((features, targets), (test, _)) = (data(golden, "train"), data(golden, "test"));
    for fit in expected["outputs"]["fits"].as_array().unwrap() {
        let settings = settings(fit);
        let what = format!("{settings:?}");
        let model = SvrModel::fit(&features, &targets, &settings, Progress::none()).unwrap();
        let theirs = &fit["sklearn"];
        assert_eq!(model.coefficients().len(), theirs["n_sv"].as_u64().unwrap() as usize, "{what}");
        close(&format!("{what}, coefficients"), model.coefficients(), &numbers(&theirs["dual_coef"]), 1e-6)?;
        close(&format!("{what}, intercept"), &[model.intercept()], &[theirs["intercept"].as_f64().unwrap()], 1e-6)?;
        let predictions = model.predict(&test).unwrap();
        close(&format!("{what}, predictions"), &predictions, &numbers(&theirs["predictions"]), 1e-6)?;
        close(&format!("{what}, LIBSVM"), &predictions, &numbers(&fit["libsvm"]["predictions"]), 1e-6)?;
    }
    Ok(())
}

fn grid(golden: &Path) -> Result<(), Failed> {
    let expected = &json(&golden.join("svr/blend_features.json"))["outputs"]["grid10fold"];
    let (features, targets) = data(golden, "train");
    let products = Products::new(&features, Progress::none()).unwrap();
    let points: Vec<SvrSettings> = expected["params"].as_array().unwrap().iter().map(settings).collect();
    let folds = Folds::contiguous(targets.len(), 10).unwrap();
    let errors = search_grid(&products, &targets, &points, &folds, Progress::none()).unwrap();
    let theirs: Vec<f64> = numbers(&expected["mean_test_score"]).iter().map(|score| -score).collect();
    close("mean squared errors", &errors, &theirs, 1e-6)?;
    assert_eq!(points[lowest(&errors).unwrap()], settings(&expected["best_params"]));
    Ok(())
}
