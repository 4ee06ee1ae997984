//! What the columns of a table are, and the segments of its rows.

use crate::args::ScoreArgs;
use crate::output::Misuse;
use tercet::scoring::{Corpus, System};
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
    /// Finds the columns that flags name.
    pub fn find(table: &TableReader, args: &ScoreArgs) -> anyhow::Result<Self> {
        let flags = &args.columns;
        let missing = |what: &str, flag: &str| {
            let known = table.columns().join(", ");
            Misuse(format!("which column has the {what}? name it with {flag} (there are: {known})"))
        };
        if flags.hypothesis_column.is_empty() {
            return Err(missing("translations", "--hypothesis-column").into());
        }
        if flags.reference_column.is_empty() {
            return Err(missing("references", "--reference-column").into());
        }
        let text = |name: &String| TextColumn::find(table, name).map_err(misuse);
        let references = flags.reference_column.iter().map(|name| ListColumn::find(table, name).map_err(misuse));
        let roles = Roles {
            hypotheses: flags.hypothesis_column.iter().map(text).collect::<anyhow::Result<_>>()?,
            references: references.collect::<anyhow::Result<_>>()?,
            source: flags.source_column.as_ref().map(text).transpose()?,
            system: flags.system_column.as_ref().map(text).transpose()?,
            names: names(args)?,
        };
        if roles.system.is_some() {
            refuse_with_system_column(args)?;
        }
        Ok(roles)
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
        let mut references = vec![Vec::new(); batch.len()];
        for column in &self.references {
            column.append(batch, &mut references)?;
        }
        references.iter_mut().flatten().for_each(|reference| *reference = trim_end(reference));
        let mut systems = Vec::new();
        for (name, column) in self.names.iter().zip(&self.hypotheses) {
            systems.push(System { name: name.clone(), hypotheses: texts(column)? });
        }
        let corpus = Corpus::new(systems, references)?;
        Ok(match &self.source {
            Some(source) => corpus.with_sources(texts(source)?)?,
            None => corpus,
        })
    }

    /// The system of each row, if a column says it.
    pub fn systems<'a>(&self, batch: &'a Batch) -> anyhow::Result<Option<Vec<&'a str>>> {
        Ok(self.system.as_ref().map(|column| column.texts(batch)).transpose()?)
    }
}

/// Names given with `--name`, or those of the columns.
fn names(args: &ScoreArgs) -> Result<Vec<String>, Misuse> {
    let columns = &args.columns.hypothesis_column;
    let given = &args.texts.name;
    if given.iter().any(|name| name.trim().is_empty()) {
        return Err(Misuse("--name is empty: a system needs a name".to_owned()));
    }
    if !given.is_empty() && given.len() != columns.len() {
        let (names, systems) = (given.len(), columns.len());
        return Err(Misuse(format!("--name is given {names} times for {systems} systems")));
    }
    Ok(if given.is_empty() { columns.clone() } else { given.clone() })
}

fn refuse_with_system_column(args: &ScoreArgs) -> Result<(), Misuse> {
    let is_tested = args.significance.confidence || args.significance.paired.is_some();
    let what = match () {
        () if args.columns.hypothesis_column.len() > 1 => {
            "--system-column is for one column of translations, and --hypothesis-column is given more than once"
        }
        () if !args.texts.name.is_empty() => "--name cannot be used with --system-column, which names the systems",
        () if is_tested => {
            "intervals and tests need the same segments of every system in one row: give each system a column, not \
             --system-column"
        }
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
