// The bar: the product, the study, its pages, and the person. Its links work in a new tab; a plain click asks the
// server, which changes the page without a reload.
import { focusedBeside, h, words } from "../scripts/dom.js";
import { Connection } from "./connection.js";
import { ANSWERS, BAR_IS_THERE } from "./answers.js";
import { Fitting } from "./fitting.js";
import { Letters } from "./letters.js";
import { keepName } from "./memory.js";
import { Menus } from "./menus.js";
import { Search } from "./search.js";
import { fitCharts, freeCharts } from "./paper.js";
import { SoftLinks, openSoftly } from "./soft_links.js";
import { TurnKeys } from "./turn_keys.js";
import { matching } from "./study_search.js";

/** @import { Answers } from "./answers.js" */
/** @import { BarHit } from "./search.js" */
/** @typedef {{ text: string, page: string, study: string, address: string, letter: string, current: boolean }} BarLink */
/** @typedef {{ text: string, current: boolean, links: BarLink[] }} BarMenu */
/**
 * What pages/widgets/bar/contents.py makes.
 * @typedef {object} BarContents
 * @property {string} study
 * @property {BarLink[]} studies
 * @property {(BarLink | BarMenu)[]} pages
 * @property {BarLink} home
 * @property {BarLink} help
 * @property {string} person
 * @property {string} role
 * @property {boolean} letters
 * @property {string} cookie
 * @property {number} change
 */
/**
 * What Streamlit calls the component with.
 * @typedef {object} Component
 * @property {BarContents} data
 * @property {ParentNode} parentElement
 * @property {(name: "go" | "forget", value: { page: string, study: string } | boolean) => void} setTriggerValue
 */

export class Bar {
  /**
   * @param {HTMLElement} root
   * @param {HTMLElement} notice
   * @param {HTMLElement} printed replaces the bar on paper
   */
  constructor(root, notice, printed) {
    this.root = root;
    this.printed = printed;
    this.connection = new Connection(notice);
    this.softLinks = new SoftLinks(() => this.connection.isAnswering());
    this.menus = new Menus(root);
    this.letters = new Letters(
      (letter) => this.goByLetter(letter),
      () => this.openSearch(),
    );
    this.turnKeys = new TurnKeys();
    this.fitting = new Fitting(root, () => this.unfold());
    /** @type {Search | null} */
    this.search = null;
    /** What is left to do behind a link, by its address. */
    this.left = new Map();
    this.listening = new AbortController();
    const { signal } = this.listening;
    window.addEventListener("beforeprint", () => fitCharts(document), { signal });
    window.addEventListener("afterprint", () => freeCharts(document), { signal });
    window.addEventListener(ANSWERS, (event) => this.receiveAnswers(event), { signal });
    this.drawn = "";
    /** @type {Component | null} */
    this.component = null;
  }

  /** @param {Component} component */
  receive(component) {
    this.component = component;
    const { cookie, change, ...contents } = component.data;
    keepName(window, cookie, change);
    this.letters.allow(contents.letters);
    for (const link of this.root.querySelectorAll(".going")) link.classList.remove("going");
    const text = JSON.stringify(contents);
    if (text === this.drawn) return;
    this.drawn = text;
    this.draw(component.data);
    window.dispatchEvent(new Event(BAR_IS_THERE));
  }

  /** @param {Event} event */
  receiveAnswers(event) {
    if (!(event instanceof CustomEvent)) return;
    /** @type {Answers} */
    const { answer, left } = event.detail;
    this.left.clear(); // a number that is no longer sent may be out of date
    if (left) this.left.set(left.address, left.count);
    this.countAll();
    this.search?.receive(answer);
  }

  countAll() {
    for (const link of this.root.querySelectorAll("a")) this.count(link);
    this.fitting.fit();
  }

  /**
   * Show how much is left to do behind a link. The number is not part of the link's name.
   * @param {HTMLAnchorElement} link
   */
  count(link) {
    const left = this.left.get(link.getAttribute("href")) ?? 0;
    if (left) {
      link.dataset.left = left > 999 ? "999+" : String(left);
      link.setAttribute("aria-description", `${words(left, "label", "labels")} left to settle`);
    } else if (link.dataset.left) {
      delete link.dataset.left;
      link.removeAttribute("aria-description");
    }
  }

  /** Whether there is a search. */
  openSearch() {
    if (!this.search) return false;
    let from = document.activeElement;
    while (from?.shadowRoot?.activeElement) from = from.shadowRoot.activeElement;
    this.search.show(from instanceof HTMLElement && from !== document.body ? from : null);
    return true;
  }

  /**
   * @param {BarHit} hit
   * @param {boolean} inNewTab
   */
  openHit({ address, link }, inNewTab) {
    if (inNewTab) window.open(address, "_blank", "noopener");
    else if (link) this.go(link);
    else if (this.isConnected()) openSoftly(new URL(address, document.baseURI).href);
  }

  stop() {
    this.listening.abort();
    this.turnKeys.stop();
    this.fitting.stop();
    this.search?.stop();
    this.connection.stop();
    this.softLinks.stop();
    this.menus.stop();
    this.letters.stop();
  }

  /** @param {BarContents} data */
  draw(data) {
    const name = focusedBeside(this.root)?.dataset.name;
    this.printed.textContent = ["Second Reader", data.study].filter(Boolean).join(" · ");
    this.menus.clear();
    this.search?.stop();
    this.search = new Search(this.menus, linksToFind(data), (hit, inNewTab) => this.openHit(hit, inNewTab));
    this.unfold();
    this.root.replaceChildren(
      this.link(data.home, "logo"),
      ...(data.study ? [this.studySwitcher(data)] : []),
      h("button", {
        class: "fold",
        type: "button",
        "aria-expanded": "false",
        "data-name": "fold",
        text: "Pages",
        onclick: () => this.fold(),
      }),
      h("ul", { class: "pages", role: "list" }, ...data.pages.map((item) => h("li", {}, this.page(item)))),
      this.search.place,
      this.link(data.help, "help"),
      ...(data.person ? [this.person(data)] : []),
    );
    const again = [...this.root.querySelectorAll("[data-name]")].find(
      (element) => element instanceof HTMLElement && element.dataset.name === name,
    );
    this.countAll();
    if (again instanceof HTMLElement) this.menus.buttonOf(again).focus();
  }

