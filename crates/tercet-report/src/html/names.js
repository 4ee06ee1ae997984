// Names and other texts in charts: whole where there is room, else the part in which they differ.

let textMeasure = null;

/** How wide a text of a chart is. */
function textWidth(text) {
  if (!textMeasure) {
    textMeasure = document.createElement("canvas").getContext("2d");
    textMeasure.font = `12px ${getComputedStyle(document.body).fontFamily}`;
  }
  return textMeasure.measureText(text).width;
}

/** The room that names get in a chart: what the widest needs, at most the given share of the width. */
function nameRoom(names, width, share) {
  return Math.min(
    Math.max(24, ...names.map((name) => Math.ceil(textWidth(visible(name))))) + 2,
    Math.round(width * share),
  );
}

/** The fewest characters that are left of a name. */
const FEWEST_CHARACTERS = 4;

/** How many characters all names share at their start, and how many of the rest at their end. */
function sharedEnds(names) {
  const [first, ...others] = names.map((name) => Array.from(visible(name)));
  const shortest = Math.min(...[first, ...others].map((name) => name.length));
  if (!others.length) return [0, 0];
  const count = (most, same) => {
    let shared = 0;
    while (shared < most && others.every((name) => same(name, shared))) shared++;
    return shared;
  };
  // Something is left of a name with which the others begin.
  const start = count(Math.max(0, shortest - FEWEST_CHARACTERS), (name, i) => name[i] === first[i]);
  return [
    start,
    count(Math.max(0, shortest - start - FEWEST_CHARACTERS), (name, i) => name.at(-1 - i) === first.at(-1 - i)),
  ];
}

/** The names as they fit into this room: those that are too wide without what all share, then cut at their ends. */
function shortNames(names, room) {
  const fits = (text) => textWidth(text) <= room;
  const [start, end] = names.length ? sharedEnds(names) : [0, 0];
  return names.map((name) => {
    const whole = Array.from(visible(name));
    const from = (first, last) =>
      (first ? "…" : "") + whole.slice(first, last).join("") + (last < whole.length ? "…" : "");
    const parts = [from(0, whole.length), from(start, whole.length), from(start, whole.length - end)];
    const found = parts.find(fits);
    if (found) return found;
    let last = whole.length - end;
    while (last > start + 1 && !fits(from(start, last))) last--;
    return from(start, last);
  });
}

/** The name of one of several systems beside its row, with the whole name as a tip. */
function nameLabel(x, y, { short, whole }, anchor) {
  return tipped(label(x, y, short, anchor, "name"), whole);
}
