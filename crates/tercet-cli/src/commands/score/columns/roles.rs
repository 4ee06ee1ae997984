//! What the columns of a table are, and the segments of its rows.

use crate::args::{ScoreArgs, as_names};
use crate::output::Misuse;
use std::path::Path;
use tercet::corpora::rows::{Field, FieldKind, FieldNames, FieldSample, Fields, Need, WantedFields};
use tercet::scoring::{Corpus, EvaluateRequest, System};
use tercet::text::trim_end;
use tercet_columns::{Batch, Error, ListColumn, TableReader, TextColumn};

/// The columns that are read.
pub struct Roles {
    hypotheses: Vec<TextColumn>,
    references: Vec<ListColumn>,
    source: Option<TextColumn>,
    system: Option<TextColumn>,
    /// The names of the systems, one for each column of hypotheses.
    names: Vec<String>,
}

impl Roles {
    /// Fails if intervals or tests are asked for of systems that are below each other.
    pub fn check(&self, request: &EvaluateRequest) -> Result<(), Misuse> {
        if self.system.is_none() || !request.needs_tallies() {
            return Ok(());
        }
        let what = "intervals and tests need the same segments of every system in one row: give each system a column, \
                    not --system";
        Err(Misuse(what.to_owned()))
    }

    /// Finds the columns that flags name.
    pub fn find(table: &TableReader, args: &ScoreArgs, can_use_source: bool) -> anyhow::Result<Self> {
        let (flags, path) = (&args.input.fields, &args.hypotheses[0]);
        let given = flags.names(as_names(&args.texts.reference), as_names(&args.source).into_iter().next());
        let usual = usual(table, &given, path)?;
        let names = |given: Vec<String>, usual: &[Field]| match given.is_empty() {
            true => usual.iter().map(|field| field.name().to_owned()).collect(),
            false => given,
        };
        let (hypothesis, reference) =
            (names(given.hypothesis, &usual.hypothesis), names(given.reference, &usual.reference));
        let missing = |what: &str, flag: &str| {
            let known = table.columns().join(", ");
            Misuse(format!("which column has the {what}? name it with {flag} (there are: {known})"))
        };
        if hypothesis.is_empty() {
            return Err(missing("translations", "--hypothesis").into());
        }
        if reference.is_empty() && !(can_use_source && given.source.is_some()) {
            return Err(missing("references", "--reference").into());
        }
        let text = |name: &String| TextColumn::find(table, name).map_err(misuse);
        let references = reference.iter().map(|name| ListColumn::find(table, name).map_err(misuse));
        let roles = Roles {
            hypotheses: hypothesis.iter().map(text).collect::<anyhow::Result<_>>()?,
            references: references.collect::<anyhow::Result<_>>()?,
            source: given.source.as_ref().map(text).transpose()?,
            system: flags.system.as_ref().map(text).transpose()?,
            names: names_of_systems(args, &hypothesis)?,
        };
        if roles.system.is_some() {
            refuse_with_system_column(args)?;
        }
        Ok(roles)
    }

    /// Whether a column has references.
    pub fn has_references(&self) -> bool {
        !self.references.is_empty()
    }

    /// The names of the systems; none are known before the rows are read if a column says them.
    pub fn names(&self) -> &[String] {
        if self.system.is_some() { &[] } else { &self.names }
    }

    /// The columns that are read.
    pub fn columns(&self) -> Vec<&str> {
        let texts = self.hypotheses.iter().chain(&self.source).chain(&self.system).map(TextColumn::name);
        texts.chain(self.references.iter().map(ListColumn::name)).collect()
    }

    /// The name of the first system, against which others are tested.
    pub fn first_system(&self) -> &str {
        &self.names[0]
    }

    /// The new columns: the metric, after the name of the column of hypotheses if there are several.
    pub fn score_columns(&self, metrics: &[&str]) -> Vec<String> {
        let column = |hypothesis: &TextColumn, metric: &&str| match self.hypotheses.len() {
            1 => (*metric).to_owned(),
            _ => format!("{}_{metric}", hypothesis.name()),
        };
        self.hypotheses.iter().flat_map(|name| metrics.iter().map(move |metric| column(name, metric))).collect()
    }

    /// The segments of a batch. Trailing white space is removed, as from lines.
    pub fn corpus<'a>(&self, batch: &'a Batch) -> anyhow::Result<Corpus<'a>> {
        let texts = |column: &TextColumn| -> Result<Vec<&'a str>, Error> {
            Ok(column.texts(batch)?.into_iter().map(trim_end).collect())
        };
        let segments = if self.has_references() { batch.len() } else { 0 };
        let mut references = vec![Vec::new(); segments];
        for column in &self.references {
            column.append(batch, &mut references)?;
        }
        references.iter_mut().flatten().for_each(|reference| *reference = trim_end(reference));
        let mut systems = Vec::new();
        for (name, column) in self.names.iter().zip(&self.hypotheses) {
            systems.push(System { name: name.clone(), hypotheses: texts(column)? });
        }
        let sources = self.source.as_ref().map(texts).transpose()?;
        Ok(Corpus::with_either(systems, references, sources)?)
    }

    /// The system of each row, if a column says it.
    pub fn systems<'a>(&self, batch: &'a Batch) -> anyhow::Result<Option<Vec<&'a str>>> {
        Ok(self.system.as_ref().map(|column| column.texts(batch)).transpose()?)
    }
}

/// The columns of translations and references that have usual names.
fn usual(table: &TableReader, given: &FieldNames, path: &Path) -> tercet::Result<Fields> {
    let columns = table.columns();
    let sample = columns.iter().enumerate().map(|(column, name)| FieldSample {
        name: (*name).to_owned(),
        kind: FieldKind::Text,
        column: Some(column),
    });
    let need = |names: &[String]| if names.is_empty() { Need::Optional } else { Need::No };
    let wanted =
        WantedFields { hypothesis: need(&given.hypothesis), reference: need(&given.reference), source: Need::No };
    FieldNames::default().find(&sample.collect::<Vec<_>>(), wanted, path)
}

/// Names given with `--name`, or those of the columns.
fn names_of_systems(args: &ScoreArgs, columns: &[String]) -> Result<Vec<String>, Misuse> {
    let given = &args.texts.name;
    if given.iter().any(|name| name.trim().is_empty()) {
        return Err(Misuse("--name is empty: a system needs a name".to_owned()));
    }
    if !given.is_empty() && given.len() != columns.len() {
        let (names, systems) = (given.len(), columns.len());
        return Err(Misuse(format!("--name is given {names} times for {systems} systems")));
    }
    Ok(if given.is_empty() { columns.to_vec() } else { given.clone() })
}

fn refuse_with_system_column(args: &ScoreArgs) -> Result<(), Misuse> {
    let what = match () {
        () if args.input.fields.hypothesis.len() > 1 => {
            "--system is for one column of translations, and --hypothesis is given more than once"
        }
        () if !args.texts.name.is_empty() => "--name cannot be used with --system, which names the systems",
        () => return Ok(()),
    };
    Err(Misuse(what.to_owned()))
}

/// A column that is not there, or of another type, is a mistake in the flags.
fn misuse(error: Error) -> anyhow::Error {
    match error {
        Error::NoColumn { .. } | Error::NotText { .. } => Misuse(error.to_string()).into(),
        other => other.into(),
    }
}
