//! Pages that are wrong must fail the test.

use crate::blocks;
use crate::run::Folder;
use libtest_mimic::{Failed, Trial};
use std::path::Path;

/// Blocks that must not pass.
const WRONG: [(&str, &str); 5] = [
    ("other output", "```console\n$ echo one\ntwo\n```\n"),
    ("output that is cut without …", "```console\n$ printf 'one\\ntwo\\n'\none\n```\n"),
    ("a command that fails", "```console\n$ tercet score -r nowhere nothing\n```\n"),
    ("a command that succeeds where an error is shown", "```console\n$ echo 'error: no'\nerror: no\n```\n"),
    ("an unknown cargo command", "```console\n$ cargo bench\n```\n"),
];

/// Pages that cannot be read as blocks of commands.
const UNREADABLE: [(&str, &str); 3] = [
    ("commands in a block that is not marked", "```sh\n$ echo one\n```\n"),
    ("an unknown word after console", "```console sometimes\n$ echo one\n```\n"),
    ("no command", "```console\necho one\n```\n"),
];

pub fn trials(root: &Path) -> Vec<Trial> {
    let root = root.to_owned();
    vec![
        Trial::test("wrong blocks fail", move || WRONG.iter().try_for_each(|(what, page)| fails(&root, what, page))),
        Trial::test("unreadable pages fail", || {
            let readable = UNREADABLE.iter().find(|(_, page)| blocks::of_page("page", page).is_ok());
            readable.map_or(Ok(()), |(what, _)| Err(format!("{what} is accepted").into()))
        }),
    ]
}

fn fails(root: &Path, what: &str, page: &str) -> Result<(), Failed> {
    let folder = Folder::new(root)?;
    let blocks = blocks::of_page("page", page)?;
    let passed = folder.run(&blocks[0].commands[0]).is_ok();
    if passed { Err(format!("{what} passes").into()) } else { Ok(()) }
}
