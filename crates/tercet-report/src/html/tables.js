// Tables that can be sorted, and copied as CSV, LaTeX and Markdown.

/** Tables with more columns are printed in a smaller type. */
const MANY_COLUMNS = 8;

/**
 * A table. `header` has titles; a cell is a text, or `{text, value?, node?, kind?, best?}`: what is copied, what it is
 * sorted by, what is shown,
 * its class, whether copies show it in bold; `code`, if it is a signature. `isLast` in the first cell keeps a row at
 * the end. `csv`, if given, gets the rows as they are sorted, and returns header and rows of the CSV copy, which may
 * have more columns. The first column names the row.
 */
function dataTable({ caption, header, rows, csv, note, numbersFrom = 1 }) {
  let cells = rows.map((row) =>
    row.map((cell) => (typeof cell === "object" && cell !== null ? cell : { text: String(cell) })),
  );
  const body = element("tbody");
  const heads = header.map((title, column) =>
    element(
      "th",
      { scope: "col", class: column >= numbersFrom ? "number" : null },
      element(
        "button",
        { type: "button", click: () => sortBy(column) },
        breakable(title),
        element("span", { class: "arrow", "aria-hidden": "true" }),
      ),
    ),
  );
  const show = () => body.replaceChildren(...cells.map((row) => tableRow(row, numbersFrom)));
  const sortBy = (column) => {
    const down = heads[column].getAttribute("aria-sort") === (column >= numbersFrom ? "descending" : "ascending");
    const direction = column >= numbersFrom === down ? 1 : -1;
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    const compare = column < numbersFrom ? compareTexts : compareNumbers;
    cells = [...cells].sort(
      (a, b) => Boolean(a[0].isLast) - Boolean(b[0].isLast) || compare(a[column], b[column], direction),
    );
    show();
  };
  show();
  const table = () => [header.map((text) => ({ text })), ...cells];
  return element(
    "figure",
    { class: "table" },
    element(
      "div",
      { class: "table-head" },
      element("figcaption", {}, caption),
      copies(caption, table, (column) => column >= numbersFrom, csv && (() => csv(cells))),
    ),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      element(
        "table",
        { class: header.length > MANY_COLUMNS ? "wide" : null },
        element("thead", {}, element("tr", {}, heads)),
        body,
      ),
    ),
    note ? element("p", { class: "note" }, note) : null,
  );
}

/** A name that may go on in the next line after its parts. */
function breakable(name) {
  return name.split(/(?<=[_./:-])(?=[^_./:-])/).flatMap((part, i) => [i ? element("wbr") : null, part]);
}

/**
 * Buttons that copy a table. `table` returns rows of cells, the header first; `csv`, if given, the rows of the CSV copy
 * as texts.
 */
function copies(caption, table, isNumber, csv) {
  const text = (cell, row, column) => (row > 0 && isNumber(column) ? cell.text.replace(/−/g, "-") : cell.text);
  const texts = () => table().map((cells, row) => cells.map((cell, column) => text(cell, row, column)));
  return element(
    "div",
    { class: "copies", role: "group", "aria-label": `Copy the table: ${caption}` },
    element("span", {}, "Copy as"),
    copyButton("CSV", () => toCsv((csv ?? texts)())),
    copyButton("LaTeX", () => toLatex(table(), isNumber)),
    copyButton("Markdown", () => toMarkdown(table(), isNumber)),
  );
}

function tableRow(cells, numbersFrom) {
  return element(
    "tr",
    {},
    cells.map((cell, column) => {
      const attributes = { class: [column >= numbersFrom ? "number" : "", cell.kind ?? ""].join(" ").trim() || null };
      if (column === 0) attributes.scope = "row";
      return element(
        column === 0 ? "th" : "td",
        attributes,
        cell.node ?? (column === 0 ? breakable(cell.text) : cell.text),
      );
    }),
  );
}

