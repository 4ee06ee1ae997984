// All segments: filtered, searched, sorted; one of them open, with its words marked.

/** How long one part of a search may take before the page gets its turn, in milliseconds. */
const SLICE = 40;

/**
 * The segments of the report that was drawn last. A report that is drawn again with more scores of the same texts keeps
 * what was chosen in it.
 */
let lastBrowser = null;

function segmentsSection(data) {
  if (!hasSegmentScores(data)) return null;
  const before = data.texts && lastBrowser?.data.texts === data.texts ? lastBrowser : null;
  lastBrowser = new SegmentBrowser(data, before);
  return lastBrowser.section();
}

class SegmentBrowser {
  /** `before`, if given, is the browser of the same texts with fewer scores, which this one replaces. */
  constructor(data, before = null) {
    this.data = data;
    indexMarks(data);
    const several = data.systems.length > 1;
    this.state = {
      a: 0,
      b: several ? 1 : -1,
      metric: Math.max(0, comparedMetric(data)),
      isMetricChosen: false,
      search: "",
      others: false,
      values: data.groupings.map(() => -1),
      side: 0,
      marks: data.marks.length ? 0 : -1,
    };
    this.sorted = several ? { key: "difference", direction: -1 } : { key: "segment", direction: 1 };
    this.rows = new SegmentRows({ open: (segment) => this.open(segment), sort: (key) => this.sortBy(key) });
    this.count = element("p", { class: "note", role: "status" });
    this.detail = element("div", {
      class: "detail",
      role: "region",
      "aria-label": "The chosen segment",
      tabindex: "0",
    });
    if (before) this.keepChoices(before);
    this.update();
  }

  /** Takes over what was chosen in the browser that this one replaces. */
  keepChoices({ data, state, sorted, opened, isTyping }) {
    const again = (kind, i) => this.data[kind].findIndex((one) => one.title === data[kind][i].title);
    const { a, b, side, search, others } = state;
    Object.assign(this.state, { a, b, side, search, others });
    if (state.isMetricChosen)
      Object.assign(this.state, { metric: Math.max(0, again("metrics", state.metric)), isMetricChosen: true });
    if (data.marks.length) this.state.marks = state.marks < 0 ? -1 : again("marks", state.marks);
    if (data.groupings.length === this.data.groupings.length) this.state.values = state.values;
    this.sorted = sorted;
    this.wanted = opened;
    if (isTyping) requestAnimationFrame(() => this.search.focus({ preventScroll: true }));
  }

  /** Notes whether somebody types into the field of the search, before it leaves the page. */
  noteTyping() {
    this.isTyping = document.activeElement === this.search;
  }

  section() {
    return section(
      "segments",
      "Segments",
      this.fields(),
      element(
        "div",
        { class: "table-head" },
        this.count,
        copies(
          "the segments of the list",
          () => this.table(),
          (column) => column < (this.state.b < 0 ? 2 : 3),
        ),
      ),
      element("div", { class: "segments" }, this.rows.view, this.detail),
    );
  }

  fields() {
    const { data, state } = this;
    const set =
      (key, shift = 0) =>
      (chosen) => {
        state[key] = chosen + shift;
        this.update();
      };
    const chooseMetric = (chosen) => {
      state.isMetricChosen = true;
      set("metric")(chosen);
    };
    const find = () => {
      state.search = search.value;
      this.update();
    };
    const search = element("input", {
      type: "search",
      placeholder: "words or /pattern/",
      value: state.search,
      input: find,
    });
    this.search = search;
    const fields = [
      chooser("A", data.systems, state.a, set("a")),
      data.systems.length > 1 ? chooser("B", ["none", ...data.systems], state.b + 1, set("b", -1)) : null,
      chooser(
        "Metric",
        data.metrics.map((metric) => metric.title),
        state.metric,
        chooseMetric,
      ),
      data.systems.length > 1
        ? chooser("Show", ["all", "A better", "B better", "equal scores", "equal texts"], state.side, set("side"))
        : null,
      ...data.groupings.map((grouping, i) => this.groupField(grouping, i)),
      data.marks.length
        ? chooser("Mark words by", ["nothing", ...data.marks.map((marks) => marks.title)], state.marks + 1, (chosen) =>
            this.mark(chosen - 1),
          )
        : null,
      data.texts ? element("label", { class: "field wide" }, element("span", {}, "Search"), search) : null,
    ];
    return element("div", { class: "fields", role: "search", "aria-label": "Segments" }, fields);
  }

  /** Segments with one value of a property; choices in several lists must all hold. */
  groupField(grouping, i) {
    return chooser(grouping.name, ["all", ...grouping.values.slice(0, 2000)], this.state.values[i] + 1, (chosen) => {
      this.state.values[i] = chosen - 1;
      this.update();
    });
  }

