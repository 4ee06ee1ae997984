//! The program `tercet`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(tercet_cli::run(std::env::args_os().collect()))
}
