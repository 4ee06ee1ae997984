//! The network for inference only: the same function, with a faster memory layout.
//!
//! # Speed
//! - The vector of a form and its products in the first layer are computed once ([`ReadyForms`]) and looked up
//!   afterwards.
//! - Lists are processed in blocks of about [`BLOCK`] rows, so that there are few, large matrix products; weights have
//!   the layout that the kernel needs. Between products there is one fused, vectorised loop per layer.
//! - Scores of heads are computed for a few items at a time, and only the best are kept: memory is linear in the length
//!   of a list. All memory is in a workspace: no allocation per list once it has grown.
//!
//! # Choices
//! The results of a list do not depend on the other lists in the batch. They differ from those of the training code in
//! the last digits, since sums are taken in another order. Of equal scores the one with the lower number wins.
//!
//! A cache of what the network computes for each form.

mod heads;
mod stack;

pub use heads::Candidates;

use super::{Analysis, BiaffineNetwork, BiaffineShape};
use crate::activation::quick_gelu;
use crate::error::{Error, Result};
use crate::layers::normalise;
use crate::networks::lists::spelling::SpellingSpace;
use crate::networks::lists::{Forms, ListNetwork, Lists};
use heads::HeadWorkspace;
use stack::{Layer, Normal, Product, Tagging};
use tercet_base::stop;

/// Rows per block; a longer list is a block of its own.
const BLOCK: usize = 384;

tercet_base::defaults! {
    /// Settings of an analysis.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct AnalysisSettings {
        /// Maximum number of candidate heads per item, including the root.
        pub candidates: usize = 32,
        /// If set, arcs to the root have this label and no other arc has it.
        pub root_label: Option<u16> = None,
    }
}

impl AnalysisSettings {
    fn check(&self, shape: &BiaffineShape) -> Result<()> {
        Error::check_setting(self.candidates > 0, "candidates", 0, "at least 1")?;
        let other_labels = shape.labels - 1;
        match self.root_label {
            Some(label) if usize::from(label) > other_labels || other_labels == 0 => {
                Err(Error::setting("root_label", label, "a label of the network that is not its only one"))
            }
            _ => Ok(()),
        }
    }
}

/// Memory that is reused between calls, so that they do not allocate.
#[derive(Clone, Debug, Default)]
pub struct AnalysisWorkspace {
    /// First rows of the lists of a block, roots included.
    starts: Vec<usize>,
    /// Rows × d.
    x: Vec<f32>,
    u: Vec<f32>,
    /// Rows × the widest product.
    z: Vec<f32>,
    y: Vec<f32>,
    state: Vec<f32>,
    queries: Vec<f32>,
    hidden: Vec<f32>,
    heads: HeadWorkspace,
}

/// A [`BiaffineNetwork`] prepared for inference.
#[derive(Clone, Debug)]
pub struct BiaffineReady {
    network: BiaffineNetwork,
    layers: Vec<Layer>,
    tagging: Tagging,
    normal: Normal,
    edges: Product,
    query: Product,
    labels: Product,
}

impl BiaffineReady {
    /// Copies the weights of a network into the faster layout.
    pub fn new(network: &BiaffineNetwork) -> Self {
        let (parameters, edges) = (network.parameters(), &network.edges);
        BiaffineReady {
            layers: network.encoder.layers.iter().map(|layer| Layer::new(layer, network)).collect(),
            tagging: Tagging::new(network),
            normal: Normal::new(&edges.norm, parameters),
            edges: Product::new(&[&edges.projection], parameters),
            query: Product::new(&[edges.biaffine.query()], parameters),
            labels: Product::new(&[edges.arc_labels.output()], parameters),
            network: network.clone(),
        }
    }

    /// The sizes of the network.
    pub fn shape(&self) -> BiaffineShape {
        self.network.shape()
    }

