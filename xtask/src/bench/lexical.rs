//! `cargo xtask bench lexical`: BLEU, chrF and TER compared with sacreBLEU.

use super::peers::{self, SACREBLEU};
use super::row::{self, Bar, Quantity, Row, within};
use super::session::{self, About, ProgramArgs, Session};
use super::texts::{self, RowFormat, Texts};
use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const ABOUT: About = About {
    file: "lexical",
    title: "Lexical metrics",
    text: "WMT17 German–English, 3,004 segments to a system; medians of interleaved runs; the peer is sacreBLEU unless \
           the row says otherwise. The two tools' scores were compared before anything was timed.",
};

pub fn run(args: &ProgramArgs) -> Result<()> {
    let texts = Texts::wmt17()?;
    let (tercet, runs) = args.program()?;
    session::run(&runs, &ABOUT, |session| {
        let python = session.python_with(&SACREBLEU, &["numpy"])?;
        let count = texts.systems.len();
        let sacrebleu = |systems: usize, flags: &str, format: &str| {
            let mut command = Command::new(&python);
            command.args(["-m", "sacrebleu"]).arg(&texts.reference).arg("-i").args(&texts.systems[..systems]);
            command.args(flags.split(' ')).args(["-f", format, "-w", "4"]);
            command
        };
        let metric = |work: &str, bar: f64| {
            let bars = [Bar::Ratio(bar), Bar::MemoryRatio(1.0)];
            Row::new(format!("{work}, {count} systems"), "sacrebleu", bars)
        };
        for (work, theirs, ours, bar) in [
            ("BLEU", "-m bleu", "-m bleu", 30.0),
            ("chrF", "-m chrf", "-m chrf", 40.0),
            ("chrF++", "-m chrf --chrf-word-order 2", "-m chrf++", 40.0),
            ("TER", "-m ter", "-m ter", 150.0),
        ] {
            let row = Row { peer_runs_once: work == "TER", ..metric(work, bar) };
            let ours = texts.score(&tercet, count, ours, 1);
            processes(session, row, sacrebleu(count, theirs, "json"), ours, different_scores)?;
        }
        // As text: sacreBLEU 2.6.0 cannot write chrF's single-precision intervals as JSON.
        let theirs = sacrebleu(count, "-m bleu chrf --paired-bs --paired-bs-n 1000", "text");
        let mut ours = Command::new(&tercet);
        ours.arg("sacrebleu").args(theirs.get_args().skip(2));
        processes(session, metric("paired bootstrap × 1000, BLEU and chrF", 60.0), theirs, ours, different_lines)?;
        let start =
            Row { work: "BLEU, 1 system, start to print".to_owned(), quantity: Quantity::Wall, ..metric("", 15.0) };
        let ours = texts.score(&tercet, 1, "-m bleu", 1);
        processes(session, start, sacrebleu(1, "-m bleu", "json"), ours, different_scores)?;
        if let Some(jar) = peers::tercom() {
            let (reference, hypothesis) =
                texts.joined(&session.scratch, |system, line| format!(" (s{system}-{line})"))?;
            let mut theirs = Command::new("java");
            theirs.arg("-jar").arg(jar).arg("-r").arg(reference).arg("-h").arg(hypothesis);
            let row = Row { peer: "tercom", peer_runs_once: true, ..metric("TER beside tercom", 10.0) };
            processes(session, row, theirs, texts.score(&tercet, count, "-m ter", 1), |_, _| Ok(None))?;
        }
        let large = texts.enlarged(&session.scratch)?;
        let [one, two] = [1, 2].map(|threads| large.score(&tercet, count, "-m ter -m chrf++", threads));
        let threads = "TER and chrF++ on twice the segments, one thread beside two";
        let row = Row { peer: "tercet", quantity: Quantity::Wall, bars: vec![Bar::Ratio(1.6)], ..metric(threads, 0.0) };
        processes(session, row, one, two, different_lines)?;
        rows_beside_lines(session, &large, &tercet)
    })
}

/// The same texts as rows with named fields and as lines.
fn rows_beside_lines(session: &mut Session, texts: &Texts, tercet: &Path) -> Result<()> {
    let (reference, hypothesis) = texts.joined(&session.scratch, |_, _| String::new())?;
    for format in [RowFormat::JsonLines, RowFormat::Csv] {
        let rows = texts::rows(&session.scratch, format, &reference, &hypothesis)?;
        for (metrics, flags) in [("BLEU", "-m bleu"), ("BLEU, chrF and TER", "-m bleu -m chrf -m ter")] {
            let score = |files: &[&Path]| {
                let mut command = Command::new(tercet);
                command.arg("score").args(flags.split(' ')).args(["--threads", "1", "-f", "json"]).args(files);
                command
            };
            let work = format!("{metrics} of {}, beside lines", format.name());
            let row = Row::new(work, "tercet", [Bar::Ratio(0.7)]);
            let lines = score(&["-r".as_ref(), &reference, &hypothesis]);
            processes(session, row, lines, score(&[&rows]), |lines, rows| {
                let [lines, rows] = [lines, rows].map(parse);
                Ok(row::difference(&our_scores(&lines?), &our_scores(&rows?), within(0.0)))
            })?;
        }
    }
    Ok(())
}

