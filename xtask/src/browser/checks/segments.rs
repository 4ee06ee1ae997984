//! The list of segments, and the segment that is open.

use super::super::driver::Browser;
use super::super::reports::{Reports, SEGMENTS};
use super::{choose, open};
use anyhow::{Result, ensure};

/// Types into the search field.
fn search(browser: &Browser, text: &str) -> Result<()> {
    browser
        .script(&format!(
            "const field = document.querySelector('#segments input[type=search]');
             field.value = {text:?};
             field.dispatchEvent(new Event('input', {{bubbles: true}}))"
        ))
        .map(|_| ())
}

fn count(browser: &Browser) -> Result<String> {
    let count = browser.script("return document.querySelector('#segments [role=status]').textContent")?;
    Ok(count.as_str().unwrap_or_default().to_owned())
}

/// Words, patterns, sides and properties choose segments.
pub fn filter(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    let found = |what: &str, expected: &str| -> Result<()> {
        let count = count(browser)?;
        ensure!(count == expected, "{what}: {count}");
        Ok(())
    };
    found("all", "16 segments.")?;
    search(browser, "UMBRELLA")?;
    found("words in any case", "1 of 16 segments.")?;
    browser.holds(
        "the segment is open",
        "return document.querySelector('.detail h3').textContent.startsWith('Segment 5')",
    )?;
    search(browser, "/museum|bakery/")?;
    found("a pattern", "2 of 16 segments.")?;
    search(browser, "/(/")?;
    found("an unfinished pattern", "This pattern is not a regular expression; all segments are shown.")?;
    search(browser, "")?;
    choose(browser, "segments", "domain", "home")?;
    found("a property", "5 of 16 segments.")?;
    choose(browser, "segments", "half", "first")?;
    found("two properties", "2 of 16 segments.")?;
    choose(browser, "segments", "half", "all")?;
    found("the other property still holds", "5 of 16 segments.")?;
    choose(browser, "segments", "domain", "all")?;
    choose(browser, "segments", "Show", "A better")?;
    browser.holds(
        "only segments where A is better",
        "const rows = [...document.querySelectorAll('#segments tr[data-row]')];
         return rows.length > 0 && rows.every((r) => r.querySelector('.difference').textContent.startsWith('+') && r.querySelector('.winner').textContent === 'A')",
    )?;
    choose(browser, "segments", "Metric", "TER")?;
    browser.holds(
        "lower is better",
        "const rows = [...document.querySelectorAll('#segments tr[data-row]')];
         return rows.length > 0 && rows.every((r) => r.querySelector('.difference').textContent.startsWith('−') && r.querySelector('.winner').textContent === 'A')",
    )?;
    Ok(String::new())
}

/// Words are marked by the chosen metric, on both sides.
pub fn marked_words(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    let marks = "[...new Set([...document.querySelectorAll('.detail .line mark')].map((m) => m.className))].sort().join(' ')";
    search(browser, "umbrella")?;
    choose(browser, "segments", "Mark words by", "TER")?;
    browser.holds(
        "edits",
        &format!(
            "const found = {marks}; return /mark-[sidm]/.test(found) && !/mark-[utyp]/.test(found) || found"
        ),
    )?;
    browser.holds(
        "a shift is marked in B, as METEOR's and TER's texts say",
        "return [...document.querySelectorAll('.output')][1].querySelector('mark') !== null && document.querySelectorAll('.against mark').length > 0",
    )?;
    choose(browser, "segments", "Mark words by", "METEOR")?;
    browser.holds(
        "matches",
        &format!(
            "const found = {marks}; return /mark-[utyp]/.test(found) && !/mark-[sidm]/.test(found) || found"
        ),
    )?;
    browser.holds("the line is complete", "return document.querySelector('.output .line').textContent === 'Can you tell me where I can buy an umbrella?' || document.querySelector('.output .line').textContent")?;
    choose(browser, "segments", "Mark words by", "nothing")?;
    browser.holds("no marks", "return document.querySelectorAll('.detail mark').length === 0")?;
    Ok(String::new())
}

