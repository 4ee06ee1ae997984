// The page of `tercet serve`.

import { readFileSync } from "node:fs";
import { checkAxe, fetchAxe } from "../axe.mjs";
import { ENTER, ensure, until } from "../driver.mjs";
import { figure, withServer } from "../server.mjs";
import { LOOKS, fitsIntoWindow } from "./access.mjs";
import { inlineScriptsAreRefused } from "./safety.mjs";

/** Opens the page of a new server and runs a check in it. */
export const onPage = (check) => (browser, context) =>
  withServer(context.tercet, async (address) => {
    await browser.visit(address);
    await browser.wait("the form is drawn", () => document.querySelectorAll(".choices input").length > 5);
    return await check(browser, context, address);
  });

/** Puts files into the field, as a person would by choosing or dropping them. A file is a text or a list of bytes. */
async function addFiles(browser, files) {
  await browser.script((files) => {
    const given = new DataTransfer();
    for (const [name, text] of files) {
      given.items.add(new File([typeof text === "string" ? text : new Uint8Array(text)], name));
    }
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
  }, files);
}

async function addTexts(browser, files) {
  await addFiles(browser, files);
  await browser.wait("files are added", (start) =>
    document.querySelector("[role=status]").textContent.startsWith(start), `${files.length} file`);
}

/** Adds the reference and the first systems of the examples. */
export function addExamples(browser, { root }, systems) {
  const example = (name) => readFileSync(`${root}/examples/${name}.en.txt`, "utf8");
  const names = ["a", "b", "c"].slice(0, systems);
  const files = names.map((name) => [`${name}.txt`, example(`system-${name}`)]);
  return addTexts(browser, [["ref.txt", example("reference")], ...files]);
}

const view = (browser, name) => browser.script((name) =>
  [...document.querySelectorAll("#views button")].find((button) => button.textContent === name).click(), name);

/** Chooses metrics and a language for which the quick chrF compares two systems, and presses the button. */
function evaluate(browser, metrics) {
  return browser.script((metrics) => {
    for (const box of document.querySelectorAll(".choices input")) box.checked = metrics.includes(box.value);
    document.querySelector("[placeholder=en-de]").value = "de";
    document.querySelector("form button.main").click();
  }, metrics);
}

/** Waits for the finished report. */
const report = (browser) => browser.wait("the report", () => {
  const buttons = [...document.querySelectorAll("#report button")];
  const isDone = buttons.some((button) => button.textContent === "Save as a file");
  return isDone && document.querySelector("#report #signatures") && !document.getElementById("report").hidden;
});

/** Types a reference and two translations, and waits for the verdict. */
export async function typeTranslations(browser, texts) {
  await view(browser, "Type");
  for (const [i, field] of ["reference", "A", "B"].entries()) {
    await browser.script((field) => document.querySelector(`[data-of=${field}]`).focus(), field);
    await browser.press(texts[i]);
  }
  await browser.wait("a verdict", () => document.querySelector(".live-verdict .verdict"));
}

const runs = (browser, count) => browser.wait(`${count} past runs`, (count) =>
  document.querySelectorAll(".runs li").length === count, count);

/** Files are dropped, the report appears with all metrics, is kept among the past runs and opens again. */
async function upload(browser, context, address) {
  await addExamples(browser, context, 3);
  await browser.holds("roles by names", () => {
    const roles = [...document.querySelectorAll(".entry legend")].map((legend) => legend.textContent);
    return roles.join() === "reference,system,system,system" || roles.join();
  });
  await evaluate(browser, ["bleu", "chrf", "ter", "meteor"]);
  await report(browser);
  await browser.holds("all systems and metrics", () => {
    const table = document.querySelector("#systems table");
    return table.querySelectorAll("tbody tr").length === 3 && table.querySelectorAll("thead th").length >= 5;
  });
  await browser.holds("the view is open", () => document.getElementById("view").hidden);
  await view(browser, "Past runs");
  await runs(browser, 1);
  await browser.script(() => document.querySelector(".runs button").click());
  await report(browser);
  await browser.holds("only this server was asked", (address) =>
    performance.getEntriesByType("resource").every((entry) => entry.name.startsWith(address)), address);
}

