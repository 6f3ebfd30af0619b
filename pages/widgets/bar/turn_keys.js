// J and K follow the links to the next and previous item, on pages that have such links and no such keys.
import { nameOfKey } from "../scripts/key_names.js";
import { isTyping } from "./letters.js";

const LINKS = /** @type {Record<string, string>} */ ({ j: "a.sr-next", k: "a.sr-previous" });

export class TurnKeys {
  constructor() {
    this.listening = new AbortController();
    window.addEventListener("keydown", (event) => this.onKey(event), { signal: this.listening.signal });
  }

  stop() {
    this.listening.abort();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = LINKS[nameOfKey(event)];
    if (!place || isTyping(event)) return;
    const link = document.querySelector(place);
    if (link instanceof HTMLAnchorElement) link.click();
  }
}
