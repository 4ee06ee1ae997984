//! Texts stay texts.

use super::super::driver::Browser;
use super::super::reports::Reports;
use super::open;
use anyhow::Result;

/// Nothing of the texts or names becomes an element or runs; what is hidden can be seen.
pub fn hostile_texts(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.hostile)?;
    browser.holds("nothing ran", "return window.hacked === undefined")?;
    browser.holds(
        "no elements",
        "return document.querySelectorAll('#report img, #report script, #systems tbody b').length === 0",
    )?;
    browser.holds(
        "names are texts",
        "return document.querySelector('#systems tbody th').textContent === '<b>A</b>'",
    )?;
    browser.script("document.querySelector('#segments thead button').click()")?;
    let shown = "const lines = [...document.querySelectorAll('#segments .segment-view td.text')].map((c) => c.textContent).join('\\n');";
    for (what, wanted) in [
        ("tags", "the </script><script>window.hacked = 1</script>"),
        ("comments", "<!-- <script> a comment"),
        ("directions", "⟨U+202E⟩reversed⟨U+202C⟩"),
        ("codes of terminals", "⟨U+001B⟩[31mred⟨U+001B⟩[0m and a bell ⟨U+0007⟩"),
    ] {
        browser.holds(what, &format!("{shown} return lines.includes({wanted:?}) || lines"))?;
    }
    Ok(String::new())
}

/// A script that gets into the page in spite of all does not run, and nothing is loaded.
pub fn policy(browser: &Browser, reports: &Reports) -> Result<String> {
    open(browser, &reports.hostile)?;
    browser.holds("nothing was loaded", "return performance.getEntriesByType('resource').length === 0")?;
    browser.holds(
        "inline scripts and handlers are refused",
        "const script = document.createElement('script');
         script.textContent = 'window.hacked = 2';
         document.body.append(script);
         const image = document.createElement('div');
         image.innerHTML = '<img src=\"x:\" onerror=\"window.hacked = 3\">';
         document.body.append(image);
         return new Promise((done) => setTimeout(() => done(window.hacked === undefined), 200))",
    )?;
    Ok(String::new())
}