    /// Computes forms and appends them to `ready`: the first of `forms` gets the number `ready.len()`.
    pub fn prepare(&self, forms: &Forms, ready: &mut ReadyForms) -> Result<()> {
        forms.check(&self.shape().encoder)?;
        ready.extend(forms, &self.network, &self.layers[0]);
        Ok(())
    }

    /// Analyses all lists of forms that were [prepared](Self::prepare) by this network, to `analysis`, which is
    /// overwritten. `decide` is called for each list that has items, with the candidates and the most probable head of
    /// each item; it may change the heads to any positions in the list (to make a tree, for example). Labels are
    /// predicted for the heads it returns.
    ///
    /// # Panics
    /// If `decide` sets a head that is not a position in the list.
    pub fn analyse(
        &self,
        forms: &ReadyForms,
        lists: &Lists,
        settings: &AnalysisSettings,
        mut decide: impl FnMut(&Candidates<'_>, &mut [u32]),
        space: &mut AnalysisWorkspace,
        analysis: &mut Analysis,
    ) -> Result<()> {
        settings.check(&self.shape())?;
        lists.check("form", forms.len())?;
        analysis.clear();
        let mut list = 0;
        while list < lists.len() {
            let first = list;
            space.starts.clear();
            space.starts.push(0);
            let mut rows = 0;
            while list < lists.len() && (rows == 0 || rows + lists.range(list).len() < BLOCK) {
                match lists.range(list).len() {
                    0 => {}
                    items => {
                        rows += items + 1;
                        space.starts.push(rows);
                    }
                }
                list += 1;
            }
            let items = lists.range(first).start..lists.range(list - 1).end;
            forms.look_up(&lists.items()[items], &space.starts, &mut space.x, &mut space.z);
            stop::look();
            self.analyse_block(settings, &mut decide, space, analysis);
        }
        Ok(())
    }

    /// Analyses one block, whose vectors and first products have been looked up.
    fn analyse_block(
        &self,
        settings: &AnalysisSettings,
        decide: &mut impl FnMut(&Candidates<'_>, &mut [u32]),
        space: &mut AnalysisWorkspace,
        analysis: &mut Analysis,
    ) {
        let AnalysisWorkspace { starts, x, u, z, y, state, .. } = space;
        for (number, layer) in self.layers.iter().enumerate() {
            if number > 0 {
                layer.normal.apply(x, u);
                layer.gates.apply(u, z);
            }
            layer.recur(z, starts, x, state, y);
            if number + 1 == self.shape().encoder.tag_layer {
                self.tagging.apply(starts, x, u, z, analysis);
            }
        }
        self.normal.apply(x, u);
        self.edges.apply(u, z);
        let (arc, width) = (self.shape().arc, self.edges.outputs());
        for row in z.chunks_exact_mut(width) {
            let (arcs, labels) = row.split_at_mut(2 * arc);
            let (for_arcs, for_labels) = self.edges.bias().split_at(2 * arc);
            arcs.iter_mut().zip(for_arcs).for_each(|(x, b)| *x = quick_gelu(*x + b));
            labels.iter_mut().zip(for_labels).for_each(|(x, b)| *x += b);
        }
        let first = analysis.heads.len();
        self.choose_heads(settings, decide, space, analysis);
        self.choose_labels(settings, first, space, analysis);
    }

    /// The label of every arc of a block, whose heads begin at `first`.
    fn choose_labels(
        &self,
        settings: &AnalysisSettings,
        first: usize,
        space: &mut AnalysisWorkspace,
        analysis: &mut Analysis,
    ) {
        let AnalysisWorkspace { starts, z, hidden, y, .. } = space;
        let BiaffineShape { arc, label, .. } = self.shape();
        let width = self.edges.outputs();
        hidden.clear();
        let mut heads = analysis.heads[first..].iter();
        for list in starts.windows(2) {
            for (row, head) in (list[0] + 1..list[1]).zip(&mut heads) {
                assert!((*head as usize) < list[1] - list[0], "a head is not a position in its list");
                let c = &z[row * width + 2 * arc..][..label];
                let e = &z[(list[0] + *head as usize) * width + 2 * arc + label..][..label];
                hidden.extend(c.iter().zip(e).map(|(c, e)| quick_gelu(c + e)));
            }
        }
        self.labels.apply(hidden, y);
        for (scores, head) in y.chunks_exact_mut(self.labels.outputs()).zip(&analysis.heads[first..]) {
            scores.iter_mut().zip(self.labels.bias()).for_each(|(x, b)| *x += b);
            let label = match settings.root_label {
                Some(root) if *head == 0 => root,
                Some(root) => {
                    scores[usize::from(root)] = f32::NEG_INFINITY;
                    heads::best(scores).0 as u16
                }
                None => heads::best(scores).0 as u16,
            };
            analysis.labels.push(label);
        }
    }
}

/// Number of forms that are computed together.
const FORMS_TOGETHER: usize = 256;

/// Precomputed vectors of forms and their products in the first layer: 2 kB per form at the default sizes. Clear it
/// from time to time to limit memory use.
#[derive(Clone, Debug, Default)]
pub struct ReadyForms {
    width: usize,
    gates: usize,
    /// The root first, then the forms.
    vectors: Vec<f32>,
    products: Vec<f32>,
}

impl ReadyForms {
    /// Number of forms.
    pub fn len(&self) -> usize {
        (self.vectors.len() / self.width.max(1)).saturating_sub(1)
    }

    /// Whether there are no forms.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all forms; allocated memory is kept.
    pub fn clear(&mut self) {
        self.vectors.clear();
        self.products.clear();
    }

    fn extend(&mut self, forms: &Forms, network: &BiaffineNetwork, first: &Layer) {
        let (parameters, d) = (network.parameters(), network.shape().encoder.width);
        (self.width, self.gates) = (d, first.gates.outputs());
        let mut sums = Vec::new();
        if self.vectors.is_empty() {
            sums.extend_from_slice(parameters.values(network.encoder.root));
        }
        let (mut space, words) = (SpellingSpace::default(), network.encoder.words.values(parameters));
        let all: Vec<u32> = (0..forms.len() as u32).collect();
        for block in all.chunks(FORMS_TOGETHER) {
            network.encoder.spelling.forward(parameters, forms, block, &mut space);
            for (form, spelled) in block.iter().zip(space.vectors.chunks_exact(d)) {
                let word = forms.word(*form) as usize;
                sums.extend(words[word * d..(word + 1) * d].iter().zip(spelled).map(|(x, y)| x + y));
            }
        }
        let [gain, bias] = network.encoder.norm.tensors().map(|id| parameters.values(id));
        let from = self.vectors.len();
        self.vectors.resize(from + sums.len(), 0.0);
        let rows = self.vectors[from..].chunks_exact_mut(d).zip(sums.chunks_exact(d));
        rows.for_each(|(x, sum)| normalise(sum, gain, bias, x));
        let (mut u, mut products) = (Vec::new(), Vec::new());
        first.normal.apply(&self.vectors[from..], &mut u);
        first.gates.apply(&u, &mut products);
        self.products.extend_from_slice(&products);
    }

    /// Vectors and products of the rows of lists, roots included.
    fn look_up(&self, items: &[u32], starts: &[usize], x: &mut Vec<f32>, z: &mut Vec<f32>) {
        x.clear();
        z.clear();
        let (mut items, d, gates) = (items.iter(), self.width, self.gates);
        for list in starts.windows(2) {
            let rows = items.by_ref().take(list[1] - list[0] - 1).map(|form| *form as usize + 1);
            for row in std::iter::once(0).chain(rows) {
                x.extend_from_slice(&self.vectors[row * d..(row + 1) * d]);
                z.extend_from_slice(&self.products[row * gates..(row + 1) * gates]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
