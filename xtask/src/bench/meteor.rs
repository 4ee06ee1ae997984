//! `cargo xtask bench meteor`: METEOR compared with its jar, with the English paraphrase table that comes with it.

use super::lexical::{our_scores, parse, processes};
use super::machine::said_by;
use super::measure::output;
use super::peers::{self, PYCOCOEVALCAP};
use super::row::{self, Bar, Row, within};
use super::session::{self, About, ProgramArgs};
use super::texts::Texts;
use crate::golden::shared;
use anyhow::{Result, ensure};
use serde_json::json;
use std::path::Path;
use std::process::Command;

const ABOUT: About = About {
    file: "meteor",
    title: "METEOR",
    text: "WMT17 German–English, 11 systems in one file of 33,044 segments, as they are (no -norm); medians of \
           interleaved runs; the peer is METEOR 1.5's jar (java -Xmx2G). Both use METEOR's own resources and its \
           English table of 5.3 million paraphrases, which tercet keeps in a compact form after the first time. Corpus \
           scores were compared before anything was timed. Memory has a bar too: at most a quarter of the JVM's.",
};

pub fn run(args: &ProgramArgs) -> Result<()> {
    let texts = Texts::wmt17()?;
    let resources = shared()?.join("data/meteor/resources");
    ensure!(peers::has_java(), "no Java to run METEOR's jar with");
    let (tercet, runs) = args.program()?;
    let jar = peers::meteor(runs.keep_venv.as_deref())?;
    let table = jar.with_file_name("data").join("paraphrase-en.gz");
    ensure!(table.is_file(), "no paraphrase table at {} (METEOR's jar looks for it there)", table.display());
    session::run(&runs, &ABOUT, |session| {
        session.note("java", said_by("java", &["--version"]));
        session.note("meteor", format!("1.5, by default of {} {}", PYCOCOEVALCAP.name, PYCOCOEVALCAP.version));
        let (reference, hypothesis) = texts.joined(&session.scratch, |_, _| String::new())?;
        let theirs = |modules: &str| {
            let mut command = Command::new("java");
            command.args(["-Xmx2G", "-jar"]).arg(&jar).arg(&hypothesis).arg(&reference);
            command.args(["-q", "-l", "en", "-m", modules]);
            command
        };
        let ours = |modules: &str, option: &str, cache: &Path| {
            let modules = modules.replace(' ', "+");
            let mut command = Command::new(&tercet);
            command.args(["score", "--quiet", "--threads", "1", "-f", "json", "-r"]).arg(&reference).arg("-m");
            command.arg(format!("meteor:norm=no,modules={modules},data={}{option}", resources.display()));
            command.arg(&hypothesis).env("XDG_CACHE_HOME", cache);
            command
        };
        let paraphrases = format!(",paraphrase={}", table.display());
        let (three, all) = ("exact stem synonym", "exact stem synonym paraphrase");
        let cache = session.scratch.join("cache");
        // Makes the compact form.
        output(&mut ours(all, &paraphrases, &cache))?;
        for (work, modules, option, bar, cache) in [
            ("exact, stem, synonym", three, "", 10.0, &cache),
            ("all four modules, table from its cached form", all, &paraphrases[..], 10.0, &cache),
            // A file in place of the cache folder: nothing can be cached.
            ("all four modules, table read each time", all, &paraphrases[..], 1.0, &reference),
        ] {
            let row = Row::new(work, "meteor", [Bar::Ratio(bar), Bar::MemoryRatio(4.0)]);
            processes(session, row, theirs(modules), ours(modules, option, cache), different)?;
        }
        Ok(())
    })
}

/// How METEOR's quiet output, one number of all digits, and the score in the JSON of `tercet score` differ: the last
/// bit of a power depends on the Java.
fn different(theirs: &str, ours: &str) -> Result<Option<String>> {
    let score = theirs.trim().parse::<f64>().ok();
    Ok(row::difference(&json!([score]), &our_scores(&parse(ours)?), within(1e-12)))
}

#[cfg(test)]
mod tests {
    use super::different;

    #[test]
    fn one_number_is_compared_to_its_last_digits() {
        let ours = r#"[{"system":"a","metric":"meteor","score":0.2713539694954813}]"#;
        assert_eq!(different("0.2713539694954813\n", ours).unwrap(), None);
        assert!(different("0.27135396949\n", ours).unwrap().is_some());
        assert!(different("", ours).unwrap().is_some());
    }
}
