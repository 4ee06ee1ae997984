// The page as a whole: four views, of which one is shown.

class ServerPage {
  constructor() {
    this.report = document.getElementById("report");
    this.place = document.getElementById("view");
    const show = (data, run) => this.showReport(data, run);
    this.form = new EvaluateForm(show);
    this.views = { Evaluate: this.form, Type: new LiveVerdict(), "Past runs": new PastRuns(show), Report: null };
    this.buttons = Object.keys(this.views).map((name) =>
      element("button", { type: "button", "aria-pressed": "false", click: () => this.open(name) }, name),
    );
    document.getElementById("views").append(...this.buttons);
    document.getElementById("colours").append(themeSwitch());
    document.getElementById("work").append(...this.form.work());
    this.buttons.at(-1).disabled = true;
    this.acceptFiles();
    this.open("Evaluate");
  }

  open(name) {
    const view = this.views[name];
    if (!this.form.running) this.form.status.textContent = "";
    this.report.hidden = Boolean(view);
    this.place.hidden = !view;
    if (view) this.place.replaceChildren(element("main", {}, view.view()));
    this.buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.textContent === name)));
  }

  /** Draws what there is of a report. The first scores of a run open it. */
  showReport(data, run) {
    if (!data.metrics) return;
    const isFirst = this.texts !== data.texts;
    this.texts = data.texts;
    this.buttons.at(-1).disabled = false;
    renderReport(this.report, data);
    if (run) this.report.prepend(this.saving(run));
    if (isFirst) this.open("Report");
  }

  /** A button that saves the report as one file. */
  saving(run) {
    const problem = element("span", { class: "note", role: "alert" });
    const save = async () => {
      problem.textContent = "";
      try {
        const file = await (await send(`/v1/runs/${run}/report.html`)).blob();
        const link = element("a", { href: URL.createObjectURL(file), download: `tercet-${run}.html` });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      } catch (error) {
        problem.textContent = error.message;
      }
    };
    return element(
      "div",
      { class: "actions" },
      element("button", { type: "button", click: save }, "Save as a file"),
      problem,
    );
  }

  /** Files that are dropped anywhere go into the form; dropped texts go where the browser puts them. */
  acceptFiles() {
    const hasFiles = (event) => Array.from(event.dataTransfer.types).includes("Files");
    const over = (event) => {
      if (hasFiles(event)) event.preventDefault();
      document.body.classList.toggle("dragging", event.type === "dragover" && hasFiles(event));
    };
    for (const type of ["dragover", "dragleave"]) document.addEventListener(type, over);
    document.addEventListener("drop", (event) => {
      over(event);
      if (!hasFiles(event)) return;
      this.open("Evaluate");
      this.form.addFiles(event.dataTransfer.files);
    });
  }
}

document.addEventListener("DOMContentLoaded", () => new ServerPage());
