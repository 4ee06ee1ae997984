// Runs the checks, each from a fresh page, and takes the pictures. The argument is a JSON object: the programs, the
// reports and what to do.

import { Browser } from "./driver.mjs";
import { takePictures } from "./pictures.mjs";
import * as access from "./checks/access.mjs";
import * as safety from "./checks/safety.mjs";
import * as segments from "./checks/segments.mjs";
import * as serverPage from "./checks/server_page.mjs";
import * as speed from "./checks/speed.mjs";
import * as tables from "./checks/tables.mjs";

const context = JSON.parse(process.argv[2]);
const checks = [tables, segments, safety, access, speed, serverPage].flatMap((topic) => Object.entries(topic.checks));
/** What quick runs leave out: what takes long, and what opens a large report. */
const slow = Object.keys(speed.checks).concat(
  ["list of segments", "axe", "server: progress and stop", "server: 320 pixels and axe"],
);
const chosen = checks.filter(([name]) => name.includes(context.filter) && !(context.quick && slow.includes(name)));
if (chosen.length === 0) {
  console.error(`there is no check whose name contains \`${context.filter}\``);
  process.exit(1);
}
const browser = await Browser.start(context);
let failed = 0;
try {
  for (const [name, check] of chosen) {
    const start = Date.now();
    try {
      await browser.resize(1280, 900);
      const figures = (await check(browser, context)) ?? "";
      console.log(`passed  ${name} (${((Date.now() - start) / 1000).toFixed(1)} s) ${figures}`);
    } catch (error) {
      console.log(`FAILED  check \`${name}\`: ${error.message}`);
      failed += 1;
    }
  }
  if (!context.quick) await takePictures(browser, context);
} finally {
  await browser.end();
}
if (failed > 0) {
  console.error(`${failed} checks failed`);
  process.exit(1);
}
