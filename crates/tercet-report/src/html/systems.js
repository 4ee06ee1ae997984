// Scores of systems, and which of two is better.

/** A score with its group and interval, as a text. */
function scoreText(metric, score) {
  const group = score.group === undefined ? "" : raised(score.group);
  const interval =
    score.low === undefined ? "" : ` [${fixed(score.low, metric.decimals)}, ${fixed(score.high, metric.decimals)}]`;
  return fixed(score.score, metric.decimals) + group + interval;
}

function metricTitle(metric) {
  return metric.title + (metric.lower_is_better ? " ↓" : "");
}

function systemsSection(data) {
  return section(
    "systems",
    "Systems",
    data.command === "rank" ? rankingTables(data) : null,
    systemTable(data),
    element(
      "div",
      { class: "charts" },
      data.metrics.map((metric) => element("figure", { class: "plot" }, intervalPlot(metric, data.systems))),
    ),
    componentTables(data),
  );
}

function systemTable(data) {
  const { metrics, systems } = data;
  const groups = metrics[0]?.scores[0]?.group !== undefined;
  const cell = (metric, system) => {
    const score = metric.scores[system];
    const best = systems.length > 1 && score.rank === 1;
    const number = element(best ? "strong" : "span", {}, fixed(score.score, metric.decimals));
    const group = score.group === undefined ? null : element("sup", { title: `group ${score.group}` }, score.group);
    const interval =
      score.low === undefined
        ? null
        : element("small", {}, `${fixed(score.low, metric.decimals)} – ${fixed(score.high, metric.decimals)}`);
    return {
      text: scoreText(metric, score),
      value: score.score ?? NaN,
      best,
      node: element("span", { class: "score" }, number, group, interval),
    };
  };
  const notes = [
    data.metrics.some((metric) => metric.lower_is_better) ? "↓: lower is better." : "",
    metrics[0]?.scores[0]?.low === undefined
      ? ""
      : `Below a score: its 95% interval, by bootstrap resampling of ${data.resample_by}s.`,
    groups
      ? `Raised: the group of the system; systems of a group do not differ significantly, p < 0.05 ` +
        `(${data.test.text}). Systems of different groups need not differ significantly: see the pairs.`
      : "",
  ];
  return dataTable({
    caption: `Scores of ${plural(systems.length, "system")} on ${plural(data.segments, "segment")}`,
    header: ["system", ...metrics.map(metricTitle)],
    rows: shownOrder(data).map((system) => [systems[system], ...metrics.map((metric) => cell(metric, system))]),
    csv: (shown) =>
      systemCsv(
        data,
        shown.map(([name]) => systems.indexOf(name.text)),
      ),
    note: notes.filter(Boolean).join(" "),
  });
}

/** The systems as they were given; in a ranking, by the first metric. */
function shownOrder({ command, systems, metrics }) {
  const order = systems.map((_, i) => i);
  return command === "rank" ? order.sort((a, b) => metrics[0].scores[a].rank - metrics[0].scores[b].rank) : order;
}

/** All parts of scores with all digits, of the systems in this order. */
function systemCsv({ metrics, systems }, order) {
  const parts = ["score", "low", "high", "group"];
  const present = metrics.map((metric) => parts.filter((part) => metric.scores[0][part] !== undefined));
  const header = metrics.flatMap((metric, m) =>
    present[m].map((part) => (part === "score" ? metric.title : `${metric.title} ${part}`)),
  );
  const row = (system) => metrics.flatMap((metric, m) => present[m].map((part) => metric.scores[system][part]));
  return [
    ["system", ...header],
    ...order.map((system) => [systems[system], ...row(system).map((value) => value ?? "")]),
  ];
}

function componentTables(data) {
  const withParts = data.metrics.filter((metric) => metric.scores[0]?.components);
  return withParts.map((metric) =>
    dataTable({
      caption: `Components of ${metric.title}`,
      header: ["system", ...metric.scores[0].components.map(([name]) => name)],
      rows: data.systems.map((name, system) => [
        name,
        ...metric.scores[system].components.map(([, value]) => fixed(value, 2)),
      ]),
    }),
  );
}

/** Decimals of p-values, as in the tables of the command. */
const P_DECIMALS = 4;

/** With fewer segments whose scores differ, a test says little. */
const FEW = 30;

/** For every pair of systems which is better, and how surely. */
function pairsSection(data) {
  if (!data.pairs?.length) return null;
  let chosen = 0;
  const [place, redraw] = changing(() => pairTable(data, chosen));
  const choose = (metric) => {
    chosen = metric;
    redraw();
  };
  return section(
    "pairs",
    "Pairs of systems",
    element(
      "div",
      { class: "fields" },
      chooser(
        "Metric",
        data.metrics.map((metric) => metric.title),
        0,
        choose,
      ),
    ),
    place,
  );
}

