// Where a key leads in the list of labels to settle.
import assert from "node:assert/strict";
import { test } from "node:test";
import { moveBy, pageBeside, rowAfterwards, stepOf } from "../../pages/widgets/settle_list/moves.js";

/** @param {string} keys */
const rows = (keys) =>
  [...keys].map((key) => ({ key, name: key, about: "", labels: [], judge: [], marks: [], address: "" }));

/**
 * @param {string} keys
 * @param {number} after
 * @param {number} total
 */
const page = (keys, after = 0, total = keys.length) => ({ rows: rows(keys), after, total, page_size: 3 });

/**
 * @param {string} key
 * @param {{ ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean }} held
 */
const pressed = (key, held = {}) => ({ key, ctrlKey: false, altKey: false, metaKey: false, ...held });

test("J and K go one row", () => {
  assert.equal(stepOf(pressed("j"), false), 1);
  assert.equal(stepOf(pressed("k"), false), -1);
  assert.equal(stepOf(pressed("J"), false), 1);
});

test("arrows belong to the list only while it has the focus", () => {
  assert.equal(stepOf(pressed("ArrowDown"), false), 0);
  assert.equal(stepOf(pressed("ArrowDown"), true), 1);
  assert.equal(stepOf(pressed("ArrowUp"), true), -1);
});

test("other keys, and J with another key held, go nowhere", () => {
  assert.equal(stepOf(pressed("y"), true), 0);
  assert.equal(stepOf(pressed("Enter"), true), 0);
  assert.equal(stepOf(pressed("j", { ctrlKey: true }), true), 0);
  assert.equal(stepOf(pressed("k", { metaKey: true }), true), 0);
  assert.equal(stepOf(pressed("k", { altKey: true }), true), 0);
});

test("the first press goes to the first row", () => {
  assert.deepEqual(moveBy(page("abc"), -1, 1), { row: 0 });
  assert.deepEqual(moveBy(page("abc"), -1, -1), { row: 0 });
});

test("then to the row beside", () => {
  assert.deepEqual(moveBy(page("abc"), 0, 1), { row: 1 });
  assert.deepEqual(moveBy(page("abc"), 2, -1), { row: 1 });
});

test("at the ends of the whole list nothing moves", () => {
  assert.equal(moveBy(page("abc"), 2, 1), null);
  assert.equal(moveBy(page("abc"), 0, -1), null);
  assert.equal(moveBy(page(""), -1, 1), null);
});

test("at the end of a page the next one comes, at its begin the one before", () => {
  assert.deepEqual(moveBy(page("abc", 0, 5), 2, 1), { after: 3 });
  assert.deepEqual(moveBy(page("de", 3, 5), 0, -1), { after: 0 });
  assert.equal(moveBy(page("de", 3, 5), 1, 1), null);
});

test("the page before never begins before the list", () => {
  assert.equal(pageBeside(page("ab", 2, 9), -1), 0);
  assert.equal(pageBeside(page("abc", 0, 9), -1), null);
  assert.equal(pageBeside(page("abc", 6, 9), 1), null);
});

test("a row that is still there keeps the focus", () => {
  assert.equal(rowAfterwards(rows("abc"), rows("bca"), "c", "a"), 1);
});

test("a row that was settled gives it to the one that opened", () => {
  assert.equal(rowAfterwards(rows("abc"), rows("ac"), "b", "c"), 1);
});

test("or to the one in its place", () => {
  assert.equal(rowAfterwards(rows("abc"), rows("ac"), "b", ""), 1);
  assert.equal(rowAfterwards(rows("abc"), rows("ab"), "c", ""), 1);
});
