//! `examples/fetch-data.sh`, tried with copies of the files instead of the network.

use crate::public_data;
use libtest_mimic::{Failed, Trial};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A set whose files are in the shared folder as the script fetches them.
const SET: &str = "da-wmt16";

pub fn trials(root: &Path) -> Vec<Trial> {
    let no_curl = Command::new("curl").arg("--version").output().is_err();
    let (examples, other) = (root.join("examples"), root.join("examples"));
    let shared = public_data::find(SET);
    let missing = shared.is_none();
    vec![
        Trial::test("examples/fetch-data.sh: a file with another sum is refused", move || refuses(&examples))
            .with_ignored_flag(no_curl),
        Trial::test(format!("examples/fetch-data.sh: fetches {SET}"), move || {
            fetches(&other, &shared.unwrap_or_default())
        })
        .with_ignored_flag(no_curl || missing),
    ]
}

fn refuses(examples: &Path) -> Result<(), Failed> {
    let copies = Copies::new(examples, |_| b"not the file".to_vec())?;
    let output = copies.fetch(examples)?;
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() != Some(1) || !message.contains("has another SHA-256 sum") {
        return Err(format!("{:?}: {message}", output.status).into());
    }
    let left = fs::read_dir(copies.folder.path().join("data").join(SET))?.count();
    if left == 0 { Ok(()) } else { Err(format!("{left} files are left").into()) }
}

fn fetches(examples: &Path, shared: &Path) -> Result<(), Failed> {
    let copies = Copies::new(examples, |file| fs::read(shared.join(file)).unwrap())?;
    let output = copies.fetch(examples)?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    for (file, _) in &copies.files {
        let fetched = fs::read(copies.folder.path().join("data").join(SET).join(file))?;
        if fetched != fs::read(shared.join(file))? {
            return Err(format!("{file} is not the file that was fetched").into());
        }
    }
    Ok(())
}

/// A folder with a copy of each file under its address.
struct Copies {
    folder: tempfile::TempDir,
    /// Names and addresses.
    files: Vec<(String, String)>,
}

impl Copies {
    fn new(examples: &Path, content: impl Fn(&str) -> Vec<u8>) -> Result<Copies, Failed> {
        let folder = tempfile::tempdir()?;
        let table = fs::read_to_string(examples.join("data-sets.tsv"))?;
        let rows = table.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|row| row[0] == SET);
        let files: Vec<(String, String)> = rows.map(|row| (row[2].to_owned(), row[3].to_owned())).collect();
        for (file, address) in &files {
            let path: PathBuf = folder.path().join("copies").join(address.strip_prefix("https://").unwrap());
            fs::create_dir_all(path.parent().unwrap())?;
            fs::write(path, content(file))?;
        }
        Ok(Copies { folder, files })
    }

    fn fetch(&self, examples: &Path) -> Result<Output, Failed> {
        let mut script = Command::new("sh");
        script.arg(examples.join("fetch-data.sh")).args(["--from", "copies", SET]);
        Ok(script.current_dir(self.folder.path()).output()?)
    }
}
