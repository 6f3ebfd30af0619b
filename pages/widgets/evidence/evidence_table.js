// The table: headings sort its rows; a click or a key opens one.
import { focusedBeside, h } from "../scripts/dom.js";
import { nameOfKey } from "../scripts/key_names.js";
import { ownMarkup } from "../scripts/own_markup.js";
import { AS_GIVEN, BY_VERDICT, sortRows, turnOrder } from "./order.js";
import { tablePart } from "./table_part.js";

/** @import { EvidenceData, TableRow } from "./contract.d.ts" */
/** @import { Order } from "./order.js" */
/** @typedef {(name: "chosen", row: string) => void} SetChosen */

export class EvidenceTable {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {EvidenceData | null} */
    this.data = null;
    /** @type {SetChosen | null} */
    this.setChosen = null;
    /** @type {Order} */
    this.order = { column: AS_GIVEN, down: false };
    /** @type {Set<string>} */
    this.open = new Set();
    root.addEventListener("keydown", (event) => this.press(event));
  }

  /**
   * @param {EvidenceData} data
   * @param {SetChosen | null} setChosen
   */
  receive(data, setChosen = null) {
    this.setChosen = setChosen;
    const opensAnew = data.opened !== this.data?.opened && !data.opens_below;
    if (data.opened && (!this.data || opensAnew)) this.open.add(data.opened);
    this.data = data;
    this.draw();
  }

  draw() {
    const data = this.data;
    if (!data) return;
    const focused = this.focusedName();
    this.root.classList.toggle("opens-below", data.opens_below);
    this.root.classList.toggle("brief", data.brief);
    this.root.replaceChildren(
      ...(data.legend ? [h("p", { class: "legend" }, ownMarkup(data.legend))] : []),
      tablePart(
        "table",
        { class: "rows" },
        h("caption", { text: data.title }),
        this.drawHead(data),
        tablePart(
          "tbody",
          {},
          sortRows(data.rows, this.order).map((row) => this.drawRow(data, row)),
        ),
      ),
    );
    if (focused) this.buttonNamed(focused)?.focus();
  }

  /** @param {EvidenceData} data */
  drawHead(data) {
    return tablePart(
      "thead",
      {},
      tablePart(
        "tr",
        {},
        tablePart("th", { scope: "col", text: data.corner }),
        data.verdict_name ? this.drawSorter(BY_VERDICT, data.verdict_name, false) : [],
        data.scale ? tablePart("th", { scope: "col", class: "marks" }, ownMarkup(data.scale)) : [],
        data.spread_name ? tablePart("th", { scope: "col", class: "spread", text: data.spread_name }) : [],
        data.columns.map((column, i) =>
          column.sortable
            ? this.drawSorter(i, column.name, column.numeric, column.term)
            : tablePart("th", {
                scope: "col",
                class: column.numeric ? "number" : null,
                title: column.term || null,
                text: column.name,
              }),
        ),
      ),
    );
  }

  /**
   * @param {number} column
   * @param {string} name
   * @param {boolean} numeric
   * @param {string} term
   */
  drawSorter(column, name, numeric, term = "") {
    const sorted = this.order.column === column;
    const direction = this.order.down ? "descending" : "ascending";
    return tablePart(
      "th",
      { scope: "col", class: numeric ? "number" : null, "aria-sort": sorted ? direction : null },
      h(
        "button",
        {
          type: "button",
          name: `sort ${column}`,
          title: term ? `${term} Sort by: ${name}` : `Sort by: ${name}`,
          onclick: () => {
            this.order = turnOrder(this.order, column);
            this.draw();
          },
        },
        name,
        h("span", { "aria-hidden": "true", text: sorted ? (this.order.down ? " \u2193" : " \u2191") : "" }),
      ),
    );
  }

  /**
   * @param {EvidenceData} data
   * @param {TableRow} row
   */
  drawRow(data, row) {
    const open = this.open.has(row.key);
    const line = tablePart(
      "tr",
      { class: open ? "line open" : "line", onclick: (event) => this.turnByClick(event, row.key) },
      tablePart(
        "th",
        { scope: "row" },
        h(
          "button",
          { type: "button", class: "opener", name: `row ${row.key}`, "aria-expanded": String(open) },
          h("span", { class: "arrow", "aria-hidden": "true", text: open ? "\u25be" : "\u25b8" }),
          h("span", { dir: "auto", text: row.name }),
        ),
        row.remark ? h("p", { class: "remark", dir: "auto", text: row.remark }) : [],
      ),
      data.verdict_name ? this.drawVerdict(row) : [],
      data.scale ? tablePart("td", { class: "marks" }, ownMarkup(row.marks)) : [],
      data.spread_name ? tablePart("td", { class: "spread" }, ownMarkup(row.spread)) : [],
      row.cells.map((cell, i) => {
        const look = data.columns[i]?.numeric ? "number" : "words";
        return tablePart("td", {
          class: row.marked.includes(i) ? `${look} marked` : look,
          "data-column": data.columns[i]?.name,
          text: cell,
        });
      }),
    );
    if (!open || data.opens_below) return [line];
    const behind = tablePart(
      "tr",
      { class: "behind" },
      tablePart(
        "td",
        {
          colspan:
            1 +
            Number(Boolean(data.verdict_name)) +
            Number(Boolean(data.scale)) +
            Number(Boolean(data.spread_name)) +
            data.columns.length,
        },
        h(
          "div",
          { class: "parts" },
          h("div", { class: "beside" }, ownMarkup(row.beside)),
          h("div", { class: "main" }, ownMarkup(row.behind)),
        ),
      ),
    );
    return [line, behind];
  }

  /** @param {TableRow} row */
  drawVerdict(row) {
    if (!row.verdict) return tablePart("td", {});
    return tablePart(
      "td",
      { class: `verdict ${row.shape}` },
      h("span", { class: "sign", "aria-hidden": "true", text: row.sign }),
      row.verdict,
    );
  }

  /**
   * A click anywhere on a line opens it, unless words are being selected.
   * @param {MouseEvent} event
   * @param {string} key
   */
  turnByClick(event, key) {
    if (event.detail > 0 && String(getSelection() ?? "")) return;
    this.turn(key);
  }

  /** @param {string} key */
  turn(key) {
    const opens = !this.open.delete(key);
    if (this.data?.opens_below) this.open.clear();
    if (opens) this.open.add(key);
    if (this.data?.opens_below) this.setChosen?.("chosen", opens ? key : "");
    this.draw();
    this.buttonNamed(`row ${key}`)?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const openers = [...this.root.querySelectorAll("button.opener")];
    const here = openers.findIndex((opener) => opener.getAttribute("name") === this.focusedName());
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[nameOfKey(event)];
    if (step !== undefined && here >= 0) {
      const next = openers[here + step];
      if (next instanceof HTMLElement) next.focus();
    } else if (event.key === "Escape" && here >= 0 && this.isOpen(openers[here])) {
      this.turn(String(openers[here]?.getAttribute("name")).slice("row ".length));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {Element | undefined} opener */
  isOpen(opener) {
    return opener?.getAttribute("aria-expanded") === "true";
  }

  /** The name of the button that has the focus, or "". */
  focusedName() {
    const focused = focusedBeside(this.root);
    return focused && this.root.contains(focused) ? (focused.getAttribute("name") ?? "") : "";
  }

  /** @param {string} name */
  buttonNamed(name) {
    const buttons = /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll("button")]);
    return buttons.find((button) => button.getAttribute("name") === name);
  }
}
