// The list of segments. However many there are, only the rows in view are in the page.

const ROW_HEIGHT = 34;
const ROWS_AROUND = 6;

/**
 * A list with keyboard control. `columns` are `{title, hint?, key?, kind, cell(segment)}`; `open(segment)` is called
 * when a row is chosen, and
 * `sort(key)` when a title is.
 */
class SegmentRows {
  constructor({ open, sort }) {
    this.open = open;
    this.sort = sort;
    this.rows = [];
    this.columns = [];
    this.active = 0;
    this.head = element("thead");
    this.body = element("tbody");
    this.table = element("table", { role: "grid", "aria-label": "Segments" }, this.head, this.body);
    this.view = element("div", { class: "segment-view", scroll: () => this.draw() }, this.table);
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.body.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.draw()).observe(this.view);
  }

  /** Shows these segments, in this order, with these columns, one of them active. */
  show(rows, columns, sorted, active) {
    [this.rows, this.columns] = [rows, columns];
    this.active = active;
    this.table.setAttribute("aria-rowcount", rows.length + 1);
    this.head.replaceChildren(
      element(
        "tr",
        { "aria-rowindex": 1 },
        columns.map((column) =>
          element(
            "th",
            {
              scope: "col",
              class: column.kind,
              "aria-sort": column.key === sorted.key ? (sorted.direction > 0 ? "ascending" : "descending") : null,
            },
            column.key
              ? element(
                  "button",
                  { type: "button", title: column.hint, click: () => this.sort(column.key) },
                  column.title,
                  element("span", { class: "arrow", "aria-hidden": "true" }),
                )
              : column.title,
          ),
        ),
      ),
    );
    this.view.scrollTop = 0;
    this.drawn = null;
    this.draw();
    if (active) requestAnimationFrame(() => this.reveal(this.active));
  }

  draw() {
    const height = this.view.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.view.scrollTop / ROW_HEIGHT) - ROWS_AROUND);
    const last = Math.min(this.rows.length, first + Math.ceil(height / ROW_HEIGHT) + 2 * ROWS_AROUND);
    if (this.drawn === `${first} ${last} ${this.active}`) return;
    const hadFocus = this.body.contains(document.activeElement);
    this.drawn = `${first} ${last} ${this.active}`;
    // The row that Tab reaches: the active one, or the first where that is out of view.
    this.reached = this.active >= first && this.active < last ? this.active : first;
    const rows = [];
    for (let i = first; i < last; i++) rows.push(this.row(i));
    this.body.replaceChildren(this.space(first), ...rows, this.space(this.rows.length - last));
    if (hadFocus) this.body.querySelector('tr[tabindex="0"]')?.focus({ preventScroll: true });
  }

  /** An empty row in place of those out of view. */
  space(rows) {
    const cell = element("td", { colspan: this.columns.length });
    cell.style.height = `${rows * ROW_HEIGHT}px`;
    return element("tr", { class: "space", role: "presentation", hidden: rows === 0 }, cell);
  }

  row(i) {
    const segment = this.rows[i];
    const active = i === this.active;
    return element(
      "tr",
      {
        "aria-rowindex": i + 2,
        "aria-selected": String(active),
        tabindex: i === this.reached ? "0" : "-1",
        "data-row": i,
      },
      this.columns.map((column) => element("td", { class: column.kind }, column.cell(segment))),
    );
  }

  click(event) {
    const row = event.target.closest("tr[data-row]");
    if (row) this.activate(Number(row.dataset.row));
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.view.clientHeight / ROW_HEIGHT) - 2);
    const last = this.rows.length - 1;
    const moves = {
      Enter: 0,
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -this.rows.length,
      End: this.rows.length,
    };
    if (!(event.key in moves) || last < 0) return;
    event.preventDefault();
    const from = Number(event.target.closest("tr[data-row]")?.dataset.row ?? this.active);
    this.activate(Math.min(last, Math.max(0, from + moves[event.key])));
  }

  /** Scrolls the list until a row is in view. */
  reveal(i) {
    const head = this.head.offsetHeight;
    const top = i * ROW_HEIGHT;
    const bottom = top + ROW_HEIGHT + head - this.view.clientHeight;
    if (top < this.view.scrollTop) this.view.scrollTop = top;
    if (bottom > this.view.scrollTop) this.view.scrollTop = bottom;
    this.draw();
  }

  activate(i) {
    this.active = i;
    this.reveal(i);
    this.body.querySelector("tr[aria-selected=true]")?.focus({ preventScroll: true });
    this.open(this.rows[i]);
  }
}
