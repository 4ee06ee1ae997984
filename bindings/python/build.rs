//! The flags with which macOS links a module whose symbols the interpreter has.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
