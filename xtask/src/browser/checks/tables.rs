//! Tables: sorted, copied, complete.

use super::super::driver::Browser;
use super::super::reports::Reports;
use super::{choose, open};
use anyhow::{Context, Result, ensure};

/// Every command shows its sections.
pub fn sections(browser: &Browser, reports: &Reports) -> Result<String> {
    let common = "paper signatures";
    for (report, expected) in [
        (&reports.examples, "systems pairs segments distributions breakdown scatter"),
        (&reports.compare, "verdict systems pairs segments distributions breakdown scatter"),
        (&reports.correlate, "agreement people"),
    ] {
        open(browser, report)?;
        let found =
            browser.script("return [...document.querySelectorAll('section')].map((s) => s.id).join(' ')")?;
        ensure!(found.as_str() == Some(&format!("{expected} {common}")), "{}: {found}", report.display());
        browser.holds("charts have names", "return [...document.querySelectorAll('svg')].every((s) => s.getAttribute('aria-label') && s.querySelector('text'))")?;
        browser.holds("charts have numbers", "return ![...document.querySelectorAll('svg *')].some((n) => [...n.attributes].some((a) => /NaN|undefined|Infinity/.test(a.value)))")?;
    }
    Ok(String::new())
}

/// A click on a title sorts by it, another one the other way round.
pub fn sort(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    let column = "const table = document.querySelector('#systems table');
                  const head = table.querySelectorAll('thead th')[1];
                  const numbers = () => [...table.querySelectorAll('tbody tr')].map((r) => parseFloat(r.cells[1].textContent));
                  const ordered = (sign) => numbers().every((n, i, all) => i === 0 || sign * (n - all[i - 1]) >= 0);";
    browser.holds("best first", &format!("{column} head.querySelector('button').click(); return head.getAttribute('aria-sort') === 'descending' && ordered(-1)"))?;
    browser.holds("worst first", &format!("{column} head.querySelector('button').click(); return head.getAttribute('aria-sort') === 'ascending' && ordered(1)"))?;
    browser.holds(
        "names",
        "const table = document.querySelector('#systems table');
         table.querySelector('thead button').click();
         const names = [...table.querySelectorAll('tbody th')].map((n) => n.textContent);
         return names.join() === [...names].sort().join() && !table.querySelectorAll('thead th')[1].hasAttribute('aria-sort')",
    )?;
    Ok(String::new())
}

/// Every table can be copied in three formats.
pub fn copy(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.hostile)?;
    let copied = |button: &str| copied(browser, "systems", button);
    let csv = copied("CSV")?;
    ensure!(csv.starts_with("system,BLEU,BLEU low,BLEU high,BLEU group,"), "{csv}");
    ensure!(csv.contains("\n'=1+1,"), "a formula is not neutralised: {csv}");
    ensure!(!csv.contains("wins"), "{csv}");
    let latex = copied("LaTeX")?;
    ensure!(latex.starts_with("\\begin{tabular}{lrrrr}\n\\toprule\nsystem & BLEU & "), "{latex}");
    ensure!(latex.contains("TER $\\downarrow$") && latex.ends_with("\\end{tabular}\n"), "{latex}");
    ensure!(latex.contains("& \\textbf{") && latex.contains("$^{1}$ ["), "best scores and groups: {latex}");
    let markdown = copied("Markdown")?;
    ensure!(markdown.starts_with("| system | BLEU | ") && markdown.contains("| ---: |"), "{markdown}");
    ensure!(markdown.contains("\\<b\\>A\\</b\\>"), "{markdown}");
    browser.holds(
        "a button that is pressed twice has its name again, and says if nothing was copied",
        "const button = document.querySelector('#systems .copies button');
         const pause = (time) => new Promise((resume) => setTimeout(resume, time));
         return (async () => {
           navigator.clipboard.writeText = () => Promise.reject();
           document.execCommand = () => false;
           await pause(1400);
           button.click();
           await pause(200);
           const said = button.textContent;
           button.click();
           await pause(1800);
           return (said === 'Not copied' && button.textContent === 'CSV') || [said, button.textContent].join();
         })()",
    )?;
    let all = "return [...document.querySelectorAll('figure.table table')].every((t) => t.closest('figure').querySelectorAll('.copies button').length === 3)";
    browser.holds("all tables have copies", all)?;
    browser.script("document.querySelectorAll('#systems thead button')[1].click()")?;
    let sorted = copied("CSV")?;
    let names = |csv: &str| {
        csv.lines().map(|line| line.split(',').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let shown = browser.script(
        "return [...document.querySelectorAll('#systems table')][0].querySelector('tbody th').textContent",
    )?;
    ensure!(
        names(&sorted)[1].trim_start_matches('\'') == shown.as_str().unwrap_or_default(),
        "copied as sorted: {sorted}"
    );
    Ok(String::new())
}

/// The copy of the pairs has numbers, a row for each pair; signatures in LaTeX can be broken.
pub fn copy_pairs(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    let csv = copied(browser, "pairs", "CSV")?;
    let mut lines = csv.lines();
    ensure!(lines.next() == Some("system,other,difference,p") && csv.lines().count() == 7, "{csv}");
    let are_numbers = |line: &str| line.split(',').skip(2).all(|cell| cell.parse::<f64>().is_ok());
    ensure!(lines.all(are_numbers), "{csv}");
    let latex = copied(browser, "signatures", "LaTeX")?;
    ensure!(latex.contains("\\texttt{bleu:tok=13a,\\allowbreak{}"), "{latex}");
    Ok(String::new())
}

/// The text that a button of a section copies. A button that has copied says so for a second, so it is found by its place.
fn copied(browser: &Browser, section: &str, button: &str) -> Result<String> {
    let place =
        ["CSV", "LaTeX", "Markdown"].iter().position(|name| *name == button).context("no such button")?;
    let text = browser.script(&format!(
        "return new Promise((done) => {{
           navigator.clipboard.writeText = (text) => {{ done(text); return Promise.resolve(); }};
           document.querySelectorAll('#{section} .copies button')[{place}].click();
         }})"
    ))?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

