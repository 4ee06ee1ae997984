// The form that evaluates texts, and the report of them as it grows.

class EvaluateForm {
  /** `show` gets the data of the report whenever there is more of it, at last with the number of the run. */
  constructor(show) {
    this.show = show;
    this.texts = new TextEntries();
    this.problem = element("p", { class: "problem", role: "alert" });
    this.hints = element("ul", { class: "hints", "aria-label": "Warnings" });
    this.status = element("p", { class: "note", role: "status" });
    this.bar = element("progress", { hidden: true, "aria-label": "Progress" });
    this.start = element("button", { type: "submit", class: "main" }, "Evaluate");
    this.stop = element("button", { type: "button", hidden: true, click: () => this.running?.abort() }, "Stop");
    this.metrics = element(
      "fieldset",
      { class: "choices" },
      element("legend", {}, "Metrics (none chosen: BLEU, chrF, TER, and siamese for English)"),
    );
    this.language = element("input", { type: "text", size: 8, placeholder: "en-de", autocomplete: "off" });
    this.listMetrics();
  }

  /** How the work goes; shown in every view. */
  work() {
    return [element("div", { class: "working" }, this.bar, this.status, this.stop), this.problem, this.hints];
  }

  view() {
    const files = element("input", { type: "file", multiple: true, change: () => this.addFiles(files.files) });
    const add = () => this.texts.add("system", `system ${this.texts.all.length}`).text.focus();
    return [
      element("h1", {}, "Evaluate translations"),
      element(
        "p",
        { class: "lead" },
        "One segment per line, the same number of lines in every text. Texts go to the tercet that serves this " +
          "page and nowhere else.",
      ),
      element(
        "form",
        { submit: (event) => this.submit(event) },
        this.texts.node,
        element(
          "div",
          { class: "actions" },
          element("button", { type: "button", click: add }, "Add a text"),
          element("label", { class: "field" }, element("span", {}, "Add files, or drop them on this page"), files),
        ),
        this.metrics,
        element(
          "div",
          { class: "actions" },
          element(
            "label",
            { class: "field" },
            element("span", {}, "Target language, or pair of languages (optional)"),
            this.language,
          ),
          this.start,
        ),
      ),
    ];
  }

  async addFiles(files) {
    const problems = await this.texts.addFiles(files);
    this.problem.textContent = problems.join(" ");
    this.status.textContent = `${plural(files.length - problems.length, "file")} added.`;
  }

  async listMetrics() {
    try {
      const all = await (await send("/v1/metrics")).json();
      for (const metric of all.filter((found) => !found.needs)) {
        this.metrics.append(
          element(
            "label",
            { title: metric.summary },
            element("input", { type: "checkbox", value: metric.name }),
            metric.name,
          ),
        );
      }
    } catch (error) {
      this.problem.textContent = error.message;
    }
  }

  request() {
    const metrics = [...this.metrics.querySelectorAll("input:checked")].map((box) => box.value);
    const language = this.language.value.trim();
    return { ...this.texts.request(), ...(metrics.length ? { metrics } : {}), ...(language ? { language } : {}) };
  }

  async submit(event) {
    event.preventDefault();
    this.problem.textContent = "";
    this.hints.replaceChildren();
    this.setRunning(new AbortController());
    try {
      await this.follow(this.request(), this.running.signal);
    } catch (error) {
      this.problem.textContent = error.name === "AbortError" ? "Stopped." : error.message;
    }
    this.setRunning(null);
  }

  setRunning(running) {
    this.running = running;
    this.start.disabled = Boolean(running);
    this.stop.hidden = this.bar.hidden = !running;
    this.bar.removeAttribute("value");
    this.status.textContent = running ? "Sent." : "";
  }

  /** Reads the stream, and shows the report as it grows. */
  async follow(body, signal) {
    let data = {};
    for await (const line of linesOfStream(await send("/v1/report", { body, signal }))) {
      if (line.event === "error") throw new Error(line.message);
      else if (line.event === "report")
        this.show((data = { ...data, ...line.data, texts: data.texts ?? line.data.texts }), null);
      else if (line.event === "kept") this.show(data, line.run);
      else if (line.event === "warning") this.hints.append(element("li", {}, line.text));
      else if (line.event === "stage") this.showProgress((this.stage = line), 0);
      else if (line.event === "progress") this.showProgress(this.stage, line.done);
    }
  }

  showProgress({ name, total }, done) {
    this.status.textContent = total ? `${name}: ${grouped(done)} of ${grouped(total)}` : `${name} …`;
    if (total) {
      this.bar.max = total;
      this.bar.value = Math.min(done, total);
    } else this.bar.removeAttribute("value");
  }
}
