// The list of segments, and the segment that is open.

import { END, ensure } from "../driver.mjs";
import { choose, open } from "../report.mjs";

/** Types into the search field. */
function search(browser, text) {
  return browser.script((text) => {
    const field = document.querySelector("#segments input[type=search]");
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, text);
}

async function found(browser, what, expected) {
  const count = await browser.script(() => document.querySelector("#segments [role=status]").textContent);
  ensure(count === expected, `${what}: ${count}`);
}

/** Words, patterns, sides and properties choose segments. */
async function filter(browser, { reports }) {
  await open(browser, reports.examples);
  await found(browser, "all", "16 segments.");
  await search(browser, "UMBRELLA");
  await found(browser, "words in any case", "1 of 16 segments.");
  await browser.holds("the segment is open", () =>
    document.querySelector(".detail h3").textContent.startsWith("Segment 5"));
  await search(browser, "/museum|bakery/");
  await found(browser, "a pattern", "2 of 16 segments.");
  await search(browser, "/(/");
  await found(browser, "an unfinished pattern", "This pattern is not a regular expression; all segments are shown.");
  await search(browser, "");
  for (const [label, entry, what, expected] of [
    ["domain", "home", "a property", "5 of 16 segments."],
    ["half", "first", "two properties", "2 of 16 segments."],
    ["half", "all", "the other property still holds", "5 of 16 segments."],
    ["domain", "all", "no property", "16 segments."],
  ]) {
    await choose(browser, "segments", label, entry);
    await found(browser, what, expected);
  }
  await choose(browser, "segments", "Show", "A better");
  for (const [metric, sign] of [["BLEU", "+"], ["TER", "−"]]) {
    await choose(browser, "segments", "Metric", metric);
    await browser.holds(`only segments where A is better by ${metric}`, (sign) => {
      const rows = [...document.querySelectorAll("#segments tr[data-row]")];
      const text = (row, part) => row.querySelector(part).textContent;
      const isBetter = (row) => text(row, ".difference").startsWith(sign) && text(row, ".winner") === "A";
      return rows.length > 0 && rows.every(isBetter);
    }, sign);
  }
}

/** Words are marked by the chosen metric, on both sides. */
async function markedWords(browser, { reports }) {
  await open(browser, reports.examples);
  const marks = () => browser.script(() =>
    [...new Set([...document.querySelectorAll(".detail .line mark")].map((mark) => mark.className))].sort().join(" "));
  const [edits, matches] = [/mark-[sidm]/, /mark-[utyp]/];
  await search(browser, "umbrella");
  await choose(browser, "segments", "Mark words by", "TER");
  let shown = await marks();
  ensure(edits.test(shown) && !matches.test(shown), `edits: ${shown}`);
  await browser.holds("a shift is marked in B, as METEOR's and TER's texts say", () =>
    [...document.querySelectorAll(".output")][1].querySelector("mark") !== null
      && document.querySelectorAll(".against mark").length > 0);
  await choose(browser, "segments", "Mark words by", "METEOR");
  shown = await marks();
  ensure(matches.test(shown) && !edits.test(shown), `matches: ${shown}`);
  await browser.holds("the line is complete", () => {
    const line = document.querySelector(".output .line").textContent;
    return line === "Can you tell me where I can buy an umbrella?" || line;
  });
  await choose(browser, "segments", "Mark words by", "nothing");
  await browser.holds("no marks", () => document.querySelectorAll(".detail mark").length === 0);
}

/** Probabilities are those of the chosen A and B, and a list without B is in the order that its titles say. */
async function chosenSystems(browser, { reports }) {
  await open(browser, reports.compare);
  const chances = () => browser.script(() => {
    const titles = [...document.querySelectorAll("#segments .segment-view th")];
    const at = titles.findIndex((title) => title.textContent === "p(A better)");
    return [...document.querySelectorAll("#segments tr[data-row]")].map((row) => Number(row.cells[at].textContent));
  });
  const before = await chances();
  await choose(browser, "segments", "A", "system-b.en.txt");
  await choose(browser, "segments", "B", "system-a.en.txt");
  const after = await chances();
  const exchanged = after.length > 0 && after.every((p, i) => Math.abs(p + before[i] - 1) < 0.011);
  ensure(exchanged, `A and B exchanged: ${after}`);
  await choose(browser, "segments", "B", "none");
  await browser.holds("one system has no probabilities, and its segments are in their order", () => {
    const titles = [...document.querySelectorAll("#segments .segment-view th")];
    const rows = [...document.querySelectorAll("#segments tr[data-row]")];
    return titles.every((title) => title.textContent !== "p(A better)")
      && titles[0].getAttribute("aria-sort") === "ascending"
      && rows.every((row, i) => Number(row.cells[0].textContent) === i + 1);
  });
  await browser.holds("a missing score is no tie", () => winner(NaN) === "–" && winner(0) === "=");
}

/** A report that is drawn again with more scores of the same texts keeps what the reader chose. */
async function growing(browser, { reports }) {
  await open(browser, reports.examples);
  await browser.script(() => {
    window.whole = lastBrowser.data;
    const data = { ...window.whole, metrics: window.whole.metrics.slice(0, 2), marks: [] };
    renderReport(document.getElementById("report"), data);
  });
  await browser.wait("fewer scores", () => document.querySelectorAll("#segments select")[2].length === 2);
  await choose(browser, "segments", "A", "system-b.en.txt");
  await choose(browser, "segments", "Metric", "chrF2");
  const shown = () => browser.script(() =>
    ["#segments [role=status]", "#segments h3"].map((part) => document.querySelector(part).textContent).join());
  await browser.script(() => {
    const search = document.querySelector("#segments input[type=search]");
    search.focus();
    search.value = "the";
    search.dispatchEvent(new Event("input"));
    document.querySelectorAll("#segments tr[data-row]")[3].click();
    search.focus();
  });
  const before = await shown();
  await browser.script(() => renderReport(document.getElementById("report"), window.whole));
  await browser.wait("all scores", () => document.querySelectorAll("#segments select")[2].length > 2);
  await browser.wait("the field of the search", () => document.activeElement.value === "the");
  ensure((await shown()) === before, `the same segments: ${before}`);
  await browser.holds("the same choices", () => {
    const selects = [...document.querySelectorAll("#segments select")];
    const chosen = selects.map((select) => select.selectedOptions[0].textContent);
    const selected = document.querySelector("#segments tr[aria-selected=true]");
    return (chosen[0] === "system-b.en.txt" && chosen[2] === "chrF2" && selected !== null) || chosen.join();
  });
}

/** Only rows in view are in the page; the keys move through all of them. */
async function list(browser, { reports, segments }) {
  await open(browser, reports.large);
  await found(browser, "all", `${segments.toLocaleString("en")} segments.`);
  await browser.holds("few rows", () => document.querySelectorAll("#segments tr[data-row]").length < 60);
  await browser.holds("the list is as long as its rows", (segments) =>
    document.querySelector(".segment-view table").offsetHeight > segments * 30, segments);
  await browser.script(() => document.querySelector("#segments tr[data-row]").focus());
  await browser.press(END);
  await browser.wait("the last row", (last) => document.activeElement.dataset.row === String(last), segments - 1);
  await browser.holds("the focused row can be seen", () => {
    const row = document.activeElement.getBoundingClientRect();
    const view = document.querySelector(".segment-view").getBoundingClientRect();
    return row.top >= view.top && row.bottom <= view.bottom + 1;
  });
  const focus = "the list keeps the focus when the active row is scrolled out of view, and its keys go on from there";
  await browser.holds(focus, async () => {
    document.querySelector(".segment-view").scrollTop = 0;
    await new Promise((resume) => setTimeout(resume, 200));
    const row = document.activeElement;
    row.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    return (row.dataset.row === "0" && document.activeElement.dataset.row === "1") || row.outerHTML.slice(0, 100);
  });
  await browser.holds("sorted by the difference", () =>
    document.querySelector(".segment-view [aria-sort]").textContent === "A − B");
}

export const checks = {
  filter,
  "marked words": markedWords,
  "chosen systems": chosenSystems,
  "growing report": growing,
  "list of segments": list,
};
