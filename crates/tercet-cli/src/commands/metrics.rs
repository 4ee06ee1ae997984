//! `tercet metrics`: what there is, and what each metric takes.

use crate::args::{ListFormat, MetricsArgs};
use crate::output;
use serde_json::json;
use tercet::metrics::{METRICS, MetricInfo};

/// Lists all metrics, or one with its options.
pub fn run(args: &MetricsArgs) -> anyhow::Result<()> {
    let chosen: Vec<&MetricInfo> = match &args.name {
        Some(name) => {
            // Those that need a model are known by name; all others are built, for the library words the error.
            let known = METRICS.iter().find(|info| info.needs.is_some() && info.name == name.as_str());
            let metric = match known {
                Some(info) => info.name.to_owned(),
                None => tercet::metrics::build(name)?.signature().metric().to_owned(),
            };
            METRICS.iter().copied().filter(|info| info.name == metric).collect()
        }
        None => METRICS.to_vec(),
    };
    output::print(&match (args.format, &args.name) {
        (ListFormat::Json, _) => {
            format!("{:#}\n", chosen.iter().map(|info| as_json(info)).collect::<serde_json::Value>())
        }
        (ListFormat::Markdown, _) => as_markdown(&chosen),
        (ListFormat::Text, None) => as_list(&chosen),
        (ListFormat::Text, Some(_)) => chosen.iter().map(|info| with_options(info)).collect(),
    })
}

fn as_list(metrics: &[&MetricInfo]) -> String {
    let lines =
        metrics.iter().map(|info| format!("{:<10} {} ({})\n", info.name, info.summary, info.citation));
    let list: String = lines.collect();
    format!("{list}\n`tercet metrics NAME` shows the options of one.\n")
}

fn with_options(info: &MetricInfo) -> String {
    let mut text =
        format!("{}: {}\n{}; equal to {}\n", info.name, info.summary, info.citation, info.agrees_with);
    for (alias, stands_for) in info.aliases {
        text.push_str(&format!("`{alias}` stands for {stands_for}\n"));
    }
    text.push_str("\noptions:\n");
    for option in info.options {
        let (key, values) = (option.key, option.values.expected());
        let default = match info.needs == Some(key) {
            true => "must be given".to_owned(),
            false => format!("default {}", option.default),
        };
        text.push_str(&format!("  {key:<16} {}\n{:19}{values}; {default}\n", option.help, ""));
    }
    text
}

fn as_markdown(metrics: &[&MetricInfo]) -> String {
    let mut table =
        String::from("| metric | what it measures | whose | equal to | options |\n|---|---|---|---|---|\n");
    for info in metrics {
        let options: Vec<String> = info.options.iter().map(|option| format!("`{}`", option.key)).collect();
        table.push_str(&format!(
            "| `{}` | {} | {} | {} | {} |\n",
            info.name,
            info.summary,
            info.citation,
            info.agrees_with,
            options.join(" ")
        ));
    }
    table
}

fn as_json(info: &MetricInfo) -> serde_json::Value {
    let options = info.options.iter().map(|option| {
        json!({"key": option.key, "values": option.values.expected(), "default": option.default, "help": option.help})
    });
    json!({
        "name": info.name,
        "summary": info.summary,
        "citation": info.citation,
        "agrees_with": info.agrees_with,
        "needs": info.needs,
        "aliases": info.aliases.iter().map(|(alias, _)| *alias).collect::<Vec<_>>(),
        "options": options.collect::<Vec<_>>(),
    })
}
