// Screenshots: all into `target/screenshots`, some into the documentation.

import { mkdirSync, writeFileSync } from "node:fs";
import { addExamples, onPage, typeTranslations } from "./checks/server_page.mjs";
import { open } from "./report.mjs";

/** A name, the report, the part at its top, the size, and whether colours are dark and the documentation shows it. */
const PICTURES = [
  ["report", "examples", "", [1080, 680], { documentation: true }],
  ["segments", "examples", "segments", [1080, 760], { documentation: true }],
  ["report-dark", "examples", "", [1180, 700], { dark: true }],
  ["segments-dark", "examples", "segments", [1080, 760], { dark: true }],
  ["large", "large", "", [1180, 5600], {}],
  ["compare", "compare", "", [1080, 760], {}],
  ["correlate", "correlate", "", [1180, 1400], {}],
  ["hostile", "hostile", "segments", [1080, 760], {}],
  ["paper", "examples", "paper", [1080, 760], {}],
  ["narrow", "examples", "", [320, 4000], {}],
  ["narrow-segments", "large", "segments", [320, 700], {}],
];

export async function takePictures(browser, context) {
  const { reports, root, pictures } = context;
  const folders = [`${root}/target/screenshots`, `${root}/docs/images`];
  folders.forEach((folder) => mkdirSync(folder, { recursive: true }));
  let count = 0;
  const take = async (name, inDocumentation) => {
    const png = await browser.screenshot();
    const to = folders.slice(0, pictures && inDocumentation ? 2 : 1);
    to.forEach((folder) => writeFileSync(`${folder}/${name}.png`, png));
    count += 1;
  };
  // A check that failed may have left its colours.
  await open(browser, reports.examples);
  await browser.script(() => localStorage.clear());
  await browser.showAsPrinted(false);
  for (const [name, report, part, size, { dark = false, documentation = false }] of PICTURES) {
    await browser.preferDark(dark);
    await browser.resize(...size);
    await open(browser, reports[report]);
    await browser.script((part) => {
      document.documentElement.style.scrollBehavior = "auto";
      document.getElementById(part)?.scrollIntoView();
    }, part);
    await take(name, documentation);
    await browser.preferDark(false);
  }
  await browser.resize(1080, 760);
  await onPage(async () => {
    await addExamples(browser, context, 2);
    await take("serve-evaluate", true);
    await typeTranslations(browser, [
      "Can you tell me where I can buy an umbrella?",
      "Could you tell me where to buy an umbrella?",
      "Can you say me where I an umbrella can buy?",
    ]);
    await browser.resize(1080, 760);
    await take("serve-type", true);
  })(browser, context);
  console.log(`${count} pictures in ${folders[0]}`);
}
