//! The kernel of AVX2.
#![allow(unsafe_code)]

use super::{GROUP, Panel, PanelColumns, TILE, Tile, TileRows};
use std::arch::x86_64::*;

/// # Safety
/// Each row must have the bytes of all groups of the panel.
#[target_feature(enable = "avx2")]
pub unsafe fn products(panel: &Panel, rows: &TileRows<'_>, columns: &PanelColumns, tile: &mut Tile) {
    let weights = panel.values.as_ptr().cast::<__m256i>();
    let (narrow, wide) = panel.places.split_at(panel.narrow);
    let (paired, single) = narrow.split_at(panel.paired);
    let mut starts = [rows.bytes.as_ptr(); TILE];
    for (pointer, start) in starts.iter_mut().zip(rows.starts) {
        // SAFETY: a row starts inside of the bytes.
        *pointer = unsafe { pointer.add(start) };
    }
    // SAFETY: a panel has 8 starts, scales and biases and, for every place, two registers of weights; a row of a tile
    // has 8 numbers; the rest is the caller's.
    unsafe {
        let mut sums = [_mm256_loadu_si256(panel.starts.as_ptr().cast()); TILE];
        sums = add_pairs(starts, weights, paired, sums);
        sums = add_groups::<true>(starts, weights.add(2 * paired.len()), single, sums);
        sums = add_groups::<false>(starts, weights.add(2 * narrow.len()), wide, sums);
        let (scales, bias) = (_mm256_loadu_ps(columns.scales.as_ptr()), _mm256_loadu_ps(columns.bias.as_ptr()));
        for ((row, sums), scale) in tile.iter_mut().zip(sums).zip(rows.scales) {
            let factors = _mm256_mul_ps(_mm256_set1_ps(scale), scales);
            let numbers = _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(sums), factors), bias);
            _mm256_storeu_ps(row.as_mut_ptr(), numbers);
        }
    }
}

/// The products of the first and the last four inputs of a group, added up in 16 bits.
///
/// # Safety
/// The group must be in the row.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn products_of(row: *const u8, place: u32, weights: [__m256i; 2]) -> [__m256i; 2] {
    // SAFETY: see above.
    let (four, after) = unsafe {
        let row = row.add(GROUP * place as usize).cast::<i32>();
        (_mm256_set1_epi32(row.read_unaligned()), _mm256_set1_epi32(row.add(1).read_unaligned()))
    };
    [_mm256_maddubs_epi16(four, weights[0]), _mm256_maddubs_epi16(after, weights[1])]
}

/// The weights of the group with this number.
///
/// # Safety
/// There must be such a group.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn weights_of(weights: *const __m256i, group: usize) -> [__m256i; 2] {
    // SAFETY: see above.
    unsafe { [_mm256_loadu_si256(weights.add(2 * group)), _mm256_loadu_si256(weights.add(2 * group + 1))] }
}

/// Adds the products of pairs of groups to the sums.
///
/// # Safety
/// Each row must have a group at each place; there must be two registers of weights for each place.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn add_pairs(
    rows: [*const u8; TILE],
    weights: *const __m256i,
    places: &[u32],
    mut sums: [__m256i; TILE],
) -> [__m256i; TILE] {
    let ones = _mm256_set1_epi16(1);
    for (pair, [place, partner]) in places.as_chunks().0.iter().enumerate() {
        // SAFETY: see above.
        let (own, partners) = unsafe { (weights_of(weights, 2 * pair), weights_of(weights, 2 * pair + 1)) };
        for (sum, row) in sums.iter_mut().zip(rows) {
            // SAFETY: see above.
            let ([one, two], [three, four]) =
                unsafe { (products_of(row, *place, own), products_of(row, *partner, partners)) };
            let products = _mm256_add_epi16(_mm256_add_epi16(one, two), _mm256_add_epi16(three, four));
            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(products, ones));
        }
    }
    sums
}

/// Adds the products of the groups at some places to the sums.
///
/// # Safety
/// Each row must have a group at each place; there must be two registers of weights for each place.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn add_groups<const NARROW: bool>(
    rows: [*const u8; TILE],
    weights: *const __m256i,
    places: &[u32],
    mut sums: [__m256i; TILE],
) -> [__m256i; TILE] {
    let ones = _mm256_set1_epi16(1);
    for (group, place) in places.iter().enumerate() {
        // SAFETY: see above.
        let weights = unsafe { weights_of(weights, group) };
        for (sum, row) in sums.iter_mut().zip(rows) {
            // SAFETY: see above.
            let [one, two] = unsafe { products_of(row, *place, weights) };
            let more = if NARROW {
                _mm256_madd_epi16(_mm256_add_epi16(one, two), ones)
            } else {
                _mm256_add_epi32(_mm256_madd_epi16(one, ones), _mm256_madd_epi16(two, ones))
            };
            *sum = _mm256_add_epi32(*sum, more);
        }
    }
    sums
}
