// Errors that people marked, and what metrics marked.

function spansSection(data) {
  const found = data.spans;
  if (!found) return null;
  const note =
    "F1 of marked characters; with severities, a character that both mark with different ones counts half. " +
    "Matched: each span has one partner, and its credit is the share of it that is in its partner. Mean F1: of " +
    "outputs, 1 where nobody marks anything.";
  return [
    section(
      "spans",
      "Marked errors",
      found.tables.map((table) =>
        dataTable({
          caption: table.caption,
          header: table.header,
          rows: table.rows.map(agreementRow),
          numbersFrom: table.numbers_from,
        }),
      ),
      element("p", { class: "note" }, note),
    ),
    found.examples.length ? markedOutputsSection(found.examples) : null,
  ];
}

/** The outputs on which people and the first metric differ in most characters. */
function markedOutputsSection(examples) {
  const kinds = [
    ["major", "a major or critical error"],
    ["minor", "a minor error"],
    ["marked", "marked without a severity"],
  ];
  return section(
    "marked",
    "Where people and metrics differ most",
    element(
      "ul",
      { class: "legend", "aria-label": "Severities" },
      kinds.map(([kind, meaning]) =>
        element("li", {}, element("mark", { class: `mark-${kind}` }, kind), ` ${meaning}`),
      ),
    ),
    examples.map(markedOutput),
  );
}

function markedOutput(example) {
  const row = (name, content) => [element("dt", {}, name), element("dd", {}, content)];
  const plain = (text) => element("p", { class: "line", dir: "auto" }, text);
  const marked = ({ pieces }) =>
    element(
      "p",
      { class: "line", dir: "auto" },
      pieces.map(({ text, mark }) => (mark ? element("mark", { class: `mark-${mark}`, title: mark }, text) : text)),
    );
  return element(
    "figure",
    { class: "table text" },
    element("figcaption", {}, `${example.set} ${example.pair}, ${example.system}, segment ${example.segment}`),
    element(
      "dl",
      { class: "sides" },
      example.source === null ? null : row("source", plain(example.source)),
      example.reference === null ? null : row("reference", plain(example.reference)),
      example.spans.map((spans) => row(spans.is_person ? `${spans.name} (people)` : spans.name, marked(spans))),
    ),
  );
}
