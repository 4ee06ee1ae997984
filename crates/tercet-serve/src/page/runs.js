// The reports that the server keeps.

class PastRuns {
  /** `show` gets the data of a report and its number. */
  constructor(show) {
    this.show = show;
    this.list = element("ul", { class: "runs" });
    this.status = element("p", { class: "note", role: "status" });
  }

  view() {
    this.refresh();
    return [
      element("h1", {}, "Past runs"),
      element(
        "p",
        { class: "lead" },
        "The last reports of this server, in its memory: they are gone when it ends. Everybody who may use the " +
          "server sees them.",
      ),
      element(
        "div",
        { class: "actions" },
        element("button", { type: "button", click: () => this.forget() }, "Forget all"),
      ),
      this.status,
      this.list,
    ];
  }

  async refresh() {
    await this.attempt(async () => {
      const runs = await (await send("/v1/runs")).json();
      this.status.textContent = runs.length ? `${plural(runs.length, "run")}.` : "There are none yet.";
      this.list.replaceChildren(...runs.map((run) => this.row(run)));
    });
  }

  row(run) {
    const facts = [
      run.systems.join(", "),
      plural(run.segments, "segment"),
      run.metrics.map((metric) => metric.title).join(", "),
    ];
    return element(
      "li",
      {},
      element("button", { type: "button", click: () => this.open(run.id) }, `Open run ${run.id}`),
      element("span", {}, new Date(1000 * run.time).toLocaleString()),
      element("p", { class: "note" }, facts.join(" · ")),
    );
  }

  async open(id) {
    await this.attempt(async () => this.show(await (await send(`/v1/runs/${id}`)).json(), id));
  }

  async forget() {
    if (!window.confirm("Forget all runs of this server, also those of others?")) return;
    await this.attempt(() => send("/v1/runs", { method: "DELETE" }));
    await this.refresh();
  }

  async attempt(work) {
    try {
      await work();
    } catch (error) {
      this.status.textContent = error.message;
    }
  }
}
