//! Links between pages.

use std::fs;
use std::path::Path;

/// The links of a page that lead nowhere. Addresses on the web are not tried.
pub fn broken(page: &Path, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for link in links(text).filter(|link| !link.contains("://")) {
        let (file, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = if file.is_empty() { page.to_owned() } else { page.parent().unwrap().join(file) };
        if !target.exists() {
            problems.push(format!("{}: no file {file}", page.display()));
        } else if !heading.is_empty() && !headings(&target).iter().any(|known| known == heading) {
            problems.push(format!("{}: no heading #{heading} in {}", page.display(), target.display()));
        }
    }
    problems
}

/// The targets of `[text](target)`, outside of code.
fn links(text: &str) -> impl Iterator<Item = &str> {
    outside_blocks(text)
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split_once(')').map(|(link, _)| link))
}

/// The headings of a page as GitHub names them: lower case, punctuation left out, spaces as hyphens.
fn headings(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap_or_default();
    let titles = outside_blocks(&text).filter(|line| line.starts_with('#'));
    titles.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

fn outside_blocks(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}