function compareTexts(a, b, direction) {
  return direction * a.text.localeCompare(b.text, "en", { numeric: true });
}

/** Cells without a number come last in both directions. */
function compareNumbers(a, b, direction) {
  const value = (cell) => cell.value ?? parseFloat(cell.text.replace("−", "-"));
  const [x, y] = [value(a), value(b)];
  if (Number.isNaN(x) && Number.isNaN(y)) return 0;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1;
  return direction * (x - y);
}

/**
 * Comma-separated values, a row on each line: control characters are written as their codes. A text that a spreadsheet
 * would read as a formula gets an apostrophe before it.
 */
function toCsv(rows) {
  const cell = (text) => {
    let plain = visible(String(text));
    if (/^\s*[=+\-@＝＋－＠]/.test(plain) && !/^[+-]?[\d.]+(e[+-]?\d+)?$/.test(plain)) plain = `'${plain}`;
    return /[",]/.test(plain) ? `"${plain.replace(/"/g, '""')}"` : plain;
  };
  return rows.map((row) => row.map(cell).join(",") + "\n").join("");
}

const LATEX = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "#": "\\#",
  $: "\\$",
  "%": "\\%",
  "&": "\\&",
  _: "\\_",
  "{": "\\{",
  "}": "\\}",
  "|": "\\textbar{}",
  "<": "$<$",
  ">": "$>$",
  "−": "$-$",
  "–": "--",
  "…": "\\ldots{}",
  "†": "\\dag{}",
  "⟨": "$\\langle$",
  "⟩": "$\\rangle$",
  "▲": "$\\bigtriangleup$",
  "▼": "$\\bigtriangledown$",
  "↓": "$\\downarrow$",
  Δ: "$\\Delta$",
  "≈": "$\\approx$",
};

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A number in raised digits. */
function raised(number) {
  return Array.from(String(number), (digit) => RAISED[digit]).join("");
}

/** A table of booktabs. */
function toLatex(rows, isNumber) {
  const plain = (text) => Array.from(visible(text), (character) => LATEX[character] ?? character).join("");
  const exponent = (digits) => `$^{${Array.from(digits, (digit) => RAISED.indexOf(digit)).join("")}}$`;
  const cell = ({ text, best, code }) => {
    const latex = plain(String(text)).replace(new RegExp(`[${RAISED}]+`, "g"), exponent);
    // A long signature may go on in the next line after its parts.
    if (code) return `\\texttt{${latex.replace(/,|\\textbar\{\}/g, "$&\\allowbreak{}")}}`;
    return best ? `\\textbf{${latex}}` : latex;
  };
  // After the end of a row, LaTeX would read a bracket or an asterisk as its option.
  const line = (row) =>
    row
      .map(cell)
      .join(" & ")
      .replace(/^\s*([[*])/, "{$1}") + " \\\\\n";
  const isCode = (column) => rows.some((row) => row[column]?.code);
  const columns = rows[0]
    .map((_, column) => (isCode(column) ? "p{0.7\\linewidth}" : isNumber(column) ? "r" : "l"))
    .join("");
  const body = rows.slice(1).map(line).join("");
  return `\\begin{tabular}{${columns}}\n\\toprule\n${line(rows[0])}\\midrule\n${body}\\bottomrule\n\\end{tabular}\n`;
}

function toMarkdown(rows, isNumber) {
  const plain = (text) => visible(String(text)).replace(/[\\`*_|<>[\]#~&]/g, "\\$&");
  const cell = ({ text, best }) => (best ? `**${plain(text)}**` : plain(text));
  const line = (row) => `| ${row.join(" | ")} |\n`;
  const rule = rows[0].map((_, column) => (isNumber(column) ? "---:" : "---"));
  return (
    line(rows[0].map(cell)) +
    line(rule) +
    rows
      .slice(1)
      .map((row) => line(row.map(cell)))
      .join("")
  );
}
