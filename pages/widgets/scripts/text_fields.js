// Fields for words of a person. What does not fit is left out in whole characters, and the page says so.
import { h } from "./dom.js";

/** @import { Attributes } from "./dom.js" */

/** As data/store/free_text.py has it. In characters, which JavaScript counts as one or two. */
export const NOTE_LIMIT = 20000;

const CUT = `Cut at ${NOTE_LIMIT.toLocaleString("en")} characters: the end of what you pasted is missing.`;

/**
 * By the name of a field how long its text was once something had been left out. A field is made anew when its
 * criterion is opened again, and still says it.
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
 * The beginning of a text, of at most `most` characters. Nothing that is seen as a single character is cut
 * through, unless it alone is too long.
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
 * What stands in a field. A control character, or half of a character, cannot be kept: it stands there as
 * \ufffd from then on. Of what was just put in, before the cursor, the end is left out where all together is
 * too long: what stood behind stays.
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
 * A field and the line under it that says when something was left out.
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
 * What the line says: nothing any more once the text is shorter than it was cut to.
 * @param {string} name
 * @param {string} text
 */
function cutLine(name, text) {
  if (text.length < (cutLengths.get(name) ?? 0)) cutLengths.delete(name);
  return cutLengths.has(name) ? CUT : "";
}
