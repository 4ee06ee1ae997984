// What all charts share: a frame with a title, axes, tips, and the look of each system.

const SHADES = 8;
const DASHES = ["", "6 3", "2 3", "8 3 2 3"];

/** The class and the dashes of a system's lines: with more systems than colours, the dashes tell them apart. */
function look(system) {
  return {
    class: `shade-${system % SHADES}`,
    "stroke-dasharray": DASHES[Math.floor(system / SHADES) % DASHES.length] || null,
  };
}

/** The width of a chart: what it is best drawn at, or what the window has, so that its texts stay legible. */
function chartWidth(best) {
  return Math.max(280, Math.min(best, document.documentElement.clientWidth - 40));
}

/** A drawing with a name for people who do not see it; the figures are in a table next to it. */
function chart(title, width, height, ...children) {
  return drawn(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": title, width, height },
    children,
  );
}

function scale(low, high, start, end) {
  const span = high - low || 1;
  return (value) => start + ((value - low) / span) * (end - start);
}

/**
 * The ends of numbers, with a little room. Numbers that differ by rounding only get the room of equal ones: an axis
 * cannot be so fine.
 */
function ends(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number < low) low = number;
    if (number > high) high = number;
  }
  if (!(low <= high)) return [0, 1];
  const most = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > most * 1e-9 ? (high - low) * 0.05 : most * 0.05 || 1;
  return [low - room, high + room];
}

function label(x, y, text, anchor = "start", kind = "axis-text") {
  return drawn("text", { x, y, "text-anchor": anchor, class: kind }, text);
}

function line(x1, y1, x2, y2, kind) {
  return drawn("line", { x1, y1, x2, y2, class: kind });
}

/** Vertical lines with numbers below them. */
function horizontalAxis(low, high, place, top, bottom, title) {
  const middle = (place(low) + place(high)) / 2;
  return [
    ticks(low, high, 5).flatMap(({ value, text }) => [
      line(place(value), top, place(value), bottom, "grid"),
      label(place(value), bottom + 16, text, "middle"),
    ]),
    title ? label(middle, bottom + 34, title, "middle", "axis-title") : null,
  ].flat();
}

/** Horizontal lines with numbers before them. */
function verticalAxis(low, high, place, left, right, title) {
  const middle = (place(low) + place(high)) / 2;
  const turned = {
    x: 0,
    y: 0,
    transform: `translate(12 ${middle}) rotate(-90)`,
    "text-anchor": "middle",
    class: "axis-title",
  };
  return [
    ticks(low, high, 5).flatMap(({ value, text }) => [
      line(left, place(value), right, place(value), "grid"),
      label(left - 6, place(value) + 4, text, "end"),
    ]),
    title ? drawn("text", turned, title) : null,
  ].flat();
}

/** Shows the `data-tip` of what is under the pointer. One listener serves all charts. */
function showTips(root) {
  const tip = element("div", { class: "tip", hidden: true, "aria-hidden": "true" });
  root.append(tip);
  root.addEventListener("pointerover", (event) => {
    const target = event.target.closest?.("[data-tip]");
    tip.hidden = !target;
    if (target) tip.textContent = target.dataset.tip;
  });
  root.addEventListener("pointermove", (event) => {
    if (tip.hidden) return;
    const left = Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8);
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.min(event.clientY + 16, window.innerHeight - tip.offsetHeight - 8)}px`;
  });
}

/** The tip of a mark in a chart. */
function tipped(node, text) {
  node.dataset.tip = visible(text);
  return node;
}
