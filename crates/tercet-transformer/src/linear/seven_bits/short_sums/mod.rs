//! Sums of products in 16 bits where they always fit, then in 32.
//!
//! AVX2 multiplies bytes to sums of two products in 16 bits. Adding up those of four or eight inputs there saves
//! widening them, but only weights that are small enough allow it; so groups of inputs are sorted by the size of their
//! weights.

#[cfg(target_arch = "x86_64")]
mod avx2;

use super::{Columns, GROUP, RoundedRows, ZERO};
use tercet_math::Instructions;

/// Outputs of a panel: their sums fit into a register of AVX2.
pub const PANEL: usize = 8;
/// Rows of a tile: their sums take half of the registers.
const TILE: usize = 8;
/// The largest sum of weights of one sign whose products with activations fit into 16 bits.
const MAX_IN_16_BITS: u8 = (i16::MAX as i32 / u8::MAX as i32) as u8;
/// How many groups are tried as the partner of another one.
const MAX_PARTNERS: usize = 16;

/// The outputs of a tile, row by row.
type Tile = [[f32; PANEL]; TILE];

/// The weights of a panel: for each group of inputs the first four of each output, then the other four.
#[derive(Debug)]
pub struct Panel {
    values: Vec<i8>,
    /// The place of each group among the inputs: first pairs of groups, then the other narrow ones, then the rest.
    places: Vec<u32>,
    /// The number of groups in pairs: the products of four inputs of a group and of four of its partner, added up,
    /// always fit into 16 bits.
    paired: usize,
    /// The number of groups, with those in pairs, in which the products of four inputs always fit into 16 bits. Those
    /// of two always do.
    narrow: usize,
    /// What sums start from: minus the products of the weights with [`ZERO`].
    starts: [i32; PANEL],
}

/// The outputs of rows, by instructions that the processor has.
pub fn apply(
    panels: &[Panel],
    instructions: Instructions,
    rows: &RoundedRows,
    columns: Columns<'_>,
    outputs: &mut [f32],
) {
    let count = columns.bias.len();
    let columns: Vec<PanelColumns> = (0..panels.len()).map(|panel| PanelColumns::new(panel, columns)).collect();
    let mut tile = [[0.0; PANEL]; TILE];
    // Two panels at a time, so that whole cache lines are written.
    for (panels, columns) in panels.chunks(2).zip(columns.chunks(2)) {
        for ((bytes, scales), outputs) in rows.tiles(TILE).zip(outputs.chunks_mut(TILE * count)) {
            let rows = TileRows::new(bytes, scales);
            for (panel, columns) in panels.iter().zip(columns) {
                panel.products(instructions, &rows, columns, &mut tile);
                write(&tile, columns.first, count, outputs);
            }
        }
    }
}

/// Writes the outputs of a tile into rows of `count` outputs, from the first of the panel on.
fn write(tile: &Tile, first: usize, count: usize, outputs: &mut [f32]) {
    for (row, numbers) in outputs.chunks_exact_mut(count).zip(tile) {
        let row = &mut row[first..];
        if let Some(row) = row.first_chunk_mut() {
            *row = *numbers;
        } else {
            row.iter_mut().zip(numbers).for_each(|(output, number)| *output = *number);
        }
    }
}

/// The outputs of a panel among all: scales of their weights, and what is added to them.
#[derive(Default)]
struct PanelColumns {
    first: usize,
    scales: [f32; PANEL],
    bias: [f32; PANEL],
}

impl PanelColumns {
    fn new(panel: usize, columns: Columns<'_>) -> Self {
        let first = panel * PANEL;
        let mut own = PanelColumns { first, ..PanelColumns::default() };
        own.scales.iter_mut().zip(&columns.scales[first..]).for_each(|(own, scale)| *own = *scale);
        own.bias.iter_mut().zip(&columns.bias[first..]).for_each(|(own, bias)| *own = *bias);
        own
    }
}

/// The rows of a tile: where they start among the bytes, and their scales. Those that are not there repeat the first
/// one.
struct TileRows<'a> {
    bytes: &'a [u8],
    starts: [usize; TILE],
    scales: [f32; TILE],
}

