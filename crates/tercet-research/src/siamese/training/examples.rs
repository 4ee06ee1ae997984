//! Groups of texts as groups of numbers: every line is encoded by the model that the training starts with.

use super::data::TextGroup;
use crate::encode::LongLines;
use crate::error::Result;
use crate::progress::Progress;
use foldhash::HashMap;
use std::borrow::Cow;
use tercet_learn::networks::{Compared, FrozenLayers, GroupItem, Lines, RankedItems, ScoredItem, SiameseGroup};
use tercet_math::Matrix;
use tercet_neural::siamese::head::{Block, Way, matching, strings};
use tercet_neural::siamese::lines::LineVectors;
use tercet_neural::siamese::model::SiameseModel;
use tercet_transformer::TokenIds;

/// Rows of lines are kept until they need so many bytes; those of further lines are computed again in every epoch.
const MAX_CACHED_BYTES: usize = 1 << 30;

/// Groups whose vectors are held at once.
const CHUNK: usize = 16;

/// The lines of all groups.
#[derive(Debug, Default)]
pub(super) struct EncodedLines {
    numbers: HashMap<String, u32>,
    texts: Vec<String>,
    tokens: Vec<TokenIds>,
    /// The vectors of the lines, √width long.
    vectors: Vec<Vec<f32>>,
    /// Their rows after the layers that are not learned, while there is room; empty if they are not kept.
    rows: Vec<Vec<f32>>,
    /// The bytes of these rows.
    bytes: usize,
}

/// A group with the scores of the start.
#[derive(Debug)]
pub(super) struct EncodedGroup {
    pub group: SiameseGroup,
    /// Of each item.
    pub scores: Vec<f64>,
    /// The number of items that are translations; a copy of the reference comes after them.
    pub outputs: usize,
    /// The standardised scores of judged items.
    pub judged: Vec<(usize, f64)>,
}

/// How lines are encoded.
#[derive(Clone, Copy)]
pub(super) struct Encoding<'a> {
    pub model: &'a SiameseModel,
    /// Layers that are not learned.
    pub frozen: usize,
    /// The weight of learning that the reference itself is the best; 0: it is not learned.
    pub copies: f32,
    /// What translations are compared with.
    pub way: Way,
}

impl<'a> Encoding<'a> {
    /// The matrices of the head for each line with which translations are compared, and what their names begin with.
    pub fn blocks(self) -> Vec<(&'static str, &'a Block)> {
        let head = &self.model.head;
        let reference = (self.way != Way::Source).then_some(("head", &head.reference));
        let source = head.source.as_ref().filter(|_| self.way != Way::Reference);
        reference.into_iter().chain(source.map(|block| ("head.source", block))).collect()
    }

    /// The number of features of strings that a block has.
    pub fn strings(self, block: &Block) -> usize {
        block.strings.len() / self.model.head.hidden()
    }
}

impl EncodedLines {
    /// Adds the lines of groups. Groups and translations without words, or far too long, are left out.
    pub fn add(
        &mut self,
        texts: &[TextGroup],
        encoding: Encoding<'_>,
        progress: Progress<'_>,
    ) -> Result<Vec<EncodedGroup>> {
        let others = encoding.blocks().len();
        let count = texts.iter().map(|group| group.translations.len() + others).sum();
        progress.stage("encoding", count, "lines")?;
        let mut groups = Vec::new();
        for chunk in texts.chunks(CHUNK) {
            let lines: Vec<Vec<u32>> = chunk.iter().map(|group| self.numbered(group, encoding.model)).collect();
            let vectors = self.encode(&lines, encoding);
            for (texts, lines) in chunk.iter().zip(&lines) {
                groups.extend(encoded_group(texts, lines, &vectors, encoding));
            }
            progress.advance(lines.iter().map(Vec::len).sum())?;
        }
        Ok(groups)
    }

    /// The numbers of the lines of a group, those with which translations are compared first.
    fn numbered(&mut self, group: &TextGroup, model: &SiameseModel) -> Vec<u32> {
        let lines = group.others().chain(group.translations.iter().map(String::as_str));
        let mut number = |line: &str| {
            let next = self.tokens.len() as u32;
            *self.numbers.entry(line.to_owned()).or_insert_with(|| {
                self.tokens.push(model.tokens(line));
                self.texts.push(line.to_owned());
                next
            })
        };
        lines.map(&mut number).collect()
    }