/** A text that is dropped is left to the browser; a run that is given up cannot be saved, and the page says so. */
async function mistakes(browser, context) {
  await browser.holds("a dropped text is left to the browser", () => {
    const given = new DataTransfer();
    given.setData("text/plain", "a text");
    const drop = new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true });
    document.querySelector("textarea").dispatchEvent(drop);
    return !drop.defaultPrevented && document.querySelector(".working [role=status]").textContent === "";
  });
  await addFiles(browser, [
    ["a.gz", [0x1f, 0x8b, 8]],
    ["latin1.txt", [0x4d, 0xfc]],
    ["utf16.txt", [0xff, 0xfe, 0x41, 0]],
    ["ref.sgm", "<refset>"],
  ]);
  await browser.wait("files that cannot be read are refused by name", () => {
    const reasons = [
      "a.gz is compressed", "latin1.txt is not text in UTF-8", "utf16.txt is not text in UTF-8", "ref.sgm is SGML",
    ];
    const problem = document.querySelector(".problem").textContent;
    const areEmpty = [...document.querySelectorAll("textarea")].every((area) => area.value === "");
    return areEmpty && reasons.every((reason) => problem.includes(reason));
  });
  await browser.script(() => document.querySelector("form button.main").click());
  await browser.wait("no reference", () =>
    document.querySelector(".problem").textContent.startsWith("There is no reference"));
  await addExamples(browser, context, 1);
  await evaluate(browser, ["chrf"]);
  await report(browser);
  await browser.holds("its warnings", () =>
    document.querySelector("#report .remarks").textContent.includes("only 16 segments"));
  await view(browser, "Past runs");
  await runs(browser, 1);
  const press = (part, name) => browser.script((part, name) => {
    window.confirm = () => true;
    [...document.querySelectorAll(`${part} button`)].find((button) => button.textContent === name).click();
  }, part, name);
  await press("#view", "Forget all");
  await browser.wait("no runs", () =>
    document.querySelector("#view [role=status]").textContent === "There are none yet.");
  await view(browser, "Report");
  await press("#report", "Save as a file");
  await browser.wait("a reason", () =>
    document.querySelector("#report [role=alert]").textContent.includes("not kept"));
}

/** Two systems have a verdict, and are compared segment by segment. */
async function twoSystems(browser, context) {
  await addExamples(browser, context, 2);
  await evaluate(browser, ["chrf", "ter"]);
  await report(browser);
  await browser.holds("a verdict", () =>
    document.querySelector("#report .verdict").textContent.startsWith("By chrF2, A is better"));
  await browser.wait("segments", () => document.querySelectorAll("#segments tr[data-row]").length > 10);
  await browser.holds("both outputs of a segment", () =>
    document.querySelectorAll("#segments .detail .output").length === 2);
}

/** Progress is shown, and the button stops the work on the server. */
async function stop(browser, _context, address) {
  const line = (i) => Array.from({ length: 80 }, (_, j) => `word${(i * j) % 89} `).join("");
  const lines = (first) => Array.from({ length: 5000 }, (_, i) => `${line(first + i)}\n`).join("");
  await addTexts(browser, [["ref.txt", lines(0)], ["a.txt", lines(1)]]);
  await evaluate(browser, ["ter", "character", "terp"]);
  await browser.wait("progress", () => document.querySelector("progress:not([hidden])")?.value > 0);
  await view(browser, "Evaluate");
  await browser.script(() => document.querySelector(".working button").click());
  await browser.wait("stopped", () => document.querySelector(".problem").textContent === "Stopped.");
  const start = Date.now();
  await until("the work ends", async () => (await figure(address, "tercet_jobs_running")) === 0, 50);
  return `the work ended after ${((Date.now() - start) / 1000).toFixed(1)} s`;
}

