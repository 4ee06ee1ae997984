// Texts stay texts.

import { ensure } from "../driver.mjs";
import { open } from "../report.mjs";

/** Nothing of the texts or names becomes an element or runs; what is hidden can be seen. */
async function hostileTexts(browser, { reports }) {
  await open(browser, reports.hostile);
  await browser.holds("nothing ran", () => window.hacked === undefined);
  await browser.holds("no elements", () =>
    document.querySelectorAll("#report img, #report script, #systems tbody b").length === 0);
  await browser.holds("names are texts", () =>
    document.querySelector("#systems tbody th").textContent === "<b>A</b>");
  const shown = await browser.script(() => {
    document.querySelector("#segments thead button").click();
    const cells = [...document.querySelectorAll("#segments .segment-view td.text")];
    return cells.map((cell) => cell.textContent).join("\n");
  });
  for (const [what, wanted] of [
    ["tags", "the </script><script>window.hacked = 1</script>"],
    ["comments", "<!-- <script> a comment"],
    ["directions", "⟨U+202E⟩reversed⟨U+202C⟩"],
    ["codes of terminals", "⟨U+001B⟩[31mred⟨U+001B⟩[0m and a bell ⟨U+0007⟩"],
  ]) {
    ensure(shown.includes(wanted), `${what}: ${shown}`);
  }
}

/** A script that gets into the page in spite of all does not run, and nothing is loaded. */
async function policy(browser, { reports }) {
  await open(browser, reports.hostile);
  await browser.holds("nothing was loaded", () => performance.getEntriesByType("resource").length === 0);
  await inlineScriptsAreRefused(browser);
}

export function inlineScriptsAreRefused(browser) {
  return browser.holds("inline scripts and handlers are refused", async () => {
    const script = document.createElement("script");
    script.textContent = "window.hacked = 2";
    document.body.append(script);
    const image = document.createElement("div");
    image.innerHTML = '<img src="x:" onerror="window.hacked = 3">';
    document.body.append(image);
    await new Promise((done) => setTimeout(done, 200));
    return window.hacked === undefined;
  });
}

export const checks = { "hostile texts": hostileTexts, "content security policy": policy };
