//! Writes judgements as an EvalSet, in the layout that is described in this folder.
//!
//! - Segments of a document stand together, documents in order of appearance; without documents all are of one.
//! - Texts are `.txt`, or `.jsonl` where one has a line end inside; a missing translation is
//!   `[No translation supplied]`.
//! - References lose `-` and `.` from their names, as do human translations of the same names; one without a name is
//!   `refA`.
//! - Ratings are one file, `PAIR.NAME.seg.rating`, or one for each rater, `PAIR.NAME-RATER.seg.rating`, if outputs have
//!   several; an error without a place starts and ends at −1.

use crate::error::{Error, Result};
use crate::names::Names;
use crate::{ErrorSpan, Judgements, Level, MarkedText, Rating, Ratings};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Writes the judgements of one language pair into a folder, beside those of other pairs.
pub fn write_eval_set(folder: &Path, judgements: &Judgements) -> Result<()> {
    Writer::new(folder, judgements)?.write()
}

struct Writer<'a> {
    folder: &'a Path,
    judgements: &'a Judgements,
    /// The names of the systems in the files.
    systems: Vec<String>,
    references: Vec<String>,
    /// The place of each line's segment.
    order: Vec<usize>,
}

impl<'a> Writer<'a> {
    fn new(folder: &'a Path, judgements: &'a Judgements) -> Result<Self> {
        let about = || format!("{} {}", judgements.set, judgements.pair).trim_end().to_owned();
        let unusable = |what: &str| Err(Error::Unusable(format!("{} cannot be an EvalSet: {what}", about())));
        let Some(texts) = &judgements.texts else { return unusable("it has no texts") };
        if texts.sources.is_none() {
            return unusable("it has no sources");
        }
        if judgements.pair.split_once('-').is_none_or(|(source, target)| source.len() < 2 || target.len() < 2) {
            return unusable("its language pair is not known");
        }
        let plain = |name: &str| name.replace(['-', '.'], "");
        let known: Vec<&str> = texts.references.iter().map(|reference| reference.name.as_str()).collect();
        let references: Vec<String> =
            known.iter().map(|name| if name.is_empty() { "refA".to_owned() } else { plain(name) }).collect();
        let system = |name: &String| if known.contains(&name.as_str()) { plain(name) } else { name.clone() };
        let systems: Vec<String> = judgements.systems.iter().map(system).collect();
        for names in [&systems, &references] {
            let is_bad = |name: &&String| name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == '/');
            if let Some(bad) = names.iter().find(is_bad) {
                return unusable(&format!("{bad:?} cannot be a name in it (no spaces, no `/`)"));
            }
            let mut sorted: Vec<&String> = names.iter().collect();
            sorted.sort_unstable();
            if let Some(twice) = sorted.windows(2).find(|two| two[0] == two[1]) {
                return unusable(&format!("two systems or references are called {}", twice[0]));
            }
        }
        Ok(Writer { folder, judgements, systems, references, order: by_document(judgements) })
    }

    fn write(&self) -> Result<()> {
        let pair = &self.judgements.pair;
        let texts = self.judgements.texts.as_ref().expect("checked when the writer was made");
        let sources: Vec<Option<&str>> = texts.sources.iter().flatten().map(|text| Some(text.as_str())).collect();
        self.texts(&format!("sources/{pair}"), "source", &sources)?;
        self.file(&format!("documents/{pair}.docs"), &self.documents())?;
        for (name, reference) in self.references.iter().zip(&texts.references) {
            let lines: Vec<Option<&str>> = reference.lines.iter().map(Option::as_deref).collect();
            self.texts(&format!("references/{pair}.{name}"), "target", &lines)?;
        }
        for (name, outputs) in self.systems.iter().zip(&texts.outputs) {
            let lines: Vec<Option<&str>> = outputs.iter().map(Option::as_deref).collect();
            self.texts(&format!("system-outputs/{pair}/{name}"), "hypothesis", &lines)?;
        }
        for scores in self.judgements.scores.iter().filter(|of| matches!(of.level, Level::Segment | Level::System)) {
            let turn = if scores.higher_is_better { 1.0 } else { -1.0 };
            let lines = self.scores(scores.level, &self.systems, &scores.values, turn, true);
            self.file(
                &format!("human-scores/{pair}.{}.{}.score", file_name(&scores.name), scores.level.code()),
                &lines,
            )?;
        }
        for ratings in &self.judgements.ratings {
            self.ratings(ratings)?;
        }
        for scores in self.judgements.metric_scores.iter().filter(|of| of.level == Level::Segment) {
            let lines = self.scores(scores.level, &scores.systems, &scores.values, 1.0, false);
            self.file(&format!("metric-scores/{pair}/{}.seg.score", file_name(&scores.metric)), &lines)?;
        }
        Ok(())
    }

    fn file(&self, name: &str, content: &str) -> Result<()> {
        let path = self.folder.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|source| Error::Write { path: folder.to_owned(), source })?;
        }
        tercet_base::files::write(&path, content.as_bytes()).map_err(Into::into)
    }

    /// Texts in the order of the lines.
    fn texts(&self, name: &str, field: &str, texts: &[Option<&str>]) -> Result<()> {
        let lines = || self.order.iter().map(|&segment| texts[segment]);
        if lines().flatten().any(|text| text.contains(['\n', '\r'])) {
            let content: String = lines().map(|text| format!("{}\n", json!({ field: text }))).collect();
            return self.file(&format!("{name}.jsonl"), &content);
        }
        let content: String =
            lines().map(|text| format!("{}\n", text.unwrap_or(super::texts::NO_TRANSLATION))).collect();
        self.file(&format!("{name}.txt"), &content)
    }

    fn documents(&self) -> String {
        let Judgements { documents, domains, .. } = self.judgements;
        let name = |names: &Option<Vec<String>>, segment: usize| {
            let name = names.as_ref().map_or("", |names| names[segment].as_str());
            if name.is_empty() { "all".to_owned() } else { name.replace(char::is_whitespace, "_") }
        };
        self.order
            .iter()
            .map(|&segment| format!("{}\t{}\n", name(domains, segment), name(documents, segment)))
            .collect()
    }

    /// A line for each score of the systems that have any.
    fn scores(
        &self,
        level: Level,
        systems: &[String],
        values: &[Vec<Option<f64>>],
        turn: f64,
        may_be_missing: bool,
    ) -> String {
        let mut text = String::new();
        for (system, values) in systems.iter().zip(values) {
            let is_scored = |value: &Option<f64>| value.is_some();
            if !values.iter().any(is_scored) || !(may_be_missing || values.iter().all(is_scored)) {
                continue;
            }
            let items = if level == Level::Segment { self.order.clone() } else { vec![0] };
            for item in items {
                match values[item] {
                    Some(value) => writeln!(text, "{system}\t{}", turn * value + 0.0),
                    None => writeln!(text, "{system}\tNone"),
                }
                .expect("a text can be written");
            }
        }
        text
    }

    fn ratings(&self, ratings: &Ratings) -> Result<()> {
        let pair = &self.judgements.pair;
        let count = self.judgements.segments.len();
        let mut files: Vec<(Option<usize>, Vec<Option<&Rating>>)> = Vec::new();
        let mut seen = vec![0usize; count * self.systems.len()];
        ratings.ratings.iter().for_each(|rating| seen[rating.system * count + rating.segment] += 1);
        let is_merged = seen.iter().all(|&count| count < 2);
        for rating in &ratings.ratings {
            let rater = rating.rater.filter(|_| !is_merged);
            let place = files.iter().position(|(of, _)| *of == rater).unwrap_or_else(|| {
                files.push((rater, vec![None; seen.len()]));
                files.len() - 1
            });
            files[place].1[rating.system * count + rating.segment] = Some(rating);
        }
        for (rater, of_outputs) in files {
            let mut text = String::new();
            for (system, name) in self.systems.iter().enumerate() {
                let of_system = &of_outputs[system * count..][..count];
                if of_system.iter().all(Option::is_none) {
                    continue;
                }
                for &segment in &self.order {
                    match of_system[segment] {
                        None => writeln!(text, "{name}\tNone"),
                        Some(rating) => {
                            let rater = ratings.rater(rating).unwrap_or(&ratings.name);
                            writeln!(text, "{name}\t{}\t{rater}", written(&rating.errors))
                        }
                    }
                    .expect("a text can be written");
                }
            }
            let rater = rater.map(|rater| format!("-{}", ratings.raters[rater])).unwrap_or_default();
            self.file(
                &format!("human-scores/{pair}.{}.seg.rating", file_name(&format!("{}{rater}", ratings.name))),
                &text,
            )?;
        }
        Ok(())
    }
}

