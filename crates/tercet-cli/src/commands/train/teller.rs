//! How a training tells how far it is: a bar on a terminal, lines elsewhere (and on one without a cursor, `TERM=dumb`), nothing
//! with --quiet.
//!
//! Lines are for files and for other programs: one when something begins, one for each twentieth of what is counted, and one for
//! whatever is news by itself (a score).

use crate::output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Lines of what is counted, about.
const LINES: u64 = 20;

/// Who tells it.
pub struct Teller {
    quiet: bool,
    lines: bool,
    bar: ProgressBar,
    total: u64,
    what: &'static str,
}

impl Teller {
    /// One that asks whether standard error is a terminal on which bars can be drawn.
    pub fn new(quiet: bool) -> Self {
        let lines = !quiet && ProgressDrawTarget::stderr().is_hidden();
        Teller { quiet, lines, bar: ProgressBar::hidden(), total: 0, what: "" }
    }

    /// Something begins that is not counted.
    pub fn say(&mut self, line: &str) {
        let bar = progress_bar(0, "", self.quiet);
        bar.set_style(ProgressStyle::with_template("{msg}").expect("a fixed template"));
        bar.set_message(line.to_owned());
        bar.tick();
        self.begin(bar, line);
    }

    /// Something begins of which so many are counted.
    pub fn count(&mut self, line: &str, total: usize, what: &'static str) {
        let bar = progress_bar(total, what, self.quiet);
        let template = format!("{{prefix}} {{bar:30}} {{pos}}/{{len}} {what} {{eta}}  {{msg}}");
        bar.set_style(ProgressStyle::with_template(&template).expect("a fixed template"));
        bar.set_prefix(line.to_owned());
        self.begin(bar, &format!("{line}: {total} {what}"));
        (self.total, self.what) = (total as u64, what);
    }

    /// So many are done. `is_news` asks for a line of its own.
    pub fn reach(&mut self, done: u64, message: &str, is_news: bool) {
        let before = self.bar.position();
        self.bar.set_message(message.to_owned());
        self.bar.set_position(done);
        let parts = |done: u64| done * LINES / self.total.max(1);
        if self.lines && (is_news || parts(done) > parts(before)) {
            output::note(format!("{done}/{} {}  {message}", self.total, self.what).trim_end());
        }
    }

    /// So many more are done.
    pub fn add(&mut self, more: u64) {
        self.reach(self.bar.position() + more, "", false);
    }

    /// Something is odd.
    pub fn warn(&mut self, what: &str) {
        if !self.quiet {
            self.bar.suspend(|| output::warn(what));
        }
    }

    /// Takes the bar away.
    pub fn end(&mut self) {
        self.bar.finish_and_clear();
    }

    fn begin(&mut self, bar: ProgressBar, line: &str) {
        self.end();
        self.bar = bar;
        if self.lines {
            output::note(line);
        }
    }
}

fn progress_bar(length: usize, what: &str, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let template = format!("{{msg}}{{bar:40}} {{pos}}/{{len}} {what} {{eta}}");
    let style = ProgressStyle::with_template(&template).expect("a fixed template");
    ProgressBar::new(length as u64).with_style(style)
}