/// Probabilities are those of the chosen A and B, and a list without B is in the order that its titles say.
pub fn chosen_systems(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.compare)?;
    let chances = "const at = [...document.querySelectorAll('#segments .segment-view th')].findIndex((t) => t.textContent === 'p(A better)');
         const chances = [...document.querySelectorAll('#segments tr[data-row]')].map((r) => Number(r.cells[at].textContent));";
    browser.script(&format!("{chances} window.before = chances"))?;
    choose(browser, "segments", "A", "system-b.en.txt")?;
    choose(browser, "segments", "B", "system-a.en.txt")?;
    browser.holds(
        "A and B exchanged",
        &format!("{chances} return chances.length > 0 && chances.every((p, i) => Math.abs(p + window.before[i] - 1) < 0.011) || chances.join()"),
    )?;
    choose(browser, "segments", "B", "none")?;
    browser.holds(
        "one system has no probabilities, and its segments are in their order",
        "const titles = [...document.querySelectorAll('#segments .segment-view th')];
         const numbers = [...document.querySelectorAll('#segments tr[data-row]')].map((r) => Number(r.cells[0].textContent));
         return titles.every((t) => t.textContent !== 'p(A better)') && titles[0].getAttribute('aria-sort') === 'ascending' && numbers.every((n, i) => n === i + 1)",
    )?;
    browser.holds("a missing score is no tie", "return winner(NaN) === '–' && winner(0) === '='")?;
    Ok(String::new())
}

/// A report that is drawn again with more scores of the same texts keeps what the reader chose.
pub fn growing(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    let draw = "renderReport(document.getElementById('report'), data)";
    browser.script(&format!(
        "const data = {{ ...lastBrowser.data, metrics: lastBrowser.data.metrics.slice(0, 2), marks: [] }};
         window.whole = lastBrowser.data;
         {draw}"
    ))?;
    browser.wait("fewer scores", "document.querySelectorAll('#segments select')[2].length === 2")?;
    choose(browser, "segments", "A", "system-b.en.txt")?;
    choose(browser, "segments", "Metric", "chrF2")?;
    browser.script(
        "const search = document.querySelector('#segments input[type=search]');
         search.focus();
         search.value = 'the';
         search.dispatchEvent(new Event('input'));
         document.querySelectorAll('#segments tr[data-row]')[3].click();
         search.focus();
         window.before = [document.querySelector('#segments [role=status]').textContent, document.querySelector('#segments h3').textContent]",
    )?;
    browser.script(&format!("const data = window.whole; {draw}"))?;
    browser.wait("all scores", "document.querySelectorAll('#segments select')[2].length > 2")?;
    browser.wait("the field of the search", "document.activeElement.value === 'the'")?;
    browser.holds(
        "the same choices",
        "const [status, opened] = window.before;
         const chosen = [...document.querySelectorAll('#segments select')].map((s) => s.selectedOptions[0].textContent);
         return chosen[0] === 'system-b.en.txt' && chosen[2] === 'chrF2' && document.querySelector('#segments [role=status]').textContent === status
           && document.querySelector('#segments h3').textContent === opened && document.querySelector('#segments tr[aria-selected=true]') !== null || chosen.join()",
    )?;
    Ok(String::new())
}

/// Only rows in view are in the page; the keys move through all of them.
pub fn list(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.large)?;
    ensure!(count(browser)? == "3,004 segments.", "{}", count(browser)?);
    browser.holds("few rows", "return document.querySelectorAll('#segments tr[data-row]').length < 60")?;
    browser.holds(
        "the list is as long as its rows",
        &format!("return document.querySelector('.segment-view table').offsetHeight > {}", SEGMENTS * 30),
    )?;
    browser.script("document.querySelector('#segments tr[data-row]').focus()")?;
    browser.press(&super::super::driver::END.to_string())?;
    browser.wait("the last row", &format!("document.activeElement.dataset.row === '{}'", SEGMENTS - 1))?;
    browser.holds(
        "the focused row can be seen",
        "const [row, view] = [document.activeElement, document.querySelector('.segment-view')].map((n) => n.getBoundingClientRect());
         return row.top >= view.top && row.bottom <= view.bottom + 1",
    )?;
    browser.holds(
        "the list keeps the focus when the active row is scrolled out of view, and its keys go on from there",
        "const view = document.querySelector('.segment-view');
         view.scrollTop = 0;
         const pause = () => new Promise((resume) => setTimeout(resume, 200));
         return pause().then(() => {
           const row = document.activeElement;
           row.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
           return (row.dataset.row === '0' && document.activeElement.dataset.row === '1') || row.outerHTML.slice(0, 100);
         })",
    )?;
    browser.holds(
        "sorted by the difference",
        "return document.querySelector('.segment-view [aria-sort]').textContent === 'A − B'",
    )?;
    Ok(String::new())
}
