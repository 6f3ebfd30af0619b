// G and then a letter opens a page, ? opens the page's help, except on pages where letters are label keys. / opens the
// search on every page. No key works while typing.
import { nameOfKey } from "../scripts/key_names.js";

const PAUSE = 1500; // milliseconds between the two keys

export class Letters {
  /**
   * @param {(letter: string) => boolean} open opens the page with the letter; returns whether there is one
   * @param {() => boolean} search opens the search; returns whether there is one
   */
  constructor(open, search) {
    this.open = open;
    this.search = search;
    this.allowed = false;
    this.begun = -Infinity;
    this.listening = new AbortController();
    const options = { capture: true, signal: this.listening.signal };
    window.addEventListener("keydown", (event) => this.onKey(event), options);
  }

  stop() {
    this.listening.abort();
  }

  /** @param {boolean} allowed */
  allow(allowed) {
    this.allowed = allowed;
    if (!allowed) this.begun = -Infinity;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const key = nameOfKey(event);
    const alone = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (key === "/" && alone && !event.repeat && !isTyping(event) && !isInWindow(event) && this.search()) {
      this.begun = -Infinity;
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (!this.allowed || !alone || isTyping(event)) {
      this.begun = -Infinity;
      return;
    }
    if (event.key === "Shift") return;
    const second = event.timeStamp - this.begun < PAUSE;
    this.begun = key === "g" && !second ? event.timeStamp : -Infinity;
    if ((second || key === "?") && !event.repeat && this.open(key)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }
}

/**
 * Whether the key goes into a field.
 * @param {KeyboardEvent} event
 */
export function isTyping(event) {
  const target = event.composedPath()[0];
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

/**
 * Tell whether a dialog over the page has the focus, so that the page can't be reached.
 * @param {KeyboardEvent} event
 */
function isInWindow(event) {
  return event
    .composedPath()
    .some((node) => node instanceof HTMLElement && (node.tagName === "DIALOG" || node.role === "dialog"));
}
