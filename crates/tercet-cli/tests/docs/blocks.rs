//! The commands of a page, with what the page says they print.

/// A block of commands.
pub struct Block {
    /// The line of the page on which the block begins, from 1.
    pub line: usize,
    /// Public data sets it needs.
    pub data: Vec<String>,
    /// Whether it takes hours.
    pub hours: bool,
    /// Whether it needs the feature `columns`.
    pub columns: bool,
    pub commands: Vec<Command>,
}

/// A command and the output shown below it.
pub struct Command {
    /// `PAGE:LINE`.
    pub place: String,
    pub text: String,
    pub shown: Vec<String>,
}

/// The `console` blocks of a page; a problem where a block is not written as this test needs it.
pub fn of_page(page: &str, text: &str) -> Result<Vec<Block>, String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.trim_start().strip_prefix("```") else { continue };
        let content: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| line.trim() != "```").collect();
        let place = format!("{page}:{}", number + 1);
        let mut words = info.split_whitespace();
        if words.next() == Some("console") {
            blocks.push(block(page, number + 1, words, &content).map_err(|what| format!("{place}: {what}"))?);
        } else if content.iter().any(|(_, line)| line.starts_with("$ ")) {
            return Err(format!("{place}: a block with commands must be marked `console`"));
        }
    }
    Ok(blocks)
}

fn block<'a>(
    page: &str,
    line: usize,
    words: impl Iterator<Item = &'a str>,
    content: &[(usize, &str)],
) -> Result<Block, String> {
    let mut block = Block { line, data: Vec::new(), hours: false, columns: false, commands: Vec::new() };
    for word in words {
        match (word, word.strip_prefix("data=")) {
            (_, Some(names)) => block.data = names.split(',').map(str::to_owned).collect(),
            ("hours", _) => block.hours = true,
            ("columns", _) => block.columns = true,
            _ => return Err(format!("unknown word `{word}` after `console`")),
        }
    }
    let mut continued = false;
    for (number, text) in content {
        if continued {
            let command = block.commands.last_mut().unwrap();
            command.text = format!("{}\n{text}", command.text);
        } else if let Some(text) = text.strip_prefix("$ ") {
            let place = format!("{page}:{}", number + 1);
            block.commands.push(Command { place, text: text.to_owned(), shown: Vec::new() });
        } else {
            let command = block.commands.last_mut().ok_or("output before the first command")?;
            command.shown.push((*text).to_owned());
            continue;
        }
        continued = text.ends_with('\\');
    }
    if block.commands.is_empty() { Err("no line begins with `$ `".to_owned()) } else { Ok(block) }
}

/// Whether the printed lines are those shown, where `…` stands for any number of lines.
pub fn shows(shown: &[String], printed: &[&str]) -> bool {
    match shown.split_first() {
        None => printed.is_empty(),
        Some((line, rest)) if line == "…" => (0..=printed.len()).any(|cut| shows(rest, &printed[cut..])),
        Some((line, rest)) => printed.first() == Some(&line.as_str()) && shows(rest, &printed[1..]),
    }
}
