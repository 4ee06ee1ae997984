//! Encodes the lines of a file and prints the CPU seconds: `encoding FOLDER LINES single|int8 [VECTORS]`. With a fourth
//! argument, the sentence vectors are written there as 32-bit floats. `cargo xtask bench encoders` runs it.

use std::io::Write;
use std::path::Path;
use tercet_transformer::{Encoder, Precision};

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, folder, lines, precision, rest @ ..] = arguments.as_slice() else {
        return Err("usage: encoding FOLDER LINES single|int8 [VECTORS]".into());
    };
    let precision = if precision == "int8" { Precision::Int8 } else { Precision::Single };
    let before = cpu_seconds();
    let encoder = Encoder::read(Path::new(folder), precision)?;
    let read = cpu_seconds();
    let text = std::fs::read_to_string(lines)?;
    let lines: Vec<&str> = text.lines().collect();
    let encoded = encoder.encode(&lines, &[]);
    let seconds = cpu_seconds() - read;
    let per_second = lines.len() as f64 / seconds;
    let reading = read - before;
    println!(
        "{} lines\t{seconds:.3} CPU s\t{per_second:.1} lines per CPU s\t{reading:.2} s to read",
        lines.len()
    );
    if let [path, ..] = rest {
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        for number in encoded.iter().flat_map(|encoded| &encoded.sentence) {
            file.write_all(&number.to_le_bytes())?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn cpu_seconds() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("the process knows its own usage");
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}
