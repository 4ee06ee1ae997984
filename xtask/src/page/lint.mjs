// Lints the scripts of both pages with ESLint, which is installed in the folder that is given. The files share one
// scope, so they are linted as one text: a name that nobody declares, or nobody uses, is found across files.

import { createRequire } from "node:module";
import path from "node:path";
import { scripts } from "./load.mjs";

const { Linter } = createRequire(path.resolve(process.argv[2], "package.json"))("eslint");

/** What browsers have. */
const BROWSER = [
  "AbortController", "Node", "ResizeObserver", "TextDecoder", "TextDecoderStream", "URL", "clearTimeout", "document",
  "fetch", "getComputedStyle", "localStorage", "location", "navigator", "performance", "requestAnimationFrame",
  "setTimeout", "window",
];

/** Texts of files go into the page as text nodes only. */
const MARKUP = ["innerHTML", "outerHTML", "insertAdjacentHTML", "setHTMLUnsafe", "srcdoc", "write", "writeln"]
  .map((property) => ({ property, message: "texts of files are no markup" }));

const rules = {
  "array-callback-return": "error",
  "consistent-this": "error",
  "constructor-super": "error",
  "default-case-last": "error",
  "dot-notation": ["error", { allowPattern: "^[A-Z]" }],
  eqeqeq: "error",
  "for-direction": "error",
  "getter-return": "error",
  "no-async-promise-executor": "error",
  "no-caller": "error",
  "no-case-declarations": "error",
  "no-class-assign": "error",
  "no-cond-assign": "error",
  "no-const-assign": "error",
  "no-constant-binary-expression": "error",
  "no-debugger": "error",
  "no-dupe-args": "error",
  "no-dupe-class-members": "error",
  "no-dupe-else-if": "error",
  "no-dupe-keys": "error",
  "no-duplicate-case": "error",
  "no-empty": "error",
  "no-eval": "error",
  "no-extend-native": "error",
  "no-fallthrough": "error",
  "no-func-assign": "error",
  "no-global-assign": "error",
  "no-implicit-coercion": "error",
  "no-implied-eval": "error",
  "no-inner-declarations": "error",
  "no-invalid-regexp": "error",
  "no-new-func": "error",
  "no-redeclare": "error",
  "no-restricted-properties": ["error", ...MARKUP],
  "no-script-url": "error",
  "no-self-assign": "error",
  "no-self-compare": "error",
  "no-shadow-restricted-names": "error",
  "no-this-before-super": "error",
  "no-throw-literal": "error",
  "no-undef": "error",
  "no-unmodified-loop-condition": "error",
  "no-unreachable": "error",
  "no-unreachable-loop": "error",
  "no-unsafe-finally": "error",
  "no-unsafe-negation": "error",
  "no-unsafe-optional-chaining": "error",
  "no-unused-expressions": ["error", { allowShortCircuit: true }],
  "no-unused-private-class-members": "error",
  "no-unused-vars": ["error", { vars: "all", args: "after-used", caughtErrors: "all", argsIgnorePattern: "^_" }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-backreference": "error",
  "no-useless-return": "error",
  "no-var": "error",
  "no-with": "error",
  "prefer-const": ["error", { destructuring: "all" }],
  "require-yield": "error",
  "use-isnan": "error",
  "valid-typeof": "error",
};

let found = 0;
for (const page of ["report", "server"]) {
  const files = scripts(page);
  const lines = files.flatMap(({ file, text }) => text.split("\n").slice(0, -1).map((_, i) => `${file}:${i + 1}`));
  const globals = Object.fromEntries(BROWSER.map((name) => [name, "readonly"]));
  const config = { languageOptions: { ecmaVersion: 2023, sourceType: "script", globals }, rules };
  for (const message of new Linter().verify(files.map(({ text }) => text).join(""), config)) {
    // The server's page takes the report's scripts as they are, without some that only files need.
    const isOwn = page === "report" || lines[message.line - 1].includes("/page/");
    if (message.ruleId === "no-unused-vars" && !isOwn) continue;
    console.log(`${lines[message.line - 1]}:${message.column}: ${message.message} (${message.ruleId ?? "syntax"})`);
    found++;
  }
}
process.exitCode = found ? 1 : 0;