impl<'a> TileRows<'a> {
    #[inline(always)]
    fn new(bytes: &'a [u8], scales: &[f32]) -> Self {
        let mut rows = TileRows { bytes, starts: [0; TILE], scales: [0.0; TILE] };
        for (row, scale) in scales.iter().enumerate() {
            rows.starts[row] = row * (bytes.len() / scales.len());
            rows.scales[row] = *scale;
        }
        rows
    }
}

/// The weights of a group of inputs, as in [`Panel`].
#[derive(Clone)]
struct Group {
    values: [i8; GROUP * PANEL],
    /// The sums of the weights above and below zero whose products are added up in 16 bits.
    sums: [u8; 4 * PANEL],
}

impl Group {
    const EMPTY: Group = Group { values: [0; GROUP * PANEL], sums: [0; 4 * PANEL] };

    /// Sets the weights of an output, and returns their sum.
    fn set(&mut self, output: usize, rounded: &[u8; GROUP]) -> i32 {
        // The products of the first two of four inputs are added up with those of the next four; so are the others.
        let sums = &mut self.sums[4 * output..][..4];
        for (at, byte) in rounded.iter().enumerate() {
            let weight = (i32::from(*byte) - ZERO) as i8;
            self.values[at / 4 * 4 * PANEL + output * 4 + at % 4] = weight;
            sums[at / 2 % 2 * 2 + usize::from(weight < 0)] += weight.unsigned_abs();
        }
        i32::from(sums[0]) + i32::from(sums[2]) - i32::from(sums[1]) - i32::from(sums[3])
    }

    fn largest_sum(&self) -> u8 {
        self.sums.into_iter().fold(0, u8::max)
    }

    /// Whether the products of four inputs of this group and of four of another one always fit into 16 bits.
    fn fits_with(&self, other: &Group) -> bool {
        self.sums
            .iter()
            .zip(&other.sums)
            .fold(true, |fits, (own, other)| fits & (own.saturating_add(*other) <= MAX_IN_16_BITS))
    }
}

/// The places of groups, and how many of them are in pairs and how many are narrow, as in [`Panel`].
fn order(groups: &[Group]) -> (Vec<u32>, [usize; 2]) {
    let mut by_size: Vec<(u8, u32)> =
        groups.iter().zip(0..).map(|(group, place)| (group.largest_sum(), place)).collect();
    by_size.sort_unstable();
    let narrow = by_size.partition_point(|(largest, _)| *largest <= MAX_IN_16_BITS);
    let mut left: Vec<u32> = by_size[..narrow].iter().map(|(_, place)| *place).collect();
    let (mut places, mut single) = (Vec::with_capacity(groups.len()), Vec::new());
    // The largest with the smallest that fits.
    while let Some(place) = left.pop() {
        let fits = |other: &u32| groups[place as usize].fits_with(&groups[*other as usize]);
        match left.iter().take(MAX_PARTNERS).position(fits) {
            Some(partner) => places.extend([place, left.remove(partner)]),
            None => single.push(place),
        }
    }
    let paired = places.len();
    places.extend(single);
    places.extend(by_size[narrow..].iter().map(|(_, place)| *place));
    (places, [paired, narrow])
}

impl Panel {
    /// From the rounded weights of [`PANEL`] outputs.
    pub fn new(bytes: &[u8]) -> Self {
        let inputs = bytes.len() / PANEL;
        let mut starts = [0; PANEL];
        let mut groups = vec![Group::EMPTY; inputs / GROUP];
        for ((output, row), start) in bytes.chunks_exact(inputs).enumerate().zip(&mut starts) {
            for (group, eight) in groups.iter_mut().zip(row.as_chunks::<GROUP>().0) {
                *start -= ZERO * group.set(output, eight);
            }
        }
        let (places, [paired, narrow]) = order(&groups);
        let values = places.iter().flat_map(|place| groups[*place as usize].values).collect();
        Panel { values, places, paired, narrow, starts }
    }

