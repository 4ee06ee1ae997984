//! Which modules a Rust source names: paths from `crate::` and `super::`, read from its text.

/// `metrics/bleu/mod.rs` is the module `metrics::bleu`.
pub fn module_of(path: &str) -> Vec<String> {
    let mut module: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
        module.pop();
    }
    module
}

/// The text without what follows `//` on each line, so that links in documentation are no imports.
pub fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Every path that starts at `crate::` or `super::`, from the crate's root, with the line where it starts. Groups are
/// multiplied out. Inside an inline module `super` is taken for the file's parent, which errs only within a room.
pub fn paths(code: &str, module: &[String]) -> Vec<(usize, Vec<String>)> {
    let tokens = tokens(code);
    let parent = &module[..module.len().saturating_sub(1)];
    let mut found = Vec::new();
    for (i, pair) in tokens.windows(2).enumerate() {
        let start = match (pair[0].1, pair[1].1) {
            ("crate", "::") => &[],
            ("super", "::") => parent,
            _ => continue,
        };
        let mut ends = Vec::new();
        expand(&tokens, i + 2, start.to_vec(), &mut ends);
        found.extend(ends.into_iter().map(|path| (pair[0].0, path)));
    }
    found
}

/// Follows the path at `tokens[at]`, collects where it ends, and returns the index after it.
fn expand(
    tokens: &[(usize, &str)],
    mut at: usize,
    mut path: Vec<String>,
    ends: &mut Vec<Vec<String>>,
) -> usize {
    loop {
        match tokens.get(at).map(|(_, token)| *token) {
            Some("{") => {
                at += 1;
                while at < tokens.len() && tokens[at].1 != "}" {
                    let before = at;
                    at = expand(tokens, at, path.clone(), ends);
                    while at < tokens.len() && tokens[at].1 != "," && tokens[at].1 != "}" {
                        at += 1; // `as name`
                    }
                    at += usize::from(at < tokens.len() && tokens[at].1 == ",");
                    at = at.max(before + 1);
                }
                return at + 1;
            }
            Some(name) if name.starts_with(is_name) => {
                path.push(name.to_owned());
                at += 1;
                if tokens.get(at).is_none_or(|(_, token)| *token != "::") {
                    break;
                }
                at += 1;
            }
            _ => break, // `*`, a turbofish, the end
        }
    }
    ends.push(path);
    at
}

/// Names, `::` and single marks, each with its line.
fn tokens(code: &str) -> Vec<(usize, &str)> {
    let mut tokens = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = if is_name(first) {
                rest.find(|c| !is_name(c)).unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            tokens.push((number + 1, &rest[..length]));
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
