// Text fields. Text beyond the limit is cut at a whole character, and the page says so.
import { h } from "./dom.js";

/** @import { Attributes } from "./dom.js" */

/** The same as in data/store/free_text.py, in characters, which JavaScript counts as one or two. */
export const NOTE_LIMIT = 20000;

const CUT = `Cut at ${NOTE_LIMIT.toLocaleString("en")} characters: the end of your pasted text is missing.`;

/**
 * The length of a field's text after a cut, by the field's name. A field is made again when its criterion opens again,
 * and still shows the notice.
 * @type {Map<string, number>}
 */
const cutLengths = new Map();

/** @param {string} text */
function countCharacters(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Return the beginning of a text, at most `most` characters. Visible characters stay whole, unless a single one is too
 * long.
 * @param {string} text
 * @param {number} most
 */
export function beginningOf(text, most) {
  let end = 0,
    count = 0;
  for (const character of text) {
    if (count === most) break;
    count += 1;
    end += character.length;
  }
  if (end === text.length) return text;
  const start = new Intl.Segmenter().segment(text).containing(end)?.index ?? end;
  return text.slice(0, start || end);
}

/**
 * Read a field. Control characters and half characters can't be saved: they become \ufffd in the field. If the text is
 * too long, the end of what was just entered before the cursor is cut, and the text after the cursor stays.
 * @param {Pick<HTMLTextAreaElement, "value" | "selectionEnd" | "setSelectionRange">} box
 * @returns {{ text: string, isCut: boolean }}
 */
export function readField(box) {
  const whole = box.value.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Surrogate}]/gu, "\ufffd");
  let text = whole,
    at = box.selectionEnd;
  const isCut = whole.length > NOTE_LIMIT && countCharacters(whole) > NOTE_LIMIT;
  if (isCut) {
    const behind = beginningOf(whole.slice(at), NOTE_LIMIT);
    const before = beginningOf(whole.slice(0, at), NOTE_LIMIT - countCharacters(behind));
    text = before + behind;
    at = before.length;
  }
  if (text !== box.value) {
    box.value = text;
    box.setSelectionRange(at, at);
  }
  return { text, isCut };
}

/**
 * Return a field and the line below it that reports a cut.
 * @param {string} name of the field: the same for the same text
 * @param {Omit<Attributes, "oninput">} attributes
 * @param {string} text
 * @param {(text: string) => unknown} written what is done with the text after every change
 */
export function textField(name, attributes, text, written) {
  const box = h(
    "textarea",
    {
      ...attributes,
      oninput: ({ target }) => {
        const { text: kept, isCut } = readField(target);
        if (isCut) cutLengths.set(name, kept.length);
        const line = target.nextElementSibling;
        if (line) line.textContent = cutLine(name, kept);
        written(kept);
      },
    },
    text,
  );
  return [box, h("p", { class: "cut", role: "status", text: cutLine(name, text) })];
}

/**
 * Return the notice; "" once the text is shorter than the cut.
 * @param {string} name
 * @param {string} text
 */
function cutLine(name, text) {
  if (text.length < (cutLengths.get(name) ?? 0)) cutLengths.delete(name);
  return cutLengths.has(name) ? CUT : "";
}
