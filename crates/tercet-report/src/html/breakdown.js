// Scores of segments: how they are distributed, by length, by document and other properties, and metric against metric.

const LENGTHS = [1, 6, 11, 16, 21, 31, 41, 61];
/** The most groups that a table of groups shows. */
const MOST_GROUPS = 300;
/** The most points of a plot. */
const MOST_POINTS = 2000;

function distributionSection(data) {
  let chosen = 0;
  const [place, redraw] = changing(() => {
    const metric = data.metrics[chosen];
    const sorted = data.systems.map((_, system) => segmentScores(data, chosen, system).filter(Number.isFinite).sort());
    const shares = [0.05, 0.25, 0.5, 0.75, 0.95];
    const row = (scores) =>
      [...shares.map((share) => quantile(scores, share)), mean(scores)].map((value) => fixed(value, metric.decimals));
    return [
      element(
        "figure",
        { class: "plot" },
        distributionPlot(metric.title, data.systems, sorted),
        element("p", { class: "note" }, "The line in each outline is the median."),
      ),
      dataTable({
        caption: `Quantiles of ${metric.title} of segments`,
        header: ["system", "5%", "25%", "median", "75%", "95%", "mean"],
        rows: data.systems.map((name, system) => [name, ...row(sorted[system])]),
        note: roundedNote(metric),
      }),
    ];
  });
  const choose = (metric) => ((chosen = metric), redraw());
  return section(
    "distributions",
    "Distributions of segment scores",
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

/** What is computed in the page has as many correct digits as the scores of segments that are in it. */
function roundedNote(metric) {
  return `Computed from scores of segments with ${plural(metric.decimals, "decimal")}: the last digit may differ by 1.`;
}

/** The number of words of each first reference; of characters where there are hardly any spaces. */
function lengths(data) {
  const references = data.texts.references.map((texts) => texts[0]);
  const words = references.map((text) => text.split(/\s+/).filter(Boolean).length);
  const characters = references.map((text) => Array.from(text.replace(/\s/g, "")).length);
  const spaceless = mean(characters) > 12 * mean(words);
  return spaceless ? { unit: "characters", of: characters } : { unit: "words", of: words };
}

/** The segments in groups of lengths. */
function lengthGrouping(data) {
  const { unit, of } = lengths(data);
  const title = (i) => (i + 1 < LENGTHS.length ? `${LENGTHS[i]}–${LENGTHS[i + 1] - 1}` : `${LENGTHS[i]}+`);
  const group = of.map((length) =>
    Math.max(
      0,
      LENGTHS.findLastIndex((start) => length >= start),
    ),
  );
  const used = [...new Set(group)].sort((a, b) => a - b);
  const numbers = new Map(used.map((old, i) => [old, i]));
  return {
    name: `length of the reference in ${unit}`,
    values: used.map(title),
    of: group.map((old) => numbers.get(old)),
    ordered: true,
  };
}

function breakdownSection(data) {
  const groupings = [...(data.texts ? [lengthGrouping(data)] : []), ...data.groupings];
  if (!groupings.length) return null;
  const asked = Math.max(
    0,
    groupings.findIndex((grouping) => grouping.is_requested),
  );
  let [metric, by] = [0, asked];
  const [place, redraw] = changing(() => breakdown(data, metric, groupings[by]));
  return section(
    "breakdown",
    "Scores by length and other properties",
    element(
      "div",
      { class: "fields" },
      chooser(
        "Metric",
        data.metrics.map((of) => of.title),
        0,
        (chosen) => ((metric = chosen), redraw()),
      ),
      chooser(
        "By",
        groupings.map((grouping) => grouping.name),
        asked,
        (chosen) => ((by = chosen), redraw()),
      ),
    ),
    place,
  );
}

function breakdown(data, number, grouping) {
  const metric = data.metrics[number];
  const count = grouping.values.length;
  const sizes = new Array(count).fill(0);
  grouping.of.forEach((group) => sizes[group]++);
  const values = data.systems.map((_, system) => {
    const [sums, known] = [new Array(count).fill(0), new Array(count).fill(0)];
    segmentScores(data, number, system).forEach((score, segment) => {
      if (!Number.isFinite(score)) return;
      sums[grouping.of[segment]] += score;
      known[grouping.of[segment]]++;
    });
    return sums.map((sum, group) => (known[group] ? sum / known[group] : null));
  });
  const shown = grouping.values.slice(0, MOST_GROUPS);
  const best = (group) =>
    (metric.lower_is_better ? Math.min : Math.max)(...values.map((row) => row[group] ?? NaN).filter(Number.isFinite));
  const cell = (value, group) => {
    const text = fixed(value, metric.decimals);
    return {
      text,
      value: value ?? NaN,
      node: data.systems.length > 1 && value === best(group) ? element("strong", {}, text) : text,
    };
  };
  return [
    grouping.ordered && count > 1
      ? element(
          "figure",
          { class: "plot" },
          linePlot(`mean ${metric.title}`, grouping.name, grouping.values, data.systems, values),
        )
      : null,
    dataTable({
      caption: `Mean ${metric.title} of segments by ${grouping.name}`,
      header: [grouping.name, "segments", ...data.systems],
      rows: shown.map((value, group) => [
        value,
        { text: String(sizes[group]), value: sizes[group] },
        ...values.map((row) => cell(row[group], group)),
      ]),
      note: (count > shown.length ? `The first ${shown.length} of ${grouped(count)}. ` : "") + roundedNote(metric),
    }),
  ];
}

/** Metric against metric: systems, or the segments of one. */
function scatterSection(data) {
  if (data.metrics.length < 2) return null;
  const bySegment = hasSegmentScores(data);
  const choices = [
    ...(data.systems.length > 2 ? ["systems"] : []),
    ...(bySegment ? data.systems.map((name) => `segments of ${name}`) : []),
  ];
  if (!choices.length) return null;
  let [x, y, of] = [0, 1, 0];
  const [place, redraw] = changing(() => {
    const system = choices[0] === "systems" ? of - 1 : of;
    const points = system < 0 ? systemPoints(data, x, y) : segmentPoints(data, x, y, system);
    const r = pearson(
      points.map((point) => point.x),
      points.map((point) => point.y),
    );
    const step = Math.ceil(points.length / MOST_POINTS);
    const drawnPoints = points.filter((_, i) => i % step === 0);
    const [xTitle, yTitle] = [data.metrics[x].title, data.metrics[y].title];
    const title = `${yTitle} against ${xTitle}: Pearson's r = ${fixed(r, 3)} over ` +
      `${plural(points.length, system < 0 ? "system" : "segment")}`;
    const note = step > 1 ? ` Drawn: ${grouped(drawnPoints.length)} of them.` : "";
    return element(
      "figure",
      { class: "plot" },
      element("figcaption", {}, title + "." + note),
      scatterPlot(title, xTitle, yTitle, drawnPoints),
    );
  });
  const titles = data.metrics.map((metric) => metric.title);
  return section(
    "scatter",
    "Metric against metric",
    element(
      "div",
      { class: "fields" },
      chooser("Across", titles, 0, (chosen) => ((x = chosen), redraw())),
      chooser("Up", titles, 1, (chosen) => ((y = chosen), redraw())),
      chooser("Points", choices, 0, (chosen) => ((of = chosen), redraw())),
    ),
    place,
  );
}

function systemPoints(data, x, y) {
  const text = (metric, system) =>
    `${data.metrics[metric].title} ${fixed(data.metrics[metric].scores[system].score, data.metrics[metric].decimals)}`;
  const points = data.systems.map((name, system) => ({
    x: data.metrics[x].scores[system].score,
    y: data.metrics[y].scores[system].score,
    name,
    tip: `${name}: ${text(x, system)}, ${text(y, system)}`,
  }));
  return points.filter((point) => Number.isFinite(point.x) && Number.isFinite(point.y));
}

function segmentPoints(data, x, y, system) {
  const [xs, ys] = [segmentScores(data, x, system), segmentScores(data, y, system)];
  const points = [];
  xs.forEach((value, i) => {
    if (Number.isFinite(value) && Number.isFinite(ys[i])) {
      points.push({
        x: value,
        y: ys[i],
        tip: `segment ${i + 1}: ${fixed(value, data.metrics[x].decimals)}, ${fixed(ys[i], data.metrics[y].decimals)}`,
      });
    }
  });
  return points;
}
