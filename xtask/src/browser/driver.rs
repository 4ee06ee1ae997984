//! A headless Chromium, driven through its WebDriver.

use super::http::request;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Names of the programs, in the order in which they are looked for.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
const DRIVER: &str = "chromedriver";

/// Flags without which a browser needs a network or a desktop.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];

/// Codes of keys in WebDriver.
pub const TAB: char = '\u{e004}';
pub const ENTER: char = '\u{e007}';
pub const DOWN: char = '\u{e015}';
pub const END: char = '\u{e010}';

/// A browser with one window. It ends when this is dropped.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
}

/// The paths of browser and driver, if both are installed.
pub fn find() -> Option<(PathBuf, PathBuf)> {
    let path = std::env::var_os("PATH")?;
    let find =
        |name: &&str| std::env::split_paths(&path).map(|dir| dir.join(name)).find(|file| file.is_file());
    Some((BROWSERS.iter().find_map(find)?, find(&DRIVER)?))
}

impl Browser {
    /// Starts a browser.
    pub fn start((browser, driver): &(PathBuf, PathBuf), profile: &Path) -> Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new(driver);
        command
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = command.spawn().with_context(|| format!("cannot start {}", driver.display()))?;
        let mut started = Browser { driver: child, port, session: String::new() };
        started.wait_for_driver()?;
        let mut flags: Vec<String> = FLAGS.map(str::to_owned).to_vec();
        flags.push(format!("--user-data-dir={}", profile.display()));
        let options = json!({"binary": browser, "args": flags});
        let wanted = json!({"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}});
        let session = request(port, "POST", "/session", &wanted)?;
        started.session = session["sessionId"].as_str().context("no session")?.to_owned();
        Ok(started)
    }

    fn wait_for_driver(&self) -> Result<()> {
        let start = Instant::now();
        while request(self.port, "GET", "/status", &Value::Null).is_err() {
            if start.elapsed() > Duration::from_secs(20) {
                bail!("the WebDriver does not answer");
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn post(&self, command: &str, body: &Value) -> Result<Value> {
        request(self.port, "POST", &format!("/session/{}/{command}", self.session), body)
    }

    /// Opens a file.
    pub fn open(&self, file: &Path) -> Result<()> {
        self.visit(&format!("file://{}", file.canonicalize()?.display()))
    }

    /// Opens an address.
    pub fn visit(&self, address: &str) -> Result<()> {
        self.post("url", &json!({"url": address})).map(|_| ())
    }

    /// Runs a function's body in the page and returns its result; promises are awaited.
    pub fn script(&self, body: &str) -> Result<Value> {
        self.post("execute/sync", &json!({"script": body, "args": []}))
            .with_context(|| format!("script: {body:.300}"))
    }

    /// The same for a result that must be true.
    pub fn holds(&self, what: &str, body: &str) -> Result<()> {
        match self.script(body)? {
            Value::Bool(true) => Ok(()),
            other => bail!("{what}: {other}"),
        }
    }

    /// Waits until an expression is true.
    pub fn wait(&self, what: &str, expression: &str) -> Result<()> {
        let start = Instant::now();
        while self.script(&format!("return Boolean({expression})"))? != Value::Bool(true) {
            if start.elapsed() > Duration::from_secs(20) {
                bail!("{what}: not within 20 s");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }

    /// Presses keys, one after the other.
    pub fn press(&self, keys: &str) -> Result<()> {
        let actions: Vec<Value> = keys
            .chars()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key.to_string()})))
            .collect();
        let body = json!({"actions": [{"type": "key", "id": "keys", "actions": actions}]});
        self.post("actions", &body).map(|_| ())
    }

    /// Sets the size of the window's contents in pixels.
    pub fn resize(&self, width: usize, height: usize) -> Result<()> {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", metrics)
    }

    /// Whether the system of the reader prefers dark colours.
    pub fn prefer_dark(&self, dark: bool) -> Result<()> {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{"name": "prefers-color-scheme", "value": value}]);
        self.devtools("Emulation.setEmulatedMedia", json!({"features": features}))
    }

    /// Shows the page as it is printed, or as it is on the screen.
    pub fn show_as_printed(&self, printed: bool) -> Result<()> {
        self.devtools("Emulation.setEmulatedMedia", json!({"media": if printed { "print" } else { "" }}))
    }

    fn devtools(&self, command: &str, parameters: Value) -> Result<()> {
        self.post("goog/cdp/execute", &json!({"cmd": command, "params": parameters})).map(|_| ())
    }

    /// The window as a PNG file.
    pub fn screenshot(&self) -> Result<Vec<u8>> {
        let path = format!("/session/{}/screenshot", self.session);
        let picture = request(self.port, "GET", &path, &Value::Null)?;
        from_base64(picture.as_str().context("no picture")?)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, the driver only by force.
        _ = request(self.port, "DELETE", &format!("/session/{}", self.session), &Value::Null);
        _ = self.driver.kill();
        _ = self.driver.wait();
    }
}

fn from_base64(text: &str) -> Result<Vec<u8>> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0u32, 0);
    for digit in text.bytes().filter(|byte| !byte.is_ascii_whitespace() && *byte != b'=') {
        let value = DIGITS.iter().position(|known| *known == digit).context("no base64")?;
        bits = bits << 6 | value as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Ok(bytes)
}
