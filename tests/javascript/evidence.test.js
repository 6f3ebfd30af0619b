// The order of the rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AS_GIVEN, BY_VERDICT, sortRows, turnOrder } from "../../pages/widgets/evidence/order.js";

/** @import { TableRow } from "../../pages/widgets/evidence/contract.d.ts" */

/**
 * @param {string} key
 * @param {TableRow["shape"]} shape
 * @param {(number | null)[]} amounts
 * @returns {TableRow}
 */
function row(key, shape, ...amounts) {
  const parts = {
    sign: "",
    marks: "",
    spread: "",
    cells: [],
    marked: [],
    remark: "",
    beside: "",
    behind: "",
  };
  return { key, name: key, shape, verdict: shape, amounts, ...parts };
}

const ROWS = [
  row("a", "yes", 0.5),
  row("b", "no", null),
  row("c", "unknown", -1),
  row("d", "no", 2),
  row("e", "leans", null),
];

/** @param {TableRow[]} rows */
const keys = (rows) => rows.map(({ key }) => key).join("");

test("rows stand as given at first", () => {
  assert.equal(keys(sortRows(ROWS, { column: AS_GIVEN, down: false })), "abcde");
});

test("the largest amount first, and what has none last", () => {
  assert.equal(keys(sortRows(ROWS, { column: 0, down: true })), "dacbe");
});

test("the smallest amount first, and what has none still last", () => {
  assert.equal(keys(sortRows(ROWS, { column: 0, down: false })), "cadbe");
});

test("the worst verdict first; the same verdicts stay as given", () => {
  assert.equal(keys(sortRows(ROWS, { column: BY_VERDICT, down: false })), "bdcea");
});

test("the best verdict first", () => {
  assert.equal(keys(sortRows(ROWS, { column: BY_VERDICT, down: true })), "aecbd");
});

test("sorting leaves the rows themselves alone", () => {
  sortRows(ROWS, { column: 0, down: true });
  assert.equal(keys(ROWS), "abcde");
});

test("a head is pressed three times: largest first, smallest first, as given", () => {
  const first = turnOrder({ column: AS_GIVEN, down: false }, 0);
  assert.deepEqual(first, { column: 0, down: true });
  const second = turnOrder(first, 0);
  assert.deepEqual(second, { column: 0, down: false });
  assert.equal(turnOrder(second, 0).column, AS_GIVEN);
});

test("of verdicts the worst stand first at the first press", () => {
  const first = turnOrder({ column: 0, down: false }, BY_VERDICT);
  assert.deepEqual(first, { column: BY_VERDICT, down: false });
  assert.deepEqual(turnOrder(first, BY_VERDICT), { column: BY_VERDICT, down: true });
});
