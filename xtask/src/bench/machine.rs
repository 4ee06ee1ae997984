//! The machine of a benchmark: enough to interpret its figures, without its name.

use crate::step::root;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The first line a program prints, or `unknown`.
pub fn said_by(program: impl AsRef<Path>, arguments: &[&str]) -> String {
    let output = Command::new(program.as_ref()).current_dir(root()).args(arguments).output();
    let text = output.ok().filter(|output| output.status.success()).map(|output| output.stdout);
    let text = String::from_utf8(text.unwrap_or_default()).unwrap_or_default();
    text.lines().next().map_or_else(|| "unknown".to_owned(), |line| line.trim().to_owned())
}

/// The version of a package that a Python has.
pub fn version_of(python: &Path, package: &str) -> String {
    said_by(python, &["-c", &format!("import importlib.metadata as m; print(m.version('{package}'))")])
}

/// The processor's name.
pub fn cpu() -> String {
    let linux = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = linux.lines().find_map(|line| line.strip_prefix("model name"));
    match named.and_then(|rest| rest.split_once(':')) {
        Some((_, name)) => name.trim().to_owned(),
        None => said_by("sysctl", &["-n", "machdep.cpu.brand_string"]),
    }
}

/// A description of the machine and the checkout.
pub fn describe() -> Value {
    let changed = said_by("git", &["status", "--porcelain", "--untracked-files=no"]) != "unknown";
    let commit = said_by("git", &["rev-parse", "--short=12", "HEAD"]);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_else(|_| "unknown".to_owned());
    json!({
        "date": said_by("date", &["+%F"]),
        "cpu": cpu(),
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "kernel": said_by("uname", &["-sr"]),
        "load_average_before": load.split(' ').take(3).collect::<Vec<_>>().join(" "),
        "rustc": said_by("rustc", &["--version"]),
        "commit": if changed { commit + " with changes" } else { commit },
    })
}

/// `Intel(R) Xeon(R) CPU @ 2.20GHz` as part of a folder's name.
pub fn slug(text: &str) -> String {
    let words = text.to_lowercase().replace("(r)", " ").replace("(tm)", " ");
    let words: Vec<&str> = words.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_processor_becomes_part_of_a_folder_name() {
        assert_eq!(super::slug("Intel(R) Xeon(R) CPU @ 2.20GHz"), "intel-xeon-cpu-2-20ghz");
    }
}
