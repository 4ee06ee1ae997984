//! The page of `tercet serve`.

use super::super::axe;
use super::super::driver::{Browser, ENTER, TAB};
use super::super::reports::Reports;
use crate::server::Server;
use anyhow::{Result, ensure};
use serde_json::json;
use std::fs;

/// Starts a server and opens its page.
fn open(browser: &Browser, reports: &Reports) -> Result<Server> {
    let server = Server::start(&reports.tercet, &[])?;
    browser.visit(&format!("http://{}/", server.address))?;
    browser.wait("the form is drawn", "document.querySelectorAll('.choices input').length > 5")?;
    Ok(server)
}

/// Puts files into the field, as a person would by choosing or dropping them.
fn add_files(browser: &Browser, files: &[(&str, &str)]) -> Result<()> {
    let files = json!(files);
    browser.script(&format!(
        "const given = new DataTransfer();
         for (const [name, text] of {files}) given.items.add(new File([text], name));
         document.dispatchEvent(new DragEvent('drop', {{dataTransfer: given, bubbles: true, cancelable: true}}))"
    ))?;
    let count = files.as_array().map_or(0, Vec::len);
    browser.wait(
        "files are added",
        &format!("document.querySelector('[role=status]').textContent.startsWith('{count} file')"),
    )
}

fn example(name: &str) -> Result<String> {
    Ok(fs::read_to_string(crate::step::root().join("examples").join(name))?)
}

fn view(browser: &Browser, name: &str) -> Result<()> {
    browser.holds(
        name,
        &format!("[...document.querySelectorAll('#views button')].find((b) => b.textContent === '{name}').click(); return true"),
    )
}

/// Chooses metrics and a language for which the quick chrF compares two systems, and presses the button.
fn evaluate(browser: &Browser, metrics: &[&str]) -> Result<()> {
    browser
        .script(&format!(
            "for (const box of document.querySelectorAll('.choices input')) box.checked = {}.includes(box.value);
             document.querySelector('[placeholder=en-de]').value = 'de';
             document.querySelector('form button.main').click()",
            json!(metrics)
        ))
        .map(|_| ())
}

const DONE: &str = "[...document.querySelectorAll('#report button')].some((b) => b.textContent === 'Save as a file') && document.querySelector('#report #signatures')";

/// Types a reference and two translations, and waits for the verdict.
fn type_translations(browser: &Browser, [reference, a, b]: [&str; 3]) -> Result<()> {
    view(browser, "Type")?;
    for (field, text) in [("reference", reference), ("A", a), ("B", b)] {
        browser.script(&format!("document.querySelector('[data-of={field}]').focus()"))?;
        browser.press(text)?;
    }
    browser.wait("a verdict", "document.querySelector('.live-verdict .verdict')")
}

/// Pictures of the views with the form and with the live verdict, by name.
pub fn pictures(browser: &Browser, reports: &Reports) -> Result<Vec<(&'static str, Vec<u8>)>> {
    browser.resize(1080, 760)?;
    let _server = open(browser, reports)?;
    let texts = [example("reference.en.txt")?, example("system-a.en.txt")?, example("system-b.en.txt")?];
    add_files(browser, &[("ref.txt", &texts[0]), ("a.txt", &texts[1]), ("b.txt", &texts[2])])?;
    let form = browser.screenshot()?;
    let lines = [
        "Can you tell me where I can buy an umbrella?",
        "Could you tell me where to buy an umbrella?",
        "Can you say me where I an umbrella can buy?",
    ];
    type_translations(browser, lines)?;
    browser.resize(1080, 760)?;
    Ok(vec![("serve-evaluate", form), ("serve-type", browser.screenshot()?)])
}

