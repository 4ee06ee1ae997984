use super::*;
use crate::model_selection::Folds;
use crate::random::Random;
use std::ops::ControlFlow;

/// 60 rows of 3 features and a smooth function of them.
fn problem() -> (Matrix<f64>, Vec<f64>) {
    let mut random = Random::stream(1, "problem", 0);
    let rows: Vec<[f64; 3]> = (0..60).map(|_| std::array::from_fn(|_| f64::from(random.uniform(-1.0, 1.0)))).collect();
    let targets = rows.iter().map(|[a, b, c]| (2.0 * a).sin() + b * c).collect();
    (Matrix::from_rows(&rows).unwrap(), targets)
}

fn rbf(c: f64, epsilon: f64) -> SvrSettings {
    SvrSettings { kernel: Kernel::Rbf { gamma: 0.5 }, c, epsilon, ..SvrSettings::default() }
}

#[test]
fn the_solution_satisfies_its_conditions() {
    let (features, targets) = problem();
    for settings in [rbf(1.0, 0.1), rbf(100.0, 0.0), SvrSettings { kernel: Kernel::Linear, ..rbf(0.5, 0.2) }] {
        let model = SvrModel::fit(&features, &targets, &settings, Progress::none()).unwrap();
        assert!(model.coefficients().iter().sum::<f64>().abs() < 1e-9);
        assert!(model.coefficients().iter().all(|weight| weight.abs() <= settings.c));
        let predicted = model.predict(&features).unwrap();
        let is_support = |row: usize| model.vectors().values().chunks(3).any(|vector| vector == features.row(row));
        for row in 0..targets.len() {
            let error = (predicted[row] - targets[row]).abs();
            assert!(is_support(row) || error <= settings.epsilon + 2e-3, "row {row}: {error}, {settings:?}");
        }
    }
}

#[test]
fn a_wide_tube_needs_no_support_vectors() {
    let (features, targets) = problem();
    let model = SvrModel::fit(&features, &targets, &rbf(1.0, 10.0), Progress::none()).unwrap();
    assert!(model.coefficients().is_empty());
    let predicted = model.predict(&features).unwrap();
    assert!(predicted.iter().all(|value| *value == model.intercept()));
}

#[test]
fn constant_features_and_constant_targets_are_learned() {
    let features = Matrix::from_rows(&[[3.0, 0.0], [3.0, 1.0], [3.0, 2.0]]).unwrap();
    let model = SvrModel::fit(&features, &[0.0, 1.0, 2.0], &rbf(10.0, 0.01), Progress::none()).unwrap();
    assert!((model.predict(&features).unwrap()[2] - 2.0).abs() < 0.02);
    let all_constant = Matrix::from_rows(&[[3.0], [3.0], [3.0]]).unwrap();
    let model = SvrModel::fit(&all_constant, &[0.0, 1.0, 2.0], &rbf(1.0, 0.1), Progress::none()).unwrap();
    assert!(model.predict(&all_constant).unwrap().iter().all(|value| (0.0..=2.0).contains(value)));
    let model = SvrModel::fit(&features, &[5.0; 3], &rbf(1.0, 0.1), Progress::none()).unwrap();
    assert!((model.predict(&features).unwrap()[0] - 5.0).abs() <= 0.1);
}

#[test]
fn bad_input_is_named() {
    let (features, targets) = problem();
    let refused = |features: &Matrix<f64>, targets: &[f64], settings: &SvrSettings| {
        SvrModel::fit(features, targets, settings, Progress::none()).unwrap_err().to_string()
    };
    let with_nan = Matrix::from_rows(&[[0.0, 1.0], [f64::NAN, 2.0]]).unwrap();
    assert_eq!(
        refused(&with_nan, &[0.0, 1.0], &rbf(1.0, 0.1)),
        "features, row 1, column 0: NaN is not a finite number (counted from 0)"
    );
    let mut bad = targets.clone();
    bad[7] = f64::INFINITY;
    assert_eq!(
        refused(&features, &bad, &rbf(1.0, 0.1)),
        "example 7 (counted from 0): target inf is not a finite number"
    );
    assert!(refused(&features, &targets[1..], &rbf(1.0, 0.1)).contains("expected 60 (one for each row"));
    assert!(refused(&Matrix::zeros(0, 3), &[], &rbf(1.0, 0.1)).contains("nothing to learn from"));
    assert!(refused(&features, &targets, &rbf(0.0, 0.1)).contains("`C` cannot be 0"));
    assert!(refused(&features, &targets, &rbf(1.0, -1.0)).contains("`epsilon` cannot be -1"));
    let gamma = SvrSettings { kernel: Kernel::Rbf { gamma: f64::NAN }, ..rbf(1.0, 0.1) };
    assert!(refused(&features, &targets, &gamma).contains("`gamma` cannot be NaN"));
    let model = SvrModel::fit(&features, &targets, &rbf(1.0, 0.1), Progress::none()).unwrap();
    let error = model.predict(&Matrix::zeros(1, 2)).unwrap_err().to_string();
    assert_eq!(error, "features: expected 3 columns, found 2");
}

