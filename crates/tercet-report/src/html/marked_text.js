// Lines with marked words.

/** The marks of a metric for one translation, or `null` if it has none: `{hypothesis, reference, number}`. */
function marksOf(marks, system, segment) {
  const place = marks.segments ? marks.places.get(segment) : segment;
  const text = place === undefined ? undefined : marks.runs[system]?.[place];
  if (text === undefined) return null;
  const [hypothesis, reference, number] = text.split("|");
  return { hypothesis, reference: reference ?? "", number: Number(number ?? 0) };
}

/** Makes partly marked segments easy to find. */
function indexMarks(data) {
  for (const marks of data.marks) {
    if (marks.segments) marks.places = new Map(marks.segments.map((segment, place) => [segment, place]));
  }
}

/** A line with its runs of marked words. */
function markedLine(text, runs, kinds) {
  const pieces = [];
  let at = 0;
  // The unmarked text before a run, its kind, its own length; a length of 1 is left out.
  const gap = (letters) =>
    letters ? Array.from(letters).reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 65, 0) : 1;
  for (const [, before, code, length] of (runs ?? "").matchAll(/([A-Z]*)([a-z])(\d*)/g)) {
    const kind = kinds.find((known) => known.code === code);
    pieces.push(text.slice(at, (at += gap(before))));
    pieces.push(
      element(
        "mark",
        { class: `mark-${code}`, title: kind?.name },
        text.slice(at, (at += length ? Number(length) : 1)),
      ),
    );
  }
  pieces.push(text.slice(at));
  return element("p", { class: "line", dir: "auto" }, pieces);
}

function legend(marks) {
  return element(
    "ul",
    { class: "legend", "aria-label": `Marks of ${marks.title}` },
    marks.kinds.map((kind) =>
      element("li", {}, element("mark", { class: `mark-${kind.code}` }, kind.name), ` ${kind.meaning}`),
    ),
  );
}
