// The kinds of charts.

/** The part of a chart's width that names take, and the names as they fit there. */
function nameColumn(names, width, share = 0.42) {
  const room = nameRoom(names, width, share);
  const short = shortNames(names, room);
  return {
    column: Math.ceil(Math.max(...short.map(textWidth))) + 14,
    names: names.map((whole, i) => ({ whole, short: short[i] })),
  };
}

/** Scores with their intervals, a row for each system, the best on top. Systems of a group stand between two lines. */
function intervalPlot(metric, systems) {
  const width = chartWidth(560);
  const { column, names } = nameColumn(systems, width);
  const order = systems.map((_, i) => i).sort((a, b) => metric.scores[a].rank - metric.scores[b].rank);
  const found = order
    .flatMap((i) => [metric.scores[i].score, metric.scores[i].low, metric.scores[i].high])
    .filter(Number.isFinite);
  const [low, high] = ends(found);
  const [top, row] = [8, 24];
  const bottom = top + row * order.length;
  const place = scale(low, high, column, width - 16);
  const rows = order.map((system, i) => {
    const score = metric.scores[system];
    const y = top + row * i + row / 2;
    const wins =
      score.wins === undefined ? "" : `, preferred to another system with a probability of ${fixed(score.wins, 2)}`;
    const text = `${systems[system]}: ${metric.title} ${scoreText(metric, score)}${wins}`;
    const above = i > 0 && metric.scores[order[i - 1]].group !== score.group;
    return [
      above ? line(0, y - row / 2, width - 16, y - row / 2, "border") : null,
      nameLabel(column - 10, y + 4, names[system], "end"),
      Number.isFinite(score.low) ? line(place(score.low), y, place(score.high), y, "interval") : null,
      Number.isFinite(score.score)
        ? tipped(drawn("circle", { cx: place(score.score), cy: y, r: 4.5, class: "point" }), text)
        : null,
    ];
  });
  const title = metric.title + (metric.lower_is_better ? " (lower is better)" : "");
  const name = `${title} of ${plural(systems.length, "system")}, with 95% intervals`;
  return chart(name, width, bottom + 42, horizontalAxis(low, high, place, top, bottom, title), rows.flat());
}

/** How scores of segments are distributed: for each system an outline of its histogram, with its median. */
function distributionPlot(title, systems, sorted) {
  const [width, row, bins] = [chartWidth(640), 38, 48];
  const { column, names } = nameColumn(systems, width);
  const all = sorted.flatMap((scores) => [quantile(scores, 0.01), quantile(scores, 0.99)]).filter(Number.isFinite);
  const [low, high] = ends(all);
  const bottom = 8 + row * systems.length;
  const place = scale(low, high, column, width - 16);
  const counts = sorted.map((scores) => {
    const found = new Array(bins).fill(0);
    for (const score of scores) {
      const bin = Math.floor(((score - low) / (high - low)) * bins);
      if (bin >= 0 && bin < bins) found[bin]++;
    }
    return found;
  });
  const most = Math.max(1, ...counts.flat());
  const rows = systems.map((system, i) => {
    const base = 8 + row * (i + 1);
    const points = counts[i].map((count, bin) => {
      const y = base - (count / most) * (row + 6);
      return `L${place(low + ((high - low) * bin) / bins).toFixed(1)} ` +
        `${y.toFixed(1)}H${place(low + ((high - low) * (bin + 1)) / bins).toFixed(1)}`;
    });
    const outline = `M${place(low)} ${base}${points.join("")}V${base}Z`;
    const [first, median, third] = [0.25, 0.5, 0.75].map((share) => quantile(sorted[i], share));
    const tip = `${system}: median ${fixed(median, 2)}, half of the segments between ${fixed(first, 2)} and ` +
      `${fixed(third, 2)}`;
    return [
      nameLabel(column - 10, base - 6, names[i], "end"),
      tipped(drawn("path", { d: outline, class: "area" }), tip),
      median === null ? null : line(place(median), base, place(median), base - row * 0.7, "median"),
    ];
  });
  const name = `Distribution of ${title} of segments of ${plural(systems.length, "system")}`;
  return chart(name, width, bottom + 42, horizontalAxis(low, high, place, 8, bottom, title), rows.flat());
}

/** The width of the sample of a line beside its name. */
const KEY = 18;