#[test]
fn predictions_do_not_depend_on_the_other_rows() {
    let (features, targets) = problem();
    let model = SvrModel::fit(&features, &targets, &rbf(1.0, 0.1), Progress::none()).unwrap();
    let together = model.predict(&features).unwrap();
    for (row, expected) in together.iter().enumerate() {
        let alone = model.predict(&Matrix::from_rows(&[features.row(row)]).unwrap()).unwrap();
        assert_eq!(alone[0].to_bits(), expected.to_bits());
    }
}

#[test]
fn a_grid_gives_the_same_bits_on_any_number_of_threads() {
    let (features, targets) = problem();
    let products = Products::new(&features, Progress::none()).unwrap();
    let folds = Folds::shuffled(targets.len(), 5, 3).unwrap();
    let search = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| search_grid(&products, &targets, &SvrGrid::default().points(), &folds, Progress::none()))
    };
    let one = search(1).unwrap();
    assert_eq!(one.len(), 64);
    assert_eq!(one, search(4).unwrap());
}

#[test]
fn a_grid_holds_out_what_it_is_tested_on() {
    let (features, targets) = problem();
    let products = Products::new(&features, Progress::none()).unwrap();
    let folds = Folds::contiguous(targets.len(), 4).unwrap();
    let settings = SvrSettings { tolerance: 1e-6, ..rbf(1.0, 0.1) };
    let found = search_grid(&products, &targets, &[settings], &folds, Progress::none()).unwrap();
    let mut sum = 0.0;
    for fold in 0..4 {
        let rows = |chosen: &[usize]| {
            let rows: Vec<&[f64]> = chosen.iter().map(|&row| features.row(row)).collect();
            Matrix::from_rows(&rows).unwrap()
        };
        let (learned, held_out) = (folds.learned(fold), folds.held_out(fold));
        let of_learned: Vec<f64> = learned.iter().map(|&row| targets[row]).collect();
        let model = SvrModel::fit(&rows(&learned), &of_learned, &settings, Progress::none()).unwrap();
        let predicted = model.predict(&rows(&held_out)).unwrap();
        let errors = held_out.iter().zip(&predicted).map(|(&row, value)| (value - targets[row]).powi(2));
        sum += errors.sum::<f64>() / held_out.len() as f64;
    }
    assert!((found[0] - sum / 4.0).abs() < 1e-6, "{} {}", found[0], sum / 4.0);
}

#[test]
fn a_search_can_be_stopped() {
    let (features, targets) = problem();
    let products = Products::new(&features, Progress::none()).unwrap();
    let folds = Folds::contiguous(targets.len(), 5).unwrap();
    let stop = |_: &crate::progress::Event<'_>| ControlFlow::Break(());
    let points = SvrGrid::default().points();
    let stopped = search_grid(&products, &targets, &points, &folds, Progress::new(&stop));
    assert!(matches!(stopped, Err(Error::Stopped(_))));
    assert!(matches!(Products::new(&features, Progress::new(&stop)), Err(Error::Stopped(_))));
}

#[test]
fn a_libsvm_file_keeps_every_bit() {
    let (features, targets) = problem();
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("model.svm");
    for kernel in [Kernel::Linear, Kernel::Rbf { gamma: 0.3 }] {
        let settings = SvrSettings { kernel, ..rbf(1.0, 0.1) };
        let model = SvrModel::fit(&features, &targets, &settings, Progress::none()).unwrap();
        model.write_libsvm(&path).unwrap();
        assert_eq!(SvrModel::read_libsvm(&path, Some(3)).unwrap(), model);
    }
}

#[test]
fn damaged_libsvm_files_are_named() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("model.svm");
    let head = "svm_type epsilon_svr\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 1\nrho 0.25\nSV\n";
    let read = |text: &str| {
        std::fs::write(&path, text).unwrap();
        SvrModel::read_libsvm(&path, None)
    };
    let model = read(&format!("{head}0.5 1:2 3:4 \n")).unwrap();
    assert_eq!((model.vectors().row(0), model.intercept()), (&[2.0, 0.0, 4.0][..], -0.25));
    let refused = |text: &str| read(text).unwrap_err().to_string();
    assert!(refused("hello").contains("not a model file of LIBSVM"));
    assert!(refused(head).contains("it has 0 support vectors, expected 1"));
    assert!(refused(&format!("{head}0.5 0:2\n")).contains("line 8: `0:2`"));
    assert!(refused(&format!("{head}x 1:2\n")).contains("line 8: `x`"));
    assert!(refused(&format!("{head}1 99999999999:2\n")).contains("99999999999:2"));
    assert!(refused(&head.replace("rbf", "polynomial")).contains("kernel_type is polynomial"));
    assert!(refused(&head.replace("epsilon_svr", "c_svc")).contains("svm_type is c_svc"));
    assert!(refused(&head.replace("gamma 0.5", "gamma -1")).contains("gamma"));
}

#[test]
fn a_stored_model_predicts_the_same() {
    let (features, targets) = problem();
    let model = SvrModel::fit(&features, &targets, &rbf(1.0, 0.1), Progress::none()).unwrap();
    let mut file = ModelFile::new("test");
    model.store("svr.", &mut file);
    // The features of the problem are exact in single precision.
    assert_eq!(SvrModel::stored("svr.", &file).unwrap(), model);
    file.set("svr.kernel", "rbf x");
    assert!(SvrModel::stored("svr.", &file).unwrap_err().to_string().contains("its kernel is `rbf x`"));
}
