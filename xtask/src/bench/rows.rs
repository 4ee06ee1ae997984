//! The rows of the table, each with its bar.

use super::agreement::Agreement;
use super::record::Column;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// A command line without its program.
pub type Words = Vec<String>;

/// The program of a row's first command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Peer {
    Sacrebleu,
    Tercom,
    Meteor,
    /// tercet itself with other settings.
    Tercet,
}

/// One row: the same work by a peer and by tercet.
pub struct Row {
    pub work: String,
    pub peer: Peer,
    pub theirs: Words,
    pub ours: Words,
    /// The minimum ratio of the peer's time to tercet's.
    pub bar: f64,
    /// The minimum ratio of memory.
    pub memory_bar: f64,
    pub column: Column,
    pub agreement: Agreement,
    /// Slow peers run once.
    pub peer_once: bool,
    /// Environment variables for tercet.
    pub environment: Vec<(String, String)>,
}

/// The texts: 11 systems and their reference.
pub struct Texts {
    pub reference: PathBuf,
    pub systems: Vec<PathBuf>,
}

impl Texts {
    /// WMT17 German–English, among the golden inputs.
    pub fn wmt17(shared: &Path) -> Result<Self> {
        let folder = shared.join("golden/inputs/wmt17/de-en");
        let entries = fs::read_dir(&folder).with_context(|| format!("no texts in {}", folder.display()))?;
        let paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
        let is_system =
            |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("sys."));
        let mut systems: Vec<PathBuf> = paths.into_iter().filter(is_system).collect();
        systems.sort();
        Ok(Texts { reference: folder.join("ref"), systems })
    }

    /// More and longer segments of the same text, none twice: every line, and every line joined with its next.
    pub fn enlarged(&self, folder: &Path) -> Result<Self> {
        let enlarge = |path: &PathBuf| -> Result<PathBuf> {
            let text = fs::read_to_string(path)?;
            let lines: Vec<&str> = text.lines().collect();
            let joined = lines.windows(2).map(|pair| pair.join(" "));
            let all: Vec<String> = lines.iter().map(|line| line.to_string()).chain(joined).collect();
            let enlarged = folder.join(path.file_name().context("a file has a name")?);
            fs::write(&enlarged, all.join("\n") + "\n")?;
            Ok(enlarged)
        };
        Ok(Texts {
            reference: enlarge(&self.reference)?,
            systems: self.systems.iter().map(enlarge).collect::<Result<_>>()?,
        })
    }

    /// One file each for METEOR: the segments of all systems, and their references.
    pub fn joined(&self, folder: &Path) -> Result<(PathBuf, PathBuf)> {
        let mut hypotheses = String::new();
        for system in &self.systems {
            hypotheses += &fs::read_to_string(system)?;
        }
        let references = fs::read_to_string(&self.reference)?.repeat(self.systems.len());
        let (reference, hypothesis) = (folder.join("joined.ref"), folder.join("joined.hyp"));
        fs::write(&reference, references)?;
        fs::write(&hypothesis, hypotheses)?;
        Ok((reference, hypothesis))
    }

    /// One file each for tercom: the segments of all systems, each with a unique name.
    pub fn for_tercom(&self, folder: &Path) -> Result<(PathBuf, PathBuf)> {
        let (mut references, mut hypotheses) = (String::new(), String::new());
        let reference = fs::read_to_string(&self.reference)?;
        for (i, system) in self.systems.iter().enumerate() {
            let system = fs::read_to_string(system)?;
            for (line, (hypothesis, reference)) in system.lines().zip(reference.lines()).enumerate() {
                hypotheses.push_str(&format!("{hypothesis} (s{i}-{line})\n"));
                references.push_str(&format!("{reference} (s{i}-{line})\n"));
            }
        }
        let (reference, hypothesis) = (folder.join("tercom.ref"), folder.join("tercom.hyp"));
        fs::write(&reference, references)?;
        fs::write(&hypothesis, hypotheses)?;
        Ok((reference, hypothesis))
    }
}