function pairTable(data, chosen) {
  const metric = data.metrics[chosen];
  const found = new Map();
  for (const pair of data.pairs) {
    if (pair.metric !== chosen) continue;
    found.set(`${pair.a} ${pair.b}`, pair);
    found.set(`${pair.b} ${pair.a}`, { ...pair, delta: -pair.delta });
  }
  const order = data.systems.map((_, i) => i).sort((a, b) => metric.scores[a].rank - metric.scores[b].rank);
  const columns = order.filter((b) => order.some((a) => found.has(`${a} ${b}`)));
  const cell = (a, b) => {
    const pair = found.get(`${a} ${b}`);
    if (!pair) return { text: "", value: NaN };
    const better = pair.delta > 0 !== metric.lower_is_better;
    const [sign, kind] = !pair.significant ? ["≈", "even"] : better ? ["▲", "better"] : ["▼", "worse"];
    const p = fixed(pair.adjusted ?? pair.p, P_DECIMALS) + (pair.differing < FEW ? " †" : "");
    const text = `${sign} ${signed(pair.delta, metric.decimals)}`;
    const agree = pair.agree === undefined ? "" : `people agree: ${pair.agree}`;
    const node = element(
      "span",
      { class: "score" },
      element("span", {}, text),
      element("small", {}, `p ${p}`),
      agree ? element("small", {}, agree) : null,
    );
    return { text: `${text} (p ${p}${agree ? `; ${agree}` : ""})`, value: pair.delta, node, kind };
  };
  const few = data.pairs.some((pair) => pair.metric === chosen && pair.differing < FEW);
  return dataTable({
    caption: `Differences of ${metric.title}: the system of the row minus that of the column`,
    header: [metricTitle(metric), ...columns.map((system) => data.systems[system])],
    rows: order.map((a) => [data.systems[a], ...columns.map((b) => cell(a, b))]),
    csv: () => pairCsv(data, chosen),
    note: `▲ the system of the row is significantly better, ▼ worse, ≈ no significant difference ` +
      `(${data.test.text}).` +
      (data.pairs.some((pair) => pair.metric === chosen && pair.agree !== undefined)
        ? " People agree: the share of pairs of systems with such a difference in which people prefer the one with " +
          "the better score (95% interval)."
        : "") +
      (few ? ` † The scores of fewer than ${FEW} segments differ: the p-value rests on these alone.` : "") +
      (data.comparison
        ? " These are tests of the scores of both systems; the verdict above is a test of probabilities, " +
          "segment by segment."
        : ""),
  });
}

/** A row of numbers for each pair by a metric. */
function pairCsv({ pairs, systems }, chosen) {
  const found = pairs.filter((pair) => pair.metric === chosen);
  const adjusted = found.some((pair) => pair.adjusted !== undefined);
  const row = (pair) => [
    systems[pair.a],
    systems[pair.b],
    pair.delta,
    pair.p,
    ...(adjusted ? [pair.adjusted ?? ""] : []),
  ];
  return [["system", "other", "difference", "p", ...(adjusted ? ["adjusted p"] : [])], ...found.map(row)];
}

/** The verdict of `tercet compare`. */
function verdictSection(data) {
  const found = data.comparison;
  if (!found) return null;
  const [wins, losses, undecided] = found.wins;
  const total = wins + losses + undecided;
  const share = (count, kind) => element("span", { class: `share ${kind}` });
  const bar = element("div", {
    class: "shares",
    role: "img",
    "aria-label": `A wins ${wins}, B wins ${losses}, undecided ${undecided} of ${total} segments`,
  });
  [
    [wins, "a"],
    [undecided, "none"],
    [losses, "b"],
  ].forEach(([count, kind]) => {
    const part = share(count, kind);
    part.style.flexGrow = count;
    bar.append(part);
  });
  return section(
    "verdict",
    "Which is better?",
    element("p", { class: "verdict" }, found.verdict),
    element(
      "dl",
      { class: "sides" },
      element("dt", {}, "A"),
      element("dd", {}, data.systems[0]),
      element("dt", {}, "B"),
      element("dd", {}, data.systems[1]),
    ),
    bar,
    element(
      "p",
      {},
      `Of ${plural(total, "segment")}, A wins ${grouped(wins)}, B wins ${grouped(losses)}, undecided ` +
        `${grouped(undecided)}.`,
    ),
    found.remarks.map((remark) => element("p", {}, remark)),
  );
}