  /** @param {BarLink | BarMenu} item */
  page(item) {
    if (!("links" in item)) return this.link(item);
    const button = h("button", {
      type: "button",
      class: item.current ? "on" : "",
      "data-name": `menu ${item.text}`,
      "aria-current": item.current && "true",
      text: item.text,
    });
    return this.menus.add(button, [
      h("ul", { role: "list" }, ...item.links.map((link) => h("li", {}, this.link(link)))),
    ]);
  }

  /**
   * @param {BarLink} link
   * @param {string} name of its class
   */
  link(link, name = "") {
    return h("a", {
      class: `${name} ${link.current ? "on" : ""}`.trim(),
      href: link.address,
      title: this.keysOf(link.letter),
      "aria-current": link.current && "page",
      "data-name": `${name} ${link.page} ${link.study}`,
      "data-to": `${link.page} ${link.study}`,
      text: link.text,
      onclick: (event) => this.click(event, link),
    });
  }

  /** @param {string} letter */
  keysOf(letter) {
    if (!letter || !this.component?.data.letters) return null;
    return letter === "?" ? "?" : `G, then ${letter.toUpperCase()}`;
  }

  /** @param {BarContents} data */
  studySwitcher(data) {
    const list = h("ul", { role: "list" });
    const none = h("p", { class: "none", role: "status" });
    const draw = (/** @type {string} */ words) => {
      const links = matching(data.studies, words);
      list.replaceChildren(
        ...links.map((link) => h("li", {}, this.link({ ...link, current: false }, link.current ? "on" : ""))),
      );
      none.textContent = links.length ? "" : "No study title has these words.";
    };
    draw("");
    const field = h("input", {
      type: "search",
      placeholder: "Find a study",
      "aria-label": "Find a study",
      autocomplete: "off",
      spellcheck: "false",
    });
    field.addEventListener("input", () => draw(field.value));
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      const first = list.querySelector("a");
      if (first) first.click();
    });
    const button = h(
      "button",
      { type: "button", class: "study", title: data.study, "data-name": "study" },
      h("span", { class: "hidden", text: "Study: " }),
      h("span", { class: "cut", text: data.study }),
    );
    return this.menus.add(button, [field, list, none], {
      name: "switcher",
      onopen: () => {
        field.value = "";
        draw("");
      },
    });
  }

  /** @param {BarContents} data */
  person(data) {
    const button = h(
      "button",
      { type: "button", class: "who", "data-name": "person", title: data.person },
      h("span", { class: "hidden", text: "Person: " }),
      h("span", { class: "cut", text: data.person }),
      data.role && data.person !== "Study lead" && h("span", { class: "role", text: ` · ${data.role}` }),
    );
    const leave = h("button", {
      type: "button",
      class: "leave",
      "data-name": "forget",
      text: "Switch person",
      onclick: () => this.leave(),
    });
    return this.menus.add(
      button,
      [leave, h("p", { class: "small", text: "This browser forgets your name. Your ratings stay." })],
      { name: "person" },
    );
  }

  leave() {
    this.menus.close();
    // A page with unsaved work takes over, and continues once it is saved.
    if (!window.dispatchEvent(new CustomEvent("second-reader-leave", { cancelable: true }))) return;
    if (this.isConnected()) this.component?.setTriggerValue("forget", true);
  }

  /**
   * @param {MouseEvent} event
   * @param {BarLink} link
   */
  click(event, link) {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.go(link);
  }

  /** @param {BarLink} link */
  go(link) {
    this.menus.close();
    if (!this.isConnected()) return;
    for (const anchor of this.root.querySelectorAll("a"))
      anchor.classList.toggle("going", anchor.dataset.to === `${link.page} ${link.study}`);
    this.component?.setTriggerValue("go", { page: link.page, study: link.study });
  }

  /**
   * Open the page with this letter. Returns whether there is one.
   * @param {string} letter
   */
  goByLetter(letter) {
    if (!this.component) return false;
    const { home, help, pages } = this.component.data;
    const links = [...singleLinks(pages), home, help];
    const link = links.find((item) => item.letter === letter);
    if (link) this.go(link);
    return Boolean(link);
  }

  /** Tell whether the server answers; if not, show a notice. */
  isConnected() {
    if (this.connection.isAnswering()) return true;
    this.connection.say();
    return false;
  }

  /** Close the menu of pages, because there is none. */
  unfold() {
    this.root.classList.remove("open");
    this.root.querySelector(".fold")?.setAttribute("aria-expanded", "false");
  }

  fold() {
    const open = this.root.classList.toggle("open");
    this.root.querySelector(".fold")?.setAttribute("aria-expanded", String(open));
  }
}

/** @param {(BarLink | BarMenu)[]} pages */
function singleLinks(pages) {
  return pages.flatMap((item) => ("links" in item ? item.links : [item]));
}

/**
 * Pages and studies that the search knows without asking.
 * @param {BarContents} data
 */
function linksToFind({ pages, home, help, studies }) {
  const links = singleLinks(pages);
  const toStudies = links.some((link) => link.page === home.page) ? [] : [{ ...home, text: "Studies" }];
  return { pages: [...links, ...toStudies, help], studies };
}
