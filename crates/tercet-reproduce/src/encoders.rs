//! Sentence encoders that are given, by the name of their row.

use tercet::Result;
use tercet::spec::Spec;

/// The metric that matches the tokens of a transformer, for an encoder that is one.
pub(crate) fn token_matching(encoder: &str) -> Result<Option<String>> {
    let spec = Spec::parse("encoder", encoder)?;
    if spec.name() != "transformer" {
        return Ok(None);
    }
    let options = spec.options().iter().filter(|(key, _)| ["model", "precision"].contains(&key.as_str()));
    let metric = options.fold(Spec::new("bertscore"), |metric, (key, value)| metric.with_option(key, value));
    Ok(Some(metric.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_transformers_match_tokens() {
        let matching = |encoder: &str| token_matching(encoder).unwrap();
        assert_eq!(matching("average:file=v.txt"), None);
        let encoder = "transformer:model=folder,unit=yes,precision=int8";
        assert_eq!(matching(encoder).as_deref(), Some("bertscore:model=folder,precision=int8"));
    }
}
