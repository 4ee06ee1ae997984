// Numbers: how they are written, and what is computed from lists of them.

/** A number with a true minus sign. */
function fixed(value, decimals) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return value.toFixed(decimals).replace("-", "−");
}

/** A difference, with its sign. */
function signed(value, decimals) {
  const text = fixed(value, decimals);
  return value > 0 ? `+${text}` : text;
}

function grouped(count) {
  return count.toLocaleString("en");
}

function plural(count, word) {
  return `${grouped(count)} ${word}${count === 1 ? "" : "s"}`;
}

/** The mean of numbers; `null` of none. */
function mean(numbers) {
  let sum = 0;
  for (const number of numbers) sum += number;
  return numbers.length ? sum / numbers.length : null;
}

/** A quantile of numbers in order, between neighbours where needed. */
function quantile(sorted, share) {
  if (!sorted.length) return null;
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}

function pearson(xs, ys) {
  const [x, y] = [mean(xs), mean(ys)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < xs.length; i++) {
    xx += (xs[i] - x) ** 2;
    yy += (ys[i] - y) ** 2;
    xy += (xs[i] - x) * (ys[i] - y);
  }
  return xy / Math.sqrt(xx * yy);
}

/** The scores of a system's segments by a metric, in the metric's scale; `NaN` where there is none. */
function segmentScores(data, metric, system) {
  const stored = data.segment_scores[metric][system];
  const factor = 10 ** data.metrics[metric].decimals;
  return Float64Array.from(stored, (score) => (score === null ? NaN : score / factor));
}

function hasSegmentScores(data) {
  return (data.segment_scores ?? []).some((systems) => systems[0]?.length > 0);
}

/** About `count` round numbers between two ends. */
function ticks(low, high, count) {
  const raw = (high - low) / count || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) found.push(i * step);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return found.map((value) => ({ value, text: fixed(value, decimals) }));
}
