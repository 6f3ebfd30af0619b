// Menus of the bar: a button opens a panel below it. One at a time; Esc closes it and returns the focus.
import { focusedBeside, h } from "../scripts/dom.js";
import { nameOfKey } from "../scripts/key_names.js";

/** @import { Children } from "../scripts/dom.js" */
/** @typedef {{ button: HTMLElement, place: HTMLElement, panel: HTMLElement, onopen: () => void }} Menu */

const WITHIN = "input, a, button";

export class Menus {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Menu[]} */
    this.menus = [];
    /** @type {Menu | null} */
    this.open = null;
    this.onPointer = (/** @type {Event} */ event) => {
      if (this.open && !event.composedPath().includes(this.open.place)) this.close();
    };
    document.addEventListener("pointerdown", this.onPointer, true);
    root.addEventListener("keydown", (event) => this.onKey(event));
    root.addEventListener("focusout", (event) => {
      const to = event.relatedTarget;
      if (this.open && to instanceof Node && !this.open.place.contains(to)) this.close();
    });
  }

  stop() {
    document.removeEventListener("pointerdown", this.onPointer, true);
  }

  clear() {
    this.menus = [];
    this.open = null;
  }

  /**
   * @param {HTMLElement} button
   * @param {Children[]} children of what it opens
   * @param {{ name?: string, onopen?: () => void }} options `name`: of its class
   */
  add(button, children, { name = "", onopen = () => {} } = {}) {
    const panel = h("div", { class: "panel", hidden: true }, ...children);
    const place = h("div", { class: `menu ${name}`.trim() }, button, panel);
    const menu = { button, place, panel, onopen };
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", () => (this.open === menu ? this.close() : this.show(menu)));
    this.menus.push(menu);
    return place;
  }

  /** @param {Menu | HTMLElement} which a menu, or its button */
  show(which) {
    const menu = this.menus.find((other) => other === which || other.button === which);
    if (!menu) return;
    this.close();
    this.open = menu;
    menu.onopen();
    menu.panel.hidden = false;
    menu.button.setAttribute("aria-expanded", "true");
    menu.panel.querySelector("input")?.focus();
  }

  close() {
    const menu = this.open;
    if (!menu) return;
    this.open = null;
    if (menu.panel.contains(focusedBeside(this.root))) menu.button.focus();
    menu.panel.hidden = true;
    menu.button.setAttribute("aria-expanded", "false");
  }

  /**
   * Return what represents an element while menus are closed: its menu's button, or itself.
   * @param {HTMLElement} element
   */
  buttonOf(element) {
    return this.menus.find((menu) => menu.panel.contains(element))?.button ?? element;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const focused = focusedBeside(this.root);
    // Keys typed here don't reach the page.
    if (focused instanceof HTMLInputElement) event.stopPropagation();
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.move(nameOfKey(event), focused)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  /**
   * Whether the key is one of the bar's.
   * @param {string} key
   * @param {HTMLElement | null} focused
   */
  move(key, focused) {
    if (key === "Escape") return this.leave();
    if (!focused || !["ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"].includes(key)) return false;
    const menu = this.menus.find((other) => other.place.contains(focused));
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (!menu) return false;
      if (this.open !== menu) this.show(menu);
      return step(menu.panel, focused, key === "ArrowDown" ? 1 : -1);
    }
    if (focused instanceof HTMLInputElement) return false;
    const from = menu ? menu.button : focused;
    this.close();
    return step(this.root, from, key === "ArrowRight" ? 1 : -1);
  }

  leave() {
    if (this.open) {
      const { button } = this.open;
      this.close();
      button.focus();
      return true;
    }
    if (!this.root.classList.contains("open")) return false;
    const fold = this.root.querySelector(".fold");
    if (fold instanceof HTMLElement) {
      fold.click();
      fold.focus();
    }
    return true;
  }
}

/**
 * Move the focus to the next visible element, cyclically.
 * @param {HTMLElement} place
 * @param {HTMLElement} focused
 * @param {number} by
 */
function step(place, focused, by) {
  const all = [...place.querySelectorAll(WITHIN)].filter(
    (element) => element instanceof HTMLElement && element.offsetParent !== null,
  );
  const at = all.indexOf(focused);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length;
  const element = all[next];
  if (element instanceof HTMLElement) element.focus();
  return all.length > 0;
}