/// The list of segments is copied as it is filtered, with scores and texts; what hides or runs elsewhere is made harmless.
pub fn copy_segments(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    choose(browser, "segments", "half", "first")?;
    let csv = copied(browser, "segments", "CSV")?;
    let head = "segment,BLEU of system-a.en.txt,BLEU of system-b.en.txt,source,reference,system-a.en.txt,system-b.en.txt\n";
    ensure!(csv.starts_with(head) && csv.lines().count() == 9, "{csv}");
    ensure!(csv.contains("Can you say me where I an umbrella can buy?"), "{csv}");
    ensure!(copied(browser, "segments", "LaTeX")?.starts_with("\\begin{tabular}{rrrllll}"));
    ensure!(copied(browser, "segments", "Markdown")?.contains("| ---: | ---: | ---: | --- |"));
    choose(browser, "segments", "B", "none")?;
    ensure!(copied(browser, "segments", "LaTeX")?.starts_with("\\begin{tabular}{rrlll}"));
    browser.holds("a minus sign in a text stays", "return toCsv([['it is −5 °C']]) === 'it is −5 °C\\n'")?;
    browser.holds(
        "more segments than a function takes arguments",
        "const count = 200000;
         const texts = { references: new Array(count).fill(['r']), outputs: [new Array(count).fill('h')] };
         const scores = [[new Array(count).fill(0)]];
         const list = new SegmentBrowser({ systems: ['a'], segments: count, metrics: [{ title: 'm', decimals: 0 }], segment_scores: scores, groupings: [], marks: [], texts });
         return list.table()[0].length === 4",
    )?;
    open(browser, &reports.hostile)?;
    let csv = copied(browser, "segments", "CSV")?;
    ensure!(csv.contains("⟨U+202E⟩reversed") && !csv.contains(['\u{202e}', '\u{1b}']), "{csv}");
    Ok(String::new())
}

/// The entries of BibTeX are shown with their lines; readers see warnings and the names of the files.
pub fn texts(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    browser.holds(
        "lines of BibTeX",
        "const text = document.querySelector('#paper figure:last-child .paste').textContent;
         return text.split('\\n').length > 20 && !text.includes('⟨') || text",
    )?;
    browser.holds(
        "the LaTeX has no comment",
        "return !/[^\\\\]%/.test(document.querySelectorAll('#paper .paste')[1].textContent)",
    )?;
    browser.holds(
        "a warning",
        "return document.querySelector('.remarks')?.textContent.includes('only 16 segments')",
    )?;
    browser.holds(
        "the reference",
        "return document.querySelector('.page-title').textContent.includes('reference: reference.en.txt')",
    )?;
    Ok(String::new())
}

/// Systems without a score are left out of charts, and scores that differ by rounding only get an axis.
pub fn charts(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    browser.holds(
        "an axis for nearly equal scores",
        "return [[100, 100.00000000000001], [0, 0], [1, 2]].every((scores) => ticks(...ends(scores), 5).length < 12)",
    )?;
    browser.holds(
        "no point for a missing score",
        "const metric = (title) => ({ title, decimals: 2, scores: [{ score: 1, rank: 1 }, { score: null, low: null, high: null, rank: 2 }, { score: 3, rank: 3 }] });
         const data = { systems: ['a', 'b', 'c'], metrics: [metric('x'), metric('y')] };
         const rows = intervalPlot(data.metrics[0], data.systems).querySelectorAll('circle, .interval');
         return rows.length === 2 && systemPoints(data, 0, 1).length === 2",
    )?;
    Ok(String::new())
}

/// Differences have the opposite sign on the other side of the table.
pub fn pairs(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.examples)?;
    choose(browser, "pairs", "Metric", "TER")?;
    browser.holds(
        "mirrored",
        "const rows = [...document.querySelectorAll('#pairs tbody tr')].map((r) => [...r.cells].slice(1).map((c) => c.textContent));
         const marks = rows.flat().filter(Boolean);
         const mirror = {'▲': '▼', '▼': '▲', '≈': '≈'};
         return marks.length === 12 && rows.every((row, a) => row.every((text, b) => a === b ? text === '' : rows[b][a][0] === mirror[text[0]]))",
    )?;
    Ok(String::new())
}
