// axe-core, which looks for what people with disabilities cannot use.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ensure } from "./driver.mjs";

/** The text of axe-core, fetched by npm once; `null` without npm. */
export function fetchAxe(folder) {
  const file = join(folder, "package/axe.min.js");
  if (!existsSync(file)) {
    let packed;
    try {
      packed = execFileSync("npm", ["pack", "--silent", "axe-core"], { cwd: folder, encoding: "utf8" });
    } catch (error) {
      if (error.code === "ENOENT") return null;
      throw error;
    }
    execFileSync("tar", ["xzf", packed.trim()], { cwd: folder });
  }
  return readFileSync(file, "utf8");
}

/** Fails if the page in the browser has a serious or critical finding; returns the number of rules that passed. */
export async function checkAxe(browser, axe, what) {
  await browser.script(`() => { ${axe} }`);
  const { passed, bad } = await browser.script(async () => {
    const found = await window.axe.run(document, { resultTypes: ["violations"] });
    const bad = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
    const shown = ({ id, help, nodes }) =>
      `${id}: ${help} at ${nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`;
    return { passed: found.passes.length, bad: bad.map(shown) };
  });
  ensure(bad.length === 0, `${what}: ${bad.join("\n")}`);
  return passed;
}
