//! What is checked in the browser. Each check opens its page itself and returns figures to print.

mod access;
mod safety;
mod segments;
pub mod server_page;
mod speed;
mod tables;

use super::driver::Browser;
use super::reports::Reports;
use anyhow::Result;
use std::path::Path;

/// A check.
pub type Check = fn(&Browser, &Reports) -> Result<String>;

/// All checks, by name.
pub const ALL: &[(&str, Check)] = &[
    ("sections", tables::sections),
    ("sort", tables::sort),
    ("copy", tables::copy),
    ("copy pairs", tables::copy_pairs),
    ("copy segments", tables::copy_segments),
    ("texts", tables::texts),
    ("charts", tables::charts),
    ("pairs", tables::pairs),
    ("filter", segments::filter),
    ("marked words", segments::marked_words),
    ("chosen systems", segments::chosen_systems),
    ("growing report", segments::growing),
    ("list of segments", segments::list),
    ("hostile texts", safety::hostile_texts),
    ("content security policy", safety::policy),
    ("dark colours", access::dark_colours),
    ("keyboard", access::keyboard),
    ("320 pixels", access::narrow),
    ("print", access::print),
    ("axe", access::axe),
    ("first paint", speed::first_paint),
    ("speed of filters", speed::filters),
    ("many segments", speed::many_segments),
    ("server: upload and report", server_page::upload),
    ("server: mistakes", server_page::mistakes),
    ("server: two systems", server_page::two_systems),
    ("server: progress and stop", server_page::stop),
    ("server: live verdict", server_page::live_verdict),
    ("server: hostile texts", server_page::hostile_texts),
    ("server: keyboard", server_page::keyboard),
    ("server: 320 pixels and axe", server_page::every_reader),
];

/// Opens a report and waits until it is drawn.
pub fn open(browser: &Browser, report: &Path) -> Result<()> {
    browser.open(report)?;
    browser.wait("the report is drawn", "document.querySelector('#signatures')")
}

/// Chooses an entry of a list by the list's label and the entry's text, as a person would.
fn choose(browser: &Browser, section: &str, label: &str, entry: &str) -> Result<()> {
    browser.holds(
        &format!("{entry} can be chosen in {label} of {section}"),
        &format!(
            "const field = [...document.querySelectorAll('#{section} .field, header .field')].find((f) => f.firstChild.textContent === {label:?});
             const select = field.querySelector('select');
             const option = [...select.options].find((o) => o.textContent === {entry:?});
             select.value = option.value;
             select.dispatchEvent(new Event('change', {{bubbles: true}}));
             return true"
        ),
    )
}
