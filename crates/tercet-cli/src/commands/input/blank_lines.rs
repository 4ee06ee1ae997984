//! Documents that empty lines end.

use super::Input;
use super::references::References;
use tercet::corpora::Lines;

/// Takes the empty lines out of all texts, and numbers the documents between them. Unless outputs have lines of their
/// own, all texts have the same documents.
pub(super) fn remove(input: &mut Input, is_aligned: bool) -> anyhow::Result<()> {
    let mut first: Option<(String, Vec<String>)> = None;
    let references = input.references.iter_mut().filter_map(|references| match references {
        References::Lines(lines) => Some(lines),
        References::Lists(_) => None,
    });
    for lines in references.chain(&mut input.source) {
        check_same(lines, &mut first)?;
    }
    let mut of_systems = Vec::new();
    for (_, lines) in &mut input.systems {
        match is_aligned {
            true => of_systems.push(take_out(lines)?),
            false => check_same(lines, &mut first)?,
        }
    }
    input.documents_of_systems = of_systems;
    input.documents = first.map(|(_, documents)| documents).unwrap_or_default();
    Ok(())
}

/// Takes out the empty lines; the documents must be those of the first text.
fn check_same(lines: &mut Lines, first: &mut Option<(String, Vec<String>)>) -> anyhow::Result<()> {
    let documents = take_out(lines)?;
    let Some((other, expected)) = first else {
        *first = Some((lines.path().display().to_string(), documents));
        return Ok(());
    };
    let count = |documents: &[String]| documents.last().cloned().unwrap_or_else(|| "0".to_owned());
    if count(&documents) != count(expected) {
        let path = lines.path().display();
        anyhow::bail!("{path} has {} documents, but {other} has {}", count(&documents), count(expected));
    }
    let lines_of = |documents: &[String], name: &String| documents.iter().filter(|other| *other == name).count();
    match expected.iter().find(|name| lines_of(&documents, name) != lines_of(expected, name)) {
        None => Ok(()),
        Some(name) => {
            let (found, expected) = (lines_of(&documents, name), lines_of(expected, name));
            let path = lines.path().display();
            anyhow::bail!(
                "document {name} of {path} has {found} lines, but {expected} in {other} (--align matches translations \
                 that have lines of their own)"
            )
        }
    }
}

/// Takes out the empty lines, and returns the number of the document of each of the others.
fn take_out(lines: &mut Lines) -> tercet::Result<Vec<String>> {
    let mut kept = String::new();
    let (mut documents, mut number, mut is_between) = (Vec::new(), 0, true);
    for line in lines.iter() {
        if line.trim().is_empty() {
            is_between = true;
            continue;
        }
        number += usize::from(std::mem::take(&mut is_between));
        kept.push_str(line);
        kept.push('\n');
        documents.push(number.to_string());
    }
    *lines = Lines::from_bytes(lines.path(), kept.into_bytes())?;
    Ok(documents)
}
