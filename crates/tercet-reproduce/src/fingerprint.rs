//! The hash of all that a language pair of a set holds.
//!
//! Metrics weigh n-grams by all references, and systems are scored by rankings with their ties: what is not in the
//! pairs that networks see decides digits too. Every text goes in after its length, every list after its count, what is
//! missing as another byte than what is there, so that no two sets are written alike.

use sha2::{Digest, Sha256};
use tercet::corpora::{Comparison, Judgements, Level, Outcome, Ranking, Texts};
use tercet::files::hexadecimal;

/// The first 16 digits of the SHA-256 of judgements and texts.
pub(super) fn fingerprint(judgements: &Judgements) -> String {
    let mut written = Written(Sha256::new());
    written.texts_of([&judgements.set, &judgements.pair]);
    written.texts_of(&judgements.systems);
    written.texts_of(&judgements.segments);
    written.optional(judgements.documents.as_ref(), |written, documents| written.texts_of(documents));
    written.optional(judgements.texts.as_ref(), Written::texts);
    written.list(&judgements.rankings, Written::ranking);
    written.list(&judgements.comparisons, Written::comparison);
    written.list(&judgements.scores, |written, scores| {
        written.named(&scores.name, scores.level);
        written.number(u64::from(scores.higher_is_better));
        written.values(&scores.values);
    });
    written.list(&judgements.metric_scores, |written, scores| {
        written.named(&scores.metric, scores.level);
        written.texts_of(&scores.systems);
        written.values(&scores.values);
    });
    hexadecimal(&written.0.finalize()[..8])
}

/// What has been written so far.
struct Written(Sha256);

impl Written {
    fn number(&mut self, number: u64) {
        self.0.update(number.to_le_bytes());
    }

    fn text(&mut self, text: &String) {
        self.number(text.len() as u64);
        self.0.update(text);
    }

    fn list<'a, T: 'a, I>(&mut self, items: I, mut write: impl FnMut(&mut Self, &'a T))
    where
        I: IntoIterator<Item = &'a T, IntoIter: ExactSizeIterator>,
    {
        let items = items.into_iter();
        self.number(items.len() as u64);
        items.for_each(|item| write(self, item));
    }

    fn texts_of<'a>(&mut self, texts: impl IntoIterator<Item = &'a String, IntoIter: ExactSizeIterator>) {
        self.list(texts, Written::text);
    }

    fn optional<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) {
        self.0.update([u8::from(value.is_some())]);
        if let Some(value) = value {
            write(self, value);
        }
    }

    fn lines(&mut self, lines: &Vec<Option<String>>) {
        self.list(lines, |written, line| written.optional(line.as_ref(), Written::text));
    }

    fn texts(&mut self, texts: &Texts) {
        self.optional(texts.sources.as_ref(), |written, sources| written.texts_of(sources));
        self.list(&texts.references, |written, reference| {
            written.text(&reference.name);
            written.lines(&reference.lines);
        });
        self.list(&texts.outputs, Written::lines);
    }

    fn ranking(&mut self, ranking: &Ranking) {
        self.number(ranking.segment as u64);
        self.text(&ranking.judge);
        self.list(&ranking.outputs, |written, output| {
            written.number(output.system as u64);
            written.number(u64::from(output.group));
            written.optional(output.rank, |written, rank| written.number(u64::from(rank)));
        });
    }

    fn comparison(&mut self, comparison: &Comparison) {
        for number in [comparison.segment, comparison.first, comparison.second] {
            self.number(number as u64);
        }
        self.number(match comparison.outcome {
            Outcome::First => 1,
            Outcome::Tie => 0,
            Outcome::Second => 2,
        });
    }

    fn named(&mut self, name: &String, level: Level) {
        self.text(name);
        self.text(&level.code().to_owned());
    }

    fn values(&mut self, values: &[Vec<Option<f64>>]) {
        self.list(values, |written, items| {
            written.list(items, |written, value| {
                written.optional(*value, |written, value| written.number(value.to_bits()));
            });
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tercet::corpora::{HumanScores, RankedOutput, Reference};

    fn judgements() -> Judgements {
        let output = |system, rank| RankedOutput { system, group: system as u32, rank };
        let line = |text: &str| Some(text.to_owned());
        Judgements {
            systems: vec!["x".to_owned(), "y".to_owned()],
            segments: vec!["1".to_owned(), "2".to_owned()],
            texts: Some(Texts {
                sources: None,
                references: vec![Reference { name: String::new(), lines: vec![line("r1"), line("r2")] }],
                outputs: vec![vec![line("a"), None], vec![line("b"), None]],
            }),
            rankings: vec![Ranking {
                segment: 0,
                judge: "j".to_owned(),
                outputs: vec![output(0, Some(1)), output(1, Some(1))],
            }],
            comparisons: vec![Comparison { segment: 0, first: 0, second: 1, outcome: Outcome::Tie }],
            scores: vec![HumanScores {
                name: "z".to_owned(),
                level: Level::Segment,
                higher_is_better: true,
                values: vec![vec![Some(0.5), None]; 2],
            }],
            ..Judgements::default()
        }
    }

    fn texts(judgements: &mut Judgements) -> &mut Texts {
        judgements.texts.as_mut().unwrap()
    }

    #[test]
    fn whatever_is_changed_in_a_set_changes_its_hash() {
        let changes: [fn(&mut Judgements); 11] = [
            |_| {},
            |set| texts(set).references[0].lines[1] = Some("r3".to_owned()),
            |set| texts(set).references[0].lines[1] = None,
            |set| texts(set).references.push(Reference::default()),
            |set| texts(set).outputs[1][1] = Some("c".to_owned()),
            |set| texts(set).sources = Some(Vec::new()),
            |set| set.comparisons.clear(),
            |set| set.comparisons[0].outcome = Outcome::First,
            |set| set.rankings[0].outputs[1].rank = None,
            |set| set.scores[0].values[1][0] = Some(0.25),
            |set| set.systems = vec!["xy".to_owned(), String::new()],
        ];
        let hash = |change: &fn(&mut Judgements)| {
            let mut changed = judgements();
            change(&mut changed);
            fingerprint(&changed)
        };
        let mut hashes: Vec<String> = changes.iter().map(hash).collect();
        assert_eq!(hashes[0], fingerprint(&judgements()));
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), changes.len());
    }
}
