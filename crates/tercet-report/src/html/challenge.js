// Challenge sets: how often metrics tell a good translation from a damaged one.

function challengeSection(data) {
  const found = data.challenge;
  if (!found) return null;
  return [
    section(
      "accuracy",
      "Right pairs",
      found.tables.map((table) =>
        dataTable({
          caption: table.caption,
          header: table.header,
          rows: table.rows,
          numbersFrom: table.numbers_from,
        }),
      ),
      element("p", { class: "note" }, "The share of pairs whose good translation has the better score, with its 95% " +
        "interval. Equal scores are not right."),
    ),
    section(
      "metrics",
      "Metrics side by side",
      metricKeys(found.metrics),
      element("figure", { class: "plot" }, accuracyPlot(found)),
    ),
  ];
}

/** The colour of each metric. */
function metricKeys(metrics) {
  const key = (title, i) =>
    element(
      "li",
      {},
      drawn(
        "svg",
        { viewBox: "0 0 12 12", width: 12, height: 12, class: "chart", "aria-hidden": "true" },
        drawn("g", { class: look(i).class }, drawn("circle", { cx: 6, cy: 6, r: 4.5 })),
      ),
      ` ${title}`,
    );
  return element("ul", { class: "legend", "aria-label": "Metrics" }, metrics.map(key));
}

/** A row for each group, a dot with its interval for each metric. */
function accuracyPlot({ metrics, groups }) {
  const width = chartWidth(720);
  const { column, names } = nameColumn(
    groups.map((group) => group.name),
    width,
  );
  const [top, step] = [8, 11];
  const row = 10 + step * metrics.length;
  const bottom = top + row * groups.length;
  const place = scale(0, 1, column, width - 16);
  const rows = groups.map((group, i) => {
    const start = top + row * i;
    const dots = group.values.map(([accuracy, low, high], metric) => {
      const y = start + 5 + step * (metric + 0.5);
      const tip = `${metrics[metric]}, ${group.name}: ${fixed(accuracy, 3)} [${fixed(low, 3)}, ${fixed(high, 3)}] of ` +
        plural(group.n, "pair");
      return drawn(
        "g",
        { class: look(metric).class },
        drawn("path", { d: `M${place(low)} ${y}H${place(high)}`, class: "line", "stroke-dasharray": null }),
        tipped(drawn("circle", { cx: place(accuracy), cy: y, r: 4 }), tip),
      );
    });
    const isNew = i > 0 && groups[i - 1].by !== group.by && group.by !== "kind and severity";
    return [
      isNew ? line(0, start, width - 16, start, "border") : null,
      nameLabel(column - 10, start + row / 2 + 4, names[i], "end"),
      dots,
    ];
  });
  const name = `Accuracy of ${plural(metrics.length, "metric")} by group of pairs, with 95% intervals`;
  return chart(name, width, bottom + 42, horizontalAxis(0, 1, place, top, bottom, "accuracy"), rows.flat());
}
