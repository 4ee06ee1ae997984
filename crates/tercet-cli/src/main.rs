//! The program `tercet`.

use std::process::ExitCode;
use std::thread::Builder;

/// Bytes of the stack that commands run on. That of the first thread is as large as `ulimit -s` says.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    let command = || tercet_cli::run(std::env::args_os().collect());
    match Builder::new().name("main".to_owned()).stack_size(STACK).spawn(command) {
        // The message of a panic was printed; 101 is what a program that panics returns.
        Ok(thread) => ExitCode::from(thread.join().unwrap_or(101)),
        Err(_) => ExitCode::from(command()),
    }
}
