// Bold and italic as models write them, with asterisks. The asterisks stay in the text, hidden, because places in a
// message count all characters. No other Markdown is read.
import { h } from "../scripts/dom.js";

/** @typedef {"bold" | "italic" | "asterisks" | "mark"} Look */
/** @typedef {{ start: number, end: number, look: Look, title?: string }} Stretch */

// Within one line; begins and ends at a word or a sign, so that "2 * 3 * 4" stays as it is.
const BOLD = /(?<![*\w])\*\*(?=\S)([^*\n]*[^*\s])\*\*(?![*\w])/g;
const ITALIC = /(?<![*\w])\*(?=[^\s*])([^*\n]*[^*\s])\*(?![*\w])/g;

/**
 * Find the emphasis in a text, with its asterisks.
 * @param {string} text
 * @returns {Stretch[]}
 */
export function emphasisIn(text) {
  if (!text.includes("*")) return [];
  return [stretches(text, BOLD, "bold", 2), stretches(text, ITALIC, "italic", 1)].flat();
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 * @param {Look} look
 * @param {number} width of the asterisks on either side
 */
function stretches(text, pattern, look, width) {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const start = match.index,
      end = start + match[0].length;
    return /** @type {Stretch[]} */ ([
      { start: start + width, end: end - width, look },
      { start, end: start + width, look: "asterisks" },
      { start: end - width, end, look: "asterisks" },
    ]);
  });
}

/**
 * Split a text into parts, each with the stretches that cover it, which may overlap. The parts join to the text from
 * `from` on.
 * @param {string} text
 * @param {Stretch[]} marked
 * @param {number} from the first character that is shown
 * @returns {{ text: string, over: Stretch[] }[]}
 */
export function cutText(text, marked, from = 0) {
  const edges = new Set([from, text.length]);
  for (const { start, end } of marked) {
    for (const place of [start, end]) if (place > from && place < text.length) edges.add(place);
  }
  const places = [...edges].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, number) => ({
    text: text.slice(start, places[number + 1]),
    over: marked.filter((stretch) => stretch.start <= start && stretch.end > start),
  }));
}

/**
 * @param {string} text
 * @param {Stretch[]} marked
 * @param {number} from the first character that is shown
 * @returns {Node[]}
 */
export function drawParts(text, marked, from = 0) {
  return cutText(text, marked, from).map((part) =>
    part.over.reduce(dress, /** @type {Node} */ (document.createTextNode(part.text))),
  );
}

/**
 * @param {Node} node
 * @param {Stretch} stretch
 */
function dress(node, { look, title }) {
  if (look === "asterisks") return h("span", { class: "asterisks" }, node);
  if (look === "mark") return h("mark", { title }, node);
  return h(look === "bold" ? "strong" : "em", {}, node);
}
