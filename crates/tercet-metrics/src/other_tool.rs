//! Metrics that tercet does not have, by the names that people give: an unknown metric of such a name is no typing
//! error.

/// How the names of metrics of other tools start, in lower-case letters and digits, and how the tools are called.
const TOOLS: &[(&str, &str)] = &[
    ("comet", "COMET"),
    ("wmt22comet", "COMET"),
    ("wmt20comet", "COMET"),
    ("unbabel", "COMET"),
    ("wmt22cometkiwi", "CometKiwi"),
    ("wmt23cometkiwi", "CometKiwi"),
    ("xcomet", "xCOMET"),
    ("docomet", "COMET"),
    ("bleurt", "BLEURT"),
    ("bartscore", "BARTScore"),
    ("moverscore", "MoverScore"),
    ("metricx", "MetricX"),
    ("yisi", "YiSi"),
    ("gemba", "GEMBA"),
    ("prism", "Prism"),
    ("unite", "UniTE"),
    ("matese", "MaTESe"),
    ("sescore", "SEScore"),
    ("spice", "SPICE"),
    ("beer", "BEER"),
    ("hlepor", "hLEPOR"),
    ("sari", "SARI"),
    ("esim", "ESIM"),
];

/// The longest name that is looked at, in characters.
const MAX_LENGTH: usize = 40;

/// The tool that has a metric of this name, if it is one whose segment scores can be given to tercet.
pub fn other_tool(name: &str) -> Option<&'static str> {
    let plain: String = name.to_lowercase().chars().filter(char::is_ascii_alphanumeric).take(MAX_LENGTH).collect();
    TOOLS.iter().find(|(start, _)| plain.starts_with(start)).map(|(_, tool)| *tool)
}
