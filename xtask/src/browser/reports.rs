//! The reports that are opened: of the examples, of hostile texts, and of many segments.

use crate::step::{cargo, root, step};
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The numbers of systems and segments of the large report, as in a WMT news task.
pub const SYSTEMS: usize = 11;
pub const SEGMENTS: usize = 3004;
/// The number of segments of the largest one.
pub const MANY: usize = 100_000;

/// Texts that try to get out of their place.
const HOSTILE: [&str; 6] = [
    "</script><script>window.hacked = 1</script>",
    "<img src=x onerror=\"window.hacked = 1\"> & <b>bold</b>",
    "<!-- <script> a comment that never ends",
    "\u{202e}reversed\u{202c} and \u{2066}isolated\u{2069}",
    "\u{1b}[31mred\u{1b}[0m and a bell \u{7}",
    "=HYPERLINK(\"http://example.org\") or +1+1 or @SUM(A1)",
];

/// Where the reports are.
pub struct Reports {
    /// The program that wrote them.
    pub tercet: PathBuf,
    pub examples: PathBuf,
    pub compare: PathBuf,
    pub correlate: PathBuf,
    pub hostile: PathBuf,
    pub large: PathBuf,
    pub many: PathBuf,
}

impl Reports {
    /// Writes all reports into a folder.
    pub fn write(folder: &Path, tercet: Option<&Path>) -> Result<Self> {
        let tercet = tercet.map_or_else(build, |given| Ok(given.to_owned()))?;
        let reports = Reports {
            tercet: tercet.clone(),
            examples: folder.join("examples.html"),
            compare: folder.join("compare.html"),
            correlate: folder.join("correlate.html"),
            hostile: folder.join("hostile.html"),
            large: folder.join("large.html"),
            many: folder.join("many.html"),
        };
        let lexical = "-m bleu -m chrf -m ter -m meteor";
        write_properties(folder)?;
        let examples = "-r examples/reference.en.txt -s examples/source.de.txt";
        let systems = "examples/system-a.en.txt examples/system-b.en.txt examples/system-c.en.txt examples/system-d.en.txt";
        let file = |name: &str| folder.join(name).display().to_string();
        let by = format!("--by domain={} --by half={}", file("domains.txt"), file("halves.txt"));
        write(&tercet, &format!("score {examples} {systems} {lexical} {by}"), &reports.examples)?;
        write(
            &tercet,
            &format!("compare {examples} -m meteor examples/system-a.en.txt examples/system-b.en.txt"),
            &reports.compare,
        )?;
        write(&tercet, "correlate examples/evalset -m bleu -m chrf -m ter", &reports.correlate)?;
        let texts = write_hostile(folder)?;
        write(&tercet, &format!("score {lexical} {texts} --name <b>A</b> --name =1+1"), &reports.hostile)?;
        let texts = write_lines(folder, "large", SYSTEMS, SEGMENTS)?;
        write(&tercet, &format!("score {lexical} {texts}"), &reports.large)?;
        let texts = write_lines(folder, "many", 2, MANY)?;
        write(&tercet, &format!("score -m chrf -m ter {texts}"), &reports.many)?;
        Ok(reports)
    }
}

fn build() -> Result<PathBuf> {
    step("build", cargo().args(["build", "--release", "-p", "tercet-cli"]))?;
    Ok(root().join("target/release/tercet"))
}

/// Writes a report unless a newer one is there.
fn write(tercet: &Path, arguments: &str, to: &Path) -> Result<()> {
    let modified = |file: &Path| fs::metadata(file).and_then(|data| data.modified());
    if modified(to).is_ok_and(|written| modified(tercet).is_ok_and(|built| built < written)) {
        return Ok(());
    }
    let start = Instant::now();
    let mut command = Command::new(tercet);
    command
        .current_dir(root())
        .args(arguments.split_whitespace())
        .args(["--quiet", "-f", "html", "-o"])
        .arg(to);
    if !command.status()?.success() {
        bail!("tercet {arguments} failed");
    }
    let megabytes = fs::metadata(to)?.len() as f64 / 1e6;
    println!("{}: {megabytes:.2} MB in {:.1} s", to.display(), start.elapsed().as_secs_f64());
    Ok(())
}

/// Two properties of each of the 16 example segments.
fn write_properties(folder: &Path) -> Result<()> {
    let domains: String = (0..16).map(|i| ["town\n", "school\n", "home\n"][i % 3]).collect();
    fs::write(folder.join("domains.txt"), domains)?;
    let halves: String = (0..16).map(|i| if i < 8 { "first\n" } else { "second\n" }).collect();
    Ok(fs::write(folder.join("halves.txt"), halves)?)
}

/// Reference, source and two systems whose every line is hostile.
fn write_hostile(folder: &Path) -> Result<String> {
    let lines = |first: &str| HOSTILE.map(|line| format!("{first} {line}\n")).concat();
    for (name, first) in [("reference", "the"), ("source", "das"), ("a", "a"), ("b", "the")] {
        fs::write(folder.join(format!("hostile.{name}")), lines(first))?;
    }
    let path = |name: &str| folder.join(format!("hostile.{name}")).display().to_string();
    Ok(format!("-r {} -s {} {} {} --no-checks", path("reference"), path("source"), path("a"), path("b")))
}

/// Made-up sentences, in which each system gets some words wrong; the same ones every time.
fn write_lines(folder: &Path, name: &str, systems: usize, segments: usize) -> Result<String> {
    const WORDS: [&str; 24] = [
        "the", "minister", "said", "on", "Monday", "that", "new", "measures", "would", "help", "small",
        "towns", "which", "have", "lost", "their", "stations", "and", "schools", "since", "a", "reform",
        "of", "2010",
    ];
    let word = |seed: usize| WORDS[(seed.wrapping_mul(2_654_435_761) >> 7) % WORDS.len()];
    let line = |segment: usize, system: usize| {
        let length = 6 + segment * 7 % 29;
        let wrong = |i: usize| system > 0 && (segment * 31 + i * 17).is_multiple_of(4 + system);
        let words =
            (0..length).map(|i| if wrong(i) { word(i + system * 97) } else { word(segment * 131 + i) });
        words.collect::<Vec<_>>().join(" ") + " .\n"
    };
    let mut arguments = String::new();
    for system in 0..=systems {
        let path = folder.join(format!("{name}.{system}"));
        fs::write(&path, (0..segments).map(|segment| line(segment, system)).collect::<String>())?;
        arguments += &format!("{}{} ", if system == 0 { "-r " } else { "" }, path.display());
    }
    Ok(arguments + "--no-checks")
}
