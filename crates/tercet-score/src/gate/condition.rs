//! What fails a gate, as text: `bleu < 35`, `chrf(new) < chrf(old) p<0.05`.
//!
//! ```text
//! condition = metric [ "(" system ")" ] ( "<" | "<=" | ">" | ">=" ) limit
//! limit     = number
//!           | metric "(" system ")" [ ( "+" | "-" ) number ]
//!           | metric "(" system ")" "p" "<" number
//! ```
//!
//! A metric without a system stands for every system, except the one of the limit. Both sides have the same metric. The
//! name of a system that has a bracket is in double quotes. With `p`, the condition holds only if the paired test of
//! the two systems has a smaller p-value, too.

use crate::error::{Error, Result};
use std::fmt::{self, Display, Formatter};

/// A condition: the gate fails where it holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    /// The metric, as it was written.
    pub(super) metric: String,
    /// The system; every one if there is none.
    pub(super) system: Option<String>,
    pub(super) relation: Relation,
    pub(super) limit: Limit,
}

/// How a score is compared with the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// What a score is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Limit {
    Number(f64),
    /// The score of this system plus a number.
    System {
        name: String,
        offset: f64,
        /// The largest p-value, exclusive.
        alpha: Option<f64>,
    },
}

impl Relation {
    const ALL: [(&'static str, Relation); 4] = [
        ("<=", Relation::LessOrEqual),
        (">=", Relation::GreaterOrEqual),
        ("<", Relation::Less),
        (">", Relation::Greater),
    ];

    pub(super) fn holds(self, score: f64, limit: f64) -> bool {
        match self {
            Relation::Less => score < limit,
            Relation::LessOrEqual => score <= limit,
            Relation::Greater => score > limit,
            Relation::GreaterOrEqual => score >= limit,
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Condition {
    /// Reads a condition. The error says at which character something else was expected.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parser = Parser { text, at: 0 };
        let metric = parser.metric("the name of a metric")?.to_owned();
        let system = parser.system()?;
        let relation = parser.relation()?;
        let limit = parser.limit(&metric)?;
        parser.end()?;
        Ok(Condition { text: text.trim().to_owned(), metric, system, relation, limit })
    }

    /// The system that others are compared with.
    pub(super) fn baseline(&self) -> Option<&str> {
        match &self.limit {
            Limit::Number(_) => None,
            Limit::System { name, .. } => Some(name),
        }
    }

    /// The largest p-value, exclusive, if there is a test.
    pub(super) fn alpha(&self) -> Option<f64> {
        match self.limit {
            Limit::System { alpha, .. } => alpha,
            Limit::Number(_) => None,
        }
    }
}

struct Parser<'a> {
    text: &'a str,
    /// The byte up to which it was read.
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn expected<T>(&self, expected: &'static str) -> Result<T> {
        let at = self.text[..self.at].chars().count();
        Err(Error::BadCondition { condition: self.text.to_owned(), at, expected })
    }

    /// Reads these characters, if they come next.
    fn take(&mut self, word: &str) -> bool {
        self.skip_spaces();
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    /// Characters up to a space, a bracket or a relation.
    fn metric(&mut self, expected: &'static str) -> Result<&'a str> {
        self.skip_spaces();
        match self.rest().starts_with(char::is_alphabetic) {
            true => Ok(self.text_to(|c| c.is_whitespace() || "()<>".contains(c))),
            false => self.expected(expected),
        }
    }

    fn system(&mut self) -> Result<Option<String>> {
        if !self.take("(") {
            return Ok(None);
        }
        let name = match self.take("\"") {
            true => self.quoted()?,
            false => self.text_to(|c| "()<>\"".contains(c)).trim(),
        };
        if name.is_empty() {
            return self.expected("the name of a system");
        }
        match self.take(")") {
            true => Ok(Some(name.to_owned())),
            false => self.expected(") after the name of a system"),
        }
    }

    fn quoted(&mut self) -> Result<&'a str> {
        let name = self.text_to(|c| c == '"');
        match self.take("\"") {
            true => Ok(name),
            false => self.expected("the closing \" of the name of a system"),
        }
    }

    /// The text up to such a character.
    fn text_to(&mut self, is_end: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(is_end).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn relation(&mut self) -> Result<Relation> {
        match Relation::ALL.into_iter().find(|(word, _)| self.take(word)) {
            Some((_, relation)) => Ok(relation),
            None => self.expected("<, <=, > or >="),
        }
    }

    fn limit(&mut self, metric: &str) -> Result<Limit> {
        self.skip_spaces();
        let start = self.at;
        if !self.rest().starts_with(char::is_alphabetic) {
            return self.number("a number, or the metric of a system, as in chrf(old)").map(Limit::Number);
        }
        if self.metric("the name of a metric")? != metric {
            self.at = start;
            return self.expected("a number, or the metric of the left side");
        }
        let Some(name) = self.system()? else { return self.expected("a system in brackets, as in chrf(old)") };
        let offset = if self.take("+") {
            self.number("a number after +")?
        } else if self.take("-") {
            -self.number("a number after -")?
        } else {
            let alpha = self.alpha()?;
            return Ok(Limit::System { name, offset: 0.0, alpha });
        };
        self.skip_spaces();
        match self.rest().starts_with('p') {
            true => self.expected("the end: a test is of the whole difference (no_worse_than has a margin)"),
            false => Ok(Limit::System { name, offset, alpha: None }),
        }
    }

    fn alpha(&mut self) -> Result<Option<f64>> {
        if !self.take("p") {
            return Ok(None);
        }
        if !self.take("<") {
            return self.expected("< after p");
        }
        self.skip_spaces();
        let start = self.at;
        let alpha = self.number("a probability after p<")?;
        if alpha > 0.0 && alpha < 1.0 {
            return Ok(Some(alpha));
        }
        self.at = start;
        self.expected("a probability between 0 and 1")
    }

    fn number(&mut self, expected: &'static str) -> Result<f64> {
        self.skip_spaces();
        let rest = self.rest();
        let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(rest.len());
        match rest[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.at += length;
                Ok(number)
            }
            _ => self.expected(expected),
        }
    }

    fn end(&mut self) -> Result<()> {
        self.skip_spaces();
        match self.rest().is_empty() {
            true => Ok(()),
            false => self.expected("the end"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> Condition {
        Condition::parse(text).unwrap()
    }

    fn error(text: &str) -> String {
        Condition::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn thresholds_are_numbers() {
        let found = parse("bleu:tok=zh,smooth=exp<=-3.5e1");
        assert_eq!((found.metric.as_str(), &found.system), ("bleu:tok=zh,smooth=exp", &None));
        assert_eq!((found.relation, found.limit), (Relation::LessOrEqual, Limit::Number(-35.0)));
        assert_eq!(parse(" chrf++ ( out/a.txt ) > 3 ").system.as_deref(), Some("out/a.txt"));
        assert_eq!(parse("ter(\"a (b)\")>=3").system.as_deref(), Some("a (b)"));
    }

    #[test]
    fn limits_are_scores_of_systems() {
        let limit = |offset, alpha| Limit::System { name: "old".to_owned(), offset, alpha };
        assert_eq!(parse("chrf(new)<chrf(old)p<0.05").limit, limit(0.0, Some(0.05)));
        assert_eq!(parse("chrf < chrf(old) p < .01").limit, limit(0.0, Some(0.01)));
        assert_eq!(parse("chrf < chrf(old)-0.5").limit, limit(-0.5, None));
        assert_eq!(parse("ter > ter(old) + 2").limit, limit(2.0, None));
    }

    #[test]
    fn errors_point_at_the_place() {
        let cases = [
            ("", "at the end, expected the name of a metric"),
            ("35 > bleu", "at character 1, `35 > bleu`, expected the name of a metric"),
            ("bleu", "at the end, expected <, <=, > or >="),
            ("bleu = 35", "at character 6, `= 35`, expected <, <=, > or >="),
            ("bleu < x35", "at character 8, `x35`, expected a number, or the metric of the left side"),
            ("bleu < 35 points", "at character 11, `points`, expected the end"),
            ("bleu < 35 p<0.05", "at character 11, `p<0.05`, expected the end"),
            ("chrf < chrf", "at the end, expected a system in brackets, as in chrf(old)"),
            ("chrf(a < 3", "at character 8, `< 3`, expected ) after the name of a system"),
            ("chrf(\"a) < 3", "at the end, expected the closing \" of the name of a system"),
            ("chrf() < 3", "at character 6, `) < 3`, expected the name of a system"),
            ("chrf < chrf(é) p<5", "at character 18, `5`, expected a probability between 0 and 1"),
            ("chrf < chrf(a) p=5", "at character 17, `=5`, expected < after p"),
            ("chrf < inf", "at character 8, `inf`, expected a number, or the metric of the left side"),
            ("chrf < chrf(a) - x", "at character 18, `x`, expected a number after -"),
        ];
        for (text, problem) in cases {
            assert_eq!(error(text), format!("`{text}` is not a condition: {problem}"));
        }
        assert!(error("chrf < chrf(a) - 1 p<0.05").contains("no_worse_than has a margin"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[a-zé(\"<>=+p0-9. -]{0,30}") {
            if let Ok(condition) = Condition::parse(&text) {
                prop_assert_eq!(Condition::parse(&condition.to_string()).unwrap(), condition);
            }
        }
    }
}
