//! Lists of metrics and of options as JSON.

use serde_json::{Value, json};
use tercet_base::spec::OptionInfo;
use tercet_metrics::MetricInfo;

/// Options: an array of objects.
pub fn option_list(options: &[OptionInfo]) -> Value {
    let option = |option: &OptionInfo| {
        let values = option.values.expected();
        json!({"key": option.key, "values": values, "default": option.default, "help": option.help})
    };
    options.iter().map(option).collect()
}

/// Metrics with their options: an array of objects.
pub fn write_metric_list(metrics: &[&MetricInfo]) -> String {
    let metric = |info: &&MetricInfo| {
        json!({
            "name": info.name,
            "summary": info.summary,
            "citation": info.citation,
            "agrees_with": info.agrees_with,
            "needs": info.needs,
            "aliases": info.aliases.iter().map(|(alias, _)| *alias).collect::<Value>(),
            "options": option_list(info.options),
        })
    };
    format!("{:#}\n", metrics.iter().map(metric).collect::<Value>())
}