  /** The segments of the list with the scores of A and B and all texts, for copies. */
  table() {
    const { data, state, scores } = this;
    const { title, decimals } = data.metrics[state.metric];
    const systems = [state.a, state.b].filter((system) => system >= 0);
    const { sources, references, outputs } = data.texts ?? {};
    const most = (references ?? []).reduce((most, texts) => Math.max(most, texts.length), 0);
    const numbers = Array.from({ length: most }, (_, i) => i);
    const header = [
      "segment",
      ...systems.map((system) => `${title} of ${data.systems[system]}`),
      ...(sources ? ["source"] : []),
      ...numbers.map((i) => (most > 1 ? `reference ${i + 1}` : "reference")),
      ...(outputs ? systems.map((system) => data.systems[system]) : []),
    ];
    const row = (i) => [
      String(i + 1),
      ...systems.map((_, n) => fixed(scores[n][i], decimals)),
      ...(sources ? [sources[i]] : []),
      ...numbers.map((number) => references[i][number] ?? ""),
      ...(outputs ? systems.map((system) => outputs[system][i]) : []),
    ];
    return [header, ...this.rows.rows.map(row)].map((texts) => texts.map((text) => ({ text })));
  }

  mark(chosen) {
    this.state.marks = chosen;
    this.open(this.opened);
  }

  sortBy(key) {
    const same = this.sorted.key === key;
    const first = key === "segment" ? 1 : -1;
    this.sorted = { key, direction: same ? -this.sorted.direction : first };
    this.update();
  }

  /**
   * Computes what the list shows. A long search pauses so that the page can answer, and ends when a newer one begins.
   */
  async update() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const { data, state } = this;
    this.scores = [state.a, state.b].map((system) => (system < 0 ? null : segmentScores(data, state.metric, system)));
    const compared = comparedMetric(data);
    this.chances = compared < 0 || compared === state.metric ? chances(data.comparison?.probabilities, state) : null;
    const isShown = { b: state.b >= 0, difference: state.b >= 0, chance: this.chances !== null };
    if (isShown[this.sorted.key] === false) this.sorted = { key: "segment", direction: 1 };
    const accepts = this.filter();
    const found = [];
    let slice = performance.now();
    for (let segment = 0; segment < data.segments; segment++) {
      if (accepts(segment)) found.push(segment);
      if (segment % 512 === 511 && performance.now() - slice > SLICE) {
        await new Promise((resume) => setTimeout(resume));
        if (turn !== this.turn) return;
        slice = performance.now();
      }
    }
    this.show(this.inOrder(found));
  }

  filter() {
    const { data, state } = this;
    const [a, b] = this.scores;
    const sign = data.metrics[state.metric].lower_is_better ? -1 : 1;
    const tests = [];
    const texts = data.texts?.outputs;
    const sides = [
      null,
      (i) => sign * (a[i] - b[i]) > 0,
      (i) => sign * (a[i] - b[i]) < 0,
      (i) => a[i] === b[i],
      (i) => texts?.[state.a][i] === texts?.[state.b][i],
    ];
    if (b && sides[state.side]) tests.push(sides[state.side]);
    data.groupings.forEach(({ of }, grouping) => {
      const value = state.values[grouping];
      if (value >= 0) tests.push((i) => of[i] === value);
    });
    const pattern = searchPattern(state.search);
    if (pattern && data.texts) {
      const { sources, references, outputs } = data.texts;
      const searched = [state.a, state.b].filter((system) => system >= 0).map((system) => outputs[system]);
      if (sources) searched.push(sources);
      tests.push(
        (i) => searched.some((lines) => pattern.test(lines[i])) || references[i].some((line) => pattern.test(line)),
      );
    }
    return (i) => tests.every((test) => test(i));
  }

  inOrder(found) {
    const key = this.keys()[this.sorted.key];
    const { direction } = this.sorted;
    const keys = new Float64Array(this.data.segments);
    for (const i of found) keys[i] = Number.isFinite(key(i)) ? direction * key(i) : Infinity;
    return found.sort((one, other) => keys[one] - keys[other] || one - other);
  }

  keys() {
    const [a, b] = this.scores;
    return {
      segment: (i) => i,
      a: (i) => a[i],
      b: (i) => b[i],
      difference: (i) => Math.abs(a[i] - b[i]),
      chance: (i) => this.chances[i],
    };
  }

  show(order) {
    const { data } = this;
    const active = Math.max(0, order.indexOf(this.wanted));
    this.wanted = undefined;
    this.rows.show(order, this.columns(), this.sorted, active);
    const all = order.length === data.segments;
    const isBad = this.state.search.trim() && !searchPattern(this.state.search);
    if (isBad) this.count.textContent = "This pattern is not a regular expression; all segments are shown.";
    else
      this.count.textContent = all
        ? `${plural(order.length, "segment")}.`
        : `${grouped(order.length)} of ${plural(data.segments, "segment")}.`;
    this.open(order[active]);
  }

  columns() {
    const { data, state } = this;
    const [a, b] = this.scores;
    const { decimals } = data.metrics[state.metric];
    const number = (title, key, value) => ({ title, key, kind: "number", cell: (i) => fixed(value(i), decimals) });
    const chance = this.chances;
    const arrow = data.metrics[state.metric].lower_is_better ? -1 : 1;
    return [
      { title: "#", key: "segment", kind: "number", cell: (i) => String(i + 1) },
      number(b ? "A" : "score", "a", (i) => a[i]),
      ...(b ? [number("B", "b", (i) => b[i])] : []),
      ...(b
        ? [
            {
              title: "A − B",
              hint: "sorted by size, without the sign",
              key: "difference",
              kind: "number difference",
              cell: (i) => signed(a[i] - b[i], decimals),
            },
          ]
        : []),
      ...(b ? [{ title: "better", kind: "winner", cell: (i) => winner(arrow * (a[i] - b[i])) }] : []),
      ...(chance
        ? [{ title: "p(A better)", key: "chance", kind: "number chance", cell: (i) => fixed(chance[i], 2) }]
        : []),
      ...(data.texts
        ? [
            {
              title: "reference",
              kind: "text",
              cell: (i) => element("span", { dir: "auto" }, data.texts.references[i][0]),
            },
          ]
        : []),
    ];
  }

  open(segment) {
    this.opened = segment;
    this.detail.replaceChildren(
      ...(segment === undefined ? [element("p", {}, "No segment.")] : segmentDetail(this.data, this.state, segment)),
    );
  }
}