    /// The outputs of a tile.
    #[allow(unsafe_code)]
    fn products(&self, instructions: Instructions, rows: &TileRows<'_>, columns: &PanelColumns, tile: &mut Tile) {
        let inputs = self.places.len() * GROUP;
        assert!(rows.starts.iter().all(|start| start + inputs <= rows.bytes.len()), "rows of all inputs");
        match instructions {
            Instructions::Portable => self.portable(rows, columns, tile),
            // SAFETY: the processor has AVX2, and a tile has whole rows of the bytes of all groups.
            #[cfg(target_arch = "x86_64")]
            _ => unsafe { avx2::products(self, rows, columns, tile) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => self.portable(rows, columns, tile),
        }
    }

    /// The same outputs without vector instructions of our own.
    fn portable(&self, rows: &TileRows<'_>, columns: &PanelColumns, tile: &mut Tile) {
        for ((outputs, start), scale) in tile.iter_mut().zip(rows.starts).zip(rows.scales) {
            let mut sums = self.starts;
            for (place, group) in self.places.iter().zip(self.values.chunks_exact(GROUP * PANEL)) {
                let bytes = &rows.bytes[start + *place as usize * GROUP..][..GROUP];
                for (four, weights) in bytes.chunks_exact(4).zip(group.chunks_exact(4 * PANEL)) {
                    for (sum, own) in sums.iter_mut().zip(weights.chunks_exact(4)) {
                        let two = four.iter().zip(own);
                        *sum += two.map(|(byte, weight)| i32::from(*byte) * i32::from(*weight)).sum::<i32>();
                    }
                }
            }
            for (at, output) in outputs.iter_mut().enumerate() {
                *output = sums[at] as f32 * (scale * columns.scales[at]) + columns.bias[at];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::numbers;
    use super::*;

    fn check_portable(panel: &Panel, bytes: &[u8]) {
        let rows = TileRows::new(bytes, &[1.0, 0.5, 0.25, 3.0, 1.0, 1.0, 1.0, 0.0]);
        let columns = PanelColumns { scales: [0.7; PANEL], bias: [0.5; PANEL], ..PanelColumns::default() };
        let (mut best, mut portable) = ([[0.0; PANEL]; TILE], [[1.0; PANEL]; TILE]);
        panel.products(Instructions::best(), &rows, &columns, &mut best);
        panel.portable(&rows, &columns, &mut portable);
        assert_eq!(best, portable);
    }

    fn bytes(count: usize, seed: u64, most: f32) -> Vec<u8> {
        numbers(count, seed).iter().map(|number| (128.0 + number * most).round() as u8).collect()
    }

    #[test]
    fn every_set_of_instructions_gives_the_same_sums() {
        for (most, paired, narrow) in [(20.0, 12..=12, 12..=12), (45.0, 0..=6, 1..=11), (63.0, 0..=0, 0..=4)] {
            let panel = Panel::new(&bytes(PANEL * 96, 7, most));
            assert!(paired.contains(&panel.paired) && narrow.contains(&panel.narrow), "{most}: {panel:?}");
            check_portable(&panel, &bytes(TILE * 96, 6, 127.0));
        }
    }

    #[test]
    fn the_largest_products_fit() {
        let kinds = [
            ([63, 63, -63, -63], [0, 0]),
            ([32, 32, -32, -32], [0, 8]),
            ([-63, 63, 63, -63], [0, 8]),
            ([-32, 32, 31, -32], [8, 8]),
            ([16, 16, -16, -16], [8, 8]),
            ([-63; 4], [0, 0]),
        ];
        for (weights, [paired, narrow]) in kinds {
            let rows: Vec<u8> = (0..PANEL * 64).map(|at| (ZERO + weights[at % 4]) as u8).collect();
            let panel = Panel::new(&rows);
            assert_eq!([panel.paired, panel.narrow], [paired, narrow], "{weights:?}");
            for byte in [0, 1, 255] {
                check_portable(&panel, &[byte; TILE * 64]);
            }
        }
    }

    #[test]
    fn a_large_group_is_paired_with_a_small_one() {
        let sizes = [60, 1, 1, 60, 30, 30, 20, 40];
        let row = sizes.iter().flat_map(|size| [(ZERO + size) as u8; GROUP]);
        let panel = Panel::new(&row.collect::<Vec<_>>().repeat(PANEL));
        assert_eq!((panel.paired, panel.narrow), (4, 5));
        check_portable(&panel, &[255; TILE * 64]);
    }
}
