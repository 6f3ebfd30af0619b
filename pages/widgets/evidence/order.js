// Sorts rows by a column. A second press reverses the order; rows without an amount come last.

/** @import { TableRow } from "./contract.d.ts" */
/**
 * `column`: -2 as given, -1 by verdict, else the number of a column of cells.
 * @typedef {{ column: number, down: boolean }} Order
 */

export const AS_GIVEN = -2;
export const BY_VERDICT = -1;
const SHAPES = ["alert", "no", "unknown", "leans", "yes"];

/**
 * @param {TableRow[]} rows
 * @param {Order} order
 * @returns {TableRow[]}
 */
export function sortRows(rows, order) {
  if (order.column === AS_GIVEN) return rows;
  const sign = order.down ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [first, second] = [amountOf(one, order.column), amountOf(other, order.column)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return sign * (first - second);
  });
}

/**
 * The order after a press on the head of a column: the largest first, then the smallest first, then as given.
 * @param {Order} order
 * @param {number} column
 * @returns {Order}
 */
export function turnOrder(order, column) {
  const first = column !== BY_VERDICT;
  if (order.column !== column) return { column, down: first };
  return order.down === first ? { column, down: !first } : { column: AS_GIVEN, down: false };
}

/**
 * @param {TableRow} row
 * @param {number} column
 */
function amountOf(row, column) {
  return column === BY_VERDICT ? SHAPES.indexOf(row.shape) : (row.amounts[column] ?? null);
}