/** The verdict follows what is typed. */
async function liveVerdict(browser) {
  const isBetter = (name) => browser.wait(`${name} is better`, (start) =>
    document.querySelector(".verdict")?.textContent.startsWith(start), `${name} is better`);
  const byMetric = (name) => browser.wait(`by ${name}`, (start) =>
    document.querySelector(".live-verdict code")?.textContent.startsWith(start), `${name}:`);
  const type = (a, b) => browser.script((a, b) => {
    if (a !== null) document.querySelector("[data-of=A]").value = a;
    const field = document.querySelector("[data-of=B]");
    field.value = b;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }, a, b);
  const cat = "The cat sat on the mat and slept.";
  await typeTranslations(browser, [cat, "The cat sat on the mat and slept", "Dog."]);
  await isBetter("A");
  await browser.holds("scores of both", () => document.querySelectorAll(".live-verdict tbody tr").length === 2);
  await browser.holds("scores as reports show them", () => {
    const cells = (row) => [...row.children].map((cell) => cell.textContent);
    const [head, a] = [...document.querySelectorAll(".live-verdict tr")].map(cells);
    return head[3] === "TER ↓" && /^\d\.\d{4}$/.test(a[1]) && /^\d+\.\d\d$/.test(a[2]);
  });
  await browser.holds("no certainty", () => !/ 100%| 0%/.test(document.querySelector(".verdict").textContent));
  await type("Nothing.", cat);
  await isBetter("B");
  await byMetric("siamese");
  await browser.script(() => {
    const select = document.querySelector(".fields select");
    select.value = "1";
    select.dispatchEvent(new Event("change"));
  });
  await byMetric("chrf");
  await type(null, "");
  await browser.wait("no verdict without a translation", () => !document.querySelector(".live-verdict .verdict"));
}

/** Texts and names stay texts, and what runs is only the page's own script. */
async function hostileTexts(browser) {
  const text = '<img src=x onerror="window.hacked = 1">\n</script><script>window.hacked = 2</script>\n';
  await addTexts(browser, [["ref <b>.txt", text], ["<img src=x onerror=window.hacked=3>", text], ["b", "x\ny\n"]]);
  await evaluate(browser, ["chrf"]);
  await report(browser);
  await view(browser, "Past runs");
  await runs(browser, 1);
  await browser.holds("nothing ran", () =>
    window.hacked === undefined && document.querySelectorAll("img").length === 0);
  await inlineScriptsAreRefused(browser);
}

/** Everything can be reached and done with the keyboard. */
async function keyboard(browser) {
  let steps = 0;
  for (const text of ["one line here", "one line there", "another line"]) {
    steps += await browser.reach("a text", (node) => node.tagName === "TEXTAREA");
    await browser.press(text);
  }
  steps += await browser.reach("a metric", (node) => node.type === "checkbox" && node.value === "chrf");
  await browser.press(" ");
  steps += await browser.reach("the button", (node) => node.textContent === "Evaluate" && node.type === "submit");
  await browser.press(ENTER);
  await report(browser);
  return `${steps} steps`;
}

/** No view is wider than a narrow window, and axe-core has no serious finding in any, light or dark. */
async function everyReader(browser, context) {
  const axe = fetchAxe(context.folder);
  let passed = 0;
  for (const [dark, width] of LOOKS) {
    await browser.resize(width, 900);
    await browser.preferDark(dark);
    await onPage(async () => {
      await addExamples(browser, context, 2);
      await evaluate(browser, ["chrf", "bleu"]);
      await report(browser);
      for (const name of ["Report", "Evaluate", "Type", "Past runs"]) {
        await view(browser, name);
        await fitsIntoWindow(browser, name, "body *", ".scroll, .segment-view, svg, .unseen, .skip, select, [hidden]");
        if (axe !== null) passed += await checkAxe(browser, axe, `${name}, dark: ${dark}, ${width} pixels`);
      }
    })(browser, context);
  }
  await browser.preferDark(false);
  return axe === null ? "axe skipped: npm is not installed" : `${passed} rules passed in 12 views`;
}

export const checks = {
  "server: upload and report": onPage(upload),
  "server: mistakes": onPage(mistakes),
  "server: two systems": onPage(twoSystems),
  "server: progress and stop": onPage(stop),
  "server: live verdict": onPage(liveVerdict),
  "server: hostile texts": onPage(hostileTexts),
  "server: keyboard": onPage(keyboard),
  "server: 320 pixels and axe": everyReader,
};
