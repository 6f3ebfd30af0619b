// One row per label: J and K move through them, Enter opens one. The list scrolls inside its own area.
import { focusedBeside, h, isTyping } from "../scripts/dom.js";
import { moveBy, pageBeside, rowAfterwards, stepOf } from "./moves.js";

/** @import { LabelList, SettleRow } from "./contract.d.ts" */
/**
 * What Streamlit calls the component with.
 * @typedef {object} Component
 * @property {LabelList} data
 * @property {ParentNode} parentElement
 * @property {(name: "open" | "page", value: string | number) => void} setTriggerValue
 */

export class SettleList {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Component | null} */
    this.component = null;
    /** @type {LabelList | null} */
    this.data = null;
    this.drawn = "";
    this.entering = 0; // 1: the next page begins with the focus on its first row, -1: on its last
    this.listening = new AbortController();
    const options = { capture: true, signal: this.listening.signal };
    window.addEventListener("keydown", (event) => this.press(event), options);
  }

  stop() {
    this.listening.abort();
  }

  /** @param {Component} component */
  receive(component) {
    this.component = component;
    const text = JSON.stringify(component.data);
    if (text === this.drawn) return;
    this.drawn = text;
    this.draw(component.data);
  }

  /** @param {LabelList} data */
  draw(data) {
    const before = this.data;
    const focused = this.focusedKey();
    const scrolled = this.root.querySelector(".rows")?.scrollTop ?? 0;
    this.data = data;
    const rows = h(
      "ol",
      {
        class: data.total > data.rows.length ? "rows paged" : "rows",
        "aria-label": data.title,
        tabindex: "-1",
      },
      data.rows.map((row) => h("li", {}, this.drawRow(data, row))),
    );
    const foot = this.drawFoot(data);
    this.root.replaceChildren(
      ...(data.rows.length ? [rows, foot] : [h("p", { class: "empty", text: data.empty })]),
    );
    if (!data.rows.length) return;
    const samePage = before?.after === data.after && before.title === data.title;
    if (samePage) rows.scrollTop = scrolled;
    if (this.entering) {
      this.focusRow(this.entering > 0 ? 0 : data.rows.length - 1);
      this.entering = 0;
    } else if (focused && before) this.focusRow(rowAfterwards(before.rows, data.rows, focused, data.current));
    if (!samePage || before?.current !== data.current)
      this.links()
        .find((link) => link.dataset.key === data.current)
        ?.scrollIntoView({ block: "nearest" });
  }

  /**
   * @param {LabelList} data
   * @param {SettleRow} row
   */
  drawRow(data, row) {
    const current = row.key === data.current;
    return h(
      "a",
      {
        class: current ? "row on" : "row",
        href: row.address,
        target: "_self",
        "data-key": row.key,
        "aria-current": current && "true",
        onclick: (event) => this.click(event, row),
        onkeydown: (event) => {
          // Ctrl+Enter settles; it would also open the row in another tab.
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.preventDefault();
        },
      },
      h(
        "span",
        { class: "top" },
        h("span", { class: "name", text: row.name }),
        row.about && h("span", { class: "about", dir: "auto", text: ` · ${row.about}` }),
      ),
      h(
        "span",
        { class: "bottom" },
        h("span", { class: "labels", text: row.labels.join(" · ") }),
        row.judge.length > 0 && h("span", { class: "judge", text: `judge ${row.judge.join(" · ")}` }),
        row.marks.map((mark) => h("span", { class: "mark", text: mark })),
      ),
    );
  }

  /** @param {LabelList} data */
  drawFoot(data) {
    const last = data.after + data.rows.length;
    const turn = (/** @type {number} */ step, /** @type {string} */ sign, /** @type {string} */ name) => {
      const after = pageBeside(data, step);
      return h("button", {
        type: "button",
        class: "turn",
        title: name,
        "aria-label": name,
        disabled: after === null,
        text: sign,
        onclick: () => after !== null && this.component?.setTriggerValue("page", after),
      });
    };
    const paged = data.total > data.rows.length;
    const place = `${(data.after + 1).toLocaleString("en")}–${last.toLocaleString("en")} of ${data.total.toLocaleString("en")}`;
    return h(
      "p",
      { class: "foot" },
      h("span", { class: "keys" }, key("J"), key("K"), " move ", key("Enter"), " open"),
      paged &&
        h("span", { class: "pages" }, turn(-1, "‹", "Previous page"), place, turn(1, "›", "Next page")),
    );
  }

  /**
   * @param {MouseEvent} event
   * @param {SettleRow} row
   */
  click(event, row) {
    if (this.data?.leaves || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    event.preventDefault();
    this.component?.setTriggerValue("open", row.key);
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (!this.data || event.isComposing || isTyping(event)) return;
    const step = stepOf(event, this.focusedKey() !== "");
    if (!step) return;
    const key = this.focusedKey() || this.data.current;
    const here = this.data.rows.findIndex((row) => row.key === key);
    const move = moveBy(this.data, here, step);
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!move) return;
    if ("row" in move) this.focusRow(move.row);
    else if (!event.repeat) {
      this.entering = step;
      this.component?.setTriggerValue("page", move.after);
    }
  }

  /** @param {number} number */
  focusRow(number) {
    const link = this.links()[number];
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "nearest" });
  }

  links() {
    return /** @type {HTMLElement[]} */ ([...this.root.querySelectorAll("a.row")]);
  }

  /** The key of the row that has the focus, or "". */
  focusedKey() {
    const focused = focusedBeside(this.root);
    return focused && this.root.contains(focused) ? (focused.dataset.key ?? "") : "";
  }
}

/** @param {string} name */
function key(name) {
  return h("kbd", { text: name });
}
