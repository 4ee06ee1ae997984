// Tables: sorted, copied, complete.

import { ensure } from "../driver.mjs";
import { choose, nameOf, open } from "../report.mjs";

/** The text that a button of a section copies. It is found by its place, since its name changes for a second. */
function copied(browser, section, button) {
  return browser.script((section, place) => new Promise((done) => {
    navigator.clipboard.writeText = (text) => {
      done(text);
      return Promise.resolve();
    };
    document.querySelectorAll(`#${section} .copies button`)[place].click();
  }), section, ["CSV", "LaTeX", "Markdown"].indexOf(button));
}

/** Every command shows its sections. */
async function sections(browser, { reports }) {
  for (const [report, expected] of [
    [reports.examples, "systems pairs segments distributions breakdown scatter"],
    [reports.compare, "verdict systems pairs segments distributions breakdown scatter"],
    [reports.correlate, "agreement people"],
  ]) {
    await open(browser, report);
    const found = await browser.script(() => [...document.querySelectorAll("section")].map((s) => s.id).join(" "));
    ensure(found === `${expected} paper signatures`, `${nameOf(report)}: ${found}`);
    await browser.holds("charts have names", () =>
      [...document.querySelectorAll("svg")].every((s) => s.getAttribute("aria-label") && s.querySelector("text")));
    await browser.holds("charts have numbers", () =>
      ![...document.querySelectorAll("svg *")].some((node) =>
        [...node.attributes].some((attribute) => /NaN|undefined|Infinity/.test(attribute.value))));
  }
}

/** A click on a title sorts by it, another one the other way round. */
async function sort(browser, { reports }) {
  await open(browser, reports.examples);
  for (const [what, sign, direction] of [["best first", -1, "descending"], ["worst first", 1, "ascending"]]) {
    await browser.holds(what, (sign, direction) => {
      const table = document.querySelector("#systems table");
      const head = table.querySelectorAll("thead th")[1];
      head.querySelector("button").click();
      const numbers = [...table.querySelectorAll("tbody tr")].map((row) => parseFloat(row.cells[1].textContent));
      const ordered = numbers.every((n, i) => i === 0 || sign * (n - numbers[i - 1]) >= 0);
      return head.getAttribute("aria-sort") === direction && ordered;
    }, sign, direction);
  }
  await browser.holds("names", () => {
    const table = document.querySelector("#systems table");
    table.querySelector("thead button").click();
    const names = [...table.querySelectorAll("tbody th")].map((name) => name.textContent);
    const other = table.querySelectorAll("thead th")[1];
    return names.join() === [...names].sort().join() && !other.hasAttribute("aria-sort");
  });
}

