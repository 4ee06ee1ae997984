//! The reports that are opened: of the examples, of hostile texts, and of many segments.

use crate::step::root;
use anyhow::{Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The numbers of systems and segments of the large report, as in a WMT news task.
const SYSTEMS: usize = 11;
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

/// Writes all reports into a folder, or the small ones; returns their paths by name.
pub fn write_all(folder: &Path, tercet: &Path, quick: bool) -> Result<BTreeMap<&'static str, PathBuf>> {
    let lexical = "-m bleu -m chrf -m ter -m meteor";
    write_properties(folder)?;
    let examples = "-r examples/reference.en.txt -s examples/source.de.txt";
    let system = |name: &str| format!("examples/system-{name}.en.txt");
    let systems = ["a", "b", "c", "d"].map(system).join(" ");
    let file = |name: &str| folder.join(name).display().to_string();
    let by = format!("--by domain={} --by half={}", file("domains.txt"), file("halves.txt"));
    let hostile = write_hostile(folder)?;
    let mut all = vec![
        ("examples", format!("score {examples} {systems} {lexical} {by}")),
        ("compare", format!("compare {examples} -m meteor {} {}", system("a"), system("b"))),
        ("correlate", "correlate examples/evalset -m bleu -m chrf -m ter".to_owned()),
        ("hostile", format!("score {lexical} {hostile} --name <b>A</b> --name =1+1")),
    ];
    if !quick {
        let (large, many) = (write_lines(folder, "large", SYSTEMS, SEGMENTS)?, write_lines(folder, "many", 2, MANY)?);
        all.push(("large", format!("score {lexical} {large}")));
        all.push(("many", format!("score -m chrf -m ter {many}")));
    }
    let write = |(name, arguments): (&'static str, String)| {
        let path = folder.join(name).with_extension("html");
        write(tercet, &arguments, &path).map(|()| (name, path))
    };
    all.into_iter().map(write).collect()
}

/// Writes a report unless a newer one is there.
fn write(tercet: &Path, arguments: &str, to: &Path) -> Result<()> {
    let modified = |file: &Path| fs::metadata(file).and_then(|data| data.modified());
    if modified(to).is_ok_and(|written| modified(tercet).is_ok_and(|built| built < written)) {
        return Ok(());
    }
    let start = Instant::now();
    let mut command = Command::new(tercet);
    command.current_dir(root()).args(arguments.split_whitespace()).args(["--quiet", "-f", "html", "-o"]).arg(to);
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
        "the", "minister", "said", "on", "Monday", "that", "new", "measures", "would", "help", "small", "towns",
        "which", "have", "lost", "their", "stations", "and", "schools", "since", "a", "reform", "of", "2010",
    ];
    let word = |seed: usize| WORDS[(seed.wrapping_mul(2_654_435_761) >> 7) % WORDS.len()];
    let line = |segment: usize, system: usize| {
        let length = 6 + segment * 7 % 29;
        let wrong = |i: usize| system > 0 && (segment * 31 + i * 17).is_multiple_of(4 + system);
        let words = (0..length).map(|i| if wrong(i) { word(i + system * 97) } else { word(segment * 131 + i) });
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
