//! Screenshots: all into `target/screenshots`, some into the documentation.

use super::checks::server_page;
use super::driver::Browser;
use super::reports::Reports;
use crate::step::root;
use anyhow::Result;
use std::fs;
use std::path::Path;

/// A picture: its name, the report, the part at its top, size, dark colours, whether the documentation shows it.
struct Picture<'a> {
    name: &'a str,
    report: &'a Path,
    part: &'a str,
    size: (usize, usize),
    dark: bool,
    shown: bool,
}

/// Takes all pictures.
pub fn take(browser: &Browser, reports: &Reports, for_documentation: bool) -> Result<()> {
    let picture = |name, report, part, size, dark, shown| Picture { name, report, part, size, dark, shown };
    let (wide, narrow) = ((1080, 760), (320, 700));
    let pictures = [
        picture("report", &reports.examples, "", (1080, 680), false, true),
        picture("segments", &reports.examples, "segments", (1080, 760), false, true),
        picture("report-dark", &reports.examples, "", (1180, 700), true, false),
        picture("segments-dark", &reports.examples, "segments", wide, true, false),
        picture("large", &reports.large, "", (1180, 5600), false, false),
        picture("compare", &reports.compare, "", wide, false, false),
        picture("correlate", &reports.correlate, "", (1180, 1400), false, false),
        picture("hostile", &reports.hostile, "segments", wide, false, false),
        picture("paper", &reports.examples, "paper", wide, false, false),
        picture("narrow", &reports.examples, "", (320, 4000), false, false),
        picture("narrow-segments", &reports.large, "segments", narrow, false, false),
    ];
    let folder = root().join("target/screenshots");
    let images = root().join("docs/images");
    fs::create_dir_all(&folder)?;
    // A check that failed may have left its colours.
    super::checks::open(browser, &reports.examples)?;
    browser.script("localStorage.clear()")?;
    browser.show_as_printed(false)?;
    for picture in &pictures {
        let png = picture.take(browser)?;
        fs::write(folder.join(picture.name).with_extension("png"), &png)?;
        if for_documentation && picture.shown {
            fs::create_dir_all(&images)?;
            fs::write(images.join(picture.name).with_extension("png"), &png)?;
        }
    }
    let of_server = server_page::pictures(browser, reports)?;
    for (name, png) in &of_server {
        fs::write(folder.join(name).with_extension("png"), png)?;
        if for_documentation {
            fs::write(images.join(name).with_extension("png"), png)?;
        }
    }
    println!("{} pictures in {}", pictures.len() + of_server.len(), folder.display());
    Ok(())
}

impl Picture<'_> {
    fn take(&self, browser: &Browser) -> Result<Vec<u8>> {
        browser.prefer_dark(self.dark)?;
        browser.resize(self.size.0, self.size.1)?;
        super::checks::open(browser, self.report)?;
        if !self.part.is_empty() {
            browser.script(&format!(
                "document.documentElement.style.scrollBehavior = 'auto'; document.getElementById('{}').scrollIntoView()",
                self.part
            ))?;
        }
        let picture = browser.screenshot();
        browser.prefer_dark(false)?;
        picture
    }
}
