//! Checks the dependencies against `deny.toml`: licences, versions, sources.
//!
//! cargo-deny does the same and more, but takes many minutes to install, so it is used where it is installed already.
//! The check here needs nothing but cargo, and reads the same file, so that both follow the same rules.

use crate::step::{cargo, root, step, works};
use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use toml::de::{DeTable, DeValue};

/// Checks the dependencies of the workspace; returns what could not be checked.
pub fn check() -> Result<Option<String>> {
    println!("── dependencies: licences, versions and sources by deny.toml");
    let text = std::fs::read_to_string(root().join("deny.toml")).context("cannot read deny.toml")?;
    let rules = Rules::parse(&text)?;
    let output = cargo().args(["metadata", "--format-version", "1", "--locked", "--all-features"]).output()?;
    if !output.status.success() {
        bail!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr).trim_end());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = packages(&metadata)?;
    let mistakes = mistakes(&packages, &rules);
    if !mistakes.is_empty() {
        bail!("dependencies that deny.toml does not allow:\n  {}", mistakes.join("\n  "));
    }
    println!("── dependencies: {} passed\n", packages.len());
    by_cargo_deny()
}

/// Runs cargo-deny if it is installed. Advisories need a database from the network.
fn by_cargo_deny() -> Result<Option<String>> {
    if !works(cargo().args(["deny", "--version"])) {
        return Ok(Some("advisories: cargo deny is not installed (cargo install cargo-deny --locked)".to_owned()));
    }
    step("cargo deny", cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    if !works(cargo().args(["deny", "fetch", "db"])) {
        return Ok(Some("advisories: their database cannot be reached".to_owned()));
    }
    step("advisories", cargo().args(["deny", "check", "--disable-fetch", "advisories"]))?;
    Ok(None)
}

/// What `deny.toml` allows.
struct Rules {
    licences: BTreeSet<String>,
    /// Names and beginnings of versions of which there may be others.
    skipped: Vec<(String, String)>,
    registries: BTreeSet<String>,
}

/// What is checked of a dependency.
struct Package {
    name: String,
    version: String,
    licence: String,
    source: String,
}

impl Rules {
    fn parse(text: &str) -> Result<Self> {
        let file = DeTable::parse(text).map_err(|error| anyhow!("deny.toml: {error}"))?.into_inner();
        let list = |table: &str, key: &str| -> Result<Vec<DeValue<'_>>> {
            let found = file.get(table).and_then(|table| table.get_ref().get(key)?.get_ref().as_array());
            let found = found.with_context(|| format!("deny.toml has no list {key} in [{table}]"))?;
            Ok(found.iter().map(|item| item.get_ref().clone()).collect())
        };
        let texts = |table: &str, key: &str| -> Result<BTreeSet<String>> {
            Ok(list(table, key)?.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect())
        };
        let skipped = list("bans", "skip")?
            .iter()
            .map(|item| {
                let named = item.get("crate").and_then(|named| named.get_ref().as_str()?.split_once('@'));
                let (name, version) = named.context("deny.toml: an entry of skip has no crate = \"NAME@VERSION\"")?;
                Ok((name.to_owned(), version.to_owned()))
            })
            .collect::<Result<_>>()?;
        Ok(Rules { licences: texts("licenses", "allow")?, skipped, registries: texts("sources", "allow-registry")? })
    }
}

/// The packages that do not belong to this checkout.
fn packages(metadata: &Value) -> Result<Vec<Package>> {
    let listed = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let package = |found: &Value| Package {
        name: text(found, "name"),
        version: text(found, "version"),
        licence: text(found, "license"),
        source: text(found, "source"),
    };
    Ok(listed.iter().filter(|found| !found["source"].is_null()).map(package).collect())
}

fn mistakes(packages: &[Package], rules: &Rules) -> Vec<String> {
    let mut found = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for Package { name, version, licence, source } in packages {
        if !is_satisfied(licence, &rules.licences) {
            found.push(format!("{name} {version} has the licence {licence:?}"));
        }
        if !source.strip_prefix("registry+").is_some_and(|registry| rules.registries.contains(registry)) {
            found.push(format!("{name} {version} comes from {source}"));
        }
        let is_skipped = |(skipped, start): &(String, String)| skipped == name && version.starts_with(start.as_str());
        if !rules.skipped.iter().any(is_skipped) {
            versions.entry(name).or_default().push(version);
        }
    }
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        found.push(format!("{name} has {} versions: {}", versions.len(), versions.join(", ")));
    }
    found
}

/// Whether the allowed licences satisfy an expression of SPDX, or one with `/` for `OR`: brackets, innermost first, are
/// replaced by a licence that is allowed or by one that is not.
fn is_satisfied(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let any = |expression: &str| {
        expression
            .split(" OR ")
            .any(|all| all.split(" AND ").map(str::trim).all(|licence| licence == YES || allowed.contains(licence)))
    };
    let mut expression = expression.replace('/', " OR ");
    while let Some(close) = expression.find(')') {
        let Some(open) = expression[..close].rfind('(') else { return false };
        let inner = if any(&expression[open + 1..close]) { YES } else { "no" };
        expression.replace_range(open..=close, inner);
    }
    any(&expression)
}

const YES: &str = "yes";

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "licenses.allow = [\"MIT\", \"Zlib\"]\nsources.allow-registry = [\"https://crates\"]\n\
                         bans.skip = [{ crate = \"old@1.2\", reason = \"x\" }]\n";

    fn package(name: &str, version: &str, licence: &str) -> Package {
        let [name, version, licence] = [name, version, licence].map(str::to_owned);
        Package { name, version, licence, source: "registry+https://crates".to_owned() }
    }

    #[test]
    fn licence_expressions_are_allowed_by_their_parts() {
        let allowed = Rules::parse(RULES).unwrap().licences;
        for expression in
            ["MIT", "MIT OR GPL-3.0", "GPL-3.0/MIT", "(GPL-3.0 OR MIT) AND Zlib", "A WITH B OR MIT", "A AND B OR Zlib"]
        {
            assert!(is_satisfied(expression, &allowed), "{expression}");
        }
        for expression in ["", "GPL-3.0", "MIT AND GPL-3.0", "MIT WITH x", "(MIT", "MIT)", "MIT Zlib", "A OR B AND MIT"]
        {
            assert!(!is_satisfied(expression, &allowed), "{expression}");
        }
    }

    #[test]
    fn two_versions_need_a_reason() {
        let rules = Rules::parse(RULES).unwrap();
        let twice = [package("a", "1.0.0", "MIT"), package("a", "2.0.0", "MIT")];
        assert_eq!(mistakes(&twice, &rules), ["a has 2 versions: 1.0.0, 2.0.0"]);
        let known = [package("old", "1.2.9", "MIT"), package("old", "2.0.0", "MIT")];
        assert!(mistakes(&known, &rules).is_empty());
    }

    #[test]
    fn other_licences_and_sources_are_mistakes() {
        let rules = Rules::parse(RULES).unwrap();
        let mut foreign = package("b", "1.0.0", "AGPL-3.0");
        foreign.source = "git+https://example.org/b".to_owned();
        assert_eq!(
            mistakes(&[foreign], &rules),
            ["b 1.0.0 has the licence \"AGPL-3.0\"", "b 1.0.0 comes from git+https://example.org/b"]
        );
    }
}
