//! The documentation is true: every command of `README.md` and `docs/` runs, and prints what the page shows.
//!
//! Commands are the lines that begin with `$ ` in blocks marked `console`. The other lines of a block are what the
//! command before them prints, standard output and standard error together, byte for byte; a line `…` stands for any
//! number of lines. A command without such lines only has to succeed. A command whose shown output has a line that
//! begins with `error: ` or `the gate failed in ` has to fail.
//!
//! The commands of a page run one after the other in one temporary folder that holds a copy of `examples/`. After
//! `console` a block may say:
//!
//! - `data=NAME,…`: it needs public data sets (`public_data.rs`). It runs in a folder of its own when `TERCET_SHARED`
//!   has them, and otherwise counts as ignored;
//! - `hours`: it takes hours. It is not run; its flags are checked;
//! - `columns`: it needs a build with the feature `columns`, and otherwise counts as ignored.
//!
//! Links between pages must lead to a file and, where they name one, to a heading. `fetch_script.rs` tries the script
//! that fetches data sets.

mod blocks;
mod fetch_script;
mod links;
mod public_data;
mod run;
mod wrong_pages;

use blocks::Block;
use libtest_mimic::{Arguments, Failed, Trial};
use run::Folder;
use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let pages = pages(&root);
    let mut trials = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(root.join(page)).unwrap();
        let blocks = blocks::of_page(page, &text).unwrap_or_else(|problem| panic!("{problem}"));
        trials.extend(trials_of_page(&root, page, blocks));
        trials.push(links_of_page(&root, page, text));
    }
    trials.extend(fetch_script::trials(&root));
    trials.extend(wrong_pages::trials(&root));
    libtest_mimic::run(&arguments, trials).exit();
}

/// README.md and all pages in `docs/`, in order.
fn pages(root: &Path) -> Vec<String> {
    let names = fs::read_dir(root.join("docs")).unwrap();
    let mut pages: Vec<String> =
        names.map(|entry| format!("docs/{}", entry.unwrap().file_name().to_str().unwrap())).collect();
    pages.retain(|name| Path::new(name).extension().is_some_and(|end| end == "md"));
    pages.push("README.md".to_owned());
    pages.sort();
    pages
}

/// One trial for the blocks that always run, one for those that need a feature, one for each block that needs data, one
/// for those that take hours.
fn trials_of_page(root: &Path, page: &str, blocks: Vec<Block>) -> Vec<Trial> {
    let (long, short): (Vec<Block>, Vec<Block>) = blocks.into_iter().partition(|block| block.hours);
    let (columns, short): (Vec<Block>, Vec<Block>) = short.into_iter().partition(|block| block.columns);
    let (public, own): (Vec<Block>, Vec<Block>) = short.into_iter().partition(|block| !block.data.is_empty());
    let mut trials = Vec::new();
    if !columns.is_empty() {
        let root = root.to_owned();
        let run = move || run_all(&root, &columns, &[]);
        let name = format!("{page}: commands with the feature columns");
        trials.push(Trial::test(name, run).with_ignored_flag(!cfg!(feature = "columns")));
    }
    if !own.is_empty() {
        let root = root.to_owned();
        trials.push(Trial::test(format!("{page}: commands"), move || run_all(&root, &own, &[])));
    }
    for block in public {
        trials.push(trial_with_data(root, page, block));
    }
    if !long.is_empty() {
        let root = root.to_owned();
        trials.push(Trial::test(format!("{page}: flags of commands that take hours"), move || {
            let folder = Folder::new(&root)?;
            long.iter().flat_map(|block| &block.commands).try_for_each(|command| folder.check_flags(command))
        }));
    }
    trials
}

fn trial_with_data(root: &Path, page: &str, block: Block) -> Trial {
    let found: Option<Vec<(String, PathBuf)>> =
        block.data.iter().map(|name| Some((format!("data/{name}"), public_data::find(name)?))).collect();
    let name = format!("{page}:{}: commands with {}", block.line, block.data.join(", "));
    let (root, missing) = (root.to_owned(), found.is_none());
    let run = move || run_all(&root, &[block], &found.unwrap_or_default());
    Trial::test(name, run).with_ignored_flag(missing)
}

fn run_all(root: &Path, blocks: &[Block], data: &[(String, PathBuf)]) -> Result<(), Failed> {
    let folder = Folder::new(root)?;
    for (name, path) in data {
        folder.link(name, path)?;
    }
    let problems: Vec<String> = blocks
        .iter()
        .flat_map(|block| &block.commands)
        .filter_map(|command| folder.run(command).err())
        .map(|problem| problem.message().unwrap_or_default().to_owned())
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n\n").into()) }
}

fn links_of_page(root: &Path, page: &str, text: String) -> Trial {
    let path = root.join(page);
    Trial::test(format!("{page}: links"), move || {
        let problems = links::broken(&path, &text);
        if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
    })
}
