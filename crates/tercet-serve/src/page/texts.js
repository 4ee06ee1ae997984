// The texts of the form: references, systems and source, typed, pasted or read from files.

const ROLES = ["reference", "system", "source"];

/** What the name of a file says about its role. */
function roleOf(name) {
  if (/(^|[^a-z])(refs?|references?)\d*([^a-z]|$)/i.test(name)) return "reference";
  return /(^|[^a-z])(src|source)([^a-z]|$)/i.test(name) ? "source" : "system";
}

/** The lines of a text; a line end at the end begins no further line. */
function linesOf(text) {
  const lines = text.split(/\r\n|\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The first bytes of compressed files: gzip, zstd, bzip2, xz. */
const COMPRESSED = [
  [0x1f, 0x8b],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x42, 0x5a, 0x68],
  [0xfd, 0x37, 0x7a, 0x58],
];

/** The text of a file with one segment per line. What the page cannot read is an error that says why. */
async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const refuse = (why) => {
    throw new Error(`${file.name} ${why}`);
  };
  if (COMPRESSED.some((start) => start.every((byte, i) => bytes[i] === byte)))
    refuse("is compressed: unpack it first.");
  if (bytes.includes(0)) refuse("is not text in UTF-8: it has zero bytes, as UTF-16 does.");
  let text;
  try {
    // A byte order mark stays, as for the command, which counts it as a character.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse("is not text in UTF-8: convert it, for example with iconv -f latin1 -t utf-8.");
  }
  if (/^\ufeff?\s*<(\?xml|!doctype|refset|srcset|tstset|mteval|dataset)\b/i.test(text))
    refuse("is SGML or XML, which only the command reads: give plain lines here.");
  if (/\r(?!\n)/.test(text)) refuse("has carriage returns inside of lines.");
  return text;
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
    const name = element("input", {
      type: "text",
      value: this.name,
      maxlength: 200,
      autocomplete: "off",
      input: () => (this.name = name.value),
    });
    return element(
      "fieldset",
      { class: "entry" },
      legend,
      element(
        "div",
        { class: "entry-head" },
        chooser("Role", ROLES, ROLES.indexOf(this.role), choose),
        element("label", { class: "field name" }, element("span", {}, "Name"), name),
        element(
          "button",
          { type: "button", class: "quiet", "aria-label": `Remove ${this.name}`, click: () => remove(this) },
          "Remove",
        ),
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

  /**
   * Adds the texts of files; empty texts of the form make room for them. Returns what is wrong with those that are not
   * added.
   */
  async addFiles(files) {
    const problems = [];
    for (const file of files) {
      let text;
      try {
        text = await textOf(file);
      } catch (error) {
        problems.push(error.message);
        continue;
      }
      const role = roleOf(file.name);
      const room = this.all.find((entry) => entry.role === role && entry.text.value === "");
      if (room) this.remove(room);
      this.add(role, file.name, text);
    }
    return problems;
  }

  /** The texts as a request has them. */
  request() {
    const of = (role) => this.all.filter((entry) => entry.role === role && entry.text.value !== "");
    const references = of("reference").map((entry) => linesOf(entry.text.value));
    if (!references.length) throw new Error("There is no reference: paste its lines, or give a text this role.");
    const other = references.find((lines) => lines.length !== references[0].length);
    if (other)
      throw new Error(
        `One reference has ${plural(references[0].length, "line")}, another ${plural(other.length, "line")}.`,
      );
    const [source] = of("source");
    return {
      references: references[0].map((_, i) => references.map((lines) => lines[i])),
      systems: of("system").map((entry) => ({ name: entry.name, hypotheses: linesOf(entry.text.value) })),
      ...(source ? { sources: linesOf(source.text.value) } : {}),
    };
  }
}
