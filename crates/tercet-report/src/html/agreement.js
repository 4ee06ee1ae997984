// Agreement with human judgements.

function agreementSection(data) {
  const found = data.agreement;
  if (!found) return null;
  return [
    section(
      "agreement",
      "Agreement with people",
      found.tables.map((table) =>
        dataTable({
          caption: table.caption ?? "Agreement",
          header: table.header,
          rows: table.rows.map(agreementRow),
          numbersFrom: table.numbers_from,
        }),
      ),
      found.notes.map((note) => element("p", { class: "note" }, note)),
    ),
    found.plots.length ? humanScatterSection(found.plots) : null,
  ];
}

/** A row of agreements; that with the numbers of judgements stays last when the table is sorted. */
function agreementRow([name, ...others]) {
  const isLast = name.trim() === "n";
  const shown = (text) => text.trim().replace(/(^|[^\w])-(?=\d)/g, "$1−");
  return [{ text: name.trim(), isLast }, ...others.map((text) => ({ text: shown(text) }))];
}

/** A metric against human scores. */
function humanScatterSection(plots) {
  const name = (plot) =>
    `${plot.metric}, ${plot.set} ${plot.pair}, ${plot.level === "system" ? "systems" : "segments"}`;
  let chosen = 0;
  const [place, redraw] = changing(() => {
    const plot = plots[chosen];
    const points = plot.points.map(([x, y, system, segment]) => ({
      x,
      y,
      name: plot.systems[system],
      tip: `${plot.systems[system]}${segment === null ? "" : `, segment ${segment}`}: ${plot.human} ` +
        `${fixed(x, 3)}, ${plot.metric} ${fixed(y, 3)}`,
    }));
    const what = plural(plot.all, plot.level);
    const title = `${plot.metric} against ${plot.human}, ${plot.set} ${plot.pair}: Pearson's r = ` +
      `${fixed(plot.r, 3)} over ${what}`;
    const note = points.length < plot.all ? ` Drawn: ${grouped(points.length)} of them.` : "";
    return element(
      "figure",
      { class: "plot" },
      element("figcaption", {}, `${title}.${note}`),
      scatterPlot(title, plot.human, plot.metric + (plot.lower_is_better ? " (lower is better)" : ""), points),
    );
  });
  return section(
    "people",
    "Metrics against people",
    element(
      "div",
      { class: "fields" },
      chooser("Plot", plots.map(name), 0, (plot) => ((chosen = plot), redraw())),
    ),
    place,
  );
}
