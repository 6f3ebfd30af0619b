// Fields for words: what does not fit is left out in whole characters, and never without a word.
import assert from "node:assert/strict";
import { test } from "node:test";
import { NOTE_LIMIT, beginningOf, readField } from "../../pages/widgets/scripts/text_fields.js";

const FAMILY = "👩‍👩‍👧‍👦"; // one character to the eye, seven for the server, eleven for JavaScript

/** A field with a cursor, as far as reading it looks at it. */
class TestField {
  /**
   * @param {string} before
   * @param {string} behind the cursor
   */
  constructor(before, behind = "") {
    this.value = before + behind;
    this.selectionEnd = before.length;
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  setSelectionRange(start, end) {
    assert.equal(start, end);
    this.selectionEnd = end;
  }
}

/** @type {[string, string, number, string][]} */
const BEGINNINGS = [
  ["all of what fits", "abc", 3, "abc"],
  ["letters", "abcd", 3, "abc"],
  ["nothing", "abcd", 0, ""],
  ["a pair of surrogates counts once", "😀😀😀", 2, "😀😀"],
  ["a family is whole or not there", `ab${FAMILY}`, 5, "ab"],
  ["a family that fits", `ab${FAMILY}c`, 9, `ab${FAMILY}`],
  ["a letter and its accent", "ae\u0301", 2, "a"],
  ["a character that is too long alone", `a${"\u0301".repeat(9)}`, 4, "a\u0301\u0301\u0301"],
];

for (const [what, text, most, beginning] of BEGINNINGS) {
  test(`the beginning of a text: ${what}`, () => assert.equal(beginningOf(text, most), beginning));
}

test("a text that fits stays as it is, also where JavaScript counts more", () => {
  for (const text of ["", "a note", "x".repeat(NOTE_LIMIT), "😀".repeat(NOTE_LIMIT)]) {
    const field = new TestField(text);
    assert.deepEqual(readField(field), { text, isCut: false });
    assert.equal(field.value, text);
  }
});

test("the end of what is too long is left out, with no half of a character", () => {
  const field = new TestField("x" + "😀".repeat(NOTE_LIMIT));
  const expected = "x" + "😀".repeat(NOTE_LIMIT - 1);
  assert.deepEqual(readField(field), { text: expected, isCut: true });
  assert.deepEqual([field.value, field.selectionEnd], [expected, expected.length]);
});

test("what stood behind the cursor stays where something was pasted before it", () => {
  const field = new TestField("begin " + "x".repeat(NOTE_LIMIT), " the end");
  const { text, isCut } = readField(field);
  assert.equal(isCut, true);
  assert.equal(text, "begin " + "x".repeat(NOTE_LIMIT - 14) + " the end");
  assert.equal(field.selectionEnd, NOTE_LIMIT - 8);
});

test("a control character, or half of a character, is shown as one that cannot be kept", () => {
  const field = new TestField("a\x00b\ud83d", "c");
  assert.deepEqual(readField(field), { text: "a\ufffdb\ufffdc", isCut: false });
  assert.equal(field.selectionEnd, 4);
});
