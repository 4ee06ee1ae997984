// Every reader: dark colours, keyboard only, a narrow window, assistive technology.

import { checkAxe, fetchAxe } from "../axe.mjs";
import { DOWN, ENTER, TAB, ensure } from "../driver.mjs";
import { choose, nameOf, open } from "../report.mjs";

const PAPER_IS = (dark) => {
  const [red] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
  return dark ? red < 60 : red > 200;
};

/** Colours follow the system, and the switch overrides it. */
async function darkColours(browser, { reports }) {
  await open(browser, reports.examples);
  await browser.preferDark(true);
  await browser.holds("dark", PAPER_IS, true);
  await choose(browser, "systems", "Colours", "light");
  await browser.holds("light in spite of the system", PAPER_IS, false);
  await browser.preferDark(false);
  await choose(browser, "systems", "Colours", "dark");
  await browser.holds("dark in spite of the system", PAPER_IS, true);
  await choose(browser, "systems", "Colours", "as the system");
  await browser.holds("light", PAPER_IS, false);
}

/** All can be done without a mouse: reach everything by Tab, sort, search, move through the segments. */
async function keyboard(browser, { reports }) {
  await open(browser, reports.examples);
  await browser.press(TAB);
  await browser.holds("first the link over the navigation", () => document.activeElement.className === "skip");
  let steps = await browser.reach(
    "the title BLEU",
    (node) => node.closest("#systems thead") !== null && node.textContent.startsWith("BLEU"),
  );
  await browser.press(ENTER);
  await browser.holds(
    "sorted",
    () => document.querySelectorAll("#systems th")[1].getAttribute("aria-sort") === "descending",
  );
  steps += await browser.reach("the search", (node) => node.type === "search");
  await browser.press("the");
  steps += await browser.reach("the list", (node) => node.dataset.row === "0");
  const title = () => browser.script(() => document.querySelector(".detail h3").textContent);
  const before = await title();
  await browser.press(DOWN);
  ensure((await title()) !== before, "the next segment is not open");
  steps += await browser.reach("the last copy", (node) => node.textContent === "Copy BibTeX");
  return `${steps} steps`;
}

/** No part of a page is wider than the window, except what `except` selects, which scrolls by itself. */
export function fitsIntoWindow(browser, what, parts, except) {
  return browser.holds(
    `${what} is wider than the window`,
    (parts, except) => {
      const isWide = (node) => node.getBoundingClientRect().right > innerWidth + 1;
      const over = [...document.querySelectorAll(parts)].filter((node) => isWide(node) && !node.closest(except));
      const shown = over
        .slice(0, 5)
        .map((node) => node.outerHTML.slice(0, 120))
        .join(" ");
      return document.documentElement.scrollWidth <= innerWidth || shown;
    },
    parts,
    except,
  );
}

async function narrow(browser, { reports }) {
  for (const report of [reports.examples, reports.compare, reports.correlate, reports.large, reports.hostile].filter(
    Boolean,
  )) {
    await browser.resize(320, 700);
    await open(browser, report);
    await fitsIntoWindow(browser, nameOf(report), "#report *", ".scroll, .segment-view, svg, .unseen, select");
  }
}

/** Pixels of a page of A4 between its margins. */
const PRINTED_WIDTH = 688;

/** On paper nothing is cut off, and the colours are light also if the screen's are dark. */
async function print(browser, { reports }) {
  for (const report of [reports.examples, reports.compare, reports.correlate, reports.large].filter(Boolean)) {
    await browser.resize(PRINTED_WIDTH, 1000);
    await open(browser, report);
    await browser.script(() => {
      document.documentElement.dataset.theme = "dark";
    });
    await browser.showAsPrinted(true);
    await browser.holds(
      `${nameOf(report)} is wider than the paper`,
      (width) => {
        const parts = ["th", "td", "p", "pre", "svg"].map((tag) => `#report ${tag}`).join();
        const isCut = (node) => node.getBoundingClientRect().right > width + 1 && node.offsetParent !== null;
        const nodes = [...document.querySelectorAll(parts)].filter((node) => !node.closest(".segment-view"));
        const over = nodes.filter(isCut);
        return (
          over.length === 0 ||
          over
            .slice(0, 3)
            .map((node) => node.outerHTML.slice(0, 120))
            .join(" ")
        );
      },
      PRINTED_WIDTH,
    );
    await browser.holds("light", PAPER_IS, false);
    await browser.holds("dark words", () =>
      [...document.querySelectorAll("#report td, #report mark, #report p")].every((node) => {
        const [r, g, b] = getComputedStyle(node).color.match(/\d+/g).map(Number);
        return 0.3 * r + 0.6 * g + 0.1 * b < 140;
      }),
    );
    await browser.showAsPrinted(false);
  }
}

/** Light and dark, wide and narrow. */
export const LOOKS = [
  [false, 1280],
  [true, 1280],
  [false, 320],
];

/** axe-core has no serious finding, in light and dark, wide and narrow. */
async function axe(browser, { reports, folder }) {
  const source = fetchAxe(folder);
  if (source === null) return "skipped: npm is not installed";
  let passed = 0;
  for (const report of [reports.examples, reports.compare, reports.correlate, reports.hostile]) {
    for (const [dark, width] of LOOKS) {
      await browser.resize(width, 900);
      await browser.preferDark(dark);
      await open(browser, report);
      passed += await checkAxe(browser, source, `${nameOf(report)}, dark: ${dark}, ${width} pixels`);
    }
  }
  await browser.preferDark(false);
  return `${passed} rules passed on 12 pages`;
}

export const checks = { "dark colours": darkColours, keyboard, "320 pixels": narrow, print, axe };
