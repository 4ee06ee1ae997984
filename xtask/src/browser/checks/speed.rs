//! How long readers wait.

use super::super::driver::Browser;
use super::super::reports::{MANY, Reports};
use super::open;
use anyhow::{Context, Result, ensure};
use std::fs;

/// Limits in milliseconds, and of the size of the large report in bytes.
const FIRST_PAINT: f64 = 1000.0;
const FILTER: f64 = 100.0;
const BLOCKED: f64 = 500.0;
const SIZE: u64 = 8_000_000;

/// The large report is small enough and seen soon: its first paint, and its table of systems; the best of three.
pub fn first_paint(browser: &Browser, reports: &Reports) -> Result<String> {
    let size = fs::metadata(&reports.large)?.len();
    ensure!(size <= SIZE, "the report has {size} bytes");
    let (mut paint, mut table) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..3 {
        open(browser, &reports.large)?;
        browser.wait("painted", "performance.getEntriesByName('first-contentful-paint').length")?;
        let times = browser.script(
            "return [performance.getEntriesByName('first-contentful-paint')[0].startTime,
                     performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd]",
        )?;
        paint = paint.min(times[0].as_f64().context("no time")?);
        table = table.min(times[1].as_f64().context("no time")?);
    }
    ensure!(paint.max(table) <= FIRST_PAINT, "first paint after {paint:.0} ms, systems after {table:.0} ms");
    Ok(format!("first paint after {paint:.0} ms, systems after {table:.0} ms, {:.2} MB", size as f64 / 1e6))
}

/// Changes a field and returns the milliseconds until the page is drawn again.
const TIMED: &str = "const timed = (select, value) => new Promise((done) => {
    const field = typeof select === 'string' ? document.querySelector(select) : select;
    const start = performance.now();
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', {bubbles: true}));
    requestAnimationFrame(() => { const channel = new MessageChannel(); channel.port1.onmessage = () => done(performance.now() - start); channel.port2.postMessage(0); });
  });";

/// Searches and choices in the large report, each until the page is drawn again; the best of three.
pub fn filters(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.large)?;
    let times = browser.script(&format!(
        "{TIMED}
         return (async () => {{
           const search = '#segments input[type=search]';
           const field = (label) => [...document.querySelectorAll('#segments .field')].find((f) => f.firstChild.textContent === label).querySelector('select');
           const changes = [[search, 'minister'], [search, '/towns.*2010/'], [search, ''], [field('Show'), '1'], [field('Show'), '0'], [field('Metric'), '2'], [field('A'), '5'], [field('Metric'), '0'], [field('A'), '0']];
           const best = changes.map(() => Infinity);
           for (let turn = 0; turn < 3; turn++) for (const [i, [select, value]] of changes.entries()) best[i] = Math.min(best[i], await timed(select, value));
           return best;
         }})()"
    ))?;
    let times: Vec<f64> =
        times.as_array().context("no times")?.iter().filter_map(|time| time.as_f64()).collect();
    let slowest = times.iter().copied().fold(0.0, f64::max);
    ensure!(times.len() == 9 && slowest <= FILTER, "{times:?}");
    Ok(format!("the slowest of 9 took {slowest:.0} ms"))
}

/// With 100,000 segments no search or sort keeps the page from answering for long.
pub fn many_segments(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.many)?;
    browser.wait(
        "all segments are listed",
        "document.querySelector('#segments [role=status]').textContent.startsWith('100,000')",
    )?;
    let found = browser.script(&format!(
        "{TIMED}
         return (async () => {{
           let [longest, last, running] = [0, performance.now(), true];
           const watch = () => {{ const now = performance.now(); longest = Math.max(longest, now - last); last = now; if (running) setTimeout(watch); }};
           watch();
           const count = () => document.querySelector('#segments [role=status]').textContent;
           const until = async (wanted) => {{ while (!wanted()) await new Promise((resume) => setTimeout(resume, 5)); }};
           const start = performance.now();
           await timed('#segments input[type=search]', 'minister said');
           await until(() => count().includes(' of '));
           const searched = performance.now() - start;
           await timed('#segments input[type=search]', '');
           await until(() => count().startsWith('100,000'));
           document.querySelector('.segment-view thead button').click();
           await until(() => document.querySelector('.segment-view th').getAttribute('aria-sort'));
           const view = document.querySelector('.segment-view');
           for (let i = 0; i <= 20; i++) {{ view.scrollTop = view.scrollHeight * i / 20; await new Promise((resume) => requestAnimationFrame(resume)); }}
           running = false;
           return [longest, searched, Number(document.querySelector('#segments tr[data-row]:nth-last-child(2)').dataset.row)];
         }})()"
    ))?;
    let number = |i: usize| found[i].as_f64().context("no figure");
    ensure!(number(2)? == (MANY - 1) as f64, "the last row is {found}");
    ensure!(number(0)? <= BLOCKED, "blocked for {:.0} ms", number(0)?);
    Ok(format!("searched in {:.0} ms, never blocked for more than {:.0} ms", number(1)?, number(0)?))
}