    /// The vectors of the lines of some groups; keeps what the training needs.
    fn encode(&mut self, lines: &[Vec<u32>], encoding: Encoding<'_>) -> HashMap<u32, LineVectors> {
        let mut distinct: Vec<u32> = lines.iter().flatten().copied().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let tokens: Vec<TokenIds> = distinct.iter().map(|line| self.tokens[*line as usize].clone()).collect();
        let encoded = encoding.model.vectors_and_rows(&tokens, encoding.frozen);
        let is_needed = (1..encoding.model.encoder.config().layers).contains(&encoding.frozen);
        let mut found = HashMap::default();
        for (line, (mut vectors, rows)) in distinct.into_iter().zip(encoded) {
            if encoding.model.head.has_strings() {
                vectors.add_strings(&self.texts[line as usize], None);
            }
            if line as usize == self.vectors.len() {
                self.vectors.push(vectors.sentence.clone());
                self.bytes += if is_needed { 4 * rows.len() } else { 0 };
                self.rows.push(if is_needed && self.bytes <= MAX_CACHED_BYTES { rows } else { Vec::new() });
            }
            found.insert(line, vectors);
        }
        found
    }

    /// The lines that are longer than the window of a model, if there are any.
    pub fn long_lines(&self, model: &SiameseModel) -> Option<LongLines> {
        let count = self.tokens.iter().filter(|tokens| tokens.cut).count();
        (count > 0).then(|| LongLines { count, window: model.encoder.config().window })
    }

    /// Rows of lines, as the network wants them.
    pub fn frozen<'a>(&'a self, encoding: Encoding<'a>) -> FrozenRows<'a> {
        FrozenRows { lines: self, encoding }
    }

    /// What the network knows of the lines.
    pub fn for_network<'a>(&self, encoding: Encoding<'_>, frozen: &'a FrozenRows<'a>) -> Result<Lines<'a>> {
        Ok(match encoding.frozen {
            0 => Lines::Tokens(self.tokens.iter().map(|tokens| tokens.ids.clone()).collect()),
            layers if layers == encoding.model.encoder.config().layers => {
                Lines::Vectors(Matrix::from_rows(&self.vectors)?)
            }
            _ => Lines::Rows(frozen),
        })
    }
}

/// A group whose lines have these numbers and vectors; `None` if no judgement is left.
fn encoded_group(
    texts: &TextGroup,
    lines: &[u32],
    vectors: &HashMap<u32, LineVectors>,
    encoding: Encoding<'_>,
) -> Option<EncodedGroup> {
    let (model, blocks) = (encoding.model, encoding.blocks());
    let (others, translations) = lines.split_at(blocks.len());
    let compared: Vec<&LineVectors> = others.iter().map(|line| &vectors[line]).collect();
    let mut made = EncodedGroup {
        group: SiameseGroup { lines: others.to_vec(), ..SiameseGroup::default() },
        scores: Vec::new(),
        outputs: 0,
        judged: Vec::new(),
    };
    if compared.iter().any(|other| other.is_empty()) {
        return None;
    }
    let mut add = |line: u32| -> Option<usize> {
        let own = &vectors[&line];
        if own.is_empty() || compared.iter().any(|other| own.is_far_longer_than(other)) {
            return None;
        }
        let list = made.group.lines.iter().position(|known| *known == line).unwrap_or_else(|| {
            made.group.lines.push(line);
            made.group.lines.len() - 1
        });
        let with = |((_, block), other): (&(_, &Block), &&LineVectors)| Compared {
            matching: matching(own, other),
            strings: strings(own, other, encoding.strings(block)),
        };
        made.group.items.push(GroupItem { list, compared: blocks.iter().zip(&compared).map(with).collect() });
        let [by_reference, by_source] = match encoding.way {
            Way::Reference => [Some(compared[0]), None],
            Way::Source => [None, Some(compared[0])],
            Way::Both => [Some(compared[0]), Some(compared[1])],
        };
        made.scores.push(model.head.score(own, by_reference, by_source));
        Some(made.group.items.len() - 1)
    };
    let places: Vec<Option<usize>> = translations.iter().map(|line| add(*line)).collect();
    let outputs = places.iter().flatten().count();
    let copy = if encoding.copies > 0.0 { add(lines[0]) } else { None };
    for [better, worse] in &texts.pairs {
        if let (Some(better), Some(worse)) = (places[*better], places[*worse]) {
            made.group.ranked.push(RankedItems { better, worse, weight: 1.0 });
        }
    }
    made.outputs = outputs;
    made.judged = texts.scores.iter().filter_map(|(place, score)| Some((places[*place]?, *score))).collect();
    if made.group.ranked.is_empty() && made.judged.is_empty() {
        return None;
    }
    if let Some(better) = copy {
        let is_other = |place: &usize| made.group.items[*place].list != 0;
        let worse = places.iter().flatten().copied().filter(is_other);
        let ranked: Vec<RankedItems> =
            worse.map(|worse| RankedItems { better, worse, weight: encoding.copies }).collect();
        made.group.ranked.extend(ranked);
    }
    Some(made)
}

/// Gives judged items the scores that the network should give them: human scores, brought to the scale of the start by
/// the line that fits best to its scores.
pub(super) fn set_targets(groups: &mut [EncodedGroup], line: ScoreLine) {
    let weight = (line.slope * line.slope) as f32;
    for group in groups {
        let scored = group.judged.iter().map(|(item, score)| ScoredItem {
            item: *item,
            target: ((score - line.offset) / line.slope) as f32,
            weight,
        });
        group.group.scored = scored.collect();
    }
}

