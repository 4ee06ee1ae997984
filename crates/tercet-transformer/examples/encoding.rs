//! Encodes the lines of a file and prints the seconds as JSON: `encoding FOLDER LINES single|int8 [VECTORS]`. With a
//! fourth argument, the sentence vectors are written there as 32-bit floats. `cargo xtask bench encoders` runs it.

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
    let (read, start) = (cpu_seconds(), std::time::Instant::now());
    let text = std::fs::read_to_string(lines)?;
    let lines: Vec<&str> = text.lines().collect();
    let encoded = encoder.encode(&lines, &[]);
    let (seconds, wall) = (cpu_seconds() - read, start.elapsed().as_secs_f64());
    let said = serde_json::json!({
        "lines": lines.len(),
        "cpu_s": seconds,
        "wall_s": wall,
        "lines_per_cpu_s": lines.len() as f64 / seconds,
        "cpu_s_to_read": read - before,
    });
    println!("{said}");
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
