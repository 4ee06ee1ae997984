// What goes into a paper, and what gives the same scores again.

function paperSection(data) {
  const block = (title, text, kind) =>
    element(
      "figure",
      { class: "table" },
      element(
        "div",
        { class: "table-head" },
        element("figcaption", {}, title),
        element(
          "div",
          { class: "copies" },
          copyButton(`Copy ${title}`, () => text),
        ),
      ),
      element(kind, { class: "paste", tabindex: "0", role: "region", "aria-label": title }, inLines(text)),
    );
  return section(
    "paper",
    "For your paper",
    block("paragraph", data.paper.text, "p"),
    block("LaTeX", data.paper.latex, "pre"),
    block("BibTeX", data.paper.bibtex, "pre"),
  );
}

/** A text whose line ends stay line ends. */
function inLines(text) {
  return text.split("\n").flatMap((line, i) => [i ? document.createTextNode("\n") : null, line]);
}

function signaturesSection(data) {
  const found = [
    ...(data.comparison ? [[`p(A better) by ${data.comparison.metric}`, data.comparison.signature]] : []),
    ...(data.metrics ?? []).map((metric) => [metric.title, metric.signature]),
    ...(data.agreement?.signatures ?? []),
    ...(data.spans?.signatures ?? []),
    ...(data.challenge?.signatures ?? []),
  ];
  return section(
    "signatures",
    "Signatures",
    element(
      "p",
      {},
      "A signature names a metric, every option that can change a digit, and the version. After -m it gives the " +
        "same scores again.",
    ),
    dataTable({
      caption: "What each score was computed by",
      header: ["metric", "signature"],
      rows: found.map(([title, text]) => [title, { text, code: true, node: element("code", {}, text) }]),
      numbersFrom: 2,
    }),
    element(
      "p",
      { class: "note" },
      `Made by tercet ${data.version}: tercet ${data.command}. Nothing on this page comes from, or goes to, ` +
        `anywhere else.`,
    ),
  );
}
