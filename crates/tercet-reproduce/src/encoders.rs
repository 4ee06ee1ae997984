//! Sentence encoders that are given, by the name of their row.

use tercet::spec::Spec;
use tercet::{Error, Result};

/// Returns an error if two have the same name.
pub(crate) fn check_names(encoders: &[(String, String)]) -> Result<()> {
    for (place, (name, _)) in encoders.iter().enumerate() {
        if encoders[..place].iter().any(|(earlier, _)| earlier == name) {
            return Err(Error::BadRequest(format!("there are two encoders called {name}")));
        }
    }
    Ok(())
}

/// The metric that matches the tokens of a transformer, for an encoder that is one.
pub(crate) fn token_matching(encoder: &str) -> Result<Option<String>> {
    let spec = Spec::parse("encoder", encoder)?;
    if spec.name() != "transformer" {
        return Ok(None);
    }
    let options = spec.options().iter().filter(|(key, _)| ["model", "precision"].contains(&key.as_str()));
    let options: Vec<String> = options.map(|(key, value)| format!("{key}={value}")).collect();
    Ok(Some(format!("bertscore:{}", options.join(","))))
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