/// Human score = slope · score of the network + offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoreLine {
    slope: f64,
    offset: f64,
}

impl ScoreLine {
    /// The line of least squares. If the network does not agree with people yet, one that rises a little.
    pub fn fit(groups: &[EncodedGroup]) -> Self {
        const MIN_SLOPE: f64 = 0.2;
        let points: Vec<(f64, f64)> = groups
            .iter()
            .flat_map(|group| group.judged.iter().map(|(item, score)| (group.scores[*item], *score)))
            .collect();
        let count = points.len().max(1) as f64;
        let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(|point| point.0), mean(|point| point.1));
        let squares: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
        let products: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
        let deviation = (squares / count).sqrt();
        let slope = match deviation > 1e-6 {
            true => (products / squares).max(MIN_SLOPE / deviation),
            false => 1.0,
        };
        ScoreLine { slope, offset: y - slope * x }
    }
}

/// Rows after the layers that are not learned: kept, or computed again.
pub(super) struct FrozenRows<'a> {
    lines: &'a EncodedLines,
    encoding: Encoding<'a>,
}

impl FrozenLayers for FrozenRows<'_> {
    fn rows(&self, lines: &[u32]) -> Vec<Cow<'_, [f32]>> {
        let kept = |line: &u32| Some(&self.lines.rows[*line as usize]).filter(|rows| !rows.is_empty());
        if let Some(all) = lines.iter().map(kept).collect::<Option<Vec<_>>>() {
            return all.into_iter().map(|rows| Cow::Borrowed(&rows[..])).collect();
        }
        let tokens: Vec<&[u32]> = lines.iter().map(|line| &self.lines.tokens[*line as usize].ids[..]).collect();
        let encoder = &self.encoding.model.encoder;
        let rows = encoder.token_rows(&tokens, self.encoding.frozen);
        let mut rest = &rows[..];
        let mut own = |tokens: &&[u32]| {
            let (own, after) = rest.split_at(tokens.len() * encoder.config().width);
            rest = after;
            Cow::Owned(own.to_vec())
        };
        tokens.iter().map(&mut own).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn group(points: &[(f64, f64)]) -> EncodedGroup {
        EncodedGroup {
            group: SiameseGroup::default(),
            scores: points.iter().map(|point| point.0).collect(),
            outputs: points.len(),
            judged: points.iter().enumerate().map(|(item, point)| (item, point.1)).collect(),
        }
    }

    #[test]
    fn rows_that_are_not_kept_are_computed_again_with_the_same_digits() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tercet/tests/compatibility/siamese.safetensors");
        let model = SiameseModel::open(Path::new(file)).unwrap();
        let text = |text: &str| text.to_owned();
        let groups = [TextGroup {
            reference: text("the cat sat on a mat"),
            translations: vec![text("a cat sat"), text("the mat")],
            pairs: vec![[0, 1]],
            ..TextGroup::default()
        }];
        let encoding = Encoding { model: &model, frozen: 1, copies: 0.0, way: Way::Reference };
        let mut lines = EncodedLines::default();
        let made = lines.add(&groups, encoding, Progress::none()).unwrap();
        assert_eq!((made.len(), made[0].outputs, lines.rows.len()), (1, 2, 3));
        let rows = |lines: &EncodedLines| -> Vec<Vec<f32>> {
            lines.frozen(encoding).rows(&[2, 0, 1]).into_iter().map(Cow::into_owned).collect()
        };
        let kept = rows(&lines);
        assert!(kept.iter().all(|rows| !rows.is_empty()));
        lines.rows.iter_mut().skip(1).for_each(Vec::clear);
        assert_eq!(rows(&lines), kept);
    }

    #[test]
    fn targets_are_on_the_scale_of_the_start() {
        let mut groups = [group(&[(2.0, 0.0), (4.0, 1.0)]), group(&[(6.0, 2.0)])];
        let line = ScoreLine::fit(&groups);
        assert!((line.slope - 0.5).abs() < 1e-12 && (line.offset + 1.0).abs() < 1e-12, "{line:?}");
        set_targets(&mut groups, line);
        let targets: Vec<f32> =
            groups.iter().flat_map(|group| group.group.scored.iter().map(|one| one.target)).collect();
        assert_eq!(targets, [2.0, 4.0, 6.0]);
        assert_eq!(groups[0].group.scored[0].weight, 0.25);
        // A start that disagrees with people, and one that gives everything the same score.
        assert!(ScoreLine::fit(&[group(&[(1.0, 1.0), (2.0, 0.0)])]).slope > 0.0);
        assert_eq!(ScoreLine::fit(&[group(&[(1.0, 1.0), (1.0, 0.0)])]).slope, 1.0);
    }
}
