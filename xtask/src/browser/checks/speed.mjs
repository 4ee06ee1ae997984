// How long readers wait.

import { statSync } from "node:fs";
import { ensure } from "../driver.mjs";
import { open } from "../report.mjs";

/** Limits in milliseconds, and of the size of the large report in bytes. */
const FIRST_PAINT = 1000;
const FILTER = 100;
const BLOCKED = 500;
const SIZE = 8_000_000;

/** The large report is small enough and seen soon: its first paint, and its table of systems; the best of three. */
async function firstPaint(browser, { reports }) {
  const { size } = statSync(reports.large);
  ensure(size <= SIZE, `the report has ${size} bytes`);
  let [paint, table] = [Infinity, Infinity];
  for (let turn = 0; turn < 3; turn++) {
    await open(browser, reports.large);
    await browser.wait("painted", () => performance.getEntriesByName("first-contentful-paint").length);
    const times = await browser.script(() => [
      performance.getEntriesByName("first-contentful-paint")[0].startTime,
      performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
    ]);
    [paint, table] = [Math.min(paint, times[0]), Math.min(table, times[1])];
  }
  const figures = `first paint after ${paint.toFixed()} ms, systems after ${table.toFixed()} ms`;
  ensure(Math.max(paint, table) <= FIRST_PAINT, figures);
  return `${figures}, ${(size / 1e6).toFixed(2)} MB`;
}

/** Defines a function in the page that changes a field and returns the milliseconds until the page is drawn again. */
function defineTimed(browser) {
  return browser.script(() => {
    window.timed = (field, value) => new Promise((done) => {
      const start = performance.now();
      field.value = value;
      field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input", { bubbles: true }));
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - start);
        channel.port2.postMessage(0);
      });
    });
  });
}

/** Searches and choices in the large report, each until the page is drawn again; the best of three. */
async function filters(browser, { reports }) {
  await open(browser, reports.large);
  await defineTimed(browser);
  const times = await browser.script(async () => {
    const fields = [...document.querySelectorAll("#segments .field")];
    const field = (label) => fields.find((field) => field.firstChild.textContent === label).querySelector("select");
    const search = document.querySelector("#segments input[type=search]");
    const changes = [
      [search, "minister"], [search, "/towns.*2010/"], [search, ""], [field("Show"), "1"], [field("Show"), "0"],
      [field("Metric"), "2"], [field("A"), "5"], [field("Metric"), "0"], [field("A"), "0"],
    ];
    const best = changes.map(() => Infinity);
    for (let turn = 0; turn < 3; turn++) {
      for (const [i, [field, value]] of changes.entries()) {
        best[i] = Math.min(best[i], await window.timed(field, value));
      }
    }
    return best;
  });
  const slowest = Math.max(...times);
  ensure(slowest <= FILTER, times.join());
  return `the slowest of ${times.length} took ${slowest.toFixed()} ms`;
}

/** With 100,000 segments no search or sort keeps the page from answering for long. */
async function manySegments(browser, { reports, many }) {
  await open(browser, reports.many);
  const all = many.toLocaleString("en");
  await browser.wait("all segments are listed", (all) =>
    document.querySelector("#segments [role=status]").textContent.startsWith(all), all);
  await defineTimed(browser);
  const [longest, searched, row] = await browser.script(async (all) => {
    let [longest, last, running] = [0, performance.now(), true];
    const watch = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (running) setTimeout(watch);
    };
    watch();
    const count = () => document.querySelector("#segments [role=status]").textContent;
    const until = async (wanted) => {
      while (!wanted()) await new Promise((resume) => setTimeout(resume, 5));
    };
    const search = document.querySelector("#segments input[type=search]");
    const start = performance.now();
    await window.timed(search, "minister said");
    await until(() => count().includes(" of "));
    const searched = performance.now() - start;
    await window.timed(search, "");
    await until(() => count().startsWith(all));
    document.querySelector(".segment-view thead button").click();
    await until(() => document.querySelector(".segment-view th").getAttribute("aria-sort"));
    const view = document.querySelector(".segment-view");
    for (let i = 0; i <= 20; i++) {
      view.scrollTop = (view.scrollHeight * i) / 20;
      await new Promise((resume) => requestAnimationFrame(resume));
    }
    running = false;
    const row = document.querySelector("#segments tr[data-row]:nth-last-child(2)").dataset.row;
    return [longest, searched, Number(row)];
  }, all);
  ensure(row === many - 1, `the last row is ${row}`);
  ensure(longest <= BLOCKED, `blocked for ${longest.toFixed()} ms`);
  return `searched in ${searched.toFixed()} ms, never blocked for more than ${longest.toFixed()} ms`;
}

export const checks = { "first paint": firstPaint, "speed of filters": filters, "many segments": manySegments };
