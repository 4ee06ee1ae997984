// A headless Chromium, driven through its WebDriver.

import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { pathToFileURL } from "node:url";

/** Flags without which a browser needs a network or a desktop. */
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--hide-scrollbars",
];

/** Codes of keys in WebDriver. */
export const TAB = "\ue004";
export const ENTER = "\ue007";
export const DOWN = "\ue015";
export const END = "\ue010";

/** How long a page may take, in milliseconds. */
const TIMEOUT = 20_000;

export const pause = (time) => new Promise((resume) => setTimeout(resume, time));

export function ensure(condition, message) {
  if (!condition) throw new Error(message);
}

/** Runs something again and again until it is true. */
export async function until(what, condition, interval = 20) {
  const start = Date.now();
  while (!(await condition())) {
    ensure(Date.now() - start < TIMEOUT, `${what}: not within ${TIMEOUT / 1000} s`);
    await pause(interval);
  }
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** A browser with one window. */
export class Browser {
  static async start({ chromium, chromedriver, profile }) {
    const browser = new Browser();
    const port = await freePort();
    browser.address = `http://127.0.0.1:${port}`;
    browser.driver = spawn(chromedriver, [`--port=${port}`], { stdio: "ignore" });
    await until("the WebDriver answers", () => browser.request("GET", "/status").then(() => true, () => false), 50);
    const options = { binary: chromium, args: [...FLAGS, `--user-data-dir=${profile}`] };
    const capabilities = { alwaysMatch: { "goog:chromeOptions": options } };
    browser.session = (await browser.request("POST", "/session", { capabilities })).sessionId;
    return browser;
  }

  /** The browser ends with its session, the driver only by force. */
  async end() {
    if (this.session) await this.request("DELETE", `/session/${this.session}`).catch(() => {});
    this.driver.kill();
  }

  async request(method, path, body) {
    const answer = await fetch(this.address + path, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    ensure(answer.ok, `${method} ${path}: ${value?.message}`);
    return value;
  }

  post(command, body) {
    return this.request("POST", `/session/${this.session}/${command}`, body);
  }

  visit(url) {
    return this.post("url", { url });
  }

  open(file) {
    return this.visit(pathToFileURL(file).href);
  }

  /** Runs a function in the page and returns its result; promises are awaited. */
  script(action, ...args) {
    return this.post("execute/sync", { script: `return (${action}).apply(null, arguments)`, args });
  }

  /** The same for a result that must be true. */
  async holds(what, action, ...args) {
    const result = await this.script(action, ...args);
    ensure(result === true, `${what}: ${JSON.stringify(result)}`);
  }

  /** Waits until a function in the page returns something true. */
  wait(what, action, ...args) {
    return until(what, () => this.script(action, ...args));
  }

  /** Presses keys, one after the other. */
  press(keys) {
    const actions = [...keys].flatMap((value) => ["keyDown", "keyUp"].map((type) => ({ type, value })));
    return this.post("actions", { actions: [{ type: "key", id: "keys", actions }] });
  }

  /** Presses Tab until a function of the focused element is true; returns the steps. The focus must be seen at each. */
  async reach(what, condition) {
    for (let steps = 1; ; steps++) {
      ensure(steps < 300, `${what} cannot be reached by Tab`);
      await this.press(TAB);
      const [found, shown, html] = await this.script(`() => {
        const node = document.activeElement;
        const box = node.getBoundingClientRect();
        const shown = box.width > 0 && box.height > 0 && getComputedStyle(node).outlineStyle !== "none";
        return [(${condition})(node), shown || node === document.body, node.outerHTML.slice(0, 100)];
      }`);
      ensure(shown, `the focus cannot be seen on ${html}`);
      if (found) return steps;
    }
  }

  devtools(cmd, params) {
    return this.post("goog/cdp/execute", { cmd, params });
  }

  /** Sets the size of the window's contents in pixels. */
  resize(width, height) {
    return this.devtools("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  }

  /** Whether the system of the reader prefers dark colours. */
  preferDark(dark) {
    const features = [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }];
    return this.devtools("Emulation.setEmulatedMedia", { features });
  }

  /** Shows the page as it is printed, or as it is on the screen. */
  showAsPrinted(printed) {
    return this.devtools("Emulation.setEmulatedMedia", { media: printed ? "print" : "" });
  }

  /** The window as a PNG file. */
  async screenshot() {
    return Buffer.from(await this.request("GET", `/session/${this.session}/screenshot`), "base64");
  }
}
