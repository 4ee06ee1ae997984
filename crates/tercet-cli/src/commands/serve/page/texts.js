// The texts of the form: references, systems and source, typed, pasted or read from files.

const ROLES = ["reference", "system", "source"];

/** What the name of a file says about its role. */
function roleOf(name) {
  if (/(^|[^a-z])(refs?|references?)\d*([^a-z]|$)/i.test(name)) return "reference";
  return /(^|[^a-z])(src|source)([^a-z]|$)/i.test(name) ? "source" : "system";
}

/** The lines of a text; a line end at the end begins no further line. */
function linesOf(text) {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** One text with its role and name. */
class TextEntry {
  constructor(role, name, text, remove) {
    this.role = role;
    this.name = name;
    this.text = element("textarea", { rows: 6, spellcheck: "false", dir: "auto", "aria-label": `Lines of ${name}` });
    this.text.value = text;
    this.node = this.view(remove);
  }

  view(remove) {
    const legend = element("legend", {}, this.role);
    const choose = (chosen) => (this.role = legend.textContent = ROLES[chosen]);
    const name = element("input", { type: "text", value: this.name, maxlength: 200, autocomplete: "off", input: () => (this.name = name.value) });
    return element(
      "fieldset",
      { class: "entry" },
      legend,
      element(
        "div",
        { class: "entry-head" },
        chooser("Role", ROLES, ROLES.indexOf(this.role), choose),
        element("label", { class: "field name" }, element("span", {}, "Name"), name),
        element("button", { type: "button", class: "quiet", "aria-label": `Remove ${this.name}`, click: () => remove(this) }, "Remove"),
      ),
      this.text,
    );
  }
}

/** All texts. */
class TextEntries {
  constructor() {
    this.all = [];
    this.node = element("div", { class: "entries" });
    this.add("reference", "reference");
    this.add("system", "A");
    this.add("system", "B");
  }

  add(role, name, text = "") {
    const entry = new TextEntry(role, name, text, (removed) => this.remove(removed));
    this.all.push(entry);
    this.node.append(entry.node);
    return entry;
  }

  remove(entry) {
    this.all = this.all.filter((other) => other !== entry);
    entry.node.remove();
  }

  /** Adds the texts of files; empty texts of the form make room for them. */
  async addFiles(files) {
    for (const file of files) {
      const text = await file.text();
      const role = roleOf(file.name);
      const room = this.all.find((entry) => entry.role === role && entry.text.value === "");
      if (room) this.remove(room);
      this.add(role, file.name, text);
    }
  }

  /** The texts as a request has them. */
  request() {
    const of = (role) => this.all.filter((entry) => entry.role === role && entry.text.value !== "");
    const references = of("reference").map((entry) => linesOf(entry.text.value));
    if (!references.length) throw new Error("There is no reference: give one text this role.");
    const other = references.find((lines) => lines.length !== references[0].length);
    if (other) throw new Error(`One reference has ${plural(references[0].length, "line")}, another ${plural(other.length, "line")}.`);
    const [source] = of("source");
    return {
      references: references[0].map((_, i) => references.map((lines) => lines[i])),
      systems: of("system").map((entry) => ({ name: entry.name, hypotheses: linesOf(entry.text.value) })),
      ...(source ? { sources: linesOf(source.text.value) } : {}),
    };
  }
}
