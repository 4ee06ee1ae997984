//! `cargo xtask bench parse`: the tokenizer and both parsers on one core compared with UDPipe 1, and memory of the
//! command.
//!
//! Only the work is timed, without starting a process, reading and loading. Both sides are small programs that take the
//! same file of words and print seconds: `crates/tercet/examples/parsing.rs` and `udpipe.py` here. No parser on the
//! package index includes a model for English; UDPipe's package can train one, which is done first if a row with a peer
//! is wanted.

mod instructions;
mod texts;

use super::measure::{output, timed};
use super::peers::UDPIPE;
use super::row::{Bar, Quantity, Row, Run};
use super::session::{self, About, RunsArgs, Session, path};
use crate::golden::shared;
use crate::step::release_builds;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use texts::Texts;

#[derive(clap::Args)]
pub struct ParseArgs {
    #[command(flatten)]
    runs: RunsArgs,
    /// The dependency parser's weights [default: those inside the program]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// The constituency parser's weights [default: those inside the program]
    #[arg(long, value_name = "FILE")]
    constituency_model: Option<PathBuf>,
}

const ABOUT: About = About {
    file: "parse",
    title: "Parsing",
    text: "Per second of CPU, one thread on both sides, in turns; medians. Reading and loading are left out. Sentences \
           of 25 words are the first words of every sentence of EWT's training part that has as many, for phrases the \
           first 500 of them; texts are all of it. UDPipe 1 tags (UPOS and XPOS, no lemmas, no features) and parses \
           the same words with a model trained here for a minute, which says nothing about its accuracy. Instructions \
           are valgrind's count; it has no AVX-512, so that where a processor has it fewer are run. Memory is the peak \
           of `tercet parse` on one thread.",
};

const DEPENDENCY: &str = "dependency";
const CONSTITUENCY: &str = "constituency";

/// Work (the first argument of both programs), repetitions within a run, and the bar per second of one core.
const ROWS: [(&str, &str, u32, Bar); 3] = [
    ("tokens of texts, `ud-en`", "tokenize", 20, Bar::PerSecond(1e6, "words")),
    ("tags and trees of sentences of 25 words, `dependency`", DEPENDENCY, 3, Bar::PerSecond(2000.0, "sentences")),
    (
        "tags, phrases and vectors of sentences of 25 words, `constituency`",
        CONSTITUENCY,
        3,
        Bar::PerSecond(50.0, "sentences"),
    ),
];

/// Training sentences of UDPipe.
const TRAINING_SENTENCES: &str = "1000";

pub fn run(args: &ParseArgs) -> Result<()> {
    let treebank = shared()?.join("data/ud-ewt");
    let given = |path: &Option<PathBuf>| path.as_deref().map(Path::canonicalize).transpose();
    let dependency = given(&args.model).context("--model")?;
    let constituency = given(&args.constituency_model).context("--constituency-model")?;
    // Both are built together, so that they share their libraries.
    let packages = "-p tercet -p tercet-cli --example parsing --bin tercet";
    let [parsing, tercet] = release_builds(packages, ["examples/parsing", "tercet"])?;
    session::run(&args.runs, &ABOUT, |session| {
        let texts = Texts::make(&treebank, &session.scratch)?;
        for (key, model) in [("dependency model", &dependency), ("constituency model", &constituency)] {
            session.note(key, if model.is_some() { "given" } else { "inside" });
        }
        let model = |work: &str| match work {
            DEPENDENCY => dependency.as_ref(),
            CONSTITUENCY => constituency.as_ref(),
            _ => None,
        };
        for (name, work, times, bar) in ROWS {
            let has_peer = work == DEPENDENCY && session.wants(name);
            let peer = has_peer.then(|| udpipe(session, &texts)).transpose()?;
            session.row(Row::new(name, if has_peer { "UDPipe" } else { "" }, [bar]), |row, session| {
                let file = texts.file(work);
                let run = |program: &Path, before: &[PathBuf], model: Option<&PathBuf>| {
                    let mut command = Command::new(program);
                    timed(command.args(before).arg(work).arg(file).arg(times.to_string()).args(model), 1)
                };
                for _ in 0..session.runs() {
                    if let Some(Peer { python, script, model }) = &peer {
                        row.theirs.push(run(python, std::slice::from_ref(script), Some(model))?.0);
                    }
                    let (ours, printed) = run(&parsing, &[], model(work))?;
                    row.ours.push(ours);
                    let count = |unit: &'static str| Some((unit, printed[unit].as_f64()?));
                    row.items = ["sentences", "words"].into_iter().filter_map(count).collect();
                }
                if let Some(count) = instructions::per_word(&parsing, work, file, model(work))? {
                    row.notes.push(format!("{count:.0} instructions per word"));
                }
                Ok(())
            })?;
        }
        memory(session, &tercet, &texts, model)
    })
}

/// UDPipe 1, ready to parse.
struct Peer {
    python: PathBuf,
    script: PathBuf,
    model: PathBuf,
}

/// Installs UDPipe if it is missing, and trains a model.
fn udpipe(session: &mut Session, texts: &Texts) -> Result<Peer> {
    let python = session.python_with(&UDPIPE, &[])?;
    let script = session.write("udpipe.py", include_str!("udpipe.py"))?;
    let model = session.scratch.join("model.udpipe");
    println!("── training UDPipe on {TRAINING_SENTENCES} sentences");
    let mut train = Command::new(&python);
    output(train.arg(&script).arg("train").arg(&texts.treebank).arg(&model).arg(TRAINING_SENTENCES))?;
    Ok(Peer { python, script, model })
}

/// Memory of the command is small for a long sentence and does not grow with the text: a hundred thousand sentences are
/// compared with ten thousand; for phrases, which take longer, ten thousand with a quarter, which is more than the
/// command parses before it writes.
fn memory<'m>(
    session: &mut Session,
    tercet: &Path,
    texts: &Texts,
    model: impl Fn(&str) -> Option<&'m PathBuf>,
) -> Result<()> {
    let peak = |session: &Session, work: &str, text: &str| -> Result<Run> {
        let format = if work == CONSTITUENCY { "brackets" } else { "conllu" };
        let mut command = Command::new(tercet);
        command.args(["parse", "--quiet", "--threads", "1", "--tok", "none", "--format", format]);
        command.args(model(work).map(|model| format!("--model={}", path(model))));
        Ok(session.process(command.arg(session.write("memory.txt", text)?))?.0)
    };
    for (name, work, some, many) in [
        ("100,000 sentences of 25 words beside 10,000", DEPENDENCY, 10_000, 100_000),
        ("phrases of 10,000 sentences beside 2,500", CONSTITUENCY, 2500, 10_000),
    ] {
        let long = format!("memory of one sentence of 500 words, `{work}`");
        let row = Row { quantity: Quantity::Memory, ..Row::new(long, "", [Bar::Mib(256.0)]) };
        session.row(row, |row, session| {
            let long = texts.repeated(20)?.replace('\n', " ");
            row.alone(1, || peak(session, work, &long))
        })?;
        let name = format!("memory of {name}");
        let row = Row { quantity: Quantity::Memory, ..Row::new(name, "a smaller text", []) };
        session.row(row, |row, session| {
            let run = |count: usize| peak(session, work, &texts.repeated(count)?);
            let (some, many) = (run(some)?, run(many)?);
            row.bars = vec![Bar::Mib(1.1 * some.peak_mib.context("no peak")?)];
            (row.theirs, row.ours) = (vec![some], vec![many]);
            Ok(())
        })?;
    }
    Ok(())
}
