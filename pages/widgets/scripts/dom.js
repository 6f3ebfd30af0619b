// Builds elements. Text goes in only through textContent, so nothing from outside becomes markup.

/** @typedef {Record<string, ((event: any) => unknown) | null>} Handlers */
/**
 * What an element carries for draw.js. `key` names what it stands for, so that it stays the same element when
 * its place is drawn again.
 * @typedef {{ handlers?: Handlers, key?: string }} Drawn
 */
/** @typedef {Node | string | number | false | null | undefined} Part */
/** @typedef {Part | Children[]} Children */
/**
 * Attributes of an element, its `text` and `key`, and what it does (`on...`). Null and false: not set.
 * @typedef {{
 *   [name: string]: string | number | boolean | null | undefined | ((event: any) => unknown),
 *   onclick?: (event: MouseEvent) => unknown,
 *   oninput?: (event: Event & { target: HTMLTextAreaElement }) => unknown,
 *   onchange?: (event: Event & { target: HTMLInputElement }) => unknown,
 *   onkeydown?: (event: KeyboardEvent) => unknown,
 *   onfocus?: (event: FocusEvent) => unknown,
 *   onblur?: (event: FocusEvent) => unknown,
 * }} Attributes
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {Children[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  /** @type {Handlers} */
  const handlers = {};
  const drawn = /** @type {Drawn} */ (node);
  drawn.handlers = handlers;
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      handlers[name] = value;
      setHandler(node, name, value);
    } else if (name === "key") drawn.key = String(value);
    else if (name === "text") node.textContent = String(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...shownChildren(children));
  return node;
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {((event: any) => unknown) | null} handler
 */
export function setHandler(node, name, handler) {
  Object.assign(node, { [name]: handler });
}

/**
 * Return the children that draw something, flattened.
 * @param {unknown[]} children
 * @returns {(Node | string)[]}
 */
export function shownChildren(children) {
  const parts = /** @type {any[]} */ (children.flat(Infinity));
  return parts.filter((child) => child !== null && child !== undefined && child !== false);
}

/**
 * Return an element of the page's own HTML. Throws if there is none.
 * @param {ParentNode} place
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function elementIn(place, selector) {
  const element = place.querySelector(selector);
  if (!(element instanceof HTMLElement)) throw new Error(`The page has no ${selector}.`);
  return element;
}

/**
 * The element that has the focus, inside the component where that lies in a shadow root.
 * @param {Node} node
 * @returns {HTMLElement | null}
 */
export function focusedBeside(node) {
  const root = /** @type {Document | ShadowRoot} */ (node.getRootNode());
  return /** @type {HTMLElement | null} */ (root.activeElement ?? null);
}

/**
 * A count with its noun: "1 place", "1,200 places".
 * @param {number} count
 * @param {string} singular
 * @param {string} plural
 */
export function words(count, singular, plural) {
  return `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`;
}

/**
 * Return the local time of day of a server's timestamp; "" for null.
 * @param {string | null} iso
 */
export function clock(iso) {
  return iso ? new Date(iso).toLocaleTimeString("en-GB") : "";
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

const BELOW = 10; // pixels; the page pads its lower edge with 8

/**
 * Fit the height to the visible part of the window, so that only the panes scroll.
 * @param {HTMLElement} root
 */
export function fitToWindow(root) {
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
  const top = root.getBoundingClientRect().top + window.scrollY + scrolled;
  root.style.height = `${Math.max(420, Math.floor(window.innerHeight - top - BELOW))}px`;
}
