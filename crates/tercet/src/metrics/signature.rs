//! What a score is: the metric, every option that can change a digit, and the tool's version.
//!
//! Written `bleu:tok=13a,smooth=exp|refs=1|tercet=0.1.0`. The part before the first bar is the metric as the command
//! takes it, so a signature can be handed back to `-m` and gives the metric that printed it.

use std::fmt;

/// Identifies a score. See the module's page for the written form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    metric: String,
    options: Vec<(String, String)>,
    circumstances: Vec<(String, String)>,
}

impl Signature {
    /// The signature of a metric with these options, each as its option key and value.
    pub fn new(metric: &str, options: Vec<(String, String)>) -> Self {
        Signature { metric: metric.to_owned(), options, circumstances: Vec::new() }
    }

    /// Adds something that is not an option of the metric yet belongs to the score: the number of references,
    /// the seed of a test.
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.circumstances.push((key.to_owned(), value.to_string()));
        self
    }

    /// Whether something of this key was added.
    pub fn has(&self, key: &str) -> bool {
        self.circumstance(key).is_some()
    }

    /// What was added under a key.
    pub fn circumstance(&self, key: &str) -> Option<&str> {
        self.circumstances.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The metric's name.
    pub fn metric(&self) -> &str {
        &self.metric
    }

    /// The value of an option, by its key.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The part that builds the metric again: `name:key=value,key=value`.
    pub fn metric_with_options(&self) -> String {
        let options: Vec<String> = self.options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        if options.is_empty() {
            self.metric.clone()
        } else {
            format!("{}:{}", self.metric, options.join(","))
        }
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.metric_with_options())?;
        for (key, value) in &self.circumstances {
            write!(f, "|{key}={value}")?;
        }
        write!(f, "|tercet={}", env!("CARGO_PKG_VERSION"))
    }
}