/// A name without what separates the parts of a file's name.
fn file_name(name: &str) -> String {
    tercet_base::files::portable_name(&name.replace('.', "_"))
}

/// Segments of a document one after another.
fn by_document(judgements: &Judgements) -> Vec<usize> {
    let mut order: Vec<usize> = (0..judgements.segments.len()).collect();
    if let Some(documents) = &judgements.documents {
        let mut names = Names::default();
        let places: Vec<usize> = documents.iter().map(|name| names.place(name)).collect();
        order.sort_by_key(|&segment| places[segment]);
    }
    order
}

/// Errors as mt-metrics-eval has them.
fn written(errors: &[ErrorSpan]) -> String {
    let error = |error: &ErrorSpan| {
        let (start, end) = error.place.as_ref().map_or((-1, -1), |place| (place.start as i64, place.end as i64));
        json!({
            "start": start,
            "end": end,
            "category": error.category,
            "severity": error.severity.map(crate::Severity::name),
            "is_source_error": error.side == MarkedText::Source,
        })
    };
    json!({ "errors": errors.iter().map(error).collect::<Vec<_>>() }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lines;
    use crate::eval_set::read_eval_set;
    use crate::formats::parse_rated;

    #[test]
    fn what_is_written_is_read_back() {
        let text = "lp,id,doc,domain,src,mt,ref,system,rater,score,spans\n\
            en-de,1,d2,news,s1,a1,r1,A,x,70,\"[[0,1,\"\"minor\"\",\"\"Style\"\"]]\"\n\
            en-de,1,d2,news,s1,a1,r1,A,y,90,[]\nen-de,2,d1,chat,\"s\n2\",a2,r2,A,x,50,\"[[-1,-1,\"\"major\"\"]]\"\n\
            en-de,2,d1,chat,\"s\n2\",b2,r2,B,x,60,\nen-de,3,d2,news,s3,a3,r3,A,x,10,\n";
        let lines = Lines::from_bytes(Path::new("j.csv"), text.as_bytes().to_vec()).unwrap();
        let judgements = parse_rated(&lines).unwrap().remove(0);
        let folder = tempfile::tempdir().unwrap();
        write_eval_set(folder.path(), &judgements).unwrap();
        let read = read_eval_set(folder.path(), "en-de").unwrap().judgements;
        assert_eq!(read.systems, judgements.systems);
        let texts = read.texts.unwrap();
        assert_eq!(texts.sources.unwrap(), ["s1", "s3", "s\n2"], "segments of a document stand together");
        assert_eq!((texts.references[0].name.as_str(), texts.outputs[1][0].as_ref()), ("refA", None));
        assert_eq!(read.documents.unwrap(), ["d2", "d2", "d1"]);
        assert_eq!(read.domains.unwrap(), ["news", "news", "chat"]);
        assert_eq!(read.scores[0].values, [[Some(80.0), Some(10.0), Some(50.0)], [None, None, Some(60.0)]]);
        assert_eq!(read.ratings.iter().map(|of| of.name.as_str()).collect::<Vec<_>>(), ["score-x", "score-y"]);
        let errors = |of: &Ratings| of.ratings.iter().map(|rating| rating.errors.clone()).collect::<Vec<_>>();
        let said = errors(&read.ratings[0]);
        assert_eq!((said.len(), said[0][0].place.clone(), said[2][0].place.clone()), (4, Some(0..1), None));
        let unknown = Judgements { pair: String::new(), ..judgements };
        let error = write_eval_set(folder.path(), &unknown).unwrap_err().to_string();
        assert!(error.ends_with("cannot be an EvalSet: its language pair is not known"), "{error}");
    }
}