/** Which of the two a difference speaks for; neither if a score is missing. */
function winner(difference) {
  if (Number.isNaN(difference)) return "–";
  return difference > 0 ? "A" : difference < 0 ? "B" : "=";
}

/** The metric of the verdict, if its scores are in the report; −1 if not. */
function comparedMetric({ comparison, metrics }) {
  const spec = (signature) => signature.split("|")[0];
  return comparison ? metrics.findIndex((metric) => spec(metric.signature) === spec(comparison.signature)) : -1;
}

/**
 * The probabilities that A is better than B, given those of the first system and the second; `null` for other systems.
 */
function chances(stored, { a, b }) {
  if (!stored || a < 0 || b < 0 || a + b !== 1) return null;
  return stored.map((chance) => (a === 0 ? chance : 1e4 - chance) / 1e4);
}

/**
 * Words in any case, or a regular expression between slashes; `null` for nothing, or a pattern that is not finished.
 */
function searchPattern(text) {
  const wanted = text.trim();
  if (!wanted) return null;
  const between = /^\/(.+)\/$/.exec(wanted);
  try {
    return new RegExp(between ? between[1] : wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "iu");
  } catch {
    return null;
  }
}

/** One segment: source, references, the outputs of A, B and all others, with scores. */
function segmentDetail(data, state, segment) {
  const marks = state.marks >= 0 ? data.marks[state.marks] : null;
  const chosen = [state.a, state.b].filter((system, i, all) => system >= 0 && all.indexOf(system) === i);
  const others = data.systems.map((_, system) => system).filter((system) => !chosen.includes(system));
  const properties = data.groupings.map((grouping) => `${grouping.name}: ${grouping.values[grouping.of[segment]]}`);
  const texts = data.texts;
  const plain = (title, text) => element("div", { class: "text" }, element("h4", {}, title), markedLine(text, "", []));
  const references = texts?.references[segment] ?? [];
  const known = marks && marksOf(marks, chosen[0], segment);
  return [
    element(
      "h3",
      {},
      `Segment ${segment + 1}`,
      properties.length ? element("small", {}, properties.join(" · ")) : null,
    ),
    texts?.sources ? plain("Source", texts.sources[segment]) : null,
    ...references.map((text, i) => plain(references.length > 1 ? `Reference ${i + 1}` : "Reference", text)),
    ...chosen.map((system, i) => output(data, marks, system, segment, state.b >= 0 ? "AB"[i] : "")),
    marks && known ? legend(marks) : null,
    marks && !known
      ? element(
          "p",
          { class: "note" },
          `${marks.title} has marks for ${plural(marks.segments.length, "segment")} only, ` +
            `${data.systems.length > 1 ? "those where systems differ most" : "the first ones"}.`,
        )
      : null,
    others.length && texts
      ? element(
          "details",
          { open: state.others, toggle: (event) => (state.others = event.target.open) },
          element("summary", {}, `Other systems (${others.length})`),
          others.map((system) => output(data, marks, system, segment, "")),
        )
      : null,
  ].filter(Boolean);
}

/** An output with its scores; where words are marked, also its reference, since marks are about both. */
function output(data, marks, system, segment, letter) {
  const found = marks && marksOf(marks, system, segment);
  const kinds = marks?.kinds ?? [];
  const scores = data.metrics.map((metric, number) => {
    const score = data.segment_scores[number][system][segment];
    return element(
      "li",
      {},
      `${metric.title} `,
      element("b", {}, fixed(score === null ? NaN : score / 10 ** metric.decimals, metric.decimals)),
    );
  });
  const reference = found?.reference && data.texts.references[segment][found.number];
  return element(
    "div",
    { class: "text output" },
    element("h4", {}, letter ? element("span", { class: `badge ${letter}` }, letter) : null, data.systems[system]),
    data.texts ? markedLine(data.texts.outputs[system][segment], found?.hypothesis, kinds) : null,
    reference
      ? element(
          "div",
          { class: "against" },
          element("span", {}, "reference"),
          markedLine(reference, found.reference, kinds),
        )
      : null,
    element("ul", { class: "scores" }, scores),
  );
}
