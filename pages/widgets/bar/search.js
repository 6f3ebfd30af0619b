// The search of the bar. It knows pages and studies, and asks the server for everything else. Arrow keys move through
// the list of results, which are text, never markup.
import { h } from "../scripts/dom.js";
import { nameOfKey } from "../scripts/key_names.js";
import { ASK } from "./answers.js";
import { matching } from "./study_search.js";

/** @import { Answer, HitLink } from "./answers.js" */
/** @import { BarLink } from "./bar.js" */
/** @import { Menus } from "./menus.js" */
/** @typedef {HitLink & { link?: BarLink }} BarHit a search result; a page or study has its link in the bar */

const PAUSE = 180; // milliseconds after a key before the server is asked
const KNOWN = 5; // pages, and studies, at most
let questions = 0;

export class Search {
  /**
   * @param {Menus} menus
   * @param {{ pages: BarLink[], studies: BarLink[] }} known
   * @param {(hit: BarHit, inNewTab: boolean) => void} open
   */
  constructor(menus, known, open) {
    this.menus = menus;
    this.known = known;
    this.open = open;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** The question that waits for its answer, 0 for none. */
    this.pending = 0;
    this.opensFirst = false;
    /** @type {Answer | null} */
    this.answer = null;
    /** @type {BarHit[]} */
    this.hits = [];
    this.at = 0;
    /** @type {HTMLElement | null} */
    this.cameFrom = null;
    this.list = h("div", { role: "listbox", id: "search-results", "aria-label": "Results", hidden: true });
    this.status = h("p", { class: "none", role: "status" });
    this.field = h("input", {
      type: "text",
      role: "combobox",
      placeholder: "Page, study, criterion, person, conversation",
      "aria-label": "Search",
      "aria-autocomplete": "list",
      "aria-controls": "search-results",
      "aria-expanded": "false",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 200,
      onkeydown: (event) => this.onKey(event),
    });
    this.field.addEventListener("input", () => this.look());
    this.button = h(
      "button",
      { type: "button", class: "find", title: "Search: /", "data-name": "search" },
      h("span", { class: "lens", "aria-hidden": "true" }),
      h("span", { class: "hidden", text: "Search" }),
      h("kbd", { "aria-hidden": "true", text: "/" }),
    );
    this.place = menus.add(this.button, [this.field, this.list, this.status], {
      name: "search",
      onopen: () => {
        this.field.value = "";
        this.look();
      },
    });
  }

  /** @param {HTMLElement | null} from what had the focus, and gets it again */
  show(from) {
    this.menus.show(this.button);
    this.cameFrom = from;
  }

  words() {
    return this.field.value.trim();
  }

  /** Show local results, and ask the server a moment later. */
  look() {
    clearTimeout(this.timer);
    this.pending = 0;
    this.answer = null;
    this.opensFirst = false;
    if (this.words()) {
      this.pending = ++questions;
      this.timer = setTimeout(() => this.ask(), PAUSE);
    }
    this.draw();
  }

  ask() {
    clearTimeout(this.timer);
    if (!this.pending) return;
    const detail = { number: this.pending, words: this.words() };
    window.dispatchEvent(new CustomEvent(ASK, { detail }));
  }

  /** @param {Answer | null} answer null: the server was not asked yet, or forgot. */
  receive(answer) {
    if (!this.pending) return;
    if (answer?.number !== this.pending) {
      if (!answer) this.timer = setTimeout(() => this.ask(), PAUSE);
      return;
    }
    this.pending = 0;
    this.answer = answer;
    this.draw();
    if (this.opensFirst) this.openAt(this.at, false);
  }

  /** @returns {{ title: string, hits: BarHit[] }[]} */
  groups() {
    if (!this.words()) return [];
    const own = [
      { title: "Pages", links: this.known.pages },
      { title: "Studies", links: this.known.studies },
    ].map(({ title, links }) => ({
      title,
      hits: matching(links, this.words())
        .slice(0, KNOWN)
        .map((link) => ({ text: link.text, about: "", address: link.address, link })),
    }));
    return [...own, ...(this.answer?.groups ?? [])].filter((group) => group.hits.length);
  }

  draw() {
    const groups = this.groups();
    this.hits = groups.flatMap((group) => group.hits);
    this.at = 0;
    let number = 0;
    this.list.replaceChildren(
      ...groups.map(({ title, hits }, place) =>
        h(
          "div",
          { role: "group", "aria-labelledby": `search-group-${place}` },
          h("div", { class: "title", id: `search-group-${place}`, role: "presentation", text: title }),
          ...hits.map((hit) => this.option(hit, number++)),
        ),
      ),
    );
    this.list.hidden = !this.hits.length;
    this.field.setAttribute("aria-expanded", String(this.hits.length > 0));
    this.status.textContent = this.statusWords();
    this.mark();
  }

  statusWords() {
    if (!this.words()) return "";
    if (this.pending) return "Searching\u2026";
    if (this.answer?.trouble) return this.answer.trouble;
    const note = this.answer?.note ?? "";
    return this.hits.length ? note : `No results. ${note}`.trim();
  }

  /**
   * @param {BarHit} hit
   * @param {number} number
   */
  option(hit, number) {
    return h(
      "div",
      {
        role: "option",
        id: `search-result-${number}`,
        "aria-selected": "false",
        // Keep the focus in the field.
        onpointerdown: (/** @type {PointerEvent} */ event) => event.preventDefault(),
        onclick: (event) => this.openAt(number, event.ctrlKey || event.metaKey),
      },
      h("span", { class: "name", text: hit.text }),
      hit.about && h("span", { class: "about", text: ` ${hit.about}` }),
    );
  }

  mark() {
    const options = [...this.list.querySelectorAll("[role=option]")];
    options.forEach((option, number) => option.setAttribute("aria-selected", String(number === this.at)));
    const option = options[this.at];
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.field.setAttribute("aria-activedescendant", option.id);
    else this.field.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.isComposing || event.altKey || event.shiftKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[nameOfKey(event)];
    if (step && this.hits.length) {
      this.at = (this.at + step + this.hits.length) % this.hits.length;
      this.mark();
    } else if (event.key === "Enter") this.openAt(this.at, event.ctrlKey || event.metaKey);
    else if (event.key === "Escape") this.leave();
    else if (!step) return;
    event.preventDefault();
    event.stopPropagation();
  }

  leave() {
    const from = this.cameFrom;
    this.cameFrom = null;
    this.menus.close();
    if (from?.isConnected) from.focus();
  }

  /**
   * @param {number} number
   * @param {boolean} inNewTab
   */
  openAt(number, inNewTab) {
    const hit = this.hits[number];
    this.opensFirst = !hit && this.pending > 0;
    if (this.opensFirst) this.ask();
    if (!hit) return;
    this.menus.close();
    this.button.blur();
    this.open(hit, inNewTab);
  }

  stop() {
    clearTimeout(this.timer);
  }
}
