// A card that points at one thing after the other. It takes no key but Esc, and never the focus: whoever rates goes
// on rating.
import { h, isTyping } from "../scripts/dom.js";
import { keepLeft, wasLeft } from "./memory.js";
import { placeCard } from "./placing.js";

/** @typedef {{ title: string, text: string, targets: string[], clear: string[] }} TourStep */
/**
 * What pages/widgets/tour/component.py sends.
 * @typedef {{ role: string, begins: "now" | "unless left" | "on demand", steps: TourStep[] }} TourData
 */
/** @typedef {{ data: TourData, parentElement: ParentNode }} Component */

const FOLLOW = 150; // milliseconds after which the card looks where its target stands
const PANES = ".workbench .panes"; // all of which is read, so that the card stands below them
const ROOM = "--tour-room"; // what the panes leave free for it (scripts/dom.js)
const GAP = 8; // pixels around it there

export class Tour {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {TourData | null} */
    this.data = null;
    this.at = -1; // the step, -1 where no tour is shown
    this.ring = h("div", { class: "ring", hidden: true });
    this.card = h("section", { class: "card", "aria-label": "Tour", hidden: true });
    root.replaceChildren(this.ring, this.card);
    this.timer = 0;
    this.listening = new AbortController();
    const { signal } = this.listening;
    window.addEventListener("keydown", (event) => this.onKey(event), { capture: true, signal });
    window.addEventListener("second-reader-tour", () => this.show(0), { signal });
    window.addEventListener("resize", () => this.follow(), { signal });
  }

  /** @param {TourData} data */
  receive(data) {
    const isFirst = this.data?.role !== data.role;
    if (isFirst) this.at = -1;
    this.data = data;
    if (data.begins === "now" || (data.begins === "unless left" && isFirst && !wasLeft(document, data.role)))
      this.show(Math.max(0, this.at));
  }

  stop() {
    this.listening.abort();
    clearInterval(this.timer);
    this.makeRoom(0);
  }

  /** @param {number} at */
  show(at) {
    const step = this.data?.steps[at];
    if (!this.data || !step) return this.leave();
    this.at = at;
    const isLast = at === this.data.steps.length - 1;
    this.card.replaceChildren(
      h(
        "div",
        { role: "status" },
        h("p", { class: "title", text: step.title }),
        h("p", { text: step.text }),
        h("p", { class: "count", text: `${at + 1} of ${this.data.steps.length}` }),
      ),
      h(
        "div",
        { class: "ways" },
        h("button", {
          class: "main",
          type: "button",
          text: isLast ? "Done" : "Next",
          onclick: (event) => this.press(event, () => this.show(at + 1)),
        }),
        h("button", {
          type: "button",
          text: "Leave the tour (Esc)",
          onclick: (event) => this.press(event, () => this.leave()),
        }),
      ),
    );
    clearInterval(this.timer);
    this.timer = window.setInterval(() => this.follow(), FOLLOW);
    this.follow();
  }

  /**
   * Who goes on with the keyboard finds the next step's button under the focus; after a click the keys are the
   * page's again.
   * @param {MouseEvent} event
   * @param {() => void} act
   */
  press(event, act) {
    act();
    if (!event.detail) this.card.querySelector("button")?.focus();
  }

  leave() {
    if (this.at < 0 || !this.data) return;
    this.at = -1;
    clearInterval(this.timer);
    this.ring.hidden = this.card.hidden = true;
    this.card.replaceChildren();
    this.makeRoom(0);
    keepLeft(document, this.data.role);
  }

  /** Stand beside the target, wherever it has gone; wait out of sight while there is none. */
  follow() {
    const step = this.data?.steps[this.at];
    const target = step?.targets.map((selector) => findShown(document, selector)).find((place) => place);
    this.ring.hidden = this.card.hidden = !target;
    if (!target) {
      this.makeRoom(0);
      return;
    }
    const panes = findShown(document, PANES);
    this.card.classList.toggle("below", Boolean(panes));
    this.makeRoom(panes ? this.card.offsetHeight + GAP : 0);
    const box = target.getBoundingClientRect();
    const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
    const size = { width: this.card.offsetWidth, height: this.card.offsetHeight };
    const { left, top } = panes
      ? { left: panes.getBoundingClientRect().left, top: view.height - size.height - GAP }
      : placeCard(box, size, view, [box, ...this.boxesToClear(step?.clear ?? [])]);
    moveTo(this.card, left, top);
    moveTo(this.ring, box.left - 3, box.top - 3);
    this.ring.style.width = `${box.width + 6}px`;
    const bottom = Math.min(box.bottom, panes?.getBoundingClientRect().bottom ?? Infinity);
    this.ring.style.height = `${bottom - box.top + 6}px`;
  }

  /** @param {string[]} selectors */
  boxesToClear(selectors) {
    return selectors.flatMap((selector) => findShown(document, selector)?.getBoundingClientRect() ?? []);
  }

  /**
   * The panes of the rating page end so much higher.
   * @param {number} height
   */
  makeRoom(height) {
    const { style } = document.documentElement;
    const room = height ? `${height}px` : "";
    if (style.getPropertyValue(ROOM) === room) return;
    style.setProperty(ROOM, room);
    window.dispatchEvent(new Event("resize"));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key !== "Escape" || this.card.hidden || event.isComposing || isTyping(event)) return;
    const isOthers = event
      .composedPath()
      .some(
        (place) => place instanceof HTMLDialogElement || (place instanceof Element && place.matches(".bar")),
      );
    if (isOthers) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.leave();
  }
}

/**
 * @param {HTMLElement} element
 * @param {number} left
 * @param {number} top
 */
function moveTo(element, left, top) {
  element.style.left = `${Math.round(left)}px`;
  element.style.top = `${Math.round(top)}px`;
}

/**
 * The first that is drawn, in the page or in one of its components.
 * @param {Document | ShadowRoot} place
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
function findShown(place, selector) {
  for (const element of place.querySelectorAll(selector))
    if (element instanceof HTMLElement && element.offsetWidth) return element;
  for (const host of place.querySelectorAll(".stBidiComponent *, [data-testid=stBidiComponentRegular] *")) {
    const within = host.shadowRoot && findShown(host.shadowRoot, selector);
    if (within) return within;
  }
  return null;
}