/** Every table can be copied in three formats. */
async function copy(browser, { reports }) {
  await open(browser, reports.hostile);
  const csv = await copied(browser, "systems", "CSV");
  ensure(csv.startsWith("system,BLEU,BLEU low,BLEU high,BLEU group,"), csv);
  ensure(csv.includes("\n'=1+1,"), `a formula is not neutralised: ${csv}`);
  ensure(!csv.includes("wins"), csv);
  const latex = await copied(browser, "systems", "LaTeX");
  ensure(latex.startsWith("\\begin{tabular}{lrrrr}\n\\toprule\nsystem & BLEU & "), latex);
  ensure(latex.includes("TER $\\downarrow$") && latex.endsWith("\\end{tabular}\n"), latex);
  ensure(latex.includes("& \\textbf{") && latex.includes("$^{1}$ ["), `best scores and groups: ${latex}`);
  const markdown = await copied(browser, "systems", "Markdown");
  ensure(markdown.startsWith("| system | BLEU | ") && markdown.includes("| ---: |"), markdown);
  ensure(markdown.includes("\\<b\\>A\\</b\\>"), markdown);
  await browser.holds("a button that is pressed twice has its name again, and says if nothing was copied", async () => {
    const button = document.querySelector("#systems .copies button");
    const pause = (time) => new Promise((resume) => setTimeout(resume, time));
    navigator.clipboard.writeText = () => Promise.reject();
    document.execCommand = () => false;
    await pause(1400);
    button.click();
    await pause(200);
    const said = button.textContent;
    button.click();
    await pause(1800);
    return (said === "Not copied" && button.textContent === "CSV") || [said, button.textContent].join();
  });
  await browser.holds("all tables have copies", () =>
    [...document.querySelectorAll("figure.table table")].every((table) =>
      table.closest("figure").querySelectorAll(".copies button").length === 3));
  await browser.script(() => document.querySelectorAll("#systems thead button")[1].click());
  const sorted = await copied(browser, "systems", "CSV");
  const first = sorted.split("\n")[1].split(",")[0].replace(/^'/, "");
  const shown = await browser.script(() => document.querySelector("#systems table tbody th").textContent);
  ensure(first === shown, `copied as sorted: ${sorted}`);
}

/** The copy of the pairs has numbers, a row for each pair; signatures in LaTeX can be broken. */
async function copyPairs(browser, { reports }) {
  await open(browser, reports.examples);
  const csv = await copied(browser, "pairs", "CSV");
  const [head, ...rows] = csv.trimEnd().split("\n");
  ensure(head === "system,other,difference,p" && rows.length === 6, csv);
  const isNumber = (cell) => cell !== "" && !Number.isNaN(Number(cell));
  ensure(rows.every((row) => row.split(",").slice(2).every(isNumber)), csv);
  const latex = await copied(browser, "signatures", "LaTeX");
  ensure(latex.includes("\\texttt{bleu:tok=13a,\\allowbreak{}"), latex);
}

/** The list of segments is copied as filtered, with scores and texts; what hides or runs elsewhere is made harmless. */
async function copySegments(browser, { reports }) {
  await open(browser, reports.examples);
  await choose(browser, "segments", "half", "first");
  let csv = await copied(browser, "segments", "CSV");
  const [a, b] = ["system-a.en.txt", "system-b.en.txt"];
  const head = `segment,BLEU of ${a},BLEU of ${b},source,reference,${a},${b}\n`;
  ensure(csv.startsWith(head) && csv.trimEnd().split("\n").length === 9, csv);
  ensure(csv.includes("Can you say me where I an umbrella can buy?"), csv);
  const starts = async (format, start) => ensure((await copied(browser, "segments", format)).startsWith(start), start);
  await starts("LaTeX", "\\begin{tabular}{rrrllll}");
  ensure((await copied(browser, "segments", "Markdown")).includes("| ---: | ---: | ---: | --- |"), "Markdown");
  await choose(browser, "segments", "B", "none");
  await starts("LaTeX", "\\begin{tabular}{rrlll}");
  await browser.holds("a minus sign in a text stays", () => toCsv([["it is −5 °C"]]) === "it is −5 °C\n");
  await browser.holds("more segments than a function takes arguments", () => {
    const segments = 200_000;
    const texts = { references: new Array(segments).fill(["r"]), outputs: [new Array(segments).fill("h")] };
    const scores = [[new Array(segments).fill(0)]];
    const metrics = [{ title: "m", decimals: 0 }];
    const data = { systems: ["a"], segments, metrics, segment_scores: scores, groupings: [], marks: [], texts };
    return new SegmentBrowser(data).table()[0].length === 4;
  });
  await open(browser, reports.hostile);
  csv = await copied(browser, "segments", "CSV");
  ensure(csv.includes("⟨U+202E⟩reversed") && !/[\u202e\u001b]/.test(csv), csv);
}

/** The entries of BibTeX are shown with their lines; readers see warnings and the names of the files. */
async function texts(browser, { reports }) {
  await open(browser, reports.examples);
  await browser.holds("lines of BibTeX", () => {
    const text = document.querySelector("#paper figure:last-child .paste").textContent;
    return (text.split("\n").length > 20 && !text.includes("⟨")) || text;
  });
  await browser.holds("the LaTeX has no comment", () =>
    !/[^\\]%/.test(document.querySelectorAll("#paper .paste")[1].textContent));
  await browser.holds("a warning", () =>
    document.querySelector(".remarks")?.textContent.includes("only 16 segments"));
  await browser.holds("the reference", () =>
    document.querySelector(".page-title").textContent.includes("reference: reference.en.txt"));
}

/** Systems without a score are left out of charts, and scores that differ by rounding only get an axis. */
async function charts(browser, { reports }) {
  await open(browser, reports.examples);
  await browser.holds("an axis for nearly equal scores", () =>
    [[100, 100.00000000000001], [0, 0], [1, 2]].every((scores) => ticks(...ends(scores), 5).length < 12));
  await browser.holds("no point for a missing score", () => {
    const missing = { score: null, low: null, high: null, rank: 2 };
    const scores = [{ score: 1, rank: 1 }, missing, { score: 3, rank: 3 }];
    const data = { systems: ["a", "b", "c"], metrics: ["x", "y"].map((title) => ({ title, decimals: 2, scores })) };
    const rows = intervalPlot(data.metrics[0], data.systems).querySelectorAll("circle, .interval");
    return rows.length === 2 && systemPoints(data, 0, 1).length === 2;
  });
}

/** Differences have the opposite sign on the other side of the table. */
async function pairs(browser, { reports }) {
  await open(browser, reports.examples);
  await choose(browser, "pairs", "Metric", "TER");
  await browser.holds("mirrored", () => {
    const cells = (row) => [...row.cells].slice(1).map((cell) => cell.textContent);
    const rows = [...document.querySelectorAll("#pairs tbody tr")].map(cells);
    const marks = rows.flat().filter(Boolean);
    const mirror = { "▲": "▼", "▼": "▲", "≈": "≈" };
    const mirrored = (text, a, b) => (a === b ? text === "" : rows[b][a][0] === mirror[text[0]]);
    return marks.length === 12 && rows.every((row, a) => row.every((text, b) => mirrored(text, a, b)));
  });
}

export const checks = {
  sections,
  sort,
  copy,
  "copy pairs": copyPairs,
  "copy segments": copySegments,
  texts,
  charts,
  pairs,
};
