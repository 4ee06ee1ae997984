//! The native module `tercet._native`: conversions between Python and the library, no arithmetic.
//!
//! Each file has the functions of a folder of the library, except those that all of them need: `texts.rs`,
//! `references.rs` and `input.rs` read text from Python, `work.rs` has threads, progress and Ctrl-C, `errors.rs` makes
//! exceptions. `command.rs` runs the command.

mod arguments;
mod candidates;
mod check;
mod command;
mod comparison;
mod corpora;
mod errors;
mod evaluation;
mod explain;
mod filter;
mod fork;
mod input;
mod meta_evaluation;
mod metrics;
mod page;
mod parse;
mod references;
mod report;
mod resampling;
mod rows;
mod scoring;
mod stream;
mod text;
mod texts;
mod train;
mod work;

use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::LazyLock;
use tercet::metrics::Registry;

/// The metrics of this module, and the models it has open. There is one: metrics are objects of Python that outlive
/// every call, and those of two calls share their models.
fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
        tercet_cli::add_models();
        tercet::registry()
    });
    &REGISTRY
}

/// The user's cache folder for tercet, if the environment names one.
#[pyfunction]
fn cache_folder() -> Option<PathBuf> {
    tercet::cache::folder()
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(cache_folder, module)?)?;
    for register in [
        texts::register,
        work::register,
        fork::register,
        text::register,
        metrics::register,
        resampling::register,
        rows::register,
        scoring::register,
        comparison::register,
        check::register,
        stream::register,
        candidates::register,
        command::register,
        explain::register,
        filter::register,
        evaluation::register,
        corpora::register,
        meta_evaluation::register,
        train::register,
        parse::register,
    ] {
        register(module)?;
    }
    Ok(())
}
