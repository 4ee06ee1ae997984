//! Qualifiers: which a spec may have, and which of a signature differ from those here.

use super::{Spec, VERSION};
use crate::error::{Error, Result};
use crate::nearest;

/// A qualifier of scores or tests, which any metric may have.
struct Qualifier {
    key: &'static str,
    can_be: fn(&str) -> bool,
    expected: &'static str,
}

const OF_SCORES: &[Qualifier] = &[
    Qualifier {
        key: "refs",
        can_be: |value| matches!(value, "0" | "var" | "mbr") || is_count(value),
        expected: "the number of references, var or mbr",
    },
    Qualifier { key: "src", can_be: |value| value == "yes", expected: "yes" },
    Qualifier { key: "bs", can_be: is_count, expected: "a number of resamples" },
    Qualifier { key: "ar", can_be: is_count, expected: "a number of trials" },
    Qualifier {
        key: "draws",
        can_be: |value| matches!(value, "poisson" | "documents"),
        expected: "poisson or documents",
    },
    Qualifier { key: "align", can_be: |value| !value.is_empty(), expected: "the version of the alignment" },
    Qualifier {
        key: "seed",
        can_be: |value| value.split(',').all(|seed| seed == "none" || seed.parse::<u64>().is_ok()),
        expected: "a whole number, or none",
    },
    Qualifier {
        key: "slope",
        can_be: |value| value.parse().is_ok_and(|slope: f64| slope.is_finite() && slope > 0.0),
        expected: "a number above 0",
    },
    Qualifier { key: VERSION, can_be: |value| !value.is_empty(), expected: "a version" },
];

fn is_count(value: &str) -> bool {
    value.parse::<usize>().is_ok_and(|count| count > 0)
}

/// A qualifier that a signature gives otherwise than it is here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its key: `refs`, `tercet`.
    pub key: &'static str,
    /// What the signature says.
    pub given: String,
    /// What it is here.
    pub here: String,
}

impl Spec {
    /// The qualifiers of scores and tests (number of references, resampling, version) that this spec, a signature of
    /// earlier scores, gives otherwise than the signature of the scores computed here. What one of them lacks is no
    /// difference.
    pub fn differences(&self, here: &Spec) -> Vec<Difference> {
        let difference = |of: &Qualifier| {
            let (given, here) = (self.qualifier(of.key)?, here.qualifier(of.key)?);
            let (given, here) = (given.to_owned(), here.to_owned());
            (given != here).then_some(Difference { key: of.key, given, here })
        };
        OF_SCORES.iter().filter_map(difference).collect()
    }

    /// Fails if a qualifier of this spec is unknown, impossible, or differs from the spec of what was built from it.
    pub fn check_qualifiers(&self, what: &'static str, built: &Spec) -> Result<()> {
        for (key, said) in &self.qualifiers {
            if let Some(reason) = refusal(key, said, built) {
                let text = self.without_qualifiers().to_string();
                // Of a qualifier that is other than the signature says, how it is written is not the problem.
                return Err(match built.qualifier(key) {
                    Some(_) => Error::BadRequest(format!("{text}: {reason}")),
                    None => Error::BadSpec { what, text, reason },
                });
            }
        }
        Ok(())
    }
}

/// Why a qualifier cannot hold for what was built.
fn refusal(key: &str, said: &str, built: &Spec) -> Option<String> {
    if let Some(found) = built.qualifier(key) {
        return (found != said).then(|| format!("the signature says {key}={said}, but here it is {found}"));
    }
    if let Some(known) = OF_SCORES.iter().find(|known| known.key == key) {
        return (!(known.can_be)(said)).then(|| format!("{key}={said}: expected {}", known.expected));
    }
    let own = built.qualifiers.iter().map(|(key, _)| key.as_str());
    let known: Vec<&str> = OF_SCORES.iter().map(|known| known.key).chain(own).collect();
    Some(match nearest(key, known.iter().copied()) {
        Some(nearest) => format!("`{key}` is unknown after the bar, did you mean `{nearest}`?"),
        None => {
            let known = known.join(", ");
            format!("the signature says {key}={said}, but here there is no {key} (known after the bar: {known})")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        Spec::parse("metric", text).unwrap()
    }

    fn refused(given: &str) -> Option<String> {
        let built = spec("x:a=1|model=5");
        spec(given).check_qualifiers("metric", &built).err().map(|error| error.to_string())
    }

    #[test]
    fn known_qualifiers_are_accepted() {
        for text in [
            "x",
            "x|model=5",
            "x|refs=2|bs=1000|ar=10|seed=none|tercet=9.9",
            "x|refs=var|seed=1,none",
            "x|refs=mbr",
            "x|refs=0|src=yes",
            "x|align=1|draws=documents",
        ] {
            assert_eq!(refused(text), None, "{text}");
        }
    }

    #[test]
    fn qualifiers_that_cannot_hold_are_refused() {
        let ends = " (write name:key=value,key=value)";
        let says = |given: &str| {
            let said = refused(given).unwrap();
            said.strip_prefix("cannot read the metric `x`: ").unwrap().strip_suffix(ends).unwrap().to_owned()
        };
        assert_eq!(says("x|slpe=0.1"), "`slpe` is unknown after the bar, did you mean `slope`?");
        assert_eq!(says("x|modl=5"), "`modl` is unknown after the bar, did you mean `model`?");
        let other = refused("x|model=6");
        assert_eq!(other.as_deref(), Some("x: the signature says model=6, but here it is 5"));
        assert_eq!(
            says("x|paraphrases=7"),
            "the signature says paraphrases=7, but here there is no paraphrases (known after the bar: refs, src, \
             bs, ar, draws, align, seed, slope, tercet, model)"
        );
        assert_eq!(says("x|refs=-1"), "refs=-1: expected the number of references, var or mbr");
        assert_eq!(says("x|seed=-1"), "seed=-1: expected a whole number, or none");
        assert_eq!(says("x|bs=many"), "bs=many: expected a number of resamples");
        assert_eq!(says("x|tercet="), "tercet=: expected a version");
    }

    #[test]
    fn other_references_and_versions_are_differences() {
        let here = spec("bleu:tok=13a|refs=1|seed=7|tercet=0.1.0");
        assert_eq!(spec("bleu|bs=10|refs=1").differences(&here), []);
        let found = spec("bleu|refs=2|bs=10|tercet=9.9").differences(&here);
        let shown: Vec<_> = found.iter().map(|of| (of.key, of.given.as_str(), of.here.as_str())).collect();
        assert_eq!(shown, [("refs", "2", "1"), ("tercet", "9.9", "0.1.0")]);
    }
}
