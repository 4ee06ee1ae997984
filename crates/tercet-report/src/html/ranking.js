// The ranking of systems by each metric, as `tercet rank` prints it.

/** A table for each metric: the systems from the best to the worst, with rank, group, score and wins. */
function rankingTables(data) {
  return data.metrics.map((metric) => rankingTable(data, metric));
}

function rankingTable({ systems, test, resample_by }, metric) {
  const order = systems.map((_, i) => i).sort((a, b) => metric.scores[a].rank - metric.scores[b].rank);
  const [first] = metric.scores;
  const [hasGroups, hasWins] = [first.group !== undefined, first.wins !== undefined];
  const hasAgree = metric.scores.some((score) => score.agree !== undefined);
  const number = (value, decimals) => ({ text: fixed(value, decimals), value: value ?? NaN });
  const row = (system) => {
    const { rank, group, score, low, high, wins, agree } = metric.scores[system];
    const interval = low === undefined ? "" : ` [${fixed(low, metric.decimals)}, ${fixed(high, metric.decimals)}]`;
    const scored = { text: fixed(score, metric.decimals) + interval, value: score ?? NaN };
    return [
      systems[system],
      number(rank, 0),
      ...(hasGroups ? [number(group, 0)] : []),
      scored,
      ...(hasWins ? [number(wins, 2)] : []),
      ...(hasAgree ? [agree ?? ""] : []),
    ];
  };
  const notes = [
    first.low === undefined
      ? ""
      : `[low, high]: 95% interval of the score, by bootstrap resampling of ${resample_by}s.`,
    hasGroups ? `group: systems that do not differ significantly, p < 0.05 (${test.text}).` : "",
    hasWins ? "wins: the mean probability that people prefer its translation to that of another system here; fitted to news into English of WMT12–16, for newer systems too far from 0.5." : "",
    hasAgree
      ? "people agree: the share of pairs of systems with such a difference, to the next system, in which people " +
        "prefer the one with the better score (95% interval)."
      : "",
  ];
  return dataTable({
    caption: `Ranking by ${metric.title}`,
    header: [
      "system",
      "rank",
      ...(hasGroups ? ["group"] : []),
      metricTitle(metric),
      ...(hasWins ? ["wins"] : []),
      ...(hasAgree ? ["people agree"] : []),
    ],
    rows: order.map(row),
    csv: (shown) =>
      rankingCsv(
        metric,
        shown.map(([name]) => [name.text, metric.scores[systems.indexOf(name.text)]]),
      ),
    note: notes.filter(Boolean).join(" "),
  });
}

/** The same with all digits. */
function rankingCsv(metric, rows) {
  const parts = ["rank", "group", "score", "low", "high", "wins"].filter(
    (part) => metric.scores[0][part] !== undefined,
  );
  const header = parts.map((part) => (part === "score" ? metric.title : part));
  return [["system", ...header], ...rows.map(([name, score]) => [name, ...parts.map((part) => score[part] ?? "")])];
}