/// Files are dropped, the report appears with all metrics, is kept among the past runs and opens again.
pub fn upload(browser: &Browser, reports: &Reports) -> Result<String> {
    let server = open(browser, reports)?;
    let texts = [
        example("reference.en.txt")?,
        example("system-a.en.txt")?,
        example("system-b.en.txt")?,
        example("system-c.en.txt")?,
    ];
    add_files(
        browser,
        &[("ref.txt", &texts[0]), ("a.txt", &texts[1]), ("b.txt", &texts[2]), ("c.txt", &texts[3])],
    )?;
    browser.holds("roles by names", "return [...document.querySelectorAll('.entry legend')].map((n) => n.textContent).join() === 'reference,system,system,system'")?;
    evaluate(browser, &["bleu", "chrf", "ter", "meteor"])?;
    browser.wait("the report", DONE)?;
    browser.holds("all systems and metrics", "const t = document.querySelector('#systems table'); return t.querySelectorAll('tbody tr').length === 3 && t.querySelectorAll('thead th').length >= 5")?;
    browser.holds(
        "the view is open",
        "return !document.getElementById('report').hidden && document.getElementById('view').hidden",
    )?;
    view(browser, "Past runs")?;
    browser.wait("one run", "document.querySelectorAll('.runs li').length === 1")?;
    browser.script("document.querySelector('.runs button').click()")?;
    browser.wait("the kept report", &format!("!document.getElementById('report').hidden && {DONE}"))?;
    browser.holds(
        "only this server was asked",
        &format!(
            "return performance.getEntriesByType('resource').every((e) => e.name.startsWith('http://{}/'))",
            server.address
        ),
    )?;
    Ok(String::new())
}

/// A text that is dropped is left to the browser; a run that is given up cannot be saved, and the page says so.
pub fn mistakes(browser: &Browser, reports: &Reports) -> Result<String> {
    let _server = open(browser, reports)?;
    browser.holds(
        "a dropped text is left to the browser",
        "const given = new DataTransfer();
         given.setData('text/plain', 'a text');
         const drop = new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true});
         document.querySelector('textarea').dispatchEvent(drop);
         return !drop.defaultPrevented && document.querySelector('.working [role=status]').textContent === ''",
    )?;
    browser.script(
        "const given = new DataTransfer();
         const files = [['a.gz', [0x1f, 0x8b, 8]], ['latin1.txt', [0x4d, 0xfc]], ['utf16.txt', [0xff, 0xfe, 0x41, 0]], ['ref.sgm', [...'<refset>'].map((c) => c.charCodeAt(0))]];
         for (const [name, bytes] of files) given.items.add(new File([new Uint8Array(bytes)], name));
         document.dispatchEvent(new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true}))",
    )?;
    browser.wait(
        "files that cannot be read are refused by name",
        "['a.gz is compressed', 'latin1.txt is not text in UTF-8', 'utf16.txt is not text in UTF-8', 'ref.sgm is SGML'].every((said) => document.querySelector('.problem').textContent.includes(said)) && [...document.querySelectorAll('textarea')].every((t) => t.value === '')",
    )?;
    browser.script("document.querySelector('form button.main').click()")?;
    browser.wait(
        "no reference",
        "document.querySelector('.problem').textContent.startsWith('There is no reference')",
    )?;
    let texts = [example("reference.en.txt")?, example("system-a.en.txt")?];
    add_files(browser, &[("ref.txt", &texts[0]), ("a.txt", &texts[1])])?;
    evaluate(browser, &["chrf"])?;
    browser.wait("the report", DONE)?;
    browser.holds(
        "its warnings",
        "return document.querySelector('#report .remarks').textContent.includes('only 16 segments')",
    )?;
    view(browser, "Past runs")?;
    browser.wait("the run", "document.querySelectorAll('.runs li').length === 1")?;
    browser.script(
        "window.confirm = () => true; [...document.querySelectorAll('#view button')].find((b) => b.textContent === 'Forget all').click()",
    )?;
    browser.wait(
        "no runs",
        "document.querySelector('#view [role=status]').textContent === 'There are none yet.'",
    )?;
    view(browser, "Report")?;
    browser.script("[...document.querySelectorAll('#report button')].find((b) => b.textContent === 'Save as a file').click()")?;
    browser.wait(
        "a reason",
        "document.querySelector('#report [role=alert]').textContent.includes('not kept')",
    )?;
    Ok(String::new())
}