/// All rows, in the order of the table.
pub fn rows(texts: &Texts, tercom: Option<&Path>, scratch: &Path) -> Result<Vec<Row>> {
    let count = texts.systems.len();
    let metric = |work: &str, theirs: &str, ours: &str, bar: f64| Row {
        work: format!("{work}, {count} systems"),
        peer: Peer::Sacrebleu,
        theirs: sacrebleu(texts, count, theirs, "json"),
        ours: score(texts, count, ours, 1),
        bar,
        memory_bar: 1.0,
        column: Column::Cpu,
        agreement: Agreement::Scores,
        peer_once: false,
        environment: Vec::new(),
    };
    let one_system = Row {
        work: "BLEU, 1 system, start to print".to_owned(),
        theirs: sacrebleu(texts, 1, "-m bleu", "json"),
        ours: score(texts, 1, "-m bleu", 1),
        column: Column::Wall,
        ..metric("", "", "", 15.0)
    };
    // As text: sacreBLEU 2.6.0 cannot write chrF's single-precision intervals as JSON.
    let bootstrap = sacrebleu(texts, count, "-m bleu chrf --paired-bs --paired-bs-n 1000", "text");
    let paired = Row {
        ours: [words("sacrebleu"), bootstrap[2..].to_vec()].concat(),
        theirs: bootstrap,
        agreement: Agreement::SameLines,
        ..metric("paired bootstrap × 1000, BLEU and chrF", "", "", 60.0)
    };
    let mut rows = vec![
        metric("BLEU", "-m bleu", "-m bleu", 30.0),
        metric("chrF", "-m chrf", "-m chrf", 40.0),
        metric("chrF++", "-m chrf --chrf-word-order 2", "-m chrf++", 40.0),
        Row { peer_once: true, ..metric("TER", "-m ter", "-m ter", 150.0) },
        paired,
        one_system,
    ];
    if let Some(jar) = tercom {
        let (reference, hypothesis) = texts.for_tercom(scratch)?;
        rows.push(Row {
            peer: Peer::Tercom,
            theirs: [
                words("-jar"),
                paths(&[jar]),
                words("-r"),
                paths(&[&reference]),
                words("-h"),
                paths(&[&hypothesis]),
            ]
            .concat(),
            agreement: Agreement::Unchecked,
            peer_once: true,
            ..metric("TER beside tercom", "", "-m ter", 10.0)
        });
    }
    let large = texts.enlarged(scratch)?;
    rows.push(Row {
        peer: Peer::Tercet,
        theirs: score(&large, count, "-m ter -m chrf++", 1),
        ours: score(&large, count, "-m ter -m chrf++", 2),
        column: Column::Wall,
        agreement: Agreement::SameLines,
        ..metric("TER and chrF++ on twice the segments, one thread beside two", "", "", 1.6)
    });
    Ok(rows)
}

pub fn words(text: &str) -> Words {
    text.split_whitespace().map(str::to_owned).collect()
}

pub fn paths(paths: &[impl AsRef<Path>]) -> Words {
    paths.iter().map(|path| path.as_ref().to_string_lossy().into_owned()).collect()
}

fn sacrebleu(texts: &Texts, systems: usize, flags: &str, format: &str) -> Words {
    [
        words("-m sacrebleu"),
        paths(&[&texts.reference]),
        words("-i"),
        paths(&texts.systems[..systems]),
        words(flags),
        words(&format!("-f {format} -w 4")),
    ]
    .concat()
}

pub fn score(texts: &Texts, systems: usize, metrics: &str, threads: usize) -> Words {
    [
        words("score -r"),
        paths(&[&texts.reference]),
        words(metrics),
        words(&format!("--threads {threads} -f json")),
        paths(&texts.systems[..systems]),
    ]
    .concat()
}