/// A row of whole processes, whose outputs are compared.
pub fn processes(
    session: &mut Session,
    row: Row,
    mut theirs: Command,
    mut ours: Command,
    different: impl FnOnce(&str, &str) -> Result<Option<String>>,
) -> Result<()> {
    session.row(row, |row, session| {
        row.notes = [("the peer", &theirs), ("tercet", &ours)]
            .map(|(side, command)| format!("{side}: `{}`", without_folders(command)))
            .into();
        let run = |command: &mut Command| session.process(command);
        row.in_turns(
            session.runs(),
            || run(&mut theirs),
            || run(&mut ours),
            |row, theirs, ours| {
                row.difference = different(theirs, ours)?;
                Ok(())
            },
        )
    })
}

/// A command line with file names instead of paths.
fn without_folders(command: &Command) -> String {
    let file = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let name = |part: &str| match part.split_once('=') {
        Some((key, path)) => format!("{key}={}", file(path)),
        None => file(part),
    };
    let words =
        command.get_args().map(|word| word.to_string_lossy().split(',').map(name).collect::<Vec<_>>().join(","));
    words.collect::<Vec<_>>().join(" ")
}

/// How the scores in sacreBLEU's JSON, of four decimals, and in that of `tercet score` differ, in the order of systems.
fn different_scores(theirs: &str, ours: &str) -> Result<Option<String>> {
    let [theirs, ours] = [theirs, ours].map(parse);
    Ok(row::difference(&their_scores(&theirs?), &our_scores(&ours?), within(1e-4)))
}

/// The first line that is not equal, except for the version at the end of a signature.
fn different_lines(theirs: &str, ours: &str) -> Result<Option<String>> {
    let [theirs, ours] = [theirs, ours]
        .map(|text| text.lines().map(|line| line.split("|version:").next().unwrap_or(line)).collect::<Vec<_>>());
    let at = (0..theirs.len().max(ours.len())).find(|&line| theirs.get(line) != ours.get(line));
    let shown = |lines: &[&str], at: usize| (*lines.get(at).unwrap_or(&"(nothing more)")).to_owned();
    Ok(at.map(|at| format!("line {}: {} for the peer, {} for tercet", at + 1, shown(&theirs, at), shown(&ours, at))))
}

pub fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).with_context(|| format!("not JSON: {text}"))
}

/// One system: an object with `score`. Several: an array of objects with `system` and the metrics.
fn their_scores(output: &Value) -> Value {
    if let Some(score) = output["score"].as_f64() {
        return [score][..].into();
    }
    let systems = output.as_array().into_iter().flatten().filter_map(Value::as_object);
    let fields = systems.flat_map(|system| system.iter().filter(|(key, _)| *key != "system"));
    fields.filter_map(|(_, value)| value.as_f64().or_else(|| value.as_str()?.parse().ok())).collect()
}

/// The scores in the JSON of `tercet score`.
pub fn our_scores(output: &Value) -> Value {
    output.as_array().into_iter().flatten().map(|entry| entry["score"].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_found_in_both_forms() {
        let ours = r#"[{"system":"a","metric":"bleu","score":35.11691},{"system":"b","metric":"bleu","score":2}]"#;
        let several = r#"[{"system":"a","BLEU":"35.1169"},{"system":"b","BLEU":"2.0000"}]"#;
        assert_eq!(different_scores(several, ours).unwrap(), None);
        assert!(different_scores(&several.replace("2.0000", "2.0010"), ours).unwrap().is_some());
        let one = r#"{"name":"BLEU","score":2.0,"signature":"x"}"#;
        assert_eq!(different_scores(one, r#"[{"score":2.00004}]"#).unwrap(), None);
        assert!(different_scores("[]", "[]").unwrap().is_some());
    }

    #[test]
    fn lines_are_compared_but_for_the_version() {
        assert_eq!(different_lines("x|version:2", "x|version:3\n").unwrap(), None);
        let difference = different_lines("a\n35.1", "a\n35.2").unwrap();
        assert_eq!(difference.as_deref(), Some("line 2: 35.1 for the peer, 35.2 for tercet"));
        assert!(different_lines("a\n", "").unwrap().is_some());
    }

    #[test]
    fn commands_are_recorded_without_folders() {
        let mut command = Command::new("tercet");
        command.args([
            "-m",
            "bleu",
            "/somewhere/de-en/ref",
            "meteor:norm=no,data=/some/where,paraphrase=/else/table.gz",
        ]);
        assert_eq!(without_folders(&command), "-m bleu ref meteor:norm=no,data=where,paraphrase=table.gz");
    }
}