/// Two systems have a verdict, and are compared segment by segment.
pub fn two_systems(browser: &Browser, reports: &Reports) -> Result<String> {
    let _server = open(browser, reports)?;
    let texts = [example("reference.en.txt")?, example("system-a.en.txt")?, example("system-b.en.txt")?];
    add_files(browser, &[("ref.txt", &texts[0]), ("a.txt", &texts[1]), ("b.txt", &texts[2])])?;
    evaluate(browser, &["chrf", "ter"])?;
    browser.wait("the report", DONE)?;
    browser.holds(
        "a verdict",
        "return document.querySelector('#report .verdict').textContent.startsWith('By chrF2, A is better')",
    )?;
    browser.wait("segments", "document.querySelectorAll('#segments tr[data-row]').length > 10")?;
    browser.holds(
        "both outputs of a segment",
        "return document.querySelectorAll('#segments .detail .output').length === 2",
    )?;
    Ok(String::new())
}

/// Progress is shown, and the button stops the work on the server.
pub fn stop(browser: &Browser, reports: &Reports) -> Result<String> {
    let server = open(browser, reports)?;
    let line = |i: usize| (0..80).map(|j| format!("word{} ", (i * j) % 89)).collect::<String>();
    let lines = |first: usize| (first..first + 5000).map(|i| line(i) + "\n").collect::<String>();
    add_files(browser, &[("ref.txt", &lines(0)), ("a.txt", &lines(1))])?;
    evaluate(browser, &["ter", "character", "terp"])?;
    browser.wait("progress", "document.querySelector('progress:not([hidden])')?.value > 0")?;
    view(browser, "Evaluate")?;
    browser.script("document.querySelector('.working button').click()")?;
    browser.wait("stopped", "document.querySelector('.problem').textContent === 'Stopped.'")?;
    let start = std::time::Instant::now();
    while server.figure("tercet_jobs_running")? > 0.0 {
        ensure!(start.elapsed().as_secs() < 20, "the work goes on");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    Ok(format!("the work ended after {:.1} s", start.elapsed().as_secs_f64()))
}

/// The verdict follows what is typed.
pub fn live_verdict(browser: &Browser, reports: &Reports) -> Result<String> {
    let _server = open(browser, reports)?;
    let lines = ["The cat sat on the mat and slept.", "The cat sat on the mat and slept", "Dog."];
    type_translations(browser, lines)?;
    browser
        .wait("A is better", "document.querySelector('.verdict')?.textContent.startsWith('A is better')")?;
    browser
        .holds("scores of both", "return document.querySelectorAll('.live-verdict tbody tr').length === 2")?;
    browser.holds(
        "scores as reports show them",
        "const cells = (row) => [...row.children].map((cell) => cell.textContent);
         const [head, a] = [...document.querySelectorAll('.live-verdict tr')].map(cells);
         return head[3] === 'TER ↓' && /^\\d\\.\\d{4}$/.test(a[1]) && /^\\d+\\.\\d\\d$/.test(a[2])",
    )?;
    browser
        .holds("no certainty", "return !/ 100%| 0%/.test(document.querySelector('.verdict').textContent)")?;
    browser.script("const a = document.querySelector('[data-of=A]'); a.value = 'Nothing.'; const b = document.querySelector('[data-of=B]'); b.value = 'The cat sat on the mat and slept.'; b.dispatchEvent(new Event('input', {bubbles: true}))")?;
    browser
        .wait("B is better", "document.querySelector('.verdict')?.textContent.startsWith('B is better')")?;
    browser.holds(
        "by the learned metric",
        "return document.querySelector('.live-verdict code').textContent.startsWith('siamese:')",
    )?;
    browser.script("const select = document.querySelector('.fields select'); select.value = '1'; select.dispatchEvent(new Event('change'))")?;
    browser
        .wait("by chrF", "document.querySelector('.live-verdict code')?.textContent.startsWith('chrf:')")?;
    browser.script("const b = document.querySelector('[data-of=B]'); b.value = ''; b.dispatchEvent(new Event('input', {bubbles: true}))")?;
    browser.wait("no verdict without a translation", "!document.querySelector('.live-verdict .verdict')")?;
    Ok(String::new())
}

/// Texts and names stay texts, and what runs is only the page's own script.
pub fn hostile_texts(browser: &Browser, reports: &Reports) -> Result<String> {
    let _server = open(browser, reports)?;
    let text = "<img src=x onerror=\"window.hacked = 1\">\n</script><script>window.hacked = 2</script>\n";
    add_files(
        browser,
        &[("ref <b>.txt", text), ("<img src=x onerror=window.hacked=3>", text), ("b", "x\ny\n")],
    )?;
    evaluate(browser, &["chrf"])?;
    browser.wait("the report", DONE)?;
    view(browser, "Past runs")?;
    browser.wait("the run", "document.querySelectorAll('.runs li').length === 1")?;
    browser.holds(
        "nothing ran",
        "return window.hacked === undefined && document.querySelectorAll('img').length === 0",
    )?;
    browser.holds(
        "inline scripts are refused",
        "const script = document.createElement('script');
         script.textContent = 'window.hacked = 4';
         document.body.append(script);
         return new Promise((done) => setTimeout(() => done(window.hacked === undefined), 100))",
    )?;
    Ok(String::new())
}

/// Everything can be reached and done with the keyboard.
pub fn keyboard(browser: &Browser, reports: &Reports) -> Result<String> {
    let _server = open(browser, reports)?;
    let mut steps = 0;
    let mut reach = |what: &str, condition: &str| -> Result<()> {
        loop {
            browser.press(&TAB.to_string())?;
            steps += 1;
            let here = browser.script(&format!(
                "const node = document.activeElement;
                 return [{condition}, node === document.body || getComputedStyle(node).outlineStyle !== 'none', node.outerHTML.slice(0, 100)]"
            ))?;
            ensure!(here[1] == true, "the focus cannot be seen on {}", here[2]);
            if here[0] == true {
                return Ok(());
            }
            ensure!(steps < 300, "{what} cannot be reached by Tab");
        }
    };
    for text in ["one line here", "one line there", "another line"] {
        reach("a text", "node.tagName === 'TEXTAREA'")?;
        browser.press(text)?;
    }
    reach("a metric", "node.type === 'checkbox' && node.value === 'chrf'")?;
    browser.press(" ")?;
    reach("the button", "node.textContent === 'Evaluate' && node.type === 'submit'")?;
    browser.press(&ENTER.to_string())?;
    browser.wait("the report", DONE)?;
    Ok(format!("{steps} steps"))
}

/// No view is wider than a narrow window, and axe-core has no serious finding in any, light or dark.
pub fn every_reader(browser: &Browser, reports: &Reports) -> Result<String> {
    let folder = reports.examples.parent().expect("reports are in a folder");
    let axe = axe::fetch(folder)?;
    let mut passed = 0;
    for (dark, width) in [(false, 1280), (true, 1280), (false, 320)] {
        browser.resize(width, 900)?;
        browser.prefer_dark(dark)?;
        let _server = open(browser, reports)?;
        let texts = [example("reference.en.txt")?, example("system-a.en.txt")?, example("system-b.en.txt")?];
        add_files(browser, &[("ref.txt", &texts[0]), ("a.txt", &texts[1]), ("b.txt", &texts[2])])?;
        evaluate(browser, &["chrf", "bleu"])?;
        browser.wait("the report", DONE)?;
        for name in ["Report", "Evaluate", "Type", "Past runs"] {
            view(browser, name)?;
            browser.holds(
                &format!("{name} is wider than the window"),
                "const over = [...document.querySelectorAll('body *')].filter((n) => n.getBoundingClientRect().right > innerWidth + 1 && !n.closest('.scroll, .segment-view, svg, .unseen, .skip, select, [hidden]'));
                 return document.documentElement.scrollWidth <= innerWidth || over.slice(0, 5).map((n) => n.outerHTML.slice(0, 120)).join(' ')",
            )?;
            if let Some(file) = &axe {
                passed += axe::check(browser, file)
                    .map_err(|error| error.context(format!("{name}, dark: {dark}, {width} pixels")))?;
            }
        }
    }
    browser.prefer_dark(false)?;
    Ok(if axe.is_some() {
        format!("{passed} rules passed in 12 views")
    } else {
        "axe skipped: npm is not installed".to_owned()
    })
}
