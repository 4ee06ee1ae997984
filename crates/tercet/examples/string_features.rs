//! The string features of pairs of texts, for `training/siamese`:
//!
//! ```console
//! $ cargo run --release -p tercet --example string_features TEXTS.jsonl PAIRS.u32 OUT.f32
//! ```
//!
//! TEXTS.jsonl has a JSON string in each line. PAIRS.u32 has two numbers of lines for each pair, the first line being
//! number 0: the hypothesis and the other text, as 32-bit integers. OUT.f32 gets twelve 32-bit floats for each pair;
//! see `siamese::strings`. All are little-endian.

use rayon::prelude::*;
use std::collections::HashMap;
use std::error::Error;
use tercet::metrics::siamese::strings::{LineStrings, STRINGS};

/// Pairs of a task. Each distinct text of a task is analysed once, so pairs with a text in common should be neighbours.
const PAIRS: usize = 1 << 12;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [texts, pairs, output] = arguments.as_slice() else {
        return Err("expected TEXTS.jsonl PAIRS.u32 OUT.f32".into());
    };
    let texts = std::fs::read_to_string(texts)?;
    let texts: Vec<String> = texts.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let pairs = std::fs::read(pairs)?;
    let (pairs, []) = pairs.as_chunks::<8>() else { return Err("the pairs end within a pair".into()) };
    let number = |bytes: [u8; 4]| u32::from_le_bytes(bytes) as usize;
    let pairs: Vec<[usize; 2]> =
        pairs.iter().map(|[a, b, c, d, e, f, g, h]| [number([*a, *b, *c, *d]), number([*e, *f, *g, *h])]).collect();
    if let Some(wrong) = pairs.as_flattened().iter().find(|text| **text >= texts.len()) {
        return Err(format!("a pair has text {wrong}, and there are {}", texts.len()).into());
    }
    let of_task = |pairs: &[[usize; 2]]| -> Vec<[f32; STRINGS]> {
        let mut known: HashMap<usize, LineStrings> = HashMap::new();
        for text in pairs.as_flattened() {
            known.entry(*text).or_insert_with(|| LineStrings::new(&texts[*text]));
        }
        pairs.iter().map(|[hypothesis, other]| known[hypothesis].features(&known[other])).collect()
    };
    let features: Vec<Vec<[f32; STRINGS]>> = pairs.par_chunks(PAIRS).map(of_task).collect();
    let numbers = features.iter().flatten().flatten();
    std::fs::write(output, numbers.flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>())?;
    Ok(())
}
