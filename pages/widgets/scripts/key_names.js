// Names keys on any keyboard layout: by the letter or sign that a key writes, or, for other alphabets, by what the
// same place writes on an English keyboard.

const KNOWN = /^[a-z0-9[\]/?]$/;
const DIGIT_PLACE = /^(?:Digit|Numpad)([0-9])$/;
const LETTER_PLACE = /^Key([A-Z])$/;
const FOREIGN = /^(?!\p{Script=Latin})[^\x00-\x7f]$/u; // a sign of a Latin layout stays what it is
const SIGN_PLACES = /** @type {Record<string, string>} */ ({
  BracketLeft: "[",
  BracketRight: "]",
  Slash: "/",
});

/**
 * A letter is the same key with Shift and without. Names of more than one character ("Enter") stay as they are.
 * @param {Pick<KeyboardEvent, "key"> & Partial<Pick<KeyboardEvent, "code" | "shiftKey">>} event
 * @returns {string}
 */
export function nameOfKey({ key, code = "", shiftKey = false }) {
  if ([...key].length !== 1) return key;
  const name = key.toLowerCase();
  if (KNOWN.test(name)) return name;
  // French layouts write digits with Shift.
  const digit = DIGIT_PLACE.exec(code)?.[1];
  if (digit && !shiftKey) return digit;
  if (!FOREIGN.test(name)) return name;
  if (code === "Slash" && shiftKey) return "?";
  return LETTER_PLACE.exec(code)?.[1]?.toLowerCase() ?? SIGN_PLACES[code] ?? name;
}
