//! Every reader: dark colours, keyboard only, a narrow window, assistive technology.

use super::super::axe;
use super::super::driver::{Browser, DOWN, ENTER, TAB};
use super::super::reports::Reports;
use super::{choose, open};
use anyhow::{Result, ensure};

const PAPER: &str =
    "const [red] = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number);";

/// Colours follow the system, and the switch overrides it.
pub fn dark_colours(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    browser.prefer_dark(true)?;
    browser.holds("dark", &format!("{PAPER} return red < 60"))?;
    choose(browser, "systems", "Colours", "light")?;
    browser.holds("light in spite of the system", &format!("{PAPER} return red > 200"))?;
    browser.prefer_dark(false)?;
    choose(browser, "systems", "Colours", "dark")?;
    browser.holds("dark in spite of the system", &format!("{PAPER} return red < 60"))?;
    choose(browser, "systems", "Colours", "as the system")?;
    browser.holds("light", &format!("{PAPER} return red > 200"))?;
    Ok(String::new())
}

/// All can be done without a mouse: reach everything by Tab, sort, search, move through the segments.
pub fn keyboard(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    browser.press(&TAB.to_string())?;
    browser
        .holds("first the link over the navigation", "return document.activeElement.className === 'skip'")?;
    let mut steps = 0;
    let mut reach = |what: &str, condition: &str| -> Result<()> {
        loop {
            let here = browser.script(&format!(
                "const node = document.activeElement;
                 const box = node.getBoundingClientRect();
                 const shown = box.width > 0 && box.height > 0 && getComputedStyle(node).outlineStyle !== 'none';
                 return [{condition}, shown, node.outerHTML.slice(0, 100)]"
            ))?;
            ensure!(here[1] == true || steps == 0, "the focus cannot be seen on {}", here[2]);
            if here[0] == true {
                return Ok(());
            }
            ensure!(steps < 300, "{what} cannot be reached by Tab");
            browser.press(&TAB.to_string())?;
            steps += 1;
        }
    };
    reach(
        "the title BLEU",
        "node.closest('#systems thead') !== null && node.textContent.startsWith('BLEU')",
    )?;
    browser.press(&ENTER.to_string())?;
    browser.holds(
        "sorted",
        "return document.querySelectorAll('#systems th')[1].getAttribute('aria-sort') === 'descending'",
    )?;
    reach("the search", "node.type === 'search'")?;
    browser.press("the")?;
    reach("the list", "node.dataset.row === '0'")?;
    let before = browser.script("return document.querySelector('.detail h3').textContent")?;
    browser.press(&DOWN.to_string())?;
    browser.holds(
        "the next segment is open",
        &format!("return document.querySelector('.detail h3').textContent !== {before}"),
    )?;
    reach("the last copy", "node.textContent === 'Copy BibTeX'")?;
    Ok(format!("{steps} steps"))
}

/// No part of a page is wider than the window, except tables, which scroll by themselves.
pub fn narrow(browser: &Browser, reports: &Reports) -> Result<String> {
    for report in [&reports.examples, &reports.compare, &reports.correlate, &reports.large, &reports.hostile]
    {
        browser.resize(320, 700)?;
        open(browser, report)?;
        browser.holds(
            "wider than the window",
            "const over = [...document.querySelectorAll('#report *')].filter((n) => n.getBoundingClientRect().right > 321 && !n.closest('.scroll, .segment-view, svg, .unseen, select'));
             return document.documentElement.scrollWidth <= 320 || over.slice(0, 5).map((n) => n.outerHTML.slice(0, 120)).join(' ')",
        )?;
    }
    Ok(String::new())
}

/// Pixels of a page of A4 between its margins.
const PRINTED_WIDTH: usize = 688;

/// On paper nothing is cut off, and the colours are light also if the screen's are dark.
pub fn print(browser: &Browser, reports: &Reports) -> Result<String> {
    for report in [&reports.examples, &reports.compare, &reports.correlate, &reports.large] {
        browser.resize(PRINTED_WIDTH, 1000)?;
        open(browser, report)?;
        browser.script("document.documentElement.dataset.theme = 'dark'")?;
        browser.show_as_printed(true)?;
        let name = report.file_stem().unwrap_or_default().to_string_lossy();
        browser.holds(
            &format!("{name} is wider than the paper"),
            &format!(
                "const over = [...document.querySelectorAll('#report th, #report td, #report p, #report pre, #report svg')]
                   .filter((n) => n.getBoundingClientRect().right > {PRINTED_WIDTH} + 1 && n.offsetParent !== null && !n.closest('.segment-view'));
                 return over.length === 0 || over.slice(0, 3).map((n) => n.outerHTML.slice(0, 120)).join(' ')"
            ),
        )?;
        browser.holds("light", &format!("{PAPER} return red > 200"))?;
        browser.holds(
            "dark words",
            "return [...document.querySelectorAll('#report td, #report mark, #report p')].every((n) => {
               const [r, g, b] = getComputedStyle(n).color.match(/\\d+/g).map(Number);
               return 0.3 * r + 0.6 * g + 0.1 * b < 140;
             })",
        )?;
        browser.show_as_printed(false)?;
    }
    Ok(String::new())
}

/// axe-core has no serious finding, in light and dark, wide and narrow.
pub fn axe(browser: &Browser, reports: &Reports) -> Result<String> {
    let folder = reports.examples.parent().expect("reports are in a folder");
    let Some(file) = axe::fetch(folder)? else { return Ok("skipped: npm is not installed".to_owned()) };
    let mut passed = 0;
    for report in [&reports.examples, &reports.compare, &reports.correlate, &reports.hostile] {
        for (dark, width) in [(false, 1280), (true, 1280), (false, 320)] {
            browser.resize(width, 900)?;
            browser.prefer_dark(dark)?;
            open(browser, report)?;
            let name = report.file_stem().unwrap_or_default().to_string_lossy();
            passed += axe::check(browser, &file)
                .map_err(|error| error.context(format!("{name}, dark: {dark}, {width} pixels")))?;
        }
    }
    browser.prefer_dark(false)?;
    Ok(format!("{passed} rules passed on 12 pages"))
}
