//! Results as sacreBLEU 2.6.0 prints them, to the byte.
//!
//! - [`ScoreLine`]: one system, as a line of text or a JSON object per metric.
//! - [`SystemTable`]: several systems, as a grid, a LaTeX table or a JSON array, with the explanation of a paired test
//!   and the signatures below.
//!
//! # Choices
//! Tables are always drawn with colours, which are removed afterwards if not needed ([`strip_colours`]), since colours
//! change which cells sacreBLEU's table printer treats as numbers.
//!
//! # Agreement
//! Every format on real systems and on odd names, against sacreBLEU 2.6.0 with tabulate 0.10.0. One difference: where
//! sacreBLEU fails on single-precision intervals in JSON (paired bootstrap of chrF), here they are printed.

mod colour;
mod grid;
mod numeral;
mod python;
mod single;
mod table;

pub use colour::{Palette, strip_colours};
pub use single::{ScoreLine, json, sentence, text};
pub use table::{PairedTest, Style, SystemTable, TableCell};