/** Lines over groups that have an order. `values[system][group]` may be `null`. */
function linePlot(title, axis, groups, systems, values) {
  const [width, height, left, bottom] = [chartWidth(640), 300, 58, 244];
  const { column, names } = nameColumn(systems, width - KEY, 0.35);
  const right = width - column - KEY;
  const [low, high] = ends(values.flat().filter(Number.isFinite));
  const x = scale(0, Math.max(1, groups.length - 1), left + 16, right - 16);
  const y = scale(low, high, bottom, 12);
  const lines = systems.map((system, i) => {
    const known = values[i].map((value, group) => [group, value]).filter(([, value]) => Number.isFinite(value));
    const path = known
      .map(([group, value], n) => `${n ? "L" : "M"}${x(group).toFixed(1)} ${y(value).toFixed(1)}`)
      .join("");
    const dots = known.map(([group, value]) =>
      tipped(
        drawn("circle", { cx: x(group), cy: y(value), r: 3.5 }),
        `${system}, ${groups[group]}: ${fixed(value, 2)}`,
      ),
    );
    return drawn(
      "g",
      { ...look(i), "stroke-dasharray": null },
      drawn("path", { d: path, ...look(i), class: "line" }),
      dots,
    );
  });
  return chart(
    `${title} by ${axis}`,
    width,
    height,
    verticalAxis(low, high, y, left, right, title),
    groupLabels(groups, x, bottom + 18),
    label((left + right) / 2, bottom + 42, axis, "middle", "axis-title"),
    lines,
    keys(
      systems,
      values.map((row) => row.findLast((value) => Number.isFinite(value))),
      y,
      right + 8,
      names,
    ),
  );
}

/** Names of groups below an axis; where there is no room for all, every second or third. */
function groupLabels(groups, x, y) {
  const widest = Math.max(0, ...groups.map((group) => textWidth(visible(group))));
  const every = Math.max(1, Math.ceil((widest + 8) / (x(1) - x(0))));
  return groups.map((group, i) => (i % every ? null : label(x(i), y, group, "middle")));
}

/** Names at the ends of lines, moved apart where they would touch. */
function keys(systems, last, y, left, names) {
  const order = systems
    .map((_, i) => i)
    .filter((i) => Number.isFinite(last[i]))
    .sort((a, b) => y(last[a]) - y(last[b]));
  let before = -Infinity;
  const step = Math.min(15, 270 / Math.max(1, order.length));
  const room = order.map((i) => (before = Math.max(y(last[i]), before + step)));
  const over = Math.max(0, (room.at(-1) ?? 0) - 285);
  return order.map((i, n) =>
    drawn(
      "g",
      look(i),
      drawn("line", {
        x1: left,
        x2: left + 16,
        y1: room[n] - over - 4,
        y2: room[n] - over - 4,
        ...look(i),
        class: "line",
      }),
      nameLabel(left + 20, room[n] - over, names[i], "start"),
    ),
  );
}

/** Points with the line of least squares. `points` have x, y and a tip; `name` labels them where they are few. */
function scatterPlot(title, xTitle, yTitle, points) {
  const [width, height, left, bottom] = [chartWidth(520), 400, 62, 340];
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [[xLow, xHigh], [yLow, yHigh]] = [ends(xs), ends(ys)];
  const x = scale(xLow, xHigh, left, width - 14);
  const y = scale(yLow, yHigh, bottom, 12);
  const few = points.length <= 40;
  return chart(
    title,
    width,
    height,
    horizontalAxis(xLow, xHigh, x, 12, bottom, xTitle),
    verticalAxis(yLow, yHigh, y, left, width - 14, yTitle),
    fitLine(xs, ys, [xLow, xHigh], x, y, [12, bottom]),
    points.map((point) =>
      tipped(
        drawn("circle", {
          cx: x(point.x).toFixed(1),
          cy: y(point.y).toFixed(1),
          r: few ? 4.5 : 2,
          class: few ? "point" : "dot",
        }),
        point.tip,
      ),
    ),
    few ? nameLabels(points, x, y, width) : null,
  );
}

/** Names beside their points, right or left of them; those without room are left to the tips. */
function nameLabels(points, x, y, width) {
  const taken = points.map((point) => [x(point.x) - 5, y(point.y) - 5, x(point.x) + 5, y(point.y) + 5]);
  const isFree = ([left, top, right, bottom]) =>
    left >= 0 && right <= width && taken.every(([l, t, r, b]) => right < l || left > r || bottom < t || top > b);
  const short = shortNames(
    points.map((point) => point.name ?? ""),
    160,
  );
  return points.flatMap((point, i) => {
    const name = short[i];
    const [at, middle, long] = [x(point.x), y(point.y), textWidth(name) + 2];
    const places = [
      ["start", at + 8, [at + 7, middle - 7, at + 8 + long, middle + 7]],
      ["end", at - 8, [at - 8 - long, middle - 7, at - 7, middle + 7]],
    ];
    const found = places.find(([, , box]) => isFree(box));
    if (!found) return [];
    taken.push(found[2]);
    return [label(found[1], middle + 4, name, found[0], "name")];
  });
}

function fitLine(xs, ys, [low, high], x, y, [top, bottom]) {
  const [mx, my] = [mean(xs), mean(ys)];
  let [xx, xy] = [0, 0];
  xs.forEach((value, i) => {
    xx += (value - mx) ** 2;
    xy += (value - mx) * (ys[i] - my);
  });
  const slope = xy / xx;
  if (!Number.isFinite(slope)) return null;
  const at = (value) => Math.min(bottom, Math.max(top, y(my + slope * (value - mx))));
  return line(x(low), at(low), x(high), at(high), "fit");
}
