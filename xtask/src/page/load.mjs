// Loads the scripts of the pages as a browser does: file after file, in one scope.

import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { fakeWindow } from "./dom.mjs";

const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../..");

/** The files of Rust below a folder. */
function rustFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? rustFiles(file) : file.endsWith(".rs") ? [file] : [];
  });
}

/** The scripts of the file of Rust that includes this one, in the order of the page: `{file, text}`. */
function included(script) {
  const includes = (file) => readFileSync(file, "utf8").includes(`include_str!("${script}")`);
  const [list, more] = rustFiles(path.join(ROOT, "crates")).filter(includes);
  if (!list || more) throw new Error(`one file of Rust must include ${script}, not ${more ? "several" : "none"}`);
  const names = [...readFileSync(list, "utf8").matchAll(/include_str!\("([^"]+\.js)"\)/g)].map((match) => match[1]);
  return names.map((name) => {
    const file = path.join(path.dirname(list), name);
    return { file: path.relative(ROOT, file), text: readFileSync(file, "utf8") };
  });
}

/** The scripts of a page. `start.js` draws a report as soon as it is read, and is only for `lint.mjs`. */
export function scripts(page) {
  const report = included("report.js");
  const own = report.filter(({ file }) => path.basename(file) !== "start.js");
  return page === "report" ? report : [...own, ...included("page/page.js")];
}

/** The declarations of a page's scripts with these names, in a window of their own, which is among them. */
export function load(page, names) {
  const window = fakeWindow();
  const context = vm.createContext(window);
  for (const { file, text } of scripts(page)) {
    if (path.basename(file) !== "start.js") vm.runInContext(text, context, { filename: file });
  }
  return { ...vm.runInContext(`({ ${names.join(", ")} })`, context), window };
}

/** A value of the page's scope as one of this scope, so that both can be compared. */
export const plain = (value) => JSON.parse(JSON.stringify(value));
