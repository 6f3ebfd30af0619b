// Redraws a place without replacing elements. The server's answer can come at any moment, also between pressing and
// releasing the mouse: a replaced element loses the click, a field its cursor, an open part closes. So an element with
// the same key stays.
import { focusedBeside, setHandler, shownChildren } from "./dom.js";

/** @import { Children, Drawn } from "./dom.js" */

/**
 * @param {Element} place
 * @param {Children[]} children
 */
export function draw(place, ...children) {
  const box = document.createDocumentFragment();
  box.append(...shownChildren(children).filter((child) => child !== ""));
  drawChildren(place, [...box.childNodes]);
}

/**
 * Return the element's key. A button without one has its words as its key, so that a press never does what another
 * says.
 * @param {Node} node
 */
function keyOf(node) {
  const { key } = /** @type {Drawn} */ (node);
  return (
    key ?? (node instanceof HTMLButtonElement ? (node.getAttribute("aria-label") ?? node.textContent) : null)
  );
}

/**
 * @param {Node} node
 * @param {Node} other
 */
function sameThing(node, other) {
  return node.nodeName === other.nodeName && keyOf(node) === keyOf(other);
}

/**
 * @param {Node} place
 * @param {Node[]} wanted
 */
function drawChildren(place, wanted) {
  /** @type {Node | null} */
  let next = place.firstChild;
  wanted.forEach((node, index) => {
    const same = counterpart(next, wanted, index);
    if (!same) {
      place.insertBefore(node, next);
      return;
    }
    while (next && next !== same) next = removeFrom(next);
    next = same.nextSibling;
    drawNode(same, node);
  });
  while (next) next = removeFrom(next);
}

/** @param {Node} node */
function removeFrom(node) {
  const after = node.nextSibling;
  node.parentNode?.removeChild(node);
  return after;
}

/**
 * Find the next element with the same key, but none after an element that is still wanted.
 * @param {Node | null} from
 * @param {Node[]} wanted
 * @param {number} index
 */
function counterpart(from, wanted, index) {
  for (let node = from; node; node = node.nextSibling) {
    const candidate = node;
    if (sameThing(candidate, wanted[index])) return candidate;
    const isToCome = wanted.some((later, place) => place > index && sameThing(candidate, later));
    if (keyOf(candidate) !== null && isToCome) return null;
  }
  return null;
}

/**
 * @param {Node} node
 * @param {Node} wanted
 */
function drawNode(node, wanted) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    return;
  }
  if (node instanceof Element && wanted instanceof Element) drawElement(node, wanted);
}

/**
 * @param {Element & Drawn} node
 * @param {Element & Drawn} wanted
 */
function drawElement(node, wanted) {
  for (const { name } of [...node.attributes]) {
    const unfolded = name === "open" && node.nodeName === "DETAILS"; // by the person, and so it stays
    if (!unfolded && !wanted.hasAttribute(name)) node.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) {
    if (node.getAttribute(name) !== value) node.setAttribute(name, value);
  }
  for (const name of Object.keys(node.handlers ?? {})) setHandler(node, name, null);
  for (const [name, handler] of Object.entries(wanted.handlers ?? {})) setHandler(node, name, handler);
  node.handlers = wanted.handlers;
  if (node instanceof HTMLTextAreaElement && wanted instanceof HTMLTextAreaElement) {
    if (focusedBeside(node) !== node && node.value !== wanted.value) node.value = wanted.value;
  } else drawChildren(node, [...wanted.childNodes]);
}
