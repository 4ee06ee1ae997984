//! From files and flags to a corpus.

use super::is_stdin;
use crate::args::{InputArgs, ScoreArgs};
use crate::output::{Misuse, note};
use std::io::IsTerminal;
use std::path::Path;
use tercet::corpora::{Lines, Role, interleaved_references, read_lines, read_table, split_references};
use tercet::scoring::{Corpus, System};

/// All texts, read and checked for length.
pub struct Input {
    systems: Vec<(String, Lines)>,
    references: Vec<Lines>,
    layout: Layout,
    source: Option<Lines>,
}

/// Where the references of a segment are.
enum Layout {
    /// On its line of every reference text.
    Files,
    /// Side by side in the one text: so many, or any number.
    SideBySide(Option<usize>),
    /// So many lines of the one text.
    Interleaved(usize),
}

impl Input {
    /// Reads what the flags name.
    pub fn read(args: &ScoreArgs) -> anyhow::Result<Self> {
        check_stdin(args)?;
        if args.hypotheses.iter().any(|path| is_stdin(path)) && std::io::stdin().is_terminal() && !args.quiet
        {
            note("reading translations from the terminal; end with Ctrl-D");
        }
        let mut input = Input {
            systems: Vec::new(),
            references: args.reference.iter().map(|path| read_lines(path)).collect::<Result<_, _>>()?,
            layout: layout(args)?,
            source: args.source.as_deref().map(read_lines).transpose()?,
        };
        for path in &args.hypotheses {
            if args.input.tsv || args.input.columns.is_some() {
                input.read_columns(args, path)?;
            } else {
                input.systems.push((path.display().to_string(), read_lines(path)?));
            }
        }
        if input.references.is_empty() {
            return Err(Misuse(
                "no reference given: name one with -r REF (or a column with --columns ref,hyp)".to_owned(),
            )
            .into());
        }
        input.rename(&args.name)?;
        input.check_lengths()?;
        Ok(input)
    }

    fn read_columns(&mut self, args: &ScoreArgs, path: &Path) -> anyhow::Result<()> {
        let roles = args.input.columns.as_deref().map(Role::parse_list).transpose();
        let roles = roles.map_err(|error| Misuse(error.to_string()))?;
        let (mut references, mut source) = (Vec::new(), None);
        for (role, lines) in read_table(path, args.input.header)?.into_columns(roles.as_deref())? {
            match role {
                Role::Source => source = Some(lines),
                Role::Reference => references.push(lines),
                Role::System(name) => self.systems.push((name.unwrap_or_default(), lines)),
                Role::Ignored => {}
            }
        }
        if let Some(source) = source {
            if self.source.as_ref().is_some_and(|other| !other.iter().eq(source.iter())) {
                return Err(other_text("sources", path).into());
            }
            self.source = Some(source);
        }
        if !references.is_empty() && !self.references.is_empty() && !same_texts(&references, &self.references)
        {
            return Err(other_text("references", path).into());
        }
        if self.references.is_empty() {
            self.references = references;
        }
        Ok(())
    }

    fn rename(&mut self, names: &[String]) -> Result<(), Misuse> {
        if !names.is_empty() && names.len() != self.systems.len() {
            let (names, systems) = (names.len(), self.systems.len());
            return Err(Misuse(format!("--name is given {names} times for {systems} systems")));
        }
        for ((system, _), name) in self.systems.iter_mut().zip(names) {
            system.clone_from(name);
        }
        Ok(())
    }

    fn check_lengths(&self) -> anyhow::Result<()> {
        let texts = self.in_lines();
        let Some((first, others)) = texts.split_first() else { return Ok(()) };
        for lines in others {
            first.check_length_of(lines)?;
        }
        Ok(())
    }

    /// The texts that have one line per segment, references first.
    fn in_lines(&self) -> Vec<&Lines> {
        let by_line = !matches!(self.layout, Layout::Interleaved(_));
        let references = self.references.iter().filter(|_| by_line);
        references.chain(self.systems.iter().map(|(_, lines)| lines)).chain(&self.source).collect()
    }

    /// The corpus these texts make.
    pub fn corpus(&self) -> anyhow::Result<Corpus<'_>> {
        let references = match self.layout {
            Layout::SideBySide(count) => split_references(&self.references[0], count)?,
            Layout::Interleaved(count) => interleaved_references(&self.references[0], count)?,
            Layout::Files => {
                let segment = |i| self.references.iter().map(|lines| lines.line(i)).collect();
                (0..self.references[0].len()).map(segment).collect()
            }
        };
        let systems = self.systems.iter();
        let systems =
            systems.map(|(name, lines)| System { name: name.clone(), hypotheses: lines.iter().collect() });
        let corpus = Corpus::new(systems.collect(), references)?;
        Ok(match &self.source {
            Some(source) => corpus.with_sources(source.iter().collect())?,
            None => corpus,
        })
    }
}

fn same_texts(a: &[Lines], b: &[Lines]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.iter().eq(b.iter()))
}

fn other_text(what: &str, path: &Path) -> Misuse {
    Misuse(format!(
        "{} brings other {what} than were given before: all systems need the same",
        path.display()
    ))
}

fn check_stdin(args: &ScoreArgs) -> Result<(), Misuse> {
    let paths = args.hypotheses.iter().chain(&args.reference).chain(&args.source);
    if paths.filter(|path| is_stdin(path)).count() > 1 {
        return Err(Misuse("standard input (-) can be read only once".to_owned()));
    }
    Ok(())
}

fn layout(args: &ScoreArgs) -> Result<Layout, Misuse> {
    let InputArgs { references, interleaved, columns, .. } = &args.input;
    if references.is_none() && interleaved.is_none() {
        return Ok(Layout::Files);
    }
    let flag = if references.is_some() { "--references" } else { "--interleaved" };
    if args.reference.len() != 1 {
        return Err(Misuse(format!("{flag} goes with exactly one -r REF that has all references")));
    }
    let has_column = |roles: &String| roles.split(',').any(|role| matches!(role.trim(), "ref" | "reference"));
    if columns.as_ref().is_some_and(has_column) {
        return Err(Misuse(format!("{flag} and a ref column exclude each other")));
    }
    match (references.as_deref(), interleaved) {
        (Some("var"), _) => Ok(Layout::SideBySide(None)),
        (Some(count), _) => match count.parse() {
            Ok(count) if count > 0 => Ok(Layout::SideBySide(Some(count))),
            _ => Err(Misuse(format!("--references: expected a number or var, found {count}"))),
        },
        (None, count) => Ok(Layout::Interleaved(usize::from(count.unwrap_or(1)))),
    }
}
