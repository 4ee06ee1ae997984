//! axe-core, which looks for what people with disabilities cannot use.

use super::driver::Browser;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file of axe-core, fetched by npm once; `None` without npm.
pub fn fetch(folder: &Path) -> Result<Option<PathBuf>> {
    let file = folder.join("package/axe.min.js");
    if file.is_file() {
        return Ok(Some(file));
    }
    let packed = Command::new("npm").args(["pack", "--silent", "axe-core"]).current_dir(folder).output();
    let Ok(packed) = packed else { return Ok(None) };
    if !packed.status.success() {
        bail!("npm pack axe-core failed: {}", String::from_utf8_lossy(&packed.stderr));
    }
    let name = String::from_utf8(packed.stdout)?;
    let unpacked = Command::new("tar").args(["xzf", name.trim()]).current_dir(folder).status()?;
    if !unpacked.success() || !file.is_file() {
        bail!("the package of axe-core has no axe.min.js");
    }
    Ok(Some(file))
}

/// Fails if the page in the browser has a serious or critical finding; returns the number of rules that passed.
pub fn check(browser: &Browser, axe: &Path) -> Result<usize> {
    browser.script(&fs::read_to_string(axe)?).context("axe-core does not run")?;
    let found = browser.script(
        "return axe.run(document, {resultTypes: ['violations']}).then((found) => ({
           passed: found.passes.length,
           bad: found.violations.filter((of) => ['serious', 'critical'].includes(of.impact))
             .map((of) => of.id + ': ' + of.help + ' at ' + of.nodes.slice(0, 3).map((node) => node.target + ' ' + node.failureSummary).join('; ')),
         }))",
    )?;
    match found["bad"].as_array() {
        Some(bad) if bad.is_empty() => Ok(found["passed"].as_u64().unwrap_or(0) as usize),
        Some(bad) => bail!("{}", bad.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")),
        None => bail!("no result: {found}"),
    }
}
