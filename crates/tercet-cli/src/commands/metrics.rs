//! `tercet metrics` and `tercet encoders`: lists of metrics and encoders, with their options.

use crate::args::{ListArgs, ListFormat};
use crate::habits;
use crate::output;
use serde_json::{Value, json};
#[cfg(feature = "learned")]
use tercet::encode::{self, EncoderInfo, Encoders};
use tercet::metrics::MetricInfo;
use tercet::metrics::Registry;
use tercet::report::{option_list, write_metric_list};
use tercet::spec::OptionInfo;

/// Lists all metrics, or one with its options.
pub fn run_metrics(args: &ListArgs, registry: &Registry) -> anyhow::Result<()> {
    let chosen = match &args.name {
        Some(name) => {
            vec![registry.find(name).map_err(|error| habits::metrics::explain(name, error, registry))?]
        }
        None => registry.metrics().to_vec(),
    };
    match args.format {
        ListFormat::Json => output::print(&write_metric_list(&chosen)),
        _ => list(args, "metric", &chosen.into_iter().map(Entry::from).collect::<Vec<_>>()),
    }
}

#[cfg(feature = "learned")]
/// Lists all encoders, or one with its options.
pub fn run_encoders(args: &ListArgs, registry: &Registry) -> anyhow::Result<()> {
    let chosen = match &args.name {
        Some(name) => vec![encode::find(name, registry.context())?],
        None => registry.context().shared::<Encoders>().all().to_vec(),
    };
    list(args, "encoder", &chosen.into_iter().map(Entry::from).collect::<Vec<_>>())
}

/// A metric or an encoder.
struct Entry {
    name: &'static str,
    summary: &'static str,
    citation: &'static str,
    agrees_with: Option<&'static str>,
    aliases: &'static [(&'static str, &'static str)],
    options: &'static [OptionInfo],
    needs: Option<&'static str>,
}

impl From<&MetricInfo> for Entry {
    fn from(info: &MetricInfo) -> Self {
        Entry {
            name: info.name,
            summary: info.summary,
            citation: info.citation,
            agrees_with: Some(info.agrees_with),
            aliases: info.aliases,
            options: info.options,
            needs: info.needs,
        }
    }
}

#[cfg(feature = "learned")]
impl From<&EncoderInfo> for Entry {
    fn from(info: &EncoderInfo) -> Self {
        Entry {
            name: info.name,
            summary: info.summary,
            citation: info.citation,
            agrees_with: None,
            aliases: &[],
            options: info.options,
            needs: info.needs,
        }
    }
}

fn list(args: &ListArgs, what: &str, entries: &[Entry]) -> anyhow::Result<()> {
    output::print(&match (args.format, &args.name) {
        (ListFormat::Json, _) => format!("{:#}\n", entries.iter().map(Entry::as_json).collect::<Value>()),
        (ListFormat::Markdown, _) => as_markdown(what, entries),
        (ListFormat::Text, None) => {
            let width = entries.iter().map(|entry| entry.name.len()).max().unwrap_or_default().max(10);
            let lines: String = entries.iter().map(|entry| entry.line(width)).collect();
            format!("{lines}\n`tercet {what}s NAME` shows the options of one.\n")
        }
        (ListFormat::Text, Some(_)) => {
            let in_recipe = |entry: &Entry| if what == "encoder" { entry.in_recipe() } else { String::new() };
            entries.iter().map(|entry| entry.with_options() + &in_recipe(entry)).collect()
        }
    })
}

fn as_markdown(what: &str, entries: &[Entry]) -> String {
    let mut table = match what {
        "metric" => String::from("| metric | what it measures | whose | equal to | options |\n|---|---|---|---|---|\n"),
        _ => format!("| {what} | what it is | whose | options |\n|---|---|---|---|\n"),
    };
    for entry in entries {
        let options: Vec<String> = entry.options.iter().map(|option| format!("`{}`", option.key)).collect();
        let agrees = entry.agrees_with.map_or(String::new(), |tool| format!(" {tool} |"));
        let Entry { name, summary, citation, .. } = entry;
        table.push_str(&format!("| `{name}` | {summary} | {citation} |{agrees} {} |\n", options.join(" ")));
    }
    table
}

impl Entry {
    fn line(&self, width: usize) -> String {
        let whose = if self.citation.is_empty() { String::new() } else { format!(" ({})", self.citation) };
        format!("{:<width$} {}{whose}\n", self.name, self.summary)
    }

    fn with_options(&self) -> String {
        let facts = [Some(self.citation.to_owned()), self.agrees_with.map(|tool| format!("equal to {tool}"))];
        let facts: Vec<String> = facts.into_iter().flatten().filter(|fact| !fact.is_empty()).collect();
        let mut text = format!("{}: {}\n", self.name, self.summary);
        if !facts.is_empty() {
            text.push_str(&format!("{}\n", facts.join("; ")));
        }
        for (alias, stands_for) in self.aliases {
            text.push_str(&format!("`{alias}` stands for {stands_for}\n"));
        }
        text.push_str("\noptions:\n");
        for option in self.options {
            let (key, values) = (option.key, option.values.expected());
            let default = match self.needs == Some(key) {
                true => "must be given".to_owned(),
                false => format!("default {}", option.default),
            };
            text.push_str(&format!("  {key:<16} {}\n{:19}{values}; {default}\n", option.help, ""));
        }
        text
    }

    /// How an encoder is written in a recipe. A signature has hashes in place of files and cannot be written there.
    fn in_recipe(&self) -> String {
        let needed = self.needs.map_or(String::new(), |key| format!(":{key}=FILE"));
        format!("\nin a recipe:\n  encoders = [\"{}{needed}\"]\n", self.name)
    }

    fn as_json(&self) -> Value {
        let Entry { name, summary, citation, needs, options, .. } = self;
        json!({"name": name, "summary": summary, "citation": citation, "needs": needs, "options": option_list(options)})
    }
}
