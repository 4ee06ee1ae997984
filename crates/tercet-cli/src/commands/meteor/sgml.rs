//! What METEOR's `-sgml` reports: segments, documents and systems, named by their ids, in the order of its files.

use super::add_line;
use crate::args::MeteorArgs;
use crate::output;
use std::path::Path;
use tercet::corpora::{Lines, SegmentOrder, SgmlDocument, SgmlFile, SgmlKind, SgmlText};
use tercet::metrics::Tally;
use tercet::metrics::meteor::{Evaluation, JavaDouble, Meteor, Statistics};

/// The lines of METEOR's three files of scores, or its alignments.
#[derive(Default)]
pub struct SgmlReport {
    segments: String,
    documents: String,
    systems: String,
    alignments: String,
}

/// A document and where its segments start in the text.
struct Placed<'d> {
    document: &'d SgmlDocument,
    start: usize,
}

impl SgmlReport {
    /// Aligns all systems of a file with the references of another.
    pub fn new(
        meteor: &Meteor,
        args: &MeteorArgs,
        translations: &SgmlFile,
        references: &SgmlFile,
    ) -> anyhow::Result<Self> {
        let mut report = SgmlReport::default();
        let set = translations.set().unwrap_or_default();
        let references = references.texts(SgmlKind::Reference)?;
        let mut systems = translations.texts(SgmlKind::Translation)?;
        systems.sort_by_key(|system| system.name());
        for system in systems {
            let order = SegmentOrder::new(system);
            let lines = references.iter().map(|text| order.lines_of(text)).collect::<Result<Vec<_>, _>>()?;
            report.add_system(meteor, args, set, system, &lines);
        }
        Ok(report)
    }

    /// Prints the report, or writes METEOR's files if a prefix for them is given.
    pub fn write(&self, args: &MeteorArgs) -> anyhow::Result<()> {
        let parts = [("seg", &self.segments), ("doc", &self.documents), ("sys", &self.systems)];
        match &args.file_prefix {
            _ if args.align => output::print(&self.alignments),
            None if args.quiet => output::print(&self.systems),
            None => output::print(&parts.map(|(_, text)| text.as_str()).concat()),
            Some(prefix) => {
                let mut files = parts.into_iter();
                files.try_for_each(|(kind, text)| output::write(text, Some(Path::new(&format!("{prefix}-{kind}.scr")))))
            }
        }
    }

    fn add_system(&mut self, meteor: &Meteor, args: &MeteorArgs, set: &str, system: &SgmlText, references: &[Lines]) {
        let name = format!("{set}\t{}", system.name().unwrap_or_default());
        let mut total = Tally::default();
        for placed in documents_by_name(system) {
            let name = format!("{name}\t{}", placed.document.id());
            let sum = self.add_document(meteor, args, &name, &placed, references);
            add_line(&mut self.documents, shown(meteor, args, &name, &Statistics::from_tally(&sum)));
            total += &sum;
        }
        add_line(&mut self.systems, shown(meteor, args, &name, &Statistics::from_tally(&total)));
    }

    /// Adds the segments of a document and returns the sum of their statistics.
    fn add_document(
        &mut self,
        meteor: &Meteor,
        args: &MeteorArgs,
        name: &str,
        placed: &Placed<'_>,
        references: &[Lines],
    ) -> Tally {
        let mut segments: Vec<(usize, (&str, &str))> = placed.document.segments().enumerate().collect();
        segments.sort_by_key(|(_, (id, _))| (id.parse::<i32>().ok(), *id));
        let mut sum = Tally::default();
        for (i, (id, text)) in segments {
            let references: Vec<&str> = references.iter().map(|lines| lines.line(placed.start + i)).collect();
            let alignment = meteor.align(text, &references);
            let name = format!("{name}\t{id}");
            if args.align {
                self.alignments += &alignment.entry(&name).to_string();
            }
            add_line(&mut self.segments, shown(meteor, args, &name, &alignment.statistics));
            sum += &alignment.statistics.tally();
        }
        sum
    }
}

fn documents_by_name(text: &SgmlText) -> Vec<Placed<'_>> {
    let mut start = 0;
    let mut documents: Vec<Placed<'_>> = Vec::new();
    for document in text.documents() {
        documents.push(Placed { document, start });
        start += document.segments().len();
    }
    documents.sort_by_key(|placed| placed.document.id());
    documents
}

/// A line of scores, with their parts under `--verbose`, or of statistics.
fn shown(meteor: &Meteor, args: &MeteorArgs, name: &str, statistics: &Statistics) -> String {
    if args.statistics {
        return format!("{name}\t{statistics}");
    }
    let Evaluation { precision, recall, penalty, score, .. } = meteor.evaluate(statistics);
    let parts = [precision, recall, penalty, score].map(|number| JavaDouble(number).to_string());
    format!("{name}\t{}", if args.verbose { parts.join("\t") } else { parts[3].clone() })
}
