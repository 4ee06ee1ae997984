// A reference and two translations: which is better, while they are typed.

/** How long to wait for the next key, in milliseconds. */
const TYPING = 250;

/** The metrics of the table, with the decimals that reports show. */
const TYPED_METRICS = [
  { name: "sentbleu", decimals: 4, lower_is_better: false },
  { name: "chrf", decimals: 2, lower_is_better: false },
  { name: "ter", decimals: 2, lower_is_better: true },
];

/** A probability that is neither 0% nor 100%. */
function percentage(probability) {
  const percent = Math.round(100 * probability);
  return percent >= 100 ? "more than 99%" : percent <= 0 ? "less than 1%" : `${percent}%`;
}

class LiveVerdict {
  constructor() {
    this.fields = ["reference", "A", "B"].map((name) =>
      element("textarea", { rows: 3, spellcheck: "false", dir: "auto", input: () => this.typed(), "data-of": name }),
    );
    this.place = element("div", { class: "live-verdict", "aria-live": "polite" });
    this.language = chooser("Language", ["English", "another"], 0, (chosen) => {
      this.isEnglish = chosen === 0;
      this.typed();
    });
    this.isEnglish = true;
    this.invite();
  }

  /** What is shown until there is something to judge. */
  invite() {
    this.show(element("p", { class: "note" }, "Type a reference and both translations."));
  }

  view() {
    const titles = ["Reference", "Translation A", "Translation B"];
    return [
      element("h1", {}, "Which is better?"),
      element(
        "p",
        { class: "lead" },
        "The probability that people would prefer one to the other, as by tercet compare: by siamese for " +
          "English, by chrF for other languages.",
      ),
      element("div", { class: "fields" }, this.language),
      element(
        "div",
        { class: "live" },
        titles.map((title, i) =>
          element("label", { class: i ? "field" : "field reference" }, element("span", {}, title), this.fields[i]),
        ),
      ),
      this.place,
    ];
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.judge(), TYPING);
  }

  /** Asks the server; a newer question ends an older one. */
  async judge() {
    this.asked?.abort();
    const asked = (this.asked = new AbortController());
    const [reference, a, b] = this.fields.map((field) => field.value.trim());
    if (!reference || !a || !b) return this.invite();
    const texts = {
      references: [reference],
      systems: [
        { name: "A", hypotheses: [a] },
        { name: "B", hypotheses: [b] },
      ],
    };
    const language = this.isEnglish ? { language: "en" } : { fast: true };
    const ask = async (path, body) => (await send(path, { body, signal: asked.signal })).json();
    try {
      const compared = await ask("/v1/compare", { ...texts, ...language });
      const scores = await ask("/v1/score", { ...texts, metrics: TYPED_METRICS.map((metric) => metric.name) });
      if (asked === this.asked) this.show(...this.verdict(compared, scores));
    } catch (error) {
      if (error.name !== "AbortError") this.show(element("p", { class: "problem" }, error.message));
    }
  }

  show(...nodes) {
    this.place.replaceChildren(...nodes);
  }

  verdict(compared, scores) {
    const chance = compared.segments[0].p_a;
    const better = { a: "A", b: "B" }[compared.segments[0].better];
    const sure = percentage(Math.max(chance, 1 - chance));
    const sentence = better
      ? `${better} is better: by ${compared.metric}, people would prefer it with a probability of ${sure}.`
      : `By ${compared.metric}, both are equally good.`;
    const of = (system) => scores.filter((score) => score.system === system);
    const row = (system) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, system),
        of(system).map((score, i) => element("td", { class: "number" }, fixed(score.score, TYPED_METRICS[i].decimals))),
      );
    const head = element(
      "tr",
      {},
      element("th", { scope: "col" }, "translation"),
      of("A").map((score, i) =>
        element("th", { scope: "col", class: "number" }, metricTitle({ ...TYPED_METRICS[i], title: score.title })),
      ),
    );
    return [
      element("p", { class: "verdict" }, sentence),
      this.scale(100 * chance),
      // Verdicts by other metrics have intervals, which one segment does not give.
      compared.remarks
        .filter((remark) => !remark.startsWith("By "))
        .map((remark) => element("p", { class: "note" }, remark)),
      element("table", {}, element("thead", {}, head), element("tbody", {}, row("A"), row("B"))),
      element("p", { class: "note" }, "↓: lower is better."),
      element("p", { class: "note" }, "The verdict is by ", element("code", {}, compared.signature)),
    ].flat();
  }

  /** Both probabilities as parts of a bar. */
  scale(percent) {
    const share = (name, from, width) => drawn("rect", { class: `share-${name}`, x: from, width, height: 6 });
    const label = `A ${percentage(percent / 100)}, B ${percentage(1 - percent / 100)}`;
    return drawn(
      "svg",
      {
        class: "scale",
        viewBox: "0 0 100 6",
        width: "100%",
        height: 18,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": label,
      },
      share("A", 0, percent),
      share("B", percent, 100 - percent),
    );
  }
}
